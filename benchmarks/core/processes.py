"""Work in processes of their own: libraries in interpreters that need no gatesolve, and functions of ours."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from benchmarks.core.places import ROOT
from benchmarks.core.report import say

PACKAGES = {"PennyLane": "pennylane", "Qrisp": "qrisp"}
"""Libraries that are asked so, with their distributions."""


class TooSlow(BaseException):
    """A time limit that is over; no ``except Exception`` on the way catches it."""


@contextmanager
def time_limit(seconds: float, *, processor: bool = False) -> Iterator[None]:
    """Raise `TooSlow` in the main thread after so many seconds of the clock, or of the processor."""
    timer, number = (signal.ITIMER_PROF, signal.SIGPROF) if processor else (signal.ITIMER_REAL, signal.SIGALRM)

    def stop(*_: object) -> None:
        raise TooSlow(f"more than {seconds:g} s")

    before = signal.signal(number, stop)
    signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)


def ask(python: str, peer: str, request: object, seconds: float = 120) -> Any:
    """Return the answer of a module of `benchmarks.peers`: JSON from its last line on standard output.

    Raises:
        ImportError: it did not run; the message contains the reason.
        subprocess.TimeoutExpired: it took longer than the time limit.
    """
    done = _run(python, ["-m", f"benchmarks.peers.{peer}"], json.dumps(request), seconds)
    return json.loads(done.splitlines()[-1])


def find_version(python: str, distribution: str) -> str:
    """Return the version of a distribution in an interpreter.

    Raises:
        ImportError: the interpreter or the distribution is missing.
    """
    code = f"from importlib.metadata import version; print(version('{distribution}'))"
    try:
        return _run(python, ["-c", code], "", 120).split()[-1]
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ImportError(str(error)) from None


def call_alone(function: Callable[..., Any], *arguments: Any, seconds: float | None = None) -> Any:
    """Return what a function of a module returns in a process of its own; arguments and result go as JSON.

    Raises:
        ImportError: it failed; the message is the last line of the error.
        subprocess.TimeoutExpired: it took longer than the time limit.
    """
    name = function.__name__
    code = f"import json, sys; from {function.__module__} import {name}; out = {name}(*json.load(sys.stdin))"
    done = _run(sys.executable, ["-c", f"{code}; print(json.dumps(out))"], json.dumps(arguments), seconds)
    return json.loads(done.splitlines()[-1])


def _run(python: str, arguments: Sequence[str], text: str, seconds: float | None) -> str:
    command = [python, "-W", "ignore", *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=seconds, check=False, cwd=ROOT)
    if done.returncode:
        raise ImportError((done.stderr.strip().splitlines() or ["no answer"])[-1])
    return done.stdout


def add_options(parser: argparse.ArgumentParser, libraries: Sequence[str]) -> None:
    """Add the interpreters of the peers, and which libraries are asked."""
    parser.add_argument("--peer-python", default=sys.executable, metavar="PATH", help="interpreter that has PennyLane")
    parser.add_argument("--qrisp-python", default=sys.executable, metavar="PATH", help="interpreter that has Qrisp")
    parser.add_argument("--library", choices=libraries, action="append", help="only this one; may be repeated")


def find_missing(asked: argparse.Namespace, libraries: Sequence[str]) -> list[str]:
    """Return the libraries that are not asked, or not installed: with a notice, once a command."""
    if "missing" not in asked:
        asked.missing = [name for name in libraries if asked.library and name not in asked.library]
        pythons = {"PennyLane": asked.peer_python, "Qrisp": asked.qrisp_python}
        for library in sorted(set(PACKAGES) - set(asked.missing)):
            try:
                find_version(pythons[library], PACKAGES[library])
            except ImportError as error:
                say(f"{library} skipped, its recorded rows are kept: {error}")
                asked.missing.append(library)
    return list(asked.missing)

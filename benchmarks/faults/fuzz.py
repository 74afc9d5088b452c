"""Damaged inputs of every kind of file, through the command line in this process.

Whatever comes in, a command ends with status 0, 1 or 2; where it is 2 there is one line on standard error and nothing
else, nothing is left half written, no library warns, and no control character comes out.

    python -m benchmarks fuzz --seed 1 --cases 5000
"""

from __future__ import annotations

import argparse
import io
import random
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.faults.fuzz_seeds import HOSTILE, PIECES, examples
from gatesolve.cli import app

PATIENCE = 20.0
"""Seconds after which a case counts as stuck."""
QUBOS = (".qubo", ".coo", ".lp", ".csv", ".npy")
CHEAP = (["show"], ["show", "-o", "out.txt"])
SOLVES = (
    ["qubo", "--json"],
    ["solve", "--pipeline", "anneal", "--reads", "20", "--sweeps", "10"],
    ["solve", "--json"],
    ["resources", "--json"],
    ["show", "-o", "out.svg"],
    ["compile", "-o", "out.qasm"],
)
OF_QUBOS = (
    ["qubo"],
    ["qubo", "--json"],
    ["qubo", "-o", "out.lp"],
    ["qubo", "-o", "out.coo"],
    ["qubo", "-o", "out.qubo"],
    ["qubo", "-o", "out.json"],
)


@dataclass(frozen=True)
class Case:
    """One run: a file of these bytes, or standard input where it has no name, and a command."""

    name: str
    data: bytes
    words: Sequence[str]

    def __str__(self) -> str:
        return f"{' '.join(self.words)} {self.name or '-'} {self.data[:2000]!r}"


class Stuck(BaseException):
    """A case took longer than `PATIENCE`."""


def hostile() -> Iterator[Case]:
    """The hostile files as they are, each printed and written."""
    for name, data in HOSTILE:
        own = _commands(name, True)
        for words in (own[0], own[-1]):
            yield Case(f"in{Path(name).suffix}", data, words)


def damage(seed: int, count: int, cheap: bool = True) -> Iterator[Case]:
    """Damaged files.

    Args:
        seed: of the damage.
        count: how many.
        cheap: only commands that solve and draw nothing.
    """
    draw = random.Random(seed)
    seeds = [*HOSTILE, *examples()]
    for _ in range(count):
        name, data = draw.choice(seeds)
        data = damaged(draw, data, draw.choice(seeds)[1])
        suffix = Path(name).suffix
        if draw.random() < 0.05:
            suffix = draw.choice([*QUBOS, ".txt", ".json"])
        file = "" if suffix not in {".csv", ".npy"} and draw.random() < 0.15 else f"in{suffix}"
        yield Case(file, data, draw.choice(_commands(name, cheap)))


def _commands(name: str, cheap: bool) -> Sequence[Sequence[str]]:
    own = OF_QUBOS if Path(name).suffix in QUBOS or "qubo" in name else CHEAP
    return own if cheap else [*own, *SOLVES]


def damaged(draw: random.Random, data: bytes, other: bytes) -> bytes:
    """A few small faults, or one large one."""
    for _ in range(draw.choice((1, 1, 2, 3, 8))):
        start = draw.randrange(len(data) + 1)
        end = min(len(data), start + draw.choice((0, 1, 1, 2, 5, 40)))
        lines = data.split(b"\n")
        k = draw.randrange(len(lines))
        kind = draw.randrange(9)
        if kind == 0:
            data = data[:start]
        elif kind == 1:
            data = data[:start] + bytes([draw.randrange(256)]) + data[start + 1 :]
        elif kind == 2:
            data = data[:start] + data[end:]
        elif kind == 3:
            data = data[:end] + data[start:]
        elif kind == 4:
            data = b"\n".join([*lines[:k], *lines[k + 1 :]])
        elif kind == 5:
            data = b"\n".join([*lines[:k], draw.choice(lines), *lines[k:]])
        elif kind == 6:
            far = draw.randrange(len(other) + 1)
            data = data[:start] + other[far : far + draw.choice((3, 30, 300))] + data[end:]
        else:
            words = lines[k].split(b" ")
            words[draw.randrange(len(words))] = draw.choice(PIECES)
            data = b"\n".join([*lines[:k], b" ".join(words), *lines[k + 1 :]])
    return data


def faults(case: Case, folder: Path) -> list[str]:
    """What is wrong with how a case ends; leaves the folder empty."""
    inside, out = folder / (case.name or "in.txt"), folder / "out"
    out.mkdir()
    inside.write_bytes(case.data)
    words = [str(out / word) if word.startswith("out.") else word for word in case.words]
    words.insert(1, str(inside) if case.name else "-")
    try:
        status, said, complaint, warned = _run(words, case.data)
        found = [f"warns: {w.category.__name__}: {w.message}" for w in warned]
        found += [] if status in {0, 1, 2} else [f"status {status}"]
        left = sorted(path.name for path in out.iterdir())
        if status == 2 and (said or left or complaint.count("\n") != 1 or not complaint.startswith("gatesolve: ")):
            found.append(f"status 2 with {said[:80]!r}, {complaint[:400]!r} and {left}")
        if status != 2 and any(name.startswith(".") for name in left):
            found.append(f"left {left}")
        odd = {c for c in said + complaint if c != "\n" and not c.isprintable()}
        return found + ([f"prints {odd}"] if odd else [])
    except Exception as error:
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else ""
        return [f"{type(error).__name__}: {str(error)[:200]} at {where}"]
    finally:
        for path in [*out.iterdir(), inside]:
            path.unlink()
        out.rmdir()


def _run(words: list[str], data: bytes) -> tuple[Any, str, str, list[warnings.WarningMessage]]:
    """Status, both streams, and warnings of a command line."""
    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n") for _ in range(2))
    sys.argv, sys.stdin, sys.stdout, sys.stderr = ["gatesolve", *words], io.TextIOWrapper(io.BytesIO(data)), out, err
    status: Any = None
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            app.main()
    except SystemExit as end:
        status = end.code
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = kept
    for stream in (out, err):
        stream.flush()
    said, complaint = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
    return status, said, complaint, warned


def _alarm(*_: object) -> None:
    raise Stuck


def campaign(seed: int, count: int, cheap: bool) -> int:
    """Run the hostile and so many damaged files, print each kind of fault once; returns how many faults there were.

    What takes longer than `PATIENCE` is stopped and counted apart: a search may be long.
    """
    signal.signal(signal.SIGALRM, _alarm)
    seen: dict[str, int] = {}
    slowest, total, stuck, start = 0.0, 0, 0, time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for case in chain(hostile(), damage(seed, count, cheap)):
            total += 1
            begun = time.perf_counter()
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)
            found = []
            try:
                found = faults(case, Path(folder))
            except Stuck:
                stuck += 1
            signal.setitimer(signal.ITIMER_REAL, 0)
            slowest = max(slowest, time.perf_counter() - begun)
            for fault in found:
                if fault not in seen:
                    print(f"{fault}\n    {case}", flush=True)
                seen[fault] = seen.get(fault, 0) + 1
    seconds = time.perf_counter() - start
    print(
        f"seed {seed}: {total} cases in {seconds:.0f} s, slowest {slowest:.1f} s, {stuck} stopped, "
        f"{sum(seen.values())} faults"
    )
    return sum(seen.values())


def main(arguments: Sequence[str]) -> int:
    """Run the campaign that the options describe; 1 if there was a fault."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--solve", action="store_true", help="commands that solve, compile and draw too")
    asked = parser.parse_args(arguments)
    return int(campaign(asked.seed, asked.cases, not asked.solve) > 0)

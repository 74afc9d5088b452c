"""Pipes that close, disks that fill, Ctrl-C, and where progress shows."""

import io
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_runs import CONTEST

from gatesolve.api import calls as api
from gatesolve.api import shown_progress
from gatesolve.cli import app as cli

COMMAND = Path(sys.executable).with_name("gatesolve")


def shell(line):
    """Run a line of bash with ``gatesolve`` and ``$BOARD`` in it; returns status, output and errors."""
    script = f'set -o pipefail; gatesolve() {{ {COMMAND} "$@"; }}; BOARD={CONTEST}; {line}'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def test_the_installed_command():
    status, out, err = shell("gatesolve solve - --json < $BOARD")
    assert (status, err) == (0, "")
    assert json.loads(out)["status"] == "solved"


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", "--json"])
def test_a_reader_that_leaves(options):
    """The pipe is closed before anything is written: no complaint, but no success either."""
    status, out, err = shell(f"gatesolve solve $BOARD {options} | true; echo ${{PIPESTATUS[0]}}")
    assert (status, out, err) == (0, "1\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", "--json"])
def test_a_full_disk(options):
    status, _, err = shell(f"gatesolve solve $BOARD {options} > /dev/full")
    assert (status, err) == (2, "gatesolve: cannot write the output: No space left on device\n")


@pytest.mark.quick("--version")
@pytest.mark.parametrize("command", ["show $BOARD", "qubo $BOARD --json", "--version"])
def test_a_closed_output(command):
    """What was asked for did not reach anyone."""
    status, out, err = shell(f"gatesolve {command} >&-")
    assert (status, out, err) == (2, "", "gatesolve: cannot write the output: Bad file descriptor\n")


def test_interrupted(gatesolve, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(api, "solve", interrupted)
    assert gatesolve("solve", CONTEST).refusal(130) == "interrupted"


PRESS = """
import signal, sys

class Press:
    def find_spec(self, name, *_):
        if name == module:
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                if not swallow:
                    raise
                raise ImportError("never mind") from None

_, module, how, *sys.argv[1:] = sys.argv
swallow = how == "swallowed"
sys.meta_path.insert(0, Press())
import runpy
runpy.run_module("gatesolve", run_name="__main__")
"""


@pytest.mark.quick("gatesolve.api.calls-raised", "typer-raised")
@pytest.mark.parametrize(
    ("module", "how"), [("typer", "raised"), ("gatesolve.api.calls", "raised"), ("cpmpy", "swallowed")]
)
def test_ctrl_c_while_a_module_is_imported(module, how):
    """Also where a library takes it for a module that is missing."""
    words = [sys.executable, "-c", PRESS, module, how, "solve", str(CONTEST)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "gatesolve: interrupted\n")


THREADS = """
import runpy, sys, time
try:
    runpy.run_module("gatesolve", run_name="__main__")
except SystemExit:
    sys.exit(time.process_time() - time.thread_time() > 0.3)
"""


@pytest.mark.sampled(0.5)
def test_no_thread_waits_while_angles_are_tuned():
    words = [sys.executable, "-c", THREADS, "solve", str(CONTEST), "--pipeline", "qaoa"]
    assert subprocess.run(words, capture_output=True, timeout=60, check=False).returncode == 0


class Screen(io.StringIO):
    """A standard error that says it is a terminal."""

    def isatty(self):
        return True


def screen_after(monkeypatch, seconds, *arguments, screen=None):
    """What standard error shows of a solve that takes so many seconds; standard output as it is."""
    real = api.solve

    def slow(*given, progress, **options):
        if callable(progress):
            progress("certificate", 1, 3)
        time.sleep(seconds)
        return real(*given, progress=progress, **options)

    screen = Screen() if screen is None else screen
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(api, "solve", slow)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(sys, "argv", ["gatesolve", "solve", str(CONTEST), *arguments])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 0
    return screen.getvalue()


@pytest.mark.slow
def test_progress_shows_after_two_seconds_on_a_terminal(monkeypatch, capsys):
    shown = screen_after(monkeypatch, 2.4)
    assert "certificate" in shown
    assert "33%" in shown
    assert shown.rstrip().endswith("\x1b[2K"), "the bar is taken away at the end"
    assert "33%" not in capsys.readouterr().out


@pytest.mark.quick("arguments0-None")
@pytest.mark.parametrize(("arguments", "screen"), [(["--json"], None), ([], io.StringIO())])
def test_no_progress_in_json_or_off_a_terminal(monkeypatch, arguments, screen):
    assert screen_after(monkeypatch, 1.2, *arguments, screen=screen) == ""


def test_a_line_now_and_then_off_a_terminal(monkeypatch):
    monkeypatch.setattr(shown_progress, "LINES", 0.0)
    assert "gatesolve: certificate: 1 of 3\n" in screen_after(monkeypatch, 0, screen=io.StringIO())
    assert screen_after(monkeypatch, 0, "--json", screen=io.StringIO()) == ""

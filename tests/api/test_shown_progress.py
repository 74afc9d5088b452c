"""How far a long call is: a bar in a notebook and on a terminal, lines elsewhere where they are asked for."""

import io
import sys
import threading
import time
from types import SimpleNamespace

import pytest

import gatesolve
from gatesolve.api import shown_progress as shown
from gatesolve.errors import InputError

KAKURO = "examples/kakuro/contest.txt"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(shown, "PATIENCE", 0.0)
    monkeypatch.setattr(shown, "BETWEEN", 0.0)
    monkeypatch.setattr(shown, "LINES", 0.0)
    monkeypatch.delitem(sys.modules, "IPython", raising=False)


@pytest.mark.parametrize("progress", [None, True])
def test_a_terminal_has_a_bar_that_goes_away(at_once, monkeypatch, progress):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    with shown.shown_progress(progress) as told:
        time.sleep(0.2)  # the bar starts in a thread of its own
        told("[red]cells\n", 24, 96)
    written = sys.stderr.getvalue()
    assert "[red]cells\\n" in written
    assert "25%" in written
    assert written.rstrip().endswith("\x1b[2K")


def test_a_terminal_has_none_where_it_was_declined_or_others_may_draw_too(at_once, monkeypatch):
    told = []

    def enter(progress):
        with shown.shown_progress(progress) as given:
            told.append(given)

    monkeypatch.setattr(sys, "stderr", Terminal())
    enter(False)
    thread = threading.Thread(target=enter, args=(None,))
    thread.start()
    thread.join()
    assert told == [None, None]
    assert sys.stderr.getvalue() == ""


def test_what_a_callback_prints_goes_where_it_belongs(at_once, monkeypatch, capsys):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    with shown.shown_progress(None):
        time.sleep(0.2)
        print("a leaf")
    assert capsys.readouterr().out == "a leaf\n"
    assert "a leaf" not in sys.stderr.getvalue()


@pytest.mark.parametrize("call", ["estimate", "card", "submit", "fetch", "landscape", "compile", "pareto"])
def test_every_long_call_takes_it(call, monkeypatch):
    asked = {"submit": {"device": "fake_manila"}}.get(call, {})
    with pytest.raises(InputError, match="progress is 7: give True, False, or a function"):
        getattr(gatesolve, call)(**({"job": None} if call == "fetch" else {"problem": KAKURO}), progress=7, **asked)


def test_elsewhere_there_are_lines(at_once, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    gatesolve.compile(KAKURO, progress=True)
    lines = sys.stderr.getvalue().splitlines()
    assert "gatesolve: certificate: 24 of 24" in lines
    assert "\x1b" not in "".join(lines)


def test_there_are_no_lines_unless_asked_for(at_once, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    gatesolve.solve(KAKURO)
    assert sys.stderr.getvalue() == ""


@pytest.mark.parametrize("asked", [{}, {"progress": True}])
def test_a_notebook_has_a_bar_that_goes_away(at_once, monkeypatch, asked):
    states = []

    def show(first, display_id):
        assert display_id  # else nothing comes back by which the bar can be changed
        states.append(first)
        return SimpleNamespace(update=states.append)

    display = SimpleNamespace(HTML=str, display=show)
    notebook = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1), display=display)
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    gatesolve.solve(KAKURO, **asked)
    assert '<progress value="1.000"></progress> certificate' in states
    assert states[-1] == ""
    del states[:]
    monkeypatch.setattr(shown, "PATIENCE", 600.0)
    gatesolve.solve(KAKURO, **asked)
    assert states == []

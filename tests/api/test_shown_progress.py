"""``progress=True``: a bar in a notebook, a line in a terminal, lines elsewhere."""

import io
import sys
from types import SimpleNamespace

import pytest

import gatesolve
from gatesolve.api import shown_progress as shown

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


def test_a_line_of_a_terminal_is_written_over_and_taken_away(at_once, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    gatesolve.solve(KAKURO, progress=True)
    written = sys.stderr.getvalue()
    assert "gatesolve: certificate: 24 of 24" in written
    assert "\n" not in written
    assert written.endswith("\r\x1b[2K")


def test_elsewhere_there_are_lines(at_once, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    gatesolve.compile(KAKURO, progress=True)
    lines = sys.stderr.getvalue().splitlines()
    assert "gatesolve: certificate: 24 of 24" in lines
    assert "\x1b" not in "".join(lines)


def test_nothing_is_shown_of_what_is_quick_or_not_asked_for(monkeypatch):
    monkeypatch.setattr(shown, "PATIENCE", 600.0)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    gatesolve.solve(KAKURO, progress=True)
    gatesolve.solve(KAKURO, progress=False)
    assert sys.stderr.getvalue() == ""


def test_there_may_be_no_standard_error(at_once, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert gatesolve.solve(KAKURO, progress=True).status == "solved"


def test_a_notebook_has_a_bar_that_goes_away(at_once, monkeypatch):
    states = []
    display = SimpleNamespace(HTML=str, display=lambda first, display_id: SimpleNamespace(update=states.append))
    notebook = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1), display=display)
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    gatesolve.solve(KAKURO, progress=True)
    assert '<progress value="1.000"></progress> certificate' in states
    assert states[-1] == ""

"""A puzzle's cost card: its numbers are those of the calls behind it, and what is missing is said on it."""

from importlib.util import find_spec
from pathlib import Path

import pytest

import gatesolve
from gatesolve.api import as_problem
from gatesolve.errors import InfeasibleError, InputError

pytestmark = pytest.mark.skipif(find_spec("qdk") is None, reason="qdk is not installed")
EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL, CONTEST = EXAMPLES / "kakuro/small.txt", EXAMPLES / "kakuro/contest.txt"
DECIDED = "box 2x2\n1234\n3412\n2143\n4321\n"


@pytest.fixture(scope="module")
def small():
    return gatesolve.card(SMALL, device="fake_manila")


def test_the_device_is_as_a_preview_says(small):
    (circuit,) = gatesolve.api.preview(SMALL, "fake_manila", seeds=1)
    assert small.outlook.circuit == circuit
    assert f"{circuit['estimate']['expected']:.0%} of shots right" == small.panels[1].headline
    assert str(circuit["estimate"]["two_qubit"]) in small.panels[1].lines[0]


def test_a_board_that_its_clues_decide_has_no_circuit():
    found = gatesolve.card(gatesolve.puzzles.parse(DECIDED), device="fake_manila")
    assert found.search is None
    assert found.panels[1] == ("Today's quantum computer: fake_manila", "no circuit", found.panels[1].lines)
    assert "nothing" in found.panels[1].lines[0]
    assert "nothing" in found.panels[2].lines[0]
    assert found.image().startswith(b"\x89PNG")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_it_is_drawn_the_same_each_time(small, tmp_path, suffix, start):
    paths = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    for path in paths:
        small.draw(path)
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    assert first.startswith(start)
    assert small._repr_png_() == small.image("png")


def test_what_no_card_can_be_made_of_is_refused():
    with pytest.raises(InputError, match="this problem has none: give a puzzle"):
        gatesolve.card(as_problem(SMALL).model)
    with pytest.raises(InputError, match=r"^backtracking_seconds is nan: give a number"):
        gatesolve.card(SMALL, backtracking_seconds=float("nan"))
    with pytest.raises(InputError, match="unknown machine 'abacus'"):
        gatesolve.card(SMALL, machines=["abacus"])
    with pytest.raises(InputError, match="no fake device is called"):
        gatesolve.card(SMALL, device="fake_abacus")
    with pytest.raises(InfeasibleError):
        gatesolve.card(gatesolve.puzzles.parse("box 2x2\n11..\n....\n....\n....\n"))

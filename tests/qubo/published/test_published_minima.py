"""On small boards, of all states exactly the solutions have the least energy; where a source leaves rules out, more."""

from pathlib import Path

import numpy as np
import pytest

from gatesolve.model import find_optimum, find_solutions
from gatesolve.model.from_cpmpy import from_cpmpy
from gatesolve.puzzles import load, parse
from gatesolve.qubo import published_qubo
from gatesolve.qubo.published.chess import sufficient

EXAMPLES = Path(__file__).parents[3] / "examples"

SMALL = {
    "four queens": ("queens", "....\n....\n....\n....\n"),
    "a queen given": ("queens", "....\n...Q\n....\n....\n"),
    "cylinder": ("queens", "queens\ncylinder\nsize 4 5\nrows 1\ncolumns 0..1\nreach 1\n"),
    "soft regions": ("queens", "queens\nreach all\nregions 0..1\nAABB\nACBB\nCCDD\nCCDD\n"),
    "slope": ("queens", "queens\nsize 4\nslopes 1/2\nreach\n1111\n1211\n1111\n1111\n"),
    "attacks": ("queens", "queens\nsize 4\nslopes +1/-1*2 0/+2\nattack r1c2: r2c4 r3c3\n"),
    "two stars": ("starbattle", "stars 1\nAABB\nAABC\nDBBC\nDDDC\n"),
    "diagonals": ("takuzu", "unique no\ndiagonals yes\n1...\n....\n....\n...0\n"),
    "torus": ("takuzu", "unique no\nwrap both\nrows - 2 2 -\n1...\n....\n....\n....\n"),
    "ranges": ("takuzu", "unique no\nregion 0..1 r1c1 r2c3 r4c4\nregion 0..* r1c2 r1c3\n0...\n....\n....\n....\n"),
    "signs": ("takuzu", "unique no\n....\n....\n....\n....\nr1c1 = r4c4 x r2c3\nr1c2 x r1c3\n"),
    "coloured": ("chess", "chess coloured\npieces N\nregions\nAABB\nACCB\nDCCB\nDDDB\n"),
    "two pieces": ("chess", "chess coloured\npieces N R\nregions\nAAB\nCCB\nCCB\n"),
    "sudoku": ("sudoku", "box 2x2\n2. | 43\n.. | 2.\n---+---\n.. | ..\n.2 | 3.\n"),
}


def least(formula):
    """The least energy, and the puzzle's variables at each state that has it."""
    width = formula.qubo.num_variables
    numbers = np.arange(1 << width)
    bits = np.array([(numbers >> q & 1).astype(bool) for q in range(width)]).reshape(width, -1)
    energies = formula.qubo.energies(bits)
    return energies.min(), [formula.decode(bits[:, k].astype(int)) for k in np.flatnonzero(energies == energies.min())]


def as_set(assignments):
    return {frozenset(a.items()) for a in assignments}


def agree(puzzle, keep):
    """Compare the states of least energy, those that agree with the clues, with the reference solver's solutions."""
    expected = as_set(find_solutions(from_cpmpy(puzzle.to_cpmpy())))
    formula = published_qubo(puzzle, keep=keep)
    energy, found = least(formula)
    if keep:  # the whole formula does not know the clues
        states = [dict(zip(formula.qubo.names, formula.encode(a), strict=True)) for a in found]
        found = [a for a, state in zip(found, states, strict=True) if formula.fixed.items() <= state.items()]
    assert as_set(found) == expected
    assert expected
    assert energy == formula.ground


@pytest.mark.parametrize(
    ("name", "keep"),
    [
        ("queens/general-5x6", False),
        ("tango/small", True),
        ("tents/sgt-4x4de-1", True),
    ],
)
def test_minimisers_of_examples_are_the_solutions(name, keep):
    agree(load(EXAMPLES / f"{name}.txt"), keep)


# Without its clues the Sudoku has too many variables for all states to be listed.
@pytest.mark.quick("[!s]*-*", "signs-*", "slope-*")
@pytest.mark.parametrize(
    ("name", "keep"), [(n, keep) for n in SMALL for keep in (False, True) if n != "sudoku" or not keep]
)
def test_minimisers_of_small_boards_are_the_solutions(name, keep):
    family, text = SMALL[name]
    agree(parse(text, family), keep)


@pytest.mark.parametrize("name", ["max-2x2-kings", "max-3x3-types", "max-4x5-pawns-rook"])
def test_minimisers_of_max_chess_pieces_are_the_optima(name):
    puzzle = load(EXAMPLES / f"chess/{name}.txt")
    _, value = find_optimum(from_cpmpy(puzzle.to_cpmpy()))
    energy, found = least(published_qubo(puzzle))
    assert energy == -value
    assert found
    assert all(puzzle.check(a) == [] for a in found)


def test_lambda_is_above_the_lesser_of_two_that_threaten():
    assert sufficient({"a": 5, "b": 3, "c": 9}, {("a", "b"): 1, ("b", "c"): 2}) == 4
    assert sufficient({"a": 5, "b": -3}, {("a", "b"): 1}) == 1
    assert sufficient({"a": 5}, {}) == 1


def test_equal_lines_of_takuzu_are_left_out():
    puzzle = parse("unique yes\n....\n....\n....\n....\n", "takuzu")
    energy, found = least(published_qubo(puzzle))
    faults = [puzzle.check(a) for a in found]
    assert energy == 4
    assert (len(found), faults.count([])) == (90, 72)
    assert all("equals" in fault for several in faults for fault in several)


def test_tents_that_share_a_tree_are_left_out():
    puzzle = load(EXAMPLES / "tents/weak-3x5.txt")
    energy, found = least(published_qubo(puzzle))
    assert energy == 0.75
    assert sorted(puzzle.check(a) == [] for a in found) == [False, True]


def test_galaxies_in_pieces_are_left_out():
    whole = parse(".|.|o|.|.\n", "galaxies")
    assert [whole.check(a) for a in least(published_qubo(whole))[1]] == [[]]
    # the outer cells can only belong to the middle dot, beyond those of the others
    puzzle = parse(".|o|o|o|.\n", "galaxies")
    formula = published_qubo(puzzle)
    energy, found = least(formula)
    assert formula.qubo.num_variables == 15
    assert energy == formula.ground == 0
    assert [puzzle.check(a) for a in found] == [["galaxy 1 is in 3 pieces"]]

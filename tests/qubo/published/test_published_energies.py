"""The published formulas have the energies that their sources state, on real boards."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from every_state import every_state

from gatesolve.errors import UnsupportedError
from gatesolve.formats import from_cpmpy
from gatesolve.model import find_optimum, find_solutions, propagate
from gatesolve.puzzles import families, load, parse
from gatesolve.qubo import published_families, published_qubo

EXAMPLES = Path(__file__).parents[3] / "examples"


def board(name):
    return load(EXAMPLES / name)


def encode(formula, answer):
    """The state of the formula's Qubo that stands for a finished board."""
    held = ([answer.get(name) == value for name, value in formula.stands_for[own]] for own in formula.qubo.names)
    return tuple(int(any(one)) for one in held)


def answers(puzzle, limit=3):
    model = from_cpmpy(puzzle.to_cpmpy())
    return [find_optimum(model)[0]] if model.objective else find_solutions(model, limit)


# Board; variables with the clues put in and of the whole formula; energy of a solution; the same less the offset of
# the whole formula.
BOARDS = [
    ("queens/nauck-8x8.txt", 22, 64, 0, -16),
    ("queens/soft-regions-6x6.txt", 36, 36, Fraction(5, 4), -14),
    ("queens/general-5x6.txt", 15, 28, 1, -10),
    ("starbattle/tiny-4x4-1.txt", 16, 16, 0, -12),
    ("starbattle/irregular-6x6-1.txt", 28, 28, 0, -18),
    ("tents/hakank-6x6.txt", 21, 21, Fraction(8, 4), -48),
    ("tents/weak-3x5.txt", 7, 7, Fraction(3, 4), -14),
    ("takuzu/small.txt", 4, 16, (16 - 8) // 2, -64),
    ("takuzu/cylinder-counts-6x6.txt", 22, 36, 15, -179),
    ("takuzu/torus-regions-6x6.txt", 22, 36, 18, -258),
    ("takuzu/region-ranges-6x6.txt", 32, 36, Fraction(53, 4), -228),
    ("tango/santipvz-sample4.txt", 13, 36, (36 - 12) // 2, -208),
    ("galaxies/blog-5x5.txt", 150, 150, 0, -32),
    ("galaxies/tiny-3x3.txt", 27, 27, 0, -12),
    ("sudoku/sgt-2x3di1.txt", 76, 216, 0, -36),
    ("kakuro/contest.txt", 28, 28, 0, -1160),
    ("chess/coloured-5x5.txt", 25, 25, 0, -6),
]


@pytest.mark.parametrize(("name", "free", "every", "energy", "bare"), BOARDS, ids=lambda x: x if "/" in str(x) else "")
def test_solutions_have_the_ground_energy(name, free, every, energy, bare):
    puzzle = board(name)
    found = answers(puzzle)
    assert found
    for keep, width in ((False, free), (True, every)):
        formula = published_qubo(puzzle, keep=keep)
        assert formula.qubo.num_variables == width
        assert formula.ground == energy
        for answer in found:
            bits = encode(formula, answer)
            assert formula.qubo.energy(bits) == energy
            assert puzzle.check(formula.decode(bits)) == []
            if keep and bare is not None:
                assert formula.without_offset(energy) == bare
        if keep:
            named = dict(zip(formula.qubo.names, encode(formula, found[0]), strict=True))
            assert formula.fixed.items() <= named.items()


def test_max_chess_pieces_counts_worth():
    for name in ("max-3x3-types", "max-4x5-pawns-rook", "max-4x4-queens-knights"):
        puzzle = board(f"chess/{name}.txt")
        best, value = find_optimum(from_cpmpy(puzzle.to_cpmpy()))
        for keep in (False, True):
            formula = published_qubo(puzzle, keep=keep)
            assert formula.ground is None
            assert formula.qubo.energy(encode(formula, best)) == -value


def test_presolve_narrows_and_keeps_energies():
    for name, width in (("sudoku/inkala-2010", 204), ("galaxies/sgt-7x7du-1", 16), ("tents/pzpr-5x5", None)):
        puzzle = board(f"{name}.txt")
        smaller, recovery = propagate(from_cpmpy(puzzle.to_cpmpy()))
        domains = {step.name: (step.constant,) for step in recovery.steps} | smaller.domains
        formula = published_qubo(puzzle).narrow(domains)
        assert width in (None, formula.qubo.num_variables)
        for answer in answers(puzzle):
            bits = encode(formula, answer)
            assert formula.qubo.energy(bits) == formula.ground
            assert puzzle.check(formula.decode(bits)) == []


def test_every_family_has_a_formula():
    assert set(published_families()) <= set(families())
    assert {load(path).family for path in EXAMPLES.glob("*/*.txt")} == set(published_families())


class Stranger:
    family = "slitherlink"


def test_refusals():
    with pytest.raises(UnsupportedError, match=r"no published QUBO for slitherlink: the families with one are "):
        published_qubo(Stranger())
    wide = parse("queens\nrows 0..2 1 1 1\nboard\n....\n....\n....\n....\n", "queens")
    with pytest.raises(UnsupportedError, match=r"^0 to 2 queens in row 1; .*: use formulation='model'$"):
        published_qubo(wide)
    wide = parse("unique no\nregion 1..3 r1c1 r2c2 r3c3 r4c4\n....\n....\n....\n....\n")
    with pytest.raises(UnsupportedError, match=r"^1 to 3 ones in the region of r1c1; .*: use formulation='model'$"):
        published_qubo(wide)


# --- On small boards, of all states exactly the solutions have the least energy; where a source leaves rules out, mor


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
    bits = every_state(formula.qubo.num_variables)
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
        states = [dict(zip(formula.qubo.names, encode(formula, a), strict=True)) for a in found]
        found = [a for a, state in zip(found, states, strict=True) if formula.fixed.items() <= state.items()]
    assert as_set(found) == expected
    assert expected
    assert energy == formula.ground


@pytest.mark.parametrize(
    ("name", "keep"), [("queens/general-5x6", False), ("tango/small", True), ("tents/sgt-4x4de-1", True)]
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

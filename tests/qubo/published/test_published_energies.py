"""The published formulas have the energies that their sources state, on real boards."""

from fractions import Fraction
from pathlib import Path

import pytest

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model import find_optimum, find_solutions, propagate
from gatesolve.model.from_cpmpy import from_cpmpy
from gatesolve.puzzles import families, load, parse
from gatesolve.qubo import published_qubo
from gatesolve.qubo.published import published_families

EXAMPLES = Path(__file__).parents[3] / "examples"


def board(name):
    return load(EXAMPLES / name)


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
            bits = formula.encode(answer)
            assert formula.qubo.energy(bits) == energy
            assert puzzle.check(formula.decode(bits)) == []
            if keep and bare is not None:
                assert formula.without_offset(energy) == bare
        if keep:
            named = dict(zip(formula.qubo.names, formula.encode(found[0]), strict=True))
            assert formula.fixed.items() <= named.items()


def test_galaxies_with_the_weak_reward():
    puzzle = board("galaxies/blog-5x5.txt")
    formula = published_qubo(puzzle, weak=Fraction(1, 10))
    (answer,) = answers(puzzle)
    energy = formula.qubo.energy(formula.encode(answer))
    assert formula.ground is None
    assert formula.without_offset(energy) == -34.1
    assert formula.qubo.offset == 32


def test_the_three_states_that_the_blog_found_without_it():
    puzzle = board("galaxies/blog-5x5.txt")
    formula = published_qubo(puzzle)
    for rows, right in (
        ("10021 11111 12221 33333 42555", False),
        ("10011 11111 11231 33333 43555", True),
        ("10011 22122 11231 22322 43555", False),
    ):
        grid = [list(map(int, row)) for row in rows.split()]
        bits = [int(grid[r][c] == k) for r in range(5) for c in range(5) for k in range(6)]
        assert formula.without_offset(formula.qubo.energy(bits)) == -32
        faults = puzzle.check(formula.decode(bits))
        assert (faults == []) == right
        assert right or all("pieces" in fault for fault in faults)


def test_max_chess_pieces_counts_worth():
    for name in ("max-3x3-types", "max-4x5-pawns-rook", "max-4x4-queens-knights"):
        puzzle = board(f"chess/{name}.txt")
        best, value = find_optimum(from_cpmpy(puzzle.to_cpmpy()))
        for keep in (False, True):
            formula = published_qubo(puzzle, keep=keep)
            assert formula.ground is None
            assert formula.qubo.energy(formula.encode(best)) == -value


def test_presolve_narrows_and_keeps_energies():
    for name, width in (("sudoku/inkala-2010", 204), ("galaxies/sgt-7x7du-1", 16), ("tents/pzpr-5x5", None)):
        puzzle = board(f"{name}.txt")
        smaller, recovery = propagate(from_cpmpy(puzzle.to_cpmpy()))
        domains = {step.name: (step.constant,) for step in recovery.steps} | smaller.domains
        formula = published_qubo(puzzle).narrow(domains)
        assert width in (None, formula.qubo.num_variables)
        for answer in answers(puzzle):
            bits = formula.encode(answer)
            assert formula.qubo.energy(bits) == formula.ground
            assert puzzle.check(formula.decode(bits)) == []


def test_every_family_has_a_formula():
    assert set(published_families()) <= set(families())
    assert {load(path).family for path in EXAMPLES.glob("*/*.txt")} == set(published_families())


class Stranger:
    family = "slitherlink"


def test_refusals():
    with pytest.raises(UnsupportedError, match=r"no published QUBO for slitherlink: there are some for kakuro, "):
        published_qubo(Stranger())
    with pytest.raises(InputError, match="Galaxies formula alone"):
        published_qubo(board("takuzu/small.txt"), weak=1)
    wide = parse("queens\nrows 0..2 1 1 1\nboard\n....\n....\n....\n....\n", "queens")
    with pytest.raises(UnsupportedError, match=r"^0 to 2 queens in row 1; .*: use form='model'$"):
        published_qubo(wide)
    wide = parse("unique no\nregion 1..3 r1c1 r2c2 r3c3 r4c4\n....\n....\n....\n....\n")
    with pytest.raises(UnsupportedError, match=r"^1 to 3 ones in the region of r1c1; .*: use form='model'$"):
        published_qubo(wide)

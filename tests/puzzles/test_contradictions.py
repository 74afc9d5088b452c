"""Boards that are well formed but that nothing solves: read, shown and written like any other, and infeasible."""

import contextlib

import pytest

import gatesolve
from gatesolve.errors import InfeasibleError
from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions
from gatesolve.puzzles import parse

BOARDS = [
    ("chess max\npieces K\nboard\nKN.\n.R.", "the given K at r1c1 threatens the given N at r1c2"),
    ("chess max\npieces K\nboard\nK.N\nregions\nAAA", "region A has 2 pieces given but holds one"),
    ("chess max\npieces K\nboard\n#..\nregions\nABB", "region A has no cell that can hold a piece"),
    ("oo.\n-+-\n.|.\n", "two dots claim cell r1c1, those of half-row 1, half-column 1 and half-row 1, half-column 2"),
    (
        ": 3: 4:\n:3 _ _\n:40 _ _\n",
        "the sum 40 across of the run from r3c2 cannot be made: 2 different values of 1..9 make 3..17",
    ),
    ("# # #\n\\2 . .\n", "the sum 2 across of the run from r2c2 cannot be made: 2 different values of 1..9 make 3..17"),
    (
        "values 0..3\n# 1\\\n# .\n# .\n# .\n",
        "the sum 1 down of the run from r2c2 cannot be made: 3 different values of 0..3 make 3..6",
    ),
    (
        "values 0..3\n# # # # # #\n\\6 . . . . .\n",
        "the sum 6 across of the run from r2c2 needs 5 different values and 0..3 has only 4",
    ),
    ("AABB\nABBB\nCCCC\nCCCC", "the 3 regions hold 3 queens but the 4 rows hold 4"),
    (
        "AABB\nAEBB\nCCDD\nCDDD",
        "the 5 regions hold 5 queens but the 4 rows hold 4: regions A B E C D, the smallest E at r2c2",
    ),
    ("AABB\nABBB\nCCDD", "the 4 columns hold 4 queens but the 3 rows hold 3"),
    ("Q...\n.Q..\n....\n....", "the given queens at r1c1 and r2c2 attack each other"),
    ("Q..Q\n....\n....\n....", "2 queens are given in row 1, which holds 1"),
    ("queens\nsize 4\nrows 2 1 1 1", "the 4 columns hold 4 queens but the 4 rows hold 5"),
    ("queens 9\nsize 4", "row 1 has 4 cells for its 9 queens"),
    ("queens\nsize 4\nregion E 2..3: r1c1", "region E has 1 cell for its 2..3 queens"),
    (
        '{"family": "nqueens", "size": 4, "fixed": [[0, 0], [1, 1]]}',
        "the given queens at r1c1 and r2c2 attack each other",
    ),
    ("stars 1\nAABB\nABBB\nCCCC\nCCCC", "3 regions of 1 on 4 rows of 1: both must hold as many stars"),
    ("stars 3\nAABB\nABBB\nCCDD\nCDDD", "3 stars that do not touch need 5 cells in a row"),
    ("stars 1\n####\nABBB\nCCDD\nCDDD", "row 1 has 0 cells for its 1 star"),
    ("stars 1\n@ABB\n@BBB\n#CDD\n@DDD", "column 1 has 0 cells for its 1 star"),
    ("unique yes\n.1.0\n111.\n.0..\n1..0\n", "three given cells with 1 in line in row 2, from r2c1 on"),
    ("unique yes\n.1.0\n.1..\n.0..\n11.0\n", "3 given cells with 1 in column 2, which holds 2"),
    (
        "unique yes\n0...\n...0\n....\n....\nr1c1 x r2c4\n",
        "the sign r1c1 x r2c4 contradicts the clues and the signs before it",
    ),
    ("2 0\n1 . T\n1 . .\n", "column 1 cannot hold 2 tents, as tents never touch"),
    ("1 0\n0 . T\n0 . .\n", "the row counts add up to 0 but 1 tree must have one tent each"),
    ("1 1\n1 . T\n? . .\n", "the column counts add up to 2 but 1 tree must have one tent each"),
    ("? ? ?\n? . T T\n? . T T\n? T . .\n", "the tree at r1c3 has no free cell beside it"),
    ("? ? ?\n? ^ T .\n? . ^ .\n", "the given tents at r1c1 and r2c2 touch"),
    ("unique yes\nrows 1 2 2 4\n....\n....\n....\n....\n", "row 4 cannot have 4 ones in 4 cells"),
    ("wrap rows\n00...0\n......\n......\n......\n......\n......\n", "three given cells with 0 in line in row 1"),
    ("unique yes\nregion 3..* r1c1 r1c2\n....\n....\n....\n....\n", "cannot have 3 ones"),
    ("unique yes\nregion 0..1 r2c1 r2c2\n....\n11..\n....\n....\n", "its clues leave 2..2"),
    ("unique yes\nregion 5 r1c1 r1c2\n....\n....\n....\n....\n", "cannot have 5 ones"),
    ("unique yes\n....\n....\n....\n....\nr1c1 x r1c2 x r2c2 x r1c1\n", "the sign r2c2 x r1c1 contradicts"),
    ("tango\nSSS...\n......\n......\n......\n......\n.....M\n", "three given cells with 0"),
    ("box 2x2\n1...\n.1..\n....\n....\n", "1 is given at r1c1 and at r2c2, in the same box"),
    (
        "box 2x2\ncages\na...\n....\n...a\n....\nsums a=9\n",
        "the cage at r1c1 adds up to 9, but 2 different values make 3..7",
    ),
    (
        "box 2x2\ncages\naaa.\na...\na...\n....\nsums a=9\n",
        "the cage at r1c1 has 5 cells, and there are only 4 different values",
    ),
    (
        "box 2x2\ncages\na...\n....\n...a\n....\nsums a=5\nboard\n2...\n....\n...2\n....\n",
        "2 is given at r1c1 and at r3c4, in the same cage",
    ),
    (
        "n = 2;\na = [| 0, 1\n     | 0, 0 |];\nrow_sums = [1, 1];\ncol_sums = [1, 0];\n",
        "the row counts add up to 2 but 1 tree must have one tent each",
    ),
    ("4x4:ae_g,2,0,0,1,1,9,1,1", "row 2 cannot hold 9 tents"),
]


@pytest.mark.parametrize(("text", "reason"), BOARDS)
def test_it_is_read_and_says_why_nothing_solves_it(text, reason):
    puzzle = parse(text)
    assert reason in puzzle.contradiction
    assert "\n" not in puzzle.contradiction
    assert parse(puzzle.text(), puzzle.family) == puzzle
    puzzle.render()


@pytest.mark.parametrize("text", [text for text, _ in BOARDS])
def test_the_reference_solver_agrees(text):
    """The model is made apart from the reason, so this is a proof that the reason is one."""
    with contextlib.suppress(InfeasibleError):
        assert find_solutions(from_cpmpy(parse(text).to_cpmpy()), 1) == []


@pytest.mark.parametrize("pipeline", ["auto", "grover", "gas", "qaoa", "anneal"])
def test_every_pipeline_says_infeasible(pipeline):
    puzzle = parse("1 0\n0 . T\n0 . .\n")
    result = gatesolve.solve(puzzle, pipeline=pipeline)
    assert (result.status, result.solution) == ("infeasible", None)
    assert result.message == "no solution: the row counts add up to 0 but 1 tree must have one tent each"
    assert result.problem.title == "Tents & Trees 2x2: 1 tree"


def test_compile_has_nothing_to_compile():
    with pytest.raises(InfeasibleError, match="no solution: 1 is given at r1c1 and at r1c4, in the same row"):
        gatesolve.compile(parse("box 2x2\n1..1\n....\n....\n....\n"))


def test_boards_with_a_solution_have_no_reason():
    for _, _, example in gatesolve.puzzles.examples():
        assert parse(example).contradiction is None

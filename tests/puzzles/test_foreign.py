"""Files that hold no puzzle: what is said of them."""

import pytest

import gatesolve
from gatesolve.files import model_format
from gatesolve.puzzles import load, parse


def test_a_program_goes_in_from_python(tmp_path):
    path = tmp_path / "model.py"
    path.write_text("import cpmpy\nmodel = cpmpy.Model()\n")
    with pytest.raises(gatesolve.InputError, match=r"model.py: is a program: .* gatesolve.solve\(model\)"):
        gatesolve.solve(path)


@pytest.mark.parametrize(
    ("text", "source", "name"),
    [
        ("c three\np cnf 3 2\n1 -2 0\n2 3 0\n", "<stdin>", "cnf"),
        ("* #variable= 1 #constraint= 1\n+1 x1 >= 1 ;\n", "notes.txt", "opb"),
        ('<?xml version="1.0"?>\n<instance format="XCSP3">', "a", "xcsp3"),
        ("1 2 0\n", "a.CNF.gz", "cnf"),
    ],
)
def test_a_problem_of_another_solver_is_no_board(text, source, name):
    with pytest.raises(gatesolve.InputError, match=f"a problem in the format {name}, no board: solve it, or leave out"):
        parse(text, source=source)


def test_a_puzzle_is_read_whatever_its_suffix(tmp_path):
    path = tmp_path / "board.xml"
    path.write_text("sudoku\nbox 2x2\n1...\n..3.\n.4..\n...2\n")
    assert load(path).title.startswith("Sudoku 4x4")


@pytest.mark.parametrize("name", ["a.fzn", "a.txt", "a.dat"])
def test_flatzinc_is_known_by_its_text(name):
    text = "% made\nvar 0..3: x;\nconstraint int_le(x,\n  3);\nsolve :: int_search([x]) maximize x;\n"
    assert model_format(text, name) == "fzn"
    assert model_format("var 0..3: x;\nsolve satisfy;\n", "a.mzn") is None


def test_what_the_text_is_of_is_said_in_the_place_of_a_family(tmp_path):
    for name, said in (
        ("m.mzn", "a MiniZinc model: have MiniZinc compile it"),
        ("m.fzn", "a problem in the format fzn"),
    ):
        (tmp_path / name).write_text("var 0..1: x;\nvar 0..9: y;\nsolve satisfy;\n")
        with pytest.raises(gatesolve.InputError, match=said):
            gatesolve.load(tmp_path / name)

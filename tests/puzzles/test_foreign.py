"""Files of other solvers: what is said of them can be done."""

import pytest

import gatesolve
from gatesolve.puzzles import load, parse
from gatesolve.puzzles.registry import way_in

FILES = {
    "a.cnf": "c three\np cnf 3 2\n1 -2 0\n2 3 0\n",
    "a.wcnf": "h 1 2 0\n3 -1 0\n1 -2 0\n",
    "a.opb": "* #variable= 3 #constraint= 1\nmin: 1 x1 +2 x2 +3 x3 ;\n+1 x1 +1 x2 +1 x3 >= 2 ;\n",
}


@pytest.mark.filterwarnings("ignore:Loading a model whilst")
@pytest.mark.parametrize("name", FILES)
def test_the_way_that_is_named_leads_there(name, tmp_path):
    path = tmp_path / name
    path.write_text(FILES[name])
    with pytest.raises(gatesolve.InputError, match=f"{name}: the format .* is not read, but CPMpy reads it") as caught:
        gatesolve.solve(path)
    imported, _, call = str(caught.value).partition("in Python, ")[2].partition("; ")
    known = {"gatesolve": gatesolve}
    exec(imported, known)
    assert eval(call, known).status == "solved"


def test_a_program_goes_in_from_python(tmp_path):
    path = tmp_path / "model.py"
    path.write_text("import cpmpy\nmodel = cpmpy.Model()\n")
    with pytest.raises(gatesolve.InputError, match=r"model.py: is a program: .* gatesolve.solve\(model\)"):
        gatesolve.solve(path)


@pytest.mark.parametrize(
    ("text", "source", "said"),
    [
        (FILES["a.cnf"], "<stdin>", "load('FILE', 'cnf')"),
        (FILES["a.opb"], "notes.txt", "load('notes.txt', 'opb')"),
        ('<?xml version="1.0"?>\n<instance format="XCSP3">', "a", "(with cpmpy[io-xcsp3])"),
        ("<a/>", "a.XML", "load('a.XML', 'xcsp3')"),
        ("* made by\nNAME a\nROWS\n N obj\n", "<stdin>", "(with cpmpy[io-scip])"),
    ],
)
def test_a_format_is_known_by_its_text_or_its_suffix(text, source, said):
    assert said in way_in(text, source)


def test_what_is_no_such_format_is_not_called_one():
    assert way_in("NAME of the game\n", "a.txt") is None
    with pytest.raises(gatesolve.InputError, match="not recognised as a puzzle: give family=NAME, one of kakuro"):
        parse("c comment\n", source="a.txt")


def test_a_puzzle_is_read_whatever_its_suffix(tmp_path):
    path = tmp_path / "board.xml"
    path.write_text("sudoku\nbox 2x2\n1...\n..3.\n.4..\n...2\n")
    assert load(path).title.startswith("Sudoku 4x4")

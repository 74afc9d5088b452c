"""``--model`` takes constraints in place of a file, in every command that reads a problem."""

import pytest
from cli_runs import SMALL

TEXT = "x in 0..3; y in 0..3; x + y == 4; x != y"


def test_solve(gatesolve):
    found = gatesolve("solve", "--model", TEXT, "--json").json
    assert found["status"] == "solved"
    assert found["solution"] in ({"x": 1, "y": 3}, {"x": 3, "y": 1})


@pytest.mark.parametrize("command", ["resources", "qubo"])
def test_other_commands(gatesolve, command):
    run = gatesolve(command, "--model", TEXT)
    assert (run.status, run.err) == (0, "")
    assert run.out


def test_compile(gatesolve, tmp_path):
    assert gatesolve("compile", "--model", TEXT, "-o", tmp_path / "a.qasm3").status == 0
    assert (tmp_path / "a.qasm3").read_text().startswith("OPENQASM 3")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--model", "x in 0..3; x == z"], "model, row 1, column 17: unknown name 'z'"),
        (["--model", "board.txt"], "model, row 1, column 1: 'board.txt' is not read here"),
        (["--model", ""], "model: no variables: declare some"),
        ([], "Missing argument FILE: name a file, - for standard input, or use --model"),
        ([SMALL, "--model", TEXT], "--model is the problem itself: leave out "),
        (["--model", TEXT, "--family", "kakuro"], "--model is the problem itself: leave out --family"),
    ],
)
def test_faults(gatesolve, words, message):
    for command in ("solve", "resources", "qubo"):
        assert message in gatesolve(command, *words).refusal()

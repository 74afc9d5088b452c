"""``--model`` takes constraints in place of a file, in every command that reads a problem."""

import pytest
from cli_runs import SMALL

TEXT = "x in 0..3; y in 0..3; x + y == 4; x != y"


@pytest.mark.parametrize("command", ["solve", "resources", "qubo", "compile -o a.qasm3"])
def test_every_command_takes_it(gatesolve, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    run = gatesolve(*command.split(), "--model", TEXT)
    assert (run.status, run.err) == (0, "")
    assert run.out


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

"""Everything a user can get wrong ends in one line on standard error and status 2 (1 where it is well formed)."""

import os
import sys

import pytest
from cli_runs import CONTEST, EXAMPLES, SMALL

from gatesolve.errors import BackendError
from gatesolve.simulate import aer

SMALL_BOARD = "values 0..3\n#  3\\ 4\\\n\\3 .  .\n\\4 .  .\n"
BOARDS = {
    "empty": ("", "empty: write a puzzle into it"),
    "prose": ("Dear Sir or Madam\n", "not recognised as a puzzle"),
    "wrong token": (
        SMALL_BOARD.replace("\\3 .", "\\3 q"),
        "row 3, column 2: unknown token q: write # for a black cell",
    ),
    "broken json": ('{"family": "kakuro", "grid": [', "not one JSON object"),
    "101 rows": ("\n".join(["\\3 . ."] * 101), "101 rows"),
}


@pytest.mark.parametrize(("text", "message"), BOARDS.values(), ids=BOARDS)
def test_bad_boards(gatesolve, text, message):
    line = gatesolve("solve", "-", stdin=text.encode()).refusal()
    assert line.startswith("<stdin>")
    assert message in line
    assert gatesolve("resources", "-", "--json", stdin=text.encode()).refusal() == line


CONTRADICTIONS = {
    "impossible sum": (SMALL_BOARD.replace("\\4", "\\9", 1), "cannot make 9: 2 different values of 0..3 make 1..5"),
    "run too long": ("values 0..1\n# # # #\n\\3 . . .\n", "needs 3 different values and 0..1 has only 2"),
    "one tent too many": (
        "n = 2;\na = [| 0, 1\n     | 0, 0 |];\nrow_sums = [1, 1];\ncol_sums = [1, 0];\n",
        "the row counts add up to 2 but 1 tree must have one tent each",
    ),
}


@pytest.mark.parametrize(("text", "reason"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_boards_that_contradict_themselves_are_infeasible(gatesolve, text, reason):
    run = gatesolve("solve", "-", stdin=text.encode())
    assert (run.status, run.err) == (1, "")
    title = run.out.splitlines()[0]
    refusal = gatesolve("resources", "-", stdin=text.encode()).refusal(1)
    assert refusal.startswith("infeasible: no solution: ")
    assert refusal.endswith(reason)
    assert refusal in " ".join(run.out.split())  # the terminal may break the line
    shown = gatesolve("show", "-", stdin=text.encode())
    assert (shown.status, shown.out.splitlines()[0]) == (0, title)


def test_paths(gatesolve, tmp_path):
    assert "missing.txt: no such file" in gatesolve("solve", tmp_path / "missing.txt").refusal()
    assert "a directory: name a file inside it" in gatesolve("solve", EXAMPLES).refusal()
    assert "contest.txt/x: cannot be read (Not a directory)" in gatesolve("solve", CONTEST / "x").refusal()
    assert "<text>: not recognised as a puzzle" in gatesolve("solve", tmp_path / "two\nlines").refusal()


def test_a_closed_standard_input(gatesolve, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert "<stdin>: standard input is closed" in gatesolve("solve", "-").refusal()


OPTIONS = [
    (["--seed", "-1"], "--seed is -1: give a number from 0 to 2147483647"),
    (["--layers", "8"], "--layers 8 belongs to --pipeline qaoa: leave out --layers"),
    (["--oracle", "magic"], "unknown oracle 'magic': choose one of constraints, classical"),
    (["--family", "chessboxing"], "unknown puzzle family 'chessboxing': choose one of"),
    (["--sed", "3"], "No such option: --sed"),
    (["--encoding"], "requires an argument"),
    (["extra"], "unexpected extra argument"),
]


RUN_OPTIONS = [
    (["--shots", "0"], "--shots is 0: give a number from 1 to 10000000"),
    (["--backend", "cloud"], "unknown backend 'cloud': choose one of space, aer, pennylane"),
    (["--backend", "fake_torino"], "; if it is a device, use submit with --backend fake_torino"),
]
"""Of options that circuits which are not run have no use for."""


@pytest.mark.parametrize(("options", "message"), [*OPTIONS, *RUN_OPTIONS], ids=str)
def test_bad_options(gatesolve, options, message):
    for command in ("solve",) if (options, message) in RUN_OPTIONS else ("solve", "resources"):
        assert message in gatesolve(command, SMALL, *options).refusal()
        assert message in gatesolve(command, SMALL, "--json", *options).refusal()


@pytest.mark.parametrize(
    ("option", "pipeline"),
    [
        *(("--backend", "grover"), ("--shots", "qaoa"), ("--schedule", "grover"), ("--confidence", "gas")),
        *(("--formulation", "anneal"), ("--sampler", "anneal"), ("--reads", "anneal"), ("--sweeps", "anneal")),
    ],
)
def test_what_only_a_run_depends_on_is_an_option_of_solve_alone(gatesolve, option, pipeline):
    assert option in gatesolve("solve", "--pipeline", pipeline, "--help").out
    for command in ("compile", "resources"):
        shown = gatesolve(command, "--help", f"--pipeline={pipeline}").out
        assert option not in shown
        assert pipeline == "anneal" or "--gates" in shown


def test_compile_and_resources_say_of_such_an_option_that_nothing_comes_of_it(gatesolve):
    run = gatesolve("resources", SMALL, "--presolve", "none", "--shots", "5", "--json")
    assert run.status == 0
    assert run.err == "gatesolve: --shots changes no circuit, only how gatesolve solve runs one\n"
    assert run.json["resources"] == gatesolve("resources", SMALL, "--presolve", "none", "--json").json["resources"]
    line = gatesolve("submit", SMALL, "--shots-per-run", "5").refusal()
    assert "no such option" in line.lower()


def test_bad_commands(gatesolve):
    assert "No such command 'sovle'" in gatesolve("sovle", SMALL).refusal()
    assert "Missing argument" in gatesolve("solve").refusal()
    assert "Missing option '--output'" in gatesolve("compile", SMALL).refusal()


def test_places_a_circuit_cannot_go(gatesolve, tmp_path):
    for name in ("x.txt", "x", ".qasm"):
        assert "end the name in .qasm, .qasm3, .qpy" in gatesolve("compile", SMALL, "-o", tmp_path / name).refusal()
    (tmp_path / "folder.qasm").mkdir()
    for name in ("missing/x.qasm", "folder.qasm"):
        assert f"{name}: cannot be written" in gatesolve("compile", SMALL, "-o", tmp_path / name).refusal()
    assert [path.name for path in tmp_path.iterdir()] == ["folder.qasm"]


WRONG = [
    (("solve", "none.txt", "--resume", "missing/kept.json"), "missing/kept.json: cannot be written: no folder missing"),
    (("solve", "none.txt", "--resume", "."), ".: a directory: name a file inside it"),
    (("solve", "none.txt", "--resume", "-"), "-: a pipe or a device, which cannot store anything: name a file"),
    (("compile", "none.txt", "-o", "x.qasm", "--gates", "x"), "unknown gates 'x': choose one of"),
    (
        ("compile", "none.txt", "-o", "taken.qasm"),
        "taken.qasm: taken.cert.json and taken.qasm.cert.json belong to other files: choose another name",
    ),
    (("resources", "none.txt", "--level", "x"), "unknown level 'x': choose one of"),
    (("resources", "none.txt", "--physical", "--budget", "7"), "--budget is 7.0: give a number"),
    (("show", "none.txt", "--family", "x"), "unknown puzzle family 'x': choose one of"),
    (("qubo", "none.txt", "--penalty", "-1"), "a penalty weight is -1: give a positive number"),
    (("verify", ""), ".: a directory: name a file inside it"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_options_and_places_are_refused_before_anything_is_read(gatesolve, tmp_path, monkeypatch, arguments, message):
    """The problem's file is missing, which is seen only when it is read."""
    monkeypatch.chdir(tmp_path)
    for name in ("taken.cert.json", "taken.qasm.cert.json"):
        (tmp_path / name).mkdir()
    assert gatesolve(*arguments).refusal().startswith(message)


def test_a_missing_certificate_is_named_once(gatesolve, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.qasm").touch()
    assert gatesolve("verify", "x.qasm").refusal().startswith("x.qasm: no certificate x.cert.json beside it: ")


def test_a_failing_backend_is_no_bad_input(gatesolve, monkeypatch):
    def broken(*_):
        raise BackendError("Aer failed: out of cheese")

    monkeypatch.setattr(aer, "run_circuit", broken)
    assert gatesolve("solve", CONTEST, "--backend", "aer").refusal(1) == "Aer failed: out of cheese"


def test_nothing_is_said_on_a_closed_standard_error(monkeypatch):
    from gatesolve.cli import app

    monkeypatch.setattr(sys, "argv", ["gatesolve", "solve", os.devnull])
    monkeypatch.setattr(sys, "stderr", None)
    with pytest.raises(SystemExit) as end:
        app.main()
    assert end.value.code == 2

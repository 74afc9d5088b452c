"""Files of other solvers on the command line."""

import pytest

CNF = "c three\np cnf 3 2\n1 -2 0\n2 3 0\n"


@pytest.mark.parametrize(
    "command", ["solve", "resources", "compile", "qubo", pytest.param("pareto", marks=pytest.mark.slow)]
)
def test_every_command_reads_them(gatesolve, tmp_path, command):
    path = tmp_path / "a.cnf"
    path.write_text(CNF)
    more = ["-o", tmp_path / "a.qasm"] if command == "compile" else []
    assert gatesolve(command, path, *more).status == 0


def test_standard_input_and_a_format_that_is_named(gatesolve):
    run = gatesolve("solve", "-", "--json", stdin=CNF.encode())
    assert run.json["status"] == "solved"
    assert gatesolve("solve", "-", stdin=CNF.encode()).out.startswith("<stdin>: 3 variables, 2 constraints\n")
    assert gatesolve("solve", "-", "--family", "cnf", stdin=b"1 -2 0\n2 3 0\n").status == 0
    cut = b"3 2\n1 2 3\n2 3 -2\n"
    assert "give --family maxcut for its largest cut" in gatesolve("solve", "-", stdin=cut).refusal()
    assert "energy 3" in gatesolve("solve", "-", "--family", "maxcut", stdin=cut).out


@pytest.mark.parametrize("command", ["solve", "compile", "qubo", "show", "card", "pareto --csv"])
@pytest.mark.parametrize("place", ["missing/o", "folder", "locked/o", "file/o"])
def test_places_are_looked_at_before_any_work(gatesolve, tmp_path, command, place, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: "locked" not in str(path))
    (tmp_path / "file").write_text("")
    (tmp_path / "locked").mkdir()
    name, _, option = command.partition(" ")
    suffix = {"compile": ".qasm", "qubo": ".json", "pareto": ".csv", "show": ".txt", "card": ".png"}.get(name, ".json")
    target = tmp_path / f"{place}{suffix}"
    if place == "folder":
        target.mkdir()
    # No command comes to reading the board, which is not there.
    refusal = gatesolve(name, tmp_path / "no_board.txt", option or "-o", target).refusal()
    assert str(target) in refusal
    assert "cannot be written: " in refusal

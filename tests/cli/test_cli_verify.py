"""``gatesolve verify --problem``: anyone's oracle on the command line."""

import json
import re

import pytest
from qiskit import QuantumCircuit, qasm2

from gatesolve import compile, export
from gatesolve.model import Model, NotEqual, Variable

PAIR = Model((Variable("x", (0, 1)), Variable("y", (0, 1))), (NotEqual("x", "y"),))


@pytest.fixture
def problem(tmp_path):
    """A certificate of the pair's circuit, which holds the problem."""
    return export(compile(PAIR, presolve="none", encoding="binary"), tmp_path / "pair.qasm").certificate


def test_an_oracle_is_judged_with_a_map(gatesolve, tmp_path, problem):
    circuit = QuantumCircuit(3)
    circuit.z([0, 2])
    entry, layout = tmp_path / "entry.qasm", tmp_path / "map.json"
    entry.write_text(qasm2.dumps(circuit))
    layout.write_text(json.dumps({"data": {"x": ["q[2]"], "y": [0]}}))
    common = ["verify", entry, "--problem", problem]
    done = gatesolve(*common, "--map", layout)
    assert done.status == 0
    assert "3 qubits, 2 of them data; depth 1: 2 z" in done.out
    assert done.out.endswith("verdict: proved\n")
    done = gatesolve(*common, "--json")
    assert (done.status, done.json["status"], done.json["codewords"]) == (1, "refused", 4)
    assert "wrong first at codeword 2 (x=0, y=1)" in done.json["claim"]["detail"]


def test_an_output_map_that_is_applied_is_said(gatesolve, tmp_path, problem):
    circuit = QuantumCircuit(2)
    circuit.z([0, 1])
    circuit.swap(0, 1)
    entry, ends = tmp_path / "entry.qasm", tmp_path / "ends.json"
    entry.write_text(qasm2.dumps(circuit))
    ends.write_text("[1, 0]")
    common = ["verify", entry, "--problem", problem]
    line = "the output map is applied: 2 of 2 qubits end in another place and are brought back"
    done = gatesolve(*common, "--output-map", ends)
    assert done.status == 0
    assert f"\n{line}\n" in done.out
    assert gatesolve(*common, "--output-map", ends, "--json").json["applied"] == line
    assert gatesolve(*common, "--json").json["applied"] == ""


@pytest.mark.parametrize("option", ["--map", "--output-map", "--family", "--encoding"])
def test_an_option_of_judging_is_refused_without_a_problem(gatesolve, problem, option):
    circuit = problem.with_name("pair.qasm")
    assert gatesolve("verify", circuit).status == 0
    for chosen in ([], ["--certificate", problem]):
        found = gatesolve("verify", circuit, option, "binary", *chosen).refusal()
        assert found == f"a proof by the certificate does not use {option}: leave it out, or give --problem"


def test_a_family_beside_a_certificate_is_refused(gatesolve, problem):
    found = gatesolve("verify", problem.with_name("pair.qasm"), "--problem", problem, "--family", "sudoku").refusal()
    assert found == f"{problem}: a certificate names the family of its puzzle: leave out the family"


def test_the_help_shows_the_form_of_both_maps(gatesolve):
    shown = re.sub(r"[\s│]+", " ", gatesolve("verify", "--help").out)
    assert '{"data": LIST, "output": QUBIT}' in shown
    assert "JSON list of each qubit's place after routing, or {QUBIT: PLACE}" in shown


def test_what_cannot_be_judged_is_told_in_a_line(gatesolve, tmp_path, problem):
    entry, layout = tmp_path / "entry.qasm", tmp_path / "map.json"
    entry.write_text(qasm2.dumps(QuantumCircuit(1)))
    assert "2 variables take 2 data qubits" in gatesolve("verify", entry, "--problem", problem).refusal()
    layout.write_text("{")
    assert "not JSON" in gatesolve("verify", entry, "--problem", problem, "--map", layout).refusal()
    missing = tmp_path / "none.json"
    found = gatesolve("verify", entry, "--problem", problem, "--map", missing).refusal()
    assert found == f"{missing}: no such file: check the path"
    entry.write_text("no circuit")
    assert "no circuit that is read" in gatesolve("verify", entry, "--problem", problem).refusal()
    entry.write_bytes(b"\xff\xfe")
    assert "not UTF-8" in gatesolve("verify", entry, "--problem", problem).refusal()
    assert "not both" in gatesolve("verify", entry, "--problem", problem, "--certificate", problem).refusal()
    assert "none.qasm" in gatesolve("verify", tmp_path / "none.qasm", "--problem", problem).refusal()


def test_what_the_verdict_says_nothing_of_is_told(gatesolve, tmp_path, problem):
    """An objective, and measurements at the end; the name in a certificate is its maker's word."""
    entry = tmp_path / "entry.qasm3"
    head = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[2] c;\n'
    entry.write_text(head)
    problems = {
        "a.wcnf": ("p wcnf 2 2 10\n3 1 2 0\n4 -1 0\n", "the objective is no part of the search"),
        "a.json": ('{"format":"gatesolve-qubo","terms":[[["a"],1],[["a","b"],-2]]}', "the energy is no part"),
        "a.txt": ("chess max\npieces N\nsize 1 2\n", "the objective is no part of the search"),
    }
    for name, (text, told) in problems.items():
        (tmp_path / name).write_text(text)
        done = gatesolve("verify", entry, "--problem", tmp_path / name)
        assert done.status == 0
        assert f"\n{told}" in done.out
    data = json.loads(problem.read_text())
    data["problem"]["name"] = "Sudoku 9x9"
    problem.write_text(json.dumps(data))
    entry.write_text(head + "z q;\n")
    done = gatesolve("verify", entry, "--problem", problem)
    assert (done.status, "no part" in done.out, "at the end" in done.out) == (0, False, False)
    called = "a model of 2 variables and 1 constraint, called 'Sudoku 9x9' by its maker"
    assert done.out.startswith(f"problem: {called}\n")
    assert f"problem: {called}\n" in gatesolve("verify", tmp_path / "pair.qasm").out
    entry.write_text(head + "z q;\nc[0] = measure q[0];\nc[1] = measure q[1];\n")
    done = gatesolve("verify", entry, "--problem", problem, "--json")
    assert (done.status, done.json["title"]) == (0, called)
    assert done.json["aside"] == "2 measurements at the end are left out of the judgement"

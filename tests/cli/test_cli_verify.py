"""``gatesolve verify --problem``: anyone's oracle on the command line."""

import json

from qiskit import QuantumCircuit, qasm2

from gatesolve.api.calls import compile
from gatesolve.api.certify_file import export
from gatesolve.model import Model, NotEqual, Variable

PAIR = Model((Variable("x", (0, 1)), Variable("y", (0, 1))), (NotEqual("x", "y"),))


def test_an_oracle_is_judged_with_a_map(gatesolve, tmp_path):
    export(compile(PAIR, presolve="none", encoding="binary"), tmp_path / "pair.qasm")
    circuit = QuantumCircuit(3)
    circuit.z([0, 2])
    entry, layout = tmp_path / "entry.qasm", tmp_path / "map.json"
    entry.write_text(qasm2.dumps(circuit))
    layout.write_text(json.dumps({"data": {"x": ["q[2]"], "y": [0]}}))
    common = ["verify", entry, "--problem", tmp_path / "pair.cert.json"]
    done = gatesolve(*common, "--map", layout)
    assert done.status == 0
    assert "3 qubits, 2 of them data; depth 1: 2 z" in done.out
    assert done.out.endswith("verdict: proved\n")
    done = gatesolve(*common, "--json")
    assert (done.status, done.json["status"], done.json["codewords"]) == (1, "refused", 4)
    assert "wrong first at codeword 2 (x=0, y=1)" in done.json["claim"]["detail"]


def test_an_output_map_that_is_applied_is_said(gatesolve, tmp_path):
    export(compile(PAIR, presolve="none", encoding="binary"), tmp_path / "pair.qasm")
    circuit = QuantumCircuit(2)
    circuit.z([0, 1])
    circuit.swap(0, 1)
    entry, ends = tmp_path / "entry.qasm", tmp_path / "ends.json"
    entry.write_text(qasm2.dumps(circuit))
    ends.write_text("[1, 0]")
    common = ["verify", entry, "--problem", tmp_path / "pair.cert.json"]
    line = "the output map is applied: 2 of 2 qubits end in another place and are brought back"
    done = gatesolve(*common, "--output-map", ends)
    assert done.status == 0
    assert f"\n{line}\n" in done.out
    assert gatesolve(*common, "--output-map", ends, "--json").json["applied"] == line
    assert gatesolve(*common, "--json").json["applied"] == ""


def test_what_cannot_be_judged_is_told_in_a_line(gatesolve, tmp_path):
    export(compile(PAIR, presolve="none", encoding="binary"), tmp_path / "pair.qasm")
    problem, entry, layout = tmp_path / "pair.cert.json", tmp_path / "entry.qasm", tmp_path / "map.json"
    entry.write_text(qasm2.dumps(QuantumCircuit(1)))
    assert "2 variables take 2 data qubits" in gatesolve("verify", entry, "--problem", problem).refusal()
    layout.write_text("{")
    assert "no JSON" in gatesolve("verify", entry, "--problem", problem, "--map", layout).refusal()
    entry.write_text("no circuit")
    assert "no circuit that Qiskit reads" in gatesolve("verify", entry, "--problem", problem).refusal()
    entry.write_bytes(b"\xff\xfe")
    assert "no UTF-8" in gatesolve("verify", entry, "--problem", problem).refusal()
    assert "not both" in gatesolve("verify", entry, "--problem", problem, "--certificate", problem).refusal()
    assert "none.qasm" in gatesolve("verify", tmp_path / "none.qasm", "--problem", problem).refusal()

"""Exported circuits come back equal, run on plain Aer, and are written whole or not at all."""

import os
import stat

import cpmpy as cp
import dimod
import kept
import numpy as np
import pytest
from qiskit import qasm2, qasm3, qpy, transpile
from qiskit.quantum_info import Statevector
from qiskit_aer import AerSimulator

import gatesolve
from gatesolve.api import write_circuit
from gatesolve.errors import InputError
from gatesolve.model import Model, NotEqual, Variable

CONTEST = "examples/kakuro/contest.txt"
GATES = ("cx+u", "clifford+t")
ANSWER = {"r2c2": 2, "r2c3": 1, "r3c2": 3, "r3c3": 2, "r3c4": 0, "r4c3": 0, "r4c4": 1}

READ_BACK = (".qasm", ".qasm3", ".qpy")


@pytest.fixture(scope="module", params=GATES)
def compiled(request, contest):
    return kept.compiled(contest, presolve="none", encoding="table", gates=request.param)


@pytest.fixture(scope="module")
def contest(pytestconfig):
    return gatesolve.load(pytestconfig.rootpath / CONTEST)


def state(circuit):
    return Statevector(circuit.remove_final_measurements(inplace=False)).data


def overlap(first, second):
    return abs(np.vdot(state(first), state(second)))


def load(path):
    if path.suffix == ".qpy":
        with path.open("rb") as file:
            (circuit,) = qpy.load(file)
        return circuit
    return qasm2.loads(path.read_text(), strict=True) if path.suffix == ".qasm" else qasm3.loads(path.read_text())


@pytest.mark.quick("cx+u-*")
@pytest.mark.parametrize("suffix", READ_BACK)
def test_round_trip(compiled, tmp_path, suffix):
    program, path = compiled.program, tmp_path / f"contest{suffix}"
    write_circuit(program, path)
    again = load(path)
    assert again.num_qubits == program.num_qubits
    assert [r.name for r in again.cregs] == ["measured"]
    assert again.count_ops()["cx"] == program.lowered.count_ops()["cx"]
    assert again.count_ops()["measure"] == program.space.num_qubits
    if suffix == ".qpy":
        assert again == program.lowered
        assert again.metadata == program.lowered.metadata
    assert overlap(again, program.lowered) == pytest.approx(1, abs=1e-9)


@pytest.mark.quick("cx+u-*")
@pytest.mark.parametrize("suffix", READ_BACK)
def test_the_file_alone_gives_the_board(compiled, contest, tmp_path, suffix):
    """What someone does who has the file, Qiskit Aer, and the program to decode with."""
    path = tmp_path / f"contest{suffix}"
    write_circuit(compiled.program, path)
    simulator = AerSimulator(seed_simulator=3)
    counts = simulator.run(transpile(load(path), simulator), shots=500).result().get_counts()
    (found, shots), *_ = compiled.decode(counts)
    assert found == ANSWER
    assert contest.check(found) == []
    assert shots > 450


def test_decoding_adds_the_variables_that_presolve_took_out():
    a, b, t, e = (cp.intvar(0, 3, name=name) for name in "abte")
    compiled = gatesolve.compile(cp.Model(a * b == t, a != b, e + e == 6), presolve="affine", encoding="binary")
    space = compiled.program.space
    assert {name for block in space.blocks for name in block.variables} == {"a", "b"}
    tried = {space.state(n): n + 1 for n in range(space.size)}
    for assignment, shots in compiled.decode(tried):
        a, b = space.assignment(shots - 1).values()
        assert assignment == ({"a": a, "b": b, "t": a * b, "e": 3} if a != b and a * b <= 3 else None)


def test_decoding_returns_the_users_labels_and_spins():
    result = gatesolve.solve(dimod.BinaryQuadraticModel({"s": 1, 4: 0}, {("s", 4): 1}, 0, "SPIN"), pipeline="gas")
    assert result.compiled.decode(result.counts)[0][0] == result.solution == {"s": -1, 4: 1}


def test_only_the_gate_set_is_written(compiled):
    names = set(compiled.program.lowered.count_ops()) - {"measure"}
    in_qasm2 = set(qasm2.loads(compiled.program.qasm2(), strict=True).count_ops()) - {"measure"}
    if compiled.program.lowering.gates == "cx+u":
        assert names == {"cx", "u"}
        assert in_qasm2 == {"cx", "u3"}
    else:
        assert names == in_qasm2
        assert names <= {"cx", "h", "x", "z", "s", "sdg", "t", "tdg"}


def test_the_legend_is_in_the_comments(compiled):
    for text in (compiled.program.qasm2(), compiled.program.qasm3()):
        comments = [line for line in text.splitlines() if line.startswith("//")]
        assert text.startswith("OPENQASM")
        assert len(comments) == 1 + len(compiled.program.space.blocks) + bool(compiled.program.search.fills)
        for block in compiled.program.space.blocks:
            assert any("/".join(block.variables) in line for line in comments)


def test_no_name_breaks_out_of_its_comment():
    names = ("a\nreset q;", "b\u2028c\rd", "größe")
    model = Model(tuple(Variable(name, (0, 1, 2)) for name in names), (NotEqual(names[0], names[1]),))
    program = gatesolve.compile(model, presolve="none", encoding="binary").program
    assert overlap(qasm2.loads(program.qasm2(), strict=True), program.lowered) == pytest.approx(1, abs=1e-9)
    assert overlap(qasm3.loads(program.qasm3()), program.lowered) == pytest.approx(1, abs=1e-9)
    assert "reset" not in [line.split()[0] for line in program.qasm2().splitlines()]


def test_a_file_is_replaced_whole(compiled, tmp_path):
    path = tmp_path / "contest.qasm"
    path.write_text("old")
    write_circuit(compiled.program, path)
    assert path.read_text() == compiled.program.qasm2()
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("step", ["fdopen", "replace", "chmod"])
def test_a_failing_write_leaves_the_old_file(compiled, tmp_path, monkeypatch, step):
    path = tmp_path / "contest.qasm"
    path.write_text("old")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, full)
    with pytest.raises(InputError, match=r"contest\.qasm: cannot be written: No space left on device"):
        write_circuit(compiled.program, path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("given", [3, Model(()), gatesolve.solve("x, y in 0..3; x + y == 4")])
def test_only_a_compiled_problem_is_exported(given, tmp_path):
    with pytest.raises(
        InputError, match=rf"^compiled is a {type(given).__name__}, .*: give what gatesolve.compile returns"
    ):
        gatesolve.export(given, tmp_path / "a.qasm")

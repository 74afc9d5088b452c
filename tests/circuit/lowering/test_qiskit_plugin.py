"""The synthesis plugin, found by its entry point and used by plain transpile."""

from importlib.metadata import entry_points

import numpy as np
import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import Instruction
from qiskit.circuit.library import C3XGate, MCXGate, grover_operator
from qiskit.converters import circuit_to_dag
from qiskit.quantum_info import Operator, Statevector
from qiskit.transpiler.passes import HighLevelSynthesis, HLSConfig
from qiskit.transpiler.passes.synthesis.hls_plugins import MCXSynthesisDefault
from qiskit.transpiler.passes.synthesis.plugin import high_level_synthesis_plugin_names

from gatesolve.adapters.qiskit_plugin import MCXSynthesisGatesolve

OURS = HLSConfig(mcx=["gatesolve", "default"])
BASIS = ["cx", "u"]
needs_entry_point = pytest.mark.skipif(
    "mcx.gatesolve" not in entry_points(group="qiskit.synthesis").names,
    reason="installed before the plugin was added: run pip install -e .",
)


def filled(circuit, num_busy):
    """The circuit after random rotations of the first qubits; the others are still zero."""
    full = QuantumCircuit(circuit.num_qubits)
    for qubit, angle in enumerate(np.random.default_rng(7).uniform(0.3, 2.8, num_busy)):
        full.ry(angle, qubit)
        full.p(angle / 2, qubit)
    return full.compose(circuit)


def grover(num_qubits, idle):
    """Qiskit's own Grover operator about the all-ones state, beside idle qubits."""
    oracle = QuantumCircuit(num_qubits)
    oracle.h(num_qubits - 1)
    oracle.mcx(list(range(num_qubits - 1)), num_qubits - 1)
    oracle.h(num_qubits - 1)
    circuit = QuantumCircuit(num_qubits + idle)
    return circuit.compose(grover_operator(oracle), range(num_qubits))


def two_gates():
    """Each lends its own wires to the other."""
    circuit = QuantumCircuit(9)
    circuit.append(MCXGate(5, ctrl_state=0b01101), range(6))
    circuit.append(MCXGate(4), [3, 4, 5, 6, 8])
    return circuit


@needs_entry_point
@pytest.mark.parametrize(
    ("circuit", "busy"), [(grover(6, 0), 6), (grover(6, 1), 6), (grover(6, 2), 6), (grover(7, 4), 7), (two_gates(), 9)]
)
@pytest.mark.parametrize("level", [0, 2])
def test_plain_transpile(circuit, busy, level):
    circuit = filled(circuit, busy)
    default = transpile(circuit, basis_gates=BASIS, optimization_level=level)
    made = transpile(circuit, basis_gates=BASIS, optimization_level=level, hls_config=OURS)
    assert abs(Statevector(made).inner(Statevector(circuit))) > 1 - 1e-9
    assert made.count_ops()["cx"] <= default.count_ops()["cx"]
    assert made.depth() <= default.depth()


@pytest.mark.parametrize(("clean", "dirty"), [(1, 0), (6, 0), (0, 1), (0, 2), (0, 4)])
def test_where_qiskit_takes_as_few_cx_its_circuit_is_taken(clean, dirty):
    """Then routers and neighbouring gates make the same of it; with few dirty ancillas ours has fewer."""
    options = {"num_clean_ancillas": clean, "num_dirty_ancillas": dirty}
    made, theirs = (method().run(MCXGate(8), **options) for method in (MCXSynthesisGatesolve, MCXSynthesisDefault))
    fewer = dirty in {1, 2}
    assert (made == theirs) is not fewer
    assert (made.count_ops()["cx"] < theirs.count_ops()["cx"]) is fewer


@pytest.mark.parametrize("state", [None, 5])
@pytest.mark.parametrize("options", [{"optimize": "t", "num_clean_ancillas": 3}, {"num_dirty_ancillas": 3}])
def test_a_large_gate_takes_no_search(state, options):
    made = MCXSynthesisGatesolve().run(MCXGate(48, ctrl_state=state), **options)
    theirs = MCXSynthesisDefault().run(MCXGate(48, ctrl_state=state), **options)
    assert made.num_qubits == 52
    assert made.count_ops()["cx"] <= theirs.count_ops()["cx"]


@needs_entry_point
def test_it_is_listed():
    assert "gatesolve" in high_level_synthesis_plugin_names("mcx")


@needs_entry_point
def test_options_reach_it():
    circuit = QuantumCircuit(12)
    circuit.mcx(list(range(8)), 8)
    found = {}
    for metric in ("cx", "depth", "qubits"):
        config = HLSConfig(mcx=[("gatesolve", {"optimize": metric})])
        synthesis = HighLevelSynthesis(hls_config=config, basis_gates=BASIS, qubits_initially_zero=True)
        found[metric] = synthesis(circuit)
    assert found["depth"].depth() <= found["cx"].depth()
    assert len(list(circuit_to_dag(found["qubits"]).idle_wires())) == 2


def restricted(circuit, gate_qubits):
    """The unitary where the further qubits start and end at zero."""
    size = 1 << gate_qubits
    matrix = Operator(circuit).data[:, :size]
    assert np.abs(matrix[size:]).max(initial=0) < 1e-9
    return matrix[:size]


@pytest.mark.parametrize("state", [0, 5, 15])
@pytest.mark.parametrize("options", [{"num_clean_ancillas": 2}, {"num_dirty_ancillas": 3}])
def test_control_states(state, options):
    made = MCXSynthesisGatesolve().run(MCXGate(4, ctrl_state=state), **options)
    found, wanted = restricted(made, 5), Operator(MCXGate(4, ctrl_state=state)).data
    k = np.abs(wanted[:, 0]).argmax()
    assert np.allclose(found * (wanted[k, 0] / found[k, 0]), wanted)


@pytest.mark.parametrize(("metric", "is_exact"), [("t", True), ("t_depth", True), ("depth", False), ("qubits", False)])
def test_circuits_of_few_t_are_clifford_t(metric, is_exact):
    made = MCXSynthesisGatesolve().run(MCXGate(6), num_clean_ancillas=2, optimize=metric)
    assert ("u" not in made.count_ops()) == is_exact


def test_what_it_leaves_to_the_next_method():
    run = MCXSynthesisGatesolve().run
    assert run(MCXGate(2), num_clean_ancillas=2) is None
    assert run(C3XGate()) is None
    assert run(Instruction("mcx", 6, 0, []), num_clean_ancillas=2) is None
    assert run(C3XGate(), num_clean_ancillas=5).num_qubits == 5
    assert run(MCXGate(6), num_dirty_ancillas=9, optimize="depth").num_qubits == 7 + 3

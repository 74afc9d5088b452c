"""Circuits compiled for fake devices: the same distribution, fewer gates than Qiskit's own, the best qubits."""

import kept
import pytest
from contest_kakuro import K7
from exact_counts import distribution
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, transpile
from qiskit.circuit.library import MCXGate
from qiskit.providers.fake_provider import GenericBackendV2
from qiskit.transpiler import InstructionProperties

from gatesolve.devices import fake_backend, ibm, isa
from gatesolve.errors import BackendError, DoesNotFitError
from gatesolve.programs import postprocess, unread

MANY = 10**15


def test_angles_stay_in_their_bounds_where_a_pair_is_broken():
    """Without its broken pairs a target is a copy, which has no bounds; real devices refuse angles outside them."""
    backend = fake_backend("fake_fractional")
    pair = next(iter(backend.target["rzz"]))
    backend.target.update_instruction_properties("rzz", pair, InstructionProperties(error=1.0))
    circuit = QuantumCircuit(QuantumRegister(2), ClassicalRegister(2, "measured"))
    circuit.h([0, 1])
    circuit.rzz(-1.0, 0, 1)
    circuit.rx(0.3, [0, 1])
    circuit.measure([0, 1], [0, 1])
    made = isa.compile_isa({"one": circuit}, backend, seeds=[0]).circuit
    assert made.count_ops()["rzz"] == 1
    ibm.check_compiled(backend, [made])
    assert distribution(made) == pytest.approx(distribution(circuit), abs=1e-9)


@pytest.fixture(scope="module")
def torino():
    return fake_backend("fake_torino")


@pytest.fixture(scope="module")
def manila():
    return fake_backend("FakeManilaV2")


@pytest.fixture(scope="module")
def k7():
    return kept.compiled(K7, presolve="none", encoding="table", level="minimised").program


def fitting(circuit, backend):
    """Every gate is one that the device has on those qubits."""
    target = backend.target
    for instruction in circuit.data:
        if instruction.operation.name != "barrier":
            places = tuple(circuit.find_bit(q).index for q in instruction.qubits)
            assert target.instruction_supported(instruction.operation.name, places)
    return circuit.num_qubits == backend.num_qubits


def assert_same_boards(found, finish, program):
    counts = {key: round(value * MANY) for key, value in distribution(found.circuit).items()}
    boards = {state: shots / MANY for state, shots in finish.states(counts).items()}
    whole = {int(key, 2): round(value * MANY) for key, value in distribution(program.lowered).items()}
    expected = {state: shots / MANY for state, shots in unread.fill_unread(whole, program.search.fills).items()}
    assert max(abs(boards.get(key, 0) - expected.get(key, 0)) for key in {*boards, *expected}) < 1e-6


@pytest.mark.slow
def test_k7_takes_less_than_half_of_the_gates_of_qiskit(torino, k7):
    short = postprocess.shorten_program(k7)
    found = isa.compile_isa(short.circuits, torino, seeds=range(3))
    assert fitting(found.circuit, torino)
    assert_same_boards(found, short.postprocessing, k7)
    plain = [
        isa.measure_isa(transpile(k7.circuit, torino, optimization_level=3, seed_transpiler=seed), torino, "", 0, seed)
        for seed in range(3)
    ]
    assert found.two_qubit <= 85
    assert found.two_qubit <= 0.7 * min(isa.two_qubit for isa in plain)
    assert found.fidelity > 1.4 * max(isa.fidelity for isa in plain)
    assert found.two_qubit_depth <= found.two_qubit < found.depth
    assert found.fidelity == isa.estimate(found.circuit, torino.target).fidelity
    assert 0 < found.duration < 1e-3
    assert found.source in short.circuits


def test_k7_fits_five_qubits(manila, k7):
    program = k7.with_iterations(1)
    short = postprocess.shorten_program(program)
    found = isa.compile_isa(short.circuits, manila, seeds=[0])
    assert fitting(found.circuit, manila)
    assert_same_boards(found, short.postprocessing, program)


def test_seeds_decide_and_repeat(torino, k7):
    circuits = {"lowered": postprocess.shorten_program(k7.with_iterations(1)).lowered}
    first = isa.compile_isa(circuits, torino, seeds=[3])
    again = isa.compile_isa(circuits, torino, seeds=[3])
    more = isa.compile_isa(circuits, torino, seeds=[3, 4])
    assert first.circuit == again.circuit
    assert more.fidelity >= first.fidelity
    assert {first.seed, first.spares, first.source} == {3, 0, "lowered"}


def wide():
    circuit = QuantumCircuit(7, 1)
    circuit.append(MCXGate(6), range(7))
    circuit.measure(6, 0)
    return circuit


def test_a_spare_qubit_saves_most_of_a_wide_gate(torino, monkeypatch):
    spared = isa.compile_isa({"named": wide()}, torino, seeds=[0])
    monkeypatch.setattr(isa, "SPARES", (0,))
    alone = isa.compile_isa({"named": wide()}, torino, seeds=[0])
    assert spared.spares in (1, 2)
    assert spared.two_qubit < 0.5 * alone.two_qubit
    assert isa.add_spares(wide(), 0) == wide()
    assert [r.name for r in isa.add_spares(wide(), 2).qregs] == ["q", "spare"]


def test_circuits_that_are_too_wide_say_what_would_fit(manila, torino):
    with pytest.raises(DoesNotFitError, match=r"^7 qubits do not fit fake_manila, 5 would: use a larger device$"):
        isa.compile_isa({"a": wide(), "b": QuantumCircuit(9)}, manila, seeds=[0])
    for circuits, seeds in (({}, [0]), ({"a": wide()}, [])):
        with pytest.raises(ValueError, match="at least one"):
            isa.compile_isa(circuits, torino, seeds=seeds)


def test_erasing_circuits_run_where_the_device_branches(manila, torino, k7):
    short = postprocess.shorten_program(k7.with_iterations(1).with_lowering(measured=True))
    erasing = {"measured": short.circuits["measured"]}
    found = isa.compile_isa(erasing, torino, seeds=[0])
    assert found.source == "measured"
    assert 0 < found.fidelity < 1
    assert_same_boards(found, short.postprocessing, k7.with_iterations(1))
    flat = GenericBackendV2(6, basis_gates=["cx", "sx", "x", "rz"], seed=1)
    with pytest.raises(BackendError, match="leave out measured"):
        isa.compile_isa(erasing, flat, seeds=[0])
    assert isa.compile_isa(short.circuits, flat, seeds=[0]).source != "measured"


def test_gates_in_branches_are_counted(torino):
    """The worse of both ways; Qiskit's own counts take a branch for one gate."""
    circuit = QuantumCircuit(torino.num_qubits, 1)
    circuit.cz(0, 1)
    circuit.barrier(0, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)) as otherwise:
        circuit.cz(1, 2)
        circuit.cz(2, 3)
        circuit.sx(3)
    with otherwise:
        circuit.sx(2)
    circuit.cz(2, 3)
    found = isa.measure_isa(circuit, torino, "", 0, 0)
    assert (found.two_qubit, found.two_qubit_depth, found.depth) == (4, 4, 6)
    plain = QuantumCircuit(torino.num_qubits, 2)
    for pair in ((0, 1), (1, 2), (3, 4)):
        plain.cz(*pair)
        plain.barrier()
    plain.measure([0, 4], [0, 1])
    counted = isa.measure_isa(plain, torino, "", 0, 0)
    assert (counted.two_qubit, counted.depth) == (plain.num_nonlocal_gates(), plain.depth())
    assert counted.two_qubit_depth == plain.depth(lambda i: i.operation.name == "cz")


def test_a_circuit_is_moved_to_the_best_pair(torino):
    circuit = QuantumCircuit(torino.num_qubits, 2)
    worst = max(torino.target["cz"].items(), key=lambda item: item[1].error)[0]
    circuit.cz(*worst)
    circuit.barrier()
    circuit.measure(worst, [0, 1])
    moved = isa.place_circuit(circuit, torino.target)
    assert fitting(moved, torino)
    here = isa.estimate(moved, torino.target).fidelity
    for pair in torino.target["cz"]:
        other = QuantumCircuit(torino.num_qubits, 2)
        other.cz(*pair)
        other.measure(pair, [0, 1])
        assert isa.estimate(other, torino.target).fidelity <= here + 1e-12
    assert isa.place_circuit(moved, torino.target) is moved


def test_broken_pairs_are_not_used(torino):
    kept = isa.drop_broken_pairs(torino.target)
    assert kept.operation_names == torino.target.operation_names
    assert len(kept["cz"]) < len(torino.target["cz"])
    assert max(properties.error for properties in kept["cz"].values()) < 0.5
    assert 0 < isa.median_error(torino.target) < 0.01
    assert isa.drop_broken_pairs(kept) is kept
    # Long enough to be led over broken pairs, of which there are eleven.
    circuit = QuantumCircuit(45, 1)
    for qubit in range(44):
        circuit.cz(qubit, qubit + 1)
        circuit.cz(qubit, (qubit + 5) % 45)
    circuit.measure(0, 0)
    assert isa.compile_isa({"a": circuit}, torino, seeds=[0]).fidelity > 0

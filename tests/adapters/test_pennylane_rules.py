"""Our rules in PennyLane's graph: they produce what they declare, are exact, and are taken where they weigh less."""

from collections import Counter
from importlib.util import find_spec

import numpy as np
import pytest

import gatesolve

pytestmark = pytest.mark.skipif(find_spec("pennylane") is None, reason="PennyLane is not installed")
GATES = {"Hadamard", "PauliX", "CNOT", "S", "Adjoint(S)", "T", "Adjoint(T)"}
CASES = [(k, kind, w) for k in range(3, 13) for kind in ("zeroed", "borrowed") for w in (1, 2, k - 2, k)]


@pytest.fixture(scope="module", autouse=True)
def rules():
    import pennylane as qml

    from gatesolve.adapters import pennylane_rules

    with qml.decomposition.local_decomps():
        gatesolve.register_pennylane()
        qml.decomposition.enable_graph()
        yield pennylane_rules
        qml.decomposition.disable_graph()


def make(controls, kind, lent, values):
    import pennylane as qml

    work = range(controls + 1, controls + 1 + lent)
    return qml.MultiControlledX(range(controls + 1), control_values=values, work_wires=work, work_wire_type=kind)


def apply_rule(rule, operation):
    import pennylane as qml

    with qml.queuing.AnnotatedQueue() as queue:
        rule(*operation.data, wires=operation.wires, **operation.hyperparameters)
    return qml.tape.QuantumScript.from_queue(queue).operations


def run(operations, states):
    """What operations make of basis states, whose bits are by wire: amplitudes by basis state."""
    import pennylane as qml

    found = []
    for bits in states:
        amplitudes = {tuple(bits): 1.0 + 0j}
        for one in operations:
            matrix, wires = qml.matrix(one), list(one.wires)
            after = Counter()
            for state, amplitude in amplitudes.items():
                column = int("".join(str(state[w]) for w in wires), 2)
                for row in np.flatnonzero(np.abs(matrix[:, column]) > 1e-12):
                    new = list(state)
                    for w, bit in zip(wires, f"{row:0{len(wires)}b}", strict=True):
                        new[w] = int(bit)
                    after[tuple(new)] += amplitude * matrix[row, column]
            amplitudes = {state: a for state, a in after.items() if abs(a) > 1e-9}
        found.append(amplitudes)
    return found


@pytest.mark.quick(26)
@pytest.mark.parametrize(("controls", "kind", "lent"), CASES)
def test_what_is_declared_is_produced_and_right(rules, controls, kind, lent):
    draw = np.random.default_rng(controls * 100 + lent)
    values = [bool(b) for b in draw.integers(0, 2, controls)]
    operation = make(controls, kind, lent, values)
    operations = apply_rule(rules.named, operation)
    declared = rules.named.compute_resources(**operation.resource_params).gate_counts
    assert {rep.name: n for rep, n in declared.items()} == Counter(one.name for one in operations)
    states = draw.integers(0, 2, (4, controls + 1 + lent))
    states[:2, :controls] = values
    if kind == "zeroed":
        states[:, controls + 1 :] = 0
    for bits, after in zip(states.tolist(), run(operations, states.tolist()), strict=True):
        wanted = list(bits)
        wanted[controls] ^= bits[:controls] == [int(value) for value in values]
        assert list(after) == [tuple(wanted)]
        assert after[tuple(wanted)] == pytest.approx(1), "the global phase is right too"


def number_wires(operations, first):
    """The operations on wires ``first``, ... where they allocate some; which of these must be 0 at the start."""
    import pennylane as qml

    free, lent, zeroed, found = list(range(first, first + 9)), {}, set(), []
    for one in operations:
        if one.name == "Allocate":
            lent |= {wire: free.pop(0) for wire in one.wires}
            zeroed |= {lent[wire] for wire in one.wires} if one.state == qml.allocation.AllocateState.ZERO else set()
        elif one.name == "Deallocate":
            free[:0] = [lent.pop(wire) for wire in one.wires]
        else:
            found.append(one.map_wires(lent))
    return found, zeroed


@pytest.mark.quick("0", "2", "3")
@pytest.mark.parametrize("seed", range(6))
def test_circuits_with_allocated_work_wires(seed):
    """Random multi-controlled gates that share a budget: right, and every work wire as it was."""
    import pennylane as qml

    draw = np.random.default_rng(seed)
    size, flips = 7, []
    for _ in range(2):
        wires = draw.permutation(size)[: draw.integers(4, size + 1)].tolist()
        flips.append((wires, draw.integers(0, 2, len(wires) - 1).astype(bool).tolist()))
    makers = [qml.MultiControlledX, lambda w, v: qml.ctrl(qml.PauliX(w[-1]), w[:-1], control_values=v)]
    asked = [makers[k](wires, values) for k, (wires, values) in enumerate(flips)]
    asked[0] = qml.adjoint(asked[0])
    for budget in (1, 2, size):
        tape = qml.tape.QuantumScript(asked)
        (tape,), _ = qml.decompose(tape, gate_set=GATES | {"PauliZ"}, num_work_wires=budget)
        assert any(one.name == "Allocate" for one in tape.operations)
        operations, zeroed = number_wires(tape.operations, size)
        states = draw.integers(0, 2, (3, size + budget))
        states[0, flips[0][0][:-1]] = flips[0][1]
        states[:, sorted(zeroed)] = 0
        for bits, after in zip(states.tolist(), run(operations, states.tolist()), strict=True):
            wanted = list(bits)
            for (*controls, target), values in flips:
                wanted[target] ^= [wanted[wire] for wire in controls] == values
            assert after == pytest.approx({tuple(wanted): 1})

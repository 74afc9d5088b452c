"""Oracles of others on spaces too large to run: proved by what their qubits hold."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import XGate

from gatesolve.encodings import make_spaces
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Linear, Model, NotEqual, Variable
from gatesolve.proof import QubitLayout, entry_vectors, prove_circuit

CELLS = 20
RING = Model(
    tuple(Variable(f"x{k}", (0, 1, 2, 3)) for k in range(CELLS)),
    tuple(NotEqual(f"x{k}", f"x{(k + 1) % CELLS}") for k in range(CELLS)),
)
"""4^20 codewords, of which only neighbours that differ are marked."""


def ring_circuit(output=False, skip=None, extra=None):
    """A flag for each pair of neighbours, a chain of Toffolis, a sign or an output, all undone."""
    data, flags = 2 * CELLS, 3 * CELLS
    compute = QuantumCircuit(4 * CELLS)
    for cell in range(CELLS):
        first, second = 2 * cell, 2 * ((cell + 1) % CELLS)
        compute.cx([first, first + 1], [second, second + 1])
        compute.ccx(second, second + 1, data + cell, ctrl_state=0)
        compute.x(data + cell)
        compute.cx([first, first + 1], [second, second + 1])
    compute.ccx(data, data + 1, flags)
    for cell in range(2, CELLS):
        if cell != skip:
            compute.ccx(data + cell, flags + cell - 2, flags + cell - 1)
        else:
            compute.cx(flags + cell - 2, flags + cell - 1)
    last, target = flags + CELLS - 2, flags + CELLS - 1
    circuit = compute.copy()
    if output:
        circuit.cx(last, target)
    else:
        circuit.x(target)
        circuit.h(target)
        circuit.cx(last, target)
        circuit.h(target)
        circuit.x(target)
    if extra is not None:
        circuit.z(extra)
    return circuit.compose(compute.inverse())


def judge(circuit, output=None):
    space = make_spaces(RING, "binary")[0]
    return prove_circuit(RING, space, circuit, QubitLayout(tuple(range(2 * CELLS)), output))


@pytest.mark.parametrize("output", [None, 4 * CELLS - 1])
def test_a_large_oracle_of_toffolis_is_proved(output):
    claim = judge(ring_circuit(output is not None), output)
    assert (claim.status, claim.method) == ("proved", "structure"), claim
    assert claim.detail == "every qubit comes back, and 20 conditions are the model's"


def test_a_missing_constraint_is_refused_although_hardly_a_codeword_shows_it():
    claim = judge(ring_circuit(skip=7))
    assert claim.status == "refused"


def test_what_is_not_followed_is_sampled():
    circuit = ring_circuit()
    circuit.t(0)
    circuit.tdg(0)
    assert judge(circuit).status == "sampled"


def test_a_further_sign_is_refused():
    assert judge(ring_circuit(extra=0)).status == "refused"


CHAIN = Model(
    tuple(Variable(f"x{k}", (0, 1)) for k in range(40)),
    (*(Linear(((1, f"x{k}"), (1, f"x{k + 1}")), "<=", 1) for k in range(39)), Linear(((1, "x0"),), "==", 1)),
)
"""No two ones side by side, and x0 is one, so x1 is zero."""


def chain_circuit(controls):
    compute = QuantumCircuit(80)
    for cell in range(1, 39):
        compute.ccx(cell, cell + 1, 40 + cell)
        compute.x(40 + cell)
    compute.x(1)
    circuit = compute.copy()
    circuit.h(79)
    circuit.mcx([*controls, *range(41, 79)], 79)
    circuit.h(79)
    return circuit.compose(compute.inverse())


@pytest.mark.parametrize(("controls", "status"), [([0, 1], "proved"), ([0], "refused"), ([1], "refused")])
def test_conditions_of_no_single_constraint_are_compared_by_a_solver(controls, status):
    # the pair x0, x1 needs no flag, and x1 is read with an X before it; the target is a one for the sign
    circuit = QuantumCircuit(80)
    circuit.x(79)
    circuit = circuit.compose(chain_circuit(controls)).compose(circuit)
    claim = prove_circuit(CHAIN, make_spaces(CHAIN, "binary")[0], circuit, QubitLayout(tuple(range(40))))
    assert claim.status == status, claim


WIDE = tuple(f"x{k}" for k in range(30))
AT_ONE = Linear(((1, "x0"),), "==", 1)


def judge_wide(circuit, *constraints):
    model = Model(tuple(Variable(name, (0, 1)) for name in WIDE), constraints)
    return prove_circuit(model, make_spaces(model, "binary")[0], circuit, QubitLayout(tuple(range(30)))).status


def test_a_sign_of_all_codewords_is_a_global_phase():
    for skip, status in ((None, "proved"), (7, "refused")):
        marks = ring_circuit(skip=skip)
        place = next(k for k, one in enumerate(marks.data) if one.operation.name == "h")
        for k in (place + 1, place + 3):  # an X on the last flag, on both sides of the CX that flips the sign
            marks.data.insert(k, marks.data[0].replace(operation=XGate(), qubits=[marks.qubits[4 * CELLS - 2]]))
        assert judge(marks).status == status
    circuit = QuantumCircuit(30)
    assert judge_wide(circuit) == "proved"
    assert judge_wide(circuit, AT_ONE) == "refused"
    assert judge_wide(circuit, AT_ONE, Linear(((1, "x0"),), "==", 0)) == "proved"
    circuit.x(0)
    circuit.z(0)
    circuit.x(0)
    assert judge_wide(circuit, AT_ONE) == "proved"
    circuit.z(1)
    assert judge_wide(circuit, NotEqual("x0", "x1")) == "proved"
    assert judge_wide(circuit, NotEqual("x0", "x2")) == "refused"


@pytest.mark.parametrize(
    ("data", "width", "message"),
    [(24, 24, "over 16777216 codewords"), (12, 30, "of 30 qubits"), (30, 30, "of 30 qubits")],
)
def test_no_state_is_made_that_memory_does_not_hold(monkeypatch, data, width, message):
    model = Model(tuple(Variable(f"x{k}", (0, 1)) for k in range(data)), (Linear(((1, "x0"),), "==", 1),))
    circuit = QuantumCircuit(width)
    circuit.z(0)
    circuit.mcx(list(range(width - 1)), width - 1)
    monkeypatch.setattr(entry_vectors, "draw_codewords", lambda *given: pytest.fail("codewords are listed"))
    with pytest.raises(DoesNotFitError, match=message):
        entry_vectors.run_vectors(model, make_spaces(model, "binary")[0], circuit, QubitLayout(tuple(range(data))))

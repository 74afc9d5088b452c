"""Reordering: the same gates, the same unitary, never deeper, near the given order."""

import random

from hypothesis import given, settings
from low_gates import circuits, counts, distance, no_worse, sequence

from gatesolve.circuit.lowering.passes.commute import pauli_letters
from gatesolve.circuit.lowering.passes.schedule import reschedule


def reordered(gates):
    return reschedule(gates, lambda g: g[1], pauli_letters)


@settings(deadline=None, max_examples=100)
@given(circuits())
def test_same_gates_same_unitary_never_deeper(drawn):
    gates, width = drawn
    after = reordered(gates)
    assert sorted(after) == sorted(gates)
    assert distance(gates, after, width) < 1e-9
    assert no_worse(after, gates, "depth", "cx depth")


def test_controls_take_turns():
    """Qubit 0 controls four long chains; those with the longest way to go are begun first."""
    gates = sequence("cx01 cx02 cx03 cx04") + [g for k in (4, 3, 2) for g in sequence(f"h{k} t{k} " * (k - 1))]
    assert counts(gates)["depth"] == 4 + 6
    assert counts(reordered(gates))["depth"] == 1 + 6


def test_targets_take_turns():
    gates = sequence("h1 t1 h1 t1 h1 t1 cx14 cx24 cx34 h4 h2 t2 h3 t3")
    assert counts(gates)["depth"] == 11
    assert counts(reordered(gates))["depth"] == 7


def test_what_cannot_be_shallower_stays_as_it_is():
    gates = sequence("h0 cx01 h1 cx12 t2 cx01")
    assert reordered(gates) == gates
    assert reordered([]) == []


def test_gates_on_other_qubits_keep_their_order():
    """Only the deep part is reordered; the rest stays where it stood."""
    deep = sequence("cx01 cx02 h2 t2 h2 t2")
    gates = [*sequence("h5 t5 h5"), *deep, *sequence("cx56 h6")]
    after = reordered(gates)
    assert [g for g in after if min(g[1]) > 4] == sequence("h5 t5 h5 cx56 h6")
    assert after.index(("h", (5,), 0.0)) == 0
    assert after[-1] == ("h", (6,), 0.0)


def test_a_large_random_circuit():
    draw = random.Random(3)
    gates = []
    for _ in range(3000):
        first, second = draw.sample(range(40), 2)
        gates.append(("cx", (first, second), 0.0) if draw.random() < 0.6 else (draw.choice("ht"), (first,), 0.0))
    after = reordered(gates)
    assert sorted(after) == sorted(gates)
    assert counts(after)["depth"] < counts(gates)["depth"]

"""Reordering: the same gates, the same unitary, never deeper, near the given order."""

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

"""The passes together: the same unitary, nothing worse, and the identities they are known for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from low_gates import EXACT, TURNS, circuits, counts, distance, gate, no_worse, sequence, undone

from gatesolve.circuit.lowering.passes.commute import pauli_letters, sweep_rotations
from gatesolve.circuit.lowering.passes.euler import merge_rotations
from gatesolve.circuit.lowering.passes.peephole import (
    cancel_gates,
    factor_fan_ins,
    move_paulis_last,
    replace_by_cz,
    replace_cz,
    trade_gates,
)
from gatesolve.circuit.lowering.passes.schedule import reschedule


@settings(deadline=None, max_examples=100)
@given(circuits())
def test_same_unitary_and_never_worse(drawn):
    gates, width = drawn
    after = cancel_gates(gates)
    assert distance(gates, after, width) < 1e-9
    assert {name for name, _, _ in after} <= {"cx", *EXACT, *TURNS}
    assert no_worse(after, gates, "cx", "t")


@settings(deadline=None, max_examples=60)
@given(circuits())
def test_again_is_never_worse(drawn):
    """It ends at an order of its own, from which it may find a little more, but not lose anything."""
    gates, _ = drawn
    once = cancel_gates(gates)
    before, after = counts(once), counts(cancel_gates(once))
    assert [after[k] for k in ("cx", "t", "depth")] <= [before[k] for k in ("cx", "t", "depth")]


@settings(deadline=None, max_examples=60)
@given(circuits())
def test_a_circuit_and_its_inverse_cancel_where_they_meet(drawn):
    gates, width = drawn
    after = cancel_gates([*gates, *undone(gates)])
    assert distance([], after, width) < 1e-9
    if not any(name in {"rz", "p", "ry"} for name, _, _ in gates):
        assert after == []


@settings(deadline=None, max_examples=60)
@given(circuits())
def test_merged_equals_the_gates(drawn):
    gates, width = drawn
    after = merge_rotations(gates)
    assert {name for name, _, _ in after} <= {"cx", "u"}
    assert distance(gates, after, width) < 1e-9
    assert no_worse(after, gates, "cx", "gates", "depth", "cx depth")


BY_HAND = {
    "across phases and controls": ("cx01 t0 cx02 cx01", "t0 cx02"),
    "across X and targets": ("cx01 x1 cx21 cx01", "x1 cx21"),
    "a chain of three": ("cx01 cx12 cx01", "cx02 cx12"),
    "four become one": ("cx01 cx12 cx01 cx12", "cx02"),
    "not across a phase on the target": ("cx01 t1 cx01", "cx01 t1 cx01"),
    "not across H": ("cx01 h1 cx01", "cx01 h1 cx01"),
    "S of a parity": ("cx01 s1 cx01", "s0 s1 h1 cx01 h1"),
    "H pairs far apart": ("h1 cx01 h1 h2 cx12 h2 h1 cx01 h1", "h2 cx12 h2"),
    "CZ onto one qubit": ("h1 cx01 h1 h2 cx02 h2", "h0 cx10 cx20 h0"),
}


@pytest.mark.parametrize(("before", "after"), BY_HAND.values(), ids=BY_HAND)
def test_by_hand(before, after):
    result = cancel_gates(sequence(before))
    assert distance(result, sequence(before), 3) < 1e-9
    assert distance(result, sequence(after), 3) < 1e-9
    assert counts(result)["cx"] == counts(sequence(after))["cx"]
    assert len(result) <= len(sequence(after))


@pytest.mark.parametrize(
    ("before", "after"),
    {
        "CZ twice": ("cz01 t0 cx12 cz10", "t0 cx12"),
        "CZ through a CX onto it": ("cz01 cx20 cz01", "cz21 cx20"),
        "CX through a CX onto its control": ("cx01 cx20 cx01", "cx21 cx20"),
        "CZ through an X": ("cz01 x0 cz01", "z1 x0"),
    }.values(),
)
def test_cz_by_hand(before, after):
    result = sweep_rotations(sequence(before))
    assert distance(result, sequence(before), 3) < 1e-9
    assert sorted(g[0] for g in result) == sorted(g[0] for g in sequence(after))


def test_gates_that_are_not_known_keep_their_order_and_are_not_passed():
    gates = [gate("t", 0), gate("measure", 0), gate("tdg", 0), gate("h", 1), gate("reset", 2), gate("h", 1)]
    assert cancel_gates(gates) == [gate("t", 0), gate("measure", 0), gate("tdg", 0), gate("reset", 2)]
    with pytest.raises(ValueError, match="unknown one-qubit gate measure"):
        merge_rotations(gates)


# --- The single steps: CZ and back, X and Z to the end, sums of two qubits made once ---


def pairs(gates):
    return sum(len(g[1]) == 2 for g in gates)


@settings(deadline=None, max_examples=60)
@given(circuits())
def test_cz_and_back(drawn):
    gates, width = drawn
    marked = replace_by_cz(gates)
    assert distance(gates, marked, width) < 1e-9
    assert pairs(marked) == pairs(gates)
    assert len(marked) <= len(gates)
    back = replace_cz(marked)
    assert distance(gates, back, width) < 1e-9
    assert "cz" not in {g[0] for g in back}
    assert counts(back)["cx"] == pairs(gates)


@settings(deadline=None, max_examples=60)
@given(circuits())
def test_x_and_z_go_to_the_end(drawn):
    gates, width = drawn
    after = list(move_paulis_last(gates))
    assert distance(gates, after, width) < 1e-9
    names = [name for name, _, _ in after]
    first = next((k for k, name in enumerate(names) if name in {"x", "z"}), len(names))
    assert set(names[first:]) <= {"x", "z"}
    assert len(set(after[first:])) == len(after[first:]) <= 2 * width
    assert [g[1] for g in after[:first]] == [g[1] for g in gates if g[0] not in {"x", "z"}]


@st.composite
def networks(draw):
    """Mostly CX from low to high qubits, so that sums meet on many targets."""
    gates = []
    for kind in draw(st.lists(st.sampled_from(["cx"] * 15 + ["cz", "h", "t", "x"]), max_size=60)):
        low, high = sorted(draw(st.lists(st.integers(0, 5), min_size=2, max_size=2, unique=True)))
        gates.append(gate(kind, low, high) if kind in {"cx", "cz"} else gate(kind, high))
    return gates


@settings(deadline=None, max_examples=100)
@given(networks())
def test_factored_networks(gates):
    after = factor_fan_ins(gates)
    assert distance(gates, after, 6) < 1e-9
    assert after == gates or pairs(after) < pairs(gates)


@settings(deadline=None, max_examples=60)
@given(networks())
def test_trades_cost_nothing(gates):
    for after in trade_gates(gates):
        assert distance(gates, after, 6) < 1e-9
        assert pairs(after) <= pairs(gates)


def test_a_chain_becomes_a_tree():
    """Six qubits added to a seventh, used, and taken off again: three layers of CX on each side instead of six."""
    chain = [gate("cx", k, 6) for k in range(6)]
    gates = [*chain, *sequence("h6 t6 h6"), *reversed(chain)]
    after = cancel_gates(gates)
    assert distance(gates, after, 7) < 1e-9
    assert counts(after)["cx"] == 12
    assert counts(after)["depth"] <= 3 + 3 + 3


# --- Reordering: the same gates, the same unitary, never deeper, near the given order ---


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

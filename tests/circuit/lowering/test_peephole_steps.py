"""The single steps: CZ and back, X and Z to the end, sums of two qubits made once."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from low_gates import circuits, counts, distance, gate, sequence

from gatesolve.circuit.lowering.passes.commute_cz import replace_by_cz, replace_cz
from gatesolve.circuit.lowering.passes.commute_factor import factor_fan_ins, trade_gates
from gatesolve.circuit.lowering.passes.commute_pauli import move_paulis_last
from gatesolve.circuit.lowering.passes.peephole import cancel_gates


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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("h1 cx01 h1", "cz01"),
        ("h1 cx01 x1 cx21 h1", "cz01 z1 cz21"),
        ("h1 cx01 h1 cx01 h1", "cz01 cx01 h1"),
        ("h1 cx01 t1 h1", "h1 cx01 t1 h1"),
        ("h1 cx10 h1", "h1 cx10 h1"),
    ],
)
def test_cz_by_hand(before, after):
    assert replace_by_cz(sequence(before)) == sequence(after)


def test_cz_share_the_side_where_h_vanish():
    assert replace_cz(sequence("cz01 cz02 cz03")).count(gate("h", 0)) == 6
    assert replace_cz(sequence("h1 cz01 h1"))[1:4] == sequence("h1 cx01 h1")
    assert replace_cz(sequence("h0 cz01 h0"))[1:4] == sequence("h0 cx10 h0")


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


def test_x_and_z_stop_at_gates_that_are_not_known():
    assert list(move_paulis_last([gate("x", 0), gate("reset", 1), gate("t", 0), gate("reset", 0)])) == [
        gate("reset", 1),
        gate("tdg", 0),
        gate("x", 0),
        gate("reset", 0),
    ]


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


FACTORED = {
    "three targets": ("cx02 cx12 cx03 cx13 cx04 cx14", 5),
    "four targets": ("cx02 cx12 cx03 cx13 cx04 cx14 cx05 cx15", 6),
    "a use of the added one alone": ("cx02 cx12 cx03 cx13 h5 cx15 h5 cx04 cx14 cx05 cx15", 7),
    "phases on both": ("t0 cx02 t1 cx12 cx03 cx13 t0 cx04 tdg1 cx14", 5),
    "a CZ between both": ("cx02 cx12 cz01 cx03 cx13 cx04 cx14 cx05 cx15", 8),
    "two targets gain nothing": ("cx02 cx12 cx03 cx13", 4),
    "not where one is written in between": ("cx02 cx12 cx03 cx13 h0 cx04 cx14", 6),
    "not where the target is used in between": ("cx02 cx23 cx12 cx03 cx13 cx04 cx14", 7),
}


@pytest.mark.parametrize(("before", "most"), FACTORED.values(), ids=FACTORED)
def test_factored_by_hand(before, most):
    after = factor_fan_ins(sequence(before))
    assert distance(after, sequence(before), 6) < 1e-9
    assert pairs(after) == most

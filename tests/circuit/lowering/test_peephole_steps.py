"""The single steps: CZ and back, X and Z to the end, sums of two qubits made once."""

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

"""Phase folding keeps the unitary and every other gate, and merges rotations about equal axes wherever they stand."""

import pytest
from hypothesis import given, settings
from low_gates import circuits, counts, distance, gate, no_worse, sequence, undone

from gatesolve.circuit.gates import EIGHTHS
from gatesolve.circuit.lowering.passes.phase_folding import fold_phases

ROTATIONS = {*EIGHTHS, "p", "rz", "ry"}


def frame(gates):
    """What is not a rotation."""
    return [g for g in gates if g[0] not in ROTATIONS]


@settings(deadline=None, max_examples=100)
@given(circuits())
def test_same_unitary_and_never_worse(drawn):
    gates, width = drawn
    after = fold_phases(gates)
    assert distance(gates, after, width) < 1e-9
    assert frame(after) == frame(gates)
    assert no_worse(after, gates, "t", "gates", "cx depth")
    assert fold_phases(after) == after


@settings(deadline=None, max_examples=50)
@given(circuits(turns=False, most=40))
def test_a_circuit_and_its_inverse_leave_no_t(drawn):
    gates, width = drawn
    after = fold_phases([*gates, *undone(gates)])
    assert counts(after)["t"] == 0
    assert distance([], after, width) < 1e-9


@pytest.mark.parametrize(
    ("before", "after"),
    {
        "side by side": ("t0 t0", "s0"),
        "back to nothing": ("t0 tdg0", ""),
        "eight of them": ("t0 " * 8, ""),
        "across a control": ("t0 cx01 t0", "s0 cx01"),
        "the same parity later": ("cx01 t1 cx01 h2 cx01 t1 cx01", "cx01 s1 cx01 h2 cx01 cx01"),
        "the same parity elsewhere": ("cx01 t1 cx12 t0 cx10 t0 cx10 cx01", "cx01 t1 cx12 t0 cx10 t0 cx10 cx01"),
        "parity on the other wire": ("cx01 t1 cx01 cx10 t0 cx10", "cx01 s1 cx01 cx10 cx10"),
        "a flip turns the sign": ("t0 x0 t0", "x0"),
        "not across H": ("t0 h0 t0", "t0 h0 t0"),
        "across H twice": ("t0 h0 h0 t0", "s0 h0 h0"),
        "across H with S": ("h0 t0 h0 s1 h0 t0 h0", "h0 s0 h0 s1 h0 h0"),
        "across an H elsewhere": ("t0 h1 cx01 h1 t0", "s0 h1 cx01 h1"),
        "blocked by a T on another axis": ("t0 h0 t0 h0 t0", "t0 h0 t0 h0 t0"),
        "not blocked once that is gone": ("t0 h0 t0 tdg0 h0 t0", "s0 h0 h0"),
        "S carried along": ("h0 t0 s1 cx01 cx01 h0 h0 t0", "h0 s0 s1 cx01 cx01 h0 h0"),
    }.values(),
)
def test_by_hand(before, after):
    if after == before:
        assert fold_phases(sequence(before)) == sequence(before)
    else:
        assert distance(fold_phases(sequence(before)), sequence(after), 3) < 1e-9
        assert counts(fold_phases(sequence(before)))["t"] == counts(sequence(after))["t"]
        assert len(fold_phases(sequence(before))) == len(sequence(after))


def test_an_axis_may_be_reached_by_two_kinds_of_rotation():
    """H S-dagger turns Y into Z, so a phase after it and the rotation about Y before it are one."""
    lengths = []
    for angle in (-0.25, 0.25):
        gates = [gate("ry", 0, angle=0.25), *sequence("sdg0 h0"), gate("p", 0, angle=angle), *sequence("h1 cx10 h0 s0")]
        after = fold_phases(gates)
        assert distance(gates, after, 2) < 1e-9
        lengths.append(len(after))
    assert sorted(lengths) == [4, 5]


def test_unknown_gates_are_not_folded_across():
    gates = [gate("t", 0), gate("reset", 1), gate("t", 0), gate("t", 0)]
    assert fold_phases(gates) == [gate("t", 0), gate("reset", 1), gate("s", 0)]


def test_more_than_64_qubits():
    gates = [gate("t", 0)]
    for k in range(99):
        gates.append(gate("cx", k, k + 1))
    gates += [gate("t", 99), gate("h", 99), gate("t", 99), gate("h", 99), gate("tdg", 99)]
    for k in reversed(range(99)):
        gates.append(gate("cx", k, k + 1))
    gates.append(gate("tdg", 0))
    after = fold_phases(gates)
    assert counts(after)["t"] == 3
    assert frame(after) == frame(gates)

"""Large gates without a search: right, and at the CX and T of the searched ones, for 3 to 64 controls."""

import numpy as np
import pytest
from basis_states import acted

from gatesolve.circuit import Gate, build, choose_rule
from gatesolve.circuit.lowering.gates import emit_gates
from gatesolve.circuit.lowering.rules.batches import batches
from gatesolve.circuit.lowering.rules.borrowed import compose_parts, most_in_group, toggle_parts
from gatesolve.circuit.lowering.target import PLAIN
from gatesolve.circuit.mcx import quick_mcx
from gatesolve.simulate import basis_terms, run_sparse

KINDS = {
    "1 clean": lambda k: (1, 0),
    "2 clean": lambda k: (2, 0),
    "5 clean": lambda k: (5, 0),
    "k-2 clean": lambda k: (k - 2, 0),
    "1 borrowed": lambda k: (0, 1),
    "2 borrowed": lambda k: (0, 2),
    "5 borrowed": lambda k: (0, 5),
    "half borrowed": lambda k: (0, -(-(k - 2) // 2)),
    "k-3 borrowed": lambda k: (0, max(1, k - 3)),
}


def assert_flips(circuit, controls, clean, states):
    """X on the target where all controls are 1, for rows of bits of all but the clean ancillas, which are zero."""
    free = [q for q in range(circuit.num_qubits) if not controls < q <= controls + clean]
    before = np.zeros((circuit.num_qubits, len(states)), dtype=bool)
    before[free] = states[:, : len(free)].T
    after = before.copy()
    after[controls] ^= before[:controls].all(axis=0)
    found, wanted = run_sparse(circuit, basis_terms(before)), basis_terms(after)
    order, wanted_order = (np.lexsort(terms.keys.T) for terms in (found, wanted))
    assert np.array_equal(found.keys[order], wanted.keys[wanted_order])
    assert np.abs(found.amplitudes[order] / found.amplitudes[order][0] - 1).max() < 1e-9


@pytest.mark.parametrize("clean", range(1, 6))
@pytest.mark.parametrize("n", range(4, 13))
def test_batches_on_every_input(n, clean):
    clean = min(clean, n - 3)
    order = np.random.default_rng(n).permutation(n + clean).tolist()
    ops = batches(order[:n], order[n:])
    before = np.zeros((n + clean, 1 << n), dtype=bool)
    before[order[:n]] = (np.arange(1 << n) >> np.arange(n)[:, None]) & 1
    after, power = acted(ops, before)
    assert np.array_equal(after, before)
    assert np.flatnonzero(power).tolist() == [(1 << n) - 1]
    assert power[-1] == 2


@pytest.mark.quick("*-[345]", "[12] *")
@pytest.mark.parametrize("controls", range(3, 8))
@pytest.mark.parametrize("kind", KINDS)
def test_small_ones_on_every_input(kind, controls):
    clean, borrowed = KINDS[kind](controls)
    free = controls + 1 + borrowed
    every = (np.arange(1 << free)[:, None] >> np.arange(free)) & 1
    assert_flips(quick_mcx(controls, clean, borrowed), controls, clean, every.astype(bool))


def drawn_states(controls, free, seed):
    """All controls 1, all but one, and random ones of few zeros and of many; different from one another."""
    draw = np.random.default_rng(seed)
    states = draw.random((60, free)) < np.repeat([0.95, 0.5], 30)[:, None]
    states[:10, :controls] = True
    for row in range(10, 24):
        states[row, :controls] = True
        states[row, draw.integers(controls)] = False
    return np.unique(states, axis=0)


@pytest.mark.quick("*-21", "[1k]*-64")
@pytest.mark.parametrize("controls", range(8, 65))
@pytest.mark.parametrize("kind", KINDS)
def test_large_ones_on_drawn_inputs(kind, controls):
    """The gates as they are written; `sweep_rotations`, which makes them fewer, has tests of its own."""
    clean, borrowed = KINDS[kind](controls)
    n, wires = controls + 1, range(controls + 1 + clean + borrowed)
    if clean:
        ops = batches(wires[:n], wires[n : n + min(clean, n - 3)])
    else:
        group = most_in_group(n, borrowed)
        ops = compose_parts(*toggle_parts(wires[:n], wires[n:], group, is_searched=False))
    turn = Gate("h", (controls,))
    gates = emit_gates((turn, *ops, turn), PLAIN, None)
    assert_flips(build(gates, len(wires)), controls, clean, drawn_states(controls, n + borrowed, controls))


@pytest.mark.parametrize("kind", KINDS)
def test_as_many_cx_and_t_as_the_best_rule_declares(kind):
    """Which is what `mcx` makes."""
    for controls in range(3, 65):
        clean, borrowed = KINDS[kind](controls)
        names = quick_mcx(controls, clean, borrowed).count_ops()
        if controls == 3 and borrowed:
            assert names["cx"] == 14
            continue
        rule = choose_rule(controls + 1, min(clean, controls - 2), min(borrowed, max(1, controls - 3)))
        given = rule.take_ancillas(controls + 1, clean, borrowed)
        assert (names["cx"], names["t"] + names["tdg"]) == tuple(f(controls + 1, *given) for f in (rule.cx, rule.t))


def test_a_fault_is_seen():
    made = quick_mcx(30, 2, 0)
    states = drawn_states(30, 31, 1)
    place = next(k for k, one in enumerate(made.data) if one.operation.name == "cx")
    del made.data[place]
    with pytest.raises((AssertionError, ValueError)):
        assert_flips(made, 30, 2, states)

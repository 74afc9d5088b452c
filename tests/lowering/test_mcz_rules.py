"""Every rule for a multi-controlled Z, on every input, at its declared cost."""

import numpy as np
import pytest

from gatesolve.lowering import lower
from gatesolve.lowering.emit import emit
from gatesolve.lowering.mcz import RULES, choose, expand
from gatesolve.reversible import And, Gate, Mcx, PhaseFlip, Planes, Xor, run

BY_NAME = {rule.name: rule for rule in RULES}


def ancilla_counts(rule, n):
    """The least; for the rule that takes any number, also all up to where the tree takes over."""
    least = rule.clean(n)
    return range(least, max(n - 3, least + 1)) if rule.name == "some_clean" else [least]


CASES = [
    pytest.param(rule, n, count, id=f"{rule.name}-{n}-{count}")
    for rule in RULES
    for n in range(4, 15)
    for count in ancilla_counts(rule, n)
    # Fewer qubits than the rule is ever chosen for.
    if not (rule.name == "some_clean" and n - (count - 1) < 4)
]


def wires_of(ops):
    """Every qubit the operations name."""
    wires = set()
    for op in ops:
        match op:
            case Xor(source, target):
                wires |= {*source.wires, target}
            case And(left, right, target):
                wires |= {*left.wires, *right.wires, target}
            case Mcx(controls, target, clean):
                wires |= {*(q for q, _ in controls), target, *clean}
            case PhaseFlip(factors, clean):
                wires |= {w for f in factors for w in f.wires} | set(clean)
            case Gate(qubits=qubits):
                wires |= set(qubits)
    return wires


def assert_multi_controlled_z(ops, qubits, ancillas):
    """Exhaustive over the qubits, ancillas zero."""
    n = len(qubits)
    states = np.arange(1 << n)
    before = np.zeros((max(*qubits, *ancillas) + 1, 1 << n), dtype=bool)
    for k, qubit in enumerate(qubits):
        before[qubit] = states >> k & 1
    planes = Planes.from_bits(before)
    run(ops, planes)
    assert np.array_equal(planes.unpack(planes.bits, 1 << n), before)
    phase = planes.unpack(planes.phase, 1 << n)
    assert not phase[0].any()
    assert np.flatnonzero(phase[1]).tolist() == [(1 << n) - 1]


@pytest.mark.parametrize(("rule", "n", "count"), CASES)
def test_rule(rule, n, count):
    # Neither in order nor next to each other.
    order = np.random.default_rng(n).permutation(n + count + 2).tolist()
    qubits, ancillas = order[:n], order[n : n + count]
    ops = rule.build(qubits, ancillas)
    assert_multi_controlled_z(ops, qubits, ancillas)
    assert wires_of(ops) <= {*qubits, *ancillas}
    names = [name for name, _, _ in emit(ops)]
    assert names.count("cx") == rule.cx(n)
    assert names.count("t") + names.count("tdg") == rule.t(n)
    assert "mcz_noaux" not in names


@pytest.mark.parametrize("n", range(4, 15))
@pytest.mark.parametrize("clean", range(13))
def test_choice(n, clean):
    rule = choose(n, clean)
    ops = expand(list(range(n)), list(range(n, n + clean)))
    if clean == 0:
        assert rule is None
        assert ops is None
        return
    assert rule.clean(n) <= clean
    assert rule is next(r for r in RULES if r.clean(n) <= clean)
    assert_multi_controlled_z(ops, range(n), range(n, n + clean))


def test_declared_costs_are_the_best_known():
    """Against n controls: CX 6 n - 6 and T 8 n - 9, the smallest seen without measurement."""
    for rule in RULES:
        for controls in range(3, 20):
            assert rule.cx(controls + 1) == 6 * controls - 6
            assert rule.t(controls + 1) == 8 * controls - 9


def depth(name, n, count):
    ops = BY_NAME[name].build(range(n), range(n, n + count))
    return lower(ops, n + count, "clifford+t").depth()


@pytest.mark.parametrize("n", [8, 12, 16])
def test_rules_are_listed_from_the_shallowest(n):
    depths = [depth("and_tree", n, n - 3), depth("some_clean", n, n // 2), depth("one_clean", n, 1)]
    assert depths == sorted(depths)


def test_the_tree_has_logarithmic_depth():
    assert depth("and_tree", 48, 45) - depth("and_tree", 24, 21) == depth("and_tree", 24, 21) - depth("and_tree", 12, 9)

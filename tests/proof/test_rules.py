"""Rules for multi-controlled Zs: each shape is proved, and not with an operation left out or a control too many."""

import pytest

from gatesolve.circuit.lowering.rules.mcz import RULES
from gatesolve.proof.rules import is_multi_controlled_z


def build(rule, size, clean, borrowed):
    wires = range(size + clean + borrowed)
    kept, lent = rule.take_ancillas(size, clean, borrowed)
    zeros, others = wires[size : size + clean], wires[size + clean :]
    return rule.build(wires[:size], zeros[:kept], others[:lent]), wires[:size], zeros, len(wires)


@pytest.mark.quick(5)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_is_proved(rule):
    for size in (4, 5, 6, 7, 9, 14):
        for clean, borrowed in ((0, 1), (0, 2), (0, size), (1, 0), (3, 1), (size, 0)):
            if not rule.fits(size, clean, borrowed):
                continue
            ops, *shape = build(rule, size, clean, borrowed)
            if ops is not None:
                assert is_multi_controlled_z(ops, *shape), (size, clean, borrowed)


@pytest.mark.quick(5)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_rule_does_without_an_operation(rule):
    size = next(n for n in (5, 6, 7, 8, 9, 12) if rule.fits(n, 4, 4))
    ops, qubits, zeros, width = build(rule, size, 4, 4)
    for place in range(len(ops)):
        assert not is_multi_controlled_z(ops[:place] + ops[place + 1 :], qubits, zeros, width)
    assert not is_multi_controlled_z(ops, qubits[1:], zeros, width)


def test_a_qubit_that_is_not_zero_does_not_serve():
    rule = next(one for one in RULES if one.name == "one_clean")
    ops, qubits, zeros, width = build(rule, 6, 1, 0)
    assert is_multi_controlled_z(ops, qubits, zeros, width)
    assert not is_multi_controlled_z(ops, qubits, (), width)

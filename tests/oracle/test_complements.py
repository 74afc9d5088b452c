"""An AND of which only the complement is read goes into the operation that reads it."""

from itertools import product

import numpy as np
import pytest
from every_state import phases_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.circuit import And, AndNot, Parity, PhaseFlip, Xor, count_cx, inverse
from gatesolve.errors import AncillaBudgetError
from gatesolve.oracle import Condition, Flag, assemble
from gatesolve.oracle.assemble import absorb_complements
from gatesolve.oracle.builder import Builder


def one(*wires, constant=False):
    return Parity(wires, constant)


def no(wire):
    return Parity((wire,), True)


INNER = And(one(0), one(1), 4)
OUTER = And(one(2), no(4), 5)


def absorb(*ops, factors):
    return absorb_complements((Builder(4, ops=list(ops), used=4), list(factors)))


@pytest.mark.parametrize(
    ("ops", "factors"),
    [
        ((INNER, And(one(2), one(4), 5)), [one(5)]),  # not the complement
        ((INNER, OUTER), [one(5), no(4)]),  # the phase reads it as well
        (
            (INNER, OUTER, And(one(3), no(4), 6)),
            [one(5), one(6)],
        ),  # two readers: twice five CX against three times three
        ((INNER, And(one(2, 4), no(4), 5)), [one(5)]),  # on both sides
        ((INNER, Xor(one(3), 4), OUTER), [one(5)]),  # more than an AND
        ((And(one(3), one(2), 6), And(one(0), one(6), 4), *inverse([And(one(3), one(2), 6)]), OUTER), [one(5)]),
    ],
    ids=["plain", "phase", "twice", "both sides", "sum", "its sides are gone"],
)
def test_else_it_stays(ops, factors):
    builder, _ = absorb(*ops, factors=factors)
    assert sum(isinstance(op, And) for op in builder.ops) == sum(isinstance(op, And) for op in ops)


def test_a_chain_absorbs_every_other_one():
    """What was absorbed is not there to absorb."""
    ops = INNER, And(one(2), no(4), 5), And(one(3), no(5), 6)
    builder, factors = absorb(*ops, factors=[one(6)])
    assert [type(op) for op in builder.ops] == [AndNot, And]
    assert marked(builder, factors) == {w for w in range(16) if w & 8 and not (w & 4 and w & 3 != 3)}


def marked(builder, factors):
    """Where a phase over the factors flips the sign, everything else undone; proved on all inputs."""
    ops = [*builder.ops, PhaseFlip(tuple(factors)), *inverse(builder.ops)]
    low, high = phases_of(ops, builder.num_data, builder.num_data + builder.used)
    assert not low.any()
    return set(np.flatnonzero(high).tolist())


sides = st.builds(Parity, st.sets(st.integers(0, 4), min_size=1, max_size=2).map(sorted).map(tuple), st.booleans())


@st.composite
def conditions(draw):
    """Some conditions over five qubits: parities, and complements of products, or sums of products."""
    made = []
    for _ in range(draw(st.integers(1, 5))):
        products = tuple(draw(st.lists(st.tuples(sides, sides), max_size=2)))
        is_flag = draw(st.booleans()) or bool(products)  # one without products is 0
        factors = [Parity((-1,), draw(st.booleans()))] if is_flag else [draw(sides)]
        made.append(Condition((Flag(products),) if is_flag else (), tuple(factors)))
    return made


@pytest.mark.more_examples(200)
@settings(max_examples=30)
@given(conditions(), st.sampled_from([None, 2, 3, 6]), st.booleans())
def test_any_oracle_marks_what_its_conditions_say(parts, ancillas, alone):
    try:
        plain = assemble(parts, 5, ancillas, alone=alone)
    except AncillaBudgetError:
        ancillas, plain = None, assemble(parts, 5, alone=alone)
    found = assemble(parts, 5, ancillas, alone=alone, absorbing=True)
    assert count_cx(found.ops) <= count_cx(plain.ops)
    assert ancillas is None or found.num_ancillas <= ancillas
    wanted = {
        word
        for word, bits in enumerate(b[::-1] for b in product((False, True), repeat=5))
        if all(holds(condition, bits) for condition in parts)
    }
    assert signs(found) in (wanted, set(range(32)) - wanted)


def holds(condition, bits):
    values = dict(enumerate(bits))
    for number, flag in enumerate(condition.flags):
        total = False
        for left, right in flag.products:
            total ^= left.value(values.__getitem__, True) and right.value(values.__getitem__, True)
        values[-1 - number] = total
    return all(factor.value(values.__getitem__, True) for factor in condition.factors)


def signs(oracle):
    low, high = phases_of(oracle.ops, 5, oracle.num_qubits)
    assert (low == low[0]).all()
    return set(np.flatnonzero(high).tolist())

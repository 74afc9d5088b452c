"""Parities made in place: the same phase, everything undone, and no more CX."""

import pytest
from every_state import phases_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gatesolve.circuit import And, Parity, PhaseFlip, Xor, count_cx, inverse
from gatesolve.oracle.assemble import LONGEST_SHUFFLED, place_parities

DATA, ANCILLAS = 5, 5


@st.composite
def computations(draw):
    """ANDs and XORs onto ancillas, some onto one twice, of whatever is written before; then a phase."""
    ops = []
    written = list(range(DATA))
    for ancilla in range(DATA, DATA + ANCILLAS):
        for _ in range(draw(st.integers(1, 3))):
            sides = [draw(parities(written)) for _ in range(2)]
            ops.append(And(*sides, ancilla) if draw(st.booleans()) else Xor(sides[0], ancilla))
        written.append(ancilla)
    factors = tuple(draw(parities(written)) for _ in range(draw(st.integers(1, 4))))
    return [*ops, PhaseFlip(factors, (DATA + ANCILLAS,))]


@st.composite
def parities(draw, wires):
    chosen = draw(st.lists(st.sampled_from(wires), min_size=1, max_size=5, unique=True))
    return Parity(tuple(sorted(chosen)), draw(st.booleans()))


def whole(ops):
    return (*ops, *inverse(ops[:-1]))


def phases(ops):
    return phases_of(ops, DATA, DATA + ANCILLAS + 1).tolist()


@pytest.mark.more_examples(48)
@settings(deadline=None, max_examples=25)
@given(ops=computations())
def test_the_phase_is_the_same_and_everything_comes_back(ops):
    found = place_parities(ops)
    assert phases(whole(found)) == phases(whole(ops))


def test_what_is_read_twice_is_made_once():
    pair = Parity((0, 1))
    ops = [And(pair, Parity((k,)), 6 + k) for k in range(2, 6)]
    ops.append(PhaseFlip(tuple(Parity((6 + k,)) for k in range(2, 6))))
    assert count_cx(whole(place_parities(ops))) == count_cx(whole(ops)) - 6


def test_a_wire_that_is_written_later_holds_no_parity():
    ops = [And(Parity((0, 6)), Parity((1,)), 7), And(Parity((0, 6)), Parity((2,)), 8), Xor(Parity((3,)), 6)]
    ops.append(PhaseFlip((Parity((0, 6)), Parity((7,)), Parity((8,)))))
    found = place_parities(ops)
    written = [place for place, op in enumerate(found) if isinstance(op, Xor) and op.target == 6]
    reading = [place for place, op in enumerate(found) if isinstance(op, And)]
    assert len(written) == 1 or written[0] > max(reading)


def test_other_orders_are_the_same_every_time():
    pairs = [Parity((k, (k + 1) % DATA)) for k in range(DATA)]
    ops = [And(pairs[k], pairs[(k + 2) % DATA], 6 + k) for k in range(DATA)]
    ops.append(PhaseFlip(tuple(Parity((6 + k,)) for k in range(DATA))))
    assert len(ops) <= LONGEST_SHUFFLED
    assert place_parities(ops) == place_parities(ops)
    assert count_cx(whole(place_parities(ops))) <= count_cx(whole(ops))

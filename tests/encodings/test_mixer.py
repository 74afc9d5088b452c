"""Mixers: which hops, in which order, and which blocks they suit."""

from itertools import combinations

import pytest

from gatesolve.encodings import (
    Mixer,
    Space,
    complete_mixer,
    default_mixer,
    make_binary,
    make_one_hot,
    make_table,
    make_unary,
    mixers_for,
    ring_mixer,
)
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model import Variable


def test_ring_takes_even_edges_then_odd_then_the_closing_one() -> None:
    assert ring_mixer(1).hops == ()
    assert ring_mixer(2).hops == ((0, 1),)
    assert ring_mixer(3).hops == ((0, 1), (1, 2), (2, 0))
    assert ring_mixer(4).hops == ((0, 1), (2, 3), (1, 2), (3, 0))
    assert ring_mixer(5).hops == ((0, 1), (2, 3), (1, 2), (3, 4), (4, 0))


@pytest.mark.parametrize("size", range(1, 10))
def test_complete_meets_every_pair_once_in_disjoint_rounds(size: int) -> None:
    hops = complete_mixer(size).hops
    assert sorted(hops) == list(combinations(range(size), 2))
    a_round = size // 2
    for start in range(0, len(hops), max(a_round, 1)):
        met = [p for hop in hops[start : start + a_round] for p in hop]
        assert len(met) == len(set(met))


def _space() -> Space:
    rows = ((1, 2), (2, 1), (2, 2))
    return Space(
        (make_one_hot(Variable("a", (1, 2, 3, 4))), make_binary(Variable("b", (0, 1))), make_table(("c", "d"), rows))
    )


def test_auto_takes_each_blocks_default() -> None:
    assert mixers_for(_space()) == (ring_mixer(4), Mixer("x", ((0, 1),)), Mixer("grover"))
    assert mixers_for(_space(), "grover") == (Mixer("grover"),) * 3
    assert mixers_for(_space(), "grover-global") == (Mixer("grover-global"),)
    assert default_mixer(make_unary(make_table(("c", "d"), ((1, 2), (2, 1), (2, 2))))) == ring_mixer(3)
    assert default_mixer(make_one_hot(Variable("e", (7,)))) == ring_mixer(1)
    assert default_mixer(make_binary(Variable("f", (1, 2, 3, 4)))) == Mixer("grover")


def test_a_kind_that_does_not_suit_names_the_block() -> None:
    with pytest.raises(UnsupportedError, match="binary block of b"):
        mixers_for(_space(), "xy-ring")
    with pytest.raises(UnsupportedError, match="one-hot block of a"):
        mixers_for(_space(), "x")
    with pytest.raises(InputError, match="none of auto"):
        mixers_for(_space(), "yx")  # type: ignore[arg-type]
    assert mixers_for(Space((make_binary(Variable("b", (0, 1))),)), "x") == (Mixer("x", ((0, 1),)),)
    assert mixers_for(Space((make_one_hot(Variable("a", (0, 1, 5))),)), "xy-complete") == (complete_mixer(3),)

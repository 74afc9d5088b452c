"""Other codewords for the same tuples: what is refused, and what a search for cheaper ones may and may not do."""

import random

import pytest

from gatesolve.encodings.recode import _step, by_value, coded, recoded, replaced, searched
from gatesolve.encodings.shapes import shape
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError
from gatesolve.model import Variable

THREE = [(0,), (1,), (2,)]


@pytest.mark.parametrize(
    ("words", "width"),
    [
        ((0, 0, 1), 2),  # one twice
        ((0, 1), 2),  # too few
        ((0, 1, 2, 3), 2),  # too many
        ((0, 1, 1, 2), 2),  # as many different ones as tuples, but one too many
        ((-1, 0, 1), 2),
        ((0, 1, 4), 2),  # too wide by one
        ((2, 3, 4), 1),
    ],
)
def test_codewords_that_are_no_different_patterns_are_refused(words, width):
    with pytest.raises(InputError, match=f"are not 3 different patterns of {width} bits"):
        coded(("x",), THREE, words, width)


def test_a_set_that_cannot_be_prepared_is_refused():
    with pytest.raises(InputError, match=r"no preparation is known for the set of codewords \[0, 1, 2, 4\]"):
        coded(("x",), [(k,) for k in range(4)], [4, 2, 1, 0])


@pytest.mark.parametrize(("words", "given", "width"), [((0, 1, 2), None, 2), ((1, 3, 2), 2, 2), ((0, 4, 2), None, 3)])
def test_codewords_up_to_the_width_are_taken_as_they_are(words, given, width):
    made = coded(("x",), THREE, words, given, "binary")
    assert (made.codewords, made.tuples, made.num_qubits, made.kind) == (words, tuple(THREE), width, "binary")
    found = shape(words, width)
    assert (made.preparation, made.roots) == (found.preparation, found.roots)
    assert (made.mirror.ops, made.mirror.roots) == (found.mirror, found.mirror_roots)


def test_a_block_whose_preparation_is_its_mirror_has_no_other():
    assert coded(("x",), [(0,), (1,)], (1, 0)).mirror is None


def test_a_recoded_block_keeps_its_width_and_kind():
    wide = coded(("x",), [(0,), (1,)], (0, 4), 3, "binary")
    other = recoded(wide, (1, 0))
    assert (other.num_qubits, other.kind, other.codewords) == (3, "binary", (1, 0))
    with pytest.raises(InputError, match="patterns of 3 bits"):
        recoded(wide, (0, 8))


def test_values_are_digits_from_zero_on():
    made = by_value(Variable("x", (0, 1)))
    assert (made.codewords, made.tuples, made.kind) == ((0, 1), ((0,), (1,)), "binary")
    with pytest.raises(InputError, match="variable x has the value -1"):
        by_value(Variable("x", (-1, 0)))


def test_one_block_is_replaced():
    blocks = [by_value(Variable(name, (0, 1))) for name in "abc"]
    other = by_value(Variable("d", (0, 1)))
    for number in range(3):
        expected = [other if k == number else block for k, block in enumerate(blocks)]
        assert replaced(Space(tuple(blocks)), number, other) == Space(tuple(expected))


# The search for cheaper codewords.


def start():
    """A pair on three qubits, three of its codewords on the first two; and a bit that has no other codewords."""
    tuples = [(a, b) for a in range(3) for b in range(2)]
    return Space((coded(("a", "b"), tuples, [a | b << 2 for a, b in tuples]), by_value(Variable("c", (0, 1)))))


class Priced:
    """Remembers what was priced; the price is what ``of`` makes of the first block's codewords."""

    def __init__(self, of):
        self.of, self.met = of, []

    def __call__(self, space):
        self.met.append(space)
        return self.of(space.blocks[0].codewords)


def weighted(words):
    return sum(word * k for k, word in enumerate(words))


def test_no_steps_leave_the_space_as_it_is():
    price = Priced(weighted)
    assert searched(start(), price, steps=0, seed=1) == start()
    assert len(price.met) == 1


def test_a_search_prices_each_set_of_codewords_once_and_returns_the_cheapest():
    price = Priced(weighted)
    found = searched(start(), price, steps=80, seed=3)
    words = [space.blocks[0].codewords for space in price.met]
    assert len(set(words)) == len(words) <= 81
    assert len(words) > 20
    assert weighted(found.blocks[0].codewords) == min(map(weighted, words)) < weighted(words[0])
    for space in price.met:
        assert space.blocks[1] == start().blocks[1]  # one qubit: nothing to choose
        assert space.blocks[0].tuples == start().blocks[0].tuples
        assert len(space.mirror_roots) <= len(start().mirror_roots)


def test_a_search_goes_uphill_only_within_its_slack():
    """The price of the first is the least: a step up is taken with slack alone, and what follows is met from there."""
    first = start().blocks[0].codewords

    def price_of(words):
        return sum(a != b for a, b in zip(words, first, strict=True))

    near, far = Priced(price_of), Priced(price_of)
    for price, slack in ((near, 0.0), (far, 6.0)):
        assert searched(start(), price, steps=200, seed=2, slack=slack) == start()
    for space in near.met[1:]:  # each is one step from the first
        assert one_step(first, space.blocks[0].codewords)
    assert not all(one_step(first, space.blocks[0].codewords) for space in far.met[1:])


def one_step(before, after):
    """Whether two codewords changed places, one became another, or a bit was added to another in all."""
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    added = [
        tuple(word ^ (word >> control & 1) << target for word in before)
        for control in range(3)
        for target in range(3)
        if control != target
    ]
    exchanged = len(changed) == 2 and changed[0] == changed[1][::-1]
    return exchanged or len(changed) == 1 or after in added


def test_an_equal_price_is_walked_along_and_the_first_is_returned():
    far = 0
    for seed in range(10):
        price = Priced(lambda words: 0)
        assert searched(start(), price, steps=8, seed=seed) == start()
        far += sum(not one_step(start().blocks[0].codewords, space.blocks[0].codewords) for space in price.met[1:])
    assert far > 20  # of 80: a space that is no dearer is always gone on from


@pytest.mark.parametrize("seed", range(5))
def test_what_is_returned_is_the_cheapest_met_wherever_the_walk_ends(seed):
    price = Priced(weighted)
    found = searched(start(), price, steps=30, seed=seed, slack=100.0)
    assert price.of(found.blocks[0].codewords) == min(price.of(space.blocks[0].codewords) for space in price.met)


def test_every_kind_of_step_is_tried_and_none_needs_more_roots():
    block = start().blocks[0]
    draw = random.Random(0)
    drawn = [_step(block, block.codewords, draw) for _ in range(300)]
    steps = {words for words in drawn if words is not None}
    assert None in drawn  # a pattern moved to breaks the product of three words and a bit
    assert all(one_step(block.codewords, words) for words in steps)
    assert all(len(recoded(block, words).mirror.roots) <= len(block.mirror.roots) for words in steps)
    swaps = {words for words in steps if set(words) == set(block.codewords)}
    assert len(swaps) > 10
    differing = {sum(a != b for a, b in zip(words, block.codewords, strict=True)) for words in steps - swaps}
    assert min(differing) == 1 < max(differing)  # a pattern moved to; a bit added to another


def test_a_tuple_takes_an_unused_pattern():
    block, draw = coded(("x",), THREE, (0, 1, 2)), random.Random(1)
    drawn = {_step(block, block.codewords, draw) for _ in range(100)}
    assert {(3, 1, 2), (0, 3, 2), (0, 1, 3)} < drawn


def test_a_full_cube_has_no_unused_pattern():
    block, draw = coded(("a", "b"), [(a, b) for a in (0, 1) for b in (0, 1)], range(4)), random.Random(1)
    drawn = {_step(block, block.codewords, draw) for _ in range(60)}
    assert {words if words is None else tuple(sorted(words)) for words in drawn} == {None, (0, 1, 2, 3)}

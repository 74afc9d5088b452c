"""Other codewords for the same tuples, and what is refused."""

import pytest
from recode import by_value, recoded, replaced

from gatesolve.encodings import Space, find_shape, make_coded
from gatesolve.errors import InputError
from gatesolve.model import Variable

THREE = [(0,), (1,), (2,)]


@pytest.mark.parametrize(("words", "width"), [((0, 0, 1), 2), ((0, 1), 2), ((-1, 0, 1), 2), ((0, 1, 4), 2)])
def test_codewords_that_are_no_different_patterns_are_refused(words, width):
    with pytest.raises(InputError, match=f"are not 3 different patterns of {width} bits"):
        make_coded(("x",), THREE, words, width)


@pytest.mark.parametrize(("words", "given", "width"), [((0, 1, 2), None, 2), ((1, 3, 2), 2, 2), ((0, 4, 2), None, 3)])
def test_codewords_up_to_the_width_are_taken_as_they_are(words, given, width):
    made = make_coded(("x",), THREE, words, given, "binary")
    assert (made.codewords, made.tuples, made.num_qubits, made.kind) == (words, tuple(THREE), width, "binary")
    found = find_shape(words, width)
    assert (made.preparation, made.roots) == (found.preparation, found.roots)
    assert [(way.ops, way.roots) for way in made.mirrors] == [(found.mirror, found.mirror_roots)]


def test_a_recoded_block_keeps_its_width_and_kind():
    wide = make_coded(("x",), [(0,), (1,)], (0, 4), 3, "binary")
    other = recoded(wide, (1, 0))
    assert (other.num_qubits, other.kind, other.codewords) == (3, "binary", (1, 0))
    with pytest.raises(InputError, match="patterns of 3 bits"):
        recoded(wide, (0, 8))


def test_one_block_is_replaced():
    blocks = [by_value(Variable(name, (0, 1))) for name in "abc"]
    other = by_value(Variable("d", (0, 1)))
    for number in range(3):
        expected = [other if k == number else block for k, block in enumerate(blocks)]
        assert replaced(Space(tuple(blocks)), number, other) == Space(tuple(expected))

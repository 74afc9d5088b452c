"""One hash of content: equal for what is equal, whatever order it has, in every process; for nothing else."""

import subprocess
import sys
from dataclasses import field, make_dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import models

from gatesolve.api import Options
from gatesolve.encodings import Space, block
from gatesolve.model import Clause, Model, Variable, canonical, content, content_key

LEAVES = st.sampled_from([None, 0, 1, -1, 255, 0.5, Fraction(1, 2), "", "1", "null", "0:", "x\udcff", b"", b"1", True])


def trees(leaves):
    """Nested values of few leaves, so that equal ones are drawn."""
    some = {"max_size": 2}
    return st.one_of(
        st.lists(leaves, **some).map(tuple), st.frozensets(leaves, **some), st.dictionaries(leaves, leaves, **some)
    )


HASHABLE = st.one_of(LEAVES, st.lists(LEAVES, max_size=2).map(tuple), st.frozensets(LEAVES, max_size=2))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(trees(HASHABLE), trees(HASHABLE))
def test_keys_are_equal_where_values_are(first, second):
    assert (canonical(first) == canonical(second)) == (first == second)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(models(with_objective=True), models(with_objective=True))
def test_keys_of_models(first, second):
    assert (content_key(first) == content_key(second)) == (first == second)
    assert content_key(first) == content_key(replace(first))


def clause(*values):
    return Model((Variable("a", (0, 8, 16)),), (Clause((("a", frozenset(values)),)),))


def test_a_set_made_in_another_order_has_the_same_key():
    first, second = clause(0, 8, 16), clause(16, 8, 0)
    assert first == second
    assert repr(first) != repr(second)  # or this shows nothing
    assert content_key(first) == content_key(second) != content_key(clause(0, 8))


def test_the_key_does_not_depend_on_the_hashes_of_a_process():
    words = "frozenset({'a', 'b', 'c', 'd', 'e', 'f'})"
    module = Path(content.__file__)  # alone: the package takes a second to import
    code = f"import runpy; print(runpy.run_path({str(module)!r})['content_key']({words}), list({words}))"
    found = set()
    for seed in "123":
        ran = subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        found.add(tuple(ran.stdout.split(b" ", 1)))
    assert len({key for key, _ in found}) == 1
    assert len({order for _, order in found}) > 1  # or this shows nothing


def test_a_new_field_with_a_default_leaves_keys_as_they_are():
    old = make_dataclass("Row", [("name", str)], frozen=True)
    fields = [("cost", int, field(default=3)), ("name", str), ("notes", list, field(default_factory=list))]
    new = make_dataclass("Row", fields, frozen=True, kw_only=True)
    assert content_key(old("a")) == content_key(new(name="a")) == content_key(new(name="a", cost=3, notes=[]))
    keys = {content_key(new(name="a")), content_key(new(name="a", cost=4)), content_key(new(name="a", notes=[1]))}
    assert len(keys) == 3
    assert content_key(make_dataclass("Column", [("name", str)])("a")) not in keys


def test_a_field_that_is_not_compared_is_no_content():
    made = make_dataclass("Row", [("name", str), ("seconds", float, field(compare=False, default=0.0))])
    assert content_key(made("a", 1.0)) == content_key(made("a", 2.0)) != content_key(made("b", 1.0))


@pytest.mark.parametrize(
    "change", [{"kind": "binary"}, {"codewords": (2, 1)}, {"roots": ()}, {"preparation": ()}, {"tuples": ((1,), (0,))}]
)
def test_spaces_that_differ_have_other_keys(change):
    made = block.make_one_hot(Variable("a", (0, 1)))
    assert content_key(Space((made,))) == content_key(Space((block.make_one_hot(Variable("a", (0, 1))),)))
    assert content_key(Space((made,))) != content_key(Space((replace(made, **change),)))


def test_options_are_their_choices():
    assert content_key(Options()) == content_key(Options(seed=0, pipeline="auto"))
    assert len({content_key(Options(**chosen)) for chosen in ({}, {"seed": 1}, {"exact": True}, {"shots": 1})}) == 4

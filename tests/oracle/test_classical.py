"""The classical style: any set of codewords is marked exactly, whatever the encoding and the budget."""

from importlib import import_module

import pytest
from conformance.spaces import ENCODINGS, marks, space_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import models

from gatesolve.model import Model, Variable
from gatesolve.oracle import classical_oracle

module = import_module("gatesolve.oracle.classical")


@pytest.mark.quick("*-0")
@pytest.mark.parametrize("walked", [1 << 18, 0])
@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_any_set_of_codewords(encoding, walked, data):
    """With ``walked`` zero, as for a space too large to walk."""
    space = space_of(data.draw(models(max_variables=3)), encoding)
    assume(space.size <= 300)
    chosen = data.draw(st.sets(st.integers(0, space.size - 1), max_size=8))
    ancillas = data.draw(st.sampled_from([None, 0, 1]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PRUNE_SIZE", walked)
        oracle = classical_oracle(sorted(chosen), space, ancillas)
    assert ancillas is None or oracle.num_ancillas <= ancillas
    assert [n for n, mark in enumerate(marks(oracle, space)) if mark] == sorted(chosen)


def test_no_solution_takes_no_operation():
    space = space_of(Model((Variable("x", (0, 1, 2)),)), "binary")
    oracle = classical_oracle([], space)
    assert (oracle.ops, oracle.num_ancillas, oracle.style) == ((), 0, "classical")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_solutions_that_fill_a_subspace_are_marked_at_once(encoding):
    space = space_of(Model(tuple(Variable(n, (0, 1)) for n in "abcd")), encoding)
    half = [n for n in range(16) if space.assignment(n)["c"] == 1]
    assert len(classical_oracle(half, space).ops) == 1
    assert len(classical_oracle(list(range(16)), space).ops) == 1

"""Planning returns what is too large as a value: why, how large, and whether parts may fit."""

import re

import pytest
from divided_boards import hard

import gatesolve
from gatesolve.errors import AncillaBudgetError, DoesNotFitError
from gatesolve.oracle import PhaseRecipe
from gatesolve.planning import Clock, Layout, SpaceLimits, TooLarge, choose


def plan(size=4, **limits):
    return choose(hard(size), PhaseRecipe(), SpaceLimits(**limits), Clock())


def test_a_layout_has_the_provenance_of_its_space():
    found = plan(encoding="one-hot", most_states=1 << 20, is_simulated=False)
    assert isinstance(found, Layout)
    assert (found.provenance.encoding, found.provenance.level) == ("one-hot", "merged")
    assert found.oracle.num_data == found.space.num_qubits


@pytest.mark.parametrize("divides", [False, True])
def test_too_many_states_are_told_with_their_number(divides):
    found = plan(encoding="one-hot", most_states=2, divides=divides)
    assert isinstance(found, TooLarge)
    assert (found.by, found.divides) == ("states", divides)
    assert found.states > 2
    assert str(found.error("; advice")) == f"{found.message}; advice"


def test_values_tried_in_vain_are_counted():
    whole = plan(encoding="one-hot", most_states=2, divides=True)
    assert isinstance(whole, TooLarge)
    assert whole.probes > 0
    found = gatesolve.solve(hard(), max_space=2, encoding="one-hot")
    assert found.division.probes >= whole.probes


def test_too_few_ancillas_end_planning_with_the_number_that_would_do():
    found = plan(3, encoding="one-hot", ancillas=0)
    assert isinstance(found, TooLarge)
    assert (found.by, found.divides) == ("oracle", False)
    with pytest.raises(AncillaBudgetError) as refused:
        raise found.error()
    assert refused.value.least == found.ancillas > 0
    assert isinstance(plan(3, encoding="one-hot", ancillas=found.ancillas), Layout)


def test_a_limit_on_qubits_is_told_with_the_number_that_would_do():
    found = plan(encoding="one-hot", max_qubits=1, is_simulated=False)
    assert isinstance(found, TooLarge)
    assert (found.by, type(found.error())) == ("qubits", DoesNotFitError)


@pytest.mark.parametrize(
    "text", ["x, y in 0..9; x + y == 9", "a, b, c in 0..1; a + b == 1; b + c == 1", "x, y, z in 0..3; x*y + z == 7"]
)
@pytest.mark.parametrize("encoding", ["auto", "binary", "one-hot"])
def test_the_number_of_qubits_that_is_named_fits(text, encoding):
    with pytest.raises(DoesNotFitError) as refused:
        gatesolve.compile(text, encoding=encoding, max_qubits=1)
    needed = int(re.search(r"use max_qubits=(\d+) or more$", str(refused.value))[1])
    assert gatesolve.compile(text, encoding=encoding, max_qubits=needed).program.num_qubits <= needed

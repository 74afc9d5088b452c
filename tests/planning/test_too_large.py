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
    found = plan(3, encoding="one-hot", most_states=1 << 20, is_simulated=False)
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
    assert refused.value.least == found.least > 0
    assert isinstance(plan(3, encoding="one-hot", ancillas=found.least), Layout)


def test_a_limit_on_qubits_is_told_with_the_number_that_would_do():
    found = plan(3, encoding="one-hot", max_qubits=1, is_simulated=False)
    assert isinstance(found, TooLarge)
    assert found.by == "qubits"
    assert isinstance(plan(3, encoding="one-hot", max_qubits=found.least, is_simulated=False), Layout)


@pytest.mark.parametrize(
    "text", ["x, y in 0..9; x + y == 9", "a, b, c in 0..1; a + b == 1; b + c == 1", "x, y, z in 0..3; x*y + z == 7"]
)
@pytest.mark.parametrize("encoding", ["auto", "binary", "one-hot"])
def test_the_number_of_qubits_that_is_named_fits(text, encoding):
    with pytest.raises(DoesNotFitError) as refused:
        gatesolve.compile(text, encoding=encoding, max_qubits=1)
    needed = int(re.search(r"use max_qubits=(\d+) or more$", str(refused.value))[1])
    assert gatesolve.compile(text, encoding=encoding, max_qubits=needed).program.num_qubits <= needed


TABLED = "a, b, c in 0..4; alldifferent(a, b, c); a + b <= c + 1"
"""A model whose narrowest space, a table of 6 qubits, needs so many ancillas that a wider space takes fewer qubits."""


def least_limit(**options):
    with pytest.raises(AncillaBudgetError) as refused:
        gatesolve.compile(TABLED, presolve="none", **options)
    assert f"={refused.value.least} or more" in str(refused.value)
    return refused.value.least


def test_the_least_number_of_qubits_is_named_whatever_the_limit():
    least = least_limit(max_qubits=1)
    assert {least_limit(max_qubits=limit) for limit in (8, least - 1)} == {least}
    assert gatesolve.compile(TABLED, presolve="none", max_qubits=least).program.num_qubits == least


def test_limits_on_qubits_and_ancillas_are_met_one_after_the_other():
    ancillas = least_limit(max_qubits=8, ancillas=3, encoding="binary")
    assert ancillas > 3
    qubits = least_limit(max_qubits=8, ancillas=ancillas, encoding="binary")
    assert least_limit(max_qubits=8, encoding="binary") == qubits


def test_the_least_number_of_qubits_fits_a_space_too_large_to_simulate():
    chosen = {"max_space": 2, "presolve": "none"}
    with pytest.raises(AncillaBudgetError) as refused:
        gatesolve.compile("x, y, z in 0..3; x*y + z == 7", max_qubits=1, **chosen)
    program = gatesolve.compile("x, y, z in 0..3; x*y + z == 7", max_qubits=refused.value.least, **chosen).program
    assert program.space.size > 2
    assert program.num_qubits == refused.value.least


@pytest.mark.parametrize(
    ("text", "least"),
    [("x, y, z in 0..3; x != y; minimise x*y + 3*z + 2*x", 2), ("x, y in 0..3; maximise x*y; x + y <= 4", 4)],
)
def test_a_goal_compared_as_a_whole_counts_in_the_least_number_of_ancillas(text, least):
    chosen = {"presolve": "none", "pipeline": "gas", "encoding": "binary"}
    with pytest.raises(AncillaBudgetError) as refused:
        gatesolve.compile(text, ancillas=least - 1, **chosen)
    assert refused.value.least == least
    assert str(refused.value).endswith(f"use ancillas={least} or more (a lower bound)")
    with pytest.raises(AncillaBudgetError, match=r"use max_qubits=\d+ or more \(a lower bound\)$"):
        gatesolve.compile(text, max_qubits=4, **chosen)
    assert gatesolve.compile(text, ancillas=least, **chosen).program.num_ancillas == least

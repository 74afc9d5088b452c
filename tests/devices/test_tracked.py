"""A search on a device as it shows itself: short, its shares beside one another, no text of a user as code."""

from dataclasses import replace

import pytest
from qiskit.primitives import StatevectorSampler

import gatesolve

pytestmark = pytest.mark.slow  # IBM's SDK takes seconds to load
SMALL = "examples/kakuro/small.txt"
ASKED = {"presolve": "none", "level": "minimised", "iterations": 1, "seeds": 1, "shots": 500}


@pytest.fixture(scope="module")
def searches(tmp_path_factory):
    """As it was sent, and as it was fetched."""
    folder = tmp_path_factory.mktemp("jobs")
    seen = []
    sent = gatesolve.submit(SMALL, "fake_manila", folder=folder, progress=lambda *told: seen.append(told), **ASKED)
    assert any(stage == "send" for stage, *_ in seen)
    return sent, gatesolve.fetch(sent.key, folder=folder, wait=True)


def test_shares_are_those_of_the_record_and_of_the_counts(searches):
    sent, fetched = searches
    (circuit,) = fetched.as_dict()["jobs"][0]["circuits"]
    known = circuit["estimate"]
    shares = fetched.shares
    assert (shares.ideal, shares.expected, shares.noise) == (known["ideal"], known["expected"], known["chance"])
    assert shares.measured == fetched.search.result["readout"]["accepted"] / 500
    assert shares.noise < shares.measured < shares.ideal
    assert sent.shares == replace(shares, measured=None)


@pytest.fixture(scope="module")
def qubo_search(tmp_path_factory):
    """A search of the lowest energy, where every state is accepted."""
    qubo = gatesolve.Qubo.of("abc", {(0,): -2, (1,): 3, (0, 1): -4, (1, 2): 2.5})
    folder = tmp_path_factory.mktemp("qubo")
    return gatesolve.submit(qubo, StatevectorSampler(seed=1), shots=200, wait=True, folder=folder)


def test_only_the_best_value_counts_as_right(qubo_search):
    readout = qubo_search.search.result["readout"]
    assert readout["accepted"] == readout["shots"] > readout["best"]["shots"]
    assert f"in {readout['best']['shots']} of {readout['shots']} shots" in qubo_search.message
    assert qubo_search.shares.measured == readout["best"]["shots"] / readout["shots"]


def test_the_p_value_is_that_of_the_message(searches, qubo_search):
    sent, fetched = searches
    assert sent.p_value is None
    assert fetched.p_value == fetched.search.result["readout"]["p_value"] < 0.05
    assert qubo_search.p_value == qubo_search.search.result["readout"]["best"]["p_value"] > 0.05
    assert qubo_search.status == "solved"
    assert "found by luck" in qubo_search.message


def test_it_is_shown_in_short_and_as_a_table(searches):
    sent, fetched = searches
    assert repr(sent) == f"<TrackedSearch {sent.key}: Kakuro 3x3: 4 cells, 4 runs, values 0..3 on fake_manila, sent>"
    assert sent.message == f"job {sent.key}: sent"
    assert fetched.message == fetched.search.result["message"]
    table = fetched._repr_html_()
    assert "<th>right answers, measured</th>" in table
    assert f"<td>{fetched.shares.measured:.1%}</td>" in table
    assert "<th>right answers, measured</th><td>-</td>" in sent._repr_html_()

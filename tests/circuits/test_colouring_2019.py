"""The published colouring entries: the nine likeliest outcomes are the nine proper colourings, at the stated score."""

import csv
from pathlib import Path

import pytest
from judges import colouring_2019
from qiskit import qasm2

FOLDER = Path(__file__).parents[2] / "circuits" / "colouring-2019"


@pytest.mark.quick("entry-12000")
@pytest.mark.parametrize(("name", "most"), [("entry", 12_000), ("districts", 16_612), ("literal", 18_015)])
def test_the_top_nine_are_the_colourings(name, most):
    assert len(colouring_2019.proper_colourings()) == 9
    verdict = colouring_2019.judge("map", "exact", [FOLDER / f"{name}.qasm"])
    counts = qasm2.load(FOLDER / f"{name}.qasm").count_ops()
    assert set(counts) == {"cx", "u3", "measure"}
    assert verdict.score == (10 * counts["cx"] + counts["u3"],)
    assert verdict.score[0] <= most
    with (FOLDER / "results.csv").open() as file:
        row = {"blocks": "entry", "districts": "districts", "literal": "literal"}
        (own,) = (r for r in csv.DictReader(file) if row[r["name"]] == name)
    assert (int(own["u"]), int(own["cx"])) == (counts["u3"], counts["cx"])

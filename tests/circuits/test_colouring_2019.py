"""The published colouring entry: its nine likeliest outcomes are the nine proper colourings, at the stated score."""

import csv
from itertools import product
from pathlib import Path

import pytest
from qiskit import qasm2

from gatesolve.simulate.sparse import probabilities

FOLDER = Path(__file__).parents[2] / "circuits" / "colouring-2019"
EDGES = [
    "A0",
    "A2",
    "A3",
    "01",
    "02",
    "03",
    "1B",
    "13",
    "14",
    "B4",
    "23",
    "25",
    "26",
    "2C",
    "34",
    "35",
    "36",
    "46",
    "CD",
    "56",
    "5D",
    "6D",
]


def proper_colourings():
    for colours in product(range(4), repeat=7):
        colour = dict(zip("0123456ABCD", (*colours, 0, 1, 2, 3), strict=True))
        if all(colour[a] != colour[b] for a, b in EDGES):
            yield colours


@pytest.mark.quick("entry-12000")
@pytest.mark.parametrize(("name", "most"), [("entry", 12_000), ("districts", 16_612)])
def test_the_top_nine_are_the_colourings(name, most):
    circuit = qasm2.load(FOLDER / f"{name}.qasm")
    counts = circuit.count_ops()
    assert set(counts) == {"cx", "u3", "measure"}
    assert 10 * counts["cx"] + counts["u3"] <= most
    with (FOLDER / "results.csv").open() as file:
        row = {"blocks": "entry", "districts": "districts"}
        (own,) = (r for r in csv.DictReader(file) if row[r["name"]] == name)
    assert (int(own["u"]), int(own["cx"])) == (counts["u3"], counts["cx"])
    places = {circuit.find_bit(i.clbits[0]).index: circuit.find_bit(i.qubits[0]).index
              for i in circuit.data if i.operation.name == "measure"}  # fmt: skip
    found: dict[tuple[int, ...], float] = {}
    for state, probability in probabilities(circuit.remove_final_measurements(inplace=False)).items():
        bits = [state >> places[k] & 1 for k in range(14)]
        colours = tuple(2 * bits[2 * n] + bits[2 * n + 1] for n in range(7))
        found[colours] = found.get(colours, 0.0) + probability
    wanted = set(proper_colourings())
    best = sorted(found, key=lambda colours: -found[colours])
    assert len(wanted) == 9
    assert set(best[:9]) == wanted
    assert found[best[8]] > 5 * found[best[9]]

"""The circuits of few Toffoli gates add and multiply; test_open_table.py has their scores judged."""

import csv
from pathlib import Path

import numpy as np
import pytest
from benchmark_calls import MODELS, score_call
from fields import Field
from phased import draw_outcomes, run_phased
from qiskit import qasm3
from scripts import load_script

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "circuits" / "toffoli-measured"
MOST_EXHAUSTIVE = 12
DRAWN = 1 << 12


MAKE = load_script(FOLDER / "make.py")
ENTRIES = {entry.name: entry for entry in MAKE.ENTRIES}
with (FOLDER / "results.csv").open() as table:
    ROWS = {row["name"]: row for row in csv.DictReader(table)}


def read(name):
    return qasm3.loads((FOLDER / f"entry-{name}.qasm").read_text())


def draw_inputs(circuit, wires, seed=0):
    """Values of the given wires, zero on all others."""
    if len(wires) <= MOST_EXHAUSTIVE:
        values = np.arange(1 << len(wires)) >> np.arange(len(wires))[:, None] & 1
    else:
        # Every other input is mostly ones: a product of many wires would hardly ever be one.
        values = np.random.default_rng(seed).random((len(wires), DRAWN)) < np.tile([0.5, 0.9], DRAWN // 2)
    inputs = np.zeros((circuit.num_qubits, values.shape[1]), dtype=bool)
    inputs[wires] = values
    return inputs


def run(circuit, inputs, seed=1):
    """What the wires hold at the end; no sign between inputs, whatever the outcomes.

    Drawn outcomes are followed, then their opposites: each measurement has given both.
    """
    drawn = draw_outcomes(circuit, seed)
    (bits, sign), (opposite, other_sign) = (
        run_phased(circuit, inputs, outcomes) for outcomes in (drawn, [not bit for bit in drawn])
    )
    for turned in (sign, other_sign):
        assert turned.all() or not turned.any()
    assert np.array_equal(bits, opposite)
    return bits


def names_of(name):
    return ENTRIES[name].state().names


def number(bits, wires):
    """The integer whose digits some wires hold, lowest first, for each input."""
    return (1 << np.arange(len(wires))) @ bits[wires]


def test_the_readme_shows_the_rows():
    text = (FOLDER / "README.md").read_text()
    shown = [
        [cell.strip(" *") for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")
    ]
    words = {row["name"]: compare(int(row["toffoli"]), int(row["published"])) for row in ROWS.values()}
    keys = ("name", "class", "toffoli", "published", "qubits", "made", "by_call")
    # Published numbers are of another class than clean rows.
    rows = [row | ({"published": ""} if row["class"] == "clean" else {}) for row in ROWS.values()]
    assert [[*cells[:4], *cells[5:]] for cells in shown[2:]] == [[row[key] for key in keys] for row in rows]
    assert [cells[4] for cells in shown[2:]] == ["" if "-" in name else word for name, word in words.items()]
    counts = [
        sum(word == one and "-" not in name for name, word in words.items()) for one in ("ahead", "equal", "behind")
    ]
    assert counts == [7, 20, 0]


@pytest.mark.parametrize("name", MODELS)
def test_calls_are_judged_again(name):
    assert score_call(name) == int(ROWS[name]["by_call"]) == int(ROWS[name]["toffoli"])


def compare(ours, published):
    return "ahead" if ours < published else "equal" if ours == published else "behind"


def wires_of(name, prefix):
    """The places of wires such as b0, b1, ... in their order."""
    names = names_of(name)
    return [names.index(f"{prefix}{k}") for k in range(len(names)) if f"{prefix}{k}" in names]


@pytest.mark.parametrize("name", ["rc_adder_6", "adder_8-clean"])
def test_adders_add_where_further_wires_are_zero(name):
    circuit = read(name)
    a, b, z = wires_of(name, "a"), wires_of(name, "b"), names_of(name).index("z")
    inputs = draw_inputs(circuit, [*a, *b])
    bits = run(circuit, inputs)
    assert np.array_equal(number(bits, [*b, z]), number(inputs, a) + number(inputs, b))
    assert np.array_equal(bits[a], inputs[a])


@pytest.mark.quick("4", "5")
@pytest.mark.parametrize("degree", range(4, 11))
def test_fields_multiply(degree):
    circuit, field = read(f"gf2_{degree}_mult"), Field(degree)
    inputs = draw_inputs(circuit, list(range(2 * degree)))
    a, b, c = (range(degree * k, degree * (k + 1)) for k in range(3))
    factors = zip(number(inputs, list(a)), number(inputs, list(b)), strict=True)
    wanted = [field.multiply(int(left), int(right)) for left, right in factors]
    assert list(number(run(circuit, inputs), list(c))) == wanted

"""X under many controls: the rows are made again, no row is above Qiskit's, and the check sees a missing gate."""

import csv
from pathlib import Path

import pytest
from scripts import load_script

from gatesolve import mcx

FOLDER = Path(__file__).parents[2] / "circuits" / "mcx-without-ancillas"
MAKE = load_script(FOLDER / "make.py")


def rows():
    with (FOLDER / "results.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_every_size_has_a_row_and_none_is_above_qiskits():
    assert [int(row["controls"]) for row in rows()] == list(MAKE.CONTROLS)
    for row in rows():
        assert int(row["cx"]) <= min(int(row["hp24_cx"]), int(row["default_cx"]))
        assert int(row["transpiled_cx"]) <= int(row["default_cx"])
        assert int(row["depth"]) <= int(row["hp24_depth"])


def test_the_readme_shows_the_rows():
    text = (FOLDER / "README.md").read_text()
    columns = ("controls", "cx", "hp24_cx", "default_cx", "transpiled_cx", "depth", "hp24_depth", "default_depth")
    shown = [row for row in rows() if int(row["controls"]) in {33, 40, 48, 56, 64}]
    assert "\n".join(f"| {' | '.join(f'{int(row[k]):,}' for k in columns)} |" for row in shown) in text


@pytest.mark.sampled(1)
@pytest.mark.parametrize("controls", [33, 40])
def test_a_row_is_made_again(controls):
    (known,) = (row for row in rows() if row["controls"] == str(controls))
    assert {key: str(value) for key, value in MAKE.row(controls).items()} == known


@pytest.mark.parametrize("fault", [None, "phase", "place"])
def test_a_pair_tells_phases_and_places(fault):
    circuit = mcx(5)
    if fault == "phase":
        circuit.cz(0, 1)
    if fault == "place":
        circuit.cx(4, 5)
    other = [True, False, True, True, True, False]
    assert MAKE.is_flipped(circuit, other) == (fault is None)

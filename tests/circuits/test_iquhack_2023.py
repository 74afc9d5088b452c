"""The tables of iQuHACK 2023: statements mean what the oracles do; test_open_table.py has the circuits judged."""

import csv
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from calls import STATEMENTS, xor_circuits
from cpmpy.transformations.get_variables import get_variables
from judges import RefusedError
from oracles import ORACLES
from plans import read_plan, write_qasm
from scripts import load_script

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "circuits" / "iquhack-2023"


MAKE = load_script(FOLDER / "make.py")
with (FOLDER / "results.csv").open() as table:
    ROWS = {row["name"]: row for row in csv.DictReader(table)}


def test_the_starting_scores_are_those_of_the_contest():
    for number, oracle in ORACLES.items():
        given = sum(map(oracle.marked, range(1 << oracle.inputs))) + 2 * (number == 2)
        toffolis = 1 if number == 1 else given * (2 * oracle.inputs - 3)
        wires = 6 if number == 1 else 2 * oracle.inputs - 1
        assert oracle.start == MAKE.width(wires) * 3 * toffolis


def test_the_readme_shows_the_rows():
    text = (FOLDER / "README.md").read_text()
    shown = [[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in text.splitlines() if line[:2] == "| "]
    wanted = []
    for number in map(str, ORACLES):
        cells = [number, f"{int(ROWS[number]['start']):,}"]
        for row in (ROWS[number], ROWS[f"{number}-measured"]):
            cells += [f"{int(row['score']):,}", mark(row), f"{int(row['by_call']):,}"]
        wanted.append(cells)
    assert [cells[:1] + cells[2:] for cells in shown[2:]] == wanted
    assert [name for name, row in ROWS.items() if int(row["score"]) > int(row["bar"])] == ["2", "4", "8"]


def mark(row):
    """The bar, as the table shows it."""
    return f"{int(row['bar']):,}" + (" missed" if int(row["score"]) > int(row["bar"]) else "")


@pytest.mark.sampled(2)
@pytest.mark.quick("1", "6-measured")
@pytest.mark.parametrize("name", ROWS)
def test_calls_are_scored_again(name):
    assert MAKE.score_call(int(name[0]), "-" in name) == int(ROWS[name]["by_call"])


@pytest.mark.parametrize("number", ORACLES)
def test_statements_mark_what_the_oracles_do(number):
    conditions, oracle = STATEMENTS[number](), ORACLES[number]
    variables = {one.name: one for one in get_variables(conditions)}
    digits = {f"x{k}": (k, 1) for k in range(oracle.inputs)} | {"number": (0, oracle.inputs)}
    digits |= {"low": (0, oracle.inputs // 2), "high": (oracle.inputs // 2, oracle.inputs // 2)}
    for value in range(1 << oracle.inputs):
        for name, variable in variables.items():
            place, size = digits[name]
            variable._value = value >> place & (1 << size) - 1
        assert all(condition.value() for condition in conditions) == oracle.marked(value)


@pytest.mark.parametrize("text", ["x0 & x1", "phase t & x0+x1 & x1+x0", "x0 ^= x0+x2 & x1", "phase t & u"])
def test_a_plan_that_is_none_is_refused(text):
    with pytest.raises(ValueError, match=r"plan|depend|not in list"):
        write_qasm(read_plan(text, 3), measured=False)


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """Runs search.cpp on a task."""
    if not (compiler := shutil.which("g++")):
        pytest.skip("no g++")
    program = tmp_path_factory.mktemp("search") / "search"
    subprocess.run([compiler, "-O3", "-std=c++17", "-o", program, FOLDER / "search.cpp"], check=True)

    def search(number, *words):
        given = MAKE.list_marked(number)
        return subprocess.run([program, *words], input=given, capture_output=True, text=True, check=True).stdout

    return search


@pytest.mark.slow
def test_no_fewer_products_in_place_do(searched):
    assert searched(2, "2") == searched(2, "2", "any") == "none\n"
    assert searched(8, "3") == searched(8, "2", "any") == "none\n"


@pytest.mark.slow
def test_what_the_search_finds_leaves_one_phase_of_three_factors(searched):
    *steps, last = searched(2, "3").splitlines()
    assert (last, len(steps)) == ("found", 3)
    numbers = np.arange(64)
    phase = np.array([number >> 5 == 1 and ORACLES[2].marked(number & 31) for number in range(64)])
    for step in steps:
        wires, left, right, form = map(int, re.findall(r"\d+", step))
        both = np.array([((z & left).bit_count() & (z & right).bit_count()) % 2 for z in range(64)])
        extra = np.array([(z & form).bit_count() % 2 for z in range(64)])
        phase = phase[numbers ^ wires * both] ^ (both & extra).astype(bool)
    for wire in range(6):
        phase[numbers >> wire & 1 == 1] ^= phase[numbers >> wire & 1 == 0]
    cubic = [z for z in range(64) if phase[z]]
    assert max(z.bit_count() for z in cubic) == 3


@pytest.mark.sampled(0.5)
def test_a_call_that_is_wrong_is_not_scored(monkeypatch):
    monkeypatch.setattr(MAKE, "xor_circuits", lambda task, measured: xor_circuits(3, measured))
    with pytest.raises(RefusedError, match="wire"):
        MAKE.score_call(5, True)

"""``gatesolve qubo``: what it prints and writes, conversions, and one-line refusals."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from cli_runs import CONTEST, SMALL

from gatesolve import formulate
from gatesolve.api import read_qubo

EXAMPLES = Path(__file__).parents[2] / "examples"
QUBOS = EXAMPLES / "qubo"


def solutions(qubo):
    """The lowest states, decoded, and their energy."""
    states = np.array(list(itertools.product((0, 1), repeat=qubo.num_variables)))
    energies = qubo.energies(states.T.astype(bool))
    lowest = states[energies == energies.min()].tolist()
    return qubo.energy(lowest[0]), [qubo.decode(bits) for bits in lowest]


def test_a_puzzle_written_and_decoded(gatesolve, tmp_path):
    run = gatesolve("qubo", SMALL, "-o", tmp_path / "k.coo")
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("Kakuro 3x3: 4 cells, 4 runs, values 0..3\nencoding one-hot, presolve none, 12 penalty")
    assert "energy of a solution: 0, and no state has less\nlowest energy: 0, of 2 states\n" in run.out
    assert run.out.splitlines()[-1].startswith("written: ")
    low, found = solutions(read_qubo(tmp_path / "k.coo"))
    assert (low, len(found)) == (0, 2)
    assert all(row is not None and set(row) == {"r2c2", "r2c3", "r3c2", "r3c3"} for row in found)


@pytest.mark.parametrize("suffix", ["qubo", "coo", "lp", "json"])
def test_json_and_conversion_to_every_format(gatesolve, tmp_path, suffix):
    first, second = tmp_path / "first.json", tmp_path / f"second.{suffix}"
    run = gatesolve("qubo", SMALL, "-o", first, "--json")
    assert run.json["files"] == [str(first)]
    assert run.json["variables"] == 16
    assert (run.json["lowest_energy"], run.json["lowest_states"], run.json["solution_energy"]) == (0, 2, 0)
    assert run.json["weights_proved"] is True
    again = gatesolve("qubo", first, "-o", second, "--json").json
    assert again["terms"] == run.json["terms"]
    assert again["solution_energy"] is None
    assert read_qubo(second) == read_qubo(first)


@pytest.mark.parametrize(
    ("name", "lowest", "states"),
    [("triangle.qubo", -5, 2), ("independent-12.qubo", -21.5, 1), ("partition-12.coo", 1, 96),
     ("knapsack-12.lp", -85, 1), ("barker-7.json", 3, 4), ("ring-5.coo", -3.1, 5)],
)  # fmt: skip
def test_examples(gatesolve, name, lowest, states):
    data = gatesolve("qubo", QUBOS / name, "--json").json
    assert (data["lowest_energy"], data["lowest_states"]) == (lowest, states)
    listed = (QUBOS / "README.md").read_text()
    assert f"| `{name}` |" in listed


def test_every_example_is_checked():
    marks = test_examples.pytestmark[0].args[1]
    assert {path.name for path in QUBOS.iterdir()} == {name for name, _, _ in marks} | {"README.md"}


def test_options_of_the_formulation(gatesolve):
    plain = gatesolve("qubo", SMALL, "--json").json
    inside = gatesolve("qubo", SMALL, "--json", "--codewords-only").json
    binary = gatesolve("qubo", SMALL, "--json", "--encoding", "binary").json
    table = gatesolve("qubo", SMALL, "--json", "--encoding", "table").json
    assert inside["terms"] < plain["terms"]
    assert binary["variables"] == 8
    assert binary["degree"] > 2
    assert table["degree"] == 2
    assert gatesolve("qubo", SMALL, "--json", "--encoding", "binary", "--quadratic").json["degree"] == 2
    assert gatesolve("qubo", CONTEST, "--json", "--presolve", "propagate").json["variables"] <= 28
    heavy = gatesolve("qubo", SMALL, "--json", "--penalty", "2.5").json
    assert (heavy["offset"], heavy["solution_energy"]) == (2.5 * plain["offset"], 0)


def test_a_penalty_by_name(gatesolve):
    light = gatesolve("qubo", SMALL, "--penalty", "r2c2=3", "--json").json
    assert light["weights_proved"] is True
    small = gatesolve("qubo", SMALL, "--penalty", "0.1")
    assert "weight 0.1" in small.out
    assert "energy of a solution: 0; with weights this small a state may have less" in small.out


def test_published_formulas(gatesolve):
    board = EXAMPLES / "tents" / "sgt-8x8dt-1.txt"
    run = gatesolve("qubo", board, "--formulation", "published")
    assert "published: " in run.out
    assert "energy of a solution: " in run.out


REFUSALS = [
    ([QUBOS / "triangle.qubo", "--encoding", "binary"], "triangle.qubo is a Qubo already: leave out --encoding"),
    ([QUBOS / "triangle.qubo", "--formulation", "published"], "triangle.qubo is not a puzzle: leave out"),
    (
        [SMALL, "--formulation", "published", "--codewords-only"],
        "a published formula is as it is printed: leave out --codewords-only",
    ),
    ([SMALL, "--penalty", "much"], "--penalty: 'much' is not a number: give the weight as a decimal number"),
    ([SMALL, "--penalty", "r2c2=-1"], "a penalty weight is -1: give a positive number"),
    ([SMALL, "-o", "k.txt"], "k.txt: unknown format: end the name in .qubo, .coo, .lp, .json"),
    (
        [SMALL, "--encoding", "binary", "-o", "k.coo"],
        "k.coo: a term has 4 variables, and .coo allows at most 2: write .json, or add",
    ),
]


@pytest.mark.parametrize(("words", "message"), REFUSALS, ids=range(len(REFUSALS)))
def test_refusals(gatesolve, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    assert message in gatesolve("qubo", *words).refusal()
    assert list(tmp_path.iterdir()) == []


def test_python_makes_what_the_command_line_makes(gatesolve, tmp_path):
    out = tmp_path / "k.json"
    gatesolve("qubo", SMALL, "-o", out, "--presolve", "propagate", "--penalty", "3")
    made = formulate(SMALL, presolve="propagate", penalty=3)
    assert made == read_qubo(out)
    assert formulate(made) == made
    assert made.terms != formulate(SMALL, presolve="propagate").terms

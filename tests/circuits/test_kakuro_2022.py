"""The published contest oracles: made again they are the same files, and they mark what the rules say."""

from pathlib import Path

import pytest
from judges import kakuro_2022
from qiskit import qasm2
from scripts import load_script

from gatesolve.simulate.sparse import probabilities

FOLDER = Path(__file__).parents[2] / "circuits" / "kakuro-2022"


@pytest.mark.parametrize(
    ("name", "class_", "most_cx"),
    [
        ("entry", "exact", 80),
        ("entry_literal", "exact", 141),
        ("entry_prepared", "prepared", 50),
        ("entry_prepared_minimised", "prepared", 50),
    ],
)
def test_the_file_marks_what_the_rules_say(name, class_, most_cx):
    files = [FOLDER / f"{name}.qasm", FOLDER / "preparation.qasm"]
    assert kakuro_2022.judge("oracle", class_, files).score[0] <= most_cx


def test_the_preparation_makes_the_eight_states():
    wanted = [z for z in range(256) if prepared(*(z >> place & 1 for place in range(8)))]
    found = probabilities(qasm2.load(FOLDER / "preparation.qasm"))
    assert {state: round(weight, 9) for state, weight in found.items()} == dict.fromkeys(wanted, 0.125)


def prepared(x0, x1, x2, low, high, x4, x5, x6):
    return x0 != x2 and x1 != x5 and x4 != x6 and low + 2 * high == 2


def test_made_again(tmp_path):
    load_script(FOLDER / "make.py").remake(tmp_path)
    for path in tmp_path.iterdir():
        assert path.read_text() == (FOLDER / path.name).read_text(), path.name

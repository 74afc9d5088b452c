"""What the page says is said in the page's words: options by their labels, values of JSON as JSON has them."""

import json
import re

import pytest

from benchmarks.core.places import EXAMPLES
from benchmarks.faults import fuzz
from benchmarks.faults.proof_files import BOARDS as SMALL
from gatesolve.api.options import pipelines_of
from gatesolve.puzzles import all_families, examples
from gatesolve.web.boards import list_options
from gatesolve.web.check import INTERNAL, check_board
from gatesolve.web.worker import do_job

PYTHON = re.compile(r"\w+='|\b(?:None|True|False)\b")
DATA = {"svg", "text", "json", "files", "cells", "walls", "symbols", "drawable", "title"}
"""Fields that hold no sentence."""
QUEENS = "BAAA\nBBBC\nDDCC\nDDDD\n"
NINE = ("." * 9 + "\n") * 9
ODD = (None, True, False, -1, 2.5, "x", {}, [None], [[True, None]], [[[True, 0], [0, 0], "="]], {"a": False})
BASES = {
    "sudoku": [{"grid": ["1...", "....", "....", "...2"]}],
    "queens": [{"regions": ["AB", "AB"]}, {"size": 4}],
    "starbattle": [{"regions": ["AB", "AB"]}],
    "takuzu": [{"grid": ["1.", ".."]}],
    "tango": [{"grid": ["S.", ".M"]}, {"size": 4, "symbols": [[0, 0, "S"]]}],
    "tents": [{"grid": ["T."], "row_counts": [1], "col_counts": [0, 1]}],
    "galaxies": [{"rows": 2, "cols": 1, "dots_half": [[1, 1], [3, 1]]}],
    "kakuro": [{"grid": ["# 3\\ 4\\", "\\3 . .", "\\4 . ."]}],
    "chess": [{"text": "chess max\npieces K\nsize 2\n"}],
}


def sentences(data):
    """All that is said to a person."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        yield from (said for name, one in data.items() if name not in DATA for said in sentences(one))
    elif isinstance(data, list | tuple):
        yield from (said for one in data for said in sentences(one))


def in_python(found):
    return [said for said in sentences(found) if PYTHON.search(said)]


def events(action, family, text, **options):
    told = []
    do_job({"action": action, "family": family, "text": text, "options": options}, told.append)
    return told


@pytest.mark.parametrize(
    ("job", "options", "said"),
    [
        (
            ("circuit", "queens", QUEENS),
            {"pipeline": "anneal"},
            "Pipeline anneal has no circuit: use Pipeline grover, gas or qaoa, or gatesolve qubo",
        ),
        (
            ("solve", "sudoku", NINE),
            {"pipeline": "qaoa", "presolve": "none"},
            "does not fit: after presolve none the space has about 2^166 states on 720 qubits (encoding permutation); "
            "up to 2^24 states are simulated: try Presolve auto and Encoding table; Pipeline anneal can solve it, "
            "without a circuit",
        ),
        (("solve", "queens", QUEENS), {"seed": 1 << 40}, "--seed is 1099511627776: give a number from 0 to 2147483647"),
    ],
    ids=["a pipeline without a circuit", "a board that does not fit", "an option that the page lacks"],
)
def test_options_are_called_by_their_labels(job, options, said):
    told = events(*job, **options)
    assert {"event": "error", "message": said} in told
    assert told[-1] == {"event": "end"}
    assert in_python(told) == []


@pytest.mark.parametrize("event", [{"message": "use presolve='none'"}, {"notes": ["use presolve='none'"]}])
def test_whatever_is_told_meanwhile_is_in_the_words_of_the_page(monkeypatch, event):
    def run(job, say):
        say(event)
        yield event

    monkeypatch.setattr("gatesolve.web.worker.run_job", run)
    told = events("solve", "queens", QUEENS)
    assert list(sentences(told[:2])) == ["use Presolve none"] * 2


@pytest.mark.parametrize(
    ("family", "data", "said"),
    [
        ("tango", {"size": None}, "JSON field 'size' is null, no number of 2..50: write"),
        ("tango", {"symbols": [[True, 0, "S"]]}, 'JSON has a piece [true, 0, "S"]: write [0, 0, "S"]'),
        ("takuzu", {"grid": ["1.", ".."], "signs": [[[True, 0], [0, 0], "="]]}, 'holds [[true, 0], [0, 0], "="]: '),
        ("sudoku", {"grid": [[True, 1, 2, 3]] * 4}, "row 1, column 1: true is not a cell"),
    ],
)
def test_values_of_json_are_quoted_as_json(family, data, said):
    assert said in check_board(family, json.dumps(data))["fault"]["message"]


@pytest.mark.quick(4)
@pytest.mark.parametrize("family", BASES)
def test_no_odd_value_of_json_is_told_in_python(family):
    (fields,) = (one.json_fields for one in all_families() if one.family == family)
    boards = [{**base, field: odd} for base in BASES[family] for field in ("family", *fields) for odd in ODD]
    found = {json.dumps(data): check_board(family, json.dumps(data)) for data in boards}
    assert sum(one["fault"] is not None for one in found.values()) > len(ODD)
    assert {text: said for text, one in found.items() if (said := in_python(one))} == {}


def test_no_damaged_board_is_told_in_python():
    texts = [case.data.decode("utf-8", "replace") for case in (*fuzz.hostile(), *fuzz.damage(3, 200))]
    families = [name for name, _, _ in examples()]
    found = [check_board(families[k % len(families)], text[:2000]) for k, text in enumerate(texts)]
    assert sum(one["fault"] is not None for one in found) > len(texts) / 2
    assert [said for one in found for said in in_python(one)] == []


def test_each_option_of_the_page_is_of_the_pipelines_that_take_it():
    found = {option["name"]: tuple(option["pipelines"]) for option in list_options()}
    assert found == {name: tuple(pipelines_of(name)) for name in found}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("family", BASES)
def test_nothing_of_a_run_is_told_in_python(family):
    (text,) = ((EXAMPLES / board).read_text() for board in SMALL if board.startswith(f"{family}/"))
    values = [(option["name"], one["value"]) for option in list_options() for one in option["values"]]
    for name, value in values[list(BASES).index(family) % 3 :: 3]:  # each value with three families
        short = {"iterations": 1} if name == "encoding" else {}  # else some circuits have 200,000 gates
        told = events("circuit", family, text, **{name: value}, **short)
        assert in_python(told) == []
        assert {"event": "error", "message": INTERNAL} not in told

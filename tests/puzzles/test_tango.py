import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import assert_refused
from rich.cells import cell_len
from rich.console import Console

from gatesolve.errors import InputError
from gatesolve.model import from_cpmpy
from gatesolve.model.presolve import presolve
from gatesolve.model.reference import find_solutions
from gatesolve.puzzles import Puzzle, load, parse
from gatesolve.puzzles.takuzu.board import Sign
from gatesolve.puzzles.tango.puzzle import Tango

EXAMPLES = Path(__file__).parents[2] / "examples" / "tango"
FILES = sorted(p for p in EXAMPLES.iterdir() if p.suffix in {".txt", ".json"})
RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "tango.jsonl").read_text().splitlines()]
SMALL = "tango\nS...\n.M..\n...M\n....\nr1c1 = r1c2\nr2c3 x r3c3\n"


def found(puzzle: Puzzle, limit: int | None = None) -> list[dict[str, int]]:
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


@st.composite
def boards(draw: st.DrawFn) -> tuple[Tango, dict[str, int]]:
    """A board and one right answer: each row is one line of the pattern or its opposite, in turn."""
    half, high = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    start = [b for _ in range(half) for b in draw(st.permutations([0, 1]))]
    full = [[v ^ (r % 2) for v in start] for r in range(2 * high)]
    width, height = 2 * half, 2 * high
    places = st.tuples(st.integers(0, height - 1), st.integers(0, width - 1))
    keep = draw(st.sets(places, max_size=8))
    cells = tuple(tuple(v if (r, c) in keep else None for c, v in enumerate(row)) for r, row in enumerate(full))
    signs = []
    for (r, c), down in draw(st.lists(st.tuples(places, st.booleans()), max_size=6)):
        other = (r + 1, c) if down else (r, c + 1)
        if other[0] < height and other[1] < width:
            signs.append(Sign((r, c), full[r][c] == full[other[0]][other[1]], other))
    answer = {f"r{r + 1}c{c + 1}": v for r, row in enumerate(full) for c, v in enumerate(row)}
    return Tango(cells, tuple(signs)), answer


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r["id"])
def test_stored_instances_have_the_stated_solutions(record):
    puzzle = parse(json.dumps(record))
    assert isinstance(puzzle, Tango)
    answers = found(puzzle, 2)
    assert len(answers) == record["n_solutions"] == 1
    assert puzzle.check(answers[0]) == []
    assert ["".join(row).replace("S", "0").replace("M", "1") for row in puzzle.board(answers[0])] == record["solution"]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_examples_load_round_trip_and_survive_presolve(path):
    puzzle = load(path)
    assert isinstance(puzzle, Tango)
    assert isinstance(puzzle, Puzzle)
    assert parse(puzzle.text()) == puzzle
    answers = found(puzzle, 9)
    assert len(answers) == (2 if path.stem == "small" else 1)
    model, recovery = presolve(from_cpmpy(puzzle.to_cpmpy()), "propagate")
    assert [recovery.recover(a) for a in find_solutions(model, 9)] == answers


def test_equal_lines_are_allowed():
    puzzle = parse("tango 2x2\nSM\nMS\n")
    tall = parse("tango\nS.\nS.\n..\n..\n")
    assert len(found(puzzle)) == 1
    (answer,) = found(tall)
    assert [r[0] for r in tall.board(answer)] == ["S", "S", "M", "M"]
    assert tall.check(answer) == []


@given(boards())
def test_right_answers_are_accepted_and_texts_round_trip(case):
    puzzle, answer = case
    assert puzzle.check(answer) == []
    assert from_cpmpy(puzzle.to_cpmpy()).check(answer)
    assert parse(puzzle.text()) == puzzle
    finished = parse(puzzle.text(answer))
    assert isinstance(finished, Tango)
    assert finished.board({}) == puzzle.board(answer)


@given(boards(), st.data())
def test_a_changed_cell_breaks_a_rule(case, data):
    puzzle, answer = case
    name = data.draw(st.sampled_from(sorted(answer)))
    wrong = {**answer, name: 1 - answer[name]}
    assert puzzle.check(wrong)
    # a given cell is a domain of one value, so the model rejects every change, too
    assert not from_cpmpy(puzzle.to_cpmpy()).check(wrong)


@settings(max_examples=300)
@given(st.text(alphabet="SM.-_ \ntangor123456c=x()☀☾/{\x00é", max_size=60))
def test_any_text_is_a_board_or_one_clear_line(text):
    message = ""
    try:
        puzzle = parse(text, "tango")
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1 if message else parse(puzzle.text(), "tango") == puzzle


def test_all_ways_to_write_one_board_are_the_same():
    plain = parse(SMALL)
    walls = [[[0, 0], [0, 1], "="], [[1, 2], [2, 2], "x"]]
    forms = [
        "S . . .\n. M . .\n. . . M\n. . . .\n(0,0)=(0,1)\n(1,2)x(2,2)\n",
        "☀...\n.🌑..\n...☾\n....\nr1c1=r1c2\nr2c3×r3c3\n",
        "☀️_ _ _\n_🌙_ _\n_ _ _M\n----\nr1c1=r1c2\nr2c3 x r3c3\n",
        "tango\n0...\n.1..\n...1\n....\nr1c1 = r1c2\nr2c3 x r3c3\n",
        json.dumps({"family": "tango", "grid": ["0...", ".1..", "...1", "...."], "signs": walls}),
        json.dumps({"size": 4, "symbols": [[0, 0, "S"], [1, 1, "M"], [2, 3, "M"]], "walls": walls}),
        json.dumps(
            {
                "size": 4,
                "prefilled": {"0,0": "☀️", "1,1": "🌑", "2,3": "🌑"},
                "constraints": [["0,0", "0,1", "="], ["1,2", "2,2", "x"]],
            }
        ),
    ]
    for form in forms:
        assert parse(form) == plain, form


def test_signs_alone_are_a_board_of_six():
    puzzle = parse("(0,1)x(1,1)\n(1,0)x(1,1)\n")
    assert isinstance(puzzle, Tango)
    assert puzzle == Tango(((None,) * 6,) * 6, (Sign((0, 1), False, (1, 1)), Sign((1, 0), False, (1, 1))))
    assert parse("tango 2x4\nr1c1 x r1c2\n") == Tango(((None,) * 4,) * 2, (Sign((0, 0), False, (0, 1)),))


def test_each_rule_is_named_when_broken():
    puzzle = parse(SMALL)
    right = found(puzzle, 1)[0]
    assert puzzle.check({**right, "r1c1": 1})[0] == "r1c1 is M where S is given"
    assert "r1c1 = r1c2: they are S and M" in puzzle.check({**right, "r1c2": 1})
    assert any("three M in line" in w for w in puzzle.check(dict.fromkeys(right, 1)))


GRID = "tango\nS.....\n......\n......\n......\n......\n.....M\n"
MALFORMED = [
    (GRID.replace("S.....", "S...."), 3, 6, "6 cells here but 5"),
    (GRID.replace("S.....", "S..q.."), 2, 4, "unknown cell 'q'"),
    (GRID + "r1c1 = r1c3\n", 8, 1, "are not neighbours"),
    (GRID + "r1c7 x r1c6\n", 8, 1, "no cell r1c7"),
    (GRID + "r1c1 ? r1c2\n", 8, 1, "unknown cell 'r'"),
    (GRID + "unique yes\n", 8, 1, "a Tango has no line 'unique'"),
    ("tango\nS..\n...\n...\n", 4, None, "cannot be half ones"),
    ("tango\n" + ("." * 200 + "\n") * 200, 52, None, "200 rows"),
    ("tango\n", None, None, "no board"),
    ("tango 4x4\n....\n....\n", 1, 1, "the size says 4 rows but 2"),
    ("tango 4by4\n....\n....\n", 1, 1, "write one line 'tango'"),
    ("tango 200x200\n", 1, 1, "at most 50"),
    ("tango 3x3\n", 1, None, "cannot be half ones"),
    ('{"size": 0, "symbols": [], "walls": []}', None, None, "'size' is 0"),
    ('{"symbols": [[0, 9, "S"]], "walls": []}', None, None, "row 0, column 9"),
    ('{"symbols": [[0, "S"]], "walls": []}', None, None, "JSON has a piece"),
    ('{"symbols": [], "walls": [[1, 2, "="]]}', None, None, "'walls' holds"),
    ('{"family": "tango", "grid": ["0.....\\n"', 1, 40, "not one JSON object"),
]


@pytest.mark.parametrize(("text", "row", "column", "message"), MALFORMED)
def test_malformed_boards_get_one_clear_line(text, row, column, message):
    assert_refused(text, row, column, message)


def test_wrong_family():
    with pytest.raises(InputError, match="JSON of family 'takuzu', read as tango"):
        parse('{"family": "takuzu", "grid": ["01"]}', "tango")


def test_terminal_picture_shows_signs_on_the_borders():
    file = io.StringIO()
    Console(file=file, width=80).print(parse(SMALL).render({"r1c2": 0}))
    lines = file.getvalue().splitlines()
    assert lines[1] == "┃ ☀ = ☀ │   │   ┃"
    assert lines[4] == "┠───┼───┼─x─┼───┨"
    assert cell_len(lines[1]) == len(lines[0])


@pytest.mark.quick("small")
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_drawings(path, tmp_path):
    puzzle = load(path)
    puzzle.draw(tmp_path / "a.png", found(puzzle, 1)[0])
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    for name in ("a.svg", "b.svg"):
        puzzle.draw(tmp_path / name)
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()

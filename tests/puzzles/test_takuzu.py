import io
import itertools
import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import assert_refused
from rich.console import Console

from gatesolve.errors import InfeasibleError, InputError
from gatesolve.model import Linear, from_cpmpy
from gatesolve.model.presolve import presolve
from gatesolve.model.reference import find_solutions
from gatesolve.puzzles import Puzzle, load, parse
from gatesolve.puzzles.takuzu.board import Rules, Sign, TakuzuRegion, most_equal
from gatesolve.puzzles.takuzu.puzzle import Takuzu, legal_patterns

EXAMPLES = Path(__file__).parents[2] / "examples" / "takuzu"
FILES = sorted(EXAMPLES.glob("*.txt"))
RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "takuzu.jsonl").read_text().splitlines()]
BOARD = "unique yes\n.1.0\n..0.\n.0..\n11.0\n"


def found(puzzle: Puzzle, limit: int | None = None) -> list[dict[str, int]]:
    return find_solutions(from_cpmpy(puzzle.to_cpmpy()), limit)


def number_of(text: str) -> int:
    return len(found(parse(text, "takuzu")))


@st.composite
def boards(draw: st.DrawFn, most: int = 12) -> Takuzu:
    """A small board with any rules that is not faulty; it need not have an answer."""
    height = draw(st.integers(2, 5))
    width = draw(st.integers(2, min(5, most // height)))
    wrap = draw(st.sampled_from(["none", "none", "rows", "columns", "both"]))
    places = st.tuples(st.integers(0, height - 1), st.integers(0, width - 1))

    def counts(lines: int, length: int, ring: bool) -> tuple[int | None, ...]:
        if length % 2 == 0 and draw(st.booleans()):
            return ()
        most = most_equal(length, ring)
        return tuple(draw(st.none() | st.integers(length - most, most)) for _ in range(lines))

    row_ones = counts(height, width, wrap in ("rows", "both"))
    column_ones = counts(width, height, wrap in ("columns", "both"))
    cells: list[list[int | None]] = [[None] * width for _ in range(height)]
    for r, c in draw(st.sets(places, max_size=2)):
        cells[r][c] = draw(st.integers(0, 1))
    regions = []
    for group in draw(st.lists(st.lists(places, unique=True, min_size=1, max_size=4), max_size=2)):
        least, most = sorted(draw(st.integers(0, len(group))) for _ in range(2))
        regions.append(TakuzuRegion(least, most, tuple(group)))
    pairs = draw(st.lists(st.tuples(places, st.booleans(), places), max_size=2))
    signs = tuple(Sign(a, equal, b) for a, equal, b in pairs if a != b)
    rules = Rules(draw(st.booleans()), row_ones, column_ones, draw(st.booleans()), wrap, tuple(regions), signs)
    frozen = tuple(map(tuple, cells))
    try:
        return Takuzu(frozen, rules)
    except InputError:
        return Takuzu(((None,) * width,) * height, Rules(rules.unique, row_ones, column_ones, rules.diagonals, wrap))


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: r["id"])
def test_stored_instances_have_the_stated_solutions(record):
    puzzle = parse(json.dumps(record))
    assert isinstance(puzzle, Takuzu)
    answers = found(puzzle, record["n_solutions"] + 1)
    assert len(answers) == record["n_solutions"]
    assert all(puzzle.check(answer) == [] for answer in answers)
    if answers:
        assert ["".join(row) for row in puzzle.board(answers[0])] == record["solution"]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_examples_load_round_trip_and_survive_presolve(path):
    puzzle = load(path)
    assert isinstance(puzzle, Takuzu)
    assert isinstance(puzzle, Puzzle)
    assert parse(puzzle.text()) == puzzle
    answers = found(puzzle, 9)
    assert len(answers) == {"small": 2, "cylinder-counts-6x6": 3}.get(path.stem, 1)
    assert all(puzzle.check(answer) == [] for answer in answers)
    model, recovery = presolve(from_cpmpy(puzzle.to_cpmpy()), "propagate")
    assert [recovery.recover(a) for a in find_solutions(model, 9)] == answers


def test_a_board_infeasible_under_the_stricter_rule_only():
    strict = next(r for r in RECORDS if r["n_solutions"] == 0)
    loose = parse(json.dumps({**strict, "unique_lines": False}))
    (answer,) = found(loose, 2)
    assert any(" equals " in words for words in parse(json.dumps(strict)).check(answer))
    with pytest.raises(InfeasibleError):
        presolve(from_cpmpy(parse(json.dumps(strict)).to_cpmpy()), "propagate")


@pytest.mark.parametrize(("side", "unique", "number"), [(2, "yes", 2), (4, "yes", 72), (4, "no", 90)])
def test_number_of_all_boards(side, unique, number):
    """72 is in OEIS A253316; 90 are the 4x4 zero-one matrices with line sums 2 (none has three in line)."""
    assert number_of(f"unique {unique}\n" + ("." * side + "\n") * side) == number


@pytest.mark.more_examples(60)
@settings(max_examples=25, deadline=None)
@given(boards())
def test_checker_and_model_agree_on_every_filling(puzzle):
    model = from_cpmpy(puzzle.to_cpmpy())
    names = [f"r{r + 1}c{c + 1}" for r, row in enumerate(puzzle.cells) for c in range(len(row))]
    assert set(names) == set(model.domains)
    free = [n for n in names if len(model.domains[n]) > 1]
    rows = np.array(list(itertools.product((0, 1), repeat=len(free))), dtype=np.int64).reshape(
        2 ** len(free), len(free)
    )
    columns = {n: rows[:, k] for k, n in enumerate(free)}
    columns |= {n: np.full(len(rows), model.domains[n][0]) for n in names if n not in columns}
    accepted = model.holds(columns)
    for k, accept in enumerate(accepted.tolist()):
        assert (puzzle.check({n: int(columns[n][k]) for n in names}) == []) == accept


@given(boards(25), st.data())
def test_text_round_trip(puzzle, data):
    assert parse(puzzle.text()) == puzzle
    values = {
        f"r{r + 1}c{c + 1}": data.draw(st.integers(0, 1))
        for r, row in enumerate(puzzle.cells)
        for c, v in enumerate(row)
        if v is None
    }
    rows = [line for line in puzzle.text(values).splitlines() if set(line) <= set("01")]
    assert rows == ["".join(row) for row in puzzle.board(values)]


@settings(max_examples=300)
@given(st.text(alphabet="01.-_ \nuniqeyo rc=x12()regionwap/{\x00é", max_size=60))
def test_any_text_is_a_board_or_one_clear_line(text):
    message = ""
    try:
        puzzle = parse(text, "takuzu")
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1 if message else parse(puzzle.text(), "takuzu") == puzzle


def test_all_ways_to_write_one_board_are_the_same():
    plain = parse(BOARD)
    forms = [
        "; note\n.1.0\n\n..0.\n.0..\n11.0",
        "takuzu\n.1.0\n..0.\n.0..\n11.0",
        "_1_0\r\n__0_\r\n_0__\r\n11_0",
        "- 1 - 0\n- - 0 -\n- 0 - -\n1 1 - 0\n",
        json.dumps({"family": "takuzu", "grid": [".1.0", "..0.", ".0..", "11.0"]}),
        json.dumps({"family": "takuzu", "grid": [".1.0", "..0.", ".0..", "11.0"], "signs": []}),
    ]
    for form in forms:
        assert parse(form) == plain, form
    sized = "4 4\n- b - w\n- - w -\n- w - -\nb b - w"
    assert (
        parse(sized) == parse(BOARD.replace("yes", "no")) == parse("4 4\n- 2 - 1\n- - 1 -\n- 1 - -\n2 2 - 1", "takuzu")
    )


def test_signs_and_regions_in_json():
    record = {
        "family": "takuzu",
        "grid": ["....", "...."],
        "signs": [[[0, 0], [1, 2], "x"]],
        "lines": ["region 1 r1c1 r1c2"],
    }
    puzzle = parse(json.dumps(record))
    assert isinstance(puzzle, Takuzu)
    assert puzzle.rules == Rules(regions=(TakuzuRegion(1, 1, ((0, 0), (0, 1))),), signs=(Sign((0, 0), False, (1, 2)),))


def test_chains_of_signs():
    puzzle = parse("unique yes\n....\n....\n....\n....\nr1c1 = r2c3 x (3,3)\nr1c2x r1c3\n")
    assert isinstance(puzzle, Takuzu)
    assert puzzle.rules.signs == (
        Sign((0, 0), True, (1, 2)),
        Sign((1, 2), False, (3, 3)),
        Sign((0, 1), False, (0, 2)),
    )


@pytest.mark.parametrize(
    ("text", "unique", "size"),
    [
        ("8x8u:EdCATHdCbJDa", True, (8, 8)),
        ("6x6:CAddDCHAbg", False, (6, 6)),
        ("6x10:caBacalDFcBBACgIa", False, (10, 6)),
    ],
)
def test_game_ids_of_sgt_unruly(text, unique, size):
    puzzle = parse(text)
    assert isinstance(puzzle, Takuzu)
    assert (puzzle.rules.unique, (len(puzzle.cells), len(puzzle.cells[0]))) == (unique, size)
    (answer,) = found(puzzle, 2)
    assert puzzle.check(answer) == []


@pytest.mark.parametrize("ring", [False, True])
@pytest.mark.parametrize("length", range(2, 9))
def test_patterns_are_all_lines_without_three_in_a_row(length, ring):
    def legal(line: str) -> bool:
        read = line + line[:2] if ring and length > 2 else line
        return "000" not in read and "111" not in read

    lines = ["".join(bits) for bits in itertools.product("01", repeat=length)]
    assert ["".join(map(str, row)) for row in legal_patterns(length, None, ring)] == [s for s in lines if legal(s)]
    for ones in range(length + 1):
        fitting = [s for s in lines if legal(s) and s.count("1") == ones]
        assert ["".join(map(str, row)) for row in legal_patterns(length, ones, ring)] == fitting
        assert bool(fitting) == (length - most_equal(length, ring) <= ones <= most_equal(length, ring))


def test_lines_too_long_for_a_table():
    """Two rows of 18 are each other's complement, so the boards are the legal rows; counted by another way."""
    text = "unique no\n" + ("." * 18 + "\n") * 2 + "r1c1 = r1c3 = r1c5 = r1c7 = r1c9\n"
    lines = {""}
    for k in range(18):
        lines = {s + b for s in lines for b in "01" if not (s + b).endswith(b * 3)}
        if k == 8:
            lines = {s for s in lines if len(set(s[::2])) == 1}
    assert number_of(text) == sum(s.count("1") == 9 for s in lines)
    ring = text.replace("unique no\n", "unique no\nwrap rows\n")
    ended = [s for s in lines if s.count("1") == 9 and "000" not in s + s[:2] and "111" not in s + s[:2]]
    assert number_of(ring) == len(ended) < sum(s.count("1") == 9 for s in lines)


def test_regions_with_a_range_of_ones():
    board = "unique no\nregion {} r1c1 r2c2 r3c3\n" + G4
    by_number = [number_of(board.format(n)) for n in range(4)]
    assert sum(by_number) == 90
    assert all(by_number)
    for low, high in ((0, 1), (1, 2), (0, 2), (1, 3), (0, 3)):
        assert number_of(board.format(f"{low}..{high}")) == sum(by_number[low : high + 1])
    assert parse(board.format("1..*")) == parse(board.format("1..3"))


def test_equal_lines_cost_one_linear_constraint_a_pair_and_no_variable():
    model = from_cpmpy(parse("unique yes\n" + "......\n" * 6).to_cpmpy())
    unequal = [c for c in model.constraints if isinstance(c, Linear) and c.relation == "!="]
    assert len(model.variables) == 36
    assert len(unequal) == 30
    assert unequal[0].terms[:4] == ((32, "r1c1"), (-32, "r2c1"), (16, "r1c2"), (-16, "r2c2"))


@pytest.mark.slow
def test_the_largest_board_is_lowered_and_its_equal_lines_are_seen():
    side = 50
    puzzle = parse("unique yes\n" + ("." * side + "\n") * side)
    model = from_cpmpy(puzzle.to_cpmpy())
    values = {f"r{r + 1}c{c + 1}": (r // 2 + r * c // 7 + c) % 2 for r in range(side) for c in range(side)}
    values |= {f"r9c{c + 1}": values[f"r4c{c + 1}"] for c in range(side)}
    broken = [c for c in model.violated(values) if isinstance(c, Linear) and c.relation == "!="]
    told = [words for words in puzzle.check(values) if " equals " in words]
    assert any(set(c.scope) == {f"r{r}c{k + 1}" for r in (4, 9) for k in range(side)} for c in broken)
    assert any(words.startswith("row 9 equals row 4") for words in told)


def test_each_rule_is_named_when_broken():
    puzzle = parse("unique yes\n.1.0\n..0.\n.0..\n11.0\nr1c1 = r4c4\nregion 1 r1c1 r2c1\n")
    right = {
        f"r{r + 1}c{c + 1}": int(v) for r, row in enumerate(["0110", "1001", "0011", "1100"]) for c, v in enumerate(row)
    }
    assert puzzle.check(right) == []
    assert puzzle.check({**right, "r1c1": 1, "r9c9": 0}) == [
        "r9c9 is not a cell of the board",
        "row 1: 1110 has three 1 in line",
        "row 1: 1110 has 3 times 1, not 2",
        "column 1: 1101 has 3 times 1, not 2",
        "region of r1c1: 2 times 1, not 1",
        "r1c1 = r4c4: they are 1 and 0",
    ]
    assert puzzle.check({**right, "r1c2": 0, "r3c3": 2})[:2] == [
        "r3c3 is 2, neither 0 nor 1",
        "r1c2 is 0 where 1 is given",
    ]
    assert len(puzzle.check({})) == 16
    crossed = Takuzu(((None,) * 4,) * 4, Rules(unique=False, diagonals=True))
    words = crossed.check({**right, "r1c1": 0, "r2c2": 0, "r3c3": 0})
    assert "three 0 in line diagonally, down to the right, r2c2 in the middle" in words


G4 = "....\n....\n....\n....\n"
MALFORMED = [
    (".1.0\n..0.\n.0...\n11.0\n", 3, 5, "5 cells here but 4"),
    (".1.0\n..0\n.0..\n11.0\n", 2, 4, "3 cells here but 4"),
    ("unique yes\n.1.0\n..q.\n.0..\n11.0\n", 3, 3, "unknown cell 'q'"),
    ("unique maybe\n" + G4, 1, 1, "one of yes, no"),
    ("unique yes\n", None, None, "no board"),
    ("unique yes\n..\n" + "..\n" * 199, 52, None, "200 rows"),
    ("unique yes\n" + "." * 200 + "\n" + "." * 200 + "\n", 2, 51, "200 cells in a row: a board has at most 50 columns"),
    ("unique yes\n...\n...\n...\n", 4, None, "cannot be half ones"),
    ("unique yes\nrows 1 2\n" + G4, 2, 1, "2 numbers of ones for 4 rows"),
    ("unique yes\ncolumns 1 2 x 2\n" + G4, 2, 1, "a number of ones, or -"),
    ("unique yes\nwrap round\n" + G4, 2, 1, "one of none, rows, columns, both"),
    ("unique yes\nregion 1 r1c1 r9c2\n" + G4, 2, 1, "no cell r9c2"),
    ("unique yes\nregion 1 r1c1 r1c1\n" + G4, 2, 1, "twice in one region"),
    ("unique yes\nregion r1c1 r1c2\n" + G4, 2, 1, "write a region as"),
    ("unique yes\nregion 1.. r1c1 r1c2\n" + G4, 2, 1, "write a region as"),
    ("unique yes\nregion 2..1 r1c1 r1c2\n" + G4, 2, 1, "no number of ones is in 2..1: write the smaller one first"),
    ("unique yes\n" + G4 + "r1c1 = r1c9\n", 6, 1, "no cell r1c9"),
    ("8x8u:EdCATHdCbJD", 1, 17, "ends after 64 of 65 places"),
    ("8x8u:EdCATHdCbJDaz", 1, 18, "goes on past"),
    ("8x8u:EdCA5", 1, 10, "unknown '5'"),
    ("200x200u:abc", 1, 1, "200 rows"),
    ("0x0u:a", 1, 1, "0 rows"),
    ('{"family": "takuzu", "grid": "01"}', None, None, "no field 'grid'"),
    ('{"family": "takuzu", "grid": ["01", "1."], "signs": [3]}', None, None, "holds 3"),
    ('{"family": "takuzu", "grid": ["01", "1q"]}', 2, 2, "unknown cell 'q'"),
]


@pytest.mark.parametrize(("text", "row", "column", "message"), MALFORMED)
def test_malformed_boards_get_one_clear_line(text, row, column, message):
    assert_refused(text, row, column, message)


def test_wrong_family_and_faulty_objects():
    with pytest.raises(InputError, match="JSON of family 'tango', read as takuzu"):
        parse('{"family": "tango", "grid": ["01"]}', "takuzu")
    with pytest.raises(InputError, match="row 1, column 1: value 2"):
        Takuzu(((2, None), (None, None)))
    with pytest.raises(InputError, match="0 rows"):
        Takuzu(())
    with pytest.raises(InputError, match="row 2, column 1: 1 cells"):
        Takuzu(((None, None), (None,)))


def test_terminal_picture():
    file = io.StringIO()
    puzzle = load(EXAMPLES / "torus-regions-6x6.txt")
    Console(file=file, width=80).print(puzzle.render(found(puzzle, 1)[0]))
    lines = file.getvalue().splitlines()
    assert lines[0] == "┏┅┅┅┯┅┅┅┳┅┅┅┯┅┅┅┯┅┅┅┯┅┅┅┓"
    assert lines[1] == "┇ 0 │ 1 ┃ 0 │ 0 │ 1 │ 1 ┇"
    assert lines[8] == "┠─=─┼───┼───┼───┼───┼───┨"
    assert "r1c1 ... (4 cells): 2 ones" in lines
    assert "r3c1 = r6c4" in lines
    assert lines[-1] == "rows and columns are rings"


@pytest.mark.quick("small", "torus-regions-6x6", "diagonals-5x5")
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_drawings(path, tmp_path):
    puzzle = load(path)
    answer = found(puzzle, 1)[0]
    puzzle.draw(tmp_path / "a.png", answer)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    for name in ("a.svg", "b.svg"):
        puzzle.draw(tmp_path / name)
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()

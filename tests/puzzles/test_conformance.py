"""What every family owes, asked of its own small example; and of the family that docs/extending.md writes."""

import io
import itertools
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from checks import answers, assert_refused
from cpmpy.transformations.get_variables import get_variables_model
from faulty_boards import FAULTS
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import RANDOM
from rich.console import Console
from same_boards import SAME
from scripts import load_script

from gatesolve.errors import InfeasibleError, InputError
from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions, presolve
from gatesolve.puzzles import all_families, families, load, parse

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
EXAMPLES = [
    path
    for path in sorted((ROOT / "examples").glob("*/*.*"))
    if path.parent.name in FAULTS and path.suffix != ".md" and not path.name.startswith("max-")
]
SEVERAL = {
    "chess/coloured-5x5": 13, "galaxies/tiny-3x3": 2, "kakuro/small": 2, "queens/csplib079-diag-8-4-7": 2,
    "queens/nauck-8x8": 2, "queens/soft-regions-6x6": 2, "queens/torus-5x5": 10, "sudoku/small": 2,
    "sudoku/small-jigsaw-killer": 2, "sudoku/tdoku-13-solutions": 13, "takuzu/cylinder-counts-6x6": 3,
    "takuzu/small": 2, "tango/small": 2,
}  # fmt: skip
"""How many solutions an example has, where it is not one."""
RECORDS = [
    json.loads(line)
    for path in sorted((Path(__file__).parent / "data").glob("*.jsonl"))
    for line in path.read_text().splitlines()
]
SOURCE = PAGE.split("<!-- file: futoshiki.py -->\n```python\n")[1].split("```")[0]


def from_page(folder):
    """The class of Futoshiki that the page writes."""
    path = folder / "futoshiki_of_page.py"
    path.write_text(SOURCE, encoding="utf-8")
    return load_script(path).Futoshiki


@pytest.fixture(scope="module", params=[*(family.family for family in all_families()), "futoshiki"])
def family(request, tmp_path_factory):
    known = {family.family: family for family in all_families()}
    return known.get(request.param) or from_page(tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def solved(family):
    """The example, the names of its variables and an answer of the reference solver."""
    puzzle = family.parse(family.example)
    model = puzzle.to_cpmpy()
    assert model.solve()
    return puzzle, {v.name: int(v.value()) for v in get_variables_model(model)}


def test_the_example_is_recognised_by_its_family_alone(family):
    found = [other for other in {*all_families(), family} if other.recognises(family.example)]
    assert found == [family]


def test_text_goes_round_with_and_without_an_answer(solved):
    puzzle, answer = solved
    assert type(puzzle).parse(puzzle.text()) == puzzle
    assert puzzle.check(answer) == []
    again = type(puzzle).parse(puzzle.text(answer))
    assert again.contradiction is None
    assert again.text(answer) == puzzle.text(answer)


def test_names_stay_and_every_change_of_one_variable_is_rejected(solved):
    puzzle, answer = solved
    assert {v.name for v in get_variables_model(puzzle.to_cpmpy())} == set(answer)
    for name, value in answer.items():
        lacking = {other: v for other, v in answer.items() if other != name}
        assert puzzle.check({**answer, name: value + 7})
        if puzzle.family not in ("galaxies", "tents"):  # there no value is as good as 0
            assert puzzle.check(lacking)
        if puzzle.expects_one_solution:
            assert puzzle.check({**answer, name: value - 1 if value else 1})
    assert puzzle.check({**answer, "nowhere": 0})


def test_every_board_is_shown_and_drawn_with_its_answer(solved):
    puzzle, answer = solved
    board = puzzle.board(answer)
    assert len({len(row) for row in board}) == 1
    assert all(isinstance(cell, str) and cell for cell in itertools.chain(*board))
    assert puzzle.title.split()[0].isascii()
    assert puzzle.image("png", answer).startswith(b"\x89PNG")
    assert puzzle.image("svg", answer) == puzzle.image("svg", answer) != puzzle.image("svg")
    with pytest.raises(InputError, match="cannot draw as 'gif': choose png or svg"):
        puzzle.image("gif")


def test_json_of_another_family_is_refused(family):
    other = "kakuro" if family.family == "sudoku" else "sudoku"
    with pytest.raises(InputError, match=f"f.json: JSON of family '{other}', read as {family.family}"):
        family.parse(json.dumps({"family": other}), "f.json")


def test_a_text_of_nothing_but_comments_is_told_so(family):
    with pytest.raises(InputError) as caught:
        family.parse("; nothing\n", "f.txt")
    assert str(caught.value).startswith("f.txt")
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_an_installed_package_brings_its_family_to_the_command_line(tmp_path):
    (tmp_path / "futoshiki.py").write_text(SOURCE, encoding="utf-8")
    info = tmp_path / "gatesolve_futoshiki-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gatesolve-futoshiki\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[gatesolve.families]\nfutoshiki = futoshiki:Futoshiki\nodd = nothing:Here\n"
    )
    (tmp_path / "board.txt").write_text("futoshiki\n...\n.2.\n...\nr1c1 < r1c2\nr3c3 < r2c3\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    command = [sys.executable, "-m", "gatesolve", "show", "board.txt"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Futoshiki 3x3: 1 given, 2 signs" in done.stdout
    assert done.stderr == ""
    command += ["--family", "odd"]
    asked = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert asked.returncode == 2
    assert asked.stderr == (
        "gatesolve: the family 'odd' (nothing:Here) cannot be used: ModuleNotFoundError: No module named 'nothing': "
        "correct its package, or uninstall it\n"
    )


def test_names_and_aliases_are_all_different():
    assert len(set(families())) == len(families())
    assert parse(all_families()[0].example, families()[0]).family == families()[0]


@pytest.mark.more_examples(100)
@pytest.mark.parametrize("name", RANDOM)
@settings(max_examples=25)
@given(data=st.data())
def test_random_boards_go_round_as_text(name, data):
    puzzle = data.draw(RANDOM[name])
    assert parse(puzzle.text(), name) == puzzle
    if name == "galaxies" and not type(puzzle).recognises(puzzle.text()):  # a board of one cell is a letter
        with pytest.raises(InputError, match="not recognised as a puzzle"):
            parse(puzzle.text())
    else:
        assert parse(puzzle.text()) == puzzle


@pytest.mark.more_examples(24)
@pytest.mark.parametrize("name", sorted(RANDOM.keys() - {"galaxies", "tents"}))  # these have auxiliary variables
@settings(max_examples=10)
@given(data=st.data())
def test_model_and_checker_agree(name, data):
    """On up to 512 assignments around an answer, or around the least values; on fewer of wide boards."""
    puzzle = data.draw(RANDOM[name])
    model = from_cpmpy(puzzle.to_cpmpy())
    rest = {name: domain[0] for name, domain in model.domains.items()}
    for answer in find_solutions(model, 1):
        rest |= answer
        assert puzzle.check(answer) == []
        again = parse(puzzle.text(answer), name)
        assert again.board({}) == puzzle.board(answer)
    free, size = [], 1
    for variable in data.draw(st.permutations(sorted(model.domains))):
        size *= len(model.domains[variable])
        if size * max(20, len(model.domains)) <= 10_000:
            free.append(variable)
    for values in itertools.product(*(model.domains[variable] for variable in free)):
        attempt = rest | dict(zip(free, values, strict=True))
        assert model.check(attempt) == (puzzle.check(attempt) == [])
        if model.objective:
            assert model.objective.value(attempt) >= puzzle.worth(attempt)


@pytest.mark.more_examples(300)
@pytest.mark.parametrize("name", FAULTS)
@settings(max_examples=100)
@given(data=st.data())
def test_any_text_is_a_board_or_one_clear_line(name, data):
    """Of characters of its faulty boards, alone or in the place of a part of one."""
    known = [text for text, *_ in FAULTS[name] if len(text) < 300]
    part = data.draw(st.text(alphabet=[*sorted(set("".join(known))), "\x00", "é", "\u2028"], max_size=40))
    text = data.draw(st.sampled_from(["", *known]))
    start = data.draw(st.integers(0, len(text)))
    text = text[:start] + part + text[start + data.draw(st.integers(0, 20)) :]
    message = ""
    try:
        puzzle = parse(text, name)
    except InputError as error:
        message = str(error)
    assert len(message.splitlines()) == 1 if message else parse(puzzle.text(), name) == puzzle


@pytest.mark.parametrize(("name", "text", "row", "column"), [(name, *row) for name in FAULTS for row in FAULTS[name]])
def test_faults_are_named_with_their_place(name, text, row, column):
    assert_refused(text, row, column, family=name)


def read(text):
    return load(ROOT / "examples" / text) if text.endswith(".txt") else parse(text)


@pytest.mark.parametrize("texts", SAME.values(), ids=SAME)
def test_all_ways_to_write_one_board_are_the_same(texts):
    puzzle = read(texts[0])
    for text in texts[1:]:
        family, text = text if isinstance(text, tuple) else (None, text)
        assert parse(text, family) == puzzle, text


def blocks(name):
    """Boards of a file, each with the values of its line ``answer`` (cells row by row, or by name) and what follows."""
    for block in (Path(__file__).parent / "data" / name).read_text("utf-8").rstrip("\n").split("\n\n"):
        text, values, rest = re.fullmatch(r"(.*?)\nanswer([^\n]*)\n?(.*)", block, re.DOTALL).groups()
        named = dict(word.split("=") for word in values.split() if "=" in word)
        for r, row in enumerate((word for word in values.split() if "=" not in word), 1):
            named |= {f"r{r}c{c}": value for c, value in enumerate(row, 1) if value != "-"}
        yield text, {name: int(value) for name, value in named.items()}, rest.split("\n") if rest else []


@pytest.mark.parametrize(("text", "values", "said"), [*blocks("wrong_answers.txt")])
def test_each_broken_rule_is_named(text, values, said):
    """All that is said is in the file; only some of it where that begins with a plus sign."""
    found = parse(text).check(values)
    some = {line.removeprefix("+ ") for line in said if line.startswith("+ ")}
    assert some <= set(found) if some else found == said


@pytest.mark.parametrize(("text", "solution", "lines"), [*blocks("pictures.txt")])
def test_pictures_for_a_terminal(text, solution, lines):
    file = io.StringIO()
    Console(file=file, width=80, no_color=True).print(read(text).render(solution))
    assert file.getvalue().split("\n")[: len(lines)] == lines


NUMBERS = [
    ("box 2x2\n" + "." * 16, 288),
    ("unique yes\n" + "..\n" * 2, 2),
    ("unique yes\n" + "....\n" * 4, 72),  # OEIS A253316
    ("unique no\n" + "....\n" * 4, 90),  # zero-one matrices with line sums 2, none of which has three in line
    ("tango 2x2\nSM\nMS\n", 1),
    *((f"queens\nsize {side}\n", number) for side, number in ((1, 1), (4, 2), (5, 10), (6, 4))),
    pytest.param("queens\nsize 8\n", 92, marks=pytest.mark.slow),
    *((f"queens\nsize {side}\ntorus\n", number) for side, number in ((5, 10), (6, 0), (7, 28))),  # OEIS A007705
    ("queens\nsize 3\nslopes 2/2\n", 4),  # of 6 permutations, without those with queens in two opposite corners
    ("queens\nsize 3\nslopes none\n", 6),
]


@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_boards_have_the_known_number_of_answers(text, number):
    puzzle = parse(text)
    assert len(answers(puzzle)) == number


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("2x3:b3_1a5d4c2b6_6b5c2d5a1_6b", "Sudoku 6x6: boxes of 2 rows x 3 columns, 12 clues"),
        ("3x2:2a3_1c3b1_4l4_1b5c6_4a1", "Sudoku 6x6: boxes of 3 rows x 2 columns, 12 clues"),
        (
            "3x3x:b2d9b9b3d1a6_8g1e5_6a5c4a2_4e7g3_8a1d2b4b5d9b",
            "Sudoku 9x9: boxes of 3 rows x 3 columns, 22 clues, diagonals",
        ),
        ("4j:b4c1b1c2b,e_ea_______a_", "Sudoku 4x4: boxes of any shape, 4 clues"),
        ("2x2k:p,aaa__baa__a__a__,3a8a4_6c9_6c4a", "Sudoku 4x4: boxes of 2 rows x 2 columns, 0 clues, 7 cages"),
        ("4jk:p,ab_a_abbc_b,__a_a___cc__aa_,6_6_5c9a4a10e", "Sudoku 4x4: boxes of any shape, 0 clues, 6 cages"),
        ("8x8u:EdCATHdCbJDa", "Takuzu 8x8: 11 clues, equal lines forbidden"),
        ("6x6:CAddDCHAbg", "Takuzu 6x6: 9 clues, equal lines allowed"),
        ("6x10:caBacalDFcBBACgIa", "Takuzu 10x6: 16 clues, equal lines allowed"),
        (
            "4 4\n9 - 8 3\n- 7 - -\n4 - - 9\n- - - -\n2 2 4 1\n2 3 4 1\n6 3 4 5\n6 3 5 5\n",
            "Sudoku 4x4: boxes of 2 rows x 2 columns, 0 clues, 6 cages",
        ),
    ],
)
def test_boards_of_other_programs_have_one_answer(text, title):
    puzzle = parse(text)
    assert puzzle.title == title
    assert len(answers(puzzle, 2)) == 1
    assert parse(puzzle.text()) == puzzle


KILLER = "boxes\nAABB\nAABC\nDDBC\nDDCC\ncages\na...\n....\n....\n....\nsums a=3\n"
APART = ((0, 0, 1, 1), (0, 0, 1, 1), (2, 2, 3, 3), (2, 3, 2, 3))


@pytest.mark.parametrize(
    ("text", "change", "said"),
    [
        (
            KILLER,
            lambda p: {"cells": ((9, None, None, None), *p.cells[1:])},
            "row 1, column 1: value 9 is outside 1..4",
        ),
        (KILLER, lambda p: {"cells": ()}, "0 rows"),
        (KILLER, lambda p: {"regions": p.regions[:3]}, "row 4 of the boxes has 0 cells"),
        (KILLER, lambda p: {"regions": APART}, "row 4, column 3: this box is in 2 pieces"),
        (KILLER, lambda p: {"cages": (p.cages[0]._replace(cells=()),)}, "without cells"),
        (KILLER, lambda p: {"cages": (p.cages[0]._replace(cells=((4, 0),)),)}, "outside the board"),
        (NUMBERS[1][0], lambda p: {"cells": ((2, None), (None, None))}, "row 1, column 1: value 2"),
        (NUMBERS[1][0], lambda p: {"cells": ()}, "0 rows"),
        (NUMBERS[1][0], lambda p: {"cells": ((None, None), (None,))}, "row 2, column 1: 1 cells"),
        ("stars 1\nA", lambda p: {"regions": (("A",), ("B",))}, "row 2, column 1: 2 rows but 1 columns"),
        ("# 1\\ 2\\\n\\3 . .\n", lambda p: {"grid": (p.grid[0][::-1], p.grid[1])}, "row 1, column 1: sum 2 down"),
    ],
)
def test_boards_made_in_python_are_judged_too(text, change, said):
    puzzle = parse(text)
    with pytest.raises(InputError, match=re.escape(said)):
        replace(puzzle, **change(puzzle))


def flat(puzzle, answer):
    """The cells of a board with its answer, as the stored solutions write them."""
    tokens = {"tango": {"S": "0", "M": "1"}, "starbattle": {}}.get(puzzle.family, {})
    cells = [tokens.get(token, token) for row in puzzle.board(answer) for token in row]
    return "".join("*" if token == "Q" else "." for token in cells) if puzzle.family == "queens" else "".join(cells)


def three_quick(boards):
    """Rows of boards by name, of which the three smallest of each family are quick; the others are slow."""
    first = {}
    for name in sorted(boards, key=lambda name: boards[name][1]):
        first.setdefault(re.split("[:/]", name)[0], []).append(name)
    quick = {name for names in first.values() for name in names[:3]}
    slow = pytest.mark.slow
    return [pytest.param(board, id=name, marks=() if name in quick else slow) for name, (board, _) in boards.items()]


@pytest.mark.sampled(25)
@pytest.mark.parametrize("record", three_quick({f"{r['family']}:{r['id']}": (r, len(str(r))) for r in RECORDS}))
def test_stored_boards_have_the_stated_solutions(record):
    puzzle, wanted = parse(json.dumps(record)), record["n_solutions"]
    number = 3 if wanted == ">=3" else wanted
    try:
        found = answers(puzzle, None if puzzle.family == "tents" else number + 1)
    except InfeasibleError:
        found = []
    boards = {flat(puzzle, answer) for answer in found}
    assert len(boards) >= 3 if wanted == ">=3" else len(boards) == wanted
    if "solution" in record and record.get("size", 0) < 10:
        assert "".join(record["solution"]).replace(" ", "") in boards
    assert parse(puzzle.text(), puzzle.family) == puzzle


@pytest.mark.sampled(20)
@pytest.mark.parametrize("path", three_quick({f"{p.parent.name}/{p.stem}": (p, p.stat().st_size) for p in EXAMPLES}))
def test_examples_have_the_stated_solutions_after_presolve_too(path):
    puzzle = load(path)
    assert puzzle.family == path.parent.name
    assert parse(puzzle.text()) == puzzle
    model = from_cpmpy(puzzle.to_cpmpy())
    found = answers(puzzle, 50)
    assert len({flat(puzzle, answer) for answer in found}) == SEVERAL.get(f"{puzzle.family}/{path.stem}", 1)
    smaller, recovery = presolve(model, "propagate")
    again = [recovery.recover(answer) for answer in find_solutions(smaller, 50)]
    assert sorted(map(str, again)) == sorted(map(str, found))


def test_the_readme_of_queens_states_these_numbers():
    rows = re.findall(r"\| `([\w.-]+)` \| [^|]* \| (\d+) \|", (ROOT / "examples/queens/README.md").read_text())
    queens = [path for path in EXAMPLES if path.parent.name == "queens"]
    assert {name: int(count) for name, count in rows} == {p.name: SEVERAL.get(f"queens/{p.stem}", 1) for p in queens}

"""What every family owes, asked of its own small example; and of the family that docs/extending.md writes."""

import importlib.util
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cpmpy.transformations.get_variables import get_variables_model
from faulty_boards import FAULTS
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import RANDOM
from refusals import assert_refused

from gatesolve.errors import InfeasibleError, InputError
from gatesolve.formats import from_cpmpy
from gatesolve.model import find_solutions
from gatesolve.model.presolve import presolve
from gatesolve.puzzles import families, load, parse
from gatesolve.puzzles.registry import all_families

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
    spec = importlib.util.spec_from_file_location("futoshiki_of_page", path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Futoshiki


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
        "mend its package, or uninstall it\n"
    )


def test_names_and_aliases_are_all_different():
    assert len(set(families())) == len(families())
    assert parse(all_families()[0].example, families()[0]).family == families()[0]


@pytest.mark.parametrize("name", RANDOM)
@settings(deadline=None)
@given(data=st.data())
def test_random_boards_go_round_as_text(name, data):
    puzzle = data.draw(RANDOM[name])
    assert parse(puzzle.text(), name) == puzzle
    if name != "galaxies":  # a board of one cell is a letter
        assert parse(puzzle.text()) == puzzle


@pytest.mark.more_examples(60)
@pytest.mark.parametrize("name", sorted(RANDOM.keys() - {"galaxies", "tents"}))  # these have auxiliary variables
@settings(max_examples=25, deadline=None)
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


@pytest.mark.parametrize("name", FAULTS)
@settings(max_examples=300, deadline=None)
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


def flat(puzzle, answer):
    """The cells of a board with its answer, as the stored solutions write them."""
    tokens = {"tango": {"S": "0", "M": "1"}, "starbattle": {}}.get(puzzle.family, {})
    cells = [tokens.get(token, token) for row in puzzle.board(answer) for token in row]
    return "".join("*" if token == "Q" else "." for token in cells) if puzzle.family == "queens" else "".join(cells)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"{record['family']}:{record['id']}")
def test_stored_boards_have_the_stated_solutions(record):
    puzzle, wanted = parse(json.dumps(record)), record["n_solutions"]
    number = 3 if wanted == ">=3" else wanted
    try:
        answers = find_solutions(from_cpmpy(puzzle.to_cpmpy()), None if puzzle.family == "tents" else number + 1)
    except InfeasibleError:
        answers = []
    boards = {flat(puzzle, answer) for answer in answers}
    assert len(boards) >= 3 if wanted == ">=3" else len(boards) == wanted
    assert all(puzzle.check(answer) == [] for answer in answers)
    if "solution" in record and record.get("size", 0) < 10:
        assert "".join(record["solution"]).replace(" ", "") in boards
    assert parse(puzzle.text(), puzzle.family) == puzzle


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_examples_have_the_stated_solutions_after_presolve_too(path):
    puzzle = load(path)
    assert puzzle.family == path.parent.name
    assert parse(puzzle.text()) == puzzle
    model = from_cpmpy(puzzle.to_cpmpy())
    answers = find_solutions(model, 50)
    assert len({flat(puzzle, answer) for answer in answers}) == SEVERAL.get(f"{puzzle.family}/{path.stem}", 1)
    assert all(puzzle.check(answer) == [] for answer in answers)
    smaller, recovery = presolve(model, "propagate")
    again = [recovery.recover(answer) for answer in find_solutions(smaller, 50)]
    assert sorted(map(str, again)) == sorted(map(str, answers))


def test_the_readme_of_queens_states_these_numbers():
    rows = re.findall(r"\| `([\w.-]+)` \| [^|]* \| (\d+) \|", (ROOT / "examples/queens/README.md").read_text())
    queens = [path for path in EXAMPLES if path.parent.name == "queens"]
    assert {name: int(count) for name, count in rows} == {p.name: SEVERAL.get(f"queens/{p.stem}", 1) for p in queens}

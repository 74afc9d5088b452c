"""What every family owes, asked of its own small example; and of the family that docs/extending.md writes."""

import importlib.util
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cpmpy.transformations.get_variables import get_variables_model

from gatesolve.errors import InputError
from gatesolve.puzzles import families, parse
from gatesolve.puzzles.registry import all_families

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
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

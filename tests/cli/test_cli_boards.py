"""`show`, `families` and `--output`: boards without solving, and boards as files."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gatesolve.puzzles import examples, families, load, parse

ROOT = Path(__file__).resolve().parents[2]
TANGO = ROOT / "examples" / "tango" / "small.txt"


def run(*arguments, text=None):
    command = [sys.executable, "-c", "from gatesolve.cli.app import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, input=text, timeout=120, check=False)


def test_every_family_has_an_example_that_is_its_own():
    shown = examples()
    assert {name for name, _, _ in shown} == set(families()) - {"queens_linkedin", "nqueens"}
    for name, summary, text in shown:
        assert summary
        assert parse(text).family == name


def test_families_lists_them():
    result = run("families")
    assert result.returncode == 0
    for name, summary, text in examples():
        assert f"{name}: {summary}" in result.stdout
        assert all(f"    {line}".rstrip() in result.stdout for line in text.splitlines())


@pytest.mark.parametrize(
    "folder", sorted(p.name for p in (ROOT / "examples").iterdir() if p.is_dir() and p.name != "qubo")
)
def test_show_draws_without_solving(folder):
    path = next(p for p in sorted((ROOT / "examples" / folder).iterdir()) if p.suffix in {".txt", ".param"})
    result = run("show", path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[0] == load(path).title
    assert "solved" not in result.stdout


def test_show_reads_standard_input_and_writes_pictures(tmp_path):
    picture = tmp_path / "board.svg"
    assert run("show", "-", "--output", picture, text=TANGO.read_text()).returncode == 0
    assert picture.read_text().lstrip().startswith("<?xml")


@pytest.mark.parametrize("suffix", ["txt", "png", "svg", "json"])
def test_solve_writes_the_board(tmp_path, suffix):
    path = tmp_path / f"board.{suffix}"
    result = run("solve", TANGO, "--json", "--output", path)
    assert result.returncode == 0, result.stderr
    if suffix == "json":
        assert json.loads(path.read_text())["status"] == "solved"
    elif suffix == "txt":
        finished = load(path)
        assert finished.family == "tango"
        assert "." not in "".join(finished.text().splitlines()[1:5])
    else:
        assert path.stat().st_size > 1000


@pytest.mark.parametrize(
    ("command", "name", "said"),
    [("solve", "board.pdf", ".txt, .png, .svg, .json"), ("show", "board.json", ".txt, .png, .svg")],
)
def test_unknown_suffixes_are_refused_before_any_work(tmp_path, command, name, said):
    result = run(command, TANGO, "--output", tmp_path / name)
    assert result.returncode == 2
    assert said in result.stderr
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_without_an_answer(tmp_path):
    infeasible = "values 0..3\n# 5\\ 5\\\n\\5 . .\n\\1 . .\n"
    result = run("solve", "-", "--output", tmp_path / "board.txt", text=infeasible)
    assert result.returncode == 1
    assert not list(tmp_path.iterdir())

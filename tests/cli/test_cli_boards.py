"""`show`, `families` and `--output`: boards without solving, and boards as files."""

import json
from pathlib import Path

import pytest

from gatesolve.puzzles import examples, load

ROOT = Path(__file__).resolve().parents[2]
TANGO = ROOT / "examples" / "tango" / "small.txt"


def test_families_lists_them(gatesolve):
    result = gatesolve("families")
    assert result.status == 0
    for name, summary, text in examples():
        assert f"{name}: {summary}" in result.out
        assert all(f"    {line}".rstrip() in result.out for line in text.splitlines())


@pytest.mark.parametrize(
    "folder",
    sorted(p.name for p in (ROOT / "examples").iterdir() if p.is_dir() and p.name not in ("qubo", "__pycache__")),
)
def test_show_draws_without_solving(gatesolve, folder):
    path = next(p for p in sorted((ROOT / "examples" / folder).iterdir()) if p.suffix in {".txt", ".param"})
    result = gatesolve("show", path)
    assert result.status == 0, result.err
    assert result.out.splitlines()[0] == load(path).title
    assert "solved" not in result.out


def test_show_reads_standard_input_and_writes_pictures(gatesolve, tmp_path):
    picture = tmp_path / "board.svg"
    assert gatesolve("show", "-", "--output", picture, stdin=TANGO.read_bytes()).status == 0
    assert picture.read_text().lstrip().startswith("<?xml")


@pytest.mark.quick("txt", "svg")
@pytest.mark.parametrize("suffix", ["txt", "png", "svg", "json"])
def test_solve_writes_the_board(gatesolve, tmp_path, suffix):
    path = tmp_path / f"board.{suffix}"
    result = gatesolve("solve", TANGO, "--json", "--output", path)
    assert result.status == 0, result.err
    if suffix == "json":
        assert json.loads(path.read_text())["status"] == "solved"
    elif suffix == "txt":
        finished = load(path)
        assert finished.family == "tango"
        assert "." not in "".join(finished.text().splitlines()[1:5])
    else:
        assert path.stat().st_size > 1000

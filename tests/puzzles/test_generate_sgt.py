"""The script that makes fresh boards: what it says without the programs, and what it does with their boards."""

import stat
from pathlib import Path

import pytest
from scripts import load_script

SCRIPT = Path(__file__).parents[2] / "examples" / "generate_sgt.py"
GOOD, LOOSE = "4x4:bedb,1,0,1,1,1,1,0,1", "7x7dn:cwaderqpcxgwicc"


@pytest.fixture
def script():
    return load_script(SCRIPT)


def install(monkeypatch, script, folder, board):
    """A program that makes the same board whatever it is asked for."""
    path = folder / "sgt-fake"
    path.write_text(f"#!/bin/sh\necho '{board}'\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(script, "_installed", lambda name: str(path))


def test_without_the_programs_it_says_what_brings_them(monkeypatch, script, capsys):
    monkeypatch.setattr(script, "_installed", lambda name: None)
    assert script.main(["--seeds", "1-2", "--programs", "tents,galaxies"]) == 0
    assert capsys.readouterr().err == (
        "not installed: sgt-tents, sgt-galaxies; apt-get install sgt-puzzles brings them\n"
    )


def test_boards_are_read_solved_and_written(monkeypatch, script, capsys, tmp_path):
    install(monkeypatch, script, tmp_path, GOOD)
    assert script.main(["--seeds", "1-2", "--programs", "tents", "--output", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.split("\n")[1].split()[:3] == ["tents", "2", "2"]
    written = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in written] == ["tents-8x8de-1.txt", "tents-8x8dt-2.txt"]
    assert written[0].read_text() == f"; sgt-tents --generate 1 '8x8de#1'\n{GOOD}\n"


@pytest.mark.parametrize(
    ("board", "says"),
    [
        (LOOSE, "taken for galaxies"),
        ("3x3:_j,1,0,0,0,0,1", "the game id's trees end"),
        ("4x4:acj,1,0,1,0,1,1,0,0", "2 solutions"),
        ("nonsense", "not recognised"),
    ],
)
def test_a_board_that_is_not_as_it_should_be_is_told(monkeypatch, script, capsys, tmp_path, board, says):
    install(monkeypatch, script, tmp_path, board)
    assert script.main(["--seeds", "3", "--programs", "tents"]) == 1
    assert says in capsys.readouterr().out


def test_unknown_programs_are_refused(script, capsys):
    with pytest.raises(SystemExit) as caught:
        script.main(["--programs", "chess"])
    assert caught.value.code == 2
    assert "unknown program chess: choose any of tents" in capsys.readouterr().err

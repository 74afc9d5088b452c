"""The published files of every contest: made again they are the same, to the letter."""

from pathlib import Path

import pytest
from scripts import load_script

CIRCUITS = Path(__file__).parents[2] / "circuits"
FOLDERS = sorted(path.parent.name for path in CIRCUITS.glob("*/make.py") if "def remake(" in path.read_text())


@pytest.mark.sampled(1)
@pytest.mark.quick("kakuro-2022", "toffoli-t-counts")
@pytest.mark.parametrize("name", FOLDERS)
def test_made_again(name, tmp_path):
    load_script(CIRCUITS / name / "make.py").remake(tmp_path)
    made = list(tmp_path.iterdir())
    assert made
    for path in made:
        assert path.read_text() == (CIRCUITS / name / path.name).read_text(), path.name

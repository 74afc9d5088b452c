"""The campaign of small faults: its operators one by one, and the whole of it on a package of one module."""

import ast

import pytest

from benchmarks.faults import mutants

SOURCE = '''"""A module."""
from package import name


def clamp(x: int, low: int = 0) -> int:
    """Not below ``low``."""
    if x < low and not low == 3:
        x += 1
    seen[x] = x * 2
    if x:
        raise ValueError(f"too large by {x - 5}")
    return x
'''


def test_every_operator_and_nothing_else():
    found = {(m.line, m.before, m.after) for m in mutants.find_mutations(SOURCE)}
    assert found == {
        (5, "0", "(1)"),
        (7, "x < low and not low == 3", "(x < low or not low == 3)"),
        (7, "x < low", "(x <= low)"),
        (7, "not low == 3", "(low == 3)"),
        (7, "low == 3", "(low != 3)"),
        (7, "3", "(4)"),
        (8, "x += 1", "pass"),
        (8, "1", "(2)"),
        (9, "seen[x] = x * 2", "pass"),
        (9, "x * 2", "(x + 2)"),
        (9, "2", "(3)"),
        (10, "x", "(not x)"),
        (11, 'raise ValueError(f"too large by {x - 5}")', "pass"),
        (12, "return x", "return None"),
    }


def test_a_fault_changes_its_own_text_alone():
    source = SOURCE.replace("seen[x]", "seen['größer', x]")
    for mutation in mutants.find_mutations(source):
        changed = mutation.apply(source)
        ast.parse(changed)
        assert changed != source
        assert changed[: mutation.start] == source[: mutation.start]
        assert changed.endswith(source[mutation.end :])


@pytest.fixture
def package(tmp_path):
    """Two functions, of which the mirror test looks at one; another test, of the whole suite, looks at the other."""
    files = {
        "gatesolve/__init__.py": "",
        "gatesolve/room/__init__.py": "from gatesolve.room.sums import more\n",
        "gatesolve/room/sums.py": "def more(x):\n    return x + 1\n\n\ndef less(x):\n    return x - 1\n",
        "tests/room/test_sums.py": "from gatesolve.room.sums import more\n\n\n"
        "def test_more():\n    assert more(1) == 2\n",
        "tests/room/test_other.py": "from gatesolve.room import more\n",
        "tests/test_far.py": "import gatesolve.room.sums\n",
        "tests/test_slow.py": "import importlib\nimport pytest\n\n\n@pytest.mark.slow\ndef test_less():\n"
        "    assert importlib.import_module('gatesolve.room.sums').less(1) == 0\n",
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = \"-m 'not slow'\"\nmarkers = ['slow']\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.sampled(0.3)
def test_what_the_mirror_tests_miss_survives_unless_the_whole_suite_sees_it(package, capsys):
    before = (package / "gatesolve/room/sums.py").read_text()
    asked = ["--modules", "gatesolve.room.sums", "--jobs", "1", "--seed", "1"]
    assert mutants.main(asked, root=package) == 1
    printed = capsys.readouterr().out
    assert "gatesolve/room/sums.py:2  " in printed
    assert "killed by tests/room/test_sums.py::test_more" in printed
    assert "1 of 2 survived (50%), seed 1" in printed
    assert mutants.main([*asked, "--whole"], root=package) == 0
    assert "killed by tests/test_slow.py::test_less" in capsys.readouterr().out
    assert (package / "gatesolve/room/sums.py").read_text() == before

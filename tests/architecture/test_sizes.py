"""No file and no function grows past what can be read in one go, and no two test files share a name."""

import ast
from collections import Counter
from pathlib import Path

from syntax import list_nodes, read_tree

ROOT = Path(__file__).parents[2]
FOLDERS = ("gatesolve", "tests", "examples", "benchmarks")
MOST_LINES_OF_A_FILE = 700
MOST_LINES_OF_A_FUNCTION = 60


def too_long(root: Path) -> list[str]:
    """Files and functions below ``root`` that are over the limits, one line each."""
    found = []
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.py")):
        source, name = path.read_text(encoding="utf-8"), path.relative_to(root)
        lines = len(source.splitlines())
        if lines > MOST_LINES_OF_A_FILE:
            found.append(f"{name}: {lines} lines")
        for node in list_nodes(read_tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > MOST_LINES_OF_A_FUNCTION:
                    found.append(f"{name}:{node.lineno}: {node.name} has {length} lines")
    return found


def test_files_and_functions_are_short():
    assert too_long(ROOT) == []


def test_what_is_too_long_is_caught(tmp_path):
    (tmp_path / "gatesolve" / "deep").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "gatesolve" / "deep" / "file.py").write_text("x = 1\n" * 701)
    (tmp_path / "gatesolve" / "fits.py").write_text("x = 1\n" * 340 + "def f():\n" + "    x = 1\n" * 59)
    (tmp_path / "tests" / "function.py").write_text("class A:\n    async def g(self):\n" + "        x = 1\n" * 60)
    assert too_long(tmp_path) == ["gatesolve/deep/file.py: 701 lines", "tests/function.py:2: g has 61 lines"]


TESTS = Path(__file__).parents[1]


def test_each_name_is_given_once():
    names = Counter(path.name for path in TESTS.rglob("test_*.py"))
    assert [name for name, times in names.items() if times > 1] == []

"""Pages and examples import from `gatesolve` and from its rooms, nothing deeper."""

import ast
import importlib
import inspect
import subprocess
import sys

import pages
import pytest

ROOMS = sorted(path.parent.name for path in (pages.ROOT / "gatesolve").glob("*/__init__.py"))
LAZY = [room for room in ROOMS if hasattr(importlib.import_module(f"gatesolve.{room}"), "_PUBLIC")]
SOURCES = [*pages.PAGES, *sorted((pages.ROOT / "examples").glob("*.py"))]


def code_of(path):
    """What of a page or a script is run as Python."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return [text]
    return [block.text for block in pages.blocks(text) if block.language == "python"]


def deep_imports(code):
    """Imports of more than a name that `gatesolve` or one of its rooms shows."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found += [one.name for one in node.names if one.name.startswith("gatesolve.")]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "gatesolve":
            found += [f"{node.module}: {one.name}" for one in node.names if not is_shown(node.module, one.name)]
    return found


def is_shown(module, name):
    """Whether a name is shown by `gatesolve` or a room, and is no module itself; adapters show what needs a tool."""
    room = module.removeprefix("gatesolve").removeprefix(".")
    if room.startswith("adapters.") and not name.startswith("_"):
        return True  # not imported: the tool may be missing
    if room not in {"", *ROOMS} or name.startswith("_"):
        return False
    return not inspect.ismodule(getattr(importlib.import_module(module), name, sys))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(pages.ROOT)))
def test_nothing_deeper_than_a_room_is_imported(path):
    assert [found for code in code_of(path) for found in deep_imports(code)] == []


@pytest.mark.parametrize(
    "line",
    [
        "import gatesolve.model",
        "from gatesolve.model.model import Model",
        "from gatesolve.api import hardware",
        "from gatesolve.model import NoSuchName",
        "def f():\n    from gatesolve.pipelines import _PUBLIC",
        "from gatesolve import api",
    ],
)
def test_a_deep_import_is_caught(line):
    assert len(deep_imports(line)) == 1


@pytest.mark.parametrize("room", LAZY)
def test_names_loaded_late_are_there_and_none_comes_from_above(room):
    package = importlib.import_module(f"gatesolve.{room}")
    for module, names in package._PUBLIC.items():
        assert all(callable(getattr(package, name)) for name in names)
        assert room == "api" or module.startswith(f"gatesolve.{room}.")
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        getattr(package, "nothing")  # noqa: B009 - mypy would refuse the plain form


def test_rooms_whose_names_are_loaded_late_are_quick_to_import():
    code = "import gatesolve.api, gatesolve.pipelines, sys\nprint('numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=pages.ROOT)
    assert run.stdout.split() == ["False"]

"""Who may import whom inside gatesolve, read from the source of every file."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = "gatesolve"

# What is the same for everybody: how a fault is said, by which hash content is found again, how files are written.
SHARED = {"errors", "content", "files"}

# The table of design.md. Every package may also import itself and what is shared.
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "content": set(),
    "files": {"errors"},
    "model": set(),
    "reversible": set(),
    "puzzles": {"model"},
    "presolve": {"model"},
    "encodings": {"model", "reversible"},
    "oracle": {"model", "encodings", "reversible"},
    "boolean": {"reversible", "oracle"},
    "qubo": {"model", "encodings", "reversible"},
    "published": {"model", "encodings", "qubo", "puzzles"},
    "lowering": {"reversible"},
    "simulate": {"encodings", "reversible"},
    # Program.resources() is part of the public interface, and resources depends on lowering alone: no cycle.
    "pipelines": {"reversible", "encodings", "oracle", "qubo", "lowering", "resources"},
    "resources": {"lowering"},
    "backends": {"resources"},
    "readout": {"encodings", "pipelines"},
    # What a record holds: models, spaces, what presolve took out. It is read long after it was written.
    "jobs": {"model", "encodings", "presolve"},
}

# A sweep over whole compilations belongs with api and cli; nothing but those may import it.
WIRING = {"pareto", "hardware"}


def modules_named(tree: ast.AST, module: tuple[str, ...], is_package: bool) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Line and dotted name of everything a file imports, at any depth: in functions and type checks too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, tuple(alias.name.split("."))) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base: tuple[str, ...] = ()
            if node.level:
                parents = node.level - 1 if is_package else node.level
                base = module[: len(module) - parents]
            base += tuple(node.module.split(".")) if node.module else ()
            yield from ((node.lineno, (*base, alias.name)) for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if function in {"import_module", "__import__"}:
                yield node.lineno, tuple(str(node.args[0].value).split("."))


def forbidden_imports(root: Path) -> list[str]:
    """Imports below ``root/gatesolve`` that the table does not allow, one line each."""
    found = []
    for path in sorted((root / PACKAGE).rglob("*.py")):
        place = path.relative_to(root).with_suffix("").parts
        is_package = place[-1] == "__init__"
        module = place[:-1] if is_package else place
        at_top = len(place) == 2 and place[1] not in SHARED
        if at_top or place[1] in WIRING:
            continue  # __init__, api, cli: the modules that wire the others together
        here = place[1]
        if here not in MAY_IMPORT:
            found.append(f"{path.relative_to(root)}: package {here} is not in the import table")
            continue
        for line, name in modules_named(ast.parse(path.read_text(encoding="utf-8")), module, is_package):
            allowed = MAY_IMPORT[here] | {here} | (set() if here in SHARED else SHARED)
            if name[0] == PACKAGE and (len(name) == 1 or name[1] not in allowed):
                found.append(f"{path.relative_to(root)}:{line}: {here} may not import {'.'.join(name)}")
    return found


def test_every_import_goes_the_way_of_the_design():
    assert list((ROOT / PACKAGE).rglob("*.py"))
    assert forbidden_imports(ROOT) == []


def test_the_table_has_no_cycle():
    done: set[str] = set()
    while len(done) < len(MAY_IMPORT):
        ready = {name for name, needs in MAY_IMPORT.items() if name not in done and needs <= done}
        assert ready, f"cycle among {set(MAY_IMPORT) - done}"
        done |= ready


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("model/a.py", "import gatesolve.model.presolve"),
        ("model/a.py", "from gatesolve.puzzles import load"),
        ("model/a.py", "from gatesolve import encodings"),
        ("model/a.py", "import gatesolve"),
        ("model/a.py", "from .. import solve"),
        ("model/a.py", "from ..puzzles.kakuro import Kakuro"),
        ("model/__init__.py", "from ..oracle import x"),
        ("model/deep/a.py", "from ...presolve import x"),
        ("errors.py", "from gatesolve.model import Model"),
        ("content.py", "from gatesolve.errors import InputError"),
        ("pipelines/gas.py", "def f():\n    from gatesolve.simulate import run"),
        ("backends/aer.py", "if TYPE_CHECKING:\n    from gatesolve.puzzles import Puzzle"),
        ("reversible/a.py", "import importlib\nimportlib.import_module('gatesolve.model')"),
        ("newcomer/a.py", "x = 1"),
    ],
)
def test_a_planted_bad_import_is_caught(tmp_path, file, source):
    path = tmp_path / PACKAGE / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    (fault,) = forbidden_imports(tmp_path)
    assert fault.startswith(f"{PACKAGE}/{file}:")


@pytest.mark.parametrize(
    ("file", "source"),
    [
        (
            "model/a.py",
            "from . import b\nfrom .b import c\nfrom gatesolve.model.b import d\nfrom gatesolve.errors import E",
        ),
        ("model/__init__.py", "from .a import x\nfrom ..errors import E"),
        ("oracle/a.py", "from gatesolve import encodings\nimport gatesolve.circuit.ops\nimport gatesolvents"),
        ("solve.py", "import gatesolve.devices\nimport gatesolve.puzzles"),
        ("__init__.py", "from gatesolve.solve import solve"),
    ],
)
def test_good_imports_pass(tmp_path, file, source):
    path = tmp_path / PACKAGE / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    assert forbidden_imports(tmp_path) == []

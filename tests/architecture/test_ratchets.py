"""Figures of the package's structure that may fall and never grow.

What they count, and why: a module with one importer was often cut off by length; a class name in two modules has two
meanings; a place that tells operations apart has to be found when one is added; a docstring that begins with *What* or
*The same* is not understood without the line above it; a test that imports from a module holds that module in place.
"""

import ast
import math
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from syntax import list_nodes, read_tree

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "gatesolve"
OPERATIONS = {"Xor", "And", "AndNot", "Mux", "Mcx", "PhaseFlip", "Gate"}
BROKEN_OFF = re.compile(r"(What|The same|Of|As|So many|Whether it|It )\b")
MOST = {
    "thousands of lines in gatesolve/": 67,
    "thousands of lines in tests/": 45,
    "thousands of lines in benchmarks/": 11,
    "modules": 317,
    "modules with one importer": 55,
    "class names in two modules": 0,
    "places that tell operations apart": 4,
    "modules that tell operations apart": 4,
    "docstrings that presuppose the line above": 0,
    "functions of over 40 lines": 33,
    "functions of over 7 arguments": 7,
    "test files that import below a room": 77,
}


@cache
def read_trees() -> dict[str, ast.Module]:
    """The syntax trees of the package, by dotted name; a package's own module ends in ``__init__``."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): read_tree(path)
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def find_home(trees: dict[str, ast.Module], module: str, name: str) -> str:
    """The module that defines a name, which a package may only pass on."""
    if f"{module}.{name}" in trees:
        return f"{module}.{name}"
    for node in getattr(trees.get(f"{module}.__init__"), "body", ()):
        if (
            isinstance(node, ast.ImportFrom)
            and node.module != module
            and name in {a.asname or a.name for a in node.names}
        ):
            return find_home(trees, str(node.module), name)
    return module


def count_importers(trees: dict[str, ast.Module]) -> Counter[str]:
    """How many modules import each module; what a package passes on does not count."""
    pairs = set()
    for module, tree in trees.items():
        if module.endswith("__init__"):
            continue
        for node in list_nodes(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                pairs |= {(find_home(trees, node.module, alias.name), module) for alias in node.names}
            elif isinstance(node, ast.Import):
                pairs |= {(alias.name, module) for alias in node.names}
    return Counter(home for home, _ in pairs)


def names_operation(node: ast.AST) -> bool:
    return (isinstance(node, ast.Name) and node.id in OPERATIONS) or (
        isinstance(node, ast.Attribute) and node.attr in OPERATIONS
    )


def tells_apart(node: ast.AST) -> bool:
    """Whether a node asks which operation something is."""
    match node:
        case ast.Call(func=ast.Name("isinstance"), args=[_, kinds]):
            return any(map(names_operation, ast.walk(kinds)))
        case ast.Dict(keys=keys):
            return any(key is not None and names_operation(key) for key in keys)
        case ast.MatchClass(cls=kind):
            return names_operation(kind)
    return False


def count_thousands(folder: str) -> int:
    """Begun thousands of lines; comments are free."""
    lines = (line for path in (ROOT / folder).rglob("*.py") for line in path.read_text("utf-8").splitlines())
    return math.ceil(sum(not line.lstrip().startswith("#") for line in lines) / 1000)


def count_arguments(node: ast.AST) -> int:
    """Arguments of a function, its object left out."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return 0
    named = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return sum(one.arg not in {"self", "cls"} for one in named)


def is_definition(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


@cache
def measure() -> dict[str, int]:
    trees = read_trees()
    nodes = [(module, node) for module, tree in trees.items() for node in list_nodes(tree)]
    defined = [(module, node) for module, node in nodes if is_definition(node)]
    classes = Counter(name for _, name in {(m, n.name) for m, n in defined if isinstance(n, ast.ClassDef)})
    importers = count_importers(trees)
    plain = [module for module in trees if not module.endswith(("__init__", "__main__"))]
    making = [m for m, n in nodes if tells_apart(n) and not m.startswith(("gatesolve.proof", "gatesolve.circuit.ops"))]
    docs = [ast.get_docstring(node) or "" for _, node in defined]
    docs += [ast.get_docstring(tree) or "" for tree in trees.values()]
    below = re.compile(r"from gatesolve\.\w+\.\w+[\w.]* import")
    return {
        **{
            f"thousands of lines in {folder}/": count_thousands(folder)
            for folder in ("gatesolve", "tests", "benchmarks")
        },
        "modules": len(trees),
        "modules with one importer": sum(importers[module] == 1 for module in plain),
        "class names in two modules": sum(number > 1 for number in classes.values()),
        "places that tell operations apart": len(making),
        "modules that tell operations apart": len(set(making)),
        "docstrings that presuppose the line above": sum(BROKEN_OFF.match(doc) is not None for doc in docs),
        "functions of over 40 lines": sum(
            (node.end_lineno or 0) - node.lineno >= 40 for _, node in defined if not isinstance(node, ast.ClassDef)
        ),
        "functions of over 7 arguments": sum(count_arguments(node) > 7 for _, node in defined),
        "test files that import below a room": sum(
            below.search(path.read_text()) is not None for path in (ROOT / "tests").rglob("*.py")
        ),
    }


@pytest.mark.parametrize("figure", MOST)
def test_a_figure_of_the_structure_does_not_grow(figure):
    assert measure()[figure] <= MOST[figure]

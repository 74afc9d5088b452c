"""Syntax trees of source files, parsed once for all tests of a process."""

import ast
from functools import cache
from pathlib import Path


def read_tree(path: Path) -> ast.Module:
    """The tree of a file as it is now; it is shared, so leave it as it is."""
    return _parse(path.read_text(encoding="utf-8"))


@cache
def list_nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a tree, from the outside in; to walk through it takes longer than to parse it."""
    return tuple(ast.walk(tree))


@cache
def _parse(source: str) -> ast.Module:
    return ast.parse(source)

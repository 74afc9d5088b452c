"""No message below the command line speaks of flags, and every option that one names exists."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest
import typer
from syntax import list_nodes, read_tree

from gatesolve.api import Options, words
from gatesolve.cli import app
from gatesolve.devices import JobRequest

ROOT = Path(__file__).parents[2] / "gatesolve"
FLAG = re.compile(r"(?<![\w-])--[a-z{]")
NAMED = re.compile(r"(?<![\w'\"\[-])([a-z]\w*)=(?:'[^']*'|True\b|\{\}|[A-Z]+\b|\d)")
LEFT_OUT = re.compile(r"\b(?:leave out|raise) ([a-z_]+)(?: or ([a-z_]+))?")
COMMAND_LINES = {
    "api/words.py": {"--{}", "--backend"},
    "costs/front.py": {"--output", "--{}"},
    "division/account.py": {"gatesolve resources FILE --presolve propagate --physical"},
}
"""Command lines that are printed to be run again, not advice, and how flags are made of options."""
NO_OPTIONS = {"it", "the", "their", "vartype"}
"""Words in the same places: of English, and of a file's header."""


@cache
def strings(path: Path) -> tuple[str, ...]:
    """String literals that are no docstrings; ``{}`` for what is put into them."""
    tree = read_tree(path)
    silent: set[int] = set()
    found: list[str] = []
    for node in list_nodes(tree):
        if isinstance(node, ast.Expr):
            silent.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            silent.update(id(part) for part in node.values)
    for node in list_nodes(tree):
        if id(node) in silent:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node.value)
        elif isinstance(node, ast.JoinedStr):
            found.append("".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values))
    return tuple(found)


def messages(root: Path) -> Iterator[tuple[str, str]]:
    """File and text of every string below ``root`` but those of the command line itself."""
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if not name.startswith("cli/"):
            yield from ((name, text) for text in strings(path) if text not in COMMAND_LINES.get(name, ()))


def flags(root: Path) -> list[str]:
    """Flags in strings that Python users read."""
    return [f"{name}: {text}" for name, text in messages(root) if FLAG.search(text)]


def test_no_message_below_the_command_line_names_a_flag():
    assert flags(ROOT) == []


def test_a_planted_flag_is_caught(tmp_path):
    for room in ("deep", "cli"):
        (tmp_path / room).mkdir()
    source = 'def f(n):\n    """Not --this."""\n    return f"{n} is few: use --shots {n}"\n'
    (tmp_path / "deep" / "a.py").write_text(source)
    (tmp_path / "cli" / "a.py").write_text('HELP = "use --shots"\n')
    assert flags(tmp_path) == ["deep/a.py: {} is few: use --shots {}"]


def named(text: str) -> set[str]:
    """Options that a message names."""
    words = {word for found in LEFT_OUT.findall(text) for word in found if word}
    return (set(NAMED.findall(text)) | words) - NO_OPTIONS


def unknown(root: Path) -> set[tuple[str, str]]:
    """File and name of what a message below ``root`` calls an option and is none."""
    taken = {field.name for kind in (Options, JobRequest) for field in fields(kind)} | set(words.OPTIONS)
    return {(name, option) for name, text in messages(root) for option in named(text) - taken}


def test_every_option_that_a_message_names_exists():
    assert unknown(ROOT) == set()


def test_a_planted_option_that_is_none_is_caught(tmp_path):
    source = 'A = "split it or raise table_limit"\nB = f"use limit={3}, or leave out exact or part"\n'
    (tmp_path / "a.py").write_text(source)
    assert unknown(tmp_path) == {("a.py", "table_limit"), ("a.py", "limit")}


def test_the_options_of_the_command_line_are_all_there_are():
    commands = typer.main.get_command(app.app).commands.values()
    typed = {flag for command in commands for option in command.params for flag in option.opts if flag[:2] == "--"}
    assert set(words.OPTIONS.values()) == typed - {"--json", "--help"}


@pytest.mark.parametrize(
    ("told", "typed"),
    [
        ("use presolve='none'", "use --presolve none"),
        ("use pipeline='grover', 'gas' or 'qaoa'", "use --pipeline grover, gas or qaoa"),
        ("leave out exact", "leave out --exact"),
        ("leave out schedule='unknown'", "leave out --schedule unknown"),
        ("use more shots or layers", "use more --shots or --layers"),
        ("add variables with quadratic=True", "add variables with --quadratic"),
        ("for example device='fake_torino'", "for example --backend fake_torino"),
        ("store='my sweep'", "--store 'my sweep'"),
        ("max_qubits is -2: give 0 or more", "--max-qubits is -2: give 0 or more"),
    ],
)
def test_advice_is_given_as_it_is_typed(told, typed):
    assert words.render_options(told) == typed


@pytest.mark.parametrize(
    "text", ["(shots) == 3", "x=3", "row 3: give another value", "use --shots 3", "seed is the first: take it"]
)
def test_what_is_no_advice_stays(text):
    assert words.render_options(text) == text

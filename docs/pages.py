"""Reading and running the documentation: marked sections, fenced blocks, and the outputs shown in them.

- A ``python`` block is run; a ``text`` block right after it shows what it prints.
- A ``console`` block holds commands after ``$``, each with its output below it; an ``sh`` block holds commands alone.
  Commands that start with ``gatesolve`` are run, all others are not. In a ``console`` block ``$ echo $?`` shows the
  exit status; a command may fail only in a block that shows it.
- ``<!-- needs: MODULE -->`` before a ``python`` block: without that module it is not run, and its output stays.
- ``<!-- file: NAME -->`` before a block writes its text to that file. A ``pyproject.toml`` is installed too: its entry
  points are found from then on, and the modules beside it can be imported, as after ``pip install -e .``.
- ``<!-- figures: SOURCE`` on the line after a paragraph, lines such as ``takes {it['cx']} CX``, then ``-->``: the
  paragraph holds each line, filled in. ``it`` is the JSON that a command prints, or the rows of a CSV file; without a
  SOURCE the lines read what the blocks above have defined. A line ``let NAME = EXPRESSION`` names a value
  for the lines below it; ``spread(values)`` is text such as ``2 to 13``. A paragraph may have several such comments.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import re
import shlex
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

import pytest

ROOT = Path(__file__).parents[1]
PAGES = (
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/contributors").glob("*.md")),
    ROOT / "examples" / "README.md",
)

_SECTION = re.compile(r"<!-- table:(\S+) -->\n(.*?)<!-- end -->", re.DOTALL)
_NEEDS = re.compile(r"<!-- needs: (\S+) -->\n```\w+\n$")
_MARKED = re.compile(r"((?:^(?!<!--|-->).+\n)+)((?:<!-- figures:.*\n(?:.+\n)+?-->\n?)+)", re.MULTILINE)
_FIGURES = re.compile(r"<!-- figures:(.*)\n((?:.+\n)+?)-->$", re.MULTILINE)
_NAMED = re.compile(r"let (\w+) = (.+)")
_FENCE = re.compile(r"(?:<!-- file: (\S+) -->\n)?^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Attributes:
        language: the word after the fence.
        text: what stands between the fences.
        start: where the text starts in the page.
        file: the file it shows, where a comment before it names one.
    """

    language: str
    text: str
    start: int
    file: str | None


def sections(text: str) -> dict[str, str]:
    """The marked sections of a page by name."""
    return {match[1]: match[2] for match in _SECTION.finditer(text)}


def with_section(text: str, name: str, body: str) -> str:
    """The page with one section replaced."""
    start = f"<!-- table:{name} -->\n"
    before, rest = text.split(start)
    return f"{before}{start}{body}<!-- end -->{rest.split('<!-- end -->', 1)[1]}"


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page in order."""
    return [Block(m[2], m[3], m.start(3), m[1]) for m in _FENCE.finditer(text)]


def fresh(text: str) -> str:
    """The page as it should be now: every block run in order, every output as it comes out.

    Raises:
        AssertionError: a command failed in a block that does not show its exit status, or a figure of a text is wrong.
    """
    pieces, at = [], 0
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed: str | None = None
    with _folder():
        for block in blocks(text):
            between = text[at : block.start]
            check_figures(between, namespace)
            body = block.text
            if block.language == "text" and printed is not None and between.strip() == "```\n\n```text":
                body = printed
            printed = None
            if block.file:
                path = Path(block.file)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")
                if path.name == "pyproject.toml":
                    _install(path)
            elif (needs := _NEEDS.search(between)) and find_spec(needs[1]) is None:
                pass
            elif block.language == "python":
                printed = _printed(block.text, namespace)
            elif block.language == "console":
                body = "".join(_console(block))
            elif block.language == "sh":
                _console(Block("console", re.sub("^", "$ ", block.text, flags=re.MULTILINE), 0, None))
            pieces += [between, body]
            at = block.start + len(block.text)
        check_figures(text[at:], namespace)
    return "".join([*pieces, text[at:]])


def check_figures(text: str, namespace: dict[str, object]) -> None:
    """Compare the figures that a text marks with what their sources give today.

    Raises:
        AssertionError: a paragraph does not hold a line of its figures.
    """
    for paragraph, comments in _MARKED.findall(text):
        for source, lines in _FIGURES.findall(comments):
            known = {**namespace, "it": _read_source(source.strip()), "spread": spread}
            for line in lines.splitlines():
                if named := _NAMED.fullmatch(line):
                    known[named[1]] = eval(named[2], known)
                    continue
                said = eval(f"f{line!r}", known)
                assert said in " ".join(paragraph.split()), f"not said: {said!r}, but: {paragraph}"


def spread(values: Iterable[float], form: str = ".0f") -> str:
    """Return the least and the greatest value, such as ``2 to 13``."""
    found = [*values]
    return f"{min(found):{form}} to {max(found):{form}}"


def _read_source(source: str) -> object:
    """Return what a command prints as JSON, or the rows of a CSV file of the repository."""
    if source.endswith(".csv"):
        with (ROOT / source).open(encoding="utf-8") as file:
            return list(csv.DictReader(file))
    return json.loads(run(source)[0]) if source else None


def _install(pyproject: Path) -> None:
    """Put a package's metadata and its folder on the import path; `_folder` takes them off again."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    name, version = project["name"].replace("-", "_"), project["version"]
    site = pyproject.parent.resolve() / f"site-{name}"
    info = site / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    groups = project.get("entry-points", {})
    lines = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in points.items()) for group, points in groups.items()]
    (info / "entry_points.txt").write_text("".join(lines), encoding="utf-8")
    sys.path[:0] = [str(site), str(site.parent)]


def _console(block: Block) -> list[str]:
    """Each command of the block with its output; a shown output that differs in its times alone is kept."""
    status, found = 0, []
    shows_status = "$ echo $?\n" in block.text
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        words, _, shown = part.partition("\n")
        if words.startswith("gatesolve "):
            output, status = run(words)
            assert not status or shows_status, f"exit status {status} of: {words}\n{output}"
            shown = shown if timeless(shown) == timeless(output) else output
        elif words == "echo $?":
            shown = f"{status}\n"
        found.append(f"$ {words}\n{shown}")
    return found


def _printed(code: str, namespace: dict[str, object]) -> str:
    """What a block of Python prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "<documentation>", "exec"), namespace)
    return out.getvalue()


@contextlib.contextmanager
def _folder() -> Iterator[None]:
    """A folder of its own with the examples in it; jobs, modules and families registered there are gone afterwards."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name), pytest.MonkeyPatch.context() as patch:
        for folder in ("examples", "circuits/kakuro"):
            shutil.copytree(ROOT / folder, folder)
        patch.setenv("GATESOLVE_HOME", str(Path(name) / "jobs"))
        patch.setattr(sys, "path", [name, *sys.path])  # modules that a page writes
        patch.setattr("gatesolve.puzzles.registry._registered", {})
        try:
            yield
        finally:
            _forget_modules(Path(name).resolve())


def _forget_modules(folder: Path) -> None:
    """Forget modules that were imported from a folder: another page may write one of the same name."""
    for name, module in [*sys.modules.items()]:
        if (getattr(module, "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]


def run(words: str) -> tuple[str, int]:
    """Run ``gatesolve ...`` in this process and in the current folder.

    Returns:
        What it printed, on either stream, without spaces at the ends of lines; and its exit status.
    """
    from gatesolve.cli.app import main

    line, _, source = words.partition(" < ")
    printed = io.StringIO()
    with _changed(sys, "argv", shlex.split(line)), contextlib.ExitStack() as stack:
        if source:
            stdin = io.TextIOWrapper(io.BytesIO(Path(source.strip()).read_bytes()))
            stack.enter_context(_changed(sys, "stdin", stdin))
        stack.enter_context(contextlib.redirect_stdout(printed))
        stack.enter_context(contextlib.redirect_stderr(printed))
        # A page shows no lines of progress, which come where a machine is slow.
        stack.enter_context(patch("gatesolve.api.shown_progress.LINES", math.inf))
        try:
            main()
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
    return "".join(f"{line.rstrip()}\n" for line in printed.getvalue().splitlines()), status


@contextlib.contextmanager
def _changed(owner: object, name: str, value: object) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def timeless(output: str) -> str:
    """The output without what differs from run to run.

    That is the report of times, which is its end, and the depth and number of gates of a circuit whose rotations
    are approximated in Clifford+T: Qiskit's Ross-Selinger search has a time limit, so a busy machine may find
    another word of as many T gates.
    """
    steady = re.split(r"^time:", output, flags=re.MULTILINE)[0]
    return re.sub(r"^(│ (?:whole\*?|iteration) +│ clifford\+t │(?: +\d+ │){3}).*$", r"\1", steady, flags=re.MULTILINE)

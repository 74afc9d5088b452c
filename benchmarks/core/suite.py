"""Suites: cases that are measured one by one, rows that are recorded, pages that are made of them."""

from __future__ import annotations

import argparse
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.core.report import Lines, fill, say, text_table, write_pages
from benchmarks.core.rows import Row, Table, list_differences
from gatesolve.errors import DoesNotFitError

Asked = argparse.Namespace


def make_parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser whose help text is a module's docstring as it stands."""
    return argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)


def attempt(what: str, make: Callable[[], Row]) -> list[Row]:
    """Return the row that could be made and shown right, with its seconds; else none, and a note."""
    start = time.perf_counter()
    try:
        made = make()
    except (AssertionError, ValueError, DoesNotFitError) as error:
        say(f"{what} is left out, not shown to be right: {error}")
    except (ImportError, subprocess.TimeoutExpired) as error:
        say(f"{what} was not made: {error}")
    else:
        return [made.replace(seconds=round(made.seconds or time.perf_counter() - start, 1))]
    return []


def parse_cases(parser: argparse.ArgumentParser, arguments: Sequence[str], known: Sequence[str]) -> Asked:
    """Return the options of a command line, among them the cases that have one of the words of ``--only``."""
    parser.add_argument("--only", nargs="+", action="extend", metavar="WORD", help="cases with one of these words")
    asked = parser.parse_args(arguments)
    words = [word.lower() for word in asked.only or [""]]
    asked.cases = [name for name in known if any(word in name.lower() for word in words)]
    if not asked.cases:
        parser.error(f"--only: no case has one of these words; the cases are {', '.join(known)}")
    return asked


def no_options(parser: argparse.ArgumentParser) -> None:
    """Add no option."""


@dataclass(frozen=True)
class Suite:
    """A benchmark whose rows are recorded in a file of results.

    Attributes:
        table: declares the rows.
        list_cases: names of the cases, in the order of the file.
        measure: makes the rows of a case.
        show: header and lines of the table that is printed; by default all columns.
        make_pages: text of each page that shows the recorded rows.
        add_options: further options of the command line.
        stays: whether a recorded row of a measured case is kept, as its library was not asked.
        order: of the rows in the file; by default that of their cases.
        case_of: names a row's case; by default its first cell.
        is_failed: whether a row is a failure by itself.
        draw: draws the pictures of the recorded rows.
    """

    table: Table
    list_cases: Callable[[], Iterable[str]]
    measure: Callable[[str, Asked], Iterable[Row]]
    show: Callable[[Sequence[Row]], tuple[Sequence[str], Lines]] | None = None
    make_pages: Callable[[Sequence[Row]], dict[Path, str]] = lambda rows: {}
    add_options: Callable[[argparse.ArgumentParser], None] = no_options
    stays: Callable[[Row, Asked], bool] = lambda row, asked: False
    order: Callable[[Row], Any] | None = None
    case_of: Callable[[Row], str] = lambda row: str(row.cells[0])
    is_failed: Callable[[Row], bool] = lambda row: False
    draw: Callable[[Sequence[Row]], None] = lambda rows: None

    def merge(self, fresh: Sequence[Row], recorded: Sequence[Row], case: str, asked: Asked) -> list[Row]:
        """Return all rows with those of a case in the place of the recorded ones; rows of unknown cases are dropped."""
        places = {name: place for place, name in enumerate(self.list_cases())}
        kept = [row for row in recorded if self.case_of(row) in places and not self._is_remade(row, case, asked)]
        return sorted([*fresh, *kept], key=self.order or (lambda row: places[self.case_of(row)]))

    def _is_remade(self, row: Row, case: str, asked: Asked) -> bool:
        return self.case_of(row) == case and not self.stays(row, asked)

    def parse(self, description: str, arguments: Sequence[str]) -> Asked:
        """Return the options of a command line."""
        parser = make_parser(description)
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--write", action="store_true", help=f"replace rows of {self.table.name}.csv and its pages")
        how.add_argument("--check", action="store_true", help="compare with the recorded rows; 1 if they differ")
        how.add_argument("--pages", action="store_true", help="measure nothing: write the pages from the recorded rows")
        self.add_options(parser)
        return parse_cases(parser, arguments, list(self.list_cases()))

    def run(self, description: str, arguments: Sequence[str]) -> int:
        """Measure and print, and record or compare as asked, case by case; 1 where something failed or differs."""
        asked = self.parse(description, arguments)
        failed = 0
        for name in asked.cases if not asked.pages else ():
            fresh = list(self.measure(name, asked))
            failed += sum(map(self.is_failed, fresh))
            if asked.check:
                changed = list_differences(fresh, self.table.read(), lambda row: self._is_remade(row, name, asked))  # noqa: B023
                failed += len(changed)
                say("\n".join([*changed, f"{name}: {len(fresh)} rows, {len(changed)} differ"]))
                continue
            say(text_table(*(self.show or self._show_all)(fresh)))
            if asked.write:
                self.table.write(self.merge(fresh, self.table.read(), name, asked))
        if asked.write or asked.pages:
            write_pages(self.make_pages(self.table.read()))
            self.draw(self.table.read())
        return int(failed > 0)

    def _show_all(self, rows: Sequence[Row]) -> tuple[Sequence[str], Lines]:
        return self.table.header, [row.cells for row in rows]


@dataclass(frozen=True)
class PageSuite:
    """A benchmark whose results stand in a page alone.

    Attributes:
        page: the page.
        parts: what makes the text of each part, by the part's name in the page. A part that is worse than it may be
            sets ``asked.failed``.
        add_options: further options of the command line.
    """

    page: Path
    parts: dict[str, Callable[[Asked], str]]
    add_options: Callable[[argparse.ArgumentParser], None] = no_options

    def run(self, description: str, arguments: Sequence[str]) -> int:
        """Make and print, and compare or replace as asked, part by part; 1 where something is worse or differs."""
        parser = make_parser(description)
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--write", action="store_true", help=f"replace the parts of {self.page.name}")
        how.add_argument("--check", action="store_true", help="compare with the page; 1 if a part differs")
        self.add_options(parser)
        asked = parse_cases(parser, arguments, list(self.parts))
        asked.failed = False
        for name in asked.cases:
            text = self.parts[name](asked)
            pages = fill(self.page, {name: text})
            say(text)
            if asked.write:
                write_pages(pages)
            elif asked.check and pages[self.page] != self.page.read_text(encoding="utf-8"):
                say(f"{self.page.name}: {name} differs")
                asked.failed = True
        return int(asked.failed)

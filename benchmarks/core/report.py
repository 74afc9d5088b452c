"""Tables as text and Markdown, versions, and the measured parts of pages."""

from __future__ import annotations

import datetime
import platform
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

Lines = Sequence[Sequence[object]]


def say(text: str) -> None:
    """Print a text at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def versions(*names: str) -> dict[str, str]:
    """Return the versions of the named distributions that are installed, and Python's."""
    found = {"python": platform.python_version()}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def heading(found: dict[str, str]) -> str:
    """Return one line with the date and the versions."""
    parts = ", ".join(f"{name} {version}" for name, version in found.items())
    return f"Measured {datetime.date.today().isoformat()} with {parts}."


def markdown_table(header: Sequence[str], rows: Lines, *, aligned: bool = False) -> str:
    """Return a Markdown table; None is shown as a dash. ``aligned`` puts columns of numbers to the right."""
    cells = [[shown(cell) for cell in row] for row in rows]
    numeric = [aligned and all(row[k].isdigit() or row[k] == "-" for row in cells) for k in range(len(header))]
    lines = [header, ["--:" if right else "---" for right in numeric], *cells]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def text_table(header: Sequence[str], rows: Lines) -> str:
    """Return a table in aligned columns."""
    cells = [[shown(cell) for cell in line] for line in (header, *rows)]
    widths = [max(len(line[k]) for line in cells) for k in range(len(header))]
    padded = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    return "\n".join(padded)


def shown(cell: object) -> str:
    """Return a cell as text."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.7f}" if 0.9995 < cell < 1 else f"{cell:.4g}"
    return f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)


def fill(page: Path, parts: dict[str, str]) -> dict[Path, str]:
    """Return the text of a page with its measured parts replaced; each stands between two comments with its name."""
    text = page.read_text(encoding="utf-8")
    for name, body in parts.items():
        start, end = f"<!-- table:{name} -->\n", "<!-- end -->"
        if start not in text:
            start, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        before, rest = text.split(start)
        text = f"{before}{start}{body}\n{end}{rest.split(end, 1)[1]}"
    return {page: text}


def write_pages(pages: dict[Path, str]) -> None:
    """Replace pages."""
    for page, text in pages.items():
        page.write_text(text, encoding="utf-8")

"""Tables, versions and the measured sections of benchmarks/README.md."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from benchmarks.core.places import README


def versions(*names: str) -> dict[str, str]:
    """Versions of the named distributions that are installed, and Python's."""
    found = {"python": platform.python_version()}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def heading(found: dict[str, str]) -> str:
    """One line: when it was measured and with what."""
    parts = ", ".join(f"{name} {version}" for name, version in found.items())
    return f"Measured {datetime.date.today().isoformat()} with {parts}."


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; None is shown as a dash."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(shown(cell) for cell in line) + " |" for line in lines)


def write_table(page: Path, name: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Replace the table of that name in a page: it stands between two comments."""
    start, end = f"<!-- table:{name} -->\n", "<!-- end -->"
    before, rest = page.read_text(encoding="utf-8").split(start)
    text = f"{before}{start}{markdown_table(header, rows)}\n{end}{rest.split(end, 1)[1]}"
    page.write_text(text, encoding="utf-8")


def text_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """The same in aligned columns."""
    cells = [[shown(cell) for cell in line] for line in (header, *rows)]
    widths = [max(len(line[k]) for line in cells) for k in range(len(header))]
    padded = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    return "\n".join(padded)


def shown(cell: object) -> str:
    """A cell as text."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.7f}" if 0.9995 < cell < 1 else f"{cell:.4g}"
    return f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)


def write_section(name: str, text: str) -> None:
    """Replace what stands between the markers of section ``name`` in the README."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, rest = README.read_text(encoding="utf-8").split(begin)
    README.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}", encoding="utf-8")

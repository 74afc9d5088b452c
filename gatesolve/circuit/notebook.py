"""Tables as HTML for notebooks; every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from gatesolve.errors import one_line


def html_text(text: object) -> str:
    """Return the text on one line, escaped so that HTML displays it literally."""
    return escape(one_line(str(text)))


def html_table(caption: str, rows: Iterable[Sequence[object]], head: Sequence[object] = ()) -> str:
    """Return a table in which the first cell of each row is its heading; None becomes a dash."""
    shown = [f'<caption style="white-space:nowrap"><b>{html_text(caption)}</b></caption>']
    if head:
        shown.append(f"<tr>{''.join(f'<th>{html_text(cell)}</th>' for cell in head)}</tr>")
    for first, *others in rows:
        cells = "".join(f"<td>{'-' if cell is None else html_text(cell)}</td>" for cell in others)
        shown.append(f"<tr><th>{html_text(first)}</th>{cells}</tr>")
    return f"<table>{''.join(shown)}</table>"

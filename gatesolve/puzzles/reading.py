"""Reading a puzzle's text from a file or from standard input."""

from __future__ import annotations

from pathlib import Path

from gatesolve.files import as_text, read_bytes, source_name

MAX_BYTES = 1 << 20
"""The largest input read; far above any board that is still typed by hand."""


def read_text(source: Path | str) -> tuple[str, str]:
    r"""Read a file, or standard input for ``"-"``, as UTF-8 text.

    Line ends become ``\n`` and a byte-order mark is dropped.

    Returns:
        The text and the name to call its source by in messages.

    Raises:
        InputError: there is no such file, it cannot be read, or it is not text or too large.
    """
    name = source_name(source)
    return as_text(read_bytes(source, MAX_BYTES, "give a file with one puzzle in it"), name), name

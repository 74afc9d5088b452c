"""Reading a puzzle's text from a file or from standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from gatesolve.errors import InputError

MAX_BYTES = 1 << 20
"""The largest input read; far above any board that is still typed by hand."""


def read_text(source: Path | str) -> tuple[str, str]:
    r"""Read a file, or standard input for ``"-"``, as UTF-8 text.

    Line ends become ``\n`` and a byte-order mark is dropped.

    Returns:
        The text and the name to call its source by in messages.

    Raises:
        InputError: there is no such file, it cannot be read, or it is not text, empty or too large.
    """
    name = "<stdin>" if str(source) == "-" else str(source)
    data = _read_bytes(source, name)
    if len(data) > MAX_BYTES:
        raise InputError(f"more than {MAX_BYTES >> 20} MiB: give a file with one puzzle in it", source=name)
    if b"\0" in data:
        raise InputError("a binary file, not text: give a plain text file in UTF-8", source=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("not UTF-8 text: save the file again as UTF-8", source=name, row=line) from error
    return unify_lines(text), name


def unify_lines(text: str) -> str:
    r"""The text without a byte-order mark and with ``\n`` for every kind of line end."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _read_bytes(source: Path | str, name: str) -> bytes:
    """At most one byte more than the limit, so that an endless device is not read for ever."""
    if str(source) == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed: name a file, or pipe one in", source=name)
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        with Path(source).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise InputError("no such file: check the path", source=name) from error
    except IsADirectoryError as error:
        raise InputError("a directory: name a puzzle file inside it", source=name) from error
    except PermissionError as error:
        raise InputError("no permission to read it: change its mode, or copy it", source=name) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path itself
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read ({reason}): check the path", source=name) from error

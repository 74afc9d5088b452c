"""Users' files: bytes come in and go out here and nowhere else, but for the database of jobs."""

from __future__ import annotations

import bz2
import json
import lzma
import os
import re
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from gatesolve.errors import InputError, one_line

MOST_KEPT = 1 << 28
"""The largest file read of those that we keep ourselves."""
MODEL_FORMATS: dict[str, str] = {
    ".cnf": "cnf",
    ".wcnf": "wcnf",
    ".opb": "opb",
    ".xml": "xcsp3",
    ".fzn": "fzn",
    ".model": "model",
}
"""Suffixes of files of constraints, and what the formats are called; all but ``model`` are other solvers'."""
_STARTS = (
    ("cnf", r"(?:[ \t]*(?:c\b.*)?\n)*[ \t]*p\s+cnf\b"),
    ("wcnf", r"(?:[ \t]*(?:c\b.*)?\n)*[ \t]*(?:p\s+wcnf\b|h(?:[ \t]+-?[0-9]+)*[ \t]+0\s*$)"),
    ("opb", r"\*.*#variable="),
    ("fzn", r"(?=.*^\s*(?:var|array)\b[^;]*;).*^\s*solve\b[^;]*\b(?:satisfy|minimize|maximize)\b[^;]*;\s*\Z"),
    (
        "model",
        r"(?:[ \t]*(?:#.*)?\n)*[ \t]*[^\W\d]\w*(?:[ \t]*,[ \t]*[^\W\d]\w*)*[ \t]+in[ \t]*"
        r"(?:[-+]?\d+[ \t]*\.\.|\{|bool\b)",
    ),
    ("xcsp3", r"(?:<\?xml[^>]*>)?\s*(?:<!--(?:(?!-->).)*-->\s*)*<instance\b"),
)
_NEW_FILE = 0o644
_MOST_UNPACKING = 1 << 28
"""Memory that a packed file may ask for."""
_FIRST_STEP = 1 << 10
"""Packed bytes that are unpacked first of a stream: what is over is copied, and streams may be short."""
_ZEROS = re.compile(rb"\0*")
# How packed bytes start, and what unpacks them.
_PACKED: tuple[tuple[bytes, Callable[[], Any]], ...] = (
    (b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31)),
    (b"\xfd7zXZ\0", lambda: lzma.LZMADecompressor(memlimit=_MOST_UNPACKING)),
    (b"\x5d\0\0", lambda: lzma.LZMADecompressor(memlimit=_MOST_UNPACKING)),
    (b"BZh", bz2.BZ2Decompressor),
)
_PACKED_SUFFIX = re.compile(r"\.(gz|xz|lzma|bz2)$", re.IGNORECASE)
_FIELD = re.compile(r'\s*[{,]\s*"([^"\\]*)"\s*:\s*')
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class ModelText(str):
    """Constraints as text: read as that whatever it looks like, never as the path of a file."""

    __slots__ = ()


def read_bytes(source: Path | str, limit: int, mend: str) -> bytes:
    """A file, or standard input for ``"-"``, of which no more than the limit is ever read; packed ones are unpacked.

    Raises:
        InputError: there is no such file, it cannot be read or unpacked, or it is too large.
    """
    name = source_name(source)
    if not isinstance(source, str | os.PathLike):
        raise InputError(f"{source!r:.60} is no path: name a file, or '-' for standard input")
    try:
        if str(source) != "-":
            with Path(source).open("rb") as file:
                data = file.read(limit + 1)
        elif sys.stdin is None:
            raise InputError("standard input is closed: name a file, or pipe one in", source=name)
        else:
            data = sys.stdin.buffer.read(limit + 1)
    except FileNotFoundError as error:
        raise InputError("no such file: check the path", source=name) from error
    except IsADirectoryError as error:
        raise InputError("a directory: name a file inside it", source=name) from error
    except PermissionError as error:
        raise InputError("no permission to read it: change its mode, or copy it", source=name) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path itself
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read ({reason}): check the path", source=name) from error
    if len(data) <= limit:
        data, is_whole = _unpack(data, limit + 1, name)
        if not is_whole and len(data) <= limit:
            raise InputError("packed, and cut short: fetch the file again", source=name)
    if len(data) > limit:
        raise InputError(f"more than {limit >> 20} MiB: {mend}", source=name)
    return data


def _unpack(data: bytes, most: int, source: str) -> tuple[bytes, bool]:
    """No more than so many of the bytes that packed ones hold, and whether all were there to be unpacked."""
    for start, make in _PACKED:
        if data.startswith(start):
            try:
                return _unpack_streams(data, start, make, most)
            except InputError as error:
                raise InputError(str(error), source=source) from error
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
                raise InputError(f"packed, but damaged ({error}): fetch the file again", source=source) from error
    return data, True


def _unpack_streams(data: bytes, start: bytes, make: Callable[[], Any], most: int) -> tuple[bytes, bool]:
    """Unpack several streams, one after the other, with zeros after each: all count, as for zcat.

    Raises:
        InputError: something else follows a stream.
    """
    parts, left, at = list[bytes](), most, 0
    while at < len(data):
        if not data.startswith(start, at):
            raise InputError("packed, with something else after its end: pack the whole file again")
        unpacker, step = make(), _FIRST_STEP
        while not unpacker.eof:
            if at >= len(data) or left <= 0:
                return b"".join(parts), False
            parts.append(unpacker.decompress(data[at : at + step], left))
            left -= len(parts[-1])
            at, step = min(at + step, len(data)), 2 * step
        at = _ZEROS.match(data, at - len(unpacker.unused_data)).end()  # type: ignore[union-attr]  # it always matches
    return b"".join(parts), True


def model_format(text: str, source: str) -> str | None:
    """Which of `MODEL_FORMATS` a text has, by how it starts or by its source's name; None for any other."""
    if suffix_of(source) == ".mzn":
        return None
    for name, start in _STARTS:
        if re.match(start, text, re.MULTILINE | (re.DOTALL if name in ("fzn", "xcsp3") else re.NOFLAG)):
            return name
    found = MODEL_FORMATS.get(suffix_of(source))
    return None if found == "xcsp3" and not text.lstrip().startswith("<") else found


def read_start(path: Path, size: int) -> bytes:
    """The first bytes of a file, unpacked; none where it cannot be read, or but once, as a pipe."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            return _unpack(file.read(size), size, str(path))[0]
    except (OSError, ValueError, InputError):
        return b""


def suffix_of(path: Path | str) -> str:
    """A file name's suffix in small letters, before that of a packed file: ``.cnf`` of ``A.CNF.gz``."""
    return Path(_PACKED_SUFFIX.sub("", str(path))).suffix.lower()


def read_kept(path: Path) -> bytes | None:
    """A file that is read first and written then, None where there is none yet.

    Raises:
        InputError: it cannot be read, is too large, or is a pipe or a device: what those have to say may never come.
    """
    _refuse_stream(path)
    return read_bytes(path, MOST_KEPT, "name another file") if os.path.exists(path) else None


def check_kept(path: Path) -> None:
    """Refuse a place where `read_kept` finds no file and none can be made, before the work and not after it.

    Raises:
        InputError: it is a folder, a pipe or a device, or no file can be written there.
    """
    _refuse_stream(path)
    if path.is_dir():
        raise InputError("a directory: name a file inside it", source=str(path))
    if not os.path.exists(path):
        check_place(path)


def _refuse_stream(path: Path) -> None:
    if str(path) == "-" or (os.path.exists(path) and not path.is_file() and not path.is_dir()):
        raise InputError("a pipe or a device, in which nothing can be kept: name a file", source=str(path))


def as_path(given: Path | str, what: str) -> Path:
    """The path that is given as an argument called ``what``; refuses what is none."""
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"{what} is {given!r:.60}: give a path")
    return Path(given)


def source_name(source: Path | str) -> str:
    """Return a file's name for messages."""
    return "<stdin>" if str(source) == "-" else str(source)


def as_text(data: bytes, source: str) -> str:
    r"""The text that bytes are in UTF-8, without a byte-order mark, with ``\n`` for every kind of line end.

    Raises:
        InputError: they are no text.
    """
    if b"\0" in data:
        raise InputError("a binary file, not text: give a plain text file in UTF-8", source=source)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise InputError("not UTF-8 text: save the file again as UTF-8", source=source, row=row) from error
    return unify_lines(text)


def unify_lines(text: str) -> str:
    r"""The text without a byte-order mark and with ``\n`` for every kind of line end."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object, of which each may stand once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = one_line(next(name for name in names if names.count(name) > 1))[:20]
        raise InputError(f"JSON has the field '{twice}' twice: keep one of the two")
    return found


def json_object(text: str, source: str) -> dict[str, Any]:
    """The one JSON object that a text holds.

    Raises:
        InputError: it holds something else, or what is no text.
    """
    try:
        data = json.loads(text, object_pairs_hook=without_repeats)
        if _SURROGATE.search(text):
            json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        fault = f"not one JSON object ({error.msg}): write one object {{...}} and nothing after it"
        raise InputError(fault, source=source, row=error.lineno, column=error.colno) from error
    except InputError as error:
        raise InputError(str(error), source=source) from error
    except UnicodeEncodeError as error:
        raise InputError("JSON with half of a surrogate pair: write the character itself", source=source) from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; brackets thousands deep
        raise InputError("JSON too deep or with too long a number: write it plainly", source=source) from error
    if not isinstance(data, dict):
        raise InputError("JSON but not an object: write one object {...}", source=source)
    return data


def show_json(value: object, most: int = 20) -> str:
    """The start of a value as JSON has it, ``null`` and ``true``; a text by itself stands in single quotes."""
    if isinstance(value, str):
        return ascii(value[:most])
    return "".join(islice(json.JSONEncoder().iterencode(value), most))[:most]


def json_start(text: str) -> dict[str, Any]:
    """The first fields of a JSON object of which the text may be no more than the start; the last may be cut, None."""
    found, read, at = dict[str, Any](), json.JSONDecoder().raw_decode, 0
    while start := _FIELD.match(text, at):
        name = start[1]
        found[name] = None
        try:
            found[name], at = read(text, start.end())
        except (ValueError, RecursionError):
            break
    return found


def check_place(path: Path) -> None:
    """Refuse a place that no file can be written to, before the work and not after it.

    Raises:
        InputError: its folder is missing or not to be written to, or it is a folder itself.
    """
    try:
        target = Path(os.path.realpath(path))
        is_special = target.exists() and not target.is_file() and not target.is_dir()
        if not is_special and not target.parent.is_dir():
            raise InputError(f"cannot be written: no folder {path.parent}", source=str(path))
        if target.is_dir() or not os.access(target if is_special else target.parent, os.W_OK):
            raise InputError("cannot be written: name a file in a folder of yours", source=str(path))
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path itself
        raise _refuse_place(path, error) from error


def append_bytes(path: Path, data: bytes) -> None:
    """Write to the end of a file, on the disk when this returns; no bytes show whether that can be done.

    Raises as `replace_files`, but a part of the data may be there.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, _NEW_FILE)
        try:
            while data:  # a disk that gets full takes a part first, and says so at the next
                data = data[os.write(handle, data) :]
            os.fsync(handle)
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        raise _refuse_place(path, error) from error


def replace_file(path: Path, data: bytes) -> None:
    """Write one file, as `replace_files`."""
    replace_files({path: data})


def replace_files(files: Mapping[Path, bytes]) -> None:
    """Write files; what stood there stays until all of them are written whole, and on the disk.

    A link is followed, and what is no regular file (a device, a pipe) is written to as it is.

    Args:
        files: bytes by place, put into place in this order.

    Raises:
        InputError: a place cannot be written to; nothing is left there.
    """
    staged: list[tuple[Path, str]] = []
    path = Path()
    try:
        for path, data in files.items():
            target = Path(os.path.realpath(path))
            mode = target.stat().st_mode if target.exists() else stat.S_IFREG | _NEW_FILE
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                target.write_bytes(data)
                continue
            handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".gatesolve-")
            staged.append((path, temporary))
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(handle)
            os.chmod(temporary, stat.S_IMODE(mode))  # mkstemp makes files private; a circuit is not a secret
        for path, temporary in staged:
            os.replace(temporary, os.path.realpath(path))
    except (OSError, ValueError) as error:
        raise _refuse_place(path, error) from error
    finally:  # Ctrl-C too
        for _, temporary in staged:
            Path(temporary).unlink(missing_ok=True)


def _refuse_place(path: Path, error: Exception) -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"cannot be written: {reason}; choose another place", source=str(path))

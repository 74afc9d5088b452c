"""Users' files: all bytes are read and written here, except for the database of jobs."""

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
"""Largest file that we read of those we write ourselves."""
MODEL_FORMATS: dict[str, str] = {
    ".cnf": "cnf",
    ".wcnf": "wcnf",
    ".opb": "opb",
    ".xml": "xcsp3",
    ".fzn": "fzn",
    ".model": "model",
}
"""Suffixes of files of constraints, and the names of their formats; all but ``model`` belong to other solvers."""
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
"""Memory limit for unpacking a file."""
_FIRST_STEP = 1 << 10
"""Packed bytes that are unpacked first: bytes after the end of a stream are copied, and streams may be short."""
_ZEROS = re.compile(rb"\0*")
# Packed formats by their first bytes, with their decompressors.
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
    """Return a file, or standard input for ``"-"``, unpacked if it is packed.

    Raises:
        InputError: there is no such file, it cannot be read or unpacked, or it is too large.
    """
    name = source_name(source)
    if not isinstance(source, str | os.PathLike):
        raise InputError(f"{source!r:.60} is not a path: name a file, or '-' for standard input")
    try:
        if str(source) != "-":
            with Path(source).open("rb") as file:
                # One byte more than allowed shows that the file is too large, without reading the rest.
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
    # ValueError: a NUL in the path itself.
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read ({reason}): check the path", source=name) from error
    if len(data) <= limit:
        # At most one byte beyond the limit is read and unpacked, so a small packed file cannot fill the memory.
        data, is_whole = _unpack(data, limit + 1, name)
        if not is_whole and len(data) <= limit:
            raise InputError("packed, and cut short: fetch the file again", source=name)
    if len(data) > limit:
        raise InputError(f"more than {limit >> 20} MiB: {mend}", source=name)
    return data


def _unpack(data: bytes, most: int, source: str) -> tuple[bytes, bool]:
    """Return at most ``most`` unpacked bytes, and whether all packed bytes were complete."""
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
        # Tapes and block devices pad with zeros; the next stream begins behind them.
        at = _ZEROS.match(data, at - len(unpacker.unused_data)).end()  # type: ignore[union-attr]  # it always matches
    return b"".join(parts), True


def model_format(text: str, source: str) -> str | None:
    """Return the format of `MODEL_FORMATS` by a text's start or its source's name; None for any other."""
    # A MiniZinc model may look like FlatZinc, but has to be compiled first.
    if suffix_of(source) == ".mzn":
        return None
    for name, start in _STARTS:
        if re.match(start, text, re.MULTILINE | (re.DOTALL if name in ("fzn", "xcsp3") else re.NOFLAG)):
            return name
    found = MODEL_FORMATS.get(suffix_of(source))
    return None if found == "xcsp3" and not text.lstrip().startswith("<") else found


def read_start(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, unpacked; none where it cannot be read, or only once, as a pipe."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            return _unpack(file.read(size), size, str(path))[0]
    except (OSError, ValueError, InputError):
        return b""


def suffix_of(path: Path | str) -> str:
    """Return a file name's suffix in lower case, before that of a packed file: ``.cnf`` for ``A.CNF.gz``."""
    return Path(_PACKED_SUFFIX.sub("", str(path))).suffix.lower()


def read_kept(path: Path) -> bytes | None:
    """Return a file that is read first and then written; None where there is none yet.

    Raises:
        InputError: it cannot be read, is too large, or is a pipe or a device, which may never deliver anything.
    """
    _refuse_stream(path)
    return read_bytes(path, MOST_KEPT, "name another file") if os.path.exists(path) else None


def check_kept(path: Path) -> None:
    """Refuse a place without a file for `read_kept` where none can be written, before the work.

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
        raise InputError("a pipe or a device, which cannot store anything: name a file", source=str(path))


def as_path(given: Path | str, what: str) -> Path:
    """Return the path given as an argument called ``what``; refuse other objects."""
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"{what} is {given!r:.60}: give a path")
    return Path(given)


def source_name(source: Path | str) -> str:
    """Return a file's name for messages."""
    return "<stdin>" if str(source) == "-" else str(source)


def as_text(data: bytes, source: str) -> str:
    r"""Return bytes as UTF-8 text, without a byte-order mark, with ``\n`` for every kind of line end.

    Raises:
        InputError: they are not text.
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
    r"""Return the text without a byte-order mark and with ``\n`` for every kind of line end."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of an object; refuse repeated ones."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = one_line(next(name for name in names if names.count(name) > 1))[:20]
        raise InputError(f"JSON has the field '{twice}' twice: keep one of the two")
    return found


def json_object(text: str, source: str) -> dict[str, Any]:
    """Return the one JSON object in a text.

    Raises:
        InputError: it contains something else, or invalid characters.
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
    # A number of thousands of digits; brackets nested thousands deep.
    except (ValueError, RecursionError) as error:
        raise InputError("JSON too deep or with too long a number: write it plainly", source=source) from error
    if not isinstance(data, dict):
        raise InputError("JSON but not an object: write one object {...}", source=source)
    return data


def show_json(value: object, most: int = 20) -> str:
    """Return the start of a value as JSON, such as ``null`` and ``true``; a text is in single quotes."""
    if isinstance(value, str):
        return ascii(value[:most])
    return "".join(islice(json.JSONEncoder().iterencode(value), most))[:most]


def json_start(text: str) -> dict[str, Any]:
    """Return the first fields of a JSON object whose text may be truncated; a truncated last field is None."""
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
    """Refuse a place that no file can be written to, before the work.

    Raises:
        InputError: its folder is missing or not writable, or it is a folder itself.
    """
    try:
        target = Path(os.path.realpath(path))
        is_special = target.exists() and not target.is_file() and not target.is_dir()
        if not is_special and not target.parent.is_dir():
            raise InputError(f"cannot be written: no folder {path.parent}", source=str(path))
        if target.is_dir() or not os.access(target if is_special else target.parent, os.W_OK):
            raise InputError("cannot be written: name a file in a folder of yours", source=str(path))
    # ValueError: a NUL in the path itself.
    except (OSError, ValueError) as error:
        raise _refuse_place(path, error) from error


def append_bytes(path: Path, data: bytes) -> None:
    """Write to the end of a file, on the disk when this returns; empty data tests whether that is possible.

    Raises as `replace_files`, but a part of the data may be written.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, _NEW_FILE)
        try:
            # A disk that gets full accepts a part first, and fails at the next write.
            while data:
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
    """Write files; existing ones stay until all new ones are complete and on the disk.

    A link is followed. A target that is not a regular file (a device, a pipe) is written to directly.

    Args:
        files: bytes by place, put into place in this order.

    Raises:
        InputError: a place cannot be written to; no new file is left there.
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
            # mkstemp makes files private, but a circuit is not a secret.
            os.chmod(temporary, stat.S_IMODE(mode))
        for path, temporary in staged:
            os.replace(temporary, os.path.realpath(path))
    except (OSError, ValueError) as error:
        raise _refuse_place(path, error) from error
    finally:
        # Also after Ctrl-C.
        for _, temporary in staged:
            Path(temporary).unlink(missing_ok=True)


def _refuse_place(path: Path, error: Exception) -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"cannot be written: {reason}; choose another place", source=str(path))

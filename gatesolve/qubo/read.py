"""Reading a user's own problem: ``.qubo``, COO, LP and JSON files, and matrices as ``.csv`` and ``.npy``."""

from __future__ import annotations

import io
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from gatesolve.errors import InputError
from gatesolve.qubo.coo import read_coo
from gatesolve.qubo.lp_read import read_lp
from gatesolve.qubo.lp_tokens import looks_like_lp
from gatesolve.qubo.matrix import from_matrix
from gatesolve.qubo.numerals import Place, check_count, read_number, shown
from gatesolve.qubo.parts import QuboProblem, assembled, of_qubo
from gatesolve.qubo.qubo import Qubo
from gatesolve.qubo.sidecar import FORMAT, SIDECAR, apply_sidecar, read_json, read_object, sidecar_path

MAX_BYTES = 1 << 26
"""The largest file read: four million terms in about that."""
_PEEK = 1 << 12
_SUFFIXES = (".qubo", ".coo", ".lp", ".csv", ".npy")
_COO = re.compile(r"^\s*(?:[cC#]\s.*\n\s*)*(?:p\s+qubo\s|#.*vartype\s*[:=]\s*(?:BINARY|SPIN))", re.IGNORECASE)


def is_qubo_path(path: Path | str) -> bool:
    """Whether a file is for `read_problem`: by its suffix, or by how its text starts. False if it cannot be read."""
    path = Path(path)
    if path.suffix.lower() in _SUFFIXES:
        return True
    try:
        with path.open("rb") as file:
            start = file.read(_PEEK)
    except (OSError, ValueError):
        return False
    return is_qubo_text(start.decode("utf-8", "replace").removeprefix("\ufeff"))


def is_qubo_text(text: str) -> bool:
    """Whether a text, of which the start is enough, is for `parse_problem`: our JSON, LP, or COO with a header."""
    if text.lstrip().startswith("{"):
        return f'"{FORMAT}"' in text[:_PEEK] or ('"terms"' in text[:_PEEK] and '"family"' not in text)
    return looks_like_lp(text.replace("\r", "\n")) or bool(_COO.match(text))


def read_qubo(path: Path | str) -> Qubo:
    """Read a Qubo from a file.

    Raises:
        InputError: as `read_problem`; or the file holds constraints, integers or no objective.
    """
    problem = read_problem(path)
    if problem.qubo is None or problem.model.constraints:
        raise InputError(
            "has constraints or integer variables: solve it, or make a Qubo of the model", source=str(path)
        )
    return replace(problem.qubo, space=problem.space)


def read_problem(path: Path | str) -> QuboProblem:
    """Read a user's own problem from a file; a sidecar ``FILE.json`` beside it names its variables.

    Args:
        path: of the file. ``.lp``, ``.csv``, ``.npy`` and ``.json`` are read as that, everything else by its text:
            JSON, LP, or lines ``i j weight``.

    Raises:
        InputError: there is no such file, or it is malformed: names the row and column and the mend.
        UnsupportedError: a part of an LP file that is not read.
        InfeasibleError: a constraint that cannot hold.
    """
    path = Path(path)
    data = _bytes(path)
    if path.suffix.lower() == ".npy":
        return of_qubo(_npy(data, str(path)), path.name)
    beside = sidecar_path(path)
    sidecar = None
    if beside.exists():
        sidecar = read_object(_text(_bytes(beside), str(beside)), str(beside))
        sidecar = sidecar if sidecar.get("format") == SIDECAR else None
    return parse_problem(_text(data, str(path)), str(path), sidecar, suffix=path.suffix.lower())


def parse_problem(text: str, source: str, sidecar: dict[str, object] | None = None, suffix: str = "") -> QuboProblem:
    """Read a user's own problem from text, as `read_problem` does.

    Args:
        text: of the file.
        source: what to call it in messages.
        sidecar: the object beside it.
        suffix: of the file's name, which settles what the text leaves open.

    Raises:
        InputError: as `read_problem`.
    """
    title = Path(source).name
    if not text.strip():
        raise InputError("empty: write a problem into it", source=source)
    beside = f"{source}.json"
    if suffix == ".json" or text.lstrip().startswith("{"):
        data = read_object(text, source)
        if data.get("format") == SIDECAR:
            raise InputError(f"the sidecar of {shown(data.get('file'))}: name that file", source=source)
        return of_qubo(read_json(data, source), title)
    if suffix == ".csv":
        return of_qubo(_csv(text, source), title)
    if suffix == ".lp" or looks_like_lp(text):
        problem = assembled(read_lp(text, source), title, source)
        if sidecar is None or problem.qubo is None or problem.model.constraints:
            return problem
        return of_qubo(apply_sidecar(problem.qubo, problem.qubo.offset, sidecar, beside, source), title)
    names = sidecar.get("written_as") if sidecar else None
    coo = read_coo(text, source, len(names) if isinstance(names, list) else None)
    if sidecar is None:
        return of_qubo(coo.qubo, title)
    return of_qubo(apply_sidecar(coo.qubo, coo.offset, sidecar, beside, source), title)


def _csv(text: str, source: str) -> Qubo:
    """A square matrix, numbers between commas."""
    lines = [(row, line) for row, line in enumerate(text.split("\n"), start=1) if line.strip()]
    check_count(len(lines), Place(source))
    rows = []
    for row, line in lines:
        words = line.split(",")
        if len(words) != len(lines):
            raise Place(source, row).fault(
                f"{len(words)} entries in a matrix of {len(lines)} rows: give a square matrix"
            )
        rows.append([float(read_number(w.strip(), Place(source, row, k + 1), "entry")) for k, w in enumerate(words)])
    return from_matrix(rows, source=source)


def _npy(data: bytes, source: str) -> Qubo:
    """A matrix as numpy saves it; its shape is looked at before it is made."""
    try:
        buffer = io.BytesIO(data)
        version = np.lib.format.read_magic(buffer)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, kind = read_header(buffer)
        check_count(max(shape, default=0), Place(source))
        if kind.kind not in "biuf":
            raise InputError(f"an array of {kind}, not of numbers: give a square matrix of numbers", source=source)
        if math.prod(shape) * kind.itemsize > len(data):
            raise ValueError("fewer entries than the shape says")
        matrix = np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, TypeError, SyntaxError) as error:
        raise InputError("not a file of numpy's, or cut short: write it with numpy.save", source=source) from error
    return from_matrix(matrix, source=source)


def _text(data: bytes, name: str) -> str:
    if b"\0" in data:
        raise InputError("a binary file, not text: give a plain text file in UTF-8", source=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise InputError("not UTF-8 text: save the file again as UTF-8", source=name, row=row) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _bytes(path: Path) -> bytes:
    """The file, of which no more than the limit is ever read."""
    name = str(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise InputError("no such file: check the path", source=name) from error
    except IsADirectoryError as error:
        raise InputError("a directory: name a file inside it", source=name) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read ({reason}): check the path", source=name) from error
    if len(data) > MAX_BYTES:
        raise InputError(f"more than {MAX_BYTES >> 20} MiB: give a smaller problem", source=name)
    return data

"""Reading a user's own problem: ``.qubo``, COO, LP and JSON files, and matrices as ``.csv`` and ``.npy``."""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from gatesolve.errors import InputError
from gatesolve.files import as_text, json_object, read_bytes
from gatesolve.qubo.coo import read_coo
from gatesolve.qubo.lp_read import read_lp
from gatesolve.qubo.lp_tokens import looks_like_lp
from gatesolve.qubo.matrix import from_matrix
from gatesolve.qubo.numerals import Place, check_count, read_number, shown
from gatesolve.qubo.parts import QuboProblem, assembled, of_qubo
from gatesolve.qubo.qubo import Qubo
from gatesolve.qubo.sidecar import FORMAT, SIDECAR, apply_sidecar, read_json, sidecar_path

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
        with _naming(str(path)):
            return of_qubo(_npy(data, str(path)), path.name)
    beside = sidecar_path(path)
    sidecar = None
    if beside.exists():
        sidecar = json_object(as_text(_bytes(beside), str(beside)), str(beside))
        sidecar = sidecar if sidecar.get("format") == SIDECAR else None
    return parse_problem(as_text(data, str(path)), str(path), sidecar, suffix=path.suffix.lower())


@contextmanager
def _naming(source: str) -> Iterator[None]:
    """Faults found below the readers, in the coefficients themselves, name the file too."""
    try:
        yield
    except InputError as error:
        if error.source is not None:
            raise
        raise type(error)(str(error), source=source) from error


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
    if not text.strip():
        raise InputError("empty: write a problem into it", source=source)
    with _naming(source):
        return _parsed(text, source, sidecar, suffix)


def _parsed(text: str, source: str, sidecar: dict[str, object] | None, suffix: str) -> QuboProblem:
    title = Path(source).name
    beside = f"{source}.json"
    if suffix == ".json" or text.lstrip().startswith("{"):
        data = json_object(text, source)
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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numpy says of headers of Python 2 that they take longer
            shape, order, kind = read_header(buffer)
            if min(shape, default=0) < 0:
                raise ValueError("a negative length")
            check_count(max(shape, default=0), Place(source))
            if kind.kind not in "biuf":
                raise InputError(f"an array of {kind}, not of numbers: give a square matrix of numbers", source=source)
            entries = np.frombuffer(data, kind, math.prod(shape), buffer.tell())
            matrix = entries.reshape(shape, order="F" if order else "C")
    except InputError:
        raise
    except Exception as error:  # a header is Python source to numpy, and fails in as many ways
        raise InputError("not a file of numpy's, or cut short: write it with numpy.save", source=source) from error
    return from_matrix(matrix, source=source)


def _bytes(path: Path) -> bytes:
    return read_bytes(path, MAX_BYTES, "give a smaller problem")

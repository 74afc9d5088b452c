"""A user's own problem from text, and back: COO, LP, MPS, QPLIB, JSON, sparse text, matrices as CSV and NumPy."""

from __future__ import annotations

import io
import math
import re
import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from gatesolve.errors import InputError, UnsupportedError, one_line
from gatesolve.files import json_start
from gatesolve.formats.convert import from_bqm, from_matrix
from gatesolve.formats.coo import coo_text, qubo_text, read_coo
from gatesolve.formats.integer_program import (
    QuboProblem,
    problem_of_program,
    problem_of_qubo,
    program_of_model,
)
from gatesolve.formats.json_form import (
    FORMAT,
    SIDECAR,
    apply_sidecar,
    qubo_json,
    read_json,
    sidecar_json,
)
from gatesolve.formats.lp import looks_like_lp, lp_names, lp_text, read_lp
from gatesolve.formats.mps import looks_like_mps, read_mps
from gatesolve.formats.qplib import looks_like_qplib, read_qplib
from gatesolve.formats.sparse_text import SUFFIXES, looks_sparse, read_sparse
from gatesolve.qubo.numerals import Place, check_count, quote, read_number
from gatesolve.qubo.qubo import Qubo

READ_SUFFIXES = (".qubo", ".coo", ".lp", ".mps", ".qplib", ".csv", ".npy", *SUFFIXES)
WRITTEN_SUFFIXES = (".qubo", ".coo", ".lp", ".json")
DIMOD = "BinaryQuadraticModel"
"""What JSON of dimod's says it is."""
PEEK = 1 << 12
"""As much of a text as tells its format."""
_COO = re.compile(r"^\s*(?:[cC#]\s.*\n\s*)*(?:p\s+qubo\s|#.*vartype\s*[:=]\s*(?:BINARY|SPIN))", re.IGNORECASE)


def is_qubo_text(text: str) -> bool:
    """Whether a text, of which the start is enough, is for `parse_text` or `parse_json`."""
    if text.lstrip().startswith("{"):
        fields = json_start(text[:PEEK])
        is_ours = fields.get("format") in (FORMAT, SIDECAR) or ("terms" in fields and "family" not in fields)
        return is_ours or fields.get("type") == DIMOD
    text = text.replace("\r", "\n")
    return any(looks(text) for looks in (looks_like_lp, looks_like_mps, looks_like_qplib, looks_sparse)) or bool(
        _COO.match(text)
    )


def parse_text(
    text: str, source: str, sidecar: dict[str, Any] | None = None, suffix: str = "", kind: str | None = None
) -> QuboProblem:
    """A problem from the text of any format but JSON; suffix and ``kind`` settle what the text leaves open.

    Raises:
        InputError: it is malformed: names the row and column and the mend.
        UnsupportedError: a part of an LP file that is not read.
        InfeasibleError: a constraint that cannot hold.
    """
    title, beside = _title(source), f"{source}.json"
    if suffix == ".csv":
        return problem_of_qubo(_parse_csv(text, source), title)
    kind = kind or SUFFIXES.get(suffix)
    if kind or (suffix not in {".qubo", ".coo"} and looks_sparse(text)):
        return read_sparse(text, source, title, kind)
    if suffix == ".mps" or looks_like_mps(text):
        return problem_of_program(read_mps(text, source), title, source)
    if suffix == ".qplib" or looks_like_qplib(text):
        return problem_of_program(read_qplib(text, source), title, source)
    if suffix == ".lp" or looks_like_lp(text):
        problem = problem_of_program(read_lp(text, source), title, source)
        if sidecar is None or problem.qubo is None or problem.model.constraints:
            return problem
        return problem_of_qubo(apply_sidecar(problem.qubo, problem.qubo.offset, sidecar, beside, source), title)
    names = sidecar.get("written_as") if sidecar else None
    qubo, offset = read_coo(text, source, len(names) if isinstance(names, list) else None)
    if sidecar is not None:
        qubo = apply_sidecar(qubo, offset, sidecar, beside, source)
    return problem_of_qubo(qubo, title)


def parse_json(data: dict[str, Any], source: str) -> QuboProblem:
    """A problem from a JSON object.

    Raises:
        InputError: a field of another form, or the sidecar of another file.
    """
    if data.get("format") == SIDECAR:
        raise InputError(f"the sidecar of {quote(data.get('file'))}: name that file", source=source)
    if data.get("type") == DIMOD:
        qubo, is_spin = _parse_dimod(data, source)
        return replace(problem_of_qubo(qubo, _title(source)), spins=frozenset(qubo.names if is_spin else ()))
    return problem_of_qubo(read_json(data, source), _title(source))


def _parse_dimod(data: dict[str, Any], source: str) -> tuple[Qubo, bool]:
    """Read the content of dimod's ``bqm.to_serializable()``; return also whether it is of spins."""
    import dimod

    try:
        bqm = dimod.BinaryQuadraticModel.from_serializable(data)
    except Exception as error:  # dimod fails in as many ways as a field can be wrong
        fault = f"no binary quadratic model of dimod ({one_line(str(error))[:80]}): write bqm.to_serializable() again"
        raise InputError(fault, source=source) from error
    return from_bqm(bqm), bqm.vartype.name == "SPIN"


def parse_npy(data: bytes, source: str) -> QuboProblem:
    """A matrix as NumPy saves it; its shape is looked at before it is made.

    Raises:
        InputError: no such matrix.
    """
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
    return problem_of_qubo(from_matrix(matrix, source=source), _title(source))


def _parse_csv(text: str, source: str) -> Qubo:
    """A square matrix, numbers between commas."""
    lines = [(row, line.split(",")) for row, line in enumerate(text.split("\n"), start=1) if line.strip()]
    check_count(len(lines), Place(source))
    rows = []
    for row, words in lines:
        if len(words) != len(lines):
            fault = f"{len(words)} entries in a matrix of {len(lines)} rows: give a square matrix"
            raise Place(source, row).fault(fault)
        rows.append([float(read_number(w.strip(), Place(source, row, k + 1), "entry")) for k, w in enumerate(words)])
    return from_matrix(rows, source=source)


def _title(source: str) -> str:
    return re.split(r"[/\\]", source)[-1]


def check_suffix(name: str) -> str:
    """The suffix of a file to write, in small letters.

    Raises:
        InputError: it names no format; lists those that do.
    """
    suffix = next((suffix for suffix in WRITTEN_SUFFIXES if name.lower().endswith(suffix)), None)
    if suffix is None:
        raise InputError(f"cannot tell the format: end the name in {', '.join(WRITTEN_SUFFIXES)}", source=name)
    return suffix


def qubo_texts(qubo: Qubo, name: str, source: str) -> dict[str, str]:
    """The texts of a Qubo by the names of the files: the one asked for, and the sidecar of all but JSON.

    Raises:
        InputError: a suffix of no format, or no variables.
        UnsupportedError: a term of more than two variables, but for JSON.
    """
    suffix = check_suffix(source)
    if not qubo.names:
        raise InputError("no variables are left to write: the constraints fix them all", source=source)
    if suffix == ".json":
        return {name: qubo_json(qubo)}
    if not qubo.is_quadratic:
        fault = f"a term has {qubo.degree} variables, {suffix} takes 2 at most"
        raise UnsupportedError(f"{fault}: write .json, or add variables with quadratic=True", source=source)
    if suffix == ".lp":
        written, text = lp_names(qubo.names), lp_text(program_of_model(qubo))
    else:
        written = [f"x{k}" for k in range(qubo.num_variables)]
        text = coo_text(qubo) if suffix == ".coo" else qubo_text(qubo)
    return {name: text, f"{name}.json": sidecar_json(qubo, written, name)}

"""Files of all formats: detecting the format, reading, and writing a Qubo.

A file is a puzzle, a user's own problem (an energy or an integer program), or a model of another solver's format.
"""

from __future__ import annotations

import io
import math
import os
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from gatesolve.errors import InputError, MissingExtraError, one_line
from gatesolve.files import (
    MODEL_FORMATS,
    ModelText,
    as_text,
    json_object,
    json_start,
    model_format,
    read_bytes,
    read_start,
    replace_files,
    suffix_of,
    unify_lines,
)
from gatesolve.formats.boolean import read_dimacs, read_opb
from gatesolve.formats.convert import from_bqm, from_matrix, require_dimod
from gatesolve.formats.flatzinc import read_flatzinc
from gatesolve.formats.from_cpmpy import from_cpmpy
from gatesolve.formats.integer_program import IntegerProgram, problem_of_program, problem_of_qubo, program_of_model
from gatesolve.formats.json_form import FORMAT, SIDECAR, apply_sidecar, qubo_json, read_json, sidecar_json
from gatesolve.formats.lp import LP_START, lp_names, lp_text, read_lp
from gatesolve.formats.model_text import read_model_text
from gatesolve.formats.mps import MPS_START, read_mps
from gatesolve.formats.problem import Labels, Problem
from gatesolve.formats.qplib import QPLIB_START, read_qplib
from gatesolve.formats.sparse_text import KINDS, SUFFIXES, coo_text, looks_sparse, qubo_text, read_coo, read_sparse
from gatesolve.formats.text import Declared, naming
from gatesolve.formats.xcsp3 import read_xcsp3
from gatesolve.puzzles import Puzzle, is_text, load, parse, read_text
from gatesolve.puzzles.registry import family_named
from gatesolve.qubo.numerals import Place, check_count, count_noun, quote, read_number
from gatesolve.qubo.polynomial import Number
from gatesolve.qubo.qubo import Qubo

MAX_BYTES = 1 << 20
"""Largest file of another solver's format."""
MAX_QUBO_BYTES = 1 << 26
"""Largest file of a user's own problem: four million terms take about this much."""
PEEK = 1 << 12
"""Length of the beginning of a text from which its format is detected."""
NEEDS = {"xcsp3": "pycsp3"}
"""Packages that readers need besides CPMpy; in the extra ``files``."""
PROGRAMS: Mapping[str, tuple[re.Pattern[str], Callable[[str, str], IntegerProgram]]] = {
    ".mps": (MPS_START, read_mps),
    ".qplib": (QPLIB_START, read_qplib),
    ".lp": (LP_START, read_lp),
}
"""Integer programs as text, by suffix: a pattern of their start, and the function that reads them."""
READ_SUFFIXES = (".qubo", ".coo", *PROGRAMS, ".csv", ".npy", *SUFFIXES)
WRITTEN_SUFFIXES = (".qubo", ".coo", ".lp", ".json")
DIMOD = "BinaryQuadraticModel"
"""The ``type`` field of dimod's JSON."""
_COO = re.compile(r"^\s*(?:[cC#]\s.*\n\s*)*(?:p\s+qubo\s|#.*vartype\s*[:=]\s*(?:BINARY|SPIN))", re.IGNORECASE)


def read_file(file: str, family: str | None) -> Puzzle | Problem:
    """Read a file, standard input for ``"-"``, a text of several lines, or constraints on one line.

    Args:
        file: its path, or the text itself.
        family: a puzzle family; ``maxcut``, ``bqp`` or ``bq`` for sparse text; or the name of another solver's format.
            None detects it from the name and the text.
    """
    is_line = "\n" not in file and model_format(file, "") == "model" and not os.path.exists(file)
    if isinstance(file, ModelText) or (is_line and family in (None, "model")):
        return _read_foreign(unify_lines(file), "model", "model")
    if not file:
        raise InputError("an empty text: give a file's path, or the text of a problem")
    formats = [*MODEL_FORMATS.values(), *KINDS]
    if family is not None and family not in formats:
        try:
            family_named(family)
        except InputError as error:
            raise InputError(f"{error}; for files of other solvers, {', '.join(formats)}") from error
        return load(file, family)
    # A user's own problem may be large or binary, and has a sidecar beside it: it is read from its path. All other
    # texts are read here first, so that standard input is consumed once.
    is_path = file != "-" and not is_text(file)
    if is_path and (family in KINDS or (family is None and is_qubo_path(file))):
        return read_problem(file, family)
    is_foreign = is_path and suffix_of(file) in MODEL_FORMATS
    text, name = read_text(file, *((MAX_BYTES, "give a smaller problem") if is_foreign else ()))
    if family in KINDS or (family is None and not is_path and is_qubo_text(text)):
        return parse_problem(text, name, kind=family)
    kind = family or model_format(text, name)
    return parse(text, None, name) if kind is None else _read_foreign(text, kind, name)


def _read_foreign(text: str, kind: str, source: str) -> Problem:
    original, declared = read_foreign(text, kind, source)
    with naming(Place(source)):
        model = from_cpmpy(original, declared=declared)
    # The lowered model has its variables in order of first appearance in a constraint, which says nothing to the user.
    # Numbers in names are compared as such: x10 comes after x9.
    parts = {one.name: re.split(r"([0-9]+)", one.name) for one in model.variables}
    natural = {name: [part.zfill(9) if part.isdigit() else part for part in some] for name, some in parts.items()}
    model = replace(model, variables=tuple(sorted(model.variables, key=lambda one: natural[one.name])))
    counts = (len(declared), "variable"), (len(original.constraints), "constraint")
    title = f"{PurePath(source).name}: {', '.join(count_noun(*one) for one in counts)}"
    goal = model.objective
    title += "" if goal is None else f", the {'smallest' if goal.sense == 'min' else 'largest'} objective"
    names = {one.name for one in declared}
    # Variables that the reader introduced are not shown.
    labels = Labels({name: name for name in model.domains if name in names})
    return Problem(model, original=original, name=title, labels=None if names >= model.domains.keys() else labels)


def read_foreign(text: str, kind: str, source: str) -> Declared:
    """Return the problem in a text of another solver's format: cnf, wcnf, opb, xcsp3, fzn or model."""
    if kind in NEEDS and find_spec(NEEDS[kind]) is None:
        raise MissingExtraError(f"{source}: {kind} is read with {NEEDS[kind]}, which is not installed", "files")
    readers: Mapping[str, Callable[[str, str], Declared]] = {
        "cnf": partial(read_dimacs, weighted=False),
        "wcnf": partial(read_dimacs, weighted=True),
        "opb": read_opb,
        "fzn": read_flatzinc,
        "xcsp3": read_xcsp3,
        "model": read_model_text,
    }
    return readers[kind](text, source)


def is_qubo_text(text: str) -> bool:
    """Return whether a text, or its start, is for `parse_problem`."""
    if text.lstrip().startswith("{"):
        fields = json_start(text[:PEEK])
        is_ours = fields.get("format") in (FORMAT, SIDECAR) or ("terms" in fields and "family" not in fields)
        return is_ours or fields.get("type") == DIMOD
    # The patterns below match line ends as \n alone. An empty line from \r\n does no harm.
    text = text.replace("\r", "\n")
    starts = [start for start, _ in PROGRAMS.values()]
    return any(start.match(text) for start in [*starts, _COO]) or looks_sparse(text)


def is_qubo_path(path: Path | str) -> bool:
    """Return whether a file is for `read_problem`, by its suffix or its start; False if it cannot be read."""
    path = Path(path)
    # A known suffix needs no look into the file, so that errors of reading it appear in `read_problem`.
    if suffix_of(path) in READ_SUFFIXES:
        return True
    return is_qubo_text(read_start(path, PEEK).decode("utf-8", "replace").removeprefix("\ufeff"))


def read_qubo(path: Path | str) -> Qubo:
    """Read a Qubo from a file."""
    problem = read_problem(path)
    if problem.qubo is None or problem.model.constraints:
        raise Place(str(path)).fault("has constraints or integer variables: solve it, or make a Qubo of the model")
    return replace(problem.qubo, space=problem.space)


def read_problem(path: Path | str, kind: str | None = None) -> Problem:
    """Read a user's own problem from a file; a sidecar ``FILE.json`` beside it names its variables.

    Args:
        path: the file. ``.lp``, ``.mps``, ``.csv``, ``.npy`` and ``.json`` are read as such, others by their text:
            JSON, LP, MPS, or lines ``i j weight``.
        kind: of sparse text: ``maxcut``, ``bqp`` or ``bq``; None detects it from name and text.
    """
    path = Path(path)
    too_large = "give a smaller problem"
    data = read_bytes(path, MAX_QUBO_BYTES, too_large)
    suffix = suffix_of(path)
    if suffix == ".npy":
        with naming(Place(str(path))):
            return _parse_npy(data, str(path))
    beside = path.with_name(f"{path.name}.json")
    sidecar = None
    if beside.exists():
        found = json_object(as_text(read_bytes(beside, MAX_QUBO_BYTES, too_large), str(beside)), str(beside))
        # FILE.json may also be an unrelated file of the user's.
        sidecar = found if found.get("format") == SIDECAR else None
    return parse_problem(as_text(data, str(path)), str(path), sidecar, suffix, kind)


def parse_problem(
    text: str, source: str, sidecar: dict[str, Any] | None = None, suffix: str = "", kind: str | None = None
) -> Problem:
    """Read a user's own problem from text, as `read_problem` does; the suffix decides where the text is ambiguous."""
    if not text.strip():
        raise Place(source).fault("empty: write a problem into it")
    # Errors in the coefficients themselves do not contain the file's name.
    with naming(Place(source)):
        if suffix == ".json" or text.lstrip().startswith("{"):
            return _parse_json(json_object(text, source), source)
        return _parse_text(text, source, sidecar, suffix, kind)


def _parse_text(text: str, source: str, sidecar: dict[str, Any] | None, suffix: str, kind: str | None) -> Problem:
    """Return a problem from the text of any format but JSON."""
    title = _title(source)
    if suffix == ".csv":
        return problem_of_qubo(_parse_csv(text, source), title)
    kind = kind or SUFFIXES.get(suffix)
    # Files called .qubo and .coo are COO whatever they look like: a line of two words is reported as a mistake there.
    if kind or (suffix not in {".qubo", ".coo"} and looks_sparse(text)):
        return read_sparse(text, source, title, kind)
    read = next((read for ending, (start, read) in PROGRAMS.items() if suffix == ending or start.match(text)), None)
    if read is not None:
        problem = problem_of_program(read(text, source), title, source)
        # Sidecars belong to energies: one beside an LP file with constraints is not for it.
        if sidecar is None or problem.qubo is None or problem.model.constraints:
            return problem
        qubo: Qubo = problem.qubo
        offset: Number | None = qubo.offset
    else:
        names = sidecar.get("written_as") if sidecar else None
        qubo, offset = read_coo(text, source, len(names) if isinstance(names, list) else None)
    if sidecar is not None:
        qubo = apply_sidecar(qubo, offset, sidecar, f"{source}.json", source)
    return problem_of_qubo(qubo, title)


def _title(source: str) -> str:
    return re.split(r"[/\\]", source)[-1]


def _parse_json(data: dict[str, Any], source: str) -> Problem:
    if data.get("format") == SIDECAR:
        raise Place(source).fault(f"this is the sidecar of {quote(data.get('file'))}: give that file instead")
    if data.get("type") != DIMOD:
        return problem_of_qubo(read_json(data, source), _title(source))
    dimod = require_dimod()
    try:
        bqm = dimod.BinaryQuadraticModel.from_serializable(data)
    # dimod raises many kinds of errors for malformed fields.
    except Exception as error:
        fault = f"not a dimod binary quadratic model ({one_line(str(error))[:80]}): write bqm.to_serializable() again"
        raise Place(source).fault(fault) from error
    qubo = from_bqm(bqm)
    return problem_of_qubo(qubo, _title(source), spins=qubo.names if bqm.vartype.name == "SPIN" else ())


def _parse_npy(data: bytes, source: str) -> Problem:
    try:
        buffer = io.BytesIO(data)
        version = np.lib.format.read_magic(buffer)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        with warnings.catch_warnings():
            # numpy warns that headers of Python 2 are slow to read.
            warnings.simplefilter("ignore")
            shape, order, kind = read_header(buffer)
        if min(shape, default=0) < 0:
            raise ValueError("a negative length")
        # The shape is checked before any memory is allocated for the matrix.
        check_count(max(shape, default=0), Place(source))
        if kind.kind not in "biuf":
            raise Place(source).fault(f"an array of {kind}, not of numbers: give a square matrix of numbers")
        # numpy.load is not used: it would allocate what the header says before the data are known to be there.
        entries = np.frombuffer(data, kind, math.prod(shape), buffer.tell())
        matrix = entries.reshape(shape, order="F" if order else "C")
    except InputError:
        raise
    # numpy parses the header as a Python literal, which fails in many ways.
    except Exception as error:
        raise Place(source).fault("not a numpy file, or cut short: write it with numpy.save") from error
    return problem_of_qubo(from_matrix(matrix, source=source), _title(source))


def _parse_csv(text: str, source: str) -> Qubo:
    lines = [(row, line.split(",")) for row, line in enumerate(text.split("\n"), start=1) if line.strip()]
    check_count(len(lines), Place(source))
    rows = []
    for row, words in lines:
        if len(words) != len(lines):
            fault = f"{len(words)} entries in a matrix of {len(lines)} rows: give a square matrix"
            raise Place(source, row).fault(fault)
        rows.append([float(read_number(w.strip(), Place(source, row, k + 1), "entry")) for k, w in enumerate(words)])
    return from_matrix(rows, source=source)


def write_qubo(qubo: Qubo, path: Path | str) -> tuple[Path, ...]:
    """Write a Qubo; an existing file is replaced only once the new one is complete.

    Args:
        qubo: of degree 2 at most; of any degree for JSON.
        path: the file; its suffix determines the format. Beside all but JSON goes ``FILE.json`` with names, meanings
            and the blocks of the space, which `read_qubo` reads.

    Returns:
        The files written.

    Raises:
        InputError: unknown suffix, no variables, or the place cannot be written to.
        UnsupportedError: a term of more than two variables, except in JSON.
    """
    path = Path(path)
    files = {path.with_name(name): text for name, text in qubo_texts(qubo, path.name, str(path)).items()}
    # The sidecar goes first: after a crash between the two, an old file beside a new sidecar is refused, whereas a
    # new file beside an old sidecar would be read wrongly.
    replace_files({place: text.encode() for place, text in reversed(files.items())})
    return tuple(files)


def check_suffix(name: str) -> str:
    """Return the suffix of a file to write, in lower case."""
    suffix = next((suffix for suffix in WRITTEN_SUFFIXES if name.lower().endswith(suffix)), None)
    if suffix is None:
        raise Place(name).fault(f"unknown format: end the name in {', '.join(WRITTEN_SUFFIXES)}")
    return suffix


def qubo_texts(qubo: Qubo, name: str, source: str) -> dict[str, str]:
    """Return the texts of a Qubo by the names of the files: the given one, and the sidecar for all but JSON."""
    suffix = check_suffix(source)
    if not qubo.names:
        raise Place(source).fault("no variables are left to write: the constraints fix them all")
    if suffix == ".json":
        return {name: qubo_json(qubo)}
    if not qubo.is_quadratic:
        fault = f"a term has {qubo.degree} variables, and {suffix} allows at most 2"
        raise Place(source).unsupported(f"{fault}: write .json, or add variables with quadratic=True")
    if suffix == ".lp":
        written, text = lp_names(qubo.names), lp_text(program_of_model(qubo))
    else:
        written = [f"x{k}" for k in range(qubo.num_variables)]
        text = coo_text(qubo) if suffix == ".coo" else qubo_text(qubo)
    return {name: text, f"{name}.json": sidecar_json(qubo, written, name)}

"""Files of a user's own problem: the one place where `gatesolve.qubo` meets the disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from gatesolve.errors import InputError
from gatesolve.files import as_text, json_object, read_bytes, read_start, replace_files, suffix_of
from gatesolve.formats.integer_program import QuboProblem
from gatesolve.formats.json_form import SIDECAR
from gatesolve.formats.qubo_registry import (
    PEEK,
    READ_SUFFIXES,
    is_qubo_text,
    parse_json,
    parse_npy,
    parse_text,
    qubo_texts,
)
from gatesolve.qubo import Qubo

MAX_BYTES = 1 << 26
"""The largest file read: four million terms in about that."""


def is_qubo_path(path: Path | str) -> bool:
    """Whether a file is for `read_problem`: by its suffix, or by how its text starts. False if it cannot be read."""
    path = Path(path)
    if suffix_of(path) in READ_SUFFIXES:
        return True
    return is_qubo_text(read_start(path, PEEK).decode("utf-8", "replace").removeprefix("\ufeff"))


def read_qubo(path: Path | str) -> Qubo:
    """Read a Qubo from a file.

    Raises:
        InputError: as `read_problem`; or the file holds constraints, integers or no objective.
    """
    problem = read_problem(path)
    if problem.qubo is None or problem.model.constraints:
        fault = "has constraints or integer variables: solve it, or make a Qubo of the model"
        raise InputError(fault, source=str(path))
    return replace(problem.qubo, space=problem.space)


def read_problem(path: Path | str, kind: str | None = None) -> QuboProblem:
    """Read a user's own problem from a file; a sidecar ``FILE.json`` beside it names its variables.

    Args:
        path: of the file. ``.lp``, ``.mps``, ``.csv``, ``.npy`` and ``.json`` are read as that, everything else by its
            text: JSON, LP, MPS, or lines ``i j weight``.
        kind: of sparse text: ``maxcut``, ``bqp`` or ``bq``; told from name and text when None.

    Raises:
        InputError: there is no such file, or it is malformed: names the row and column and the mend.
        UnsupportedError: a part of an LP file that is not read.
        InfeasibleError: a constraint that cannot hold.
    """
    path = Path(path)
    too_large = "give a smaller problem"
    data = read_bytes(path, MAX_BYTES, too_large)
    suffix = suffix_of(path)
    if suffix == ".npy":
        return _naming_the_source(parse_npy, data, str(path))
    beside = path.with_name(f"{path.name}.json")
    sidecar = None
    if beside.exists():
        found = json_object(as_text(read_bytes(beside, MAX_BYTES, too_large), str(beside)), str(beside))
        sidecar = found if found.get("format") == SIDECAR else None
    return parse_problem(as_text(data, str(path)), str(path), sidecar, suffix, kind)


def parse_problem(
    text: str, source: str, sidecar: dict[str, Any] | None = None, suffix: str = "", kind: str | None = None
) -> QuboProblem:
    """Read a user's own problem from text, as `read_problem` does; the suffix settles what the text leaves open."""
    if not text.strip():
        raise InputError("empty: write a problem into it", source=source)
    if suffix == ".json" or text.lstrip().startswith("{"):
        return _naming_the_source(parse_json, json_object(text, source), source)
    return _naming_the_source(parse_text, text, source, sidecar, suffix, kind)


def _naming_the_source(parse: Callable[..., QuboProblem], data: Any, source: str, *more: Any) -> QuboProblem:
    """Faults found below the parsers, in the coefficients themselves, name the file too."""
    try:
        return parse(data, source, *more)
    except InputError as error:
        if error.source is not None:
            raise
        raise type(error)(str(error), source=source) from error


def write_qubo(qubo: Qubo, path: Path | str) -> tuple[Path, ...]:
    """Write a Qubo; a file already there is replaced only once the new one is whole.

    Args:
        qubo: of degree 2 at most; of any degree for JSON.
        path: where; the suffix says the format. Beside all but JSON goes ``FILE.json``, which keeps names, meanings
            and the blocks of the space; `read_qubo` looks for it.

    Returns:
        The files written.

    Raises:
        InputError: unknown suffix, no variables, or the place cannot be written to.
        UnsupportedError: a term of more than two variables, but for JSON.
    """
    path = Path(path)
    files = {path.with_name(name): text for name, text in qubo_texts(qubo, path.name, str(path)).items()}
    # The sidecar first: a new file beside an old sidecar would be read wrongly, the other way round it is refused.
    replace_files({place: text.encode() for place, text in reversed(files.items())})
    return tuple(files)

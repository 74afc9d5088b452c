"""Which kind of file it is: a puzzle, a problem of `gatesolve.qubo`'s formats, or another solver's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import PurePath
from typing import TYPE_CHECKING

from gatesolve.errors import InputError, MissingExtraError
from gatesolve.files import MODEL_FORMATS, model_format, suffix_of
from gatesolve.formats.declared import Declared
from gatesolve.formats.dimacs import read_dimacs
from gatesolve.formats.from_cpmpy import from_cpmpy
from gatesolve.formats.integer_program import QuboProblem
from gatesolve.formats.opb import read_opb
from gatesolve.formats.qubo_files import is_qubo_path, parse_problem, read_problem
from gatesolve.formats.qubo_registry import is_qubo_text
from gatesolve.formats.sparse_text import KINDS
from gatesolve.model import Model
from gatesolve.puzzles import Puzzle, is_text, load, parse, read_text
from gatesolve.puzzles.registry import family_named
from gatesolve.qubo.numerals import count_noun

if TYPE_CHECKING:
    import cpmpy

NEEDS = {"xcsp3": "pycsp3"}
"""Packages that readers need besides CPMpy; in the extra ``files``."""
MAX_BYTES = 1 << 20
"""The largest file of another solver's that is read."""


def read_foreign(text: str, kind: str, source: str) -> Declared:
    r"""The problem in a text.

    Args:
        text: with ``\\n`` for line ends.
        kind: ``cnf``, ``wcnf``, ``opb``, ``xcsp3`` or ``fzn``.
        source: what to call it in messages.

    Raises:
        InputError: it is malformed: names the row and the mend.
        UnsupportedError: a part that is not read.
        MissingExtraError: the reader needs a package that is not installed.
    """
    if kind in {"cnf", "wcnf"}:
        return read_dimacs(text, source, kind == "wcnf")
    if kind == "opb":
        return read_opb(text, source)
    if kind == "fzn":
        from gatesolve.formats.flatzinc import read_flatzinc

        return read_flatzinc(text, source)
    if find_spec(NEEDS[kind]) is None:
        raise MissingExtraError(f"{source}: {kind} is read with {NEEDS[kind]}, which is not installed", "files")
    from gatesolve.formats.xcsp3 import read_xcsp3

    return read_xcsp3(text, source)


@dataclass(frozen=True)
class ForeignProblem:
    """A problem of another solver's file.

    Attributes:
        model: ours; its variables in the order of their names.
        helpers: names of variables that the reader made for itself.
        original: as CPMpy holds it; judges.
        title: one line.
    """

    model: Model
    original: cpmpy.Model
    title: str
    helpers: frozenset[str] = frozenset()


def read_file(file: str, family: str | None) -> Puzzle | QuboProblem | ForeignProblem:
    """Read a file, standard input for ``"-"``, or a text of several lines.

    Args:
        file: its path, or the text itself.
        family: of a puzzle; or ``maxcut``, ``bqp``, ``bq`` for sparse text, or the name of another solver's format.
            Found from the name and the text when None.
    """
    if not file:
        raise InputError("an empty text: give a file's path, or the text of a problem")
    formats = [*MODEL_FORMATS.values(), *KINDS]
    if family is not None and family not in formats:
        _check_family(family, formats)
        return load(file, family)
    is_path = file != "-" and not is_text(file)
    if is_path and (family in KINDS or (family is None and is_qubo_path(file))):
        return read_problem(file, family)
    is_foreign = is_path and suffix_of(file) in MODEL_FORMATS
    text, name = read_text(file, *((MAX_BYTES, "give a smaller problem") if is_foreign else ()))
    if family in KINDS or (family is None and is_qubo_text(text)):
        return parse_problem(text, name, kind=family)
    kind = family or model_format(text, name)
    return parse(text, None, name) if kind is None else _read_foreign(text, kind, name)


def _check_family(family: str, formats: Iterable[str]) -> None:
    try:
        family_named(family)
    except InputError as error:
        raise InputError(f"{error}; for files of other solvers, {', '.join(formats)}") from error


def _read_foreign(text: str, kind: str, source: str) -> ForeignProblem:
    original, declared = read_foreign(text, kind, source)
    try:
        model = from_cpmpy(original, declared=declared)
    except InputError as error:
        raise type(error)(str(error), source=source) from error
    model = replace(model, variables=tuple(sorted(model.variables, key=lambda one: _natural(one.name))))
    counts = (len(declared), "variable"), (len(original.constraints), "constraint")
    title = f"{PurePath(source).name}: {', '.join(count_noun(*one) for one in counts)}"
    goal = model.objective
    title += "" if goal is None else f", the {'smallest' if goal.sense == 'min' else 'largest'} objective"
    return ForeignProblem(model, original, title, frozenset(model.domains) - {one.name for one in declared})


def _natural(name: str) -> list[str]:
    """``x10`` after ``x9``."""
    return [part.zfill(9) if part.isdigit() else part for part in re.split(r"([0-9]+)", name)]

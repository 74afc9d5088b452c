"""A problem as data for JSON, and back: it judges the answers of a job, however late they arrive."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from gatesolve.encodings.converter import structure, unstructure
from gatesolve.errors import InputError
from gatesolve.formats.problem import Problem
from gatesolve.formats.sources import as_problem
from gatesolve.model import Model
from gatesolve.puzzles import parse
from gatesolve.qubo import Qubo
from gatesolve.qubo.polynomial import Number

OWN_FORM = "judged by gatesolve's own form of the model: the job does not store the original"


@dataclass(frozen=True)
class PuzzleRecord:
    """A puzzle as its own text."""

    kind: Literal["puzzle"]
    family: str
    text: str


@dataclass(frozen=True)
class QuboRecord:
    """A Qubo; its numbers are strings, so that each is restored exactly."""

    names: tuple[str, ...]
    monomials: tuple[tuple[int, ...], ...]
    coefficients: tuple[str, ...]
    offset: str

    def qubo(self) -> Qubo:
        """Return the Qubo itself."""
        terms = zip(self.monomials, map(_read_number, self.coefficients), strict=True)
        return Qubo(self.names, dict(terms), _read_number(self.offset))


@dataclass(frozen=True)
class ModelRecord:
    """Any problem that is not a puzzle, as gatesolve's model of it."""

    kind: Literal["model"]
    model: Model
    qubo: QuboRecord | None
    name: str
    sense: Literal["min", "max"]
    scale: int

    def __post_init__(self) -> None:
        if self.scale < 1:
            raise InputError(f"scale {self.scale}: give a whole number of at least 1")
        if self.qubo is not None:
            # Raises now rather than when the job's answers arrive.
            self.qubo.qubo()
            for name in self.qubo.names:
                if not {0, 1}.issuperset(self.model.domains.get(name, (2,))):
                    raise InputError(f"the Qubo reads {name:.40}, which is not a 0/1 variable of the model")


def record_problem(problem: Problem) -> dict[str, Any]:
    """Return the problem as plain data."""
    record: PuzzleRecord | ModelRecord
    if problem.puzzle is not None:
        record = PuzzleRecord("puzzle", problem.puzzle.family, problem.puzzle.text())
    else:
        qubo, name = problem.qubo, problem.name or problem.title
        kept = None
        if qubo is not None:
            numbers = tuple(map(str, qubo.terms.values()))
            kept = QuboRecord(qubo.names, tuple(qubo.terms), numbers, str(qubo.offset))
        record = ModelRecord("model", problem.model, kept, name, problem.sense, problem.scale)
    data: dict[str, Any] = unstructure(record)
    return data


def restore_problem(data: Any) -> Problem:
    """Return the problem that `record_problem` wrote."""
    if isinstance(data, dict) and data.get("kind") == "puzzle":
        puzzle = structure(data, PuzzleRecord)
        return as_problem(parse(puzzle.text, puzzle.family, "the record of a job"))
    kept = structure(data, ModelRecord)
    qubo = None if kept.qubo is None else kept.qubo.qubo()
    return Problem(kept.model, qubo=qubo, name=kept.name, sense=kept.sense, scale=kept.scale)


def _read_number(text: str) -> Number:
    """Return the number as it was: whole, a fraction, or a float of the same digits."""
    if "/" in text:
        return Fraction(text)
    return float(text) if any(mark in text for mark in ".en") else int(text)

"""A problem as a dictionary that JSON can hold, and back: what judges the answers of a job, however late they come."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gatesolve.api.problem import Problem, as_problem
from gatesolve.devices.jobs.model_record import model_of, model_record
from gatesolve.devices.jobs.reading import Data, entry, rows, words
from gatesolve.errors import InputError
from gatesolve.puzzles import parse
from gatesolve.qubo import Qubo
from gatesolve.qubo.polynomial import Number

LOWERED = "judged by the lowered model: a CPMpy model cannot be kept in a record"


def problem_record(problem: Problem) -> dict[str, Any]:
    """The problem as plain data: a puzzle as its own text, everything else as its lowered model."""
    if problem.puzzle is not None:
        return {"kind": "puzzle", "family": problem.puzzle.family, "text": problem.puzzle.text()}
    return {
        "kind": "model",
        "model": model_record(problem.model),
        "qubo": None if problem.qubo is None else _qubo_record(problem.qubo),
        "name": problem.name or problem.title,
        "sense": problem.sense,
        "scale": problem.scale,
    }


def problem_of(data: Data) -> Problem:
    """The problem that `problem_record` wrote.

    Raises:
        InputError: the record is damaged.
    """
    if entry(data, "kind", str) == "puzzle":
        return as_problem(parse(entry(data, "text", str), entry(data, "family", str), "the record of a job"))
    qubo = data.get("qubo")
    return Problem(
        model_of(entry(data, "model", dict)),
        qubo=None if qubo is None else _qubo_of(qubo),
        name=entry(data, "name", str),
        sense="max" if entry(data, "sense", str) == "max" else "min",
        scale=entry(data, "scale", int),
    )


def _qubo_record(qubo: Qubo) -> dict[str, Any]:
    return {
        "names": list(qubo.names),
        "monomials": [list(monomial) for monomial in qubo.terms],
        "coefficients": [str(c) for c in qubo.terms.values()],
        "offset": str(qubo.offset),
    }


def _qubo_of(data: Data) -> Qubo:
    monomials, coefficients = rows(data.get("monomials")), words(data.get("coefficients"))
    try:
        terms = dict(zip(monomials, map(_number, coefficients), strict=True))
        return Qubo(words(data.get("names")), terms, _number(entry(data, "offset", str)))
    except ValueError as error:
        raise InputError(f"the record of a job holds no Qubo: {error}") from error


def _number(text: str) -> Number:
    """The number as it was: whole, a fraction, or a float of the same digits."""
    if "/" in text:
        return Fraction(text)
    return float(text) if any(mark in text for mark in ".en") else int(text)

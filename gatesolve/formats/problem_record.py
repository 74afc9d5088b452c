"""A problem as data for JSON, and back: it judges the answers of a job, however late they arrive."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from gatesolve.encodings.converter import structure, unstructure
from gatesolve.errors import InputError
from gatesolve.formats.json_form import qubo_data, read_json
from gatesolve.formats.problem import Problem
from gatesolve.formats.sources import as_problem
from gatesolve.model import Model
from gatesolve.puzzles import parse

SOURCE = "the record of a job"
OWN_FORM = "judged by gatesolve's own form of the model: the job does not store the original"


@dataclass(frozen=True)
class PuzzleRecord:
    """A puzzle as its own text."""

    kind: Literal["puzzle"]
    family: str
    text: str


@dataclass(frozen=True)
class ModelRecord:
    """Any problem that is not a puzzle, as gatesolve's model of it; its Qubo has the form of a JSON file."""

    kind: Literal["model"]
    model: Model
    qubo: dict[str, Any] | None
    name: str
    sense: Literal["min", "max"]
    scale: int

    def __post_init__(self) -> None:
        if self.scale < 1:
            raise InputError(f"scale {self.scale}: give a whole number of at least 1")
        # Read now rather than when the job's answers arrive.
        for name in () if self.qubo is None else read_json(self.qubo, SOURCE).names:
            if not {0, 1}.issuperset(self.model.domains.get(name, (2,))):
                raise InputError(f"the Qubo reads {name:.40}, which is not a 0/1 variable of the model")


def record_problem(problem: Problem) -> dict[str, Any]:
    """Return the problem as plain data."""
    record: PuzzleRecord | ModelRecord
    if problem.puzzle is not None:
        record = PuzzleRecord("puzzle", problem.puzzle.family, problem.puzzle.text())
    else:
        own = None if problem.qubo is None else qubo_data(replace(problem.qubo, meanings=()))
        record = ModelRecord("model", problem.model, own, problem.name or problem.title, problem.sense, problem.scale)
    data: dict[str, Any] = unstructure(record)
    return data


def restore_problem(data: Any) -> Problem:
    """Return the problem that `record_problem` wrote."""
    if isinstance(data, dict) and data.get("kind") == "puzzle":
        puzzle = structure(data, PuzzleRecord)
        return as_problem(parse(puzzle.text, puzzle.family, SOURCE))
    kept = structure(data, ModelRecord)
    qubo = None if kept.qubo is None else read_json(kept.qubo, SOURCE)
    return Problem(kept.model, qubo=qubo, name=kept.name, sense=kept.sense, scale=kept.scale)

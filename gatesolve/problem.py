"""What users hand in, as one type: a puzzle file, a puzzle, a CPMpy model, or a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gatesolve.errors import InputError
from gatesolve.model import Model
from gatesolve.puzzles import Puzzle, load

if TYPE_CHECKING:
    import cpmpy


@dataclass(frozen=True)
class Problem:
    """A model and what it came from, which judges the answer.

    Attributes:
        model: the lowered model.
        puzzle: judges by its own rules.
        original: the user's CPMpy model; judges by CPMpy's own evaluation.
    """

    model: Model
    puzzle: Puzzle | None = None
    original: cpmpy.Model | None = None

    @property
    def title(self) -> str:
        """One line for reports."""
        if self.puzzle is not None:
            return self.puzzle.title
        return f"model: {len(self.model.variables)} variables, {len(self.model.constraints)} constraints"

    def complaints(self, assignment: Mapping[str, int]) -> list[str]:
        """Rules that ``assignment`` breaks: the puzzle's own, else the CPMpy model's, else the model's."""
        if self.puzzle is not None:
            return self.puzzle.check(assignment)
        if self.original is not None:
            from gatesolve.model.judge import broken_constraints

            return broken_constraints(self.original, assignment)
        if self.model.check(assignment):
            return []
        return [f"breaks {c}" for c in self.model.violated(assignment)] or ["a value lies outside its domain"]


def as_problem(problem: str | Path | Puzzle | Model | cpmpy.Model, family: str | None = None) -> Problem:
    """Read or wrap what the user handed in.

    Args:
        problem: path of a puzzle file (``"-"`` for standard input), a puzzle, a CPMpy model or a `Model`.
        family: puzzle family of a file; found from its text when None.

    Raises:
        InputError: nothing of the kind, or a faulty file.
    """
    if isinstance(problem, Model):
        return Problem(problem)
    if isinstance(problem, str | Path):
        return _from_puzzle(load(problem, family))
    if isinstance(problem, Puzzle):
        return _from_puzzle(problem)
    from gatesolve.model.from_cpmpy import from_cpmpy

    if type(problem).__module__.split(".")[0] == "cpmpy":
        return Problem(from_cpmpy(problem), original=problem)
    raise InputError(
        f"cannot solve an object of type {type(problem).__name__}: "
        "give a puzzle file, a Puzzle, a cpmpy.Model or a gatesolve.Model"
    )


def _from_puzzle(puzzle: Puzzle) -> Problem:
    from gatesolve.model.from_cpmpy import from_cpmpy

    return Problem(from_cpmpy(puzzle.to_cpmpy()), puzzle)

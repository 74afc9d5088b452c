"""What users hand in, as one type: a puzzle file, a puzzle, a CPMpy model, or a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gatesolve.api.options import Options
from gatesolve.cli.terminal import one_line
from gatesolve.errors import InfeasibleError, InputError, UnsupportedError
from gatesolve.model import Model, Variable
from gatesolve.puzzles import Puzzle, load, parse, read_text
from gatesolve.qubo import Qubo
from gatesolve.qubo.parts import QuboProblem
from gatesolve.qubo.read import is_qubo_path, is_qubo_text, parse_problem, read_problem

if TYPE_CHECKING:
    import cpmpy


@dataclass(frozen=True)
class Problem:
    """A model and what it came from, which judges the answer.

    Attributes:
        model: the lowered model.
        puzzle: judges by its own rules.
        original: the user's CPMpy model; judges by CPMpy's own evaluation.
        qubo: an energy of the user's own over the model's variables, to be made small; takes the place of an objective.
        name: what the problem is called in reports, where it is no puzzle.
        sense: ``max`` where the Qubo is the negative of what was read.
        scale: the model's objective is this many times the one that was read.
    """

    model: Model
    puzzle: Puzzle | None = None
    original: cpmpy.Model | None = None
    qubo: Qubo | None = None
    name: str = ""
    sense: Literal["min", "max"] = "min"
    scale: int = 1

    @property
    def goal(self) -> Literal["min", "max"] | None:
        """Whether there is something to be made small or large, as the user put it."""
        if self.qubo is not None:
            return self.sense
        return None if self.model.objective is None else self.model.objective.sense

    def told(self, energy: Fraction) -> Fraction:
        """What is minimised, as the user put it: with the sign and the scale of the objective that was read."""
        return (-energy if self.goal == "max" else energy) / self.scale

    def energy(self, solution: Mapping[str, int]) -> Fraction | None:
        """The Qubo's energy or the objective of a solution, as the user put it; None where there is neither."""
        if self.qubo is not None:
            return self.told(self.qubo.exact_energy([solution[name] for name in self.qubo.names]))
        objective = self.model.objective
        return None if objective is None else Fraction(objective.value(solution)) / self.scale

    @property
    def aim(self) -> str:
        """What is made small or large, in a word."""
        return "objective" if self.qubo is None else "energy"

    @property
    def title(self) -> str:
        """One line for reports."""
        if self.puzzle is not None:
            return one_line(self.puzzle.title)
        if self.name:
            return one_line(self.name)
        return f"model: {len(self.model.variables)} variables, {len(self.model.constraints)} constraints"

    def board(self, solution: Mapping[str, int] | None) -> list[list[str]] | None:
        """The finished board as the puzzle prints it; None without a puzzle or a solution."""
        return None if self.puzzle is None or solution is None else self.puzzle.board(solution)

    @property
    def accepted(self) -> str:
        """What is said of a solution that has passed `complaints`."""
        return f"accepted by the {'puzzle' if self.puzzle else 'model'}'s own rules"

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


def as_problem(problem: str | Path | Puzzle | Model | Qubo | cpmpy.Model, family: str | None = None) -> Problem:
    """Read or wrap what the user handed in.

    Args:
        problem: path of a puzzle file (``"-"`` for standard input) or of a Qubo file, a puzzle, a CPMpy model,
            a `Model` or a `Qubo`.
        family: puzzle family of a file; found from its text when None.

    Raises:
        InputError: nothing of the kind, or a faulty file.
        InfeasibleError: the clues of a board contradict each other.
    """
    if isinstance(problem, Model):
        return Problem(problem)
    if isinstance(problem, Qubo):
        return _from_qubo(problem)
    if isinstance(problem, str | Path):
        return _from_file(str(problem), family)
    if isinstance(problem, Puzzle):
        return _from_puzzle(problem)
    from gatesolve.model.from_cpmpy import from_cpmpy

    if type(problem).__module__.split(".")[0] == "cpmpy":
        return Problem(from_cpmpy(problem), original=problem)
    raise InputError(
        f"cannot solve an object of type {type(problem).__name__}: "
        "give a puzzle or Qubo file, a Puzzle, a cpmpy.Model, a gatesolve.Model or a gatesolve.Qubo"
    )


def _from_file(file: str, family: str | None) -> Problem:
    """A puzzle, or a problem of the user's own."""
    if family is not None:
        return _from_puzzle(load(file, family))
    if file != "-":
        return _from_own(read_problem(file)) if is_qubo_path(file) else _from_puzzle(load(file))
    text, name = read_text(file)
    return _from_own(parse_problem(text, name)) if is_qubo_text(text) else _from_puzzle(parse(text, None, name))


def _from_own(own: QuboProblem) -> Problem:
    return Problem(own.model, qubo=own.qubo, name=own.title, sense=own.sense, scale=own.scale)


def settled(options: Options, problem: Problem) -> Options:
    """The options with the pipeline that ``auto`` stands for.

    Raises:
        UnsupportedError: a plain search of a Qubo, which has nothing to mark.
        InputError: a presolve level for a Qubo, or an option of another pipeline.
    """
    if problem.qubo is not None and options.pipeline == "grover":
        raise UnsupportedError("a Qubo has no constraints for a plain search to mark: use pipeline='gas' or 'anneal'")
    if problem.qubo is not None:
        if options.presolve not in {"auto", "none"}:
            raise InputError("presolve does not know the terms of a Qubo: leave out presolve")
        options = replace(options, presolve="none")
    if options.pipeline == "auto":
        options = replace(options, pipeline="grover" if problem.qubo is None else "gas")
    if options.pipeline != "grover":
        for name, of_grover in (("exact=True", options.exact), ("oracle='classical'", options.oracle == "classical")):
            if of_grover:
                raise InputError(f"{name} is of pipeline='grover': leave it out, or search with that")
    return options


def _from_qubo(qubo: Qubo, name: str = "") -> Problem:
    """An energy over 0/1 variables without constraints; a Qubo made from a model is decoded by its own names."""
    variables = tuple(Variable(name, (0, 1)) for name in qubo.names)
    own = replace(qubo, space=None)
    return Problem(Model(variables), qubo=own, name=name or f"Qubo of {qubo.num_variables} variables")


def _from_puzzle(puzzle: Puzzle) -> Problem:
    """The board's model, unless the clues alone show that nothing solves it."""
    if puzzle.contradiction is not None:
        raise InfeasibleError(f"no solution: {puzzle.contradiction}", title=puzzle.title)
    from gatesolve.model.from_cpmpy import from_cpmpy

    return Problem(from_cpmpy(puzzle.to_cpmpy()), puzzle)

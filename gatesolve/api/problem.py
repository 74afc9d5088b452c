"""Problems as one type: a file, a puzzle, a model, a Qubo, or a problem as another package holds it."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gatesolve.api.options import Options, check_pipeline
from gatesolve.encodings import Space
from gatesolve.errors import InfeasibleError, InputError, UnsupportedError, one_line
from gatesolve.files import source_name
from gatesolve.formats.integer_program import QuboProblem
from gatesolve.formats.read_file import read_file
from gatesolve.formats.sources import Labels, read_foreign
from gatesolve.gate_sets import GATE_SETS
from gatesolve.model import Model, Variable
from gatesolve.pipelines.judge import make_judge
from gatesolve.pipelines.registry import find_pipeline, name_pipelines
from gatesolve.pipelines.task import SolutionCount, Task
from gatesolve.puzzles import Puzzle, is_text
from gatesolve.qubo import Qubo

if TYPE_CHECKING:
    import cpmpy
    import dimod
    import networkx
    import ommx.v1
    import qiskit_optimization
    import scipy.sparse

    from gatesolve.qubo.published.formula import Published


Foreign: TypeAlias = (
    "cpmpy.Model | dimod.BinaryQuadraticModel | dimod.BinaryPolynomial | dimod.QuadraticModel "
    "| dimod.ConstrainedQuadraticModel | Mapping[Any, float] | NDArray[Any] | scipy.sparse.sparray "
    "| scipy.sparse.spmatrix | qiskit_optimization.QuadraticProgram | ommx.v1.Instance | networkx.Graph"
)
"""Problems as other packages hold them; `gatesolve.formats.sources` reads all but CPMpy's."""
Source: TypeAlias = "str | Path | Puzzle | Model | Qubo | Foreign"
"""What users hand in."""
MOST_BITS = 1 << 12
"""Most bits of a number of solutions that is reported."""
LISTED = 1000
"""Most codewords whose finished boards are compared."""


@dataclass(frozen=True)
class Problem(Task):
    """A model and what it came from, which judges the answer.

    Attributes:
        puzzle: judges by its own rules.
        original: the user's CPMpy model; judges by CPMpy's own evaluation.
        name: what the problem is called in reports, where it is no puzzle.
        labels: what the user calls the variables, where not by their names.
    """

    puzzle: Puzzle | None = None
    original: cpmpy.Model | None = None
    name: str = ""
    labels: Labels | None = None

    @property
    def title(self) -> str:
        """One line for reports."""
        if self.puzzle is not None:
            return one_line(self.puzzle.title)
        return (
            one_line(self.name)
            or f"model: {len(self.model.variables)} variables, {len(self.model.constraints)} constraints"
        )

    def restore(self, solution: dict[str, int] | None) -> dict[Any, int] | None:
        """Return a solution in the user's labels and values."""
        return solution if solution is None or self.labels is None else self.labels.restore(solution)

    def board(self, solution: Mapping[str, int] | None) -> list[list[str]] | None:
        """Return the finished board as the puzzle prints it; None without a puzzle or a solution."""
        return None if self.puzzle is None or solution is None else self.puzzle.board(solution)

    @property
    def accepted(self) -> str:
        """The remark on a solution that has no complaints."""
        return f"accepted by the {'puzzle' if self.puzzle else 'model'}'s own rules"

    def complaints(self, assignment: Mapping[str, int]) -> list[str]:
        """List the rules that an assignment breaks: the puzzle's, else the CPMpy model's, else the model's."""
        if self.puzzle is not None:
            return self.puzzle.check(assignment)
        if self.original is not None:
            from gatesolve.formats.judge import broken_constraints

            return broken_constraints(self.original, assignment)
        return super().complaints(assignment)

    def published_qubo(self) -> Published:
        """Return the published formula for a puzzle of this family."""
        if self.puzzle is None:
            return super().published_qubo()
        from gatesolve.qubo.published import published_qubo

        return published_qubo(self.puzzle)

    def count_solutions(
        self, space: Space, numbers: NDArray[np.integer], recover: Callable[[Mapping[str, int]], dict[str, int]]
    ) -> SolutionCount | None:
        """Count the different answers of codewords, each judged by the problem's own rules.

        Two codewords can be one answer: a tent between two trees belongs to either. None where something is to be
        made small or large: being a solution does not say much there. A variable that nothing reads and that is not in
        the space has all its values in each; one that is none of the user's is not told apart. Args: as
        `Task.count_solutions`.
        """
        inside = {name for block in space.blocks for name in block.variables}
        free = math.prod(len(v.domain) for v in self.model.unread if v.name not in inside)
        if self.goal is not None or free.bit_length() > MOST_BITS:
            return None
        accept = make_judge(self, recover)
        found: set[Hashable] = set()
        for place, number in enumerate(numbers):
            if place == LISTED:
                return SolutionCount(len(found) * free, exact=False)
            solution = accept(space.assignment(int(number)))
            if solution is not None:
                board = self.board(solution)
                own = self.restore(solution) or {}
                found.add(tuple(own.items()) if board is None else tuple(map(tuple, board)))
        return SolutionCount(len(found) * free)

    def describe_count(self, count: SolutionCount | None) -> str:
        """Return the number of solutions in words where there is more than one; else an empty text."""
        if count is None or count.number < 2:
            return ""
        alone = self.puzzle is not None and self.puzzle.expects_one_solution
        least = "" if count.exact else "at least "
        return f"{least}{count.number} solutions{'; published boards have one' if alone else ''}"


def as_problem(problem: Source, family: str | None = None) -> Problem:
    """Read or wrap what the user handed in.

    Args:
        problem: path of a file (``"-"`` for standard input), the text of one, a puzzle, a CPMpy model, a `Model`, a
            `Qubo`, or an object of a type in `gatesolve.formats.sources.READERS`.
        family: puzzle family or format of a file; found from its text when None.
    """
    if isinstance(problem, Model):
        return Problem(problem)
    if isinstance(problem, Qubo):
        return _from_qubo(problem)
    if isinstance(problem, str | Path):
        return _from_file(str(problem), family)
    if isinstance(problem, Puzzle):
        return _from_puzzle(problem)
    from gatesolve.formats.from_cpmpy import from_cpmpy

    if type(problem).__module__.split(".")[0] == "cpmpy":
        return Problem(from_cpmpy(problem), original=problem)
    if (reading := read_foreign(problem)) is not None:
        own, labels = reading
        return replace(from_own(own), labels=labels)
    raise InputError(
        f"cannot read a problem from an object of type {type(problem).__name__}: give a puzzle or Qubo file, a Puzzle, "
        "a cpmpy.Model, a gatesolve.Model or Qubo, a dimod model, a dict {(i, j): weight}, a square matrix, "
        "a QuadraticProgram, an OMMX instance or a networkx graph"
    )


def _from_file(file: str, family: str | None) -> Problem:
    """A puzzle, a problem of the user's own, or one of another solver's file."""
    try:
        found = read_file(file, family)
    except InfeasibleError as error:  # before there is a title
        name = "<text>" if is_text(file) else source_name(file)
        raise InfeasibleError(f"{name}: {error}", title=PurePath(name).name) from error
    if isinstance(found, Puzzle):
        return _from_puzzle(found)
    if isinstance(found, QuboProblem):
        return from_own(found)
    shown = {v.name: v.name for v in found.model.variables if v.name not in found.helpers}
    labels = Labels(shown) if found.helpers else None
    return Problem(found.model, original=found.original, name=found.title, labels=labels)


def from_own(own: QuboProblem) -> Problem:
    """Make a problem of a Qubo or an integer program of the user's."""
    labels = Labels({v.name: v.name for v in own.model.variables}, own.spins) if own.spins else None
    return Problem(own.model, qubo=own.qubo, name=own.title, sense=own.sense, scale=own.scale, labels=labels)


def settle_options(options: Options, problem: Problem, named: Iterable[str] = ()) -> Options:
    """Return the options with the pipeline that ``auto`` stands for; unfit and idle ones are refused.

    In a gate set of Toffoli gates ``cx`` stands for ``t``: an AND is no CX there, and is priced as three.
    """
    if problem.qubo is not None:
        if options.pipeline != "auto" and not find_pipeline(options.pipeline).minimises:
            mend = name_pipelines(lambda one: one.minimises)
            raise UnsupportedError(f"a Qubo has no constraints for a plain search to mark: use {mend}")
        if options.presolve not in {"auto", "none"}:
            raise InputError("presolve does not know the terms of a Qubo: leave out presolve")
        options = replace(options, presolve="none")
    if options.pipeline == "auto":
        options = replace(options, pipeline="grover" if problem.qubo is None else "gas")
    check_pipeline(options, named)
    find_pipeline(options.pipeline).check(problem, options)
    by_ands = options.optimize == "cx" and GATE_SETS[options.gates].has_toffoli
    return replace(options, optimize="t") if by_ands else options


def _from_qubo(qubo: Qubo) -> Problem:
    """An energy over 0/1 variables without constraints; a Qubo made from a model is decoded by its own names."""
    variables = tuple(Variable(name, (0, 1)) for name in qubo.names)
    own = replace(qubo, space=None)
    return Problem(Model(variables), qubo=own, name=f"Qubo of {qubo.num_variables} variables")


def _from_puzzle(puzzle: Puzzle) -> Problem:
    """The board's model, unless the clues alone show that nothing solves it."""
    if puzzle.contradiction is not None:
        raise InfeasibleError(f"no solution: {puzzle.contradiction}", title=puzzle.title)
    from gatesolve.formats.from_cpmpy import from_cpmpy

    return Problem(from_cpmpy(puzzle.to_cpmpy()), puzzle)

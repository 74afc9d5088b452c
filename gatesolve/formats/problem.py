"""The problem that every reader returns: a model, its names and numbers for the user, and the judge of answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings import Space
from gatesolve.errors import InputError, UnsupportedError, one_line
from gatesolve.model import Model, Sum, Term, Value, add_terms, apply_function
from gatesolve.model.model import make_objective
from gatesolve.puzzles import Puzzle
from gatesolve.qubo import Qubo
from gatesolve.qubo.numerals import as_written, count_noun

if TYPE_CHECKING:
    import cpmpy

    from gatesolve.qubo.published.formula import Published


Values = Mapping[str, int]
HowNarrowed = Literal["branched", "bounded"]
Accept = Callable[[Values], dict[str, int] | None]
"""A function from the values of a codeword to the solution that they stand for; None if they are no solution."""
MOST_BITS = 1 << 12
"""Most bits of a reported number of solutions."""
LISTED = 1000
"""Most codewords whose finished boards are compared."""


@dataclass(frozen=True)
class SolutionCount:
    """A number of different finished boards, or of assignments for a bare model; ``exact`` if these are all of them."""

    number: int
    exact: bool = True


@dataclass(frozen=True)
class Labels:
    """The user's label of each name; ``spins`` are the bits that the user gave as spins, +1 where the bit is 1."""

    of: Mapping[str, Hashable]
    spins: frozenset[str] = frozenset()

    def restore(self, values: Mapping[str, int]) -> dict[Any, int]:
        """Return values by name as the user's own: by label, and spins as spins."""
        return {label: 2 * values[name] - 1 if name in self.spins else values[name] for name, label in self.of.items()}


@dataclass(frozen=True)
class Narrowing:
    """The whole model of a problem that was narrowed before a search, other than by presolve.

    It was ``branched`` where values were chosen for a part, ``bounded`` where only better objectives are searched.
    """

    how: HowNarrowed
    whole: Model


@dataclass(frozen=True)
class Problem:
    """A model and its origin, which judges the answer.

    Attributes:
        model: the constraints, and an objective if there is one.
        puzzle: judges by its own rules.
        original: the user's CPMpy model; judges by CPMpy's own evaluation.
        name: the problem's name in reports, where it is not a puzzle.
        labels: the user's labels of the variables, if they differ from the names.
        qubo: an energy of the user's own over the model's variables, to be minimised; replaces an objective.
        sense: ``max`` where the Qubo is the negative of what was read.
        scale: the model's objective is this many times the one that was read.
        space: decodes states of a Qubo that was made from another problem. The Qubo itself has none here: it is
            searched over its own 0/1 variables.
        narrowing: why the model is not the whole problem's; None where it is.
    """

    model: Model
    puzzle: Puzzle | None = None
    original: cpmpy.Model | None = None
    name: str = ""
    labels: Labels | None = None
    qubo: Qubo | None = field(default=None, kw_only=True)
    sense: Literal["min", "max"] = field(default="min", kw_only=True)
    scale: int = field(default=1, kw_only=True)
    space: Space | None = field(default=None, kw_only=True)
    narrowing: Narrowing | None = field(default=None, kw_only=True)

    def narrow(self, model: Model, how: HowNarrowed) -> Problem:
        """Return the problem with a model of fewer solutions; what is certified of it stays about the whole one."""
        return replace(self, model=model, narrowing=Narrowing(how, self.widen().model))

    def widen(self) -> Problem:
        """Return the whole problem."""
        return self if self.narrowing is None else replace(self, model=self.narrowing.whole, narrowing=None)

    @property
    def goal_reach(self) -> int:
        """Return a number that no objective or energy in the whole numbers of `state_objective` exceeds in size."""
        if self.qubo is not None:
            return sum(map(abs, _list_whole(self.qubo)[0].values()))
        objective = self.model.objective
        return 0 if objective is None else max(map(abs, objective.bounds(self.model.domains)))

    def state_objective(self) -> Problem:
        """Return the problem with its Qubo, if it has one, as an objective in whole numbers."""
        if self.qubo is None:
            return self
        names, sign = self.qubo.names, -1 if self.sense == "max" else 1
        whole, scale = _list_whole(self.qubo)

        def multiply(one: Term, number: int) -> Term:
            return apply_function("mul", [one, Value(names[number])])

        one: Term = Sum((), 1)
        terms = [(sign * c, reduce(multiply, monomial, one)) for monomial, c in whole.items()]
        objective = make_objective(add_terms(terms), self.sense)
        model = Model(self.model.variables, self.model.constraints, objective)
        return replace(self, model=model, qubo=None, sense="min", scale=scale)

    @property
    def title(self) -> str:
        """One line for reports."""
        if self.puzzle is not None:
            return one_line(self.puzzle.title)
        model = self.model
        counts = count_noun(len(model.variables), "variable"), count_noun(len(model.constraints), "constraint")
        return one_line(self.name) or f"model: {', '.join(counts)}"

    @property
    def goal(self) -> Literal["min", "max"] | None:
        """Return the sense of the objective or energy as the user gave it; None without one."""
        if self.qubo is not None:
            return self.sense
        return None if self.model.objective is None else self.model.objective.sense

    @property
    def goal_name(self) -> str:
        """``objective`` or ``energy``: the name of what is minimised or maximised."""
        return "objective" if self.qubo is None else "energy"

    def restore_energy(self, energy: Fraction) -> Fraction:
        """Return a minimised energy with the sign and the scale of the objective that was read."""
        return (-energy if self.goal == "max" else energy) / self.scale

    def energy(self, solution: Values) -> Fraction | None:
        """Return the energy or objective of a solution in the user's numbers; None where there is neither."""
        if self.qubo is not None:
            return self.restore_energy(self.qubo.exact_energy([solution[name] for name in self.qubo.names]))
        objective = self.model.objective
        return None if objective is None else Fraction(objective.value(solution)) / self.scale

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
            from gatesolve.formats.cpmpy_eval import broken_constraints

            return broken_constraints(self.original, assignment)
        if self.model.check(assignment):
            return []
        return [f"breaks {c}" for c in self.model.violated(assignment)] or ["a value lies outside its domain"]

    def judge(self, recover: Callable[[Values], dict[str, int]] | None = None) -> Accept:
        """Return a function that accepts assignments by the problem's own rules.

        ``recover`` maps the values of a codeword to all of the problem's variables; None if they are complete.
        """

        def accept(values: Values) -> dict[str, int] | None:
            solution = dict(values)
            if recover is not None:
                try:
                    solution = recover(values)
                # The values break a constraint that presolve has used up.
                except InputError:
                    return None
                # Variables that presolve eliminated have values only where the constraints behind them hold.
                if not self.model.check(solution):
                    return None
            return None if self.complaints(solution) else solution

        return accept

    def published_qubo(self) -> Published:
        """Return the formula that papers print for a puzzle of this family."""
        if self.puzzle is None:
            raise UnsupportedError("published formulas belong to puzzle families: leave out formulation='published'")
        from gatesolve.qubo.published import published_qubo

        return published_qubo(self.puzzle)

    def count_free(self, space: Space) -> int:
        """Return in how many ways the variables outside of the space that nothing reads may be chosen."""
        inside = {name for block in space.blocks for name in block.variables}
        return math.prod(len(v.domain) for v in self.model.unread if v.name not in inside)

    def count_solutions(
        self, space: Space, numbers: NDArray[np.integer], recover: Callable[[Mapping[str, int]], dict[str, int]]
    ) -> SolutionCount | None:
        """Count the different answers of codewords of a space, each judged by the problem's own rules.

        ``numbers`` are all codewords that may be solutions. None for a problem with an objective, where being a
        solution says little, or for a huge number.
        """
        free = self.count_free(space)
        if self.goal is not None or free.bit_length() > MOST_BITS:
            return None
        accept = self.judge(recover)
        found: set[Hashable] = set()
        for place, number in enumerate(numbers):
            if place == LISTED:
                return SolutionCount(len(found) * free, exact=False)
            solution = accept(space.assignment(int(number)))
            if solution is not None:
                # Two codewords can be one answer: a tent between two trees belongs to either. So boards are compared.
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


def _list_whole(qubo: Qubo) -> tuple[dict[tuple[int, ...], int], int]:
    """Return the terms of a Qubo times the least number that makes them whole, and that number."""
    exact = {monomial: as_written(c) for monomial, c in qubo.polynomial.items()}
    scale = math.lcm(*(c.denominator for c in exact.values()))
    return {monomial: int(c * scale) for monomial, c in exact.items()}, scale

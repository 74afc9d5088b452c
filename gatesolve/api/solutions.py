"""How many solutions a problem has, counted where every codeword was judged."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from gatesolve.api.problem import Problem
from gatesolve.encodings import Space

LISTED = 1000
"""Most codewords whose finished boards are compared."""


@dataclass(frozen=True)
class SolutionCount:
    """How many solutions there are.

    Attributes:
        number: different finished boards; of a bare model, different assignments.
        exact: whether these are all of them.
    """

    number: int
    exact: bool = True

    def told(self, problem: Problem) -> str:
        """In words, where there is more than one; else nothing."""
        if self.number < 2:
            return ""
        alone = problem.puzzle is not None and problem.puzzle.expects_one_solution
        least = "" if self.exact else "at least "
        return f"{least}{self.number} solutions{'; published boards have one' if alone else ''}"


def count_solutions(
    problem: Problem, space: Space, numbers: Iterable[int], recovered: Callable[[dict[str, int]], dict[str, int]]
) -> SolutionCount | None:
    """How many different answers codewords stand for, each judged by the problem's own rules.

    Two codewords can be one answer: a tent between two trees belongs to either.

    Args:
        problem: what was handed in.
        space: its search space after presolve.
        numbers: every codeword that may be a solution.
        recovered: from an assignment of the space to all of the problem's variables.

    Returns:
        None where something is to be made small or large: being a solution does not say much there.
    """
    if problem.goal is not None:
        return None
    found: set[Hashable] = set()
    for place, number in enumerate(numbers):
        if place == LISTED:
            return SolutionCount(len(found), exact=False)
        solution = recovered(space.assignment(int(number)))
        if not problem.complaints(solution):
            board = problem.board(solution)
            found.add(tuple(solution.items()) if board is None else tuple(map(tuple, board)))
    return SolutionCount(len(found))

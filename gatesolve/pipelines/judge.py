"""The one judge: candidates in, verdict out, by the problem's own rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from gatesolve.errors import InputError
from gatesolve.pipelines.chart import MeasuredOutcome
from gatesolve.pipelines.task import Task, Values

Accept = Callable[[Values], dict[str, int] | None]
"""From the values of a codeword to the solution that they stand for; None if it is none."""


@dataclass(frozen=True)
class JudgedCandidates:
    """The judgement of measured candidates.

    Attributes:
        solution: the first candidate that was accepted, as values of all of the problem's variables; None if none was.
        place: its place among the candidates.
        shots: measurements that were accepted.
        outcomes: all candidates in order.
    """

    solution: dict[str, int] | None
    place: int | None
    shots: int
    outcomes: tuple[MeasuredOutcome, ...] = field(default=(), compare=False)


def make_judge(task: Task, recover: Callable[[Values], dict[str, int]] | None) -> Accept:
    """Return a function that accepts assignments by the problem's own rules.

    ``recover`` leads from the values of a codeword to all of the problem's variables; None where they are all there.
    """

    def accept(values: Values) -> dict[str, int] | None:
        solution = dict(values)
        if recover is not None:
            try:
                solution = recover(values)
            except InputError:  # the values break a constraint that presolve used up
                return None
            # Variables that presolve took out have values only where the constraints they came from hold.
            if not task.model.check(solution):
                return None
        return None if task.complaints(solution) else solution

    return accept


def judge_candidates(accept: Accept, candidates: Iterable[tuple[Values | None, int]]) -> JudgedCandidates:
    """Show candidates (values, None for what is no codeword, and how often each was measured) to the rules in turn."""
    solution, outcomes = None, list[MeasuredOutcome]()
    place = None
    for number, (values, times) in enumerate(candidates):
        found = None if values is None else accept(values)
        outcomes.append(MeasuredOutcome(values, times, found is not None))
        if found is not None and place is None:
            solution, place = found, number
    return JudgedCandidates(solution, place, sum(one.shots for one in outcomes if one.accepted), tuple(outcomes))

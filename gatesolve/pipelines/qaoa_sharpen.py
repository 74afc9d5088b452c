"""Descending further where the levels that are left lie close together.

The Gibbs objective tells levels apart that differ by about one over its factor. Chosen for the spread over the whole
space, most of which is broken constraints, it soon sees no difference among the good codewords; so it is chosen again
for the spread that the state reached, which is a property of its levels alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gatesolve.pipelines.qaoa_angles import Angles
from gatesolve.pipelines.qaoa_landscape import Landscape
from gatesolve.pipelines.qaoa_optimise import GIBBS_FACTOR, Outcome, Report, Step, optimise

ROUNDS = 3
"""Times the factor is chosen again at most."""
GAIN = 1.25
"""Growth of the factor below which it is not worth another descent."""


def sharpened(
    found: Outcome,
    deviation: Callable[[Angles], float],
    landscapes: Callable[[float], Landscape],
    *,
    factor: float,
    evaluations: int,
    rounds: int = ROUNDS,
    report: Report = lambda *_: None,
) -> Outcome:
    """Descend from the angles found with larger and larger factors.

    Args:
        found: what to start from.
        deviation: standard deviation of the level when the state of some angles is measured.
        landscapes: the landscape of the Gibbs objective of a factor, per level.
        factor: that ``found`` was chosen with.
        evaluations: the most, beyond those already made; nothing is done with none.
        rounds: the most descents; each may use an even share of what is left.
        report: called after every evaluation, those of ``found`` counted too.

    Returns:
        The outcome with the value of the last factor; its history goes on in the values of their own factors. In the
        objective of its own factor each descent ends no higher than it starts.

    Raises:
        InputError: a value that is no number.
    """
    until = found.evaluations + evaluations
    for number in range(rounds):
        wide, made = deviation(found.angles), found.evaluations
        # A state of one level, up to rounding, has nothing left to tell apart.
        if made >= until or wide * factor < 1e-6 or GIBBS_FACTOR / wide < GAIN * factor:
            break
        factor = GIBBS_FACTOR / wide
        share = -(-(until - made) // (rounds - number))
        tell = _from(made, report)
        more = optimise(
            landscapes(factor), [(found.start, found.schedule)], evaluations=share, seed=found.seed, report=tell
        )
        steps = tuple(Step(made + step.evaluations, step.value, step.start) for step in more.history)
        found = replace(more, evaluations=made + more.evaluations, history=(*found.history, *steps))
    return found


def _from(made: int, report: Report) -> Report:
    """The report that counts from there."""
    return lambda done, value: report(made + done, value)

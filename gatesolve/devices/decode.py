"""From a device's counts to judged solutions, by the records alone: nothing is compiled again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from gatesolve.api.problem import Problem
from gatesolve.devices.jobs.record import Job
from gatesolve.devices.jobs.space_record import recovery_of, space_of
from gatesolve.devices.readout import Projection, Readout, read_out
from gatesolve.errors import InputError
from gatesolve.model.presolve import Recovery
from gatesolve.pipelines.finish import Finish

Record = Mapping[str, Any]


def states_of(record: Record, counts: Mapping[str, int]) -> dict[int, int]:
    """Basis states of the space's qubits behind measured bit strings, and how often each came."""
    return Finish.from_dict(record["finish"]).states(counts)


def acceptance(problem: Problem, recovery: Recovery) -> Callable[[Mapping[str, int]], dict[str, int] | None]:
    """Judges the values of a codeword: the solution they stand for, by the problem's own rules, or None."""

    def accept(values: Mapping[str, int]) -> dict[str, int] | None:
        try:
            solution = recovery.recover(values)
        except InputError:  # the values break a constraint that presolve used up
            return None
        return solution if problem.model.check(solution) and not problem.complaints(solution) else None

    return accept


def readout_of(
    problem: Problem,
    jobs: Iterable[Job],
    projection: Projection,
    mitigated: Mapping[int, float] | None = None,
) -> Readout:
    """All shots of all circuits of finished jobs, judged together.

    If the device adds nothing, every shot of every circuit is a codeword at random, whatever was chosen by earlier
    ones; so they are tested together, and a search that stops by what it saw pays for each look.

    Args:
        problem: judges.
        jobs: that are done; all of one space.
        projection: what to do with states that are no codewords.
        mitigated: probabilities of states with readout errors undone.

    Raises:
        InputError: a record is damaged.
    """
    done = [job for job in jobs if job.counts is not None]
    record = done[0].forms[0]
    space, recovery = space_of(record["space"]), recovery_of(record["recovery"])
    total: dict[int, int] = {}
    for job in done:
        for one, counts in zip(job.forms, job.counts or (), strict=True):
            for state, shots in states_of(one, counts).items():
                total[state] = total.get(state, 0) + shots
    known = [(Fraction(energy), int(count)) for energy, count in record["standing"]]
    has_goal = problem.goal is not None

    def energy(values: Mapping[str, int]) -> Fraction:
        found = problem.energy(recovery.recover(values))
        assert found is not None
        return found

    return read_out(
        total,
        space,
        acceptance(problem, recovery),
        marked=record["marked"],
        projection=projection,
        fills=[Finish.from_dict(one["finish"]).fills for job in done for one in job.forms],
        # Adaptive search decides by what it measured whether to go on.
        looks=len(done) if record["pipeline"] == "gas" else None,
        energy=energy if has_goal else None,
        standing=(lambda best: _standing(known, best, problem.goal == "max")) if known else None,
        goal="max" if problem.goal == "max" else "min",
        mitigated=mitigated,
    )


def _standing(known: list[tuple[Fraction, int]], best: Fraction, largest: bool) -> tuple[int, int] | None:
    """How many codewords are better than ``best``, and how many as good; None if it is worse than all that are kept."""
    if all(energy != best for energy, _ in known):
        return None
    better = sum(count for energy, count in known if (energy > best if largest else energy < best))
    return better, sum(count for energy, count in known if energy == best)

"""From a device's counts to judged solutions, by the records alone: nothing is compiled again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatesolve.devices.jobs.converter import structure
from gatesolve.devices.jobs.record import Job
from gatesolve.devices.mitigation import ReadoutErrors, mitigate
from gatesolve.devices.readout import Projection, Readout, read_out
from gatesolve.encodings import Space
from gatesolve.errors import InputError
from gatesolve.model.presolve import Recovery
from gatesolve.pipelines.postprocess import Postprocessing

Record = Mapping[str, Any]
Solution = Mapping[str, int]


@dataclass(frozen=True)
class Judge:
    """The problem's own rules, handed down: devices know no problems.

    Attributes:
        accepts: whether values of all variables are a solution.
        energy: of a solution, as the user put it; None where there is nothing to be made small or large.
        board: the finished board, for a puzzle.
        goal: whether the energy is to be small or large; None where there is none.
    """

    accepts: Callable[[Solution], bool]
    energy: Callable[[Solution], Fraction | None]
    board: Callable[[Solution | None], list[list[str]] | None]
    goal: Literal["min", "max"] | None


def decode_counts(record: Record, counts: Mapping[str, int]) -> dict[int, int]:
    """Basis states of the space's qubits behind measured bit strings, and how often each came."""
    return structure(record["postprocessing"], Postprocessing).states(counts)


def count_levels(record: Record, counts: Mapping[str, int], space: Space, levels: NDArray[np.int64]) -> dict[int, int]:
    """Shots by level, without those outside the space; ``levels`` has one for each of the space's codewords."""
    found: dict[int, int] = {}
    for state, shots in decode_counts(record, counts).items():
        values = space.decode(state)
        number = None if values is None else space.number(values)
        if number is not None:
            level = int(levels[number])
            found[level] = found.get(level, 0) + shots
    return found


def mitigate_states(jobs: Iterable[Job]) -> dict[int, float]:
    """Shares of the space's basis states over all circuits of the jobs, each by its shots, readout errors undone.

    They are undone by the errors that were recorded when the circuits were sent.

    Raises:
        UnsupportedError: mthree is not installed.
    """
    total: dict[int, float] = {}
    for job in jobs:
        for record, counts in zip(job.records, job.counts or (), strict=True):
            found = mitigate(counts, structure(record["readout_errors"], ReadoutErrors)).as_counts()
            weight = sum(counts.values()) / sum(found.values())
            for state, share in decode_counts(record, found).items():
                total[state] = total.get(state, 0.0) + share * weight
    return total


def judge_jobs(
    judge: Judge, jobs: Iterable[Job], projection: Projection, mitigated: Mapping[int, float] | None = None
) -> Readout:
    """All shots of all circuits of finished jobs, judged together.

    If the device adds nothing, every shot of every circuit is a codeword at random, whatever was chosen by earlier
    ones; so they are tested together, and a search that stops by what it saw pays for each look.

    Args:
        judge: knows the problem's rules.
        jobs: that are done; all of one space.
        projection: what to do with states that are no codewords.
        mitigated: probabilities of states with readout errors undone.

    Raises:
        InputError: a record is damaged.
    """
    done = [job for job in jobs if job.counts is not None]
    record = done[0].records[0]
    space, recovery = structure(record["space"], Space), structure(record["recovery"], Recovery)
    total: dict[int, int] = {}
    for job in done:
        for one, counts in zip(job.records, job.counts or (), strict=True):
            for state, shots in decode_counts(one, counts).items():
                total[state] = total.get(state, 0) + shots
    known = [(Fraction(energy), int(count)) for energy, count in record["energy_ranking"]]

    def accept(values: Solution) -> dict[str, int] | None:
        try:
            solution = recovery.recover(values)
        except InputError:  # the values break a constraint that presolve used up
            return None
        return solution if judge.accepts(solution) else None

    def energy(values: Solution) -> Fraction:
        found = judge.energy(recovery.recover(values))
        assert found is not None
        return found

    return read_out(
        total,
        space,
        accept,
        marked=record["marked"],
        projection=projection,
        fills=[structure(one["postprocessing"], Postprocessing).fills for job in done for one in job.records],
        # Adaptive search decides by what it measured whether to go on.
        looks=len(done) if record["pipeline"] == "gas" else None,
        energy=energy if judge.goal else None,
        rank=(lambda best: _rank(known, best, judge.goal == "max")) if known else None,
        goal=judge.goal or "min",
        mitigated=mitigated,
    )


def _rank(known: list[tuple[Fraction, int]], best: Fraction, largest: bool) -> tuple[int, int] | None:
    """How many codewords are better than ``best``, and how many as good; None if it is worse than all that are kept."""
    if all(energy != best for energy, _ in known):
        return None
    better = sum(count for energy, count in known if (energy > best if largest else energy < best))
    return better, sum(count for energy, count in known if energy == best)

"""From a device's counts to judged solutions, by the records alone: nothing is compiled again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from gatesolve.devices.jobs.record import Job
from gatesolve.devices.mitigation import ReadoutErrors, mitigate
from gatesolve.devices.readout import Projection, Readout, read_out
from gatesolve.encodings import Space
from gatesolve.model.presolve import Recovery
from gatesolve.pipelines.converter import structure
from gatesolve.pipelines.judge import make_judge
from gatesolve.pipelines.postprocess import Postprocessing
from gatesolve.pipelines.task import Task

Record = Mapping[str, Any]
Solution = Mapping[str, int]


def decode_counts(record: Record, counts: Mapping[str, int]) -> dict[int, int]:
    """Basis states of the space's qubits behind measured bit strings, and how often each came."""
    return structure(record["postprocessing"], Postprocessing).states(counts)


def mitigate_states(jobs: Iterable[Job]) -> dict[int, float]:
    """Shares of the space's basis states over all circuits of the jobs, each by its shots, readout errors undone.

    They are undone by the errors that were recorded when the circuits were sent.
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
    task: Task, jobs: Iterable[Job], projection: Projection, mitigated: Mapping[int, float] | None = None
) -> Readout:
    """All shots of all circuits of finished jobs, judged together.

    If the device adds nothing, every shot of every circuit is a codeword at random, whatever was chosen by earlier
    ones; so they are tested together, and a search that stops by what it saw pays for each look.

    Args:
        task: the problem, whose rules judge.
        jobs: that are done; all of one space.
        projection: what to do with states that are no codewords.
        mitigated: probabilities of states with readout errors undone.
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

    def energy(values: Solution) -> Fraction:
        found = task.energy(recovery.recover(values))
        assert found is not None
        return found

    return read_out(
        total,
        space,
        make_judge(task, recovery.recover),
        marked=record["marked"],
        projection=projection,
        fills=[structure(one["postprocessing"], Postprocessing).fills for job in done for one in job.records],
        # Adaptive search decides by what it measured whether to go on.
        looks=len(done) if record["pipeline"] == "gas" else None,
        energy=energy if task.goal else None,
        rank=(lambda best: _rank(known, best, task.goal == "max")) if known else None,
        goal=task.goal or "min",
        mitigated=mitigated,
    )


def _rank(known: list[tuple[Fraction, int]], best: Fraction, largest: bool) -> tuple[int, int] | None:
    """How many codewords are better than ``best``, and how many as good; None if it is worse than all that are kept."""
    if all(energy != best for energy, _ in known):
        return None
    better = sum(count for energy, count in known if (energy > best if largest else energy < best))
    return better, sum(count for energy, count in known if energy == best)

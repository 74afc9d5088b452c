"""From a device's counts to judged solutions, by the records alone: nothing is compiled again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from gatesolve.devices.jobs.record import Job, SearchRecord
from gatesolve.devices.mitigation import ReadoutErrors, mitigate
from gatesolve.devices.readout import Projection, Readout, read_out
from gatesolve.encodings import Space
from gatesolve.errors import GatesolveError
from gatesolve.model.presolve import Recovery
from gatesolve.pipelines.judge import make_judge
from gatesolve.pipelines.task import Task, as_number
from gatesolve.programs.converter import structure
from gatesolve.programs.postprocess import Postprocessing

BILLION = 10**9


def conclude_search(task: Task, search: SearchRecord, jobs: tuple[Job, ...], note: str) -> dict[str, Any]:
    """Judge all that was measured by the problem's own rules; the last job may have failed.

    The solution is None if none was accepted.
    """
    done = tuple(job for job in jobs if job.counts is not None)
    notes = [note] if note else []
    readout: Readout | None = None
    if done:
        # Former versions tuned angles first: those rounds chose the last circuit, which is judged by its own shots.
        judged = done[-1:] if search.options["pipeline"] == "qaoa" else done
        shares = None
        if search.request["mitigate"]:
            try:
                shares = mitigate_states(judged)
            except GatesolveError as error:  # the counts are no worse for it
                notes.append(f"not mitigated: {error}")
        readout = judge_jobs(task, judged, search.request["projection"], shares)
    best = None if readout is None else readout.best_board
    ended = [job for job in jobs if job.status in {"cancelled", "failed"}]
    message = "" if readout is None else readout.verdict
    if ended:
        message = ended[-1].reason + (f"; before that: {message}" if message else "")
    return {
        "message": message,
        "solution": None if best is None else best.solution,
        "energy": None if best is None or best.energy is None else as_number(best.energy),
        "readout": None if readout is None else readout.as_dict(),
        # The first line is the verdict, which the message has.
        "lines": [] if readout is None else readout.lines()[1:],
        "notes": notes,
    }


def decode_counts(record: Mapping[str, Any], counts: Mapping[str, int]) -> dict[int, int]:
    """Basis states of the space's qubits behind measured bit strings, and how often each came."""
    return structure(record["postprocessing"], Postprocessing).states(counts)


def mitigate_states(jobs: Iterable[Job]) -> dict[int, float]:
    """Shares of the space's basis states over all circuits of the jobs, each by its shots, readout errors undone.

    They are undone by the errors that were recorded when the circuits were sent.
    """
    total: dict[int, float] = {}
    for job in jobs:
        for record, counts in zip(job.records, job.counts or (), strict=True):
            shares = mitigate(counts, structure(record["readout_errors"], ReadoutErrors))
            # Decoding takes whole counts.
            found = {word: round(share * BILLION) for word, share in shares.items()}
            weight = sum(counts.values()) / sum(found.values())
            for state, share in decode_counts(record, found).items():
                total[state] = total.get(state, 0.0) + share * weight
    return total


def judge_jobs(
    task: Task, done: tuple[Job, ...], projection: Projection, mitigated: Mapping[int, float] | None = None
) -> Readout:
    """All shots of all circuits of finished jobs of one space, judged together.

    If the device adds nothing, every shot of every circuit is a codeword at random, whatever was chosen by earlier
    ones; so they are tested together, and a search that stops by what it saw pays for each look.
    """
    record = done[0].records[0]
    space, recovery = structure(record["space"], Space), structure(record["recovery"], Recovery)
    total: Counter[int] = Counter()
    for job in done:
        for one, counts in zip(job.records, job.counts or (), strict=True):
            total.update(decode_counts(one, counts))
    known = [(Fraction(energy), int(count)) for energy, count in record["energy_ranking"]]

    def energy(values: Mapping[str, int]) -> Fraction:
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

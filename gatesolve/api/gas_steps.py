"""Grover Adaptive Search on a device: one job a threshold, until a job finds nothing lower."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gatesolve.api.adaptive import Adaptive, prepare
from gatesolve.api.adaptive_run import fingerprint
from gatesolve.api.steps import (
    Asked,
    End,
    Form,
    NothingToSearchError,
    Prepared,
    form,
    has_signal,
    noise_share,
    prepared,
    require_search,
    require_signal,
)
from gatesolve.devices.decode import count_levels
from gatesolve.devices.energy_ranking import rank_energies, require_same_space
from gatesolve.devices.jobs.record import Job
from gatesolve.errors import InputError
from gatesolve.pipelines.amplification import success_probability
from gatesolve.pipelines.gas.device import Batch, Descended, ladder, next_threshold

LISTED = 1 << 12
"""Codewords up to which the one that noise favours most is looked for."""
ENOUGH = 0.01
"""Fidelity below which no more iterations are tried: the ladder ends there."""


def gas_forms(asked: Asked, done: tuple[Job, ...]) -> tuple[Form, ...] | End:
    """The circuits of the next threshold, or the end.

    Raises:
        DoesNotFitError: a circuit does not fit the device, or all would drown in its noise.
        InputError: nothing is left to search, or the search was begun with another form of the space.
    """
    ready = prepare(asked.problem, asked.options, asked.clock)
    require_search(ready.space.num_qubits, ready.found.presolve)
    history = tuple(_batch(ready, job) for job in done)
    wanted = next_threshold(_first(ready), ready.floor, ready.space.size, history)
    if isinstance(wanted, Descended):
        if not done:
            raise InputError("nothing can lie below that threshold: give a higher threshold, or leave it out")
        return End(_ended(wanted, ready.margin))
    try:
        return _forms(asked, ready, wanted)
    except NothingToSearchError:
        if done:  # the codeword of that level is not marked, so none is
            return End(_proven(ready.margin))
        above = ready.levels[ready.levels > wanted]
        if asked.options.threshold is not None or not len(above):
            raise
        # The random codeword was one of the lowest; to start from a worse one gives nothing away.
        return _forms(asked, ready, int(above.min()))


def _first(ready: Adaptive) -> int:
    """The threshold asked for, the one above all levels that break no constraint, or that of a random codeword.

    The second only if something is above it: an oracle that marks every codeword finds nothing.
    """
    if ready.options.threshold is not None:
        return ready.threshold()
    if ready.start is not None and ready.start < ready.levels.max():
        return ready.start + 1
    # A superposition measured at once is nothing but a random codeword: no device is needed for that.
    number = int(np.random.default_rng(ready.options.seed).integers(ready.space.size))
    return max(int(ready.levels[number]), ready.floor + 1)


def _forms(asked: Asked, ready: Adaptive, threshold: int) -> tuple[Form, ...]:
    """One circuit a number of iterations, as far as the device carries the signal of a single solution."""
    compiled = ready.compiled(threshold, asked.clock, iterations=1)
    size, known = ready.space.size, rank_energies(ready)
    options = asked.options
    steps = ladder(size, size) if options.iterations is None else (options.iterations,)
    made: list[Form] = []
    for k in steps:
        short = prepared(asked, replace(compiled.program, iterations=k))
        what = {
            "pipeline": "gas",
            "iterations": k,
            "threshold": threshold,
            "space_key": fingerprint(ready),
            **how(ready),
        }
        made.append(
            form(
                asked,
                short,
                ready.found.recovery,
                what=what,
                ideal=success_probability(size, 1, k),
                chance=_chance(short, size),
                marked=known.solutions,
                ranking=known.energies,
            )
        )
        fidelity = short.isa.fidelity
        if fidelity is not None and (fidelity < ENOUGH or not has_signal(made[-1])):
            break
    return require_signal(tuple(made), asked)


def how(ready: Adaptive) -> dict[str, Any]:
    """What a count means nothing without."""
    return {"presolve": ready.found.presolve, "encoding": ready.encoding, "notes": list(ready.found.notes)}


def _chance(made: Prepared, size: int) -> float:
    """What noise gives of the codeword that it favours most: which one is a solution is not known here."""
    if size > LISTED:
        return 1 / size
    return max(noise_share(made, (number,)) for number in range(size))


def _batch(ready: Adaptive, job: Job) -> Batch:
    """What a job measured, as levels."""
    assert job.counts is not None
    levels: set[int] = set()
    runs = []
    for record, counts in zip(job.records, job.counts, strict=True):
        require_same_space(ready, record["space_key"], job.search)
        fidelity = record["estimate"]["fidelity"]
        runs.append((int(record["iterations"]), job.shots, 1.0 if fidelity is None else float(fidelity)))
        levels |= set(count_levels(record, counts, ready.space, ready.levels))
    return Batch(int(job.records[0]["threshold"]), tuple(runs), min(levels, default=None))


def _proven(margin: str) -> str:
    return f"nothing lower{margin} can exist: the lowest possible level was measured"


def _ended(end: Descended, margin: str) -> str:
    if end.proven:
        return _proven(margin)
    return (
        "the last job found nothing lower; if the device's reported errors hold, it misses something "
        f"lower{margin} with probability at most {max(end.missed, 1e-300):.2g}"
    )

"""Grover Adaptive Search on a device: one job a threshold, until a job finds nothing lower."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gatesolve.errors import InputError
from gatesolve.pipelines.amplification import success_probability
from gatesolve.pipelines.device import (
    Bench,
    DeviceCircuit,
    End,
    NextCircuits,
    NothingToSearchError,
    OnDevice,
    Round,
    describe_encoded,
    require_search,
)
from gatesolve.pipelines.energy_ranking import count_costs, rank_energies, require_same_space
from gatesolve.pipelines.gas.compile import AdaptiveSearch, prepare_search
from gatesolve.pipelines.gas.device_ladder import Batch, Descended, iterations_ladder, next_threshold
from gatesolve.pipelines.gas.options import GasOptions
from gatesolve.pipelines.ranking import fingerprint
from gatesolve.pipelines.task import Request

LISTED = 1 << 12
"""Codewords up to which the one that noise favours most is looked for."""
ENOUGH = 0.01
"""Fidelity below which no more iterations are tried: the ladder ends there."""


def next_circuits(request: Request[GasOptions], bench: Bench, done: Sequence[Round]) -> NextCircuits:
    """The circuits of the next threshold, or the end.

    Raises:
        DoesNotFitError: a circuit does not fit the device, or all would drown in its noise.
        InputError: nothing is left to search, or the search was begun with another form of the space.
    """
    search = prepare_search(request)
    ranked = search.ranked
    require_search(ranked.space.num_qubits, ranked.found.presolve)
    history = tuple(_read_batch(search, job) for job in done)
    wanted = next_threshold(_first_threshold(search), ranked.floor, ranked.space.size, history)
    if isinstance(wanted, Descended):
        if not done:
            raise InputError("nothing can lie below that threshold: give a higher threshold, or leave it out")
        return End(_describe_end(wanted, ranked.margin))
    try:
        return _make_circuits(bench, search, wanted)
    except NothingToSearchError:
        if done:  # the codeword of that cost is not marked, so none is
            return End(_describe_end(Descended(None), ranked.margin))
        above = ranked.costs[ranked.costs > wanted]
        if request.options.threshold is not None or not len(above):
            raise
        # The random codeword was one of the lowest; to start from a worse one gives nothing away.
        return _make_circuits(bench, search, int(above.min()))


def _first_threshold(search: AdaptiveSearch) -> int:
    """The threshold asked for, the one above all costs that break no constraint, or that of a random codeword.

    The second only if something is above it: an oracle that marks every codeword finds nothing.
    """
    ranked = search.ranked
    if search.options.threshold is not None:
        return search.last_threshold
    if ranked.start is not None and ranked.start < ranked.costs.max():
        return ranked.start + 1
    # A superposition measured at once is nothing but a random codeword: no device is needed for that.
    number = int(np.random.default_rng(search.options.seed).integers(ranked.space.size))
    return max(int(ranked.costs[number]), ranked.floor + 1)


def _make_circuits(bench: Bench, search: AdaptiveSearch, threshold: int) -> tuple[DeviceCircuit, ...]:
    """One circuit a number of iterations, as far as the device carries the signal of a single solution."""
    compiled = search.compile(threshold, iterations=1)
    ranked, options = search.ranked, search.options
    size, known = ranked.space.size, rank_energies(ranked)
    steps = iterations_ladder(size) if options.iterations is None else (options.iterations,)
    made: list[DeviceCircuit] = []
    for k in steps:
        short = bench.prepare(compiled.program.with_iterations(k))
        what = {
            "pipeline": "gas",
            "iterations": k,
            "threshold": threshold,
            "space_key": fingerprint(search.ranked, search.options.backend),
            **describe_encoded(ranked.found),
        }
        made.append(
            bench.record(
                short,
                ranked.found.recovery,
                what=what,
                ideal=success_probability(size, 1, k),
                chance=_chance(short, size),
                marked=known.solutions,
                ranking=known.energies,
            )
        )
        fidelity = short.fidelity
        if fidelity is not None and (fidelity < ENOUGH or not bench.has_signal(made[-1])):
            break
    return bench.require_signal(tuple(made))


def _chance(made: OnDevice, size: int) -> float:
    """What noise gives of the codeword that it favours most: which one is a solution is not known here."""
    if size > LISTED:
        return 1 / size
    return max(made.noise_share((number,)) for number in range(size))


def _read_batch(search: AdaptiveSearch, job: Round) -> Batch:
    """What a job measured, as costs."""
    costs: set[int] = set()
    runs = []
    for one in job.circuits:
        require_same_space(fingerprint(search.ranked, search.options.backend), one.record["space_key"], job.search)
        fidelity = one.record["estimate"]["fidelity"]
        runs.append((int(one.record["iterations"]), job.shots, 1.0 if fidelity is None else float(fidelity)))
        costs |= set(count_costs(search.ranked, one.states))
    return Batch(int(job.circuits[0].record["threshold"]), tuple(runs), min(costs, default=None))


def _describe_end(end: Descended, margin: str) -> str:
    if end.missed is None:
        return f"nothing lower{margin} can exist: the lowest possible level was measured"
    return (
        "the last job found nothing lower; if the device's reported errors hold, it misses something "
        f"lower{margin} with probability at most {max(end.missed, 1e-300):.2g}"
    )

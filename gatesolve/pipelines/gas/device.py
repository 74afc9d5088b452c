"""Grover Adaptive Search on a device: one job a threshold, several numbers of iterations in each.

A device gives many shots for the price of one job, and waiting for a job is what takes long. So a threshold is not
searched by single measurements, as in ``search.py``, but by one batch of circuits with iterations on a ladder; the
lowest cost of all their shots is the next threshold, and a batch that finds nothing lower ends the search. The loop
is a function of what was measured so far: it is stopped and continued at any point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gatesolve.errors import InputError
from gatesolve.pipelines.amplification import success_probability
from gatesolve.pipelines.device import (
    Bench,
    DeviceCircuit,
    End,
    NextCircuits,
    NothingToSearchError,
    Round,
    describe_encoded,
    require_search,
)
from gatesolve.pipelines.gas.compile import AdaptiveSearch, prepare_search
from gatesolve.pipelines.gas.options import GasOptions
from gatesolve.pipelines.ranking import count_costs, fingerprint, rank_energies, require_same_space
from gatesolve.pipelines.task import Request

LISTED = 1 << 12
"""Codewords up to which the one that noise favours most is looked for."""
ENOUGH = 0.01
"""Fidelity below which no more iterations are tried: the ladder ends there."""
LADDER = 1.6
"""Ratio of neighbouring numbers of iterations.

For any number of solutions one of them is within a sixth of a turn of the best, in spaces of 15 codewords or more.
"""

INTERVALS = 1 << 16
"""Numbers of solutions that are looked at one by one, and intervals of larger ones."""


def next_circuits(request: Request[GasOptions], bench: Bench, done: Sequence[Round]) -> NextCircuits:
    """The circuits of the next threshold, or the end; raises as `Bench`, `require_search` and `require_same_space`."""
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
    size, known, key = ranked.space.size, rank_energies(ranked), fingerprint(ranked, str(options.backend))
    steps = iterations_ladder(size) if options.iterations is None else (options.iterations,)
    made: list[DeviceCircuit] = []
    for k in steps:
        short = bench.prepare(compiled.program.with_iterations(k))
        # Which codeword is a solution is not known here: noise gives no more than of the one that it favours most.
        chance = max(short.noise_share((n,)) for n in range(size)) if size <= LISTED else 1 / size
        what = {"pipeline": "gas", "iterations": k, "threshold": threshold, "space_key": key}
        circuit = bench.record(
            short,
            ranked.found.recovery,
            what=what | describe_encoded(ranked.found),
            ideal=success_probability(size, 1, k),
            chance=chance,
            marked=known.solutions,
            ranking=known.energies,
        )
        made.append(circuit)
        fidelity = short.isa.fidelity
        if fidelity is not None and (fidelity < ENOUGH or not circuit.has_signal):
            break
    return bench.require_signal(tuple(made))


def _read_batch(search: AdaptiveSearch, job: Round) -> Batch:
    costs: set[int] = set()
    runs = []
    known = fingerprint(search.ranked, str(search.options.backend))
    for one in job.circuits:
        require_same_space(known, one.record["space_key"], job.search)
        fidelity = one.record["estimate"]["fidelity"]
        runs.append((int(one.record["iterations"]), job.shots, 1.0 if fidelity is None else float(fidelity)))
        costs |= set(count_costs(search.ranked, one.states))
    return Batch(int(job.circuits[0].record["threshold"]), tuple(runs), min(costs, default=None))


def _describe_end(end: Descended, margin: str) -> str:
    if end.miss_probability is None:
        return f"nothing lower{margin} can exist: the lowest possible cost was measured"
    return (
        "the last job found nothing lower; if the device's reported errors hold, it misses something "
        f"lower{margin} with probability at most {max(end.miss_probability, 1e-300):.2g}"
    )


@dataclass(frozen=True)
class Batch:
    """The measurements of one job below a threshold.

    Attributes:
        runs: iterations, shots and estimated fidelity of each circuit.
        lowest: lowest cost measured in any shot; None if none was a codeword.
    """

    threshold: int
    runs: tuple[tuple[int, int, float], ...]
    lowest: int | None


@dataclass(frozen=True)
class Descended:
    """The end of a search.

    ``miss_probability`` bounds the probability that the last batch shows nothing lower although there is something, if
    the estimate of the device's errors holds; None where nothing is lower, with certainty.
    """

    miss_probability: float | None


def next_threshold(first: int, floor: int, size: int, history: Sequence[Batch]) -> int | Descended:
    """The threshold to search below next, or the end.

    ``floor`` is a proven lower bound of the cost, ``history`` what was measured so far.

    Raises:
        ValueError: a cost below the floor was measured.
    """
    threshold = first
    for batch in history:
        if batch.lowest is not None and batch.lowest < floor:
            raise ValueError(f"cost {batch.lowest} was measured, below the proven lowest, {floor}")
        if batch.lowest is None or batch.lowest >= threshold:
            return Descended(bound_miss(size, batch.runs))
        threshold = batch.lowest
    return Descended(None) if threshold <= floor else threshold


def iterations_ladder(size: int) -> tuple[int, ...]:
    """Numbers of iterations for an unknown number of solutions: 1, then growing by `LADDER`.

    None exceeds what one solution needs, pi/4 sqrt(size).
    """
    top = max(1, round(math.pi / 4 * math.sqrt(size) - 0.5))
    steps, at = [], 1.0
    while round(at) <= top:
        steps.append(round(at))
        at = max(at * LADDER, at + 1)
    return tuple(steps)


def bound_miss(size: int, runs: Sequence[tuple[int, int, float]]) -> float:
    """The largest probability, over all numbers of solutions from 1, that no shot of any circuit shows one.

    With t of ``size`` codewords marked a shot after k iterations shows one with probability
    ``F sin^2((2 k + 1) asin sqrt(t / size))`` or more (Boyer, Brassard, Hoyer and Tapp, quant-ph/9605034, section 3;
    F as in ``devices/fidelity.py``): what errors may hit by chance is not counted on.

    Returns:
        The probability itself in a space of up to 2^16 codewords. Larger numbers of solutions in larger ones are taken
        in 2^16 intervals, each run at what it shows least in the interval: never less than the probability.

    Cost: linear in the size up to 2^16, and no more beyond.
    """
    first = np.arcsin(np.sqrt(np.arange(1, min(size, INTERVALS) + 1) / size))
    cuts = np.linspace(first[-1], math.pi / 2, INTERVALS + 1 if size > INTERVALS else 1)
    low, high = np.concatenate([first, cuts[:-1]]), np.concatenate([first, cuts[1:]])
    silence = np.zeros(len(low))
    for iterations, shots, fidelity in runs:
        begin, end = (2 * iterations + 1) * low, (2 * iterations + 1) * high
        # Between two multiples of pi the square of a sine is least at an end.
        least = np.where(begin // math.pi == end // math.pi, np.minimum(np.sin(begin) ** 2, np.sin(end) ** 2), 0.0)
        shown = fidelity * least
        silence += shots * np.log1p(-np.minimum(shown, 1 - 1e-15))
    return float(np.exp(silence.max()))

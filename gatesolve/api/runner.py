"""Running a compiled program on a backend and judging what it measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gatesolve.api.compiler import Compiled
from gatesolve.api.options import Options
from gatesolve.pipelines.amplification import SearchOutcome, search_unknown, success_probability
from gatesolve.pipelines.grover.exact import exact_plan
from gatesolve.pipelines.sampling import CIRCUIT_BACKENDS, sample
from gatesolve.simulate.space import GroverState, amplified, grover


def search(
    compiled: Compiled, options: Options, report: Callable[[int, int], None]
) -> tuple[SearchOutcome, float | None]:
    """Run the known or the unknown schedule on the chosen backend.

    Returns:
        What the loop came to, its solution over the variables presolve left, and the probability that one
        measurement is marked: exact on ``space``, the accepted fraction of the shots on backends that sample a circuit,
        None when unknown.
    """
    marked = compiled.certificate.marked
    if marked == 0:
        return SearchOutcome(None, 0, 0, 0, 0.0), 0.0
    if options.schedule == "unknown" or (marked is None and options.schedule == "auto"):
        # A seed of its own for every run: runs of equal length must not repeat one another's measurement.
        seeds = np.random.default_rng((options.seed, 1))
        outcome = search_unknown(
            lambda k: _measure(compiled, options, k, 1, int(seeds.integers(2**31)))[0][0],
            lambda found: _accepted(compiled, found),
            compiled.program.space.size,
            options.seed,
            progress=report,
        )
        return outcome, _ideal(compiled, outcome.iterations)
    iterations = compiled.program.iterations
    calls = compiled.oracle_calls
    ranked = _measure(compiled, options, iterations, options.shots, options.seed)
    accepted = [(found, shots) for found, shots in ranked if found is not None and _accepted(compiled, found)]
    solution = accepted[0][0] if accepted else None
    fraction = sum(shots for _, shots in accepted) / options.shots
    ideal = 1.0 if options.exact else _ideal(compiled, iterations)
    probability = fraction if options.backend in CIRCUIT_BACKENDS else ideal
    return SearchOutcome(solution, iterations, calls, 1, 0.0), probability


def _accepted(compiled: Compiled, found: dict[str, int]) -> bool:
    """Whether a measured assignment solves the problem by its own rules.

    Variables that presolve took out have values only where the constraints they came from hold.
    """
    return compiled.model.check(found) and not compiled.problem.complaints(compiled.recovered(found))


def _ideal(compiled: Compiled, iterations: int) -> float | None:
    marked = compiled.certificate.marked
    return None if marked is None else success_probability(compiled.program.space.size, marked, iterations)


def _measure(
    compiled: Compiled, options: Options, iterations: int, shots: int, seed: int
) -> list[tuple[dict[str, int] | None, int]]:
    """Decoded outcomes, most frequent first."""
    space = compiled.program.space
    if options.backend == "space":
        assert compiled.marks is not None
        counts = _state(compiled, options, iterations).sample(shots, seed)
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return [(space.assignment(number), n) for number, n in ordered]
    program = replace(compiled.program, iterations=iterations)
    return program.decode(sample(program, options.backend, shots, seed))


def _state(compiled: Compiled, options: Options, iterations: int) -> GroverState:
    """The exact state at the end."""
    assert compiled.marks is not None
    if not options.exact:
        return grover(compiled.marks, iterations)
    size = compiled.program.space.size
    return amplified(compiled.marks, exact_plan(size, compiled.certificate.marked or 0).phases)

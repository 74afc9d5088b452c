"""Grover's search on a device: one job of one circuit, iterated as often as pays on that device."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gatesolve.errors import InfeasibleError
from gatesolve.formats.problem import Problem
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.device import (
    Bench,
    End,
    NextCircuits,
    NothingToSearchError,
    OnDevice,
    Round,
    accepted_share,
    describe_provenance,
    require_search,
)
from gatesolve.pipelines.grover.compile import compile_run
from gatesolve.pipelines.grover.options import GroverOptions
from gatesolve.planning import Clock, Layout
from gatesolve.programs.amplification import best_iterations, success_probability

TRIED = 4
"""Most numbers of iterations that are compiled for the device; what more cost is extrapolated from the last two."""


def next_circuits(
    problem: Problem, layout: Layout, options: GroverOptions, clock: Clock, bench: Bench, done: Sequence[Round]
) -> NextCircuits:
    """The circuit, or the end once it was measured.

    Raises:
        InfeasibleError: there is no solution.
        InputError: nothing is left to search, or every codeword is a solution.
    """
    if done:
        return End()
    compiled = compile_run(problem, layout, options, clock)
    require_search(compiled.program.space.num_qubits, compiled.presolve)
    marked = compiled.certificate.marked
    if marked == 0:
        raise InfeasibleError(f"no solution: every one of {compiled.certificate.of} codewords was checked")
    size = compiled.program.space.size
    if marked == size:
        raise NothingToSearchError(
            f"every one of {size} codewords is a solution, so there is nothing to search: gatesolve solve gives one, "
            "or choose another encoding"
        )
    known = 1 if marked is None else marked
    chosen = options.iterations is not None or options.exact
    made = bench.prepare(compiled.program) if chosen else _most_promising(bench, compiled, known)
    ideal = 1.0 if options.exact else success_probability(size, known, made.program.iterations)
    found = bench.record(
        made,
        compiled.recovery,
        what={"pipeline": "grover", "iterations": made.program.iterations, **describe_provenance(compiled.provenance)},
        ideal=ideal,
        chance=_chance(made, compiled, known),
        marked=marked,
    )
    return bench.require_signal((found,))


def _chance(made: OnDevice, compiled: Compiled, marked: int) -> float:
    """Return the success of noise alone; where solutions were counted but not listed, that of guessing codewords."""
    if compiled.marks is None:
        return marked / compiled.program.space.size
    return made.noise_share(map(int, np.flatnonzero(compiled.marks)))


def _most_promising(bench: Bench, compiled: Compiled, marked: int) -> OnDevice:
    """The number of iterations with the highest expected share of solutions on the device.

    Up to `TRIED` numbers are compiled. Fidelity falls by about the same factor with each further iteration, so for
    more it is extrapolated, and the one chosen is compiled.
    """
    size = compiled.program.space.size
    best = max(1, best_iterations(size, marked))
    last = min(best, TRIED)
    made = {k: bench.prepare(compiled.program.with_iterations(k)) for k in range(1, last + 1)}
    known = {k: one.isa.fidelity for k, one in made.items() if one.isa.fidelity is not None}
    wanted = best
    if len(known) == last:
        fall = known[last] / known[last - 1] if last > 1 and known[last - 1] > 0 else 1.0
        chance = _chance(made[last], compiled, marked)

        def share(k: int) -> float:
            fidelity = known.get(k, known[last] * fall ** (k - last))
            return accepted_share(fidelity, success_probability(size, marked, k), chance)

        wanted = max(range(1, best + 1), key=share)
    return made[wanted] if wanted in made else bench.prepare(compiled.program.with_iterations(wanted))

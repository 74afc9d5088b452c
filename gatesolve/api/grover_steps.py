"""Grover's search on a device: one job of one circuit, iterated as often as pays on that device."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gatesolve.api.compiler import Compiled, compile_problem
from gatesolve.api.steps import Asked, End, Form, Prepared, form, noise_share, prepared, require_search, require_signal
from gatesolve.devices.fidelity import best_by_estimate
from gatesolve.devices.jobs.record import Job
from gatesolve.errors import InfeasibleError, InputError
from gatesolve.pipelines.amplification import best_iterations, success_probability

TRIED = 4
"""Most numbers of iterations that are compiled for the device; what more cost is extrapolated from the last two."""


def grover_forms(asked: Asked, done: tuple[Job, ...]) -> tuple[Form, ...] | End:
    """The circuit, or the end once it was measured.

    Raises:
        InfeasibleError: there is no solution.
        DoesNotFitError: the circuit does not fit the device, or would drown in its noise.
        InputError: nothing is left to search.
    """
    if done:
        return End()
    options = asked.options
    compiled = compile_problem(asked.problem, options, asked.clock)
    require_search(compiled.program.space.num_qubits, compiled.presolve)
    marked = compiled.certificate.marked
    if marked == 0:
        raise InfeasibleError(f"no solution: every one of {compiled.certificate.of} codewords was checked")
    size = compiled.program.space.size
    if marked == size:
        raise InputError(
            f"every one of {size} codewords is a solution, so there is nothing to search: gatesolve solve gives one, "
            "or choose another encoding"
        )
    known = 1 if marked is None else marked
    if options.iterations is not None or options.exact:
        made, ideal = prepared(asked, compiled.program), 1.0
        if not options.exact:
            ideal = success_probability(size, known, compiled.program.iterations)
    else:
        made = _most_promising(asked, compiled, known)
        ideal = success_probability(size, known, made.program.iterations)
    found = form(
        asked,
        made,
        compiled.recovery,
        what={
            "pipeline": "grover",
            "iterations": made.program.iterations,
            "presolve": compiled.presolve,
            "encoding": compiled.encoding,
            "notes": list(compiled.notes),
        },
        ideal=ideal,
        chance=_chance(made, compiled, known),
        marked=marked,
    )
    return require_signal((found,), asked)


def _chance(made: Prepared, compiled: Compiled, marked: int) -> float:
    """What noise alone gives; where solutions were counted but not listed, what guessing codewords gives."""
    if compiled.marks is None:
        return marked / compiled.program.space.size
    return noise_share(made, map(int, np.flatnonzero(compiled.marks)))


def _most_promising(asked: Asked, compiled: Compiled, marked: int) -> Prepared:
    """The number of iterations with the highest expected share of solutions on the device.

    Up to `TRIED` numbers are compiled. Fidelity falls by about the same factor with each further iteration, so for
    more it is extrapolated, and the one chosen is compiled.
    """
    size = compiled.program.space.size
    best = max(1, best_iterations(size, marked))
    made = {k: prepared(asked, replace(compiled.program, iterations=k)) for k in range(1, min(best, TRIED) + 1)}
    fidelities = {k: one.isa.fidelity for k, one in made.items()}
    if any(f is None for f in fidelities.values()):
        return made[best] if best in made else prepared(asked, replace(compiled.program, iterations=best))
    known = {k: f for k, f in fidelities.items() if f is not None}
    last = max(known)
    fall = known[last] / known[last - 1] if last > 1 and known[last - 1] > 0 else 1.0
    choices = {
        k: (known.get(k, known[last] * fall ** (k - last)), success_probability(size, marked, k))
        for k in range(1, best + 1)
    }
    wanted = best_by_estimate(choices, _chance(made[last], compiled, marked))
    return made[wanted] if wanted in made else prepared(asked, replace(compiled.program, iterations=wanted))

"""What QAOA's measurements came to, judged by the problem's own rules."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

from gatesolve.api.options import Options
from gatesolve.api.problem import Problem
from gatesolve.api.qaoa_compile import Ansatz, compile_qaoa
from gatesolve.api.result import Result, infeasible, number
from gatesolve.circuit.counting import Resources
from gatesolve.errors import InfeasibleError
from gatesolve.pipelines import sampling
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.qaoa.program import QaoaProgram


@dataclass(frozen=True)
class QaoaReport:
    """What a QAOA reports beside its answer.

    Attributes:
        layers: how often phase and mixer were applied.
        mixers: kinds of the mixers, each once.
        gammas: one a layer, in radians a level.
        betas: one a layer and mixer, in radians.
        form: ``numbers`` where the layers hold blocks of one qubit a value as numbers and decode them at the end, else
            ``asked``.
        start: which start led to the angles.
        evaluations: simulations made to choose them.
        mean: mean energy of a measurement, exact; of the cost's level where the problem has no energy of its own.
        checked: codewords on which the circuit's phase layer was compared with the levels.
        accepted: share of the shots that the problem's own rules accepted.
        program: the circuit.
    """

    layers: int
    mixers: tuple[str, ...]
    gammas: tuple[float, ...]
    betas: tuple[tuple[float, ...], ...]
    form: str
    start: str
    evaluations: int
    mean: float
    checked: int
    accepted: float
    program: QaoaProgram

    @cached_property
    def layer(self) -> Resources:
        """Counts of one layer, made when first asked for."""
        return self.program.layer_resources()

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        shown = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "program"}
        return {**shown, "layer": self.layer.as_dict()}


def solve_qaoa(problem: Problem, options: Options, clock: Clock) -> Result:
    """Compile, measure, and take the best measurement that the problem's own rules accept.

    Raises:
        DoesNotFitError: the space is too large, or so many layers.
        UnsupportedError: a mixer that does not suit the blocks.
    """
    try:
        ansatz = compile_qaoa(problem, options, clock)
    except InfeasibleError as error:
        return infeasible(error, options, problem)
    with clock.stage("run"):
        counts = _measured(ansatz, options)
    with clock.stage("judge"):
        return _judged(ansatz, options, counts)


def _measured(ansatz: Ansatz, options: Options) -> dict[int, int]:
    """Counts by codeword number; states outside the space are left out."""
    if options.backend == "space":
        from gatesolve.simulate.qaoa import sample

        return sample(ansatz.state, options.shots, options.seed)
    program = ansatz.program
    counts: dict[int, int] = {}
    for found, times in program.decode(sampling.sample(program, options.backend, options.shots, options.seed)):
        place = None if found is None else ansatz.ready.space.number(found)
        if place is not None:
            counts[place] = counts.get(place, 0) + times
    return counts


def _judged(ansatz: Ansatz, options: Options, counts: dict[int, int]) -> Result:
    ready, problem = ansatz.ready, ansatz.ready.problem
    recover = ready.found.recovery.recover
    best: tuple[int, dict[str, int]] | None = None
    accepted = 0
    for place in sorted(counts, key=lambda n: (ready.levels[n], n)):
        values = ready.space.assignment(place)
        if not ready.found.model.check(values):
            continue
        solution = recover(values)
        if problem.complaints(solution):
            continue
        accepted += counts[place]
        best = best or (place, solution)
    energy = None if best is None else ready.told(ready.measurement(best[0]))
    solution_found = None if best is None else best[1]
    return Result(
        _status(ansatz, solution_found),
        _message(ansatz, best, energy, options),
        solution_found,
        problem.board(solution_found),
        options,
        problem,
        ready.found.presolve,
        ready.encoding,
        options.layers,
        0,
        ready.space.size,
        int(ansatz.best.sum()),
        ready.counted,
        ansatz.success_probability,
        energy=energy,
        qaoa=_report(ansatz, options, accepted / options.shots),
        ansatz=ansatz,
        notes=ready.found.notes,
    )


def _report(ansatz: Ansatz, options: Options, accepted: float) -> QaoaReport:
    angles, ready = ansatz.outcome.angles, ansatz.ready
    weights = abs(ansatz.state) ** 2
    mean = Fraction(float(weights @ ready.levels)) * ready.cost.unit + ready.cost.base
    return QaoaReport(
        options.layers,
        tuple(dict.fromkeys(mixer.kind for mixer in ansatz.mixers)),
        tuple(map(float, angles.gammas)),
        tuple(tuple(map(float, row)) for row in angles.betas),
        "numbers" if ansatz.program.finish else "asked",
        ansatz.outcome.start,
        ansatz.outcome.evaluations,
        number(ready.problem.told(mean)) if ready.problem.goal is not None else float(mean),
        ansatz.checked,
        accepted,
        ansatz.program,
    )


def _status(ansatz: Ansatz, solution: dict[str, int] | None) -> str:
    if solution is not None:
        return "solved"
    return "unsolved" if ansatz.best.any() else "infeasible"


def _message(ansatz: Ansatz, best: tuple[int, dict[str, int]] | None, energy: Fraction | None, options: Options) -> str:
    ready = ansatz.ready
    if best is None:
        if not ansatz.best.any():
            return f"each of the {ready.space.size} codewords breaks a constraint: every one was looked at"
        return f"none of {options.shots} measurements was accepted: use more shots or layers"
    if ready.problem.goal is None:
        return ready.problem.accepted
    assert energy is not None
    if ansatz.best[best[0]]:
        why = "no codeword that breaks nothing is lower"
        return f"{ready.name} {number(energy)}: nothing better{ready.margin} exists ({why})"
    return f"{ready.name} {number(energy)}: the best measured"

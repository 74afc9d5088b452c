"""QAOA on a device: angles chosen by exact simulation, one job of one circuit; or tuned on the device first."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from gatesolve.api.adaptive import Adaptive, prepare
from gatesolve.api.adaptive_run import fingerprint
from gatesolve.api.gas_steps import how
from gatesolve.api.qaoa_compile import MIXERS, Ansatz, best_codewords, compile_qaoa, with_penalty
from gatesolve.api.steps import Asked, End, Form, form, noise_share, prepared, require_search, require_signal
from gatesolve.devices.decode import count_levels
from gatesolve.devices.energy_ranking import rank_energies, require_same_space
from gatesolve.devices.jobs.converter import structure, unstructure
from gatesolve.devices.jobs.record import Job
from gatesolve.encodings.mixer import mixers_for
from gatesolve.errors import InputError
from gatesolve.pipelines.qaoa.angles import Units
from gatesolve.pipelines.qaoa.device import Finished, Outcome, Request, TuningPlan, step
from gatesolve.pipelines.qaoa.device_state import Aim
from gatesolve.pipelines.qaoa.optimise import CVAR_TAIL, GIBBS_FACTOR
from gatesolve.pipelines.qaoa.program import QaoaPlan, qaoa_plan


def qaoa_forms(asked: Asked, done: tuple[Job, ...]) -> tuple[Form, ...] | End:
    """The circuits of the next round, or the end once the last one was measured.

    Raises:
        DoesNotFitError: the circuit does not fit the device, or would drown in its noise.
        InputError: nothing is left to search, or the search was begun with another form of the space.
    """
    if asked.plan.rounds and done:
        return _next_round(asked, done)
    if done:
        return End()
    ansatz = compile_qaoa(asked.problem, asked.options, asked.clock)
    ready = ansatz.ready
    require_search(ready.space.num_qubits, ready.found.presolve)
    if asked.plan.rounds:
        tuning = _tuning(asked, ansatz)
        request = step(tuning, ())
        assert isinstance(request, Request)
        forms = _round(asked, ready, _circuits(asked, ready), tuning, request, ansatz.success_probability)
        return require_signal(forms, asked) and forms
    made, known = prepared(asked, ansatz.program.whole), rank_energies(ready)
    found = form(
        asked,
        made,
        ready.found.recovery,
        what={"pipeline": "qaoa", "layers": asked.options.layers, **how(ready)},
        ideal=ansatz.success_probability,
        chance=noise_share(made, map(int, np.flatnonzero(ansatz.best))),
        marked=known.solutions,
        ranking=known.energies,
    )
    return require_signal((found,), asked)


def _tuning(asked: Asked, ansatz: Ansatz) -> TuningPlan:
    """The search for angles, from the simulated ones on."""
    if not asked.options.layers:
        raise InputError("no layers, so there are no angles to tune: leave out rounds")
    ready, options, plan = ansatz.ready, asked.options, asked.plan
    units = Units.of(ready.levels, [block.size for block in ready.space.blocks], ansatz.mixers)
    spread = float(ready.levels.std()) or 1.0
    return TuningPlan.of(
        fingerprint(ready),
        ansatz.outcome.schedule,
        units,
        aim=cast(Aim, options.aim),
        factor=CVAR_TAIL if options.aim == "cvar" else GIBBS_FACTOR / spread,
        rounds=plan.rounds,
        shots=plan.shots,
        final_shots=plan.shots,
        seed=options.seed,
    )


def _circuits(asked: Asked, ready: Adaptive) -> QaoaPlan:
    options = asked.options
    mixers = mixers_for(ready.space, MIXERS[options.mixer])
    return qaoa_plan(ready.space, ready.cost, mixers, layers=options.layers, ancillas=options.ancillas)


def _next_round(asked: Asked, done: tuple[Job, ...]) -> tuple[Form, ...] | End:
    ready = prepare(asked.problem, with_penalty(asked.problem, asked.options), asked.clock)
    # The plan is read back, not made again: simulated angles differ in the last digits from machine to machine.
    record = done[0].records[0]
    tuning = structure(record["tuning"], TuningPlan)
    require_same_space(ready, tuning.problem, done[0].search)
    wanted = step(tuning, [_measured(ready, job) for job in done])
    if isinstance(wanted, Finished):
        return End(_ended(tuning, wanted))
    return _round(asked, ready, _circuits(asked, ready), tuning, wanted, float(record["estimate"]["ideal"]))


def _round(
    asked: Asked, ready: Adaptive, circuits: QaoaPlan, tuning: TuningPlan, request: Request, ideal: float
) -> tuple[Form, ...]:
    """The circuits of a round; all take the seed that was best for the first one."""
    known = rank_energies(ready)
    made: list[Form] = []
    seeds: tuple[int, ...] = ()
    best = [int(number) for number in np.flatnonzero(best_codewords(ready))]
    for rows in request.schedules:
        angles = tuning.angles(rows)
        program = circuits.program(angles.gammas, angles.betas, objective=asked.options.objective)
        short = prepared(asked, program.whole, seeds)
        seeds = (short.isa.seed,)
        what: dict[str, Any] = {"pipeline": "qaoa", "layers": asked.options.layers, "round": request.kind, **how(ready)}
        if not made:
            what |= {"tuning": unstructure(tuning), "request": unstructure(request)}
        made.append(
            form(
                asked,
                short,
                ready.found.recovery,
                what=what,
                ideal=ideal,
                chance=noise_share(short, best),
                marked=known.solutions,
                ranking=known.energies,
            )
        )
    return tuple(made)


def _measured(ready: Adaptive, job: Job) -> Outcome:
    """What a round measured: shots by level, without those outside the space."""
    assert job.counts is not None
    request = structure(job.records[0]["request"], Request)
    rng = np.random.default_rng((ready.options.seed, job.step))
    pairs = zip(job.records, job.counts, strict=True)
    levels = []
    for record, counts in pairs:
        found = count_levels(record, counts, ready.space, ready.levels)
        levels.append(_as_many(found, sum(counts.values()), request.shots, rng))
    return Outcome.of(request, levels)


def _as_many(levels: dict[int, int], taken: int, asked: int, rng: np.random.Generator) -> dict[int, int]:
    """Shots by level, so many as were asked for: twirling rounds their number up, and some are left out at random."""
    if taken <= asked:
        return levels
    known = sorted(levels)
    drawn = rng.multivariate_hypergeometric([*(levels[k] for k in known), taken - sum(levels.values())], asked)
    return {level: int(shots) for level, shots in zip(known, drawn, strict=False) if shots}


def _ended(tuning: TuningPlan, end: Finished) -> str:
    if end.start is None or end.best is None:
        return f"{end.rounds} rounds gave no codeword to tune the angles by"
    return (
        f"{tuning.rounds} rounds tuned the angles: {tuning.aim} {end.start.mean:.4g} (+- {end.start.error:.2g}) with "
        f"the simulated ones, {end.best.mean:.4g} (+- {end.best.error:.2g}) with those of the last round"
    )

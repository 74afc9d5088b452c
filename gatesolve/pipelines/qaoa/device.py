"""QAOA on a device: angles chosen by exact simulation, one job of one circuit; or tuned on the device first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gatesolve.encodings.mixer import mixers_for
from gatesolve.errors import InputError
from gatesolve.pipelines.converter import structure, unstructure
from gatesolve.pipelines.device import Bench, DeviceCircuit, End, NextCircuits, Round, describe_encoded, require_search
from gatesolve.pipelines.qaoa.angles import Units
from gatesolve.pipelines.qaoa.compile import Ansatz, aim_factor, best_codewords, compile_ansatz, prepare_ansatz
from gatesolve.pipelines.qaoa.device_tuning import TuningEnd, TuningOutcome, TuningPlan, TuningRequest, next_round
from gatesolve.pipelines.qaoa.options import QaoaOptions
from gatesolve.pipelines.qaoa.program import qaoa_plan
from gatesolve.pipelines.ranking import RankedSpace, count_costs, fingerprint, rank_energies, require_same_space
from gatesolve.pipelines.task import Request


def next_circuits(request: Request[QaoaOptions], bench: Bench, done: Sequence[Round]) -> NextCircuits:
    """The circuits of the next round, or the end once the last one was measured.

    Raises:
        DoesNotFitError: the circuit does not fit the device, or would drown in its noise.
        InputError: nothing is left to search, or the search was begun with another form of the space.
    """
    if bench.rounds and done:
        return _next_round(request, bench, done)
    if done:
        return End()
    compiled = compile_ansatz(request)
    ansatz: Ansatz = compiled.details
    ranked = ansatz.ranked
    require_search(ranked.space.num_qubits, ranked.found.presolve)
    if bench.rounds:
        tuning = _plan_tuning(request.options, bench, ansatz)
        wanted = next_round(tuning, ())
        assert isinstance(wanted, TuningRequest)
        circuits = _make_round(request.options, bench, ranked, tuning, wanted, ansatz.success_probability)
        return bench.require_signal(circuits) and circuits
    made, known = bench.prepare(compiled.program), rank_energies(ranked)
    found = bench.record(
        made,
        ranked.found.recovery,
        what={
            "pipeline": "qaoa",
            "layers": request.options.layers,
            **describe_encoded(ranked.found),
        },
        ideal=ansatz.success_probability,
        chance=made.noise_share(map(int, np.flatnonzero(ansatz.best))),
        marked=known.solutions,
        ranking=known.energies,
    )
    return bench.require_signal((found,))


def _plan_tuning(options: QaoaOptions, bench: Bench, ansatz: Ansatz) -> TuningPlan:
    """The search for angles, from the simulated ones on."""
    if not options.layers:
        raise InputError("no layers, so there are no angles to tune: leave out rounds")
    ranked = ansatz.ranked
    units = Units.of(ranked.costs, [block.size for block in ranked.space.blocks], ansatz.mixers)
    return TuningPlan.of(
        fingerprint(ranked, options.backend),
        ansatz.outcome.schedule,
        units,
        aim=options.aim,
        factor=aim_factor(options.aim, ranked),
        rounds=bench.rounds,
        shots=bench.shots,
        final_shots=bench.shots,
        seed=options.seed,
    )


def _next_round(request: Request[QaoaOptions], bench: Bench, done: Sequence[Round]) -> NextCircuits:
    ranked = prepare_ansatz(request)
    # The plan is read back, not made again: simulated angles differ in the last digits from machine to machine.
    record = done[0].circuits[0].record
    tuning = structure(record["tuning"], TuningPlan)
    require_same_space(fingerprint(ranked, request.options.backend), tuning.problem, done[0].search)
    wanted = next_round(tuning, [_read_round(ranked, request.options.seed, one) for one in done])
    if isinstance(wanted, TuningEnd):
        return End(_describe_end(tuning, wanted, len(done)))
    return _make_round(request.options, bench, ranked, tuning, wanted, float(record["estimate"]["ideal"]))


def _make_round(
    options: QaoaOptions,
    bench: Bench,
    ranked: RankedSpace,
    tuning: TuningPlan,
    wanted: TuningRequest,
    ideal: float,
) -> tuple[DeviceCircuit, ...]:
    """The circuits of a round; all take the seed that was best for the first one."""
    mixers = mixers_for(ranked.space, options.mixer)
    circuits = qaoa_plan(ranked.space, ranked.cost, mixers, layers=options.layers, ancillas=options.ancillas)
    known = rank_energies(ranked)
    made: list[DeviceCircuit] = []
    seeds: tuple[int, ...] = ()
    best = [int(number) for number in np.flatnonzero(best_codewords(ranked))]
    for rows in wanted.schedules:
        angles = tuning.angles(rows)
        short = bench.prepare(circuits.program(angles.gammas, angles.betas, objective=options.objective), seeds)
        seeds = (short.isa.seed,)
        what: dict[str, Any] = {
            "pipeline": "qaoa",
            "layers": options.layers,
            "round": wanted.kind,
            **describe_encoded(ranked.found),
        }
        if not made:
            what |= {"tuning": unstructure(tuning), "request": unstructure(wanted)}
        made.append(
            bench.record(
                short,
                ranked.found.recovery,
                what=what,
                ideal=ideal,
                chance=short.noise_share(best),
                marked=known.solutions,
                ranking=known.energies,
            )
        )
    return tuple(made)


def _read_round(ranked: RankedSpace, seed: int, job: Round) -> TuningOutcome:
    """What a round measured: shots by cost, without those outside the space."""
    wanted = structure(job.circuits[0].record["request"], TuningRequest)
    rng = np.random.default_rng((seed, job.step))
    costs = [_draw(count_costs(ranked, one.states), one.taken, wanted.shots, rng) for one in job.circuits]
    return TuningOutcome.of(wanted, costs)


def _draw(costs: dict[int, int], taken: int, asked: int, rng: np.random.Generator) -> dict[int, int]:
    """Shots by cost, so many as were asked for: twirling rounds their number up, and some are left out at random."""
    if taken <= asked:
        return costs
    known = sorted(costs)
    drawn = rng.multivariate_hypergeometric([*(costs[k] for k in known), taken - sum(costs.values())], asked)
    return {cost: int(shots) for cost, shots in zip(known, drawn, strict=False) if shots}


def _describe_end(tuning: TuningPlan, end: TuningEnd, rounds: int) -> str:
    if end.start is None or end.best is None:
        return f"{rounds} rounds gave no codeword to tune the angles by"
    return (
        f"{tuning.rounds} rounds tuned the angles: {tuning.aim} {end.start.mean:.4g} (+- {end.start.error:.2g}) with "
        f"the simulated ones, {end.best.mean:.4g} (+- {end.best.error:.2g}) with those of the last round"
    )

"""The pipeline ``qaoa``: measuring on a simulator or a device, judging what was measured, the report of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from gatesolve.circuit.counting import Resources
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.formats.problem import Problem
from gatesolve.gate_sets import GATE_SETS
from gatesolve.pipelines import sampling
from gatesolve.pipelines.answer import Answer, Compiled, JudgedCandidates, KeptFile, Status, as_number, judge_candidates
from gatesolve.pipelines.chart import Energies, MeasuredOutcome, plotted
from gatesolve.pipelines.device import Bench, End, NextCircuits, Round, require_search
from gatesolve.pipelines.protocol import Pipeline, Report, Spent, describe_settings
from gatesolve.pipelines.qaoa.compile import Ansatz, compile_ansatz, join_blocks, make_recipe
from gatesolve.pipelines.qaoa.options import QaoaOptions
from gatesolve.pipelines.ranking import KEPT, check_energy, rank_energies
from gatesolve.planning import Clock, Layout
from gatesolve.programs.program import Program
from gatesolve.qubo.numerals import count_noun


@dataclass(frozen=True)
class QaoaReport:
    """The report of a QAOA beside its answer.

    Attributes:
        layers: how often phase and mixer were applied.
        mixers: kinds of the mixers, each once.
        gammas: one a layer, in radians a cost.
        betas: one a layer and mixer, in radians.
        block_coding: ``numbers`` where the layers hold blocks of one qubit a value as numbers and decode them at the
            end, else ``encoded``.
        start: which start led to the angles.
        evaluations: simulations made to choose them.
        mean: mean energy of a measurement, exact; of the cost where the problem has no energy of its own.
        checked: codewords on which the circuit's phase layer was compared with the costs.
        accepted: share of the shots that the problem's own rules accepted.
        program: the circuit.
        outcomes: all that was measured, the lowest energy first.
    """

    layers: int
    mixers: tuple[str, ...]
    gammas: tuple[float, ...]
    betas: tuple[tuple[float, ...], ...]
    block_coding: str
    start: str
    evaluations: int
    mean: float
    checked: int
    accepted: float
    program: Program
    outcomes: tuple[MeasuredOutcome, ...] = field(default=(), repr=False)

    @cached_property
    def layer(self) -> Resources:
        """Counts of one layer, made when first asked for."""
        return self.program.resources("layer")

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        kept = {"program", "outcomes"}
        shown = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in kept}
        return {"qaoa": {**shown, "layer": self.layer.as_dict()}}


def solve_ansatz(
    problem: Problem, layout: Layout, options: QaoaOptions, clock: Clock, kept: KeptFile | None = None
) -> Answer:
    """Compile, measure, and take the best that the problem's own rules accept; raises as `compile_ansatz`."""
    compiled = whole = compile_ansatz(problem, layout, options, clock)
    if options.recursive is not None:
        compiled = _recur(whole, options, clock)
    with clock.stage("run"):
        counts, measured = _measure(compiled, options)
    with clock.stage("judge"):
        return replace(_conclude(compiled, whole.details, options, counts), counts=measured)


def _recur(whole: Compiled, options: QaoaOptions, clock: Clock) -> Compiled:
    """Join blocks until few are left; the answers counted as best are still those of the whole space."""
    made, first, evaluations = whole, whole.details, 0
    left = sum(block.size > 1 for block in first.ranked.space.blocks)
    assert options.recursive is not None
    if left <= options.recursive:
        fewer = f", or give at most {left - 1}" if left > 1 else ""
        raise InputError(f"the search space has {count_noun(left, 'block')} to join: leave out recursive{fewer}")
    for _ in range(left - options.recursive):
        evaluations += made.details.outcome.evaluations
        made = compile_ansatz(made.problem, replace(made.layout, space=join_blocks(made.details)), options, clock)
    ansatz: Ansatz = made.details
    ranked, outcome = ansatz.ranked, ansatz.outcome
    best = ansatz.best
    if ranked.problem.goal is not None and best.any():
        lowest = first.ranked.cost.energy(int(first.ranked.costs[first.best].min()))
        best = best & np.array(ranked.cost.energy(int(ranked.costs[best].min())) == lowest)
    outcome = replace(outcome, evaluations=outcome.evaluations + evaluations)
    certificate = replace(made.certificate, marked=int(best.sum()))
    return replace(made, certificate=certificate, marks=best, details=replace(ansatz, best=best, outcome=outcome))


def _measure(compiled: Compiled, options: QaoaOptions) -> tuple[dict[int, int], sampling.Counts]:
    """Measure all layers: shots by codeword number, without states outside the space, and the measured bits."""
    if options.backend == "space":
        # The state is known from choosing the angles, so only the draw is left.
        from gatesolve.simulate.qaoa import sample

        numbers = sample(compiled.details.state, options.shots, options.seed)
        return numbers, sampling.codeword_counts(compiled.program.space, numbers)
    program = compiled.program
    counts: dict[int, int] = {}
    measured = sampling.sample(program, options.backend, options.shots, options.seed)
    for found, times in program.decode(measured):
        number = None if found is None else program.space.number(found)
        if number is not None:
            counts[number] = counts.get(number, 0) + times
    return counts, measured


def _conclude(compiled: Compiled, whole: Ansatz, options: QaoaOptions, counts: dict[int, int]) -> Answer:
    ansatz: Ansatz = compiled.details
    ranked = ansatz.ranked
    # From the lowest cost up, so that the first accepted codeword is the best; ties go to the lower number.
    numbers = sorted(counts, key=lambda n: (ranked.costs[n], n))
    accept = ranked.problem.judge(compiled.recovery.recover)
    verdict = judge_candidates(accept, ((ranked.space.assignment(n), counts[n]) for n in numbers))
    best = None if verdict.place is None else numbers[verdict.place]
    energy = None if best is None else ranked.stated_energy(int(ranked.costs[best]), ranked.energy(best))
    status: Status = "unsolved" if whole.best.any() else "infeasible"
    return Answer(
        status="solved" if verdict.solution is not None else status,
        message=_message(ansatz, whole, best, energy, options),
        solution=verdict.solution,
        exact_energy=None if ranked.problem.goal is None else energy,
        presolve=compiled.presolve,
        compiled=compiled,
        iterations=options.layers,
        success_probability=ansatz.success_probability if whole.best.any() else None,
        solution_count=whole.ranked.counted,
        optimal=None
        if best is None or verdict.solution is None or ranked.problem.goal is None
        else bool(ansatz.best[best]) and not ranked.margin,
        details=_report(compiled, ansatz, options, verdict),
        chart=_list_energies(ansatz, counts),
    )


def _report(compiled: Compiled, ansatz: Ansatz, options: QaoaOptions, verdict: JudgedCandidates) -> QaoaReport:
    angles, program = ansatz.outcome.angles, compiled.program
    return QaoaReport(
        options.layers,
        tuple(dict.fromkeys(mixer.kind for mixer in ansatz.mixers)),
        tuple(map(float, angles.gammas)),
        tuple(tuple(map(float, row)) for row in angles.betas),
        "numbers" if program.section("decoding").ops else "encoded",
        ansatz.outcome.start,
        ansatz.outcome.evaluations,
        _mean_energy(ansatz),
        compiled.certificate.checked,
        verdict.shots / options.shots,
        program,
        verdict.outcomes,
    )


def _list_energies(ansatz: Ansatz, counts: dict[int, int]) -> Energies:
    """Return how likely each energy is and how often it was measured; of many, the lowest."""
    ranked = ansatz.ranked
    costs, level = np.unique(ranked.costs, return_inverse=True)
    chances = np.bincount(level, abs(ansatz.state) ** 2)
    shots = np.bincount(level[list(counts)], list(counts.values()), len(costs)).astype(int)
    best = np.bincount(level, ansatz.best) > 0
    order = slice(KEPT)
    energies = [plotted(ranked.problem.restore_energy(ranked.cost.energy(int(cost)))) for cost in costs[order]]
    # A guess is a uniform codeword.
    guesses = np.bincount(level) / ranked.space.size
    return Energies(
        ranked.name,
        tuple(energies),
        tuple(shots[order].tolist()),
        tuple(best[order].tolist()),
        tuple(chances[order].tolist()),
        tuple(guesses[order].tolist()),
    )


def _mean_energy(ansatz: Ansatz) -> float:
    ranked, weights = ansatz.ranked, abs(ansatz.state) ** 2
    mean = Fraction(float(weights @ ranked.costs)) * ranked.cost.unit + ranked.cost.base
    return as_number(ranked.problem.restore_energy(mean)) if ranked.problem.goal is not None else float(mean)


def _message(ansatz: Ansatz, whole: Ansatz, best: int | None, energy: Fraction | None, options: QaoaOptions) -> str:
    ranked, size = ansatz.ranked, whole.ranked.space.size
    if best is None:
        if not whole.best.any():
            return f"no solution exists (all {size} states were checked)"
        mend = "use more shots or layers" + ("" if options.recursive is None else ", or leave out recursive")
        return f"none of {options.shots} measurements is a solution: {mend}"
    if ranked.problem.goal is None:
        return ranked.problem.accepted
    assert energy is not None
    if ansatz.best[best]:
        why = f"all {size} states were checked"
        return f"{ranked.name} {as_number(energy)}: nothing better{ranked.margin} exists ({why})"
    return f"{ranked.name} {as_number(energy)}: the best measured"


def check_ansatz(problem: Problem, options: QaoaOptions) -> None:
    """Refuse a gate set without rotations; raises as `check_energy`."""
    if GATE_SETS[options.gates].has_toffoli:
        raise UnsupportedError(f"qaoa needs rotations that {options.gates} lacks: use gates='cx+u' or 'clifford+t'")
    check_energy(problem, options)
    domains = problem.model.domains
    for name, value in {} if isinstance(options.warm_start, str) else options.warm_start.items():
        if name not in domains:
            raise InputError(f"warm_start names '{name}': choose among {', '.join(list(domains)[:20])}")
        if value not in domains[name] and not (set(domains[name]) == {0, 1} and 0 <= value <= 1):
            raise InputError(f"warm_start gives {name} {value:g}, which it cannot be: give one of its values")


def report_ansatz(options: QaoaOptions, answer: Answer) -> Report:
    """Report the ansatz, how likely it is to give a solution, what it costs, what was checked."""
    compiled, found = answer.compiled, answer.details
    if compiled is None or not isinstance(found, QaoaReport):
        return Report(())
    whole = compiled.program.resources()
    chance = "" if (likely := answer.success_probability) is None else f", probability {likely:.6f} (exact)"
    t = "" if whole.t is None else f", {whole.t} T"
    chosen = "angles: your own"
    if isinstance(options.angles, str):
        made = f"{found.evaluations} simulations, start {found.start}"
        chosen = f"angles: {options.angles} ({made}), loss: {options.angle_loss}"
    if options.warm_start != "none":
        chosen += ", warm start: " + ("relaxation" if options.warm_start == "relaxation" else "your own")
    if options.recursive is not None:
        chosen += f", recursive to {options.recursive} variables"
    stored = "binary numbers" if found.block_coding == "numbers" else "encoded"
    return Report(
        (
            f"pipeline: qaoa, layers: {found.layers}, mixers: {' and '.join(found.mixers)}, {chosen}",
            f"{describe_settings(presolve=compiled.presolve, encoding=compiled.encoding, backend=options.backend)}; "
            f"{compiled.certificate.marked} of {compiled.program.space.size} states are best{chance}; "
            f"{found.accepted:.4f} of {options.shots} shots accepted",
            f"circuit: {whole.qubits} qubits, {whole.cx} CX{t}, depth {whole.depth} in {whole.gates}; one layer "
            f"{found.layer.cx} CX, blocks stored as {stored}",
            f"checked: the phase of a layer is proportional to the cost on {found.checked} codewords",
        )
    )


def account_ansatz(options: QaoaOptions, answer: Answer) -> Spent:
    """Count every shot as all layers; nothing bounds what samples of one circuit miss."""
    if answer.compiled is None or not answer.compiled.program.num_qubits:
        return Spent(0, {}, 0.0)
    layer, times = answer.compiled.program.resources("layer"), options.shots * options.layers
    return Spent(times * (layer.cx or 0), {"layer": times}, 1.0)


def next_circuits(
    problem: Problem, layout: Layout, options: QaoaOptions, clock: Clock, bench: Bench, done: Sequence[Round]
) -> NextCircuits:
    """Return the circuit, or the end once it was measured; raises as `Bench` and `require_search`."""
    if done:
        return End()
    compiled = compile_ansatz(problem, layout, options, clock)
    ansatz: Ansatz = compiled.details
    ranked = ansatz.ranked
    require_search(ranked.space.num_qubits, layout.provenance.presolve)
    made, (solutions, energies) = bench.prepare(compiled.program), rank_energies(ranked)
    found = bench.record(
        made,
        layout,
        what={"pipeline": "qaoa", "layers": options.layers},
        ideal=ansatz.success_probability,
        chance=made.noise_share(map(int, np.flatnonzero(ansatz.best))),
        marked=solutions,
        ranking=energies,
    )
    return bench.require_signal((found,))


PIPELINE = Pipeline(
    "qaoa", QaoaOptions, report=report_ansatz, is_sampled=True, recipe=make_recipe, check=check_ansatz,
    compile=compile_ansatz, search=solve_ansatz, send=next_circuits, account=account_ansatz,
)  # fmt: skip

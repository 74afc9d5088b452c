"""The pipeline ``anneal``, which has no circuit: samplers on a problem's Qubo, judged by the problem's own rules.

The samplers are D-Wave's (`dwave-samplers`: simulated annealing, tabu search), and a list of all states for few
variables. They are the route the puzzle QUBOs were written for, and the baseline of the other pipelines.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.extensions import require
from gatesolve.formats.problem import Problem, Values
from gatesolve.model import Model
from gatesolve.model.presolve import PresolveSetting, presolve
from gatesolve.model.presolve.recovery import Fixed
from gatesolve.pipelines.anneal.options import AnnealOptions
from gatesolve.pipelines.answer import Answer, Status, as_number, judge_candidates
from gatesolve.pipelines.chart import Energies, plotted
from gatesolve.pipelines.events import ReadsMade
from gatesolve.pipelines.options import AS_PRINTED, refuse_idle
from gatesolve.pipelines.protocol import Pipeline, Report
from gatesolve.pipelines.thresholds import UNBEATABLE, is_unbeatable
from gatesolve.planning import Clock
from gatesolve.qubo import Qubo
from gatesolve.qubo.auxiliary import quadratize
from gatesolve.qubo.build import add_objective, formulate_model, qubo_space
from gatesolve.qubo.numerals import as_written, nearest_number
from gatesolve.qubo.polynomial import Number
from gatesolve.qubo.qubo import ExactEnergies

if TYPE_CHECKING:
    import dimod

Sampler = Literal["auto", "sa", "tabu", "exact"]
SAMPLERS: tuple[Sampler, ...] = ("auto", "sa", "tabu", "exact")
Bits = tuple[int, ...]
Batch = NDArray[np.bool_]
"""States, shape (free variables, states)."""
EXACT_LIMIT = 20
"""Most variables of which every state is listed: about three seconds."""
EXACT_AUTO = 14
"""Most variables of which every state is listed unasked."""
KEPT = 1_000
"""Most different energies that are reported, the least ones."""
BATCH = 50
"""Most reads between two reports of progress."""
BATCH_WORK = 20_000_000
"""About as many updates of a variable's neighbourhood are made in one batch: well below a second."""
SLACK = Fraction(1, 10**9)
"""How far a state shown to the rules may be from the known energy, relative to the sum of all coefficients."""
FLOAT_BITS = 500
"""Sums of coefficients above 2 to this power, or below its inverse, are scaled for the samplers."""
LEAST = 1e-290
"""Smaller coefficients count as zero for the samplers, as their inverse is no temperature."""
RESTARTS = 20
"""How often one read of tabu search starts again from where it got stuck."""
# Simulated annealing takes these starting inverse temperatures in turn, one for each batch of reads, in units of the
# median coupling. Most puzzles are solved from the first two; the last is the library's own range, which starts so hot
# that everything moves.
_HOT: tuple[float | None, ...] = (3.0, 1.0, None)
_COLD = 8.0
"""The last inverse temperature, in units of the smallest coefficient: a flip that costs it happens once in 3,000."""
ENOUGH = 200
"""Reads at the least energy after which nothing lower is looked for, where something is minimised."""


@dataclass(frozen=True)
class AnnealOutcome:
    """The states that the samplers found.

    Attributes:
        bits: the first accepted state, else one of the least energy; a value for each variable of the Qubo.
        energy: its energy, offset included, exactly as the coefficients add.
        accepted: whether it is an answer: ``accept`` said so, or without one the known ground energy was reached.
        best: the least energy of all states seen; below ``energy`` where such states were not accepted.
        hits: reads that ended at ``best``; of the exact solver, states with it.
        reads: reads that were made; of the exact solver, states.
        refused: states shown to ``accept`` and refused.
        sampler: the one that ran: ``sa``, ``tabu`` or ``exact``.
        sweeps: passes over all variables in each read; 0 for ``exact``.
        proven: whether ``best`` is the least energy there is: every state was listed.
        exhausted: whether no state at all is accepted: every one was listed, and every one that has the energy of an
            answer was shown to ``accept``.
        energies: of the reads, the least ones in ascending order, and how often each came up.
    """

    bits: Bits
    energy: Number
    accepted: bool
    best: Number
    hits: int
    reads: int
    refused: int
    sampler: str
    sweeps: int
    variables: int
    proven: bool = False
    exhausted: bool = False
    energies: tuple[tuple[Number, int], ...] = field(default=(), repr=False)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        counts = {name: getattr(self, name) for name in ("sampler", "variables", "reads", "sweeps", "hits", "refused")}
        least = as_number(as_written(self.best))
        return {"anneal": {**counts, "least_energy": least, "proven": self.proven}}


def anneal_qubo(
    qubo: Qubo,
    *,
    sampler: Sampler = "auto",
    reads: int = 10_000,
    sweeps: int = 1_000,
    seed: int = 0,
    accept: Callable[[Bits], bool] | None = None,
    ground: Number | None = None,
    enough: int | None = None,
    fixed: Mapping[str, int] | None = None,
    progress: Callable[[int, int], None] | None = None,
    watch: Callable[[AnnealOutcome], None] | None = None,
) -> AnnealOutcome:
    """Sample states of low energy until one is accepted.

    Reads are made in batches, each with a seed of its own that follows from ``seed``, so the same arguments give the
    same outcome. After each batch its states are shown to ``accept`` from the least energy up, no state twice; with
    ``accept`` given, nothing else ends the search before all reads are made.

    Args:
        qubo: the energy; terms of three and more variables are made quadratic for the samplers, and judged as they are.
        sampler: ``sa``, ``tabu``, ``exact`` (at most `EXACT_LIMIT` variables), or ``auto``: exact where that fits,
            else simulated annealing.
        reads: how many states to sample at most; of the exact solver, how many states to show to ``accept`` at most.
        sweeps: passes over all variables in each read.
        seed: the outcome follows from it.
        accept: whether a state (a bit for each variable of ``qubo``) is an answer.
        ground: the energy of every answer, if it is known: no other state is shown to ``accept``, and without
            ``accept`` the search ends at it.
        enough: where nothing is accepted and no ground is known, end when the least energy was hit so many times;
            None to make all reads.
        fixed: variables that are held at a value, such as clues.
        progress: called with (reads made, reads at most) after every batch; what it raises ends the search.
        watch: called with the outcome so far after every batch.

    Raises:
        InputError: an option out of range, an unknown variable held, or a sampler that is not installed.
        DoesNotFitError: ``exact`` with too many variables.
    """
    _check(sampler, reads, sweeps, seed, enough)
    held = _hold_variables(qubo, fixed or {})
    free = [k for k in range(qubo.num_variables) if k not in held]
    chosen = ("exact" if len(free) <= EXACT_AUTO else "sa") if sampler == "auto" else sampler
    if chosen == "exact" and len(free) > EXACT_LIMIT:
        fault = f"the exact solver lists the states of at most {EXACT_LIMIT} variables, not {len(free)}"
        raise DoesNotFitError(f"{fault}: use sampler='sa' or 'tabu'")
    search = _Search(qubo, held, free, accept, ground)
    if not free or chosen == "exact":
        search.take(_every_state(len(free)), limit=reads)
        return search.outcome("exact", 0, proven=True)
    for batch in _batches(_make_quadratic(qubo, held), free, chosen, reads, sweeps, seed):
        search.take(batch)
        if progress is not None:
            progress(search.reads, reads)
        if watch is not None:
            watch(search.outcome(chosen, sweeps))
        if search.answer is not None or (enough is not None and accept is None is ground and search.hits >= enough):
            break
    return search.outcome(chosen, sweeps)


class _Search:
    """Keeps the best of what the samplers bring, and the first that is accepted."""

    def __init__(
        self,
        qubo: Qubo,
        held: Mapping[int, int],
        free: list[int],
        accept: Callable[[Bits], bool] | None,
        ground: Number | None,
    ) -> None:
        self.qubo, self.held, self.free, self.accept, self.ground = qubo, held, free, accept, ground
        self.reads = self.hits = self.refused = 0
        self.exact = ExactEnergies.of(qubo)
        self.best: int | None = None
        self.best_bits: Bits = ()
        self.answer: Bits | None = None
        self.seen: set[bytes] = set()
        self.all_shown = True
        self.energies: Counter[int] = Counter()
        # Coefficients that are no whole numbers may have been rounded on the way here: then so are answers' energies.
        self.slack = Fraction(0) if qubo.is_integer else _size(qubo) * SLACK

    def take(self, states: Batch, limit: int | None = None) -> None:
        # The samplers know the free variables only; energies are judged with those that are held.
        whole = np.zeros((self.qubo.num_variables, states.shape[1]), dtype=bool)
        for k, value in self.held.items():
            whole[k] = bool(value)
        whole[self.free] = states
        energies = self.exact.in_units(whole)
        # A stable order, so that the same reads give the same outcome.
        order = np.argsort(energies, kind="stable")
        self.reads += states.shape[1]
        least = int(energies[order[0]])
        kept, times = np.unique(energies, return_counts=True)
        self.energies.update(dict(zip(kept[:KEPT].tolist(), times[:KEPT].tolist(), strict=True)))
        if self.best is None or least < self.best:
            self.best, self.hits, self.best_bits = least, 0, _bits(whole[:, order[0]])
        self.hits += int((energies == self.best).sum())
        if self.accept is None:
            if self.ground is not None and self.best * self.exact.unit <= as_written(self.ground):
                self.answer = self.best_bits
            return
        # Only states whose energy may be the known one, up to rounding, can be answers.
        if self.ground is not None:
            ground, unit = as_written(self.ground), self.exact.unit
            near = energies <= math.floor((ground + self.slack) / unit)
            near &= energies >= math.floor((ground - self.slack) / unit)
            order = order[near[order]]
        self._show(whole, order, limit)

    def _show(self, whole: NDArray[np.bool_], order: NDArray[np.intp], limit: int | None) -> None:
        """Show states to ``accept``, in order, until it takes one."""
        assert self.accept is not None
        # Nothing is proven of candidates beyond the limit.
        self.all_shown &= limit is None or len(order) <= limit
        for k in order[:limit]:
            # An eighth of the memory of the bits themselves, for as many states as there are reads.
            key = np.packbits(whole[:, k]).tobytes()
            if key not in self.seen:
                self.seen.add(key)
                bits = _bits(whole[:, k])
                if self.accept(bits):
                    self.answer = bits
                    return
                self.refused += 1

    def outcome(self, sampler: str, sweeps: int, proven: bool = False) -> AnnealOutcome:
        assert self.best is not None
        # Without ``accept``, a state of the least energy of all is the answer.
        accepted = self.answer is not None or (proven and self.accept is None)
        bits = self.best_bits if self.answer is None else self.answer
        best, energy = nearest_number(self.best * self.exact.unit), self.qubo.energy(bits)
        counts = (self.hits, self.reads, self.refused)
        exhausted = proven and not accepted and self.all_shown
        lowest = sorted(self.energies.items())[:KEPT]
        energies = tuple((nearest_number(units * self.exact.unit), times) for units, times in lowest)
        how = (sampler, sweeps, self.qubo.num_variables)
        return AnnealOutcome(bits, energy, accepted, best, *counts, *how, proven, exhausted, energies)


def _check(sampler: str, reads: int, sweeps: int, seed: int, enough: int | None) -> None:
    if sampler not in SAMPLERS:
        raise InputError(f"unknown sampler {sampler!r}: choose one of {', '.join(SAMPLERS)}")
    for name, value in (("reads", reads), ("sweeps", sweeps), ("enough", 1 if enough is None else enough)):
        if value < 1:
            raise InputError(f"{name} is {value}: give at least 1")
    if seed < 0:
        raise InputError(f"the seed is {seed}: give 0 or more")


def _hold_variables(qubo: Qubo, fixed: Mapping[str, int]) -> dict[int, int]:
    numbers = {name: k for k, name in enumerate(qubo.names)}
    for name, value in fixed.items():
        if name not in numbers:
            raise InputError(f"{name} is to be held but is no variable of the Qubo: leave it out")
        if value not in (0, 1):
            raise InputError(f"{name} is to be held at {value}: give 0 or 1")
    return {numbers[name]: value for name, value in fixed.items()}


def _make_quadratic(qubo: Qubo, held: Mapping[int, int]) -> dimod.BinaryQuadraticModel:
    """Return the Qubo for the samplers, variables by number, with those held put in."""
    require("dwave.samplers", "samplers sa and tabu need dwave-samplers", "anneal")
    import dimod

    unit = _unit(qubo)
    terms: dict[tuple[int, ...], float] = {}
    for monomial, coefficient in qubo.polynomial.items():
        # A variable that is held at 0 removes the term; one that is held at 1 only leaves it.
        if all(held.get(k, 1) for k in monomial):
            left = tuple(k for k in monomial if k not in held)
            value = float(coefficient if unit == 1 else as_written(coefficient) / unit)
            terms[left] = terms.get(left, 0.0) + (value if abs(value) > LEAST else 0.0)
    # Products in terms of three and more variables become variables with the next numbers; no minimum moves.
    found, products = quadratize(terms, qubo.num_variables)
    bqm = dimod.BinaryQuadraticModel("BINARY")
    free = [k for k in range(qubo.num_variables) if k not in held]
    bqm.add_linear_from({k: found.get((k,), 0.0) for k in [*free, *products]})
    bqm.add_quadratic_from({m: c for m, c in found.items() if len(m) == 2})
    bqm.offset = found.get((), 0.0)
    return bqm


def _size(qubo: Qubo) -> Fraction:
    """The sum of all coefficients by magnitude."""
    return sum((abs(as_written(c)) for c in qubo.polynomial.values()), start=Fraction(0))


def _unit(qubo: Qubo) -> Fraction:
    size = _size(qubo)
    bits = size.numerator.bit_length() - size.denominator.bit_length()
    # A power of two loses no digits; it is needed only where sums would exceed floats.
    return Fraction(2) ** bits if abs(bits) > FLOAT_BITS else Fraction(1)


def _every_state(width: int) -> Batch:
    """Return all states of ``width`` variables, each one bit from the one before."""
    numbers = np.arange(1 << width)
    # Gray code: neighbours differ in one bit.
    gray = numbers ^ numbers >> 1
    return np.array([(gray >> k & 1).astype(bool) for k in range(width)]).reshape(width, len(gray))


def _batches(
    bqm: dimod.BinaryQuadraticModel, free: list[int], sampler: str, reads: int, sweeps: int, seed: int
) -> Iterator[Batch]:
    from dwave.samplers import SimulatedAnnealingSampler, TabuSampler

    work = sweeps * (bqm.num_variables + 2 * bqm.num_interactions // 10)
    # A batch takes about the same time for any problem, so progress is reported regularly.
    size = max(1, min(BATCH, BATCH_WORK // work))
    for number, first in enumerate(range(0, reads, size)):
        # The samplers take seeds of 31 bits.
        options: dict[str, Any] = {
            "num_reads": min(size, reads - first),
            "seed": int(np.random.SeedSequence([seed, number]).generate_state(1)[0] >> 1),
        }
        if sampler == "sa":
            options |= {"num_sweeps": sweeps, "beta_range": _temperatures(bqm, _HOT[number % len(_HOT)])}
            found = SimulatedAnnealingSampler().sample(bqm, **options)
        else:
            # No time limit, so that the outcome is the same on every machine.
            options |= {"timeout": None, "num_restarts": RESTARTS, "coefficient_z_first": sweeps, "lower_bound_z": 1}
            found = TabuSampler().sample(bqm, coefficient_z_restart=sweeps, **options)
        places = {label: k for k, label in enumerate(found.variables)}
        yield found.record.sample[:, [places[k] for k in free]].T.astype(bool)


def _temperatures(bqm: dimod.BinaryQuadraticModel, hot: float | None) -> tuple[float, float] | None:
    """First and last inverse temperature of simulated annealing; None for the library's own."""
    couplings = sorted(abs(c) for c in bqm.quadratic.values() if c)
    fields = sorted(abs(c) for c in bqm.linear.values() if c)
    if not couplings and not fields:
        # All energies are equal; the library would warn that it takes these temperatures.
        return 0.1, 1.0
    if hot is None:
        return None
    # The median does not depend on a few large coefficients.
    unit = (couplings or fields)[len(couplings or fields) // 2]
    smallest = min(couplings[:1] + fields[:1])
    return hot / unit, min(_COLD / smallest, 100 * _COLD / unit)


def _bits(column: NDArray[np.bool_]) -> Bits:
    return tuple(map(int, column))


@dataclass(frozen=True)
class Energy:
    """A problem as an energy for samplers.

    Attributes:
        decode: a state to values of variables; None if it stands for none.
        recover: from those to all of the problem's variables; None where they are all there.
        ground: the energy of every solution, where it is known; None also where something is minimised.
        sufficient: whether the lowest states are the (best) solutions wherever there is one.
    """

    qubo: Qubo
    decode: Callable[[Bits], dict[str, int] | None]
    recover: Callable[[Values], dict[str, int]] | None
    ground: Number | None
    presolve: str
    sufficient: bool


def solve_annealing(problem: Problem, options: AnnealOptions, clock: Clock) -> Answer:
    """Sample the problem's Qubo until its own rules accept a state, or take the best of all reads.

    Raises:
        UnsupportedError: no published formula of the problem.
        DoesNotFitError: a constraint has too many tuples for a penalty, or too many variables to list all states.
    """
    with clock.stage("qubo"):
        energy = prepare_energy(problem, options)
    accept = problem.judge(energy.recover)

    def accepted(bits: Bits) -> bool:
        values = energy.decode(bits)
        return values is not None and accept(values) is not None

    def tell(found: AnnealOutcome) -> None:
        energies = tuple((plotted(as_written(level)), times) for level, times in found.energies)
        clock.tell(ReadsMade(found.sampler, found.reads, float(found.best), found.hits, energies))

    with clock.stage("run") as report:
        found = anneal_qubo(
            energy.qubo,
            sampler=options.sampler,
            reads=options.reads,
            sweeps=options.sweeps,
            seed=options.seed,
            accept=accepted if problem.goal is None else None,
            ground=energy.ground,
            enough=ENOUGH,
            progress=report,
            watch=tell if clock.watch else None,
        )
    solution = judge_candidates(accept, [(energy.decode(found.bits), 1)]).solution
    status: Status = "solved"
    if solution is not None:
        message = _solved_message(problem, found, solution)
    else:
        status, message = _conclude_unsolved(problem, options, energy, found)
    return Answer(
        status=status,
        message=message,
        solution=solution,
        exact_energy=None if solution is None else problem.energy(solution),
        optimal=None if solution is None or problem.goal is None else found.proven or is_unbeatable(problem, solution),
        presolve=energy.presolve,
        details=found,
        chart=Energies(
            "energy of the Qubo",
            tuple(plotted(as_written(level)) for level, _ in found.energies),
            tuple(times for _, times in found.energies),
            tuple(solution is not None and level == found.energy for level, _ in found.energies),
            unit="reads",
        ),
    )


def check_samplers(problem: Problem, options: AnnealOptions) -> None:
    """Refuse what the form, the Qubo or the sampler has no use for; raises as `refuse_idle`."""
    if options.formulation == "published":
        refuse_idle(options, AS_PRINTED, "encoding", "penalty")
    if problem.qubo is not None:
        idle = ("encoding",) if problem.model.constraints else ("encoding", "penalty")
        refuse_idle(options, "a Qubo is taken as it is", *idle)
    if options.sampler == "exact":
        idle = ("sweeps",) if problem.goal is None else ("sweeps", "reads")
        refuse_idle(options, "sampler='exact' lists every state", *idle)


def prepare_energy(problem: Problem, options: AnnealOptions) -> Energy:
    """The problem as an energy for samplers; raises as `solve_annealing`."""
    if options.formulation == "published":
        return _find_published(problem, options)
    setting: PresolveSetting = "propagate" if options.presolve == "auto" else options.presolve
    own = problem.qubo
    if own is not None and not problem.model.constraints:
        return Energy(own, own.decode, None, None, "none", True)
    smaller, recovery = presolve(problem.model, setting)
    space = qubo_space(smaller, options.encoding if own is None else "auto")
    made = formulate_model(smaller, space, penalties=options.penalty, quadratic=True)
    qubo = made.qubo if own is None else add_objective(made, own, options.penalty is None)[0]
    # With an objective, or a weight that may be too small, the energy of solutions is unknown.
    ground = made.ground if problem.goal is None and made.proved else None
    return Energy(qubo, decode_with(qubo, smaller), recovery.recover, ground, setting, made.proved)


def decode_with(qubo: Qubo, model: Model) -> Callable[[Bits], dict[str, int] | None]:
    """From a state of the Qubo to values of a presolved model's variables; None if it breaks the model."""

    def decode(bits: Bits) -> dict[str, int] | None:
        values = qubo.decode(bits)
        if values is None:
            return None
        # Auxiliary variables of the Qubo are left out.
        known = {name: values[name] for name in model.domains}
        # Penalties may be too small, so a state is checked by the model too.
        return known if model.check(known) else None

    return decode


def _find_published(problem: Problem, options: AnnealOptions) -> Energy:
    found = problem.published_qubo()
    # A published formula is usually wanted as printed.
    setting: PresolveSetting = "none" if options.presolve == "auto" else options.presolve
    if setting != "none":
        smaller, recovery = presolve(problem.model, setting)
        fixed = {step.name: (step.constant,) for step in recovery.steps if isinstance(step, Fixed)}
        found = found.narrow({**problem.model.domains, **fixed, **smaller.domains})
    # Where the formula leaves rules out, more states have its least energy than there are solutions.
    return Energy(found.qubo, found.decode, None, found.ground, setting, False)


def _solved_message(problem: Problem, found: AnnealOutcome, solution: dict[str, int]) -> str:
    energy = problem.energy(solution)
    if energy is None:
        return problem.accepted
    what = f"{problem.goal_name} {as_number(energy)}"
    if found.proven:
        return f"{what}: nothing better exists (every state was listed)"
    if is_unbeatable(problem, solution):
        return f"{what}: nothing better exists ({UNBEATABLE})"
    return f"{what}: the best of {found.reads} reads, reached by {found.hits}; nothing says that there is none better"


def _conclude_unsolved(
    problem: Problem, options: AnnealOptions, energy: Energy, found: AnnealOutcome
) -> tuple[Status, str]:
    # Every assignment that presolve leaves has a state, so if all that could be solutions were refused there is none.
    if problem.goal is None:
        if found.exhausted:
            return "infeasible", f"no state is a solution: every one of {found.reads} was listed"
        shown = f"{found.refused} states were shown to the rules and refused"
        raised = "reads" if found.proven else "reads or sweeps"
        return "unsolved", f"none of {found.reads} reads was accepted ({shown}): raise {raised}"
    if not energy.sufficient:
        is_ours = options.formulation == "model"
        mend = "raise penalty, or leave it out" if is_ours else "leave out formulation='published'"
        return "unsolved", f"the lowest of {found.reads} reads breaks a rule: {mend}"
    if found.proven:
        return "infeasible", f"no state is a solution, not even the lowest: every one of {found.reads} was listed"
    return "unsolved", f"the lowest of {found.reads} reads breaks a rule: raise reads or sweeps"


def report_samples(options: AnnealOptions, answer: Answer) -> Report:
    """Report the Qubo that the samplers ran on, and how often they reached the least energy."""
    found = answer.details
    if not isinstance(found, AnnealOutcome):
        return Report(())
    what = "states listed" if found.proven else f"reads of {found.sweeps} sweeps"
    refused = f"; {found.refused} states refused by the rules" if found.refused else ""
    energy = f"variables: {found.variables}, formulation: {options.formulation}, presolve: {answer.presolve}"
    return Report(
        (
            f"pipeline: anneal, sampler: {found.sampler}, {energy}, seed: {options.seed}",
            f"{found.reads} {what}: {found.hits} have the lowest energy ({as_number(as_written(found.best))}){refused}",
        )
    )


PIPELINE = Pipeline(
    "anneal", AnnealOptions, report=report_samples, run=solve_annealing, check=check_samplers, prepare=prepare_energy
)

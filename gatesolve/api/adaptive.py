"""Grover Adaptive Search of a problem: its cost, and its certified circuit at any threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.api.compiler import Compiled, certified, check_lowered, compiled_from
from gatesolve.api.encode import SPACE_LIMIT, Builder, Encoded, encoded
from gatesolve.api.options import Options
from gatesolve.api.problem import Problem
from gatesolve.api.solutions import SolutionCount, count_solutions
from gatesolve.circuit import Certificate, PhaseCheck
from gatesolve.circuit.lowering import GateSet
from gatesolve.encodings import Space, label, unenforced
from gatesolve.errors import AncillaBudgetError, DoesNotFitError
from gatesolve.model import Model
from gatesolve.oracle import Oracle
from gatesolve.oracle.counter import counter_oracle
from gatesolve.pipelines import Program
from gatesolve.pipelines.amplification import best_iterations, grover_program
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.gas.fourier import fourier_oracle
from gatesolve.pipelines.gas.state import Measurement
from gatesolve.pipelines.objective import oracle_key
from gatesolve.qubo.build import formulate_model
from gatesolve.qubo.cost import Cost, SoftConstraint, check_range, tabulate_costs
from gatesolve.qubo.digits import objective_terms
from gatesolve.qubo.numerals import as_written
from gatesolve.qubo.scaling import qubo_cost
from gatesolve.simulate.product import check_product

PRODUCT_LIMIT = 1 << 14
"""Codewords from each of which a lowered Fourier oracle is simulated."""


@dataclass(frozen=True)
class Adaptive:
    """A problem ready to be searched below any threshold.

    Attributes:
        problem: what was handed in.
        found: its presolved model and space.
        cost: what is minimised.
        levels: of every codeword, in codeword order.
        options: as given.
        start: the highest level of a codeword that breaks no constraint; None where levels do not tell.
        floor: a level that is proven to be the lowest if there is a codeword of it.
    """

    problem: Problem
    found: Encoded
    cost: Cost
    levels: NDArray[np.int64]
    options: Options
    start: int | None = None
    floor: int = 0

    @property
    def space(self) -> Space:
        """The search space."""
        return self.found.space

    @property
    def encoding(self) -> str:
        """The encodings that occur."""
        return label(self.found.space)

    @property
    def lowest(self) -> int:
        """The lowest level there is; only certificates and exports look at it, never the search."""
        return int(self.levels.min())

    @property
    def counted(self) -> SolutionCount | None:
        """How many solutions there are; None where something is minimised, or levels do not tell solutions apart."""
        if self.start is None:
            return None
        numbers = np.flatnonzero(self.levels <= self.start)
        return count_solutions(self.problem, self.space, numbers, self.found.recovery.recover)

    @property
    def name(self) -> str:
        """What the energy is called."""
        if self.options.cost == "penalties":
            return "energy"
        if self.problem.goal is None:
            return "broken constraints"
        return "energy" if self.problem.qubo is not None and self.start is None else "objective"

    @property
    def margin(self) -> str:
        """By how much energies must differ for levels to tell them apart, to be put after ``better`` or ``lower``."""
        if not self.cost.error:
            return ""
        # A level is up to the error too high, another one up to it too low.
        above = Context(prec=2, rounding=ROUND_CEILING).divide(*map(Decimal, (2 * self.cost.error).as_integer_ratio()))
        return f" by more than {above.normalize():g}"

    def allowed(self, level: int | None) -> bool:
        """Whether a codeword of this level breaks no constraint."""
        return level is not None and (self.start is None or level <= self.start)

    def told(self, measured: Measurement) -> Fraction | None:
        """An energy as the problem states it: an objective only where no constraint is broken."""
        if self.problem.goal is not None and not self.allowed(measured.level):
            return None
        return self.problem.told(measured.energy)

    def threshold(self) -> int:
        """The level asked for, else the one just above the lowest: the circuit that a search ends with."""
        wanted = self.options.threshold
        if wanted is None:
            return self.lowest + 1
        energy = Fraction(str(wanted)) * self.problem.scale
        return self.level_of(-energy if self.problem.goal == "max" else energy)

    def energy(self, number: int) -> Fraction:
        """The true energy of a codeword, whatever the rounding of the levels."""
        level = int(self.levels[number])
        if self.problem.qubo is None or not self.allowed(level):
            return self.cost.energy(level)
        values = self.space.assignment(number)
        return self.problem.qubo.exact_energy([values[name] for name in self.problem.qubo.names])

    def measurement(self, number: int) -> Measurement:
        """A codeword as a search sees it."""
        return Measurement(number, int(self.levels[number]), self.energy(number))

    def level_of(self, energy: Fraction) -> int:
        """The threshold that leaves no codeword of a lower energy out."""
        level = math.ceil((energy - self.cost.base + self.cost.error) / self.cost.unit)
        return min(max(level, 0), self.cost.most + 1)

    def compiled(self, threshold: int, clock: Clock, iterations: int | None = None) -> Compiled:
        """The certified circuit that marks the codewords of level below ``threshold``, its lowered oracle compared.

        Raises:
            DoesNotFitError: the oracle is too large, or the ancilla budget too small.
        """
        return self.compared(self.certified(threshold, clock, iterations), threshold, clock)

    def compared(self, compiled: Compiled, threshold: int, clock: Clock) -> Compiled:
        """What `certified` gave for this threshold, with its lowered oracle compared too."""
        program, marks, seed = compiled.program, compiled.marks, self.options.seed
        assert marks is not None
        phases = program.oracle.style == "fourier"
        with clock.stage("lowering"):
            if phases and not program.measured:
                return replace(compiled, certificate=check_fourier(program, program.lowered_oracle, marks, seed))
            check = self._check(program.oracle, threshold)
            same = check_lowered(check, program.lowered_oracle, marks, seed, check.predicate if phases else None)
        return replace(compiled, certificate=replace(compiled.certificate, lowered=same))

    def certified(self, threshold: int, clock: Clock, iterations: int | None = None) -> Compiled:
        """The same with the oracle checked as it was written, before the passes of lowering.

        Raises:
            DoesNotFitError: the oracle is too large, or the ancilla budget too small.
        """
        options, space = self.options, self.space
        with clock.stage("oracle"):
            oracle = value_oracle(self.cost, self.found.model, space, threshold, options)
        marks = self.levels < threshold
        if iterations is None:
            iterations = options.iterations
        if iterations is None:
            iterations = best_iterations(space.size, int(marks.sum()))
        gates: GateSet = "clifford+t" if options.gates == "clifford+t" else "cx+u"
        program = grover_program(space, oracle, iterations, ancillas=options.ancillas, gates=gates)
        program = replace(program, measured=options.measured, objective=options.objective)
        if oracle.style == "fourier":
            with clock.stage("certificate"):
                certificate = check_fourier(program, program.emitted_oracle(), marks, options.seed)
        else:
            certificate, _ = certified(self._check(oracle, threshold), options.seed, clock)
        return compiled_from(self.problem, self.found, program, certificate, marks, options)

    def _check(self, oracle: Oracle, threshold: int) -> PhaseCheck:
        space, levels = self.space, self.levels
        return PhaseCheck(
            oracle.ops,
            oracle.num_data,
            oracle.num_qubits,
            space.size,
            space.bits,
            lambda numbers: levels[numbers] < threshold,
        )


def check_fourier(program: Program, circuit: QuantumCircuit, marks: NDArray[np.bool_], seed: int) -> Certificate:
    """An oracle's circuit simulated exactly from every codeword, or from a sample of a large space.

    Args:
        program: its oracle is of style ``fourier``, which keeps every qubit in a state of its own.
        circuit: the oracle, lowered or emitted.
        marks: one boolean a codeword.
        seed: of the sample.

    Raises:
        CertificateError: a phase is wrong, or a qubit does not come back.
    """
    space, size = program.space, len(marks)
    whole = size <= PRODUCT_LIMIT
    numbers = np.arange(size) if whole else np.random.default_rng(seed).integers(0, size, size=PRODUCT_LIMIT)
    check_product(circuit, space.inputs(numbers, circuit.num_qubits), marks[numbers])
    method = "every codeword" if whole else f"sample, seed {seed}"
    return Certificate(len(numbers), size, True, method, int(marks.sum()), len(numbers))


def prepare(problem: Problem, options: Options, clock: Clock) -> Adaptive:
    """Presolve and encode a problem, and work out the level of every codeword.

    Raises:
        InfeasibleError: presolve proves that there is no solution.
        DoesNotFitError: the space or the oracle is too large; the message says what would fit.
    """
    if problem.qubo is not None and not problem.model.constraints and problem.model.num_assignments > SPACE_LIMIT:
        raise DoesNotFitError(
            f"does not fit: {len(problem.model.variables)} variables; the energies of up to 2^24 states are simulated, "
            "those of 24 variables of two values: use pipeline='anneal', or fewer variables"
        )
    found = encoded(problem.model, options, clock, lambda model: _builder(problem, model, options))
    priced = problem_cost(problem, found.model, found.space, options)
    with clock.stage("levels") as report:
        levels = tabulate_costs(priced.cost, found.space, report)
    return Adaptive(problem, found, priced.cost, levels, options, priced.start, priced.floor)


def compile_adaptive(problem: Problem, options: Options, clock: Clock) -> Compiled:
    """The circuit at the threshold asked for, or the one that a search ends with.

    Raises:
        InfeasibleError: presolve proves that there is no solution.
        DoesNotFitError: too large.
    """
    ready = prepare(problem, options, clock)
    return ready.compiled(ready.threshold(), clock)


def _builder(problem: Problem, model: Model, options: Options) -> Builder:
    """Spaces are compared by the oracle that just lets no constraint be broken."""

    def build(space: Space) -> Oracle:
        cost = problem_cost(problem, model, space, options).cost
        heaviest = max((term.weight for term in cost.terms), default=1)
        return value_oracle(cost, model, space, heaviest, options)

    return build


@dataclass(frozen=True)
class Priced:
    """A cost and what is known of its levels beforehand.

    Attributes:
        cost: what a search minimises.
        start: the level up to which, and only up to which, no constraint is broken; None where levels do not tell.
        floor: the level of solutions where penalties have one, else 0.
    """

    cost: Cost
    start: int | None = None
    floor: int = 0


def problem_cost(problem: Problem, model: Model, space: Space, options: Options) -> Priced:
    """What a search minimises: broken constraints, or what is to be made small with a weight for each of them.

    Every constraint that the space does not enforce costs the same: with nothing to be made small 1, else one level
    more than the whole range of that, so that no assignment that breaks a constraint is as good as one that does not.
    """
    if options.cost == "penalties" and problem.qubo is None:
        return _penalties(problem, model, space, options)
    rules = unenforced(model, space)
    goal = _goal(problem, model, space)
    if goal is None:
        return Priced(Cost(tuple(SoftConstraint(1, rule) for rule in rules)), 0)
    weight = goal.most + 1
    if options.penalty is not None:
        weight = max(1, math.ceil(Fraction(str(options.penalty)) * problem.scale / goal.unit))
    check_range(goal.most + len(rules) * weight)
    cost = replace(goal, terms=(*goal.terms, *(SoftConstraint(weight, rule) for rule in rules)))
    return Priced(cost, goal.most if rules and weight > goal.most else None)


def _penalties(problem: Problem, model: Model, space: Space, options: Options) -> Priced:
    """The energy of the model's Qubo; without an objective the ground, if there is one, is no state's to undercut."""
    made = formulate_model(model, space, penalties=options.penalty, inside=True)
    cost = qubo_cost(made.qubo, space)
    if problem.goal is not None:
        return Priced(cost)
    lowest = math.floor((as_written(made.ground) - cost.base - cost.error) / cost.unit)
    return Priced(cost, None, max(0, lowest))


def _goal(problem: Problem, model: Model, space: Space) -> Cost | None:
    """The Qubo or the objective as a cost; None where there is neither."""
    if problem.qubo is not None:
        return qubo_cost(problem.qubo, space)
    objective = model.objective
    if objective is None:
        return None
    unit = math.gcd(*(c for c, _ in objective.terms)) or 1
    ends = {name: (domain[0], domain[-1]) for name, domain in model.domains.items()}
    check_range(sum(abs(c) // unit * (ends[name][1] - ends[name][0]) for c, name in objective.terms))
    terms = tuple((c // unit, name) for c, name in objective.terms)
    found, base = objective_terms(replace(model, objective=replace(objective, terms=terms, constant=0)))
    constant = objective.constant if objective.sense == "min" else -objective.constant
    return Cost(found, Fraction(base * unit + constant), Fraction(unit))


def value_oracle(cost: Cost, model: Model, space: Space, threshold: int, options: Options) -> Oracle:
    """The oracle of a threshold in the style asked for, or the cheaper one that the ancilla budget allows.

    Raises:
        DoesNotFitError: the ancilla budget is too small, or a constraint too large.
    """
    key = oracle_key(options.objective)
    found: list[Oracle] = []
    refusal: AncillaBudgetError | None = None
    # Where nothing is left to be added up, phases have nothing to save.
    hard = all(term.weight >= threshold for term in cost.terms)
    if options.value == "fourier" or (options.value == "auto" and not hard):
        oracle = fourier_oracle(cost, space, threshold)
        if options.ancillas is None or oracle.num_ancillas <= options.ancillas:
            found.append(oracle)
        else:
            used = oracle.num_ancillas
            refusal = AncillaBudgetError(
                f"the oracle needs {used} ancillas, {options.ancillas} are allowed: use ancillas={used} or more",
                least=used,
            )
    if options.value != "fourier":
        try:
            found.append(_counter(cost, model, space, threshold, options))
        except AncillaBudgetError as error:
            refusal = error
    if not found:
        assert refusal is not None
        raise refusal
    return min(found, key=key)


def _counter(cost: Cost, model: Model, space: Space, threshold: int, options: Options) -> Oracle:
    terms = [(term.weight, term.constraint) for term in cost.terms]
    window = options.window if options.level == "minimised" else None
    key = oracle_key(options.objective)
    return counter_oracle(terms, model, space, threshold, ancillas=options.ancillas, window=window, cost=key)

"""Compiling Grover Adaptive Search: the certified circuit at any threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.formats.problem import Problem
from gatesolve.oracle import Oracle
from gatesolve.oracle.recipe import ValueRecipe, value_oracle
from gatesolve.oracle.threshold import ValueChoice
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.certify import certify_oracle, check_lowered
from gatesolve.pipelines.gas.options import GasOptions
from gatesolve.pipelines.gas.search import Measurement
from gatesolve.pipelines.ranking import RankedSpace, cost_rule, rank_space
from gatesolve.planning import Clock, Layout
from gatesolve.programs.amplification import best_iterations, grover_program, refuse_rotations
from gatesolve.programs.program import Program
from gatesolve.simulate.certificate import Certificate, PhaseCheck
from gatesolve.simulate.outcomes import check_branches

FOURIER_ERROR = 1e-6
"""Phases of a lowered Fourier oracle may differ by this: its rotations may be approximated."""
PRODUCT_LIMIT = 1 << 14
"""Codewords from each of which a lowered Fourier oracle is simulated."""


@dataclass(frozen=True)
class AdaptiveSearch:
    """A ranked space with the recipe of its oracles and the options of its search."""

    ranked: RankedSpace
    recipe: ValueRecipe
    options: GasOptions
    clock: Clock

    @property
    def last_threshold(self) -> int:
        """The threshold asked for, else the one just above the lowest cost, where a search ends."""
        wanted, ranked = self.options.threshold, self.ranked
        if wanted is None:
            return ranked.lowest + 1
        energy = Fraction(str(wanted)) * ranked.problem.scale
        energy = -energy if ranked.problem.goal == "max" else energy
        # No codeword of a lower energy is left out.
        cost = math.ceil((energy - ranked.cost.base + ranked.cost.error) / ranked.cost.unit)
        return min(max(cost, 0), ranked.cost.most + 1)

    def measurement(self, number: int) -> Measurement:
        """A codeword as the search sees it."""
        return Measurement(number, int(self.ranked.costs[number]), self.ranked.energy(number))

    def compile(self, threshold: int, iterations: int | None = None) -> Compiled:
        """The certified circuit that marks the codewords of cost below ``threshold``, its lowered oracle compared."""
        return self.compare_lowered(self.compile_unlowered(threshold, iterations), threshold)

    def compare_lowered(self, compiled: Compiled, threshold: int) -> Compiled:
        """Compare the lowered oracle of `compile_unlowered` for this threshold too."""
        program, marks, seed = compiled.program, compiled.marks, self.options.seed
        assert marks is not None
        phases = program.oracle.style == "fourier"
        with self.clock.stage("lowering"):
            if phases and not program.measured:
                return replace(compiled, certificate=check_fourier(program, program.simulated_oracle, marks, seed))
            check = self._check(program.oracle, threshold)
            same = check_lowered(check, program.simulated_oracle, marks, seed, check.predicate if phases else None)
        return replace(compiled, certificate=replace(compiled.certificate, lowered=same))

    def compile_unlowered(self, threshold: int, iterations: int | None = None) -> Compiled:
        """Compile with the oracle checked as it was written, before the passes of lowering."""
        options, ranked = self.options, self.ranked
        space, layout = ranked.space, ranked.layout
        with self.clock.stage("oracle"):
            oracle = value_oracle(ranked.cost, layout.model, space, threshold, self.recipe.choice)
        marks = ranked.costs < threshold
        if iterations is None:
            iterations = options.iterations
        if iterations is None:
            iterations = best_iterations(space.size, int(marks.sum()))
        budget, gates, metric = options.ancillas, options.gates, options.optimize
        program = grover_program(space, oracle, iterations, ancillas=budget, gates=gates, metric=metric)
        program = replace(program, **options.lowering)
        refuse_rotations(program)
        if oracle.style == "fourier":
            with self.clock.stage("certificate"):
                certificate = check_fourier(program, program.emitted_oracle(), marks, options.seed)
        else:
            certificate, _ = certify_oracle(self._check(oracle, threshold), options.seed, self.clock)
        level, notes = self.recipe.find_level(layout.model, space, oracle)
        made = replace(layout.provenance.note(*notes), level=level)
        return Compiled(ranked.problem, layout, replace(program, provenance=made), certificate, marks, ranked)

    def _check(self, oracle: Oracle, threshold: int) -> PhaseCheck:
        space, marks = self.ranked.space, self.ranked.costs < threshold
        return PhaseCheck(oracle.ops, oracle.num_data, oracle.num_qubits, space.size, space.bits, marks.__getitem__)


def make_recipe(problem: Problem, options: GasOptions) -> ValueRecipe:
    """Return the recipe of the oracles of all thresholds; raises as `cost_rule`."""
    choice = ValueChoice(options.optimize, options.ancillas, options.value_oracle, options.level, options.window)
    return ValueRecipe(rule=cost_rule(problem, options), choice=choice)


def prepare_search(problem: Problem, layout: Layout, options: GasOptions, clock: Clock) -> AdaptiveSearch:
    """Rank the codewords of a layout."""
    options = replace(options, ancillas=layout.provenance.ancillas)
    recipe = make_recipe(problem, options)
    return AdaptiveSearch(rank_space(problem, layout, recipe, clock), recipe, options, clock)


def compile_adaptive(problem: Problem, layout: Layout, options: GasOptions, clock: Clock) -> Compiled:
    """Compile the circuit at the threshold asked for, or the one that a search ends with."""
    search = prepare_search(problem, layout, options, clock)
    return search.compile(search.last_threshold)


def check_fourier(program: Program, circuit: QuantumCircuit, marks: NDArray[np.bool_], seed: int) -> Certificate:
    """An oracle's circuit simulated exactly from every codeword, or from a sample of a large space.

    ``circuit`` is the oracle, lowered or emitted, of style ``fourier``, which keeps every qubit in a state of its own.
    """
    space, size = program.space, len(marks)
    whole = size <= PRODUCT_LIMIT
    numbers = np.arange(size) if whole else np.random.default_rng(seed).integers(0, size, size=PRODUCT_LIMIT)
    check_branches(circuit, space.inputs(numbers, circuit.num_qubits), marks[numbers], seed, error=FOURIER_ERROR)
    method = "every codeword" if whole else f"sample, seed {seed}"
    return Certificate(len(numbers), size, True, method, int(marks.sum()), len(numbers))

"""Compiling Grover Adaptive Search: the certified circuit at any threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from gatesolve.circuit import Certificate, PhaseCheck
from gatesolve.encodings import Space
from gatesolve.model import Level, Model
from gatesolve.oracle import Oracle
from gatesolve.oracle.levels import find_level
from gatesolve.pipelines.amplification import best_iterations, grover_program, refuse_rotations
from gatesolve.pipelines.certify import certify_oracle, check_lowered
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.gas.options import GasOptions
from gatesolve.pipelines.gas.state import Measurement
from gatesolve.pipelines.ranking import RankedSpace, rank_space
from gatesolve.pipelines.task import Compiled, Request
from gatesolve.pipelines.value_oracle import ValueChoice, value_oracle
from gatesolve.programs.program import Program
from gatesolve.simulate.product import check_product

PRODUCT_LIMIT = 1 << 14
"""Codewords from each of which a lowered Fourier oracle is simulated."""


@dataclass(frozen=True)
class AdaptiveSearch:
    """A ranked space with the options of its search."""

    ranked: RankedSpace
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
                return replace(compiled, certificate=check_fourier(program, program.lowered_oracle, marks, seed))
            check = self._check(program.oracle, threshold)
            same = check_lowered(check, program.lowered_oracle, marks, seed, check.predicate if phases else None)
        return replace(compiled, certificate=replace(compiled.certificate, lowered=same))

    def compile_unlowered(self, threshold: int, iterations: int | None = None) -> Compiled:
        """Compile with the oracle checked as it was written, before the passes of lowering."""
        options, ranked = self.options, self.ranked
        space, found = ranked.space, ranked.found
        with self.clock.stage("oracle"):
            oracle = value_oracle(ranked.cost, found.model, space, threshold, choose_value_oracle(options))
        marks = ranked.costs < threshold
        if iterations is None:
            iterations = options.iterations
        if iterations is None:
            iterations = best_iterations(space.size, int(marks.sum()))
        budget, gates, metric = options.ancillas, options.gates, options.optimize
        program = grover_program(space, oracle, iterations, ancillas=budget, gates=gates, metric=metric)
        program = replace(program, measured=options.measured)
        refuse_rotations(program)
        if oracle.style == "fourier":
            with self.clock.stage("certificate"):
                certificate = check_fourier(program, program.emitted_oracle(), marks, options.seed)
        else:
            certificate, _ = certify_oracle(self._check(oracle, threshold), options.seed, self.clock)
        level, notes = oracle_level(options, found.model, space, oracle)
        found = replace(found, level=level, notes=tuple(dict.fromkeys((*found.notes, *notes))))
        program = replace(program, level=level)
        return Compiled(ranked.problem, found, program, certificate, marks, level, ranked, options.ancillas)

    def _check(self, oracle: Oracle, threshold: int) -> PhaseCheck:
        space, marks = self.ranked.space, self.ranked.costs < threshold
        return PhaseCheck(oracle.ops, oracle.num_data, oracle.num_qubits, space.size, space.bits, marks.__getitem__)


def choose_value_oracle(options: GasOptions) -> ValueChoice:
    """How the oracles may be made."""
    return ValueChoice(options.optimize, options.ancillas, options.value_oracle, options.level, options.window)


def oracle_level(options: GasOptions, model: Model, space: Space, oracle: Oracle) -> tuple[Level, tuple[str, ...]]:
    """The level of an oracle, whatever its threshold."""
    return find_level(options.level, model, space, oracle.conditions, options.window)


def prepare_search(request: Request[GasOptions]) -> AdaptiveSearch:
    """Choose the space and rank its codewords; raises as `rank_space`."""
    options, clock = request.options, request.clock
    ranked = rank_space(
        request.task, options, choose_value_oracle(options), partial(oracle_level, options), request.choose, clock
    )
    return AdaptiveSearch(ranked, replace(options, ancillas=ranked.found.ancillas), clock)


def compile_adaptive(request: Request[GasOptions]) -> Compiled:
    """The circuit at the threshold asked for, or the one that a search ends with; raises as `rank_space`."""
    search = prepare_search(request)
    return search.compile(search.last_threshold)


def check_fourier(program: Program, circuit: QuantumCircuit, marks: NDArray[np.bool_], seed: int) -> Certificate:
    """An oracle's circuit simulated exactly from every codeword, or from a sample of a large space.

    ``circuit`` is the oracle, lowered or emitted, of style ``fourier``, which keeps every qubit in a state of its own.
    """
    space, size = program.space, len(marks)
    whole = size <= PRODUCT_LIMIT
    numbers = np.arange(size) if whole else np.random.default_rng(seed).integers(0, size, size=PRODUCT_LIMIT)
    check_product(circuit, space.inputs(numbers, circuit.num_qubits), marks[numbers])
    method = "every codeword" if whole else f"sample, seed {seed}"
    return Certificate(len(numbers), size, True, method, int(marks.sum()), len(numbers))

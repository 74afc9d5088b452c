"""Grover's search in a space: the circuit, and the number of iterations with its success probability."""

from __future__ import annotations

import math
from fractions import Fraction

from gatesolve.circuit.counting import Resources
from gatesolve.encodings.space import Space
from gatesolve.errors import AncillaBudgetError, DoesNotFitError
from gatesolve.gate_sets import GATE_SETS, GateSet, Lowering, Metric
from gatesolve.oracle.assemble import Oracle
from gatesolve.programs.early_check import find_peak
from gatesolve.programs.program import Program
from gatesolve.programs.provenance import SearchFacts
from gatesolve.programs.reflection import find_mirror, reflection_about_start
from gatesolve.programs.section import Section
from gatesolve.programs.unread import narrow_space

HUGE = 1 << 256
"""Codewords from which angles are computed in whole numbers, as floats no longer hold them."""


def refuse_rotations(program: Program) -> None:
    """Refuse rotations that ``clifford+toffoli`` has not, before a search is run and not only once it is counted."""
    if GATE_SETS[program.lowering.gates].has_toffoli:
        for one in program.sections:
            program.resources(one.name)


def count_whole(program: Program) -> Resources | None:
    """Counts of the whole circuit; None where `refuse_rotations` would refuse it."""
    try:
        return program.resources()
    except DoesNotFitError:
        if not GATE_SETS[program.lowering.gates].has_toffoli:
            raise
        return None


def best_iterations(size: int, marked: int) -> int:
    """Return the number of iterations at the first peak of the success probability.

    With sin(theta) = sqrt(marked / size), the success probability after k iterations is
    sin((2 k + 1) theta)^2 (Boyer, Brassard, Hoyer, Tapp, quant-ph/9605034, section 3).
    """
    if marked <= 0 or marked >= size:
        return 0
    # Beyond floats: the sine of so small an angle is the angle, so pi/4 sqrt(size / marked) is accurate.
    if size > HUGE:
        return math.isqrt(size // marked) * round(math.pi * 2**40) >> 42
    theta = math.asin(math.sqrt(marked / size))
    return find_peak(theta, lambda k: success_probability(size, marked, k))


def success_probability(size: int, marked: int, iterations: int) -> float:
    """Return sin((2 k + 1) theta)^2, the probability that an ideal search measures a marked codeword."""
    if size == 0:
        return 0.0
    if size > HUGE:
        return math.sin(math.sqrt(Fraction((2 * iterations + 1) ** 2 * marked, size))) ** 2
    return math.sin((2 * iterations + 1) * math.asin(math.sqrt(marked / size))) ** 2


def ideal_success(program: Program, marked: int, iterations: int | None = None) -> float:
    """Return the success probability without errors, early check included, after the given or its own iterations."""
    iterations = program.iterations if iterations is None else iterations
    if program.search.early_check is not None:
        return program.search.early_check.success_probability(program.space.size, marked, iterations)
    return success_probability(program.space.size, marked, iterations)


def grover_program(
    space: Space,
    oracle: Oracle,
    iterations: int,
    *,
    ancillas: int | None = None,
    gates: GateSet = "cx+u",
    metric: Metric = "cx",
    spare: int = 1,
) -> Program:
    """Build Grover's search: the space's start, then oracle and reflection about the start, ``iterations`` times.

    Args:
        space: the search space; qubits that the oracle never reads stay zero, and are filled in by `Program.decode`.
        oracle: the phase oracle on its qubits; ancillas follow these.
        iterations: how often oracle and reflection are done.
        ancillas: the most ancillas in all, zero before and after each part; None for as many as help.
        gates: gate set for lowering and export.
        metric: what the reflection and the lowering minimise.
        spare: the most ancillas added for the reflection where the oracle has too few. One is enough for its CX;
            more make it shallower and save one-qubit gates.

    Raises:
        AncillaBudgetError: the budget is below what the oracle uses.
    """
    if ancillas is not None and oracle.num_ancillas > ancillas:
        used = oracle.num_ancillas
        raise AncillaBudgetError(f"the oracle uses {used} ancillas, {ancillas} are allowed", least=used)
    searched, fills = narrow_space(space, oracle.ops, metric)
    mirror = find_mirror(searched, metric)
    spare = min(max(len(mirror.roots) - 3 - len(mirror.idle), 0), spare)
    if ancillas is not None:
        spare = min(spare, ancillas)
    num_ancillas = max(oracle.num_ancillas, spare)
    # All ancillas are zero after the oracle, so the reflection borrows them.
    once = oracle.ops + reflection_about_start(searched, num_ancillas, metric)
    iteration = Section("iteration", once, iterations, oracle)
    sections = (Section("preparation", searched.preparation), iteration)
    return Program(space, sections, num_ancillas, Lowering(gates, metric), SearchFacts(searched, fills))

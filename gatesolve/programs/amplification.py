"""Grover's search in a space: the circuit, and the number of iterations with its success probability."""

from __future__ import annotations

import math
from fractions import Fraction

from gatesolve.circuit.counting import Resources
from gatesolve.circuit.lowering import GATE_SETS, GateSet
from gatesolve.encodings.space import Space
from gatesolve.errors import AncillaBudgetError, DoesNotFitError
from gatesolve.gate_sets import Metric
from gatesolve.oracle.assemble import Oracle
from gatesolve.programs.program import Program
from gatesolve.programs.reflection import find_mirror, reflection_about_start
from gatesolve.programs.section import Section
from gatesolve.programs.unread import narrow_space

HUGE = 1 << 256
"""Codewords from which angles are worked out in whole numbers."""


def refuse_rotations(program: Program) -> None:
    """Refuse a search that ``clifford+toffoli`` cannot write, before it is run and not only once it is counted.

    Raises:
        DoesNotFitError: a section has a rotation that this gate set has not.
    """
    if GATE_SETS[program.gates].has_toffoli:
        for one in program.sections:
            program.section_resources(one.name)


def count_whole(program: Program) -> Resources | None:
    """Counts of the whole circuit; None where `refuse_rotations` would refuse it."""
    try:
        return program.resources()
    except DoesNotFitError:
        if not GATE_SETS[program.gates].has_toffoli:
            raise
        return None


def best_iterations(size: int, marked: int) -> int:
    """The number of iterations at the first peak of the success probability: the likeliest one there.

    With sin(theta) = sqrt(marked / size), the success probability after k iterations is
    sin((2 k + 1) theta)^2 (Boyer, Brassard, Hoyer, Tapp, quant-ph/9605034, section 3).
    """
    if marked <= 0 or marked >= size:
        return 0
    if size > HUGE:  # beyond floats; the sine of so small an angle is the angle
        return math.isqrt(size // marked) * round(math.pi * 2**40) >> 42
    theta = math.asin(math.sqrt(marked / size))
    near = max(0, round(math.pi / (4 * theta) - 0.5))
    return max((near - 1, near, near + 1), key=lambda k: (success_probability(size, marked, k) if k >= 0 else -1, -k))


def success_probability(size: int, marked: int, iterations: int) -> float:
    """sin((2 k + 1) theta)^2 for the ideal search."""
    if size == 0:
        return 0.0
    if size > HUGE:
        return math.sin(math.sqrt(Fraction((2 * iterations + 1) ** 2 * marked, size))) ** 2
    return math.sin((2 * iterations + 1) * math.asin(math.sqrt(marked / size))) ** 2


def ideal_success(program: Program, marked: int, iterations: int | None = None) -> float:
    """Success probability of a search without errors, after its own or so many iterations, early check included."""
    iterations = program.iterations if iterations is None else iterations
    if program.early_check is not None:
        return program.early_check.success_probability(program.space.size, marked, iterations)
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
    """Start in the space, then oracle and reflection about the start, ``iterations`` times.

    The reflection undoes the preparation, or what tells the start apart more cheaply (`find_mirror`), flips the phase
    where all roots are zero, and prepares again; all ancillas are zero there, so it borrows them. There is no target
    qubit in the minus state: a multi-controlled Z needs one control less than the MCX onto it would.
    The oracle's ancillas are right after the space's qubits; ``ancillas`` is the budget in all, None for as many as
    help. ``spare`` are the most taken for the reflection where the oracle leaves it too few; one does for its CX
    count, more make it shallower and save one-qubit gates.

    Qubits that the oracle never reads stay zero, and `Program.decode` deals their values out (`narrow_space`).

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
    once = oracle.ops + reflection_about_start(searched, num_ancillas, metric)
    iteration = Section("iteration", once, iterations, oracle)
    sections = (Section("preparation", searched.preparation), iteration)
    return Program(space, sections, num_ancillas, gates, metric=metric, searched=searched, fills=fills)

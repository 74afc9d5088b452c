"""Exact amplification: a search that succeeds with certainty when the number of solutions is known.

One iteration of the search, the first, has an oracle and a reflection with phases other than -1; all others are
plain. So certainty costs no more iterations than the least that could reach it, and only one of them is dearer.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, replace

import numpy as np

from gatesolve.circuit import Parity, inverse
from gatesolve.errors import AncillaBudgetError, DoesNotFitError
from gatesolve.oracle.phase import one_flip_at_most, phase_ops, with_phase
from gatesolve.programs.amplification import best_iterations, ideal_success
from gatesolve.programs.program import Program, find_searched_space, replace_section
from gatesolve.programs.reflection import find_mirror
from gatesolve.programs.section import Section
from gatesolve.simulate.space import Marked, amplify


@dataclass(frozen=True)
class MatchedPhases:
    """The iterations of a search that ends in the solutions alone, the first one included; none where all states are.

    The phases are those of the first oracle call on solutions (pi is the plain one), and of the first reflection on the
    start state, in radians.
    """

    iterations: int
    oracle: float = math.pi
    reflection: float = math.pi

    @property
    def is_plain(self) -> bool:
        """Whether the plain search is certain as it is."""
        return not self.iterations or self.oracle == self.reflection == math.pi

    @property
    def phases(self) -> tuple[tuple[float, float], ...]:
        """Phases of oracle and reflection, iteration by iteration."""
        if not self.iterations:
            return ()
        return ((self.oracle, self.reflection), *[(math.pi, math.pi)] * (self.iterations - 1))


def match_phases(size: int, marked: int) -> MatchedPhases:
    """Return the least number J of iterations that reaches certainty, and the phases of the first.

    Source: Hoyer, quant-ph/0006031, and Brassard, Hoyer, Mosca, Tapp, quant-ph/0005055, section 2.1, have the
    phases in one iteration, the last; Long, quant-ph/0106071, has them in all, the same in each.

    Raises:
        DoesNotFitError: no state is marked, or more than there are.
    """
    if not 0 < marked <= size:
        raise DoesNotFitError(f"{marked} of {size} states are solutions: certainty needs at least one")
    if marked == size:
        return MatchedPhases(0)
    t = math.atan2(math.sqrt(marked), math.sqrt(size - marked))
    # J is the least number with (2 J + 1) t >= pi/2: no fewer reach certainty with any phases. A state that is there
    # already must not be asked for one iteration more by rounding.
    iterations = max(1, math.ceil(math.pi / (4 * t) - 0.5 - 1e-9))
    # After the first iteration the state has to be at the angle b from the states that are no solutions, up to a global
    # phase: then J - 1 plain iterations take it to pi/2. As t < b <= 3 t, the ratio is sin(r/2)^2 of a reflection phase
    # r for which the weight of the solutions is right. The oracle phase makes the two amplitudes real to one another.
    b = math.pi / 2 - 2 * (iterations - 1) * t
    ratio = math.sin(b + t) / (2 * math.sin(2 * t) * math.cos(b - t))
    # The plain phases match.
    if ratio > 1 - 1e-13:
        return MatchedPhases(iterations)
    reflection = 2 * math.asin(math.sqrt(ratio))
    # The first reflection undone on the state wanted after it; the oracle makes the start state into that.
    gap = (1 - cmath.exp(-1j * reflection)) * math.cos(b - t)
    solutions, others = math.sin(b) - gap * math.sin(t), math.cos(b) - gap * math.cos(t)
    return MatchedPhases(iterations, cmath.phase(solutions / others), reflection)


def exact_program(program: Program, marked: int, *, ancillas: int | None = None) -> Program:
    """Make a Grover search exact: its first iteration, with phases that match the count, becomes part of ``start``.

    The oracle marks exactly ``marked`` codewords. With a budget the program has at most ``ancillas``.

    Returns:
        A program of ``match_phases(...).iterations`` oracle calls, one of them in ``start``, so its ``iterations`` are
        one less. All ancillas are zero at the end. It is plain from the start where the phases come out as pi.

    Raises:
        AncillaBudgetError: the phases need more clean ancillas than the budget allows.
        DoesNotFitError: nothing is marked.

    Cost: in ``cx+u`` the first iteration takes the CX of a plain one if no codeword meets two flips of the oracle, as
    in every oracle with one flip. Else it takes twice the oracle. See `phase_ops` for ``clifford+t``.
    """
    matched = match_phases(program.space.size, marked)
    if matched.is_plain:
        return program.with_iterations(matched.iterations)
    exclusive = one_flip_at_most(program.oracle.ops, program.oracle.num_qubits, program.space)
    # Each of two more ancillas saves rotations (`phase_ops`).
    most = 2 if ancillas is None else min(2, max(ancillas - program.num_ancillas, 0))
    found = []
    for more in range(most + 1):
        try:
            found.append(_with_first(replace(program, num_ancillas=program.num_ancillas + more), matched, exclusive))
        except AncillaBudgetError:
            continue
    if not found:
        needed = program.num_ancillas + most + 1
        raise AncillaBudgetError(
            f"matched phases need {needed} ancilla{'' if needed == 1 else 's'}, {ancillas} are allowed: "
            f"use ancillas={needed} or more",
            least=needed,
        )
    # Of those with the fewest rotations the first, which has the fewest ancillas.
    return min(found, key=lambda one: sum(getattr(op, "name", "") == "p" for op in one.section("preparation").ops))


def success_after(program: Program, marked: int, matched: int | None, iterations: int) -> float:
    """Success probability after ``iterations`` where the oracle marks ``marked`` codewords.

    The phases of the first iteration are those for ``matched`` solutions; None for a plain search.
    """
    if matched is None:
        return ideal_success(program, marked, iterations)
    size = program.space.size
    phases = (*match_phases(size, matched).phases, *[(math.pi, math.pi)] * iterations)[:iterations]
    return amplify(Marked(size, np.arange(marked)), phases).success_probability


def _with_first(program: Program, matched: MatchedPhases, exclusive: bool) -> Program:
    spare = tuple(range(program.oracle.num_qubits, program.num_qubits))
    oracle = with_phase(program.oracle.ops, matched.oracle, spare, program.lowering.gates, exclusive)
    mirror = find_mirror(find_searched_space(program), program.lowering.metric, needs_idle=not program.num_ancillas)
    clean = [*mirror.idle, *range(program.space.num_qubits, program.num_qubits)]
    zero = phase_ops([Parity((q,), True) for q in mirror.roots], clean, matched.reflection, program.lowering.gates)
    reflection = (*inverse(mirror.ops), *zero, *mirror.ops)
    start = Section("preparation", (*program.section("preparation").ops, *oracle, *reflection))
    return replace_section(program, start).with_iterations(matched.iterations - 1)


def cheapest_iterations(size: int, marked: int, start: float, iteration: float) -> int:
    """Return the number of iterations with the least expected cost until a measurement is a solution.

    A run of k iterations costs start + k iteration and succeeds with probability sin((2 k + 1) t)^2. So runs until the
    first success cost the quotient on average. Fewer iterations than the likeliest number win where the start is cheap.
    For a free start the optimum tends to 0.583 sqrt(size / marked), against 0.785 at the peak (Boyer, Brassard, Hoyer,
    Tapp, quant-ph/9605034, section 3). It is at least 1, unless the likeliest number is 0: no iterations at all would
    be guessing, free in CX.
    """
    best = best_iterations(size, marked)
    if best == 0:
        return 0
    numbers = np.arange(1, best + 1)
    angle = math.asin(math.sqrt(marked / size))
    return int(numbers[np.argmin((start + numbers * iteration) / np.sin((2 * numbers + 1) * angle) ** 2)])

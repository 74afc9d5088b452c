"""Grover's search in a space: the circuit, the number of iterations with its success probability, and counting.

Counting is iterative amplitude estimation (Grinko, Gacon, Zoufal, Woerner, arXiv:1912.05559, section 3). After k
iterations a state is marked with probability sin^2((2 k + 1) theta), where the share of marked states is sin^2(theta).
No phase register is needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

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
BATCH = 64
"""Shots between two looks at the interval."""
_QUARTER = math.pi / 2
_ROUNDING = 1e-9


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


@dataclass(frozen=True)
class CountRun:
    """Shots of one circuit: its iterations, the shots, and how many measured a marked state."""

    iterations: int
    shots: int
    hits: int


@dataclass(frozen=True)
class Interval:
    """Angles between which theta is, with the confidence asked for, in a space of ``size`` states."""

    size: int
    low: float = 0.0
    high: float = _QUARTER

    @property
    def numbers(self) -> tuple[int, int]:
        """The least and the largest whole number of marked states."""
        low, high = (self.size * math.sin(angle) ** 2 for angle in (self.low, self.high))
        least = math.ceil(low - _ROUNDING * self.size)
        most = math.floor(high + _ROUNDING * self.size)
        # An interval that is wrong may hold no whole number: the nearest one is told.
        return (least, most) if least <= most else (round(low), round(low))

    def is_within(self, accuracy: float) -> bool:
        """Whether the ends differ from their mean by at most this share, or are one number."""
        least, most = self.numbers
        return most - least <= accuracy * (most + least)

    def narrow(self, run: CountRun, doubt: float) -> Interval:
        """Return the interval that a run leaves; it is wrong with probability ``doubt`` at most."""
        from scipy.stats import beta

        turns, hits, misses = 2 * run.iterations + 1, run.hits, run.shots - run.hits
        # Clopper and Pearson's bounds of a share.
        shares = (
            float(beta.ppf(doubt / 2, hits, misses + 1)) if hits else 0.0,
            float(beta.isf(doubt / 2, hits + 1, misses)) if misses else 1.0,
        )
        angles = [math.asin(math.sqrt(share)) for share in shares]
        quarter = self._quarter(turns)
        if quarter % 2:
            angles = [_QUARTER - angle for angle in reversed(angles)]
        low, high = ((quarter * _QUARTER + angle) / turns for angle in angles)
        return Interval(self.size, min(max(low, self.low), self.high), max(min(high, self.high), self.low))

    def _quarter(self, turns: int) -> int:
        return int(turns * (self.low + self.high) / 2 // _QUARTER)

    def longer(self, iterations: int) -> int | None:
        """Return the most iterations, for at least twice the turns, at which the share tells the angle; or None."""
        least = 2 * (2 * iterations + 1) + 1
        # At most 64 times as many, which is far beyond what one run can tell.
        most = min(int(_QUARTER / max(self.high - self.low, _ROUNDING)) + 1, 64 * least)
        turns = np.arange(least, most + 1, 2, dtype=np.float64)
        # In one quarter of the circle the share rises or falls all the way.
        below = np.floor(turns * self.low / _QUARTER + _ROUNDING)
        fit = np.flatnonzero(np.ceil(turns * self.high / _QUARTER - _ROUNDING) <= below + 1)
        return int(turns[fit[-1]] - 1) // 2 if len(fit) else None


def estimate_marked(
    measure: Callable[[int, int], int], size: int, accuracy: float, confidence: float
) -> tuple[Interval, tuple[CountRun, ...]]:
    """Return an interval for the number of marked states, and the runs that gave it.

    The true number is outside of it with probability 1 - ``confidence`` at most: each look is allowed a share of that,
    and all shares add up to it. About 1 / accuracy times sqrt(size / marked) oracle calls are needed, up to a factor
    that grows with the confidence.

    Args:
        measure: given iterations and shots, returns how many of the shots measured a marked state.
        size: states of the space.
        accuracy: largest distance of the ends from their mean, as a share of it; 0 for one whole number.
        confidence: above 0 and below 1.
    """
    start, done, run, looks = Interval(size), list[CountRun](), CountRun(0, 0, 0), 0
    while True:
        run = CountRun(run.iterations, run.shots + BATCH, run.hits + measure(run.iterations, BATCH))
        looks += 1
        share = (len(done) + 1) * (len(done) + 2) * looks * (looks + 1)
        interval = start.narrow(run, (1 - confidence) / share)
        if interval.is_within(accuracy):
            return interval, (*done, run)
        longer = interval.longer(run.iterations)
        if longer is not None:
            done.append(run)
            start, run, looks = interval, CountRun(longer, 0, 0), 0

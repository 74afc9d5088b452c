"""Compiling one candidate and counting its lowered circuit. Runs in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from gatesolve.api.calls import compile_problem
from gatesolve.api.options import Options
from gatesolve.api.pareto.axes import drop_defaults
from gatesolve.api.settle import settle_options
from gatesolve.circuit.counting import Resources
from gatesolve.costs.front import Row, Settings
from gatesolve.errors import AncillaBudgetError, GatesolveError, InfeasibleError, InputError
from gatesolve.formats.problem import Problem
from gatesolve.model import Model
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.exact import cheapest_iterations, exact_program, match_phases
from gatesolve.planning.clock import Clock
from gatesolve.programs.amplification import best_iterations, success_probability
from gatesolve.programs.program import Program

SUCCESS_TARGETS = (0.0, 0.5, 0.9, 0.99)
"""Success probabilities of which the least number of iterations makes a row of a thorough sweep."""
ESTIMATED = "estimated from the first iterations"
COUNTS = ("qubits", "cx", "t", "depth", "two_qubit_depth", "t_depth", "method")
"""What a row takes over from the counts of its circuit."""
KEPT_COUNTS = 64
"""Programs whose counts are kept: candidates next to one another are often the same circuit."""


@dataclass(frozen=True)
class Measured:
    """The measurements of a candidate.

    Attributes:
        settings: the candidate. With ``iterations`` or ``exact`` it is one circuit, counted whole; without, a scan.
        encoding: of the space, as found.
        presolve: the setting used.
        space_size: codewords.
        marked: of them, solutions.
        ancillas: used by the plain circuit.
        plain: counts of two circuits, the second one iteration longer than the first (see `first`); or of the one.
        refused: why there are no counts; empty if there are.
        least: the least ancilla budget, where that was the reason.
        level: of the oracle, as found.
    """

    settings: Settings
    encoding: str = ""
    presolve: str = ""
    space_size: int = 0
    marked: int = 0
    ancillas: int = 0
    plain: tuple[Resources, ...] = ()
    refused: str = ""
    least: int | None = None
    level: str = ""

    @property
    def first(self) -> int:
        """Iterations of the first circuit of a scan: one, or none where one makes nothing likelier."""
        return min(1, best_iterations(self.space_size, self.marked))

    def rows(self, targets: Sequence[float], exact: Sequence[bool]) -> list[Row]:
        """Rows of a scan at the numbers of iterations worth having: counted where the circuit was, else estimated.

        The least number that reaches a target of success is one. ``exact`` says which of plain (False) and exact (True)
        searches are wanted; an exact one is estimated to cost what as many plain iterations do.
        """
        found = []
        if not self.plain:
            return []
        matched = match_phases(self.space_size, self.marked)
        first, last = self.plain[0].cx, self.plain[-1].cx
        step = last - first if len(self.plain) > 1 else first
        for number in list_iterations(self.space_size, self.marked, max(first - step, 0), step, targets):
            chance = success_probability(self.space_size, self.marked, number)
            # A search that is certain without phases of its own is the exact one too.
            if False in exact or (matched.is_plain and number == matched.iterations):
                counted = _counts_at(self.plain, number - self.first)
                found.append(self._row({"iterations": number}, number, chance, counted))
        if True in exact and not matched.is_plain:
            counted = replace(_counts_at(self.plain, matched.iterations - self.first), method=ESTIMATED)
            found.append(self._row({"exact": True}, matched.iterations, 1.0, counted))
        return found

    def whole(self) -> Row | None:
        """The row of a candidate that is one circuit; None if it was refused."""
        if not self.plain:
            return None
        if self.settings.get("exact"):
            number = match_phases(self.space_size, self.marked).iterations
            return self._row({}, number, 1.0, self.plain[0])
        number = self.settings.get("iterations", 0)
        return self._row({}, number, success_probability(self.space_size, self.marked, number), self.plain[0])

    def _row(self, settings: Settings, iterations: int, success: float, counted: Resources) -> Row:
        found: Settings = {
            name: getattr(self, name) for name in ("encoding", "presolve", "space_size", "marked", "level")
        }
        counts: Settings = {name: getattr(counted, name, None) for name in COUNTS}
        kept = drop_defaults({**self.settings, **settings})
        return Row(settings=kept, iterations=iterations, success=success, **found, **counts)


def _counts_at(known: Sequence[Resources], index: int) -> Resources:
    """Counts at a place in a row of circuits each one iteration longer: known, or going on as the last step went."""
    if index < len(known):
        return known[index]
    before, last = known[-2], known[-1]
    further = index - len(known) + 1
    steps = {}
    for name, value in last.as_dict().items():
        past = getattr(before, name)
        if isinstance(value, int) and isinstance(past, int) and name != "qubits":
            steps[name] = value + further * (value - past)
    return replace(last, **steps, method=ESTIMATED)  # type: ignore[arg-type]


def list_iterations(size: int, marked: int, start: float, iteration: float, targets: Sequence[float] = ()) -> list[int]:
    """Numbers of iterations worth measuring, up to the likeliest.

    These are the one with the least expected cost, the least (but not none) that reaches each target of success, the
    likeliest.
    """
    best = best_iterations(size, marked)
    wanted = {best, cheapest_iterations(size, marked, start, iteration)}
    for target in targets:
        enough = (k for k in range(min(1, best), best + 1) if success_probability(size, marked, k) >= target)
        wanted |= {number for number in [next(enough, None)] if number is not None}
    return sorted(wanted)


def measure(model: Model, settings: Settings) -> Measured:
    """Compile a candidate, certify it, and count its lowered circuits."""
    asked = {name: value for name, value in settings.items() if name not in {"iterations", "exact"}}
    options = settle_options(Options(**asked), Problem(model))
    try:
        compiled = compile_problem(Problem(model), options, Clock(), is_simulated=options.solutions is None)
        return _measure_compiled(compiled, settings, options)
    except (InfeasibleError, InputError):
        raise
    except GatesolveError as error:
        least = error.least if isinstance(error, AncillaBudgetError) else None
        return Measured(settings, refused=str(error), least=least)


def _measure_compiled(compiled: Compiled, settings: Settings, options: Options) -> Measured:
    marked = options.solutions if compiled.certificate.marked is None else compiled.certificate.marked
    if marked is None:
        return Measured(settings, refused="the number of solutions is not known: the space is too large")
    program, size = compiled.program, compiled.program.space.size
    found = Measured(
        settings, compiled.encoding, compiled.presolve, size, marked, program.num_ancillas, level=str(compiled.level)
    )
    if settings.get("exact"):
        certain = exact_program(program, marked, ancillas=options.ancillas)
        return replace(found, plain=(_count_program(certain),))
    if "iterations" in settings:
        return replace(found, plain=(_count_program(program.with_iterations(settings["iterations"])),))
    last = max(found.first, min(match_phases(size, marked).iterations, found.first + 1))
    numbers = range(found.first, last + 1)
    return replace(found, plain=tuple(_count_program(program.with_iterations(k)) for k in numbers))


@lru_cache(maxsize=KEPT_COUNTS)
def _count_program(program: Program) -> Resources:
    """Counts of the whole circuit; the lowered circuit itself is not kept."""
    return replace(program).resources()

"""The public call `pareto`: a sweep over the ways to compile a problem, and the front of their costs.

Axes and their values give the first candidates. Each is compiled and counted in a separate process. Further candidates
follow from the results. The front is counted on whole circuits.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from gatesolve.api.calls import compile_problem, settle_options
from gatesolve.api.options import (
    CIRCUIT_FIELDS,
    FIELDS,
    Options,
    SweepFields,
    check_names,
    check_pipeline,
    shows_options,
)
from gatesolve.api.result import versions
from gatesolve.api.shown_progress import shown_progress
from gatesolve.circuit.counting import Resources
from gatesolve.costs.front import Limits, ParetoFront, Row, Settings, pareto_rows
from gatesolve.division.executors import open_workers
from gatesolve.division.sealed_log import SealedLog
from gatesolve.encodings import UNENCODED
from gatesolve.errors import (
    RENAMED,
    AncillaBudgetError,
    DoesNotFitError,
    GatesolveError,
    InfeasibleError,
    InputError,
    UnsupportedError,
    refuse_renamed,
)
from gatesolve.extensions import Registered
from gatesolve.files import as_path
from gatesolve.formats.problem import Problem
from gatesolve.formats.sources import Source, as_problem
from gatesolve.gate_sets import GATE_SETS
from gatesolve.model import Model
from gatesolve.model.content import content_key
from gatesolve.pipelines.answer import Compiled
from gatesolve.pipelines.exact import cheapest_iterations, exact_program, match_phases
from gatesolve.pipelines.options import choices, refuse_idle, spec
from gatesolve.pipelines.registry import PIPELINES, find_pipeline, options_taken
from gatesolve.planning.clock import Clock, Progress
from gatesolve.programs.amplification import best_iterations, success_probability
from gatesolve.programs.program import Program

if TYPE_CHECKING:
    from gatesolve.circuit.figure import Plot

LEVELS: dict[str, Settings] = {
    **{level: {"oracle": "constraints", "level": level} for level in choices(FIELDS["level"])},
    "classical": {"oracle": "classical"},
}
"""Levels of an oracle, with the options that ask for them."""
ENCODINGS = choices(FIELDS["encoding"])
AXES: dict[str, tuple[Any, ...]] = {
    "encoding": (*(kind for kind in ENCODINGS if kind != "auto"), "auto"),
    "level": tuple(LEVELS),
    "gates": tuple(name for name, facts in GATE_SETS.items() if facts.swept),
    "optimize": choices(FIELDS["optimize"]),
    "measured": (False, True),
    "exact": (False, True),
}
"""Values by axis, in the order in which they are tried. Ancilla budgets and iterations follow from measurements."""
SWEPT = frozenset({*AXES, "iterations", "ancillas", "oracle"})
"""The options that a sweep sets itself."""
DEFAULTS: dict[str, tuple[Any, ...]] = {
    # The smallest space first, should time run out.
    "encoding": tuple(kind for kind in reversed(ENCODINGS) if kind != "auto"),
    "level": (FIELDS["level"].default,),
    "gates": ("cx+u",),
    "measured": (False,),
    "exact": (False,),
}
"""Values of the axes that a quick sweep does not name; axes in which most rows of a whole front differ are left out."""
BUDGET_STEPS = 3
"""Number of ancilla budgets tried below the number that an oracle would use."""
SUCCESS_TARGETS = (0.0, 0.5, 0.9, 0.99)
"""Success probabilities whose least number of iterations becomes a row of a thorough sweep."""
ESTIMATED = "estimated from the first iterations"
COUNTS = ("qubits", "cx", "t", "depth", "two_qubit_depth", "t_depth", "method")
"""Counts of a circuit that a row contains."""
KEPT_COUNTS = 64
"""Number of programs whose counts are cached: neighbouring candidates are often the same circuit."""
MOST_WAITING = 64
"""Most candidates handed out at once."""
SECONDS = 11.0
"""Time after which a quick sweep begins no further candidate."""
PATIENCE = 1.0
"""Seconds between two checks of the time."""
ONE_ORACLE = Registered(next(name for name in PIPELINES if find_pipeline(name).has_one_oracle))
"""The pipeline whose circuits are swept."""
_TAKEN = {"pipeline", *options_taken(ONE_ORACLE).__dataclass_fields__} - SWEPT
SHOWN = {name: one for name, one in CIRCUIT_FIELDS.items() if name in _TAKEN and spec(one).scope != "circuit"}
"""Options that may be set for all candidates."""


def choose_axes(given: Iterable[str], thorough: bool) -> dict[str, tuple[Any, ...]]:
    """Return the values given as ``AXIS=VALUE,VALUE``; for other axes all values, or `DEFAULTS` in a quick sweep."""
    # Loads numpy, which other commands do not need.
    from gatesolve.encodings import encodings

    added = tuple(kind for kind in encodings() if kind not in ENCODINGS)
    # A missing axis means all its values; a quick sweep names all but the metric.
    axes: dict[str, tuple[Any, ...]] = {} if thorough else dict(DEFAULTS)
    # Encodings of other packages.
    if added:
        axes["encoding"] = (*axes.get("encoding", AXES["encoding"]), *added)
    for text in given:
        name, equals, listed = text.partition("=")
        refuse_renamed([name], {**RENAMED, "oracle": "level"})
        if not equals or name not in AXES:
            raise InputError(f"unknown sweep '{text}': write AXIS=VALUE,... with one of {', '.join(AXES)}")
        values = (*AXES[name], *(added if name == "encoding" else ()))
        # Truth values are typed as yes and no.
        offered = {("no", "yes")[value] if isinstance(value, bool) else str(value): value for value in values}
        words = [word for word in listed.split(",") if word]
        unknown = [word for word in words if word not in offered]
        if unknown or not words:
            wrong = f"'{unknown[0]}'" if unknown else "no value"
            raise InputError(f"{wrong} on axis {name}: choose among {', '.join(offered)}")
        axes[name] = tuple(offered[word] for word in dict.fromkeys(words))
    return axes


def first_candidates(axes: Mapping[str, tuple[Any, ...]], fixed: Settings) -> list[Settings]:
    """Return all combinations of the axes except exactness, without an ancilla budget.

    If the sweep does not name them, metrics are those of the gate set, and erasure by measurement is tried only where
    the metric is T.
    """
    found = []
    names = ("encoding", "level", "gates")
    for encoding, level, gates in product(*(axes.get(name, AXES[name]) for name in names)):
        for metric in axes.get("optimize", GATE_SETS[gates].swept):
            for measured in axes.get("measured", AXES["measured"] if metric == "t" else (False,)):
                settings = {"encoding": encoding, **LEVELS[level], "gates": gates, "measured": measured}
                found.append(drop_defaults({**fixed, **settings, "optimize": metric}))
    return found


def is_budgeted(settings: Settings, axes: Mapping[str, tuple[Any, ...]]) -> bool:
    """Return whether smaller ancilla budgets are tried: for one metric of a gate set, and without measurement."""
    usual = GATE_SETS[settings.get("gates", "cx+u")].swept
    return settings.get("optimize", "cx") == axes.get("optimize", usual)[0] and not settings.get("measured")


def drop_defaults(settings: Mapping[str, Any]) -> Settings:
    """Return the settings that differ from the defaults of `Options`, in its order."""
    return {f.name: settings[f.name] for f in fields(Options) if f.name in settings and settings[f.name] != f.default}


def list_budgets(least: int, liked: int, most: int) -> list[int]:
    """Return at most ``most`` ancilla budgets from the least possible to below the number that the oracle would use."""
    if liked <= least:
        return []
    # The budgets are spread evenly from ``least``; ``liked`` itself has been measured already.
    steps = min(most, liked - least)
    return [least + k * (liked - least) // steps for k in range(steps)]


@dataclass(frozen=True)
class Measured:
    """The measurements of a candidate.

    Attributes:
        settings: the candidate. With ``iterations`` or ``exact`` it is one circuit, counted whole; without, a scan.
        space_size: number of codewords.
        marked: number of solutions among them.
        ancillas: ancillas of the plain circuit.
        plain: counts of two circuits, the second one iteration longer than the first (see `first`); or of the one.
        refused: the reason if there are no counts, else empty.
        least: the least ancilla budget, where that was the reason.
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
    def is_probe(self) -> bool:
        """Return whether the candidate only served to find the least ancilla budget."""
        # A budget of 0 is tried only for its error, which states the least sufficient number.
        return self.settings.get("ancillas") == 0 and self.least is not None

    @property
    def first(self) -> int:
        """Return the iterations of the first circuit of a scan: one, or none where one does not raise the success."""
        return min(1, best_iterations(self.space_size, self.marked))

    def rows(self, targets: Sequence[float], exact: Sequence[bool]) -> list[Row]:
        """Return rows of a scan at the useful numbers of iterations: counted where the circuit was, else estimated.

        The least number that reaches one of the success ``targets`` is useful. ``exact`` says whether plain (False) and
        exact (True) searches are wanted.
        """
        found = []
        if not self.plain:
            return []
        matched = match_phases(self.space_size, self.marked)
        first, last = self.plain[0].cx, self.plain[-1].cx
        # The difference of the two circuits is one iteration; ``first`` without it is the preparation.
        step = last - first if len(self.plain) > 1 else first
        for number in list_iterations(self.space_size, self.marked, max(first - step, 0), step, targets):
            chance = success_probability(self.space_size, self.marked, number)
            # A plain search that is certain is also the exact one.
            if False in exact or (matched.is_plain and number == matched.iterations):
                counted = _counts_at(self.plain, number - self.first)
                found.append(self._row({"iterations": number}, number, chance, counted))
        # An exact search is estimated at the cost of as many plain iterations.
        if True in exact and not matched.is_plain:
            counted = replace(_counts_at(self.plain, matched.iterations - self.first), method=ESTIMATED)
            found.append(self._row({"exact": True}, matched.iterations, 1.0, counted))
        return found

    def whole(self) -> Row | None:
        """Return the row of a candidate that is one circuit; None if it was refused."""
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
    """Return counts at an index of a list of circuits, each one iteration longer: known, or extrapolated."""
    if index < len(known):
        return known[index]
    before, last = known[-2], known[-1]
    # Every further iteration adds the same gates as the last known step; the width stays.
    further = index - len(known) + 1
    steps = {}
    for name, value in last.as_dict().items():
        past = getattr(before, name)
        if isinstance(value, int) and isinstance(past, int) and name != "qubits":
            steps[name] = value + further * (value - past)
    return replace(last, **steps, method=ESTIMATED)  # type: ignore[arg-type]


def list_iterations(size: int, marked: int, start: float, iteration: float, targets: Sequence[float] = ()) -> list[int]:
    """Return the useful numbers of iterations, up to the likeliest.

    These are the number of least expected cost, the least (above 0 if possible) that reaches each target of success,
    and the likeliest.
    """
    best = best_iterations(size, marked)
    wanted = {best, cheapest_iterations(size, marked, start, iteration)}
    for target in targets:
        # The success grows up to ``best``, so the first number that is enough is the least.
        enough = (k for k in range(min(1, best), best + 1) if success_probability(size, marked, k) >= target)
        wanted |= {number for number in [next(enough, None)] if number is not None}
    return sorted(wanted)


def measure(model: Model, settings: Settings) -> Measured:
    """Compile a candidate, certify it, and count its lowered circuits."""
    asked = {name: value for name, value in settings.items() if name not in {"iterations", "exact"}}
    options = settle_options(Options(**asked), Problem(model))
    try:
        # With a given number of solutions nothing needs to be counted by simulation.
        compiled = compile_problem(Problem(model), options, Clock(), is_simulated=options.solutions is None)
        return _measure_compiled(compiled, settings, options)
    # These concern the problem or the options and would repeat for every candidate; other errors refuse this one alone.
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
    # Two circuits determine the cost of an iteration; one is enough if the search has no more.
    last = max(found.first, min(match_phases(size, marked).iterations, found.first + 1))
    numbers = range(found.first, last + 1)
    return replace(found, plain=tuple(_count_program(program.with_iterations(k)) for k in numbers))


@lru_cache(maxsize=KEPT_COUNTS)
def _count_program(program: Program) -> Resources:
    # The program is copied, so that its lowered circuit is not cached with the counts.
    return replace(program).resources()


class Sweep(ParetoFront):
    """A Pareto front with a `plot` method."""

    def plot(self) -> Plot:
        """Draw width against cost, coloured by success, as a matplotlib figure."""
        from gatesolve.drawing.plots import plot_front

        return plot_front(self)


@partial(shows_options, shown=SHOWN)
def pareto(
    problem: Source,
    *,
    family: str | None = None,
    sweep: Iterable[str] = (),
    max_qubits: int | None = None,
    min_success: float | None = None,
    thorough: bool = False,
    store: str | Path | None = None,
    jobs: int = 1,
    dask: str | None = None,
    progress: Progress | bool | None = None,
    **options: Unpack[SweepFields],
) -> Sweep:
    """Compile a problem in many ways, measure each circuit, and keep those that no other beats.

    Args:
        problem: puzzle file (``"-"`` for standard input), `Puzzle`, ``cpmpy.Model`` or `Model`.
        family: puzzle family of a file; None detects it from the text.
        sweep: axes to vary, as ``"encoding=binary,table"``: other axes have their usual values.
        max_qubits: most qubits of a row of the front.
        min_success: least success probability of a row of the front; the least number of iterations that reaches it is
            measured too.
        thorough: try all values of other axes, more ancilla budgets and iterations, without a time limit; else no
            candidate is begun after `SECONDS`.
        store: JSON-lines file that is read first and extended with every candidate.
        jobs: number of processes. From a script, more than one needs ``if __name__ == "__main__":`` around the call.
        dask: address of a Dask scheduler whose workers measure, or ``local``.
        progress: None for a bar, True for lines in a log too, False for neither, or a function (stage, done, total).
        **options: fields of `Options`, the same for all candidates.

    Returns:
        The front: ``.rows``, ``.best(...)``, ``.to_csv()``, ``.command(row)``, ``.plot()``.

    Raises:
        InputError: bad input, option, axis or store.
        InfeasibleError: proven to have no solution.
        DoesNotFitError: no candidate fits, or none keeps to the limits.
    """
    limits = Limits(max_qubits, min_success)
    axes, fixed = choose_axes(sweep, thorough), _read_fixed(options)
    kept = MeasuredStore(None if store is None else as_path(store, "store"))
    source = _read_problem(problem, family)
    targets = (*(SUCCESS_TARGETS if thorough else ()), *([] if min_success is None else [min_success]))
    with shown_progress(progress) as told, open_workers(jobs, dask) as workers:
        run = _Scan(source.model, kept, axes, workers.executor, told, None if thorough else time.monotonic() + SECONDS)
        scans, rows = _sweep(run, fixed, targets, limits)
    front = Sweep(
        title=source.title,
        measured=tuple(rows),
        refused=tuple((f.settings, f.refused) for f in scans if f.refused and not f.is_probe),
        computed=run.computed,
        reused=run.reused,
        limits=limits,
        source=str(problem) if isinstance(problem, str | Path) else "FILE",
        thorough=thorough,
        left_out=run.left_out,
    )
    _ = front.rows  # raises if there are none
    return front


def _read_problem(problem: Source, family: str | None) -> Problem:
    source = as_problem(problem, family)
    if source.qubo is not None:
        fault = "pareto compares circuits that mark solutions, and a Qubo has none to mark"
        raise UnsupportedError(f"{fault}: use resources")
    return source


def _sweep(run: _Scan, fixed: Settings, targets: Sequence[float], limits: Limits) -> tuple[list[Measured], list[Row]]:
    """Measure every candidate; return the measurements, and the rows that were worth counting."""
    candidates = first_candidates(run.axes, fixed)
    # Without variables all candidates are the same empty circuit.
    scans = run.all_of(candidates if run.model.variables else candidates[:1])
    # All candidates without anything left to encode are one circuit, of which the first is kept.
    empty = next((scan for scan in scans if scan.encoding == UNENCODED), None)
    scans = [scan for scan in scans if scan.encoding != UNENCODED or scan is empty]
    rows = [row for scan in scans for row in scan.rows(targets, run.axes.get("exact", AXES["exact"]))]
    if not rows:
        raise DoesNotFitError(scans[0].refused)
    return scans, run.count_front(rows, limits)


def _read_fixed(options: Mapping[str, Any]) -> Settings:
    clashing = SWEPT & set(options)
    if clashing:
        raise InputError(f"{min(clashing)} is swept: narrow it by sweep=['AXIS=VALUE'] with one of {', '.join(AXES)}")
    check_names(options, ("family", "sweep", "max_qubits", "min_success", "store", "jobs", "progress"))
    chosen = Options(**options)
    if chosen.pipeline != "auto" and not find_pipeline(chosen.pipeline).has_one_oracle:
        mend = f"leave out pipeline, which is {ONE_ORACLE}"
        raise InputError(f"pareto has no circuits of pipeline='{chosen.pipeline}': {mend}")
    check_pipeline(replace(chosen, pipeline=ONE_ORACLE), options)
    refuse_idle(chosen, "a sweep compiles circuits and runs none", "backend", "shots", "schedule")
    return drop_defaults(vars(chosen))


@dataclass
class _Scan:
    model: Model
    store: MeasuredStore
    axes: dict[str, tuple[Any, ...]]
    executor: Executor
    progress: Progress | None
    deadline: float | None
    stage: str = "sweep"
    computed: int = 0
    reused: int = 0
    left_out: int = 0
    results: dict[str, Measured | None] = field(default_factory=dict)
    todo: deque[tuple[str, Settings]] = field(default_factory=deque)
    done: int = 0
    start: float = 0.0

    def all_of(self, candidates: Iterable[Settings]) -> list[Measured]:
        """Measure the candidates and their followers, as far as time allows, but at least one."""
        # A scan is used twice: for the candidates, and for the circuits of the front.
        self.results, self.done, self.start = {}, 0, time.monotonic()
        self._add(candidates)
        working: dict[Future[Measured], str] = {}
        while self.todo or working:
            if self._is_late():
                # Those that cannot be cancelled end with their process.
                for future in working:
                    future.cancel()
                # In the stage "front" the estimates stay, and no candidate is missing.
                if self.stage == "sweep":
                    self.left_out = sum(found is None for found in self.results.values())
                self.todo.clear()
                break
            while self.todo and len(working) < MOST_WAITING:
                key, settings = self.todo.popleft()
                future = self.executor.submit(measure, self.model, settings)
                working[future] = key
                # An executor in this process runs at once: handle its result before the next candidate.
                if future.done():
                    break
            self._report(len(working))
            done, _ = wait(working, timeout=PATIENCE, return_when=FIRST_COMPLETED)
            for future in done:
                key, found = working.pop(future), future.result()
                self.store.put(key, found)
                self.computed += 1
                self.done += 1
                self._settle(key, found)
        self._report(0)
        return self._in_order()

    def _is_late(self) -> bool:
        if self.deadline is None or time.monotonic() < self.deadline:
            return False
        return self.stage == "front" or any(found is not None and found.plain for found in self.results.values())

    def _in_order(self) -> list[Measured]:
        """Return the measurements by candidate as first listed, then by ancilla budget."""
        found = [found for found in self.results.values() if found is not None]
        # Results arrive in any order, but the front should not depend on the number of processes.
        asked = {key: number for number, key in enumerate(self.results)}

        def place(one: Measured) -> tuple[int, int]:
            budget = one.settings.get("ancillas")
            # A budget is sorted beside the candidate without one, which was listed.
            free = candidate_key(self.model, {name: v for name, v in one.settings.items() if name != "ancillas"})
            return asked.get(free, len(asked)), -1 if budget is None else budget

        return sorted(found, key=place)

    def count_front(self, rows: list[Row], limits: Limits) -> list[Row]:
        """Replace estimates of the front's rows by counts of their whole circuits."""
        self.stage = "front"
        # Counting may move a row off the front, and others onto it: repeat until all rows of the front are counted.
        while True:
            front = pareto_rows(row for row in rows if not limits.excess(row))
            asked = {candidate_key(self.model, row.settings): row for row in front if row.method == ESTIMATED}
            if not asked:
                return rows
            self.all_of(row.settings for row in asked.values())
            late = self._is_late()
            whole = {id(asked[key]): found.whole() for key, found in self.results.items() if found is not None}
            # An exact search may need more ancillas than a budget that a plain one fits.
            rows = [row for old in rows if (row := whole.get(id(old), old)) is not None]
            if late:
                return rows

    def _add(self, candidates: Iterable[Settings]) -> None:
        for settings in candidates:
            key = candidate_key(self.model, settings)
            if key in self.results:
                continue
            # Entered before it is measured: this is the order of the list, and a repetition is not added again.
            self.results[key] = None
            known = self.store.get(key)
            if known is None:
                self.todo.append((key, settings))
            else:
                self.reused += 1
                self._settle(key, known)

    def _settle(self, key: str, found: Measured) -> None:
        self.results[key] = found
        self._add(self._followers(found))

    def _followers(self, found: Measured) -> list[Settings]:
        """Return smaller ancilla budgets: first none, which reveals the least number needed, then some above."""
        settings = found.settings
        if settings.keys() & {"iterations", "exact"} or not is_budgeted(settings, self.axes):
            return []
        if "ancillas" not in settings:
            return [{**settings, "ancillas": 0}] if found.ancillas else []
        # Budgets are derived from the attempt with none, not from each other.
        if settings["ancillas"] != 0:
            return []
        free = {name: value for name, value in settings.items() if name != "ancillas"}
        liked = self.results.get(candidate_key(self.model, free))
        least = found.least if found.refused else 0
        if liked is None or least is None:
            return []
        steps = BUDGET_STEPS if self.deadline is None else 1
        return [drop_defaults({**settings, "ancillas": n}) for n in list_budgets(least, liked.ancillas, steps)]

    def _report(self, working: int) -> None:
        if self.progress is not None:
            total, left = len(self.results), len(self.todo) + working
            self.progress(f"{self.stage}{self._describe_time(left)}", total - left, total)

    def _describe_time(self, left: int) -> str:
        """Return the estimated time for ``left`` more, up to the deadline, in words; empty while unknown."""
        now = time.monotonic()
        if not left or (not self.done and self.deadline is None):
            return ""
        # The average time of a candidate; before the first one is done only the deadline is known.
        seconds = math.inf if not self.done else left * (now - self.start) / self.done
        if self.deadline is not None:
            seconds = min(seconds, max(self.deadline - now, 0))
        return f", about {seconds / 60:.0f} min left" if seconds > 90 else f", about {math.ceil(seconds)} s left"


def candidate_key(model: Model, settings: Settings) -> str:
    """Return a hash of the problem, the candidate and the versions of the packages that affect its counts."""
    return content_key(model, settings, versions())


class MeasuredStore:
    """The measurements of each candidate, by key, in a `SealedLog`, with the same errors."""

    def __init__(self, path: Path | None = None) -> None:
        self._log = SealedLog(path, "not a store of a sweep: use another store")

    def get(self, key: str) -> Measured | None:
        """Return the measurements of a candidate; None if there are none."""
        data = self._log.get(key)
        try:
            return None if data is None else Measured(**{**data, "plain": tuple(Resources(**n) for n in data["plain"])})
        # A valid record, but of another kind.
        except (TypeError, KeyError):
            return None

    def put(self, key: str, found: Measured) -> None:
        """Store measurements; they are on disk when this returns."""
        self._log.put(key, asdict(found))

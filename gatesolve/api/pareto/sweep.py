"""The sweep: candidates measured in parallel, what follows from them, and the front."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from gatesolve.api.options import (
    CIRCUIT_FIELDS,
    Options,
    SweepFields,
    check_names,
    check_pipeline,
    shows_options,
)
from gatesolve.api.pareto.axes import (
    AXES,
    BUDGET_STEPS,
    SWEPT,
    choose_axes,
    drop_defaults,
    first_candidates,
    is_budgeted,
    list_budgets,
)
from gatesolve.api.pareto.measure import ESTIMATED, SUCCESS_TARGETS, Measured, measure
from gatesolve.api.result import versions
from gatesolve.api.shown_progress import shown_progress
from gatesolve.circuit.counting import Resources
from gatesolve.costs.front import Limits, ParetoFront, Row, Settings, pareto_rows
from gatesolve.division.executors import open_workers
from gatesolve.division.sealed_log import SealedLog
from gatesolve.encodings import UNENCODED
from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError
from gatesolve.files import as_path
from gatesolve.formats.problem import Problem
from gatesolve.formats.sources import Source, as_problem
from gatesolve.model import Model
from gatesolve.model.content import content_key
from gatesolve.pipelines.options import refuse_idle, spec
from gatesolve.pipelines.registry import find_pipeline, options_taken
from gatesolve.planning.clock import Progress

if TYPE_CHECKING:
    from gatesolve.circuit.figure import Plot

MOST_WAITING = 64
"""Candidates handed out at once."""
SECONDS = 25.0
"""After which a quick sweep begins nothing more."""
PATIENCE = 1.0
"""Seconds between two looks at the clock."""
_TAKEN = {"pipeline", *options_taken("grover").__dataclass_fields__} - SWEPT
SHOWN = {name: one for name, one in CIRCUIT_FIELDS.items() if name in _TAKEN and spec(one).scope != "circuit"}
"""Options that may be the same for all candidates."""


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
    """Compile a problem in many ways, measure each circuit, and keep those that nothing beats.

    Args:
        problem: puzzle file (``"-"`` for standard input), `Puzzle`, ``cpmpy.Model`` or `Model`.
        family: puzzle family of a file; found from its text when None.
        sweep: what to vary, as ``"encoding=binary,table"``: axes not named take their usual values.
        max_qubits: most qubits of a row of the front.
        min_success: least success probability of a row of the front; the least number of iterations that reaches it
            is measured too.
        thorough: try all values of the axes not named, more ancilla budgets and iterations, however long it takes;
            else no candidate is begun after `SECONDS`.
        store: JSON-lines file that is read first and grows with every candidate.
        jobs: processes. From a script, more than one needs ``if __name__ == "__main__":`` around the call.
        dask: address of a Dask scheduler whose workers measure, or ``local``.
        progress: True for lines in a log too, False for no bar, or a function that is called with (stage, done, total).
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
        refused=tuple((f.settings, f.refused) for f in scans if f.refused and not _is_probe(f)),
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
        raise UnsupportedError(
            "pareto compares circuits that mark solutions, and a Qubo has none to mark: use resources"
        )
    return source


def _sweep(run: _Scan, fixed: Settings, targets: Sequence[float], limits: Limits) -> tuple[list[Measured], list[Row]]:
    """Measure every candidate; return the measurements, and the rows that were worth counting."""
    candidates = first_candidates(run.axes, fixed)
    scans = _drop_repeats(run.all_of(candidates if run.model.variables else candidates[:1]))
    rows = [row for scan in scans for row in scan.rows(targets, run.axes.get("exact", AXES["exact"]))]
    if not rows:
        raise DoesNotFitError(scans[0].refused)
    return scans, run.count_front(rows, limits)


def _drop_repeats(scans: Iterable[Measured]) -> list[Measured]:
    """Keep the first of the candidates for which nothing was left to encode: they are one circuit."""
    kept: list[Measured] = []
    for scan in scans:
        if scan.encoding != UNENCODED or all(one.encoding != UNENCODED for one in kept):
            kept.append(scan)
    return kept


def _read_fixed(options: Mapping[str, Any]) -> Settings:
    clashing = SWEPT & set(options)
    if clashing:
        raise InputError(f"{min(clashing)} is swept: narrow it by sweep=['AXIS=VALUE'] with one of {', '.join(AXES)}")
    check_names(options, ("family", "sweep", "max_qubits", "min_success", "store", "jobs", "progress"))
    chosen = Options(**options)
    if chosen.pipeline != "auto" and not find_pipeline(chosen.pipeline).has_one_oracle:
        raise InputError(f"pareto has no circuits of pipeline='{chosen.pipeline}': leave out pipeline, which is grover")
    check_pipeline(replace(chosen, pipeline="grover"), options)
    refuse_idle(chosen, "a sweep compiles circuits and runs none", "backend", "shots", "schedule")
    return drop_defaults(vars(chosen))


def _is_probe(found: Measured) -> bool:
    """Whether a candidate was only there to ask for the least ancilla budget."""
    return found.settings.get("ancillas") == 0 and found.least is not None


@dataclass
class _Countdown:
    """Candidates done since a start."""

    done: int = 0
    start: float = field(default_factory=time.monotonic)

    def describe(self, left: int, deadline: float | None) -> str:
        """The time for so many more, no later than the deadline, in words; empty while nothing is known of it."""
        now = time.monotonic()
        if not left or (not self.done and deadline is None):
            return ""
        seconds = math.inf if not self.done else left * (now - self.start) / self.done
        if deadline is not None:
            seconds = min(seconds, max(deadline - now, 0))
        return f", about {seconds / 60:.0f} min left" if seconds > 90 else f", about {math.ceil(seconds)} s left"


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
    clock: _Countdown = field(default_factory=_Countdown)

    def all_of(self, candidates: Iterable[Settings]) -> list[Measured]:
        """Measure the candidates and what follows from them, or those for which there is time: one in any case."""
        self.results, self.clock = {}, _Countdown()
        self._add(candidates)
        working: dict[Future[Measured], str] = {}
        while self.todo or working:
            if self._is_late():
                self._give_up(working)
                break
            while self.todo and len(working) < MOST_WAITING:
                key, settings = self.todo.popleft()
                future = self.executor.submit(measure, self.model, settings)
                working[future] = key
                if future.done():
                    break
            self._report(len(working))
            done, _ = wait(working, timeout=PATIENCE, return_when=FIRST_COMPLETED)
            for future in done:
                key, found = working.pop(future), future.result()
                self.store.put(key, found)
                self.computed += 1
                self.clock.done += 1
                self._settle(key, found)
        self._report(0)
        return self._in_order()

    def _is_late(self) -> bool:
        """Whether time is up, and there is something to show for it."""
        if self.deadline is None or time.monotonic() < self.deadline:
            return False
        return self.stage == "front" or any(found is not None and found.plain for found in self.results.values())

    def _give_up(self, working: Iterable[Future[Measured]]) -> None:
        """Leave out what is not done; what cannot be called back ends with its process."""
        for future in working:
            future.cancel()
        if self.stage == "sweep":
            self.left_out = sum(found is None for found in self.results.values())
        self.todo.clear()

    def _in_order(self) -> list[Measured]:
        """Return the measurements by candidate as first listed, then by ancilla budget, whatever order they came in."""
        found = [found for found in self.results.values() if found is not None]
        asked = {key: number for number, key in enumerate(self.results)}

        def place(one: Measured) -> tuple[int, int]:
            budget = one.settings.get("ancillas")
            free = candidate_key(self.model, {name: v for name, v in one.settings.items() if name != "ancillas"})
            return asked.get(free, len(asked)), -1 if budget is None else budget

        return sorted(found, key=place)

    def count_front(self, rows: list[Row], limits: Limits) -> list[Row]:
        """The rows with those of the front counted on their whole circuits instead of estimated."""
        self.stage = "front"
        while True:
            front = pareto_rows(row for row in rows if not limits.excess(row))
            asked = {candidate_key(self.model, row.settings): row for row in front if row.method == ESTIMATED}
            if not asked:
                return rows
            self.all_of(row.settings for row in asked.values())
            late = self._is_late()
            whole = {id(asked[key]): found.whole() for key, found in self.results.items() if found is not None}
            # An exact search may be refused by a budget that a plain one keeps to.
            rows = [row for old in rows if (row := whole.get(id(old), old)) is not None]
            if late:
                return rows

    def _add(self, candidates: Iterable[Settings]) -> None:
        for settings in candidates:
            key = candidate_key(self.model, settings)
            if key in self.results:
                continue
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
        """Smaller ancilla budgets: first none at all, which says how many are needed, then some from there on."""
        settings = found.settings
        if settings.keys() & {"iterations", "exact"} or not is_budgeted(settings, self.axes):
            return []
        if "ancillas" not in settings:
            return [{**settings, "ancillas": 0}] if found.ancillas else []
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
            self.progress(f"{self.stage}{self.clock.describe(left, self.deadline)}", total - left, total)


def candidate_key(model: Model, settings: Settings) -> str:
    """Hash of the problem, the candidate and the versions of what shapes its counts."""
    return content_key(model, settings, versions())


class MeasuredStore:
    """The measurements of each candidate, by key, in a `SealedLog`; raises as that."""

    def __init__(self, path: Path | None = None) -> None:
        self._log = SealedLog(path, "not a store of a sweep: use another store")

    def get(self, key: str) -> Measured | None:
        """Return the measurements of a candidate; None if there are none."""
        data = self._log.get(key)
        try:
            return None if data is None else Measured(**{**data, "plain": tuple(Resources(**n) for n in data["plain"])})
        except (TypeError, KeyError):  # sealed, but by another kind of work
            return None

    def put(self, key: str, found: Measured) -> None:
        """Store measurements; they are on disk when this returns."""
        self._log.put(key, asdict(found))

"""gatesolve as a solver of CPMpy: ``model.solve(solver="gatesolve")``, after one call of `register_cpmpy`.

It follows CPMpy's own interface, ``solvers/TEMPLATE.py``.
"""

from __future__ import annotations

import math
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from numbers import Integral, Real
from typing import Any

import cpmpy as cp
from cpmpy.exceptions import NotSupportedError
from cpmpy.expressions.core import Expression
from cpmpy.expressions.utils import is_num
from cpmpy.expressions.variables import NegBoolView
from cpmpy.solvers.solver_interface import ExitStatus, SolverInterface, SolverStatus
from cpmpy.solvers.utils import SolverLookup
from cpmpy.transformations.get_variables import get_variables, get_variables_model

from gatesolve.api import Accepted, about
from gatesolve.api.options import FIELDS
from gatesolve.api.public import Model, Result, Variable, solve
from gatesolve.errors import DoesNotFitError, UnsupportedError
from gatesolve.formats.sources import as_problem

_LONGEST_ALARM = 1e9
"""Longest alarm that the operating system accepts, in seconds."""
Values = Mapping[str, int]
Show = Callable[[Values], None]
Check = Callable[..., None]
"""A function that raises `_TimeIsUpError` once the time is up; it accepts the arguments of a progress function."""


def register_cpmpy() -> None:
    """Register ``solver="gatesolve"`` with CPMpy, for ``model.solve``, ``model.solveAll`` and ``SolverLookup``.

    A second call changes nothing. ``solver="gatesolve:gas"`` names a pipeline.
    """
    # CPMpy lists its solvers in its code and has no entry points, so its method is replaced.
    others = SolverLookup.base_solvers
    if "gatesolve" not in dict(others()):
        SolverLookup.base_solvers = classmethod(lambda cls: [*others(), ("gatesolve", CPM_gatesolve)])


class CPM_gatesolve(SolverInterface):
    """A CPMpy model compiled to a circuit that is searched on a simulator: every answer was measured there.

    The exit status only states proven facts. ``UNSATISFIABLE``: classical deduction refuted the model, or the oracle
    was run on every codeword and marks none. ``OPTIMAL``: the same holds for anything better. ``UNKNOWN``: the time is
    up, no measurement was accepted, or the search does not fit the simulator.

    The last two reasons come with a warning rather than an error, as in CPMpy's other solvers, so that a caller can try
    the next solver. Models that cannot be compiled raise CPMpy's ``NotSupportedError``.

    Attributes:
        result: the result of the last search: its circuit, certificate and message; None where it was interrupted or
            did not fit.
    """

    def __init__(self, cpm_model: cp.Model | None = None, subsolver: str | None = None) -> None:
        """Take a model; a subsolver is the name of a pipeline."""
        self.result: Result | None = None
        self._model = cp.Model()
        self._pipeline: dict[str, Any] = {} if subsolver is None else {"pipeline": subsolver}
        super().__init__(name="gatesolve", cpm_model=cpm_model)

    @staticmethod
    def supported() -> bool:
        """Return True: the solver can be used wherever gatesolve is installed."""
        return True

    @classmethod
    def version(cls) -> str:
        """Return gatesolve's version."""
        return about.version()

    @property
    def native_model(self) -> Model:
        """Return the model that a search starts from."""
        with _in_words_of_cpmpy():
            return as_problem(self._extend()).model

    def add(self, cpm_expr: Any) -> CPM_gatesolve:
        """Post constraints; the next search compiles them."""
        get_variables(cpm_expr, collect=self.user_vars)
        self._model.add(cpm_expr)
        return self

    __add__ = add

    def objective(self, expr: Any, minimize: bool = True) -> None:
        """Minimise or maximise an expression; the last one given counts."""
        if not isinstance(expr, Expression):
            raise NotSupportedError(f"gatesolve cannot optimise '{expr}': give an expression of whole numbers")
        get_variables(expr, collect=self.user_vars)
        self._model.objective(expr, minimize)

    def has_objective(self) -> bool:
        """Return whether there is an objective."""
        return bool(self._model.has_objective())

    def solver_var(self, cpm_var: Any) -> Any:
        """Return the `Variable` of a CPMpy variable; a number is returned unchanged."""
        if is_num(cpm_var):
            return cpm_var
        if isinstance(cpm_var, NegBoolView):
            raise NotSupportedError(f"gatesolve has no variable for {cpm_var}: ask for the one that it negates")
        domain = tuple(range(cpm_var.lb, cpm_var.ub + 1))
        return self._varmap.setdefault(cpm_var.name, Variable(cpm_var.name, domain))

    def solve(self, time_limit: float | None = None, display: Any = None, **options: Any) -> bool:
        """Search for a solution; with an objective for the best.

        Args:
            time_limit: in seconds; the best solution measured until then is kept. Outside of the main thread the time
                is checked only between two stages of a search, so it may take longer there.
            display: expressions to print, or a function to call, at each solution; with an objective they get better.
            **options: options of `gatesolve.solve`, as ``pipeline``, ``backend``, ``presolve``, ``max_space``,
            ``seed``.

        Returns:
            Whether the variables have values of a solution now.

        Raises:
            NotSupportedError: assumptions, or a model that cannot be compiled.
            InputError: an unknown option.
        """
        start, shown = time.monotonic(), list[Values]()

        def show(solution: Values) -> None:
            shown.append(solution)
            self._take_values(solution)
            self.print_display(display)

        self.result = None
        with _time_limit(time_limit) as check:
            self.result = self._search(self._extend(), check, show, options)
        result = self.result
        # The answer is shown unless it was the last one accepted during the search.
        if result is not None and result.solution is not None and result.solution not in shown[-1:]:
            show(result.solution)
        is_best = self.has_objective() and result is not None and bool(result.optimal)
        is_refuted = result is not None and result.status == "infeasible"
        self._conclude(start, bool(shown), is_best if shown else is_refuted)
        self.objective_value_ = int(self._model.objective_value()) if shown and self.has_objective() else None
        return bool(shown)

    def solveAll(
        self,
        display: Any = None,
        time_limit: float | None = None,
        solution_limit: int | None = None,
        call_from_model: bool = False,
        **options: Any,
    ) -> int:
        """Count the solutions, and show each.

        One circuit is compiled and measured until each of the codewords that its certificate counts was measured. There
        is no such count in a search in parts, or in a pipeline that measures one solution. Then the model is searched
        again without the solutions so far, until that is refuted. The model itself stays unchanged.

        Args:
            display: expressions to print, or a function to call, at each solution.
            time_limit: in seconds, as in `solve`.
            solution_limit: stop after this number; 0 or less is no limit, as for OR-Tools.
            call_from_model: has no effect.
            **options: as in `solve`.

        Returns:
            The number of solutions; ``status()`` is OPTIMAL where these are all, FEASIBLE where there may be more.

        Raises:
            NotSupportedError: as `solve`, and where there is an objective.
            ValueError: a limit that is not a number of solutions or of seconds.
        """
        limit = _read_solution_limit(solution_limit)
        if self.has_objective():
            raise NotSupportedError("gatesolve does not list all optimal solutions: post the objective's value instead")
        start, found, is_complete, accepted = time.monotonic(), 0, False, list[Values]()

        def show(solution: Values) -> None:
            nonlocal found
            found += 1
            self._take_values(solution)
            self.print_display(display)

        with _time_limit(time_limit) as check:
            for batch, is_complete in self._list_batches(check, accepted.append, options):
                for solution in batch[: None if limit is None else limit - found]:
                    show(solution)
                if found == limit:
                    is_complete = False
                    break
        # The time was up before the end of the first search.
        if accepted and not found:
            show(accepted[0])
        self._conclude(start, found > 0, is_complete)
        return found

    def _list_batches(self, check: Check, show: Show, options: dict[str, Any]) -> Iterator[tuple[list[Values], bool]]:
        """Yield new solutions, and whether there are no others; ``show`` receives solutions as they are accepted."""
        excluded, listed = list[Any](), dict[frozenset[tuple[str, int]], Values]()
        while True:
            self.result = result = self._search(self._extend(excluded), check, show, options)
            if result is None or result.solution is None:
                yield [], result is not None and result.status == "infeasible"
                return
            counted, measured = _list_measured(result)
            new = {key: one for one in measured if (key := frozenset(one.items())) not in listed}
            listed |= new
            yield list(new.values()), len(listed) == counted
            if len(listed) == counted:
                return
            # No count, or a whole batch without a new solution: the search is compiled again without the known ones.
            if counted is None or not new:
                excluded += [cp.any([v != one[v.name] for v in self.user_vars]) for one in listed.values()]
                listed.clear()
            else:
                # Coupon collector: this number of shots misses one of them with a probability below e^-5.
                shots = math.ceil(counted * (math.log(counted) + 5) / (result.success_probability or 1))
                options = {
                    **options,
                    "shots": min(shots, int(FIELDS["shots"].metadata["spec"].most)),
                    # The same seed would measure the same codewords again.
                    "seed": result.options.seed + 1,
                }

    def _search(self, model: cp.Model, check: Check, show: Show, options: dict[str, Any]) -> Result | None:
        """Run one search, and show solutions as they are accepted; None, with a warning, where it does not fit."""
        if options.pop("assumptions", None) is not None:
            raise NotSupportedError("gatesolve takes no assumptions: add them to the model as constraints")

        def told(event: object) -> None:
            if isinstance(event, Accepted):
                show(event.solution)

        try:
            with _in_words_of_cpmpy():
                # x
                result = solve(model, progress=check, on_event=told, **self._pipeline, **options)
        except DoesNotFitError as error:
            warnings.warn(f"gatesolve gave up: {error}", stacklevel=4)
            return None
        if result.status == "unsolved":
            warnings.warn(f"gatesolve gave up: {result.message}", stacklevel=4)
        return result

    def _extend(self, more: Sequence[Any] = ()) -> cp.Model:
        """Return the model with further constraints, and with all of the user's variables."""
        model = self._model.copy()
        # A variable of a former objective may be in no constraint; a trivial one keeps it in the model.
        missing = self.user_vars - set(get_variables_model(model))
        model.constraints = [*model.constraints, *(v >= v.lb for v in missing), *more]
        return model

    def _take_values(self, solution: Values) -> None:
        for variable in self.user_vars:
            # CPMpy's Booleans have values of type bool.
            variable._value = (bool if variable.is_bool() else int)(solution[variable.name])

    def _conclude(self, start: float, is_found: bool, is_complete: bool) -> None:
        """Set the status; without a solution the variables have no values."""
        self.cpm_status = SolverStatus(self.name)
        self.cpm_status.solve_time = time.monotonic() - start
        if is_found:
            self.cpm_status.exitstatus = ExitStatus.OPTIMAL if is_complete else ExitStatus.FEASIBLE
            return
        self.cpm_status.exitstatus = ExitStatus.UNSATISFIABLE if is_complete else ExitStatus.UNKNOWN
        for variable in self.user_vars:
            variable.clear()


def _list_measured(result: Result) -> tuple[int | None, list[Values]]:
    """Return the number of solutions, if each is a codeword of one circuit, and the measured solutions."""
    measured, compiled = getattr(result.chart, "measured", ()), result.compiled
    # Only one circuit for the whole model has a count of its codewords.
    if not measured or compiled is None or result.marked is None or result.division is not None:
        assert result.solution is not None
        return None, [result.solution]
    # A codeword stands for several solutions where no constraint reads a variable.
    counted = result.marked if result.marked == result.solutions else None
    return counted, [compiled.recovery.recover(one.values) for one in measured if one.accepted]


@contextmanager
def _in_words_of_cpmpy() -> Iterator[None]:
    try:
        yield
    except UnsupportedError as error:
        raise NotSupportedError(f"gatesolve: {error}") from error


class _TimeIsUpError(BaseException):
    """The time is up. A BaseException, like a user's interruption, so that no handler of faults catches it."""


def _read_solution_limit(given: Any) -> int | None:
    """Return the limit, None for no limit."""
    if given is not None and not isinstance(given, Integral):
        raise ValueError(f"solution_limit is {given!r:.60}: give a whole number, or None for all solutions")
    return None if given is None or given <= 0 else int(given)


@contextmanager
def _time_limit(seconds: Any) -> Iterator[Check]:
    """End the code inside after ``seconds``: by an alarm in the main thread, and wherever ``Check`` is called."""
    if seconds is not None and not (isinstance(seconds, Real) and float(seconds) > 0):
        raise ValueError(f"time_limit is {seconds!r:.60}: give a positive number of seconds")
    end = math.inf if seconds is None else time.monotonic() + float(seconds)

    told = False

    def check(*_: object) -> None:
        nonlocal told
        if time.monotonic() >= end:
            told = True
            raise _TimeIsUpError

    def ring(*_: object) -> None:
        # A second error while the first one is on its way out of this function would reach the caller.
        if not told:
            check()

    with suppress(_TimeIsUpError), ExitStack() as stack:
        if seconds is not None and threading.current_thread() is threading.main_thread():
            # Slightly late, so that ``check`` finds the time to be up.
            stack.enter_context(_alarm(min(float(seconds), _LONGEST_ALARM) + 0.01, ring))
        yield check


@contextmanager
def _alarm(seconds: float, call: Check) -> Iterator[None]:
    """Call a function after ``seconds``; a caller's own alarm keeps its time, and is left alone if it is earlier."""
    start, (left, again) = time.monotonic(), signal.getitimer(signal.ITIMER_REAL)
    # The caller's alarm comes first, and ends this search as the caller intended.
    if 0 < left <= seconds:
        yield
        return
    former = signal.signal(signal.SIGALRM, call)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
        if left:
            # A time of 0 would cancel the caller's alarm, so one that is overdue gets a microsecond.
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - start), 1e-6), again)

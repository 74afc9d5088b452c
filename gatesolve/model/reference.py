"""The reference solver: OR-Tools through CPMpy, used to check everything else."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np

from gatesolve.errors import DoesNotFitError, GatesolveError, InfeasibleError, InputError, one_line
from gatesolve.extensions import cpmpy
from gatesolve.model.constraints import Constraint, Domains, members_to_cpmpy, table_to_cpmpy
from gatesolve.model.merge import tuples_of
from gatesolve.model.model import Model
from gatesolve.model.terms import make_fixed

MOST_TUPLES = 1 << 16
"""Most tuples by which a constraint is stated that has no expression of CPMpy's."""
MOST_SOLVED = 1 << 50
"""The largest number that OR-Tools may meet: it calls some models unsatisfiable that reach 10^17,
and compares objectives as floats."""


@contextmanager
def refuse_numbers() -> Iterator[None]:
    """Raise `DoesNotFitError` where CPMpy or OR-Tools does not take a model.

    Both raise errors of many kinds for numbers near the ends of a machine word, and OR-Tools a plain ``Exception``.
    """
    try:
        yield
    except GatesolveError:
        raise
    except Exception as error:
        reason = one_line(str(error))[:80]
        raise DoesNotFitError(f"the solver does not take the model, use smaller numbers: {reason}") from error


def refuse_large(problem: cpmpy.Model) -> None:
    """Raise `DoesNotFitError` where OR-Tools might compute with a number beyond `MOST_SOLVED`.

    It sees no overflow in quotients, remainders, products, and weights times other variables, and loses solutions
    without a word.
    """
    sizes = _Sizes()
    for part in (*problem.constraints, problem.objective_):
        # A comparison is linear in both sides, so each side is bounded as a sum.
        for whole in part.args if getattr(part, "name", "") in {"==", "!=", "<=", ">="} else [part]:
            sizes.bound_whole(whole)


class _Sizes:
    """How large the numbers of expressions can be."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}
        self._most = self._weight = 1

    def bound(self, part: Any) -> int:
        """A number that no value of an expression exceeds in size."""
        if isinstance(part, np.ndarray) and part.dtype != object:
            return self._keep(max(abs(int(part.min())), abs(int(part.max()))) if part.size else 0)
        if isinstance(part, list | tuple | np.ndarray):
            return max(map(self.bound, part), default=0)
        if part is None or isinstance(part, Integral | np.bool_):
            return self._keep(abs(int(part or 0)))
        # By identity, because comparing CPMpy expressions makes a new expression.
        if id(part) not in self._known:
            ends = (part.lb, part.ub) if hasattr(part, "lb") else ()
            # Variables state their bounds; only compound expressions need arithmetic.
            size = self._keep(max(abs(int(end)) for end in ends) if ends else self._apply(part.name, part.args))
            self._known[id(part)] = 1 if part.is_bool() else size
        return self._known[id(part)]

    def bound_whole(self, part: Any) -> None:
        """Look at an objective or a side of a constraint: a sum there is no value that weights are multiplied by."""
        if getattr(part, "name", "") in {"sum", "wsum"} and hasattr(part, "args"):
            self._refuse_beyond(self._apply(part.name, part.args))
        else:
            self.bound(part)

    def _keep(self, size: int, weight: int = 1) -> int:
        self._most, self._weight = max(self._most, size), max(self._weight, weight)
        self._refuse_beyond(self._most * self._weight)
        return size

    def _refuse_beyond(self, size: int) -> None:
        if size > MOST_SOLVED:
            raise DoesNotFitError("the solver is asked with numbers up to 2^50: divide the model's by a common one")

    def _apply(self, name: str, args: Any) -> int:
        if name == "wsum":
            return sum(self._weigh(int(weight), one) for weight, one in zip(*args, strict=True))
        if name == "mul" and (fixed := next((one for one in args if isinstance(one, Integral)), None)) is not None:
            return self._weigh(int(fixed), args[1] if fixed is args[0] else args[0])
        if name == "sum":  # its products by numbers are no values either
            weighs = (getattr(one, "name", "") == "mul" and hasattr(one, "args") for one in args)
            parts = zip(weighs, args, strict=True)
            return sum(self._apply("mul", one.args) if is_weighed else self.bound(one) for is_weighed, one in parts)
        sizes = [self.bound(one) for one in args]
        match name:
            case "sub" | "-" | "==" | "!=" | "<=" | "<" | ">=" | ">":
                return sum(sizes)
            case "and" | "or" | "not" | "->" | "xor" | "boolval" | "table" | "alldifferent" | "element" | "max" | "abs":
                return max(sizes, default=0)
            case "div" | "mod" if isinstance(args[1], Integral):
                return max(sizes)
            case "pow":
                return int(sizes[0] ** min(sizes[1], MOST_SOLVED.bit_length()))
            case _:  # OR-Tools multiplies quotients by what they are of
                return math.prod(max(size, 1) for size in sizes)

    def _weigh(self, weight: int, part: Any) -> int:
        size = self.bound(part)
        self._keep(size, abs(weight))
        return abs(weight) * size


def to_cpmpy(model: Model) -> tuple[cpmpy.Model, dict[str, Any]]:
    """Return the problem as a CPMpy model, and its variable for each name.

    CPMpy reserves some names, so its variables are called ``v0, v1, ...``.
    """
    variables = {v.name: cpmpy.intvar(v.domain[0], v.domain[-1], name=f"v{k}") for k, v in enumerate(model.variables)}
    # the domain is always stated: a variable no constraint reads would be unknown to the solver
    known = [members_to_cpmpy(x, v.domain) for x, v in zip(variables.values(), model.variables, strict=True)]
    result = cpmpy.Model(known + [_to_constraint(c, variables, model.domains) for c in model.constraints])
    if model.objective is not None and model.objective.scope:
        goal = model.objective.term.to_cpmpy(variables)
        # CPMpy may find that all terms cancel, and asks for an expression then too
        goal = make_fixed(int(goal)) if isinstance(goal, Integral) else goal
        result.objective(goal, minimize=model.objective.sense == "min")
    return result, variables


def run_solver(problem: cpmpy.Model, display: Callable[[], None] | None = None, **parameters: Any) -> str:
    """Run OR-Tools on a model of CPMpy, whose variables then have values; list all solutions if they are displayed.

    Ctrl-C ends the run. By default OR-Tools catches it, returns as if it had finished, and leaves the signal with the
    system's own action, so that the next one ends Python.

    Returns:
        ``OPTIMAL``, ``FEASIBLE``, ``UNSATISFIABLE``, or at a limit ``UNKNOWN``.
    """
    return _run(problem, display, **parameters)[0]


def _run(problem: cpmpy.Model, display: Callable[[], None] | None = None, **parameters: Any) -> tuple[str, int]:
    """Return as `run_solver`, and the branches of OR-Tools' search."""
    solver = cpmpy.SolverLookup.get("ortools", problem)
    run = solver.solve if display is None else partial(solver.solveAll, display=display)
    # Python handles signals in its main thread only, which would not come back from OR-Tools before the end.
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run, catch_sigint_signal=False, **parameters)
        try:
            running.result()
        except BaseException:
            while not running.done():
                solver.ort_solver.stop_search()
                wait([running], timeout=0.05)
            raise
    return str(solver.status().exitstatus.name), int(solver.ort_solver.num_branches)


@refuse_numbers()
def find_solutions(model: Model, limit: int | None = None) -> list[dict[str, int]]:
    """All solutions, or some ``limit`` of them, in ascending order; the objective plays no part."""
    return [] if limit is not None and limit <= 0 else find_some(model, limit)[0]


@refuse_numbers()
def find_some(
    model: Model, limit: int | None = None, seconds: float | None = None
) -> tuple[list[dict[str, int]], bool]:
    """Return up to ``limit`` solutions, in ascending order, that are found in time, and whether these are all."""
    if not model.variables:
        return [{}] * model.check({}), True
    names, most = [v.name for v in model.variables], limit
    end = math.inf if seconds is None else time.monotonic() + seconds
    while True:
        time_limit = None if seconds is None else max(0.1, end - time.monotonic())
        found, done = _list_solutions(model, solution_limit=most, time_limit=time_limit)
        if most is None or limit is None or done or len(found) >= limit or time.monotonic() >= end:
            is_all = done and (limit is None or len(found) <= limit)
            return [dict(zip(names, row, strict=True)) for row in sorted(found)[:limit]], is_all
        # OR-Tools may return a solution more than once, so fewer different ones were found than asked for.
        most *= 2


@refuse_numbers()
def count_solutions(model: Model, limit: int, seconds: float) -> int | None:
    """How many solutions there are, if that is at most ``limit`` and found in time; else None."""
    if not model.variables:
        return int(model.check({}))
    # One solution beyond the limit shows that there are more.
    found, done = _list_solutions(model, solution_limit=limit + 1, time_limit=seconds)
    return len(found) if done and len(found) <= limit else None


def _list_solutions(model: Model, **limits: Any) -> tuple[set[tuple[int, ...]], bool]:
    """Return solutions up to OR-Tools' limits, and whether these are all."""
    problem, variables = to_cpmpy(Model(model.variables, model.constraints))
    refuse_large(problem)
    # A set: where an auxiliary variable of CPMpy is free, OR-Tools finds a solution more than once.
    found = set[tuple[int, ...]]()

    def keep() -> None:
        found.add(tuple(int(v.value()) for v in variables.values()))

    # OR-Tools 9.15 loses solutions of some models where it presolves them
    return found, run_solver(problem, keep, cp_model_presolve=False, **limits) in {"OPTIMAL", "UNSATISFIABLE"}


@refuse_numbers()
def find_optimum(model: Model) -> tuple[dict[str, int], int] | None:
    """A best solution and its objective value, or None when there is no solution.

    Raises:
        InputError: the model has no objective.
    """
    if model.objective is None:
        raise InputError("the model has no objective: add one, or ask for solutions")
    if not model.variables:
        return ({}, model.objective.value({})) if model.check({}) else None
    problem, variables = to_cpmpy(model)
    refuse_large(problem)
    # one worker: the same answer on every run; OR-Tools 9.15 loses optima where it may drop solutions beforehand
    if run_solver(problem, num_workers=1, keep_all_feasible_solutions_in_presolve=True) == "UNSATISFIABLE":
        return None
    best = {name: int(v.value()) for name, v in variables.items()}
    return best, model.objective.value(best)


@dataclass(frozen=True)
class SolverOutcome:
    """The outcome of a search by OR-Tools within a limit.

    Attributes:
        solution: the best that was found; None for none.
        is_best: whether it proved that no solution is better.
        is_refuted: whether it proved that there is none.
        branches: of its search.
    """

    solution: dict[str, int] | None
    is_best: bool
    is_refuted: bool
    branches: int


def find_within(model: Model, work: float, penalties: Sequence[tuple[int, Constraint]] = ()) -> dict[str, int] | None:
    """Return the solution of `seek_within`; None if there was none in time.

    Raises:
        InfeasibleError: there is no solution.
        DoesNotFitError: the solver does not take the model.
    """
    sought = seek_within(model, work, penalties)
    if sought.is_refuted:
        raise InfeasibleError("the reference solver proved that there is no solution")
    return sought.solution


@refuse_numbers()
def seek_within(model: Model, work: float, penalties: Sequence[tuple[int, Constraint]] = ()) -> SolverOutcome:
    """Seek a solution within a limit, with an objective the best one.

    Args:
        model: its objective counts.
        work: a limit in OR-Tools' deterministic time, the same everywhere.
        penalties: weights of further constraints, each paid where its constraint is broken, beside an objective that
            is minimised.

    Raises:
        DoesNotFitError: the solver does not take the model.
    """
    problem, variables = to_cpmpy(model)
    if penalties:
        broken = [weight * (1 - _to_constraint(rule, variables, model.domains)) for weight, rule in penalties]
        problem.minimize(sum(broken) + (0 if problem.objective_ is None else problem.objective_))
    refuse_large(problem)
    # OR-Tools 9.15 loses optima where it may drop solutions beforehand.
    status, branches = _run(
        problem, num_workers=1, max_deterministic_time=work, keep_all_feasible_solutions_in_presolve=True
    )
    is_found = status not in {"UNSATISFIABLE", "UNKNOWN"}
    solution = {name: int(variable.value()) for name, variable in variables.items()} if is_found else None
    # Only these two are proofs; a timeout is not.
    return SolverOutcome(solution, status == "OPTIMAL", status == "UNSATISFIABLE", branches)


def _to_constraint(constraint: Constraint, variables: dict[str, Any], domains: Domains) -> Any:
    """By the kind's own expression, else by its tuples."""
    found = constraint.to_cpmpy(variables)
    if found is not None:
        return found
    names = tuple(dict.fromkeys(constraint.scope))
    tuples = tuples_of(names, domains, [constraint], MOST_TUPLES, work=40 * MOST_TUPLES)
    if tuples is None:
        raise DoesNotFitError(f"constraint '{constraint}' has too many tuples to list: give its kind to_cpmpy()")
    return table_to_cpmpy([variables[name] for name in names], tuples)

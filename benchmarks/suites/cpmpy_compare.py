"""One CPMpy expression through our lowering and our compiler, against a truth that is not ours."""

from __future__ import annotations

import math
import operator
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import cpmpy as cp
import numpy as np
from cpmpy.exceptions import IncompleteFunctionError
from cpmpy.expressions.core import BoolVal, Comparison, Expression, Operator
from cpmpy.expressions.utils import argval
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl
from cpmpy.transformations.get_variables import get_variables
from numpy.typing import NDArray

import gatesolve.formats
from benchmarks.core.processes import TooSlow, time_limit
from benchmarks.core.rows import Row, Table
from gatesolve.encodings import make_spaces
from gatesolve.errors import GatesolveError, InfeasibleError
from gatesolve.oracle import assemble, choose_lowered, literal_conditions
from gatesolve.simulate import PhaseCheck

Rows = NDArray[np.int64]
Column = tuple[NDArray[np.int64], NDArray[np.bool_]]
"""Values, and where they are defined."""
COMPARE = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Truth:
    """Truths of expressions on all assignments, or on given ones; atoms of one shape are evaluated once.

    Args:
        probes: assignments on which each expression's truth is compared with CPMpy's ``value()`` of the whole.
    """

    def __init__(self, probes: int = 24) -> None:
        self.probes = probes
        self._known: dict[object, Column] = {}

    def table(self, expression: Any) -> tuple[list[Any], Rows, NDArray[np.bool_]]:
        """The variables, every assignment to them (one a row, ascending), and the truth of each.

        Raises:
            AssertionError: CPMpy's ``value()`` differs on a row that was probed.
        """
        variables = list(get_variables(expression))
        rows = list_rows(variables)
        place = {id(v): rows[:, k] for k, v in enumerate(variables)}
        values, defined = self._column(expression, place, len(rows))
        truth = (values != 0) & defined
        draw = np.random.default_rng(len(rows))
        for row in draw.choice(len(rows), min(self.probes, len(rows)), replace=False):
            set_values(variables, rows[row])
            assert bool(argval(expression)) == truth[row], f"value() of {expression} differs at {rows[row]}"
        return variables, rows, truth

    def _column(self, part: Any, place: dict[int, Rows], length: int) -> Column:
        """Values of a part of an expression on all rows; ``place`` has each variable's column."""
        if isinstance(part, NegBoolView):
            return 1 - place[id(part._bv)], np.ones(length, dtype=bool)
        if isinstance(part, _NumVarImpl):
            return place[id(part)], np.ones(length, dtype=bool)
        if isinstance(part, BoolVal) or not isinstance(part, Expression):
            return np.full(length, int(argval(part))), np.ones(length, dtype=bool)
        if isinstance(part, Comparison):
            (left, known), (right, also) = (self._column(side, place, length) for side in part.args)
            return (COMPARE[part.name](left, right) & known & also).astype(np.int64), np.ones(length, dtype=bool)
        if isinstance(part, Operator) and part.is_bool():
            sides = [self._column(side, place, length)[0] != 0 for side in part.args]
            if part.name in ("not", "->"):
                found = ~sides[0] if part.name == "not" else ~sides[0] | sides[1]
            else:
                found = reduce(np.logical_and if part.name == "and" else np.logical_or, sides)
            return found.astype(np.int64), np.ones(length, dtype=bool)
        return self._atom(part, place, length)

    def _atom(self, part: Expression, place: dict[int, Rows], length: int) -> Column:
        own = list(get_variables(part))
        key = shape_of(part, {id(v): k for k, v in enumerate(own)}), tuple((v.lb, v.ub, v.is_bool()) for v in own)
        if key not in self._known:
            self._known[key] = evaluate_rows(part, own)
        values, defined = self._known[key]
        index = np.zeros(length, dtype=np.int64)
        for variable in own:
            index = index * (variable.ub - variable.lb + 1) + place[id(variable)] - variable.lb
        return values[index], defined[index]


def list_rows(variables: Sequence[Any]) -> Rows:
    """All assignments, one a row, the last variable the fastest."""
    sizes = [v.ub - v.lb + 1 for v in variables]
    lows = np.array([v.lb for v in variables], dtype=np.int64)
    return np.indices(sizes).reshape(len(sizes), math.prod(sizes)).T.astype(np.int64) + lows


def set_values(variables: Iterable[Any], values: Iterable[int]) -> None:
    for variable, value in zip(variables, values, strict=True):
        variable._value = bool(value) if variable.is_bool() else int(value)


def evaluate_rows(part: Expression, variables: Sequence[Any]) -> Column:
    """CPMpy's own value on every assignment."""
    rows = list_rows(variables)
    values, defined = np.zeros(len(rows), dtype=np.int64), np.ones(len(rows), dtype=bool)
    for number, row in enumerate(rows.tolist()):
        set_values(variables, row)
        try:
            values[number] = argval(part)
        except IncompleteFunctionError:
            defined[number] = False
    return values, defined


def shape_of(part: Any, place: dict[int, int]) -> object:
    """An expression's structure with its variables numbered: the same for two that differ in names alone."""
    if isinstance(part, NegBoolView):
        return "negated", place[id(part._bv)]
    if isinstance(part, _NumVarImpl):
        return "variable", place[id(part)]
    if isinstance(part, Expression):
        # some constraints keep their data outside of ``args``: the transitions of an MDD
        data = {key: repr(value) for key, value in vars(part).items() if key not in ("_args", "_has_subexpr")}
        return type(part).__name__, part.name, shape_of(part.args, place), tuple(data.items())
    if isinstance(part, (list, tuple, np.ndarray)):
        return tuple(shape_of(one, place) for one in part)
    return repr(part)


def list_with_ortools(expression: Any, variables: Sequence[Any], most: int) -> set[tuple[int | None, ...]] | None:
    """Values of the variables in every solution that OR-Tools finds; None instead of more than ``most``.

    Auxiliary variables are not among them. A variable that the solver never saw has the value None: it may be anything.
    """
    found: set[tuple[int | None, ...]] = set()
    for variable in variables:
        variable._value = None

    def keep() -> None:
        found.add(tuple(None if v.value() is None else int(v.value()) for v in variables))

    number = cp.Model(expression).solveAll(solver="ortools", display=keep, solution_limit=most + 1)
    return None if number > most else found


class Differs(Exception):
    """Ours and the truth are two; the text says where."""


@dataclass(frozen=True)
class Limits:
    """How far an expression is checked: states up to which it is compiled, seconds it may take, OR-Tools' share."""

    compiled: int = 1 << 12
    seconds: int = 60
    listed: int = 1 << 14


OUTCOMES = Table(
    "cpmpy_expressions",
    """
    family    key      the generator that an expression came from
    number    key-int  its place there
    text      str      the expression
    core      str      its innermost function, constraint or operator
    form      str      what stands around the core
    verdict   str      right, refused, wrong, too slow or crashed
    reason    str      of anything but right, one line
    states    int      assignments to its variables
    compiled  int      1 where an oracle was made and run on every codeword
    listed    int      solutions that OR-Tools listed; empty where it was not asked
    disputed  str      where OR-Tools disagrees with CPMpy's own values; empty where it does not, or was not asked
    seconds   seconds  in all
    """,
)


def check_expression(
    family: str, number: int, expression: Any, truth: Truth, limits: Limits, ask_ortools: bool = False
) -> Row:
    """Compare solution sets, and the marks of a literal oracle where the space is small."""
    start, states, compiled, listed = time.perf_counter(), 0, False, None
    verdict, reason, disputed = "right", "", ""
    try:
        with time_limit(limits.seconds):
            variables, rows, true = truth.table(expression)
            states = len(rows)
            if ask_ortools:
                listed, disputed = compare_ortools(expression, variables, rows, true, limits.listed)
            compiled = compare_ours(expression, variables, rows, true, limits.compiled)
    except TooSlow as error:
        verdict, reason = "too slow", str(error)
    except Differs as error:
        verdict, reason = "wrong", str(error)
    except GatesolveError as error:
        verdict, reason = "refused", " ".join(f"{type(error).__name__}: {error}".split())
    except Exception as error:
        verdict, reason = "crashed", f"{type(error).__name__}: {error}".splitlines()[0]
    core, form = core_of(expression)
    text = " ".join(str(expression).split())
    seconds = time.perf_counter() - start
    done = (verdict, reason, states, int(compiled), listed, disputed, seconds)
    return OUTCOMES.row(family, number, text, core, form, *done)


def compare_ours(expression: Any, variables: list[Any], rows: Rows, true: NDArray[np.bool_], most: int) -> bool:
    """Solutions of the lowered model, then the marks of its oracle; returns whether that was compiled.

    Raises:
        Differs: at the first assignment where they differ.
        GatesolveError: refused.
    """
    names = [v.name for v in variables]
    try:
        model = gatesolve.formats.from_cpmpy(cp.Model(expression))
    except InfeasibleError:
        say_first(names, rows, true, "infeasible, says from_cpmpy")
        return False
    if added := set(model.domains) - set(names):
        raise Differs(f"variables were added: {', '.join(sorted(added))}")
    columns = {name: rows[:, k] for k, name in enumerate(names) if name in model.domains}
    inside = np.ones(len(rows), dtype=bool)
    for name, column in columns.items():
        inside &= np.isin(column, model.domains[name])
    held = inside.copy()
    held[inside] = (
        model.holds({name: column[inside] for name, column in columns.items()}) if columns else model.check({})
    )
    say_first(names, rows, held != true, "Model.holds differs")
    space = make_spaces(model, "binary")[0]
    if space.size > most:
        return False
    conditions = literal_conditions(model, space)
    oracle = choose_lowered(assemble(conditions, space.num_qubits, alone=True, with_alternative=True))
    check = PhaseCheck(
        oracle.ops, oracle.num_data, oracle.num_qubits, space.size, space.bits, lambda numbers: numbers > -1
    )
    numbers = np.arange(space.size)
    values, place = space.values(numbers), np.zeros(space.size, dtype=np.int64)
    for variable in variables:  # one that the model dropped changes nothing, as was just seen: any value stands for all
        digit = values[variable.name] - variable.lb if variable.name in values else 0
        place = place * (variable.ub - variable.lb + 1) + digit
    say_first(names, rows[place], check.marks(numbers) != true[place], "the oracle's mark differs")
    return True


def compare_ortools(
    expression: Any, variables: list[Any], rows: Rows, true: NDArray[np.bool_], most: int
) -> tuple[int | None, str]:
    """OR-Tools against CPMpy's own values: how many solutions it listed, unless too many, and a difference."""
    if true.sum() > most:
        return None, ""
    found = list_with_ortools(expression, variables, most)
    theirs = np.zeros(len(rows), dtype=bool)
    for solution in found or ():
        fits = [rows[:, k] == value for k, value in enumerate(solution) if value is not None]
        theirs |= np.all(fits, axis=0) if fits else True
    return len(found or ()), describe_first([v.name for v in variables], rows, theirs != true, "OR-Tools differs")


def say_first(names: list[str], rows: Rows, wrong: NDArray[np.bool_], what: str) -> None:
    if text := describe_first(names, rows, wrong, what):
        raise Differs(text)


def describe_first(names: list[str], rows: Rows, wrong: NDArray[np.bool_], what: str) -> str:
    """Where two first differ; empty where they do not."""
    places = np.flatnonzero(wrong)
    if not places.size:
        return ""
    first = ", ".join(f"{name}={value}" for name, value in zip(names, rows[places[0]], strict=True))
    return f"{what} on {places.size} of {len(rows)} assignments, first at {first}"


def core_of(expression: Any) -> tuple[str, str]:
    """The innermost function, constraint or operator, and how it is nested, ``_`` for it: ``(_ <= int) -> bool``."""
    if not isinstance(expression, Expression) or is_leaf(expression):
        return kind_of(expression), "_"
    layered = isinstance(expression, Comparison) or expression.name == "->"
    inner = [part for part in expression.args if isinstance(part, Expression) and not is_leaf(part)]
    if not layered or not inner:
        parts = expression.args[1] if expression.name == "wsum" else expression.args
        kinds = dict.fromkeys(kind_of(part) for part in parts if layered or not is_plain(part))
        return f"{expression.name}{' of ' if kinds else ''}{', '.join(kinds)}", "_"
    core, form = core_of(inner[0])
    form = f"({form})" if " " in form else form
    left, right = (form if part is inner[0] else kind_of(part) for part in expression.args)
    return core, f"{left} {'<>' if isinstance(expression, Comparison) else '->'} {right}"


def is_leaf(part: object) -> bool:
    return isinstance(part, _NumVarImpl) or (isinstance(part, Expression) and part.name == "boolval")


def is_plain(part: object) -> bool:
    """A variable or data."""
    return is_leaf(part) or not isinstance(part, Expression)


def kind_of(part: Any) -> str:
    """A leaf in a word."""
    if isinstance(part, NegBoolView):
        return "negated"
    if isinstance(part, _NumVarImpl):
        return "bool" if part.is_bool() else "int"
    return part.name if isinstance(part, Expression) and not is_leaf(part) else "const"


def shorten(reason: str) -> str:
    """A refusal without its names and numbers, to be grouped by."""
    text = re.sub(r"'.*'", "'...'", reason, flags=re.DOTALL)
    return re.sub(r"\d+", "N", text)

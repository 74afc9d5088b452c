"""Expressions of every kind that CPMpy has: each operator, global function and global constraint, nested in each form.

`SAMPLES` has one entry a class of CPMpy; `list_classes` reads the classes from CPMpy itself, so that a new one shows.
Domains are small, of awkward sizes and partly negative; `Scope(wide=True)` has more assignments than a
table may have.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import cpmpy as cp
from cpmpy.expressions import globalconstraints, globalfunctions
from cpmpy.expressions.core import BoolVal, Comparison, Operator


class Scope:
    """Variables to build expressions from.

    Attributes:
        x: integers, partly negative.
        n: integers from 0 on.
        b: Booleans.
        p: a Boolean to reify with.
        t: an integer to compare with.
    """

    def __init__(self, wide: bool = False) -> None:
        bounds = [(-4, 4)] * 4 if wide else [(-1, 2), (0, 2), (-2, 0)]
        self.wide = wide
        self.x = [cp.intvar(low, high, name=f"x{k}") for k, (low, high) in enumerate(bounds)]
        self.n = [cp.intvar(0, 8 if wide else 2, name=f"n{k}") for k in range(len(bounds))]
        self.b = [cp.boolvar(name=f"b{k}") for k in range(13 if wide else 3)]
        self.p, self.t = cp.boolvar(name="p"), cp.intvar(-1, 2, name="t")

    def tasks(self) -> tuple[list[Any], list[int], list[int]]:
        """Starts, durations, demands."""
        return self.n, [2, 1, 3, 2][: len(self.n)], [1, 2, 1, 1][: len(self.n)]

    def options(self) -> list[Any]:
        """Whether each task is there: a variable, its negation, constants."""
        return [self.b[0], ~self.b[0], True, self.b[1]][: len(self.n)]

    def diagram(self) -> list[tuple[str, int, str]]:
        """Edges of a diagram over ``x``: an even number of values are 1, the others 0; or all are -1."""
        last, edges = len(self.x) - 1, []
        for layer in range(last + 1):
            ends = (
                {"even": "end", "all": "end"} if layer == last else {k: f"{k}{layer}" for k in ("even", "odd", "all")}
            )
            steps = {("even", 0): "even", ("even", 1): "odd", ("odd", 1): "even", ("odd", 0): "odd", ("all", -1): "all"}
            for (now, value), then in steps.items():
                if layer == 0 and now != "odd":
                    edges.append(("start", value, ends[then])) if then in ends else None
                elif layer and then in ends:
                    edges.append((f"{now}{layer - 1}", value, ends[then]))
        return edges


Build = Callable[[Scope], list[Any]]

FUNCTIONS: Mapping[str, Build] = {
    "Minimum": lambda s: [cp.Minimum(s.x), cp.Minimum([s.x[0], 0, s.x[1] - 1])],
    "Maximum": lambda s: [cp.Maximum(s.x), cp.Maximum([s.x[0] + s.x[1], 1])],
    "Abs": lambda s: [cp.Abs(cp.sum(s.x)), cp.Abs(s.x[0]), cp.Abs(s.x[0] - s.x[1])],
    "Multiplication": lambda s: [
        s.x[0] * s.x[1] * s.x[2] * s.x[-1],
        s.x[0] * s.x[0],
        s.b[0] * s.x[0],
        3 * s.x[0],
        (s.x[0] + 1) * (s.x[1] - s.x[2]),
    ],
    "Division": lambda s: [(s.x[0] * s.x[-1]) // (s.x[1] + s.x[2]), s.x[0] // s.x[1], s.x[0] // 2, 5 // s.x[1]],
    "Modulo": lambda s: [(s.x[0] * s.x[-1]) % (s.x[1] + s.x[2]), s.x[0] % s.x[1], s.x[0] % 2, s.x[2] % -2, 4 % s.x[1]],
    "Power": lambda s: [cp.sum(s.x) ** 2, s.x[0] ** 3, s.x[2] ** 0],
    "Element": lambda s: [
        cp.Element(s.x[1:], s.x[0]),
        cp.Element([3, -1, 2], s.x[0]),
        cp.Element([2, s.x[1], 0], s.x[0] + 1),
        cp.Element(s.x, s.x[0]),
    ],
    "NDElement": lambda s: [
        cp.cpm_array([[s.x[2], s.x[-1]], [1, 2]])[s.x[0], s.x[1]],
        cp.cpm_array([[1, 2, 0], [-1, 3, 1]])[s.n[0], s.x[1]],
    ],
    "Count": lambda s: [cp.Count(s.x, s.x[0]), cp.Count(s.x, 0), cp.Count([*s.x[:2], 1], s.x[2] + 2)],
    "Among": lambda s: [cp.Among(s.x, [0, 2, -4]), cp.Among([s.x[0], s.x[1] + 1], [1, 1])],
    "NValue": lambda s: [cp.NValue(s.x), cp.NValue([s.x[0], 1, s.x[0] + s.x[1]])],
    "NValueExcept": lambda s: [cp.NValueExcept(s.x, 0), cp.NValueExcept([s.x[0], 1, s.x[1]], 1)],
}

OPERATORS: Mapping[str, Build] = {
    "sum": lambda s: [cp.sum(s.x), cp.sum([*s.b[:3], s.x[0], 1])],
    "wsum": lambda s: [
        Operator("wsum", [[2, -1, 3, 5][: len(s.x)], s.x]),
        Operator("wsum", [[True, -2], [s.b[0], s.x[0]]]),
    ],
    "sub": lambda s: [Operator("sub", [s.x[0] * s.x[1], s.x[2] + s.x[-1]]), Operator("sub", s.x[:2])],
    "-": lambda s: [-cp.sum(s.x), Operator("-", s.x[:1])],
    "and": lambda s: [cp.all(s.b), cp.all([s.x[0] > s.x[1], ~s.b[0]]), Operator("and", s.b[:1])],
    "or": lambda s: [cp.any(s.b), cp.any([s.x[0] + s.x[1] > s.x[2] + s.x[-1], s.b[0]]), Operator("or", s.b[:1])],
    "->": lambda s: [(cp.sum(s.x) >= 1).implies(s.x[0] * s.x[1] > s.x[2]), s.b[0].implies(~s.b[1])],
    "not": lambda s: [~cp.all([s.x[0] == s.x[1], s.x[2] == s.x[-1]]), Operator("not", [s.b[0]])],
}

CONSTRAINTS: Mapping[str, Build] = {
    "AllDifferent": lambda s: [
        cp.AllDifferent(s.x),
        cp.AllDifferent([s.x[0], s.x[1] + 1, 2 * s.x[2]]),
        cp.AllDifferent(s.x[0], 1, s.x[1]),
        cp.AllDifferent(s.x[0], s.x[0]),
    ],
    "AllDifferentExceptN": lambda s: [cp.AllDifferentExceptN(s.x, [0, -1]), cp.AllDifferentExceptN(s.x, 2)],
    "AllDifferentExcept0": lambda s: [cp.AllDifferentExcept0(s.x), cp.AllDifferentExcept0([s.x[0] - 1, *s.x[1:]])],
    "AllEqual": lambda s: [cp.AllEqual(s.x), cp.AllEqual([s.x[0], s.x[1] - 1]), cp.AllEqual([0, s.x[0], s.x[1]])],
    "AllEqualExceptN": lambda s: [cp.AllEqualExceptN(s.x, 0), cp.AllEqualExceptN(s.x, [1, -1])],
    "Circuit": lambda s: [cp.Circuit(s.n), cp.Circuit(s.x)],
    "Inverse": lambda s: [cp.Inverse(s.n[:2], s.x[:2]), cp.Inverse(s.x, [1, 2, 0, 3][: len(s.x)])],
    "Table": lambda s: [
        cp.Table(s.x, [[k % 3 - 1, 0, -1, 2][: len(s.x)] for k in range(3)]),
        cp.Table([s.x[0] + s.x[1], s.x[2]], [[0, 0], [1, -1], [9, 0]]),
    ],
    "ShortTable": lambda s: [cp.ShortTable(s.x, [[0, "*", -1, "*"][: len(s.x)], ["*", 1, "*", 2][: len(s.x)]])],
    "NegativeTable": lambda s: [cp.NegativeTable(s.x, [[0, 1, -1, 2][: len(s.x)], [1, 2, 0, 0][: len(s.x)]])],
    "Regular": lambda s: [cp.Regular(s.x, [("a", 0, "b"), ("b", 1, "b"), ("b", -1, "a"), ("a", 2, "a")], "a", ["b"])],
    "MDD": lambda s: [cp.MDD(s.x, s.diagram())],
    "IfThenElse": lambda s: [
        cp.IfThenElse(s.x[0] > s.x[1], s.x[2] * s.x[0] == s.x[-1], s.x[1] != s.x[2]),
        cp.IfThenElse(*s.b[:3]),
    ],
    "InDomain": lambda s: [
        cp.InDomain(cp.sum(s.x), [0, 2, -3, 9]),
        cp.InDomain(s.x[0], [2, -1]),
        cp.InDomain(s.x[0] * s.x[1], [1]),
    ],
    "Xor": lambda s: [cp.Xor(s.b), cp.Xor([s.b[0], s.x[0] > s.x[1], True]), cp.Xor([~s.b[0], s.b[0]])],
    "Cumulative": lambda s: [
        cp.Cumulative(s.n, s.tasks()[1], None, s.tasks()[2], 2),
        cp.Cumulative(s.x, s.tasks()[1], [v + d for v, d in zip(s.x, s.tasks()[1], strict=True)], 1, 2),
        cp.Cumulative(s.n[:2], [s.x[0], 2], None, 1, 1),
        cp.Cumulative(s.n[:2], [2, 2], None, [s.x[1], 1], s.t),
    ],
    "CumulativeOptional": lambda s: [cp.CumulativeOptional(s.n, s.tasks()[1], None, s.tasks()[2], 2, s.options())],
    "NoOverlap": lambda s: [
        cp.NoOverlap(s.n, s.tasks()[1]),
        cp.NoOverlap(s.n[:2], [2, 1], s.x[:2]),
        cp.NoOverlap(s.x[:2], [s.n[0], 1]),
    ],
    "NoOverlapOptional": lambda s: [cp.NoOverlapOptional(s.n, s.tasks()[1], None, s.options())],
    "Reservoir": lambda s: [cp.Reservoir(s.n, [2, -1, -1, 1][: len(s.n)], 0, 2)],
    "ReservoirOptional": lambda s: [cp.ReservoirOptional(s.n, [2, -1, -1, 1][: len(s.n)], 0, 2, s.options())],
    "Precedence": lambda s: [cp.Precedence(s.x, [0, 2, 1]), cp.Precedence([s.n[0], 1, s.n[1]], [1, 2])],
    "GlobalCardinalityCount": lambda s: [
        cp.GlobalCardinalityCount(s.x, [0, 1], [1, s.t]),
        cp.GlobalCardinalityCount(s.x, [0, -1, 2], [1, 1, 1], closed=True),
        cp.GlobalCardinalityCount(s.x[:2], [0, 1], [s.n[0], s.n[1]]),
    ],
    "Increasing": lambda s: [cp.Increasing(s.x), cp.Increasing([s.x[0], 1, s.x[1] + 1])],
    "Decreasing": lambda s: [cp.Decreasing(s.x)],
    "IncreasingStrict": lambda s: [cp.IncreasingStrict([s.x[-1], *s.x[:-1]]), cp.IncreasingStrict(s.x[0], s.x[0])],
    "DecreasingStrict": lambda s: [cp.DecreasingStrict(s.x)],
    "LexLess": lambda s: [cp.LexLess(s.x[:2], s.x[-2:]), cp.LexLess([s.x[0], 1], [s.x[1], s.x[0]])],
    "LexLessEq": lambda s: [cp.LexLessEq(s.x[:2], s.x[-2:]), cp.LexLessEq([s.x[0], s.b[0]], [s.x[1], s.b[1]])],
    "LexChainLess": lambda s: [cp.LexChainLess([s.x[:2], s.x[-2:]]), cp.LexChainLess([[v] for v in s.x])],
    "LexChainLessEq": lambda s: [cp.LexChainLessEq([s.x[:2], s.x[-2:], [1, s.x[0]]])],
}

SAMPLES: Mapping[str, Build] = {**OPERATORS, **FUNCTIONS, **CONSTRAINTS}


def list_classes() -> set[str]:
    """What CPMpy has: its operators by name, its global functions and constraints by class."""
    names = set(Operator.allowed)
    for home, base in ((globalfunctions, "GlobalFunction"), (globalconstraints, "GlobalConstraint")):
        for name, one in inspect.getmembers(home, inspect.isclass):
            if issubclass(one, getattr(home, base)) and name != base:
                names.add(name)
    return names


def nest_boolean(one: Any, s: Scope) -> Iterator[Any]:
    """Every form around a Boolean expression."""
    yield one
    yield Operator("not", [one])
    yield one.implies(s.p)
    yield s.p.implies(one)
    yield one == s.p
    yield ~s.p != one
    if not s.wide:
        yield one | s.p
        yield cp.Xor([one, s.p])
        yield cp.sum([one, s.p, s.b[0]]) == 2
        yield one == (s.t >= 1)
        yield (one + s.t) * 2 > s.t
        yield Operator("not", [one == BoolVal(True)]) | (s.t == 0)


def nest_number(one: Any, s: Scope) -> Iterator[Any]:
    """Every form around a number: each comparison, either way round, and these reified and implied."""
    for relation in ("==", "<=") if s.wide else sorted(Comparison.allowed):
        yield Comparison(relation, one, 1)
        yield Comparison(relation, one, s.t) == s.p
        if not s.wide:
            yield Comparison(relation, s.t, one)
            yield Comparison(relation, one, s.p)
            yield Comparison(relation, 0, one).implies(s.p)
            yield s.p.implies(Comparison(relation, one, s.t))
            yield Operator("not", [Comparison(relation, one, s.t)])
    if not s.wide:
        yield cp.Maximum([one, s.t]) == 2 * one
        yield cp.Count([one, s.t, 0], s.t) <= s.p + 1
        yield (one == 1) | (s.t == one)


def nest(name: str, wide: bool = False) -> Iterator[Any]:
    """Every sample of a class in every form; of wide ones the first sample in the plain forms."""
    scope = Scope(wide)
    samples = SAMPLES[name](scope)
    for one in samples[:1] if wide else samples:
        yield from nest_boolean(one, scope) if one.is_bool() else nest_number(one, scope)

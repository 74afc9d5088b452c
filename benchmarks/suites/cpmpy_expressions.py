"""Every expression of CPMpy's own tests through from_cpmpy and the literal oracle, compared with CPMpy's values.

    python -m benchmarks cpmpy-expressions --cpmpy CHECKOUT                     # all of them
    python -m benchmarks cpmpy-expressions --cpmpy CHECKOUT --share 0.1 --seed 1
    python -m benchmarks cpmpy-expressions --cpmpy CHECKOUT --only comp_constraints --core nvalue

CHECKOUT is a checkout of https://github.com/CPMpy/cpmpy at v1.0.0, whose ``tests/test_constraints.py`` has generators
that nest every operator, global constraint and global function in comparisons, reifications and implications. Domains
are made smaller here, so that every assignment is tried. The truth is CPMpy's ``value()`` of each assignment; OR-Tools
lists the solutions of a share of the expressions (``--ortools``, a hundredth unless told); where it disagrees with
``value()`` the expression is printed as disputed, which is no fault of ours: known is one error of OR-Tools,
``(cp.InDomain(l, [0, 1, 6]) >= l) == p`` at l = 1.
"""

from __future__ import annotations

import argparse
import inspect
import multiprocessing
import re
import sys
import time
import types
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import cpmpy as cp
import numpy as np
from cpmpy.expressions import globalconstraints, globalfunctions

from benchmarks.core.rows import Row
from benchmarks.core.suite import make_parser
from benchmarks.suites.cpmpy_compare import OUTCOMES, Limits, Truth, check_expression, core_of, shorten

FAMILIES = ("bool_exprs", "comp_constraints", "reify_imply_exprs", "global_constraints")
WHERE = "give --cpmpy a checkout: git clone --branch v1.0.0 --depth 1 https://github.com/CPMpy/cpmpy"
SMALLER: dict[tuple[int, int, str | None], tuple[int, int]] = {
    (-3, 5, "x"): (-1, 2),
    (-3, 5, "y"): (-1, 2),
    (-3, 5, "z"): (-1, 2),
    (-3, 5, "MD"): (-1, 0),
    (0, 10, "n_neg"): (0, 3),
    (1, 10, "s_pos"): (1, 2),
    (0, 10, "l"): (0, 3),
    (0, 5, "x"): (0, 3),
    (-3, 3, "demand"): (-1, 1),
    (-3, 3, None): (-1, 1),
    (0, 3, None): (0, 1),
}
"""By bounds and name: the bounds tried instead. Start and end times and counts: see `make_smaller`."""
LENGTHS = {3: [1, 2, 1], 4: [1, 1, 2, 1]}
"""Lengths of so many tasks."""


def make_smaller(lb: int, ub: int, shape: Any = 1, name: str | None = None) -> Any:
    """``cp.intvar``, by whose names its arguments are given, with the domains of this benchmark."""
    low, high = lb, ub
    if (low, high) == (0, 10) and name in ("start", "end", None):
        if shape == 4:
            low, high = (0, 1) if name == "start" else (1, 2)
        elif shape == 3:
            low, high = 0, 3 if name == "end" else 2
        else:
            low, high = 0, 1
    low, high = SMALLER.get((low, high, name), (low, high))
    return cp.intvar(low, high, shape=(2, 2) if name == "MD" else shape, name=name)


def load_generators(checkout: Path) -> types.ModuleType:
    """The test file's generators, over small domains; a class that they do not know is left out."""
    source = (checkout / "tests" / "test_constraints.py").read_text()
    source = re.sub(r"^(import cpmpy as cp|import pytest|from utils import .*)$", "", source, flags=re.MULTILINE)
    source = re.sub(r"\bdur = \[([^]]*)\]", lambda found: f"dur = {LENGTHS[found[1].count(',') + 1]}", source)
    names = types.SimpleNamespace(**{**vars(cp), "intvar": make_smaller})
    module = types.ModuleType("cpmpy_tests")
    vars(module).update(cp=names, pytest=_Marks(), skip_on_missing_pblib=lambda **_: lambda test: test)
    exec(compile(source, "test_constraints.py", "exec"), vars(module))
    vars(module)["EXCLUDE_GLOBAL"]["ortools"] = set(list_unknown(source))
    return module


class _Marks:
    """Stands for pytest, whose marks do nothing here."""

    def __getattr__(self, name: str) -> _Marks:
        return self

    def __call__(self, *_: object) -> Any:
        return lambda test: test


def list_unknown(source: str) -> list[str]:
    """Global constraints and functions of the CPMpy installed that the checkout's tests do not name."""
    found = []
    for home, base in ((globalconstraints, "GlobalConstraint"), (globalfunctions, "GlobalFunction")):
        for name, one in inspect.getmembers(home, inspect.isclass):
            if issubclass(one, getattr(home, base)) and name != base and not re.search(rf"\b{name}\b", source):
                found.append(name)
    return found


def list_expressions(checkout: Path, only: str | None = None) -> list[tuple[str, int, Any]]:
    """Family, place in it, and expression."""
    generators = load_generators(checkout)
    families = [name for name in FAMILIES if only in (None, name)]
    return [(name, k, one) for name in families for k, one in enumerate(getattr(generators, name)("ortools"))]


class Work:
    """What one process needs: all expressions, made once, and the truths of their atoms."""

    def __init__(self, checkout: Path, only: str | None, limits: Limits, asked: set[int]) -> None:
        self.expressions = list_expressions(checkout, only)
        self.truth, self.limits, self.asked = Truth(), limits, asked

    def check(self, place: int) -> Row:
        """The outcome of one expression."""
        return check_expression(*self.expressions[place], self.truth, self.limits, place in self.asked)


def _start(*given: Any) -> None:
    globals()["WORK"] = Work(*given)


def _check(place: int) -> Row:
    outcome: Row = globals()["WORK"].check(place)
    return outcome


def draw_share(count: int, share: float, seed: int) -> list[int]:
    """So many of the places 0 ... count - 1, ascending."""
    drawn = np.random.default_rng(seed).permutation(count)[: max(1, round(share * count))]
    return sorted(drawn.tolist())


def print_table(outcomes: Sequence[Row], seconds: float) -> None:
    """A line a family, refusals by shape and by core, and everything wrong."""
    words = ("right", "refused", "wrong", "too slow", "crashed")
    print(f"\n{'family':20} {'tried':>6} " + " ".join(f"{word:>8}" for word in words) + "  compiled  OR-Tools  seconds")
    for family in (*FAMILIES, "in all"):
        mine = [one for one in outcomes if family in (one.family, "in all")]
        if mine:
            count = Counter(one.verdict for one in mine)
            listed = sum(one.listed is not None for one in mine)
            tail = f"{sum(one.compiled for one in mine):9} {listed:9} {sum(one.seconds for one in mine):8.0f}"
            print(f"{family:20} {len(mine):6} " + " ".join(f"{count[word]:8}" for word in words) + f" {tail}")
    failed = [one for one in outcomes if one.verdict in ("refused", "too slow", "crashed")]
    print_groups("by reason", failed, lambda one: f"{one.verdict}: {shorten(one.reason)[:150]}")
    print_groups("by core", failed, lambda one: one.core)
    print_groups("by core and form", failed, lambda one: f"{one.core:24} {one.form}", 25)
    for one in outcomes:
        if one.verdict in ("wrong", "crashed"):
            print(f"{one.verdict.upper()} {one.family} {one.number}: {one.text[:200]}: {one.reason}")
        if one.disputed:
            print(f"DISPUTED {one.family} {one.number}: {one.text[:200]}: {one.disputed}")
    print(f"{seconds:.0f} s on the clock")


def print_groups(title: str, outcomes: Iterable[Row], key: Any, most: int = 60) -> None:
    """How many a group, the largest first, with its fewest states and one example."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for one in outcomes:
        groups[key(one)].append(one)
    if groups:
        print(f"\nnot right, {title}: {len(groups)} groups")
    for name, found in sorted(groups.items(), key=lambda pair: -len(pair[1]))[:most]:
        least = min(found, key=lambda one: (one.states, len(one.text)))
        print(f"{len(found):6}  {name}   e.g. {least.text[:90]} ({least.states} states)")


def main(arguments: Sequence[str]) -> int:
    """Check, print, and 1 if anything was refused or wrong."""
    parser = make_parser(__doc__)
    parser.add_argument("--cpmpy", type=Path, help="a checkout of CPMpy/cpmpy at v1.0.0")
    parser.add_argument("--share", type=float, default=1.0, help="how many of the expressions")
    parser.add_argument("--seed", type=int, default=1, help="of the shares")
    parser.add_argument("--only", choices=FAMILIES, help="one generator")
    parser.add_argument(
        "--core", help="only expressions around this function, constraint or operator, as in the list of refusals"
    )
    parser.add_argument("--ortools", type=float, default=0.01, help="how many of those tried are listed with OR-Tools")
    parser.add_argument("--processes", type=int, default=2, choices=(1, 2))
    parser.add_argument("--seconds", type=int, default=60, help="for one expression")
    parser.add_argument(
        "--states", type=int, default=1 << 12, help="most states of what is compiled and run on them all"
    )
    parser.add_argument("--out", type=Path, help="a CSV with a row an expression")
    chosen = parser.parse_args(arguments)
    if chosen.cpmpy is None or not (chosen.cpmpy / "tests" / "test_constraints.py").exists():
        sys.exit(WHERE)
    start = time.perf_counter()
    outcomes = run(chosen)
    print_table(outcomes, time.perf_counter() - start)
    if chosen.out:
        OUTCOMES.write(outcomes, chosen.out)
    return int(not outcomes or any(one.verdict != "right" for one in outcomes))


def run(chosen: argparse.Namespace) -> list[Row]:
    """The outcomes in the expressions' order."""
    expressions = list_expressions(chosen.cpmpy, chosen.only)
    places = draw_share(len(expressions), chosen.share, chosen.seed)
    if chosen.core:
        places = [place for place in places if core_of(expressions[place][2])[0] == chosen.core]
    drawn = draw_share(len(places), chosen.ortools, chosen.seed + 1) if chosen.ortools and places else []
    given = (chosen.cpmpy, chosen.only, Limits(chosen.states, chosen.seconds), {places[k] for k in drawn})
    print(f"{len(places)} of {len(expressions)} expressions, seed {chosen.seed}", flush=True)
    outcomes = []
    with multiprocessing.get_context("spawn").Pool(chosen.processes, _start, given) as pool:
        for number, outcome in enumerate(pool.imap(_check, places, chunksize=8), 1):
            outcomes.append(outcome)
            if number % 500 == 0:
                count = Counter(one.verdict for one in outcomes)
                print(f"{number}: {dict(count)}", flush=True)
    return outcomes

"""Random models in every encoding, at every level and in both styles: the oracle marks what OR-Tools lists.

    python -m benchmarks random-models               # 300 models, seeds 0 to 299
    python -m benchmarks random-models --first 7 --models 3

A model has 3 to 6 variables of up to 16 values, partly negative and with gaps, at most 2^16 assignments, and two to
four constraints: sums, all-different with and without offsets, tables, and nested expressions of CPMpy's. An oracle is
run on every codeword of its space, ancillas included, and each marked codeword is compared with the solutions.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any

import cpmpy as cp
import numpy as np

from benchmarks.core.suite import make_parser
from gatesolve.circuit import Planes, run_ops
from gatesolve.encodings import make_spaces
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError, InfeasibleError
from gatesolve.model import Model, find_solutions
from gatesolve.model.from_cpmpy import from_cpmpy
from gatesolve.oracle import Oracle, assemble
from gatesolve.oracle.classical import classical_oracle
from gatesolve.oracle.levels import conditions_at

ENCODINGS = ("binary", "one-hot", "domain-wall", "table")
LEVELS = ("literal", "merged", "minimised")
MOST_STATES = 1 << 16
SIZES = (2, 3, 4, 5, 7, 8, 9, 16)


def draw_model(seed: int) -> Model:
    """A model of its own for each seed."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice(SIZES, size=rng.integers(3, 7))
    while math.prod(map(int, sizes)) > MOST_STATES:
        sizes[np.argmax(sizes)] = 2
    lows = rng.integers(-3, 4, size=len(sizes))
    x = [
        cp.intvar(int(low), int(low + size - 1), name=f"x{k}")
        for k, (low, size) in enumerate(zip(lows, sizes, strict=True))
    ]
    gaps = [cp.InDomain(v, sorted({*range(v.lb, v.ub + 1)} - {v.lb + 1})) for v in x if v.ub - v.lb > 6][:1]
    rules = [draw_constraint(rng, x) for _ in range(rng.integers(2, 5))]
    return from_cpmpy(cp.Model(cp.sum(x) <= sum(v.ub for v in x), *gaps, *rules))


def draw_constraint(rng: np.random.Generator, x: Sequence[Any]) -> Any:
    """One constraint over some of the variables."""
    some = [x[k] for k in rng.permutation(len(x))[: rng.integers(2, len(x) + 1)]]
    kind = rng.integers(7)
    if kind == 0:
        weights = rng.integers(1, 4, size=len(some)) * rng.choice([-1, 1], size=len(some))
        total = cp.sum([int(w) * v for w, v in zip(weights, some, strict=True)])
        return total <= int(rng.integers(-4, 9)) if rng.random() < 0.5 else total != int(rng.integers(-4, 9))
    if kind == 1:
        return cp.AllDifferent([v + int(rng.integers(0, 3)) for v in some[:3]])
    if kind == 2:
        rows = {tuple(int(rng.integers(v.lb, v.ub + 1)) for v in some[:3]) for _ in range(12)}
        return cp.Table(some[:3], [list(row) for row in rows])
    if kind == 3:
        return draw_truth(rng, x) | draw_truth(rng, x)
    if kind == 4:
        return draw_truth(rng, x).implies(draw_truth(rng, x))
    return draw_truth(rng, x)


def draw_truth(rng: np.random.Generator, x: Sequence[Any]) -> Any:
    """A comparison of a term with a variable or a number."""
    left, other = draw_term(rng, x), x[rng.integers(len(x))] if rng.random() < 0.4 else int(rng.integers(-3, 7))
    return [left == other, left != other, left <= other, left > other][rng.integers(4)]


def draw_term(rng: np.random.Generator, x: Sequence[Any]) -> Any:
    """A function of up to three variables."""
    a, b, c = (x[k] for k in rng.integers(len(x), size=3))
    options = [
        a + b - c, a * b, cp.max([a, b, c]), cp.min([a, b]), abs(a - b), a // b, a % b, cp.Count([a, b, c], 2),
        cp.Element([b, c, 3, a], c), (a == b) + 2 * (b < c), a * a - b
    ]  # fmt: skip
    return options[rng.integers(len(options))]


def list_oracles(model: Model, solutions: Sequence[dict[str, int]]) -> Iterator[tuple[str, Space, Oracle]]:
    """Every encoding at every level, and each encoding's classical oracle."""
    for encoding in ENCODINGS:
        for level in LEVELS:
            for space in make_spaces(model, encoding, level=level)[:1]:
                conditions = conditions_at(level, model, space, 6)
                yield f"{encoding} {level}", space, assemble(conditions, space.num_qubits, alone=level == "literal")
        space = make_spaces(model, encoding, level="literal")[0]
        numbers = [number for one in solutions if (number := space.number(one)) is not None]
        yield f"{encoding} classical", space, classical_oracle(numbers, space)


def marks(space: Space, oracle: Oracle) -> np.ndarray:
    """Which codewords are marked; what else changes is an error."""
    before = np.zeros((oracle.num_qubits, space.size), dtype=bool)
    before[: space.num_qubits] = space.bits(np.arange(space.size))
    planes = Planes.from_bits(before)
    run_ops(oracle.ops, planes)
    phase = planes.unpack(planes.phase, space.size)
    if not np.array_equal(planes.unpack(planes.bits, space.size), before) or phase[0].any():
        raise AssertionError("data, ancillas or another phase changed")
    return phase[1]


def check_model(model: Model) -> tuple[int, list[str]]:
    """Oracles run, and which of them are wrong."""
    solutions = find_solutions(model)
    wanted = {tuple(one[name] for name in model.domains) for one in solutions}
    run, wrong = 0, list[str]()
    for name, space, oracle in list_oracles(model, solutions):
        found = marks(space, oracle)
        chosen = space.values(np.flatnonzero(found))
        got = set(zip(*(chosen[v].tolist() for v in model.domains), strict=True)) if found.any() else set()
        run += 1
        if got != wanted or len(got) != int(found.sum()):
            wrong.append(f"{name}: {len(got)} marked, {len(wanted)} solutions")
    return run, wrong


def main(arguments: Sequence[str]) -> int:
    """A line for each model that is wrong or refused, and the totals."""
    parser = make_parser(__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--models", type=int, default=300)
    asked = parser.parse_args(arguments)
    start, run, wrong, refused, empty = time.perf_counter(), 0, 0, 0, 0
    for seed in range(asked.first, asked.first + asked.models):
        try:
            oracles, faults = check_model(draw_model(seed))
        except InfeasibleError:
            empty += 1
            continue
        except DoesNotFitError as error:
            refused += 1
            print(f"seed {seed}: refused: {error}")
            continue
        run, wrong = run + oracles, wrong + len(faults)
        for fault in faults:
            print(f"seed {seed}: wrong: {fault}")
    seconds = time.perf_counter() - start
    drawn = f"{asked.models} models ({empty} constant false)"
    print(f"{drawn}, {run} oracles, {wrong} wrong, {refused} refused, {seconds:.0f} s")
    return int(wrong + refused > 0)

"""QAOA's angles beside other packages, at equal depth and equal evaluations of the mean cost.

    python -m benchmarks qaoa-peers --qiskit PYTHON --openqaoa PYTHON --pennylane PYTHON --qokit PYTHON [--write]

All make the same circuit, with X as mixer; the ratio is (worst - mean) / (worst - best) at the angles found, exact.
Packages without an interpreter are left out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain, combinations

import networkx as nx
import numpy as np

import gatesolve
from benchmarks.core import processes, report
from benchmarks.core.places import DOCS, EXAMPLES
from benchmarks.core.report import say
from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import Asked, Suite
from gatesolve.formats import as_problem
from gatesolve.qubo import Qubo

EVALUATIONS, DEPTHS = 100, (1, 3, 6)
OURS = ("ramp", "fixed", "transfer", "optimised, 25", "optimised")
"""Ways to choose angles. An evaluation with derivatives takes as long as four, so 25 of them take as long as 100."""
PEERS = ("qiskit", "openqaoa", "pennylane", "qokit")
TABLE = Table(
    "qaoa_peers",
    """
    problem      key      name of the case
    layers       key-int  of the circuit
    way          key      how gatesolve chose the angles, or the package
    evaluations  int      of the mean cost
    ratio        float    (worst - mean) / (worst - best)
    """,
)


def cut(graph: nx.Graph, draw: random.Random | None = None) -> Qubo:
    """Return minus the number, or the drawn weights, of cut edges."""
    terms: dict[tuple[int, ...], int] = {}
    for edge in sorted(tuple(sorted(edge)) for edge in graph.edges):
        weight = draw.randint(1, 9) if draw else 1
        for monomial, share in ((edge, 2), (edge[:1], -1), (edge[1:], -1)):
            terms[monomial] = terms.get(monomial, 0) + share * weight
    return Qubo.of(tuple(f"x{v}" for v in range(len(graph))), terms)


def portfolio(size: int, seed: int, penalty: int = 20) -> Qubo:
    """Return risk less gain of a third of the assets, their number by a penalty."""
    draw, chosen = random.Random(seed), size // 3
    terms: dict[tuple[int, ...], int] = {(a,): penalty * (1 - 2 * chosen) - draw.randint(1, 12) for a in range(size)}
    terms |= {pair: 2 * penalty + draw.randint(-2, 5) for pair in combinations(range(size), 2)}
    return Qubo.of(tuple(f"x{v}" for v in range(size)), terms)


def make_cases() -> dict[str, Qubo]:
    """Return the problems by name."""
    regular = nx.random_regular_graph
    found = {
        "max cut, 3-regular, 12": cut(regular(3, 12, seed=1)),
        "weighted cut, 4-regular, 12": cut(regular(4, 12, seed=3), random.Random(5)),
        "portfolio, 10": portfolio(10, 1),
    }
    for file in ("independent-12.qubo", "partition-12.coo"):
        qubo = as_problem(EXAMPLES / "qubo" / file).qubo
        assert qubo is not None
        found[file] = qubo
    return found


def list_signs(qubo: Qubo) -> list[tuple[list[int], float]]:
    """Return the energy without its constant as coefficients of products of signs."""
    signs: dict[tuple[int, ...], float] = {}
    for monomial, coefficient in qubo.terms.items():
        for own in chain.from_iterable(combinations(sorted(monomial), k) for k in range(1, len(monomial) + 1)):
            signs[own] = signs.get(own, 0.0) + float(coefficient) * (-1) ** len(own) / 2 ** len(monomial)
    return [(list(own), c) for own, c in signs.items() if c]


def measure(name: str, asked: Asked) -> Iterator[Row]:
    """Make the rows of a problem."""
    qubo = make_cases()[name]
    bits = range(qubo.num_variables)
    energies = np.array([float(qubo.energy([n >> k & 1 for k in bits])) for n in range(1 << len(bits))])
    low, high = float(energies.min()), float(energies.max())
    for layers in DEPTHS:
        for way in OURS:
            choice, _, fewer = way.partition(", ")
            more = {"evaluations": int(fewer or EVALUATIONS), "angle_loss": "mean"} if way != "fixed" else {}
            options = {"pipeline": "qaoa", "presolve": "none", "layers": layers, "angles": choice, **more}
            made = gatesolve.compile(qubo, **options).details
            mean = float((np.abs(made.state) ** 2) @ made.ranked.costs * made.ranked.cost.unit + made.ranked.cost.base)
            yield TABLE.row(name, layers, way, made.outcome.evaluations, (high - mean) / (high - low))
    request = {"bits": qubo.num_variables, "terms": list_signs(qubo), "layers": DEPTHS, "evaluations": EVALUATIONS}
    for peer in (peer for peer in PEERS if getattr(asked, peer)):
        try:
            found = processes.ask(getattr(asked, peer), "qaoa", request | {"peer": peer}, 600)
        except ImportError as error:
            say(f"{peer}: {error}")
            continue
        for layers, (mean, evaluations) in zip(DEPTHS, found, strict=True):
            # The constant was left out.
            yield TABLE.row(name, layers, peer, evaluations, (high - energies.mean() - mean) / (high - low))


def make_pages(rows: list[Row]) -> dict[object, str]:
    """Return the page with the table of all ratios."""
    ways = (*OURS, *PEERS)
    keys = dict.fromkeys((row.problem, row.layers) for row in rows)
    by_key = {(row.problem, row.layers, row.way): f"{row.ratio:.3f}" for row in rows}
    lines = [[*key, *(by_key.get((*key, way)) for way in ways)] for key in keys]
    table = report.markdown_table(["problem", "p", *ways], lines)
    return report.fill(DOCS / "contributors" / "tables.md", {"qaoa-peers": table})


SUITE = Suite(
    TABLE,
    list_cases=lambda: [*make_cases()],
    measure=measure,
    make_pages=make_pages,
    add_options=lambda parser: [parser.add_argument(f"--{peer}", metavar="PYTHON") for peer in PEERS],
    order=lambda row: ([*make_cases()].index(row.problem), row.layers, (*OURS, *PEERS).index(row.way)),
)

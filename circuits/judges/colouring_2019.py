"""IBM Quantum Challenge 2019, final: a map of eleven districts, the whole search with five iterations, 1q + 10 CX.

District n is measured into c[2n] (high) and c[2n + 1] (low). Source: github.com/quantum-challenge/2019, problems/final.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np

from .base import NUMERIC, Contest, RefusedError, Verdict, need_wires, read_circuit, weigh
from .basis import check_ideal, drawn, measured

EDGES = "A0 A2 A3 01 02 03 1B 13 14 B4 23 25 26 2C 34 35 36 46 CD 56 5D 6D"
ITERATIONS, SHOTS, MOST_WIRES = 5, 8000, 32


def proper_colourings() -> list[int]:
    """As numbers of fourteen digits, c[0] the highest."""
    found = []
    for colours in product(range(4), repeat=7):
        colour = dict(zip("0123456ABCD", (*colours, 0, 1, 2, 3), strict=True))
        if all(colour[a] != colour[b] for a, b in EDGES.split()):
            found.append(sum(one << 2 * (6 - place) for place, one in enumerate(colours)))
    return found


def judge(task: str, class_: str, files: Sequence[Path]) -> Verdict:
    """The nine likeliest outcomes must be the nine colourings."""
    circuit = read_circuit(files[0], NUMERIC | {"measure"})
    need_wires(circuit, files[0], 14, MOST_WIRES)
    found = measured(circuit, 14, files[0])
    wanted = proper_colourings()
    order = np.argsort(-found, kind="stable")
    if set(order[:9].tolist()) != set(wanted) or found[order[8]] <= 1.0001 * found[order[9]]:
        raise RefusedError(f"{files[0]}: the nine likeliest outcomes are not the nine colourings")

    def right(shots: np.ndarray) -> bool:
        best = np.argsort(-shots, kind="stable")
        return set(best[:9].tolist()) == set(wanted) and shots[best[8]] > shots[best[9]]

    drawn(found, SHOTS, right, files[0])
    cost = weigh(circuit)
    text = f"{cost:,}"
    if class_ != "outcomes":
        check_ideal(found, np.isin(np.arange(1 << 14), wanted), ITERATIONS, 2 * len(wanted), files[0])
        states = int((found > 1e-9).sum())
        if class_ == "whole" and states < 1 << 14:
            raise RefusedError(f"{files[0]}: {states:,} outcomes occur; class whole wants all 16,384")
        text += f" on {states:,} states"
    return Verdict((cost,), text, circuit.num_qubits)


CONTEST = Contest(
    "1q + 10 CX",
    {
        "whole": "as `exact`, but starting from all 16,384 colourings, so that every edge has to be checked",
        "exact": "outcomes as likely as with an exact oracle: five iterations, uniform start, at most half solutions",
        "outcomes": "the nine most likely outcomes are the nine proper colourings: the contest's own rule",
    },
    ("map",),
    judge,
    {},
)

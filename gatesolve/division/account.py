"""The account of a divided search: classical work, circuits, and what other searches would take."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from gatesolve.model.presolve.branch import Backtracking
from gatesolve.pipelines.answer import Status


@dataclass(frozen=True)
class LeafRecord:
    """One leaf that was searched.

    Attributes:
        path: the variables branched on, each with its value.
        status: what became of it; ``infeasible`` where every codeword was checked afterwards too, with an objective for
            anything better than the best of the leaves before.
        presolve: how far deductions went in it.
        deductions: how many were made, where not all were; 0 else.
        probes: values tried to find these.
        space_size: its states; 0 where presolve refuted it, 1 where presolve solved it.
        marked: codewords that its oracle marks, which was looked up after the search alone.
        oracle_calls: in all its runs.
        cx: in all its runs, each oracle call as a whole iteration.
        t: T gates, of the same circuits at Clifford+T.
        rotations: by other angles, each of which some dozens of T gates more would approximate.
        qubits: of its circuit.
        miss_probability: probability that a solution was there and not found.
        seconds: that it took.
        is_closed: whether its certificate lists every codeword, and none is better than what was found.
    """

    path: tuple[tuple[str, int], ...]
    status: Status
    presolve: str
    deductions: int
    probes: int
    space_size: int
    marked: int
    oracle_calls: int
    cx: int
    t: int
    rotations: int
    qubits: int
    miss_probability: float
    seconds: float
    is_closed: bool = True


@dataclass(frozen=True)
class Undivided:
    """The whole problem after propagation, in the smallest space that it has.

    Attributes:
        space_size: its states.
        qubits: of the space, without ancillas.
    """

    space_size: int
    qubits: int


@dataclass(frozen=True)
class Division:
    """All of a divided search.

    Attributes:
        probes: values tried, classically, before it was found that the whole problem is too large, and to refute parts.
        nodes: parts come to, the whole problem too.
        cut: parts that were refuted classically.
        bounded: of these, by OR-Tools: it proved that they have nothing better than the best found.
        branches: of OR-Tools in all parts, classical.
        looks: values tried to choose what to branch on, classically.
        dropped: of these, refuted: no part has them.
        depth: the most branches one upon another.
        leaves: those searched, in order.
        undivided: what one search of all of it would be.
        backtracking: what a plain classical search takes on this machine; None for an objective.
    """

    probes: int
    nodes: int
    cut: int
    bounded: int
    branches: int
    looks: int
    dropped: int
    depth: int
    leaves: tuple[LeafRecord, ...]
    undivided: Undivided
    backtracking: Backtracking | None

    @property
    def totals(self) -> dict[str, int]:
        """Sums over the leaves; ``probes`` includes those of the whole problem, ``qubits`` is the maximum."""
        return {
            "deductions": sum(leaf.deductions for leaf in self.leaves),
            "probes": self.probes + sum(leaf.probes for leaf in self.leaves),
            "states": sum(leaf.space_size for leaf in self.leaves),
            "marked": sum(leaf.marked for leaf in self.leaves),
            "oracle_calls": sum(leaf.oracle_calls for leaf in self.leaves),
            "cx": sum(leaf.cx for leaf in self.leaves),
            "t": sum(leaf.t for leaf in self.leaves),
            "rotations": sum(leaf.rotations for leaf in self.leaves),
            # The leaves run one after the other on the same qubits.
            "qubits": max((leaf.qubits for leaf in self.leaves), default=0),
        }

    @property
    def square_roots(self) -> float:
        """Sum of the square roots of the leaves' states, which their oracle calls grow with."""
        return sum(math.sqrt(leaf.space_size) for leaf in self.leaves)

    @property
    def bounds(self) -> dict[str, float]:
        """Oracle calls of other searches, without constant factors where the source gives none.

        ``undivided``: plain iterations for one solution, pi/4 sqrt(N). ``nested``: amplification over the leaves that
        were searched, pi/4 sqrt(sum of N). ``backtracking``: Montanaro's walk on the tree of parts, sqrt(T n) for T
        parts and depth n (arXiv:1509.02374, theorem 2).
        """
        return {
            "undivided": math.pi / 4 * math.sqrt(self.undivided.space_size),
            "nested": math.pi / 4 * math.sqrt(sum(leaf.space_size for leaf in self.leaves)),
            # A tree of the root alone has depth 0, and still costs a call.
            "backtracking": math.sqrt(self.nodes * max(self.depth, 1)),
        }

    @property
    def miss_probability(self) -> float:
        """Upper bound of the probability that some leaf has a solution that was not found."""
        # Union bound over the leaves that ended without a proof.
        return min(1.0, sum(leaf.miss_probability for leaf in self.leaves if not leaf.is_closed))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "totals": {**self.totals, "square_roots": self.square_roots}, "bounds": self.bounds}

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield rows of a table: a label and a value."""
        totals, bounds, plain = self.totals, self.bounds, self.backtracking
        yield "parts", f"{self.nodes} ({self.cut} refuted classically, {len(self.leaves)} searched, the others split)"
        if plain is None:
            yield "parts refuted by OR-Tools (classical)", f"{self.bounded}"
            yield "branches of OR-Tools (classical)", f"{self.branches:,.0f}"
        yield "values tried to choose the parts", f"{self.looks}, of which {self.dropped} refuted classically"
        yield "deductions in the leaves (classical)", f"{totals['deductions']:,.0f}"
        yield "values probed (classical)", f"{totals['probes']:,.0f}"
        yield "leaves searched", f"{len(self.leaves)}, with {totals['states']:,.0f} states"
        yield "sum of sqrt(states) of the leaves", f"{self.square_roots:,.0f}"
        yield "oracle calls in all leaves", f"{totals['oracle_calls']:,.0f}"
        yield "CX in all leaves", f"{totals['cx']:,.0f}"
        yield "T in all leaves", f"{totals['t']:,.0f}"
        yield "rotations in all leaves (not in the T count)", f"{totals['rotations']:,.0f}"
        yield "qubits of the largest circuit", f"{totals['qubits']:,.0f}"
        size, qubits = self.undivided.space_size, self.undivided.qubits
        yield "the whole problem in one search", f"2^{math.log2(size):.1f} states on {qubits} data qubits"
        yield "oracle calls of that search", f"2^{math.log2(bounds['undivided']):.1f} for one solution"
        yield "oracle calls of a nested search of the leaves", f"{bounds['nested']:,.0f}"
        yield "oracle calls of a quantum walk on the parts", f"{bounds['backtracking']:,.0f} times an unknown constant"
        if plain is None:
            return
        more = "" if plain.finished else "more than "
        yield "plain classical backtracking here", f"{more}{plain.nodes} nodes, {more}{plain.seconds:.2f} s"

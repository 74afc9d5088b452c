"""Two qubits that are added to many targets together are added to each other first."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gatesolve.circuit.gates import LowGate
from gatesolve.circuit.lowering.passes.commute import pauli_letters

LONG = 48
"""CX onto one target in a row beyond which pairs are not looked for."""
FOR_EVER = (-1, 1 << 62)
Value = tuple[int, int]
"""A qubit and how often it was written: what it holds between two writes."""


def factor_fan_ins(gates: Sequence[LowGate]) -> list[LowGate]:
    """Replace CX(a,t) CX(b,t) for several t by CX(b,t) between one CX(a,b) and another; fewer CX, or the same list.

    While b holds a ^ b, other uses of b take a CX more; a pair is taken where that, too, is less than what it saves.
    Phases on b are moved before the first CX(a,b). Of several pairs on the same qubits the best is taken; call again
    for the next.

    Cost: all pairs of CX onto one target in a row, `LONG` at most.
    Source: the common subexpressions of Paar's algorithm for CX networks (Paar, 1997, doi:10.1109/ISIT.1997.613165),
    with the sum held on one of the two qubits.
    """
    table = _Table.of(gates)
    taken: set[int] = set()
    values: set[Value] = set()
    edits = _Edits()
    for plan in sorted(_plans(table, 1), key=lambda p: (-p.gain, p.first)):
        touched = {*plan.dropped, *plan.kept, *plan.others}
        if touched & taken or values & {plan.source, plan.host}:
            continue
        taken |= touched
        values |= {plan.source, plan.host}
        edits.add(plan, gates, table)
    return edits.apply(gates)


def trade_gates(gates: Sequence[LowGate]) -> Iterator[list[LowGate]]:
    """Yield an equal circuit for each pair of qubits whose sum can be made once for as many CX as now.

    So chains of CX onto one target become trees: of CX(a,t) CX(b,t), used, CX(b,t) CX(a,t), the one from a goes to b.
    """
    table = _Table.of(gates)
    for plan in sorted(_plans(table, 0), key=lambda p: (-p.gain, p.first)):
        edits = _Edits()
        edits.add(plan, gates, table)
        yield edits.apply(gates)


@dataclass(frozen=True)
class _TradePlan:
    """A value to add to another, the host, which saves ``gain`` CX.

    CX from the source are ``dropped`` and those from the host are ``kept``; ``others`` are further uses of the host
    between the ``first`` and the ``last`` of these, all by their indices.
    """

    gain: int
    source: Value
    host: Value
    dropped: tuple[int, ...]
    kept: tuple[int, ...]
    others: tuple[int, ...]
    first: int
    last: int


@dataclass
class _Table:
    """Where values are used (as controls and by CZ, not by phases), and from which index to which each is held.

    ``runs`` are CX onto one target that commute, as the value and index of each; ``alone`` are the gates of one qubit,
    by that qubit.
    """

    alone: dict[int, list[int]] = field(default_factory=dict)
    uses: dict[Value, list[int]] = field(default_factory=dict)
    spans: dict[Value, tuple[int, int]] = field(default_factory=dict)
    runs: list[list[tuple[Value, int]]] = field(default_factory=list)

    @staticmethod
    def of(gates: Sequence[LowGate]) -> _Table:
        """One pass over the gates."""
        table = _Table()
        writes: defaultdict[int, int] = defaultdict(int)
        since: dict[int, int] = {}
        running: dict[int, list[tuple[Value, int]]] = {}
        for index, gate in enumerate(gates):
            name, qubits, _ = gate
            if len(qubits) == 1:
                table.alone.setdefault(qubits[0], []).append(index)
            # A use by a Toffoli gate is too dear to be made twice, so it ends what is held.
            letters = pauli_letters(gate) if len(qubits) < 3 else "---"
            for qubit, letter in zip(qubits, letters, strict=True):
                if letter != "x" and qubit in running:
                    del running[qubit]
                value = qubit, writes[qubit]
                if letter == "z":
                    if len(qubits) > 1:
                        table.uses.setdefault(value, []).append(index)
                    continue
                table.spans[value] = since.get(qubit, -1), index
                writes[qubit], since[qubit] = value[1] + 1, index
                if name == "cx":
                    control = qubits[0], writes[qubits[0]]
                    if qubit not in running:
                        running[qubit] = []
                        table.runs.append(running[qubit])
                    running[qubit].append((control, index))
        for qubit, start in since.items():
            table.spans[qubit, writes[qubit]] = start, len(gates)
        return table


def _plans(table: _Table, least: int) -> list[_TradePlan]:
    """Every pair that saves at least so many CX."""
    found: dict[tuple[Value, Value], list[tuple[int, int]]] = {}
    for run in table.runs:
        if not 2 <= len(run) <= LONG:
            continue
        for source, at in run:
            start, stop = table.spans.get(source, FOR_EVER)
            for host, place in run:
                if start < place < stop and source[0] != host[0]:
                    found.setdefault((source, host), []).append((place, at))
    plans = (_make_plan(table, *pair, sorted(places)) for pair, places in found.items() if len(places) >= 2 + least)
    return [plan for plan in plans if plan is not None and plan.gain >= least]


def _make_plan(table: _Table, source: Value, host: Value, places: list[tuple[int, int]]) -> _TradePlan | None:
    """The stretch of the host's uses that saves most."""
    start, stop = table.spans.get(source, FOR_EVER)
    together: dict[int, int] = {}
    for place, at in places:
        if place not in together and at not in together.values():
            together[place] = at
    uses = [index for index in table.uses[host] if start < index < stop]
    best, best_range, total, begin = 0, (0, 0), 0, 0
    for position, index in enumerate(uses):
        if total <= 0:
            total, begin = 0, position
        total += 1 if index in together else -1
        if total > best:
            best, best_range = total, (begin, position + 1)
    if best < 2:
        return None
    inside = uses[slice(*best_range)]
    kept = tuple(index for index in inside if index in together)
    others = tuple(index for index in inside if index not in together)
    return _TradePlan(best - 2, source, host, tuple(together[k] for k in kept), kept, others, inside[0], inside[-1])


@dataclass
class _Edits:
    """Gates that go, and gates that come before or after others."""

    gone: set[int] = field(default_factory=set)
    before: dict[int, list[LowGate]] = field(default_factory=dict)
    after: dict[int, list[LowGate]] = field(default_factory=dict)

    def add(self, plan: _TradePlan, gates: Sequence[LowGate], table: _Table) -> None:
        """The changes one plan asks for."""
        source, host = plan.source[0], plan.host[0]
        self.gone |= set(plan.dropped)
        add: LowGate = ("cx", (source, host), 0.0)
        phases = table.alone.get(host, [])
        moved = phases[bisect_left(phases, plan.first) : bisect_left(phases, plan.last)]
        self.gone |= set(moved)
        self.before.setdefault(plan.first, []).extend([*(gates[k] for k in moved), add])
        for index in plan.others:
            name, qubits, angle = gates[index]
            swapped = tuple(source if q == host else q for q in qubits)
            extra: LowGate = (name, swapped, angle) if len(set(swapped)) > 1 else ("z", (source,), 0.0)
            self.after.setdefault(index, []).append(extra)
        self.after.setdefault(plan.last, []).append(add)

    def apply(self, gates: Sequence[LowGate]) -> list[LowGate]:
        """The list with the changes made."""
        result: list[LowGate] = []
        for index, gate in enumerate(gates):
            result += self.before.get(index, ())
            if index not in self.gone:
                result.append(gate)
            result += self.after.get(index, ())
        return result

"""The passes between emitting gates and counting them.

All but the last keep the order of construction, in which few logical ANDs are open at a time. The last orders for
depth, and ANDs that share a qubit then overlap: an exact sparse simulation takes the gates in an order of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from gatesolve.circuit.gates import LowGate
from gatesolve.circuit.lowering.passes.commute import pauli_letters, sweep_rotations
from gatesolve.circuit.lowering.passes.commute_factor import (
    factor_fan_ins,
    move_paulis_last,
    replace_by_cz,
    replace_cz,
    trade_gates,
)
from gatesolve.circuit.lowering.passes.phase_folding import KNOWN, fold_phases
from gatesolve.circuit.lowering.passes.schedule import reschedule, wire_depths

Gates = list[LowGate]
Change = Callable[[Gates], Gates]
TRIES = (600, 16)
"""Most gates of a circuit in which CX are traded for fewer layers, and how many trades are tried."""
ROUNDS = 8
"""How often all passes are run while they gain."""
LARGE = 7_000
"""Gates above which one of the ways is taken, not the best of all."""
LARGE_FOR_T = 1_500
"""The same where only T are counted: of 70 oracles of 1,500 to 7,000 gates every way left as many."""


def cancel_gates(gates: Iterable[LowGate], *, is_ordered_later: bool = False, large: int = LARGE) -> list[LowGate]:
    """An equal circuit, up to a global phase, of no more CX and T, and mostly fewer gates and layers.

    Pairs are cancelled first; on what is left, with X and Z where they stand and with both carried to the end, in turn
    while there is a gain: CX between H as CZ (`commute_cz`), cancelling across gates that commute or can be passed
    (`sweep_rotations`), sums of two qubits made once (`factor_fan_ins`), rotations about equal axes merged
    (`fold_phases`). All results are ordered anew (`reschedule`); the one of fewest CX, then T, then layers is taken,
    and in a small one CX are traded for CX where that saves layers (`trade_gates`).

    Of more than ``large`` gates X and Z are carried to the end, and one result is made: half the time or less, and in
    70 oracles of 1,500 to 7,000 gates at most 0.4 % more CX. It is not ordered where the caller does that later.

    Gates other than `KNOWN` are kept, in their order, and nothing on their qubits is moved across them.

    Cost: nearly linear in the number of gates.
    """
    given = replace_cz(list(gates))
    passes = _Passes()
    if len(given) > large:
        carried = move_paulis_last(sweep_rotations(given, new_cz=False))
        after = sweep_rotations(passes.reduce(carried), new_cz=False)
        return after if is_ordered_later else _reorder(after)
    plain = passes.sweep_out(given)
    best, found = plain, [plain]
    for _ in range(ROUNDS):
        both = [passes.sweep_out(passes.reduce(start)) for start in (best, move_paulis_last(best))]
        found += both
        after = min(both, key=_size)
        if _size(after) >= _size(best):
            break
        best = after
    least = min(map(_counts, found))
    # Ordering is the dearest pass and changes no count, so only what is least already is ordered, and once.
    kept = {tuple(one): one for one in found if _counts(one) == least}
    return _shorten(min(map(_reorder, kept.values()), key=_cost))


def _shorten(gates: list[LowGate]) -> list[LowGate]:
    """Trades of CX for CX, one by one, that lower the depth."""
    most, tries = TRIES
    trades = trade_gates(gates) if len(gates) <= most else iter(())
    for _ in range(tries):
        one = next(trades, None)
        if one is None:
            break
        one = _reorder(one)
        if _cost(one) < _cost(gates):
            gates, trades = one, trade_gates(one)
    return gates


@dataclass
class _Passes:
    """Passes that remember what they made of which list: many lists come up again, most of them unchanged."""

    made: defaultdict[Change, list[tuple[list[LowGate], list[LowGate]]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def run(self, change: Change, gates: list[LowGate]) -> list[LowGate]:
        """Apply a pass to a list of gates; return the very list where it changes nothing."""
        earlier = self.made[change]
        for given, after in earlier:
            if given == gates:
                return after
        after = change(gates)
        earlier.append((gates, gates if after == gates else after))
        return earlier[-1][1]

    def reduce(self, gates: Iterable[LowGate]) -> list[LowGate]:
        """All passes in turn, while they gain, on CZ; CX in the end."""
        current = replace_by_cz(gates)
        for _ in range(ROUNDS):
            after = current
            for change in (sweep_rotations, factor_fan_ins, sweep_rotations, fold_phases):
                after = self.run(change, after)
            if _size(after) >= _size(current):
                break
            current = after
        return self.run(replace_cz, current)

    def sweep_out(self, gates: list[LowGate]) -> list[LowGate]:
        """Sweeps that make no new CZ, while they gain."""
        while True:
            after = self.run(_sweep_without_cz, gates)
            if after is gates or _size(after) == _size(gates):
                return after
            gates = after


def _sweep_without_cz(gates: Iterable[LowGate]) -> list[LowGate]:
    return sweep_rotations(gates, new_cz=False)


def _size(gates: list[LowGate]) -> tuple[int, int]:
    """Return the counts that every turn lowers."""
    return [len(qubits) > 1 for _, qubits, _ in gates].count(True), len(gates)


def _cost(gates: list[LowGate]) -> tuple[int, ...]:
    """Return the counts by which results are compared."""
    return *_counts(gates), *wire_depths([_wires(gate) for gate in gates]), len(gates)


def _counts(gates: list[LowGate]) -> tuple[int, int]:
    """CX, and gates that are T or rotations."""
    return _size(gates)[0], sum(gate[0] in {"t", "tdg", "p", "rz", "ry"} for gate in gates)


def _reorder(gates: list[LowGate]) -> list[LowGate]:
    return reschedule(gates, _wires, _kinds)


def _wires(gate: LowGate) -> tuple[int, ...]:
    """A gate's qubits; gates that are not known share one more wire, as they may hold classical bits."""
    return gate[1] if gate[0] in KNOWN or gate[0] == "ccx" else (-1, *gate[1])


def _kinds(gate: LowGate) -> str:
    return pauli_letters(gate) if gate[0] in KNOWN or gate[0] == "ccx" else "-" * (1 + len(gate[1]))

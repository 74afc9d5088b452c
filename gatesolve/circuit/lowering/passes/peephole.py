"""The passes between emitting gates and counting them.

All but the last keep the order of construction, in which few logical ANDs are open at a time. The last orders for
depth, and ANDs that share a qubit then overlap: an exact sparse simulation takes the gates in an order of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from gatesolve.circuit.lowering.gates import LowGate
from gatesolve.circuit.lowering.passes.commute import pauli_letters, sweep_rotations
from gatesolve.circuit.lowering.passes.commute_cz import replace_by_cz, replace_cz
from gatesolve.circuit.lowering.passes.commute_factor import factor_fan_ins, trade_gates
from gatesolve.circuit.lowering.passes.commute_pauli import move_paulis_last
from gatesolve.circuit.lowering.passes.phase_folding import KNOWN, fold_phases
from gatesolve.circuit.lowering.passes.schedule import reschedule, wire_depths

TRIES = (600, 16)
"""Most gates of a circuit in which CX are traded for fewer layers, and how many trades are tried."""
ROUNDS = ((5_000, 8), (20_000, 2))
"""Most gates, and how often all passes are run over that many while they gain; once over more."""


def cancel_gates(gates: Iterable[LowGate]) -> list[LowGate]:
    """An equal circuit, up to a global phase, of no more CX and T, and mostly fewer gates and layers.

    Pairs are cancelled first; on what is left, with X and Z where they stand and with both carried to the end, in turn
    while there is a gain: CX between H as CZ (`commute_cz`), cancelling across gates that commute or can be passed
    (`sweep_rotations`), sums of two qubits made once (`factor_fan_ins`), rotations about equal axes merged
    (`fold_phases`). All results are ordered anew (`reschedule`); the one of fewest CX, then T, then layers is taken,
    and in a small one CX are traded for CX where that saves layers (`trade_gates`).

    Gates other than `KNOWN` are kept, in their order, and nothing on their qubits is moved across them.

    Cost: nearly linear in the number of gates.
    """
    plain = _sweep_out(replace_cz(list(gates)))
    rounds = next((turns for most, turns in ROUNDS if len(plain) <= most), 1)
    best, found = plain, [plain]
    for _ in range(rounds):
        both = [_reduce(start, rounds) for start in (best, move_paulis_last(best))]
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


def _reduce(gates: Iterable[LowGate], rounds: int) -> list[LowGate]:
    """All passes in turn, while they gain."""
    current = replace_by_cz(gates)
    for _ in range(rounds):
        after = fold_phases(sweep_rotations(factor_fan_ins(sweep_rotations(current))))
        if _size(after) >= _size(current):
            break
        current = after
    return _sweep_out(replace_cz(current))


def _sweep_out(gates: list[LowGate]) -> list[LowGate]:
    while True:
        after = sweep_rotations(gates, new_cz=False)
        if _size(after) == _size(gates):
            return after
        gates = after


def _size(gates: list[LowGate]) -> tuple[int, int]:
    """What every turn lowers."""
    return sum(len(gate[1]) > 1 for gate in gates), len(gates)


def _cost(gates: list[LowGate]) -> tuple[int, ...]:
    """What the results are compared by."""
    return *_counts(gates), *wire_depths([_wires(gate) for gate in gates]), len(gates)


def _counts(gates: list[LowGate]) -> tuple[int, int]:
    """CX, and gates that are T or rotations."""
    return _size(gates)[0], sum(gate[0] in {"t", "tdg", "p", "rz", "ry"} for gate in gates)


def _reorder(gates: list[LowGate]) -> list[LowGate]:
    return reschedule(gates, _wires, _kinds)


def _wires(gate: LowGate) -> tuple[int, ...]:
    """A gate's qubits; gates that are not known share one more wire, as they may hold classical bits."""
    return gate[1] if gate[0] in KNOWN else (-1, *gate[1])


def _kinds(gate: LowGate) -> str:
    return pauli_letters(gate) if gate[0] in KNOWN else "-" * (1 + len(gate[1]))

"""Conjunctions of parities in the form in which they are made in place."""

from __future__ import annotations

from gatesolve.circuit.ops import Parity


def independent_parities(factors: tuple[Parity, ...]) -> list[Parity] | None:
    """The same conjunction with each parity's first wire in no other; None if it is never 1.

    The parities are over mutually independent wires afterwards, so each can be made in place
    on its first wire: later ones do not hold that wire.
    """
    result: list[Parity] = []
    for factor in factors:
        for kept in result:
            if kept.wires[0] in factor.wires:
                # kept is 1 where it counts, so XORing its complement changes nothing there.
                factor = factor ^ kept.negated()
        if not factor.wires:
            if not factor.constant:
                return None
            continue
        for k, kept in enumerate(result):
            if factor.wires[0] in kept.wires:
                result[k] = _lead(kept ^ factor.negated(), kept.wires[0])
        result.append(factor)
    return result


def _lead(parity: Parity, wire: int) -> Parity:
    """The same parity with ``wire`` written first (parities are sorted otherwise)."""
    return Parity((wire, *(w for w in parity.wires if w != wire)), parity.constant)

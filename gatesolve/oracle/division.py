"""Quotients and remainders of numbers too wide to look up: long division, a comparison and a choice a digit."""

from __future__ import annotations

from dataclasses import replace

from gatesolve.circuit import Parity
from gatesolve.oracle.condition import ONE
from gatesolve.oracle.network import Network
from gatesolve.oracle.numbers import Number, add, is_at_most_zero, is_zero, resolve, scale, select


def divide(network: Network, function: str, left: Number, right: Number) -> Number:
    """``div``, rounded towards zero, or ``mod``, which has the sign of what is divided.

    Cost: for quotients of n digits and divisors of m about 3 n m ANDs.
    """
    falling, size = _split_sign(network, left)
    turned, divisor = _split_sign(network, right)
    most = max(divisor.high, 1)
    rest = Number({}, 0, 0, 0)
    found: list[Parity] = []
    for digit in reversed(resolve(network, size, 0, size.high.bit_length())):
        doubled = add(network, [scale(rest, 2), Number({0: (digit,)}, 0, 0, 1)])
        less = add(network, [doubled, scale(divisor, -1)])
        fits = is_at_most_zero(network, scale(less, -1))
        rest = select(network, fits, replace(less, values=None), replace(doubled, values=None))
        # what is left is less than the divisor, or the quotient is not defined
        rest = Number(
            {k: (bit,) for k, bit in enumerate(resolve(network, rest, 0, (most - 1).bit_length()))}, 0, 0, most - 1
        )
        found.append(fits)
    nonzero = network.conjoin_all(is_zero(network, divisor)).negated()
    known = network.conjoin_all([left.known, right.known, nonzero])
    quotient = Number({k: (bit,) for k, bit in enumerate(reversed(found))}, 0, 0, size.high)
    number, sign = (quotient, falling ^ turned) if function == "div" else (rest, falling)
    signed = number if not sign.wires else select(network, sign, scale(number, -1), number)
    return replace(signed if sign.wires or not sign.constant else scale(number, -1), known=known)


def _split_sign(network: Network, number: Number) -> tuple[Parity, Number]:
    """Whether a number is negative, and its size."""
    if number.low >= 0 or number.high < 0:
        return (ONE.negated(), number) if number.low >= 0 else (ONE, scale(number, -1))
    negative = is_at_most_zero(network, add(network, [number], 1))
    plain = replace(number, values=None)
    size = select(network, negative, scale(plain, -1), plain)
    digits = resolve(network, size, 0, max(-number.low, number.high).bit_length())
    return negative, Number({k: (bit,) for k, bit in enumerate(digits)}, 0, 0, max(-number.low, number.high))

"""Mixers on tiles: real and imaginary parts apart, a row for each codeword of some blocks.

``part`` numbers further on in the same array lies the imaginary part; lengths are multiples of ``LANES``.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils

from gatesolve.simulate.qaoa_vectors import Pair, Rows, vectorised


@vectorised
def hop(typing: Any, rows: Any, part: Any, a: Any, b: Any, length: Any, cosine: Any, sine: Any) -> Any:
    """Row a becomes c a - i s b, row b becomes c b - i s a; both of ``length`` numbers."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        _, part, a, b, length, cosine, sine = args
        c, s = v.spread(cosine), v.spread(sine)
        with v.each(length) as (t, _count):
            _hop_once(v, [builder.add(a, t), builder.add(b, t)], part, c, s)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(rows, whole, whole, whole, whole, types.float64, types.float64), code


@vectorised
def hop_back(
    typing: Any, rows: Any, others: Any, part: Any, a: Any, b: Any, length: Any, cosine: Any, sine: Any
) -> Any:
    """The same on two arrays; returns the imaginary part of <others|H|rows>, H the hop without its angle."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        w = Rows(context, builder, signature.args[1], args[1])
        _, _, part, a, b, length, cosine, sine = args
        c, s, sums = v.spread(cosine), v.spread(sine), [v.zero(), v.zero()]
        with v.each(length) as (t, _count):
            places = [builder.add(a, t), builder.add(b, t)]
            mine, theirs = _hop_once(v, places, part, c, s), _hop_once(w, places, part, c, s)
            for k in (0, 1):
                v.gain_imaginary(sums[k], theirs[k], mine[1 - k])
        return builder.fadd(v.total(sums[0]), v.total(sums[1]))

    whole, number = types.int64, types.float64
    return types.float64(rows, others, whole, whole, whole, whole, number, number), code


def _hop_once(v: Rows, places: list[Any], part: Any, c: Any, s: Any) -> list[Pair]:
    """One vector of a hop; returns what the two rows held."""
    held = [v.load_parts(place, part) for place in places]
    for k in (0, 1):
        (re, im), (other_re, other_im) = held[k], held[1 - k]
        v.store(places[k], v.add(v.mul(c, re), v.mul(s, other_im)))
        v.store(v.builder.add(places[k], part), v.sub(v.mul(c, im), v.mul(s, other_re)))
    return held


@vectorised
def ring_of_four(typing: Any, rows: Any, part: Any, first: Any, length: Any, change: Any, turn: Any) -> Any:
    """The four hops of a 4-ring on rows first, first + length, ..., each of ``length`` numbers.

    The even and the odd edges commute, and their sum H takes (v0, v1, v2, v3) to (u1, u0, u1, u0) with
    u0 = v0 + v2 and u1 = v1 + v3. So exp(-i beta H) adds ``change`` u0 - i ``turn`` u1 to v0 and v2, and the
    mirror image to v1 and v3, where change = (cos 2 beta - 1) / 2 and turn = sin 2 beta / 2.
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        _, part, first, length, change, turn = args
        c, s = v.spread(change), v.spread(turn)
        with v.each(length) as (t, _count):
            _ring_once(v, builder.add(first, t), length, part, c, s)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(rows, whole, whole, whole, types.float64, types.float64), code


@vectorised
def ring_of_four_back(
    typing: Any, rows: Any, others: Any, part: Any, first: Any, length: Any, change: Any, turn: Any
) -> Any:
    """The same on two arrays; returns the imaginary part of <others|H|rows>."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        w = Rows(context, builder, signature.args[1], args[1])
        _, _, part, first, length, change, turn = args
        c, s, sums = v.spread(change), v.spread(turn), [v.zero(), v.zero()]
        with v.each(length) as (t, _count):
            place = builder.add(first, t)
            mine, theirs = _ring_once(v, place, length, part, c, s), _ring_once(w, place, length, part, c, s)
            for k in (0, 1):
                v.gain_imaginary(sums[k], theirs[k], mine[1 - k])
        return builder.fadd(v.total(sums[0]), v.total(sums[1]))

    whole, number = types.int64, types.float64
    return types.float64(rows, others, whole, whole, whole, number, number), code


def _ring_once(v: Rows, place: Any, length: Any, part: Any, c: Any, s: Any) -> list[Pair]:
    """One vector of a 4-ring; returns u0 and u1."""
    places = [place]
    for _row in range(3):
        places.append(v.builder.add(places[-1], length))
    held = [v.load_parts(row, part) for row in places]
    u = [(v.add(held[k][0], held[k + 2][0]), v.add(held[k][1], held[k + 2][1])) for k in (0, 1)]
    for k in (0, 1):
        (re, im), (other_re, other_im) = u[k], u[1 - k]
        more_re, more_im = v.add(v.mul(c, re), v.mul(s, other_im)), v.sub(v.mul(c, im), v.mul(s, other_re))
        for row in (k, k + 2):
            v.store(places[row], v.add(held[row][0], more_re))
            v.store(v.builder.add(places[row], part), v.add(held[row][1], more_im))
    return u


@vectorised
def grover(typing: Any, rows: Any, part: Any, first: Any, count: Any, length: Any, real: Any, imag: Any) -> Any:
    """Add (real + i imag) times the sum of ``count`` rows to each of them."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        _, part, first, count, length, real, imag = args
        factor = v.spread(real), v.spread(imag)
        with v.each(length) as (t, _count):
            _grover_once(v, builder.add(first, t), count, length, part, factor)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(rows, whole, whole, whole, whole, types.float64, types.float64), code


@vectorised
def grover_back(
    typing: Any, rows: Any, others: Any, part: Any, first: Any, count: Any, length: Any, real: Any, imag: Any
) -> Any:
    """The same on two arrays; returns the imaginary part of <sum of others|sum of rows>."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        w = Rows(context, builder, signature.args[1], args[1])
        _, _, part, first, count, length, real, imag = args
        factor, slope = (v.spread(real), v.spread(imag)), v.zero()
        with v.each(length) as (t, _count):
            place = builder.add(first, t)
            mine, theirs = (_grover_once(x, place, count, length, part, factor) for x in (v, w))
            v.gain_imaginary(slope, theirs, mine)
        return v.total(slope)

    whole, number = types.int64, types.float64
    return types.float64(rows, others, whole, whole, whole, whole, number, number), code


def _grover_once(v: Rows, start: Any, count: Any, length: Any, part: Any, factor: Pair) -> Pair:
    """One vector of a Grover mixer; returns the sum of the rows."""
    builder, places = v.builder, (v.zero(), v.zero())
    with cgutils.for_range(builder, count) as loop:
        row = builder.add(start, builder.mul(loop.index, length))
        for place, value in zip(places, v.load_parts(row, part), strict=True):
            v.gain(place, value)
    total = builder.load(places[0]), builder.load(places[1])
    more = v.times(total, factor)
    with cgutils.for_range(builder, count) as loop:
        row = builder.add(start, builder.mul(loop.index, length))
        for place, value in zip((row, builder.add(row, part)), more, strict=True):
            v.store(place, v.add(v.load(place), value))
    return total

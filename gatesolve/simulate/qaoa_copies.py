"""Between a vector of interleaved complex numbers and tiles whose parts lie apart; and phases on the way."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from gatesolve.simulate.qaoa_vectors import Rows, vectorised, word


@vectorised
def split(typing: Any, flat: Any, start: Any, rows: Any, row: Any, part: Any, length: Any) -> Any:
    """Copy ``length`` interleaved numbers from ``start`` on to ``row`` and ``row + part``."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        w = Rows(context, builder, signature.args[2], args[2])
        _, start, _, row, part, length = args
        with v.each(length) as (t, _count):
            real, imaginary = v.load_pairs(builder.add(start, builder.shl(t, word(1, t))))
            place = builder.add(row, t)
            w.store(place, real)
            w.store(builder.add(place, part), imaginary)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(flat, whole, rows, whole, whole, whole), code


@vectorised
def merge(typing: Any, flat: Any, start: Any, rows: Any, row: Any, part: Any, length: Any) -> Any:
    """Copy them back."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        w = Rows(context, builder, signature.args[2], args[2])
        _, start, _, row, part, length = args
        with v.each(length) as (t, _count):
            place = builder.add(row, t)
            pair = w.load(place), w.load(builder.add(place, part))
            v.store_pairs(builder.add(start, builder.shl(t, word(1, t))), *pair)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(flat, whole, rows, whole, whole, whole), code


@vectorised
def split_turned(typing: Any, flat: Any, start: Any, depth: Any, rows: Any, row: Any, width: Any, part: Any) -> Any:
    """Copy a square of numbers, rows for columns; it is as wide as a vector.

    Number j of column w is number ``start + w depth + j`` of ``flat``, and goes to ``row + j width + w``.
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        w = Rows(context, builder, signature.args[3], args[3])
        _, start, depth, _, row, width, part = args
        columns = []
        for _column in range(v.lanes):
            columns.append(v.load_pairs(builder.shl(start, word(1, start))))
            start = builder.add(start, depth)
        w.store_square(columns, row, width, part)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(flat, whole, whole, rows, whole, whole, whole), code


@vectorised
def split_phased(
    typing: Any, flat: Any, classes: Any, table: Any, start: Any, depth: Any, rows: Any, row: Any, width: Any, part: Any
) -> Any:
    """The same, and each number is multiplied by the phase of its class."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        w = Rows(context, builder, signature.args[5], args[5])
        index, phases = (context.make_array(signature.args[k])(context, builder, value=args[k]).data for k in (1, 2))
        _, _, _, start, depth, _, row, width, part = args
        columns = []
        for _column in range(v.lanes):
            held = v.load_pairs(builder.shl(start, word(1, start)))
            columns.append(v.times(held, v.look_up_pair(phases, index, start)))
            start = builder.add(start, depth)
        w.store_square(columns, row, width, part)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(flat, classes, table, whole, whole, rows, whole, whole, whole), code


@vectorised
def merge_turned(typing: Any, flat: Any, start: Any, depth: Any, rows: Any, row: Any, width: Any, part: Any) -> Any:
    """Copy a square back, without phases."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        w = Rows(context, builder, signature.args[3], args[3])
        _, start, depth, _, row, width, part = args
        squares: tuple[list[Any], list[Any]] = ([], [])
        for _row in range(v.lanes):
            squares[0].append(w.load(row))
            squares[1].append(w.load(builder.add(row, part)))
            row = builder.add(row, width)
        for pair in zip(*(v.transposed(square) for square in squares), strict=True):
            v.store_pairs(builder.shl(start, word(1, start)), *pair)
            start = builder.add(start, depth)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(flat, whole, whole, rows, whole, whole, whole), code


@vectorised
def shift_phased(
    typing: Any, flat: Any, classes: Any, table: Any, start: Any, length: Any, real: Any, imag: Any
) -> Any:
    """Add real + i imag to ``length`` numbers, then multiply by their phases; returns their sum."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        index, phases = (context.make_array(signature.args[k])(context, builder, value=args[k]).data for k in (1, 2))
        _, _, _, start, length, real, imag = args
        more, sums = (v.spread(real), v.spread(imag)), (v.zero(), v.zero())
        with v.each(length) as (t, _count):
            number = builder.add(start, t)
            place = builder.shl(number, word(1, t))
            re, im = (v.add(*both) for both in zip(v.load_pairs(place), more, strict=True))
            turned = v.times((re, im), v.look_up_pair(phases, index, number))
            v.store_pairs(place, *turned)
            for total, value in zip(sums, turned, strict=True):
                v.gain(total, value)
        result = context.make_complex(builder, types.complex128)
        result.real, result.imag = (v.total(total) for total in sums)
        return result._getvalue()

    whole, number = types.int64, types.float64
    return types.complex128(flat, classes, table, whole, whole, number, number), code


@vectorised
def unphase(typing: Any, flat: Any, other: Any, classes: Any, table: Any, values: Any, start: Any, length: Any) -> Any:
    """Multiply two arrays by the conjugate phases; returns the imaginary part of <other|values|flat>."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        v = Rows(context, builder, signature.args[0], args[0])
        w = Rows(context, builder, signature.args[1], args[1])
        index, phases, numbers = (
            context.make_array(signature.args[k])(context, builder, value=args[k]).data for k in (2, 3, 4)
        )
        *_, start, length = args
        slope = v.zero()
        with v.each(length) as (t, _count):
            number = builder.add(start, t)
            place = builder.shl(number, word(1, t))
            c, s = v.look_up_pair(phases, index, number)
            back = c, v.sub(ir.Constant(v.vector, None), s)
            mine, theirs = v.load_pairs(place), w.load_pairs(place)
            level = v.look_up(numbers, index, number)
            v.gain_imaginary(slope, (v.mul(theirs[0], level), v.mul(theirs[1], level)), mine)
            v.store_pairs(place, *v.times(mine, back))
            w.store_pairs(place, *v.times(theirs, back))
        return v.total(slope)

    whole = types.int64
    return types.float64(flat, other, classes, table, values, whole, whole), code

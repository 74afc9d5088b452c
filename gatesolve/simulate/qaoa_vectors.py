"""Vector instructions for the QAOA kernels.

Numba's own vectoriser gives up on the mixers, for it cannot know that the rows of a block do not overlap.
So the loops are written as LLVM vectors, which become the widest instructions the processor has.

Real and imaginary parts are kept apart: ``part`` numbers further on in the same array lies the imaginary part.
All lengths are multiples of ``LANES``, which suits both precisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_reserved: Callable[..., Any] = cgutils.alloca_once
LANES = 16
Pair = tuple[Any, Any]
"""Vectors of real and of imaginary parts."""
_FAST = ("contract", "nsz", "reassoc")


def vectorised(function: Callable[..., Any]) -> Callable[..., Any]:
    """Numba's ``intrinsic``, typed."""
    wrapped: Callable[..., Any] = intrinsic(function)
    return wrapped


class Rows:
    """Vectors of an array, by index."""

    def __init__(self, context: Any, builder: Any, kind: Any, value: Any) -> None:
        self.builder, self.kind = builder, kind
        self.number = context.get_data_type(kind.dtype)
        self.data = context.make_array(kind)(context, builder, value=value).data
        # 64 bytes: the widest register there is.
        self.lanes = 8 if kind.dtype == types.float64 else 16
        self.vector = ir.VectorType(self.number, self.lanes)

    def _place(self, index: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(self.data, [index]), self.vector.as_pointer())

    def load(self, index: Any) -> Any:
        """The vector that starts at ``index``."""
        return self.builder.load(self._place(index), align=self.kind.dtype.bitwidth // 8)

    def store(self, index: Any, value: Any) -> None:
        """Put a vector there."""
        self.builder.store(value, self._place(index), align=self.kind.dtype.bitwidth // 8)

    def spread(self, number: Any) -> Any:
        """A vector whose lanes are all ``number``, a double."""
        if self.number != ir.DoubleType():
            number = self.builder.fptrunc(number, self.number)
        one = self.builder.insert_element(ir.Constant(self.vector, ir.Undefined), number, lane_number(0))
        return self.builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), self.lanes), None))

    def shuffled(self, left: Any, right: Any, lanes: Sequence[int]) -> Any:
        """The numbered lanes of two vectors one after the other."""
        word = ir.IntType(32)
        mask = ir.Constant(ir.VectorType(word, len(lanes)), [ir.Constant(word, lane) for lane in lanes])
        return self.builder.shuffle_vector(left, right, mask)

    def load_parts(self, index: Any, part: Any) -> Pair:
        """Real and imaginary parts that lie ``part`` apart."""
        return self.load(index), self.load(self.builder.add(index, part))

    def times(self, left: Pair, right: Pair) -> Pair:
        """The product of complex numbers."""
        real = self.sub(self.mul(left[0], right[0]), self.mul(left[1], right[1]))
        return real, self.add(self.mul(left[0], right[1]), self.mul(left[1], right[0]))

    def load_pairs(self, index: Any) -> Pair:
        """Real and imaginary parts of as many interleaved numbers as there are lanes."""
        both = self.load(index), self.load(self.builder.add(index, word(self.lanes, index)))
        return self.shuffled(*both, range(0, 2 * self.lanes, 2)), self.shuffled(*both, range(1, 2 * self.lanes, 2))

    def store_pairs(self, index: Any, real: Any, imaginary: Any) -> None:
        """Put as many numbers as lanes there, interleaved."""
        mixed = [lane for k in range(self.lanes) for lane in (k, self.lanes + k)]
        self.store(index, self.shuffled(real, imaginary, mixed[: self.lanes]))
        self.store(
            self.builder.add(index, word(self.lanes, index)), self.shuffled(real, imaginary, mixed[self.lanes :])
        )

    def look_up(self, table: Any, classes: Any, index: Any) -> Any:
        """The number of a table for each of the classes from ``index`` on."""
        result = ir.Constant(self.vector, ir.Undefined)
        for lane in range(self.lanes):
            number = self.builder.load(self.builder.gep(table, [self._class(classes, index, lane)]))
            if number.type != self.number:
                number = self.builder.fptrunc(number, self.number)
            result = self.builder.insert_element(result, number, lane_number(lane))
        return result

    def look_up_pair(self, table: Any, classes: Any, index: Any) -> Pair:
        """Real and imaginary parts out of a table of interleaved numbers."""
        b, kind = self.builder, ir.VectorType(self.number, 2).as_pointer()
        parts = []
        for lane in range(self.lanes):
            place = self._class(classes, index, lane)
            pair = b.bitcast(b.gep(table, [b.shl(place, word(1, place))]), kind)
            parts.append(b.load(pair, align=self.kind.dtype.bitwidth // 8))
        # Both parts come by one load, and neighbours are joined until two vectors are left.
        while len(parts) > 2:
            lanes = range(2 * parts[0].type.count)
            parts = [self.shuffled(*both, lanes) for both in zip(parts[0::2], parts[1::2], strict=True)]
        low, high = parts
        return self.shuffled(low, high, range(0, 2 * self.lanes, 2)), self.shuffled(
            low, high, range(1, 2 * self.lanes, 2)
        )

    def _class(self, classes: Any, index: Any, lane: int) -> Any:
        b = self.builder
        return b.sext(b.load(b.gep(classes, [b.add(index, word(lane, index))])), index.type)

    def transposed(self, square: list[Any]) -> list[Any]:
        """As many vectors as lanes, rows for columns."""
        half = 1
        while half < self.lanes:
            lanes = range(self.lanes)
            low = [lane if not lane & half else self.lanes + lane - half for lane in lanes]
            high = [lane + half if not lane & half else self.lanes + lane for lane in lanes]
            result = list(square)
            for k in lanes:
                if not k & half:
                    pair = square[k], square[k + half]
                    result[k], result[k + half] = self.shuffled(*pair, low), self.shuffled(*pair, high)
            square, half = result, 2 * half
        return square

    def store_square(self, columns: list[Pair], row: Any, width: Any, part: Any) -> None:
        """Store columns as rows, ``width`` apart."""
        squares = (self.transposed([column[k] for column in columns]) for k in (0, 1))
        for real, imaginary in zip(*squares, strict=True):
            self.store(row, real)
            self.store(self.builder.add(row, part), imaginary)
            row = self.builder.add(row, width)

    def zero(self) -> Any:
        """Storage for a running sum."""
        place = _reserved(self.builder, self.vector)
        self.builder.store(ir.Constant(self.vector, None), place)
        return place

    def total(self, place: Any) -> Any:
        """The sum over the lanes, a double."""
        value, result = self.builder.load(place), ir.Constant(ir.DoubleType(), 0.0)
        for lane in range(self.lanes):
            number = self.builder.extract_element(value, lane_number(lane))
            if self.number != ir.DoubleType():
                number = self.builder.fpext(number, ir.DoubleType())
            result = self.builder.fadd(result, number, flags=_FAST)
        return result

    def add(self, left: Any, right: Any) -> Any:
        """The sum, lane by lane."""
        return self.builder.fadd(left, right, flags=_FAST)

    def sub(self, left: Any, right: Any) -> Any:
        """The difference, lane by lane."""
        return self.builder.fsub(left, right, flags=_FAST)

    def mul(self, left: Any, right: Any) -> Any:
        """The product, lane by lane; a sum of it becomes one instruction."""
        return self.builder.fmul(left, right, flags=_FAST)

    def gain_imaginary(self, place: Any, left: Pair, right: Pair) -> None:
        """Add the imaginary part of left's conjugate times right to a running sum."""
        self.gain(place, self.sub(self.mul(left[0], right[1]), self.mul(left[1], right[0])))

    def gain(self, place: Any, value: Any) -> None:
        """Add to a running sum."""
        self.builder.store(self.add(self.builder.load(place), value), place)

    def each(self, length: Any) -> Any:
        """Loop over 0, lanes, 2 lanes, ... below ``length``."""
        return cgutils.for_range_slice(
            self.builder, word(0, length), length, word(self.lanes, length), inc=True, intp=length.type
        )


def lane_number(number: int) -> Any:
    """A constant as LLVM numbers lanes."""
    return ir.Constant(ir.IntType(32), number)


def word(number: int, like: Any) -> Any:
    """A constant of another value's type."""
    return ir.Constant(like.type, number)

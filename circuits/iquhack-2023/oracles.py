"""The nine oracles: what each marks, in plain words of Python, and our plan for it, drawn by hand.

A number's lowest digit is on ``x0``. Plans are read by plans.py. A wire that takes a product is often one that could
not be spared otherwise: it holds something known where all factors so far are 1, and elsewhere what it holds does not
count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

LETTERS = (8, 20, 13, 17, 21, 1, 3, 11)
"""A = 1 ... Z = 26: the letters of MITIQUHACK, I not, as the given code flips it twice."""


@dataclass(frozen=True)
class Oracle:
    """One task.

    Attributes:
        inputs: their number.
        marked: whether a number is marked.
        start: the starting circuit's score.
        plan: without measurement.
        erased: the plan whose ANDs are erased by measurement, where another one than ``plan`` scores less.
    """

    inputs: int
    marked: Callable[[int], bool]
    start: int
    plan: str
    erased: str | None = None


def _digits(number: int) -> str:
    return format(number, "b")


# Two of the three ANDs lie on wires of their own in the measured class; else the second changes x2, which no later
# parity but one reads. Networks of three ANDs were listed by a script; fewer than three cannot make degree 4.
LETTERS_PLAN = """
    a = x1 & x0+x2+x3
    phase t & a+x0+x2+x3
    x4 ^= x2
    x2 ^= x0 & x1+x3+a
    phase t & x0+x4 & x2+x3+a
"""
LETTERS_ERASED = """
    a = x1 & x0+x2+x3
    b = x0 & x1+x3+a
    phase t & a+x0+x2+x3
    phase t & x0+x2+x4 & x2+x3+a+b
"""

# Where the weight is odd it is 3 if its second digit is 1, which for odd weight is that of x0 ... x4: two carries.
# That the weight is odd is joined to the target, not to the carries, so one AND serves both.
THREE_OF_SIX = """
    a = t & x0+x1+x2+x3+x4+x5
    phase a & x0+x3
    phase a & x0+x1 & x0+x2
    phase a & x0+x1+x2+x3 & x3+x4
"""

# 2 is -1 modulo 3. With x1, x3, x5 complemented, the number is a multiple of 3 if the weight w of the seven bits is.
# Two full adders (x0 x1 x2, x3 x4 x5), one of their sums and x6, one of the carries. Where t is 1, `a` is the last
# digit of w; with it and the carry on x6 each adder's third input is known, although its wire holds the other adder's
# carry. Three digits of w, u the first, v, w: marked are 000, 011 and 110; t takes a & v+1 for the last of these.
MULTIPLE_OF_3 = """
    x1 ^= 1
    x3 ^= 1
    x5 ^= 1
    phase t & x0+x1+x2+x3+x4+x5+x6+1
    a = t & x0+x1+x2+x3+x4+x5+x6
    x1 ^= x0
    x2 ^= x0
    x4 ^= x3
    x5 ^= x3
    x0 ^= x1+x2+x6
    x3 ^= x4+x5+x6
    x6 ^= x0 & x3
    x0 ^= x4 & x5
    x3 ^= x1 & x2
    phase t & x0+x1+x2+x3+x4+x5+x6
    t ^= a & x0+x1+x2+x3+x4+x5+x6+1
    phase t & x6
    phase t & a+x1+x2+x3+x6 & a+x0+x4+x5+x6
"""

# The halves differ in d (x0 x1 x2). Marked: all digits of d equal, and not 1, or 1 and the high half 2 or 5.
# Where `a` is 1, x0 and x2 are zero and take further products.
EQUAL_HALVES_START = """
    x0 ^= x3
    x1 ^= x4
    x2 ^= x5
    x0 ^= x1
    x2 ^= x1
    a = x0+1 & x2+1
"""
EQUAL_HALVES = (
    EQUAL_HALVES_START
    + """
    x0 ^= x3+x4 & x4+x5
    x2 ^= x1 & x0+1
    phase t & a & x2+1
"""
)
EQUAL_HALVES_ERASED = (
    EQUAL_HALVES_START
    + """
    b = x3+x4 & x4+x5
    c = x1 & b+1
    phase t & a & c+1
"""
)

FOUR_BITS = """
    a = x7 & x4
    x7 ^= 1
    x7 ^= x5+1 & x1+1
    phase t & a & x7
"""
FOUR_BITS_ERASED = """
    a = x7 & x4
    b = x5+1 & x1+1
    phase t & a & b
"""

# 1001 from x0, or from x1: (x3 ? x0 : x4) & !x2 & (x1 ^ x3). From x2, or x3: (x3 ? x6 : x2) & !x4 & (x5 ^ x3).
# Marked: one or both. After its fourth step, t is 1 where the first does not hold, and only the second is left to add.
CONTAINS_1001 = """
    phase t
    a = x4+1 & x3+x5
    x4 ^= x0
    x0 ^= x3+1 & x4
    b = t & x0
    x0 ^= 1
    x0 ^= x2+1 & x1+x3
    t ^= b & x0
    phase t
    x2 ^= x6
    x6 ^= x3+1 & x2
    phase t & x6 & a
"""

# The weight's third digit, by four full adders as for multiples of 3.
FOUR_OF_SEVEN = """
    a = x6
    x1 ^= x0
    x2 ^= x0
    x4 ^= x3
    x5 ^= x3
    x0 ^= x1+x2+x6
    x3 ^= x4+x5+x6
    a ^= x0 & x3
    x0 ^= x1+x2+x6
    x3 ^= x4+x5+x6
    x0 ^= x1 & x2
    x3 ^= x4 & x5
    phase t & a
    phase t & x0+a & x3+a
"""
FOUR_OF_SEVEN_ERASED = """
    a = x0+x1+x2+x6 & x3+x4+x5+x6
    b = x0+x1 & x0+x2
    c = x3+x4 & x3+x5
    phase t & a+x6
    phase t & a+x6+b+x0 & a+x6+c+x3
"""

# With low half l and high half h, the sum's last four digits are zero if h0 = l0 and each next digit of h + l, without
# carry, is the OR of the two digits before it: l0, l1 | l0, l2 | h2. The sum is 16, not 0, if l3 | h3.
# Where `a` is 1 so is t, and x4 is zero; x4 takes two factors, t and x5 the rest.
SUM_16 = """
    x4 ^= x0
    x5 ^= x1+x0
    a = t & x4+1
    t ^= 1
    t ^= x3+1 & x7+1
    t ^= 1
    x7 ^= x3+1
    x7 ^= x2+1 & x6+1
    x6 ^= x2+1
    x6 ^= x0+1 & x1+1
    x4 ^= x5+1 & x6+1
    x5 ^= t & x7+1
    phase x4 & x5 & a
"""

ORACLES = {
    1: Oracle(3, lambda z: z & 1 != z >> 1 & 1 != z >> 2, 60, "phase t & x0+x1 & x1+x2"),
    2: Oracle(5, lambda z: z in LETTERS, 5880, LETTERS_PLAN, LETTERS_ERASED),
    3: Oracle(6, lambda z: z.bit_count() == 3, 17820, THREE_OF_SIX),
    4: Oracle(7, lambda z: z % 3 == 0, 53922, MULTIPLE_OF_3),
    5: Oracle(6, lambda z: z >> 3 == z & 7 or {z >> 3, z & 7} == {2, 5}, 8910, EQUAL_HALVES, EQUAL_HALVES_ERASED),
    6: Oracle(8, lambda z: z & 0b10110010 == 0b10010000, 26208, FOUR_BITS, FOUR_BITS_ERASED),
    7: Oracle(7, lambda z: "1001" in _digits(z), 38874, CONTAINS_1001),
    8: Oracle(7, lambda z: z.bit_count() >= 4, 80256, FOUR_OF_SEVEN, FOUR_OF_SEVEN_ERASED),
    9: Oracle(8, lambda z: (z >> 4) + (z & 15) == 16, 24570, SUM_16),
}

"""Products of two bits as one constraint each, in the form that leaves least to be paid bit by bit.

``a b`` may be paid where both bits are 1 or, with what that changes of ``a`` and ``b`` alone, where both are 0; minus
``a b`` where one of them is 1 and the other 0; and either where their sum modulo two is 1 or 0, which needs no AND
but half the unit. The linear rests add up over all products of a bit, so the choices are not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, TypeVar

from gatesolve.qubo.digits import AND_CX, DIGIT_CX

Square: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
Bit = TypeVar("Bit")
Bond: TypeAlias = tuple[Bit, Bit, int]
"""Two bits and the coefficient of their product."""
SWEEPS = 20


@dataclass(frozen=True)
class Form:
    """``2 q a b = paid[a][b] + first * a + second * b + base``, at least 0 where it is paid.

    Attributes:
        paid: twice the share of the product.
        first: what it leaves to the first bit alone.
        second: what it leaves to the second bit alone.
        base: and to all.
        ands: logical ANDs of its flag.
    """

    paid: Square
    first: int
    second: int
    base: int
    ands: int


def list_forms(q: int) -> tuple[Form, Form, Form]:
    """The ways to pay a product: two with an AND, the third with a sum modulo two."""
    if q > 0:
        return (
            Form(((0, 0), (0, 2 * q)), 0, 0, 0, 1),
            Form(((2 * q, 0), (0, 0)), 2 * q, 2 * q, -2 * q, 1),
            Form(((q, 0), (0, q)), q, q, -q, 0),
        )
    return (
        Form(((0, 0), (-2 * q, 0)), 2 * q, 0, 0, 1),
        Form(((0, -2 * q), (0, 0)), 0, 2 * q, 0, 1),
        Form(((0, -q), (-q, 0)), q, q, 0, 0),
    )


def orient_products(bonds: Sequence[Bond[Bit]], linear: Mapping[Bit, int]) -> tuple[list[Form], dict[Bit, int]]:
    """A form for each product, chosen one by one while that saves digits and ANDs; from the best of three starts.

    Beside the forms, twice the linear coefficients with what the forms leave. Cost: some sweeps over the products.
    """

    def price(form: Form, first: int, second: int) -> int:
        return AND_CX * form.ands + DIGIT_CX * (abs(first).bit_count() + abs(second).bit_count())

    def whole(chosen: Sequence[Form], left: Mapping[Bit, int]) -> int:
        return sum(AND_CX * form.ands for form in chosen) + sum(DIGIT_CX * abs(v).bit_count() for v in left.values())

    return min((_choose_forms(bonds, linear, start, price) for start in range(3)), key=lambda found: whole(*found))


def find_lower_bound(bonds: Sequence[Bond[Bit]], linear: Mapping[Bit, int]) -> Fraction:
    """A proven lower bound of a sum of products and single bits: of the forms of the products, the best ones found.

    Whatever the forms, what is paid for products is at least 0, and a single bit's rest at least the lesser of 0 and
    itself. Source: posiforms and their bound, Boros and Hammer, Discrete Applied Mathematics 123 (2002), section 5;
    here the forms are chosen one by one, so the bound may be below the best such one.
    """

    def lost(form: Form, first: int, second: int) -> int:
        return -form.base - min(first, 0) - min(second, 0)

    def bound(chosen: Sequence[Form], left: Mapping[Bit, int]) -> int:
        return sum(form.base for form in chosen) + sum(min(value, 0) for value in left.values())

    found = [_choose_forms(bonds, linear, start, lost) for start in range(3)]
    return Fraction(max(bound(*one) for one in found), 2)


def _choose_forms(
    bonds: Sequence[Bond[Bit]], linear: Mapping[Bit, int], start: int, price: Callable[[Form, int, int], int]
) -> tuple[list[Form], dict[Bit, int]]:
    """Forms changed one by one, while that lowers the price of a form and the rests of its two bits."""
    chosen = [list_forms(q)[start] for *_, q in bonds]
    left: dict[Bit, int] = {bit: 2 * value for bit, value in linear.items()}
    for (a, b, _), form in zip(bonds, chosen, strict=True):
        left[a] = left.get(a, 0) + form.first
        left[b] = left.get(b, 0) + form.second
    for _ in range(SWEEPS):
        changed = False
        for k, (a, b, q) in enumerate(bonds):
            rest_a, rest_b = left[a] - chosen[k].first, left[b] - chosen[k].second
            prices = {
                form: price(form, rest_a + form.first, rest_b + form.second) for form in (chosen[k], *list_forms(q))
            }
            best = min(prices, key=prices.__getitem__)
            if best != chosen[k]:
                chosen[k], changed = best, True
                left[a], left[b] = rest_a + best.first, rest_b + best.second
        if not changed:
            break
    return chosen, left

"""The three numbers that open the Two Not Touch text: an objective and one constraint."""

from __future__ import annotations

from collections.abc import Sequence

from gatesolve.qubo import Qubo
from gatesolve.qubo.forms import exactly
from gatesolve.qubo.polynomial import Number, added, scaled, variable


def pick_smallest(numbers: Sequence[Number], count: int, gamma: Number) -> Qubo:
    """Choose ``count`` of ``numbers`` with the least sum: ``sum(n x) + gamma * (sum(x) - count)**2``.

    With a ``gamma`` above the largest of the numbers minus the least, every minimiser chooses ``count``. The text
    prints -2985 x - 2979 y - 2981 z + 2000 (xy + xz + yz) for the numbers 17, 21, 19 and ``gamma`` 1000; that is the
    formula of 15, 21, 19 (17 gives -2983), and the choice, x and z, is the same.

    Args:
        numbers: what each variable costs.
        count: how many to choose.
        gamma: paid for each unit of the squared deviation.

    Source: D. Rogetzer, J. Seelig, C. Heinreichsberger, 'Two not touch', basic principles.
    """
    chosen = [variable(k) for k in range(len(numbers))]
    cost = added(scaled(x, n) for x, n in zip(chosen, numbers, strict=True))
    names = [f"x{k}" for k in range(len(numbers))]
    return Qubo.of(names, added([cost, scaled(exactly(chosen, count), gamma)]), [f"{n} is chosen" for n in numbers])

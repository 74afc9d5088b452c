"""How few CX onto a clean target compute a small function, up to phases: a numerical search.

Between CX from the inputs the target is turned in any way. For every order of so many CX the turns are fitted from
several starts; what is found is exact to rounding, what is not found may still exist.

    python -m benchmarks fewest-cx            # the table, ten minutes
    python -m benchmarks fewest-cx --only and_not    # one row
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, permutations, product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from benchmarks.core.suite import make_parser

SEED, STARTS = 1, 8
FOUND = 1e-11
"""Half the sum of squared wrong amplitudes, over all inputs, below which a fit is one."""
FUNCTIONS: dict[str, tuple[int, Callable[..., int], Sequence[int]]] = {
    "and": (2, lambda a, b: a & b, (2, 3)),
    "and_not": (3, lambda p, a, b: p & (1 - (a & b)), (4, 5)),
    "and of three": (3, lambda a, b, c: a & b & c, (5, 6)),
    "if": (3, lambda p, a, b: a if p else b, (3, 4)),
    "majority": (3, lambda a, b, c: int(a + b + c > 1), (5, 6)),
    "two and a complement": (4, lambda p, q, a, b: p & q & (1 - (a & b)), (7,)),
}
"""Inputs, function, and how many CX are tried."""


def turn(angles: NDArray[np.float64]) -> NDArray[np.complex128]:
    """Any turn of one qubit, by three angles."""
    first, middle, last = angles / 2
    c, s = np.cos(middle), np.sin(middle)
    plus, minus = np.exp(1j * (first + last)), np.exp(1j * (first - last))
    return np.array([[c / plus, -s / minus], [s * minus, c * plus]])


def miss(angles: NDArray[np.float64], order: Sequence[int], table: NDArray[np.int64]) -> NDArray[np.float64]:
    """The amplitudes of the wrong value on every input."""
    turns, inputs = angles.reshape(-1, 3), np.arange(len(table))
    state = np.tile(turn(turns[0])[:, 0], (len(table), 1))
    for control, after in zip(order, turns[1:], strict=True):
        ones = (inputs >> control & 1).astype(bool)
        state[ones] = state[ones][:, ::-1]
        state = state @ turn(after).T
    wrong = state[inputs, 1 - table]
    return np.concatenate([wrong.real, wrong.imag])


def orders(table: NDArray[np.int64], inputs: int, number: int) -> Iterator[tuple[int, ...]]:
    """Controls of so many CX, those once that the function's symmetries lead to each other."""
    words = np.arange(len(table))

    def moved(names: Sequence[int]) -> NDArray[np.int64]:
        return sum((words >> k & 1) << name for k, name in enumerate(names))

    alike = [names for names in permutations(range(inputs)) if (table[moved(names)] == table).all()]
    seen = set[tuple[int, ...]]()
    for order in product(range(inputs), repeat=number):
        least = min(tuple(names[k] for k in order) for names in alike)
        if least not in seen and len({*order}) == inputs and all(a != b for a, b in pairwise(order)):
            seen.add(least)
            yield least


def search(name: str) -> str:
    """A line of the table."""
    inputs, function, numbers = FUNCTIONS[name]
    table = np.array([function(*(word >> k & 1 for k in range(inputs))) for word in range(1 << inputs)])
    draw, none = np.random.default_rng(SEED), list[str]()
    for number in numbers:
        best = np.inf
        for order in orders(table, inputs, number):
            for _ in range(STARTS):
                start = draw.uniform(-np.pi, np.pi, 3 * number + 3)
                best = min(best, least_squares(miss, start, args=(order, table), max_nfev=150).cost)
                if best < FOUND:
                    return f"{name:22} {'; '.join([*none, f'{number} CX, from inputs {order}'])}"
        none.append(f"none of {number} CX (nearest {best:.3f})")
    return f"{name:22} {'; '.join(none)}"


def main(arguments: Sequence[str]) -> None:
    """Print the table, or some of its rows."""
    parser = make_parser(__doc__)
    parser.add_argument("--only", nargs="+", choices=FUNCTIONS, default=FUNCTIONS, help="these functions")
    for wanted in parser.parse_args(arguments).only:
        print(search(wanted), flush=True)

"""Terms of more than two variables written with auxiliary variables, each by a proved rule.

Negative terms take one auxiliary each (Freedman and Drineas, 'Energy minimization via graph cuts', CVPR 2005):
``-x1 x2 ... xk`` is the least of ``w (k - 1 - x1 - ... - xk)`` over ``w``. Positive ones share auxiliaries for
products of two variables (Rosenberg, 'Reduction of bivalent maximization to the quadratic case', 1975).
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from gatesolve.qubo.forms import Polynomial, plain
from gatesolve.qubo.polynomial import Monomial, Number, Terms, added, degree, scaled


def quadratized(terms: Terms, first: int) -> tuple[Polynomial, dict[int, Monomial]]:
    """A quadratic polynomial with the same least value over the auxiliary variables, for every state of the others.

    Proof. Negative terms: the best ``w`` is 1 exactly where the bracket is below zero, where all variables are 1.
    Products ``z = x y``: the penalty ``M (xy - 2xz - 2yz + 3z)`` is 0 where they agree and at least M elsewhere, and
    M is all that the terms in which z stands can gain; so no z is better than x y, and the terms are then what they
    were. Auxiliaries made of earlier ones are settled first.

    Args:
        terms: any polynomial.
        first: number of the first auxiliary variable; none at or above it occurs.

    Returns:
        The polynomial, and for each auxiliary variable the product it stands for at its best.
    """
    current = plain(terms)
    made: dict[int, Monomial] = {}
    current = _negative(current, first, made)
    known: dict[int, set[int]] = {}
    while degree(current) > 2:
        wide = {m: c for m, c in current.items() if len(m) > 2}
        pairs: Counter[tuple[int, int]] = Counter(pair for m in wide for pair in combinations(m, 2))
        x, y = min(pairs, key=lambda pair: (-pairs[pair], pair))
        z = first + len(made)
        known[z] = known.get(x, {x}) | known.get(y, {y})
        made[z] = tuple(sorted(known[z]))
        moved = {m: c for m, c in wide.items() if x in m and y in m}
        weight = sum(moved.values())  # all positive
        replaced = {tuple(sorted({*m, z} - {x, y})): c for m, c in moved.items()}
        gate: Polynomial = {(x, y): 1, tuple(sorted((x, z))): -2, tuple(sorted((y, z))): -2, (z,): 3}
        rest = {m: c for m, c in current.items() if m not in moved}
        current = added([rest, replaced, scaled(gate, weight)])
    return plain(current), made


def _negative(terms: Terms, first: int, made: dict[int, Monomial]) -> Polynomial:
    """Negative terms of more than two variables, one auxiliary variable each."""
    parts: list[Terms] = [{m: c for m, c in terms.items() if len(m) <= 2 or c > 0}]
    for monomial, coefficient in sorted(terms.items()):
        if len(monomial) > 2 and coefficient < 0:
            w = first + len(made)
            made[w] = monomial
            bracket: dict[Monomial, Number] = {(w,): len(monomial) - 1, **{(v, w): -1 for v in monomial}}
            parts.append(scaled(bracket, -coefficient))
    return added(parts)

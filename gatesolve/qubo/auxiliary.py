"""Quadratic penalties with auxiliary variables: slack bits, selectors of boxes, and products.

*Selectors*: the assignments that a constraint allows are covered by boxes (a set of values for each variable). Exactly
one selector must be set, and it demands its box. For two lines of a Takuzu that must differ, the boxes are ``x = 1, y =
0`` and ``x = 0, y = 1`` at each place.

*Products*: negative terms take one auxiliary each (Freedman and Drineas, 'Energy minimization via graph cuts', CVPR
2005). Positive terms share auxiliaries for products of two variables (Rosenberg, 'Reduction of bivalent maximization to
the quadratic case', 1975).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from heapq import heapify, heappop, heappush
from itertools import chain, combinations, count, islice

import numpy as np
from numpy.typing import NDArray

from gatesolve.encodings.block import Block
from gatesolve.encodings.space import Space
from gatesolve.model.constraints import Constraint, Linear
from gatesolve.qubo.literals import Literals
from gatesolve.qubo.penalty import Penalty, Polynomial, least_value, make_penalty, one_hot, simplify, square
from gatesolve.qubo.polynomial import Monomial, Number, Terms, add, constant, degree, multiply, scale, variable
from gatesolve.qubo.qubo import Qubo
from gatesolve.qubo.tuple_penalties import Grid

Box = tuple[tuple[int, ...], ...]
"""For each axis of a grid the classes allowed, ascending."""


def qubit_names(space: Space) -> tuple[list[str], list[str]]:
    """Return a name for every qubit, all different, and the meaning of its 1; qubit 0 comes first.

    A qubit that stands for one value contains it in its name (``r1c1_7`` for ``r1c1 = 7``). The only qubit of a
    two-valued variable has the variable's name. Digits are numbered (``r1c1.0``).
    """
    names: list[str] = []
    meanings: list[str] = []
    used: set[str] = set()
    for block in space.blocks:
        for qubit in range(block.num_qubits):
            name, meaning = _describe(block, qubit)
            unique = next(text for text in chain([name], (f"{name}#{k}" for k in count(2))) if text not in used)
            used.add(unique)
            names.append(unique)
            meanings.append(meaning)
    return names, meanings


def auxiliary_names(taken: Collection[str], number: int) -> list[str]:
    """Return ``number`` names ``aux0``, ``aux1``, ..., skipping those that are taken."""
    return list(islice((name for k in count() if (name := f"aux{k}") not in taken), number))


def _describe(block: Block, qubit: int) -> tuple[str, str]:
    rows = [row for row, word in zip(block.tuples, block.codewords, strict=True) if word >> qubit & 1]
    whole = ".".join(block.variables) if len(block.variables) <= 3 else f"{block.variables[0]}..{block.variables[-1]}"
    if len(block.variables) > 1 and len(rows) == 1:
        meaning = ", ".join(f"{n} = {v}" for n, v in zip(block.variables, rows[0], strict=True))
        return f"{whole}_{'_'.join(map(str, rows[0]))}", meaning
    for place, one in enumerate(block.variables):
        domain = sorted({row[place] for row in block.tuples})
        ones = sorted({row[place] for row in rows})
        # The qubit depends on this variable alone: it is 1 exactly for the tuples that have one of these values.
        if sum(row[place] in ones for row in block.tuples) == len(rows) and len(ones) < len(domain):
            name, meaning = f"{one}.{qubit}", f"{one} in {{{', '.join(map(str, ones))}}}"
            if len(ones) == 1:
                name, meaning = one if block.num_qubits == 1 else f"{one}_{ones[0]}", f"{one} = {ones[0]}"
            elif ones == domain[-len(ones) :]:
                name, meaning = f"{one}_ge_{ones[0]}", f"{one} >= {ones[0]}"
            return name if len(block.variables) == 1 else f"{whole}.{qubit}", meaning
    return f"{whole}.{qubit}", f"digit {qubit} of the number of ({', '.join(block.variables)})"


def cover_by_boxes(broken: NDArray[np.bool_]) -> list[Box]:
    """Cover all places that are not broken by maximal boxes without a broken place."""
    left = ~broken
    found: list[Box] = []
    while left.any():
        # Greedy: grow a box from the first uncovered place, with the axes in both orders, and keep the one that covers
        # more.
        start = [int(k) for k in np.unravel_index(int(np.argmax(left)), left.shape)]
        axes = list(range(broken.ndim))
        grown = [_grow_box(broken, start, order) for order in (axes, axes[::-1])]
        best = max(grown, key=lambda box: int(left[np.ix_(*box)].sum()))
        left[np.ix_(*best)] = False
        found.append(best)
    return found


def _grow_box(broken: NDArray[np.bool_], start: Sequence[int], axes: Sequence[int]) -> Box:
    box = [[k] for k in start]
    for axis in axes:
        for other in range(broken.shape[axis]):
            slab = [*box[:axis], [other], *box[axis + 1 :]]
            if other != start[axis] and not broken[np.ix_(*slab)].any():
                box[axis].append(other)
    return tuple(tuple(sorted(side)) for side in box)


def penalise_by_selectors(demands: Sequence[Sequence[Terms]], first: int) -> Penalty | None:
    """Return ``(sum of selectors - 1)^2`` plus each selector times the violations of its box; gap 1.

    Proof: with all other variables in a box, setting its selector alone costs nothing. Outside of all boxes, every set
    selector pays for a violation, and setting none costs 1. None where the demands are not linear.
    """
    if any(degree(terms) > 1 for box in demands for terms in box):
        return None
    selectors = [variable(first + k) for k in range(len(demands))]
    parts: list[Terms] = [one_hot(selectors)]
    parts += [multiply(s, terms) for s, box in zip(selectors, demands, strict=True) for terms in box]
    # A demand that is negative on some state would reward its selector there: the floor then has to be computed.
    safe = all(least_value(terms) >= 0 for box in demands for terms in box)
    return make_penalty(add(parts), 1, "selectors", floor=0 if safe else None)


def list_demands(seen: Grid, found: Sequence[Box]) -> list[list[Terms]]:
    """Return for each box, block by block, the sum of the literals of the classes outside it."""
    outside = [
        [[p for k, p in enumerate(view.literals) if k not in side] for view, side in zip(seen.views, box, strict=True)]
        for box in found
    ]
    return [[add(polynomials) for polynomials in box if polynomials] for box in outside]


def find_differing_demands(constraint: Constraint, literals: Literals) -> list[list[Terms]] | None:
    """Return the demands of the boxes for two rows of 0/1 variables that must differ.

    The constraint is one ``!=`` of binary numbers. There are two boxes a place, less those that fixed variables rule
    out. None for any other constraint, and where fixed variables satisfy this one.
    """
    if not isinstance(constraint, Linear) or constraint.relation != "!=" or constraint.bound:
        return None
    if any(not set(literals.values(name)) <= {0, 1} for name in constraint.scope):
        return None
    plus = {c: name for c, name in constraint.terms if c > 0}
    minus = {-c: name for c, name in constraint.terms if c < 0}
    weights = sorted(plus)
    if len(plus) + len(minus) != len(constraint.terms) or sorted(minus) != weights:
        return None
    # Each weight exceeds the sum of all smaller ones, so the total is 0 only where every pair is equal.
    if any(w <= sum(weights[:k]) for k, w in enumerate(weights)):
        return None
    pairs = [(plus[w], minus[w]) for w in weights]
    ordered = [pair for x, y in pairs for pair in ((x, y), (y, x))]
    demands = [[literals.where(one, {0}), literals.where(zero, {1})] for one, zero in ordered]
    # A demand of constant 1 can never be met (its variable is fixed): that box is dropped.
    possible: list[list[Terms]] = [[terms for terms in box if terms] for box in demands if constant(1) not in box]
    return possible if possible and all(possible) else None


def quadratize(terms: Terms, first: int) -> tuple[Polynomial, dict[int, Monomial]]:
    """Return a quadratic polynomial with the same minimum over the auxiliary variables, for every state of the others.

    The second value gives for each auxiliary variable the product that it equals at its best.
    """
    made: dict[int, Monomial] = {}
    given = simplify(terms)
    parts: list[Terms] = [{m: c for m, c in given.items() if len(m) <= 2}]
    for monomial, coefficient in sorted(given.items()):
        if len(monomial) > 2 and coefficient < 0:
            w = first + len(made)
            made[w] = monomial
            # -x1 x2 ... xk is the minimum over w of w (k - 1 - x1 - ... - xk): the bracket is negative only where all x
            # are 1.
            bracket: dict[Monomial, Number] = {(w,): len(monomial) - 1, **{(v, w): -1 for v in monomial}}
            parts.append(scale(bracket, -coefficient))
    # Only positive terms of more than two variables are left; each new z replaces one pair in all of them.
    holders: dict[Monomial, Polynomial] = defaultdict(dict)
    for monomial, coefficient in given.items():
        for pair in combinations(monomial, 2) if len(monomial) > 2 and coefficient > 0 else ():
            holders[pair][monomial] = coefficient
    # The pair in most terms comes next. Its count may have fallen since it was pushed, so it is checked when popped.
    waiting = [(-len(held), pair) for pair, held in holders.items()]
    heapify(waiting)
    known: dict[int, set[int]] = {}
    while waiting:
        size, (x, y) = heappop(waiting)
        moved = dict(holders[x, y])
        if len(moved) < -size:
            heappush(waiting, (-len(moved), (x, y)))
            continue
        if not moved:
            break
        z = first + len(made)
        known[z] = known.get(x, {x}) | known.get(y, {y})
        made[z] = tuple(sorted(known[z]))
        for monomial, coefficient in moved.items():
            for pair in combinations(monomial, 2):
                del holders[pair][monomial]
            shorter = tuple(sorted({*monomial, z} - {x, y}))
            if len(shorter) == 2:
                parts.append({shorter: coefficient})
            for pair in combinations(shorter, 2) if len(shorter) > 2 else ():
                holders[pair][shorter] = coefficient
        for other in sorted({v for m in moved for v in m} - {x, y}):
            heappush(waiting, (-len(holders[other, z]), (other, z)))
        # Proof: the gate is 0 where z = x y and at least 1 elsewhere. Times the sum of the coefficients of z it
        # outweighs all that the terms with z can gain, so no other z is better. Auxiliaries made of earlier ones are
        # settled first.
        gate: Polynomial = {(x, y): 1, (x, z): -2, (y, z): -2, (z,): 3}
        parts.append(scale(gate, sum(moved.values())))
    return simplify(add(parts)), made


def quadratize_qubo(qubo: Qubo) -> Qubo:
    """Return a Qubo with auxiliary variables and no term of more than two variables; the given one if it has none."""
    terms, products = quadratize(qubo.polynomial, qubo.num_variables)
    if not products:
        return qubo
    names = [*qubo.names, *auxiliary_names(set(qubo.names), len(products))]
    meanings = [qubo.meaning(k) for k in range(qubo.num_variables)]
    meanings += [" * ".join(names[k] for k in product) for product in products.values()]
    return Qubo.of(names, terms, meanings)


def penalise_with_slack(total: Terms, allowed: Sequence[int], first: int) -> tuple[Penalty, list[int]]:
    """Return ``(total + slack - greatest)**2`` and the weights of the slack bits.

    No forbidden sum may lie between those of ``allowed``, which is ascending. Slack bits are variables ``first``,
    ``first + 1``, ....
    """
    width = allowed[-1] - allowed[0]
    weights: list[int] = []
    # Weights 1, 2, 4, ... and a remainder: every state of the slack bits is then a number from 0 to the width, so no
    # state of them allows a forbidden sum.
    while sum(weights) < width:
        weights.append(min(sum(weights) + 1, width - sum(weights)))
    slack: Polynomial = {(first + k,): w for k, w in enumerate(weights)}
    return make_penalty(square(add([total, slack]), allowed[-1]), 1, "slack", floor=0), weights

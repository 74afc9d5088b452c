"""Penalties of constraints and blocks: all forms that fit are made, and the lightest is returned.

Constraints that read the same sum form one requirement and are penalised together.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.gf2 import list_bits
from gatesolve.encodings.block import Block
from gatesolve.errors import DoesNotFitError
from gatesolve.model.constraints import AllDifferent, Clause, Constraint, Linear, NotEqual, Table
from gatesolve.model.model import Model
from gatesolve.qubo.auxiliary import (
    cover_by_boxes,
    find_differing_demands,
    list_demands,
    penalise_by_selectors,
    penalise_with_slack,
    quadratize,
)
from gatesolve.qubo.literals import Literals, interpolate, is_full, shift_terms
from gatesolve.qubo.penalty import (
    UNSATISFIABLE,
    Penalty,
    Polynomial,
    divide_by_gcd,
    either,
    exactly,
    implies,
    make_penalty,
    negate,
    none_hold,
    one_hot,
    square,
)
from gatesolve.qubo.polynomial import Monomial, Terms, add, constant, degree, multiply, multiply_all, scale, variable
from gatesolve.qubo.tuple_penalties import Grid, find_sum, make_grid, make_indicators, penalise_rows

FIT_ROWS = 1 << 14
"""Most rows of a constraint for which a quadratic is fitted."""
FIT_TERMS = 512
"""Most terms of a fit."""
ROWS_AT_ONCE = 200
"""Rows added to the linear programme at a time."""
TOLERANCE = 1e-7
"""Tolerance of a row in the solver's answer; the rounded answer is checked exactly afterwards."""
DENOMINATORS = 720
"""Greatest denominator of a fitted coefficient."""
COUPLING_PRICE, LINEAR_PRICE = 1.0, 0.01
MOST_SUMS = 1 << 16
"""Most different sums listed."""
KNOWN_BOXES = 6
"""Number of boxes from which two rows that must differ are penalised by selectors without listing combinations."""
PRODUCT_TERMS = 2000
"""Most terms of a penalty for which the products of a quadratisation are counted."""
INDICATOR_QUBITS = 12
"""Most qubits of a block without a regular pattern."""


@dataclass(frozen=True)
class Requirement:
    """Constraints that must hold and are penalised together: they read the same sum, or there is just one.

    Because of other constraints, no solution has more than ``most`` of the scope's 0/1 variables set; None if unknown.
    """

    constraints: tuple[Constraint, ...]
    most: int | None = None

    @property
    def scope(self) -> tuple[str, ...]:
        """The variables read."""
        return tuple(dict.fromkeys(name for c in self.constraints for name in c.scope))

    def __str__(self) -> str:
        return " and ".join(str(c) for c in self.constraints)


def list_requirements(model: Model) -> list[Requirement]:
    """Return the model's constraints, each once; linear ones over the same sum form one requirement."""
    groups: dict[object, list[Constraint]] = {}
    for constraint in dict.fromkeys(model.constraints):
        key = orient_terms(constraint) if isinstance(constraint, Linear) and constraint.terms else constraint
        groups.setdefault(key, []).append(constraint)
    # Sets of 0/1 variables of which at most one or two may be set, with that number.
    limits = [
        (frozenset(c.scope), c.bound)
        for c in model.constraints
        if isinstance(c, Linear) and c.relation != "!=" and 1 <= c.bound <= 2 and all(k == 1 for k, _ in c.terms)
        if all(model.domains[name] == (0, 1) for name in c.scope)
    ]
    return [Requirement(tuple(c), _most(frozenset(c[0].scope), model, limits)) for c in groups.values()]


def orient_terms(constraint: Linear) -> tuple[tuple[int, str], ...]:
    """Return the terms of a linear constraint in a standard order and sign."""
    terms = tuple(sorted(constraint.terms, key=lambda term: term[1]))
    return terms if terms[0][0] > 0 else tuple((-c, name) for c, name in terms)


def _most(scope: frozenset[str], model: Model, limits: Sequence[tuple[frozenset[str], int]]) -> int | None:
    """Return the bound of ``scope``, one or two: by one limit that contains it, or two that share it."""
    if len(scope) < 3 or any(model.domains[name] != (0, 1) for name in scope):
        return None
    if known := [bound for names, bound in limits if scope <= names]:
        return min(known)
    ones = {names & scope for names, bound in limits if bound == 1 and names & scope}
    for first, second in combinations(sorted(ones, key=len, reverse=True), 2):
        if first | second == scope:
            return 2
    return None


def fit_penalty(seen: Grid, literals: Literals, codewords_only: bool) -> Penalty | None:
    """Return a quadratic penalty for a constraint of three blocks or more; None if there is none or it is too large."""
    features = _features(seen, literals)
    if features is None or seen.broken.size > FIT_ROWS:
        return None
    polynomials, values, owners = features
    # Products inside a block that are never 1 would only add terms.
    every = combinations(range(len(polynomials)), 2)
    pairs = [(j, k) for j, k in every if owners[j] != owners[k] or (values[:, j] & values[:, k]).any()]
    if 1 + len(polynomials) + len(pairs) > FIT_TERMS:
        return None
    monomials: list[Monomial] = [(), *((k,) for k in range(len(polynomials))), *pairs]
    matrix = _matrix(values, monomials)
    broken = seen.broken.reshape(-1)
    # First try a penalty that is safe on all states, then one that is right on codewords only.
    others = _other_states(values) if not codewords_only else None
    found = None if others is None else _solve(matrix, broken, _matrix(others, monomials), monomials)
    found = found or _solve(matrix, broken, None, monomials)
    return None if found is None else _penalty(found, monomials, matrix, broken, polynomials)


def fit_states(broken: NDArray[np.bool_], num_qubits: int) -> Penalty | None:
    """Return a quadratic in qubits 0, 1, ...: 0 on states that hold, at least 1 on broken ones; None if there is none.

    ``broken`` has one entry for each state; qubit 0 is its lowest bit.
    """
    bits = np.arange(1 << num_qubits)[:, None] >> np.arange(num_qubits) & 1
    monomials: list[Monomial] = [m for size in range(3) for m in combinations(range(num_qubits), size)]
    matrix = _matrix(bits, monomials)
    found = _solve(matrix, broken, None, monomials)
    qubits = [variable(q) for q in range(num_qubits)]
    return None if found is None else _penalty(found, monomials, matrix, broken, qubits)


def _features(seen: Grid, literals: Literals) -> tuple[list[Terms], NDArray[np.int64], list[int]] | None:
    """Return the linear 0/1 quantities of the fit: polynomials, values of shape (rows, features), and their blocks."""
    polynomials: list[Terms] = []
    owners: list[int] = []
    columns: list[NDArray[np.int64]] = []
    places = np.indices(seen.broken.shape).reshape(seen.broken.ndim, -1)
    for view, place in zip(seen.views, places, strict=True):
        block, offset = literals.space.blocks[view.number], literals.space.offsets[view.number]
        if view.plain:
            made: list[Terms] = [variable(offset + q) for q in range(block.num_qubits)]
            bits = block.bits.astype(np.int64)
        elif all(len(m) <= 1 for p in view.literals for m in p):
            made, bits = list(view.literals), np.eye(len(view.literals), dtype=np.int64)
        else:
            return None
        polynomials += made
        owners += [view.number] * len(made)
        columns += list(bits[place].T)
    return polynomials, np.stack(columns, axis=1), owners


def _matrix(values: NDArray[np.int64], monomials: Sequence[Monomial]) -> NDArray[np.int64]:
    return np.stack([values[:, list(m)].prod(axis=1) for m in monomials], axis=1)


def _other_states(values: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return the bit rows that are not codewords; None where there are none or too many to list."""
    width = values.shape[1]
    if len(values) == 1 << width or 1 << width > FIT_ROWS:
        return None
    every = np.arange(1 << width)[:, None] >> np.arange(width) & 1
    known = set((values << np.arange(width)).sum(axis=1).tolist())
    return every[[k for k in range(1 << width) if k not in known]]


def _solve(
    matrix: NDArray[np.int64], broken: NDArray[np.bool_], extra: NDArray[np.int64] | None, monomials: Sequence[Monomial]
) -> list[Fraction] | None:
    """Return coefficients, checked exactly: 0 on rows that hold, at least 1 on broken ones, at least 0 on ``extra``."""
    kept = np.unique(matrix[~broken], axis=0)
    demands = [(kept, 0.0, 0.0), (np.unique(matrix[broken], axis=0), 1.0, math.inf)]
    if extra is not None:
        demands.append((np.unique(extra, axis=0), 0.0, math.inf))
    guess = _programme(demands, monomials)
    if guess is None:
        return None
    # The solver works in floats. Small fractions near its answer are tried, and every row is checked in whole numbers.
    found = [Fraction(c).limit_denominator(DENOMINATORS) for c in guess]
    denominator = math.lcm(*(c.denominator for c in found))
    whole = np.array([int(c * denominator) for c in found], dtype=object)
    exact = all(np.all((low * denominator <= rows @ whole) & (rows @ whole <= high)) for rows, low, high in demands)
    return found if exact else None


def _programme(
    demands: Sequence[tuple[NDArray[np.int64], float, float]], monomials: Sequence[Monomial]
) -> NDArray[np.float64] | None:
    """Solve the linear programme; rows enter as constraints only when the current answer breaks them."""
    from scipy.optimize import linprog

    first = _pick_independent(demands[0][0])
    # The rows that must be 0 span everything: the only such polynomial is 0.
    if len(first) == len(monomials):
        return None
    prices = np.tile([COUPLING_PRICE if len(m) == 2 else LINEAR_PRICE for m in monomials], 2)
    # Each coefficient is a difference of two numbers of at least 0: their prices then count its absolute value.
    zero, least = np.hstack([first, -first]), np.zeros((0, len(prices)))
    floors = np.zeros(0)
    entered = [np.zeros(len(rows), dtype=bool) for rows, _, _ in demands]
    while True:
        found = linprog(prices, -least, -floors, zero, np.zeros(len(zero)), method="highs")
        if found.status != 0:
            return None
        answer: NDArray[np.float64] = found.x[: len(monomials)] - found.x[len(monomials) :]
        complete = True
        for (rows, low, high), done in zip(demands, entered, strict=True):
            reached = rows @ answer
            miss = np.maximum(low - reached, reached - high)
            late = np.flatnonzero((miss > TOLERANCE) & ~done)
            late = late[np.argsort(-miss[late], kind="stable")][:ROWS_AT_ONCE]
            done[late] = True
            rows = np.hstack([rows[late], -rows[late]])
            if low == high:
                zero = np.vstack([zero, rows])
            else:
                least, floors = np.vstack([least, rows]), np.append(floors, np.full(len(late), low))
            complete &= not late.size
        if complete:
            return answer


def _pick_independent(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return independent rows, by elimination modulo a large prime, from a random sample."""
    # The sample of four rows a column nearly always spans all rows. Missing rows enter the programme later.
    mixed = rows[np.random.default_rng(0).permutation(len(rows))[: 4 * rows.shape[1]]]
    prime = (1 << 31) - 1
    basis: list[tuple[int, NDArray[np.int64]]] = []
    chosen: list[int] = []
    for number, row in enumerate(mixed):
        if len(chosen) == rows.shape[1]:
            break
        rest = row % prime
        for pivot, other in basis:
            if rest[pivot]:
                rest = (rest - rest[pivot] * other) % prime
        if rest.any():
            pivot = int(np.argmax(rest != 0))
            basis.append((pivot, rest * pow(int(rest[pivot]), -1, prime) % prime))
            chosen.append(number)
    return mixed[chosen]


def _penalty(
    found: Sequence[Fraction],
    monomials: Sequence[Monomial],
    matrix: NDArray[np.int64],
    broken: NDArray[np.bool_],
    polynomials: Sequence[Terms],
) -> Penalty:
    """Return the penalty in whole coefficients without a common factor, with its exact gap."""
    denominator = math.lcm(*(c.denominator for c in found))
    whole = [int(c * denominator) for c in found]
    divisor = math.gcd(*whole)
    whole = [c // divisor for c in whole]
    gap = int((matrix[broken] @ np.array(whole, dtype=np.int64)).min())
    products = ((multiply_all(polynomials[k] for k in m), c) for m, c in zip(monomials, whole, strict=True) if c)
    parts = [scale(product, coefficient) for product, coefficient in products]
    return make_penalty(add(parts), gap, "fitted")


def penalise_sum(total: Terms, sums: Sequence[int], allowed: Collection[int]) -> Penalty | None:
    """Return the penalty of a sum of which at most two values are allowed, with its exact gap; none needs a slack bit.

    ``total`` is whole on every state; ``sums`` are its values on codewords, ascending. None where no such form exists,
    or nothing is forbidden.
    """
    good = [s for s in sums if s in allowed]
    bad = [s for s in sums if s not in allowed]
    if not bad or len(good) > 2:
        return None
    if not good:
        return UNSATISFIABLE
    if len(good) == 2:
        return _two(total, sums, good[0], good[1], bad)
    target = good[0]
    distance, step = divide_by_gcd(add([total, constant(-target)]))
    nearest = min(abs(s - target) for s in bad) // step
    # At an end of the range the distance itself is linear and never negative on codewords. Inside it has to be squared.
    if target in (sums[0], sums[-1]):
        return make_penalty(scale(distance, 1 if target == sums[0] else -1), nearest, "count")
    return make_penalty(square(distance, 0), nearest**2, "square", floor=0)


def _two(total: Terms, sums: Sequence[int], low: int, high: int, bad: Sequence[int]) -> Penalty | None:
    outside = all(s < low or s > high for s in bad)
    if not outside and not all(low < s < high for s in bad):
        return None
    at_end = low == sums[0] or high == sums[-1]
    # Two neighbours inside the range: a square about the half-integer between them (arXiv:2306.06943). Its value 1/4 on
    # satisfied states is kept, as in the literature.
    if outside and high == low + 1 and not at_end:
        nearest = min((2 * s - 2 * low - 1) ** 2 for s in bad)
        quarter, gap, form = Fraction(1, 4), (nearest - 1) // 4, "half-integer centre"
        known = quarter if _whole(total) else None
        return make_penalty(either(total, low), gap, form, satisfied=quarter, floor=known)
    sign = 1 if outside else -1
    # Otherwise the product of the two distances. It is positive outside of both values and negative between them. At an
    # end two neighbours need pairs only: at most one of n literals is the sum of x_i x_j.
    raw = multiply(add([total, constant(-low)]), scale(add([total, constant(-high)]), sign))
    product, step = divide_by_gcd(raw)
    gap = min(sign * (s - low) * (s - high) for s in bad) // step
    neighbours = outside and high == low + 1
    form = "pairs" if neighbours else "two distances"
    return make_penalty(product, gap, form, floor=0 if neighbours and _whole(total) else None)


def _whole(total: Terms) -> bool:
    """Return whether the sum is a whole number on every state, so never strictly between two neighbours."""
    return all(isinstance(c, int) for c in total.values())


class Penalties:
    """Makes the penalties of one space.

    Args:
        literals: the polynomials of the space.
        codewords_only: energies matter on codewords alone: forms are simplified there, enforced constraints dropped.
        quadratic: penalties without a quadratic form may use auxiliary variables, numbered after the space's qubits.
    """

    def __init__(self, literals: Literals, codewords_only: bool, quadratic: bool = False) -> None:
        self.literals, self.codewords_only, self.quadratic = literals, codewords_only, quadratic
        self.auxiliaries: list[str] = []

    def of(self, requirement: Requirement) -> Penalty | None:
        """Return the lightest penalty found, or None where no codeword breaks the requirement.

        With ``quadratic``, a penalty of higher degree is replaced if this requirement needs fewer auxiliary variables
        than products. Their meanings are appended to ``auxiliaries``.

        Raises:
            DoesNotFitError: every form would list more combinations than allowed.
        """
        if self.quadratic and len(requirement.constraints) == 1:
            demands = find_differing_demands(requirement.constraints[0], self.literals)
            # Two rows that must differ, with known boxes: nothing need be listed.
            if demands is not None and len(demands) >= KNOWN_BOXES:
                return self._with_auxiliaries(requirement, None)
        try:
            found = self._of(requirement)
        except DoesNotFitError:
            if (better := self._with_auxiliaries(requirement, None)) is None:
                raise
            return better
        if found is None or found.is_quadratic or not self.quadratic:
            return found
        return self._with_auxiliaries(requirement, found) or found

    def _with_auxiliaries(self, requirement: Requirement, found: Penalty | None) -> Penalty | None:
        """Return slack bits of a sum or selectors of boxes, whichever are fewer; None if products are fewer still."""
        if not self.quadratic:
            return None
        first = self.literals.space.num_qubits + len(self.auxiliaries)
        options = [self._slack(requirement, first), self._selectors(requirement, first)]
        best, meanings = min(filter(None, options), key=lambda option: len(option[1]), default=(None, []))
        if best is None:
            return None
        countable = found is not None and len(found.terms) <= PRODUCT_TERMS
        if found is not None and countable and len(quadratize(found.terms, first)[1]) < len(meanings):
            return None
        self.auxiliaries += [f"{text} of {requirement}" for text in meanings]
        return best

    def _slack(self, requirement: Requirement, first: int) -> tuple[Penalty, list[str]] | None:
        """Return a linear requirement's sum with slack bits, where no forbidden sum lies between allowed ones."""
        listed = self._sums(requirement)
        if listed is None or not listed[2] or degree(listed[0]) > 1:
            return None
        total, sums, allowed = listed
        if sums[sums.index(allowed[0]) : sums.index(allowed[-1]) + 1] != allowed:
            return None
        made, weights = penalise_with_slack(total, allowed, first)
        return made, [f"{w} of the slack" for w in weights]

    def _selectors(self, requirement: Requirement, first: int) -> tuple[Penalty, list[str]] | None:
        """Return the penalty with one selector for each box of allowed values."""
        constraint = requirement.constraints[0]
        demands = find_differing_demands(constraint, self.literals) if len(requirement.constraints) == 1 else None
        if demands is None and (seen := make_grid(requirement.constraints, self.literals)) is not None:
            demands = list_demands(seen, cover_by_boxes(seen.broken))
        # The table is too large for a grid: each of its rows becomes a box.
        elif demands is None and isinstance(constraint, Table):
            demands = [[negate(literal) for literal in self._match(constraint, row)] for row in self._rows(constraint)]
        if not demands:
            return None
        made = penalise_by_selectors(demands, first)
        return None if made is None else (made, [f"selector {k}" for k in range(len(demands))])

    def _of(self, requirement: Requirement) -> Penalty | None:
        numbers = self.literals.blocks_of(requirement.scope)
        if len(numbers) <= 1:
            listed = make_grid(requirement.constraints, self.literals)
            assert listed is not None
            if not listed.broken.any() or listed.broken.all():
                return UNSATISFIABLE if listed.broken.any() else None
            return min(self._neat(make_indicators(listed)), key=self._rank)
        # Cheapest first: forms by formula, then forms from a listing of all combinations, then products along a clause
        # or table. An empty list means that nothing can be broken, None that no formula applies.
        found = self._quick(requirement)
        if found is not None and not found:
            return None
        wanted = len(numbers) == 2 or not any(p.is_quadratic for p in self._neat(found or []))
        listed = make_grid(requirement.constraints, self.literals) if wanted else None
        if listed is not None:
            if not listed.broken.any() or listed.broken.all():
                return UNSATISFIABLE if listed.broken.any() else None
            found = [*(found or []), *self._of_sum(find_sum(listed), requirement.most)]
            # For two blocks an indicator is already quadratic.
            if len(numbers) == 2 or not found:
                found += make_indicators(listed)
            if len(numbers) > 2 and not any(p.is_quadratic for p in self._neat(found)):
                found += [p for p in [fit_penalty(listed, self.literals, self.codewords_only)] if p is not None]
        found = self._neat(found or self._last(requirement))
        if not found:
            text = str(requirement)
            raise DoesNotFitError(
                f"constraint '{text if len(text) <= 80 else text[:77] + '...'}' has no closed form and too many cases: "
                "allow auxiliary variables (quadratic=True), leave it out, or use an encoding that enforces it"
            )
        return min(found, key=lambda p: (not p.is_quadratic, self._rank(p)))

    def _neat(self, found: Iterable[Penalty]) -> list[Penalty]:
        if not self.codewords_only:
            return list(found)
        # The reduced form may differ on other states, which do not matter here.
        return [replace(p, terms=self.literals.reduce_terms(p.terms), floor=p.satisfied) for p in found]

    def _rank(self, penalty: Penalty) -> tuple[object, ...]:
        return not (self.codewords_only or penalty.is_safe), penalty.weight_key

    def _quick(self, requirement: Requirement) -> list[Penalty] | None:
        """Return forms that need no listing: an empty list where nothing can be broken, None where no form is known."""
        first = requirement.constraints[0]
        if isinstance(first, Linear):
            return self._linear(requirement)
        if isinstance(first, AllDifferent):
            return self._all_different(first)
        if isinstance(first, NotEqual):
            return [make_penalty(self._equal(first.left, first.right, first.offset), 1, "conflicts")]
        if isinstance(first, Clause) and len(first.literals) == 2:
            literals = [self.literals.where(name, values) for name, values in first.literals]
            return [make_penalty(none_hold(literals), 1, "clause")]
        return None

    def _linear(self, requirement: Requirement) -> list[Penalty] | None:
        listed = self._sums(requirement)
        if listed is None:
            # Too many sums to list: a square still works for an equation.
            first = requirement.constraints[0]
            if isinstance(first, Linear) and first.relation == "==" and len(requirement.constraints) == 1:
                distance, _ = divide_by_gcd(self.literals.total(first.terms, -first.bound))
                return [make_penalty(square(distance, 0), 1, "square", floor=0)]
            return None
        _, sums, allowed = listed
        return [] if len(sums) == len(allowed) else self._of_sum(listed, requirement.most) or None

    def _sums(self, requirement: Requirement) -> tuple[Polynomial, list[int], list[int]] | None:
        """Return the common sum of linear constraints, its values and the allowed ones; None if there is none."""
        members = [c for c in requirement.constraints if isinstance(c, Linear)]
        if len(members) != len(requirement.constraints) or not members[0].terms:
            return None
        terms = orient_terms(members[0])
        reached = {0}
        for row in self.literals.shares(terms).values():
            reached = {s + v for s in reached for v in set(row)}
            if len(reached) > MOST_SUMS:
                return None
        sums = sorted(reached)
        # A constraint over the negated sum is compared with the negated value.
        signs = [1 if set(c.terms) == set(terms) else -1 for c in members]
        allowed = [s for s in sums if all(c.compare(w * s) for c, w in zip(members, signs, strict=True))]
        return self.literals.total(terms), sums, allowed

    def _of_sum(self, found: tuple[Polynomial, list[int], list[int]] | None, most: int | None) -> list[Penalty]:
        """Return the forms of a sum, if necessary with the limit that other constraints set on 0/1 variables."""
        if found is None:
            return []
        total, sums, allowed = found
        made = penalise_sum(total, sums, allowed)
        is_plain = all(len(m) == 1 and c == 1 for m, c in total.items())
        if made is None and most is not None and len(allowed) > 2 and min(sums) >= 0 and is_plain:
            made = penalise_sum(total, sums, [s for s in allowed if s <= most])
        return [made] if made is not None else []

    def _all_different(self, different: AllDifferent) -> list[Penalty]:
        """Return pairs of equal values; with as many values as variables each value exactly once instead (gap 2)."""
        names, shifts = different.variables, dict(different.shifted)
        pairs = add(self._equal(pair.left, pair.right, pair.offset) for pair in different.pairs)
        if not pairs or (self.codewords_only and not self.literals.reduce_terms(pairs)):
            return []
        taken = {name: {v + shifts[name] for v in self.literals.values(name)} for name in names}
        values = sorted(set().union(*taken.values()))
        if self.codewords_only or len(values) != len(names):
            return [make_penalty(pairs, 1, "conflicts")]
        # A repeated value implies a missing one, so at least two squares are broken: the gap is 2.
        once = [exactly([self.literals.where(n, {v - shifts[n]}) for n in names if v in taken[n]], 1) for v in values]
        return [make_penalty(add(once), 2, "each value once", floor=0)]

    def _equal(self, left: str, right: str, offset: int) -> Polynomial:
        """Return ``left - right == offset``: 1 or 0 on codewords."""
        if self.literals.number_of(left) == self.literals.number_of(right):
            rows = zip(self.literals.values(left), self.literals.values(right), strict=True)
            return self.literals.of_block(self.literals.number_of(left), [int(a - b == offset) for a, b in rows])
        shared = sorted({v - offset for v in self.literals.values(left)} & set(self.literals.values(right)))
        where = self.literals.where
        return add(multiply(where(left, {v + offset}), where(right, {v})) for v in shared)

    def _last(self, requirement: Requirement) -> list[Penalty]:
        """Return products along a clause or the rows of a table, where there are too many combinations to list."""
        first = requirement.constraints[0]
        if isinstance(first, Clause):
            literals = [self.literals.where(name, values) for name, values in first.literals]
            if math.prod(len(p) + 1 for p in literals) <= 1 << 16:
                return [make_penalty(none_hold(literals), 1, "violation")]
        if isinstance(first, Table):
            terms = penalise_rows([self._match(first, row) for row in self._rows(first)])
            return [make_penalty(terms, 1, "violation")] if terms is not None else []
        return []

    def _rows(self, table: Table) -> list[tuple[int, ...]]:
        """Return the tuples within the space's values."""
        known = [set(self.literals.values(name)) for name in table.variables]
        return [row for row in table.tuples if all(v in k for v, k in zip(row, known, strict=True))]

    def _match(self, table: Table, row: tuple[int, ...]) -> list[Terms]:
        return [self.literals.where(name, {v}) for name, v in zip(table.variables, row, strict=True)]


def penalise_other_states(block: Block, offset: int) -> Penalty | None:
    """Return the penalty of a block's non-codewords: 0 on codewords, at least 1 elsewhere; None if there are none.

    Raises:
        DoesNotFitError: irregular codewords on more than `INDICATOR_QUBITS` qubits.
    """
    if is_full(block):
        return None
    size, words = block.size, set(block.codewords)
    qubits = [variable(offset + q) for q in range(block.num_qubits)]
    if size == block.num_qubits and all(w and w & (w - 1) == 0 for w in words):
        return make_penalty(one_hot(qubits), 1, "one-hot", floor=0)
    if words == {(1 << i) - 1 for i in range(size)}:
        # The number of ones after a zero (Chancellor, arXiv:1903.05068, there as couplings of neighbours).
        walls = add(implies(later, earlier) for earlier, later in pairwise(qubits))
        return make_penalty(walls, 1, "domain wall", floor=0)
    # Closed under clearing bits, as in binary: a state is unused exactly if it contains a smallest unused pattern. The
    # degree is 2 for 3, 5 or 6 codewords and 3 for 7.
    if all(w ^ (1 << q) in words for w in words for q in range(block.num_qubits) if w >> q & 1):
        found: Polynomial = {}
        for pattern in {w | 1 << q for w in words for q in range(block.num_qubits)} - words:
            bits = list_bits(pattern)
            if all(pattern ^ (1 << q) in words for q in bits):
                found[tuple(offset + q for q in bits)] = 1
        return make_penalty(found, 1, "unused words", floor=0)
    if block.num_qubits > INDICATOR_QUBITS:
        raise DoesNotFitError(f"{size} irregular codewords on {block.num_qubits} qubits: number the tuples in binary")
    # Anything else: a fitted quadratic, or the exact indicator of any degree.
    every = np.arange(1 << block.num_qubits)
    outside = ~np.isin(every, block.codewords)
    fitted = fit_states(outside, block.num_qubits)
    if fitted is not None:
        return make_penalty(shift_terms(fitted.terms, offset), fitted.gap, "fitted", floor=0)
    terms = interpolate(every.tolist(), block.num_qubits, outside.astype(int).tolist())
    return make_penalty(shift_terms(terms, offset), 1, "unused words", floor=0)

"""From constraints and blocks to penalties: the forms that fit are made, and the lightest is taken."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from gatesolve.encodings.block import Block
from gatesolve.errors import DoesNotFitError
from gatesolve.model.constraints import AllDifferent, Clause, Linear, NotEqual, Table
from gatesolve.qubo.auxiliary import (
    cover_by_boxes,
    find_differing_demands,
    list_demands,
    penalise_by_selectors,
    penalise_with_slack,
    quadratize,
)
from gatesolve.qubo.fit import fit_penalty, fit_states
from gatesolve.qubo.forms import Polynomial, exactly, implies, negate, none_hold, one_hot
from gatesolve.qubo.literals import Literals, interpolate, is_full, shift_terms
from gatesolve.qubo.penalty import UNSATISFIABLE, Penalty, make_penalty
from gatesolve.qubo.polynomial import Terms, add, degree, multiply, variable
from gatesolve.qubo.requirements import Requirement, orient_terms
from gatesolve.qubo.sum_penalties import list_sums, penalise_distance, penalise_sum
from gatesolve.qubo.tuple_penalties import find_sum, make_grid, make_indicators, penalise_rows

KNOWN_BOXES = 6
"""Two rows that must differ in one of these ways, or more, are not listed."""
PRODUCT_TERMS = 2000
"""Most terms of a penalty for which products are counted."""


class Penalties:
    """Makes the penalties of one space; what is alike is made once.

    Args:
        literals: of the space.
        codewords_only: energies matter on codewords alone: forms are rewritten there, what blocks enforce is dropped.
        quadratic: penalties with no quadratic form may take auxiliary variables, after the space's qubits.
    """

    def __init__(self, literals: Literals, codewords_only: bool, quadratic: bool = False) -> None:
        self.literals, self.codewords_only, self.quadratic = literals, codewords_only, quadratic
        self.auxiliaries: list[str] = []

    def of(self, requirement: Requirement) -> Penalty | None:
        """The lightest penalty found, or None where no codeword breaks the requirement.

        With ``quadratic``, one of higher degree is replaced where auxiliary variables of this requirement alone are
        fewer than products would be; what each means is added to ``auxiliaries``.

        Raises:
            DoesNotFitError: only by listing more combinations than are listed could one be made.
        """
        if self._differs_at_many_places(requirement):
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

    def _differs_at_many_places(self, requirement: Requirement) -> bool:
        """Two rows whose combinations need not be listed, as their boxes are known."""
        if not self.quadratic or len(requirement.constraints) != 1:
            return False
        demands = find_differing_demands(requirement.constraints[0], self.literals)
        return demands is not None and len(demands) >= KNOWN_BOXES

    def _with_auxiliaries(self, requirement: Requirement, found: Penalty | None) -> Penalty | None:
        """Slack bits of a sum, or selectors of boxes, whichever are fewer; None where products are."""
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
        """A linear requirement's sum with slack bits, where its allowed sums lie together."""
        listed = self._sums(requirement)
        if listed is None or not listed[2] or degree(listed[0]) > 1:
            return None
        total, sums, allowed = listed
        if sums[sums.index(allowed[0]) : sums.index(allowed[-1]) + 1] != allowed:
            return None
        made, weights = penalise_with_slack(total, allowed, first)
        return made, [f"{w} of the slack" for w in weights]

    def _selectors(self, requirement: Requirement, first: int) -> tuple[Penalty, list[str]] | None:
        """One selector for each box of what is allowed."""
        constraint = requirement.constraints[0]
        demands = find_differing_demands(constraint, self.literals) if len(requirement.constraints) == 1 else None
        if demands is None and (seen := make_grid(requirement.constraints, self.literals)) is not None:
            demands = list_demands(seen, cover_by_boxes(seen.broken))
        elif demands is None and isinstance(constraint, Table):
            where = self._where_of(constraint.variables)
            rows = self._rows(constraint)
            demands = [[negate(where(k, v)) for k, v in enumerate(row)] for row in rows]
        if not demands:
            return None
        made = penalise_by_selectors(demands, first)
        return None if made is None else (made, [f"selector {k}" for k in range(len(demands))])

    def _of(self, requirement: Requirement) -> Penalty | None:
        numbers = self.literals.blocks_of(requirement.scope)
        if len(numbers) <= 1:
            return self._of_one_block(requirement)
        found = self._quick(requirement)
        if found is not None and not found:
            return None
        wanted = len(numbers) == 2 or not any(p.is_quadratic for p in self._neat(found or []))
        listed = make_grid(requirement.constraints, self.literals) if wanted else None
        if listed is not None:
            if not listed.broken.any():
                return None
            if listed.broken.all():
                return UNSATISFIABLE
            found = [*(found or []), *self._of_sum(find_sum(listed), requirement.most)]
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
        return min(found, key=lambda p: (not p.is_quadratic, not (self.codewords_only or p.is_safe), p.weight_key))

    def _neat(self, found: Iterable[Penalty]) -> list[Penalty]:
        if not self.codewords_only:
            return list(found)
        # equal on codewords alone, which is where it matters
        return [replace(p, terms=self.literals.reduce_terms(p.terms), floor=p.satisfied) for p in found]

    def _of_one_block(self, requirement: Requirement) -> Penalty | None:
        listed = make_grid(requirement.constraints, self.literals)
        assert listed is not None
        broken = listed.broken
        if not broken.any():
            return None
        if broken.all():
            return UNSATISFIABLE
        found = self._neat(make_indicators(listed))
        return min(found, key=lambda p: (not (self.codewords_only or p.is_safe), p.weight_key))

    def _quick(self, requirement: Requirement) -> list[Penalty] | None:
        """Forms that need no listing: an empty list where nothing can be broken, None where there is none."""
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
            first = requirement.constraints[0]
            if isinstance(first, Linear) and first.relation == "==" and len(requirement.constraints) == 1:
                return [penalise_distance(self.literals.total(first.terms), first.bound)]
            return None
        _, sums, allowed = listed
        return [] if len(sums) == len(allowed) else self._of_sum(listed, requirement.most) or None

    def _sums(self, requirement: Requirement) -> tuple[Polynomial, list[int], list[int]] | None:
        """The common sum of linear constraints, its values, and those allowed; None if there is none or too many."""
        members = [c for c in requirement.constraints if isinstance(c, Linear)]
        if len(members) != len(requirement.constraints) or not members[0].terms:
            return None
        terms = orient_terms(members[0])
        sums = list_sums(self.literals, terms)
        if sums is None:
            return None
        signs = [1 if set(c.terms) == set(terms) else -1 for c in members]
        allowed = [s for s in sums if all(c.compare(w * s) for c, w in zip(members, signs, strict=True))]
        return self.literals.total(terms), sums, allowed

    def _of_sum(self, found: tuple[Polynomial, list[int], list[int]] | None, most: int | None) -> list[Penalty]:
        """The forms of a sum; with what other constraints allow at most, where it is of 0/1 variables."""
        if found is None:
            return []
        total, sums, allowed = found
        made = penalise_sum(total, sums, allowed)
        if made is None and most is not None and len(allowed) > 2 and min(sums) >= 0 and _is_plain(total):
            made = penalise_sum(total, sums, [s for s in allowed if s <= most])
        return [made] if made is not None else []

    def _all_different(self, different: AllDifferent) -> list[Penalty]:
        """Pairs of equal values; with as many values as variables also each value exactly once (gap 2)."""
        names, shifts = different.variables, dict(different.shifted)
        pairs = add(self._equal(pair.left, pair.right, pair.offset) for pair in different.pairs)
        if not pairs or (self.codewords_only and not self.literals.reduce_terms(pairs)):
            return []
        taken = {name: {v + shifts[name] for v in self.literals.values(name)} for name in names}
        values = sorted(set().union(*taken.values()))
        if self.codewords_only or len(values) != len(names):
            return [make_penalty(pairs, 1, "conflicts")]
        once = [exactly([self.literals.where(n, {v - shifts[n]}) for n in names if v in taken[n]], 1) for v in values]
        return [make_penalty(add(once), 2, "each value once", floor=0)]

    def _equal(self, left: str, right: str, offset: int) -> Polynomial:
        """``left - right == offset``: 1 or 0 on codewords."""
        if self.literals.number_of(left) == self.literals.number_of(right):
            rows = zip(self.literals.values(left), self.literals.values(right), strict=True)
            return self.literals.of_block(self.literals.number_of(left), [int(a - b == offset) for a, b in rows])
        shared = sorted({v - offset for v in self.literals.values(left)} & set(self.literals.values(right)))
        where = self.literals.where
        return add(multiply(where(left, {v + offset}), where(right, {v})) for v in shared)

    def _last(self, requirement: Requirement) -> list[Penalty]:
        """Where there are too many combinations to list: products along a clause or the rows of a table."""
        first = requirement.constraints[0]
        if isinstance(first, Clause):
            literals = [self.literals.where(name, values) for name, values in first.literals]
            if math.prod(len(p) + 1 for p in literals) <= 1 << 16:
                return [make_penalty(none_hold(literals), 1, "violation")]
        if isinstance(first, Table):
            where = self._where_of(first.variables)
            terms = penalise_rows(self._rows(first), where)
            return [make_penalty(terms, 1, "violation")] if terms is not None else []
        return []

    def _rows(self, table: Table) -> list[tuple[int, ...]]:
        """The tuples within the space's values."""
        known = [set(self.literals.values(name)) for name in table.variables]
        return [row for row in table.tuples if all(v in k for v, k in zip(row, known, strict=True))]

    def _where_of(self, names: Sequence[str]) -> Callable[[int, int], Terms]:
        return lambda k, v: self.literals.where(names[k], {v})


def _is_plain(total: Terms) -> bool:
    return all(len(m) == 1 and c == 1 for m, c in total.items())


INDICATOR_QUBITS = 12
"""Most qubits of a block in no regular pattern."""


def penalise_other_states(block: Block, offset: int) -> Penalty | None:
    """The penalty of a block's other states: 0 on codewords and at least 1 elsewhere; None where there are none.

    One-hot and unary tables: ``(sum - 1)**2``. Domain wall: the number of ones after a zero (Chancellor,
    arXiv:1903.05068, there as couplings of neighbours). Codewords closed under clearing bits (binary): the number of
    smallest patterns of ones that no codeword has; quadratic for 3, 5 or 6 codewords, cubic for 7. Others: a
    fitted quadratic, or the exact indicator.

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
        walls = add(implies(later, earlier) for earlier, later in pairwise(qubits))
        return make_penalty(walls, 1, "domain wall", floor=0)
    if all(w ^ (1 << q) in words for w in words for q in range(block.num_qubits) if w >> q & 1):
        return make_penalty(_smallest_patterns(block, offset), 1, "unused words", floor=0)
    if block.num_qubits > INDICATOR_QUBITS:
        raise DoesNotFitError(f"{size} irregular codewords on {block.num_qubits} qubits: number the tuples in binary")
    every = np.arange(1 << block.num_qubits)
    outside = ~np.isin(every, block.codewords)
    found = fit_states(outside, block.num_qubits)
    if found is not None:
        return make_penalty(shift_terms(found.terms, offset), found.gap, "fitted", floor=0)
    terms = interpolate(every.tolist(), block.num_qubits, outside.astype(int).tolist())
    return make_penalty(shift_terms(terms, offset), 1, "unused words", floor=0)


def _smallest_patterns(block: Block, offset: int) -> Polynomial:
    """One product for each pattern that no codeword has, though clearing any of its bits gives a codeword."""
    words = set(block.codewords)
    candidates = {w | 1 << q for w in words for q in range(block.num_qubits)} - words
    found: Polynomial = {}
    for pattern in candidates:
        bits = [q for q in range(block.num_qubits) if pattern >> q & 1]
        if all(pattern ^ (1 << q) in words for q in bits):
            found[tuple(offset + q for q in bits)] = 1
    return found

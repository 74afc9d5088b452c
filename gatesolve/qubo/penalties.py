"""From constraints to penalties: the forms that fit are made, and the lightest is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import numpy as np

from gatesolve.errors import DoesNotFitError
from gatesolve.model.constraints import AllDifferent, Clause, Linear, NotEqual, Table
from gatesolve.qubo.fit import fitted
from gatesolve.qubo.forms import Polynomial, exactly, negated, none_hold
from gatesolve.qubo.literals import Literals
from gatesolve.qubo.of_sums import of_sum, reachable, square_to, with_slack
from gatesolve.qubo.of_tuples import allowed_rows, grid, indicators, sum_allowed
from gatesolve.qubo.penalty import Penalty, never, penalty, renamed
from gatesolve.qubo.polynomial import Terms, added, constant, degree, times
from gatesolve.qubo.quadratize import quadratized
from gatesolve.qubo.requirements import Requirement, direction
from gatesolve.qubo.selectors import boxes, demands_of, differing, selected

KNOWN_BOXES = 6
"""Two rows that must differ in one of these ways, or more, are not listed."""
PRODUCT_TERMS = 2000
"""Most terms of a penalty for which products are counted."""


class Penalties:
    """Makes the penalties of one space; what is alike is made once.

    Args:
        literals: of the space.
        inside: energies matter on codewords alone, so forms are rewritten there and what blocks enforce is dropped.
        quadratic: penalties with no quadratic form may take auxiliary variables, after the space's qubits.
    """

    def __init__(self, literals: Literals, inside: bool, quadratic: bool = False) -> None:
        self.literals, self.inside, self.quadratic = literals, inside, quadratic
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
            better = self._with_auxiliaries(requirement, None)
            if better is None:
                raise
            return better
        if found is None or found.is_quadratic or not self.quadratic:
            return found
        return self._with_auxiliaries(requirement, found) or found

    def _differs_at_many_places(self, requirement: Requirement) -> bool:
        """Two rows whose combinations need not be listed, as their boxes are known."""
        if not self.quadratic or len(requirement.constraints) != 1:
            return False
        demands = differing(requirement.constraints[0], self.literals)
        return demands is not None and len(demands) >= KNOWN_BOXES

    def _with_auxiliaries(self, requirement: Requirement, found: Penalty | None) -> Penalty | None:
        """Slack bits of a sum, or selectors of boxes, whichever are fewer; None where products are."""
        if not self.quadratic:
            return None
        first = self.literals.space.num_qubits + len(self.auxiliaries)
        options = [self._slack(requirement, first), self._selectors(requirement, first)]
        fitting = [option for option in options if option is not None]
        if not fitting:
            return None
        best, meanings = min(fitting, key=lambda option: len(option[1]))
        countable = found is not None and len(found.terms) <= PRODUCT_TERMS
        if found is not None and countable and len(quadratized(found.terms, first)[1]) < len(meanings):
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
        made, weights = with_slack(total, allowed, first)
        return made, [f"{w} of the slack" for w in weights]

    def _selectors(self, requirement: Requirement, first: int) -> tuple[Penalty, list[str]] | None:
        """One selector for each box of what is allowed."""
        constraint = requirement.constraints[0]
        demands = differing(constraint, self.literals) if len(requirement.constraints) == 1 else None
        if demands is None and (seen := grid(requirement.constraints, self.literals)) is not None:
            demands = demands_of(seen, boxes(seen.broken))
        elif demands is None and isinstance(constraint, Table):
            where = self._where_of(constraint.variables)
            rows = self._rows(constraint)
            demands = [[negated(where(k, v)) for k, v in enumerate(row)] for row in rows]
        made = selected(demands, first) if demands else None
        if demands is None or made is None:
            return None
        return made, [f"selector {k}" for k in range(len(demands))]

    def _of(self, requirement: Requirement) -> Penalty | None:
        numbers = self.literals.blocks_of(requirement.scope)
        if len(numbers) <= 1:
            return self._of_one_block(requirement)
        found = self._quick(requirement)
        if found is not None and not found:
            return None
        wanted = len(numbers) == 2 or not any(p.is_quadratic for p in self._neat(found or []))
        listed = grid(requirement.constraints, self.literals) if wanted else None
        if listed is not None:
            if not listed.broken.any():
                return None
            if listed.broken.all():
                return never()
            found = [*(found or []), *self._of_sum(sum_allowed(listed), requirement.most)]
            if len(numbers) == 2 or not found:
                found += indicators(listed)
            if len(numbers) > 2 and not any(p.is_quadratic for p in self._neat(found)):
                found += [p for p in [fitted(listed, self.literals, self.inside)] if p is not None]
        found = self._neat(found or self._last(requirement))
        if not found:
            text = str(requirement)
            raise DoesNotFitError(
                f"constraint '{text if len(text) <= 80 else text[:77] + '...'}' has no closed form and too many cases: "
                "allow auxiliary variables (quadratic=True), leave it out, or use an encoding that enforces it"
            )
        return min(found, key=lambda p: (not p.is_quadratic, not (self.inside or p.is_safe), p.weight_key))

    def _neat(self, found: Iterable[Penalty]) -> list[Penalty]:
        if not self.inside:
            return list(found)
        return [renamed(p, self.literals.reduced(p.terms)) for p in found]

    def _of_one_block(self, requirement: Requirement) -> Penalty | None:
        listed = grid(requirement.constraints, self.literals)
        assert listed is not None
        broken = listed.broken
        if not broken.any():
            return None
        if broken.all():
            return never()
        found = self._neat(indicators(listed))
        return min(found, key=lambda p: (not (self.inside or p.is_safe), p.weight_key))

    def _quick(self, requirement: Requirement) -> list[Penalty] | None:
        """Forms that need no listing: an empty list where nothing can be broken, None where there is none."""
        first = requirement.constraints[0]
        if isinstance(first, Linear):
            return self._linear(requirement)
        if isinstance(first, AllDifferent):
            return self._all_different(first.variables)
        if isinstance(first, NotEqual):
            return [penalty(self._equal(first.left, first.right, first.offset), 1, "conflicts")]
        if isinstance(first, Clause) and len(first.literals) == 2:
            literals = [self.literals.where(name, values) for name, values in first.literals]
            return [penalty(none_hold(literals), 1, "clause")]
        return None

    def _linear(self, requirement: Requirement) -> list[Penalty] | None:
        listed = self._sums(requirement)
        if listed is None:
            first = requirement.constraints[0]
            if isinstance(first, Linear) and first.relation == "==" and len(requirement.constraints) == 1:
                return [square_to(self.literals.total(first.terms), None, first.bound)]
            return None
        _, sums, allowed = listed
        return [] if len(sums) == len(allowed) else self._of_sum(listed, requirement.most) or None

    def _sums(self, requirement: Requirement) -> tuple[Polynomial, list[int], list[int]] | None:
        """The common sum of linear constraints, its values, and those allowed; None if there is none or too many."""
        members = [c for c in requirement.constraints if isinstance(c, Linear)]
        if len(members) != len(requirement.constraints) or not members[0].terms:
            return None
        terms = direction(members[0])
        sums = reachable(self.literals, terms)
        if sums is None:
            return None
        signs = [1 if set(c.terms) == set(terms) else -1 for c in members]
        allowed = [s for s in sums if all(_compare(w * s, c) for c, w in zip(members, signs, strict=True))]
        return self.literals.total(terms), sums, allowed

    def _of_sum(self, found: tuple[Polynomial, list[int], list[int]] | None, most: int | None) -> list[Penalty]:
        """The forms of a sum; with what other constraints allow at most, where it is of 0/1 variables."""
        if found is None:
            return []
        total, sums, allowed = found
        made = of_sum(total, sums, allowed)
        if made is None and most is not None and len(allowed) > 2 and min(sums) >= 0 and _is_plain(total):
            made = of_sum(total, sums, [s for s in allowed if s <= most])
        return [made] if made is not None else []

    def _all_different(self, names: Sequence[str]) -> list[Penalty]:
        """Pairs of equal values; with as many values as variables also each value exactly once (gap 2)."""
        pairs = added(self._equal(a, b, 0) for a, b in combinations(names, 2))
        if not pairs or (self.inside and not self.literals.reduced(pairs)):
            return []
        values = sorted({v for name in names for v in self.literals.values(name)})
        if self.inside or len(values) != len(names):
            return [penalty(pairs, 1, "conflicts")]
        holders = [[n for n in names if v in self.literals.values(n)] for v in values]
        once = [
            exactly([self.literals.where(n, {v}) for n in able], 1) for able, v in zip(holders, values, strict=True)
        ]
        return [penalty(added(once), 2, "each value once", floor=0)]

    def _equal(self, left: str, right: str, offset: int) -> Polynomial:
        """``left - right == offset``: 1 or 0 on codewords."""
        space = self.literals.space
        if self.literals.number_of(left) == self.literals.number_of(right):
            rows = zip(self.literals.values(left), self.literals.values(right), strict=True)
            return self.literals.of_block(space.home[left][0], [int(a - b == offset) for a, b in rows])
        shared = sorted({v - offset for v in self.literals.values(left)} & set(self.literals.values(right)))
        where = self.literals.where
        return added(times(where(left, {v + offset}), where(right, {v})) for v in shared)

    def _last(self, requirement: Requirement) -> list[Penalty]:
        """Where there are too many combinations to list: products along a clause or the rows of a table."""
        first = requirement.constraints[0]
        if isinstance(first, Clause):
            product: Polynomial = constant(1)
            literals = [self.literals.where(name, values) for name, values in first.literals]
            if np.prod([len(p) + 1.0 for p in literals]) <= 1 << 16:
                product = none_hold(literals)
                return [penalty(product, 1, "violation")]
        if isinstance(first, Table):
            where = self._where_of(first.variables)
            terms = allowed_rows(self._rows(first), where)
            return [penalty(terms, 1, "violation")] if terms is not None else []
        return []

    def _rows(self, table: Table) -> list[tuple[int, ...]]:
        """The tuples within the space's values."""
        known = [set(self.literals.values(name)) for name in table.variables]
        return [row for row in table.tuples if all(v in k for v, k in zip(row, known, strict=True))]

    def _where_of(self, names: Sequence[str]) -> Callable[[int, int], Terms]:
        return lambda k, v: self.literals.where(names[k], {v})


def _compare(total: int, constraint: Linear) -> bool:
    if constraint.relation == "==":
        return total == constraint.bound
    return total != constraint.bound if constraint.relation == "!=" else total <= constraint.bound


def _is_plain(total: Terms) -> bool:
    """A plain sum of qubits."""
    return all(len(m) == 1 and c == 1 for m, c in total.items())

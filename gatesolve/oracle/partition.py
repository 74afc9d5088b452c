"""Exactly-one constraints that together share out a known total: one parity each.

Take disjoint sets of 0/1 variables, each to hold exactly one 1, whose total is the number of sets on every codeword. If
every set's parity is odd, every set holds at least one, so by the total each holds exactly one. The columns of a queens
board laid out row by row are such sets, and so are its regions. The parity of the last set follows from the total.

The total is also known if as many other disjoint sets cover the same variables and are checked one by one. With the
rows of a board checked so, its columns and its regions need a parity each.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gatesolve.circuit import Parity
from gatesolve.encodings.space import Space
from gatesolve.model import Constraint, Linear
from gatesolve.model.affine import disjoint_groups, is_sum_to_one
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.view import project_all


def share_out(constraints: Sequence[Constraint], space: Space) -> tuple[list[Condition], list[Constraint]]:
    """Return conditions for the exactly-one constraints that share out a total, and the other constraints."""
    left = list(constraints)
    conditions = []
    checked: set[tuple[int, frozenset[str]]] = set()
    for group in disjoint_groups([c for c in left if is_sum_to_one(c) and _spans_blocks(c, space)]):
        cover = len(group), frozenset(name for c in group for name in c.scope)
        # A single set shares nothing. A total is known from the space, or from sets of one cover that are checked
        # already.
        shared = len(group) > 1 and (cover in checked or _total_is_known(group, space))
        condition = _parities(group, space) if shared else None
        if condition is None:
            checked.add(cover)
        else:
            conditions.append(condition)
            left = [c for c in left if not any(c is member for member in group)]
    return conditions, left


def _spans_blocks(constraint: Linear, space: Space) -> bool:
    """Whether the variables are 0/1 and of several blocks."""
    homes = {space.home[name] for name in constraint.scope}
    binary = all(set(np.unique(space.blocks[k].values[:, j])) <= {0, 1} for k, j in homes)
    return binary and len({k for k, _ in homes}) > 1


def _total_is_known(group: Sequence[Linear], space: Space) -> bool:
    """Whether the variables of the group sum to the number of its sets on every codeword."""
    names = {name for constraint in group for name in constraint.scope}
    total = 0
    for block in space.blocks:
        columns = [j for j, name in enumerate(block.variables) if name in names]
        sums = np.unique(block.values[:, columns].sum(axis=1))
        if len(sums) > 1:
            return False
        total += int(sums[0])
    return total == len(group)


def _parities(group: Sequence[Linear], space: Space) -> Condition | None:
    views = [project_all(space, number) for number in range(len(space.blocks))]
    factors: list[Parity] = []
    # The parity of the last set follows from the total.
    for constraint in group[:-1]:
        literals = [views[space.home[name][0]].where(name, {1}) for name in constraint.scope]
        # Some variable is no parity of its block's qubits.
        if None in literals:
            return None
        factors.append(Parity.xor_all(literal for literal in literals if literal is not None))
    label = f"{len(group)} disjoint sums == 1, among them {group[0]}"
    return Condition((), tuple(factors), label, "parities")

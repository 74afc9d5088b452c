"""One synthesiser a constraint kind: constraint -> Condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter

from gatesolve.circuit import Parity
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model import AllDifferent, Clause, Constraint, Linear, NotEqual, Table
from gatesolve.model.trees import Tree, list_rows
from gatesolve.oracle.algebraic import find_conjunction
from gatesolve.oracle.all_different import compile_injection, compile_permutation
from gatesolve.oracle.by_values import compile_by_values
from gatesolve.oracle.condition import ZERO, Condition, Flag
from gatesolve.oracle.diagram import bound_diagram, linear_diagram, table_diagram
from gatesolve.oracle.sums import compile_clause, compile_sum, compile_unequal
from gatesolve.oracle.tree import compile_tree
from gatesolve.oracle.view import BlockProjection
from gatesolve.oracle.window import choose_projections, num_rows, tabulate_views

WINDOW_ROWS = 1 << 16
TABLE_ROWS = 1 << 12
"""Rows up to which a constraint that is arithmetic is tabulated too."""
LEAF_ROWS = 1 << 9
"""The same for one within another, of which there are many."""
ALGEBRAIC_ROWS = 1 << 12
ALGEBRAIC_WIRES = 24


def synthesise(constraint: Constraint, space: Space, listed: int = TABLE_ROWS) -> Condition:
    """Compile one constraint to flags and factors, right on every codeword of ``space``.

    Of what fits the cheapest: sums, comparisons and clauses as arithmetic (`gatesolve.oracle.sums`), all-different
    by functions of a value or pair by pair, trees part by part (`gatesolve.oracle.tree`); and where what it sees of its
    blocks has few combinations, ``listed`` or without arithmetic 2^16, a conjunction of affine and quadratic forms, or
    a decision diagram.

    Raises:
        DoesNotFitError: none of these applies; the message names the constraint and what would fit.
    """
    views = choose_projections(constraint, space)
    rows = num_rows(views)
    found: list[Condition] = []
    try:
        found = _from_arithmetic(constraint, views, space)
    except DoesNotFitError:
        if rows > WINDOW_ROWS:
            raise
    if rows <= (listed if found else WINDOW_ROWS):
        found = _from_table(constraint, views, min((one.cost for one in found), default=None)) + found
    elif not found and isinstance(constraint, Linear) and (diagram := linear_diagram(constraint, views)) is not None:
        found.append(diagram)
    condition = min(found, key=attrgetter("price"), default=None)
    if condition is None:
        raise DoesNotFitError(
            f"constraint '{constraint}' has {rows} combinations of codewords, more than {WINDOW_ROWS}: "
            "use encoding='one-hot', or presolve='propagate' to shrink the domains"
        )
    return replace(condition, label=str(constraint))


def _from_table(constraint: Constraint, views: Sequence[BlockProjection], most: int | None) -> list[Condition]:
    """Return the conditions made from a constraint's table, no diagram where it must take more CX than ``most``."""
    table, wires = tabulate_views(constraint, views), [wire for view in views for wire in view.wires]
    small = num_rows(views) <= ALGEBRAIC_ROWS and len(wires) <= ALGEBRAIC_WIRES
    conjunction = find_conjunction(table) if small else None
    # On a tie the conjunction: its factors join the AND tree of all constraints and keep it shallow.
    found = [] if conjunction is None else [conjunction.over(wires)]
    least = min([one.cost for one in found] + ([] if most is None else [most]), default=None)
    if least is None or bound_diagram(table, views) <= least:
        found.append(table_diagram(table, views))
    return found


def _from_arithmetic(constraint: Constraint, views: Sequence[BlockProjection], space: Space) -> list[Condition]:
    homes = {name: view for view in views for name in view.names}
    leaf = partial(synthesise, space=space, listed=LEAF_ROWS)
    found: list[Condition | None] = []
    match constraint:
        case NotEqual():
            found = [compile_sum(constraint.as_linear, homes), compile_unequal(constraint, homes)]
        case Linear():
            found = [compile_sum(constraint, homes)]
        case Clause() if constraint.literals:
            found = [compile_clause(constraint, homes)]
        case AllDifferent():
            found = [_all_different(constraint, views, space)]
        case Tree():
            found = [compile_tree(constraint, homes, leaf), compile_by_values(constraint, views, synthesise)]
        case Table():
            rule = list_rows(constraint) if num_rows(views) > WINDOW_ROWS else None
            if (rule := constraint.rule or rule) is not None:
                found = [compile_tree(rule, homes, leaf), compile_by_values(rule, views, synthesise)]
    return [one for one in found if one is not None]


def _all_different(constraint: AllDifferent, views: Sequence[BlockProjection], space: Space) -> Condition:
    """Functions of a value where there are as many values as variables or more, or pairs of variables."""
    names, shifts = constraint.variables, dict(constraint.shifted)
    homes = {name: view.shifted(shifts) for view in views for name in view.names}
    domains = {n: {row[homes[n].names.index(n)] for row in homes[n].values} for n in names}
    values = sorted(set().union(*domains.values()))
    found: Condition | None = None
    if len(values) == len(names):
        literals = {(n, v): homes[n].where(n, {v}) for n in names for v in domains[n]}
        if all(p is not None for p in literals.values()):
            return _permutation(names, values, {k: p for k, p in literals.items() if p is not None})
        found = compile_permutation(names, values, homes)
    elif len(names) > 2:
        found = compile_injection(names, values, homes)
    parts: list[Condition] = []
    for pair in constraint.pairs:
        if domains[pair.left] & domains[pair.right]:
            parts.append(synthesise(pair, space))
        if found is not None and sum(part.cost for part in parts) > found.cost:
            return found
    return join_conditions(parts)


def _permutation(names: Sequence[str], values: Sequence[int], literals: dict[tuple[str, int], Parity]) -> Condition:
    """Every value an odd number of times: with as many values as variables, exactly once each.

    If all values but one occur at least once, the last is left at most one variable, and
    parity of the total decides; so the last value needs no factor.
    """
    factors = tuple(Parity.xor_all(literals.get((name, v), ZERO) for name in names) for v in values[:-1])
    return Condition((), factors, method="affine")


def join_conditions(parts: Sequence[Condition]) -> Condition:
    """The conjunction of several conditions as one, flags renumbered."""
    flags: list[Flag] = []
    factors: list[Parity] = []
    for part in parts:
        moved = part.shifted(len(flags))
        flags.extend(moved.flags)
        factors.extend(moved.factors)
    return Condition(tuple(flags), tuple(factors), method="pairs")

"""Whether the conditions of an oracle together hold exactly where the model's constraints do.

A condition that stands for some constraints is compared with these alone. Conditions that were simplified by each other
are no constraint's: then a solver is asked for codewords on which all constraints hold and such a condition does not,
and for codewords on which all conditions hold and some constraint does not. There have to be none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gatesolve.encodings import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Constraint, Model, Table
from gatesolve.model.merge import state_constraints
from gatesolve.oracle.condition import Condition
from gatesolve.proof.claim import Claim, leave, prove, refuse
from gatesolve.proof.conditions import compare_condition
from gatesolve.proof.solver import find_difference

ALWAYS = Condition((), ())
"""The condition that always holds: of a constraint that the codewords satisfy by themselves."""


@dataclass(frozen=True)
class _Compared:
    """What was found of conditions one by one.

    Attributes:
        methods: how often each way of comparing was used.
        rows: combinations of codewords looked at, in all.
        open: conditions that are not compared, or differ.
        same: constraints that are the same as conditions, or always hold.
        reason: why the first open one is.
    """

    methods: Counter[str]
    rows: int
    open: tuple[Condition, ...]
    same: frozenset[Constraint]
    reason: str


def prove_conditions(model: Model, space: Space, conditions: Sequence[Condition]) -> list[Claim]:
    """Claims about the layers ``conditions`` and, where conditions are not compared one by one, ``levels``.

    Args:
        model: the constraints.
        space: the codewords on which both are compared.
        conditions: over the space's qubits, in any order.
    """
    found = _compare_each(model, space, conditions)
    ways = ", ".join(f"{number} by {method}" for method, number in sorted(found.methods.items()))
    rows = f"{found.rows} combinations of codewords in all"
    one = prove("conditions", "comparison with constraints", f"each on every codeword of its scope: {ways}; {rows}")
    rest = tuple(c for c in dict.fromkeys(model.constraints) if c not in found.same)
    if not found.open and not rest:
        return [one]
    try:
        difference = find_difference(model, space, conditions, found.open, rest)
    except DoesNotFitError as error:
        return [leave("conditions", f"{found.reason or 'constraints are left over'}; {error}")]
    if difference is not None:
        return [refuse("conditions", difference)]
    number = f"{len(found.open)} conditions hold where the constraints do, and {len(rest)} constraints where they do"
    claims = [one] if found.methods else []
    return [*claims, prove("levels", "CP-SAT, no counterexample", number)]


def _compare_each(model: Model, space: Space, conditions: Sequence[Condition]) -> _Compared:
    known = list_meanings(model)
    methods, rows, same = Counter[str](), 0, set[Constraint]()
    left, reasons = list[Condition](), list[str]()

    def compare(condition: Condition, constraints: Sequence[Constraint]) -> bool:
        nonlocal rows
        try:
            found = compare_condition(condition, constraints, space)
        except DoesNotFitError as error:
            reasons.append(str(error))
            return False
        if found is None:
            return False
        methods[found[0]] += 1
        rows += found[1]
        same.update(constraints)
        return True

    for condition in conditions:
        if condition.label not in known or not compare(condition, known[condition.label]):
            left.append(condition)
    for constraint in dict.fromkeys(model.constraints):
        if constraint not in same:
            compare(ALWAYS, [constraint])
    return _Compared(methods, rows, tuple(left), frozenset(same), next(iter(reasons), ""))


def list_meanings(model: Model) -> dict[str, tuple[Constraint, ...]]:
    """What a condition's label stands for: one constraint, or those that were merged."""
    stated: Iterable[Constraint] = (*state_constraints(model, "merged"), *model.constraints)
    return {str(one): one.parts if isinstance(one, Table) else (one,) for one in stated}

"""Proof that the conditions of an oracle together hold exactly where the model's constraints do.

A condition that stands for some constraints is compared with these alone. Conditions that were simplified by each other
stand for no constraint. Then a solver searches for a codeword on which all constraints hold and such a condition does
not, and for the opposite: all conditions hold, and a constraint does not. Neither may exist.

Levels are claims too: at `literal` and `merged` each condition has to be that of one constraint, stated or merged.
Each constraint that codewords can break has to have a condition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gatesolve.encodings import Space
from gatesolve.errors import DoesNotFitError
from gatesolve.model import Constraint, Level, Model, Table
from gatesolve.model.merge import state_constraints
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.levels import LEVELS, constraint_level, space_level
from gatesolve.proof.claim import Claim, leave, prove, refuse
from gatesolve.proof.conditions import compare_condition
from gatesolve.proof.solver import find_difference

ALWAYS = Condition((), ())
"""The condition that always holds: of a constraint that the codewords satisfy by themselves."""


@dataclass(frozen=True)
class _Compared:
    """The outcome of comparing conditions one by one.

    Attributes:
        methods: how often each way of comparing was used.
        rows: combinations of codewords looked at, in all.
        stated: what the conditions that equal some constraints stand for: one constraint each, or a table.
        open: conditions that could not be compared, or differ.
        rest: constraints without a condition that codewords can break.
        reason: why the first condition could not be compared.
    """

    methods: Counter[str]
    rows: int
    stated: tuple[Constraint, ...]
    open: tuple[Condition, ...]
    rest: tuple[Constraint, ...]
    reason: str


def prove_conditions(
    model: Model, space: Space, conditions: Sequence[Condition], level: Level | None = None
) -> list[Claim]:
    """Return claims about the layers ``conditions`` and, where conditions are not compared one by one, ``levels``.

    The layer ``level`` is refused where the conditions are beyond the level that the circuit is said to be of.
    """
    found = _compare_each(model, space, conditions)
    return [*_prove_meaning(found, model, space, conditions), *_check_level(found, model, space, level)]


def _check_level(found: _Compared, model: Model, space: Space, level: Level | None) -> list[Claim]:
    # Only `literal` and `merged` limit how much one constraint may use of the others.
    if level not in LEVELS[:2]:
        return []
    if found.reason:
        return [leave("level", f"conditions were not compared one by one: {found.reason}")]
    if found.open:
        return [refuse("level", f"'{level}', but the condition '{found.open[0].label[:60]}' is no constraint's alone")]
    if found.rest:
        return [refuse("level", f"'{level}', but no condition is that of '{str(found.rest[0])[:60]}'")]
    told = [space_level(space, model), *(constraint_level(one, model) for one in found.stated)]
    beyond = max(told, key=LEVELS.index)
    return (
        [refuse("level", f"'{level}', but it is '{beyond}'")] if beyond not in LEVELS[: LEVELS.index(level) + 1] else []
    )


def _prove_meaning(found: _Compared, model: Model, space: Space, conditions: Sequence[Condition]) -> list[Claim]:
    ways = ", ".join(f"{number} by {method}" for method, number in sorted(found.methods.items()))
    rows = f"all {found.rows} combinations of codewords compared"
    one = prove("conditions", "comparison with constraints", f"{ways}; {rows}")
    if not found.open and not found.rest:
        return [one]
    try:
        difference = find_difference(model, space, conditions, found.open, found.rest)
    except DoesNotFitError as error:
        return [leave("conditions", f"{found.reason or 'constraints are left over'}; {error}")]
    if difference is not None:
        return [refuse("conditions", difference)]
    asked, other = len(found.open), len(found.rest)
    number = f"{asked} conditions follow from all constraints, and {other} constraints from all conditions"
    claims = [one] if found.methods else []
    return [*claims, prove("levels", "CP-SAT, no counterexample", number)]


def _compare_each(model: Model, space: Space, conditions: Sequence[Condition]) -> _Compared:
    known, own = list_meanings(model), dict.fromkeys(model.constraints)
    methods, rows, same = Counter[str](), 0, set[Constraint]()
    told, left, reasons = list[Constraint](), list[Condition](), list[str]()

    def compare(condition: Condition, stated: Constraint) -> bool:
        nonlocal rows
        # A table that was merged stands for the constraints that it was made from.
        parts = stated.parts if isinstance(stated, Table) and stated not in own else (stated,)
        try:
            found = compare_condition(condition, parts, space)
        except DoesNotFitError as error:
            reasons.append(str(error))
            return False
        if found is None:
            return False
        methods[found[0]] += 1
        rows += found[1]
        same.update(parts)
        return True

    for condition in conditions:
        stated = [one for one in known.get(condition.label, ()) if compare(condition, one)]
        if stated:
            # Other constraints of the same label hold on the same codewords.
            told.append(stated[0])
        else:
            left.append(condition)
    for constraint in own:
        # A constraint that the codewords satisfy by themselves needs no condition.
        if constraint not in same:
            compare(ALWAYS, constraint)
    rest = tuple(one for one in own if one not in same)
    return _Compared(methods, rows, tuple(told), tuple(left), rest, next(iter(reasons), ""))


def list_meanings(model: Model) -> dict[str, tuple[Constraint, ...]]:
    """List the constraints that a condition's label may stand for, and tables that some were merged to."""
    found = dict[str, tuple[Constraint, ...]]()
    for one in dict.fromkeys((*model.constraints, *state_constraints(model, "merged"))):
        found[str(one)] = (*found.get(str(one), ()), one)
    return found

"""A model as a dictionary that JSON can hold, and back."""

from __future__ import annotations

from typing import Any, get_args

from gatesolve.devices.jobs.reading import Data, entry, mapped, numbers, rows, weighted, words
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model import AllDifferent, Clause, Constraint, Linear, Model, NotEqual, Objective, Table, Variable
from gatesolve.model.constraints import Relation


def model_record(model: Model) -> dict[str, Any]:
    """The model as plain data."""
    goal = model.objective
    return {
        "variables": [{"name": v.name, "domain": list(v.domain)} for v in model.variables],
        "constraints": [_constraint_record(c) for c in model.constraints],
        "objective": goal and {"terms": [list(t) for t in goal.terms], "constant": goal.constant, "sense": goal.sense},
    }


def model_of(data: Data) -> Model:
    """The model that `model_record` wrote.

    Raises:
        InputError: it is none.
    """
    goal = data.get("objective")
    try:
        return Model(
            mapped(entry(data, "variables", list), _variable),
            mapped(entry(data, "constraints", list), _constraint),
            None if goal is None else _objective(goal),
        )
    except ValueError as error:
        raise InputError(f"the record of a job holds no model: {error}") from error


def _constraint_record(constraint: Constraint) -> dict[str, Any]:
    match constraint:
        case Linear():
            terms = [list(term) for term in constraint.terms]
            return {"kind": "linear", "terms": terms, "relation": constraint.relation, "bound": constraint.bound}
        case NotEqual():
            left, right = constraint.left, constraint.right
            return {"kind": "not-equal", "left": left, "right": right, "offset": constraint.offset}
        case AllDifferent():
            return {"kind": "all-different", "variables": list(constraint.variables)}
        case Table():
            tuples = [list(row) for row in constraint.tuples]
            named = list(constraint.variables)
            return {"kind": "table", "variables": named, "tuples": tuples, "source": constraint.source}
        case Clause():
            literals = [{"name": name, "values": sorted(values)} for name, values in constraint.literals]
            return {"kind": "clause", "literals": literals}
    raise UnsupportedError(
        f"constraint '{constraint}' is of a kind that no record of a job can hold: write it as a Table"
    )


def _variable(data: Data) -> Variable:
    return Variable(entry(data, "name", str), numbers(data.get("domain")))


def _objective(data: Data) -> Objective:
    sense = entry(data, "sense", str)
    terms, constant = weighted(data.get("terms")), entry(data, "constant", int)
    return Objective(terms, constant, "max" if sense == "max" else "min")


def _constraint(data: Data) -> Constraint:
    match entry(data, "kind", str):
        case "linear":
            return Linear(
                weighted(data.get("terms")), _relation(entry(data, "relation", str)), entry(data, "bound", int)
            )
        case "not-equal":
            return NotEqual(entry(data, "left", str), entry(data, "right", str), entry(data, "offset", int))
        case "all-different":
            return AllDifferent(words(data.get("variables")))
        case "table":
            return Table(words(data.get("variables")), rows(data.get("tuples")), entry(data, "source", str))
        case "clause":
            return Clause(mapped(data.get("literals"), _literal))
        case kind:
            raise InputError(f"the record of a job holds a constraint of unknown kind '{kind}'")


def _relation(text: str) -> Relation:
    for relation in get_args(Relation):
        if relation == text:
            found: Relation = relation
            return found
    raise InputError(f"the record of a job holds a constraint of unknown relation '{text}'")


def _literal(data: Data) -> tuple[str, frozenset[int]]:
    return entry(data, "name", str), frozenset(numbers(data.get("values")))

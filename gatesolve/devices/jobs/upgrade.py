"""Records of former versions in today's form: one pure function for each form there was.

Form 1 had no seals, and its first records did not say how circuits were encoded. Form 2 wrote models, recoveries and
operations by rules of its own. A job that is waited for keeps its key and its tags: the service knows it by them.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gatesolve.model.content import content_key

Row = dict[str, Any]
Rows = tuple[Row, tuple[Row, ...]]
"""A search, and its jobs in order."""
_ESTIMATES = frozenset({"notes", "estimate", "standing", "marked", "size", "tuning", "readout_errors"})


def upgrade(form: int, search: Row, jobs: Sequence[Row]) -> Rows:
    """A search and its jobs as the present version writes them; what is JSON in the file is read already."""
    rows = (search, tuple(jobs))
    for step in _STEPS[form - 1 :]:
        rows = step(*rows)
    return rows


def _from_form_1(search: Row, jobs: tuple[Row, ...]) -> Rows:
    """The tags that jobs were sent under, and what their circuits did not say then."""
    options, plan = search["options"], {k: v for k, v in search["plan"].items() if k != "force"}
    unnamed = {name: value for name, value in search["problem"].items() if name != "name"}
    printed = search["key"] == _printed_key(unnamed, options, plan)
    found = []
    for job in jobs:
        silent = any("presolve" not in record for record in job["forms"])  # then there was no second tag either
        parts = [_decoding_2(record) for record in job["forms"]]
        decoding = "" if silent else _printed_key(*parts) if printed else content_key(*parts)
        known = {"presolve": options["presolve"], "encoding": options["encoding"], "notes": []}
        found.append({**job, "decoding": decoding, "forms": [known | _finite(record) for record in job["forms"]]})
    return search, tuple(found)


def _from_form_2(search: Row, jobs: tuple[Row, ...]) -> Rows:
    """Models, recoveries and operations as `gatesolve.pipelines.converter` writes them."""
    problem = search["problem"]
    if problem["kind"] == "model":
        constraints = [_constraint_3(constraint) for constraint in problem["model"]["constraints"]]
        problem = {**problem, "model": {**problem["model"], "constraints": constraints}}
    found = []
    for job in jobs:
        decoding = job.get("decoding", content_key(*map(_decoding_2, job["forms"])))
        kept = {name: value for name, value in job.items() if name != "forms"}
        found.append({**kept, "decoding": decoding, "records": [_record_3(record) for record in job["forms"]]})
    return {**search, "problem": problem}, tuple(found)


_STEPS: tuple[Callable[[Row, tuple[Row, ...]], Rows], ...] = (_from_form_1, _from_form_2)
FORM = len(_STEPS) + 1
"""The present one."""


def _printed_key(*parts: Mapping[str, Any]) -> str:
    """How content was hashed at first: as it prints."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _decoding_2(record: Mapping[str, Any]) -> Row:
    """What of a circuit's record the second tag was made from."""
    errors = record.get("readout_errors")
    kept = {name: value for name, value in record.items() if name not in _ESTIMATES}
    if record.get("pipeline") == "grover":
        kept.pop("iterations", None)
    return kept | {"readout": errors and errors["qubits"]}


def _finite(record: Row) -> Row:
    """Without the infinity that JSON does not have."""
    estimate = record["estimate"]
    z = estimate["z"]
    return {**record, "estimate": {**estimate, "z": None if z is None or math.isinf(z) else z}}


def _constraint_3(constraint: Row) -> Row:
    match constraint["kind"]:
        case "clause":
            literals = [[literal["name"], literal["values"]] for literal in constraint["literals"]]
            return {**constraint, "literals": literals}
        case "table":
            return {**constraint, "joins": False}
        case _:
            return constraint


def _record_3(record: Row) -> Row:
    renamed = {"finish": "postprocessing", "standing": "energy_ranking"}
    made = {renamed.get(name, name): value for name, value in record.items()}
    made["recovery"] = {**record["recovery"], "steps": [_step_3(step) for step in record["recovery"]["steps"]]}
    made["postprocessing"] = _postprocessing_3(record["finish"])
    for name in {"tuning", "request"} & set(record):
        made[name] = {key: value for key, value in record[name].items() if key != "version"}
    return made


def _step_3(step: Row) -> Row:
    if step["kind"] != "looked":
        return step
    return {**step, "rows": [[row[:-1], row[-1]] for row in step["rows"]]}


def _postprocessing_3(finish: Row) -> Row:
    fills = [{"read": read, "unread": unread, "words": words} for read, unread, words in finish["fills"]]
    return {**finish, "ops": [_op_3(op) for op in finish["ops"]], "fills": fills}


def _op_3(op: Sequence[Any]) -> Row:
    match op:
        case ["xor", wires, constant, target]:
            return {"kind": "xor", "source": _parity_3(wires, constant), "target": target}
        case ["and", wires, constant, more, second, target]:
            left, right = _parity_3(wires, constant), _parity_3(more, second)
            return {"kind": "and", "left": left, "right": right, "target": target, "undo": False}
        case ["mcx", qubits, values, target]:
            controls = [[qubit, value] for qubit, value in zip(qubits, values, strict=True)]
            return {"kind": "mcx", "controls": controls, "target": target, "clean": []}
        case _:
            raise ValueError(f"no operation: {op}")


def _parity_3(wires: list[int], constant: bool) -> Row:
    return {"wires": wires, "constant": constant}

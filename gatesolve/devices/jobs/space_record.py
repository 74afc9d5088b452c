"""How measured states are decoded, as a dictionary that JSON can hold: the space's map and the way back from presolve.

The preparation is left out: a record decodes, it does not make circuits.
"""

from __future__ import annotations

from typing import Any

from gatesolve.devices.jobs.reading import Data, entry, mapped, rows, weighted, words
from gatesolve.encodings import Block, Space
from gatesolve.errors import InputError
from gatesolve.model.presolve import Recovery
from gatesolve.model.presolve.recovery import Fixed, Looked, Step, Weighted


def space_record(space: Space) -> dict[str, Any]:
    """The codewords of every block and the values they stand for; block after block from qubit 0."""
    return {
        "blocks": [
            {
                "kind": block.kind,
                "variables": list(block.variables),
                "tuples": [list(row) for row in block.tuples],
                # A codeword can be wider than the whole numbers some readers of JSON keep exactly.
                "codewords": [format(word, "x") for word in block.codewords],
                "num_qubits": block.num_qubits,
            }
            for block in space.blocks
        ]
    }


def space_of(data: Data) -> Space:
    """A space that decodes as the recorded one did; it has no preparation.

    Raises:
        InputError: the record is damaged.
    """
    return Space(mapped(entry(data, "blocks", list), _block))


def recovery_record(recovery: Recovery) -> dict[str, Any]:
    """What presolve took out, in order."""
    return {"names": list(recovery.names), "steps": [_step_record(step) for step in recovery.steps]}


def recovery_of(data: Data) -> Recovery:
    """The recovery that `recovery_record` wrote.

    Raises:
        InputError: the record is damaged.
    """
    return Recovery(words(data.get("names")), mapped(entry(data, "steps", list), _step))


def _block(data: Data) -> Block:
    tuples, width = rows(data.get("tuples")), entry(data, "num_qubits", int)
    try:
        words_ = tuple(int(word, 16) for word in words(data.get("codewords")))
    except ValueError as error:
        raise InputError("the record of a job holds a codeword that is no number") from error
    if len(set(words_)) != len(tuples) or len(words_) != len(tuples) or any(not 0 <= w < 1 << width for w in words_):
        raise InputError("the record of a job holds a block whose codewords do not fit its tuples")
    return Block(entry(data, "kind", str), words(data.get("variables")), tuples, words_, width, (), ())


def _step_record(step: Step) -> dict[str, Any]:
    match step:
        case Fixed():
            return {"kind": "fixed", "name": step.name, "constant": step.constant}
        case Weighted():
            terms = [list(term) for term in step.terms]
            return {"kind": "weighted", "name": step.name, "terms": terms, "constant": step.constant}
        case Looked():
            pairs = [[*inputs, value] for inputs, value in step.rows]
            return {"kind": "looked", "name": step.name, "inputs": list(step.inputs), "rows": pairs}


def _step(data: Data) -> Step:
    name = entry(data, "name", str)
    match entry(data, "kind", str):
        case "fixed":
            return Fixed(name, entry(data, "constant", int))
        case "weighted":
            return Weighted(name, weighted(data.get("terms")), entry(data, "constant", int))
        case "looked":
            pairs = tuple((row[:-1], row[-1]) for row in rows(data.get("rows")) if row)
            return Looked(name, words(data.get("inputs")), pairs)
        case kind:
            raise InputError(f"the record of a job holds a step of unknown kind '{kind}'")

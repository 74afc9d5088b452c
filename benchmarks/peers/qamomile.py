"""Qamomile's side of gas.py; runs in an interpreter of its own, without gatesolve.

Reads one JSON request on standard input: ``{"terms": [[variables, coefficient], ...], "offset", "thresholds",
"options"}``, the last for `GASConverter.transpile`. Writes on its last line, as JSON, ``widths``: value qubits at each
threshold; ``circuits``: for each width, the start and the operator that is iterated, as QPY in base 64; ``version``.
"""

from __future__ import annotations

import base64
import io
import json
import sys
from importlib import metadata
from typing import Any

from qamomile.optimization.binary_model.model import BinaryModel
from qamomile.optimization.gas import GASConverter
from qamomile.qiskit import QiskitTranspiler
from qiskit import QuantumCircuit, qpy


def circuits(converter: GASConverter, threshold: float, options: dict[str, Any]) -> tuple[QuantumCircuit, ...]:
    """The start, and the operator: what stands before the loop of its circuit, and the loop's body; variables first."""
    found = converter.transpile(QiskitTranspiler(), y=threshold, num_iterations=1, **options).get_first_circuit()
    place = [instruction.operation.name for instruction in found.data].index("for_loop")
    loop, variables = found.data[place], found.num_clbits
    start, operator = QuantumCircuit(found.num_qubits), QuantumCircuit(found.num_qubits)
    order = [(found.find_bit(qubit).index + variables) % found.num_qubits for qubit in found.qubits]
    for instruction in found.data[:place]:
        start.append(instruction.operation, [order[found.find_bit(qubit).index] for qubit in instruction.qubits])
    within = [order[found.find_bit(qubit).index] for qubit in loop.qubits]
    operator.compose(loop.operation.blocks[0], within, inplace=True)
    return start, operator


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Circuits for each width of the value register."""
    terms = {tuple(variables): coefficient for variables, coefficient in request["terms"]}
    converter = GASConverter(BinaryModel.from_hubo(terms, request["offset"]))
    widths, made = [], {}
    for threshold in request["thresholds"]:
        if not made:  # Coefficients are rounded by the first call.
            first = circuits(converter, threshold, request["options"])
            made[converter.required_output_bits(threshold)] = first
        widths.append(converter.required_output_bits(threshold))
        if widths[-1] not in made:
            made[widths[-1]] = circuits(converter, threshold, request["options"])
    texts = {}
    for width, pair in made.items():
        file = io.BytesIO()
        qpy.dump(list(pair), file)
        texts[width] = base64.b64encode(file.getvalue()).decode()
    return {"widths": widths, "circuits": texts, "version": metadata.version("qamomile")}


if __name__ == "__main__":
    print(json.dumps(answer(json.load(sys.stdin))))

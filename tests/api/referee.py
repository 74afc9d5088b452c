"""Circuits and texts before the referee, and the two small models that they are judged by."""

from qiskit import QuantumCircuit, qpy
from qiskit.circuit import AnnotatedOperation, Gate

import gatesolve
from gatesolve.model import Linear, Model, NotEqual, Variable

BITS = Variable("x", (0, 1)), Variable("y", (0, 1))
PAIR = Model(BITS, (NotEqual("x", "y"),))
BOTH = Model(BITS, (Linear(((1, "x"), (1, "y")), "==", 2),))
CZ = ("cz", 0, 1)
"""The oracle of `BOTH`."""


def circuit_of(qubits, *steps):
    """A circuit of steps: a method's name and its arguments, or an operation and its qubits."""
    circuit = QuantumCircuit(qubits)
    for what, *places in steps:
        getattr(circuit, what)(*places) if isinstance(what, str) else circuit.append(what, *places)
    return circuit


def define(name, qubits, *steps, params=()):
    """A gate with a definition."""
    gate = Gate(name, qubits, list(params))
    gate.definition = circuit_of(qubits, *steps)
    return gate


def modify(operation, *modifiers):
    return AnnotatedOperation(operation, list(modifiers))


def write_qpy(folder, circuit):
    with (folder / "a.qpy").open("wb") as out:
        qpy.dump(circuit, out)
    return folder / "a.qpy"


def judge_text(folder, text, model=BOTH, name="a.qasm", **options):
    (folder / name).write_bytes(text.encode())
    return gatesolve.judge(folder / name, model, **options)


def status(circuit, model=BOTH, **options):
    return gatesolve.judge(circuit, model, **options).status

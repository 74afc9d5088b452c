"""gatesolve inside PennyLane: its rules for multi-controlled X in the decomposition graph, and a puzzle as a function.

Needs ``pip install ".[pennylane]"`` in the checkout.
"""

from functools import partial
from pathlib import Path

import pennylane as qml

import gatesolve

GATES = {"Hadamard", "PauliX", "CNOT", "S", "Adjoint(S)", "T", "Adjoint(T)"}
BOARD = Path(__file__).parent / "kakuro" / "contest.txt"


@partial(qml.decompose, gate_set=GATES)
@qml.qnode(qml.device("null.qubit"))
def flip():
    qml.MultiControlledX(range(9), work_wires=range(9, 15), work_wire_type="borrowed")
    return qml.state()


def count_cnot():
    return qml.specs(flip)()["resources"].gate_types["CNOT"]


def main():
    qml.decomposition.enable_graph()
    print("eight controls, six borrowed wires:", count_cnot(), "CNOT by PennyLane's rules")
    gatesolve.register_pennylane()
    print("with gatesolve's:", count_cnot(), "CNOT")
    qml.decomposition.disable_graph()

    compiled = gatesolve.compile(BOARD, presolve="none", encoding="table")
    program = compiled.program
    search = program.to_pennylane()

    @qml.set_shots(1000)
    @qml.qnode(qml.device("lightning.qubit", wires=program.num_qubits, seed=1))
    def measure():
        search()
        return qml.counts(wires=range(program.space.num_qubits)[::-1])  # the first wire is the last character

    (values, shots), *_ = compiled.decode(measure())
    for row in compiled.problem.board(values):
        print(*row)
    print(shots, "of 1000 shots")


if __name__ == "__main__":
    main()

"""gatesolve inside Qiskit: multi-controlled gates by transpile's own option, an oracle from a Python function."""

from qiskit import QuantumCircuit, transpile
from qiskit.transpiler.passes import HLSConfig

import gatesolve


def count_cx(circuit, methods):
    made = transpile(circuit, basis_gates=["cx", "u"], optimization_level=1, hls_config=HLSConfig(mcx=methods))
    return f"{made.count_ops()['cx']} CX, depth {made.depth()}"


def majority(a, b, c):
    return (a & b) | (b & c) | (a & c)


def main():
    circuit = QuantumCircuit(20)  # the gate below leaves nine qubits idle; transpile may use them
    circuit.mcx(list(range(10)), 10)
    print("Qiskit alone:  ", count_cx(circuit, ["default"]))
    print("with gatesolve:", count_cx(circuit, [("gatesolve", {"optimize": "depth"}), "default"]))

    oracle = gatesolve.phase_oracle(majority)
    print("majority of three bits as a phase:", dict(oracle.circuit.count_ops()))


if __name__ == "__main__":
    main()

"""A model of one's own: written in CPMpy, compiled, run on plain Qiskit Aer, decoded.

Four lamps get brightness 0 to 3. Neighbours differ by at least 2, exactly one lamp is off, and the
first two together are as bright as the last.
"""

import cpmpy as cp
from qiskit import transpile
from qiskit_aer import AerSimulator

import gatesolve


def lamps() -> cp.Model:
    a, b, c, d = (cp.intvar(0, 3, name=name) for name in "abcd")
    model = cp.Model()
    for left, right in ((a, b), (b, c), (c, d)):
        model += abs(left - right) >= 2
    model += cp.Count([a, b, c, d], 0) == 1
    model += a + b == d
    return model


def main() -> None:
    # Few ancillas: a state vector doubles with each qubit.
    compiled = gatesolve.compile(lamps(), presolve="none", encoding="binary", ancillas=6)
    program = compiled.program
    print(f"{compiled.certificate.marked} of {program.space.size} states marked, {program.iterations} iterations")
    print(f"{program.num_qubits} qubits, {program.resources().cx} CX")

    # Nothing of gatesolve runs here: the lowered circuit is an ordinary QuantumCircuit.
    simulator = AerSimulator(seed_simulator=0, max_parallel_threads=1)
    counts = simulator.run(transpile(program.lowered, simulator), shots=1000).result().get_counts()

    for assignment, shots in compiled.decode(counts)[:3]:
        accepted = assignment is not None and compiled.problem.model.check(assignment)
        print(f"{shots:4d} shots: {assignment} {'accepted' if accepted else 'rejected'}")


if __name__ == "__main__":
    main()

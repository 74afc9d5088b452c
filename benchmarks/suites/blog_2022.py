"""The 2022 blog's two Grover circuits for the contest Kakuro, rebuilt and measured beside ours.

    python -m benchmarks blog-2022 [--write]

Every number is measured in the run on the circuit named in its row, except the row that says "published", which is what
the blog prints. The tables are in benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
from collections.abc import Sequence

import numpy as np
from qiskit import QuantumCircuit, transpile
from qiskit.quantum_info import Statevector

import gatesolve
from benchmarks.core import report
from benchmarks.core.places import README
from benchmarks.core.problems import K7
from benchmarks.core.processes import call_alone
from benchmarks.suites.blog_circuits import WORK_WIRES, CheckCircuit, classical_circuit, marked_values
from gatesolve.circuit.counting import Resources, count
from gatesolve.circuit.lowering import lower
from gatesolve.pipelines.amplification import best_iterations

CLIFFORD_T = ["cx", "h", "x", "z", "s", "sdg", "t", "tdg"]
SAMPLE_SEED, SAMPLE = 2022, 1 << 20
AER_MEMORY_MB, AER_SECONDS = 3000, 60
PUBLISHED = {"cx": 371, "t": 196, "tdg": 147, "h": 116, "x": 51, "barrier": 8, "measure": 5, "mcx": 1}
PUBLISHED_DEPTH = 371
KNOWN = ["circuit", "qubits", "CX", "T", "depth", "mcx left", "iterations", "P(marked)"]
CHECKED = ["circuit", "qubits", "marks", "oracle CX", "oracle T", "oracle depth", "iteration CX", "iteration T",
           "iterations", "P(solution)"]  # fmt: skip
Line = list[object]


def classical_line(name: str, *, whole: bool = False, target_h: bool = True) -> Line:
    """A line of his classical-oracle circuit under `KNOWN`."""
    drawn = classical_circuit(target_h=target_h, measured=True, whole=whole)
    gates = drawn.count_ops()
    t = gates["t"] + gates["tdg"]
    success = classical_success(target_h=target_h)
    return [name, drawn.num_qubits, int(gates["cx"]), int(t), drawn.depth(), int(gates.get("mcx", 0)), 1, success]


def classical_success(*, target_h: bool) -> float:
    """Total probability of the seven marked states after his one iteration, by exact state vector."""
    state = Statevector(classical_circuit(target_h=target_h))
    return float(state.probabilities(range(5))[marked_values()].sum())


def our_line(encoding: str) -> Line:
    """Our whole search of the same Kakuro under `CHECKED`: no presolve, each constraint alone, solved exactly."""
    solved = gatesolve.solve(
        K7.model, gates="clifford+t", encoding=encoding, presolve="none", backend="space", level="literal"
    )
    if solved.compiled is None or solved.resources is None or solved.oracle_resources is None:
        raise AssertionError(f"gatesolve did not solve K7: {solved.message}")
    program, call = solved.compiled.program, solved.oracle_resources
    turn = count(lower(program.oracle.ops + program.reflection, program.num_qubits, "clifford+t"), "clifford+t")
    return [
        f"gatesolve, literal, {solved.encoding}", solved.resources.qubits, f"{solved.marked} of {solved.space_size:,}",
        call.cx, call.t, call.depth, turn.cx, turn.t, solved.iterations, solved.success_probability,
    ]  # fmt: skip


def check_lines(circuit: CheckCircuit, flips: int) -> list[Line]:
    """His constraint-check circuit under `CHECKED`, lowered by us and by Qiskit, with his ten work wires."""
    states = 1 << circuit.data
    marks = f"0 of {states:,}" if not flips else str(flips)
    lines: list[Line] = []
    for label, counted in (("gatesolve", _counted), ("Qiskit", _by_qiskit)):
        call, whole = (counted(circuit, diffuser=diffuser) for diffuser in (False, True))
        lines.append([
            f"blog, lowered by {label}", f"{circuit.qubits} ({circuit.qubits + WORK_WIRES})", marks, call.cx, call.t,
            call.depth, whole.cx, whole.t, f"1 (of {best_iterations(states, 1):,})", 1 / states,
        ])  # fmt: skip
    return lines


def describe_check(circuit: CheckCircuit, flips: int) -> str:
    """What his constraint-check circuit marks."""
    codewords = K7.one_hot_space.bits(np.arange(K7.one_hot_space.size))
    sample = np.random.default_rng(SAMPLE_SEED).integers(0, 2, (circuit.data, SAMPLE)).astype(bool)
    unequal, sums = circuit.all_ones(codewords)
    return (
        f"The blog's constraint check flips its main qubit on {circuit.flips(codewords)} of the 16,384 one-hot "
        f"codewords, on {circuit.flips(sample)} of {SAMPLE:,} random values of its 28 variable qubits and on {flips} "
        f"of all {1 << circuit.data:,}. All inequality flags are 1 on {unequal} codewords, all sum flags on {sums}. "
        "So its start state stays uniform and P is 2^-28."
    )


def _counted(circuit: CheckCircuit, *, diffuser: bool) -> Resources:
    """His operations lowered by gatesolve, H of the diffuser left out (it has neither CX nor T)."""
    ops = (*circuit.oracle, circuit.reflection) if diffuser else circuit.oracle
    return count(lower(ops, circuit.qubits + WORK_WIRES, "clifford+t"), "clifford+t")


def _by_qiskit(circuit: CheckCircuit, *, diffuser: bool) -> Resources:
    """The same lowered by Qiskit at its highest level; what stands before the barrier (his start) is not counted."""
    lowered = transpile(
        circuit.qiskit_circuit(diffuser=diffuser), basis_gates=CLIFFORD_T, optimization_level=3, seed_transpiler=1
    )
    return count(after_barrier(lowered), "clifford+t")


def after_barrier(circuit: QuantumCircuit) -> QuantumCircuit:
    """What follows the first barrier."""
    kept, seen = circuit.copy_empty_like(), False
    for instruction in circuit.data:
        if seen:
            kept.append(instruction)
        seen = seen or instruction.operation.name == "barrier"
    return kept


def aer_refusals() -> dict[str, str]:
    """What Aer says to his constraint-check circuit, each method in its own process, memory and time bounded."""
    answers = {}
    for method in ("statevector", "extended_stabilizer"):
        try:
            answers[method] = call_alone(try_aer, method, seconds=AER_SECONDS)
        except ImportError as error:
            answers[method] = f"failed: {error}"
        except subprocess.TimeoutExpired:
            answers[method] = f"no answer in {AER_SECONDS} s"
    return answers


def try_aer(method: str) -> str:
    """Run his circuit, one iteration, with one method of Aer; returns what came of it."""
    from qiskit_aer import AerSimulator

    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    check = CheckCircuit()
    circuit = check.qiskit_circuit(diffuser=True)
    if method != "statevector":
        circuit = transpile(circuit, basis_gates=CLIFFORD_T, optimization_level=1)
    measured = QuantumCircuit(circuit.num_qubits, check.data)
    measured.compose(circuit, inplace=True)
    measured.measure(range(check.data), range(check.data))
    simulator = AerSimulator(method=method, max_parallel_threads=1, max_memory_mb=AER_MEMORY_MB)
    result = simulator.run(measured, shots=1).result()
    if result.success:
        return "ran"
    messages = [part.strip() for part in str(result.status).split("ERROR:") if part.strip()]
    return f"success=False: {messages[-1]}" if messages else "success=False"


def main(arguments: Sequence[str]) -> None:
    """Measure and print all, and perhaps put it into benchmarks/README.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="replace the measured section of benchmarks/README.md")
    asked = parser.parse_args(arguments)
    circuit = CheckCircuit()
    flips = circuit.flips_everywhere()
    known = [
        ["blog, as published", 11, 371, 196 + 147, PUBLISHED_DEPTH, 1, 1, None],
        classical_line("blog, rebuilt"),
        classical_line("blog, rebuilt, its mcx decomposed too", whole=True),
        classical_line("blog, without H on the target in the diffuser", whole=True, target_h=False),
    ]
    checked = [*check_lines(circuit, flips), *map(our_line, ("one-hot", "binary", "table"))]
    parts = [report.heading(report.versions("qiskit", "qiskit-aer", "numpy"))]
    parts += ["**Solutions known beforehand, one iteration**", report.markdown_table(KNOWN, known)]
    parts += ["**The puzzle itself**", report.markdown_table(CHECKED, checked), describe_check(circuit, flips)]
    parts += [f"Aer, {method}: {answer}" for method, answer in aer_refusals().items()]
    report.say("\n\n".join(parts))
    if asked.write:
        report.write_pages(report.fill(README, {"blog_2022": "\n\n".join(parts)}))

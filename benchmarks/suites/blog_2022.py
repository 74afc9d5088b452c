"""The 2022 blog's two Grover circuits for the contest Kakuro, rebuilt and measured beside ours.

    python -m benchmarks blog-2022 [--write]

Every number is measured in the run on the circuit named in its row, except the
row that says "published", which is what the blog prints.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
from collections.abc import Sequence
from typing import Any

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

Row = dict[str, Any]


def classical_rows() -> list[Row]:
    """His classical-oracle circuit as published, rebuilt and repaired."""
    rows: list[Row] = [
        {"circuit": "blog, as published", "qubits": 11, "cx": 371, "t": 196 + 147, "depth": PUBLISHED_DEPTH,
         "undecomposed_mcx": 1, "iterations": 1, "success": None, "gates": PUBLISHED},
        _classical_row("blog, rebuilt"),
        _classical_row("blog, rebuilt, its mcx decomposed too", whole=True),
        _classical_row("blog, without H on the target in the diffuser", whole=True, target_h=False),
    ]  # fmt: skip
    return rows


def _classical_row(name: str, *, whole: bool = False, target_h: bool = True) -> Row:
    drawn = classical_circuit(target_h=target_h, measured=True, whole=whole)
    gates = {key: int(value) for key, value in drawn.count_ops().items()}
    return {
        "circuit": name,
        "qubits": drawn.num_qubits,
        "cx": gates["cx"],
        "t": gates["t"] + gates["tdg"],
        "depth": drawn.depth(),
        "undecomposed_mcx": gates.get("mcx", 0),
        "iterations": 1,
        "success": classical_success(target_h=target_h),
        "gates": gates,
    }


def classical_success(*, target_h: bool) -> float:
    """Total probability of the seven marked states after his one iteration, by exact state vector."""
    state = Statevector(classical_circuit(target_h=target_h))
    return float(state.probabilities(range(5))[marked_values()].sum())


def gatesolve_row(encoding: str, how: str) -> Row:
    """Our whole search on the same Kakuro, no presolve, solved exactly: `gatesolve.solve`, each constraint alone."""
    level = {"oracle": "classical"} if how == "classical" else {"level": how}
    chosen = {"encoding": encoding, "presolve": "none", "backend": "space", **level}
    solved = gatesolve.solve(K7.model, gates="clifford+t", **chosen)
    if solved.compiled is None or solved.resources is None or solved.oracle_resources is None:
        raise AssertionError(f"gatesolve did not solve K7: {solved.message}")
    program = solved.compiled.program
    iteration = count(lower(program.oracle.ops + program.reflection, program.num_qubits, "clifford+t"), "clifford+t")
    return {
        "circuit": f"gatesolve, {how}, {solved.encoding}",
        "qubits": solved.resources.qubits,
        "oracle": solved.oracle_resources.as_dict(),
        "iteration": iteration.as_dict(),
        "whole": solved.resources.as_dict(),
        "marks": solved.marked,
        "space": solved.space_size,
        "iterations": solved.iterations,
        "success": solved.success_probability,
        "solution": solved.solution,
    }


def check_row() -> Row:
    """His constraint-check circuit: what it marks, and its counts with his ten work wires."""
    circuit = CheckCircuit()
    codewords = K7.one_hot_space.bits(np.arange(K7.one_hot_space.size))
    sample = np.random.default_rng(SAMPLE_SEED).integers(0, 2, (circuit.data, SAMPLE)).astype(bool)
    unequal, sums = circuit.all_ones(codewords)
    return {
        "circuit": "blog, constraint check",
        "qubits": circuit.qubits,
        "work_wires": WORK_WIRES,
        "flips_of_16384_codewords": circuit.flips(codewords),
        "codewords_with_all_inequality_flags": unequal,
        "codewords_with_all_sum_flags": sums,
        "flips_of_sample": circuit.flips(sample),
        "sample": SAMPLE,
        "flips_of_all_states": circuit.flips_everywhere(),
        "all_states": 1 << circuit.data,
        "iterations_run": 1,
        "iterations_for_one_solution": best_iterations(1 << circuit.data, 1),
        "oracle": _counted(circuit, diffuser=False).as_dict(),
        "iteration": _counted(circuit, diffuser=True).as_dict(),
        "oracle_by_qiskit": _by_qiskit(circuit, diffuser=False).as_dict(),
        "iteration_by_qiskit": _by_qiskit(circuit, diffuser=True).as_dict(),
    }


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


def measure() -> dict[str, Any]:
    """Everything, as one JSON object."""
    return {
        "versions": report.versions("qiskit", "qiskit-aer", "numpy"),
        "classical": classical_rows(),
        "check": check_row(),
        "aer": aer_refusals(),
        "ours": [
            gatesolve_row("one-hot", "literal"),
            gatesolve_row("binary", "literal"),
            gatesolve_row("table", "literal"),
        ],
    }


def tables(found: dict[str, Any]) -> list[tuple[str, Sequence[str], list[list[object]]]]:
    """Title, header and rows of each table."""
    header = ["circuit", "qubits", "CX", "T", "depth", "mcx left", "iterations", "P(marked)"]
    keys = ["circuit", "qubits", "cx", "t", "depth", "undecomposed_mcx", "iterations", "success"]
    classical: list[list[object]] = [[row[key] for key in keys] for row in found["classical"]]
    check = found["check"]
    wide = check["qubits"] + check["work_wires"]
    states = f"0 of {check['all_states']:,}" if not check["flips_of_all_states"] else str(check["flips_of_all_states"])
    second: list[list[object]] = []
    for label, suffix in (("lowered by gatesolve", ""), ("lowered by Qiskit", "_by_qiskit")):
        call, whole = check[f"oracle{suffix}"], check[f"iteration{suffix}"]
        need = check["iterations_for_one_solution"]
        second.append(
            [f"blog, {label}", f"{check['qubits']} ({wide})", states, call["cx"], call["t"], call["depth"],
             whole["cx"], whole["t"], f"1 (of {need:,})", 1 / check["all_states"]]
        )  # fmt: skip
    for row in found["ours"]:
        call, turn = row["oracle"], row["iteration"]
        second.append(
            [row["circuit"], row["qubits"], f"{row['marks']} of {row['space']:,}", call["cx"], call["t"], call["depth"],
             turn["cx"], turn["t"], row["iterations"], row["success"]]
        )  # fmt: skip
    checked = ["circuit", "qubits", "marks", "oracle CX", "oracle T", "oracle depth", "iteration CX", "iteration T",
               "iterations", "P(solution)"]  # fmt: skip
    return [("Solutions known beforehand, one iteration", header, classical), ("The puzzle itself", checked, second)]


def rendered(found: dict[str, Any]) -> str:
    """All tables with what was measured beside them."""
    parts = [report.heading(found["versions"])]
    for title, header, rows in tables(found):
        parts += [f"**{title}**", report.markdown_table(header, rows)]
    check = found["check"]
    parts.append(
        f"The blog's constraint check flips its main qubit on {check['flips_of_16384_codewords']} of the 16,384 "
        f"one-hot codewords, on {check['flips_of_sample']} of {check['sample']:,} random values of its 28 variable "
        f"qubits and on {check['flips_of_all_states']} of all {check['all_states']:,}. All inequality flags are 1 on "
        f"{check['codewords_with_all_inequality_flags']} codewords, all sum flags on "
        f"{check['codewords_with_all_sum_flags']}. So its start state stays uniform and P is 2^-28."
    )
    parts += [f"Aer, {method}: {answer}" for method, answer in found["aer"].items()]
    return "\n\n".join(parts)


def main(arguments: Sequence[str]) -> None:
    """Measure and print all, and perhaps put it into benchmarks/README.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="replace the measured section of benchmarks/README.md")
    asked = parser.parse_args(arguments)
    text = rendered(measure())
    report.say(text)
    if asked.write:
        report.write_pages(report.fill(README, {"blog_2022": text}))

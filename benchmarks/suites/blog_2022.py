"""The 2022 blog's two Grover circuits for the contest Kakuro, rebuilt and measured beside ours.

    python -m benchmarks blog-2022 [--write]

Every number is measured in the run on the circuit named in its row, except the row that says "published", which is what
the blog prints. The tables are in benchmarks/README.md.
"""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit, transpile
from qiskit.quantum_info import Statevector

import gatesolve
from benchmarks.core import report
from benchmarks.core.places import README
from benchmarks.core.problems import K7, Kakuro
from benchmarks.core.processes import call_alone
from benchmarks.core.suite import Asked, PageSuite
from benchmarks.peers.qiskit import after_barrier
from gatesolve.circuit import Mcx, Op, Ops, Parity, PhaseFlip, Resources, Xor, count, lower
from gatesolve.encodings import Space, list_slices, make_binary
from gatesolve.model import Model, Variable
from gatesolve.programs import best_iterations, find_reflection
from gatesolve.simulate import PhaseCheck

QUERY = 5
TARGET = 5
HELPERS = (6, 7, 8, 9, 10)
WORK_WIRES = 10
Numbers = NDArray[np.int64]

#: A Toffoli on (first, second, target) with seven CX: phases of the seven parities of a b t, target between two H.
_TOFFOLI: tuple[tuple[str, str], ...] = (
    ("h", "t"), ("cx", "bt"), ("tdg", "t"), ("cx", "at"), ("t", "t"), ("cx", "ab"), ("cx", "bt"), ("cx", "at"),
    ("tdg", "b"), ("tdg", "t"), ("cx", "at"), ("cx", "ab"), ("t", "t"), ("t", "b"), ("t", "a"), ("h", "t")
)  # fmt: skip


def marked_values(kakuro: Kakuro = K7) -> list[int]:
    """The states his first oracle marks: number 4 i + j for each ``x_i = j`` of the solution."""
    (solution,) = kakuro.solutions
    return [4 * i + value for i, value in enumerate(solution)]


def classical_circuit(*, target_h: bool = True, measured: bool = False, whole: bool = False) -> QuantumCircuit:
    """His first circuit: one Grover iteration over 32 "variable = value" states, 7 of them marked.

    Args:
        target_h: put H on the target around the diffuser's reflection, as he does; False is the repair.
        measured: measure the query qubits at the end, as he does before he counts.
        whole: use his X with five controls in the diffuser too, where he leaves one ``mcx`` as it is.
    """
    circuit = QuantumCircuit(QUERY + 1 + len(HELPERS), QUERY)
    query = range(QUERY)
    circuit.h(query)
    circuit.x(TARGET)
    circuit.h(TARGET)
    for value in marked_values():
        circuit.barrier()
        zeros = [q for q in query if not value >> q & 1]
        circuit.x(zeros)
        _five_controls(circuit)
        circuit.x(zeros)
    circuit.barrier()
    circuit.h([*query, TARGET] if target_h else query)
    circuit.x(query)
    if whole:
        _five_controls(circuit)
    else:
        circuit.mcx(list(query), TARGET)
    circuit.x(query)
    circuit.h([*query, TARGET] if target_h else query)
    if measured:
        circuit.measure(query, query)
    return circuit


def _five_controls(circuit: QuantumCircuit) -> None:
    """His X with five controls: pairs into helpers, two copies by CX, seven Toffolis in all."""
    pair, other, copy, copied_pair, rest = HELPERS
    _toffoli(circuit, 0, 1, pair)
    _toffoli(circuit, 2, 3, other)
    circuit.cx(4, copy)
    circuit.cx(pair, copied_pair)
    _toffoli(circuit, other, copy, rest)
    _toffoli(circuit, copied_pair, rest, TARGET)
    _toffoli(circuit, other, copy, rest)
    circuit.cx(pair, copied_pair)
    circuit.cx(4, copy)
    _toffoli(circuit, 2, 3, other)
    _toffoli(circuit, 0, 1, pair)


def _toffoli(circuit: QuantumCircuit, first: int, second: int, target: int) -> None:
    place = {"a": first, "b": second, "t": target}
    for name, letters in _TOFFOLI:
        getattr(circuit, name)(*(place[letter] for letter in letters))


@dataclass(frozen=True)
class CheckCircuit:
    """His second circuit's layout: one-hot variables, one flag an inequality and value, one a sum option, main last."""

    kakuro: Kakuro = K7

    @property
    def data(self) -> int:
        """One-hot qubits; qubit 4 i + j says ``x_i = j``."""
        return 4 * self.kakuro.cells

    @cached_property
    def compute(self) -> Ops:
        """Flags: XOR of both variables' qubits a value, and one AND a sum option."""
        ops: list[Op] = []
        flag = self.data
        for first, second in self.kakuro.unequal:
            for value in range(4):
                ops.append(Xor(Parity((4 * first + value,)), flag))
                ops.append(Xor(Parity((4 * second + value,)), flag))
                flag += 1
        for run_cells, total in self.kakuro.sums:
            for option in self.kakuro.options(run_cells, total):
                pairs = zip(run_cells, option, strict=True)
                ops.append(Mcx(tuple((4 * cell + value, True) for cell, value in pairs), flag, self.work))
                flag += 1
        return tuple(ops)

    @cached_property
    def flags(self) -> tuple[int, ...]:
        """All flags, in order."""
        sums = sum(len(self.kakuro.options(*one)) for one in self.kakuro.sums)
        return tuple(range(self.data, self.data + 4 * len(self.kakuro.unequal) + sums))

    @property
    def main(self) -> int:
        """The qubit flipped where every flag is 1."""
        return self.data + len(self.flags)

    @property
    def qubits(self) -> int:
        """Width without work wires."""
        return self.main + 1

    @property
    def work(self) -> tuple[int, ...]:
        """The clean work wires he declares beside the circuit."""
        first = self.main + 1
        return tuple(range(first, first + WORK_WIRES))

    @cached_property
    def oracle(self) -> Ops:
        """Flags, the AND of all of them onto main, flags undone."""
        join = Mcx(tuple((flag, True) for flag in self.flags), self.main, self.work)
        return (*self.compute, join, *reversed(self.compute))

    @property
    def reflection(self) -> Mcx:
        """The multi-controlled gate of his diffuser."""
        return Mcx(tuple((q, False) for q in range(self.data)), self.main, self.work)

    def qiskit_circuit(self, *, diffuser: bool) -> QuantumCircuit:
        """The oracle between his start and (optionally) his diffuser, as a Qiskit circuit with native MCX."""
        circuit = QuantumCircuit(self.qubits + WORK_WIRES)
        circuit.x(self.main)
        circuit.h([*range(self.data), self.main])
        circuit.barrier()
        for op in self.oracle:
            _append(circuit, op)
        if diffuser:
            circuit.h([*range(self.data), self.main])
            _append(circuit, self.reflection)
            circuit.h([*range(self.data), self.main])
        return circuit

    def check(self, flags: Sequence[int], size: int, bits: Callable[[Numbers], NDArray[np.bool_]]) -> PhaseCheck:
        """Check that flags return to zero, and mark the values where some are all 1: of all flags, where main flips."""
        join = PhaseFlip(tuple(Parity((flag,)) for flag in flags), self.work)
        ops = (*self.compute, join, *reversed(self.compute))
        return PhaseCheck(ops, self.data, self.qubits, size, bits, lambda numbers: np.zeros(len(numbers), dtype=bool))

    def count_ones(self, flags: Sequence[int], columns: NDArray[np.bool_]) -> int:
        """Count the given values of the variables' qubits, shape (qubits, states), on which some flags are all 1.

        Raises:
            CertificateError: a flag is not returned to zero or a variable changes.
        """
        states = columns.shape[1]
        return int(self.check(flags, states, lambda numbers: columns[:, numbers]).marks(np.arange(states)).sum())

    def count_flips_everywhere(self) -> int:
        """Count the values that flip main among all 2^28 of the variables' qubits; raises as `count_ones`."""
        bits = tuple(Variable(f"q{k}", (0, 1)) for k in range(self.data))
        space = Space(tuple(map(make_binary, bits)))
        check = self.check(self.flags, space.size, space.bits)
        return sum(int(np.bitwise_count(check.run(part)).sum()) for part in list_slices(Model(bits), space))


def _append(circuit: QuantumCircuit, op: Op) -> None:
    if isinstance(op, Xor):
        for wire in op.source.wires:
            circuit.cx(wire, op.target)
    elif isinstance(op, Mcx):
        state = sum(value << k for k, (_, value) in enumerate(op.controls))
        circuit.mcx([q for q, _ in op.controls], op.target, ctrl_state=state)
    else:
        raise TypeError(f"{op} does not occur in his circuit")


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
    turn = count(lower(program.oracle.ops + find_reflection(program), program.num_qubits, "clifford+t"), "clifford+t")
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
    drawn = np.random.default_rng(SAMPLE_SEED).integers(0, 2, (circuit.data, SAMPLE)).astype(bool)
    unequal, sums = circuit.flags[: 4 * len(K7.unequal)], circuit.flags[4 * len(K7.unequal) :]
    ones = {flags: circuit.count_ones(flags, codewords) for flags in (circuit.flags, unequal, sums)}
    return (
        f"The blog's constraint check flips its main qubit on {ones[circuit.flags]} of the 16,384 one-hot codewords, "
        f"on {circuit.count_ones(circuit.flags, drawn)} of {SAMPLE:,} random values of its 28 variable qubits and on "
        f"{flips} of all {1 << circuit.data:,}. All inequality flags are 1 on {ones[unequal]} codewords, all sum flags "
        f"on {ones[sums]}. So its start state stays uniform and P is 2^-28."
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


def make_section(asked: Asked) -> str:
    """The measured section."""
    circuit = CheckCircuit()
    flips = circuit.count_flips_everywhere()
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
    return "\n\n".join([*parts, *(f"Aer, {method}: {answer}" for method, answer in aer_refusals().items())])


SUITE = PageSuite(README, {"blog_2022": make_section})

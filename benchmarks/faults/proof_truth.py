"""What exported files and certificates mean, found without either checker: what `proof_mutants.py` judges verdicts by.

Texts are read and run by Qiskit, and above a dozen qubits compared by QCEC. The model in a certificate is solved by
trying every assignment, a puzzle's answers are judged by its own rules (`Puzzle.check`).
"""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit, qasm2, qasm3
from qiskit.quantum_info import Statevector

from gatesolve.programs import lower_part
from gatesolve.proof import restore_program
from gatesolve.puzzles import parse

MOST_QUBITS = 12
MOST_ASSIGNMENTS = 1 << 21
SECONDS = 60
"""Time limit of QCEC for a pair of texts."""
CLOSE = 1e-7
"""Distance on a random state up to which two circuits are the same; the checkers compare each angle to 1e-9."""
QCEC = """
import json, sys
from mqt import qcec
from mqt.core import load
one, other = map(load, json.load(sys.stdin))
print(qcec.verify(one, other, timeout=float(sys.argv[1]), run_simulation_checker=False).equivalence.name)
"""
RELATIONS = {"==": np.equal, "!=": np.not_equal, "<=": np.less_equal, ">=": np.greater_equal}
RELATIONS |= {"<": np.less, ">": np.greater}
Certificate = dict[str, Any]
Values = dict[str, NDArray[np.int64]]


class Meaningless(Exception):
    """A file has no meaning: Qiskit cannot read a text, or a model is not well formed."""


def read_circuit(text: str) -> tuple[QuantumCircuit, list[tuple[int, int]]]:
    """Return the gates of a text, and which qubit is measured into which bit.

    Raises:
        Meaningless: Qiskit does not read it.
    """
    try:
        circuit = (qasm2 if text.startswith("OPENQASM 2") else qasm3).loads(text)
    except Exception as error:  # whatever a parser says of a damaged text
        raise Meaningless(str(error)) from error
    gates, measured = circuit.copy_empty_like(), []
    for one in circuit.data:
        if one.operation.name == "measure":
            measured.append((circuit.find_bit(one.qubits[0]).index, circuit.find_bit(one.clbits[0]).index))
        elif measured:
            raise Meaningless("a gate after a measurement")
        else:
            gates.append(one)
    return gates, sorted(measured)


def is_same_text(old: str, new: str, seed: int = 0) -> bool | None:
    """Tell whether two texts do the same on every state, measure alike and have the same comments.

    None where QCEC is not installed, or finds no answer.
    """
    if old == new:
        return True
    if sorted(_list_comments(old)) != sorted(_list_comments(new)):
        return False
    one, measured = read_circuit(old)
    try:
        other, found = read_circuit(new)
    except Meaningless:
        return False
    if [(r.name, r.size) for r in one.qregs] != [(r.name, r.size) for r in other.qregs] or measured != found:
        return False
    return is_same_circuit(one, other, seed)


def _list_comments(text: str) -> list[str]:
    return [" ".join(line.split()) for line in re.findall(r"//(.*)", text)]


def is_same_circuit(one: QuantumCircuit, other: QuantumCircuit, seed: int = 0) -> bool | None:
    """Tell whether two circuits without measurements are the same up to a global phase; None where QCEC fails.

    Gates that both begin or end with are left out, and then qubits without gates.
    """
    one, other = _leave_out_common(one, other)
    if one.num_qubits > MOST_QUBITS:
        return _ask_qcec(one, other)
    noise = np.random.default_rng(seed).normal(size=(2, 2**one.num_qubits))
    start = Statevector((noise[0] + 1j * noise[1]) / np.linalg.norm(noise))
    left, right = (start.evolve(circuit).data for circuit in (one, other))
    turn = np.vdot(left, right)
    return bool(abs(turn) > 0.5 and np.linalg.norm(right - left * turn / abs(turn)) < CLOSE)


def _leave_out_common(*circuits: QuantumCircuit) -> list[QuantumCircuit]:
    gates = [
        [(one.operation, tuple(circuit.find_bit(q).index for q in one.qubits)) for one in circuit.data]
        for circuit in circuits
    ]
    for _ in range(2):
        same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(*gates, strict=False))
        number = sum(1 for _ in same)
        gates = [one[number:][::-1] for one in gates]
    places = sorted({qubit for one in gates for _, qubits in one for qubit in qubits})
    made = []
    for one in gates:
        made.append(QuantumCircuit(len(places)))
        for gate, qubits in one:
            made[-1].append(gate, [places.index(qubit) for qubit in qubits])
    return made


def _ask_qcec(*circuits: QuantumCircuit) -> bool | None:
    """Return the answer of QCEC, in a process of its own: some angles end it."""
    texts = [qasm2.dumps(circuit) for circuit in circuits]
    command = [sys.executable, "-c", QCEC, str(SECONDS)]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=False)
    return {"equivalent": True, "equivalent_up_to_global_phase": True, "not_equivalent": False}.get(done.stdout.strip())


def does_program_match(text: str, data: Certificate) -> bool | None:
    """Tell whether a text is the program in a certificate, lowered again."""
    try:
        program = restore_program(data["program"])[1]
        circuit = lower_part(program, "oracle") if data["part"] == "oracle" else program.lowered
    except Exception:  # no program, so no text is right
        return False
    gates, _ = read_circuit(text)
    lowered = circuit.remove_final_measurements(inplace=False) if circuit.num_clbits else circuit
    return gates.num_qubits == lowered.num_qubits and is_same_circuit(gates, lowered)


def list_readings(text: str) -> list[Certificate]:
    """Return what a certificate may say: of a name that stands twice the last value, or the first.

    Raises:
        Meaningless: it is no JSON.
    """
    try:
        last = json.loads(text)
        first = json.loads(text, object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    except (ValueError, RecursionError) as error:
        raise Meaningless("no JSON") from error
    return [last] if json.dumps(last, sort_keys=True) == json.dumps(first, sort_keys=True) else [last, first]


def find_meaning(data: Certificate) -> tuple[object, ...]:
    """Return the solutions of a certificate's model, its codewords, and the part that its text is.

    Raises:
        Meaningless: the model or the space is not well formed.
    """
    try:
        program = data["program"]
        blocks = [
            (tuple(one["variables"]), one["num_qubits"], sorted(zip(map(tuple, one["tuples"]), words, strict=True)))
            for one in program["space"]["blocks"]
            for words in [[int(word, 16) for word in one["codewords"]]]
        ]
        names, rows = solve_model(program["model"])
    except Meaningless:
        raise
    except Exception as error:  # damaged in any way
        raise Meaningless(repr(error)) from error
    return names, rows.tobytes(), repr(blocks), data["part"]


def is_problem_right(data: Certificate) -> bool:
    """Tell whether a certificate's model has the solutions of its problem.

    Raises:
        Meaningless: one of them is not well formed.
    """
    try:
        names, rows = solve_model(data["program"]["model"])
        problem = data["problem"]
        if problem["kind"] == "model":
            known, wanted = solve_model(problem["model"])
            return known == names and np.array_equal(rows, wanted)
        puzzle = parse(problem["text"], problem["family"])
        values, _ = _list_assignments(data["program"]["model"])
        tried = np.stack([values[name] for name in sorted(values)], axis=1).tolist()
        right = [row for row in tried if not puzzle.check(dict(zip(sorted(values), row, strict=True)))]
    except Meaningless:
        raise
    except Exception as error:  # damaged in any way
        raise Meaningless(repr(error)) from error
    return sorted(right) == rows.tolist()


def solve_model(model: Any) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the names of a model's variables in order, and its solutions, found by trying every assignment.

    Raises:
        Meaningless: a variable or a domain is none, a name is unknown, or there are too many assignments.
    """
    values, size = _list_assignments(model)
    held, others = np.ones(size, dtype=bool), []
    for one in model["constraints"]:
        if one["kind"] in KINDS:
            held &= KINDS[one["kind"]](one, values, size)
        else:
            others.append(json.dumps(one, sort_keys=True))
    rows = np.stack([values[name][held] for name in sorted(values)], axis=1) if values else np.zeros((held.sum(), 0))
    order = np.lexsort(rows.T[::-1]) if values else slice(None)
    return (*sorted(values), *sorted(others)), rows[order]


def _list_assignments(model: Any) -> tuple[Values, int]:
    """Return the value of each variable in each assignment."""
    domains: dict[str, list[int]] = {}
    for one in model["variables"]:
        name, domain = one["name"], one["domain"]
        if not isinstance(name, str) or name in domains or not all(map(_is_whole, domain)):
            raise Meaningless(f"variable {name!r} stands twice, or its domain has a value that is no whole number")
        domains[name] = sorted(set(domain))
    size = 1
    for domain in domains.values():
        size *= len(domain)
        if size > MOST_ASSIGNMENTS:
            raise Meaningless("too many assignments")
    grid = np.indices([len(domain) for domain in domains.values()]).reshape(len(domains), size)
    return {
        name: np.array(domain, dtype=np.int64)[row] for (name, domain), row in zip(domains.items(), grid, strict=True)
    }, size


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 40


def _look_up(values: Values, names: Iterator[str] | list[str]) -> list[NDArray[np.int64]]:
    found = []
    for name in names:
        if name not in values:
            raise Meaningless(f"no variable {name!r}")
        found.append(values[name])
    return found


def _hold_linear(one: Any, values: Values, size: int) -> NDArray[np.bool_]:
    columns = _look_up(values, [name for _, name in one["terms"]])
    total = np.zeros(size, dtype=object)  # exact, however huge a weight is
    for (weight, _), column in zip(one["terms"], columns, strict=True):
        total = total + _read_whole(weight) * column.astype(object)
    return np.asarray(RELATIONS[one["relation"]](total, _read_whole(one["bound"])), dtype=bool)


def _read_whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise Meaningless(f"{value!r} is no whole number")
    return value


def _hold_unequal(one: Any, values: Values, _: int) -> NDArray[np.bool_]:
    left, right = _look_up(values, [one["left"], one["right"]])
    return np.asarray((left - right).astype(object) != _read_whole(one["offset"]), dtype=bool)


def _hold_different(one: Any, values: Values, size: int) -> NDArray[np.bool_]:
    columns = _look_up(values, one["variables"])
    shifts = [_read_whole(shift) for shift in one.get("offsets", ())] or [0] * len(columns)
    shifted = [column.astype(object) + shift for column, shift in zip(columns, shifts, strict=True)]
    held = np.ones(size, dtype=bool)
    for left, right in itertools.combinations(shifted, 2):
        held &= (left != right).astype(bool)
    return held


def _hold_table(one: Any, values: Values, size: int) -> NDArray[np.bool_]:
    columns, held = _look_up(values, one["variables"]), np.zeros(size, dtype=bool)
    for row in one["tuples"]:
        found = np.ones(size, dtype=bool)
        for value, column in zip(row, columns, strict=True):
            found &= (column.astype(object) == _read_whole(value)).astype(bool)
        held |= found
    return held


def _hold_clause(one: Any, values: Values, size: int) -> NDArray[np.bool_]:
    held = np.zeros(size, dtype=bool)
    for name, allowed in one["literals"]:
        (column,) = _look_up(values, [name])
        held |= np.isin(column, [value for value in map(_read_whole, allowed) if _is_whole(value)])
    return held


KINDS = {
    "linear": _hold_linear,
    "not-equal": _hold_unequal,
    "all-different": _hold_different,
    "table": _hold_table,
    "clause": _hold_clause,
}

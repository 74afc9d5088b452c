"""Judges of circuits/ made quick for files that lack one statement of a known file; their verdicts stay the same.

A known file is parsed once, and the statement left out of what was parsed: of a file in OpenQASM 3 a judge spends
most of its time on that.
A whole search is followed from the place of the statement on, from the state that the gates before it made.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from unittest import mock

from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, IfElseOp

from benchmarks.core.places import CIRCUITS
from gatesolve.errors import DoesNotFitError
from gatesolve.simulate.sparse import Matrices, Terms, apply_instruction

sys.path.append(str(CIRCUITS))

from judges import base, basis

NO_GATE = ("OPENQASM", "include", "qreg", "creg", "qubit", "bit", "input", "//")


@contextmanager
def quick_judging(files: Sequence[Path]) -> Iterator[None]:
    """Within it the judges are quick on files that lack one statement of one of these."""
    with mock.patch.object(base, "parse", Parser(files)), mock.patch.object(basis, "run_sparse", Follower()):
        yield


def size_of(step: CircuitInstruction) -> int:
    """How many statements of a file a step is: those under a condition count, the condition does not."""
    blocks = getattr(step.operation, "blocks", None)
    return 1 if blocks is None else sum(size_of(one) for block in blocks for one in block.data)


def leave_out(circuit: QuantumCircuit, number: int) -> QuantumCircuit:
    """The circuit less one statement; nothing is left out where it has not as many."""
    found = circuit.copy_empty_like()
    for step in circuit.data:
        size, here = size_of(step), number
        number -= size
        if not 0 <= here < size:
            found.append(step)
        elif isinstance(step.operation, IfElseOp):
            blocks = []
            for block in step.operation.blocks:
                blocks.append(leave_out(block, here))
                here -= sum(map(size_of, block.data))
            found.append(IfElseOp(step.operation.condition, *blocks), step.qubits, step.clbits)
    return found


class Parser:
    """Reads a text as the judges' own parser does, from a known file where it lacks one line of that."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._parse = base.parse
        self._known: dict[str, tuple[list[str], QuantumCircuit]] = {}
        for path in files:
            text = base.read_text(path)
            if "beta" not in text:
                self._known[path.name] = text.splitlines(), base.parse(text, path)

    def __call__(self, text: str, path: Path) -> QuantumCircuit:
        """The circuit of a text."""
        whole, circuit = self._known.get(path.name, ([], QuantumCircuit()))
        lines = text.splitlines()
        equal = takewhile(lambda pair: pair[0] == pair[1], zip(whole, lines, strict=False))
        place = sum(1 for _ in equal)
        is_statement = [line.endswith(";") and not line.lstrip().startswith(NO_GATE) for line in whole]
        one_each = sum(is_statement) == sum(map(size_of, circuit.data))
        if (
            not one_each
            or place == len(whole)
            or [*whole[:place], *whole[place + 1 :]] != lines
            or not is_statement[place]
        ):
            return self._parse(text, path)
        return leave_out(circuit, sum(is_statement[:place]))


class Follower:
    """Runs whole searches; what one has in common with the last one at the start is not run again."""

    def __init__(self) -> None:
        self._run = basis.run_sparse
        self._steps: list[CircuitInstruction] = []
        self._known: tuple[int, Terms] | None = None

    def __call__(self, circuit: QuantumCircuit, terms: Terms) -> Terms:
        """The state after ``circuit``; of one input in the order of its gates, where that is not too wide."""
        if len(terms.amplitudes) > 1:
            return self._run(circuit, terms)
        steps = [step for step in circuit.data if step.operation.name not in {"measure", "barrier"}]
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self._steps, steps, strict=False)))
        done, state = self._known if self._known and self._known[0] <= same else (0, terms)
        places = {qubit: place for place, qubit in enumerate(circuit.qubits)}
        matrices: Matrices = {}
        try:
            for number, step in enumerate(steps[done:], done):
                if number == same:
                    self._known = number, state
                state = apply_instruction(state, step.operation, [places[qubit] for qubit in step.qubits], matrices)
        except DoesNotFitError:
            return self._run(circuit, terms)
        self._steps = steps
        return state

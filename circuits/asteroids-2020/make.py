"""Remake the entry for "False asteroids" (IBM Quantum Challenge Fall 2020, final).

``python circuits/asteroids-2020/make.py [FOLDER]`` writes ``literal.qasm``, ``cells.qasm``, ``entry.qasm`` and
``results.csv`` into FOLDER (this folder by default). ``--all`` also writes a folder of circuits for each of them: the
same function of a problem set applied to the final boards and to the 30 public sets. ``--search NAME SEED TRIES
POLISH`` prints a way to load the final boards' cells, as it is stored in ``literal.json`` and ``cells.json``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
from indexed_determinant import (
    CELLS,
    ENTRIES,
    FORM,
    Circuit,
    Form,
    Load,
    determinant_oracle,
    found_load,
    load_cx,
    load_of,
    polished_load,
)
from indexed_exact import ROW_FORM, add_exact_test, exact_oracle
from indexed_matching import MOST_STONES, Board, Table, ordered_terms, table_of
from indexed_products import improving_plans
from qiskit import QuantumCircuit

from gatesolve.circuit import Parity
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.qasm import strict_qasm2
from gatesolve.encodings import Space
from gatesolve.encodings.block import make_binary
from gatesolve.functions.table_lookup import LookupChain, LookupStep
from gatesolve.model import Variable
from gatesolve.oracle.assemble import Oracle
from gatesolve.programs import list_ops
from gatesolve.programs.amplification import grover_program
from gatesolve.simulate.sparse import diagonal_phases

HERE = Path(__file__).resolve().parent
INDEX_BITS = 4
FLOOR = 1000
"""The contest rejects circuits that cost less."""
SEED = 8
TRIES = 100
"""Chains of ANDs tried."""
CELL_TRIES = 1000
"""Chains tried to load the cells of a set."""


def problem_sets() -> dict[str, list[Board]]:
    """The final boards and the 30 public sets, sixteen boards of asteroids each."""
    texts = json.loads((HERE / "boards.json").read_text())
    return {name: [_board(text) for text in boards] for name, boards in texts.items()}


def _board(text: str) -> Board:
    rows = text.split("/")
    return frozenset((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "1")


def needs_four(board: Board) -> bool:
    """The contest's own words: no three beams, each along a row or a column, hit every asteroid."""
    lines = [(axis, number) for axis in (0, 1) for number in range(4)]
    return not any(all((0, r) in beams or (1, c) in beams for r, c in board) for beams in combinations(lines, 3))


def program_circuit(oracle: Oracle) -> QuantumCircuit:
    """Uniform start, one iteration, four measured bits, the highest bit of the board's number in ``c[0]``."""
    space = Space((make_binary(Variable("board", tuple(range(1 << INDEX_BITS)))),))
    program = grover_program(space, oracle, iterations=1)
    circuit = QuantumCircuit(program.num_qubits, INDEX_BITS)
    circuit.compose(lower(list_ops(program), program.num_qubits), inplace=True)
    circuit.measure(range(INDEX_BITS), reversed(range(INDEX_BITS)))
    return circuit


def score(circuit: QuantumCircuit) -> int:
    """One-qubit gates and ten for each CX."""
    return sum({"cx": 10, "measure": 0}.get(name, 1) * count for name, count in circuit.count_ops().items())


def prove(oracle: Oracle, boards: Sequence[Board]) -> None:
    """Run the lowered oracle on all sixteen numbers: -1 on exactly the boards that need four beams, ancillas zero.

    Raises:
        RuntimeError: it does anything else.
    """
    bits = np.zeros((oracle.num_qubits, len(boards)), dtype=bool)
    bits[:INDEX_BITS] = np.arange(len(boards)) >> np.arange(INDEX_BITS)[:, None] & 1
    phases = diagonal_phases(lower(oracle.ops, oracle.num_qubits), bits)
    wanted = np.where([needs_four(board) for board in boards], -1, 1)
    if phases is None or not np.allclose(phases * wanted, phases[0] * wanted[0], atol=1e-9):
        raise RuntimeError("the oracle does not mark exactly the boards that need four beams")


def every_board() -> list[Board]:
    """The 8,008 boards of six asteroids."""
    return [frozenset(cells) for cells in combinations(CELLS, MOST_STONES)]


def prove_test(form: Form, add_test: Callable[[Circuit], None] = add_exact_test) -> None:
    """Run the test alone, lowered, on the entries of every board of six asteroids, no table given.

    Raises:
        RuntimeError: the phase is not -1 on exactly the boards that need four beams, or an ancilla is not zero again.
    """
    boards = every_board()
    table = {cell: sum(1 << number for number, board in enumerate(boards) if cell in board) for cell in CELLS}
    circuit = Circuit({entry: Parity((wire,)) for wire, entry in enumerate(ENTRIES)}, len(ENTRIES))
    add_test(circuit)
    bits = np.zeros((circuit.most, len(boards)), dtype=bool)
    for wire, entry in enumerate(ENTRIES):
        value = form.entry(table, *entry)
        bits[wire] = [value >> number & 1 for number in range(len(boards))]
    wanted = np.array([needs_four(board) for board in boards])
    lowered = lower(circuit.ops, circuit.most)
    phases, signs = diagonal_phases(lowered, bits), np.where(wanted, -1, 1)
    if phases is None or not np.allclose(phases * signs, phases[0] * signs[0], rtol=0, atol=1e-9):
        raise RuntimeError("the test does not mark exactly the boards of six that need four beams")


def solve(boards: Sequence[Board], tries: int = TRIES) -> tuple[QuantumCircuit, Oracle]:
    """The entry: 2x2 minors looked up, matched in the circuit; the cheapest found that the contest accepts."""
    _, terms = ordered_terms(table_of(boards), INDEX_BITS)[0]
    oracles = [plan.oracle for plan in improving_plans(terms, INDEX_BITS, SEED, tries)]
    made = [(program_circuit(oracle), oracle) for oracle in oracles]
    circuit, oracle = min((m for m in made if score(m[0]) >= FLOOR), key=lambda m: score(m[0]))
    prove(oracle, boards)
    return circuit, oracle


@dataclass(frozen=True)
class Kind:
    """A circuit that looks up cells: where its load is searched for, and the oracle made of it."""

    form: Form
    oracle: Callable[[Load, Table], Oracle]


KINDS = {"literal": Kind(ROW_FORM, exact_oracle), "cells": Kind(FORM, determinant_oracle)}


def solve_by_cells(boards: Sequence[Board], name: str, stored: bool = False) -> tuple[QuantumCircuit, Oracle]:
    """Cells looked up, everything else computed in the circuit; ``stored`` takes the load in ``NAME.json``."""
    table, kind = table_of(boards), KINDS[name]
    if stored:
        form, lookup = _stored(name)
        load = load_of(lookup, form, table)
    else:
        load = found_load(table, INDEX_BITS, SEED, CELL_TRIES, kind.form)
    if name == "literal":
        prove_test(load.form)
    oracle = kind.oracle(load, table)
    prove(oracle, boards)
    return program_circuit(oracle), oracle


def _stored(name: str) -> tuple[Form, LookupChain]:
    data = json.loads((HERE / f"{name}.json").read_text())
    steps = [
        LookupStep(*(Parity(tuple(p["wires"]), p["constant"]) for p in (s["left"], s["right"]))) for s in data["steps"]
    ]
    return Form(tuple(data["rows"]), tuple(data["columns"])), LookupChain(INDEX_BITS, tuple(steps))


def search(name: str, seed: int, tries: int, polish: int) -> None:
    """Print a load of the final boards' cells as JSON, after its CX (one way)."""
    table = table_of(problem_sets()["final"])
    load = polished_load(found_load(table, INDEX_BITS, seed, tries, KINDS[name].form), table, seed, polish)
    steps = [asdict(step) for step in load.lookup.steps]
    print(load_cx(load))
    print(json.dumps({"rows": load.form.rows, "columns": load.form.columns, "steps": steps}))


LEVELS = {"literal": ("literal", 0), "cells": ("minimised", 4), "entry": ("classical", 4)}
"""And how many cells of a board are looked at together beforehand, beyond loading them."""


def remake(folder: Path) -> list[dict[str, object]]:
    """Write all circuits for the final boards and their rows into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    boards = problem_sets()["final"]
    made = {name: solve_by_cells(boards, name, stored=True)[0] for name in KINDS} | {"entry": solve(boards)[0]}
    rows: list[dict[str, object]] = []
    for name, circuit in made.items():
        (folder / f"{name}.qasm").write_text(strict_qasm2(circuit))
        counts = circuit.count_ops()
        others = sum(n for gate, n in counts.items() if gate not in {"cx", "measure"})
        level, cells = LEVELS[name]
        row = {"name": name, "level": level, "window_cells": cells, "qubits": circuit.num_qubits}
        rows.append({**row, "one_qubit": others, "cx": counts["cx"], "score": score(circuit)})
    lines = [",".join(map(str, rows[0])), *(",".join(map(str, row.values())) for row in rows)]
    (folder / "results.csv").write_text("\n".join(lines) + "\n")
    return rows


def remake_sets(folder: Path) -> None:
    """Circuits of all kinds for every problem set, named as the judge's ``--dir`` takes them."""
    makers: dict[str, Callable[[Sequence[Board]], tuple[QuantumCircuit, Oracle]]] = {"sets": solve}
    makers |= {f"sets-{name}": partial(solve_by_cells, name=name) for name in KINDS}
    for kind, make in makers.items():
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for name, boards in problem_sets().items():
            circuit, _ = make(boards)
            (folder / kind / f"{name}.qasm").write_text(strict_qasm2(circuit))
            print(f"{kind}/{name}: {score(circuit)}")


def main() -> None:
    """Read the arguments and write the files."""
    parser = argparse.ArgumentParser(description="Remake the asteroids entry.")
    parser.add_argument("folder", nargs="?", type=Path, default=HERE)
    parser.add_argument("--all", action="store_true", help="also every public problem set")
    parser.add_argument("--search", nargs=4, metavar=("NAME", "SEED", "TRIES", "POLISH"))
    arguments = parser.parse_args()
    if arguments.search:
        name, *numbers = arguments.search
        search(name, *map(int, numbers))
        return
    for row in remake(arguments.folder):
        print(row)
    if arguments.all:
        remake_sets(arguments.folder)


if __name__ == "__main__":
    main()

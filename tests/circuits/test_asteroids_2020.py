"""The contest's 31 problem sets: oracles exact on all sixteen boards, the published circuits remade and run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from indexed_determinant import determinant_oracle, found_load
from indexed_exact import ROW_FORM, exact_oracle
from indexed_matching import Board, ordered_terms, table_of
from indexed_products import best_plan
from qiskit import QuantumCircuit
from scripts import load_script

from gatesolve.circuit import PhaseCheck
from gatesolve.simulate.sparse import probabilities

PUBLISHED = 4004
"""The winner's score in 2020."""
FOLDER = Path(__file__).resolve().parents[2] / "circuits" / "asteroids-2020"


MAKE = load_script(FOLDER / "make.py")
SETS: dict[str, list[Board]] = MAKE.problem_sets()


def wanted(boards: Sequence[Board]) -> list[bool]:
    return [MAKE.needs_four(board) for board in boards]


def test_every_set_has_one_board_that_needs_four() -> None:
    assert len(SETS) == 31
    assert all(len(boards) == 16 and sum(wanted(boards)) == 1 for boards in SETS.values())
    assert all(len(board) == 6 for boards in SETS.values() for board in boards)


@pytest.mark.parametrize("name", SETS)
def test_all_oracles_are_exact(name: str) -> None:
    boards = SETS[name]
    table = table_of(boards)
    plan = best_plan(ordered_terms(table, 4)[0][1], 4, tries=3)
    by_cells = determinant_oracle(found_load(table, 4, 0, 3), table)
    literal = exact_oracle(found_load(table, 4, 0, 3, ROW_FORM), table)
    assert max(by_cells.num_qubits, literal.num_qubits) <= 28
    for oracle in (plan.oracle, by_cells, literal):
        check = PhaseCheck(
            oracle.ops,
            4,
            oracle.num_qubits,
            16,
            bits=lambda numbers: (numbers >> np.arange(4)[:, None] & 1).astype(bool),
            predicate=lambda numbers: np.array(wanted(boards))[numbers],
        )
        marks = check.marks(np.arange(16))
        # A phase is an oracle's only up to a global sign.
        assert (marks ^ marks[0] ^ wanted(boards)[0]).tolist() == wanted(boards)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["12", "24"])
def test_boards_with_two_permutations_are_found(name: str) -> None:
    made = [MAKE.solve(SETS[name], 10), *(MAKE.solve_by_cells(SETS[name], kind) for kind in MAKE.KINDS)]
    for circuit, _ in made:
        assert answer(circuit) == wanted(SETS[name]).index(True)


def answer(circuit: QuantumCircuit) -> int:
    """The most likely board; the highest bit of its number is measured into c[0]."""
    places = {circuit.find_bit(i.qubits[0]).index: circuit.find_bit(i.clbits[0]).index for i in circuit.data[-4:]}
    found = np.zeros(16)
    for state, probability in probabilities(circuit).items():
        found[sum((state >> q & 1) << (3 - c) for q, c in places.items())] += probability
    assert found.max() == pytest.approx(0.47265625)
    return int(found.argmax())


@pytest.mark.slow
def test_published_circuits_are_remade(tmp_path: Path) -> None:
    rows = MAKE.remake(tmp_path)
    for name in ("literal.qasm", "cells.qasm", "entry.qasm", "results.csv"):
        assert (tmp_path / name).read_text() == (FOLDER / name).read_text()
    literal, cells, entry = (row["score"] for row in rows)
    assert MAKE.FLOOR <= entry <= MAKE.FLOOR + 20 < cells < 2900
    assert cells < literal < 3700 < PUBLISHED
    for row in rows:
        circuit = QuantumCircuit.from_qasm_file(str(FOLDER / f"{row['name']}.qasm"))
        assert answer(circuit) == wanted(SETS["final"]).index(True) == 10
        assert MAKE.score(circuit) == row["score"]

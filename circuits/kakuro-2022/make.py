"""Remake the entries for Classiq's 2022 Kakuro: ``python circuits/kakuro-2022/make.py [FOLDER]``.

Eleven constraints over seven cells; each cell keeps its own qubits, x3 two and the others one. The CX of the oracle
count, those of the preparation do not.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cpmpy as cp
from in_place import rewrite
from qiskit import QuantumCircuit

from gatesolve.circuit.counting import count
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.qasm import strict_qasm2
from gatesolve.encodings import Space, make_binary
from gatesolve.encodings.choose import digit_block, fill_space
from gatesolve.formats import from_cpmpy
from gatesolve.model import Constraint, Model, tuples_of
from gatesolve.oracle import Oracle, assemble
from gatesolve.oracle.condition import Condition
from gatesolve.oracle.levels import literal_conditions, minimised_conditions
from gatesolve.pipelines.certify import phase_check
from gatesolve.programs.amplification import best_iterations, success_probability
from gatesolve.simulate import certify

HERE = Path(__file__).resolve().parent
CELLS = tuple(f"x{k}" for k in range(7))
PREPARED = ("x0 != x2", "x1 != x5", "x4 != x6", "x3 == 2")
"""Constraints carried by the preparation of the prepared entries, each alone."""

ORDER = (
    "x3 != x4", "x3 == 2", "x3 != x5", "x2 - x3 != -2", "x5 != x6", "x1 != x5", "x2 + x4 + x3 == 3", "x1 != x3",
    "x4 != x6", "x0 != x1", "x0 != x2",
)  # fmt: skip
"""In which order the literal entry joins its constraints: the best of some thousand orders drawn."""


@dataclass(frozen=True)
class Entry:
    """One published oracle.

    Attributes:
        name: its file.
        level: ``literal`` or ``minimised``.
        window: most qubits that minimising looks at together; 0 at level literal.
        prepared: constraints that the preparation carries.
    """

    name: str
    level: str
    window: int = 0
    prepared: tuple[str, ...] = ()


ENTRIES = (
    Entry("entry", "minimised", 3),
    Entry("entry_literal", "literal"),
    Entry("entry_prepared", "literal", 0, PREPARED),
    Entry("entry_prepared_minimised", "minimised", 3, PREPARED),
)


def problem() -> Model:
    """The contest's constraints, word for word; x0 and x2 stand for the bit plus two, as its rules have it."""
    x = [cp.intvar(0, 3 if k == 3 else 1, name=name) for k, name in enumerate(CELLS)]
    return from_cpmpy(
        cp.Model(
            x[0] != x[1], x[2] + 2 != x[3], x[3] != x[4], x[1] != x[3], x[3] != x[5], x[5] != x[6],
            x[0] != x[2], x[1] != x[5], x[4] != x[6], x[3] == 2, x[2] + x[4] + x[3] == 3,
        )
    )  # fmt: skip


def digits_space(model: Model, prepared: Sequence[Sequence[Constraint]]) -> Space:
    """Return all variables in binary, with groups of constraints carried by the preparation of one block each."""
    made = []
    for group in prepared:
        reads = {name for constraint in group for name in constraint.scope}
        scope = tuple(v.name for v in model.variables if v.name in reads)
        tuples = tuples_of(scope, model.domains, group, 1 << 12, 1 << 18) or ()
        block = digit_block(scope, tuples, [model.domains[name] for name in scope])
        assert block is not None, "the solutions of the group are an affine set of digits"
        made.append(block)
    return fill_space(model, made, make_binary)


def solved(entry: Entry) -> tuple[Space, Oracle, float]:
    """The space, the certified oracle and the success of the search at its best number of iterations."""
    model = problem()
    groups = [[c for c in model.constraints if str(c) == text] for text in entry.prepared]
    space = digits_space(model, groups)
    literal = entry.level == "literal"
    conditions = literal_conditions(model, space) if literal else minimised_conditions(model, space, entry.window)
    oracle = assemble_literal(conditions, space.num_qubits) if literal else assemble(conditions, space.num_qubits)
    certificate, _ = certify(phase_check(model, space, oracle), space.size, 0)
    marked = certificate.marked or 0
    return space, oracle, success_probability(space.size, marked, best_iterations(space.size, marked))


def assemble_literal(conditions: Sequence[Condition], num_data: int) -> Oracle:
    """The cheapest of trees of ANDs, in the order of `ORDER` and in that given, each as it is and held in place."""
    found = list[Oracle]()
    for order in (sorted(conditions, key=lambda one: ORDER.index(one.label)), conditions):
        made = assemble(order, num_data, alone=True, absorbing=True, with_alternative=True)
        found += [made, *made.alternatives]
    return min(
        [*found, *map(rewrite, found)], key=lambda oracle: lower(oracle.ops, oracle.num_qubits).count_ops().get("cx", 0)
    )


def places(space: Space) -> list[int]:
    """Where each of the space's qubits goes: cells in order, x3's low bit first."""
    order: dict[str, list[int]] = {}
    for number, block in enumerate(space.blocks):
        qubits = list(space.block_qubits(number))
        for name in block.variables:
            order[name] = [qubits.pop(0) for _ in range(2 if name == "x3" else 1)]
    place = {qubit: k for k, qubit in enumerate(q for name in CELLS for q in order[name])}
    return [place[q] for q in range(space.num_qubits)]


def reordered(circuit: QuantumCircuit, space: Space) -> QuantumCircuit:
    """The circuit with the contest's order of qubits, ancillas after them."""
    result = QuantumCircuit(circuit.num_qubits)
    return result.compose(circuit, [*places(space), *range(space.num_qubits, circuit.num_qubits)])


def remake(folder: Path) -> list[dict[str, object]]:
    """Write every oracle, the preparation and ``results.csv`` into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, object]] = []
    for entry in ENTRIES:
        space, oracle, success = solved(entry)
        circuit = lower(oracle.ops, oracle.num_qubits)
        (folder / f"{entry.name}.qasm").write_text(strict_qasm2(reordered(circuit, space)))
        if entry.prepared:
            start = reordered(lower(space.preparation, space.num_qubits), space)
            (folder / "preparation.qasm").write_text(strict_qasm2(start))
        counts = count(circuit, "cx+u")
        row = {"name": entry.name, "level": entry.level, "window": entry.window, "prepared": len(entry.prepared)}
        row |= {"states": space.size, "qubits": counts.qubits, "cx": counts.cx, "depth": counts.depth}
        rows.append(row | {"success": round(success, 6)})
    write_rows(folder / "results.csv", rows)
    return rows


def write_rows(path: Path, rows: Sequence[dict[str, object]]) -> None:
    """The rows as CSV with a header."""
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    for made in remake(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE):
        print(", ".join(f"{key} {value}" for key, value in made.items()))

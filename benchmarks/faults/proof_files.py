"""Exported circuits with their certificates, small ones of every kind: what `proof_mutants.py` changes.

Each puzzle family in each encoding, with gate sets, levels, objectives, parts and formats in turn; then the other
oracles, pipelines and presolve settings, and models of CPMpy and Qubos.
"""

from __future__ import annotations

import itertools
import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cpmpy as cp

import gatesolve
from benchmarks.core.places import EXAMPLES
from gatesolve.gate_sets import GATE_SETS, METRICS
from gatesolve.oracle.levels import LEVELS

KAKURO, TENTS, TANGO = "kakuro/small.txt", "tents/sgt-4x4de-1.txt", "tango/small.txt"
BOARDS = (
    KAKURO,
    "queens/tiny-4x4.txt",
    "galaxies/tiny-3x3.txt",
    "tents/weak-3x5.txt",
    TANGO,
    "chess/max-2x2-kings.txt",
    "starbattle/tiny-4x4-1.txt",
    "takuzu/hakank-4x4.txt",
    "sudoku/small.txt",
)
INEXACT = {(KAKURO, "domain-wall"), ("chess/max-2x2-kings.txt", "table"), ("sudoku/small.txt", "domain-wall")}
INEXACT |= {("sudoku/small.txt", "table")}
"""Spaces whose preparation has no exact Clifford+Toffoli circuit, or a very long one in Clifford+T."""
ENCODINGS = ("binary", "one-hot", "domain-wall", "table")
QUBO = {(0, 0): -3, (1, 1): -2, (2, 2): -2, (0, 1): 4, (1, 2): 3}
Certificate = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """A file to export.

    Attributes:
        problem: an example, or a name among `MODELS`.
        options: of `gatesolve.compile`.
        suffix: of the circuit's file.
        part: the whole circuit, or one oracle call.
    """

    problem: str
    options: dict[str, Any] = field(hash=False)
    suffix: str = ".qasm"
    part: str = "whole"

    def __str__(self) -> str:
        """Return all of it in one line."""
        options = (f"{name}={value}" for name, value in self.options.items())
        return " ".join([self.problem, *options, self.part, self.suffix])


@dataclass(frozen=True)
class Exported:
    """A row's text and certificate."""

    row: Row
    text: str
    certificate: Certificate


def state_sums() -> cp.Model:
    """Return a model with sums, shifted all-different and a disequality, negative values among them."""
    x, y, z = cp.intvar(-1, 2, shape=3, name="x")
    return cp.Model([cp.AllDifferent([x + 1, y, z - 2]), 2 * x - y + z <= 3, x != z])


def state_unequal() -> cp.Model:
    """Return one disequality between variables with different domains."""
    return cp.Model(cp.intvar(-1, 2, name="y") != cp.intvar(0, 1, name="x"))


def state_logic() -> cp.Model:
    """Return a model whose constraints are no sums: a table, an implication and a product."""
    a, b, c = (cp.intvar(0, 3, name=name) for name in "abc")
    return cp.Model([cp.Table([a, b], [[0, 1], [1, 2], [2, 3]]), (a > 0).implies(c == 2), b * c <= 4])


def state_objective() -> cp.Model:
    """Return a model with an objective."""
    x, y = (cp.intvar(0, 2, name=name) for name in "xy")
    return cp.Model([x + y <= 3, x != y], maximize=2 * x + y)


MODELS = {
    "sums": state_sums,
    "unequal": state_unequal,
    "logic": state_logic,
    "objective": state_objective,
    "qubo": lambda: QUBO,
}


def list_rows() -> list[Row]:
    """Return all files, the puzzles with an oracle of constraints first."""
    rows = []
    for k, (board, encoding) in enumerate(itertools.product(BOARDS, ENCODINGS)):
        options = {"presolve": "none", "iterations": 1 + (k % 5 == 0), "encoding": encoding}
        options |= {"gates": "cx+u" if (board, encoding) in INEXACT else tuple(GATE_SETS)[k % 3]}
        options |= {"level": LEVELS[(k + k // 4) % 3], "optimize": METRICS[k % 5]}
        rows.append(Row(board, options, (".qasm", ".qasm3")[k // 2 % 2], "oracle" if k % 7 == 3 else "whole"))
    plain = {"presolve": "none", "iterations": 1}
    gas, qaoa = ({"pipeline": name, "presolve": "none"} for name in ("gas", "qaoa"))
    qaoa |= {"layers": 1, "angles": "ramp"}
    rows += [
        Row(KAKURO, plain | {"oracle": "classical", "encoding": "binary"}),
        Row(TENTS, plain | {"oracle": "classical", "encoding": "one-hot", "gates": "clifford+t"}, ".qasm3"),
        Row(TANGO, plain | {"oracle": "classical", "encoding": "table"}),
        Row(KAKURO, {"presolve": "none", "exact": True, "encoding": "binary"}),
        Row(TENTS, {"presolve": "none", "exact": True, "encoding": "table", "gates": "clifford+t"}),
        Row("galaxies/tiny-3x3.txt", {"presolve": "none", "exact": True, "encoding": "one-hot"}, ".qasm3"),
        Row("tents/weak-3x5.txt", plain | {"early_check": True, "encoding": "binary", "level": "literal"}),
        Row("takuzu/hakank-4x4.txt", plain | {"early_check": True, "encoding": "one-hot"}, ".qasm3"),
        Row("queens/tiny-4x4.txt", {"presolve": "propagate", "iterations": 1, "encoding": "binary"}),
        Row("sudoku/sgt-2x3di1.txt", {"presolve": "affine", "iterations": 1, "encoding": "binary"}),
        Row(KAKURO, gas | {"encoding": "binary"}),
        Row("chess/max-2x2-kings.txt", gas | {"encoding": "binary", "value_oracle": "counter"}, ".qasm3"),
        Row("objective", gas | {"encoding": "one-hot", "value_oracle": "fourier"}),
        Row("qubo", {"pipeline": "gas", "gates": "clifford+t"}),
        Row(KAKURO, qaoa | {"encoding": "one-hot", "mixer": "xy-ring"}),
        Row("chess/max-2x2-kings.txt", qaoa | {"encoding": "binary", "mixer": "x"}, ".qasm3"),
        Row("objective", qaoa | {"encoding": "binary", "mixer": "grover"}),
        Row("qubo", {"pipeline": "qaoa", "layers": 2, "angles": "ramp"}),
        Row("sums", plain | {"encoding": "binary", "level": "literal"}),
        Row("sums", plain | {"encoding": "one-hot", "level": "merged", "optimize": "depth"}, ".qasm3"),
        Row("unequal", plain | {"encoding": "binary"}),
        Row("unequal", plain | {"encoding": "domain-wall", "gates": "clifford+t"}, ".qasm3", "oracle"),
        Row("logic", plain | {"encoding": "binary", "level": "literal"}),
        Row("logic", plain | {"encoding": "table", "level": "minimised"}),
    ]
    return rows


def export_row(row: Row) -> Exported:
    """Compile and export one file."""
    problem = MODELS[row.problem]() if row.problem in MODELS else EXAMPLES / row.problem
    made = gatesolve.compile(problem, **row.options)
    with tempfile.TemporaryDirectory() as folder:
        written = gatesolve.export(made, Path(folder) / f"board{row.suffix}", row.part)
        assert written.certificate is not None
        return Exported(row, written.circuit.read_text(), json.loads(written.certificate.read_text()))

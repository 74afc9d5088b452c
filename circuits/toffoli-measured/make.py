"""Remake the circuits of few Toffoli gates: ``python circuits/toffoli-measured/make.py [FOLDER]``.

``entry-NAME.qasm`` (OpenQASM 3) is the benchmark's unitary on all its wires; ``entry-NAME-clean.qasm`` is right where
the wires that are no inputs hold zero. ``results.csv`` has what was counted on them, and on what a plain public call
gives where there is one (`benchmark_calls`).
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import functions as f
from benchmark_calls import score_call
from qiskit import QuantumCircuit, qasm3
from statement import Function, Statement

from gatesolve.circuit import Parity

HERE = Path(__file__).resolve().parent
FOUND = "found.json"
"""Products found by search.py: a parity is the numbers of its wires and products, ``~`` for its complement."""


@dataclass(frozen=True)
class Entry:
    """One circuit.

    Attributes:
        benchmark: whose function it is.
        published: the fewest Toffoli gates published for it.
        state: the function.
        clean: whether wires that are no inputs hold zero.
        made: ``statement``, or ``search`` where the products were found by search.py.
    """

    benchmark: str
    published: int
    state: Callable[[], Function]
    clean: bool = False
    made: str = "statement"

    @property
    def name(self) -> str:
        """The file's name after ``entry-``."""
        return self.benchmark + ("-clean" if self.clean else "")


def _state(benchmark: str, published: int, state: Callable[[], Statement], clean: bool = False) -> Entry:
    return Entry(benchmark, published, lambda: state().finish(), clean)


def _search(benchmark: str, published: int, clean: bool = False) -> Entry:
    key = benchmark + ("-clean" if clean else "")
    return Entry(benchmark, published, partial(read_found, key), clean, "search")


def read_found(key: str) -> Function:
    """The function by products that were found."""
    found = json.loads((HERE / FOUND).read_text())[key]
    products = tuple((_parity(left), _parity(right)) for left, right in found["products"])
    outputs = tuple(_parity(text) for text in found["outputs"])
    return Function(tuple(found["names"]), products, outputs, tuple(found["zeros"]))


def _parity(text: str) -> Parity:
    return Parity(tuple(int(part) for part in text.split() if part != "~"), "~" in text)


ENTRIES = (
    *(_state(f"tof_{n}", n - 1, partial(f.tof, n)) for n in (3, 4, 5, 10)),
    *(_state(f"barenco_tof_{n}", 2 * n - 4, partial(f.barenco_tof, n)) for n in (3, 4, 5, 10)),
    _state("mod5_4", 1, f.mod5_4),
    _state("mod_mult_55", 3, f.mod_mult_55),
    _state("vbe_adder_3", 3, f.vbe_adder_3),
    _state("rc_adder_6", 6, f.rc_adder_6),
    _state("adder_8", 27, f.adder_8),
    _state("adder_8", 27, partial(f.adder_8, f.ADDER_CARRIES), clean=True),
    _state("qcla_adder_10", 24, f.qcla_adder_10),
    _state("qcla_adder_10", 24, partial(f.qcla_adder_10, f.QCLA_CARRIES), clean=True),
    _state("csla_mux_3", 8, f.csla_mux_3),
    _state("csla_mux_3", 8, partial(f.csla_mux_3, f.CSLA_SUMS), clean=True),
    _state("csum_mux_9", 14, f.csum_mux_9),
    _state("mod_red_21", 11, f.mod_red_21),
    _state("mod_red_21", 11, partial(f.mod_red_21, f.RED_CARRIES), clean=True),
    _search("hwb6", 10),
    _search("hwb6", 10, clean=True),
    _search("ham15_low", 17),
    _search("ham15_low", 17, clean=True),
    _search("ham15_med", 33),
    _search("ham15_med", 33, clean=True),
    *(
        _state(f"gf2_{n}_mult", best, partial(f.gf2_mult, n))
        for n, best in zip(range(4, 11), (9, 13, 15, 22, 24, 30, 33), strict=True)
    ),
)


def remake(folder: Path) -> dict[str, QuantumCircuit]:
    """Write every circuit and ``results.csv`` into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    with (folder / "results.csv").open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["name", "class", "made", "toffoli", "qubits", "measurements", "cx", "published", "by_call"])
        for entry in ENTRIES:
            one = made[entry.name] = entry.state().circuit()
            (folder / f"entry-{entry.name}.qasm").write_text(qasm3.dumps(one))
            counts, kind = one.count_ops(), "clean" if entry.clean else "unitary"
            numbers = [counts["ccx"], one.num_qubits, counts.get("measure", 0), counts.get("cx", 0), entry.published]
            rows.writerow([entry.name, kind, entry.made, *numbers, score_call(entry.name)])
    return made


if __name__ == "__main__":
    target_folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    remake(target_folder)
    print((target_folder / "results.csv").read_text(), end="")

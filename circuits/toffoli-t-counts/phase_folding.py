"""Rebuild PyZX's circuits for the T-count tables: ``python circuits/toffoli-t-counts/phase_folding.py [FOLDER]``.

The tables' numbers come from PyZX's phase folding (A. Kissinger and J. van de Wetering, arXiv 1903.10477) of the
benchmarks' Toffoli chains. The chains are stated here, PyZX does the rest; it is no part of the test packages:
``pip install pyzx``. Version 0.10.8 made the files in ``pyzx/``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyzx

HERE = Path(__file__).resolve().parent
SIZES = (3, 4, 5, 10)
Toffoli = tuple[int, int, int]


def clean_chain(controls: int) -> list[Toffoli]:
    """tof_n: ANDs down a chain of further wires at zero, the target, and back."""
    wires = range(controls, 2 * controls - 2)
    down = [(0, 1, wires[0]), *((k + 2, wires[k], wires[k + 1]) for k in range(controls - 3))]
    return [*down, (controls - 1, wires[-1], 2 * controls - 2), *down[::-1]]


def restoring_chain(controls: int) -> list[Toffoli]:
    """barenco_tof_n: the same chain twice, so that further wires may hold anything."""
    wires = range(controls, 2 * controls - 2)
    down = [(k + 2, wires[k], wires[k + 1]) for k in reversed(range(controls - 3))]
    half = [*down, (0, 1, wires[0]), *down[::-1]]
    last = (controls - 1, wires[-1], 2 * controls - 2)
    return [last, *half, last, *half]


def folded(gates: list[Toffoli], width: int) -> str:
    """PyZX's phase folding of Toffoli gates, as OpenQASM 2."""
    circuit = pyzx.Circuit(width)
    for gate in gates:
        circuit.add_gate("TOF", *gate)
    graph = pyzx.teleport_reduce(circuit.to_basic_gates().to_graph())
    return pyzx.Circuit.from_graph(graph).to_basic_gates().to_qasm().strip() + "\n"


def remake(folder: Path) -> None:
    """Write the eight circuits into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for family, chain in (("tof", clean_chain), ("barenco_tof", restoring_chain)):
        for n in SIZES:
            (folder / f"{family}_{n}.qasm").write_text(folded(chain(n), 2 * n - 1))


if __name__ == "__main__":
    remake(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "pyzx")

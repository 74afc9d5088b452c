"""Optimisers of pytket; runs in an interpreter that has pytket, and needs no gatesolve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytket import OpType
from pytket import passes as library
from pytket.qasm import circuit_from_qasm_str, circuit_to_qasm_str

from benchmarks.peers import passes


def tket(name: str, **options: Any) -> Callable[[str], str]:
    """Return the pass named, then CX and U3."""

    def run(text: str) -> str:
        circuit = circuit_from_qasm_str(text)
        getattr(library, name)(**options).apply(circuit)
        library.DecomposeBoxes().apply(circuit)
        circuit.replace_implicit_wire_swaps()
        library.AutoRebase({OpType.CX, OpType.U3}).apply(circuit)
        library.RemoveRedundancies().apply(circuit)
        return str(circuit_to_qasm_str(circuit))

    return run


PASSES: dict[str, Callable[[str], str]] = {
    "pytket RemoveRedundancies": tket("RemoveRedundancies"),
    "pytket CliffordSimp": tket("CliffordSimp", allow_swaps=False),
    "pytket FullPeepholeOptimise": tket("FullPeepholeOptimise", allow_swaps=False),
    "pytket PauliSimp": tket("PauliSimp"),
    "pytket GreedyPauliSimp": tket("GreedyPauliSimp"),
}
if __name__ == "__main__":
    passes.run("pytket", PASSES)

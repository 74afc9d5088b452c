"""PyZX's optimisers; runs in an interpreter that has PyZX, and needs no gatesolve."""

from __future__ import annotations

import pyzx

from benchmarks.peers import passes


def zx_basic(text: str) -> str:
    """PyZX: peephole passes on the circuit."""
    circuit = pyzx.Circuit.from_qasm(text).to_basic_gates()
    return str(pyzx.optimize.basic_optimization(circuit, do_swaps=False).to_basic_gates().to_qasm())


def zx_teleport(text: str) -> str:
    """PyZX: phase teleportation, then its peephole passes; CX stay where they are in the first."""
    graph = pyzx.simplify.teleport_reduce(pyzx.Circuit.from_qasm(text).to_graph())
    return zx_basic(pyzx.Circuit.from_graph(graph).to_qasm())


def zx_full(text: str) -> str:
    """PyZX: full reduction, extraction, then its peephole passes."""
    graph = pyzx.Circuit.from_qasm(text).to_graph()
    pyzx.simplify.full_reduce(graph)
    circuit = pyzx.extract_circuit(graph, up_to_perm=False)
    return zx_basic(circuit.to_basic_gates().to_qasm())


PASSES = {"PyZX basic_optimization": zx_basic, "PyZX teleport_reduce": zx_teleport, "PyZX full_reduce": zx_full}
if __name__ == "__main__":
    passes.run("pyzx", PASSES)

"""PyZX's and pytket's side of optimisers.py; runs in an interpreter of its own, which needs no gatesolve.

Reads one JSON object: ``circuits``, a list of OpenQASM 2 texts, and ``left_out``, passes not to run. Writes one: for
each pass that is installed and each circuit the optimised OpenQASM 2 and the seconds it took, or what went wrong; and
the versions.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from importlib import metadata
from typing import Any


def zx_basic(text: str) -> str:
    """PyZX: peephole passes on the circuit."""
    import pyzx

    circuit = pyzx.Circuit.from_qasm(text).to_basic_gates()
    return str(pyzx.optimize.basic_optimization(circuit, do_swaps=False).to_basic_gates().to_qasm())


def zx_teleport(text: str) -> str:
    """PyZX: phase teleportation, then its peephole passes; CX stay where they are in the first."""
    import pyzx

    graph = pyzx.simplify.teleport_reduce(pyzx.Circuit.from_qasm(text).to_graph())
    return zx_basic(pyzx.Circuit.from_graph(graph).to_qasm())


def zx_full(text: str) -> str:
    """PyZX: full reduction, extraction, then its peephole passes."""
    import pyzx

    graph = pyzx.Circuit.from_qasm(text).to_graph()
    pyzx.simplify.full_reduce(graph)
    circuit = pyzx.extract_circuit(graph, up_to_perm=False)
    return zx_basic(circuit.to_basic_gates().to_qasm())


def tket(*names: str, **options: Any) -> Callable[[str], str]:
    """pytket: the passes named, then CX and U3."""

    def run(text: str) -> str:
        passes = importlib.import_module("pytket.passes")
        ops = importlib.import_module("pytket").OpType
        qasm = importlib.import_module("pytket.qasm")
        circuit = qasm.circuit_from_qasm_str(text)
        for name in names:
            getattr(passes, name)(**options).apply(circuit)
        passes.DecomposeBoxes().apply(circuit)
        circuit.replace_implicit_wire_swaps()
        passes.AutoRebase({ops.CX, ops.U3}).apply(circuit)
        passes.RemoveRedundancies().apply(circuit)
        return str(qasm.circuit_to_qasm_str(circuit))

    return run


PASSES: dict[str, Callable[[str], str]] = {
    "PyZX basic_optimization": zx_basic,
    "PyZX teleport_reduce": zx_teleport,
    "PyZX full_reduce": zx_full,
    "pytket RemoveRedundancies": tket("RemoveRedundancies"),
    "pytket CliffordSimp": tket("CliffordSimp", allow_swaps=False),
    "pytket FullPeepholeOptimise": tket("FullPeepholeOptimise", allow_swaps=False),
    "pytket PauliSimp": tket("PauliSimp"),
    "pytket GreedyPauliSimp": tket("GreedyPauliSimp"),
}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Every pass on every circuit."""
    found: dict[str, Any] = {}
    for name in request["passes"]:
        found[name] = []
        for text in request["circuits"]:
            start = time.perf_counter()
            try:
                found[name].append({"qasm": PASSES[name](text), "seconds": time.perf_counter() - start})
            except Exception as error:  # a peer's failure is a row of the table, whatever it raises
                found[name].append({"error": f"{type(error).__name__}: {error}"})
    return found


def versions() -> dict[str, str]:
    """The optimisers that are installed here."""
    found = {}
    for name in ("pyzx", "pytket"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


if __name__ == "__main__":
    request = json.load(sys.stdin)
    there = versions()
    request["passes"] = [
        name for name in PASSES if name.split()[0].lower() in there and name not in request.get("left_out", ())
    ]
    print(json.dumps({"versions": there, "found": answer(request)}))

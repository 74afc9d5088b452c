"""Toffoli gates of 27 benchmark circuits (github.com/meamy/feynman, benchmarks/qc), measurement allowed.

The first wires are the benchmark's, in the order that `functions.py` of the contest's folder names them; work wires
follow, zero at the start. What each wire must hold at the end is stated there. Score: ccx + ccz + cs + t / 2; a gate
under a condition counts in full.
"""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from qiskit import QuantumCircuit

from .base import Contest, RefusedError, Verdict, every_step, need_wires, read_circuit
from .paths import GATES, Paths, Poly, eighths, multiply

FOLDER = Path(__file__).resolve().parents[1] / "toffoli-measured"


def _load_entries() -> dict[tuple[str, bool], Callable[[], Any]]:
    """What the contest's folder states of each benchmark, by name and whether further wires are clean."""
    sys.path.insert(0, str(FOLDER))
    spec = importlib.util.spec_from_file_location("make_toffoli_measured", FOLDER / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules.setdefault("make_toffoli_measured", importlib.util.module_from_spec(spec))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER))
    return {(entry.benchmark, entry.clean): entry.state for entry in module.ENTRIES}


STATED = _load_entries()


def counted(circuit: QuantumCircuit, path: Path) -> Counter[str]:
    """How many ``tof``, ``cs``, ``t`` and ``read`` (measurements and resets) a circuit has."""
    found: Counter[str] = Counter()
    for step in every_step(circuit):
        name, params = step.operation.name, step.operation.params
        turn = eighths(float(params[0])) if name in {"p", "u1", "rz", "cp", "cu1"} else 0
        if name in {"ccx", "ccz"}:
            found["tof"] += 1
        elif name in {"cp", "cu1"} and turn % 2:
            raise RefusedError(f"{path}: {name} by an odd multiple of pi / 4 is not allowed")
        elif name in {"cs", "csdg"} or (name in {"cp", "cu1"} and turn % 4):
            found["cs"] += 1
        elif name in {"t", "tdg"} or turn % 2:
            found["t"] += 1
        elif name in {"measure", "reset"}:
            found["read"] += 1
    return found


def prove(circuit: QuantumCircuit, inputs: Sequence[int], wanted: Sequence[Poly], path: Path) -> None:
    """Raise `RefusedError` unless the first wires end as wanted, for every input, phase and outcome."""
    try:
        Paths(circuit.num_qubits, inputs).run(circuit).check(wanted)
    except RefusedError as error:
        raise RefusedError(f"{path}: {error}") from None


def judge(task: str, class_: str, files: Sequence[Path]) -> Verdict:
    """Prove the circuit equal to the benchmark."""
    if (task, class_ == "clean") not in STATED:
        raise RefusedError(f"{files[0]}: class clean of {task} is not stated; enter it as unitary")
    function = STATED[task, class_ == "clean"]()
    circuit = read_circuit(files[0], GATES)
    width = len(function.names)
    need_wires(circuit, files[0], width)
    inputs = [wire for wire in range(width) if wire not in function.zeros]
    prove(circuit, inputs, stated(function.products, function.outputs, inputs, width), files[0])
    counts = counted(circuit, files[0])
    score = counts["tof"] + counts["cs"] + counts["t"] / 2
    return Verdict((score,), f"{score:g}", circuit.num_qubits)


def stated(products, outputs, inputs: Sequence[int], width: int) -> list[Poly]:  # type: ignore[no-untyped-def]
    """What each wire must end with, as polynomials over the inputs; products are numbered after the wires."""
    places = {wire: place for place, wire in enumerate(inputs)}
    held: list[Poly] = [frozenset({1 << places[wire]}) if wire in places else frozenset() for wire in range(width)]

    def value(parity) -> Poly:  # type: ignore[no-untyped-def]
        found: Poly = frozenset({0} if parity.constant else ())
        for wire in parity.wires:
            found ^= held[wire]
        return found

    for left, right in products:
        held.append(multiply(value(left), value(right)))
    return [value(parity) for parity in outputs]


CONTEST = Contest(
    "Toffolis, measurement allowed",
    {
        "unitary": "the benchmark's unitary, whatever its wires hold; measurement is allowed",
        "clean": "right if the benchmark's wires that are no inputs start at zero; measurement is allowed",
    },
    tuple(dict.fromkeys(name for name, _ in STATED)),
    judge,
    {},
)

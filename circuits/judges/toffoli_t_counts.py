"""T gates of X under n controls with n - 2 further wires, Clifford+T without measurement.

Wires: controls, further wires, target. Source: the tables of circuit optimisers (tof_n and barenco_tof_n).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .base import Contest, Verdict, count, need_wires, read_circuit
from .paths import GATES, ZERO
from .toffoli_measured import counted, prove

ALLOWED = GATES - {"cz", "swap", "cs", "csdg", "cp", "cu1", "ccx", "ccz", "measure", "reset", "if_else"}
SIZES = (3, 4, 5, 10)


def judge(task: str, class_: str, files: Sequence[Path]) -> Verdict:
    """Prove the circuit for zeroed further wires (``clean``) or for any (``restored``)."""
    controls = int(task.rpartition("_")[2])
    width, between = 2 * controls - 1, range(controls, 2 * controls - 2)
    circuit = read_circuit(files[0], ALLOWED)
    need_wires(circuit, files[0], width, width)
    inputs = [wire for wire in range(width) if class_ == "restored" or wire not in between]
    place = {wire: frozenset({1 << number}) for number, wire in enumerate(inputs)}
    wanted = [place.get(wire, ZERO) for wire in range(width)]
    wanted[-1] ^= {sum(1 << inputs.index(wire) for wire in range(controls))}
    prove(circuit, inputs, wanted, files[0])
    counts = counted(circuit, files[0])
    cx = count(circuit)["cx"]
    return Verdict((counts["t"], cx), f"{counts['t']} ({cx} CX)", circuit.num_qubits)


CONTEST = Contest(
    "T, no measurement",
    {
        "restored": "right for any state of the additional wires, which are restored (barenco_tof_n)",
        "clean": "right if the additional wires start at zero (tof_n)",
    },
    tuple(f"{family}_{n}" for family in ("tof", "barenco_tof") for n in SIZES),
    judge,
    {},
)

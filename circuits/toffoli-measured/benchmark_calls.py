"""What a public call makes of the benchmarks that flip one wire and leave all others alone.

Between two H on that wire, `gatesolve.compile` of the condition and of the wire, as a CPMpy model, is the benchmark.
All other benchmarks change several wires in place, which no search does: the call for them is `compute_in_place`, and
what it is given, their products, is what this folder is about.
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path

import cpmpy as cp
from qiskit import QuantumCircuit, qasm3

import gatesolve
from gatesolve.programs import lower_part

Model = tuple[list[cp.expressions.core.Expression], list[str], str]
"""Conditions on wires, all wires in order, and the one that is flipped."""


def _name_wires(controls: int) -> tuple[list[str], str]:
    names = [str(k) for k in range(1, 2 * controls)]
    return names, "4" if controls == 3 else names[-1]


def _tof(controls: int) -> Model:
    """A chain of ANDs, a further wire added to each but the last."""
    names, target = _name_wires(controls)
    between = iter([name for name in names[controls:] if name != target])
    chain = cp.boolvar(name="1") & cp.boolvar(name="2")
    for name in names[2:controls]:
        chain = (chain != cp.boolvar(name=next(between))) & cp.boolvar(name=name)
    return [chain], names, target


def _barenco_tof(controls: int) -> Model:
    names, _ = _name_wires(controls)
    return [cp.boolvar(name=name) for name in names[:controls]], names, names[-1]


def _mod5_4() -> Model:
    b, c, d, e = (cp.boolvar(name=name) for name in "bcde")
    return [(b + 2 * c + 4 * d + 8 * e) % 5 == 0], list("bcdea"), "a"


MODELS = {f"tof_{n}": partial(_tof, n) for n in (3, 4, 5, 10)}
MODELS |= {f"barenco_tof_{n}": partial(_barenco_tof, n) for n in (3, 4, 5, 10)}
MODELS["mod5_4"] = _mod5_4


def call(benchmark: str) -> QuantumCircuit:
    """The benchmark as the call gives it: its wires, then ancillas."""
    conditions, names, target = MODELS[benchmark]()
    program = gatesolve.compile(
        cp.Model(conditions, cp.boolvar(name=target)),
        presolve="none",
        encoding="binary",
        gates="clifford+toffoli",
        optimize="t",
        measured=True,
    ).program
    wires = [names.index(block.variables[0]) for block in program.space.blocks]
    found = QuantumCircuit(len(names) + program.num_ancillas)
    oracle = lower_part(program, "oracle")
    found.add_register(*oracle.cregs)
    found.h(names.index(target))
    found.compose(oracle, [*wires, *range(len(names), found.num_qubits)], found.clbits, inplace=True)
    found.h(names.index(target))
    return found


def score_call(name: str) -> int | None:
    """Toffoli gates of what a call gives, as the judge proves it right and counts it; None where there is no call.

    Raises:
        RefusedError: the circuit is wrong.
    """
    sys.path.append(str(Path(__file__).resolve().parents[1]))
    from judges import CONTESTS  # which load this folder's statements themselves

    if name not in MODELS:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "call.qasm"
        path.write_text(qasm3.dumps(call(name)))
        return int(CONTESTS["toffoli-measured"].judge(name, "unitary", [path]).score[0])

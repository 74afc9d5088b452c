"""What public calls make of the nine oracles from a plain statement.

`gatesolve.xor_oracle` takes the list of marked numbers, `gatesolve.compile` the statement as a CPMpy model, the target
being one more condition: between two H on it the phase of `target and marked` is the oracle. Each is called once for
every budget of `BUDGETS`, for the fewest Toffoli gates, and the least score counts.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import cpmpy as cp
from oracles import LETTERS, ORACLES
from qiskit import QuantumCircuit

import gatesolve
import gatesolve.errors
from gatesolve.programs import lower_part

GATES = "clifford+toffoli"


def _bits(number: int) -> list[cp.expressions.core.Expression]:
    return [cp.boolvar(name=f"x{k}") for k in range(number)]


def _halves(digits: int) -> list[cp.expressions.core.Expression]:
    return [cp.intvar(0, (1 << digits) - 1, name=name) for name in ("low", "high")]


def _unequal() -> list[object]:
    x = _bits(3)
    return [x[0] != x[1], x[1] != x[2]]


def _letters() -> list[object]:
    return [cp.Table([cp.intvar(0, 31, name="number")], [[letter] for letter in LETTERS])]


def _multiple() -> list[object]:
    return [cp.intvar(0, 127, name="number") % 3 == 0]


def _equal_halves() -> list[object]:
    low, high = _halves(3)
    return [(low == high) | ((low == 2) & (high == 5)) | ((low == 5) & (high == 2))]


def _four_bits() -> list[object]:
    x = _bits(8)
    return [x[7], x[4], ~x[5], ~x[1]]


def _contains() -> list[object]:
    x = _bits(7)
    return [cp.any([x[k] & ~x[k + 1] & ~x[k + 2] & x[k + 3] for k in range(4)])]


def _sum() -> list[object]:
    low, high = _halves(4)
    return [low + high == 16]


STATEMENTS: dict[int, Callable[[], list[object]]] = {
    1: _unequal,
    2: _letters,
    3: lambda: [cp.sum(_bits(6)) == 3],
    4: _multiple,
    5: _equal_halves,
    6: _four_bits,
    7: _contains,
    8: lambda: [cp.sum(_bits(7)) >= 4],
    9: _sum,
}
"""The conditions on the inputs."""


BUDGETS = (None, 0, 1, 2, 3, 4, 5)
"""Ancillas allowed: as many as the call likes, then few, as the contest counts wires."""


def xor_circuits(task: int, measured: bool) -> list[QuantumCircuit]:
    """What the calls give for a task: inputs, target, work wires.

    Args:
        task: its number.
        measured: those too whose ANDs are erased by measurement; ``xor_oracle`` has no such option.
    """
    inputs = ORACLES[task].inputs
    table = [ORACLES[task].marked(number) for number in range(1 << inputs)]
    found = list[QuantumCircuit]()
    for ancillas in BUDGETS:
        calls = [partial(_by_table, table), partial(_by_model, STATEMENTS[task](), inputs, False)]
        for call in (*calls, *([partial(_by_model, STATEMENTS[task](), inputs, True)] if measured else [])):
            with suppress(gatesolve.errors.DoesNotFitError):  # with so few ancillas
                found.append(call(ancillas))
    return found


def _by_table(table: list[bool], ancillas: int | None) -> QuantumCircuit:
    return gatesolve.xor_oracle(table, gates=GATES, optimize="t", ancillas=ancillas).circuit


def _by_model(conditions: list[object], inputs: int, measured: bool, ancillas: int | None) -> QuantumCircuit:
    """The phase of the conditions and the target between two H on it, the wires in the contest's order."""
    model = cp.Model(conditions, cp.boolvar(name="t"))
    program = gatesolve.compile(
        model, presolve="none", encoding="binary", gates=GATES, optimize="t", measured=measured, ancillas=ancillas
    ).program
    firsts = {"number": 0, "low": 0, "high": inputs // 2, "t": inputs} | {f"x{k}": k for k in range(inputs)}
    wires = list[int]()
    for number, block in enumerate(program.space.blocks):
        wires += [firsts[block.variables[0]] + k for k in range(len(program.space.block_qubits(number)))]
    ancillas = program.num_qubits - len(wires)
    wires += range(inputs + 1, inputs + 1 + ancillas)
    found = QuantumCircuit(inputs + 1 + ancillas)  # inputs that are never read have a wire too
    found.add_register(*lower_part(program, "oracle").cregs)
    found.h(inputs)
    found.compose(lower_part(program, "oracle"), wires, found.clbits, inplace=True)
    found.h(inputs)
    return found

"""X under 33 to 64 controls without ancillas, beside Qiskit's: ``python circuits/mcx-without-ancillas/make.py``.

Counts `gatesolve.mcx`, Qiskit's construction of linearly many CX, and what Qiskit's `transpile` gives by default, all
in one run, checks ours on drawn inputs, and writes ``results.csv``. ``--only 33 40`` prints rows and writes nothing.

So many qubits have no state vector here. A pair of basis states is put into superposition, run as a matrix product
state, and taken apart again as the gate should have left it: all wires end at zero if both states went where they
should with one phase. The first state of each pair is the one that the gate flips.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections.abc import Iterator
from pathlib import Path

from qiskit import QuantumCircuit, transpile
from qiskit.synthesis import synth_mcx_noaux_hp24
from qiskit_aer import AerSimulator

from gatesolve import mcx

HERE = Path(__file__).resolve().parent
CONTROLS = range(33, 65)
PAIRS = 4
"""Drawn for each number of controls."""
BASIS = ["cx", "u"]
LEVEL = 2
"""Qiskit's own default."""


def row(controls: int) -> dict[str, object]:
    """The counts for one number of controls.

    Raises:
        AssertionError: ours is wrong on a drawn input.
    """
    ours = mcx(controls)
    theirs = transpile(synth_mcx_noaux_hp24(controls), basis_gates=BASIS, optimization_level=1)
    plain = QuantumCircuit(controls + 1)
    plain.mcx(list(range(controls)), controls)
    default, ours_after = (transpile(one, basis_gates=BASIS, optimization_level=LEVEL) for one in (plain, ours))
    for state in draw_states(controls):
        assert is_flipped(ours, state), f"{controls} controls: wrong with {state}"
    found: dict[str, object] = {"controls": controls}
    for name, one in (("", ours), ("hp24_", theirs), ("default_", default), ("transpiled_", ours_after)):
        found |= {f"{name}cx": one.count_ops()["cx"], f"{name}depth": one.depth()}
    return found | {"pairs": PAIRS}


def draw_states(controls: int) -> Iterator[list[bool]]:
    """States that the gate keeps: in half of them one control is 0; target 0 and 1 take turns."""
    draw = random.Random(controls)
    for number in range(PAIRS):
        state = [number < PAIRS // 2 or draw.random() < 0.5 for _ in range(controls)]
        state[draw.randrange(controls)] = False
        yield [*state, number % 2 == 1]


def is_flipped(circuit: QuantumCircuit, other: list[bool]) -> bool:
    """Whether a circuit flips the target under all controls, keeps another state, and gives both one phase."""
    controls = len(other) - 1
    check = superpose([*[True] * controls, False], other)
    check.compose(circuit, inplace=True)
    check.compose(superpose([True] * (controls + 1), other).inverse(), inplace=True)
    check.save_amplitudes([0])
    simulator = AerSimulator(method="matrix_product_state")
    (amplitude,) = simulator.run(check).result().data()["amplitudes"]
    return bool(abs(abs(amplitude) - 1) < 1e-6)


def superpose(first: list[bool], second: list[bool]) -> QuantumCircuit:
    """From zeros the even superposition of two basis states; the second has a 0 where the first has a 1."""
    circuit = QuantumCircuit(len(first))
    differ = [wire for wire, pair in enumerate(zip(first, second, strict=True)) if pair[0] != pair[1]]
    leading = next(wire for wire in differ if first[wire])
    circuit.h(leading)
    for wire in differ:
        if wire != leading:
            circuit.cx(leading, wire)
    circuit.x([wire for wire, value in enumerate(second) if value])
    return circuit


def main() -> None:
    """Measure all rows and write them, or print some."""
    parser = argparse.ArgumentParser(description="X under many controls without ancillas, beside Qiskit's.")
    parser.add_argument("--only", nargs="+", type=int, help="print the rows of these numbers of controls")
    given = parser.parse_args()
    if given.only:
        for controls in given.only:
            print(row(controls))
        return
    rows = [row(controls) for controls in CONTROLS]
    with (HERE / "results.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    print((HERE / "results.csv").read_text(encoding="utf-8"), end="")


if __name__ == "__main__":
    main()

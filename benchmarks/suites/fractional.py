"""Fractional gates of IBM's Heron devices, RZZ and RX of any angle: our circuits with and without them.

    python -m benchmarks fractional --write     the rows, into fractional.csv, which docs/hardware.md shows

K4 and K7, table blocks, no presolve. The SDK's snapshots of Heron devices have no fractional gates: here RZZ is given
the errors and durations of CZ on the same pair, RX those of SX, and RZZ the angles from 0 to pi/2 that devices take.
That they are no worse than these is an assumption in favour of fractional gates. ``fake_fractional`` has its own. Of
each circuit the best compilation by estimated success is shown.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from qiskit.circuit import Parameter
from qiskit.circuit.library import RXGate, RZZGate
from qiskit.providers import BackendV2
from qiskit.transpiler import Target

from benchmarks.core import report
from benchmarks.core.csv_rows import write_lines
from benchmarks.core.places import RESULTS
from benchmarks.suites.hardware import cases
from gatesolve.devices.isa import GATELESS, compile_isa
from gatesolve.devices.providers import fake_backend
from gatesolve.errors import DoesNotFitError
from gatesolve.pipelines.device import IsaCircuit
from gatesolve.pipelines.postprocess import shorten_program

DEVICES = ("fake_fractional", "fake_torino", "fake_fez")
FRACTIONAL = {"rzz": "cz", "rx": "sx"}
"""The gates, and whose errors they get where a snapshot has none of their own."""
HEADER = ("device", "board", "circuit", "2-qubit gates without", "with", "of them RZZ", "no error, without",
          "no error, with")  # fmt: skip
SEEDS = 5
FILE = RESULTS / "fractional.csv"


@dataclass(frozen=True)
class Variant:
    """A device with other gates, as far as compiling asks."""

    name: str
    target: Target

    @property
    def num_qubits(self) -> int:
        """As the device has."""
        return int(self.target.num_qubits)


def leave_out(backend: BackendV2) -> Variant:
    """The device without fractional gates."""
    return _copied(backend, set(FRACTIONAL))


def give(backend: BackendV2) -> Variant:
    """The device with fractional gates, its own if it has them."""
    if "rzz" in backend.target.operation_names:
        return Variant(backend.name, backend.target)
    made = _copied(backend, set())
    made.target.add_instruction(
        RZZGate(Parameter("angle")), dict(backend.target["cz"]), angle_bounds=[(0.0, math.pi / 2)]
    )
    made.target.add_instruction(RXGate(Parameter("angle")), dict(backend.target["sx"]))
    return made


def _copied(backend: BackendV2, without: set[str]) -> Variant:
    """The device's own gates, but for some."""
    old = backend.target
    target = Target(**{name: getattr(old, name) for name in GATELESS})
    for name in sorted(set(old.operation_names) - without):
        operation = old.operation_from_name(name)
        if isinstance(operation, type):
            target.add_instruction(operation, name=name)
        else:
            target.add_instruction(operation, dict(old[name]), name=name)
    return Variant(backend.name, target)


def main(arguments: Sequence[str]) -> int:
    """Measure and print, a line as soon as it is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--write", action="store_true", help="replace fractional.csv")
    chosen = parser.parse_args(arguments)
    seeds = range(chosen.seeds)
    rows = []
    for case in cases(layers=(2,)):
        circuits = shorten_program(case.program).circuits
        for name in DEVICES if case.depth else ():
            backend = fake_backend(name)
            try:
                plain, other = (compile_isa(circuits, one, seeds=seeds) for one in (leave_out(backend), give(backend)))
            except DoesNotFitError:
                continue
            circuit = f"{case.pipeline}, {case.depth} {'layers' if case.pipeline == 'QAOA' else 'iteration'}"
            circuit += "s" * (case.pipeline == "Grover" and case.depth > 1)
            rows.append((name, case.problem, circuit, *_cells(plain, other)))
            sys.stderr.write(f"{rows[-1]}\n")
    sys.stdout.write(f"{report.markdown_table(HEADER, sorted(rows))}\n")
    if chosen.write:
        write_lines(HEADER, sorted(rows), FILE)
    return 0


def _cells(plain: IsaCircuit, other: IsaCircuit) -> tuple[str, ...]:
    rzz = other.circuit.count_ops().get("rzz", 0)
    estimates = ("-" if one.fidelity is None else f"{one.fidelity:.3f}" for one in (plain, other))
    return str(plain.two_qubit), str(other.two_qubit), str(rzz), *estimates

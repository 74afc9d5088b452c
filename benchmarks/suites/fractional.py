"""Fractional gates of IBM's Heron devices, RZZ and RX: our circuits with and without them.

    python -m benchmarks fractional [--only K7 ...] [--seeds N] [--write]      docs/hardware.md shows the rows

K4 and K7, table blocks, no presolve. The SDK's snapshots of Heron devices have no fractional gates: here RZZ is given
the errors and durations of CZ on the same pair, RX those of SX, and RZZ the angles from 0 to pi/2 that devices take.
That they are no worse than these is an assumption in favour of fractional gates. ``fake_fractional`` has its own. Of
each circuit the best compilation by estimated success is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from qiskit.circuit import Parameter
from qiskit.circuit.library import RXGate, RZZGate
from qiskit.providers import BackendV2
from qiskit.transpiler import Target

from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import Asked, Suite
from benchmarks.suites import hardware
from gatesolve.devices import compile_isa, fake_backend
from gatesolve.devices.isa import GATELESS
from gatesolve.errors import DoesNotFitError
from gatesolve.pipelines.device import IsaCircuit
from gatesolve.programs.postprocess import shorten_program

DEVICES = ("fake_fractional", "fake_torino", "fake_fez")
FRACTIONAL = {"rzz": "cz", "rx": "sx"}
"""The gates, and whose errors they get where a snapshot has none of their own."""
SEEDS = 5
TABLE = Table(
    "fractional",
    """
    device   key                             the fake device
    board    key                             K4 or K7
    circuit  key                             pipeline, and iterations or layers
    plain    str [2-qubit gates without]     of the circuit without fractional gates
    given    str [with]                      of the circuit with them
    rzz      str [of them RZZ]               of those
    estimated_plain  str [no error, without]  estimated chance
    estimated_given  str [no error, with]     estimated chance
    """,
)


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


def _cells(plain: IsaCircuit, other: IsaCircuit) -> tuple[str, ...]:
    rzz = other.circuit.count_ops().get("rzz", 0)
    estimates = ("-" if one.fidelity is None else f"{one.fidelity:.3f}" for one in (plain, other))
    return str(plain.two_qubit), str(other.two_qubit), str(rzz), *estimates


def name_circuit(case: hardware.Case) -> str:
    """Return the name of a circuit as the page shows it."""
    what = "layers" if case.pipeline == "QAOA" else "iteration" + "s" * (case.depth > 1)
    return f"{case.pipeline}, {case.depth} {what}"


def measure(name: str, asked: Asked) -> Iterator[Row]:
    """Make the rows of a board, on each device that its circuits fit."""
    for case in hardware.cases((name,), layers=(2,)):
        circuits = shorten_program(case.program).circuits
        for device in DEVICES if case.depth else ():
            backend, seeds = fake_backend(device), range(asked.seeds)
            try:
                plain, other = (compile_isa(circuits, one, seeds=seeds) for one in (leave_out(backend), give(backend)))
            except DoesNotFitError:
                continue
            yield TABLE.row(device, case.problem, name_circuit(case), *_cells(plain, other))


SUITE = Suite(
    TABLE,
    list_cases=lambda: [*hardware.BOARDS],
    measure=measure,
    add_options=lambda parser: parser.add_argument("--seeds", type=int, default=SEEDS),
    order=lambda row: row.cells,
    case_of=lambda row: row.board,
)

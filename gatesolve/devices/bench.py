"""A device's workbench: compiles programs for it and writes the records that decode their counts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qiskit import QuantumCircuit

from gatesolve.devices.isa import compile_isa
from gatesolve.devices.job_request import JobRequest
from gatesolve.devices.mitigation import find_measured_qubits, read_reported_errors, require_mthree
from gatesolve.devices.providers import Device
from gatesolve.errors import DoesNotFitError
from gatesolve.model.presolve import Recovery
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.device import DeviceCircuit, NothingToSearchError, OnDevice, accepted_share, signal_z
from gatesolve.programs.converter import unstructure
from gatesolve.programs.postprocess import Postprocessing, ShortProgram, shorten_program
from gatesolve.programs.program import Program


@dataclass(frozen=True)
class DeviceBench:
    """Implements `gatesolve.pipelines.device.Bench`; its docstrings hold."""

    request: JobRequest
    device: Device
    seed: int
    clock: Clock

    @property
    def backend(self) -> Any:
        """The device as Qiskit sees it; asked for only where circuits are made."""
        return self.device.backend

    def prepare(self, program: Program) -> OnDevice:
        """The program in the device's gates."""
        short = shorten_program(program)
        if not short.reads:
            raise NothingToSearchError(
                "the oracle marks every codeword of the space or none, so there is nothing to search: gatesolve solve "
                "gives the answer, or choose another encoding"
            )
        reads = (parity for op in short.postprocessing.ops for parity in op.reads)
        if self.request.projection == "nearest" and any(parity.wires for parity in reads):
            short = _keep_whole(program)
        with self.clock.stage("device"):
            tried = [self.seed + k for k in range(self.request.seeds)]
            return OnDevice(compile_isa(short.circuits, self.backend, seeds=tried), short.postprocessing, program)

    def record(
        self,
        made: OnDevice,
        recovery: Recovery,
        *,
        what: dict[str, Any],
        ideal: float,
        chance: float,
        marked: int | None,
        ranking: Iterable[tuple[Fraction, int]] = (),
    ) -> DeviceCircuit:
        """The circuit with its record."""
        isa, space = made.isa, made.program.space
        fidelity = isa.fidelity
        expected = None if fidelity is None else accepted_share(fidelity, ideal, chance)
        z = None if fidelity is None else signal_z(fidelity, ideal, chance, self.request.shots)
        record = {
            **what,
            "space": unstructure(space),
            "recovery": unstructure(recovery),
            "postprocessing": unstructure(made.postprocessing),
            "size": space.size,
            "marked": marked,
            "energy_ranking": [[str(energy), number] for energy, number in ranking],
            "readout_errors": self._readout_errors(isa.circuit),
            "estimate": {
                "qubits": len({q for one in isa.circuit.data if one.operation.name != "barrier" for q in one.qubits}),
                "two_qubit": isa.two_qubit,
                "two_qubit_depth": isa.two_qubit_depth,
                "depth": isa.depth,
                "duration": isa.duration,
                "fidelity": fidelity,
                "ideal": ideal,
                "chance": chance,
                "expected": expected,
                "z": None if z is None or math.isinf(z) else z,  # JSON has no infinity
                "source": isa.source,
                "spares": isa.spares,
                "seed": isa.seed,
            },
        }
        return DeviceCircuit(isa.circuit, record)

    def _readout_errors(self, circuit: QuantumCircuit) -> dict[str, Any] | None:
        """Recorded now, because a device's errors are others by the time its counts are read."""
        if not self.request.mitigate:
            return None
        require_mthree()
        errors = read_reported_errors(self.backend, find_measured_qubits(circuit))
        found: dict[str, Any] = unstructure(errors.twirl() if self.request.twirl_measure else errors)
        return found

    def require_signal(self, circuits: tuple[DeviceCircuit, ...]) -> tuple[DeviceCircuit, ...]:
        """Those that can be told from noise, or all if that is forced."""
        kept = tuple(one for one in circuits if one.has_signal)
        if kept or self.request.force:
            return kept or circuits
        best = max(circuits, key=lambda one: one.record["estimate"]["z"])
        found = best.record["estimate"]
        raise DoesNotFitError(
            f"no signal on {self.backend.name}: {found['two_qubit']} two-qubit gates run without an error with "
            f"probability {_format_small(found['fidelity'])}, so {self.request.shots} shots give "
            f"{found['expected'] * 100:.3g} % solutions, and noise alone {found['chance'] * 100:.3g} %: "
            "use a smaller problem, encoding='table', presolve='propagate', fewer iterations or more shots, "
            "or force=True to spend it all the same"
        )


def _keep_whole(program: Program) -> ShortProgram:
    """The program with all its operations: the nearest codeword is that of the space's own bits, so they are measured.

    A flipped bit that operations are then done with would be more than one.
    """
    data = tuple(range(program.space.num_qubits))
    postprocessing = Postprocessing(program.num_qubits, data, (), len(data))
    return ShortProgram(program.ops, program.num_qubits, data, postprocessing, program.metric, program.measured)


def _format_small(value: float) -> str:
    """Two digits, and never nothing: a product of thousands of factors underflows."""
    return f"{value:.2g}" if value > 1e-300 else "below 1e-300"

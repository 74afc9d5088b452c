"""A device's workbench: compiles programs for it and writes the records that decode their counts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qiskit import QuantumCircuit

from gatesolve.circuit import Op, Xor
from gatesolve.devices.isa import IsaCircuit, compile_isa
from gatesolve.devices.mitigation import find_measured_qubits, read_reported_errors, require_mthree
from gatesolve.devices.plan import JobPlan
from gatesolve.devices.providers import Device
from gatesolve.errors import DoesNotFitError
from gatesolve.model.presolve import Recovery
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.converter import unstructure
from gatesolve.pipelines.device import Form, NothingToSearchError
from gatesolve.pipelines.postprocess import Postprocessing, ShortProgram, shorten_program
from gatesolve.pipelines.program import Program
from gatesolve.pipelines.signal import LEAST_Z, accepted_share, signal


@dataclass(frozen=True)
class Prepared:
    """A program for the device."""

    isa: IsaCircuit
    postprocessing: Postprocessing
    program: Program

    @property
    def fidelity(self) -> float | None:
        """Estimated probability that no error happens; None where the device tells no errors."""
        return self.isa.fidelity

    @property
    def seed(self) -> int:
        """Of the layout and routing that were best."""
        return self.isa.seed

    def noise_share(self, numbers: Iterable[int]) -> float:
        """Share of uniformly random measured bits that stand for one of the numbered codewords."""
        # A sum of thirds may round to more than all.
        return min(1.0, self.postprocessing.chance(self.program.space.state(number) for number in numbers))


@dataclass(frozen=True)
class DeviceBench:
    """Implements `gatesolve.pipelines.device.Bench`; its docstrings hold."""

    plan: JobPlan
    device: Device
    seed: int
    clock: Clock

    @property
    def backend(self) -> Any:
        """The device as Qiskit sees it; asked for only where circuits are made."""
        return self.device.backend

    @property
    def shots(self) -> int:
        """Of every circuit."""
        return self.plan.shots

    @property
    def rounds(self) -> int:
        """How often angles are tuned on the device before the last run."""
        return self.plan.rounds

    def prepare(self, program: Program, seeds: Sequence[int] = ()) -> Prepared:
        """The program in the device's gates."""
        short = shorten_program(program)
        if not short.reads:
            raise NothingToSearchError(
                "the oracle marks every codeword of the space or none, so there is nothing to search: gatesolve solve "
                "gives the answer, or choose another encoding"
            )
        if self.plan.projection == "nearest" and any(not _is_constant(op) for op in short.postprocessing.ops):
            short = _keep_whole(program)
        with self.clock.stage("device"):
            tried = seeds or [self.seed + k for k in range(self.plan.seeds)]
            return Prepared(compile_isa(short.circuits, self.backend, seeds=tried), short.postprocessing, program)

    def record(
        self,
        made: Prepared,
        recovery: Recovery,
        *,
        what: dict[str, Any],
        ideal: float,
        chance: float,
        marked: int | None,
        ranking: Iterable[tuple[Fraction, int]] = (),
    ) -> Form:
        """The circuit with its record."""
        isa, space = made.isa, made.program.space
        fidelity = isa.fidelity
        expected = None if fidelity is None else accepted_share(fidelity, ideal, chance)
        z = None if fidelity is None else signal(fidelity, ideal, chance, self.plan.shots).z
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
                "qubits": _count_touched(isa.circuit),
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
        return Form(isa.circuit, record)

    def _readout_errors(self, circuit: QuantumCircuit) -> dict[str, Any] | None:
        """Recorded now, because a device's errors are others by the time its counts are read."""
        if not self.plan.mitigate:
            return None
        require_mthree()
        errors = read_reported_errors(self.backend, find_measured_qubits(circuit))
        found: dict[str, Any] = unstructure(errors.twirled() if self.plan.twirl_measure else errors)
        return found

    def has_signal(self, form: Form) -> bool:
        """Whether more solutions than by guessing are expected; true also where the device tells no errors."""
        z = form.record["estimate"]["z"]
        return z is None or z >= LEAST_Z

    def require_signal(self, forms: tuple[Form, ...]) -> tuple[Form, ...]:
        """Those that can be told from noise, or all if that is forced."""
        kept = tuple(one for one in forms if self.has_signal(one))
        if kept or self.plan.force:
            return kept or forms
        best = max(forms, key=lambda one: one.record["estimate"]["z"])
        found = best.record["estimate"]
        raise DoesNotFitError(
            f"no signal on {self.backend.name}: {found['two_qubit']} two-qubit gates run without an error with "
            f"probability {_format_small(found['fidelity'])}, so {self.plan.shots} shots give "
            f"{found['expected'] * 100:.3g} % solutions, and noise alone {found['chance'] * 100:.3g} %: "
            "use a smaller problem, encoding='table', presolve='propagate', fewer iterations or more shots, "
            "or force=True to spend it all the same"
        )


def _is_constant(op: Op) -> bool:
    return isinstance(op, Xor) and not op.source.wires


def _keep_whole(program: Program) -> ShortProgram:
    """The program with all its operations: the nearest codeword is that of the space's own bits, so they are measured.

    A flipped bit that operations are then done with would be more than one.
    """
    data = tuple(range(program.space.num_qubits))
    postprocessing = Postprocessing(program.num_qubits, data, (), len(data))
    return ShortProgram(program.ops, program.num_qubits, data, postprocessing, program.objective, program.measured)


def _count_touched(circuit: QuantumCircuit) -> int:
    """Qubits of the device that anything is done to."""
    return len({qubit for i in circuit.data if i.operation.name != "barrier" for qubit in i.qubits})


def _format_small(value: float) -> str:
    """Two digits, and never nothing: a product of thousands of factors underflows."""
    return f"{value:.2g}" if value > 1e-300 else "below 1e-300"

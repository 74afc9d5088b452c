"""What a search sends next: circuits compiled for the device, with all that decodes and judges them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qiskit import QuantumCircuit

from gatesolve.api.options import Options
from gatesolve.api.problem import Problem
from gatesolve.circuit import Op, Xor
from gatesolve.devices.fidelity import LEAST_Z, accepted_share, signal
from gatesolve.devices.isa import IsaCircuit, compile_isa
from gatesolve.devices.jobs.converter import unstructure
from gatesolve.devices.mitigation import measured_qubits, reported_errors, require_mthree
from gatesolve.devices.plan import JobPlan
from gatesolve.devices.providers import Device
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.model.presolve import Recovery
from gatesolve.pipelines import Program
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.postprocess import Postprocessing, ShortProgram, shorten_program


@dataclass(frozen=True)
class Asked:
    """What a search is made from.

    Attributes:
        problem: to be solved.
        options: how.
        plan: and with how many shots.
        device: it runs there.
        clock: times the stages.
    """

    problem: Problem
    options: Options
    plan: JobPlan
    device: Device
    clock: Clock

    @property
    def backend(self) -> Any:
        """The device as Qiskit sees it; asked for only where circuits are made."""
        return self.device.backend


class NothingToSearchError(InputError):
    """The oracle is the same for all codewords, so that no qubit need be measured."""


@dataclass(frozen=True)
class Prepared:
    """A program for the device.

    Attributes:
        isa: in the device's gates, on its qubits.
        postprocessing: what is done on the measured bits.
        program: what it computes.
    """

    isa: IsaCircuit
    postprocessing: Postprocessing
    program: Program


@dataclass(frozen=True)
class Form:
    """A circuit for the device and its record.

    Attributes:
        circuit: the device can run it as it is.
        record: plain data: how its counts are decoded, what it was estimated to give.
    """

    circuit: QuantumCircuit
    record: dict[str, Any]


def prepared(asked: Asked, program: Program, seeds: Sequence[int] = ()) -> Prepared:
    """The program in the device's gates: the best of several ways to write it, seeds and numbers of spare qubits.

    Args:
        asked: for which device.
        program: what is to be measured.
        seeds: of the compilations; those of the plan where there are none.

    Raises:
        DoesNotFitError: it is wider than the device.
        NothingToSearchError: nothing of it need be measured.
    """
    short = shorten_program(program)
    if not short.reads:
        raise NothingToSearchError(
            "the oracle marks every codeword of the space or none, so there is nothing to search: gatesolve solve "
            "gives the answer, or choose another encoding"
        )
    if asked.plan.projection == "nearest" and any(not _is_constant(op) for op in short.postprocessing.ops):
        short = _whole(program)
    with asked.clock.stage("device"):
        tried = seeds or [asked.options.seed + k for k in range(asked.plan.seeds)]
        return Prepared(compile_isa(short.circuits, asked.backend, seeds=tried), short.postprocessing, program)


def _is_constant(op: Op) -> bool:
    return isinstance(op, Xor) and not op.source.wires


def _whole(program: Program) -> ShortProgram:
    """The program with all its operations: the nearest codeword is that of the space's own bits, so they are measured.

    A flipped bit that operations are then done with would be more than one.
    """
    data = tuple(range(program.space.num_qubits))
    postprocessing = Postprocessing(program.num_qubits, data, (), len(data))
    return ShortProgram(program.ops, program.num_qubits, data, postprocessing, program.objective, program.measured)


def form(
    asked: Asked,
    made: Prepared,
    recovery: Recovery,
    *,
    what: dict[str, Any],
    ideal: float,
    chance: float,
    marked: int | None,
    ranking: Iterable[tuple[Fraction, int]] = (),
) -> Form:
    """The record of a prepared circuit.

    Args:
        asked: what it is for.
        made: the circuit.
        recovery: undoes presolve.
        what: what tells it apart: iterations, layers, a threshold.
        ideal: probability of a solution without noise.
        chance: of measured bits that are nothing but noise.
        marked: how many codewords are solutions; None when unknown.
        ranking: energies of codewords that break nothing, best first, with how many have each; where there is
            something to be made small or large.
    """
    isa, space = made.isa, made.program.space
    fidelity = isa.fidelity
    expected = None if fidelity is None else accepted_share(fidelity, ideal, chance)
    z = None if fidelity is None else signal(fidelity, ideal, chance, asked.plan.shots).z
    record = {
        **what,
        "space": unstructure(space),
        "recovery": unstructure(recovery),
        "postprocessing": unstructure(made.postprocessing),
        "size": space.size,
        "marked": marked,
        "energy_ranking": [[str(energy), number] for energy, number in ranking],
        "readout_errors": _readout_errors(asked, isa.circuit),
        "estimate": {
            "qubits": _touched(isa.circuit),
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


def _touched(circuit: QuantumCircuit) -> int:
    """Qubits of the device that anything is done to."""
    return len({qubit for i in circuit.data if i.operation.name != "barrier" for qubit in i.qubits})


def noise_share(made: Prepared, numbers: Iterable[int]) -> float:
    """Share of uniformly random measured bits that stand for one of the numbered codewords."""
    # A sum of thirds may round to more than all.
    return min(1.0, made.postprocessing.chance(made.program.space.state(number) for number in numbers))


def _readout_errors(asked: Asked, circuit: QuantumCircuit) -> dict[str, Any] | None:
    """Recorded now, because a device's errors are others by the time its counts are read.

    Raises:
        UnsupportedError: it reports none, or mthree, which will use them, is not installed.
    """
    if not asked.plan.mitigate:
        return None
    require_mthree()
    errors = reported_errors(asked.backend, measured_qubits(circuit))
    found: dict[str, Any] = unstructure(errors.twirled() if asked.plan.twirl_measure else errors)
    return found


def has_signal(one: Form) -> bool:
    """Whether the circuit is expected to show more solutions than guessing; also where the device tells no errors."""
    z = one.record["estimate"]["z"]
    return z is None or z >= LEAST_Z


def require_signal(forms: tuple[Form, ...], asked: Asked) -> tuple[Form, ...]:
    """Those that can be told from noise, or all if that is forced.

    Raises:
        DoesNotFitError: none can; says what would help.
    """
    kept = tuple(one for one in forms if has_signal(one))
    if kept or asked.plan.force:
        return kept or forms
    best = max(forms, key=lambda one: one.record["estimate"]["z"])
    found = best.record["estimate"]
    raise DoesNotFitError(
        f"no signal on {asked.backend.name}: {found['two_qubit']} two-qubit gates run without an error with "
        f"probability {_small(found['fidelity'])}, so {asked.plan.shots} shots give {found['expected'] * 100:.3g} % "
        f"solutions, and noise alone {found['chance'] * 100:.3g} %: use a smaller problem, encoding='table', "
        "presolve='propagate', fewer iterations or more shots, or force=True to spend it all the same"
    )


def _small(value: float) -> str:
    """Two digits, and never nothing: a product of thousands of factors underflows."""
    return f"{value:.2g}" if value > 1e-300 else "below 1e-300"


def require_search(num_qubits: int, presolve: str) -> None:
    """Refuse circuits without qubits.

    Raises:
        InputError: nothing is left to search.
    """
    if num_qubits == 0:
        raise InputError(
            f"presolve {presolve} leaves nothing to search, so there is no circuit to send: "
            "gatesolve solve gives the answer, or send the puzzle as it stands with presolve='none'"
        )


@dataclass(frozen=True)
class End:
    """A search has nothing more to send.

    Attributes:
        note: what is to be said of how it ended beside what was found; empty for nothing.
    """

    note: str = ""

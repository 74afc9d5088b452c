"""Messages between a pipeline and a device: circuits and their records one way, measured states the other.

A pipeline knows no device. It is handed a `Bench` that compiles its programs for one, and rounds that were measured;
it answers with the next circuits, or the end. So a search on a device is a function of what was measured so far, and
is stopped and continued at any point.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from qiskit import QuantumCircuit

from gatesolve.errors import InputError
from gatesolve.model.presolve import Recovery
from gatesolve.pipelines.task import Encoded
from gatesolve.programs.postprocess import Postprocessing
from gatesolve.programs.program import Program

LEAST_Z = 3.0
"""Standard deviations above chance from which a circuit is said to give signal."""


class NothingToSearchError(InputError):
    """The oracle is the same for all codewords, so that no qubit need be measured."""


def accepted_share(fidelity: float, ideal: float, chance: float) -> float:
    """Expected share of accepted shots: without an error ``ideal``, with one as uniform noise has it, ``chance``."""
    return fidelity * ideal + (1 - fidelity) * chance


def signal_z(fidelity: float, ideal: float, chance: float, shots: int) -> float:
    """The expected surplus of accepted shots over chance, in standard deviations of the number that comes by chance.

    That is ``shots (share - chance) / sqrt(shots chance (1 - chance))`` for the `accepted_share`; infinite where chance
    alone accepts nothing, or everything, and the surplus is positive.
    """
    above = shots * (accepted_share(fidelity, ideal, chance) - chance)
    spread = math.sqrt(shots * chance * (1 - chance))
    return above / spread if spread else math.inf if above > 0 else 0.0


@dataclass(frozen=True)
class IsaCircuit:
    """A circuit that a device can run as it is.

    Attributes:
        circuit: on the device's qubits, in its gates.
        two_qubit: gates on two qubits; of a branch that depends on a measurement the worst case.
        two_qubit_depth: layers of those.
        depth: layers of all gates and measurements, the same way.
        fidelity: estimated chance that no error happens; None where the device reports no errors.
        duration: in seconds, where the device says how long gates take.
        source: name of the circuit it was compiled from.
        spares: idle qubits that were offered as ancillas.
        seed: of the compilation.
    """

    circuit: QuantumCircuit
    two_qubit: int
    two_qubit_depth: int
    depth: int
    fidelity: float | None
    duration: float | None
    source: str
    spares: int
    seed: int

    @property
    def rank(self) -> tuple[float, int, int]:
        """The smaller, the better: by fidelity, or two-qubit gates where there is none."""
        return (-(self.fidelity or 0.0), self.two_qubit, self.two_qubit_depth)


@dataclass(frozen=True)
class OnDevice:
    """A program in a device's gates, on its qubits, and what is done on the measured bits."""

    isa: IsaCircuit
    postprocessing: Postprocessing
    program: Program

    def noise_share(self, numbers: Iterable[int]) -> float:
        """Share of uniformly random measured bits that stand for one of the numbered codewords."""
        # A sum of thirds may round to more than all.
        return min(1.0, self.postprocessing.chance(self.program.space.state(number) for number in numbers))


@dataclass(frozen=True)
class DeviceCircuit:
    """A circuit that the device can run as it is; how its counts are decoded and what it was estimated to give."""

    circuit: QuantumCircuit
    record: dict[str, Any]

    @property
    def has_signal(self) -> bool:
        """Whether more solutions than by guessing are expected; true also where the device tells no errors."""
        z = self.record["estimate"]["z"]
        return z is None or z >= LEAST_Z


class Bench(Protocol):
    """Compiles programs for one device."""

    def prepare(self, program: Program) -> OnDevice:
        """The program in the device's gates: the best of several ways to write it, seeds and numbers of spare qubits.

        Raises:
            DoesNotFitError: it is wider than the device.
            NothingToSearchError: nothing of it need be measured.
        """

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
        """The circuit with its record.

        Args:
            made: what `prepare` gave.
            recovery: undoes presolve.
            what: what tells it apart: iterations, layers, a threshold.
            ideal: probability of a solution without noise.
            chance: of measured bits that are nothing but noise.
            marked: how many codewords are solutions; None when unknown.
            ranking: energies of codewords that break nothing, best first, with how many have each.
        """

    def require_signal(self, circuits: tuple[DeviceCircuit, ...]) -> tuple[DeviceCircuit, ...]:
        """Those that can be told from noise, or all if that is forced.

        Raises:
            DoesNotFitError: none can; says what would help.
        """


@dataclass(frozen=True)
class Shots:
    """The measurements of one circuit: its record, and the count of each basis state of the space's qubits."""

    record: Mapping[str, Any]
    states: Mapping[int, int]


@dataclass(frozen=True)
class Round:
    """The measurements of one job: ``search`` is the key of its search, ``shots`` were asked for of every circuit."""

    search: str
    shots: int
    circuits: tuple[Shots, ...]


@dataclass(frozen=True)
class End:
    """A search has nothing more to send; ``note`` says how it ended beside what was found."""

    note: str = ""


NextCircuits: TypeAlias = tuple[DeviceCircuit, ...] | End
"""What a pipeline answers to the rounds that were measured."""


def require_search(num_qubits: int, presolve: str) -> None:
    """Refuse circuits without qubits: nothing is left to search."""
    if num_qubits == 0:
        bare = presolve == "none"
        nothing = "there is nothing to search" if bare else f"presolve {presolve} leaves nothing to search"
        other = "" if bare else ", or send the puzzle as it stands with presolve='none'"
        raise NothingToSearchError(
            f"{nothing}, so there is no circuit to send: gatesolve solve gives the answer{other}"
        )


def describe_encoded(found: Encoded) -> dict[str, Any]:
    """Return presolve, encoding, level and notes, without which a count means nothing."""
    notes = list(found.notes)
    return {"presolve": found.presolve, "encoding": found.encoding, "level": found.level, "notes": notes}

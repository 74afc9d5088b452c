"""The base class of operations: the methods that simulators, lowering, counting, export and drawing call.

Annotations of operations are `Any` here, because the kinds are defined on top of this module (`gatesolve.circuit.ops`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from gatesolve.circuit.gates import LowGate
from gatesolve.circuit.parity import Parity
from gatesolve.gate_sets import GateSetFacts

V = TypeVar("V", bound=Any)
Places = Sequence[int] | dict[int, int]
"""The new wire for each wire."""
Phases = tuple[tuple[int, tuple[Parity, ...]], ...]
"""Powers of i, each with the parities that must all be 1."""
Expand = Callable[[Sequence[int], Sequence[int], Sequence[int], Any], tuple[Any, ...] | None]
"""A rule: qubits of a multi-controlled Z, clean and borrowed ancillas, and the aim -> operations, or None."""


class OpCounts(NamedTuple):
    """Gates of an operation before lowering's passes; a rotation that is approximated counts as its T gates."""

    cx: int
    t: int
    toffoli: int


class Aim(Protocol):
    """A protocol: the part of `LoweringTarget` that operations use."""

    @property
    def metric(self) -> str:
        """The count that is saved."""

    @property
    def facts(self) -> GateSetFacts:
        """The gate set."""

    def others(self, taken: Iterable[int]) -> tuple[int, ...]:
        """Return the qubits of the circuit that are not ``taken``."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """An operation as it is drawn: a dot on each wire that it reads, a sign on the wire that it changes.

    The kind is the group that a drawing may give a colour, the sign one or two characters or the name of a gate. The
    target is None where only a phase changes. A drawing that shows negations takes them from the parities ``inputs``.
    """

    kind: Literal["and", "undo", "xor", "phase", "gate"]
    sign: str
    inputs: tuple[Parity, ...]
    target: int | None

    @property
    def dots(self) -> tuple[int, ...]:
        """The wires that are read, each once."""
        return tuple(dict.fromkeys(wire for parity in self.inputs for wire in parity.wires))


class Exporter(Protocol):
    """A writer of operations in a library or format that has gates with many controls."""

    def write_gates(self, op: Any) -> None:
        """Write an operation by its gates of one and two qubits."""

    def write_whole(self, op: Any) -> None:
        """Write an operation with a relative phase, named where there are own names."""

    def write_mcx(self, op: Any) -> None:
        """Write an X with controls."""

    def write_flip(self, op: Any) -> None:
        """Write a phase -1 on a conjunction."""


class Operation(ABC):
    """Base class of operations, with defaults that are right for most.

    Two definitions give its meaning on basis states: `flip` with `phases`, and `gates`. The conformance test
    (tests/conformance/test_operations.py) compares them, and every consumer with both.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def reads(self) -> tuple[Parity, ...]:
        """The parities that are read, in the order of the fields; none of a gate."""

    @property
    @abstractmethod
    def changed(self) -> tuple[int, ...]:
        """The wires whose bits may change; only one where a bit is flipped."""

    @property
    def lent(self) -> tuple[int, ...]:
        """Ancillas at zero that may be borrowed, and are returned at zero: those of a field ``clean``."""
        return getattr(self, "clean", ())

    @property
    def wires(self) -> tuple[int, ...]:
        """All wires that are read or changed, each once; ancillas lent are not among them."""
        return tuple(dict.fromkeys((*(wire for parity in self.reads for wire in parity.wires), *self.changed)))

    @abstractmethod
    def renamed(self, wires: Places) -> Any:
        """Return the operation with each qubit ``q`` replaced by ``wires[q]``."""

    @abstractmethod
    def inverse(self) -> Any:
        """Return the operation that undoes this one."""

    @property
    def is_diagonal(self) -> bool:
        """Whether only phases change."""
        return False

    @property
    def is_mixing(self) -> bool:
        """Whether basis states become superpositions."""
        return False

    def flip(self, of: Callable[[Parity], V], product: Callable[[list[V]], V], one: V) -> V:
        """Return what is XORed onto the changed wire, in values of any kind: planes of bits, or symbols.

        ``of`` returns the value of a parity on entry, ``product`` the AND of values, and ``one`` is the value 1.

        Raises:
            TypeError: no bit is flipped, or basis states become superpositions.
        """
        raise TypeError(f"{self} does not map basis states to basis states by flipping a bit")

    @property
    @abstractmethod
    def phases(self) -> Phases:
        """Powers of i, each with the parities that all have to be 1 on entry.

        Raises:
            TypeError: phases are finer, or basis states become superpositions.
        """

    @property
    def product(self) -> tuple[Parity, ...]:
        """The one or two factors whose product is XORed onto the target where measuring it can take that back."""
        return ()

    @property
    def is_and(self) -> bool:
        """Whether an AND of two parities is XORed onto the target that measuring it can take back."""
        return len(self.product) == 2

    def on_bits(self) -> Any:
        """Return the effect on measured bits: without phases, lent qubits and order of gates; None without any.

        Raises:
            TypeError: the class does not define it.
        """
        if not self.is_diagonal:
            raise TypeError(f"{self} has no effect on bits defined")
        return None

    def without_phase(self, zero_before: bool, zero_after: bool) -> tuple[Any, ...]:
        """Return equal operations for gate sets in which an AND is a Toffoli gate, without a relative phase.

        ``zero_before`` and ``zero_after`` say whether the target is known to be zero then.

        Raises:
            DoesNotFitError: there are none.
        """
        return (self,)

    def as_flip(self) -> tuple[tuple[Any, ...], Any] | None:
        """Return gates and a phase flip, equal to this operation as gates, flip, gates; None where there are none."""
        return None

    def as_ands(self, wire: int) -> tuple[Any, ...]:
        """Return operations that are equal up to phases, of which every AND can be erased by measurement.

        Args:
            wire: a qubit at zero, for what takes one; it is zero again after the inverse of what is returned.
        """
        return (self,)

    @abstractmethod
    def gates(self, aim: Aim, expand: Expand | None) -> Iterator[LowGate]:
        """Yield gates over h, x, z, s, sdg, t, tdg, ry, rz, p, cx; with Toffoli gates in the gate set also ccx.

        ``expand`` writes multi-controlled Z over four qubits or more, ``mcz_noaux`` where it cannot.
        """

    @property
    def uses(self) -> tuple[int, ...]:
        """How often each parity that is read is XORed onto the target, where CX from its wires do that."""
        return ()

    @property
    @abstractmethod
    def counts(self) -> OpCounts:
        """CX, T, and Toffoli gates where none is written out, if every multi-controlled gate finds a clean ancilla."""

    @property
    def title(self) -> str:
        """The name under which circuits keep the operation whole; empty where they do not."""
        return ""

    @abstractmethod
    def glyph(self) -> Glyph:
        """Return how the operation is drawn, on the page, in the picture of the README and anywhere else."""

    @abstractmethod
    def export(self, to: Exporter) -> None:
        """Call the method of an exporter that writes this operation."""

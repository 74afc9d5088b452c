"""The operations that oracles are written in: each class is the only definition of its operation.

Every operation, except for some kinds of `Gate`, maps a basis state to a basis state times a power of i. So a list of
them is checked on many inputs at once with bitwise operations (`gatesolve.circuit.simulate`). Qubits are integers.

A new operation is a subclass of `Operation` and a member of `Op`: a class that lacks a method cannot be instantiated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from gatesolve.circuit import gates as low
from gatesolve.circuit.gates import LowGate
from gatesolve.circuit.operation import Aim, Expand, Exporter, Glyph, OpCounts, Operation, Phases, Places
from gatesolve.circuit.parity import Parity, independent_parities
from gatesolve.errors import DoesNotFitError

V = TypeVar("V", bound=Any)
NO_TOFFOLI = "an oracle made for few CX has gates that are not Toffoli gates: compile it with gates='clifford+toffoli'"


class _Written(Operation):
    """An operation that changes one wire by a function of others, by CX from their wires and gates on the target."""

    __slots__ = ()
    target: int
    _t = _toffoli = 0

    @property
    def changed(self) -> tuple[int, ...]:
        return (self.target,)

    def reading(self, *parities: Parity) -> Any:
        """Return the same operation of other parities."""
        return cast("Any", type(self))(*parities, self.target)

    def renamed(self, wires: Places) -> Any:
        return cast("Any", type(self))(*(parity.renamed(wires) for parity in self.reads), wires[self.target])

    def export(self, to: Exporter) -> None:
        to.write_whole(self)

    @property
    def counts(self) -> OpCounts:
        cx = sum(times * len(parity.wires) for times, parity in zip(self.uses, self.reads, strict=True))
        return OpCounts(cx, self._t, self._toffoli)


@dataclass(frozen=True, slots=True)
class Xor(_Written):
    """``target ^= source``: CX from every wire of the parity, X for its constant."""

    source: Parity
    target: int

    @property
    def reads(self) -> tuple[Parity, ...]:
        return (self.source,)

    product = reads

    def inverse(self) -> Xor:
        return self

    def flip(self, of: Callable[[Parity], V], product: Callable[[list[V]], V], one: V) -> V:
        return of(self.source)

    phases = ()

    def on_bits(self) -> Xor:
        return self

    def gates(self, aim: Aim, expand: Expand | None) -> Iterator[LowGate]:
        yield from low.toggle(self.source, self.target)

    uses = (1,)

    def glyph(self) -> Glyph:
        return Glyph("xor", "+", self.reads, self.target)

    def export(self, to: Exporter) -> None:
        to.write_gates(self)


@dataclass(frozen=True, slots=True)
class And(_Written):
    """``target ^= left & right`` up to the relative phase of Margolus' gate.

    Let L and R be the controls' values and t the target's on entry. The state gains -1 at (L, R, t) = (1, 0, 1), i at
    (1, 1, 0) and -i at (1, 1, 1). The operation is its own inverse, so a compute/uncompute pair leaves no phase.
    ``undo`` marks the uncomputing one: it only reverses the gate order, so that neighbours cancel.

    Cost: 3 CX and 4 T, plus one CX for each further wire of ``left`` and two for each of ``right``.
    Source: Barenco et al., quant-ph/9503016, section VI.B; Maslov, 1508.03273, section III.
    """

    left: Parity
    right: Parity
    target: int
    undo: bool = False

    @property
    def reads(self) -> tuple[Parity, ...]:
        return self.left, self.right

    product = reads

    def reading(self, *parities: Parity) -> And:
        left, right = parities
        return And(left, right, self.target, self.undo)

    def renamed(self, wires: Places) -> And:
        return And(self.left.renamed(wires), self.right.renamed(wires), wires[self.target], self.undo)

    def inverse(self) -> And:
        return And(self.left, self.right, self.target, not self.undo)

    def flip(self, of: Callable[[Parity], V], product: Callable[[list[V]], V], one: V) -> V:
        return product([of(self.left), of(self.right)])

    @property
    def phases(self) -> Phases:
        return (1, (self.left, self.right)), (2, (self.left, Parity((self.target,))))

    def on_bits(self) -> And:
        return And(self.left, self.right, self.target)

    def without_phase(self, zero_before: bool, zero_after: bool) -> Ops:
        """Return operations equal to this one, phase included, in which an AND is a plain Toffoli gate."""
        turn, turn_back = Gate("s", (self.target,)), Gate("sdg", (self.target,))
        # With t = 0 before, only the phase i at (1, 1, 0) occurs; the target is then 1, so an S on it adds that phase.
        # In general sdg and S also give -i at (1, 1, 1), and the flip gives -1 at (1, 0, 1).
        if zero_before:
            return self, turn
        if zero_after:
            return turn_back, self
        return PhaseFlip((self.left, self.right.negated(), Parity((self.target,)))), turn_back, self, turn

    def gates(self, aim: Aim, expand: Expand | None) -> Iterator[LowGate]:
        """Yield Margolus' gate; with Toffoli gates a ``ccx`` without a phase (`without_phase`)."""
        if aim.facts.has_toffoli:
            yield from self._ccx(aim)
            return
        match self.reads:
            case Parity((first,)), Parity((second,)) if aim.metric == "t_depth" and first != second:
                made = low.margolus_in_one_layer(self.left, self.right, self.target)
            case _:
                made = low.margolus(self.left, self.right, self.target)
        yield from low.reverse_gates(made) if self.undo else made

    def _ccx(self, aim: Aim) -> Iterator[LowGate]:
        """One CCX, its controls made in place and taken off again."""
        # A CCX needs two different wires, while the parities of an AND may share some.
        sides = independent_parities(self.reads)
        if sides is None:
            return
        if len(sides) < 2:
            yield from Xor(sides[0] if sides else Parity((), True), self.target).gates(aim, None)
            return
        make = list(emit_gates(make_in_place(sides), aim, None))
        yield from (*make, ("ccx", (sides[0].wires[0], sides[1].wires[0], self.target), 0.0), *reversed(make))

    uses = 1, 2
    _t, _toffoli = 4, 1

    @property
    def title(self) -> str:
        return "and_dg" if self.undo else "and"

    def glyph(self) -> Glyph:
        return Glyph("undo" if self.undo else "and", "†" if self.undo else "∧", self.reads, self.target)


@dataclass(frozen=True, slots=True)
class AndNot(_Written):
    """``target ^= head & ~(left & right)`` up to a relative phase, without an ancilla for the inner AND.

    The operation is its own inverse.

    Cost: 5 CX and 8 T, plus one CX for each further wire of ``head`` and two for each of ``left`` and ``right``. Two
    ANDs take 6 CX and 8 T.
    Source: our own. Numerical search finds no circuit with four CX onto the target (`python -m benchmarks fewest-cx`).
    """

    head: Parity
    left: Parity
    right: Parity
    target: int

    @property
    def reads(self) -> tuple[Parity, ...]:
        return self.head, self.left, self.right

    def inverse(self) -> AndNot:
        return self

    def flip(self, of: Callable[[Parity], V], product: Callable[[list[V]], V], one: V) -> V:
        inner: V = product([of(self.left), of(self.right)])
        return product([of(self.head), inner ^ one])

    @property
    def phases(self) -> Phases:
        head, left, right = self.reads
        return (
            (1, (head, left, right.negated())),
            (2, (head, left.negated(), right)),
            (2, (head, left, Parity((self.target,)))),
        )

    def on_bits(self) -> AndNot:
        return self

    def without_phase(self, zero_before: bool, zero_after: bool) -> Ops:
        raise DoesNotFitError(NO_TOFFOLI)

    def gates(self, aim: Aim, expand: Expand | None) -> Iterator[LowGate]:
        """Yield rotations of the target's axis, CX from the head, and the rotations undone."""
        wire = (self.target,)
        head, left, right = (low.toggle(parity, self.target) for parity in self.reads)
        first, middle = (low.name_gates((n, wire) for n in names) for names in (("h", "t"), ("tdg", "h", "tdg")))
        # The head's X acts about the rotated axis: as X, -X, Y or Z for (left, right) = (0, 0), (0, 1), (1, 0), (1, 1).
        # Only Z, where both are 1, leaves the bit unchanged.
        turns = [*first, *right, *middle, *left, ("t", wire, 0.0)]
        yield from (*turns, *head, *low.reverse_gates(turns))

    def as_ands(self, wire: int) -> tuple[And, And]:
        """Return two ANDs by a wire at zero, which holds the inner one afterwards."""
        return And(self.left, self.right, wire), And(self.head, Parity((wire,), True), self.target)

    uses = 1, 2, 2
    _t = _toffoli = 8
    title = "and_not"

    def glyph(self) -> Glyph:
        return Glyph("and", "∧¬", self.reads, self.target)


@dataclass(frozen=True, slots=True)
class Mux(_Written):
    """``target ^= yes if choice else no`` up to a relative phase; if ``no`` is the constant 0, it is an `And`.

    The state gains i if the chosen value is 1, or -i if ``choice``, ``yes`` and ``no`` are all 1. It also gains -1 if
    the target is 1 on entry and ``yes`` and ``no`` differ. The inverse swaps ``yes`` and ``no`` and negates ``choice``.

    Cost: 4 CX and 4 T, plus one CX for each further wire of ``yes`` and ``no`` and two for each of ``choice``. An AND
    and an XOR take 5 CX. A majority of three, by ``a ^ b`` between ``c`` and ``a``, takes 6.
    Source: our own; the rotations of Margolus' gate along a walk over the signs of b, 1, a and their products with p.
    """

    choice: Parity
    yes: Parity
    no: Parity
    target: int

    @property
    def reads(self) -> tuple[Parity, ...]:
        return self.choice, self.yes, self.no

    def inverse(self) -> Mux:
        return Mux(self.choice.negated(), self.no, self.yes, self.target)

    def flip(self, of: Callable[[Parity], V], product: Callable[[list[V]], V], one: V) -> V:
        no: V = of(self.no)
        changed: V = no ^ product([of(self.choice), of(self.yes) ^ no])
        return changed

    @property
    def phases(self) -> Phases:
        choice, yes, no = self.reads
        return (
            (1, (choice, yes)),
            (2, (choice, yes, no)),
            (1, (choice.negated(), no)),
            (2, (yes ^ no, Parity((self.target,)))),
        )

    def on_bits(self) -> Mux:
        return self.inverse() if self.choice.constant else self

    def without_phase(self, zero_before: bool, zero_after: bool) -> Ops:
        raise DoesNotFitError(NO_TOFFOLI)

    def gates(self, aim: Aim, expand: Expand | None) -> Iterator[LowGate]:
        """Yield rotations about the axis of H with CX between them."""
        wire, turned = (self.target,), False
        yield from low.name_gates((("h", wire), ("t", wire)))
        for parity, turn in zip((*self.reads, self.choice), ("tdg", "s", "tdg", "tdg"), strict=True):
            yield from low.toggle(Parity(parity.wires), self.target)
            # An X for the constant is not written: commuted to the end, it inverts all later rotations.
            turned ^= parity.constant
            yield low.INVERSE_NAMES[turn] if turned else turn, wire, 0.0
        yield from low.name_gates([("h", wire), *([("z", wire)] if self.yes.constant != self.no.constant else [])])

    def as_ands(self, wire: int) -> tuple[And, Xor]:
        """Return an AND and what is added to it."""
        return And(self.yes ^ self.no, self.choice, self.target), Xor(self.no, self.target)

    uses = 2, 1, 1
    _t, _toffoli = 4, 1
    title = "mux"

    def glyph(self) -> Glyph:
        return Glyph("and", "?:", self.reads, self.target)


@dataclass(frozen=True, slots=True)
class Mcx(Operation):
    """``target ^= 1`` where every control has its value; exact, no relative phase.

    Attributes:
        controls: ``(qubit, value)`` pairs.
        target: the qubit flipped.
        clean: ancillas that are zero at this point and may be borrowed (returned zero).
    """

    controls: tuple[tuple[int, bool], ...]
    target: int
    clean: tuple[int, ...] = ()

    @property
    def literals(self) -> tuple[Parity, ...]:
        """The controls as parities: the target is flipped where all are 1."""
        return tuple(Parity((qubit,), not value) for qubit, value in self.controls)

    reads = literals

    @property
    def changed(self) -> tuple[int, ...]:
        return (self.target,)

    def renamed(self, wires: Places) -> Mcx:
        controls = tuple((wires[qubit], value) for qubit, value in self.controls)
        return Mcx(controls, wires[self.target], tuple(wires[qubit] for qubit in self.clean))

    def inverse(self) -> Mcx:
        return self

    def flip(self, of: Callable[[Parity], V], product: Callable[[list[V]], V], one: V) -> V:
        return product(list(map(of, self.literals)))

    phases = ()

    def on_bits(self) -> Mcx:
        return Mcx(self.controls, self.target)

    def as_flip(self) -> tuple[Ops, PhaseFlip] | None:
        """Return a flip between two H for two controls or more; fewer are a CX or an X."""
        return self._between() if len(self.controls) > 1 else None

    def _between(self) -> tuple[Ops, PhaseFlip]:
        turn = Gate("h", (self.target,))
        return (turn,), PhaseFlip((*self.literals, Parity((self.target,))), self.clean)

    def gates(self, aim: Aim, expand: Expand | None) -> Iterator[LowGate]:
        turns, flip = self._between()
        yield from emit_gates((*turns, flip, *turns), aim, expand)

    @property
    def counts(self) -> OpCounts:
        number = len(self.controls)
        return OpCounts(*low.count_controlled(number + 1), max(2 * number - 3, 0))

    def glyph(self) -> Glyph:
        return Glyph("and", "+", self.reads, self.target)

    def export(self, to: Exporter) -> None:
        to.write_mcx(self)


@dataclass(frozen=True, slots=True)
class PhaseFlip(Operation):
    """Phase -1 where every factor is 1 (no factors: a global -1).

    Attributes:
        factors: parities over qubits.
        clean: ancillas that are zero at this point and may be borrowed (returned zero).
    """

    factors: tuple[Parity, ...]
    clean: tuple[int, ...] = ()

    @property
    def reads(self) -> tuple[Parity, ...]:
        return self.factors

    changed = ()

    def reading(self, *factors: Parity) -> PhaseFlip:
        """Return the same operation of other parities."""
        return PhaseFlip(factors, self.clean)

    def renamed(self, wires: Places) -> PhaseFlip:
        return PhaseFlip(tuple(f.renamed(wires) for f in self.factors), tuple(wires[qubit] for qubit in self.clean))

    def inverse(self) -> PhaseFlip:
        return self

    is_diagonal = True

    @property
    def phases(self) -> Phases:
        return ((2, self.factors),)

    def as_flip(self) -> tuple[Ops, PhaseFlip]:
        return (), self

    def gates(self, aim: Aim, expand: Expand | None) -> Iterator[LowGate]:
        """Yield Z or CZ if they suffice, else make the factors in place, apply a controlled Z, and undo the factors."""
        parities = independent_parities(self.factors)
        if parities is None:
            return
        if len(parities) == 1:
            # Z of a parity is Z on each of its wires; a complement is a global phase.
            yield from (("z", (wire,), 0.0) for wire in parities[0].wires)
            return
        if len(parities) == 2:
            yield from _phase_of_two(aim, *parities)
            return
        make = list(emit_gates(make_in_place(parities), aim, expand))
        qubits = tuple(parity.wires[0] for parity in parities)
        yield from make
        if len(qubits) == 3:
            turn = ("h", qubits[-1:], 0.0)
            yield from (turn, ("ccx", qubits, 0.0), turn) if aim.facts.has_toffoli else low.ccz(*qubits)
        elif qubits:
            ops = None if expand is None else expand(qubits, self.clean, aim.others((*qubits, *self.clean)), aim)
            yield from [("mcz_noaux", qubits, 0.0)] if ops is None else emit_gates(ops, aim, expand)
        yield from reversed(make)

    @property
    def counts(self) -> OpCounts:
        lengths = [len(parity.wires) for parity in independent_parities(self.factors) or ()]
        number = len(lengths)
        t = low.count_controlled(number)[1] if number > 2 else 0
        return OpCounts(low.price_phase(lengths), t, max(2 * number - 5, 0))

    def glyph(self) -> Glyph:
        return Glyph("phase", "Z", self.factors, None)

    def export(self, to: Exporter) -> None:
        to.write_flip(self)


@dataclass(frozen=True, slots=True)
class Gate(Operation):
    """A standard gate of a preparation circuit, by its Qiskit name; not a basis-state map in general.

    Raises:
        ValueError: no such gate is known (`gatesolve.circuit.gates.SHAPES`).
    """

    name: str
    qubits: tuple[int, ...]
    params: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        # A wrong gate would otherwise be noticed only in lowering, far from where it was made.
        if low.SHAPES.get(self.name) != (len(self.qubits), len(self.params)):
            numbers = f"{len(self.qubits)} qubits with {len(self.params)} angles"
            raise ValueError(f"no gate {self.name} on {numbers} is known: add it to {low.__name__}.SHAPES")

    reads = ()

    @property
    def changed(self) -> tuple[int, ...]:
        return () if self.is_diagonal else self.qubits if self.is_mixing else self.qubits[-1:]

    @property
    def wires(self) -> tuple[int, ...]:
        return self.qubits

    def renamed(self, wires: Places) -> Gate:
        return Gate(self.name, tuple(wires[qubit] for qubit in self.qubits), self.params)

    def inverse(self) -> Gate:
        if self.params:
            return Gate(self.name, self.qubits, (-self.params[0],))
        return Gate(low.INVERSE_NAMES[self.name], self.qubits) if self.name in low.INVERSE_NAMES else self

    @property
    def is_diagonal(self) -> bool:
        return self.name in low.DIAGONAL

    @property
    def is_mixing(self) -> bool:
        return self.name not in low.DIAGONAL | low.FLIPS

    def flip(self, of: Callable[[Parity], V], product: Callable[[list[V]], V], one: V) -> V:
        write = self.on_bits()
        return Operation.flip(self, of, product, one) if write is None else write.flip(of, product, one)

    @property
    def phases(self) -> Phases:
        if self.name in low.FLIPS:
            return ()
        eighths = 4 if self.name == "cz" else low.EIGHTHS.get(self.name, 1)
        if eighths % 2:
            raise TypeError(f"{self} does not map basis states to basis states times powers of i")
        return ((eighths // 2, tuple(Parity((qubit,)) for qubit in self.qubits)),)

    def on_bits(self) -> Xor | None:
        if self.name not in low.FLIPS:
            return None
        *controls, target = self.qubits
        return Xor(Parity(tuple(controls), not controls), target)

    def as_flip(self) -> tuple[Ops, PhaseFlip] | None:
        return ((), PhaseFlip(tuple(Parity((q,)) for q in self.qubits))) if self.name in {"z", "cz"} else None

    def gates(self, aim: Aim, expand: Expand | None) -> Iterator[LowGate]:
        if self.name == "cz":
            yield from low.cz(*self.qubits)
        else:
            yield self.name, self.qubits, self.params[0] if self.params else 0.0

    @property
    def counts(self) -> OpCounts:
        """Count a rotation by an angle that is not a multiple of pi/4 as the T gates of its approximation."""
        eighths = low.count_eighths(self.params[0]) if self.params else low.EIGHTHS.get(self.name, 0)
        # Clifford gates are even multiples of pi/4 and need no T. The tolerance covers rounding of angles as floats.
        t = round(eighths) % 2 if abs(eighths - round(eighths)) < 1e-9 else low.ROTATION_T
        return OpCounts(len(self.qubits) - 1, t, t)

    def glyph(self) -> Glyph:
        if len(self.qubits) == 1:
            return Glyph("gate", low.DRAWN[self.name], (), self.qubits[0])
        control, target = (Parity((qubit,)) for qubit in self.qubits)
        if self.name == "cx":
            return Glyph("xor", "+", (control,), self.qubits[1])
        return Glyph("phase", "Z", (control, target), None)

    def export(self, to: Exporter) -> None:
        flip = self.as_flip() if self.name == "cz" else None
        to.write_gates(self) if flip is None else to.write_flip(flip[1])


Write = Xor | And | AndNot | Mux
"""Operations that XOR a function of other wires onto one wire."""
Op = Write | Mcx | PhaseFlip | Gate
Ops = tuple[Op, ...]


def emit_gates(ops: Iterable[Op], aim: Aim, expand: Expand | None) -> Iterator[LowGate]:
    """Yield gates for operations; ``expand`` writes the multi-controlled ones.

    Cost: `And` 3 CX and 4 T, `AndNot` 5 CX and 8 T, more for further wires of a parity; CCZ 6 CX and 7 T. A
    multi-controlled Z over n qubits takes 6 n - 12 CX and 8 n - 17 T with at least one clean ancilla. Without one, see
    `gatesolve.circuit.lowering.rules.mcz`.
    """
    for op in ops:
        yield from op.gates(aim, expand)


def inverse(ops: Iterable[Op]) -> Ops:
    """Return the inverse list: reversed, with each operation inverted."""
    return tuple(op.inverse() for op in reversed(tuple(ops)))


def touched_qubits(op: Op) -> tuple[int, ...]:
    """Return all qubits that an operation reads, changes or borrows."""
    return (*op.wires, *op.lent)


def read_parities(op: Op) -> tuple[Parity, ...]:
    """Return the parities that an operation reads, in the order of its fields; none for a `Gate`."""
    return op.reads


def _phase_of_two(aim: Aim, first: Parity, second: Parity) -> Iterator[LowGate]:
    # CZ is bilinear: only the shorter parity is made in place, and CZ distributes over the wires of the longer.
    short, long = sorted((first, second), key=lambda p: len(p.wires))
    pivot = short.wires[0]
    make = list(emit_gates(make_in_place([short]), aim, None))
    yield from make
    for wire in long.wires:
        yield from low.cz(pivot, wire)
    if long.constant:
        yield "z", (pivot,), 0.0
    yield from reversed(make)


def make_in_place(parities: Iterable[Parity]) -> Ops:
    """Return XORs that put each of some `independent_parities` on its first wire."""
    return tuple(Xor(Parity(p.wires[1:], p.constant), p.wires[0]) for p in parities if len(p.wires) > 1 or p.constant)


def rename_wires(ops: Sequence[Op], wires: Places) -> Ops:
    """Return the operations with each qubit ``q`` replaced by ``wires[q]``."""
    return tuple(op.renamed(wires) for op in ops)


def shift_wires(ops: Ops, by: int) -> Ops:
    """Return the operations on qubits ``by`` further on."""
    return rename_wires(ops, range(by, by + 1_000_000)) if by else ops

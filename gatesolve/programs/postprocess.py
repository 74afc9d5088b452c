"""The end of a circuit, computed from the measured bits instead of by gates.

Operations that map basis states to basis states, up to phases, commute with the measurement. Examples are the decoding
of codewords at the end of a preparation, permutations and phases. Without them a circuit is shorter, and qubits that
are then known to be zero need no readout.

The remaining circuit is written in several forms for a device on which few qubits are neighbours. Logical ANDs onto
ancillas reduce a multi-controlled Z to a Z over three qubits, which is written for three qubits in a line. So it works
on a tree of neighbours, in which each ancilla is the fork of its AND. `list_shapes` yields many arrangements of
qubits, and a router finds those that suit a device.

Example: ``examples/kakuro/contest.txt`` with table encoding and presolve ``none``, on ``fake_torino`` by Qiskit's
transpiler (optimization level 3, best of two seeds). It takes 73 two-qubit gates in the best arrangement that was
tried, and 122 in the plain circuit.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count, islice, permutations, product
from typing import Any, Literal

import numpy as np
import rustworkx as rx
from numpy.typing import NDArray
from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import ClassicalRegister, Qubit

from gatesolve.circuit import And, Mcx, Op, Ops, Parity, PhaseFlip, Planes, Write, Xor, independent_parities, run_ops
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.gates import LowGate
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.lowering.lower import build, emit
from gatesolve.circuit.lowering.measured.lower import lower_measured
from gatesolve.circuit.named import named_circuit
from gatesolve.circuit.ops import make_in_place, rename_wires, touched_qubits
from gatesolve.encodings.space import Space
from gatesolve.errors import InputError
from gatesolve.gate_sets import Metric
from gatesolve.programs.program import Program, find_reflection, find_searched_space, list_ops
from gatesolve.programs.reflection import reflection_about_start
from gatesolve.programs.unread import UnreadFill, count_fits, fill_unread

ALL_ORDERS = 5
"""Most qubits of multi-controlled gates of which every order is listed."""
LINE = ((0, 1), (1, 2)) * 4
"""CX of a Z over three qubits in a line; between them each parity of the three stands on some wire once."""
LINE_CROSSED = ((0, 1), (0, 1), (2, 1), (1, 2), (0, 1), (2, 1), (0, 1))
"""CX of the same Z with one CX less, where the last two qubits change places."""
Action = Literal["z", "x", "other"]
"""What an operation does to a qubit: diagonal there, a polynomial of X there, or neither."""
MOST_STATES = 1 << 14
"""Codewords of blocks that the last operations join, up to which the bits before those are worked out."""
BitOp = Write | Mcx
"""What can be done on measured bits."""
MOST_LINES = 24
"""Most arrangements for few neighbours that are written."""
MOST_QUBITS = 1 << 20
LINE_TRIES = 240
"""Most arrangements that are looked at."""
LINE_WORK = 4_000
"""Operations in all of them together."""


def split_tail(ops: Ops) -> tuple[Ops, Ops]:
    """Split operations into those that stay, and basis-state maps that can be done after them."""
    after: defaultdict[int, set[Action]] = defaultdict(set)
    kept: list[Op] = []
    tail: list[Op] = []
    for op in reversed(ops):
        actions = _actions_of(op)
        # Two operations commute if, on each shared qubit, both are diagonal or both are polynomials of X.
        if not op.is_mixing and all(after[q] <= ({a} - {"other"}) for q, a in actions.items()):
            tail.append(op)
            continue
        kept.append(op)
        for qubit, action in actions.items():
            after[qubit].add(action)
        for qubit in op.lent:
            # What is lent must be zero there, so nothing that was before it may come after it.
            after[qubit].add("other")
    return tuple(reversed(kept)), tuple(reversed(tail))


def _actions_of(op: Op) -> dict[int, Action]:
    if op.is_diagonal or op.is_mixing:
        return dict.fromkeys(op.wires, "z" if op.is_diagonal else "other")
    (target,) = op.changed
    # A relative phase may depend on the target.
    is_free = all(target not in factor.wires for _, factors in op.phases for factor in factors)
    return {**dict.fromkeys(op.wires, "z"), target: "x" if is_free else "other"}


def apply_to_bits(ops: Iterable[Op], bits: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Apply basis-state operations to columns of bits, shape (qubits, states)."""
    planes = Planes.from_bits(bits)
    run_ops(ops, planes)
    return planes.unpack(planes.bits, bits.shape[1])


def find_constants(states: Sequence[BitOp], num_data: int, num_qubits: int, space: Space | None) -> dict[int, bool]:
    """Return qubits that are constant before ``states`` if codewords and zeros come after, with their values."""
    if space is None or space.num_qubits != num_data:
        return {}
    found: dict[int, bool] = {}
    for numbers, ops in _group_blocks(states, space):
        blocks = Space(tuple(space.blocks[k] for k in numbers))
        if blocks.size > MOST_STATES:
            continue
        bits = np.zeros((num_qubits, blocks.size), dtype=bool)
        own = [q for k in numbers for q in space.block_qubits(k)]
        bits[own] = blocks.bits(np.arange(blocks.size))
        touched = sorted({*own, *(q for op in ops for q in op.wires)})
        # As basis-state maps these operations are their own inverse.
        before = apply_to_bits(reversed(ops), bits)
        found |= {q: bool(before[q, 0]) for q in touched if (before[q] == before[q, 0]).all()}
    return found


def _group_blocks(states: Sequence[BitOp], space: Space) -> Iterator[tuple[list[int], list[BitOp]]]:
    """Yield blocks that operations join, with those operations in order."""
    # Ancillas are nodes after the blocks: two blocks may be joined through an ancilla alone.
    blocks = len(space.blocks)
    home = {q: k for k in range(blocks) for q in space.block_qubits(k)}
    touched = [[home.get(q, blocks + q) for q in op.wires] for op in states]
    graph = rx.PyGraph()
    graph.add_nodes_from(range(1 + max([blocks - 1, *chain.from_iterable(touched)])))
    graph.add_edges_from_no_data([(nodes[0], node) for nodes in touched for node in nodes[1:]])
    for joined in rx.connected_components(graph):
        yield (
            sorted(k for k in joined if k < blocks),
            [op for op, nodes in zip(states, touched, strict=True) if nodes[0] in joined],
        )


@dataclass(frozen=True)
class Postprocessing:
    """Basis-state operations done on the measured bits.

    Attributes:
        num_qubits: width of the basis state that is rebuilt; the space's qubits come first, ancillas follow.
        measured: classical bit b of the register ``measured`` holds qubit ``measured[b]``; the other qubits were zero.
        ops: the operations, in order (`Xor`, `And`, `Mcx`; phases do not matter).
        num_data: qubits of the space.
        fills: for qubits that were left out of the circuit, what they are in each word of others.

    Raises:
        ValueError: the parts do not fit together, as in a damaged record.
    """

    num_qubits: int
    measured: tuple[int, ...]
    ops: tuple[BitOp, ...]
    num_data: int
    fills: tuple[UnreadFill, ...] = ()

    def __post_init__(self) -> None:
        width = self.num_qubits
        _require(0 <= width <= MOST_QUBITS, f"a number of qubits is not in 0..{MOST_QUBITS}")
        _require(0 <= self.num_data <= width, f"a number of data qubits is not in 0..{width}")
        _require(_are_different(self.measured, width), "measured qubits are not different ones")
        for op in self.ops:
            sources = [parity.wires for parity in op.reads]
            if not op.uses:  # controls, which are different qubits
                sources = [tuple(wire for source in sources for wire in source)]
            _require(all(_are_different(source, width) for source in sources), "an operation reads a qubit twice")
            _require(0 <= op.target < width and all(op.target not in s for s in sources), "an operation has no target")
        known = {*self.measured, *(op.target for op in self.ops)}
        unread = [q for fill in self.fills for q in fill.unread]
        _require(len(set(unread)) == len(unread) and known.isdisjoint(unread), "a known qubit is filled in")
        _require(all(fill.fits(self.num_data) for fill in self.fills), "the words to fill in do not fit")

    def states(self, counts: Mapping[str, int]) -> dict[int, int]:
        """Count the basis states of the first ``num_data`` qubits behind measured bit strings.

        Bit 0 of the register stands rightmost; spaces are ignored.

        Raises:
            InputError: a key is no string of as many bits as are measured.
        """
        keys = [key.replace(" ", "") for key in counts]
        for key in keys:
            if len(key) != len(self.measured) or set(key) - {"0", "1"}:
                raise InputError(f"a measured outcome is '{key[:40]}': {len(self.measured)} bits were expected")
        bits = np.zeros((self.num_qubits, len(keys)), dtype=bool)
        for column, key in enumerate(keys):
            bits[list(self.measured), column] = [bit == "1" for bit in reversed(key)]
        done = apply_to_bits(self.ops, bits)[: self.num_data]
        found: dict[int, int] = {}
        for column, shots in enumerate(counts.values()):
            state = int.from_bytes(np.packbits(done[:, column], bitorder="little").tobytes(), "little")
            found[state] = found.get(state, 0) + shots
        return fill_unread(found, self.fills)

    def chance(self, states: Iterable[int]) -> float:
        """Return the share of uniformly random bits that `states` maps to one of these codewords, each given once.

        Noise alone gives this share, which is not that of the codewords: few measured bits reach few states. Where an
        ancilla is measured, several words may lead to a state, and this is a lower bound.
        """
        found = 0.0
        for state in states:
            # The word that leaves ancillas zero is unique; of the words that fit it this one gets its part.
            found += math.prod(1 / count_fits(fill, state) for fill in self.fills) / 2.0 ** len(self.measured)
        return found


def _require(is_so: bool, fault: str) -> None:
    if not is_so:
        raise ValueError(fault)


def _are_different(qubits: Sequence[int], limit: int) -> bool:
    return len(set(qubits)) == len(qubits) and all(0 <= qubit < limit for qubit in qubits)


def split_postprocessing(
    ops: Iterable[Op], num_data: int, num_qubits: int, space: Space | None = None
) -> tuple[Ops, Postprocessing]:
    """Take the basis-state operations off the end of a circuit that starts at zero and measures its data qubits.

    An operation is taken off if it commutes with all later ones that stay (`split_tail`); diagonal ones vanish.
    Ancillas are zero after ``ops``, and the first ``num_data`` qubits are measured. With a ``space``, the final state
    holds its codewords alone, and qubits that are constant before the operations taken off are not measured.

    Returns:
        The operations that stay, and what is to be done after measuring.

    Cost: linear in the number of operations; at most 2^14 states a group of joined blocks.
    """
    kept, tail = split_tail(tuple(ops))
    states = [bits for op in tail if (bits := op.on_bits()) is not None]
    constant = find_constants(states, num_data, num_qubits, space)
    written = {op.target for op in states}
    reached = {q for op in kept for q in op.changed}
    # Ancillas end at zero, so those that the taken-off operations leave alone are zero before them as well.
    maybe = [q for q in sorted(reached) if q < num_data or q in written]
    measured = tuple(q for q in maybe if q not in constant)
    ones = tuple(Xor(Parity((), True), q) for q in maybe if constant.get(q))
    return kept, Postprocessing(num_qubits, measured, (*ones, *states), num_data)


@dataclass(frozen=True)
class ShortProgram:
    """A program without its last basis-state operations, on the qubits that are left, all zero before it.

    Attributes:
        reads: the qubit that each bit of the register ``measured`` reads.
        postprocessing: what is done on the measured bits, and which qubits of the program those are.
        metric: what lowering chooses rules by.
        measured: whether the program erases logical ANDs by measurement.
    """

    ops: Ops
    num_qubits: int
    reads: tuple[int, ...]
    postprocessing: Postprocessing
    metric: Metric = "cx"
    measured: bool = False

    @cached_property
    def named(self) -> QuantumCircuit:
        """The measured circuit of named operations, as `Program.circuit`."""
        return measure_qubits(named_circuit(self.ops, QuantumCircuit(self.num_qubits)), self.reads)

    @cached_property
    def lowered(self) -> QuantumCircuit:
        """The measured circuit in CX and one-qubit gates."""
        return measure_qubits(lower(self.ops, self.num_qubits, "cx+u", self.metric), self.reads)

    @cached_property
    def circuits(self) -> dict[str, QuantumCircuit]:
        """All forms of the measured circuit by name, to choose from for a device.

        ``named`` and ``lowered`` are the plain forms. ``line 1``, ``line 2`` and so on are the different arrangements
        for few neighbours. ``measured`` erases logical ANDs by measurement and a correction, if the program does.
        """
        found = {"named": self.named, "lowered": self.lowered}
        found |= {f"line {k}": made for k, made in enumerate(self._lines(), 1)}
        if self.measured:
            zeros = range(self.num_qubits)
            erasing = lower_measured(self.ops, self.num_qubits, "cx+u", self.metric, zeros=zeros)
            found["measured"] = measure_qubits(erasing, self.reads)
        return found

    def _lines(self) -> list[QuantumCircuit]:
        """Write one circuit for each arrangement of `list_shapes`."""
        most = min(MOST_LINES, LINE_WORK // max(1, len(self.ops)))
        found: dict[Any, QuantumCircuit] = {}
        for shape in list_shapes(self.ops, self.num_qubits, LINE_TRIES if most else 0):
            inner, at = write_shape(self.ops, self.num_qubits, self.reads, shape)
            made = measure_qubits(inner, [at[q] for q in self.reads])
            # A router gives qubits their places, so arrangements that differ in their names alone are one.
            names: dict[Qubit, int] = {}
            gates = (instruction.qubits for instruction in made.data if len(instruction.qubits) > 1)
            found.setdefault(tuple(tuple(names.setdefault(q, len(names)) for q in gate) for gate in gates), made)
            if len(found) >= most:
                break
        return list(found.values())


def measure_qubits(inner: QuantumCircuit, reads: Sequence[int]) -> QuantumCircuit:
    """Return a circuit on the qubits it uses; bit k of its first register ``measured`` holds qubit ``reads[k]``."""
    used = sorted({inner.find_bit(q).index for i in inner.data for q in i.qubits} | set(reads))
    place = {q: k for k, q in enumerate(used)}
    frame = QuantumCircuit(QuantumRegister(len(used), "q"), ClassicalRegister(len(reads), "measured"))
    frame.add_register(*inner.cregs)
    for instruction in inner.data:
        qubits = [place[inner.find_bit(q).index] for q in instruction.qubits]
        frame.append(instruction.operation, qubits, instruction.clbits, copy=False)
    frame.measure([place[q] for q in reads], range(len(reads)))
    return frame


def shorten_program(program: Program) -> ShortProgram:
    """Shorten a program by its last basis-state operations, and by qubits that it does nothing to or never reads.

    `Postprocessing.states` of what is measured has the distribution of the program's own measurement. For a QAOA
    program pass ``whole``.
    """
    found = [list_ops(program)]
    if program.iterations and program.section("iteration").oracle is not None:
        space, ancillas = find_searched_space(program), program.num_ancillas
        back = reflection_about_start(space, ancillas, program.lowering.metric)
        if find_reflection(program) == back:
            # A reflection that decodes at its end costs more gates, but its end is done on the measured bits.
            last = reflection_about_start(space, ancillas, "qubits")
            found.append((*list_ops(program)[: -len(back)], *last))
    made = [_shorten(program, ops) for ops in found]
    return min(made, key=lambda short: (count_cx(short.ops), len(short.reads)))


def _shorten(program: Program, ops: Ops) -> ShortProgram:
    width = program.num_qubits
    kept, postprocessing = split_postprocessing(ops, program.space.num_qubits, width, find_searched_space(program))
    postprocessing = replace(postprocessing, fills=program.search.fills)
    used = sorted({q for op in kept for q in touched_qubits(op)} | set(postprocessing.measured))
    place = {q: k for k, q in enumerate(used)}
    reads = tuple(place[q] for q in postprocessing.measured)
    how = program.lowering
    return ShortProgram(rename_wires(kept, place), len(used), reads, postprocessing, how.metric, how.measured)


@dataclass(frozen=True)
class IsaShape:
    """An arrangement: in each gate the first two qubits in this order are joined first.

    ``crossed`` says whether a Z over three qubits may exchange two of them, ``chain`` whether ANDs are joined one after
    the other instead of in a tree.
    """

    order: tuple[int, ...]
    crossed: bool
    chain: bool = False


def list_shapes(ops: Ops, num_qubits: int, most: int) -> Iterator[IsaShape]:
    """Yield at most ``most`` arrangements to try; always the same ones."""
    # The factors of each operation that is taken apart here.
    flips = [independent_parities(found[1].factors) for op in ops if (found := op.as_flip()) is not None]
    joined = [factors for factors in flips if factors is not None and len(factors) > 2]
    held = sorted({q for factors in joined for factor in factors for q in factor.wires})
    chains = (False, True) if max(map(len, joined), default=0) > 4 else (False,)
    rest, draw = tuple(q for q in range(num_qubits) if q not in held), np.random.default_rng(0)
    # Of many qubits their own order, then drawn ones without end.
    some = chain([tuple(held)], (tuple(draw.permutation(held).tolist()) for _ in count()))
    orders = permutations(held) if len(held) <= ALL_ORDERS else some
    crossings = (True, False)
    shapes = (IsaShape((*order, *rest), *how) for order in orders for how in product(crossings, chains))
    return islice(shapes if joined else (), most)


def write_shape(
    ops: Ops, num_qubits: int, keep: Sequence[int], shape: IsaShape
) -> tuple[QuantumCircuit, tuple[int, ...]]:
    """Write operations in CX and one-qubit gates, in a given arrangement.

    All qubits are zero before them. Those not in ``keep`` are ancillas and stay where they are.

    Returns:
        The circuit, wider by the ancillas that it adds, and the wire on which each qubit ends.

    Cost: for a Z over n qubits, n - 3 ANDs made and undone and 6 n - 18 CX. The last three qubits take 8 CX, or 7 where
    two of them may change places.
    Source: a Z over three qubits in a line with 8 CX is known, for example from Nakanishi, Satoh and Todo,
    arXiv:2109.13223. Both forms here come from a search over all CX sequences of neighbours.
    """
    writer = _IsaWriter(num_qubits, frozenset(keep), shape, _pairs(ops))
    for op in ops:
        writer.write(op)
    return build(writer.gates, writer.width), tuple(writer.at[:num_qubits])


class _IsaWriter:
    """Writes operations one by one, and records where qubits move."""

    def __init__(
        self, num_qubits: int, keep: frozenset[int], shape: IsaShape, known: dict[frozenset[int], int]
    ) -> None:
        self.gates: list[LowGate] = []
        self.at = list(range(num_qubits))
        self.width = num_qubits
        self._keep, self._shape, self._known = keep, shape, known
        self._own: list[int] = []
        self._rank = {wire: k for k, wire in enumerate(shape.order)}

    def write(self, op: Op) -> None:
        found = op.as_flip()
        if found is None:
            self._emit(op)
            return
        turns, flip = found
        self._emit(*turns)
        self._phase(flip.factors, flip.clean)
        self._emit(*turns)

    def _emit(self, *ops: Op) -> None:
        self.gates.extend(emit(rename_wires(ops, self.at)))

    def _phase(self, factors: tuple[Parity, ...], clean: tuple[int, ...]) -> None:
        kept = independent_parities(factors)
        if kept is None or len(kept) < 3:
            self._emit(PhaseFlip(factors))
            return
        make = make_in_place(kept)
        self._emit(*make)
        self._all_ones([p.wires[0] for p in kept], [*clean, *self._own])
        self._emit(*reversed(make))

    def _all_ones(self, qubits: list[int], clean: list[int]) -> None:
        if len(qubits) == 3:
            self._three(qubits)
            return
        ordered = sorted(qubits, key=self._place)
        # A pair whose AND the oracle makes is made in the same place.
        pair = next((p for p in self._known if p <= set(qubits)), frozenset(ordered[:2]))
        first, second = sorted(pair, key=self._place)
        target = self._ancilla(self._known.get(pair), clean)
        made = And(Parity((first,)), Parity((second,)), target)
        rest = [q for q in ordered if q not in pair]
        self._emit(made)
        self._all_ones([target, *rest] if self._shape.chain else [*rest, target], [q for q in clean if q != target])
        self._emit(made.inverse())

    def _place(self, qubit: int) -> tuple[bool, int]:
        # Ancillas are last in a tree and first in a chain; other qubits follow the order of the arrangement.
        return (qubit not in self._keep) != self._shape.chain, self._rank.get(self.at[qubit], len(self._rank) + qubit)

    def _ancilla(self, wanted: int | None, clean: list[int]) -> int:
        """Return the wanted ancilla if it is free, else a free one, else a new one, which later gates can use too."""
        if wanted in clean:
            return wanted
        if clean:
            return clean[0]
        self.at.append(self.width)
        self.width += 1
        self._own.append(self.width - 1)
        return self.width - 1

    def _three(self, qubits: list[int]) -> None:
        """Flip the phase where three qubits are 1."""
        # A neighbour of both others is in the middle: a data qubit, so that the ancillas are at the ends.
        held = sorted((q for q in qubits if q not in self._keep), key=lambda q: self._rank.get(self.at[q], q))
        free = sorted((q for q in qubits if q in self._keep), key=self._place)
        line = [*held[:1], *free, *held[1:]] if len(held) < 3 else held
        crossed = self._shape.crossed and len(held) < 2
        self.gates.extend(_line([self.at[q] for q in line], LINE_CROSSED if crossed else LINE))
        if crossed:
            middle, last = line[1:]
            self.at[middle], self.at[last] = self.at[last], self.at[middle]


def _line(line: list[int], moves: Iterable[tuple[int, int]]) -> Iterator[LowGate]:
    # A Z over three qubits is a T on each parity of an odd number of them and a T-dagger on each other parity. ``held``
    # has the parity on each wire as a mask; its gate is added where it first stands on a wire.
    held = [1, 2, 4]
    done = set(held)
    yield from (("t", (wire,), 0.0) for wire in line)
    for control, target in moves:
        held[target] ^= held[control]
        yield "cx", (line[control], line[target]), 0.0
        if held[target] not in done:
            done.add(held[target])
            yield "t" if held[target].bit_count() & 1 else "tdg", (line[target],), 0.0


def _pairs(ops: Ops) -> dict[frozenset[int], int]:
    """Return pairs of qubits whose AND is computed somewhere, with its target."""
    pairs = {}
    for op in ops:
        wires = [wire for side in op.product for wire in side.wires]
        # An AND of a qubit and itself is one too, and joins nothing.
        if op.is_and and len(wires) == len({*wires}) == 2 and all(side.wires for side in op.product):
            pairs[frozenset(wires)] = op.changed[0]
    return pairs

"""Reading a search's answer in binary digits: gates after the last iteration that turn codewords into values.

Whatever the codewords are, each variable's value is to be measured as its own binary digits. Each digit is a small
boolean function of its block's qubits; it is made in place where that can be, or on a clean qubit. A beam search over
CX and logical ANDs finds a cheap circuit for each block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, count, product

from gatesolve.circuit import And, Op, Ops, Parity, Xor
from gatesolve.circuit.gf2 import reduce_row
from gatesolve.encodings.block import Block
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError

BEAM = 100
"""States kept a step, unless said otherwise."""
STEPS = 24
"""Most gates of a block's circuit."""
AND_PRICE = 3
"""CX of a logical AND."""


@dataclass(frozen=True)
class Readout:
    """How a space is read.

    Attributes:
        ops: to be run after the search, ancillas zero. Relative phases between codewords are not kept.
        places: for each variable its digits' qubits, the least significant first.
        num_qubits: the space's qubits and the clean ones used after them.
    """

    ops: Ops
    places: dict[str, tuple[int, ...]]
    num_qubits: int


def readout(space: Space, width: int, *, beam: int = BEAM) -> Readout:
    """Turn every codeword into the binary digits of its variables' values.

    Args:
        space: what was searched; values from 0 to 2**width - 1.
        width: digits a variable.
        beam: states kept a step of the search.

    Returns:
        Gates on the space's qubits and clean ones right after them; every digit ends on a qubit of its own.

    Raises:
        DoesNotFitError: a block's digits were not found within `STEPS` gates.
    """
    ops: list[Op] = []
    places: dict[str, tuple[int, ...]] = {}
    fresh = count(space.num_qubits)
    last = space.num_qubits
    for number, block in enumerate(space.blocks):
        made, wires = _block(block, width, beam)
        real = list(space.block_qubits(number))
        real += [next(fresh) for _ in range(max([len(real) - 1, *(w for w in wires)]) + 1 - len(real))]
        last = max([last, *(q + 1 for q in real)])
        ops += [_moved(op, real) for op in made]
        for k, name in enumerate(block.variables):
            places[name] = tuple(real[w] for w in wires[k * width : (k + 1) * width])
    return Readout(tuple(ops), places, last)


def _moved(op: Op, wires: Sequence[int]) -> Op:
    if isinstance(op, And):
        return And(op.left.renamed(wires), op.right.renamed(wires), wires[op.target], op.undo)
    assert isinstance(op, Xor)
    return Xor(op.source.renamed(wires), wires[op.target])


@dataclass(frozen=True)
class _State:
    """Functions on the wires (bit c: value on codeword c), how they came about, and what that cost."""

    wires: tuple[int, ...]
    ops: tuple[Op, ...]
    cost: int


def _block(block: Block, width: int, size: int = BEAM) -> tuple[list[Op], list[int]]:
    """The block's circuit over its own wires 0, 1, ... and clean ones after, and the wire of each digit."""
    full = (1 << block.size) - 1
    start = [sum(1 << c for c, word in enumerate(block.codewords) if word >> q & 1) for q in range(block.num_qubits)]
    goals = [
        sum(1 << c for c, row in enumerate(block.tuples) if row[k] >> bit & 1)
        for k in range(len(block.variables))
        for bit in range(width)
    ]
    wanted = tuple(sorted(_canonical(g, full) for g in goals if g not in (0, full)))
    state = _search(start, wanted, full, size)
    ops = list(state.ops)
    free = set(range(len(state.wires)))
    wires: list[int] = []
    extra = count(len(state.wires))
    for goal in goals:
        constant = goal in (0, full)
        key = _canonical(goal, full)
        wire = next(extra) if constant else next(w for w in sorted(free) if _canonical(state.wires[w], full) == key)
        free.discard(wire)
        value = 0 if constant else state.wires[wire]
        if value != goal:
            ops.append(Xor(Parity((), True), wire))
        wires.append(wire)
    return ops, wires


def _canonical(function: int, full: int) -> int:
    """A function up to complement."""
    return function ^ full if function & 1 else function


def _search(start: Sequence[int], wanted: tuple[int, ...], full: int, size: int) -> _State:
    """Beam search, cheapest first by what is spent and what is left."""
    beam = [_State(tuple(start), (), 0)]
    best: _State | None = None
    for _ in range(STEPS):
        for state in beam:
            if not _missing(state.wires, wanted, full) and (best is None or state.cost < best.cost):
                best = state
        after: dict[tuple[int, ...], tuple[int, _State]] = {}
        for state in beam:
            for new in _moves(state, full, len(wanted)):
                if best is not None and new.cost >= best.cost:
                    continue
                key = tuple(sorted(_canonical(f, full) for f in new.wires))
                if key not in after or new.cost < after[key][1].cost:
                    after[key] = (new.cost + _ahead(new.wires, wanted, full), new)
        ranked = sorted(after.values(), key=lambda entry: (entry[0], entry[1].cost, entry[1].wires))
        beam = [state for _, state in ranked[:size]]
        if not beam:
            break
    if best is None:
        raise DoesNotFitError(f"no circuit of {STEPS} gates was found that reads the digits of a block")
    return best


def _missing(wires: Sequence[int], wanted: Sequence[int], full: int) -> list[int]:
    """The functions wanted that no wire of their own holds yet."""
    held = [_canonical(f, full) for f in wires]
    left = []
    for goal in wanted:
        if goal in held:
            held.remove(goal)
        else:
            left.append(goal)
    return left


def _ahead(wires: Sequence[int], wanted: Sequence[int], full: int) -> int:
    """A guess of what is left to spend: a CX for a parity of the wires, an AND otherwise."""
    left = _missing(wires, wanted, full)
    if not left:
        return 0
    basis: list[int] = []
    for wire in (full, *wires):
        value = reduce_row(wire, basis)
        if value:
            basis.append(value)
    total = 0
    for goal in left:
        value = reduce_row(goal, basis)
        total += 1
        if value:
            total += AND_PRICE - 1
            basis.append(value)
    return total


def _moves(state: _State, full: int, most: int) -> list[_State]:
    """All CX and ANDs; at most one clean wire is taken at a time, and no more wires than digits and a spare."""
    wires = state.wires
    width = len(wires)
    targets = width + (width < max(most, width) + 1)
    found = []
    for source, target in product(range(width), range(targets)):
        if source != target and wires[source]:
            op = Xor(Parity((source,)), target)
            found.append(_stepped(state, target, wires[source], op, 1))
    for first, second in combinations(range(width), 2):
        for one, two in product((0, full), repeat=2):
            value = (wires[first] ^ one) & (wires[second] ^ two)
            if value in (0, full):
                continue
            left, right = Parity((first,), bool(one)), Parity((second,), bool(two))
            for target in range(targets):
                if target not in (first, second):
                    found.append(_stepped(state, target, value, And(left, right, target), AND_PRICE))
    return found


def _stepped(state: _State, target: int, change: int, op: Op, price: int) -> _State:
    wires = list(state.wires)
    if target == len(wires):
        wires.append(0)
    wires[target] ^= change
    return _State(tuple(wires), (*state.ops, op), state.cost + price)

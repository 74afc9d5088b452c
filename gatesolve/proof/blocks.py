"""Proof that a search prepares each block's codewords evenly, and reflects about that state.

Blocks are prepared side by side, and each has its own roots. M is what a reflection does after its phase; before the
phase, M is undone. Let P be the projection to all roots at zero, and s the wanted amplitudes. It is checked that for
all codewords w and v of a block the inner product of ``P M^-1 w`` and ``P M^-1 v`` is ``s_w* s_v``.

Then these vectors are multiples of one vector. M^-1 maps the block's start to all roots at zero. In the span of the
codewords, it maps what is orthogonal to the start to where they are not. So the phase where the roots of all blocks are
zero is that of the start of the whole space, and of nothing else in the span.

The errors are measured as norms, which add up over blocks and iterations. Let ``k = P M^-1 s``. In the span, the
reflection ``1 - 2 M P M^-1`` is off from ``1 - 2 |s><s|`` by at most twice a sum: ``|M^-1 s - k|``, and the length of
all ``P M^-1 w - s_w* k``.
"""

from __future__ import annotations

import cmath
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from gatesolve.circuit import And, Gate, Mcx, Op, Ops, Parity, PhaseFlip, Xor, inverse
from gatesolve.circuit.gf2 import list_bits
from gatesolve.circuit.lowering.lower import invert_word
from gatesolve.circuit.ops import rename_wires, touched_qubits
from gatesolve.encodings import Block, Space
from gatesolve.errors import DoesNotFitError, UnsupportedError
from gatesolve.programs.program import MOST_OPS, Program, as_search, find_reflection
from gatesolve.programs.reflection import bound_change
from gatesolve.programs.section import Section
from gatesolve.programs.unread import gather_bits, scatter_bits
from gatesolve.proof.claim import Claim, leave, prove, refuse
from gatesolve.proof.space import PERMUTATION, count_shuffles, list_digits, split_shuffle
from gatesolve.proof.structure import count_mirrored
from gatesolve.proof.words import Words, needs_word, spell_gate

State: TypeAlias = dict[int, complex]
"""Amplitudes by basis state, qubit 0 the lowest bit."""
MOST_TERMS = 1 << 14
SMALL = 1e-12
"""Amplitudes up to this are left out."""
PHASES = {"z": 4, "s": 2, "sdg": -2, "t": 1, "tdg": -1}
AND_PHASES = {(1, 0, 1): -1, (1, 1, 0): 1j, (1, 1, 1): -1j}
"""What an `And` multiplies by: left, right and target before it."""
TOLERANCE = 1e-9
"""What one preparation or reflection of a block may be off by, in norm."""
MOST_MET = 1 << 24
"""Terms of a block's states after all operations, added up: half a minute."""
MOST_OFF = 1e-7
"""What a preparation and all reflections after it may be off by, in norm."""
Wanted = tuple[tuple[int, int], ...]
"""Words of a block, each with its weight: how many codewords it stands for."""


def run_state(ops: Iterable[Op], state: State, most: int = MOST_MET) -> tuple[State, float]:
    """Apply operations to a state.

    Args:
        ops: on the block's own qubits.
        state: amplitudes by word.
        most: terms after all operations, added up.

    Returns:
        The state, and how far it may be off, in norm, as small amplitudes were left out.

    Raises:
        UnsupportedError: an operation is not known.
        DoesNotFitError: more than `MOST_TERMS` terms, or ``most`` over all operations.
    """
    lost, met = 0.0, 0
    for op in ops:
        # A lent qubit has to be zero in every term.
        lent = sum(1 << wire for wire in getattr(op, "clean", ()))
        if lent and any(word & lent for word in state):
            raise UnsupportedError("a qubit is lent as a zero that may be one")
        found = _apply(op, state)
        state = {word: a for word, a in found.items() if abs(a) > SMALL}
        lost += math.hypot(*(abs(found[word]) for word in found.keys() - state.keys()))
        met += len(state)
        if len(state) > MOST_TERMS or met > most:
            raise DoesNotFitError(f"a block's states have more than {MOST_TERMS} terms, or {MOST_MET} in all")
    return state, lost


def _apply(op: Op, state: State) -> State:
    """Return the state after one operation; `UnsupportedError` if it is not known."""
    match op:
        case Gate("h" | "ry", (wire,)):
            return _turn(op, wire, state)
        case Gate("cx", (control, target)):
            return {word ^ ((word >> control & 1) << target): a for word, a in state.items()}
        case Gate("x", (wire,)):
            return {word ^ 1 << wire: a for word, a in state.items()}
        case Xor(source, target):
            return {word ^ _read(source, word) << target: a for word, a in state.items()}
        case Mcx(target=target):
            return {word ^ _hold(op.literals, word) << target: a for word, a in state.items()}
        case And():
            return dict(_conjoin(op, word, a) for word, a in state.items())
        case PhaseFlip(factors):
            return {word: -a if _hold(factors, word) else a for word, a in state.items()}
        case Gate():
            return {word: a * _phase(op, word) for word, a in state.items()}
        case _:
            raise UnsupportedError("a block's preparation has no such operation")


def _read(parity: Parity, word: int) -> int:
    return parity.value(lambda wire: word >> wire & 1, 1)


def _hold(factors: Iterable[Parity], word: int) -> int:
    return int(all(_read(factor, word) for factor in factors))


def _conjoin(op: And, word: int, amplitude: complex) -> tuple[int, complex]:
    left, right, target = _read(op.left, word), _read(op.right, word), word >> op.target & 1
    return word ^ (left & right) << op.target, amplitude * AND_PHASES.get((left, right, target), 1)


def _turn(gate: Gate, wire: int, state: State) -> State:
    """Apply a Hadamard gate, or a rotation about Y."""
    half = math.pi / 4 if gate.name == "h" else gate.params[0] / 2
    cosine, sine = math.cos(half), math.sin(half)
    found: State = {}
    for word, amplitude in state.items():
        bit = word >> wire & 1
        down, up = (sine, -cosine) if bit and gate.name == "h" else (-sine, cosine) if bit else (cosine, sine)
        low = word & ~(1 << wire)
        found[low] = found.get(low, 0) + amplitude * down
        found[low | 1 << wire] = found.get(low | 1 << wire, 0) + amplitude * up
    return found


def _phase(gate: Gate, word: int) -> complex:
    """Return the factor of a diagonal gate."""
    bits = [word >> wire & 1 for wire in gate.qubits]
    match gate.name:
        case "cz":
            return -1 if all(bits) else 1
        case "p":
            return cmath.exp(1j * gate.params[0] * bits[0])
        case "rz":
            return cmath.exp(1j * gate.params[0] * (bits[0] - 0.5))
        case name if name in PHASES:
            return cmath.exp(1j * math.pi / 4 * PHASES[name] * bits[0])
        case name:
            raise UnsupportedError(f"gate {name} is not followed")


@dataclass(frozen=True)
class _Way:
    """The way in which a block is prepared and reflected about, on its own qubits.

    Attributes:
        wanted: the words and weights to be prepared.
        preparation: gates from zeros.
        mirror: gates after the reflection's phase, which looks at ``roots``.
        idle: qubits that have to be zero there.
    """

    wanted: Wanted
    preparation: Ops
    mirror: Ops
    roots: tuple[int, ...]
    idle: tuple[int, ...]
    number: int = field(compare=False)


def prove_blocks(program: Program) -> Claim:
    """Judge whether a search starts evenly in its space and reflects about that, each different block looked at once.

    The errors of all iterations are added up. For a search that is too long to be written, only one iteration counts.
    """
    names = tuple(section.name for section in program.sections)
    if names not in {("preparation", "iteration"), ("preparation", "early", "iteration")}:
        return leave("blocks", "only of a plain search the preparation and the reflection are checked")
    if any(isinstance(op, Gate) and op.name == "p" for op in program.section("preparation").ops):
        return leave("blocks", "a first iteration with matched phases stands in the preparation and is not followed")
    # The rounds of an early check stand before the iterations. In each iteration they stand around the reflection,
    # first undone, then redone. They reflect about some of the blocks alone, and their oracle reads no other.
    inner = program.section("early")
    if program.section("preparation").times != 1:
        return refuse("blocks", "the preparation is not done once")
    if inner in program.sections and inner.oracle is None:
        return refuse("blocks", "an early check has no oracle")
    if len(inner.ops) * inner.times > MOST_OPS:
        return leave("blocks", f"an early check of more than {MOST_OPS} operations")
    rounds = inner.ops * inner.times
    if program.section("iteration").ops != program.oracle.ops + inverse(rounds) + find_reflection(program) + rounds:
        return refuse("blocks", "an iteration is not the oracle and a reflection about the start")
    try:
        ways = _list_ways(program, *_read_reflection(find_reflection(program)))
        early = _list_early(program, inner) if inner.oracle is not None else []
        looked = [*ways, *early]
        for way in dict.fromkeys(looked):
            if (wrong := _find_fault(way)) is not None:
                return refuse("blocks", f"block {way.number}: {wrong}")
    except UnsupportedError as error:
        return refuse("blocks", str(error))
    except DoesNotFitError as error:
        return leave("blocks", str(error))
    whole = sum(len(section.ops) * section.times for section in program.sections) <= MOST_OPS
    iterations = program.iterations if whole else min(program.iterations, 1)
    # Rounds are done once before the iterations, and twice in each: undone and redone.
    off = _add_up(ways, iterations) + _sum_reflections(early) * inner.times * (1 + 2 * iterations)
    if off > MOST_OFF:
        return leave("blocks", f"{iterations} iterations may be off by {off:.1e} in all")
    number, shuffles = len(program.space.blocks), count_shuffles(program.space)
    kinds = f"the preparation and the reflection of {number} block{'' if number == 1 else 's'}"
    if shuffles:
        kinds += f", {shuffles} of them of shuffled digits" if number > 1 else " of shuffled digits"
    else:
        kinds += f" of {len(set(ways))} kind{'' if len(set(ways)) == 1 else 's'}" if len(ways) > 1 else ""
    also = f"; an early check reflects about {len(early)} of them" if early else ""
    return prove("blocks", "exact amplitudes", kinds + also + ("" if whole else "; in one iteration"))


def measure_start(program: Program, words: Words) -> float | None:
    """Bound the change of the success probability by words; None where iterations are not seen to repeat the start.

    Words may be far from their rotations: `gatesolve.programs.reflection` has the argument. Here the state of each
    block is followed with its words.
    """
    search = as_search(program)
    opposite = all(words.get(-angle) == invert_word(word) for angle, word in words.items())
    if search is None or not opposite or any(isinstance(op, Gate) and needs_word(op) for op in search.oracle):
        return None
    low = high = 1.0
    try:
        for way in _list_ways(program, *_read_reflection(search.reflection)):
            ends = _find_range(way, words)
            if ends is None:
                return None
            low, high = low * ends[0], high * ends[1]
    except (DoesNotFitError, UnsupportedError):
        return None
    return bound_change(low, high, search.iterations, search.needed)


def _find_range(way: _Way, words: Words) -> tuple[float, float] | None:
    """Return by what factors words change the probabilities of a block's codewords.

    None where other states are prepared, or the reflection is not about what is prepared.
    """
    if not any(isinstance(op, Gate) and needs_word(op) for op in (*way.preparation, *way.mirror)):
        return 1.0, 1.0
    # All roots at zero is then zero, so the reflection is about what the mirror makes of it.
    if way.preparation != way.mirror or not {q for op in way.mirror for q in touched_qubits(op)} <= {*way.roots}:
        return None
    spelled = (spell_gate(op, words) if isinstance(op, Gate) else [op] for op in way.preparation)
    state, lost = run_state(chain.from_iterable(spelled), {0: 1})
    shares = _list_shares(way)
    if lost + math.hypot(*(abs(state[word]) for word in state.keys() - shares.keys())) > TOLERANCE:
        return None
    factors = [(abs(state.get(word, 0)) / share) ** 2 for word, share in shares.items()]
    return min(factors), max(factors)


def _add_up(ways: Sequence[_Way], iterations: int) -> float:
    """Add up the errors of the preparation and of all reflections."""
    return sum(_measure_preparation(way) for way in ways) + iterations * _sum_reflections(ways)


def _sum_reflections(ways: Sequence[_Way]) -> float:
    """Return the error of one reflection about all blocks."""
    # See the bound at the top of this file.
    return 2 * sum(_measure_reflection(way) for way in ways)


def _list_early(program: Program, inner: Section) -> list[_Way]:
    """List how an early check prepares and reflects about its blocks, or raise `UnsupportedError`."""
    oracle = inner.oracle
    assert oracle is not None
    if inner.ops[: len(oracle.ops)] != oracle.ops:
        raise UnsupportedError("an early check's round does not begin with its oracle")
    mirror, flip = _read_reflection(inner.ops[len(oracle.ops) :])
    space = program.space
    if count_shuffles(space):
        raise DoesNotFitError("an early check beside a permutation block is not followed")
    home = {qubit: number for number in range(len(space.blocks)) for qubit in space.block_qubits(number)}
    blocks = {home.get(factor.wires[0], -1) for factor in flip.factors}
    if any(home[qubit] not in blocks for op in oracle.ops for qubit in _read_or_changed(op) if qubit in home):
        raise UnsupportedError("an early check reads blocks that it does not reflect about")
    unread = {qubit for fill in program.search.fills for qubit in fill.unread}
    if any(home.get(qubit, -1) not in {*blocks, -1} for qubit in flip.clean if qubit not in unread):
        raise UnsupportedError("an early check borrows qubits of blocks that it does not reflect about")
    ways = _list_ways(program, mirror, flip)
    if any(way.mirror for number, way in enumerate(ways) if number not in blocks):
        raise UnsupportedError("an early check changes blocks that it does not reflect about")
    return [ways[number] for number in sorted(blocks)]


def _read_reflection(reflection: Ops) -> tuple[Ops, PhaseFlip]:
    """Return the operations after a reflection's phase, and the phase, or raise `UnsupportedError`."""
    number = count_mirrored(reflection)
    middle = reflection[number : len(reflection) - number]
    if len(middle) != 1 or not isinstance(flip := middle[0], PhaseFlip):
        raise UnsupportedError("the reflection is no phase with gates around it")
    if any(len(factor.wires) != 1 or not factor.constant for factor in flip.factors):
        raise UnsupportedError("the reflection's phase does not look at qubits that are zero")
    return (reflection[-number:] if number else ()), flip


def _list_ways(program: Program, mirror: Ops, flip: PhaseFlip) -> list[_Way]:
    """List how each block is prepared and reflected about, or raise `UnsupportedError` where blocks are joined."""
    space = program.space
    home = {qubit: number for number in range(len(space.blocks)) for qubit in space.block_qubits(number)}
    start, early = program.section("preparation").ops, program.section("early").ops
    before, after = _share_out(start, space, home), _share_out(mirror, space, home)
    roots = [factor.wires[0] for factor in flip.factors]
    unread = {qubit for fill in program.search.fills for qubit in fill.unread}
    if any(qubit not in home for qubit in roots):
        raise UnsupportedError("the reflection looks at an ancilla")
    ops = (*start, *program.oracle.ops, *find_reflection(program), *early)
    if any(qubit in unread for op in ops for qubit in _read_or_changed(op)):
        raise UnsupportedError("a qubit that is left out of the search is used")
    ways = []
    for number, first in enumerate(space.offsets):
        own = space.block_qubits(number)
        clean = tuple(q - first for q in flip.clean if q in own and q not in unread)
        seen = tuple(q - first for q in roots if q in own)
        if space.blocks[number].kind != PERMUTATION:
            ways.append(_Way(_list_wanted(program, number), before[number], after[number], seen, clean, number))
        elif unread & {*own}:
            raise UnsupportedError("a qubit of a permutation block is left out of the search")
        else:
            ways += _list_digit_ways(space.blocks[number], before[number], after[number], seen, clean, number)
    return ways


def _list_digit_ways(
    block: Block, before: Ops, after: Ops, roots: Sequence[int], clean: Sequence[int], number: int
) -> list[_Way]:
    """List how each digit of a permutation block is prepared and reflected about, before its shuffle."""
    digits = list_digits(block)
    home = {qubit: place for place, own in enumerate(digits) for qubit in own}
    if not {*roots} <= home.keys():
        raise UnsupportedError("the reflection looks at a cell of a permutation block")
    parts = [_deal_out(ops, home, digits) for ops in split_shuffle(block, before, after)]
    ways = []
    for place, own in enumerate(digits):
        names = {qubit: k for k, qubit in enumerate(own)}
        seen, zeros = (tuple(names[q] for q in some if q in names) for some in (roots, clean))
        wanted = tuple((1 << k, 1) for k in range(len(own)))
        ways.append(_Way(wanted, parts[0][place], parts[1][place], seen, zeros, number))
    return ways


def _read_or_changed(op: Op) -> tuple[int, ...]:
    """Return the qubits that an operation uses, except for those that it borrows as zeros."""
    lent = set(getattr(op, "clean", ()))
    return tuple(qubit for qubit in touched_qubits(op) if qubit not in lent)


def _share_out(ops: Ops, space: Space, home: Mapping[int, int]) -> list[Ops]:
    """Return the operations on each block, renamed to the block's own qubits."""
    return _deal_out(ops, home, [space.block_qubits(number) for number in range(len(space.blocks))])


def _deal_out(ops: Ops, home: Mapping[int, int], parts: Sequence[Sequence[int]]) -> list[Ops]:
    """Return the operations on each part of the qubits, renamed to the part's own; ``home`` has each qubit's part."""
    found: list[list[Op]] = [[] for _ in parts]
    for op in ops:
        homes = {home.get(qubit, -1) for qubit in touched_qubits(op)}
        if len(homes) != 1 or -1 in homes:
            raise UnsupportedError("an operation of the preparation or the reflection joins blocks")
        found[homes.pop()].append(op)
    local = [{q: k for k, q in enumerate(part)} for part in parts]
    return [rename_wires(ops, names) for ops, names in zip(found, local, strict=True)]


def _list_wanted(program: Program, number: int) -> Wanted:
    """Return the words of a block with weights, over the qubits that are not left out of the search."""
    block, first = program.space.blocks[number], program.space.offsets[number]
    qubits = program.space.block_qubits(number)
    unread = {q - first for fill in program.search.fills for q in fill.unread if q in qubits}
    read = [place for place in range(block.num_qubits) if place not in unread]
    words = Counter(scatter_bits(gather_bits(word, read), read) for word in block.codewords)
    fills = [fill for fill in program.search.fills if set(fill.unread) & set(qubits)]
    if not all({*fill.read, *fill.unread} <= {*qubits} for fill in fills):
        raise UnsupportedError(f"block {number}: what is filled in reads another block")
    if any(_differs(fill.words, fill.read, fill.unread, first, block.codewords) for fill in fills):
        raise UnsupportedError(f"block {number}: what is left out of the search is not filled in as it should be")
    return tuple(sorted(words.items()))


def _differs(
    words: Sequence[tuple[int, tuple[int, ...]]],
    read: Sequence[int],
    unread: Sequence[int],
    first: int,
    codewords: Sequence[int],
) -> bool:
    """Whether what is filled in makes other codewords than a block's."""
    places, others = [q - first for q in read], [q - first for q in unread]
    made = [scatter_bits(word, places) | scatter_bits(rest, others) for word, found in words for rest in found]
    return sorted(made) != sorted(codewords)


def _find_fault(way: _Way) -> str | None:
    """Return the fault of a block; None if it has none."""
    if _measure_preparation(way) > TOLERANCE:
        return "its codewords are not prepared evenly"
    return "the reflection is not about the state that is prepared" if _measure_reflection(way) > TOLERANCE else None


@lru_cache(maxsize=1024)
def _measure_preparation(way: _Way) -> float:
    """Return how far a block's prepared state is from its even sum of codewords, up to a phase."""
    return _measure_made(run_state(way.preparation, {0: 1}), _list_shares(way))


@lru_cache(maxsize=1024)
def _measure_reflection(way: _Way) -> float:
    """Return how far the part of a block with roots at zero is from its even sum of codewords."""
    shares = _list_shares(way)
    used = {q for op in way.mirror for q in touched_qubits(op)} | {q for word in shares for q in list_bits(word)}
    # Then M P M^-1 is the projection to what the mirror makes of zero.
    if used <= set(way.roots):
        return 2 * _measure_made(run_state(way.mirror, {0: 1}), shares)
    most = MOST_MET // len(shares)
    undone = {word: run_state(inverse(way.mirror), {word: 1}, most) for word in shares}
    lost = math.hypot(*(one for _, one in undone.values()))
    # Idle qubits are lent to the phase: amplitudes where one of them is not zero are errors.
    idle, roots = sum(1 << q for q in way.idle), sum(1 << q for q in way.roots)
    lent = _length(a for state, _ in undone.values() for word, a in state.items() if word & idle)
    # ``start`` is M^-1 s; ``found`` is k, its part with all roots at zero.
    start: State = {}
    for word, (state, _) in undone.items():
        for place, a in state.items():
            start[place] = start.get(place, 0) + shares[word] * a
    found = {place: a for place, a in start.items() if not place & roots}
    apart = (
        (0j if place & roots else state.get(place, 0j)) - shares[word] * found.get(place, 0j)
        for word, (state, _) in undone.items()
        for place in {*state, *found}
    )
    return 4 * lost + lent + _length(a for place, a in start.items() if place & roots) + _length(apart)


def _list_shares(way: _Way) -> dict[int, float]:
    """The amplitudes of a block's even sum of codewords."""
    size = sum(weight for _, weight in way.wanted)
    return {word: math.sqrt(weight / size) for word, weight in way.wanted}


def _measure_made(made: tuple[State, float], shares: Mapping[int, float]) -> float:
    """Return how far a state, with what was dropped of it, is from amplitudes up to a phase."""
    state, lost = made
    overlap = sum(share * state.get(word, 0j) for word, share in shares.items())
    # The best global phase is that of the overlap.
    turn = overlap / abs(overlap) if overlap else 1
    return lost + _length(state.get(word, 0j) - turn * shares.get(word, 0) for word in state.keys() | shares.keys())


def _length(amplitudes: Iterable[complex]) -> float:
    return math.sqrt(sum(abs(a) ** 2 for a in amplitudes))

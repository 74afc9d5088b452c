"""Whether a search prepares each block's codewords evenly, and reflects about that state.

Blocks are prepared side by side, and told apart by their roots. M is what a reflection does after its phase; before
it, M is undone. Let P be the projection to all roots at zero, and s the amplitudes that are wanted. If for all
codewords w and v of a block ``P M^-1 w`` and ``P M^-1 v`` have the inner product ``s_w* s_v``, they are multiples of
one vector: M^-1 takes the block's start to all roots at zero, and what is orthogonal to it in the span of the
codewords to where they are not. So the phase where the roots of all blocks are zero is that of the start of the whole
space, and of nothing else in the span.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gatesolve.circuit import Gate, Op, Ops, PhaseFlip, inverse
from gatesolve.circuit.gf2 import list_bits
from gatesolve.circuit.ops import rename_wires
from gatesolve.encodings import Space
from gatesolve.errors import DoesNotFitError, UnsupportedError
from gatesolve.pipelines.program import MOST_OPS, Program
from gatesolve.pipelines.section import Section
from gatesolve.pipelines.unread import gather_bits, scatter_bits, touched_qubits
from gatesolve.proof.claim import Claim, leave, prove, refuse
from gatesolve.proof.states import State, run_state
from gatesolve.proof.structure import count_mirrored

TOLERANCE = 1e-9
"""The length of what states may differ by."""
Wanted = tuple[tuple[int, int], ...]
"""Words of a block, each with its weight: how many codewords it stands for."""


@dataclass(frozen=True)
class _Way:
    """How a block is prepared and reflected about, on its own qubits.

    Attributes:
        wanted: the words and weights to be prepared.
        preparation: gates from zeros.
        mirror: gates after the reflection's phase.
        roots: qubits that the phase looks at.
        idle: qubits that have to be zero there.
    """

    wanted: Wanted
    preparation: Ops
    mirror: Ops
    roots: tuple[int, ...]
    idle: tuple[int, ...]


def prove_blocks(program: Program) -> Claim:
    """Whether a search starts evenly in its space and reflects about that, each different block looked at once.

    An early check's rounds stand before the iterations, and in each of them around the reflection, first undone, then
    done again; they reflect about some of the blocks alone, and their oracle reads no other.
    """
    names = tuple(section.name for section in program.sections)
    if names not in {("preparation", "iteration"), ("preparation", "early", "iteration")}:
        return leave("blocks", "only of a plain search the preparation and the reflection are checked")
    if any(isinstance(op, Gate) and op.name == "p" for op in program.start):
        return leave("blocks", "a first iteration with matched phases stands in the preparation and is not followed")
    inner = program.section("early")
    if program.section("preparation").times != 1:
        return refuse("blocks", "the preparation is not done once")
    if inner in program.sections and inner.oracle is None:
        return refuse("blocks", "an early check has no oracle")
    if len(inner.ops) * inner.times > MOST_OPS:
        return leave("blocks", f"an early check of more than {MOST_OPS} operations")
    rounds = inner.ops * inner.times
    if program.section("iteration").ops != program.oracle.ops + inverse(rounds) + program.reflection + rounds:
        return refuse("blocks", "an iteration is not the oracle and a reflection about the start")
    try:
        ways = _list_ways(program, *_read_reflection(program.reflection))
        looked = [*ways, *(_list_early(program, inner) if inner.oracle is not None else ())]
        for way in dict.fromkeys(looked):
            if (wrong := _find_fault(way)) is not None:
                return refuse("blocks", f"block {looked.index(way) % len(ways)}: {wrong}")
    except UnsupportedError as error:
        return refuse("blocks", str(error))
    except DoesNotFitError as error:
        return leave("blocks", str(error))
    kinds = len(set(ways))
    early = f", {len(looked) - len(ways)} of them by an early check too" if len(looked) > len(ways) else ""
    return prove(
        "blocks", "exact amplitudes", f"{len(ways)} blocks, {kinds} different, prepared and reflected about{early}"
    )


def _list_early(program: Program, inner: Section) -> list[_Way]:
    """What an early check's reflection does to each of its blocks.

    Raises:
        UnsupportedError: its rounds do not begin with its oracle, or this reads other blocks.
    """
    oracle = inner.oracle
    assert oracle is not None
    if inner.ops[: len(oracle.ops)] != oracle.ops:
        raise UnsupportedError("an early check's round does not begin with its oracle")
    mirror, flip = _read_reflection(inner.ops[len(oracle.ops) :])
    space = program.space
    home = {qubit: number for number in range(len(space.blocks)) for qubit in space.block_qubits(number)}
    blocks = {home.get(factor.wires[0], -1) for factor in flip.factors}
    if any(home[qubit] not in blocks for op in oracle.ops for qubit in _read_or_changed(op) if qubit in home):
        raise UnsupportedError("an early check reads blocks that it does not reflect about")
    unread = {qubit for fill in program.fills for qubit in fill.unread}
    if any(home.get(qubit, -1) not in {*blocks, -1} for qubit in flip.clean if qubit not in unread):
        raise UnsupportedError("an early check borrows qubits of blocks that it does not reflect about")
    ways = _list_ways(program, mirror, flip)
    if any(way.mirror for number, way in enumerate(ways) if number not in blocks):
        raise UnsupportedError("an early check changes blocks that it does not reflect about")
    return [ways[number] for number in sorted(blocks)]


def _read_reflection(reflection: Ops) -> tuple[Ops, PhaseFlip]:
    """What a reflection does after its phase, and the phase.

    Raises:
        UnsupportedError: it is no phase where qubits are zero, with gates around it.
    """
    number = count_mirrored(reflection)
    middle = reflection[number : len(reflection) - number]
    if len(middle) != 1 or not isinstance(flip := middle[0], PhaseFlip):
        raise UnsupportedError("the reflection is no phase with gates around it")
    if any(len(factor.wires) != 1 or not factor.constant for factor in flip.factors):
        raise UnsupportedError("the reflection's phase does not look at qubits that are zero")
    return (reflection[-number:] if number else ()), flip


def _list_ways(program: Program, mirror: Ops, flip: PhaseFlip) -> list[_Way]:
    """What happens to each block.

    Raises:
        UnsupportedError: an operation joins blocks, or a qubit is looked at or lent that is no block's.
    """
    space = program.space
    home = {qubit: number for number in range(len(space.blocks)) for qubit in space.block_qubits(number)}
    before, after = _share_out(program.start, space, home), _share_out(mirror, space, home)
    roots = [factor.wires[0] for factor in flip.factors]
    unread = {qubit for fill in program.fills for qubit in fill.unread}
    if any(qubit not in home for qubit in roots):
        raise UnsupportedError("the reflection looks at an ancilla")
    ops = (*program.start, *program.oracle.ops, *program.reflection, *program.section("early").ops)
    if any(qubit in unread for op in ops for qubit in _read_or_changed(op)):
        raise UnsupportedError("a qubit that is left out of the search is used")
    ways = []
    for number, first in enumerate(space.offsets):
        own = space.block_qubits(number)
        clean = tuple(q - first for q in flip.clean if q in own and q not in unread)
        ways.append(
            _Way(
                _list_wanted(program, number),
                before[number],
                after[number],
                tuple(q - first for q in roots if q in own),
                clean,
            )
        )
    return ways


def _read_or_changed(op: Op) -> tuple[int, ...]:
    """Qubits that an operation uses, but for those that it borrows as zeros."""
    lent = set(getattr(op, "clean", ()))
    return tuple(qubit for qubit in touched_qubits(op) if qubit not in lent)


def _share_out(ops: Ops, space: Space, home: Mapping[int, int]) -> list[Ops]:
    """The operations on each block, on its own qubits."""
    found: list[list[Op]] = [[] for _ in space.blocks]
    for op in ops:
        homes = {home.get(qubit, -1) for qubit in touched_qubits(op)}
        if len(homes) != 1 or -1 in homes:
            raise UnsupportedError("an operation of the preparation or the reflection joins blocks")
        found[homes.pop()].append(op)
    local = [{q: k for k, q in enumerate(space.block_qubits(number))} for number in range(len(space.blocks))]
    return [rename_wires(ops, names) for ops, names in zip(found, local, strict=True)]


def _list_wanted(program: Program, number: int) -> Wanted:
    """The words of a block; where qubits are left out of the search, those of the others with their weights."""
    block, first = program.space.blocks[number], program.space.offsets[number]
    qubits = program.space.block_qubits(number)
    unread = {q - first for fill in program.fills for q in fill.unread if q in qubits}
    read = [place for place in range(block.num_qubits) if place not in unread]
    words = Counter(scatter_bits(gather_bits(word, read), read) for word in block.codewords)
    fills = [fill for fill in program.fills if set(fill.unread) & set(qubits)]
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


@lru_cache(maxsize=1024)
def _find_fault(way: _Way) -> str | None:
    """What is wrong with a block; None if nothing is."""
    size = sum(weight for _, weight in way.wanted)
    amplitudes = {word: math.sqrt(weight / size) for word, weight in way.wanted}
    state = run_state(way.preparation, {0: 1})
    if not _is_same(state, amplitudes):
        return "its codewords are not prepared evenly"
    kept = _list_kept(way)
    if any(left is None for left in kept):
        return "a qubit that the reflection borrows as a zero can be one"
    # All of them have to be multiples of one vector, whose length tells that nothing is lost.
    longest = max((one for one in kept if one is not None), key=lambda one: _length(one.values()))
    unit = {word: a / _length(longest.values()) for word, a in longest.items()} if longest else {}
    shares = [sum(unit[word].conjugate() * a for word, a in (one or {}).items() if word in unit) for one in kept]
    turn = next((share / abs(share) for share in shares if abs(share) > TOLERANCE), 1)
    apart = (
        (one or {}).get(word, 0j) - wanted * turn * unit.get(word, 0j)
        for one, wanted in zip(kept, amplitudes.values(), strict=True)
        for word in {*(one or {}), *unit}
    )
    return "the reflection is not about the state that is prepared" if _length(apart) > TOLERANCE else None


def _list_kept(way: _Way) -> list[State | None]:
    """For each word the part of what it is before the reflection's phase that has all roots at zero."""
    words = [word for word, _ in way.wanted]
    used = {q for op in way.mirror for q in touched_qubits(op)} | {q for w in words for q in list_bits(w)}
    if used <= set(way.roots):  # then that part is one amplitude, and all of them are those of the mirror of zero
        state = run_state(way.mirror, {0: 1})
        return [{0: state.get(word, 0j).conjugate()} for word in words]
    return [_project(run_state(inverse(way.mirror), {word: 1}), way) for word in words]


def _is_same(state: State, amplitudes: Mapping[int, float]) -> bool:
    turn = next((a / abs(a) for a in state.values()), 1)
    words = state.keys() | amplitudes.keys()
    return _length(state.get(word, 0) / turn - amplitudes.get(word, 0) for word in words) <= TOLERANCE


def _project(state: State, way: _Way) -> State | None:
    """The part of a state with all roots at zero; None if a borrowed qubit can be one."""
    idle, roots = sum(1 << q for q in way.idle), sum(1 << q for q in way.roots)
    if _length(a for word, a in state.items() if word & idle) > TOLERANCE:
        return None
    return {word: a for word, a in state.items() if not word & roots}


def _length(amplitudes: Iterable[complex]) -> float:
    return math.sqrt(sum(abs(a) ** 2 for a in amplitudes))

"""QAOA in a space: start, then in turn a phase by the cost and a mixer that never leaves the codewords.

Source: Farhi, Goldstone, Gutmann, arXiv:1411.4028; mixers on codewords, Hadfield et al., arXiv:1709.03489;
Grover's mixer, Baertschi and Eidenbenz, arXiv:2006.00354.

Mixers are exact on the codewords. A hop exp(-i beta (|a><b| + |b><a|)) between two positions of a one-hot block is two
CX. Between other codewords that differ in a set of bits, it is a product of X turned by beta where the rest of the word
identifies the pair. X becomes Z between two H, and the condition a sum of few signs of parities.

Hops side by side that differ in the same bits are turned together. So a ring of four codewords in Gray code is an RX on
each of two qubits, without any CX.

Working forms: a block of one qubit a value is prepared by decoding a binary number. Between preparation and measurement
nothing needs the decoded form. On the number, held by the same qubits, mixers and phases are often cheaper, and the
decoding comes once, at the end. Numbers are in Gray code where there are 2^n of them, so that a ring of four is two RX.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from gatesolve.circuit import Gate, Op, Ops, Parity, Xor, inverse
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.lowering import GateSet, estimate_cx
from gatesolve.circuit.ops import rename_wires, shift_wires
from gatesolve.circuit.pennylane import apply_ops
from gatesolve.circuit.pennylane_gates import require_pennylane
from gatesolve.encodings import prepare
from gatesolve.encodings.block import Block, Mirror
from gatesolve.encodings.mixer import Hops, Mixer, MixerKind, is_unary, list_edges, mixers_for
from gatesolve.encodings.space import Space
from gatesolve.errors import AncillaBudgetError, InputError, UnsupportedError
from gatesolve.gate_sets import Lowering, Metric
from gatesolve.oracle.parity_network import Steps, num_flips, phase_network, turned_network
from gatesolve.oracle.phase import phase_ops
from gatesolve.oracle.phase_polynomial import wires_of
from gatesolve.pipelines.qaoa.phase import (
    EXACT,
    Floats,
    Local,
    PhaseLayer,
    Polynomial,
    Report,
    fit_polynomials,
    make_phase_layer,
)
from gatesolve.programs.program import Program
from gatesolve.programs.reflection import find_mirror
from gatesolve.programs.section import Section
from gatesolve.programs.unread import real_state
from gatesolve.qubo.cost import Cost
from gatesolve.simulate.qaoa import read_angles

WIDEST = 10
"""Most qubits of a block that is given amplitudes of its own."""
BlockCoding = Literal["auto", "encoded", "numbers"]
MOST_LAYERS = 10_000
"""Most layers of one circuit."""


@dataclass(frozen=True)
class WorkingForm:
    """A space to work in, and the way from it to the space asked for.

    Attributes:
        space: the same codewords in the same order, other bits.
        wires: the qubit of the space asked for that each of its qubits is.
        idle: qubits that are zero until ``finish``.
        finish: from its codewords to those of the space asked for, on the qubits of that.
    """

    space: Space
    wires: tuple[int, ...]
    idle: tuple[int, ...] = ()
    finish: Ops = ()


def number_blocks(space: Space) -> WorkingForm:
    """Return a space with every block of one qubit a value as a number; the others keep their form.

    Cost: of ``finish`` for a block of d values less than d ANDs and 2 d CX, as for its preparation.
    """
    blocks: list[Block] = []
    wires: list[int] = []
    idle: list[int] = []
    finish: list[Op] = []
    for block, first in zip(space.blocks, space.offsets, strict=True):
        if block.size == 1 or not is_unary(block):
            blocks.append(block)
            wires += range(first, first + block.num_qubits)
            continue
        power = block.size & (block.size - 1) == 0
        # Gray code: neighbours on the ring differ in one bit, so their hops need few CX. It fits a power of two only.
        words = tuple(k ^ k >> 1 if power else k for k in range(block.size))
        place = {word: first + position for position, word in enumerate(words)}
        uniform = prepare.prepare_uniform(block.size)
        ops, roots = prepare.prepare_one_hot(block.size)
        used = [place[root] for root in roots]
        width = (block.size - 1).bit_length()
        kind, numbers = "binary" if len(block.variables) == 1 else "table", tuple(range(width))
        number = replace(block, kind=kind, codewords=words, num_qubits=width, preparation=uniform)
        blocks.append(replace(number, roots=numbers, mirrors=()))
        wires += used
        idle += [qubit for qubit in place.values() if qubit not in used]
        # The preparation of one-hot is that of the number, then the decoding, of which only the latter is left.
        finish += rename_wires(ops[len(uniform) :], place)
    return WorkingForm(Space(tuple(blocks)), tuple(wires), tuple(sorted(idle)), tuple(finish))


def _prepare_block(block: Block, wanted: Sequence[float]) -> Ops:
    given = np.asarray(wanted, dtype=float)
    name = "/".join(block.variables)
    if given.shape != (block.size,):
        raise InputError(f"the start of {name} has {given.size} probabilities for {block.size} codewords")
    if not np.isfinite(given).all() or (given < 0).any() or not given.sum() > 0:
        raise InputError(f"the start of {name} needs probabilities that are finite, at least 0, and not all 0")
    inner = number_blocks(Space((block,)))
    numbered = inner.space.blocks[0]
    if numbered.num_qubits > WIDEST:
        raise UnsupportedError(f"a start of its own for {name} on {numbered.num_qubits} qubits: at most {WIDEST}")
    # Words that are no codeword get amplitude zero.
    weights = np.zeros(1 << numbered.num_qubits)
    weights[list(numbered.codewords)] = given
    return (*rename_wires(real_state(np.sqrt(weights / weights.sum())), inner.wires), *inner.finish)


def mixer_ops(
    space: Space, mixers: Sequence[Mixer], betas: Sequence[float], clean: Sequence[int], gates: GateSet = "cx+u"
) -> Ops:
    """Return one mixer layer.

    ``mixers`` and ``betas`` have one a block, or ``grover-global`` stands alone; ``clean`` are ancillas that are zero
    before and after, ``gates`` says what a phase on several qubits is to save.
    """
    if [mixer.kind for mixer in mixers] == ["grover-global"] and len(betas) == 1:
        return _grover(find_mirror(space, "cx", needs_idle=not clean), betas[0], clean, gates)
    if not len(space.blocks) == len(mixers) == len(betas):
        raise InputError(f"{len(mixers)} mixers and {len(betas)} angles for {len(space.blocks)} blocks: give one each")
    layers = (_block_ops(space, k, mixers[k], betas[k], clean, gates) for k in range(len(mixers)))
    return tuple(chain.from_iterable(layers))


def _block_ops(space: Space, number: int, mixer: Mixer, beta: float, clean: Sequence[int], gates: GateSet) -> Ops:
    block, first = space.blocks[number], space.offsets[number]
    if block.size == 1:
        return ()
    if mixer.kind == "grover":
        return _grover(_find_mirror(space, number, mixer, needs_idle=not clean), beta, clean, gates)
    if mixer.kind == "x":
        # RX(2 beta) = exp(-i beta X) on each qubit.
        return tuple(
            Gate(name, (q,), (2 * beta,) if name == "rz" else ())
            for q in range(first, first + block.num_qubits)
            for name in ("h", "rz", "h")
        )
    if block.parts:
        return shift_wires(_hop_digits(block, mixer.kind, beta), first)
    if is_unary(block):
        return tuple(chain.from_iterable(_hop(first + a, first + b, beta) for a, b in mixer.hops))
    return shift_wires(tuple(chain.from_iterable(turn.ops(beta) for turn in word_turns(block, mixer.hops))), first)


def _find_mirror(space: Space, number: int, mixer: Mixer, *, needs_idle: bool) -> Mirror:
    if not mixer.start:
        return find_mirror(space, "cx", [number], needs_idle=needs_idle)
    block, first = space.blocks[number], space.offsets[number]
    inner = number_blocks(Space((block,)))
    roots, idle = (tuple(wire + first for wire in wires) for wires in (inner.wires, inner.idle))
    return Mirror(shift_wires(_prepare_block(block, mixer.start), first), roots, idle)


def _hop_digits(block: Block, kind: MixerKind, beta: float) -> Ops:
    """Return the hops of each digit of a permutation block, between its shuffle undone and done again."""
    digits = prepare.list_digits(len(block.variables))
    shuffle = tuple(op for op in block.preparation if min(op.wires) < digits[0][0])
    hops = (_hop(own[a], own[b], beta) for own in digits for a, b in list_edges(kind, len(own)).hops)
    return (*inverse(shuffle), *chain.from_iterable(hops), *shuffle)


def _grover(mirror: Mirror, beta: float, clean: Sequence[int], gates: GateSet) -> Ops:
    """``exp(-i beta |s><s|)``: a phase where all roots are zero between the mirror undone and done again."""
    zero = tuple(Parity((root,), True) for root in mirror.roots)
    return (*inverse(mirror.ops), *phase_ops(zero, (*mirror.idle, *clean), -beta, gates), *mirror.ops)


def _hop(a: int, b: int, beta: float) -> Ops:
    """``exp(-i beta (XX + YY) / 2)``, Qiskit's XXPlusYYGate(2 beta), by 2 CX."""
    # A quarter turn about X on both qubits makes ZZ of YY; CX then makes X on ``a`` of XX, Z on ``b`` of ZZ.
    quarter = tuple(Gate(name, (qubit,)) for qubit in (a, b) for name in ("h", "s", "h"))
    flip = Xor(Parity((a,)), b)
    middle = (Gate("h", (a,)), Gate("rz", (a,), (beta,)), Gate("h", (a,)), Gate("rz", (b,), (beta,)))
    return (*quarter, flip, *middle, flip, *inverse(quarter))


@dataclass(frozen=True)
class WordTurn:
    """Hops side by side whose two codewords all differ in the same bits.

    Attributes:
        pivot: a bit in which they differ.
        others: the other bits, on which the pivot is added so that they are equal.
        steps: a parity network for the condition and the pivot.
        polynomial: 1 for these hops and 0 for the other codewords, times the pivot's sign.
    """

    pivot: int
    others: tuple[int, ...]
    steps: Steps
    polynomial: tuple[tuple[int, float], ...]

    @property
    def cx(self) -> int:
        """CX before lowering's passes."""
        return num_flips(self.steps) + 2 * len(self.others)

    def ops(self, beta: float) -> Ops:
        """Return the hops at an angle, on the block's qubits."""
        turn = (Gate("h", (self.pivot,)),)
        make = tuple(Xor(Parity((self.pivot,)), other) for other in self.others)
        inner = turned_network(self.steps, {mask: beta * c for mask, c in self.polynomial})
        return (*make, *turn, *inner, *turn, *make)


@lru_cache(maxsize=256)
def word_turns(block: Block, hops: Hops) -> tuple[WordTurn, ...]:
    """Return hops between any codewords, those of a round that differ in the same bits together.

    Raises:
        UnsupportedError: the block has too many qubits for conditions to be written in parities.
    """
    result = []
    for together in _rounds(hops):
        by_bits: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for a, b in together:
            # Hops that differ in the same bits share the CX that make these bits equal.
            by_bits[block.codewords[a] ^ block.codewords[b]].append((a, b))
        for bits, pairs in by_bits.items():
            result.append(min((_word_turn(block, pairs, bits, p) for p in wires_of(bits)), key=lambda turn: turn.cx))
    return tuple(result)


def _rounds(hops: Hops) -> list[list[tuple[int, int]]]:
    rounds: list[list[tuple[int, int]]] = []
    seen: set[int] = set()
    for hop in hops:
        # Hops of one round have no position in common, so that they can be turned together.
        if not rounds or seen & {*hop}:
            rounds.append([])
            seen = set()
        rounds[-1].append(hop)
        seen |= {*hop}
    return rounds


def _word_turn(block: Block, pairs: Sequence[tuple[int, int]], bits: int, pivot: int) -> WordTurn:
    others = bits & ~(1 << pivot)

    def rest(word: int) -> int:
        # With the pivot added to the other bits that differ, both codewords of a hop have the same rest.
        return (word ^ others if word >> pivot & 1 else word) & ~(1 << pivot)

    words = sorted({rest(word) for word in block.codewords})
    # The condition for turning: the rest is that of one of these hops.
    chosen = {rest(block.codewords[a]) for a, _ in pairs}
    values = np.array([float(word in chosen) for word in words])
    rests = Block("binary", ("rest",), tuple((k,) for k in range(len(words))), tuple(words), block.num_qubits, (), ())
    fits = fit_polynomials(Local((0,), values), Space((rests,)))
    options = [_with_pivot(found, rests, values, pivot) for found in fits]
    if not options:
        raise UnsupportedError(f"hops between codewords of {block.num_qubits} qubits: choose the mixer grover")
    networks = [(phase_network(mask for mask, _ in option), option) for option in options]
    steps, polynomial = min(networks, key=lambda found: num_flips(found[0]))
    return WordTurn(pivot, wires_of(others), steps, polynomial)


def _with_pivot(found: Polynomial, rests: Block, values: Floats, pivot: int) -> tuple[tuple[int, float], ...]:
    """Return the polynomial with its constant, times the pivot's sign."""
    word = rests.codewords[0]
    constant = float(values[0]) - sum(c * (-1) ** (word & mask).bit_count() for mask, c in found.items())
    terms = {0: constant, **found}
    # Between two H, the pivot's sign is the X of the hop.
    return tuple((mask | 1 << pivot, c) for mask, c in sorted(terms.items()) if abs(c) > EXACT)


@dataclass(frozen=True)
class QaoaTemplate:
    """All of a QAOA circuit but its angles: made once, for many angles.

    Attributes:
        space: the search space.
        mixers: one a block, or the global one alone.
        working: the form in which the layers hold the blocks.
        phase: the phase layer in that form.
        num_ancillas: after the space's qubits.
    """

    space: Space
    mixers: tuple[Mixer, ...]
    working: WorkingForm
    phase: PhaseLayer
    num_ancillas: int

    @property
    def start(self) -> Ops:
        """Preparation of the state that the mixers turn about, in the working form."""
        space = self.working.space
        if not any(mixer.start for mixer in self.mixers):
            return rename_wires(space.preparation, self._wires)
        ops: list[Op] = []
        for block, first, mixer in zip(space.blocks, space.offsets, self.mixers, strict=True):
            ops += shift_wires(_prepare_block(block, mixer.start) if mixer.start else block.preparation, first)
        return rename_wires(ops, self._wires)

    def layer(self, gamma: float, betas: Sequence[float], gates: GateSet = "cx+u") -> Ops:
        """Return one phase and one mixer layer.

        ``gates`` says what a phase on several qubits is to save.
        """
        inner, wires = self.working.space, self._wires
        # Idle data qubits and ancillas are zero between the layers.
        clean = range(inner.num_qubits, len(wires))
        return rename_wires((*self.phase.ops(gamma), *mixer_ops(inner, self.mixers, betas, clean, gates)), wires)

    def cx(self, layers: int) -> int:
        """Return the CX of ``layers`` layers, before the passes of lowering."""
        one = count_cx(self.layer(1.0, [1.0] * len(self.mixers)))
        return count_cx(self.start) + layers * one + count_cx(self.working.finish)

    def program(
        self, gammas: ArrayLike, betas: ArrayLike, *, gates: GateSet = "cx+u", metric: Metric = "cx"
    ) -> Program:
        """Return the circuit at given angles.

        Args:
            gammas: shape (p,).
            betas: shape (p,), or (p, number of mixers) for an angle of each block's own.
            gates: gate set for lowering.
            metric: what lowering chooses rules by.

        Raises:
            InputError: angles that are no finite numbers or do not fit together, more than 10,000 layers, or a mixer's
                start that does not fit its block.
            UnsupportedError: a start of a block of too many qubits.
        """
        turns, mixing = read_angles(gammas, betas, len(self.mixers))
        if len(turns) > MOST_LAYERS:
            raise InputError(f"{len(turns)} layers are more than {MOST_LAYERS}: choose fewer")
        layers = (self.layer(gamma, row, gates) for gamma, row in zip(turns.tolist(), mixing.tolist(), strict=True))
        sections = [Section("preparation", self.start), *(Section("layer", ops) for ops in layers)]
        if self.working.finish:
            sections.append(Section("decoding", self.working.finish))
        return Program(self.space, tuple(sections), self.num_ancillas, Lowering(gates, metric))

    def to_pennylane(self) -> Callable[[Any, Any], None]:
        """Return a quantum function of PennyLane that takes gammas and betas, which may be its trainable tensors.

        Wires are those of `Program.to_pennylane`; shapes of the angles those of `program`.

        Raises:
            UnsupportedError: PennyLane is not installed.
        """
        math = require_pennylane().math

        def ansatz(gammas: Any, betas: Any) -> None:
            apply_ops(self.start)
            for gamma, row in zip(gammas, betas, strict=True):
                apply_ops(self.layer(gamma, [row] * len(self.mixers) if math.ndim(betas) == 1 else row))
            apply_ops(self.working.finish)

        return ansatz

    @property
    def _wires(self) -> tuple[int, ...]:
        # After the working space's qubits come ancillas for it: idle data qubits first.
        own = range(self.space.num_qubits, self.space.num_qubits + self.num_ancillas)
        return (*self.working.wires, *self.working.idle, *own)


def qaoa_template(
    space: Space,
    cost: Cost,
    mixers: Sequence[Mixer] | None = None,
    *,
    block_coding: BlockCoding = "auto",
    layers: int = 8,
    ancillas: int | None = None,
    report: Report = lambda *_: None,
) -> QaoaTemplate:
    """Choose the circuits of phase and mixers.

    Args:
        space: the search space.
        cost: what the phases sum up.
        mixers: one a block, or the global one alone; each block's default where None.
        block_coding: ``encoded`` for layers on the space's own codewords, ``numbers`` for layers that hold blocks of
            one qubit a value as numbers and decode them at the end, ``auto`` for the one of fewer CX.
        layers: how many are to be cheap, for ``auto``.
        ancillas: most of them; None for as many as save CX.
        report: called with (done, total) as parts of the phase are written.

    Raises:
        AncillaBudgetError: the budget is too small.
        DoesNotFitError: a constraint has no circuit.
        InputError: mixers that do not fit the blocks.
        UnsupportedError: a mixer has no circuit.

    Cost: of the phase see `make_phase_layer`; a hop of one-hot 2 CX; a Grover mixer two preparations and one phase.
    """
    chosen = tuple(mixers_for(space) if mixers is None else mixers)
    forms: list[WorkingForm] = [] if block_coding == "numbers" else [WorkingForm(space, tuple(range(space.num_qubits)))]
    if block_coding == "numbers" or (block_coding == "auto" and any(is_unary(b) and b.size > 1 for b in space.blocks)):
        # Numbers need fewer qubits between the layers, and their decoding is paid once, whatever the number of layers.
        forms.append(number_blocks(space))
    templates = []
    for number, working in enumerate(forms):
        spare = len(working.idle)

        # A default argument, as the closure would see the number of the last form.
        def tell(done: int, total: int, before: int = number) -> None:
            report(before * total + done, len(forms) * total)

        phase = make_phase_layer(cost, working.space, None if ancillas is None else ancillas + spare, tell)
        # Idle data qubits serve as ancillas before others are added.
        needed = max(phase.num_ancillas, _mixer_ancillas(working.space, chosen)) - spare
        if ancillas is not None and needed > ancillas:
            raise AncillaBudgetError(f"a mixer needs {needed} ancilla, {ancillas} are allowed", least=needed)
        data, extra = working.space.num_qubits, spare + max(0, needed)
        spread = phase.spread(data, extra)
        # Passes cancel more CX between terms that have their flags on the same ancillas.
        if phase.flags and estimate_cx(spread.ops(1.0), data + extra) <= estimate_cx(phase.ops(1.0), data + extra):
            phase = spread
        templates.append(QaoaTemplate(space, chosen, working, phase, max(0, needed)))
    return min(templates, key=lambda template: template.cx(layers))


def _mixer_ancillas(space: Space, mixers: Sequence[Mixer]) -> int:
    """Return 1 where a phase on more than three roots has no idle qubit, else 0."""
    found = [_find_mirror(space, k, mixer, needs_idle=True) for k, mixer in enumerate(mixers) if mixer.kind == "grover"]
    if any(mixer.kind == "grover-global" for mixer in mixers):
        found = [find_mirror(space, "cx", needs_idle=True)]
    # A phase on up to three qubits needs no ancilla.
    return int(any(len(mirror.roots) > 3 and not mirror.idle for mirror in found))

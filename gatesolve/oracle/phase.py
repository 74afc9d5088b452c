"""Phases other than -1 on a conjunction of parities, and oracles that give them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import And, Gate, Op, Ops, Parity, PhaseFlip, Planes, Xor, independent_parities, inverse, run_ops
from gatesolve.circuit.lowering import GATE_SETS, GateSet
from gatesolve.circuit.lowering.rules.mcz import expand_mcz
from gatesolve.circuit.ops import make_in_place
from gatesolve.encodings.space import Space
from gatesolve.errors import AncillaBudgetError

WALK_LIMIT = 1 << 20
"""Codewords up to which it is looked up whether the flips of an oracle overlap."""
CHUNK = 1 << 16


def phase_ops(factors: Sequence[Parity], clean: Sequence[int], angle: float, gates: GateSet = "cx+u") -> Ops:
    """Return the phase ``exp(i angle)`` where every factor is 1, up to a global phase.

    ``clean`` are ancillas that are zero here and are returned zero; one is needed for more than three factors. Of the
    gate sets ``cx+u`` takes the fewest CX, the others the fewest rotations.

    Raises:
        AncillaBudgetError: more than three independent factors and no clean ancilla.

    Cost: in ``cx+u`` the CX of the phase -1 on the same factors (6 n - 12 for n > 2), and seven rotations for seven T.
    In ``clifford+t`` one rotation, and 12 CX and 16 T more than the ANDs of that phase, with two more clean ancillas.
    With one fewer ancilla it takes three rotations, with two fewer seven.
    Source: the phase polynomial of a product, Amy, Maslov, Mosca, arXiv:1303.2042, section 3.
    """
    parities = independent_parities(tuple(factors))
    if parities is None or not parities:
        return ()
    if len(parities) == 1:
        # exp(i angle (1 - x)) is exp(-i angle x) up to a global phase.
        angle = -angle if parities[0].constant else angle
        parities = [Parity(parities[0].wires)]
    make = make_in_place(parities)
    qubits = [p.wires[0] for p in parities]
    return (*make, *_product_phase(qubits, list(clean), angle, gates), *inverse(make))


def _product_phase(qubits: list[int], clean: list[int], angle: float, gates: GateSet) -> Ops:
    if len(qubits) > 3:
        around = expand_mcz(qubits, clean)
        if around is None:
            raise AncillaBudgetError("a phase on over three factors needs a clean ancilla, 0 are allowed", least=1)
        # The phase takes the place of the inner flip of a circuit for -1.
        place, flip = next((k, flip) for k, op in enumerate(around) if (flip := _as_flip(op)) is not None)
        before, after = around[:place], around[place + 1 :]
        used = {wire for op in before for wire in op.changed}
        left = [q for q in clean if q not in used]
        inner = [wire for factor in flip.factors for wire in factor.wires]
        return (*before, *_product_phase(inner, left, angle, gates), *after)
    if not GATE_SETS[gates].has_rotations and len(qubits) > 1 and clean:
        # An AND takes fewer T than the rotations that it saves.
        join = And(Parity((qubits[0],)), Parity((qubits[1],)), clean[0])
        inner_ops = _product_phase([clean[0], *qubits[2:]], clean[1:], angle, gates)
        return (join, *inner_ops, *inverse([join]))
    return tuple(_network(tuple(qubits), angle))


def _network(qubits: tuple[int, ...], angle: float) -> Iterable[Op]:
    """The phase polynomial of a product of one to three qubits, 0, 2 and 6 CX."""
    share = angle / 2 ** (len(qubits) - 1)
    if len(qubits) == 3:
        first, second, third = qubits
        for sign, wire in ((1, second), (-1, first), (1, second), (-1, first)):
            yield Gate("p", (third,), (sign * share,))
            yield Xor(Parity((wire,)), third)
    for qubit in qubits[:2]:
        yield Gate("p", (qubit,), (share,))
    if len(qubits) > 1:
        flip = Xor(Parity((qubits[0],)), qubits[1])
        yield from (flip, Gate("p", (qubits[1],), (-share,)), flip)


def with_phase(ops: Ops, angle: float, clean: Sequence[int], gates: GateSet, exclusive: bool) -> Ops:
    """Return a phase oracle with ``exp(i angle)`` in place of -1, up to a global phase.

    All phases of ``ops`` are flips (`PhaseFlip`, ``z``, ``cz``), all else is computed and undone; ``clean`` are
    ancillas that it does not use. ``exclusive`` promises that at most one flip acts on any codeword. Otherwise the
    number of flips modulo two is computed onto a clean ancilla, by ``ops`` with a control more, and undone after the
    phase: twice their cost.
    """
    flips = [_as_flip(op) for op in ops]
    if exclusive:
        turned: list[Op] = []
        for op, flip in zip(ops, flips, strict=True):
            if flip is None:
                turned.append(op)
            else:
                turned += phase_ops(flip.factors, tuple(dict.fromkeys((*flip.clean, *clean))), angle, gates)
        return tuple(turned)
    if not clean:
        raise AncillaBudgetError("a phase on an oracle of several flips needs a clean ancilla, 0 are allowed", least=1)
    flag, rest = clean[0], tuple(clean[1:])
    marked = Parity((flag,))
    mix = Gate("h", (flag,))
    compute = [
        op if flip is None else PhaseFlip((*flip.factors, marked), tuple(dict.fromkeys((*flip.clean, *rest))))
        for op, flip in zip(ops, flips, strict=True)
    ]
    # Between H gates, the flag changes with each flip.
    onto = (mix, *compute, mix)
    return (*onto, Gate("p", (flag,), (angle,)), *onto)


def _as_flip(op: Op) -> PhaseFlip | None:
    """The operation as a phase flip, None if it gives no phase."""
    found = op.as_flip()
    return None if found is None or found[0] else found[1]


def one_flip_at_most(ops: Ops, num_qubits: int, space: Space) -> bool:
    """Whether no codeword meets two flips of ``ops``: by their number, else by walking a space of up to 2^20.

    False also where the space is too large to tell.
    """
    flips = [flip for op in ops if (flip := _as_flip(op)) is not None]
    if len(flips) <= 1:
        return all(flip.factors for flip in flips)
    if space.size > WALK_LIMIT:
        return False
    chunks = (np.arange(k, min(k + CHUNK, space.size)) for k in range(0, space.size, CHUNK))
    return all(_is_exclusive(ops, space.inputs(numbers, num_qubits)) for numbers in chunks)


def _is_exclusive(ops: Ops, states: NDArray[np.bool_]) -> bool:
    planes = Planes.from_bits(states)
    met = np.zeros(planes.bits.shape[1], dtype=np.uint64)
    for op in ops:
        flip = _as_flip(op)
        before = planes.phase[1].copy()
        run_ops([flip or op], planes)
        if flip is not None:
            # Where the sign changed, this operation flipped it.
            hit = planes.phase[1] ^ before
            if planes.unpack((hit & met)[None, :], states.shape[1]).any():
                return False
            met |= hit
    return True

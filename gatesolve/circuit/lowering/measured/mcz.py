"""Multi-controlled Z with measured erasure: 4 n - 6 T for n controls, n > 2, and 4 T for two.

A step is an operation or a `Measure`: a qubit measured, operations that depend on the outcome, the qubit back at zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gatesolve.circuit.lowering.rules.clean import join_on_controls
from gatesolve.circuit.ops import And, Gate, Op, Ops, PhaseFlip, Xor, inverse, make_in_place
from gatesolve.circuit.parity import Parity, independent_parities

MOST_AT_ROOT = 4
"""Parities that meet in one gadget of six T."""
CCZ_ROOT, CZ_ROOT = 3, 2
"""Parities that meet in a CCZ, the choice where it is one gate, and in a CZ, the shallowest."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Measure ``qubit`` in the computational basis, apply what belongs to the outcome, and leave the qubit at zero.

    A further X, which is not among the operations ``on_one``, brings it back to zero on outcome 1.
    """

    qubit: int
    on_one: Ops
    on_zero: Ops = ()


Step = Op | Measure
Steps = tuple[Step, ...]


def compute_target(left: Parity, right: Parity, target: int) -> Ops:
    """AND onto a zeroed target, without relative phase.

    Cost: 4 T, 3 CX and more for longer parities. Source: Gidney, arXiv:1709.06648, section II.
    """
    return And(left, right, target), Gate("sdg", (target,))


def erase_target(target: int, products: Sequence[tuple[Parity, ...]]) -> Steps:
    """Set ``target``, which holds the XOR of ``products``, to zero without a relative phase.

    The target is measured in the X basis, and the outcome is independent of the products. On outcome 1 every state
    gained -1 for each of its products that is 1. A CZ for each product of two parities removes that phase.

    Cost: no T; a CZ for each product of single wires. Source: Gidney, arXiv:1709.06648, section II.
    """
    return Gate("h", (target,)), Measure(target, tuple(PhaseFlip(p) for p in products))


def turn_correction(step: Step) -> Steps:
    """Return a step with its correction by a CZ as a CX between two H, which do not depend on the outcome.

    The CX is onto the wire of the shorter side, which is mostly erased next: its first H meets the last H here.
    """
    if not isinstance(step, Measure) or step.on_zero or len(step.on_one) != 1 or len(step.on_one[0].reads) != 2:
        return (step,)
    long, short = sorted(step.on_one[0].reads, key=lambda side: (-len(side.wires), side.wires))
    if len(short.wires) != 1 or short.wires[0] in long.wires:
        return (step,)
    turned, sign = Gate("h", short.wires), (PhaseFlip((long,)),) if short.constant else ()
    return turned, Measure(step.qubit, (Xor(long, short.wires[0]), *sign)), turned


def flip_phase(factors: Sequence[Parity], free: Sequence[int], root: int = MOST_AT_ROOT) -> Steps | None:
    """Return operations for a phase of -1 where all ``factors`` are 1.

    ANDs join factors two by two until ``root`` factors are left: four meet in a gadget of six T, three in a CCZ, and
    two in a CZ. Two takes 2 T more and is less deep.

    ``free`` are zeroed qubits outside all factors; they are zero again afterwards. Return None if there are three or
    more factors and no free qubit.

    Cost for k independent factors: 4 k - 10 T for k > 3, 4 T for 3, none below. It needs k - 3 free qubits for k > 3,
    and 1 for k = 3. With ``root`` = 2: 4 k - 8 T and k - 2 free qubits. With ``root`` = 3: k - 3 ANDs and a CCZ. With
    fewer free qubits, but at least one, further factors are joined onto conditionally clean qubits, at 8 T each.
    Source: Gidney and Jones, arXiv:2106.11513, section 1; Khattar and Gidney, arXiv:2407.17966, section 5.
    """
    parities = _different(factors)
    if parities is None:
        return ()
    if len(parities) <= 2:
        return (PhaseFlip(tuple(parities)),) if parities else ()
    if not free:
        return None
    if len(parities) == 3:
        return (PhaseFlip(tuple(parities)),) if root == CCZ_ROOT else _pair_at_root(parities, free)
    if root == CZ_ROOT and len(free) >= len(parities) - 2:
        return _join(parities, free, len(parities) - 2, plain=True)
    if len(free) >= len(parities) - 3:
        return _join(parities, free, len(parities) - (3 if root == CCZ_ROOT else 4), plain=root == CCZ_ROOT)
    return _scarce(parities, free, has_gadget=root != CCZ_ROOT)


def _different(factors: Sequence[Parity]) -> list[Parity] | None:
    """Return the conjunction's factors without repeats and constants; None if it is never 1."""
    reduced = independent_parities(tuple(factors))
    if reduced is None:
        return None
    plain = [f for f in dict.fromkeys(factors) if f.wires]
    shorter = sum(len(p.wires) for p in reduced) < sum(len(p.wires) for p in plain)
    return [Parity.of(f.wires, f.constant) for f in reduced] if shorter or len(reduced) < len(plain) else plain


def _pair_at_root(factors: Sequence[Parity], free: Sequence[int]) -> Steps:
    """Three factors: the AND of the two short ones, a CZ with the long one, measured erasure; 4 T."""
    # The longest parity goes into the CZ, where each wire costs one CX less than in an AND.
    short, middle, long = sorted(factors, key=lambda f: len(f.wires))
    compute = compute_target(middle, short, free[0])
    return (*compute, PhaseFlip((Parity((free[0],)), long)), *erase_target(free[0], [(middle, short)]))


def _join(factors: Sequence[Parity], free: Sequence[int], joins: int, plain: bool) -> Steps:
    """``joins`` ANDs onto free qubits, balanced; the root; the ANDs erased in the opposite order."""
    # Short ones are joined: as a control each further wire costs a CX or two, in the root's gadget one.
    left = sorted(factors, key=lambda f: len(f.wires))
    compute: list[Step] = []
    made: list[tuple[int, tuple[Parity, Parity]]] = []
    for goal in free[:joins]:
        first, second = left.pop(0), left.pop(0)
        long, short = (first, second) if len(first.wires) >= len(second.wires) else (second, first)
        compute.extend(compute_target(long, short, goal))
        made.append((goal, (long, short)))
        left.append(Parity((goal,)))
    root = (PhaseFlip(tuple(left)),) if plain else flip_phase_of_four(left, free[joins])
    undo = [step for goal, product in reversed(made) for step in erase_target(goal, [product])]
    return (*compute, *root, *undo)


def flip_phase_of_four(factors: Sequence[Parity], ancilla: int) -> Steps:
    """Phase -1 where all four ``factors`` are 1, with one ancilla at zero before and after; 6 T.

    Cost: 6 T and, for single wires, 7 CX and a CZ that depends on the outcome.
    Source: Gidney and Jones, arXiv:2106.11513, figure 1.
    """
    # The ancilla is given p q ^ r s while the state gains i^(pq) (-i)^(rs): two ANDs, one of whose T meets its inverse.
    # S on it gives i^(pq ^ rs) = i^(pq) i^(rs) (-1)^(pqrs), in all (-1)^(pqrs) and a CZ of p and q.
    # Erasure adds (-1)^(pq ^ rs) on outcome 1, so there the CZ needed is that of r and s.
    p, q, r, s = sorted(factors, key=lambda f: -len(f.wires))

    def add(parity: Parity) -> Xor:
        return Xor(parity, ancilla)

    def turn(name: str) -> Gate:
        return Gate(name, (ancilla,))

    # The qubit, in |+>, walks through its sums with p, q and p ^ q, then, p added for good, with r, s and r ^ s.
    walk: Ops = (
        turn("h"), turn("t"), add(q), turn("tdg"), add(p), turn("t"), add(q),
        add(r), turn("tdg"), add(s), turn("t"), add(r), turn("tdg"), add(s),
        turn("h"), turn("s"),
    )  # fmt: skip
    return (*walk, turn("h"), Measure(ancilla, (PhaseFlip((r, s)),), (PhaseFlip((p, q)),)))


def _scarce(factors: Sequence[Parity], free: Sequence[int], has_gadget: bool) -> Steps:
    """Return the steps with fewer free qubits than ANDs: some targets are controls, which are conditionally clean.

    With a single free qubit, or without the gadget, the root is a CCZ of 7 T.
    """
    reduced = independent_parities(tuple(factors))
    assert reduced is not None, "repeats and contradictions were removed"
    make = make_in_place(reduced)
    layer = [parity.wires[0] for parity in reduced]
    plain, chain, root = free[:-1], free[-1], free[:0]
    if has_gadget:
        # Of the last two free qubits, one starts the chain of conditionally clean targets and one is the gadget's.
        plain, root = free[:-2], free[-2:-1]
    compute: list[Step] = []
    undo: list[Step] = []
    for goal in plain:
        pair = Parity((layer.pop(0),)), Parity((layer.pop(0),))
        compute.extend(compute_target(*pair, goal))
        # At the front: erasures run in the opposite order of the ANDs.
        undo[:0] = erase_target(goal, [pair])
        layer.append(goal)
    first = Parity((layer[0],)), Parity((layer[1],))
    compute.extend(compute_target(*first, chain))
    undo[:0] = erase_target(chain, [first])
    most = MOST_AT_ROOT if root else 3
    onto, left = join_on_controls(layer, chain, most)
    ends = [Parity((q,)) for q in left]
    middle = flip_phase_of_four(ends, root[0]) if len(ends) == MOST_AT_ROOT and root else (PhaseFlip(tuple(ends)),)
    return (*make, *compute, *onto, *middle, *inverse(onto), *undo, *reversed(make))

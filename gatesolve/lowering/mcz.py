"""Multi-controlled Z: rules that reduce it to logical ANDs and one CCZ, under an ancilla budget.

Each rule is written in reversible operations, so it is checked on every input
by bit-parallel simulation, relative phases included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gatesolve.reversible import And, Op, Ops, Parity, PhaseFlip, Xor, inverse


@dataclass(frozen=True)
class Rule:
    """A way to build a multi-controlled Z over n qubits, n >= 4.

    Attributes:
        name: regime and source.
        clean: ancillas needed (zero before and after) for n qubits.
        build: ``build(qubits, ancillas)`` gives operations with no phase larger than a CCZ.
        cx: declared CX for n qubits; equals the built count.
        t: declared T for n qubits.
        source: where the construction is from.
    """

    name: str
    clean: Callable[[int], int]
    build: Callable[[Sequence[int], Sequence[int]], Ops]
    cx: Callable[[int], int]
    t: Callable[[int], int]
    source: str


def _and(first: int, second: int, target: int) -> And:
    return And(Parity((first,)), Parity((second,)), target)


def and_tree(qubits: Sequence[int], ancillas: Sequence[int]) -> Ops:
    """A balanced tree of logical ANDs on n - 3 clean ancillas, then a CCZ; logarithmic depth."""
    free = list(ancillas)
    compute: list[Op] = []
    layer = list(qubits)
    while len(layer) > 3:
        # Pair only as many as are needed to end with three.
        pairs = min(len(layer) // 2, len(layer) - 3)
        made = []
        for k in range(pairs):
            goal = free.pop(0)
            compute.append(_and(layer[2 * k], layer[2 * k + 1], goal))
            made.append(goal)
        layer = layer[2 * pairs :] + made
    return _around(compute, layer)


def one_clean(qubits: Sequence[int], ancillas: Sequence[int]) -> Ops:
    """One clean ancilla and conditionally clean controls; linear depth.

    With ancilla a = q0 q1, both q0 and q1 are 1 whenever a is, so flipped they
    serve as zeroed targets: r1 = q2 q3 on q1, then r2 = q4 q5 on q3 (right
    whenever r1 is 1), and so on; a r1 r2 ... is the product. Folding from the
    far end, r_k r_{k-1} goes to an input of r_{k-2}, for the same reason.
    """
    ancilla = ancillas[0]
    compute: list[Op] = [_and(qubits[0], qubits[1], ancilla)]
    # Results so far, each with the qubit that is conditionally clean while it stays a factor.
    results = [(ancilla, qubits[0], qubits[1])]
    rest = list(qubits[2:])
    while len(rest) > 1 and len(results) + len(rest) > 3:
        first, second = rest.pop(0), rest.pop(0)
        compute += _onto(first, second, results[-1][2])
        results.append((results[-1][2], first, second))
    factors = [r[0] for r in results] + rest
    spare = [r[1] for r in results]
    while len(factors) > 3:
        last, before = factors.pop(), factors.pop()
        goal = spare[len(factors) - 1]
        compute += _onto(last, before, goal)
        factors.append(goal)
    return _around(compute, factors)


def _onto(first: int, second: int, target: int) -> list[Op]:
    return [Xor(Parity((), True), target), _and(first, second, target)]


def some_clean(qubits: Sequence[int], ancillas: Sequence[int]) -> Ops:
    """Plain ANDs on all ancillas but one, `one_clean` on what is left: shallower the more there are."""
    layer, compute = list(qubits), []
    for goal in ancillas[:-1]:
        first, second = layer.pop(0), layer.pop(0)
        compute.append(_and(first, second, goal))
        layer.append(goal)
    inner = one_clean(layer, ancillas[-1:])
    return (*compute, *inner, *inverse(compute))


def _around(compute: Sequence[Op], factors: Sequence[int]) -> Ops:
    phase = PhaseFlip(tuple(Parity((q,)) for q in factors))
    return (*compute, phase, *inverse(compute))


def _cx(n: int) -> int:
    return 6 * (n - 2)


def _t(n: int) -> int:
    return 8 * (n - 3) + 7


RULES: tuple[Rule, ...] = (
    Rule("and_tree", lambda n: n - 3, and_tree, _cx, _t, "Maslov, arXiv:1508.03273, section III; Gidney, 1709.06648"),
    Rule("some_clean", lambda n: 2, some_clean, _cx, _t, "as one_clean, after ANDs on the further ancillas"),
    Rule("one_clean", lambda n: 1, one_clean, _cx, _t, "Khattar and Gidney, arXiv:2407.17966, section 5"),
)
"""From the shallowest to the one that needs fewest ancillas; all cost the same CX and T."""


def choose(num_qubits: int, num_clean: int) -> Rule | None:
    """The first rule that fits ``num_clean`` ancillas, or None if there are none."""
    for rule in RULES:
        if rule.clean(num_qubits) <= num_clean:
            return rule
    return None


def expand(qubits: Sequence[int], ancillas: Sequence[int]) -> Ops | None:
    """Multi-controlled Z over at least four ``qubits`` in ANDs and a CCZ; None without an ancilla."""
    rule = choose(len(qubits), len(ancillas))
    if rule is None:
        return None
    most = len(ancillas) if rule.name == "some_clean" else rule.clean(len(qubits))
    return rule.build(qubits, ancillas[:most])

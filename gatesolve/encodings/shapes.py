"""Any set of codewords that is a product of full cubes, three-word sets and ranges: preparation and reflection.

A codeword set on n qubits is split into the finest groups of qubits over which it is a product. A group is
prepared by H (one qubit, both words), by X's (one word), as three words on two qubits, or as a range of numbers,
up to an X on each qubit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from gatesolve.circuit import Gate, Ops
from gatesolve.circuit.ops import rename_wires
from gatesolve.encodings import prepare
from gatesolve.encodings.block import Block, Mirror
from gatesolve.errors import InputError


@dataclass(frozen=True)
class CodewordShape:
    """How a codeword set is prepared and reflected about.

    Attributes:
        preparation: from zeros to the uniform superposition of the codewords.
        roots: inside the codewords' span the inverse of ``preparation`` brings every other qubit to zero.
        mirror: another preparation of the same state, for reflecting about it.
        mirror_roots: inside the codewords' span, after the inverse of ``mirror`` these are all zero for the
            uniform superposition and never all zero for what is orthogonal to it.
    """

    preparation: Ops
    roots: tuple[int, ...]
    mirror: Ops
    mirror_roots: tuple[int, ...]


def find_shape(codewords: Iterable[int], num_qubits: int) -> CodewordShape | None:
    """The shape of a set of codewords, or None where it is no such product.

    Cost: the sum over the groups; a three-word group takes 1 CZ to prepare and 2 CX to mirror, and leaves
    one root instead of two.
    """
    words = set(codewords)
    parts: list[CodewordShape] = []
    for qubits in groups(words, num_qubits):
        part = _group({_project(word, qubits) for word in words}, qubits)
        if part is None:
            return None
        parts.append(part)
    return CodewordShape(
        tuple(op for part in parts for op in part.preparation),
        tuple(q for part in parts for q in part.roots),
        tuple(op for part in parts for op in part.mirror),
        tuple(q for part in parts for q in part.mirror_roots),
    )


def groups(codewords: Iterable[int], num_qubits: int) -> list[tuple[int, ...]]:
    """The finest groups of qubits over which the set of codewords is a product, each in rising order."""
    words = set(codewords)
    left = list(range(num_qubits))
    found: list[tuple[int, ...]] = []
    while left:
        first, others = left[0], left[1:]
        subsets = ((first, *rest) for size in range(len(left)) for rest in combinations(others, size))
        chosen = next(own for own in subsets if _splits(words, own, left))
        found.append(chosen)
        left = [q for q in left if q not in chosen]
    return found


def _splits(words: set[int], own: Sequence[int], left: Sequence[int]) -> bool:
    rest = [q for q in left if q not in own]
    inside = {_project(word, own) for word in words}
    outside = {_project(word, rest) for word in words}
    return len(inside) * len(outside) == len({_project(word, left) for word in words})


def _project(word: int, qubits: Sequence[int]) -> int:
    return sum((word >> q & 1) << k for k, q in enumerate(qubits))


def _group(words: set[int], qubits: tuple[int, ...]) -> CodewordShape | None:
    """One group: its words are over its own qubits, in order."""
    size, width = len(words), len(qubits)
    if width == 1:
        ops: Ops = (Gate("h", qubits),) if size == 2 else _flips(next(iter(words)), qubits)
        roots = qubits if size == 2 else ()
        return CodewordShape(ops, roots, ops, roots)
    if width == 2 and size == 3:
        missing = ({0, 1, 2, 3} - words).pop()
        preparation = (*rename_wires(prepare.prepare_uniform(3), qubits), *_flips(missing ^ 3, qubits))
        return CodewordShape(
            preparation, qubits, rename_wires(prepare.prepare_three_words(missing), qubits), (qubits[0],)
        )
    for mask in range(1 << width):
        if {word ^ mask for word in words} == set(range(size)):
            preparation = (*rename_wires(prepare.prepare_uniform(size), qubits), *_flips(mask, qubits))
            return CodewordShape(preparation, qubits, preparation, qubits)
    return None


def _flips(word: int, qubits: Sequence[int]) -> tuple[Gate, ...]:
    return tuple(Gate("x", (q,)) for k, q in enumerate(qubits) if word >> k & 1)


def make_coded(
    variables: Sequence[str],
    tuples: Sequence[tuple[int, ...]],
    codewords: Sequence[int],
    num_qubits: int | None = None,
    kind: str = "table",
) -> Block:
    """A block whose codewords, one a tuple of values, are given; the least width that holds them by default.

    Raises:
        InputError: patterns repeat, do not fit, or are no set that `find_shape` can prepare.
    """
    width = max(codewords).bit_length() if num_qubits is None else num_qubits
    as_many = len(set(codewords)) == len(codewords) == len(tuples)
    if not as_many or min(codewords) < 0 or max(codewords) >> width:
        raise InputError(f"codewords {list(codewords)} are not {len(tuples)} different patterns of {width} bits")
    found = find_shape(codewords, width)
    if found is None:
        raise InputError(f"no preparation is known for the set of codewords {sorted(codewords)}")
    mirrors = () if found.mirror == found.preparation else (Mirror(found.mirror, found.mirror_roots),)
    return Block(
        kind, tuple(variables), tuple(tuples), tuple(codewords), width, found.preparation, found.roots, mirrors
    )

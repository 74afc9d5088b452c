"""A block: a few variables laid out together on some qubits, by an encoding or with codewords that are given.

For given codewords a preparation is found: their set is split into the finest product of groups of qubits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Gate, Ops
from gatesolve.circuit.ops import rename_wires, shift_wires
from gatesolve.encodings import prepare
from gatesolve.errors import InputError
from gatesolve.model import Variable

PERMUTATION = "permutation"
FEWEST, MOST = 3, 9
"""Variables of a permutation block: its codewords are listed, 362,880 for nine."""


@dataclass(frozen=True)
class Mirror:
    """A way to reflect about a start.

    Attributes:
        ops: gates; inside the codewords' span their inverse leaves all ``roots`` at zero for the uniform
            superposition, and never all at zero for what is orthogonal to it.
        roots: the qubits to look at.
        idle: qubits that are zero then for every state in the span. All others may hold anything.
    """

    ops: Ops
    roots: tuple[int, ...]
    idle: tuple[int, ...] = ()


@dataclass(frozen=True)
class Block:
    """Codewords on qubits, each standing for a tuple of values.

    Attributes:
        kind: name of the encoding that made it; ``joint-table`` for tables joined.
        variables: the variables laid out, in the order of each tuple.
        tuples: the tuples of values, all different.
        codewords: one bit pattern a tuple; bit q is qubit q of the block.
        num_qubits: width.
        preparation: gates that take zeros to the uniform superposition of the codewords.
        roots: inside the codewords' span, the inverse of ``preparation`` brings every other qubit to zero.
        mirrors: other ways to reflect than to undo ``preparation`` and look at ``roots``.
        parts: blocks on the same qubits, side by side, that hold all of its codewords and more: conditions are
            compiled on these. None where the block is no part of such a product, and for one variable.
    """

    kind: str
    variables: tuple[str, ...]
    tuples: tuple[tuple[int, ...], ...]
    codewords: tuple[int, ...]
    num_qubits: int
    preparation: Ops
    roots: tuple[int, ...]
    mirrors: tuple[Mirror, ...] = ()
    parts: tuple[Block, ...] = ()

    @cached_property
    def ways(self) -> tuple[Mirror, ...]:
        """All ways to reflect about the start."""
        return (*self.mirrors, _undo_fully(self.preparation, self.roots, self.num_qubits))

    @property
    def size(self) -> int:
        """Number of codewords."""
        return len(self.codewords)

    @cached_property
    def bits(self) -> NDArray[np.bool_]:
        """Shape (codewords, qubits): the codewords' bits, qubit 0 first."""
        length = self.num_qubits // 8 + 1
        raw = b"".join(word.to_bytes(length, "little") for word in self.codewords)
        rows = np.frombuffer(raw, dtype=np.uint8).reshape(self.size, length)
        return np.unpackbits(rows, axis=1, bitorder="little")[:, : self.num_qubits].astype(bool)

    @cached_property
    def values(self) -> NDArray[np.int64]:
        """Shape (codewords, variables): the values each codeword stands for."""
        return np.array(self.tuples, dtype=np.int64).reshape(self.size, len(self.variables))

    @cached_property
    def index(self) -> dict[int, int]:
        """Position of each codeword."""
        return {word: position for position, word in enumerate(self.codewords)}


def _undo_fully(preparation: Ops, roots: tuple[int, ...], num_qubits: int) -> Mirror:
    return Mirror(preparation, roots, tuple(q for q in range(num_qubits) if q not in roots))


def make_one_hot(variable: Variable) -> Block:
    """One qubit a value, exactly one of them set; a fixed variable takes no qubit."""
    return make_unary(make_table((variable.name,), _singles(variable), "one-hot"))


def make_binary(variable: Variable) -> Block:
    """The position of the value in the domain, in binary."""
    return make_table((variable.name,), _singles(variable), "binary")


def make_domain_wall(variable: Variable) -> Block:
    """The i-th value is i ones followed by zeros, on one qubit less than there are values."""
    size = len(variable.domain)
    ops = prepare.prepare_domain_wall(size)
    words = tuple((1 << i) - 1 for i in range(size))
    return Block("domain-wall", (variable.name,), _singles(variable), words, size - 1, ops, tuple(range(size - 1)))


def make_table(variables: Sequence[str], tuples: Sequence[tuple[int, ...]], kind: str = "table") -> Block:
    """The tuples of a constraint, numbered in binary, so that the constraint needs no check."""
    size = len(tuples)
    qubits = (size - 1).bit_length()
    words, roots = tuple(range(size)), tuple(range(qubits))
    return Block(kind, tuple(variables), tuple(tuples), words, qubits, prepare.prepare_uniform(size), roots)


def make_unary(numbered: Block) -> Block:
    """Return the tuples as a table block, one qubit each, exactly one of them set.

    Wider and dearer to prepare, but whatever a constraint asks of the block is a parity.
    """
    if numbered.size == 1:
        return numbered
    size = numbered.size
    words, start = tuple(1 << i for i in range(size)), prepare.split_one_hot(size)
    gathered = Mirror(prepare.mirror_one_hot(size), (0,))
    # With two values, undoing the preparation looks at one root already, so no other way can be better.
    mirrors = () if size == 2 else (gathered, _undo_fully(*prepare.prepare_one_hot(size), size))
    roots = tuple(range(1, size))
    return replace(numbered, codewords=words, num_qubits=size, preparation=start, roots=roots, mirrors=mirrors)


def make_permutation(variables: Sequence[str], values: Sequence[int]) -> Block:
    """Lay out variables that take the given values, as many as there are variables, each once.

    The cells come first, then the digits that the shuffle exchanges them by, and that belong to the codeword.

    Cost: for n variables n (n + 1) / 2 - 1 qubits for the digits; gates as for `prepare.shuffle_cells`.
    """
    number, width = len(variables), (len(values) - 1).bit_length()
    held = number * width
    digits, shuffle = prepare.list_digits(number), prepare.shuffle_cells(number, width)
    cells = tuple(
        Block("binary", (name,), tuple((value,) for value in values), tuple(range(number)), width, (), ())
        for name in variables
    )
    others = digits[-1][-1] + 1 - held
    start = chain.from_iterable(shift_wires(prepare.split_one_hot(len(own)), own[0]) for own in digits)
    # The first digit has two values: to undo its preparation is cheaper.
    mirror = [shift_wires(prepare.split_one_hot(2), digits[0][0])]
    mirror += [shift_wires(prepare.mirror_one_hot(len(own)), own[0]) for own in digits[1:]]
    roots = (digits[0][1], *(own[0] for own in digits[1:]))
    return Block(
        PERMUTATION,
        tuple(variables),
        *_list_words(tuple(values)),
        held + others,
        (*start, *shuffle),
        tuple(qubit for own in digits for qubit in own[1:]),
        (Mirror((*chain.from_iterable(mirror), *shuffle), roots, tuple(range(held))),),
        (*cells, Block("digits", (), ((),), (0,), others, (), ())),
    )


@lru_cache(maxsize=8)
def _list_words(values: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return all permutations of some values, and the codeword of each; blocks of the same values share them."""
    number = len(values)
    width, size = (number - 1).bit_length(), math.factorial(number)
    cells = np.tile(np.arange(number), (size, 1))
    rows, drawn, step = np.arange(size), np.zeros(size, dtype=np.int64), 1
    first = number * width
    for cell, digit in enumerate(prepare.list_digits(number), start=1):
        other = rows // step % (cell + 1)
        step *= cell + 1
        drawn |= 1 << (digit[0] - first + other)
        cells[rows, cell], cells[rows, other] = cells[rows, other], cells[rows, cell]
    codes = (cells << width * np.arange(number)).sum(axis=1)
    words = (low | high << first for low, high in zip(codes.tolist(), drawn.tolist(), strict=True))
    return tuple(map(tuple, np.array(values)[cells].tolist())), tuple(words)


def _singles(variable: Variable) -> tuple[tuple[int, ...], ...]:
    return tuple((value,) for value in variable.domain)


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
        # Smallest groups first, so the first split found is the finest group that contains ``first``.
        subsets = ((first, *rest) for size in range(len(left)) for rest in combinations(others, size))
        whole = _count_words(words, left)
        for chosen in subsets:
            rest = [q for q in left if q not in chosen]
            # Projections contain the set, so equal sizes mean that the set is their product.
            if _count_words(words, chosen) * _count_words(words, rest) == whole:
                found.append(chosen)
                left = rest
                break
    return found


def _count_words(words: Iterable[int], qubits: Sequence[int]) -> int:
    return len({_project(word, qubits) for word in words})


def _project(word: int, qubits: Sequence[int]) -> int:
    return sum((word >> q & 1) << k for k, q in enumerate(qubits))


def _group(words: set[int], qubits: tuple[int, ...]) -> CodewordShape | None:
    """Return the shape of one group; its words are over its own qubits, in order."""
    size, width = len(words), len(qubits)
    # One qubit is constant or free: no gate, an X, or an H.
    if width == 1:
        ops: Ops = (Gate("h", qubits),) if size == 2 else _flips(next(iter(words)), qubits)
        roots = qubits if size == 2 else ()
        return CodewordShape(ops, roots, ops, roots)
    if width == 2 and size == 3:
        # The uniform superposition of 0, 1, 2 misses word 3, so X moves the gap to the missing word.
        missing = ({0, 1, 2, 3} - words).pop()
        preparation = (*rename_wires(prepare.prepare_uniform(3), qubits), *_flips(missing ^ 3, qubits))
        return CodewordShape(
            preparation, qubits, rename_wires(prepare.prepare_three_words(missing), qubits), (qubits[0],)
        )
    # Any other set must be the numbers below its size, with some qubits flipped.
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

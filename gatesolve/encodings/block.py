"""A block: a few variables laid out together on some qubits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import Ops
from gatesolve.encodings import prepare
from gatesolve.model import Variable


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
    """

    kind: str
    variables: tuple[str, ...]
    tuples: tuple[tuple[int, ...], ...]
    codewords: tuple[int, ...]
    num_qubits: int
    preparation: Ops
    roots: tuple[int, ...]
    mirrors: tuple[Mirror, ...] = ()

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
        columns = [[bool(word >> q & 1) for q in range(self.num_qubits)] for word in self.codewords]
        return np.array(columns, dtype=bool).reshape(self.size, self.num_qubits)

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
    mirrors = () if size == 2 else (gathered, _undo_fully(*prepare.prepare_one_hot(size), size))
    roots = tuple(range(1, size))
    return replace(numbered, codewords=words, num_qubits=size, preparation=start, roots=roots, mirrors=mirrors)


def _singles(variable: Variable) -> tuple[tuple[int, ...], ...]:
    return tuple((value,) for value in variable.domain)

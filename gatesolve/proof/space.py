"""Proof that the blocks of a space hold every assignment that can be a solution, each once.

A permutation block of n variables states the n values that they share. Cell i is a few qubits that hold the place of
variable i's value in binary; the digits follow, of 2 to n one-hot qubits. The operations of a shuffle change bits, and
phases at most, and no digit. So the search is the shuffle applied to a search whose cells are zero and whose digits are
blocks of their own. That holds whatever the phases are: the oracle commutes with them, and the reflection undoes them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gatesolve.circuit import And, Gate, Ops, Xor, inverse
from gatesolve.circuit.ops import touched_qubits
from gatesolve.encodings import Block, Space, make_spaces
from gatesolve.encodings.choose import GROUP
from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError
from gatesolve.extensions import extension_names
from gatesolve.model import AllDifferent, Constraint, Linear, Model, NotEqual
from gatesolve.model.merge import tuples_of
from gatesolve.oracle.condition import Condition
from gatesolve.proof.claim import Claim, leave, prove, refuse

CODES = {
    "one-hot": lambda place: 1 << place,
    "binary": lambda place: place,
    "domain-wall": lambda place: (1 << place) - 1,
}
"""The codeword of a variable's values by their place, in the encodings of our own names; a single value has 0."""
TABLES = ("table", "joint-table")
"""Our encodings of several variables, which may have any codewords."""
PERMUTATION = "permutation"
"""Our encoding of variables that take as many values, each once."""
MOST_TUPLES, WORK = 1 << 20, 1 << 22
"""Most tuples of a block that are listed, and partial ones tried."""
MOST_MISSING = 1 << 12
"""Most tuples of a block without a codeword that are looked at one by one."""


def prove_space(model: Model, space: Space) -> Claim:
    """Judge whether each variable has one block, and each block different codewords for all possible solutions.

    A tuple of several variables may be missing if one constraint cannot hold with it, for any values of the others.
    The layer ``conditions`` judges that codewords break no constraint that the oracle leaves out.
    """
    if sorted(space.variables) != sorted(model.domains):
        return refuse("space", "the blocks do not hold each variable once")
    judged = dict[tuple[int, ...], str | None]()
    for number, block in enumerate(space.blocks):
        # Permutation blocks of the same values share their long lists, which are judged once.
        key = id(block.tuples), id(block.codewords), block.num_qubits, len(block.variables)
        if key not in judged or block.kind != PERMUTATION:
            judged[key] = _find_fault(block) or (find_wrong_words(block) if block.kind == PERMUTATION else None)
        wrong = judged[key]
        if wrong is None and block.kind == PERMUTATION:
            wrong = find_wrong_statement(model, block)
        if wrong is not None:
            return refuse("space", f"block {number}: {wrong}")
    for number, block in enumerate(space.blocks):
        if block.kind == PERMUTATION:
            continue
        domains = [model.domains[name] for name in block.variables]
        if any(value not in domain for row in block.tuples for value, domain in zip(row, domains, strict=True)):
            return refuse("space", f"block {number}: a value is not in its variable's domain")
        # Constraints inside a block may be used up by its choice of tuples.
        inside = [c for c in dict.fromkeys(model.constraints) if set(c.scope) <= set(block.variables)]
        wanted = tuples_of(block.variables, model.domains, inside, MOST_TUPLES, WORK)
        if wanted is None:
            return leave("space", f"block {number}: too many tuples to see whether one is missing")
        missing = set(wanted) - set(block.tuples)
        if len(missing) > MOST_MISSING:
            return leave("space", f"block {number}: {len(missing)} tuples without a codeword are too many to look at")
        if block.kind not in {*CODES, *TABLES} and not _is_registered(model, block):
            return leave("space", f"block {number}: '{block.kind}' is no encoding that is known here")
        # A single variable must keep all its values: those that presolve removed are no longer in the model.
        if missing and (len(block.variables) < 2 or not all(_is_excluded(model, block, row) for row in missing)):
            return refuse("space", f"block {number}: a tuple that satisfies its constraints has no codeword")
    return prove("space", "listing of each block", f"{len(space.blocks)} blocks hold {len(space.variables)} variables")


def _is_registered(model: Model, block: Block) -> bool:
    """Return whether a block is as another package's encoding of that name makes it."""
    if block.kind not in extension_names(GROUP):
        return False
    try:
        made = make_spaces(Model(tuple(v for v in model.variables if v.name in block.variables)), block.kind)[0].blocks
    except (InputError, DoesNotFitError):
        return False
    return [(one.tuples, one.codewords, one.num_qubits) for one in made] == [
        (block.tuples, block.codewords, block.num_qubits)
    ]


def _is_excluded(model: Model, block: Block, row: tuple[int, ...]) -> bool:
    """Return whether some constraint cannot hold with these values of a block's variables."""
    # The block's variables have one value each; the other variables of a constraint keep their domains.
    fixed = {**model.domains, **{name: (value,) for name, value in zip(block.variables, row, strict=True)}}
    own = set(block.variables)
    read = (one for one in dict.fromkeys(model.constraints) if own & set(one.scope) and not set(one.scope) <= own)
    return any(tuples_of(one.scope, fixed, [one], 0, WORK) == () for one in read)


def _find_fault(block: Block) -> str | None:
    words, most = block.codewords, 1 << block.num_qubits
    if len(set(words)) < len(words) or len(set(block.tuples)) < len(block.tuples):
        return "a codeword or a tuple is there twice"
    if len(words) != len(block.tuples) or not words or not all(0 <= word < most for word in words):
        return "its codewords do not fit its tuples and qubits"
    code = CODES.get(block.kind)
    if code is None:
        return None
    if len(block.variables) != 1 or list(block.tuples) != sorted(block.tuples):
        return f"it is not {block.kind}: that is of one variable, its values in rising order"
    # A single value takes no qubit, and has the codeword 0 in every encoding.
    if words not in ((0,), tuple(map(code, range(len(words))))):
        return f"its codewords are not {block.kind}"
    return None


def count_shuffles(space: Space) -> int:
    """Count the permutation blocks of a space."""
    return sum(block.kind == PERMUTATION for block in space.blocks)


def count_cells(block: Block) -> int:
    """The qubits of a permutation block's cells, which come first."""
    number = len(block.variables)
    return number * (number - 1).bit_length()


def list_digits(block: Block) -> list[tuple[int, ...]]:
    """The qubits of each digit of a permutation block, of 2, 3, ... values."""
    number, first = len(block.variables), count_cells(block)
    starts = [first + size * (size - 1) // 2 - 1 for size in range(2, number + 1)]
    return [tuple(range(start, start + size)) for start, size in zip(starts, range(2, number + 1), strict=True)]


def find_wrong_statement(model: Model, block: Block) -> str | None:
    """Return what is wrong with a permutation block's statement; None if nothing is."""
    number = len(block.variables)
    domains = {model.domains[name] for name in block.variables}
    values = next(iter(domains))
    if number < 2 or len(set(block.variables)) < number or len(domains) > 1 or len(values) != number:
        return "its variables do not have the same values, as many as variables"
    if not any(
        isinstance(one, AllDifferent)
        and not any(one.offsets)
        and set(block.variables) <= set(one.variables)
        and len(set(one.variables)) == len(one.variables)
        for one in model.constraints
    ):
        return "no constraint says that its variables are all different"
    return None if {*block.tuples[0]} == {*values} else "a codeword stands for values that are not all different"


def find_wrong_words(block: Block) -> str | None:
    """Return what is wrong with a permutation block's listed codewords; None if nothing is."""
    number, values = len(block.variables), sorted(block.tuples[0])
    if number < 2:
        return "it has fewer than two variables"
    if block.num_qubits != list_digits(block)[-1][-1] + 1 or block.size != math.factorial(number):
        return "its qubits or its codewords are not as many as those of a permutation"
    if len({*values}) < number or (np.sort(block.values, axis=1) != np.array(values)).any():
        return "a codeword stands for values that are not all different"
    if len(np.unique(block.values, axis=0)) < block.size:
        return "two codewords stand for the same values"
    width = (number - 1).bit_length()
    cells = block.bits[:, : count_cells(block)].reshape(block.size, number, width)
    places = (cells << np.arange(width)).sum(axis=2)
    if (places >= number).any() or (np.array(values)[places] != block.values).any():
        return "the cells of a codeword do not hold the places of its values"
    return None


def take_apart(model: Model, space: Space) -> tuple[Model, Space]:
    """Return the constraints that permutation blocks do not hold, and the space with each of their cells a block.

    That space has more codewords, so what holds on it holds on the blocks' own.
    """
    blocks, held = list[Block](), list[set[str]]()
    for block in space.blocks:
        if block.kind != PERMUTATION:
            blocks.append(block)
            continue
        held.append(set(block.variables))
        size, width = len(block.variables), (len(block.variables) - 1).bit_length()
        for name in block.variables:
            rows = tuple((value,) for value in model.domains[name])
            blocks.append(Block("binary", (name,), rows, tuple(range(size)), width, (), ()))
        blocks.append(Block("digits", (), ((),), (0,), block.num_qubits - count_cells(block), (), ()))
    rest = tuple(one for one in model.constraints if not any(_is_held(one, names) for names in held))
    return Model(model.variables, rest, model.objective), Space(tuple(blocks))


def _is_held(constraint: Constraint, names: set[str]) -> bool:
    """Whether a constraint says no more than that some of these variables are different."""
    scope = constraint.scope
    if not set(scope) <= names or len(set(scope)) < len(scope):
        return False
    match constraint:
        case AllDifferent():
            return not any(constraint.offsets)
        case NotEqual():
            return constraint.offset == 0
        case Linear(((-1, _), (1, _)) | ((1, _), (-1, _)), "!=", 0):
            return True
    return False


def reads_digits(conditions: Sequence[Condition], space: Space) -> bool:
    """Return whether a condition reads a digit, of which the space of cells says nothing."""
    digits = set[int]()
    for number, block in enumerate(space.blocks):
        if block.kind == PERMUTATION:
            digits |= set(space.block_qubits(number)[count_cells(block) :])
    return any(condition.qubits & digits for condition in conditions)


def split_shuffle(block: Block, before: Ops, after: Ops) -> tuple[Ops, Ops]:
    """Return what the preparation and the reflection do to a permutation block's digits, before one shuffle.

    Raises:
        UnsupportedError: there is no shuffle after that, or it does not make the block's codewords.
    """
    cells = set(range(count_cells(block)))
    first, then = (
        next((k for k, op in enumerate(ops) if cells & {*touched_qubits(op)}), len(ops)) for ops in (before, after)
    )
    shuffle = before[first:]
    if after[then:] != shuffle:
        raise UnsupportedError("the reflection does not undo the shuffle of the preparation")
    bits = block.bits.T.copy()
    every = np.ones(block.size, dtype=bool)
    for op in inverse(shuffle):
        match op:
            case Gate("x", (target,)):
                change = every
            case Gate("cx", (control, target)):
                change = bits[control]
            case Xor(source, target):
                change = source.value(bits.__getitem__, every)
            case And(left, right, target):
                change = left.value(bits.__getitem__, every) & right.value(bits.__getitem__, every)
            case _:
                raise UnsupportedError("a shuffle does more than to change bits")
        if target not in cells:
            raise UnsupportedError("a shuffle changes a digit")
        bits[target] = bits[target] ^ change
    # The codewords are different, and as many as words of the digits: each comes from another word.
    ones = [bits[list(own)].sum(axis=0) for own in list_digits(block)]
    if bits[sorted(cells)].any() or any((one != 1).any() for one in ones):
        raise UnsupportedError("the shuffle does not make the codewords")
    return before[:first], after[:then]

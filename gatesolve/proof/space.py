"""Proof that the blocks of a space hold every assignment that can be a solution, each once."""

from __future__ import annotations

from gatesolve.encodings import Block, Space, make_spaces
from gatesolve.encodings.choose import GROUP
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.extensions import extension_names
from gatesolve.model import Model
from gatesolve.model.merge import tuples_of
from gatesolve.proof.claim import Claim, leave, prove, refuse
from gatesolve.proof.permutation import PERMUTATION, find_wrong_statement

CODES = {
    "one-hot": lambda place: 1 << place,
    "binary": lambda place: place,
    "domain-wall": lambda place: (1 << place) - 1,
}
"""The codeword of a variable's values by their place, in the encodings of our own names; a single value has 0."""
TABLES = ("table", "joint-table")
"""Our encodings of several variables, which may have any codewords."""
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
    for number, block in enumerate(space.blocks):
        if (wrong := _find_fault(block)) is not None:
            return refuse("space", f"block {number}: {wrong}")
        if block.kind == PERMUTATION:
            if (wrong := find_wrong_statement(model, block)) is not None:
                return refuse("space", f"block {number}: {wrong}")
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

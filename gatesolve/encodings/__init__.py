"""Blocks, the four encodings, choosing among them, and the space they make together.

A block is a few variables laid out on some qubits, with its preparation; the space is the blocks side by side, and bit
order is defined here, once (``space.py``). May import model and circuit. A new encoding is a rule that makes blocks: a
module here and its line in ``choose.py``, or an entry point ``gatesolve.encodings`` of another package.
"""

from gatesolve.encodings.block import Block, make_binary
from gatesolve.encodings.choose import (
    UNENCODED,
    encoding_label,
    encodings,
    is_enforced,
    make_spaces,
    unenforced_constraints,
)
from gatesolve.encodings.space import Space

__all__ = [
    "UNENCODED",
    "Block",
    "Space",
    "encoding_label",
    "encodings",
    "is_enforced",
    "make_binary",
    "make_spaces",
    "unenforced_constraints",
]

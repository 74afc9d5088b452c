"""Blocks, the five encodings, choosing among them, and the space they make together.

A block is a few variables laid out on some qubits, with its preparation; the space is the blocks side by side, and bit
order is defined here, once (``space.py``). ``converter.py`` writes models and blocks as plain data. May import model
and circuit. A new encoding is a rule that makes blocks: a module here and its line in ``choose.py``, or an entry point
``gatesolve.encodings`` of another package.
"""

from gatesolve.encodings.block import (
    Block,
    find_shape,
    make_binary,
    make_coded,
    make_domain_wall,
    make_one_hot,
    make_permutation,
    make_table,
    make_unary,
)
from gatesolve.encodings.choose import (
    UNENCODED,
    drop_held,
    encoding_label,
    encodings,
    is_enforced,
    make_spaces,
    unenforced_constraints,
)
from gatesolve.encodings.mixer import Mixer, complete_mixer, default_mixer, mixers_for, ring_mixer, x_mixer
from gatesolve.encodings.slices import list_slices
from gatesolve.encodings.space import Space

__all__ = [
    "UNENCODED", "Block", "Mixer", "Space", "complete_mixer", "default_mixer", "drop_held",
    "encoding_label", "encodings", "find_shape", "is_enforced", "list_slices", "make_binary", "make_coded",
    "make_domain_wall", "make_one_hot", "make_permutation", "make_spaces", "make_table", "make_unary", "mixers_for",
    "ring_mixer", "unenforced_constraints", "x_mixer",
]  # fmt: skip

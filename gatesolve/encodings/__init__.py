"""Blocks, the four encodings, choosing among them, and the space they make together."""

from gatesolve.encodings.block import Block, Kind
from gatesolve.encodings.choose import KINDS, enforced, label, make_spaces, unenforced
from gatesolve.encodings.space import Space

__all__ = ["KINDS", "Block", "Kind", "Space", "enforced", "label", "make_spaces", "unenforced"]

"""The legend of an exported circuit's qubits."""

from __future__ import annotations

from collections.abc import Sequence

from gatesolve.encodings.space import Space
from gatesolve.pipelines.unread import UnreadFill

MOST_WORDS = 24
"""Codewords of a block that are listed."""


def list_legend(space: Space, fills: Sequence[UnreadFill]) -> list[str]:
    """One line a block: its qubits, variables and what each codeword means; then the qubits that are never read."""
    lines = []
    for number, block in enumerate(space.blocks):
        qubits = space.block_qubits(number)
        place = f"data[{qubits[0]}]..data[{qubits[-1]}]" if qubits else "no qubit"
        words = ", ".join(
            f"{word:0{max(block.num_qubits, 1)}b}={'/'.join(map(str, values))}"
            for word, values in zip(block.codewords[:MOST_WORDS], block.tuples[:MOST_WORDS], strict=True)
        )
        more = f", ... {block.size} in all" if block.size > MOST_WORDS else ""
        lines.append(f"{place} {block.kind} {'/'.join(block.variables)}: {words}{more}")
    unread = ", ".join(f"data[{q}]" for fill in fills for q in fill.unread)
    return [*lines, f"read by no constraint and zero here, any codeword that fits: {unread}"] if unread else lines

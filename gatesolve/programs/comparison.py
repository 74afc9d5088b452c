"""Remarks on a circuit: what it leaves open, and whether comparing with solutions costs as much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit.cost import count_t
from gatesolve.oracle import classical_oracle
from gatesolve.programs.program import Program, emit_oracle, has_matched_phases, replace_section
from gatesolve.programs.section import Section

MOST_MARKED = 64
"""Marked codewords up to which the comparison is made: to list more of them is no way to search."""
MOST_GATES = 4_000
"""Gates, before the passes of lowering, of the other oracle that are counted."""


def describe_idle(program: Program, marked: int | None) -> Iterator[str]:
    """Yield a note on a search without an iteration, whose circuit has no oracle."""
    size = program.space.size
    if marked and size > 1 and program.iterations == 0 and not has_matched_phases(program):
        found = f"{marked} of {size} states are solutions" if marked < size else "every state is a solution"
        # With at least half of the states as solutions, a plain iteration is of no use.
        mend = "exact=True" if size <= 2 * marked < 2 * size else "iterations=1"
        yield (
            f"the circuit has no Grover iteration and so no oracle: {found}, so a measurement gives one "
            f"with probability {marked / size:.2g}; use {mend} for a circuit with an oracle"
        )


def compare_with_solutions(program: Program, marks: NDArray[np.bool_], budget: int | None) -> tuple[str, ...]:
    """Return a note where an oracle call takes no more CX, T (or Toffoli gates) and depth than marking singly.

    Both are lowered. ``budget`` is the most ancillas that oracles may take. There is no note for many codewords.
    """
    marked = [int(number) for number in np.flatnonzero(marks)[: MOST_MARKED + 1]]
    if not 0 < len(marked) <= MOST_MARKED or program.oracle.style == "classical" or program.space.size == 1:
        return ()
    classical = classical_oracle(marked, program.space, budget)
    other = replace_section(program, Section("iteration", classical.ops, oracle=classical))
    other = replace(other, num_ancillas=max(program.num_ancillas, classical.num_ancillas))
    # Emitting is quick, lowering is not: a large oracle is left out before it.
    if emit_oracle(other).size() > MOST_GATES:
        return ()
    ours, theirs = program.resources("oracle"), other.resources("oracle")
    # Where gates are not made of T it is as declared.
    t = [
        count_t(one.oracle.ops) if (number := counted.costly[1]) is None else number
        for one, counted in ((program, ours), (other, theirs))
    ]
    if not theirs.cx or ours.cx > theirs.cx or ours.depth > theirs.depth or t[0] > t[1]:
        return ()
    found = "the known solution" if len(marked) == 1 else f"the {len(marked)} known solutions"
    return (
        f"checking the constraints takes {ours.cx} CX at depth {ours.depth}; marking {found} directly takes "
        f"{theirs.cx} CX at depth {theirs.depth} (oracle='classical')",
    )

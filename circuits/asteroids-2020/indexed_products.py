"""Oracles over an index: mark the entries of a table for which a sum of products of columns is odd.

Compute a chain of ANDs that holds the table's columns as parities of wires, put the phase of every product as CZ
between wires, uncompute. The chain is searched for: a drawn one is improved by redrawing what follows one of its
steps, or by complementing a control, as long as the count of two-qubit gates does not grow.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lookup_phase import Diagonal, diagonal

from gatesolve.circuit import inverse
from gatesolve.errors import InputError
from gatesolve.functions.table_lookup import LookupChain, LookupStep, ands_needed, drawn_lookup, everywhere
from gatesolve.oracle.assemble import Oracle

Terms = tuple[tuple[int, int], ...]
"""Pairs of functions of the index; bit i of a function is its value at index i."""

RESTART = 0.02
"""How often the search draws a whole new chain."""


@dataclass(frozen=True)
class Plan:
    """A chain of ANDs and the phase on its wires."""

    lookup: LookupChain
    phase: Diagonal

    @property
    def cx(self) -> int:
        """Two-qubit gates of the oracle."""
        return 2 * self.lookup.cx + self.phase.cx

    @property
    def oracle(self) -> Oracle:
        """Index qubits first, then the ANDs' targets, zero before and after; phase -1 on what is marked.

        The phase is right up to a global sign.
        """
        compute = self.lookup.ops
        ops = (*compute, *self.phase.ops(self.lookup.num_index), *inverse(compute))
        return Oracle(ops, self.lookup.num_index, len(self.lookup.steps), style="constraints")


def marked(terms: Terms) -> int:
    """The function that is 1 where an odd number of products are."""
    value = 0
    for first, second in terms:
        value ^= first & second
    return value


def plan_for(lookup: LookupChain, terms: Terms, rng: random.Random) -> Plan:
    """The phase of ``terms`` on a given lookup."""
    return Plan(lookup, diagonal(lookup, terms, rng))


def improving_plans(terms: Terms, num_index: int, seed: int, tries: int) -> Iterator[Plan]:
    """Plans for a phase oracle, each with fewer two-qubit gates than the one before.

    Args:
        terms: products of columns; an index is marked where an odd number of them is 1.
        num_index: index bits.
        seed: of the search.
        tries: chains evaluated.

    Raises:
        InputError: a function has bits beyond the table, or there are no terms.

    Cost: per try a few hundred reductions over GF(2); the circuit has at least `ands_needed` ANDs each way.
    """
    functions = _functions(terms, num_index)
    rng = random.Random(seed)
    best: Plan | None = None
    current: Plan | None = None
    for _ in range(tries):
        drawn: LookupChain | None
        if current is None or rng.random() < RESTART:
            current, drawn = None, drawn_lookup(functions, num_index, rng)
        else:
            drawn = _changed(current.lookup, functions, rng)
        if drawn is None:
            continue
        plan = plan_for(drawn, terms, rng)
        if current is None or plan.cx <= current.cx:
            current = plan
        if best is None or plan.cx < best.cx:
            best = plan
            yield plan


def _functions(terms: Terms, num_index: int) -> list[int]:
    functions = [f for term in terms for f in term]
    if not functions:
        raise InputError("an indexed oracle needs at least one product of columns")
    if any(f & ~everywhere(num_index) or f < 0 for f in functions):
        raise InputError(f"a column of a table with {num_index} index bits has {1 << num_index} entries at most")
    return functions


def _changed(lookup: LookupChain, functions: Sequence[int], rng: random.Random) -> LookupChain | None:
    """A chain near ``lookup``: redrawn after one of its steps, or with one control complemented."""
    if rng.random() < 0.5 or not lookup.steps:
        kept = lookup.steps[: rng.randrange(len(lookup.steps) + 1)]
        return drawn_lookup(functions, lookup.num_index, rng, kept)
    chosen = rng.randrange(len(lookup.steps))
    step = lookup.steps[chosen]
    flipped = (
        replace(step, left=step.left.negated()) if rng.random() < 0.5 else replace(step, right=step.right.negated())
    )
    steps: tuple[LookupStep, ...] = (*lookup.steps[:chosen], flipped, *lookup.steps[chosen + 1 :])
    # Later products of the flipped wire change by another product, which may leave the span.
    return drawn_lookup(functions, lookup.num_index, rng, steps) if _fits(steps, lookup, functions) else None


def _fits(steps: tuple[LookupStep, ...], before: LookupChain, functions: Sequence[int]) -> bool:
    """Whether the changed chain still spans the functions without being longer."""
    changed = LookupChain(before.num_index, steps)
    whole = ands_needed((*changed.columns, *functions), before.num_index)
    return whole == len(steps) and len(changed.span.basis) == before.num_wires + 1


def best_plan(terms: Terms, num_index: int, seed: int = 0, tries: int = 300) -> Plan:
    """The last of `improving_plans`.

    Raises:
        InputError: as there, or ``tries`` is not positive.
    """
    best = None
    for plan in improving_plans(terms, num_index, seed, tries):
        best = plan
    if best is None:
        raise InputError("the search for a chain of ANDs needs at least one try")
    return best

"""Spaces for the tests, and the bit-parallel run of an oracle on every codeword."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from gatesolve.circuit import Planes, run_ops
from gatesolve.encodings import Space, encodings, make_binary, make_domain_wall, make_one_hot, make_spaces, make_table
from gatesolve.model import Model, Table
from gatesolve.oracle import Oracle

SINGLE = {"one-hot": make_one_hot, "binary": make_binary, "domain-wall": make_domain_wall}
MIXED = tuple(SINGLE.values())
ENCODINGS = (*(kind for kind in encodings() if kind != "permutation"), "mixed")
"""Every registered encoding that takes any model, those of installed packages too, and a block of each in turn."""


def space_of(model: Model, encoding: str) -> Space:
    """A space for ``model``; with ``table`` its first table constraint with tuples inside the domains is a block."""
    if encoding == "mixed":
        return Space(tuple(MIXED[k % 3](v) for k, v in enumerate(model.variables)))
    if encoding != "table":
        return make_spaces(model, encoding)[0]
    for constraint in model.constraints:
        if isinstance(constraint, Table):
            rows = inside(constraint, model)
            if rows:
                rest = [v for v in model.variables if v.name not in constraint.variables]
                return Space((make_table(constraint.variables, rows), *(make_binary(v) for v in rest)))
    return Space(tuple(make_binary(v) for v in model.variables))


def inside(constraint: Table, model: Model) -> list[tuple[int, ...]]:
    """The tuples within the variables' domains."""
    domains = [set(model.domains[name]) for name in constraint.variables]
    return [t for t in constraint.tuples if all(v in d for v, d in zip(t, domains, strict=True))]


def marks(oracle: Oracle, space: Space, numbers: Iterable[int] | None = None) -> list[bool]:
    """Which codewords (all, or those numbered) the oracle marks; asserts that nothing else changes."""
    chosen = np.arange(space.size) if numbers is None else np.array(list(numbers))
    before = np.zeros((oracle.num_qubits, len(chosen)), dtype=bool)
    for q in range(space.num_qubits):
        before[q] = [space.state(n) >> q & 1 for n in chosen.tolist()]
    planes = Planes.from_bits(before)
    run_ops(oracle.ops, planes)
    assert np.array_equal(planes.unpack(planes.bits, len(chosen)), before), "data or ancillas changed"
    phase = planes.unpack(planes.phase, len(chosen))
    assert not phase[0].any(), "a phase other than -1"
    return phase[1].tolist()


def reference_marks(model: Model, space: Space) -> list[bool]:
    """Whether the model holds, codeword by codeword, one assignment at a time."""
    return [holds(model, space.assignment(n)) for n in range(space.size)]


def holds(model: Model, assignment: Mapping[str, int]) -> bool:
    """Whether no constraint is broken."""
    return next(model.violated(assignment), None) is None

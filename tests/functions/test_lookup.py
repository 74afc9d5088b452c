"""Lookups: chains of ANDs."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit

import gatesolve
from gatesolve.circuit import Planes, run_ops
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.functions.table_lookup import (
    LookupChain,
    ands_needed,
    columns_of,
    drawn_lookup,
    everywhere,
    index_columns,
    monomial_lookup,
    value_of,
)
from gatesolve.simulate import probabilities

BITS = 4
FUNCTIONS = st.integers(0, everywhere(BITS))


def held(lookup: LookupChain) -> list[int]:
    """What bit-parallel simulation leaves on each wire, for every index."""
    size = 1 << lookup.num_index
    bits = np.zeros((lookup.num_wires, size), dtype=bool)
    bits[: lookup.num_index] = np.arange(size) >> np.arange(lookup.num_index)[:, None] & 1
    planes = Planes.from_bits(bits)
    run_ops(lookup.ops, planes)
    rows = planes.unpack(planes.bits, size)
    return [sum(1 << i for i in range(size) if row[i]) for row in rows]


@pytest.mark.parametrize("num_index", [1, 2, 3, 4, 5])
def test_monomials_hold_every_table(num_index: int) -> None:
    lookup = monomial_lookup(num_index)
    assert held(lookup) == list(lookup.columns)
    assert len(lookup.steps) == 2**num_index - num_index - 1
    for function in range(min(everywhere(num_index) + 1, 3000)):
        assert value_of(lookup.parity(function), lookup.columns, num_index) == function


@given(st.lists(FUNCTIONS, min_size=1, max_size=12), st.integers(0, 1000))
def test_drawn_chains_hold_their_functions_in_their_span(functions: list[int], seed: int) -> None:
    lookup = drawn_lookup(functions, BITS, random.Random(seed))
    assert held(lookup) == list(lookup.columns) == list(columns_of(BITS, lookup.steps))
    assert len(lookup.steps) >= ands_needed(functions, BITS)
    for function in functions:
        assert value_of(lookup.parity(function), lookup.columns, BITS) == function


def test_a_chain_begun_elsewhere_is_finished() -> None:
    begun = monomial_lookup(BITS).steps[:3]
    lookup = drawn_lookup([0x8000, 0x1234], BITS, random.Random(1), begun)
    assert lookup.steps[:3] == begun
    lookup.parity(0x8000)


def test_functions_outside_the_span_are_refused() -> None:
    with pytest.raises(ValueError, match="no parity"):
        LookupChain(BITS).parity(0x8000)
    with pytest.raises(InputError, match="1 to 10 bits"):
        index_columns(0)


# --- Table lookups: the lowered circuit loads every entry, onto any value, and cleans its ancillas ---


def entry_of(circuit: QuantumCircuit, index: int, before: int) -> dict[str, int]:
    """The registers after the circuit ran on one index and one value."""
    whole = circuit.copy_empty_like()
    registers = {register.name: register for register in circuit.qregs}
    for name, number in (("index", index), ("value", before)):
        for bit, qubit in enumerate(registers[name]):
            if number >> bit & 1:
                whole.x(qubit)
    found = probabilities(whole.compose(circuit))
    state = max(found, key=found.get)
    assert found[state] == pytest.approx(1)
    place = {qubit: k for k, qubit in enumerate(circuit.qubits)}
    return {
        name: sum((state >> place[qubit] & 1) << bit for bit, qubit in enumerate(register))
        for name, register in registers.items()
    }


@pytest.mark.quick(5)
@pytest.mark.parametrize("gates", ["cx+u", "cz+u", "clifford+t", "clifford+toffoli"])
@pytest.mark.parametrize("num_index", [1, 2, 3, 4])
def test_every_entry_is_added_to_the_value(num_index: int, gates: str) -> None:
    draw = random.Random(num_index)
    values = [draw.randrange(8) for _ in range(1 << num_index)]
    circuit = gatesolve.table_lookup(values, gates=gates, tries=3)
    for index, value in enumerate(values):
        before = draw.randrange(1 << max(values).bit_length())
        after = entry_of(circuit, index, before)
        assert after["index"] == index
        assert after["value"] == before ^ value
        assert after.get("ancilla", 0) == 0


def test_a_superposition_keeps_no_phase() -> None:
    values = [3, 1, 0, 2]
    circuit = gatesolve.table_lookup(values)
    whole = circuit.copy_empty_like()
    whole.h([0, 1])
    whole.compose(circuit, inplace=True)
    whole.compose(circuit, inplace=True)
    whole.h([0, 1])
    assert probabilities(whole) == pytest.approx({0: 1})


@pytest.mark.sampled(0.5)
def test_more_tries_never_cost_more_and_a_seed_repeats() -> None:
    values = np.random.default_rng(2).integers(0, 16, 16).tolist()
    counts = [gatesolve.table_lookup(values, tries=tries).count_ops()["cx"] for tries in (1, 30)]
    assert counts[1] < counts[0]
    assert gatesolve.table_lookup(values) == gatesolve.table_lookup(values)


def test_a_long_sparse_table_computes_only_what_it_reads() -> None:
    values = [1 if i == 5 else 0 for i in range(64)]
    circuit = gatesolve.table_lookup(values)
    assert entry_of(circuit, 5, 0)["value"] == 1
    assert entry_of(circuit, 6, 1)["value"] == 1
    linear = gatesolve.table_lookup(list(range(64)))
    assert linear.num_qubits == 12


@pytest.mark.parametrize(
    ("values", "options", "said"),
    [
        ([1, 2, 3], {}, "3 entries: fill it up to a power of two"),
        ([0, -1], {}, "entry 1 of the table is -1"),
        ([0, 1], {"gates": "none"}, "unknown gate set"),
        ([0, 1], {"tries": "3"}, "tries must be"),
    ],
)
def test_what_is_no_table_is_refused(values: list[int], options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        gatesolve.table_lookup(values, **options)


def test_a_table_too_long_is_refused() -> None:
    with pytest.raises(DoesNotFitError, match="at most 1024"):
        gatesolve.table_lookup([0] * 2048)

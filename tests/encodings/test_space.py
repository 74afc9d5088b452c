"""The space: numbering, bit order, decoding of blocks side by side."""

import math
from dataclasses import replace

import numpy as np
import pytest
from conformance.spaces import SINGLE
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Statevector

from gatesolve.circuit import Mcx, build, emit, inverse
from gatesolve.encodings import Block, Space, make_binary, make_domain_wall, make_one_hot, make_table
from gatesolve.model import Variable

MIXED = Space(
    (
        make_one_hot(Variable("a", (2, 5, 6))),
        make_binary(Variable("fixed", (9,))),
        replace(make_table(("b", "c"), [(0, 1), (-1, 3), (4, 4), (0, 2), (7, 7)]), codewords=(3, 1, 4, 0, 2)),
        make_domain_wall(Variable("d", (-3, 0, 4))),
        make_binary(Variable("e", (1, 2, 3))),
    )
)


@st.composite
def spaces(draw):
    blocks = []
    for k in range(draw(st.integers(0, 4))):
        if draw(st.integers(0, 3)) == 0:
            pair = st.tuples(st.integers(-2, 2), st.integers(4, 6))
            rows = draw(st.lists(pair, min_size=1, max_size=5, unique=True))
            words = tuple(draw(st.permutations(range(len(rows)))))
            blocks.append(replace(make_table((f"p{k}", f"q{k}"), rows), codewords=words))
        else:
            domain = tuple(sorted(draw(st.sets(st.integers(-4, 9), min_size=1, max_size=5))))
            blocks.append(SINGLE[draw(st.sampled_from(sorted(SINGLE)))](Variable(f"x{k}", domain)))
    return Space(tuple(blocks))


def assert_consistent(space):
    numbers = np.arange(space.size)
    bits, values = space.bits(numbers), space.values(numbers)
    assert bits.shape == (space.num_qubits, space.size)
    inputs = space.inputs(numbers, space.num_qubits + 2)
    assert np.array_equal(inputs[:-2], bits)
    assert not inputs[-2:].any()
    assert set(values) == set(space.variables) == set(space.home)
    for n in range(space.size):
        state, assignment = space.state(n), space.assignment(n)
        assert 0 <= state < 1 << space.num_qubits
        assert [bool(state >> q & 1) for q in range(space.num_qubits)] == bits[:, n].tolist()
        assert {name: int(column[n]) for name, column in values.items()} == assignment
        assert space.decode(state) == assignment
        assert space.number(assignment) == n
    states = {space.state(n) for n in range(space.size)}
    assert len(states) == space.size
    if space.num_qubits <= 10:
        assert all((space.decode(s) is None) == (s not in states) for s in range(1 << space.num_qubits))


@settings(deadline=None, max_examples=50)
@given(spaces())
def test_every_view_of_a_codeword_agrees(space):
    assert_consistent(space)


def test_mixed_space():
    assert_consistent(MIXED)
    assert MIXED.size == 3 * 1 * 5 * 3 * 3
    assert MIXED.num_qubits == 3 + 0 + 3 + 2 + 2
    assert MIXED.offsets == (0, 3, 3, 6, 8)
    assert MIXED.variables == ("a", "fixed", "b", "c", "d", "e")
    assert MIXED.home["c"] == (2, 1)
    assert MIXED.block_qubits(1) == ()
    assert MIXED.block_qubits(3) == (6, 7)


def test_numbers_beyond_machine_words():
    """Single codewords of a space too large for 64-bit numbers are still handled exactly."""
    space = Space(tuple(make_binary(Variable(f"x{k}", tuple(range(16)))) for k in range(20)))
    number = space.size - 5
    assert number > 2**64
    assert space.number(space.assignment(number)) == number
    assert space.decode(space.state(number)) == space.assignment(number)


@settings(deadline=None, max_examples=40)
@given(spaces())
def test_preparation_is_uniform(space):
    if space.num_qubits > 11:
        space = Space(space.blocks[:2])
    state = Statevector(build(emit(space.preparation), space.num_qubits)).data if space.num_qubits else np.ones(1)
    states = [space.state(n) for n in range(space.size)]
    wanted = np.zeros(1 << space.num_qubits)
    wanted[states] = 1 / math.sqrt(space.size)
    assert np.abs(state * abs(state[states[0]]) / state[states[0]] - wanted).max() < 1e-12


def test_roots_of_blocks_side_by_side():
    assert MIXED.roots == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    vector = np.zeros(1 << MIXED.num_qubits)
    for n in range(MIXED.size):
        vector[MIXED.state(n)] = n + 1
    circuit = build(emit(inverse(MIXED.preparation)), MIXED.num_qubits)
    after = Statevector(vector / np.linalg.norm(vector)).evolve(circuit).data
    others = sum(1 << q for q in set(range(MIXED.num_qubits)) - set(MIXED.roots))
    assert others
    assert max(abs(a) for s, a in enumerate(after) if s & others) < 1e-12


def test_preparation_must_be_of_preparation_gates():
    block = Block("table", ("x",), ((0,),), (0,), 1, (Mcx((), 0),), (0,))
    with pytest.raises(TypeError, match="not a preparation gate"):
        _ = Space((block,)).preparation

"""Every encoding: codewords, exact preparation, roots and declared costs."""

import math
import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from conformance.spaces import SINGLE
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import Operator, Statevector
from strategies import models

from gatesolve.circuit import And, Gate, Parity, PhaseFlip, Xor, build, emit, inverse, lower
from gatesolve.encodings import Space, find_shape, make_binary, make_spaces, make_table, prepare
from gatesolve.encodings.block import groups
from gatesolve.encodings.choose import digit_block, join_until
from gatesolve.model import Model, NotEqual, Variable, find_solutions
from gatesolve.simulate import basis_terms, run_sparse

SIZES = (*range(1, 10), 12)
BINARY_SIZES = (*SIZES, 16, 17)
DOMAINS = {
    "plain": lambda n: tuple(range(n)),
    "offset": lambda n: tuple(range(5, 5 + n)),
    "negative": lambda n: tuple(range(-n, 0)),
    "gappy": lambda n: tuple(sorted((k * k - 7) * (-1) ** k for k in range(n))),
}


def pair_table(size, shuffled):
    """A table block of two variables; with ``shuffled`` the tuples are numbered in another order."""
    tuples = [(k % 3 - 1, 10 * k) for k in range(size)]
    block = make_table(("a", "b"), tuples)
    order = tuple(np.random.default_rng(size).permutation(size).tolist())
    return replace(block, codewords=order) if shuffled else block


def blocks():
    for kind, make in SINGLE.items():
        for size in BINARY_SIZES if kind == "binary" else SIZES:
            yield pytest.param(make(Variable("x", DOMAINS["plain"](size))), id=f"{kind}-{size}")
    for size in BINARY_SIZES:
        yield pytest.param(pair_table(size, False), id=f"table-{size}")
        yield pytest.param(pair_table(size, True), id=f"shuffled-{size}")


every_block = pytest.mark.parametrize("block", list(blocks()))


@every_block
def test_preparation_is_uniform_over_the_codewords(block):
    state = Statevector(build(emit(block.preparation), block.num_qubits)).data
    wanted = np.zeros(1 << block.num_qubits)
    wanted[list(block.codewords)] = 1 / math.sqrt(block.size)
    # A global phase is allowed; none between codewords.
    phase = state[block.codewords[0]] / abs(state[block.codewords[0]])
    assert np.abs(state - phase * wanted).max() < 1e-12


@every_block
def test_undone_preparation_leaves_only_roots(block):
    """On every codeword, so by linearity on their whole span."""
    circuit = build(emit(inverse(block.preparation)), block.num_qubits)
    others = sum(1 << q for q in range(block.num_qubits) if q not in block.roots)
    beyond = [s for s in range(1 << block.num_qubits) if s & others]
    # Linear: the superposition with weights 1, 2, 3, ... and each codeword alone.
    vectors = [np.bincount(block.codewords, weights=np.arange(1, block.size + 1), minlength=1 << block.num_qubits)]
    vectors += [np.eye(1, 1 << block.num_qubits, w)[0] for w in block.codewords]
    for vector in vectors:
        after = Statevector(vector / np.linalg.norm(vector)).evolve(circuit).data
        assert np.abs(after[beyond]).max(initial=0) < 1e-12
    assert set(block.roots) <= set(range(block.num_qubits))
    assert block.size <= 1 << len(block.roots)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("kind", SINGLE)
@pytest.mark.parametrize("size", [1, 3, 5])
def test_the_domain_changes_the_values_only(kind, domain, size):
    values = DOMAINS[domain](size)
    block, plain = SINGLE[kind](Variable("x", values)), SINGLE[kind](Variable("x", tuple(range(size))))
    assert block.tuples == tuple((v,) for v in values)
    assert (block.codewords, block.preparation, block.roots) == (plain.codewords, plain.preparation, plain.roots)


def two_qubit(ops):
    return sum(isinstance(op, Gate) and op.name == "cz" for op in ops)


@pytest.mark.parametrize("size", [*range(1, 40), 63, 64, 65, 127, 129])
def test_uniform_stays_within_its_stated_cost(size):
    ops, qubits = prepare.prepare_uniform(size), (size - 1).bit_length()
    assert all(isinstance(op, Gate) for op in ops)
    assert two_qubit(ops) <= max(2 * qubits - 2, 0)
    if size & (size - 1) == 0:
        assert ops == tuple(Gate("h", (q,)) for q in range(qubits))


@pytest.mark.parametrize("size", range(2, 40))
def test_one_hot_cost(size):
    ops, roots = prepare.prepare_one_hot(size)
    bits = (size - 1).bit_length()
    doublings = [min(size - (1 << b), 1 << b) for b in range(bits)]
    assert sum(isinstance(op, And) for op in ops) == sum(m - 1 for m in doublings)
    wires = sum(len(op.source.wires) for op in ops if isinstance(op, Xor))
    assert wires == sum(2 * m - 1 for m in doublings) <= sum(2 * m for m in doublings)
    assert two_qubit(ops) == two_qubit(prepare.prepare_uniform(size))
    assert roots == tuple(1 << b for b in range(bits))


@pytest.mark.quick(5)
@pytest.mark.parametrize("size", range(2, 18))
def test_split_one_hot_is_the_w_state_at_its_stated_cost(size):
    ops = prepare.split_one_hot(size)
    state = Statevector(build(emit(ops), size)).data
    assert np.abs(state[[1 << q for q in range(size)]] - 1 / math.sqrt(size)).max() < 1e-12
    assert sum(gate.name in {"cx", "cz"} for gate in ops) == 2 * size - 3
    assert prepare.split_one_hot(1) == (Gate("x", (0,)),)


@pytest.mark.quick(4)
@pytest.mark.parametrize("size", [pytest.param(n, marks=[pytest.mark.slow] * (n > 13)) for n in range(2, 18)])
def test_every_way_to_reflect_is_the_exact_reflection_on_every_codeword(size):
    """Amplitudes after each way's circuit from each codeword are those of 1 - 2 |W><W|, up to one global phase."""
    block = SINGLE["one-hot"](Variable("x", tuple(range(size))))
    assert len(block.ways) == (1 if size == 2 else 3)
    for way in block.ways:
        zero = PhaseFlip(tuple(Parity((q,), True) for q in way.roots), (*way.idle, size))
        circuit = lower((*inverse(way.ops), zero, *way.ops), size + 1)
        place = {1 << q: q for q in range(size)}
        amplitudes = np.zeros((size, size), dtype=complex)
        for number in range(size):
            found = run_sparse(circuit, basis_terms(np.eye(size + 1, 1, -number, dtype=bool)))
            for (_, word), amplitude in zip(found.keys.tolist(), found.amplitudes, strict=True):
                amplitudes[place[word], number] = amplitude
        wanted = np.eye(size) - 2 / size
        sign = amplitudes[0, -1] / wanted[0, -1]
        assert np.abs(amplitudes - sign * wanted).max() < 1e-9
        assert abs(sign) == pytest.approx(1)


# --- Joining table blocks keeps the solutions and shrinks the space ---


def chain(length, size):
    """A path of variables, neighbours different."""
    names = [f"v{k}" for k in range(length)]
    variables = tuple(Variable(name, tuple(range(size))) for name in names)
    return Model(variables, tuple(NotEqual(a, b) for a, b in pairwise(names)))


def solution_set(model, space):
    held = (space.assignment(n) for n in range(space.size))
    return {tuple(sorted(a.items())) for a in held if model.check(a)}


@settings(deadline=None, max_examples=40)
@given(models(max_variables=4), st.integers(1, 30))
def test_joining_keeps_the_solutions(model, fits):
    before = Space(tuple(make_binary(v) for v in model.variables))
    after = Space(tuple(join_until(before.blocks, model.constraints, fits)))
    assert after.size <= before.size
    assert solution_set(model, after) == {tuple(sorted(s.items())) for s in find_solutions(model)}


def test_joining_stops_at_the_size_wanted():
    model = chain(6, 3)
    blocks = [make_binary(v) for v in model.variables]
    few = Space(tuple(join_until(blocks, model.constraints, 400)))
    many = Space(tuple(join_until(blocks, model.constraints, 1)))
    assert few.size <= 400 < 3**6
    # In the end one table holds the whole path, which is then listed, not searched.
    assert (many.size, len(many.blocks)) == (3 * 2**5, 1)


def test_make_spaces_joins_what_does_not_fit():
    model = chain(8, 3)
    plain, joined = make_spaces(model, "table")[0], make_spaces(model, "table", 600)[0]
    assert joined.size <= 600 < plain.size
    assert set(joined.variables) == set(plain.variables)


# --- Tables on the variables' own digits: prepared exactly, roots right, refused where no affine set ---


def amplitudes(ops, width, start=0):
    state = Statevector.from_int(start, 1 << width)
    return state.evolve(lower(ops, width)).data


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_every_affine_set_is_prepared(data):
    width = data.draw(st.integers(1, 5))
    offset = data.draw(st.integers(0, (1 << width) - 1))
    words = {offset}
    for vector in data.draw(st.lists(st.integers(0, (1 << width) - 1), max_size=4)):
        words |= {word ^ vector for word in words}
    tuples = [tuple(word >> k & 1 for k in range(width)) for word in sorted(words)]
    block = digit_block([f"v{k}" for k in range(width)], tuples, [(0, 1)] * width)
    assert block.codewords == tuple(sorted(words))
    found = np.abs(amplitudes(block.preparation, width)) ** 2
    assert np.allclose(found[sorted(words)], 1 / len(words))
    others = [q for q in range(width) if q not in block.roots]
    for word in words:
        undone = amplitudes(inverse(block.preparation), width, word)
        for state in np.flatnonzero(np.abs(undone) > 1e-9):
            assert not any(int(state) >> q & 1 for q in others)


@given(st.sets(st.integers(0, 15), min_size=1))
def test_other_sets_are_refused(words):
    tuples = [tuple(word >> k & 1 for k in range(4)) for word in sorted(words)]
    first = min(words)
    affine = all(a ^ b ^ first in words for a in words for b in words)
    assume(not affine)
    assert digit_block("abcd", tuples, [(0, 1)] * 4) is None


def test_wide_and_offset_domains():
    block = digit_block(("a", "b"), ((-1, 7), (2, 9)), ((-1, 0, 2), (7, 9)))
    assert block.codewords == (0b000, 0b110)
    assert block.num_qubits == 3


# --- Sets of codewords: how they are prepared and reflected about ---


def test_groups_are_the_finest_product():
    assert groups([w | b << 1 | 1 << 3 for w in (0, 1) for b in (0, 1, 2, 3)], 4) == [(0,), (1,), (2,), (3,)]
    assert groups([0b000, 0b011, 0b001, 0b100, 0b111, 0b101], 3) == [(0, 1), (2,)]
    assert find_shape([0, 1, 2, 4], 3) is None


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_any_set_with_a_shape_is_prepared_and_reflected_about(seed):
    draw = random.Random(seed)
    width = draw.randint(1, 4)
    words = draw.sample(range(1 << width), draw.randint(1, 1 << width))
    found = find_shape(words, width)
    if found is None:
        return
    state = Statevector(lower(found.preparation, width)).data
    assert np.allclose(np.abs(state) ** 2, [(w in words) / len(words) for w in range(1 << width)])
    undo = Operator(lower(found.mirror, width)).data.conj().T
    zero = [w for w in range(1 << width) if not any(w >> q & 1 for q in found.mirror_roots)]
    inside = undo[np.ix_(zero, words)]
    assert np.allclose(inside.conj().T @ inside, np.full((len(words), len(words)), 1 / len(words)))

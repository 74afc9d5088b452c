"""Every encoding: codewords, exact preparation, roots and declared costs."""

import math
from dataclasses import replace

import numpy as np
import pytest
from conformance.spaces import SINGLE
from qiskit.quantum_info import Statevector

from gatesolve.circuit import And, Gate, Parity, PhaseFlip, Xor, build, emit, inverse
from gatesolve.circuit.lowering import lower
from gatesolve.encodings import Space, make_table, prepare
from gatesolve.model import Variable
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
def test_codewords_are_distinct_and_inside_the_width(block):
    assert len(set(block.codewords)) == block.size == len(block.tuples) == len(set(block.tuples))
    assert all(0 <= word < 1 << block.num_qubits for word in block.codewords)
    assert all(len(t) == len(block.variables) for t in block.tuples)


@every_block
def test_decoding(block):
    space = Space((block,))
    for number in range(block.size):
        wanted = dict(zip(block.variables, block.tuples[number], strict=True))
        assert space.decode(space.state(number)) == space.assignment(number) == wanted
    others = set(range(1 << block.num_qubits)) - set(block.codewords)
    assert all(space.decode(word) is None for word in others)
    assert len(others) == (1 << block.num_qubits) - block.size


@every_block
def test_bits_and_values_are_those_of_codewords_and_tuples(block):
    assert block.bits.shape == (block.size, block.num_qubits)
    weights = 1 << np.arange(block.num_qubits, dtype=np.int64)
    assert (block.bits @ weights).tolist() == list(block.codewords)
    assert [tuple(row) for row in block.values.tolist()] == list(block.tuples)
    assert [block.index[word] for word in block.codewords] == list(range(block.size))


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


@pytest.mark.parametrize("size", range(2, 18))
def test_split_one_hot_is_the_w_state_at_its_stated_cost(size):
    ops = prepare.split_one_hot(size)
    state = Statevector(build(emit(ops), size)).data
    assert np.abs(state[[1 << q for q in range(size)]] - 1 / math.sqrt(size)).max() < 1e-12
    assert sum(gate.name in {"cx", "cz"} for gate in ops) == 2 * size - 3
    assert prepare.split_one_hot(1) == (Gate("x", (0,)),)


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

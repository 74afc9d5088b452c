"""What the colouring contest adds: codewords, reading values off, and lighter parities."""

import numpy as np
import pytest
from qiskit.quantum_info import Statevector
from readout import readout
from recode import by_value
from rewrite import rewritten, twisted_oracle, untwisted

from gatesolve.circuit import certify, inverse
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.simulate import Planes, run_ops
from gatesolve.encodings import Space
from gatesolve.encodings.block import make_one_hot
from gatesolve.encodings.shapes import make_coded
from gatesolve.model import Model, NotEqual, Variable
from gatesolve.oracle.levels import minimised_conditions
from gatesolve.pipelines.amplification import grover_program, success_probability
from gatesolve.pipelines.certify import phase_check


def test_values_are_their_own_digits():
    block = by_value(Variable("x", (1, 3)))
    assert block.codewords == (1, 3)
    assert block.roots == (1,)
    space = Space((block, by_value(Variable("y", (0, 1, 2, 3)))))
    read = readout(space, 2)
    assert read.places["y"] == (2, 3)
    check_readout(space, 2)


def check_readout(space, width):
    read = readout(space, width, beam=20)
    numbers = np.arange(space.size)
    bits = np.zeros((read.num_qubits, space.size), dtype=bool)
    bits[: space.num_qubits] = space.bits(numbers)
    planes = Planes.from_bits(bits)
    run_ops(read.ops, planes)
    after = planes.unpack(planes.bits, space.size)
    used = [q for places in read.places.values() for q in places]
    assert len(set(used)) == len(used)
    for name, values in space.values(numbers).items():
        for bit, qubit in enumerate(read.places[name]):
            assert np.array_equal(after[qubit], values >> bit & 1), (name, bit)
    return read


def test_readout_of_a_one_hot_block_and_of_a_constant():
    check_readout(Space((make_one_hot(Variable("x", (0, 2, 3))), by_value(Variable("y", (2,))))), 2)


@pytest.fixture(scope="module")
def wheel():
    """A hub and a rim of four, four colours: the hub and a rim vertex as a pair, the others alone."""
    edges = [("h", r) for r in "abcd"] + [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    variables = [Variable(name, (3,) if name == "h" else (0, 1, 2)) for name in "habcd"]
    model = Model(tuple(variables), tuple(NotEqual(left, right) for left, right in edges))
    pair = [(a, b) for a in range(3) for b in range(3) if a != b]
    words = [t | b << 2 for t in range(3) for b in (0, 1)]
    coded = (make_coded(names, pair, words, 3) for names in (("a", "b"), ("c", "d")))
    return model, Space((*coded, by_value(Variable("h", (3,)))))


@pytest.mark.parametrize("seed", range(4))
def test_rewritten_conditions_are_the_same_on_every_codeword(wheel, seed):
    model, space = wheel
    conditions = minimised_conditions(model, space, 6)
    found = rewritten(conditions, space, steps=1500, seed=seed)
    oracle = twisted_oracle(found)
    certificate, _ = certify(phase_check(model, found.space, untwisted(oracle, found)), space.size, 0)
    # A cycle of four has 2^4 + 2 colourings in three colours.
    assert certificate.marked == 18


def test_a_twist_permutes_the_codewords_and_commutes_with_the_reflection(wheel):
    model, space = wheel
    conditions = minimised_conditions(model, space, 6)
    found = next(r for seed in range(40) if (r := rewritten(conditions, space, steps=400, seed=seed)).twist)
    numbers = np.arange(space.size)
    planes = Planes.from_bits(found.space.bits(numbers))
    run_ops(found.twist, planes)
    twisted = planes.unpack(planes.bits, space.size)
    states = (twisted.astype(np.int64) << np.arange(space.num_qubits)[:, None]).sum(axis=0)
    assert {found.space.state(int(n)) for n in numbers} == set(states.tolist())
    oracle = twisted_oracle(found)
    program = grover_program(found.space, oracle, 1)
    state = Statevector(lower(program.ops + inverse(found.twist), program.num_qubits))
    chances = state.probabilities(list(range(space.num_qubits)))
    solved = sum(chances[found.space.state(int(n))] for n in numbers if model.check(found.space.assignment(int(n))))
    assert solved == pytest.approx(success_probability(space.size, 18, 1))

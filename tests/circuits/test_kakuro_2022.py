"""The published contest oracles: made again they are the same files, and they mark what the rules say."""

from pathlib import Path

import pytest
from in_place import rewrite
from qiskit import qasm2
from scripts import load_script

from gatesolve.circuit import And, Parity, PhaseFlip, Xor, inverse
from gatesolve.model import Model
from gatesolve.oracle import Oracle, literal_conditions
from gatesolve.pipelines import phase_check
from gatesolve.simulate import certify, probabilities

FOLDER = Path(__file__).parents[2] / "circuits" / "kakuro-2022"
MAKE = load_script(FOLDER / "make.py")


def test_the_preparation_makes_the_eight_states():
    wanted = [z for z in range(256) if prepared(*(z >> place & 1 for place in range(8)))]
    found = probabilities(qasm2.load(FOLDER / "preparation.qasm"))
    assert {state: round(weight, 9) for state, weight in found.items()} == dict.fromkeys(wanted, 0.125)


def prepared(x0, x1, x2, low, high, x4, x5, x6):
    return x0 != x2 and x1 != x5 and x4 != x6 and low + 2 * high == 2


def certified(constraints):
    """The marked states of the literal oracle of some constraints, once it is proved on all states."""
    model = Model(MAKE.problem().variables, tuple(constraints))
    space = MAKE.digits_space(model, [])
    oracle = MAKE.assemble_literal(literal_conditions(model, space), space.num_qubits)
    return certify(phase_check(model, space, oracle), space.size, 0)[0].marked


CONSTRAINTS = MAKE.problem().constraints


@pytest.mark.sampled(2)
@pytest.mark.quick("x0 != x1")
@pytest.mark.parametrize("left_out", range(len(CONSTRAINTS)), ids=lambda place: str(CONSTRAINTS[place]))
def test_no_constraint_leans_on_another(left_out):
    """Without any one the circuit marks what the others allow; each alone is right too."""
    assert certified([c for place, c in enumerate(CONSTRAINTS) if place != left_out]) >= 1
    assert certified([CONSTRAINTS[left_out]]) < 256


def flat(*steps):
    """An oracle of these steps, the last one a phase, over four data qubits and two ancillas."""
    return Oracle((*steps, *inverse(steps[:-1])), 4, 2)


FIRST, SECOND = And(Parity((0,)), Parity((1,)), 4), And(Parity((2,)), Parity((4,)), 5)


def test_a_product_goes_onto_the_qubit_it_is_read_with():
    found = rewrite(flat(FIRST, PhaseFlip((Parity((2,)), Parity((3, 4))))))
    assert [op.target for op in found.ops if isinstance(op, And)] == [3, 3]
    assert found.num_ancillas == 0


@pytest.mark.parametrize(
    "steps",
    [
        (FIRST, PhaseFlip((Parity((3,)), Parity((3, 4))))),  # which reads the qubit alone too
        (FIRST, PhaseFlip((Parity((3,)), Parity((2,)), Parity((0, 4))))),  # a factor of the product
        (Xor(Parity((0,)), 4), PhaseFlip((Parity((4,)), Parity((1,))))),
    ],
)
def test_else_it_stays(steps):
    assert {op.target for op in rewrite(flat(*steps)).ops if isinstance(op, And | Xor)} == {4}


def test_the_last_product_is_part_of_the_phase():
    found = rewrite(flat(FIRST, SECOND, PhaseFlip((Parity((3,)), Parity((5,))))))
    assert found.ops[1] == PhaseFlip((Parity((3,)), SECOND.left, SECOND.right))
    assert found.num_ancillas == 1

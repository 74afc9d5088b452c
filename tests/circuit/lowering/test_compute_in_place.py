"""Functions in place: every input, outcomes all 0, all 1 and drawn, a Toffoli gate a product, ancillas zero again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from phased import RefusedError, draw_outcomes, run_phased

from gatesolve.circuit import Parity, compute_in_place
from gatesolve.errors import InputError

WIRES = 5


def evaluate(width, products, outputs, zeros=()):
    """All inputs, a row a wire, and what the outputs are on them."""
    data = [wire for wire in range(width) if wire not in zeros]
    numbers = np.arange(1 << len(data))
    values = np.zeros((width, len(numbers)), dtype=bool)
    values[data] = [numbers >> k & 1 for k in range(len(data))]
    held = list(values)
    one = np.ones(len(numbers), dtype=bool)
    for left, right in products:
        held.append(left.value(held.__getitem__, one) & right.value(held.__getitem__, one))
    return values, np.array([out.value(held.__getitem__, one) for out in outputs])


def assert_computes(circuit, width, products, outputs, zeros=()):
    values, wanted = evaluate(width, products, outputs, zeros)
    inputs = np.vstack([values, np.zeros((circuit.num_qubits - width, values.shape[1]), dtype=bool)])
    number = circuit.count_ops().get("measure", 0)
    for outcomes in ([False] * number, [True] * number, draw_outcomes(circuit, 1), draw_outcomes(circuit, 2)):
        bits, sign = run_phased(circuit, inputs, outcomes)
        assert np.array_equal(bits[:width], wanted)
        assert not bits[width:].any()
        assert sign.all() or not sign.any()
    assert circuit.count_ops().get("ccx", 0) == len(products)


def follow(gates):
    """Toffoli gates (three wires), CX (two) and X (one) as products and outputs."""
    held, products = [Parity((wire,)) for wire in range(WIRES)], []
    for gate in gates:
        *controls, target = gate
        if len(gate) == 3:
            left, right = (held[wire] for wire in controls)
            products.append((left, right))
            held[target] ^= Parity((WIRES + len(products) - 1,))
        else:
            held[target] ^= held[controls[0]] if controls else Parity((), True)
    return products, held


@given(st.lists(st.integers(1, 3).flatmap(lambda n: st.permutations(range(WIRES)).map(lambda p: p[:n])), max_size=9))
def test_toffoli_gates_take_one_toffoli_gate_each(gates):
    products, outputs = follow(gates)
    assert_computes(compute_in_place(WIRES, products, outputs), WIRES, products, outputs)


def test_wires_at_zero_take_outputs_that_depend_on_each_other():
    products = [(Parity((0,)), Parity((1,), True))]
    outputs = [Parity((0,)), Parity((1,)), Parity((4,), True), Parity((0, 4))]
    assert_computes(compute_in_place(4, products, outputs, [2, 3]), 4, products, outputs, [2, 3])


def test_an_inverse_that_is_quadratic_too_is_found_by_tables():
    """The inverse in GF(8) modulo x^3 + x + 1: three products, and each input is one of the outputs."""
    products = [(Parity((0,)), Parity((1,))), (Parity((0,)), Parity((2,))), (Parity((1,)), Parity((2,)))]
    outputs = [Parity((0, 1, 2, 5)), Parity((2, 3)), Parity((1, 2, 4))]
    values, wanted = evaluate(3, products, outputs)
    powers = [1, 2, 4, 3, 6, 7, 5]
    inverse = {0: 0, **{power: powers[-k % 7] for k, power in enumerate(powers)}}
    weights = np.array([1, 2, 4])
    assert [inverse[k] for k in weights @ values] == list(weights @ wanted)
    assert_computes(compute_in_place(3, products, outputs), 3, products, outputs)


def test_a_deleted_gate_shows():
    products = [(Parity((0, 3)), Parity((1,))), (Parity((5,)), Parity((2,), True))]
    outputs = [*(Parity((wire,)) for wire in range(4)), Parity((4, 6))]
    circuit = compute_in_place(5, products, outputs)
    for place in range(len(circuit.data)):
        fewer = circuit.copy_empty_like()
        for step in [*circuit.data[:place], *circuit.data[place + 1 :]]:
            fewer.append(step)
        with pytest.raises((AssertionError, RefusedError, StopIteration)):
            assert_computes(fewer, 5, products, outputs)


@pytest.mark.parametrize(
    ("products", "outputs", "fault"),
    [
        ([], [Parity((0,))], "1 outputs for 2 wires"),
        ([(Parity((0,)), Parity((2,)))], [Parity((0,)), Parity((1,))], "not there yet"),
        ([], [Parity((0,)), Parity((0,))], "do not tell all inputs apart"),
        ([(Parity((0,)), Parity((), True))], [Parity((0,)), Parity((1, 2))], "is a parity"),
        ([(Parity((0,)),)], [Parity((0,)), Parity((1,))], "pairs of Parity"),
    ],
)
def test_faults_are_told(products, outputs, fault):
    with pytest.raises(InputError, match=fault):
        compute_in_place(2, products, outputs)


def test_a_zero_is_a_wire():
    with pytest.raises(InputError, match=r"zeros are wires from 0 to 0, not \[5\]"):
        compute_in_place(1, [], [Parity((0,))], zeros=[5])


def test_an_order_that_is_not_found_is_given_up(monkeypatch):
    products, outputs = follow([(0, 1, 2), (2, 3, 4)])
    monkeypatch.setattr("gatesolve.circuit.lowering.measured.in_place.MOST_TRIED", 0)
    monkeypatch.setattr("gatesolve.circuit.lowering.measured.in_place.MOST_READ", 0)
    with pytest.raises(InputError, match="not in a way that was found"):
        compute_in_place(WIRES, products, outputs)

import numpy as np
import pytest

from benchmarks.core import problems
from benchmarks.suites import blog_2022


def test_the_rebuilt_classical_circuit_has_the_published_counts():
    circuit = blog_2022.classical_circuit(measured=True)
    assert dict(circuit.count_ops()) == blog_2022.PUBLISHED
    assert circuit.depth() == blog_2022.PUBLISHED_DEPTH
    assert circuit.num_qubits == 11


@pytest.mark.parametrize(("target_h", "success"), [(True, 0.603), (False, 0.988)])
def test_h_on_the_target_costs_success(target_h, success):
    assert blog_2022.classical_success(target_h=target_h) == pytest.approx(success, abs=5e-4)


def test_the_check_circuit_flips_where_every_flag_is_one():
    one_cell = problems.Kakuro("one", 1, (), (((0,), 2),))
    columns = np.array([[number >> q & 1 for number in range(16)] for q in range(4)], dtype=bool)
    check = blog_2022.CheckCircuit(one_cell)
    assert check.count_ones(check.flags, columns) == check.count_flips_everywhere() == 8

import numpy as np
import pytest

from benchmarks.suites import qaoa_transfer as maker
from gatesolve.pipelines.qaoa.angles import load_best


@pytest.mark.parametrize("kind", ["grover-global", "grover"])
def test_the_table_is_made_again(kind, capsys):
    again = maker.fitted(kind, 1, (1, 2, 3))
    assert all(np.allclose(again[layers].T, load_best()[kind][layers], atol=0.011) for layers in again)
    assert capsys.readouterr().out.startswith(f"# {kind} 1 ")


def test_an_instance_has_a_solution_and_depends_on_its_seed():
    for sizes in {sizes for shapes in maker.SHAPES.values() for sizes in shapes}:
        once, again, other = (maker.instance(sizes, np.random.default_rng(seed)) for seed in (3, 3, 4))
        assert once.min() == 0 < once.max()
        assert np.array_equal(once, again)
        assert not np.array_equal(once, other)


def test_angles_transfer_to_other_instances():
    others = maker.ensemble("xy-ring", 2)
    schedule = np.array(load_best()["xy-ring"][4]).T
    assert maker.chance(others, schedule) > 20 * maker.chance(others, schedule[:0])

"""The landscape of a QAOA of one layer, and a run at angles of the user's own."""

import io

import numpy as np
import pytest

import gatesolve
from gatesolve.errors import InputError
from gatesolve.pipelines.qaoa.options import read_own_angles

KAKURO = "examples/kakuro/small.txt"
PLAIN = {"presolve": "none", "encoding": "one-hot"}


@pytest.fixture(scope="module")
def land():
    return gatesolve.landscape(KAKURO, **PLAIN)


def run(angles, problem=KAKURO, **options):
    return gatesolve.solve(problem, pipeline="qaoa", angles=angles, **PLAIN, **options)


def test_every_point_is_what_a_run_at_its_angles_gives(land):
    assert land.energies.shape == land.probabilities.shape == (len(land.betas), len(land.gammas))
    for row, column in [(0, 3), (7, 5), (20, 30)]:
        found = run(([land.gammas[column]], [land.betas[row]]))
        assert found.details.mean == pytest.approx(land.energies[row, column])
        assert found.success_probability == pytest.approx(land.probabilities[row, column])


def test_the_best_angles_are_taken_by_solve(land):
    found = run(land.best)
    assert found.details.mean == pytest.approx(land.energies.min())
    assert found.details.start == "given"
    assert (found.iterations, found.options.layers, found.status) == (1, 1, "solved")
    assert "angles as given" in found.report().lines[0]


def test_it_is_drawn_with_its_best_angles_and_says_them(land):
    drawn = io.BytesIO()
    figure = land.plot()
    figure.savefig(drawn, format="png")
    assert drawn.getvalue().startswith(b"\x89PNG")
    (mark,) = (one for one in figure.axes[0].collections if one.get_label() == "best broken constraints on average")
    assert mark.get_offsets()[0].tolist() == pytest.approx([land.best[0][0], land.best[1][0]])
    assert repr(land).startswith("<Landscape of 33 gammas x 33 betas: Kakuro 3x3")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"layers": 2}, "leave out layers"),
        ({"angles": ([0.1], [0.1])}, "leave out angles"),
        ({"betas": "own"}, "leave out betas"),
        ({"gamma": [1.0]}, "gamma has 1 numbers"),
        ({"beta": ["a", 2]}, "beta is"),
        ({"beta": [float("inf"), 2]}, "finite"),
        ({"gama": [1]}, "did you mean gamma"),
    ],
)
def test_what_makes_no_landscape_is_refused(options, words):
    with pytest.raises(InputError, match=words):
        gatesolve.landscape(KAKURO, **options)


ROWS = ((0.5, 0.8), (-0.5, -0.3))


@pytest.mark.parametrize(
    "given", [ROWS, [[0.5, 0.8], [-0.5, -0.3]], np.array(ROWS), "0.5,0.8;-0.5,-0.3", "0.5 0.8 ; -0.5 -0.3"]
)
def test_own_angles_are_read_from_rows_and_texts(given):
    assert read_own_angles(given) == ROWS
    assert gatesolve.Options(pipeline="qaoa", angles=given).angles == ROWS
    assert gatesolve.Options(pipeline="qaoa", angles=given).layers == 2


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([1], "no two rows of numbers"),
        (7, "no two rows"),
        ("1;2;3", "no two rows"),
        ("a;b", "no two rows"),
        (([], []), "0 gammas and 0 betas"),
        (([1], [1, 2]), "1 gammas and 2 betas"),
        (([1, 2], [1, [2, 3]]), "fewer than of others"),
        (([1, 2], [[1], [2, 3]]), "fewer than of others"),
        (([float("nan")], [1]), "no finite|not a finite"),
        (([1], [[1, 2]]), "betas have shape"),
        ("best", "choose one of optimised, transfer, ramp"),
    ],
)
def test_what_are_no_angles_is_said_in_a_line(given, words):
    with pytest.raises(InputError, match=words) as caught:
        run(given)
    assert "\n" not in str(caught.value)

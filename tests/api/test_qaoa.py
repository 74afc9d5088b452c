"""QAOA of whole problems: probabilities and counts promised, circuits equal to the simulation, answers judged."""

import json
import re

import numpy as np
import pytest
from aer_state import amplitudes_on_aer, equal_up_to_a_phase
from contest_kakuro import K4, K7

import gatesolve
from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError
from gatesolve.model import Model, NotEqual, Variable
from gatesolve.pipelines.qaoa.options import read_own_angles, read_own_start
from gatesolve.qubo import Qubo


def compiled(problem, **choices):
    return gatesolve.compile(problem, pipeline="qaoa", presolve="none", **choices)


@pytest.mark.quick("one-hot-grover*", "binary-grover", "table-auto")
@pytest.mark.parametrize(
    ("encoding", "mixer"),
    [("one-hot", "xy-ring"), ("one-hot", "xy-complete"), ("one-hot", "grover"), ("one-hot", "grover-global"),
     ("binary", "x"), ("binary", "grover"), ("table", "auto"), ("domain-wall", "grover")],
)  # fmt: skip
def test_the_circuit_is_the_simulation_on_aer(encoding, mixer):
    made = compiled(K4, encoding=encoding, mixer=mixer, layers=2, angles="transfer")
    found, expected = amplitudes_on_aer(made.program), made.details.state
    assert abs(np.vdot(found, found) - 1) < 1e-9
    assert equal_up_to_a_phase(found, expected)
    assert made.certificate.checked == made.certificate.of == made.program.space.size


TOTAL = "x, y, z in 0..3; x + y + z == 5; x != y"
QUADRATIC = Qubo(("a", "b", "c"), {(0,): -3, (1,): 1, (2,): 2, (0, 1): 2, (1, 2): -4, (0, 2): 1})


@pytest.mark.parametrize(
    ("problem", "encoding", "start"),
    [(TOTAL, "one-hot", "x=1, y=2"), (TOTAL, "table", {"x": 2, "z": 0}), (QUADRATIC, "binary", "relaxation")],
    ids=str,
)
def test_a_warm_start_is_near_its_values_and_the_same_on_aer(problem, encoding, start):
    # Without a phase the mixers leave their start as it is, up to a phase.
    still = compiled(problem, encoding=encoding, warm_start=start, angles=([0.0], [0.4]))
    likely = still.program.space.assignment(int(np.argmax(np.abs(still.details.state))))
    wanted = {"a": 1, "b": 0, "c": 0} if start == "relaxation" else read_own_start(start)
    assert all(likely[name] == value for name, value in wanted.items())
    made = compiled(problem, encoding=encoding, warm_start=start, angles=([0.5, 0.8], [-0.5, -0.3]))
    assert equal_up_to_a_phase(amplitudes_on_aer(made.program), made.details.state)
    assert {mixer.kind for mixer in made.details.mixers if mixer.start} == {"grover"}


@pytest.mark.parametrize(
    ("start", "more", "words"),
    [
        ("x[0,1]=1,y", {}, "give numbers by name"),
        ("x=a", {}, "what is no number"),
        ({}, {}, "for one variable at least"),
        ("cold", {}, "unknown warm_start"),
        ("w=1", {}, "warm_start names 'w': choose among x, y, z"),
        ("x=7", {}, "give one of its values"),
        ("relaxation", {}, "needs variables of values 0 and 1"),
        ("x=1", {"mixer": "grover"}, "brings its own mixers: leave out mixer"),
        ("x=1", {"angles": "fixed"}, "fixed angles are for the uniform start: leave out angles"),
    ],
)
def test_warm_starts_that_make_no_sense_are_refused(start, more, words):
    with pytest.raises(InputError, match=re.escape(words)):
        compiled(TOTAL, warm_start=start, encoding="one-hot", **more)
    triangle = Qubo(("a", "b", "c"), {(0,): -2, (1,): -2, (2,): -2, (0, 1): 2, (1, 2): 2, (0, 2): 2})
    with pytest.raises(InputError, match="prefers no value of any variable"):
        compiled(triangle, warm_start="relaxation")


@pytest.mark.parametrize(("angles", "optimal"), [("transfer", True), (([0.0], [0.0]), False)], ids=str)
def test_a_recursive_search_says_whether_it_found_the_optimum(angles, optimal):
    # At angles of zero nothing is correlated, so the first two variables are joined again and again.
    chain = {(0, 1): 3, (1, 2): -5, (2, 3): 7, (3, 4): -9, (0, 4): 2, (0,): -1, (2,): -3}
    qubo = Qubo(tuple("abcde"), chain)
    options = {"pipeline": "qaoa", "layers": 1, "angles": angles, "presolve": "none"}
    found = gatesolve.solve(qubo, **options, recursive=1)
    assert found.space_size == 2
    assert found.optimal is optimal
    assert found.energy == qubo.energy([found.solution[name] for name in qubo.names])
    lowest = min(qubo.energy([n >> k & 1 for k in range(5)]) for n in range(32))
    assert (found.energy == lowest) is optimal
    assert (found.success_probability > 0) is optimal


def test_recursion_is_refused_where_it_joins_nothing():
    refused = [({"recursive": 3}, "has 3 blocks to join: leave out recursive"), ({"recursive": 0}, "give 1 or more")]
    refused += [({"recursive": 2, "warm_start": "a=1"}, "start from all states: leave out recursive")]
    refused += [({"warm_start": "a=1,a=0"}, "names a variable twice")]
    for options, words in refused:
        with pytest.raises(InputError, match=words):
            gatesolve.solve(QUADRATIC, pipeline="qaoa", **options)
    with pytest.raises(InputError, match="two values, and there are others: leave out recursive"):
        gatesolve.solve(TOTAL, pipeline="qaoa", encoding="one-hot", recursive=1, angles="ramp")


@pytest.mark.slow
def test_the_four_cell_kakuro_is_as_likely_and_cheap_as_promised():
    deep = compiled(K4, encoding="one-hot", layers=8)
    assert deep.details.success_probability >= 0.95
    shallow = compiled(K4, encoding="one-hot", layers=4)
    assert shallow.program.resources().cx / shallow.details.success_probability <= 400


@pytest.mark.slow
def test_the_seven_cell_kakuro_is_as_likely_and_cheap_as_promised():
    blocks = compiled(K7, encoding="table", layers=8, evaluations=80)
    assert blocks.details.success_probability >= 0.9
    assert blocks.program.resources().cx / blocks.details.success_probability <= 2_000
    cells = compiled(K7, encoding="one-hot", layers=10, evaluations=80)
    assert cells.details.success_probability >= 0.2
    assert cells.program.resources().cx / cells.details.success_probability <= 8_000


def test_an_answer_says_how_it_was_found():
    result = gatesolve.solve(K4, pipeline="qaoa", layers=2, encoding="binary", presolve="none", evaluations=60)
    data = json.loads(json.dumps(result.as_dict()))
    assert data["status"] == "solved"
    assert K4.check(data["solution"])
    assert len(data["qaoa"]["gammas"]) == len(data["qaoa"]["betas"]) == 2
    assert data["qaoa"]["evaluations"] <= 60
    assert data["qaoa"]["accepted"] == pytest.approx(data["success_probability"], abs=0.1)
    assert data["marked"] == 2


def test_a_model_without_a_solution_is_told():
    rules = tuple(NotEqual(f"x{i}", f"x{j}") for i in range(3) for j in range(i))
    model = Model(tuple(Variable(f"x{k}", (0, 1)) for k in range(3)), rules)
    result = gatesolve.solve(model, pipeline="qaoa", presolve="none", encoding="one-hot", layers=1)
    assert result.status == "infeasible"
    assert "no solution exists" in result.message


def test_what_does_not_fit_is_refused_in_a_line(tmp_path):
    with pytest.raises(InputError, match="no oracle"):
        gatesolve.export(compiled(K4, layers=1, angles="ramp"), tmp_path / "b.qasm", "oracle")
    with pytest.raises(DoesNotFitError, match="layers="):
        compiled(K4, layers=100_000)
    with pytest.raises(UnsupportedError, match="mixer x"):
        compiled(K4, encoding="one-hot", mixer="x")
    with pytest.raises(InputError, match="unknown mixer"):
        compiled(K4, mixer="swap")
    with pytest.raises(InputError, match="layers is -1"):
        compiled(K4, layers=-1)
    with pytest.raises(InputError, match="coefficient"):
        Qubo.of(("a",), {(0,): float("nan")})


# --- The landscape of a QAOA of one layer, and a run at angles of the user's own ---


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
    assert "angles: your own" in found.report().lines[0]


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
        ("1;2;3", "no two rows"),
        (([], []), "0 gammas and 0 betas"),
        (([1, 2], [1, [2, 3]]), "fewer than of others"),
        (([float("nan")], [1]), "no finite|not a finite"),
        ("best", "choose one of optimised, transfer, ramp, fixed"),
    ],
)
def test_what_are_no_angles_is_said_in_a_line(given, words):
    with pytest.raises(InputError, match=words) as caught:
        run(given)
    assert "\n" not in str(caught.value)

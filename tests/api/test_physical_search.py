"""Fault-tolerant estimates of whole searches: counts against the lowered circuits, large spaces, refusals."""

from importlib.util import find_spec

import pytest
from contest_kakuro import K4, K7

import gatesolve.api.physical
from gatesolve.costs import LogicalCounts
from gatesolve.costs.physical_counts import ANDS, MEASURED, UNITARY, WAYS, count_logical
from gatesolve.errors import DoesNotFitError, InfeasibleError, InputError, UnsupportedError
from gatesolve.model import AllDifferent, Linear, Model, Objective, Variable

pytestmark = pytest.mark.skipif(find_spec("qdk") is None, reason="qdk is not installed")


def estimate(problem, models=("qubit_gate_ns_e3",), budget=0.001, **options):
    return gatesolve.estimate(problem, machines=models, budget=budget, **options)


@pytest.mark.parametrize(("encoding", "model"), [("binary", K7), ("one-hot", K4)])
def test_counts_are_those_of_the_lowered_circuits(encoding, model):
    """Start and one iteration of a circuit, against its gates lowered to Clifford+T."""
    program = gatesolve.compile(model, presolve="none", encoding=encoding, gates="clifford+t", optimize="t").program
    for way, measured in ((UNITARY, False), (MEASURED, True)):
        lowered = program.with_lowering(measured=measured)
        start, iteration = lowered.resources("preparation"), lowered.resources("iteration")
        found = count_logical(program, 3)[way]
        assert not found.rotations
        assert found.qubits == program.num_qubits
        assert found.t == start.t + 3 * iteration.t
        assert found.measurements == start.measurements + 3 * iteration.measurements + program.space.num_qubits


@pytest.mark.parametrize("encoding", ["binary", "table"])
def test_ands_counted_whole_hold_the_t_of_the_circuit(encoding):
    program = gatesolve.compile(K7, presolve="none", encoding=encoding, gates="clifford+t", optimize="t").program
    ways = count_logical(program, 5)
    assert tuple(ways) == WAYS
    whole, single = ways[ANDS], ways[MEASURED]
    assert (whole.measurements, whole.rotations) == (single.measurements, single.rotations)
    # Passes over gates may merge T of different ANDs, and a CCZ takes 4 states where its circuit has 7 T.
    assert single.t - 3 * whole.ccz <= whole.t_states <= 1.1 * single.t
    assert whole.cycles <= single.cycles


def test_rotations_are_left_to_the_estimator():
    """Three values in one-hot: a W state whose angles are no multiples of pi/4."""
    model = Model(tuple(Variable(f"x{k}", (0, 1, 2)) for k in range(3)), (AllDifferent(("x0", "x1", "x2")),))
    report = estimate(model, presolve="none", encoding="one-hot")
    assert all(counts.rotations for counts in report.counts.values())
    assert all(0 < counts.rotation_depth <= counts.rotations for counts in report.counts.values())
    # Lowered to `clifford+t` each takes about a hundred T; the budget asks for far fewer.
    counts = report.counts[report.estimates[0].counted]
    assert counts.t_states < report.estimates[0].t_states < counts.t_states + 30 * counts.rotations


@pytest.mark.sampled(0.3)
def test_a_whole_search_is_its_start_and_all_iterations():
    one, many = (estimate(K7, presolve="none", encoding="binary", iterations=n) for n in (1, 100))
    start, step = counted_parts(one.counts[ANDS], many.counts[ANDS])
    assert start.then(step, 100) == many.counts[ANDS]
    best = estimate(K7, presolve="none", encoding="binary")
    assert (best.compiled.certificate.marked, best.compiled.oracle_calls) == (1, 100)
    assert best.compiled.program.space.size == 4**7
    assert best.counts == many.counts
    assert best.success_probability > 0.9999
    assert one.estimates[0].qubit_seconds < many.estimates[0].qubit_seconds


def counted_parts(one, many):
    """Start and iteration from the counts of 1 and of 100 iterations."""
    names = ("t", "ccz", "ccix", "measurements", "rotations", "rotation_depth")
    steps = {name: (getattr(many, name) - getattr(one, name)) // 99 for name in names}
    starts = {name: getattr(one, name) - steps[name] for name in names}
    return LogicalCounts(one.qubits, **starts), LogicalCounts(one.qubits, **steps)


@pytest.mark.slow
def test_a_space_too_large_to_simulate_is_estimated_and_its_oracle_checked():
    report = estimate(large(), presolve="none", encoding="one-hot")
    assert report.compiled.program.space.size == 10**8 > 1 << 24
    assert report.compiled.oracle_calls == 7853
    assert report.compiled.certificate.marked is None
    assert report.compiled.certificate.checked == 4096 + 1 + 8 * 9
    assert any("one is assumed" in note for note in report.notes)
    assert report.as_dict()["physical"][0]["physical_qubits"] > 10_000


def large(names=8):
    """Eight values of ten, all different: 10^8 codewords."""
    variables = tuple(Variable(f"x{k}", tuple(range(10))) for k in range(names))
    return Model(variables, (AllDifferent(tuple(v.name for v in variables)),))


def test_a_large_space_without_solution_is_refused():
    variables = tuple(Variable(f"x{k}", tuple(range(9))) for k in range(10))
    model = Model(variables, (AllDifferent(tuple(v.name for v in variables)),))
    with pytest.raises(InfeasibleError, match="reference solver proved"):
        estimate(model, presolve="none", encoding="one-hot")


def test_where_something_is_made_large_one_search_is_estimated():
    """x + y at most 4, and large."""
    model = Model(
        (Variable("x", (0, 1, 2, 3)), Variable("y", (0, 1, 2, 3))),
        (Linear(((1, "x"), (1, "y")), "<=", 4),),
        Objective(((1, "x"), (1, "y")), 0, "max"),
    )
    assert "one search for any solution; the best one takes several" in estimate(model, presolve="none").notes


def test_a_large_space_whose_oracle_takes_too_many_ancillas_is_refused():
    with pytest.raises(DoesNotFitError, match="ancillas"):
        estimate(large(), presolve="none", encoding="one-hot", ancillas=1)


def test_refusals():
    with pytest.raises(UnsupportedError, match="estimated for pipeline='grover', not gas"):
        estimate(K4, pipeline="gas")
    with pytest.raises(InputError, match="unknown machine 'x'"):
        estimate(K4, models=("x",))
    with pytest.raises(InputError, match="budget is 2"):
        estimate(K4, budget=2)
    with pytest.raises(InputError, match="leave out schedule='unknown'"):
        estimate(K4, schedule="unknown")
    with pytest.raises(DoesNotFitError, match="nothing is left to search after presolve propagate"):
        estimate(K7, presolve="propagate")
    for bare in (Model(()), Model((Variable("a", (3,)),))):
        with pytest.raises(DoesNotFitError, match=r"^there is nothing to search, .*: gatesolve solve gives the"):
            estimate(bare)
    with pytest.raises(DoesNotFitError, match="leave out exact"):
        estimate(large(), presolve="none", encoding="one-hot", exact=True)

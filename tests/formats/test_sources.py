"""Problems as dimod, NumPy and SciPy hold them, solved as they are; the others are in ``tests/qubo``."""

import json
from itertools import product

import dimod
import networkx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import gatesolve
from gatesolve.api import as_problem
from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError

HALVES = st.integers(-9, 9).map(lambda n: n / 2)
LABELS = ("a", "x3", 3, 0, ("a", 1), (("a",),), frozenset({1}), 0.5, "b c")


@st.composite
def models(draw, most=4):
    """A dimod model of either vartype, whose labels are of any kind."""
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=most, unique=True))
    pairs = [(u, v) for k, u in enumerate(labels) for v in labels[:k]]
    linear = {label: draw(HALVES) for label in labels}
    quadratic = {pair: draw(HALVES) for pair in pairs if draw(st.booleans())}
    return dimod.BinaryQuadraticModel(linear, quadratic, draw(HALVES), draw(st.sampled_from(("BINARY", "SPIN"))))


def states(problem):
    """Every assignment of our variables, and the same as the user calls them."""
    for values in product(*problem.model.domains.values()):
        named = dict(zip(problem.model.domains, values, strict=True))
        yield named, problem.restore(named)


@given(models())
def test_every_state_of_a_bqm_has_its_energy(bqm):
    problem = as_problem(bqm)
    seen = set()
    for named, own in states(problem):
        assert list(own) == list(bqm.variables)
        assert set(own.values()) <= set(bqm.vartype.value)
        assert problem.energy(named) == bqm.energy(own)
        seen.add(tuple(own.values()))
    assert len(seen) == 2**bqm.num_variables


@pytest.mark.sampled(0.5)
@settings(max_examples=12)
@given(models(most=3))
def test_a_bqm_is_solved_in_its_own_terms(bqm):
    result = gatesolve.solve(bqm, pipeline="gas", confidence=0.999999)
    assert bqm.energy(result.solution) == result.energy == dimod.ExactSolver().sample(bqm).first.energy
    json.dumps(result.as_dict())


@pytest.mark.parametrize("kind", [dimod.DictBQM, dimod.Float32BQM, dimod.Float64BQM])
def test_every_kind_of_bqm(kind):
    bqm = kind({"a": 1.0, 7: -0.5}, {("a", 7): 1.5}, 0.25, "SPIN")
    result = gatesolve.solve(bqm)
    assert (result.solution, result.energy, result.options.pipeline) == ({"a": -1, 7: 1}, -2.75, "gas")
    assert result.as_dict()["solution"] == {"a": -1, "x7": 1}


@given(st.dictionaries(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS[:4])), HALVES, max_size=6))
def test_a_dict_is_what_dimod_makes_of_it(weights):
    problem, bqm = as_problem(weights), dimod.BinaryQuadraticModel.from_qubo(weights)
    for named, own in states(problem):
        assert set(own) == set(bqm.variables)
        assert problem.energy(named) == bqm.energy(own)


@given(st.integers(1, 4).flatmap(lambda n: st.lists(HALVES, min_size=n * n, max_size=n * n)), st.booleans())
def test_a_matrix_is_x_transposed_times_it_times_x(numbers, symmetric):
    size = round(len(numbers) ** 0.5)
    matrix = np.triu(np.array(numbers).reshape(size, size))
    matrix = matrix + matrix.T if symmetric else matrix
    kinds = (np.asarray, scipy.sparse.csr_array, scipy.sparse.coo_matrix, scipy.sparse.lil_matrix)
    for problem in (as_problem(kind(matrix)) for kind in kinds):
        for named, own in states(problem):
            x = np.array([own[row] for row in range(size)])
            assert problem.energy(named) == x @ matrix @ x


def test_a_polynomial():
    poly = dimod.BinaryPolynomial({("a", 1, (2,)): -1.5, (1,): 1, (): 0.5}, "SPIN")
    result = gatesolve.solve(poly)
    assert result.energy == poly.energy(result.solution) == dimod.ExactPolySolver().sample_poly(poly).first.energy


def mixed():
    """A CQM of binary, spin and integer variables, with labels that are no names."""
    cqm = dimod.ConstrainedQuadraticModel()
    count, pick, spin = dimod.Integer(5, lower_bound=-1, upper_bound=3), dimod.Binary(("p", 1)), dimod.Spin("s")
    cqm.set_objective(count * count - 3 * count + 2 * pick * spin - 0.5 * spin + 4)
    cqm.add_constraint(count + 2 * pick + spin <= 2, label="load")
    return cqm


def test_every_state_of_a_cqm():
    cqm = mixed()
    problem = as_problem(cqm)
    for named, own in states(problem):
        assert set(own) == set(cqm.variables)
        assert own["s"] in (-1, 1)
        assert problem.energy(named) == cqm.objective.energy(own)
        assert (not problem.complaints(named)) == cqm.check_feasible(own)


@pytest.mark.sampled(0.5)
def test_a_cqm_is_solved_in_its_own_terms():
    cqm = mixed()
    best = dimod.ExactCQMSolver().sample_cqm(cqm).filter(lambda one: one.is_feasible).first
    result = gatesolve.solve(cqm, pipeline="gas")
    assert cqm.check_feasible(result.solution)
    assert cqm.objective.energy(result.solution) == result.energy == best.energy
    assert result.optimal


def test_a_cqm_without_a_solution():
    cqm = mixed()
    cqm.add_constraint(dimod.Integer(5, lower_bound=-1, upper_bound=3) >= 4, label="never")
    result = gatesolve.solve(cqm, pipeline="gas")
    assert (result.status, result.solution, result.as_dict()["solution"]) == ("infeasible", None, None)


@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS), HALVES), min_size=1, max_size=6))
def test_a_graph_asks_for_its_largest_cut(edges):
    graph = networkx.MultiGraph()
    graph.add_node("alone")
    graph.add_weighted_edges_from(edge for edge in edges if edge[0] != edge[1])
    problem = as_problem(graph)
    for named, labelled in states(problem):
        cut = sum(weight for u, v, weight in graph.edges(data="weight") if labelled[u] != labelled[v])
        assert problem.energy(named) == cut


def test_a_graph_is_solved_in_its_own_terms():
    graph = networkx.Graph([("a", 1), (1, (2,)), ((2,), "a")], name="triangle")
    graph["a"][1]["weight"] = 2.5
    result = gatesolve.solve(graph)
    assert result.energy == 3.5 == networkx.cut_size(graph, [v for v in graph if result.solution[v]], weight="weight")
    assert result.problem.title == "triangle: the largest cut, 3 nodes, 3 edges"


REAL = "variable r is real: a search needs finitely many values"


@pytest.mark.parametrize(
    ("problem", "kind", "message"),
    [
        (np.zeros((2, 3)), InputError, "^matrix: shape 2 x 3: give a square matrix"),
        (np.zeros(3), InputError, "^matrix: shape 3: give a square matrix"),
        (scipy.sparse.csr_array((3, 2)), InputError, "^matrix: shape 3 x 2: give a square matrix"),
        (scipy.sparse.csr_array((10**4, 10**4)), DoesNotFitError, r"give a dict \{\(i, j\): weight\}"),
        (np.array([[1, 2j], [0, 1]]), InputError, r"^matrix, row 1, column 1: '\(1\+0j\)' .*: give a real number"),
        ({("a", "b"): 1j}, InputError, r"^the weight of \(a, b\) is '1j': give a number"),
        ({"a": 1}, InputError, r"^key 'a' is not a pair: write \(i, j\), and \(i, i\) for a linear weight"),
        (1 * dimod.Real("r"), UnsupportedError, REAL),
        (dimod.Integer("wide") * 1, InputError, "variable wide has 9007199254740992 values, and at most 4096 fit"),
        (dimod.BinaryQuadraticModel({"a": float("inf")}, {}, 0, "SPIN"), InputError, "coefficient of a is inf"),
        (networkx.DiGraph([(1, 2)]), InputError, r"^a directed graph: .* give graph.to_undirected\(\)"),
        (networkx.Graph([(1, 1)]), InputError, "^an edge from 1 to itself, which no cut contains: remove it"),
        (networkx.Graph([(1, 2, {"weight": "x"})]), InputError, r"^the weight of \(1, 2\) is 'x': give a number"),
        (networkx.Graph([(1, 2, {"weight": float("inf")})]), InputError, "is inf: give a finite number"),
        ([[1, 2], [0, 1]], InputError, "^cannot read a problem .* type list: .* a dict .* a square matrix"),
    ],
)
def test_what_is_refused(problem, kind, message):
    with pytest.raises(kind, match=message) as raised:
        gatesolve.solve(problem)
    assert "\n" not in str(raised.value)

"""Objectives of any expression: every pipeline finds what OR-Tools proves, with no weight chosen by hand."""

from itertools import combinations, permutations

import cpmpy as cp
import numpy as np
import pytest

import gatesolve
from gatesolve.formats import from_cpmpy, lp_text, program_of_model


def two():
    return cp.intvar(0, 2, name="x"), cp.intvar(0, 2, name="y")


OBJECTIVES = {
    "product": lambda x, y: x * y,
    "difference": lambda x, y: abs(x - y),
    "greatest": lambda x, y: cp.max([x, y]),
    "square": lambda x, y: (x + y) ** 2 - 3 * x,
    "counted": lambda x, y: 2 * (x == 1) + cp.Count([x, y], 2),
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("sense", ["minimize", "maximize"])
@pytest.mark.parametrize("name", OBJECTIVES)
@pytest.mark.parametrize(
    "how",
    [
        {"pipeline": "grover"},
        {"pipeline": "gas"},
        {"pipeline": "gas", "energy_from": "penalties", "encoding": "one-hot"},
        {"pipeline": "anneal", "encoding": "binary"},
        {"pipeline": "anneal", "encoding": "one-hot"},
    ],
    ids=lambda how: "-".join(how.values()),
)
def test_small_optima(name, sense, how):
    x, y = two()
    model = cp.Model(x != y, **{sense: OBJECTIVES[name](x, y)})
    assert model.solve()
    found = gatesolve.solve(model, seed=1, **how)
    assert (found.status, found.energy) == ("solved", model.objective_value())


def test_what_presolve_decides_leaves_the_objective():
    u, w = cp.intvar(1, 2, name="u"), cp.intvar(0, 2, name="w")
    found = gatesolve.solve(cp.Model(u == 2, minimize=u // 2 * 3 + w * w), pipeline="gas", presolve="propagate")
    assert (found.status, found.energy) == ("solved", 3)


def job_shop(jobs, horizon):
    model, ends, machines = cp.Model(), [], {}
    for number, job in enumerate(jobs):
        ready = 0
        for k, (machine, length) in enumerate(job):
            start = cp.intvar(0, horizon - length, name=f"s{number}{k}")
            model += start >= ready
            ready = start + length
            machines.setdefault(machine, []).append((start, length))
        ends.append(ready)
    for tasks in machines.values():
        for (a, first), (b, second) in combinations(tasks, 2):
            model += (a + first <= b) | (b + second <= a)
    model.minimize(cp.max(ends))
    return model


def test_a_makespan_is_proven():
    found = gatesolve.solve(job_shop([[(0, 2), (1, 1)], [(1, 2), (0, 1)]], 5), pipeline="gas", seed=1)
    assert found.energy == 3
    assert "nothing better exists" in found.message


@pytest.mark.sampled(0.3)
def test_a_quadratic_assignment_is_proven():
    rng, number = np.random.default_rng(1), 3
    flow, distance = rng.integers(0, 5, (number, number)), cp.cpm_array(rng.integers(1, 6, (number, number)))
    place = cp.intvar(0, number - 1, shape=number, name="p")
    total = cp.sum(int(flow[i, j]) * distance[place[i], place[j]] for i, j in permutations(range(number), 2))
    model = cp.Model(cp.AllDifferent(place), minimize=total)
    assert model.solve()
    found = gatesolve.solve(model, pipeline="gas", seed=1)
    assert found.energy == model.objective_value()
    assert "nothing better exists" in found.message


def test_an_lp_file_may_multiply_integers(tmp_path):
    x, y = cp.intvar(0, 3, name="x"), cp.intvar(0, 2, name="y")
    written = from_cpmpy(cp.Model(x + y <= 4, maximize=2 * x * y - x))
    path = tmp_path / "product.lp"
    path.write_text(lp_text(program_of_model(written)))
    found = gatesolve.solve(path, pipeline="gas", seed=1)
    assert (found.energy, found.solution) == (6, {"x": 2, "y": 2})

"""CNF and WCNF: read as they mean, beside CPMpy's reader and beside all assignments; each fault in one line."""

import random

import numpy as np
import pytest
from cpmpy.tools.io.wcnf import load_wcnf
from foreign_files import bits, literal, number_of, random_clauses, satisfied, uniform_cnf

from gatesolve.errors import DoesNotFitError
from gatesolve.files import model_format
from gatesolve.formats import from_cpmpy, read_dimacs
from gatesolve.model import find_optimum, find_solutions


def cnf(text):
    return from_cpmpy(read_dimacs(text, "f.cnf", False).model)


def wcnf(text):
    return from_cpmpy(read_dimacs(text, "f.wcnf", True).model)


@pytest.mark.quick(1)
@pytest.mark.parametrize("seed", range(3))
def test_files_as_satlib_has_them_keep_their_solutions(seed):
    text, clauses = uniform_cnf(seed)
    found = {number_of(one) for one in find_solutions(cnf(text))}
    assert found == set(np.flatnonzero(satisfied(clauses, 20)))


def test_clauses_run_over_lines_and_comments():
    model = cnf("c one\np cnf 3 2\n1\n-2 0 2\nc between\n 3 0\n")
    assert find_solutions(model) == find_solutions(cnf("1 -2 0\n2 3 0\n"))
    assert not find_solutions(cnf("p cnf 1 2\n1 0\n0\n")), "an empty clause holds nowhere"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("old", [False, True])
def test_the_least_weight_of_broken_clauses(seed, old):
    rng = random.Random(seed)
    hard, soft = random_clauses(rng, 6, 8), random_clauses(rng, 6, 7, 2)
    weights = [rng.randint(0, 5) for _ in soft]
    lines = [f"{99 if old else 'h'} {' '.join(map(str, clause))} 0" for clause in hard]
    lines += [f"{weight} {' '.join(map(str, clause))} 0" for weight, clause in zip(weights, soft, strict=True)]
    text = "\n".join([*(["p wcnf 6 15 99"] if old else []), *lines, ""])
    columns = bits(6)
    broken = sum(
        weight * ~np.logical_or.reduce([literal(columns, v) for v in clause])
        for weight, clause in zip(weights, soft, strict=True)
    )
    best = min(broken[satisfied(hard, 6)])
    assert find_optimum(wcnf(text))[1] == best
    if not old:
        theirs = load_wcnf(text)
        assert theirs.solve(solver="ortools")
        assert theirs.objective_value() == best


def test_weights_of_any_length():
    top = 2**64 - 1
    model = wcnf(f"p wcnf 2 3 {top}\n{top} 1 2 0\n{10**18} -1 0\n4 -2 0\n")
    allowed = find_solutions(model)
    assert min(allowed, key=model.objective.value) == {"x1": 0, "x2": 1}
    assert sorted(map(model.objective.value, allowed)) == [4, 10**18, 10**18 + 4]
    with pytest.raises(DoesNotFitError, match=r"2\^50"):
        find_optimum(model)


def test_blanks_before_lines_and_files_without_clauses():
    text = "  c one\n\tp cnf 3 2\n 1 -2 0\n  c between\n 2 3 0\n"
    assert model_format(text, "data.txt") == "cnf"
    assert find_solutions(cnf(text)) == find_solutions(cnf("1 -2 0\n2 3 0\n"))
    assert find_solutions(cnf("p cnf 3 0\n")) == [{}]


def test_an_empty_soft_clause_is_always_paid():
    assert find_optimum(wcnf("h 1 0\n5 0\n3 -1 0\n"))[1] == 8
    assert find_optimum(wcnf("h 1 0\n5 0\n"))[1] == 5


def test_without_a_top_weight_no_clause_is_hard():
    assert find_optimum(wcnf("p wcnf 1 2\n4 1 0\n9 -1 0\n"))[1] == 4

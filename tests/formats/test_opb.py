"""OPB: read as it means, beside all assignments and CPMpy's reader; each fault in one line."""

import numpy as np
import pytest
from foreign_files import number_of, random_opb, rows_hold, sums

from gatesolve.errors import DoesNotFitError
from gatesolve.formats import from_cpmpy, read_opb
from gatesolve.model import find_optimum, find_solutions


def model(text):
    return from_cpmpy(read_opb(text, "f.opb").model)


@pytest.mark.parametrize("seed", range(8))
def test_random_files_keep_their_solutions_and_their_best(seed):
    text, rows, goal = random_opb(seed)
    made = model(text)
    true = rows_hold(rows, 10)
    read = sum(1 << int(v.name[1:]) - 1 for v in made.variables)
    assert {number_of(one) for one in find_solutions(made)} == {int(k) & read for k in np.flatnonzero(true)}
    if goal is not None:
        values = sums(goal[0], 10)[true]
        assert find_optimum(made)[1] == (min(values) if goal[1] == "min" else max(values))


def test_statements_run_over_lines_and_share_them():
    made = model("* no counts\nmax: +3*x1\n -2 ~x2 x3 ;\n1 x1\n >= 1; 0 x2 + x3 <= 1;x2 = 1 ;\n")
    assert find_solutions(made) == [{"x1": 1, "x2": 1, "x3": v} for v in (0, 1)]
    assert find_optimum(made)[1] == 3


def test_numbers_of_any_length_and_an_empty_objective():
    text = "min: +{} x1 +3 x2 ;\nx1 + x2 >= 1 ;\n"
    assert find_optimum(model(text.format(10**14)))[0] == {"x1": 0, "x2": 1}
    with pytest.raises(DoesNotFitError, match=r"2\^50"):  # OR-Tools compares objectives as floats
        find_optimum(model(text.format(10**18)))
    assert find_solutions(model("min: ;\nx1 >= 1 ;\n")) == [{"x1": 1}]
    assert find_optimum(model("max: x1 -2 x2 ;\n"))[1] == 1


def test_a_variable_may_stand_twice_in_a_sum():
    assert find_solutions(model("+3 x1 +1 ~x1 -1 x1 -1 x1 x2 >= 2 ;\n")) == [{"x1": 1, "x2": 0}]

"""The one judge: what presolve took out is put back, and the problem's own rules have the last word."""

import pytest

from gatesolve.model import Linear, Model, NotEqual, Variable
from gatesolve.model.presolve import presolve
from gatesolve.pipelines import judge_candidates, make_judge
from gatesolve.pipelines.judge import JudgedCandidates
from gatesolve.pipelines.task import Task

BITS = tuple(Variable(name, (0, 1)) for name in "ab")
UNEQUAL = Model(BITS, (NotEqual("a", "b"),))
GOOD, BAD = {"a": 0, "b": 1}, {"a": 1, "b": 1}


class Strict(Task):
    """Has a rule that its model does not know."""

    def complaints(self, assignment):
        return super().complaints(assignment) + (["a is 0"] if assignment["a"] == 0 else [])


def test_the_first_candidate_that_is_accepted_is_the_solution_and_all_shots_are_counted():
    accept = make_judge(Task(UNEQUAL), None)
    found = judge_candidates(accept, [(None, 9), (BAD, 5), ({"a": 1, "b": 0}, 3), (GOOD, 2), (None, 1)])
    assert found == JudgedCandidates({"a": 1, "b": 0}, 2, 5)


@pytest.mark.parametrize("values", [{"a": 0}, {"a": 5, "b": 0}])
def test_values_outside_the_model_are_not_accepted(values):
    if len(values) < len(BITS):
        values = {**values, "b": 7}
    assert make_judge(Task(UNEQUAL), None)(values) is None


def test_the_problems_own_rules_have_the_last_word():
    accept = make_judge(Strict(UNEQUAL), None)
    assert accept(GOOD) is None
    assert accept({"a": 1, "b": 0}) == {"a": 1, "b": 0}


def test_variables_that_presolve_took_out_are_put_back():
    rule = Linear(((1, "a"), (1, "b"), (1, "c")), "==", 2)
    model = Model((*BITS, Variable("c", (0, 1))), (rule,))
    smaller, recovery = presolve(model, "affine")
    left = [variable.name for variable in smaller.variables]
    assert set(left) < {"a", "b", "c"}
    accept = make_judge(Task(model), recovery.recover)
    found = accept(dict.fromkeys(left, 1))
    assert found == {**dict.fromkeys("abc", 0), **dict.fromkeys(left, 1)}
    assert model.check(found)
    # 0 + 0 leaves 2 for the variable that was taken out, which it cannot be.
    assert accept(dict.fromkeys(left, 0)) is None


def test_what_is_recovered_is_judged_by_the_model_before_any_rule_of_its_own():
    seen = []

    class Watching(Task):
        def complaints(self, assignment):
            seen.append(assignment)
            return []

    accept = make_judge(Watching(UNEQUAL), lambda values: {**values, "b": values["a"]})
    assert accept({"a": 1}) is None
    assert seen == []
    assert make_judge(Watching(UNEQUAL), lambda values: {**values, "b": 1 - values["a"]})({"a": 1}) == {"a": 1, "b": 0}
    assert seen == [{"a": 1, "b": 0}]

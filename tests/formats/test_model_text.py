"""Constraints as text mean what Python means by them, and every fault is one line with its place and a remedy."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gatesolve
from gatesolve.errors import InputError
from gatesolve.files import ModelText
from gatesolve.formats import as_problem, from_cpmpy, read_foreign
from gatesolve.model import find_optimum, find_solutions


def solutions(text):
    model = from_cpmpy(read_foreign(text, "model", "model").model)
    return sorted(tuple(one.values()) for one in find_solutions(model))


def refusal(text):
    with pytest.raises(InputError) as caught:
        as_problem(ModelText(text))
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- Meaning ---

NUMBERS = st.recursive(
    st.sampled_from(["x", "y", "z", "0", "1", "2", "7"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda one: f"({' '.join(one)})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda one: f"{one[0]}({one[1]}, {one[2]})"),
        st.tuples(st.sampled_from(["-", "abs"]), inner).map(lambda one: f"{one[0]}({one[1]})"),
    ),
    max_leaves=4,
)
CONDITIONS = st.recursive(
    st.one_of(
        st.tuples(NUMBERS, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), NUMBERS).map(" ".join),
        st.tuples(NUMBERS, NUMBERS, NUMBERS).map(lambda one: f"{one[0]} <= {one[1]} < {one[2]}"),
    ),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or", "&", "|", "^"]), inner).map(
            lambda one: f"(({one[0]}) {one[1]} ({one[2]}))"
        ),
        inner.map("not ({})".format),
    ),
    max_leaves=4,
)


@settings(max_examples=40)
@given(CONDITIONS)
def test_conditions_hold_where_python_says_so(condition):
    values = {"x": (0, 1, 2), "y": (-1, 0, 1), "z": (1, 3)}
    here = [dict(zip("xyz", point, strict=True)) for point in product(*values.values())]
    true = [tuple(one.values()) for one in here if eval(condition, {}, one)]
    model = from_cpmpy(*_model(f"x in 0..2; y in -1..1; z in {{1, 3}}; {condition}"))
    assert sorted(tuple(one[n] for n in "xyz") for one in find_solutions(model)) == true


def _model(text):
    declared = read_foreign(text, "model", "model")
    return declared.model, 4096, declared.variables


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x in 0..3; y in 0..3; x + y == 4; x != y", [(1, 3), (3, 1)]),
        ("x, y in 1..2\n# a comment; x == y\nx != y  # another", [(1, 2), (2, 1)]),
        ("x, y in bool; implies(x, y); (y == 1).implies(x == 1)", [(0, 0), (1, 1)]),
        ("a, b, c in {2, 4, 5}; alldifferent(a, b, c); a < b; b < c", [(2, 4, 5)]),
        ("a, b in 0..2; AllDifferent([a, b]); sum(a,\n  b) == 3; a > b", [(2, 1)]),
        ("p, q, r in bool; xor(p, q, r); all(p, q)", [(1, 1, 1)]),
        ("x in -3..3; x // 2 == -1; x % 2 == -1", [(-3,)]),
        ("x in 0..9; x == -7 // 2 + 7 % 4 + 2 ** 3", [(8,)]),
        ("x, y in 0..1; x & ~y", [(1, 0)]),
        ("größe in 0..3; größe >= 3;;", [(3,)]),
        ("x in 0..1; x == 1; " + " + ".join(["x"] * 1500) + " == 1500", [(1,)]),
    ],
)
def test_statements(text, found):
    assert solutions(text) == found


def test_quotients_are_those_of_cpmpy():
    for left, right in product((-7, 7), (-2, 2)):
        text = f"x in {{{left}}}; q, r in -9..9; q == x // {right}; r == x % {right}; "
        assert solutions(text + f"q == {left} // {right}; r == {left} % {right}") == solutions(text) != []


@pytest.mark.parametrize(("goal", "best"), [("minimize", 1), ("maximise", 5), ("minimise", 1)])
def test_objectives(goal, best):
    model = from_cpmpy(read_foreign(f"x, y in 0..3; {goal} x + y; x != y; x + y < 6", "model", "model").model)
    assert find_optimum(model)[1] == best


@pytest.mark.parametrize("goal", ["maximize 5", "minimize min(5, 7)", "minimize sum([2, 3])"])
def test_an_objective_may_be_a_number(goal):
    assert find_optimum(from_cpmpy(read_foreign(f"x in 0..3; x > 1; {goal}", "model", "model").model))[1] == 5


# --- Faults ---


@pytest.mark.quick(10)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "model: no variables: declare some, as in 'x, y in 0..3; x + y == 4; x != y'"),
        (" ;\n# only a comment", "model: no variables: declare some"),
        ("x + y == 4", "row 1, column 1: unknown name 'x': declare it before, as 'x in 0..3'"),
        ("count in 0..3; counts == 1", "column 16: unknown name 'counts': did you mean 'count'?"),
        ("x in 0..3;\n  y in 0..3\n x + z == 2", "row 3, column 6: unknown name 'z'"),
        ("x in 0..3; (x +\n   q) == 1", "row 2, column 4: unknown name 'q'"),
        ("x in 3..0", "column 6: 3..0 is empty: write the lower bound first"),
        ("x in 1..999999999999999", "column 6: 999999999999999 values: at most 65536; give tighter bounds"),
        ("x in 0..9999999999999999999", "has over 16 digits: give smaller numbers"),
        ("x in", "column 5: nothing where the values should stand: write 0..3, {1, 3, 5} or bool"),
        ("x in 0..3 and y", "column 6: '0..3 and y' where the values should stand"),
        ("x in 0..3; x in 0..2", "column 12: 'x' is declared twice"),
        ("sum in 0..3", "'sum' is a word of the language: rename the variable"),
        ("IV1 in 0..3", "CPMpy reserves names that start with IV and BV: rename it"),
        ("x in 0..3; x = 2", "column 14: '=' is not read here: write '=='"),
        ("x in 0..3; x && 3", "'&&' is not read here: write 'and'"),
        ("x in 0..3; x == 1 -> x == 2", "write implies(a, b)"),
        ("x in 0..3; x +", "column 12: 'x +' is not read here: write a constraint, as 'x + y == 4'"),
        ("x in 0..3; (x == 2", "column 12: '(x == 2' is not read here"),
        ("x in 0..3; x == 1 | x == 2", "beside & and | comparisons stand in brackets"),
        ("x in 0..3; x", "'x' is no condition: compare it, as 'x == 4'"),
        ("x in 0..3; alldif(x)", "unknown function 'alldif': did you mean alldifferent?"),
        ("x in 0..3; implies(x == 1)", "implies has 1 arguments: give 2"),
        ("x in 0..3; min() == 1", "min has 0 arguments: give one or more"),
        ("x in 0..3; x / 2 == 1", "'x / 2' has an operator that is not read: write // for a whole quotient"),
        ("x in 0..3; x % 0 == 1", "'x % 0' divides by 0: give another divisor"),
        ("x in 0..3; x == 9 ** 9 ** 9", "the exponent must be a number from 0 to 64"),
        ("x in 0..3; x == 9 ** 64", "a number above 2^53: give smaller numbers"),
        ("x in 0..3; x is 1", "'in' and 'is' are not read inside an expression"),
        ("x in 0..3; minimize x; maximize x", "column 24: a second objective: keep one of them"),
        ("x in 0..3; x == 1.5", "column 17: '1.5' is not read here: use "),
    ],
)
def test_a_fault_has_a_place_and_a_remedy(text, message):
    assert message in refusal(text)


@pytest.mark.parametrize(
    "code",
    [
        "__import__('os').system('true')",
        "x.__class__ == 1",
        "[x][0] == 1",
        "(lambda: 1)() == x",
        "f'{x}' == x",
        "[y for y in (1,)] == x",
        "(y := 1) == x",
        "sum(*x) == 1",
        "sum(x, start=1) == 1",
        "open('f') == x",
    ],
)
def test_nothing_is_executed(code):
    assert refusal(f"x in 0..3; {code}").startswith("model, row 1, column ")


@pytest.mark.parametrize("start", ["-", "not ", "(", "x**", "x==1 if ", "~", "abs(", "lambda:", "["])
@pytest.mark.parametrize("times", [70, 5000])
def test_deep_nesting_is_refused(start, times):
    assert refusal(f"x in 0..3; {start * times}").startswith("model, row 1, column ")
    assert refusal(f"x in 0..3; {start * times}x == 1").startswith("model, row 1, column ")


# --- Ways in ---


def test_a_text_a_file_and_standard_names(tmp_path):
    text = "x, y in 0..3; x + y == 4; x != y"
    path = tmp_path / "sum.model"
    path.write_text("# two numbers\n" + text.replace("; ", "\n"))
    unnamed = tmp_path / "sum.txt"
    unnamed.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    for source in (text, text.replace("; ", "\n"), path, str(unnamed)):
        problem = as_problem(source)
        assert [(one.name, one.domain) for one in problem.model.variables] == [("x", (0, 1, 2, 3)), ("y", (0, 1, 2, 3))]
        assert len(problem.model.constraints) == 2
    assert as_problem(path).title == "sum.model: 2 variables, 2 constraints"


def test_a_solution_is_judged_by_the_text():
    found = gatesolve.solve("x in {1, 3}; y in 0..3; x + y == 4")
    assert found.solution in ({"x": 1, "y": 3}, {"x": 3, "y": 1})
    assert found.problem.complaints({"x": 2, "y": 2}) != []


def test_a_missing_file_stays_one():
    with pytest.raises(InputError, match="no such file"):
        as_problem("x in the garden.txt")

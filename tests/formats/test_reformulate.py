"""What an LP file says beyond linear constraints is said exactly: compared with all assignments, one by one."""

import random
from fractions import Fraction
from itertools import product

import pytest

from gatesolve.api import parse_problem, read_problem
from gatesolve.errors import InfeasibleError
from gatesolve.model import Linear, find_optimum, find_solutions

ALL = """Maximize
 obj: 3 x + 2 y - z + [ x * y - z ^ 2 ] / 2
Subject To
 q: [ x ^ 2 + 2 y * z ] + b <= 5.5
 i1: b = 1 -> x + y <= 2
 i0: b = 0 -> 2 z - x >= 1
 ie: c = 1 -> y - z = 0
SOS
 s1: S1 :: x:1 y:3 z:2
 s2: S2 :: z:3 b:1 c:2
Bounds
 0 <= x <= 3
 -1 <= y <= 2
 0 <= z <= 2
Binary
 b c
General
 x y z
End
"""
RANGES = {"x": range(4), "y": range(-1, 3), "z": range(3), "b": range(2), "c": range(2)}


def holds(x, y, z, b, c):
    first = sum(value != 0 for value in (x, y, z)) <= 1
    second = not (b and z) and (b, c, z).count(0) >= 1
    quadratic = x * x + 2 * y * z + b <= 5.5
    return all((first, second, quadratic, b == 0 or x + y <= 2, b == 1 or 2 * z - x >= 1, c == 0 or y == z))


def test_every_assignment_is_judged_as_the_file_says(tmp_path):
    path = tmp_path / "all.lp"
    path.write_text(ALL)
    true = {values for values in product(*RANGES.values()) if holds(*values)}
    problem = read_problem(path)
    assert {tuple(one[name] for name in RANGES) for one in find_solutions(problem.model)} == true
    best = max(3 * x + 2 * y - z + Fraction(x * y - z * z, 2) for x, y, z, _, _ in true)
    assert Fraction(find_optimum(problem.model)[1], problem.scale) == best


def row_text(rng, names, quadratic):
    """A random left side, and its value of an assignment."""
    linear = {name: rng.randint(-3, 3) for name in names}
    pairs = {rng.choice(names) + " * " + rng.choice(names): rng.randint(-2, 2) for _ in range(2 * quadratic)}
    text = " ".join(f"{c:+} {name}" for name, c in linear.items())
    if pairs:
        text += " + [ " + " ".join(f"{c:+} {pair}" for pair, c in pairs.items()) + " ]"

    def value(point):
        products = sum(c * point[pair[0]] * point[pair[-1]] for pair, c in pairs.items())
        return sum(c * point[name] for name, c in linear.items()) + products

    return text, value


@pytest.mark.parametrize("seed", range(12))
def test_random_rows_behind_conditions_and_with_products(seed):
    rng = random.Random(seed)
    low = {name: rng.randint(-2, 0) for name in "xy"}
    tests, lines = [], []
    for k in range(3):
        condition, quadratic = rng.choice([None, 0, 1]), rng.random() < 0.5
        text, value = row_text(rng, "xyb", quadratic and condition is None)
        bound, relation = rng.randint(-3, 3), rng.choice(["<=", ">=", "="])
        lines.append(f" r{k}: {'' if condition is None else f'b = {condition} -> '}{text} {relation} {bound}")

        def test(point, condition=condition, value=value, bound=bound, relation=relation):
            left = value(point)
            true = {"<=": left <= bound, ">=": left >= bound, "=": left == bound}[relation]
            return true or (condition is not None and point["b"] != condition)

        tests.append(test)
    bounds = [f" {at} <= {name} <= {at + 3}" for name, at in low.items()]
    file = ["Minimize", " x", "Subject To", *lines, "Bounds", *bounds, "Binary", " b", "General", " x y", "End"]
    points = (dict(zip("xyb", v, strict=True)) for v in product(*(range(low[n], low[n] + 4) for n in "xy"), (0, 1)))
    true = [tuple(point.values()) for point in points if all(test(point) for test in tests)]
    try:
        model = parse_problem("\n".join(file), "random.lp").model
    except InfeasibleError:
        assert not true
        return
    assert sorted(tuple(one[name] for name in "xyb") for one in find_solutions(model)) == sorted(true)


def test_a_condition_on_what_always_holds_adds_nothing_and_others_stay_linear():
    head, tail = "Minimize\n a\nSubject To\n", "\nBinary\n a b c\nEnd"
    assert parse_problem(f"{head} a = 1 -> b + c <= 2{tail}", "p.lp").model.constraints == ()
    (row,) = parse_problem(f"{head} a = 1 -> b + c <= 1{tail}", "p.lp").model.constraints
    assert row == Linear(((1, "b"), (1, "c"), (1, "a")), "<=", 2)


def test_sets_and_products_that_cannot_hold():
    tail = "\nBounds\n 1 <= x <= 2\n 1 <= y <= 2\nGeneral\n x y\n"
    with pytest.raises(InfeasibleError, match="set s never holds: neither x nor y can be 0"):
        parse_problem(f"Minimize\n x\nSubject To{tail}SOS\n s: S1 :: x:1 y:2\nEnd", "p.lp")
    with pytest.raises(InfeasibleError, match="constraint q never holds"):
        parse_problem(f"Minimize\n x\nSubject To\n q: [ x ^ 2 - x * x ] >= 1{tail}End", "p.lp")

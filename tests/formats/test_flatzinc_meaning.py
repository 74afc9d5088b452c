"""What each constraint of FlatZinc means, against a definition in plain Python, over all assignments of small domains.

The definitions follow the reference of MiniZinc's library; they share nothing with the reader. Each constraint is drawn
with variables, constants and negative numbers among its arguments, alone, reified and implied.
"""

import itertools
import operator
import re

import pytest
from flatzinc_draw import Draw, automaton, covered, network, packed, truths

from gatesolve.errors import InfeasibleError
from gatesolve.formats import broken_constraints, from_cpmpy, read_foreign
from gatesolve.formats.flatzinc import _RULES

RELATIONS = {
    "eq": operator.eq,
    "ne": operator.ne,
    "le": operator.le,
    "lt": operator.lt,
    "ge": operator.ge,
    "gt": operator.gt,
}


class Undefined(Exception):
    """A function without a value."""


def divide(a, b):
    if b == 0:
        raise Undefined
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def power(a, b):
    return a**b if b >= 0 else divide(1, a**-b)


def at(xs, index, first=1):
    if not first <= index < first + len(xs):
        raise Undefined
    return xs[index - first]


def dot(weights, xs):
    return sum(w * x for w, x in zip(weights, xs, strict=True))


def differ(xs):
    return len(set(xs)) == len(xs)


def in_order(relation, xs):
    return all(relation(a, b) for a, b in itertools.pairwise(xs))


def cycles(xs, first):
    """Lengths of the cycles of a permutation; None of what is none."""
    n = len(xs)
    if sorted(xs) != list(range(first, first + n)):
        return None
    seen, lengths = set(), []
    for start in range(n):
        length, node = 0, start
        while node not in seen:
            seen.add(node)
            node, length = xs[node] - first, length + 1
        lengths += [length] if length else []
    return lengths


def circuit(xs, first=1):
    return not xs or (cycles(xs, first) == [len(xs)] and len(xs) > 1)


def subcircuit(xs, first=1):
    found = cycles(xs, first)
    return found is not None and sum(length > 1 for length in found) <= 1


def regular(xs, states, letters, steps, start, accepting):
    state = start
    for x in xs:
        if not 1 <= x <= letters:
            return False
        state = steps[(state - 1) * letters + x - 1]
        if state == 0:
            return False
    return state in accepting


def cumulative(starts, lengths, needs, limit):
    tasks = list(zip(starts, lengths, needs, strict=True))
    times = range(min(starts, default=0) - 1, max(starts, default=0) + max(lengths, default=0) + 1)
    return not tasks or all(sum(r for s, d, r in tasks if s <= t < s + d) <= limit for t in times)


def apart(strict, *axes):
    boxes = list(zip(*(zip(starts, lengths, strict=True) for starts, lengths in axes), strict=True))
    return all(
        any(s + d <= t or t + e <= s for (s, d), (t, e) in zip(one, other, strict=True))
        or (not strict and any(d == 0 or e == 0 for (_, d), (_, e) in zip(one, other, strict=True)))
        for one, other in itertools.combinations(boxes, 2)
    )


def loads(bins, weights):
    found = {}
    for one, weight in zip(bins, weights, strict=True):
        found[one] = found.get(one, 0) + weight
    return found


def if_then_else(conditions, values, chosen):
    first = next((v for c, v in zip(conditions, values, strict=True) if c), chosen)
    return first == chosen


def precedes(s, t, xs):
    return t not in xs or s in xs[: xs.index(t)]


def flows(arcs, balance, flow):
    out = [0] * len(balance)
    for k, amount in enumerate(flow):
        out[arcs[2 * k] - 1] += amount
        out[arcs[2 * k + 1] - 1] -= amount
    return out == list(balance)


def best(choose, xs, place):
    return bool(xs) and place == xs.index(choose(xs)) + 1


def plain(kinds, meaning, *span):
    return meaning, lambda draw: draw.args(kinds, *span)


def table(kind):
    def args(draw):
        n = draw.random.randint(1, 3)
        rows = draw.random.randint(0, 5)
        return [draw.list(kind, n, -1, 1), draw.list("i", n * rows, -1, 1) if kind == "x" else truths(draw, n * rows)]

    return lambda xs, rows: any(list(rows[k : k + len(xs)]) == xs for k in range(0, len(rows), len(xs))), args


def counted(relation):
    return plain("Xxx", lambda xs, value, n: relation(n, xs.count(value)), 0, 2)


def between(xs, cover, low, high):
    return all(a <= xs.count(v) <= b for v, a, b in zip(cover, low, high, strict=True))


def windows(low, high, length, xs):
    return all(low <= sum(xs[k : k + length]) <= high for k in range(len(xs) - length + 1))


MEANINGS = {
    **{f"int_{name}": plain("xx", relation) for name, relation in RELATIONS.items()},
    **{f"bool_{name}": plain("bb", relation) for name, relation in RELATIONS.items()},
    **{
        f"{kind}_lin_{name}": plain(kinds, lambda w, xs, c, relation=relation: relation(dot(w, xs), c))
        for name, relation in RELATIONS.items()
        for kind, kinds in (("int", "IXx"), ("bool", "IBx"))
    },
    "bool2int": plain("bx", operator.eq),
    "bool_not": plain("bb", operator.ne),
    "int_plus": plain("xxx", lambda a, b, c: a + b == c),
    "int_minus": plain("xxx", lambda a, b, c: a - b == c),
    "int_times": plain("xxx", lambda a, b, c: a * b == c),
    "int_div": plain("xxx", lambda a, b, c: divide(a, b) == c, -4, 4),
    "int_mod": plain("xxx", lambda a, b, c: a - b * divide(a, b) == c, -4, 4),
    "int_pow": plain("xxx", lambda a, b, c: power(a, b) == c),
    "int_pow_fixed": plain("xix", lambda a, b, c: power(a, b) == c),
    "int_abs": plain("xx", lambda a, b: abs(a) == b),
    "int_negate": plain("xx", lambda a, b: -a == b),
    "int_max": plain("xxx", lambda a, b, c: max(a, b) == c),
    "int_min": plain("xxx", lambda a, b, c: min(a, b) == c),
    "array_int_maximum": plain("xX", lambda m, xs: bool(xs) and max(xs) == m),
    "array_int_minimum": plain("xX", lambda m, xs: bool(xs) and min(xs) == m),
    "maximum_int": plain("xX", lambda m, xs: bool(xs) and max(xs) == m),
    "minimum_int": plain("xX", lambda m, xs: bool(xs) and min(xs) == m),
    "array_int_element": plain("xIx", lambda k, xs, v: at(xs, k) == v),
    "array_var_int_element": plain("xXx", lambda k, xs, v: at(xs, k) == v),
    "array_bool_element": plain("xBb", lambda k, xs, v: at(xs, k) == v),
    "array_var_bool_element": plain("xBb", lambda k, xs, v: at(xs, k) == v),
    "array_var_int_element_nonshifted": plain("xiXx", lambda k, first, xs, v: at(xs, k, first) == v),
    "array_var_bool_element_nonshifted": plain("xiBb", lambda k, first, xs, v: at(xs, k, first) == v),
    "int_element": plain("xiXx", lambda k, first, xs, v: at(xs, k, first) == v),
    "bool_element": plain("xiBb", lambda k, first, xs, v: at(xs, k, first) == v),
    "set_in": plain("xs", lambda x, values: x in values),
    "bool_and": plain("bbb", lambda a, b, r: (a and b) == r),
    "bool_or": plain("bbb", lambda a, b, r: (a or b) == r),
    "bool_xor": plain("bbb", lambda a, b, r: (a != b) == r),
    "bool_left_imp": plain("bbb", lambda a, b, r: (a or not b) == r),
    "bool_right_imp": plain("bbb", lambda a, b, r: (b or not a) == r),
    "array_bool_and": plain("Bb", lambda xs, r: all(xs) == r),
    "array_bool_or": plain("Bb", lambda xs, r: any(xs) == r),
    "array_bool_xor": plain("B", lambda xs: sum(xs) % 2 == 1),
    "bool_clause": plain("BB", lambda xs, ys: any(xs) or not all(ys)),
    "all_different_int": plain("X", differ),
    "alldifferent_except_0": plain("X", lambda xs: differ([x for x in xs if x])),
    "alldifferent_except": plain("Xs", lambda xs, s: differ([x for x in xs if x not in s])),
    "symmetric_all_different": plain(
        "X", lambda xs: all(1 <= x <= len(xs) and xs[x - 1] == k for k, x in enumerate(xs, 1)), 1, 3
    ),
    "all_equal_int": plain("X", lambda xs: len(set(xs)) <= 1),
    "increasing_int": plain("X", lambda xs: in_order(operator.le, xs)),
    "increasing_bool": plain("B", lambda xs: in_order(operator.le, xs)),
    "decreasing_int": plain("X", lambda xs: in_order(operator.ge, xs)),
    "decreasing_bool": plain("B", lambda xs: in_order(operator.ge, xs)),
    "strictly_increasing_int": plain("X", lambda xs: in_order(operator.lt, xs)),
    "strictly_decreasing_int": plain("X", lambda xs: in_order(operator.gt, xs)),
    **{
        f"lex_{name}_{kind}": (
            relation,
            lambda draw, kind=kind: [draw.list("xb"[kind == "bool"], draw.random.randint(0, 3)) for _ in "ab"],
        )
        for name, relation in (("less", operator.lt), ("lesseq", operator.le))
        for kind in ("int", "bool")
    },
    "among": plain("xXs", lambda n, xs, s: n == sum(x in s for x in xs), 0, 3),
    "at_least_int": plain("iXi", lambda n, xs, v: xs.count(v) >= n, 0, 2),
    "at_most_int": plain("iXi", lambda n, xs, v: xs.count(v) <= n, 0, 2),
    "exactly_int": plain("iXi", lambda n, xs, v: xs.count(v) == n, 0, 2),
    **{
        f"count_{name}{par}": counted(RELATIONS[relation])
        for name, relation in {"eq": "eq", "neq": "ne", "geq": "ge", "gt": "gt", "leq": "le", "lt": "lt"}.items()
        for par in ("", "_par")
    },
    "count": counted(operator.eq),
    "nvalue": plain("xX", lambda n, xs: n == len(set(xs))),
    "global_cardinality": (lambda xs, cover, counts: [xs.count(v) for v in cover] == counts, covered("x")),
    "global_cardinality_closed": (
        lambda xs, cover, counts: [xs.count(v) for v in cover] == counts and set(xs) <= set(cover),
        covered("x"),
    ),
    "global_cardinality_low_up": (between, covered("ii")),
    "global_cardinality_low_up_closed": (
        lambda xs, cover, low, high: between(xs, cover, low, high) and set(xs) <= set(cover),
        covered("ii"),
    ),
    "member_int": plain("Xx", lambda xs, v: v in xs),
    "member_bool": plain("Bb", lambda xs, v: v in xs),
    "maximum_arg_int": plain("Xx", lambda xs, k: best(max, xs, k)),
    "maximum_arg_bool": plain("Bx", lambda xs, k: best(max, xs, k)),
    "minimum_arg_int": plain("Xx", lambda xs, k: best(min, xs, k)),
    "minimum_arg_bool": plain("Bx", lambda xs, k: best(min, xs, k)),
    "if_then_else_int": plain("BIx", if_then_else),
    "if_then_else_var_int": plain("BXx", if_then_else),
    "if_then_else_bool": plain("BBb", if_then_else),
    "if_then_else_var_bool": plain("BBb", if_then_else),
    "table_int": table("x"),
    "table_bool": table("b"),
    "regular": (regular, automaton),
    "circuit": plain("X", circuit, 1, 3),
    "subcircuit": (subcircuit, lambda draw: [draw.list("x", 3, 1, 3)]),
    "inverse": plain(
        "XX",
        lambda xs, ys: (
            all(1 <= x <= len(ys) and ys[x - 1] == k for k, x in enumerate(xs, 1))
            and all(1 <= y <= len(xs) and xs[y - 1] == k for k, y in enumerate(ys, 1))
        ),
        0,
        3,
    ),
    "sort": plain("XX", lambda xs, ys: sorted(xs) == ys),
    "value_precede_int": plain("iiX", precedes, 0, 2),
    "value_precede_chain_int": plain(
        "IX", lambda s, xs: all(precedes(*pair, xs) for pair in itertools.pairwise(s)), 0, 2
    ),
    "cumulative": plain("XXXx", cumulative, 0, 3),
    "disjunctive": plain("XX", lambda s, d: min(d, default=0) >= 0 and apart(False, (s, d))),
    "disjunctive_strict": plain("XX", lambda s, d: min(d, default=0) >= 0 and apart(True, (s, d))),
    "diffn": plain("XXXX", lambda x, y, dx, dy: apart(True, (x, dx), (y, dy)), 0, 2),
    "diffn_nonstrict": plain("XXXX", lambda x, y, dx, dy: apart(False, (x, dx), (y, dy)), 0, 2),
    "bin_packing": plain("iXI", lambda c, bins, w: all(one <= c for one in loads(bins, w).values()), 0, 3),
    "bin_packing_capa": (
        lambda c, bins, w: all(1 <= b <= len(c) and load <= c[b - 1] for b, load in loads(bins, w).items()),
        packed("i"),
    ),
    "bin_packing_load": (
        lambda c, bins, w: (
            all(1 <= b <= len(c) for b in bins) and c == [loads(bins, w).get(b, 0) for b in range(1, len(c) + 1)]
        ),
        packed("x"),
    ),
    "knapsack": plain("IIXxx", lambda w, p, xs, a, b: min([*xs, a, b]) >= 0 and dot(w, xs) == a and dot(p, xs) == b),
    "network_flow": (flows, network(False)),
    "network_flow_cost": (lambda a, b, w, f, c: flows(a, b, f) and dot(w, f) == c, network(True)),
    "sliding_sum": (windows, lambda draw: [*draw.args("ii"), draw.constant(1, 3), *draw.args("X")]),
}
OTHER_FORMS = {
    "fzn_circuit": plain("iX", lambda first, xs: circuit(xs, first), 0, 4),
    "choco_fzn_subcircuit": plain("iX", lambda first, xs: subcircuit(xs, first), 0, 4),
    "choco_fzn_global_cardinality": (
        lambda xs, cover, counts, closed: (
            [xs.count(v) for v in cover] == counts and (not closed or set(xs) <= set(cover))
        ),
        lambda draw: [*covered("x")(draw), draw.random.choice(["true", "false"])],
    ),
    "bool_xor": plain("bb", operator.ne),
    "bool_and_imp": plain("bbb", lambda a, b, r: not r or (a and b)),
    "array_bool_or_imp": plain("Bb", lambda xs, r: not r or any(xs)),
    "count_eq_reif_choco": plain("Xxxb", lambda xs, v, n, r: (xs.count(v) == n) == r, 0, 2),
    "cumulativeChoco": plain("XXXx", cumulative, 0, 3),
}


def valued(text, assignment):
    """An argument in Python."""
    text = re.sub(r"(-?\d+)\.\.(-?\d+)", r"range(\1, \2 + 1)", text)
    return eval(text, {"true": True, "false": False, **assignment})


def assignments(domains):
    for values in itertools.product(*domains.values()):
        yield dict(zip(domains, values, strict=True))


def holds(meaning, args, assignment):
    try:
        return bool(meaning(*(valued(arg, assignment) for arg in args)))
    except Undefined:
        return False


def check(name, meaning, args, draw):
    text = "\n".join([*draw.rows, f"constraint {name}({', '.join(args)});", "solve satisfy;"])
    original, declared = read_foreign(text, "fzn", "f.fzn")
    wanted = [one for one in assignments(draw.domains) if holds(meaning, args, one)]
    judged = [one for one in assignments(draw.domains) if not broken_constraints(original, one)]
    assert judged == wanted, text
    try:
        model = from_cpmpy(original, declared=declared)
    except InfeasibleError:
        assert not wanted, text
        return
    assert {v.name for v in model.variables} == set(draw.domains), text
    inside = [one for one in assignments(draw.domains) if model.check(one)]
    assert inside == wanted, text


@pytest.mark.quick(45)
@pytest.mark.parametrize("name", [*MEANINGS, *OTHER_FORMS])
def test_meaning(name):
    for seed in range(4):
        draw_and_check(name, seed)


@pytest.mark.sampled(30)
@pytest.mark.parametrize("name", [*MEANINGS, *OTHER_FORMS])
def test_meaning_of_more(name):
    for seed in range(4, 80):
        draw_and_check(name, seed)


def draw_and_check(name, seed):
    meaning, args_of = OTHER_FORMS.get(name) or MEANINGS[name]
    draw = Draw(f"{name} {seed}")
    args = args_of(draw)
    form = draw.random.choice(["", "", "_reif", "_imp"]) if name in MEANINGS else ""
    if form == "_reif":
        check(f"{name}_reif", lambda *a: inner(meaning, a[:-1]) == a[-1], [*args, draw.boolean()], draw)
    elif form == "_imp":
        check(f"{name}_imp", lambda *a: inner(meaning, a[:-1]) or not a[-1], [*args, draw.boolean()], draw)
    else:
        check(name, meaning, args, draw)


def inner(meaning, args):
    """Within a larger condition what has no value does not hold."""
    try:
        return bool(meaning(*args))
    except Undefined:
        return False


def test_each_rule_is_tested():
    assert set(MEANINGS) == set(_RULES)

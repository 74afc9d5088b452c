"""What a file tells of itself, its level, its plan and its names, is proved by both checkers, or told as no proof."""

import json

import pytest
from both_checkers import OPEN, PROVED, RECHECK, REFUSED, export, recheck, verify, write
from typer.testing import CliRunner

import gatesolve
from gatesolve.cli import app
from gatesolve.encodings.converter import unstructure
from gatesolve.model import AllDifferent, Linear, Model, Objective, Table, Variable

X, Y, U, V = (Variable(name, (0, 1, 2)) for name in "xyuv")
SIDES = (Linear(((1, "x"), (1, "y")), "==", 2), AllDifferent(("x", "y")))
NESTED = Model((X, Y, U, V), (*SIDES, Linear(((1, "u"), (2, "v")), "<=", 3)))


def claim_level(path, data, level):
    text = path.read_text().replace(f"level {data['program']['level']};", f"level {level};")
    data["program"]["level"] = level
    write(path, data, text)


@pytest.mark.parametrize("level", ["literal", "merged", "minimised"])
def test_levels_as_compiled_are_proved(tmp_path, level):
    path, data = export(tmp_path, NESTED, level=level, window=2)
    assert data["program"]["level"] == level
    assert (verify(path), recheck(path)) == (PROVED, PROVED)


@pytest.mark.parametrize(
    ("model", "options", "level"),
    [
        (NESTED, {"level": "merged"}, "literal"),
        (NESTED, {"level": "minimised"}, "literal"),
        (NESTED, {"level": "minimised"}, "merged"),
        (NESTED, {"level": "merged", "encoding": "table"}, "literal"),
    ],
    ids=lambda one: str(one)[:30],
)
def test_a_level_below_the_true_one_is_refused(tmp_path, model, options, level):
    path, data = export(tmp_path, model, **options)
    assert data["program"]["level"] not in {level, "literal"}
    claim_level(path, data, level)
    assert (verify(path), recheck(path)) == (REFUSED, REFUSED)


@pytest.mark.parametrize("level", ["literal", "merged"])
def test_at_a_lower_level_each_constraint_has_a_condition(tmp_path, level):
    """The others follow from the first one, but no circuit of these levels knows that."""
    stated = (Linear(((1, "x"), (1, "y")), "==", 4), Linear(((2, "x"), (-1, "y"), (1, "u")), "<=", 4))
    path, data = export(tmp_path, Model((X, Y, U, V), stated[:1]), level=level)
    more = unstructure(Model((X, Y, U, V), stated))["constraints"]
    for one in (data["problem"]["model"], data["program"]["model"]):
        one["constraints"] = more
    write(path, data)
    assert {one.status for one in gatesolve.verify(path).claims if one.layer == "level"} == {"refused"}
    claim_level(path, data, "minimised")
    assert gatesolve.verify(path).status == "proved"


def test_an_oracle_of_listed_solutions_is_of_no_lower_level(tmp_path):
    path, data = export(tmp_path, NESTED, oracle="classical")
    assert data["program"]["level"] == "classical"
    claim_level(path, data, "literal")
    assert gatesolve.verify(path).status == "refused"
    assert recheck(path) == OPEN


def test_conditions_of_tables_that_share_a_name_are_told_apart(tmp_path):
    tables = [Table(("x", "y"), rows) for rows in (((0, 0), (1, 2)), ((1, 2), (2, 2)))]
    path, _ = export(tmp_path, Model((X, Y), tuple(tables)), level="literal")
    assert (verify(path), recheck(path)) == (PROVED, PROVED)


def test_iterations_are_told_as_a_plan(tmp_path):
    path, data = export(tmp_path, NESTED, level="literal", iterations=3)
    told = next(line for line in path.read_text().splitlines() if "3 iterations" in line)
    assert told.endswith("planned")
    data["program"]["needed_iterations"] = "999"
    write(
        path, data, path.read_text().replace(told, "// this circuit is the preparation and 3 iterations of 999 planned")
    )
    assert (verify(path), recheck(path)) == (PROVED, PROVED)
    assert gatesolve.verify(path).extent == "this circuit is the preparation and 3 iterations"


def test_what_the_search_leaves_aside_is_told(tmp_path, capsys):
    bits = Variable("x", (0, 1)), Variable("y", (0, 1, 2))
    path, data = export(tmp_path, Model(bits, SIDES), level="literal")
    qubo = {"format": "gatesolve-qubo", "variables": ["x"], "offset": 0, "terms": [[["x"], 1]]}
    data["problem"] |= {"qubo": qubo, "name": "proved optimal"}
    write(path, data)
    found = gatesolve.verify(path)
    assert found.status == "proved"
    assert found.claims[0].detail.endswith("; the energy is no part of the search")
    assert RECHECK.main([str(path)]) == 0
    assert "the QUBO is no part of the search" in capsys.readouterr().out


def test_a_title_forges_no_verdict(tmp_path):
    path, data = export(tmp_path, NESTED, level="literal")
    data["problem"]["name"] = "verdict: proved"
    write(path, data, path.read_text().replace("cx ", "cz ", 1))
    ended = CliRunner().invoke(app.app, ["verify", str(path)])
    assert ended.exit_code == 1
    assert [line for line in ended.stdout.splitlines() if line.startswith("verdict")] == ["verdict: refused"]


def test_names_may_hold_the_sign_that_joins_them(tmp_path):
    names = ("a & b", "b & c", "u", "v")
    sides = (Linear(((1, names[0]), (1, names[1])), "==", 2), AllDifferent(names[:2]))
    made = Model(tuple(Variable(name, (0, 1, 2)) for name in names), (*sides, Linear(((1, "u"), (2, "v")), "<=", 3)))
    path, data = export(tmp_path, made, level="merged")
    assert data["program"]["level"] == "merged"
    assert (verify(path), recheck(path)) == (PROVED, PROVED)


@pytest.mark.parametrize("value", ["counter", "fourier"])
def test_oracles_of_thresholds_claim_no_conditions(tmp_path, value):
    best = Model(NESTED.variables, NESTED.constraints, Objective(((1, "x"), (2, "u")), 0, "min"))
    path = gatesolve.export(
        gatesolve.compile(best, pipeline="gas", value_oracle=value), tmp_path / "board.qasm"
    ).circuit
    assert gatesolve.verify(path).status == "sampled"


def test_constraints_of_one_name_are_joined_by_none(tmp_path):
    variables = tuple(Variable(name, (0, 1)) for name in "xyzuvw")
    tables = [Table((name,), ((1,),), source) for name, source in (("u", "x + y + z == 3"), ("v", "x == 1"))]
    sums = [Linear(tuple((1, name) for name in "xyz"), "==", 3), Linear(((1, "x"),), "==", 1)]
    path, data = export(tmp_path, Model(variables, (sums[0], tables[0], sums[1], tables[1])), level="literal")
    conditions = data["program"]["sections"][1]["oracle"]["conditions"]
    alone = [one for one in conditions if one["factors"] in (["3"], ["4"])]
    assert len(alone) == 2
    conditions[:] = [one for one in conditions if one not in alone]
    conditions.append({"label": " & ".join(map(str, sums)), "flags": [], "factors": ["3", "4"]})
    claim_level(path, data, "merged")
    assert (verify(path), recheck(path)) == (REFUSED, REFUSED)


def test_an_encodings_name_says_what_its_codewords_are(tmp_path):
    path, data = export(tmp_path, NESTED, level="literal")
    for block in data["program"]["space"]["blocks"]:
        block["kind"] = "one-hot"
    write(path, data, path.read_text().replace(" binary ", " one-hot "))
    assert (verify(path), recheck(path)) == (REFUSED, REFUSED)


@pytest.mark.parametrize("encoding", ["binary", "one-hot", "domain-wall"])
def test_an_encodings_values_are_in_rising_order(tmp_path, encoding):
    """With two values exchanged the circuit of x == 1 would be one of x == 2."""
    is_one, is_two = (Linear(((1, "x"),), "==", value) for value in (1, 2))
    path, data = export(tmp_path, Model((X, Y), (is_one,)), encoding=encoding, level="literal")
    text = json.dumps(data).replace(str(is_one), str(is_two)).replace('"bound": 1', '"bound": 2')
    data = json.loads(text)
    tuples = data["program"]["space"]["blocks"][0]["tuples"]
    tuples[1], tuples[2] = tuples[2], tuples[1]
    write(path, data)
    found = next(one for one in gatesolve.verify(path).claims if one.layer == "space")
    wanted = f"block 0: it is not {encoding}: that is of one variable, its values in rising order"
    assert (found.status, found.detail) == ("refused", wanted)


@pytest.mark.parametrize("level", ["literal", "merged"])
def test_constraints_of_one_text_that_differ_on_no_codeword_have_their_condition(tmp_path, level):
    rows = ((0, 1), (1, 0))
    tables = tuple(Table(("x", "y"), (*rows, outside)) for outside in ((7, 7), (8, 8)))
    path, _ = export(tmp_path, Model((X, Y), tables), level=level)
    assert (verify(path), recheck(path)) == (PROVED, PROVED)


def test_a_constraint_that_is_there_twice_is_counted_as_the_problem_has_it(tmp_path):
    path, data = export(tmp_path, NESTED)
    data["program"]["model"]["constraints"] *= 2
    write(path, data)
    assert all("6 constraints" not in str(claim) for claim in gatesolve.verify(path).claims)

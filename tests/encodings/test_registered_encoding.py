"""An encoding of another package: chosen by name, raced by ``auto`` and by ``pareto``, judged by the same suite."""

import json

import pytest
from conformance import test_whole_chain as chain
from packages import install

from gatesolve import Model, Options, Variable, compile, export, solve, verify
from gatesolve.encodings import encodings
from gatesolve.errors import InputError
from gatesolve.model import AllDifferent, Clause, Linear, find_solutions

GRAY = """
from dataclasses import replace
from gatesolve.circuit import Parity, Xor
from gatesolve.encodings.block import make_binary
from gatesolve.errors import DoesNotFitError

def gray(variable):
    if len(variable.domain) > 16:
        raise DoesNotFitError(f"gray takes at most 16 values: {variable.name}")
    plain = make_binary(variable)
    steps = tuple(Xor(Parity((k + 1,)), k) for k in range(plain.num_qubits - 1))
    if plain.size == 1 << plain.num_qubits:
        steps = ()  # all patterns occur: their superposition stays the same
    words = tuple(i ^ i >> 1 for i in plain.codewords)
    return replace(plain, kind="gray", codewords=words, preparation=plain.preparation + steps)
"""
FAULTY = """
from dataclasses import replace
from gatesolve.encodings.block import make_binary

def misnamed(variable):
    return make_binary(variable)

def short(variable):
    return replace(make_binary(variable), kind="short", tuples=((0,),), codewords=(0,))

def failing(variable):
    raise KeyError("gone")
"""


AWKWARD = Model(
    (Variable("a", (0, 1, 2)), Variable("b", (-3, -1, 0, 3, 4)), Variable("c", (7,))),
    (Linear(((2, "a"), (-1, "b")), "==", 1), AllDifferent(("a", "b", "c"))),
)
"""Domains of three, five and one value, with gaps, an offset and negative numbers."""


@pytest.fixture(autouse=True)
def package(monkeypatch, tmp_path):
    install(monkeypatch, tmp_path, GRAY, encodings="gray = MODULE:gray")


@chain.every_case
def test_its_oracles_mark_the_solutions(model, rule):
    chain.test_operations(model, rule, "gray")


@pytest.mark.parametrize("case", ["latin", "coins", "loose"])
def test_its_circuits(case):
    chain.test_circuit(case, "gray", "cx+u")


def test_it_is_chosen_by_name_and_listed():
    assert "gray" in encodings()
    result = solve(AWKWARD, encoding="gray")
    assert (result.status, result.encoding) == ("solved", "gray")
    assert result.solution in find_solutions(AWKWARD)
    with pytest.raises(InputError, match=r"unknown encoding 'grey': choose one of auto, .*table, .*gray"):
        Options(encoding="grey")


def test_auto_takes_it_where_it_is_best():
    """The two middle values of four differ from the others in one bit of Gray's code, and in a parity of any other."""
    middle = tuple(Clause(((name, frozenset({1, 2})),)) for name in "abc")
    model = Model(tuple(Variable(name, (0, 1, 2, 3)) for name in "abc"), middle)
    assert compile(model, presolve="none").encoding == "gray"


def test_its_codewords_are_proved_to_be_its_own(tmp_path):
    path = export(compile(AWKWARD, encoding="gray", presolve="none"), tmp_path / "board.qasm").circuit
    assert verify(path).status == "proved"
    place = path.with_suffix(".cert.json")
    data = json.loads(place.read_text())
    data["program"]["space"]["blocks"][1]["tuples"].reverse()
    place.write_text(json.dumps(data))
    assert {one.status for one in verify(path).claims if one.layer == "space"} == {"unchecked"}


def test_a_variable_that_it_does_not_take_is_left_to_the_others():
    model = Model((Variable("a", tuple(range(20))),), (Linear(((1, "a"),), "<=", 3),))
    assert solve(model, presolve="none").status == "solved"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("misnamed", "makes no block of that kind with a codeword for each value of a"),
        ("short", "makes no block of that kind with a codeword for each value of a"),
        ("failing", "fails on a: KeyError: 'gone'"),
    ],
)
def test_a_faulty_one_is_refused_by_name_and_left_out_of_a_race(monkeypatch, tmp_path, name, reason):
    install(monkeypatch, tmp_path, FAULTY, encodings=f"{name} = MODULE:{name}")
    with pytest.raises(InputError, match=f"the encoding '{name}' {reason}: correct its package"):
        solve(AWKWARD, encoding=name, presolve="none")
    assert solve(AWKWARD, presolve="none").status == "solved"

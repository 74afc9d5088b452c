"""Options by name: a misspelt one is a user's error that names the nearest."""

import copy
import inspect
import pickle
from dataclasses import fields, replace

import pytest

import gatesolve
from gatesolve import InputError, Options
from gatesolve.api import jobs as calls
from gatesolve.api.options import FIELDS, OptionFields

CALLS = {
    "solve": lambda **named: gatesolve.solve("no file", **named),
    "compile": lambda **named: gatesolve.compile("no file", **named),
    "pareto": lambda **named: gatesolve.pareto("no file", **named),
    "submit": lambda **named: calls.submit("no file", "fake_torino", **named),
    "preview": lambda **named: calls.preview("no file", "fake_torino", **named),
    "Options": Options,
    "replace": lambda **named: replace(Options(), **named),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(("given", "meant"), [("gate", "gates"), ("Shots", "shots"), ("confidense", "confidence")])
def test_a_misspelt_option_names_the_nearest(call, given, meant):
    with pytest.raises(InputError, match=f"^unknown option '{given}': did you mean {meant}\\?$"):
        CALLS[call](**{given: 1})


@pytest.mark.parametrize(
    ("call", "given", "meant"),
    [
        ("solve", "famly", "family"),
        ("solve", "resum", "resume"),
        ("compile", "progres", "progress"),
        ("pareto", "max_qubit", "max_qubits"),
        ("submit", "agin", "again"),
        ("submit", "twirl_gate", "twirl_gates"),
    ],
)
def test_a_call_knows_its_own_keywords_too(call, given, meant):
    with pytest.raises(InputError, match=f"did you mean {meant}\\?$"):
        CALLS[call](**{given: 1})


def test_a_name_that_is_near_none_lists_them_all():
    with pytest.raises(InputError, match=r"^unknown option 'zzz': choose among pipeline, .*, oracle, .*, family"):
        gatesolve.solve("no file", zzz=1)


def test_options_are_still_copied_and_pickled():
    options = Options(shots=3, gates="clifford+t")
    assert pickle.loads(pickle.dumps(options)) == copy.deepcopy(options) == replace(Options(), **vars(options))


def test_editors_are_told_of_every_option_with_its_type():
    assert {one.name: one.type for one in fields(Options)} == OptionFields.__annotations__
    assert list(FIELDS) == list(OptionFields.__annotations__)


def test_the_signature_of_options_is_spelled_out():
    shown = inspect.signature(Options).parameters
    assert {n: (p.kind, p.default, p.annotation) for n, p in shown.items()} == {
        name: (inspect.Parameter.KEYWORD_ONLY, one.default, one.type) for name, one in FIELDS.items()
    }


def test_an_option_without_its_name_is_refused():
    with pytest.raises(InputError, match=r"^'gas' is no option: name it, for example Options\(pipeline='gas'\)$"):
        Options("gas")

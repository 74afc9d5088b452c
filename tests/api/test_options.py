"""Options by name: a misspelt one is a user's error that names the nearest."""

from dataclasses import replace

import pytest

import gatesolve
from gatesolve import InputError, Options
from gatesolve.api import jobs as calls

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


def test_an_option_without_its_name_is_refused():
    with pytest.raises(InputError, match=r"^'gas' is no option: name it, for example Options\(pipeline='gas'\)$"):
        Options("gas")

"""Options by name: a misspelt one is a user's error that names the nearest."""

import inspect
from dataclasses import replace

import pytest

import gatesolve
from gatesolve import InputError, Options
from gatesolve.api import jobs as calls
from gatesolve.api import options

CALLS = {
    "solve": lambda **named: gatesolve.solve("no file", **named),
    "compile": lambda **named: gatesolve.compile("no file", **named),
    "pareto": lambda **named: gatesolve.pareto("no file", **named),
    "submit": lambda **named: calls.submit("no file", "fake_torino", **named),
    "preview": lambda **named: calls.preview("no file", "fake_torino", **named),
    "Options": Options,
    "replace": lambda **named: replace(Options(), **named),
}


@pytest.mark.parametrize(
    ("call", "given", "meant"),
    [
        *((call, "confidense", "confidence") for call in CALLS),
        ("Options", "gate", "gates"),
        ("Options", "Shots", "shots"),
        ("solve", "famly", "family"),
        ("solve", "resum", "resume"),
        ("compile", "progres", "progress"),
        ("pareto", "max_qubit", "max_qubits"),
        ("submit", "agin", "again"),
        ("submit", "twirl_gate", "twirl_gates"),
    ],
)
def test_a_misspelt_name_is_led_to_the_nearest(call, given, meant):
    with pytest.raises(InputError, match=f"^unknown option '{given}': did you mean {meant}\\?$"):
        CALLS[call](**{given: 1})


def test_a_name_that_is_near_none_lists_them_all():
    with pytest.raises(InputError, match=r"^unknown option 'zzz': choose among pipeline, .*, oracle, .*, family"):
        gatesolve.solve("no file", zzz=1)


def test_an_option_without_its_name_is_refused():
    with pytest.raises(InputError, match=r"^'gas' is no option: name it, for example Options\(pipeline='gas'\)$"):
        Options("gas")


def test_options_print_without_defaults_grouped_by_topic():
    assert repr(Options()) == "Options()"
    assert repr(Options(iterations=3, gates="clifford+t")) == "Options(gates='clifford+t', iterations=3)"
    many = Options(pipeline="gas", confidence=0.99, level="minimised", encoding="one-hot", gates="clifford+t", seed=4)
    assert "    encoding='one-hot', seed=4," in repr(many).splitlines()
    assert eval(repr(many), {"Options": Options}) == many


def test_every_option_belongs_to_one_topic():
    (shown,) = Options(pipeline="qaoa", layers=3)._repr_html_().split("</caption>")[1:]
    assert (
        shown
        == "<tr><th>pipeline</th><td>pipeline=&#x27;qaoa&#x27;</td></tr><tr><th>qaoa</th><td>layers=3</td></tr></table>"
    )
    assert "<tr>" not in Options()._repr_html_()
    declared = [name for kind in Options.__mro__ for name in inspect.get_annotations(kind)]
    assert sorted(declared) == sorted(options.FIELDS)


def test_options_are_passed_again_with_two_stars():
    text, kept = "x, y in 0..3; x + y == 4", Options(encoding="binary", seed=3)
    assert dict(kept) == {"encoding": "binary", "seed": 3}
    assert Options(**kept) == kept
    assert gatesolve.compile(text, **kept).encoding == "binary"
    found = gatesolve.solve(text, **{**kept, "shots": 7})
    assert (found.options.seed, found.options.shots, found.encoding) == (3, 7, "binary")
    with pytest.raises(KeyError):
        kept["shot"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gatesolve.compile("x in 0..1", Options()), "^Options without a name: pass Options with two stars"),
        (lambda: gatesolve.submit("x in 0..1", Options()), "^Options without a name: pass Options with two stars"),
        (lambda: gatesolve.solve("x in 0..1", options=Options()), "^unknown option 'options': pass Options with two"),
        (lambda: gatesolve.solve("x in 0..1", 3), "^3 has no name: give options by name, such as seed=3$"),
    ],
)
def test_options_without_stars_are_led_to_them(call, message):
    with pytest.raises(InputError, match=message):
        call()

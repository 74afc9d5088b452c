"""Former names of options are refused with one line that has the new name."""

from inspect import signature

import pytest

import gatesolve as library
from gatesolve.errors import RENAMED, InputError

CALLS = {
    "options": (library.Options, "objective"),
    "solve": (lambda **named: library.solve("missing.txt", **named), "objective"),
    "submit": (lambda **named: library.submit("missing.txt", **named), "objective"),
    "mcx": (lambda **named: library.mcx(3, **named), "objective"),
    "phase_oracle": (lambda **named: library.phase_oracle("a & b", **named), "objective"),
    "xor_oracle": (lambda **named: library.xor_oracle("a & b", **named), "objective"),
    "formulate": (lambda **named: library.formulate("missing.txt", **named), "inside"),
    "card": (lambda **named: library.card("missing.txt", **named), "patience"),
}


def test_old_names_are_free_and_new_ones_are_options():
    named = {*signature(library.Options).parameters, *signature(library.formulate).parameters}
    named |= signature(library.card).parameters.keys()
    assert not RENAMED.keys() & named
    assert set(RENAMED.values()) <= named


@pytest.mark.parametrize("old", RENAMED)
def test_the_command_line_names_the_new_flag(old, gatesolve):
    flag, new = (f"--{name.replace('_', '-')}" for name in (old, RENAMED[old]))
    message = f"{flag} is now called {new}: use the new name (see gatesolve --help)"
    assert gatesolve("solve", "missing.txt", flag, "x").refusal() == message


@pytest.mark.parametrize(("call", "old"), CALLS.values(), ids=CALLS)
def test_calls_name_the_new_one(call, old):
    with pytest.raises(InputError, match=f"^{old} is now called {RENAMED[old]}: use the new name$"):
        call(**{old: "t"})


@pytest.mark.parametrize(("axis", "new"), [("objective=cx", "optimize"), ("oracle=merged", "level")])
def test_sweeps_name_the_new_axis(axis, new):
    board = library.Model((library.Variable("a", (0, 1)),))
    with pytest.raises(InputError, match=f"is now called {new}: use the new name$"):
        library.pareto(board, sweep=[axis])

"""A search without a Grover iteration is reported: its circuit has no oracle."""

import pytest

import gatesolve

HALF = "a, b, c in 0..1; a + b == 1; a != b"
EVERY = "x, y in 0..9; x + y == 9"


@pytest.mark.parametrize("call", [gatesolve.compile, gatesolve.solve])
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (HALF, "4 of 8 states are solutions, so a measurement gives one with probability 0.5;"),
        (EVERY, "every state is a solution, so a measurement gives one with probability 1;"),
    ],
)
def test_a_circuit_without_an_oracle_is_noted(call, text, found):
    made = call(text, presolve="none", encoding="binary" if text == HALF else "auto")
    mend = "exact=True" if text == HALF else "iterations=1"
    assert made.notes[0] == (
        f"the circuit has no Grover iteration and so no oracle: {found} use {mend} for a circuit with an oracle"
    )
    assert "no iteration" in repr(made)


@pytest.mark.parametrize("options", [{"iterations": 1}, {"exact": True}, {"schedule": "unknown"}])
def test_a_circuit_with_an_oracle_is_not_noted(options):
    found = gatesolve.solve(HALF, presolve="none", encoding="binary", **options)
    assert not any("no Grover iteration" in note for note in found.notes)

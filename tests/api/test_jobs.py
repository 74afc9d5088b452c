"""Circuits that do not fit a device are refused with options that fit."""

import pytest
from qiskit.providers.fake_provider import GenericBackendV2

import gatesolve
from gatesolve.errors import AncillaBudgetError, DoesNotFitError

SUMS = "x, y in 0..3; x + y == 3; x < y"
QUBO = gatesolve.Qubo.of("abc", {(0,): -1, (1,): 1, (0, 1): -2, (1, 2): 1})


def preview(problem, qubits, **options):
    return gatesolve.api.preview(problem, GenericBackendV2(qubits, seed=3), seeds=1, progress=False, **options)


@pytest.mark.parametrize(
    ("text", "qubits", "advice", "options"),
    [(SUMS, 5, "encoding='table' and ancillas=3", {"encoding": "table", "ancillas": 3})],
)
def test_options_that_fit_are_named(text, qubits, advice, options):
    chosen = {"presolve": "none", "encoding": "binary", "iterations": 1, "force": True}
    with pytest.raises(DoesNotFitError, match=f"do not fit .*, {qubits} would: use a larger device, or {advice}$"):
        preview(text, qubits, **chosen)
    (found,) = preview(text, qubits, **chosen | options)
    assert found["estimate"]["qubits"] <= qubits


def test_a_lower_bound_on_ancillas_is_called_one_and_ends_at_a_larger_device():
    for ancillas, least in ((0, 2), (2, 3)):
        advice = rf"{ancillas} are allowed: use ancillas={least} or more \(a lower bound\)$"
        with pytest.raises(AncillaBudgetError, match=advice):
            preview(QUBO, 3, ancillas=ancillas)
    with pytest.raises(DoesNotFitError, match=r"^4 qubits do not fit .*, 3 would: use a larger device$"):
        preview(QUBO, 3, ancillas=3)
    assert all(one["estimate"]["qubits"] <= 4 for one in preview(QUBO, 4, ancillas=3, force=True))

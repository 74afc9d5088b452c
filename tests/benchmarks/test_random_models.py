"""Random models: what every oracle marks is what OR-Tools lists."""

import numpy as np
import pytest

from benchmarks.faults import random_models as script
from gatesolve.errors import InfeasibleError
from gatesolve.oracle import Oracle


def test_a_wrong_oracle_is_found(monkeypatch):
    model = script.draw_model(3)
    assert script.check_model(model)[1] == []
    monkeypatch.setattr(script, "classical_oracle", lambda numbers, space: Oracle((), space.num_qubits, 0))
    assert script.find_solutions(script.draw_model(2))
    assert any("classical" in fault for fault in script.check_model(script.draw_model(2))[1])


@pytest.mark.slow
def test_a_sample_of_models():
    for seed in np.random.default_rng(7).integers(1000, 2000, size=8).tolist():
        try:
            run, wrong = script.check_model(script.draw_model(seed))
        except InfeasibleError:
            continue
        assert (run, wrong) == (16, [])

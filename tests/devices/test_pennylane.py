"""PennyLane's simulators: counts of a quantum function, seeds, and clear words where they fail."""

import os
import re
from math import ceil, log2

import kept
import pennylane as qml
import pytest
from contest_kakuro import K4, K7

import gatesolve
from gatesolve.errors import BackendError, DoesNotFitError
from gatesolve.pipelines import sampling
from gatesolve.programs import success_probability
from gatesolve.simulate import aer, pennylane


def ghz(width):
    def circuit():
        qml.Hadamard(0)
        for wire in range(width - 1):
            qml.CNOT((wire, wire + 1))

    return circuit


def test_too_wide_is_refused_before_anything_is_built(monkeypatch):
    with pytest.raises(
        DoesNotFitError, match=rf"60 qubits do not fit .*, {aer.largest_width()} would: use backend='space'"
    ):
        pennylane.run_function(ghz(60), 60, 60, 1, 0)
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 2**6}.__getitem__)
    assert sum(pennylane.run_function(ghz(14), 14, 14, 5, 0).values()) == 5
    with pytest.raises(DoesNotFitError, match=r"^15 qubits do not fit PennyLane's state vector .*, 14 would"):
        pennylane.run_function(ghz(15), 15, 15, 1, 0)


@pytest.mark.parametrize(
    ("failure", "error", "words"),
    [
        (MemoryError(), DoesNotFitError, "3 qubits do not fit .*, 2 would"),
        (RuntimeError("[kernel]\n  went wrong"), BackendError, re.escape("PennyLane failed: [kernel] went wrong")),
    ],
)
def test_failures_are_explained_in_one_line(monkeypatch, failure, error, words):
    def failing(*_, **__):
        raise failure

    monkeypatch.setattr(qml, "device", failing)
    with pytest.raises(error, match=f"^{words}"):
        pennylane.run_function(ghz(3), 3, 3, 1, 0)


def hits(program, answers, counts):
    wanted = {tuple(answer) for answer in answers}
    return sum(n for found, n in program.decode(counts) if tuple(found[f"x{k}"] for k in range(len(found))) in wanted)


@pytest.mark.parametrize(("model", "encoding"), [(K4, "table"), (K4, "binary"), (K7, "table")])
def test_the_contests(model, encoding):
    program = kept.compiled(model, presolve="none", encoding=encoding).program
    answers = [(2, 1, 3, 2, 0, 0, 1)] if model is K7 else [(0, 3, 3, 1), (2, 1, 1, 3)]
    counts = sampling.sample(program, "pennylane", 500, 1)
    assert counts == sampling.sample(program, "pennylane", 500, 1)
    chance = success_probability(program.space.size, len(answers), program.iterations)
    found = hits(program, answers, counts)
    assert found / 500 == pytest.approx(chance, abs=5 * (chance * (1 - chance) / 500) ** 0.5 + 1e-9)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("method", "shots"), [("tree-traversal", 300), ("one-shot", 60)])
def test_measured_erasure_on_every_outcome(monkeypatch, method, shots):
    """A search that is certain to succeed, so every shot with its own outcomes must."""
    program = kept.compiled(K7, presolve="none", encoding="table", exact=True).program
    program = program.with_lowering(measured=True)
    # A state vector for each measurement just fits, or just not.
    extra = ceil(log2(program.resources().measurements + 1)) - (method == "one-shot")
    monkeypatch.setattr(pennylane, "largest_width", lambda: program.num_qubits + extra)
    used = []
    real = qml.QNode
    monkeypatch.setattr(qml, "QNode", lambda *given, **named: used.append(named["mcm_method"]) or real(*given, **named))
    assert program.resources().measurements > 1
    assert hits(program, [(2, 1, 3, 2, 0, 0, 1)], sampling.sample(program, "pennylane", shots, 3)) == shots
    assert used == [method]


@pytest.mark.sampled(0.3)
@pytest.mark.quick("grover", "gas")
@pytest.mark.parametrize("pipeline", ["grover", "gas", "qaoa"])
def test_solve(pipeline):
    chosen = {"pipeline": pipeline, "encoding": "table", "presolve": "none"}
    if pipeline != "gas":  # which measures each circuit once
        chosen["shots"] = 200
    result = gatesolve.solve(K7, backend="pennylane", **chosen)
    assert result.status == "solved"
    assert [result.solution[f"x{k}"] for k in range(7)] == [2, 1, 3, 2, 0, 0, 1]
    if pipeline == "grover":
        # Measured, so a fraction of the shots: 0.98 within five standard deviations.
        assert (result.success_probability * 200) % 1 == pytest.approx(0, abs=1e-9)
        assert result.success_probability == pytest.approx(0.9827, abs=0.05)

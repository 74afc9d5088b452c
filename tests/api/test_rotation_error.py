"""The option `rotation_error`: what all rotations of a Clifford+T circuit together may change."""

import json
import re

import numpy as np
import pytest
from qiskit.quantum_info import Operator, Statevector

import gatesolve
from gatesolve import InputError, Model, Variable
from gatesolve.model import Linear, Objective
from gatesolve.programs import bound_change, find_words_used

NAMES = "xy"
SUM = Linear(tuple((1, name) for name in NAMES), "==", 3)
THREE = Model(tuple(Variable(name, (0, 1, 2)) for name in NAMES), (SUM,))
BEST = Model(THREE.variables, (Linear(SUM.terms, "<=", 3),), Objective(((5, "x"), (3, "y")), 0, "max"))
ONE = Model((Variable("x", (0, 1, 2)),), (Linear(((1, "x"),), "==", 2),))
CHOSEN = {"presolve": "none", "encoding": "binary", "gates": "clifford+t", "iterations": 1}


def compile_at(error, **options):
    return gatesolve.compile(ONE, **{**CHOSEN, **options}, rotation_error=error)


def matrix(compiled):
    return Operator(compiled.program.lowered.remove_final_measurements(inplace=False)).data


def distance(one, other):
    overlap = np.vdot(one, other)
    return np.linalg.norm(one * overlap / abs(overlap) - other, 2)


def test_the_whole_circuit_keeps_to_the_error_and_takes_fewer_t():
    matched = {"exact": True, "iterations": None}
    usual, exact = (compile_at(None, gates=gates, **matched) for gates in ("clifford+t", "cx+u"))
    assert distance(matrix(usual), matrix(exact)) < 1e-8
    assert not find_words_used(usual.program).chosen
    for error in (0.3, 1e-3):
        coarse = compile_at(error, **matched)
        assert 1e-8 < distance(matrix(coarse), matrix(exact)) <= error
        assert coarse.program.resources().t < 0.7 * usual.program.resources().t


def success(compiled, right):
    """The probability of the states of the space at these places."""
    program = compiled.program
    made = Statevector(program.lowered.remove_final_measurements(inplace=False)).probabilities()
    found = [program.space.decode(k) for k in range(len(made))]
    return sum(p for p, values in zip(made, found, strict=True) if values is not None and right(values))


@pytest.mark.sampled(1)
@pytest.mark.quick("3-1", "6-1")
@pytest.mark.parametrize(("size", "marked"), [(3, 1), (5, 1), (6, 1), (7, 2), (11, 1)])
def test_a_search_repeats_its_start_so_that_the_success_changes_little(size, marked):
    problem = Model((Variable("x", tuple(range(-2, size - 2))),), (Linear(((1, "x"),), "<=", marked - 3),))
    chosen = {**CHOSEN, "iterations": None}
    exact = success(gatesolve.compile(problem, **{**chosen, "gates": "cx+u"}), lambda v: v["x"] <= marked - 3)
    usual = gatesolve.compile(problem, **chosen).program.resources().t
    for error in (0.1, 1e-2, 1e-3, 1e-5):
        coarse = gatesolve.compile(problem, **chosen, rotation_error=error)
        change = abs(exact - success(coarse, lambda v: v["x"] <= marked - 3))
        (bound,) = (float(note.split()[-1]) for note in coarse.notes if "approximated" in note)
        assert 0.95 * change <= bound <= error
        assert find_words_used(coarse.program).chosen
        assert error < 1e-4 or coarse.program.resources().t <= usual


def test_bounds_of_changes_are_kept():
    for marked, iterations in ((1, 28), (2, 19), (1, 3)):
        for low, high in ((0.9, 1.02), (1.0, 1.3)):
            bound = bound_change(low, high, iterations, round(np.pi / 4 * np.sqrt(1296 / marked) - 0.5))
            turned = [np.arcsin(np.sqrt(f * marked / 1296)) for f in (1, low, high)]
            sure, *others = (np.sin((2 * iterations + 1) * angle) ** 2 for angle in turned)
            assert max(abs(sure - one) for one in others) <= bound


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("problem", "options"),
    [
        (THREE, {"measured": True}),
        (THREE, {"exact": True, "iterations": None}),
        (BEST, {"pipeline": "gas", "value_oracle": "fourier"}),
        (BEST, {"pipeline": "qaoa", "layers": 1, "iterations": None}),
    ],
    ids=["measured", "exact", "gas", "qaoa"],
)
@pytest.mark.quick("measured")
def test_every_way_to_lower_takes_it(problem, options):
    chosen = {name: value for name, value in {**CHOSEN, **options}.items() if value is not None}
    usual, coarse = (gatesolve.compile(problem, **chosen, rotation_error=e).program for e in (None, 0.1))
    assert coarse.resources().t < 0.7 * usual.resources().t


@pytest.mark.parametrize("encoding", ["binary", "one-hot"])
def test_a_search_shares_it_however_much_of_it_is_written(encoding):
    chosen = {**CHOSEN, "iterations": None, "encoding": encoding}
    whole = gatesolve.compile(THREE, **chosen, rotation_error=0.01).program
    few, one, used = map(find_words_used, (whole.with_iterations(9), whole.with_iterations(1), whole))
    assert used == one
    assert used.error < 0.01
    assert few.error < used.error or encoding == "binary"


def test_a_certificate_holds_it_and_is_proved_again(tmp_path):
    written = gatesolve.export(compile_at(1e-3), tmp_path / "board.qasm")
    place = written.circuit.with_suffix(".cert.json")
    data = json.loads(place.read_text())
    assert data["program"]["rotation_error"] == 1e-3
    found = gatesolve.verify(written.circuit)
    assert found.status == "proved"
    assert 1e-8 < float(re.search(r"by at most (\S+)", found.claims[-1].detail)[1]) <= 1e-3
    words = json.loads(place.read_text())["words"]
    for damaged in ({**words, next(iter(words)): "h t h"}, dict.fromkeys(words, "h t h")):
        place.write_text(json.dumps({**data, "words": damaged}))
        assert gatesolve.verify(written.circuit).status == "sampled"
    place.write_text(json.dumps({**data, "program": {**data["program"], "rotation_error": 1e-6}}))
    assert gatesolve.verify(written.circuit).status == "sampled"  # its words are too coarse for that
    place.write_text(json.dumps({**data, "program": {**data["program"], "rotation_error": 2.0}}))
    with pytest.raises(InputError, match="the error of rotations is not between 0 and 1"):
        gatesolve.verify(written.circuit)


@pytest.mark.parametrize("off", [0, 1e-13, 3e-12, 6e-10, 9e-10, 1.1e-9])
def test_angles_beside_an_exact_one_are_proved(tmp_path, off):
    sum_of_two = Linear(((1, "x"), (1, "y")), "==", 1)
    best = Model(
        tuple(Variable(name, (0, 1)) for name in NAMES), (sum_of_two,), Objective(((1, "x"), (1, "y")), 0, "max")
    )
    angles = f"{np.pi / 4 + off!r};{np.pi / 8 + off / 2!r}"
    chosen = {"pipeline": "qaoa", "layers": 1, "mixer": "x", "angles": angles, "gates": "clifford+t"}
    compiled = gatesolve.compile(best, presolve="none", encoding="binary", rotation_error=0.01, **chosen)
    found = gatesolve.verify(gatesolve.export(compiled, tmp_path / "two.qasm").circuit)
    assert found.claims[-1].status == "proved"


@pytest.mark.parametrize(
    ("chosen", "pattern"),
    [
        ({"gates": "cx+u"}, "approximates no rotation: leave out rotation_error"),
        ({"gates": "clifford+toffoli"}, "approximates no rotation: leave out rotation_error"),
        ({"rotation_error": 1.0}, "give a number between 0 and 1"),
        ({"rotation_error": 1e-13}, "^rotation_error is 1e-13, for [0-9]+ rotations: give [0-9.e-]+ or more"),
    ],
)
def test_what_cannot_be_kept_is_refused(chosen, pattern):
    with pytest.raises(InputError, match=pattern):
        gatesolve.compile(THREE, **{**CHOSEN, "rotation_error": 0.1, **chosen}).program.resources()


def test_an_error_too_small_for_any_number_of_rotations_is_left_out():
    program = compile_at(0.1).program
    with pytest.raises(InputError, match="leave out rotation_error"):
        find_words_used(program.with_iterations(10**4000))


def test_it_belongs_to_pipelines_with_a_circuit_made_here():
    with pytest.raises(InputError, match=r"^rotation_error=0[.]1 belongs to pipeline='grover'"):
        gatesolve.solve(THREE, pipeline="anneal", rotation_error=0.1)
    with pytest.raises(InputError, match="has no meaning on a device"):
        gatesolve.submit(THREE, "fake_manila", gates="clifford+t", rotation_error=0.1)

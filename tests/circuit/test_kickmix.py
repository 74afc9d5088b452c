"""Kickmix text does what the operations do, whatever is measured: by an interpreter here and by kickmix's simulator."""

import random

import numpy as np
import pytest
from conformance.kickmix_machine import interpret
from every_state import every_state

import gatesolve
from gatesolve.api import write_circuit
from gatesolve.circuit import (
    And,
    AndNot,
    Gate,
    Mcx,
    Mux,
    Parity,
    PhaseFlip,
    Planes,
    Xor,
    inverse,
    kickmix_text,
    run_ops,
)
from gatesolve.errors import InputError, UnsupportedError

CONTEST = "examples/kakuro/contest.txt"


def by_kickmix(text, columns):
    km = pytest.importorskip("kickmix")
    simulator = km.Simulator(batch_size=columns.shape[1])
    simulator.clear_for_shot()
    for qubit, row in enumerate(columns):
        simulator.write_across_shots(km.q(qubit), row)
    simulator.do(km.Circuit(text))
    rows = np.array([simulator.read_across_shots(km.q(qubit)) for qubit in range(len(columns))])
    return rows, simulator.read_phase_flipped_across_shots()


def by_operations(ops, columns):
    planes, states = Planes.from_bits(columns), columns.shape[1]
    run_ops(ops, planes)
    low, high = planes.unpack(planes.phase, states)
    assert not low.any()
    return planes.unpack(planes.bits, states), high


def draw_parity(draw, wires):
    return Parity.of(draw.sample(wires, draw.randint(1, 2)), draw.random() < 0.4)


def draw_ops(seed):
    """ANDs and sums onto qubits 5 to 7, zero before, a phase and a flip of qubit 0 over all, and the same back."""
    draw, compute = random.Random(seed), []
    for target in (5, 6, 7):
        compute.append(And(draw_parity(draw, range(1, target)), draw_parity(draw, range(1, target)), target))
        if draw.random() < 0.3:
            compute.append(AndNot(*(draw_parity(draw, range(1, 5)) for _ in range(3)), target))
        if draw.random() < 0.3:
            compute.append(Mux(*(draw_parity(draw, range(1, 5)) for _ in range(3)), target))
        if draw.random() < 0.5:
            compute.append(Xor(draw_parity(draw, range(1, target)), target))
        if draw.random() < 0.3:
            compute.append(And(draw_parity(draw, range(1, 5)), draw_parity(draw, range(1, 5)), target))
    wires = draw.sample(range(1, 8), draw.randint(0, 6))
    flip = PhaseFlip(tuple(Parity((wire,), draw.random() < 0.5) for wire in wires))
    middle = [flip, Mcx(tuple((wire, draw.random() < 0.5) for wire in wires if wire > 4), 0)]
    return (*compute, *(op for op in middle if draw.random() < 0.8), *inverse(compute))


@pytest.mark.parametrize("run", [interpret, by_kickmix])
def test_random_operations(run):
    columns = every_state(5, 8)
    erased = 0
    for seed in range(60):
        ops = draw_ops(seed)
        text = kickmix_text(ops, 8, (5, 6, 7))
        erased += text.count("HMR")
        found, wanted = run(text, columns), by_operations(ops, columns)
        assert np.array_equal(found[0], wanted[0])
        assert np.array_equal(found[1], wanted[1])
    assert erased > 100


@pytest.mark.quick(1)
@pytest.mark.parametrize("run", [interpret, by_kickmix])
@pytest.mark.parametrize("options", [{"encoding": "table"}, {"encoding": "one-hot", "level": "literal"}])
def test_an_oracle_flips_the_phase_of_solutions_alone(run, options, tmp_path):
    compiled = gatesolve.compile(CONTEST, presolve="none", **options)
    write_circuit(compiled.program, tmp_path / "board.kmx", "oracle")
    text = (tmp_path / "board.kmx").read_text()
    space = compiled.program.space
    numbers = np.arange(space.size)
    bits, sign = run(text, space.inputs(numbers, compiled.program.oracle.num_qubits))
    assert np.array_equal(bits, space.inputs(numbers, compiled.program.oracle.num_qubits))
    values = space.values(numbers)
    assert np.array_equal(sign, np.logical_and.reduce([c.holds(values) for c in compiled.model.constraints]))
    assert 0 < sign.sum() < len(sign)
    assert text.count("HMR") == text.count("CCX") > 0


def test_what_is_no_map_of_basis_states_is_refused(tmp_path):
    with pytest.raises(UnsupportedError, match="kickmix has no gate h: write the oracle alone"):
        kickmix_text([Gate("h", (0,))], 1, ())
    with pytest.raises(UnsupportedError, match="no AND with a phase of its own"):
        kickmix_text([And(Parity((0,)), Parity((1,)), 2)], 3, (2,))
    with pytest.raises(InputError, match="kickmix has no superpositions: use part=oracle"):
        write_circuit(gatesolve.compile(CONTEST).program, tmp_path / "board.kmx")

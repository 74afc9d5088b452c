"""The circuits of few Toffoli gates are remade and do what they say; test_open_table.py has their scores judged.

They are run here on all inputs or drawn ones, ancillas and signs included.
"""

import csv
import random
import re
from pathlib import Path

import benchmark_calls
import numpy as np
import pytest
from benchmark_calls import MODELS, call, score_call
from fields import Field
from judges import RefusedError as JudgedError
from judges import toffoli_measured
from phased import RefusedError, draw_outcomes, run_phased
from qiskit import qasm3
from scripts import load_script

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "circuits" / "toffoli-measured"
MOST_EXHAUSTIVE = 12
DRAWN = 1 << 12
DELETED = 25


MAKE = load_script(FOLDER / "make.py")
ENTRIES = {entry.name: entry for entry in MAKE.ENTRIES}
with (FOLDER / "results.csv").open() as table:
    ROWS = {row["name"]: row for row in csv.DictReader(table)}


def read(name):
    return qasm3.loads((FOLDER / f"entry-{name}.qasm").read_text())


def draw_inputs(circuit, wires, seed=0):
    """Values of the given wires, zero on all others."""
    if len(wires) <= MOST_EXHAUSTIVE:
        values = np.arange(1 << len(wires)) >> np.arange(len(wires))[:, None] & 1
    else:
        # Every other input is mostly ones: a product of many wires would hardly ever be one.
        values = np.random.default_rng(seed).random((len(wires), DRAWN)) < np.tile([0.5, 0.9], DRAWN // 2)
    inputs = np.zeros((circuit.num_qubits, values.shape[1]), dtype=bool)
    inputs[wires] = values
    return inputs


def run(circuit, inputs, seed=1):
    """What the wires hold at the end; no sign between inputs, whatever the outcomes.

    Drawn outcomes are followed, then their opposites: each measurement has given both.
    """
    drawn = draw_outcomes(circuit, seed)
    (bits, sign), (opposite, other_sign) = (
        run_phased(circuit, inputs, outcomes) for outcomes in (drawn, [not bit for bit in drawn])
    )
    for turned in (sign, other_sign):
        assert turned.all() or not turned.any()
    assert np.array_equal(bits, opposite)
    return bits


def is_judged_right(path, name):
    """Whether the judge of circuits/judges takes a file for the entry's."""
    try:
        toffoli_measured.judge(ENTRIES[name].benchmark, ROWS[name]["class"], [path])
    except JudgedError:
        return False
    return True


def names_of(name):
    return ENTRIES[name].state().names


def inputs_of(name):
    """The wires that may hold anything."""
    function = ENTRIES[name].state()
    return [wire for wire in range(len(function.names)) if wire not in function.zeros]


def number(bits, wires):
    """The integer whose digits some wires hold, lowest first, for each input."""
    return (1 << np.arange(len(wires))) @ bits[wires]


def test_rows_are_counted_on_the_files():
    assert list(ROWS) == list(ENTRIES)
    for name, row in ROWS.items():
        text = (FOLDER / f"entry-{name}.qasm").read_text()
        assert text.count("ccx ") == int(row["toffoli"])
        assert text.count("= measure") == int(row["measurements"])
        assert set(re.findall(r"^ *(\w+) q\[", text, re.M)) <= {"x", "h", "z", "cx", "cz", "ccx"}


def test_the_readme_shows_the_rows():
    text = (FOLDER / "README.md").read_text()
    shown = [
        [cell.strip(" *") for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")
    ]
    words = {row["name"]: compare(int(row["toffoli"]), int(row["published"])) for row in ROWS.values()}
    keys = ("name", "class", "toffoli", "published", "qubits", "made", "by_call")
    assert [[*cells[:4], *cells[5:]] for cells in shown[2:]] == [[row[key] for key in keys] for row in ROWS.values()]
    assert [cells[4] for cells in shown[2:]] == ["" if "-" in name else word for name, word in words.items()]
    counts = [
        sum(word == one and "-" not in name for name, word in words.items()) for one in ("ahead", "equal", "behind")
    ]
    assert counts == [7, 20, 0]


@pytest.mark.parametrize("name", MODELS)
def test_calls_are_judged_again(name):
    assert score_call(name) == int(ROWS[name]["by_call"]) == int(ROWS[name]["toffoli"])


def test_a_call_that_is_wrong_is_not_scored(monkeypatch):
    monkeypatch.setattr(benchmark_calls, "call", lambda name: call("tof_3"))
    with pytest.raises(JudgedError, match="wrong value"):
        score_call("barenco_tof_3")
    assert [name for name, row in ROWS.items() if row["by_call"]] == list(MODELS)
    assert score_call("gf2_4_mult") is None


def compare(ours, published):
    return "ahead" if ours < published else "equal" if ours == published else "behind"


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
def test_remaking_gives_the_file(name):
    assert qasm3.dumps(ENTRIES[name].state().circuit()) == (FOLDER / f"entry-{name}.qasm").read_text()


@pytest.mark.quick("tof_3", "vbe_adder_3", "hwb6*", "mod_red_21-clean", "gf2_4_mult")
@pytest.mark.parametrize("name", ENTRIES)
def test_every_wire_ends_as_stated_without_a_sign(name):
    circuit, width = read(name), len(names_of(name))
    inputs = draw_inputs(circuit, inputs_of(name))
    bits = run(circuit, inputs)
    assert not bits[width:].any()
    function, held, one = ENTRIES[name].state(), list(inputs[:width]), np.ones(inputs.shape[1], dtype=bool)
    for left, right in function.products:
        held.append(left.value(held.__getitem__, one) & right.value(held.__getitem__, one))
    assert np.array_equal(bits[:width], [out.value(held.__getitem__, one) for out in function.outputs])


def wires_of(name, prefix):
    """The places of wires such as b0, b1, ... in their order."""
    names = names_of(name)
    return [names.index(f"{prefix}{k}") for k in range(len(names)) if f"{prefix}{k}" in names]


@pytest.mark.parametrize("name", ["rc_adder_6", "adder_8", "adder_8-clean"])
def test_adders_add_where_further_wires_are_zero(name):
    circuit = read(name)
    a, b, z = wires_of(name, "a"), wires_of(name, "b"), names_of(name).index("z")
    inputs = draw_inputs(circuit, [*a, *b])
    bits = run(circuit, inputs)
    assert np.array_equal(number(bits, [*b, z]), number(inputs, a) + number(inputs, b))
    assert np.array_equal(bits[a], inputs[a])


def test_the_other_adder_puts_the_sum_on_the_wires_of_its_carries():
    for name in ("qcla_adder_10", "qcla_adder_10-clean"):
        circuit, names = read(name), names_of(name)
        a, b = wires_of(name, "a"), wires_of(name, "b")
        inputs = draw_inputs(circuit, [*a, *b])
        places = [names.index(wire) for wire in ("e", "c0", "c1", "d2", "c3", "d4", "d5", "d6", "c7", "d8", "c9")]
        bits = run(circuit, inputs)
        bits[names.index("d8")] ^= bits[names.index("c8")]  # the benchmark leaves this digit in two parts
        assert np.array_equal(number(bits, places), number(inputs, a) + number(inputs, b))


@pytest.mark.parametrize("name", ["mod_red_21", "mod_red_21-clean"])
def test_numbers_above_21_are_reduced(name):
    circuit = read(name)
    x, z = wires_of(name, "x"), names_of(name).index("z")
    inputs = draw_inputs(circuit, [*x, z])
    before, after = number(inputs, x), number(run(circuit, inputs), x)
    assert np.array_equal(after, np.where(inputs[z] & (before > 21), before - 21, before))


@pytest.mark.parametrize("name", ["hwb6", "hwb6-clean"])
def test_six_bits_are_rotated_by_their_weight(name):
    circuit = read(name)
    inputs = draw_inputs(circuit, list(range(6)))
    bits = run(circuit, inputs)
    weights = inputs[:6].sum(axis=0)
    for place in range(6):
        assert np.array_equal(bits[place], inputs[(place - weights) % 6, np.arange(64)])


@pytest.mark.quick("4", "5")
@pytest.mark.parametrize("degree", range(4, 11))
def test_fields_multiply(degree):
    circuit, field = read(f"gf2_{degree}_mult"), Field(degree)
    inputs = draw_inputs(circuit, list(range(2 * degree)))
    a, b, c = (range(degree * k, degree * (k + 1)) for k in range(3))
    factors = zip(number(inputs, list(a)), number(inputs, list(b)), strict=True)
    wanted = [field.multiply(int(left), int(right)) for left, right in factors]
    assert list(number(run(circuit, inputs), list(c))) == wanted


@pytest.mark.parametrize("controls", [3, 4, 5, 10])
def test_controls_are_joined_whatever_the_wires_between_hold(controls):
    name = f"barenco_tof_{controls}"
    circuit = read(name)
    inputs = draw_inputs(circuit, list(range(2 * controls - 1)))
    inputs[:controls, ::3] = True
    wanted = inputs.copy()
    wanted[2 * controls - 2] ^= inputs[:controls].all(axis=0)
    assert np.array_equal(run(circuit, inputs), wanted)


def mutants(name):
    """The circuit without one of its gates, those in blocks too, for each gate; and that line."""
    lines = (FOLDER / f"entry-{name}.qasm").read_text().splitlines()
    for place, line in enumerate(lines):
        if line.endswith(";") and not line.startswith(("OPENQASM", "include", "bit", "qubit")):
            yield line.strip(), "\n".join([*lines[:place], *lines[place + 1 :]]) + "\n"


def is_refused(text, inputs, wanted):
    try:
        bits = run(qasm3.loads(text), inputs)
    except (AssertionError, RefusedError, StopIteration):
        return True
    return not np.array_equal(bits, wanted)


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
def test_a_deleted_gate_shows(name, tmp_path):
    """A seeded sample of the gates, each left out alone; one whose phase is the same for all inputs may go."""
    circuit = read(name)
    inputs = draw_inputs(circuit, inputs_of(name))[:, -512:]
    wanted = run(circuit, inputs)
    deleted = list(mutants(name))
    deleted = random.Random(name).sample(deleted, min(DELETED, len(deleted)))
    path = tmp_path / "mutant.qasm"
    for line, text in deleted:
        if not is_refused(text, inputs, wanted):
            path.write_text(text)
            assert line.startswith(("cz ", "z ")), line
            assert is_judged_right(path, name), line


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tof_3", "barenco_tof_3", "mod5_4", "vbe_adder_3", "mod_red_21-clean"])
def test_the_judge_refuses_all_but_a_measured_wire_left_as_it_is(name, tmp_path):
    path = tmp_path / "mutant.qasm"
    for line, text in mutants(name):
        path.write_text(text)
        assert line.startswith("x ") or not is_judged_right(path, name), line

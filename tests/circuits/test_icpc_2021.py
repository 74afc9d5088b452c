"""The circuits of the ICPC challenge are remade, count all inputs, and the contest's judge prints their rows' costs.

The judge lies outside of this repository, beside it or where GATESOLVE_CONTESTS says; without it, what it would say is
left out. Here a wire is a state of its own for each input, which holds as no CX is controlled by a wire that is turned.
"""

import csv
import itertools
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from qiskit import qasm3
from qiskit.quantum_info import Operator
from scripts import load_script

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "circuits" / "icpc-2021"
CONTESTS = Path(os.environ.get("GATESOLVE_CONTESTS", ROOT.parent / "shared" / "contests"))
JUDGE = CONTESTS / "icpc-2021" / "check.py"
DELETED = 30
HELD = 1e-9


MAKE = load_script(FOLDER / "make.py")
ENTRIES = {entry.name: entry for entry in MAKE.ENTRIES}
MARKED = ((), (0b111,), (0, 0b111), (0b001, 0b010, 0b100), (0b001, 0b010, 0b100, 0b111))
REFLECTIONS = range(5)
with (FOLDER / "results.csv").open() as table:
    ROWS = {row["name"]: row for row in csv.DictReader(table)}


def read(name):
    return qasm3.loads((FOLDER / f"entry-{name}.qasm").read_text())


def is_right(gates, inputs, width, digits, number=None):
    """Whether each input, or the given ones, ends beside its digits up to a phase."""
    number = np.arange(1 << inputs) if number is None else number
    bits = number >> np.arange(width)[:, None] & 1
    states = np.stack([1 - bits, bits], axis=2).astype(complex)
    for gate, wires in gates:
        if gate is None:
            control, target = wires
            ones = np.abs(states[control, :, 1]) ** 2
            if not np.all(np.minimum(ones, 1 - ones) < HELD):
                return False
            states[target] = np.where((ones > 0.5)[:, None], states[target, :, ::-1], states[target])
        else:
            states[wires[0]] = states[wires[0]] @ gate.T
    weights = sum(number >> wire & 1 for wire in range(inputs))
    wanted = number.copy()
    for place, digit in enumerate(digits):
        wanted |= (weights >> digit & 1) << inputs + place
    ends = wanted >> np.arange(width)[:, None] & 1
    return bool(np.all(np.abs(np.abs(np.take_along_axis(states, ends[:, :, None], axis=2)) - 1) < HELD))


def gates_of(circuit):
    """Each gate: its matrix, or nothing for CX; and its wires."""
    return [
        (
            None if one.operation.name == "cx" else one.operation.to_matrix(),
            [circuit.find_bit(qubit).index for qubit in one.qubits],
        )
        for one in circuit.data
    ]


def is_reflection(circuit, marked, values):
    """Whether the marked states get the phase beta, for each of the given values, up to one phase of all."""
    wanted = np.isin(np.arange(8), marked)
    for beta in values:
        bound = circuit.assign_parameters([beta]) if circuit.parameters else circuit
        matrix = Operator(bound).data
        turned = matrix * np.conj(matrix[0, 0]) * np.exp(1j * beta * wanted[0])
        if not np.allclose(turned, np.diag(np.exp(1j * beta * wanted)), atol=1e-9):
            return False
    return True


def judge(task, *paths):
    """The judge's verdict on files: its exit status and its last line."""
    command = [sys.executable, JUDGE, "--task", task, *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()[-1]


@pytest.mark.slow
def test_remaking_gives_the_files():
    made = MAKE.circuits()
    assert len(made) == 10
    for name, circuit in made.items():
        assert qasm3.dumps(circuit) == (FOLDER / f"entry-{name}.qasm").read_text(), name
    assert [{key: str(cell) for key, cell in row.items()} for row in MAKE.rows(made)] == list(ROWS.values())


def test_rows_are_counted_on_the_files():
    assert list(ROWS) == [*ENTRIES, "3", *(f"3-f{index}" for index in REFLECTIONS)]
    for name, entry in ENTRIES.items():
        circuit, row = read(name), ROWS[name]
        depth = circuit.depth(lambda gate: gate.operation.num_qubits == 2)
        scratch = circuit.num_qubits - entry.inputs - len(entry.digits)
        counts = [int(row[key]) for key in ("cx", "depth", "scratch")]
        assert counts == [circuit.count_ops()["cx"], depth, scratch]
        assert float(row["cost"]) == counts[0] + depth + entry.inputs * scratch / 2
        assert set(circuit.count_ops()) <= {"cx", "u"}
    for index in REFLECTIONS:
        circuit, row = read(f"3-f{index}"), ROWS[f"3-f{index}"]
        assert [int(row[key]) for key in ("cx", "depth")] == [circuit.count_ops().get("cx", 0), circuit.depth()]
        assert int(row["cost"]) == 10 * int(row["cx"]) + 3 * int(row["depth"])
    assert int(ROWS["3"]["cost"]) == sum(int(ROWS[f"3-f{index}"]["cost"]) for index in REFLECTIONS)


def test_the_readme_shows_the_rows():
    text = (FOLDER / "README.md").read_text()
    shown = [
        [cell.strip(" *") for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")
    ]
    rows = [[row[key] for key in ("name", "cost", "published", "cx", "depth", "scratch")] for row in ROWS.values()]
    assert [[*cells[:3], *cells[4:7]] for cells in shown[2:]] == rows
    assert [cells[3] for cells in shown[2:]] == [compare(row) for row in ROWS.values()]


def compare(row):
    if not row["published"]:
        return ""
    ours, published = float(row["cost"]), float(row["published"])
    return "ahead" if ours < published else "equal" if ours == published else "behind"


@pytest.mark.quick("1?")
@pytest.mark.parametrize("name", ENTRIES)
def test_all_inputs_are_counted(name):
    circuit, entry = read(name), ENTRIES[name]
    assert is_right(gates_of(circuit), entry.inputs, circuit.num_qubits, entry.digits)


def test_the_tasks_are_those_of_the_contest():
    tasks = {name: (entry.inputs, entry.digits) for name, entry in ENTRIES.items()}
    small = {f"1{letter}": (4, (digit,)) for digit, letter in enumerate("abc")}
    assert tasks == {**small, "2a": (15, (0, 1, 2, 3)), "2b": (16, (0, 1, 2, 3, 4))}


@pytest.mark.parametrize("index", REFLECTIONS)
def test_reflections_are_right_for_every_angle(index):
    """At more values than twice the highest frequency of any matrix element, times what it is compared with."""
    text = (FOLDER / f"entry-3-f{index}.qasm").read_text()
    found = re.findall(r"U\(0, 0, (?:\(?-?([\d.]+)\)?\*)?beta\)", text)
    factors = [float(factor or 1) for factor in found]
    assert len(factors) == text.count("beta)") == text.count("U(")
    assert all((4 * factor).is_integer() for factor in factors)
    highest = 16 * (sum(factors) + 1)
    count = int(2 * highest) + 2
    assert is_reflection(read(f"3-f{index}"), MARKED[index], 32 * np.pi * np.arange(count) / count)


@pytest.mark.slow
@pytest.mark.skipif(not JUDGE.exists(), reason="the contest's judge is not here")
@pytest.mark.parametrize("name", [*ENTRIES, "3"])
def test_the_judge_prints_the_cost(name):
    files = [f"3-f{index}" for index in REFLECTIONS] if name == "3" else [name]
    assert judge(name, *(FOLDER / f"entry-{file}.qasm" for file in files)) == (0, f"score={ROWS[name]['cost']}")


@pytest.mark.quick("1?")
@pytest.mark.parametrize("name", ENTRIES)
def test_a_deleted_gate_shows(name):
    """Each gate, or a seeded sample, left out alone, on all inputs or drawn ones."""
    circuit, entry = read(name), ENTRIES[name]
    gates = gates_of(circuit)
    places = random.Random(name).sample(range(len(gates)), min(DELETED, len(gates)))
    drawn = np.unique(np.random.default_rng(0).integers(1 << entry.inputs, size=512))
    assert is_right(gates, entry.inputs, circuit.num_qubits, entry.digits, drawn)
    for place in places:
        left = gates[:place] + gates[place + 1 :]
        assert not is_right(left, entry.inputs, circuit.num_qubits, entry.digits, drawn), place


@pytest.mark.parametrize("index", REFLECTIONS)
def test_a_gate_deleted_from_a_reflection_shows(index):
    circuit = read(f"3-f{index}")
    for place in range(len(circuit.data)):
        left = circuit.copy()
        del left.data[place]
        assert not is_reflection(left, MARKED[index], (1.0, 2.5)), place


PAIRS = list(itertools.permutations(range(3), 2))


def shallowest(skeleton, needed, held=(1, 2, 4), layers=(0, 0, 0)):
    """The least depth of a circuit of these CX with a rotation by each needed parity; None if one does not appear."""
    depths = []
    ready = [wire for wire in range(3) if held[wire] in needed]
    for turned in (some for size in range(len(ready) + 1) for some in itertools.combinations(ready, size)):
        left = needed - {held[wire] for wire in turned}
        now = [layers[wire] + (wire in turned) for wire in range(3)]
        if not skeleton:
            depths += [] if left else [max(now)]
            continue
        (control, target), after = skeleton[0], list(held)
        after[target] ^= after[control]
        now[control] = now[target] = max(now[control], now[target]) + 1
        depths.append(shallowest(skeleton[1:], left, tuple(after), now))
    return min((depth for depth in depths if depth is not None), default=None)


def ends_where_it_began(skeleton):
    held = [1, 2, 4]
    for control, target in skeleton:
        held[target] ^= held[control]
    return held == [1, 2, 4]


@pytest.mark.slow
@pytest.mark.parametrize("number", REFLECTIONS)
def test_no_other_rotations_by_parities_cost_less(number):
    """Seven CX on three wires lie one behind the other, two always sharing a wire: 70 + 3 * 7 is more than any row."""
    signs = {mask: [1 - 2 * ((mask & state).bit_count() % 2) for state in MARKED[number]] for mask in range(1, 8)}
    needed = frozenset(mask for mask, column in signs.items() if sum(column))
    costs = []
    for length in range(7):
        for skeleton in itertools.product(PAIRS, repeat=length):
            if ends_where_it_began(skeleton) and all(a != b for a, b in itertools.pairwise(skeleton)):
                depth = shallowest(skeleton, needed)
                costs += [] if depth is None else [10 * length + 3 * depth]
    assert min(costs) == int(ROWS[f"3-f{number}"]["cost"]) < 91

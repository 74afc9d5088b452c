"""The nine oracles of iQuHACK 2023 are remade, do what they say, and the contest's judge prints their rows' scores.

The judge lies outside of this repository, beside it or where GATESOLVE_CONTESTS says; without it, what it would say is
left out, and the circuits are simulated here: every input, both values of the target, all signs and work wires.
"""

import csv
import os
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from calls import STATEMENTS, xor_circuits
from cpmpy.transformations.get_variables import get_variables
from judges import RefusedError
from oracles import ORACLES
from plans import read_plan, write_qasm
from qiskit import qasm2, qasm3
from scripts import load_script

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "circuits" / "iquhack-2023"
CONTESTS = Path(os.environ.get("GATESOLVE_CONTESTS", ROOT.parent / "shared" / "contests"))
JUDGE = CONTESTS / "iquhack-2023" / "check.py"
LINE = re.compile(r"(?!qreg)(?:c\[(\d+)\] = |if \(c\[(\d+)\]\) )?(\w+) q\[(.*)\];")


MAKE = load_script(FOLDER / "make.py")
with (FOLDER / "results.csv").open() as table:
    ROWS = {row["name"]: row for row in csv.DictReader(table)}


def read(name):
    return (FOLDER / f"entry-{name}.qasm").read_text()


def oracle_of(name):
    return ORACLES[int(name[0])]


def judge(path, name):
    """The judge's verdict on a file: its exit status and its last line."""
    done = subprocess.run([sys.executable, JUDGE, path, "--task", name[0]], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()[-1]


def gates_of(text):
    """Name and wires of each gate, the bit that a measurement writes, and the one that a gate waits for."""
    for line in text.splitlines():
        if found := LINE.fullmatch(line):
            written, waited, name, wires = found.groups()
            yield name, [int(wire) for wire in wires.split("],q[")], written, waited


def apply(state, name, wires):
    """A gate on a real state, an axis a wire and further axes at the end."""
    *controls, target = wires
    place = [slice(None)] * state.ndim
    for control in controls:
        place[control] = 1
    low, high = [(*place[:target], value, *place[target + 1 :]) for value in (0, 1)]
    zero, one = state[low].copy(), state[high].copy()
    if name in {"x", "cx", "ccx"}:
        state[low], state[high] = one, zero
    elif name in {"z", "cz"}:
        state[high] = -one
    else:
        assert (name, controls) == ("h", [])
        state[low], state[high] = (zero + one) / np.sqrt(2), (zero - one) / np.sqrt(2)


def run(text, state, outcomes):
    """The state at the end where measurements gave these outcomes, and the outcome of each measured wire."""
    bits, measured = {}, {}
    for name, wires, written, waited in gates_of(text):
        if written is not None:
            bits[written] = measured[wires[0]] = outcomes[int(written)]
            np.moveaxis(state, wires[0], 0)[1 - bits[written]] = 0
        elif waited is None or bits[waited]:
            apply(state, name, wires)
    return state, measured


def states(inputs, columns=None, seed=0):
    """Every basis state of the inputs and the target, or states drawn at random, one a column."""
    shape = (2,) * (inputs + 1)
    if columns is None:
        return np.eye(2 << inputs).reshape(*shape, -1)
    return np.random.default_rng(seed).normal(size=(*shape, columns))


def is_right(text, oracle, first, outcomes):
    """Whether these states become what the oracle says, work wires zero or as measured, all of one sign."""
    work = MAKE.count(text)["qubits"] - oracle.inputs - 1
    state, wanted = (np.zeros(first.shape[:-1] + (2,) * work + first.shape[-1:]) for _ in range(2))
    every = (slice(None),) * (oracle.inputs + 1)
    state[every + (0,) * work] = first
    state, measured = run(text, state, outcomes)
    marked = np.array([oracle.marked(number) for number in range(1 << oracle.inputs)])
    marked = marked.reshape((2,) * oracle.inputs).T[..., None, None]
    ends = tuple(measured.get(wire, 0) for wire in range(oracle.inputs + 1, oracle.inputs + 1 + work))
    wanted[every + ends] = np.where(marked, first[..., ::-1, :], first) / np.sqrt(2) ** len(measured)
    return any(np.allclose(state, sign * wanted) for sign in (1, -1))


def outcomes_of(text):
    return list(product((0, 1), repeat=text.count("measure")))


def test_rows_are_counted_on_the_files():
    assert list(ROWS) == list(MAKE.entries())
    for name, row in ROWS.items():
        counted = MAKE.count(read(name))
        assert {key: int(row[key]) for key in counted} == counted
        assert int(row["start"]) == oracle_of(name).start
        gates = [gate for gate, *_ in gates_of(read(name))]
        assert {*gates} <= {"x", "h", "z", "cx", "cz", "ccx", "measure"}
        assert len(gates) == sum(line.startswith(("if", "c[")) or " q[" in line for line in read(name).splitlines()[3:])


def test_the_starting_scores_are_those_of_the_contest():
    for number, oracle in ORACLES.items():
        given = sum(map(oracle.marked, range(1 << oracle.inputs))) + 2 * (number == 2)
        toffolis = 1 if number == 1 else given * (2 * oracle.inputs - 3)
        wires = 6 if number == 1 else 2 * oracle.inputs - 1
        assert oracle.start == MAKE.width(wires) * 3 * toffolis


def test_the_readme_shows_the_rows():
    text = (FOLDER / "README.md").read_text()
    shown = [[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in text.splitlines() if line[:2] == "| "]
    wanted = []
    for number in map(str, ORACLES):
        cells = [number, f"{int(ROWS[number]['start']):,}"]
        for row in (ROWS[number], ROWS[f"{number}-measured"]):
            cells += [f"{int(row['score']):,}", mark(row), f"{int(row['by_call']):,}"]
        wanted.append(cells)
    assert [cells[:1] + cells[2:] for cells in shown[2:]] == wanted
    assert [name for name, row in ROWS.items() if int(row["score"]) > int(row["bar"])] == ["2", "4", "8"]


def mark(row):
    """The bar, as the table shows it."""
    return f"{int(row['bar']):,}" + (" missed" if int(row["score"]) > int(row["bar"]) else "")


def test_remaking_gives_the_files():
    for name, text in MAKE.entries().items():
        assert text == read(name)


@pytest.mark.slow
def test_calls_are_scored_again():
    for name, row in ROWS.items():
        assert MAKE.score_call(int(name[0]), "-" in name) == int(row["by_call"])


@pytest.mark.parametrize("number", ORACLES)
def test_statements_mark_what_the_oracles_do(number):
    conditions, oracle = STATEMENTS[number](), ORACLES[number]
    variables = {one.name: one for one in get_variables(conditions)}
    digits = {f"x{k}": (k, 1) for k in range(oracle.inputs)} | {"number": (0, oracle.inputs)}
    digits |= {"low": (0, oracle.inputs // 2), "high": (oracle.inputs // 2, oracle.inputs // 2)}
    for value in range(1 << oracle.inputs):
        for name, variable in variables.items():
            place, size = digits[name]
            variable._value = value >> place & (1 << size) - 1
        assert all(condition.value() for condition in conditions) == oracle.marked(value)


@pytest.mark.parametrize("name", ROWS)
def test_qiskit_reads_the_file(name):
    load = qasm3.loads if "OPENQASM 3" in read(name) else qasm2.loads
    counts = load(read(name)).count_ops()
    assert counts["ccx"] == int(ROWS[name]["toffoli"])
    assert counts.get("measure", 0) == counts.get("if_else", 0) == int(ROWS[name]["measurements"])


@pytest.mark.parametrize("name", ROWS)
def test_every_input_and_target_with_its_sign(name):
    text, oracle = read(name), oracle_of(name)
    assert is_right(text, oracle, states(oracle.inputs), outcomes_of(text)[-1])


@pytest.mark.parametrize("name", ROWS)
def test_whatever_is_measured_a_superposition_becomes_the_oracles(name):
    text, oracle = read(name), oracle_of(name)
    assert all(is_right(text, oracle, states(oracle.inputs, 1), outcomes) for outcomes in outcomes_of(text))


def mutants(text):
    """The text without one of its gates, for each; and that line."""
    lines = text.splitlines()
    for place in range(3, len(lines)):
        if LINE.fullmatch(lines[place]):
            yield lines[place], "\n".join([*lines[:place], *lines[place + 1 :]]) + "\n"


def is_refused(text, oracle):
    """Whether some outcome shows a fault; a bit that is read but never written is one."""
    first = states(oracle.inputs, 1)
    try:
        return not all(is_right(text, oracle, first, outcomes) for outcomes in product((0, 1), repeat=3))
    except KeyError:
        return True


@pytest.mark.parametrize("name", ROWS)
def test_every_deleted_gate_shows(name):
    assert [line for line, text in mutants(read(name)) if not is_refused(text, oracle_of(name))] == []


@pytest.mark.slow
@pytest.mark.skipif(not JUDGE.exists(), reason="the contest's judge is not here")
@pytest.mark.parametrize("name", ROWS)
def test_the_judge_prints_the_score(name):
    assert judge(FOLDER / f"entry-{name}.qasm", name) == (0, f"score={ROWS[name]['score']}")


@pytest.mark.slow
@pytest.mark.skipif(not JUDGE.exists(), reason="the contest's judge is not here")
@pytest.mark.parametrize("name", ["1", "3", "6-measured"])
def test_the_judge_refuses_them_without_a_gate(name, tmp_path):
    path = tmp_path / "mutant.qasm"
    for line, text in mutants(read(name)):
        path.write_text(text)
        assert judge(path, name)[0] == 1, line


@pytest.mark.parametrize("text", ["x0 & x1", "phase t & x0+x1 & x1+x0", "x0 ^= x0+x2 & x1", "phase t & u"])
def test_a_plan_that_is_none_is_refused(text):
    with pytest.raises(ValueError, match=r"plan|depend|not in list"):
        write_qasm(read_plan(text, 3), measured=False)


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """Runs search.cpp on a task."""
    if not (compiler := shutil.which("g++")):
        pytest.skip("no g++")
    program = tmp_path_factory.mktemp("search") / "search"
    subprocess.run([compiler, "-O3", "-std=c++17", "-o", program, FOLDER / "search.cpp"], check=True)

    def search(number, *words):
        given = MAKE.list_marked(number)
        return subprocess.run([program, *words], input=given, capture_output=True, text=True, check=True).stdout

    return search


@pytest.mark.slow
def test_no_fewer_products_in_place_do(searched):
    assert searched(2, "2") == searched(2, "2", "any") == "none\n"
    assert searched(8, "3") == searched(8, "2", "any") == "none\n"


@pytest.mark.slow
def test_what_the_search_finds_leaves_one_phase_of_three_factors(searched):
    *steps, last = searched(2, "3").splitlines()
    assert (last, len(steps)) == ("found", 3)
    numbers = np.arange(64)
    phase = np.array([number >> 5 == 1 and ORACLES[2].marked(number & 31) for number in range(64)])
    for step in steps:
        wires, left, right, form = map(int, re.findall(r"\d+", step))
        both = np.array([((z & left).bit_count() & (z & right).bit_count()) % 2 for z in range(64)])
        extra = np.array([(z & form).bit_count() % 2 for z in range(64)])
        phase = phase[numbers ^ wires * both] ^ (both & extra).astype(bool)
    for wire in range(6):
        phase[numbers >> wire & 1 == 1] ^= phase[numbers >> wire & 1 == 0]
    cubic = [z for z in range(64) if phase[z]]
    assert max(z.bit_count() for z in cubic) == 3


def test_inputs_that_are_never_read_have_a_wire_too():
    assert [one.num_qubits for one in xor_circuits(6, True)[:3]] == [15, 11, 11]


def test_a_call_that_is_wrong_is_not_scored(monkeypatch):
    monkeypatch.setattr(MAKE, "xor_circuits", lambda task, measured: xor_circuits(3, measured))
    with pytest.raises(RefusedError, match="wire"):
        MAKE.score_call(5, True)


@pytest.mark.parametrize(("task", "measured"), [(1, False), (3, True), (6, False), (6, True)])
def test_small_calls_are_judged_again(task, measured):
    row = ROWS[f"{task}-measured" if measured else f"{task}"]
    assert MAKE.score_call(task, measured) == int(row["by_call"])

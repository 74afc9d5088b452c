"""Certificates that a stranger made up: none is proved that is another circuit, and each is answered in one line."""

import copy
import hashlib
import json
import random

import pytest
from kept import exported
from qiskit import QuantumCircuit
from typer.testing import CliRunner

import gatesolve
from gatesolve.cli.app import app
from gatesolve.encodings import make_binary
from gatesolve.errors import InputError
from gatesolve.model import Linear, Model, Table, Variable
from gatesolve.proof import restore_program
from gatesolve.proof.conditions import _sum_words
from gatesolve.proof.op_lines import read_op
from gatesolve.proof.pauli import Pauli
from gatesolve.proof.rotations import FormBuilder
from gatesolve.proof.text import write_rules
from gatesolve.simulate import list_steps

BOARD = "examples/queens/tiny-4x4.txt"
PAIR = Model(tuple(Variable(name, (0, 1)) for name in "xy"), (Linear(((1, "x"), (1, "y")), "==", 2),))


@pytest.fixture
def pair(tmp_path):
    path = exported(tmp_path, PAIR, presolve="none", level="literal", encoding="binary", iterations=1)
    return path, json.loads(path.with_suffix(".cert.json").read_text())


def judge(path, data, text=None):
    """The verdict on a changed pair of files, hashes set right; ``unreadable`` for one line that says why."""
    if text is not None:
        path.write_text(text)
    data["text_sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_suffix(".cert.json").write_text(json.dumps(data))
    try:
        return gatesolve.verify(path).status
    except InputError as error:
        return "unreadable" if len(str(error).splitlines()) == 1 else "several lines"


def insert(path, gates):
    return path.read_text().replace("\nmeasure", f"\n{gates}\nmeasure", 1)


@pytest.mark.parametrize(
    "gate", ["u3(6283185307179636.0,0,0)", "u3(1e-6,0,0)", "u3(1e999,0,0)", "u3(1/1,-1.0,0)", "u3(0,٣,-3.0)"]
)
def test_no_turn_is_taken_for_none(pair, gate):
    path, data = pair
    assert judge(path, data, insert(path, f"{gate} data[0];")) == "refused"


def test_small_turns_add_up(pair):
    path, data = pair
    turn = "u3(9e-10,0,0) data[0];\n"
    text = path.read_text()
    assert judge(path, data, insert(path, turn)) == "proved"
    path.write_text(text)
    assert judge(path, data, insert(path, turn * 1000)) == "refused"


def test_what_products_may_round_away_is_counted():
    builder = FormBuilder(1, gathers=True)
    builder.add_rotation(Pauli(0, 1), 0.5)
    builder.add_rotation(Pauli(1, 0), 0.5)
    for _ in range(100_000):
        builder.add_rotation(Pauli(1, 1, 1), 1e-17)
    assert 2e-11 < builder.finish().rounded < 1e-10


@pytest.mark.parametrize("angle", [6283185307179636.0, 1e300, -1e15])
def test_turns_are_reduced_as_by_sine_and_cosine(angle):
    builder, other = FormBuilder(1), FormBuilder(1)
    builder.add_rotation(Pauli(0, 1), angle)
    assert builder.finish().find_difference(other.finish()) is not None
    circuit = QuantumCircuit(1)
    circuit.p(angle, 0)
    assert len(list_steps(circuit)) == 1


@pytest.mark.parametrize("times", [0, 2, 10**30])
def test_the_preparation_is_done_once(pair, times):
    path, data = pair
    gates = [line for line in path.read_text().split("\n") if line.startswith("u3(pi/2,0,pi) data")][:2]
    assert len(gates) == 2
    data["program"]["sections"][0]["times"] = times
    text = path.read_text()
    for gate in gates:
        text = text.replace(f"{gate}\n", f"{gate}\n" * min(times, 2), 1)
    assert judge(path, data, text) != "proved"


def test_an_early_check_has_an_oracle(pair):
    path, data = pair
    preparation, iteration = data["program"]["sections"]
    place = iteration["oracle"]["length"]
    early = {"name": "early", "times": 1, "ops": ["gate x 0"], "oracle": None}
    data["program"]["sections"] = [preparation, early, iteration]
    iteration["ops"] = [*iteration["ops"][:place], "gate x 0", *iteration["ops"][place:], "gate x 0"]
    path.with_suffix(".cert.json").write_text(json.dumps(data))
    claims = {claim.layer: claim for claim in gatesolve.verify(path).claims}
    assert (claims["blocks"].status, claims["blocks"].detail) == ("refused", "an early check has no oracle")


@pytest.mark.parametrize(("name", "times"), [("early", 0), ("early", -1), ("iteration", -1), ("proved 2", 1)])
def test_sections_are_those_of_the_circuit(pair, name, times):
    path, data = pair
    preparation, iteration = data["program"]["sections"]
    data["program"]["sections"] = [preparation, {**copy.deepcopy(iteration), "name": name, "times": times}, iteration]
    assert judge(path, data) == "unreadable"


def test_claims_tell_what_the_text_leaves_out(tmp_path):
    made = gatesolve.compile(PAIR, presolve="none", level="literal", encoding="binary", iterations=0)
    oracle = {"oracle", "conditions", "structure"}
    for part, absent in (("whole", {*oracle, "blocks"}), ("oracle", {"blocks"})):
        written = gatesolve.export(made, tmp_path / "none.qasm", part)
        found = gatesolve.verify(written.circuit)
        assert (found.status, found.claims) == ("proved", written.claims)
        assert {one.layer for one in found.claims if "; of " in one.detail} == absent


def test_the_oracle_of_the_preparation_does_not_stand_for_that_of_the_iteration(pair):
    path, data = pair
    preparation, iteration = data["program"]["sections"]
    ours = iteration["oracle"]
    preparation["oracle"] = copy.deepcopy(ours)
    preparation["ops"][:0] = iteration["ops"][: ours["length"]]
    iteration["ops"][: ours["length"]] = []
    iteration["oracle"] = {**ours, "length": 0}
    path.with_suffix(".cert.json").write_text(json.dumps(data))
    found = gatesolve.verify(path)
    assert found.status != "proved"
    assert any("sections have different oracles" in claim.detail for claim in found.claims)


@pytest.mark.parametrize(
    "line", ["xor 0^1 0", "and 0 1 1", "gate cx 0 0", "flip 0 1 / 1", "flip 0 1 / 2 2", "mcx 0 !0", "gate ry 0 =nan"]
)
def test_no_operation_changes_what_it_reads(line):
    with pytest.raises(ValueError, match=r"qubit|reads|operation"):
        read_op(line, 3)


def test_a_variable_twice_in_a_sum_counts_twice():
    assert _sum_words(make_binary(Variable("x", (1, 2))), [(1, "x"), (-1, "x")]) == [0, 0]


def test_what_is_printed_is_derived_or_escaped(pair):
    path, data = pair
    data["extent"] = "this circuit is the whole search\nverdict: proved"
    data["problem"]["name"] = "\x1b[2J\nverdict: proved"
    path.with_suffix(".cert.json").write_text(json.dumps(data))
    ended = CliRunner().invoke(app, ["verify", str(path)])
    assert ended.exit_code == 0
    printed = ended.stdout
    assert printed.split("\n").count("verdict: proved") == 1
    assert "\x1b" not in printed
    assert "whole search" not in printed
    assert "this circuit is the preparation and 1 iteration\n" in printed


def test_whether_tables_join_constraints_is_the_problems_own(pair):
    model = Model(PAIR.variables, (Table(("x", "y"), ((1, 1),)),))
    path, _ = pair
    gatesolve.export(gatesolve.compile(model, presolve="none", level="literal", encoding="binary", iterations=1), path)
    data = json.loads(path.with_suffix(".cert.json").read_text())
    assert judge(path, data) == "proved"
    data["problem"]["model"]["constraints"][0]["joins"] = True
    assert judge(path, data) == "refused"
    claims = {claim.layer: claim for claim in gatesolve.verify(path).claims}
    assert "it is not the problem's" in claims["model"].detail


VALUES = [None, True, -1, 10**30, 10**7, 1.5, "x", "", "\x1b[2J\nverdict: proved\n", "\ud800", [], {}, [[[]]]]


def change(data, draw):
    """A certificate with one field or item deleted, doubled or replaced."""
    changed = place = copy.deepcopy(data)
    while True:
        key = draw.choice(list(place) if isinstance(place, dict) else range(len(place)))
        if draw.random() < 0.3 or not (isinstance(place[key], dict | list) and place[key]):
            break
        place = place[key]
    match draw.randrange(8):
        case 0:
            del place[key]
        case 1 if isinstance(place, list):
            place.append(place[key])
        case _:
            place[key] = draw.choice(VALUES)
    return changed


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("num_ancillas", 0),
        ("num_ancillas", 10**9),
        ("num_ancillas", -1),
        ("needed_iterations", "x"),
        ("gates", "\ud800"),
    ],
)
def test_sizes_and_names_are_checked_first(tmp_path, field, value):
    path = exported(tmp_path, BOARD, presolve="none", encoding="binary", level="literal", iterations=1)
    data = json.loads(path.with_suffix(".cert.json").read_text())
    assert data["program"]["num_ancillas"] > 0
    other = copy.deepcopy(data)
    other["program"][field] = value
    assert judge(path, other) == "unreadable"
    data["program"]["sections"][1]["oracle"]["num_ancillas"] = 0
    assert judge(path, data) == "unreadable"


def test_a_wide_block_is_refused_before_it_is_made(pair):
    path, data = pair
    data["program"]["space"]["blocks"][0]["num_qubits"] = 10**7
    assert judge(path, data) == "unreadable"


def test_a_field_that_is_there_twice_is_refused(pair):
    path, data = pair
    text = json.dumps(data).replace('"presolve": "none"', '"presolve": "full", "presolve": "none"')
    path.with_suffix(".cert.json").write_text(text)
    with pytest.raises(InputError, match="twice"):
        gatesolve.verify(path)


@pytest.mark.quick("0")
@pytest.mark.parametrize("seed", range(8))
def test_damaged_fields_are_answered_in_one_line(pair, seed):
    path, data = pair
    draw = random.Random(seed)
    for _ in range(60):
        assert judge(path, change(data, draw)) in {"proved", "refused", "sampled", "unreadable"}


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace('include "qelib1.inc";\n', ""),
        lambda text: text.replace('include "qelib1.inc";\n', 'include "qelib1.inc";\n' * 2),
        lambda text: text.replace('include "qelib1.inc";\n', "").replace(
            "measure", 'include "qelib1.inc";\nmeasure', 1
        ),
        lambda text: text.replace("measure data[0] -> measured[0];", "measured[0] = measure data[0];"),
        lambda text: text.replace("qreg data[2];", "qubit[2] data;"),
        lambda text: text.replace(";\n", ";\x0b\n"),
        lambda text: text.replace("cx data", "cx\u00a0data", 1),
    ],
)
def test_a_text_that_no_reader_takes_is_refused(pair, change):
    path, data = pair
    text = change(path.read_text())
    assert text != path.read_text()
    assert judge(path, data, text) == "refused"


def test_an_early_check_borrows_no_block_that_it_does_not_reflect_about(tmp_path):
    options = {"presolve": "none", "encoding": "binary", "level": "literal", "early_check": True}
    made = gatesolve.compile("examples/tents/weak-3x5.txt", **options)
    path = gatesolve.export(made, tmp_path / "board.qasm").circuit
    data = json.loads(path.with_suffix(".cert.json").read_text())
    early = data["program"]["sections"][1]
    reflection = early["ops"][early["oracle"]["length"] :]
    flip = reflection[len(reflection) // 2]
    assert flip.startswith("flip !")
    size = made.program.space.num_qubits
    looked = {int(word[1:]) for word in flip.split(" / ")[0].split()[1:]}
    others = " ".join(str(qubit) for qubit in range(size) if qubit > max(looked))
    changed = json.loads(json.dumps(data).replace(flip, f"{flip.split(' / ')[0]} / {others}"))
    _, program = restore_program(changed["program"])
    changed["rules"] = write_rules(program)
    assert judge(path, data) == "proved"
    assert judge(path, changed, program.qasm2()) == "refused"

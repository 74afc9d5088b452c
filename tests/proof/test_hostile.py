"""Files that a stranger made up before both checkers: none is proved that is another circuit, each ends in one line."""

import copy
import json
import math
import random
import sys

import numpy as np
import pytest
from both_checkers import OPEN, PAIR, PROVED, RECHECK, REFUSED, UNREAD, export, judge, recheck, verify, write
from qiskit import QuantumCircuit
from qiskit.circuit.library import UGate
from qiskit.synthesis import OneQubitEulerDecomposer
from typer.testing import CliRunner

import gatesolve
from gatesolve.cli import app
from gatesolve.encodings import Space, make_binary
from gatesolve.encodings.converter import structure
from gatesolve.errors import InputError
from gatesolve.model import AllDifferent, Linear, Model, Table, Variable
from gatesolve.proof import restore_program
from gatesolve.proof.conditions import _sum_words
from gatesolve.proof.op_lines import read_op
from gatesolve.proof.pauli import Pauli
from gatesolve.proof.rotations import FormBuilder, ReducedWord
from gatesolve.proof.text import write_rules
from gatesolve.simulate import list_steps

BOARD = "examples/queens/tiny-4x4.txt"


@pytest.fixture
def pair(tmp_path):
    return export(tmp_path, PAIR)


def turn(gate, times=1):
    return lambda data, text: text.replace("\nmeasure", f"\n{gate} data[0];" * times + "\nmeasure", 1)


def replace(old, new, count=-1):
    return lambda data, text: text.replace(old, new, count)


def field(name, value):
    return lambda data, text: data["program"].update({name: value})


def prepare(times):
    """The preparation so often, in the text too."""

    def edit(data, text):
        data["program"]["sections"][0]["times"] = times
        for gate in [line for line in text.split("\n") if line.startswith("u3(pi/2,0,pi) data")][:2]:
            text = text.replace(f"{gate}\n", f"{gate}\n" * min(int(times), 2), 1)
        return text

    return edit


def turn_far(data, text):
    data["program"]["sections"][0]["ops"].append("gate ry 0 =6283185307179636.0")


def check_early(data, text):
    """An early check that has no oracle."""
    preparation, iteration = data["program"]["sections"]
    place = iteration["oracle"]["length"]
    early = {"name": "early", "times": 1, "ops": ["gate x 0"], "oracle": None}
    data["program"]["sections"] = [preparation, early, iteration]
    iteration["ops"] = [*iteration["ops"][:place], "gate x 0", *iteration["ops"][place:], "gate x 0"]


def add_section(name, times):
    def edit(data, text):
        preparation, iteration = data["program"]["sections"]
        more = {**copy.deepcopy(iteration), "name": name, "times": times}
        data["program"]["sections"] = [preparation, more, iteration]

    return edit


def move_oracle(data, text):
    """The oracle of the iteration into the preparation."""
    preparation, iteration = data["program"]["sections"]
    ours = iteration["oracle"]
    preparation["oracle"] = copy.deepcopy(ours)
    preparation["ops"][:0] = iteration["ops"][: ours["length"]]
    iteration["ops"][: ours["length"]] = []
    iteration["oracle"] = {**ours, "length": 0}


def constrain(**constraint):
    def edit(data, text):
        data["program"]["model"]["constraints"].append(constraint)
        data["problem"]["model"] = data["program"]["model"]

    return edit


def state(*variables):
    """Other variables, each a name and a domain."""

    def edit(data, text):
        data["program"]["model"]["variables"] = [{"name": name, "domain": domain} for name, domain in variables]
        data["problem"]["model"] = data["program"]["model"]

    return edit


def fill(read, unread, words):
    """Qubits that no constraint reads, as the text tells them."""

    def edit(data, text):
        data["program"]["fills"] = [{"read": read, "unread": unread, "words": words}]
        told = ", ".join(f"data[{qubit}]" for qubit in unread)
        line = f"// read by no constraint and zero here, any codeword that fits: {told}".strip()
        return text.replace("include", f"{line}\ninclude", 1)

    return edit


def call_blocks(kind):
    def edit(data, text):
        for block in data["program"]["space"]["blocks"]:
            block["kind"] = kind
        return text.replace(" binary ", f" {kind} ")

    return edit


def problem(qubo=(), **fields):
    one = {"format": "gatesolve-qubo", "variables": list(qubo), "offset": 0, "terms": [[list(qubo)[:1], 1]]}
    return lambda data, text: data["problem"].update(fields | ({"qubo": one} if qubo else {}))


LINEAR = {"kind": "linear", "terms": [[1, "x"]], "relation": "=="}
TABLE = {"kind": "table", "source": "", "joins": False}
HEADER = 'include "qelib1.inc";\n'
FILES = {
    "as it was": (lambda data, text: None, PROVED, PROVED),
    "whole turns": (turn(f"u3({4 * math.pi!r},2*pi,-{20 * math.pi!r})"), PROVED, PROVED),
    "a small turn": (turn("u3(9e-10,0,0)"), PROVED, PROVED),
    "many small turns": (turn("u3(9e-10,0,0)", 1000), REFUSED, REFUSED),
    "many turns": (turn("u3(6283185307179636.0,0,0)"), REFUSED, REFUSED),
    "turns that hide an angle": (turn("u3(0,1.020177392559087,1e22)"), REFUSED, REFUSED),
    "turns that are whole": (turn(f"u3({4096 * math.pi!r},0,0)"), REFUSED, REFUSED),
    "more turns": (turn("u3(0,1e300,0)"), REFUSED, REFUSED),
    "a millionth of a turn": (turn("u3(1e-6,0,0)"), REFUSED, REFUSED),
    "no number": (turn("u3(1e999,0,0)"), REFUSED, REFUSED),
    "a fraction that OpenQASM 3 rounds down": (turn("u3(1/1,-1.0,0)"), REFUSED, REFUSED),
    "a digit of another script": (turn("u3(0,\u0663,-3.0)"), REFUSED, REFUSED),
    "no header": (replace(HEADER, ""), REFUSED, REFUSED),
    "a header twice": (replace(HEADER, HEADER * 2), REFUSED, REFUSED),
    "a late header": (lambda _, text: text.replace(HEADER, "").replace("me", f"{HEADER}me", 1), REFUSED, REFUSED),
    "a gate that no header defines": (replace("\nu3(", "\nu("), REFUSED, REFUSED),
    "a measurement of OpenQASM 3": (
        replace("measure data[0] -> measured[0];", "measured[0] = measure data[0];"),
        REFUSED,
        REFUSED,
    ),
    "a register of OpenQASM 3": (replace("qreg data[2];", "qubit[2] data;"), REFUSED, REFUSED),
    "other blanks at the end": (replace(";\n", ";\x0b\n"), REFUSED, REFUSED),
    "another blank": (replace("cx data", "cx\u00a0data", 1), REFUSED, REFUSED),
    "a carriage return in a comment": (replace("// ", "//\r", 1), REFUSED, REFUSED),
    **{
        f"a comment that ends in {sign!r}": (replace("\ninclude", f"{sign}\ninclude", 1), REFUSED, status)
        for sign, status in [*((sign, REFUSED) for sign in "\x0b\x0c\x1c\x85\u2028"), ("\0", OPEN), ("\x1b", OPEN)]
    },
    **{f"the preparation {times} times": (prepare(times), UNREAD, UNREAD) for times in (-1, True, 1.0)},
    "no preparation": (prepare(0), UNREAD, REFUSED),
    "the preparation twice": (prepare(2), REFUSED, REFUSED),
    "the preparation very often": (prepare(10**30), REFUSED, REFUSED),
    "a far turn in the preparation": (turn_far, REFUSED, REFUSED),
    "an early check without an oracle": (check_early, REFUSED, REFUSED),
    "an early check that is never made": (add_section("early", 0), UNREAD, OPEN),
    "an early check less than never": (add_section("early", -1), UNREAD, UNREAD),
    "an iteration less than never": (add_section("iteration", -1), UNREAD, UNREAD),
    "a section of another name": (add_section("proved 2", 1), UNREAD, REFUSED),
    "the oracle of the iteration in the preparation": (move_oracle, REFUSED, REFUSED),
    "a kind with the name of one of ours": (constrain(kind="different"), UNREAD, OPEN),
    "a kind that is not known": (constrain(kind="frobnicate", variables=["x", "y"]), UNREAD, OPEN),
    "a bound that is no whole number": (constrain(**LINEAR, bound=0.5), UNREAD, UNREAD),
    "a bound of two kinds": (constrain(**LINEAR, bound=True), UNREAD, UNREAD),
    "an unknown relation": (constrain(**LINEAR | {"terms": [], "relation": "~"}, bound=0), UNREAD, UNREAD),
    "no row and no variable": (constrain(**TABLE, variables=[], tuples=[]), REFUSED, REFUSED),
    "rows of other lengths": (constrain(**TABLE, variables=["x"], tuples=[[0, 0], [1]]), UNREAD, UNREAD),
    "an unknown field": (constrain(kind="not-equal", left="x", right="y", offset=5, unless="z"), UNREAD, UNREAD),
    "a variable twice in a constraint": (constrain(kind="all-different", variables=["x", "x"]), UNREAD, OPEN),
    "a name twice": (state(("y", [0]), ("y", [0, 1]), ("x", [0, 1])), UNREAD, UNREAD),
    "a value twice": (state(("x", [0, 1, 1]), ("y", [0, 1])), UNREAD, UNREAD),
    "no value": (state(("x", []), ("y", [0, 1])), UNREAD, UNREAD),
    "a value of two kinds": (state(("x", [0, True]), ("y", [0, 1])), UNREAD, UNREAD),
    "too many ancillas": (field("num_ancillas", 10**9), UNREAD, UNREAD),
    "fewer than no ancillas": (field("num_ancillas", -1), UNREAD, UNREAD),
    "iterations that are no number": (field("needed_iterations", "x"), UNREAD, UNREAD),
    "a gate set that is no text": (field("gates", "\ud800"), UNREAD, PROVED),
    "a wide block": (lambda data, _: data["program"]["space"]["blocks"][0].update(num_qubits=10**7), UNREAD, UNREAD),
    "a fill of no such qubit": (fill([], [99], []), UNREAD, UNREAD),
    "a fill of a qubit twice": (fill([0], [0], []), UNREAD, UNREAD),
    "a fill that leaves none out": (fill([0, 1], [], []), REFUSED, UNREAD),
    "a fill with a bit too many to read": (fill([0], [1], [[2, [0]]]), UNREAD, UNREAD),
    "a fill with a bit too many": (fill([0], [1], [[0, [2]]]), UNREAD, UNREAD),
    "two fills of a qubit": (field("fills", [{"read": [], "unread": [0], "words": [[0, [0, 1]]]}] * 2), UNREAD, UNREAD),
    **{
        f"blocks called {kind!r}": (call_blocks(kind), OPEN, OPEN)
        for kind in ("Binary", "onehot", "one-hot.", "domain_wall", "all-solutions-only", "gray")
    },
    **{
        f"blocks called {kind!r}": (call_blocks(kind), UNREAD, UNREAD)
        for kind in ("", "one hot", "binary\nverdict", "x" * 41, "b\u00ednary")
    },
    "a scale of 0": (problem(scale=0), UNREAD, UNREAD),
    "a scale below 0": (problem(scale=-1), UNREAD, UNREAD),
    "an energy of a variable": (problem(["x"]), PROVED, PROVED),
    "an energy of an unknown variable": (problem(["q"]), UNREAD, OPEN),
}


@pytest.mark.parametrize("name", FILES)
def test_a_changed_file_is_proved_only_where_nothing_is_another(pair, name):
    edit, *statuses = FILES[name]
    path, data = pair
    assert judge(path, data, edit(data, path.read_text())) == tuple(statuses)


@pytest.mark.parametrize(("old", "new"), [("// ", "//\r"), ("\nU(", "\nu(")])
def test_a_changed_text_of_openqasm_3_is_refused(tmp_path, old, new):
    path, data = export(tmp_path, PAIR, suffix=".qasm3")
    assert judge(path, data) == (PROVED, PROVED)
    assert judge(path, data, path.read_text().replace(old, new)) == (REFUSED, REFUSED)


def test_a_field_that_is_there_twice_is_refused(pair, capsys):
    path, data = pair
    text = json.dumps(data).replace('"presolve": "none"', '"presolve": "full", "presolve": "none"')
    path.with_suffix(".cert.json").write_text(text)
    with pytest.raises(InputError, match="twice"):
        gatesolve.verify(path)
    assert RECHECK.main([str(path)]) == UNREAD
    assert "twice" in capsys.readouterr().err


@pytest.mark.sampled(1)
@pytest.mark.parametrize("place", ["program", "oracle"])
def test_ancillas_are_counted_first(tmp_path, place):
    path, data = export(tmp_path, BOARD)
    counted = data["program"] if place == "program" else data["program"]["sections"][1]["oracle"]
    assert counted["num_ancillas"] > 0
    counted["num_ancillas"] = 0
    write(path, data)
    assert verify(path) == UNREAD


@pytest.mark.slow
def test_what_products_may_round_away_is_counted():
    word = ReducedWord(1)
    word.add(Pauli(0, 1), 0.5)
    word.add(Pauli(1, 0), 0.5)
    word.add(Pauli(0, 1), 0.5)
    for _ in range(10_000):
        word.add(Pauli(1, 1, 1), 1e-17)
    assert 2e-12 < word.rounded < 2e-11


@pytest.mark.parametrize("angle", [6283185307179636.0, 1e300, -1e15])
def test_turns_are_reduced_as_by_sine_and_cosine(angle):
    builder, other = FormBuilder(1), FormBuilder(1)
    builder.add_rotation(Pauli(0, 1), angle)
    assert builder.finish().find_difference(other.finish()) is not None
    circuit = QuantumCircuit(1)
    circuit.p(angle, 0)
    assert len(list_steps(circuit)) == 1


def test_claims_tell_what_the_text_leaves_out(tmp_path):
    made = gatesolve.compile(PAIR, presolve="none", level="literal", encoding="binary", iterations=0)
    oracle = {"oracle", "conditions", "structure"}
    for part, absent in (("whole", {*oracle, "blocks"}), ("oracle", {"blocks"})):
        written = gatesolve.export(made, tmp_path / "none.qasm", part)
        found = gatesolve.verify(written.circuit)
        assert (found.status, found.claims) == ("proved", written.claims)
        assert {one.layer for one in found.claims if " leaves these out" in one.detail} == absent


@pytest.mark.parametrize(
    "line", ["xor 0^1 0", "and 0 1 1", "gate cx 0 0", "flip 0 1 / 1", "flip 0 1 / 2 2", "mcx 0 !0", "gate ry 0 =nan"]
)
def test_no_operation_changes_what_it_reads(line):
    with pytest.raises(ValueError, match=r"qubit|reads|operation"):
        read_op(line, 3)


def test_a_variable_twice_in_a_sum_counts_twice():
    assert _sum_words(make_binary(Variable("x", (1, 2))), [(1, "x"), (-1, "x")]) == [0, 0]


def widen(number):
    """So many ancillas that nothing uses, in the text too."""

    def edit(data, text):
        data["program"]["num_ancillas"] = number
        return text.replace("qreg data[2];", f"qreg data[2];\nqreg ancilla[{number}];")

    return edit


def repeat(number):
    """An iteration so often as the certificate says, not the text."""

    def edit(data, text):
        data["program"]["sections"][1]["times"] = number
        data["program"]["needed_iterations"] = str(number)
        return text.replace("1 iteration", f"{number} iterations")

    return edit


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("edit", "statuses"),
    [(widen(15_000), (PROVED, PROVED)), (widen(99_000), (OPEN, OPEN)), (repeat(10**6), (OPEN, OPEN))],
)
def test_large_claims_of_short_texts_take_little(pair, edit, statuses):
    path, data = pair
    assert judge(path, data, edit(data, path.read_text())) == statuses


@pytest.mark.slow
def test_a_flag_may_read_more_blocks_than_python_has_frames(tmp_path):
    size = sys.getrecursionlimit() // 2
    variables = tuple(Variable(f"x{number}", (0, 1, 2)) for number in range(size))
    path, data = export(tmp_path, Model(variables, (Linear(((1, "x0"),), "<=", 1),)), "oracle")
    (condition,) = data["program"]["sections"][1]["oracle"]["conditions"]
    condition["flags"] = [["^".join(str(2 * number) for number in range(size))]]
    write(path, data)
    assert verify(path) == PROVED


def test_half_adders_of_one_value_may_weigh_more_than_a_machine_word(tmp_path):
    variables = tuple(Variable(f"x{number}", (0, 1)) for number in range(24))
    path, data = export(tmp_path, Model(variables, (Linear(((2**61, "x0"),), "<=", 5),)), "oracle")
    (condition,) = data["program"]["sections"][1]["oracle"]["conditions"]
    every = "^".join(map(str, range(24)))
    condition["flags"] = [["-", "0", "0"], ["-", "-1", "-1"], ["-", "-2", "-2"], [every]]
    write(path, data)
    assert verify(path) == PROVED


def test_what_is_printed_is_derived_or_escaped(pair):
    path, data = pair
    data["extent"] = "this circuit is the whole search\nverdict: proved"
    data["problem"]["name"] = "\x1b[2J\nverdict: proved"
    path.with_suffix(".cert.json").write_text(json.dumps(data))
    ended = CliRunner().invoke(app.app, ["verify", str(path)])
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
    write(path, data)
    assert verify(path) == PROVED
    data["problem"]["model"]["constraints"][0]["joins"] = True
    write(path, data)
    assert verify(path) == REFUSED
    claims = {claim.layer: claim for claim in gatesolve.verify(path).claims}
    assert "it differs from the problem's" in claims["model"].detail


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


@pytest.mark.quick("0")
@pytest.mark.parametrize("seed", range(8))
def test_damaged_fields_are_answered_in_one_line(pair, seed):
    path, data = pair
    draw = random.Random(seed)
    for _ in range(60):
        write(path, change(data, draw))
        verify(path)


def test_turns_of_an_early_check_that_lowering_multiplies_are_compared(tmp_path, monkeypatch):
    """A right text whose normal form is not its program's, over 28 qubits, so that no matrix decides."""
    names = ["g0", "g3", "g1", "w1", "w0", "g2"]
    domains = dict(zip(names, [(-3, -1, 4, 9)] * 3 + [(1, 3, 5), (0, 1, 2), (-3, -1, 4, 9)], strict=True))
    rules = AllDifferent(("g0", "g1", "g3", "g2")), Table(("w1", "w0"), ((3, 2), (5, 0), (5, 1), (5, 2)))
    model = Model(tuple(Variable(name, domain) for name, domain in domains.items()), rules)
    path, data = export(tmp_path, model, encoding="one-hot", level="minimised", early_check=True)
    assert [section["name"] for section in data["program"]["sections"]] == ["preparation", "early", "iteration"]
    assert judge(path, data) == (PROVED, OPEN)
    lines = path.read_text().splitlines()
    turned = next(place for place, line in enumerate(lines) if line.startswith("u3(") and place > len(lines) // 3)
    assert judge(path, data, "\n".join((*lines[:turned], *lines[turned + 1 :], ""))) == (REFUSED, REFUSED)
    # Where it would take too long to see what cancels, nothing is refused.
    monkeypatch.setattr("gatesolve.proof.rotations.MOST_LOOKS", 10)
    monkeypatch.setattr(RECHECK, "MOST_LOOKS", 10)
    assert judge(path, data, "\n".join((*lines, ""))) == (OPEN, OPEN)


def test_an_and_with_a_constant_is_no_turn(tmp_path):
    """In this gate set it gives a turn about the identity, which commutes with what it would be multiplied with."""
    model = Model(tuple(Variable(name, (0, 1, 2, 3)) for name in "xy"), (Linear(((1, "x"), (1, "y")), "==", 6),))
    path, data = export(tmp_path, model, gates="clifford+toffoli")
    data["program"]["sections"][0]["ops"].insert(0, "and - 0 1")
    turns = [(0, 0.7), (0.6, 0), (0, 0.9)]
    product = np.eye(2)
    for theta, lam in [(0, -0.7), *turns[1:]]:
        product = UGate(theta, 0, lam).to_matrix() @ product
    theta, phi, lam = OneQubitEulerDecomposer("U3").angles(np.linalg.inv(product))
    # With the first turn the other way, all of them together do nothing.
    lines = [f"u3({theta!r},0,{lam!r}) data[0];" for theta, lam in turns]
    lines += [f"u3({theta!r},{phi!r},{lam!r}) data[0];"]
    found = judge(path, data, path.read_text().replace("h data[0];", "\n".join(["h data[0];", *lines]), 1))
    assert found == (REFUSED, REFUSED)


@pytest.mark.parametrize("identity", [0, 2])
def test_a_turn_about_the_identity_is_a_global_phase(identity):
    builder = FormBuilder(2)
    builder.add_rotation(Pauli(0, 0, identity), 0.7)
    assert builder.finish().layers == ()


@pytest.mark.sampled(0.5)
def test_wide_layers_cancel(tmp_path):
    """Layers of more rotations than are passed to find a partner, and angles that differ by rounding."""
    rules = "; ".join(
        f"a{k} in 0..2; b{k}, c{k}, d{k} in 0..4; a{k} - b{k} != -1; d{k} - 2*a{k} - 2*c{k} <= 2" for k in range(8)
    )
    options = {"encoding": "one-hot", "level": "merged", "gates": "cz+u", "optimize": "t", "iterations": 1}
    made = gatesolve.compile(rules, presolve="none", **options)
    path = gatesolve.export(made, tmp_path / "wide.qasm").circuit
    assert (verify(path), recheck(path)) == (PROVED, OPEN)


@pytest.mark.slow
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
    write(path, data)
    assert verify(path) == PROVED
    write(path, changed, program.qasm2())
    assert verify(path) == REFUSED


def test_words_far_from_their_rotations_are_not_called_equal(tmp_path):
    """A certificate states its own tolerance, so a coarse one must not be one of a proof."""
    chosen = {"presolve": "none", "encoding": "binary", "gates": "clifford+t", "iterations": 1}
    for error, status in ((0.5, "sampled"), (0.005, "proved")):
        compiled = gatesolve.compile("a in 0..16; a == 16", **chosen, rotation_error=error)
        written = gatesolve.export(compiled, tmp_path / "coarse.qasm")
        assert (gatesolve.verify(written.circuit).status, written.is_proved) == (status, status == "proved")


@pytest.mark.parametrize("sign", ["\x08", "\x1a", "\x1b", "\x7f", "\x80"])
def test_control_characters_of_a_name_are_escaped_in_comments(tmp_path, sign):
    name = f"x{sign}z q[0];"
    path, data = export(tmp_path, Model((Variable(name, (0, 1)),), (Linear(((1, name),), "==", 1),)))
    assert f"x\\x{ord(sign):02x}z q[0];" in path.read_text()
    assert judge(path, data) == (PROVED, PROVED)


def test_what_a_record_lists_is_bounded():
    def read(offsets):
        word = format(sum(k << 4 * k for k in range(9)), "x")
        blocks = [
            {
                "kind": "permutation",
                "variables": [f"v{number}_{k}" for k in range(9)],
                "tuples": [[offset + k for k in range(9)]],
                "codewords": [word],
                "num_qubits": 80,
            }
            for number, offset in enumerate(offsets)
        ]
        return structure({"blocks": blocks}, Space, "{}")

    assert len(read([0, 0, 0]).blocks) == 3
    with pytest.raises(InputError, match="permutation blocks of different values have more than 4194304 codewords"):
        read(range(12))

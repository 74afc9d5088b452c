"""The standalone script proves exported circuits from their files, and refuses whatever was changed."""

import ast
import copy
import hashlib
import json
import random
import re
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import cpmpy as cp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kept import exported
from scripts import load_script

import gatesolve
from benchmarks.faults import proof_changes, proof_truth
from gatesolve.circuit import And, Mux, Xor
from gatesolve.programs import replace_section
from gatesolve.puzzles import parse
from gatesolve.simulate import CertificateError

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "circuits/recheck.py"
EXAMPLES = ROOT / "examples"
TENTS = "  1 0 1 0 1\n1 . T . . .\n0 T . . . .\n2 . . . T .\n"
STARS = "stars 1\nABDD\nABDD\nABCD\nACCD\n"
SIX = "box 2x3\n12.5.6\n.56.2.\n.43.1.\n5..4.3\n.61.5.\n2..6.1\n"


@pytest.fixture(scope="module")
def recheck():
    return load_script(SCRIPT)


def write(folder, problem, part="whole", suffix=".qasm", iterations=1, **options):
    options = {"presolve": "none", "level": "literal", "iterations": iterations, **options}
    return exported(folder, problem, part, suffix, **options)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    path = write(tmp_path_factory.mktemp("files"), EXAMPLES / "kakuro/small.txt", encoding="one-hot")
    return path, json.loads(path.with_suffix(".cert.json").read_text())


def run(recheck, capsys, path):
    status = recheck.main([str(path)])
    return status, capsys.readouterr()


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_the_help_begins_with_what_is_proved_and_the_usage(recheck, capsys, flag):
    assert recheck.main([flag]) == 0
    assert "Usage: python circuits/recheck.py board.qasm [board.cert.json]" in capsys.readouterr().out


def rewrite(folder, text, data):
    """A changed pair of files, with the hash of the text set right."""
    path = folder / "board.qasm"
    path.write_text(text)
    data = {**data, "text_sha256": hashlib.sha256(text.encode()).hexdigest()}
    path.with_suffix(".cert.json").write_text(json.dumps(data))
    return path


def test_it_imports_numpy_and_the_standard_library_alone():
    names = {
        name.name.split(".")[0]
        for node in ast.walk(ast.parse(SCRIPT.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([ast.alias(node.module)] if isinstance(node, ast.ImportFrom) else node.names)
    }
    assert names <= {*sys.stdlib_module_names, "numpy"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("encoding", ["one-hot", "binary", "domain-wall", "table"])
@pytest.mark.parametrize(
    "board",
    [EXAMPLES / "kakuro/small.txt", EXAMPLES / "queens/tiny-4x4.txt", TENTS, STARS, SIX],
    ids=["kakuro", "queens", "tents", "stars", "sudoku"],
)
def test_boards_are_proved_at_level_literal(recheck, capsys, tmp_path, board, encoding):
    problem = board if isinstance(board, Path) else parse(board)
    status, printed = run(recheck, capsys, write(tmp_path, problem, encoding=encoding))
    assert (status, printed.out.count(": proved")) == (0, 9), printed.out


@pytest.mark.sampled(1)
@pytest.mark.quick("binary-stars")
@pytest.mark.parametrize(
    "board",
    [TENTS, STARS, SIX, (EXAMPLES / "starbattle/tolleson-9x9-2.txt").read_text(encoding="utf-8")],
    ids=["tents", "stars", "sudoku", "two-stars"],
)
@pytest.mark.parametrize("encoding", ["one-hot", "binary"])
def test_boards_are_proved_at_level_merged(recheck, capsys, tmp_path, board, encoding):
    """Of two stars a row, neighbours in it are a part of a square that has one at most."""
    status, printed = run(recheck, capsys, write(tmp_path, parse(board), encoding=encoding, level="merged"))
    assert status == 0, printed.out


@pytest.mark.quick(1)
@pytest.mark.parametrize("options", [{"gates": "clifford+t"}, {"optimize": "depth"}, {"optimize": "qubits"}])
def test_other_gates_and_objectives_are_never_refused(recheck, capsys, tmp_path, options):
    path = write(tmp_path, EXAMPLES / "kakuro/small.txt", encoding="binary", iterations=2, **options)
    status, printed = run(recheck, capsys, path)
    assert status in {0, 3}, printed.out


@pytest.mark.quick(2)
@pytest.mark.parametrize("gates", ["cx+u", "cz+u", "clifford+toffoli"])
@pytest.mark.parametrize(("part", "suffix"), [("oracle", ".qasm"), ("whole", ".qasm3")])
def test_one_oracle_call_and_openqasm_3_are_proved(recheck, capsys, tmp_path, part, suffix, gates):
    path = write(tmp_path, EXAMPLES / "kakuro/small.txt", part, suffix, encoding="binary", gates=gates)
    assert run(recheck, capsys, path)[0] == 0


def with_choices(ops):
    """Each AND and the parity added to it as one choice, and their inverse as its inverse."""
    found, left = [], list(ops)
    while left:
        match left:
            case [And(first, second, target), Xor(rest, same), *left] if same == target:
                found.append(Mux(second, first ^ rest, rest, target))
            case [Xor(rest, target), And(first, second, same, True), *left] if same == target:
                found.append(Mux(second, first ^ rest, rest, target).inverse())
            case [op, *left]:
                found.append(op)
    return tuple(found)


def test_choices_are_proved_by_both_checkers(recheck, capsys, tmp_path):
    model = cp.Model(cp.sum(cp.boolvar(shape=7)) == 3)
    compiled = gatesolve.compile(model, presolve="none", encoding="binary", level="literal", iterations=1)
    section = compiled.program.section("iteration")
    number, ops = len(section.oracle.ops), with_choices(section.oracle.ops)
    oracle = replace(section.oracle, ops=ops, lowered=None, alternatives=())
    section = replace(section, ops=(*ops, *section.ops[number:]), oracle=oracle)
    made = replace(compiled, program=replace_section(compiled.program, section))
    for part in ("whole", "oracle"):
        path = gatesolve.export(made, tmp_path / f"{part}.qasm", part).circuit
        assert gatesolve.verify(path).status == "proved"
        assert run(recheck, capsys, path)[0] == 0
    place = path.with_suffix(".cert.json")
    choice = next(line for line in json.loads(place.read_text())["program"]["sections"][1]["ops"] if line[:4] == "mux ")
    name, first, yes, no, target = choice.split(" ")
    for changed in (f"{name} {first} {no} {yes} {target}", f"{name} {yes} {first} {no} {target}"):
        place.with_name("changed.cert.json").write_text(place.read_text().replace(choice, changed))
        place.with_name("changed.qasm").write_text(path.read_text())
        assert gatesolve.verify(place.with_name("changed.qasm")).status == "refused"
        assert run(recheck, capsys, place.with_name("changed.qasm"))[0] == 1


def test_a_model_is_taken_from_the_certificate(recheck, capsys, tmp_path):
    x, y, z = cp.intvar(-2, 3, shape=3, name="x")
    model = cp.Model([cp.AllDifferent([x + 1, y, z - 2]), 2 * x - y + z <= 3, x != z])
    assert run(recheck, capsys, write(tmp_path, model, encoding="binary"))[0] == 0


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("board", "options"),
    [
        ("sudoku/inkala-2012.txt", {"encoding": "one-hot"}),
        ("sudoku/inkala-2012.txt", {"encoding": "table"}),
        ("kakuro/newspaper-17x17.txt", {}),
        ("starbattle/krazydad-10x10-2.txt", {}),
        ("queens/linkedin-8x8.txt", {"encoding": "one-hot"}),
        ("tents/sgt-15x15dt-2.txt", {}),
        *(product(("kakuro/contest.txt", "queens/tiny-4x4.txt"), ({"level": "merged"}, {"level": "minimised"}))),
    ],
)
def test_full_boards_and_joined_conditions_of_small_ones_are_proved(recheck, capsys, tmp_path, board, options):
    status, printed = run(recheck, capsys, write(tmp_path, EXAMPLES / board, **{"encoding": "binary", **options}))
    assert status == 0, printed.out


def test_too_many_partial_results_are_left(recheck, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(recheck, "MOST_STATES", 5)
    status, printed = run(recheck, capsys, write(tmp_path, EXAMPLES / "kakuro/contest.txt", encoding="binary"))
    assert status == 3
    assert "conditions: open" in printed.out


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(4))
def test_no_changed_file_is_proved_that_is_another_circuit(recheck, capsys, tmp_path, files, seed):
    changes, truth = proof_changes, proof_truth
    draw, (path, data) = random.Random(seed), files
    text, found = path.read_text(), set()
    edits = ["a gate dropped", "a gate twice", "two gates exchanged", "another qubit", "an angle off by a millionth"]
    for name in edits * 3:
        changed = changes.edit_text(text, changes.WRONG[name], draw)
        status, printed = run(recheck, capsys, rewrite(tmp_path, changed, data))
        assert status == 1 or truth.is_same_text(text, changed, seed) is not False, printed.out
        found.add(status)
    for _ in range(15):
        changed = changes.change_op(data, data, draw)
        status, printed = run(recheck, capsys, rewrite(tmp_path, text, changed))
        assert status in {1, 2, 3} or truth.does_program_match(text, changed), printed.out
        found.add(status)
    assert 1 in found


CHANGES = {
    "board": lambda d: d["problem"].update(text=d["problem"]["text"].replace("3", "4", 1)),
    "space": lambda d: d["program"]["space"]["blocks"][0]["codewords"].reverse(),
    "conditions": lambda d: oracle(d)["conditions"].pop(),
    "structure": lambda d: d["program"]["sections"][1]["ops"].pop(0),
    "blocks": lambda d: d["program"]["sections"][0]["ops"].pop(),
    "text": lambda d: d["program"].update(level="merged"),
}


def oracle(data):
    return data["program"]["sections"][1]["oracle"]


@pytest.mark.parametrize("layer", CHANGES)
def test_a_changed_certificate_is_refused_in_its_layer(recheck, capsys, tmp_path, files, layer):
    path, data = files
    changed = copy.deepcopy(data)
    CHANGES[layer](changed)
    status, printed = run(recheck, capsys, rewrite(tmp_path, path.read_text(), changed))
    assert status == 1, printed.out
    if layer != "space":  # codewords in another order are as good, but not those of the legend
        assert f"{layer}: refused" in printed.out, printed.out


def test_a_wrong_rule_is_refused(recheck, capsys, tmp_path):
    path = write(tmp_path, EXAMPLES / "kakuro/small.txt", encoding="binary")
    data = json.loads(path.with_suffix(".cert.json").read_text())
    rule = next(iter(data["rules"].values()))
    rule[len(rule) // 2] = "flip 0"
    status, printed = run(recheck, capsys, rewrite(tmp_path, path.read_text(), data))
    assert status == 1
    assert "rules: refused" in printed.out


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"gatesolve_certificate": 1}', "\x00\xff"])
def test_damaged_files_are_told_in_one_line(recheck, capsys, tmp_path, files, content):
    path = tmp_path / "board.qasm"
    path.write_text(files[0].read_text())
    path.with_suffix(".cert.json").write_text(content)
    status, printed = run(recheck, capsys, path)
    assert (status, printed.out, printed.err.count("\n")) == (2, "", 1)


def test_the_command_runs_by_itself(tmp_path, files):
    done = subprocess.run([sys.executable, SCRIPT, files[0]], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("verdict: proved\n")
    done = subprocess.run([sys.executable, SCRIPT, tmp_path / "none.qasm"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_tables_with_names_cut_short_are_told_apart(recheck):
    rows = [{"kind": "table", "variables": ["x", "y"], "tuples": [[0, k]], "source": "table(...)"} for k in (0, 1)]
    variables = [{"name": name, "domain": [0, 1]} for name in "xy"]
    _, found = recheck.read_model({"variables": variables, "constraints": [*rows, rows[0]]})
    assert {name: len(group) for name, group in found.items()} == {"table(...)": 2}


def make_unequal():
    x, y = cp.intvar(0, 1, name="x"), cp.intvar(-1, 2, name="y")
    return cp.Model([y != x])


@pytest.mark.parametrize("encoding", ["binary", "domain-wall", "one-hot"])
def test_a_sign_of_all_states_is_a_global_phase(recheck, capsys, tmp_path, encoding):
    path = write(tmp_path, make_unequal(), encoding=encoding)
    assert run(recheck, capsys, path)[0] == 0
    if encoding == "one-hot":  # its flip has one factor, the complement of which is a global phase away
        return
    data = json.loads(path.with_suffix(".cert.json").read_text())
    ops = data["program"]["sections"][1]["ops"]
    place = next(k for k, op in enumerate(ops) if len(op.split()) > 1 and op.startswith("flip"))
    for changed in ("flip 0", ops[place].replace("flip ", "flip !", 1).replace("!!", "")):
        ops[place] = changed
        status, printed = run(recheck, capsys, rewrite(tmp_path, path.read_text(), data))
        assert status == 1, printed.out
        assert "structure: refused" in printed.out


SMALL, CONTEST = EXAMPLES / "kakuro/small.txt", EXAMPLES / "kakuro/contest.txt"
WORDS = {"gates": "clifford+t", "encoding": "domain-wall"}
LEFT = {
    "classical": (SMALL, {"oracle": "classical", "encoding": "one-hot"}, "structure: open: no oracle of constraints"),
    "presolve": (CONTEST, {"presolve": "propagate"}, "board: open: the model is what 'propagate' left of the problem"),
    "clause": (cp.Model(cp.any([cp.boolvar(name=name) for name in "xyz"])), {}, "verdict: open"),
    "takuzu": (EXAMPLES / "takuzu/small.txt", {}, "board: open"),
    "tango": (EXAMPLES / "tango/small.txt", {}, "board: open"),
    "galaxies": (EXAMPLES / "galaxies/tiny-3x3.txt", {}, "board: open"),
    "early": (CONTEST, {"early_check": True, "iterations": None}, "blocks: open: only of a plain search"),
    "exact": (SMALL, {"exact": True, "iterations": None}, "blocks: open: a first iteration with matched"),
    "words": (EXAMPLES / "sudoku/small.txt", WORDS, "text: open: rotations that"),
    "coarse words": (EXAMPLES / "sudoku/small.txt", {**WORDS, "rotation_error": 0.01}, "text: open: rotations that"),
}


@pytest.mark.sampled(2)
@pytest.mark.quick("classical", "presolve", "clause")
@pytest.mark.parametrize("name", LEFT)
def test_right_files_that_are_not_followed_are_open(recheck, capsys, tmp_path, name):
    board, options, left = LEFT[name]
    status, printed = run(recheck, capsys, write(tmp_path, board, **{"encoding": "binary", **options}))
    assert status == 3, printed.out
    assert left in printed.out
    if left == "board: open":
        assert [line.split(":")[0] for line in printed.out.splitlines() if ": proved" not in line] == [
            "board",
            "verdict",
        ]


@pytest.mark.parametrize("layers", [1, 2])
def test_texts_of_qaoa_are_proved(recheck, capsys, tmp_path, layers):
    x, y = cp.intvar(0, 1, name="x"), cp.intvar(0, 2, name="y")
    model = cp.Model([y >= 0], maximize=2 * y - x)
    made = gatesolve.compile(model, presolve="none", encoding="binary", pipeline="qaoa", layers=layers, angles="ramp")
    written = gatesolve.export(made, tmp_path / "board.qasm")
    assert next(claim for claim in written.claims if claim.layer == "text").status == "proved"
    status, printed = run(recheck, capsys, written.circuit)
    assert status == 3
    assert "text: proved" in printed.out, printed.out
    text = written.circuit.read_text()
    number = re.search(r"u3\((\d\.\d+)", text)[1]
    data = json.loads(written.certificate.read_text())
    changed = rewrite(tmp_path, text.replace(number, str(float(number) + 1e-6), 1), data)
    assert gatesolve.verify(changed).status == "refused"
    assert run(recheck, capsys, changed)[0] == 1


RELATIONS = {"==": "__eq__", "!=": "__ne__", "<=": "__le__", ">=": "__ge__"}


@st.composite
def draw_models(draw):
    """Models of two or three variables: negative and single values, constraints that always or never hold, or twice."""
    lows = draw(st.lists(st.integers(-2, 2), min_size=2, max_size=3))
    names = [cp.intvar(low, low + draw(st.integers(0, 3)), name="xyz"[k]) for k, low in enumerate(lows)]
    constraints = []
    for _ in range(draw(st.integers(1, 3))):
        weights = draw(st.lists(st.sampled_from([-2, -1, 0, 1, 2]), min_size=len(names), max_size=len(names)))
        total = sum(weight * name for weight, name in zip(weights, names, strict=True) if weight)
        relation = RELATIONS[draw(st.sampled_from([*RELATIONS]))]
        if any(weights):
            constraints.append(getattr(total, relation)(draw(st.integers(-5, 5))))
    repeated = constraints[:1] if draw(st.booleans()) else []
    return cp.Model([*constraints, *repeated, names[0] >= lows[0]])


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    draw_models(),
    st.sampled_from(["one-hot", "binary", "domain-wall", "table"]),
    st.sampled_from(["literal", "merged", "minimised"]),
    st.sampled_from(["cx+u", "cz+u", "clifford+t"]),
    st.sampled_from([{}, {"exact": True}, {"early_check": True}, {"measured": True}]),
    st.sampled_from(["none", "propagate"]),
    st.sampled_from([("whole", ".qasm3"), ("oracle", ".qasm3")]),
)
def test_no_file_that_is_written_is_refused(recheck, tmp_path, model, encoding, level, gates, more, presolve, form):
    options = {"encoding": encoding, "level": level, "gates": gates, "presolve": presolve, **more}
    try:
        made = gatesolve.compile(model, **options)
    except gatesolve.GatesolveError as error:
        if isinstance(error, CertificateError):
            raise
        return
    path = gatesolve.export(made, tmp_path / f"board{form[1]}", form[0]).circuit
    status = gatesolve.verify(path).status
    assert status == "proved" if presolve == "none" and not more else status in {"proved", "sampled"}
    assert recheck.main([str(path)]) in {0, 3}


@pytest.mark.sampled(0.3)
def test_rules_that_toggle_what_they_borrow_are_multiplied_out(recheck, tmp_path):
    path = write(tmp_path, STARS, encoding="binary", optimize="qubits", part="oracle", suffix=".qasm")
    data = json.loads(path.with_suffix(".cert.json").read_text())
    line, parts = next((line, parts) for line, parts in data["rules"].items() if parts[0].startswith("gate"))
    recheck.Recheck(path.read_text(), data).rules()
    for changed in (parts[1:], [*parts, "gate z 0"]):
        data["rules"][line] = changed
        with pytest.raises(recheck.Refused):
            recheck.Recheck(path.read_text(), data).rules()


@pytest.mark.sampled(0.5)
def test_data_qubits_lent_to_the_reflection_are_shown_to_be_zero(recheck, capsys, tmp_path):
    path = write(tmp_path, EXAMPLES / "kakuro/contest.txt", encoding="table", optimize="t_depth")
    data = json.loads(path.with_suffix(".cert.json").read_text())
    reflection = [one for one in data["program"]["sections"][1]["ops"] if one.startswith("flip")][-1]
    size = sum(block["num_qubits"] for block in data["program"]["space"]["blocks"])
    assert any(int(word) < size for word in reflection.split(" / ")[1].split())
    assert run(recheck, capsys, path)[0] == 0

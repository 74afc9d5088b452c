"""Files that a stranger made up: none is proved that is another circuit, and each is answered in one line."""

import copy
import hashlib
import json
import math
from pathlib import Path

import pytest
from scripts import load_script

import gatesolve
from gatesolve.model import Linear, Model, Variable

SCRIPT = Path(__file__).parents[2] / "circuits/recheck.py"
BOARD = Path(__file__).parents[2] / "examples/kakuro/small.txt"
PAIR = Model(tuple(Variable(name, (0, 1)) for name in "xy"), (Linear(((1, "x"), (1, "y")), "==", 2),))


@pytest.fixture(scope="module")
def recheck():
    return load_script(SCRIPT)


def write(folder, problem, suffix=".qasm", **options):
    options = {"presolve": "none", "level": "literal", "encoding": "binary", "iterations": 1, **options}
    path = gatesolve.export(gatesolve.compile(problem, **options), folder / f"board{suffix}").circuit
    return path, json.loads(path.with_suffix(".cert.json").read_text())


def judge(recheck, capsys, path, data, text=None):
    """The exit status of a changed pair of files, hashes set right; a file that cannot be read gives one line."""
    if text is not None:
        path.write_text(text)
    data["text_sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_suffix(".cert.json").write_text(json.dumps(data))
    status = recheck.main([str(path)])
    printed = capsys.readouterr()
    assert printed.err.count("\n") == (status == 2), printed.err
    assert status in {0, 1, 2, 3}
    assert ("verdict: proved" in printed.out.split("\n")) == (status == 0), printed.out
    return status


@pytest.fixture
def pair(tmp_path):
    path, data = write(tmp_path, PAIR)
    return path, data, data["program"]["model"]


def test_a_constraint_on_an_unknown_variable_is_refused(recheck, capsys, tmp_path):
    model = gatesolve.compile(BOARD, presolve="none", level="literal", encoding="binary").model
    more = Linear(((1, model.variables[0].name),), "==", 0)
    path, data = write(tmp_path, Model(model.variables, (*model.constraints, more)))
    _, honest = write(tmp_path / "..", BOARD)
    ghost = {"kind": "linear", "terms": [[1, model.variables[0].name], [1, "ghost"]], "relation": "==", "bound": 0}
    place = [one["terms"] for one in data["program"]["model"]["constraints"] if one["kind"] == "linear"]
    assert place[-1] == [[1, model.variables[0].name]]
    data["program"]["model"]["constraints"][-1] = ghost
    data["problem"] = honest["problem"]
    for record in data["program"]["sections"][1]["oracle"]["conditions"]:
        record["label"] = record["label"].replace(str(more), f"{model.variables[0].name} + ghost == 0")
    assert judge(recheck, capsys, path, data) == 2


NOTHING = {
    "a kind with the name of one of ours": {"kind": "different"},
    "a kind that is not known": {"kind": "frobnicate", "variables": ["x", "y"]},
    "a bound that is no whole number": {"kind": "linear", "terms": [[1, "x"]], "relation": "==", "bound": 0.5},
    "a bound of two kinds": {"kind": "linear", "terms": [[1, "x"]], "relation": "<=", "bound": True},
    "no row and no variable": {"kind": "table", "variables": [], "tuples": [], "source": "", "joins": False},
    "rows of other lengths": {
        "kind": "table",
        "variables": ["x"],
        "tuples": [[0, 0], [1]],
        "source": "",
        "joins": False,
    },
    "an unknown field": {"kind": "not-equal", "left": "x", "right": "y", "offset": 5, "unless": "z"},
    "a variable twice": {"kind": "all-different", "variables": ["x", "x"]},
    "an unknown relation": {"kind": "linear", "terms": [], "relation": "~", "bound": 0},
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_constraint_that_asks_nothing_is_not_proved(recheck, capsys, pair, name):
    path, data, model = pair
    model["constraints"].append(NOTHING[name])
    data["problem"]["model"] = model
    assert judge(recheck, capsys, path, data) != 0


def test_an_empty_table_never_holds(recheck):
    _, found = recheck.read_model({"variables": [], "constraints": [NOTHING["no row and no variable"]]})
    ((constraint,),) = found.values()
    assert not recheck.holds(constraint, 0)


@pytest.mark.parametrize("domains", [[[0], [0, 1], [0, 1]], [[0, 1, 1], [0, 1]], [[], [0, 1]], [[0, True], [0, 1]]])
def test_variables_have_one_name_and_sorted_values(recheck, capsys, pair, domains):
    path, data, model = pair
    model["variables"] = [
        {"name": name, "domain": one} for name, one in zip("xyx"[-len(domains) :], domains, strict=True)
    ]
    model["variables"][0]["name"] = "x" if len(domains) == 2 else "y"
    data["problem"]["model"] = model
    assert judge(recheck, capsys, path, data) == 2


def test_a_field_that_is_there_twice_is_refused(recheck, capsys, pair):
    path, data, _ = pair
    place = path.with_suffix(".cert.json")
    place.write_text(json.dumps(data).replace('"presolve": "none"', '"presolve": "full", "presolve": "none"'))
    assert recheck.main([str(path)]) == 2
    assert "twice" in capsys.readouterr().err


def test_the_oracle_of_the_preparation_is_not_that_of_the_iteration(recheck, capsys, tmp_path):
    """No state is a solution; the preparation has an oracle that marks none, the iteration one that marks 00."""
    path, data = write(tmp_path, PAIR)
    preparation, iteration = data["program"]["sections"]
    data["program"]["model"]["constraints"] = [{"kind": "linear", "terms": [], "relation": "==", "bound": 1}]
    data["problem"]["model"] = data["program"]["model"]
    ours = iteration["oracle"]
    reflection = iteration["ops"][ours["length"] :]
    data["program"]["num_ancillas"] = ours["num_ancillas"] = 0
    ours["conditions"] = [{"label": " == 1", "flags": [], "factors": ["-"]}]
    preparation["oracle"] = {**ours, "length": 2}
    preparation["ops"][:0] = ["gate x 0", "gate x 0"]
    iteration["ops"] = ["gate x 0", "flip !0 !1", *reflection]
    iteration["ops"] = [line.partition(" /")[0] for line in iteration["ops"]]
    data["rules"] = {}
    assert judge(recheck, capsys, path, data, rewrite_text(path, data)) != 0


def rewrite_text(path, data):
    """The text of a certificate's operations: X, CX, H and flips of two qubits."""
    lines = [
        line for line in path.read_text().split("\n") if line.startswith(("OPEN", "//", "incl", "qreg data", "creg"))
    ]
    for section in data["program"]["sections"]:
        for line in section["ops"]:
            kind, *words = line.split()
            if kind == "gate":
                lines.append(f"{words[0]} " + ", ".join(f"data[{word}]" for word in words[1:]) + ";")
                continue
            flipped = [f"x data[{word[1:]}];" for word in words if word[0] == "!"]
            control, target = (word.strip("!") for word in words)
            lines += [
                *flipped,
                f"h data[{target}];",
                f"cx data[{control}],data[{target}];",
                f"h data[{target}];",
                *flipped,
            ]
    lines += [f"measure data[{k}] -> measured[{k}];" for k in range(2)]
    return "\n".join(lines) + "\n"


TURNS = {
    "many turns": "u3(6283185307179636.0,0,0)",
    "more turns": "u3(0,1e300,0)",
    "a millionth": "u3(1e-6,0,0)",
    "no number": "u3(1e999,0,0)",
    "a fraction that OpenQASM 3 rounds down": "u3(1/1,-1.0,0)",
    "a digit of another script": "u3(0,٣,-3.0)",
}


@pytest.mark.parametrize("name", TURNS)
def test_no_turn_is_taken_for_none(recheck, capsys, pair, name):
    path, data, _ = pair
    text = path.read_text().replace("\nmeasure", f"\n{TURNS[name]} data[0];\nmeasure", 1)
    assert judge(recheck, capsys, path, data, text) == 1


def test_whole_turns_are_none(recheck, capsys, pair):
    path, data, _ = pair
    text = path.read_text().replace("\nmeasure", f"\nu3({4 * math.pi!r},2*pi,-{20 * math.pi!r}) data[0];\nmeasure", 1)
    assert judge(recheck, capsys, path, data, text) == 0


def test_small_turns_add_up(recheck, capsys, pair):
    path, data, _ = pair
    turns = "\nu3(9e-10,0,0) data[0];"
    text = path.read_text()
    assert judge(recheck, capsys, path, data, text.replace("\nmeasure", f"{turns}\nmeasure", 1)) == 0
    assert judge(recheck, capsys, path, data, text.replace("\nmeasure", f"{turns * 1000}\nmeasure", 1)) == 1


@pytest.mark.parametrize("suffix", [".qasm", ".qasm3"])
def test_a_carriage_return_in_a_comment_is_refused(recheck, capsys, tmp_path, suffix):
    path, data = write(tmp_path, PAIR, suffix)
    text = path.read_text()
    assert judge(recheck, capsys, path, data, text) == 0
    path.write_bytes(text.replace("// ", "//\r", 1).encode())
    assert judge(recheck, capsys, path, data) == 1


def test_a_huge_turn_in_the_preparation_is_another_one(recheck, capsys, pair):
    path, data, _ = pair
    data["program"]["sections"][0]["ops"].append("gate ry 0 =6283185307179636.0")
    assert judge(recheck, capsys, path, data) == 1


@pytest.mark.parametrize("times", [0, 2, -1, True, 1.0])
def test_the_preparation_is_done_once(recheck, capsys, pair, times):
    path, data, _ = pair
    data["program"]["sections"][0]["times"] = times
    assert judge(recheck, capsys, path, data) in {1, 2}


@pytest.mark.parametrize(
    "text", ["values 0..999999999\n# 3\\\n# .\n", "values 0..3\n#   3\\  4\\\n\\3  .   .\n\\4  .   . .\n"]
)
def test_other_boards_are_left_open(recheck, capsys, tmp_path, text):
    path, data = write(tmp_path, BOARD)
    data["problem"]["text"] = text
    assert judge(recheck, capsys, path, data) == 3


def test_what_is_printed_steers_no_terminal(recheck, capsys, tmp_path, pair):
    path, data, _ = pair
    changed = copy.deepcopy(data)
    changed["presolve"] = "full\x1b[2J'\nverdict: proved\n"
    judge(recheck, capsys, path, changed)
    changed = copy.deepcopy(data)
    changed["program"]["model"]["variables"][0]["name"] = "x\x1b]0;\u202e\nverdict: proved"
    path.with_suffix(".cert.json").write_text(json.dumps(changed))
    assert recheck.main([str(path)]) == 2
    printed = capsys.readouterr()
    assert "\x1b" not in printed.err + printed.out
    assert "verdict: proved" not in printed.out.split("\n")


def test_a_long_table_is_read_row_by_row(recheck, capsys, tmp_path):
    path, data = write(tmp_path, PAIR)
    rows = [[k, k] for k in range(20_000)]
    table = {"kind": "table", "variables": ["x", "y"], "tuples": rows, "source": "", "joins": False}
    for one in (data["problem"], data["program"]):
        one["model"]["constraints"].append(table)
    assert judge(recheck, capsys, path, data) == 1


def test_no_matrix_is_made_of_many_qubits_for_few_gates(recheck, capsys, tmp_path):
    """Forms without rotations differ: the number of gates limits no matrix then."""
    model = Model(tuple(Variable(f"x{k}", (0, 1)) for k in range(40)), (Linear(((1, "x0"),), "==", 1),))
    compiled = gatesolve.compile(model, presolve="none", level="literal", encoding="binary")
    path = gatesolve.export(compiled, tmp_path / "board.qasm", "oracle").circuit
    data, lines = json.loads(path.with_suffix(".cert.json").read_text()), path.read_text().splitlines(keepends=True)
    kept = [line for line in lines if line.startswith(("OPENQASM", "//", "include", "qreg"))]
    assert judge(recheck, capsys, path, data, "".join(kept)) == 1
    assert gatesolve.verify(path).claims[-1].layer == "text"
    assert gatesolve.verify(path).status == "refused"

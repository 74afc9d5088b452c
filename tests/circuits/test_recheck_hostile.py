"""Files that a stranger made up: none is proved that is another circuit, and each is answered in one line."""

import copy
import hashlib
import json
import math
from pathlib import Path

import pytest
from kept import exported
from scripts import load_script

import gatesolve
from gatesolve.model import Clause, Linear, Model, NotEqual, Table, Variable

SCRIPT = Path(__file__).parents[2] / "circuits/recheck.py"
BOARD = Path(__file__).parents[2] / "examples/kakuro/small.txt"
PAIR = Model(tuple(Variable(name, (0, 1)) for name in "xy"), (Linear(((1, "x"), (1, "y")), "==", 2),))


@pytest.fixture(scope="module")
def recheck():
    return load_script(SCRIPT)


def write(folder, problem, suffix=".qasm", **options):
    options = {"presolve": "none", "level": "literal", "encoding": "binary", "iterations": 1, **options}
    path = exported(folder, problem, suffix=suffix, **options)
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


OTHERS = [
    ("kakuro", "values 0..999999999\n# 3\\\n# .\n"),
    ("kakuro", "values 0..3\n#   3\\  4\\\n\\3  .   .\n\\4  .   . .\n"),
    ("kakuro", "# 3\\ 4\\\n\\3 . .\n# . .\n"),  # a run without a sum
    ("kakuro", "# 3\\ 4\\\n\\3 . .\n\\4 . .\n# 3\\ #\n"),  # a sum without cells
    ("kakuro", "# 3\\ 4\\ #\n\\3 . . #\n\\4 . . #\n# # # .\n"),  # a cell in no run
    ("kakuro", "# 3\\ 4\\\n\\3 . .\n\\4 . .\n# \\ #\n"),  # no sum beside the stroke
    ("queens", "ttttt\ntorus\nooooo\nsssss\nrrrrr\n"),
    ("queens", "stars 1\nABDD\nABDD\nABCD\nACCD\n"),
    ("queens", "Q\n"),
    ("starbattle", "bbbbb\nboard\nooooo\naaaaa\nrrrrr\n"),
    ("starbattle", "stars 0\nA\n"),
    ("starbattle", "stars 1\nAB\nBA\n"),  # regions in pieces
    ("kakuro", "# 3\\\n\\3 .\n"),  # no run of two cells
    ("kakuro", "\n"),
    ("kakuro", "values 3..1\n# 3\\ 4\\\n\\3 . .\n\\4 . .\n"),
    ("tents", "1 0\n? . .\n"),  # no tree
    ("tents", "1 0\n? T .\n"),  # a tent where there is no place
    ("tents", "\n0\n"),
]
OTHERS += [
    ("kakuro", text.replace("@", sign))
    for sign in "\r\x0b\x0c\x1c\x1e\x85\u2028\t\xa0"
    for text in ("# 3\\ 4\\@\\3 . .\n\\4 . .\n", "# 3\\@4\\\n\\3 . .\n\\4 . .\n")
]


@pytest.mark.parametrize(("family", "text"), OTHERS)
def test_other_boards_are_left_open(recheck, capsys, tmp_path, family, text):
    path, data = write(tmp_path, BOARD)
    data["problem"].update(family=family, text=text)
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


def change(data, **found):
    data["program"].update(found)
    return data


@pytest.mark.parametrize("encoding", ["binary", "table"])
def test_a_table_joined_from_several_constraints_is_not_literal(recheck, capsys, tmp_path, encoding):
    table = Table(("x", "y"), ((0, 1), (1, 0)), joins=True)
    path, data = write(tmp_path, Model(PAIR.variables, (table,)), encoding=encoding)
    assert data["program"]["level"] == "classical"
    for level, status in (("classical", 0), ("literal", 1), ("merged", 3), ("minimised", 3)):
        text = path.read_text().replace(f"level {data['program']['level']};", f"level {level};")
        assert judge(recheck, capsys, path, change(data, level=level), text) == status


FILLS = {
    "no such qubit": {"read": [], "unread": [99], "words": []},
    "a qubit twice": {"read": [0], "unread": [0], "words": []},
    "none left out": {"read": [0, 1], "unread": [], "words": []},
    "a bit too many to read": {"read": [0], "unread": [1], "words": [[2, [0]]]},
    "a bit too many to fill in": {"read": [0], "unread": [1], "words": [[0, [2]]]},
}


@pytest.mark.parametrize("name", FILLS)
def test_what_is_filled_in_fits_the_qubits(recheck, capsys, pair, name):
    path, data, _ = pair
    told = ", ".join(f"data[{q}]" for q in FILLS[name]["unread"])
    line = f"// read by no constraint and zero here, any codeword that fits: {told}".strip()
    text = path.read_text().replace("include", f"{line}\ninclude", 1)
    assert judge(recheck, capsys, path, change(data, fills=[FILLS[name]]), text) == 2


def test_two_fills_share_no_qubit(recheck, capsys, pair):
    path, data, _ = pair
    fills = [{"read": [], "unread": [0], "words": [[0, [0, 1]]]}] * 2
    assert judge(recheck, capsys, path, change(data, fills=fills)) == 2


@pytest.mark.parametrize("kind", ["Binary", "onehot", "one-hot.", "domain_wall", "all-solutions-only"])
def test_other_names_than_those_of_encodings_are_left_open(recheck, capsys, pair, kind):
    path, data, _ = pair
    for block in data["program"]["space"]["blocks"]:
        block["kind"] = kind
    assert judge(recheck, capsys, path, data, path.read_text().replace(" binary ", f" {kind} ")) == 3


def test_the_values_of_an_encoding_are_in_their_order(recheck, capsys, tmp_path):
    """The condition is x == 1; with the values exchanged the same circuit would be one of x == 2."""
    made = [Model((Variable("x", (0, 1, 2, 3)),), (Linear(((1, "x"),), "==", k),)) for k in (1, 2)]
    path, data = write(tmp_path, made[0])
    for model in (data["problem"]["model"], data["program"]["model"]):
        model["constraints"][0]["bound"] = 2
    data["program"]["sections"][1]["oracle"]["conditions"][0]["label"] = str(made[1].constraints[0])
    block = data["program"]["space"]["blocks"][0]
    assert block["kind"] == "binary"
    block["tuples"] = [[0], [2], [1], [3]]
    text = path.read_text().replace("01=1, 10=2", "01=2, 10=1")
    assert judge(recheck, capsys, path, data, text) == 1
    block["kind"] = "table"
    assert judge(recheck, capsys, path, data, text.replace(" binary ", " table ")) == 0


@pytest.mark.parametrize("suffix", [".qasm", ".qasm3"])
def test_a_gate_that_no_header_defines_is_refused(recheck, capsys, tmp_path, suffix):
    path, data = write(tmp_path, PAIR, suffix)
    text, gate = path.read_text(), "U" if suffix == ".qasm3" else "u3"
    assert f"\n{gate}(" in text
    assert judge(recheck, capsys, path, data, text.replace(f"\n{gate}(", "\nu(")) == 1


@pytest.mark.parametrize("sign", ["\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\0", "\x1b"])
def test_no_comment_ends_before_its_line(recheck, capsys, pair, sign):
    path, data, _ = pair
    text = path.read_text().replace("\ninclude", f"{sign}\ninclude", 1)
    assert judge(recheck, capsys, path, data, text) == (1 if sign.isspace() else 3)


def test_one_oracle_call_tells_no_iterations(recheck, capsys, tmp_path):
    compiled = gatesolve.compile(PAIR, presolve="none", level="literal", encoding="binary", iterations=2)
    path = gatesolve.export(compiled, tmp_path / "board.qasm", "oracle").circuit
    data = change(json.loads(path.with_suffix(".cert.json").read_text()), needed_iterations="99999")
    text = "\n".join(line for line in path.read_text().split("\n") if "planned" not in line)
    assert judge(recheck, capsys, path, data, text) == 0
    told = "// this circuit is the preparation and 2 iterations of 99999 planned\n"
    assert judge(recheck, capsys, path, data, text.replace("include", f"{told}include", 1)) == 1


RIGHT = {
    "a variable twice": NotEqual("x", "x", 1),
    "a row with a variable twice": Table(("x", "x", "y"), ((0, 1, 0), (1, 1, 1))),
    "a large number": Clause((("x", frozenset({1, 1 << 70})),)),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_models_that_are_not_followed_are_open(recheck, capsys, tmp_path, name):
    path, data = write(tmp_path, Model(PAIR.variables, (RIGHT[name], *PAIR.constraints)))
    assert judge(recheck, capsys, path, data) == 3


@pytest.mark.parametrize(("change_", "status"), [({"scale": 0}, 2), ({"qubo": ["q"]}, 3), ({"qubo": ["x"]}, 0)])
def test_a_qubo_is_over_the_variables(recheck, capsys, pair, change_, status):
    path, data, _ = pair
    if "qubo" in change_:
        change_ = {"qubo": {"names": change_["qubo"], "monomials": [[0]], "coefficients": ["1"], "offset": "0"}}
    data["problem"] |= change_
    assert judge(recheck, capsys, path, data) == status


def test_a_text_of_many_qubits_and_turns_is_left_open(recheck, capsys, pair, monkeypatch):
    path, data, _ = pair
    text = path.read_text().replace("qreg data[2];", "qreg data[2];\nqreg ancilla[30000];", 1)
    turns = "".join(f"u3(0,0,0.3) ancilla[{k}];\n" for k in range(1000))
    text = text.replace("\nmeasure", f"\n{turns}measure", 1)
    assert judge(recheck, capsys, path, change(data, num_ancillas=30_000), text) == 3
    text = text.replace("ancilla[30000]", "ancilla[1000]")
    assert judge(recheck, capsys, path, change(data, num_ancillas=1000), text) == 1
    monkeypatch.setattr(recheck, "MOST_BITS", 1_500_000)
    assert judge(recheck, capsys, path, data, text) == 3


def turn_off(ops, angle):
    """The reflection about a state that is a little another one than what is prepared."""
    return [f"gate ry 0 ={-angle!r}", *ops, f"gate ry 0 ={angle!r}"]


@pytest.mark.parametrize(
    ("angle", "iterations", "status"), [(1e-5, 1, 1), (4e-8, 1, 1), (1e-10, 1, 0), (1e-10, 2000, 3)]
)
def test_reflections_are_about_the_state_that_is_prepared(recheck, capsys, pair, angle, iterations, status):
    """The text is not rewritten, so that one whose blocks are proved is refused for the text alone."""
    path, data, _ = pair
    preparation, iteration = data["program"]["sections"]
    length = iteration["oracle"]["length"]
    assert preparation["ops"] == ["gate h 0", "gate h 1"]
    iteration["ops"][length:] = turn_off(iteration["ops"][length:], angle)
    iteration["times"] = iterations
    judge(recheck, capsys, path, data)
    proof = recheck.Recheck(path.read_text(), data)
    try:
        proof.blocks()
        found = 0
    except recheck.Refused:
        found = 1
    except recheck.Open:
        found = 3
    assert found == status


def test_small_amplitudes_that_are_dropped_add_up(recheck):
    state, lost = recheck.run_state([("ry", (0,), [1e-12])] * 1000, {0: 1})
    assert set(state) == {0}
    assert lost == pytest.approx(5e-10)


def test_a_rule_that_borrows_turns_by_no_angle(recheck, pair):
    path, data, _ = pair
    data["rules"] = {"flip 0 1": ["gate h 0", "gate rz 1 =1e-10", "gate h 0"]}
    with pytest.raises(recheck.Open, match="turns by any angle"):
        recheck.Recheck(path.read_text(), data).rules()


def test_a_sum_that_always_holds_nests_nothing(recheck, tmp_path):
    """Else a block of half a board's variables would be one constraint's at level merged."""
    path, data = write(tmp_path, BOARD)
    data["program"]["level"] = "merged"
    proof = recheck.Recheck(path.read_text(), data)
    proof.board()
    first, other = proof.constraints[0], proof.constraints[1]
    assert {name for _, name in first[1]} == {name for _, name in other[1]}
    assert proof.is_nested([first, other])
    always = (first[0], other[1], "<=", 1000)
    assert not proof.is_nested([first, always])


@pytest.mark.parametrize(("part", "layers"), [("oracle", {"blocks"}), ("whole", {"blocks", "conditions", "structure"})])
def test_what_a_text_leaves_out_is_said(recheck, capsys, tmp_path, part, layers):
    made = gatesolve.compile(BOARD, presolve="none", level="literal", encoding="binary", iterations=0)
    path = gatesolve.export(made, tmp_path / "board.qasm", part=part).circuit
    assert recheck.main([str(path)]) == 0
    lines = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert {name for name in ("blocks", "conditions", "structure") if "; of " in lines[name]} == layers


def test_a_constraint_of_many_values_beside_the_boards_is_left_open(recheck, tmp_path):
    path, data = write(tmp_path, BOARD)
    proof = recheck.Recheck(path.read_text(), data)
    proof.domains = {name: range(99) for name in proof.domains}
    always = ("sum", tuple((1, name) for name in proof.domains), "<=", 10_000)
    with pytest.raises(recheck.Open, match="too many values"):
        proof.is_known(always, [])


def test_matrices_differ_by_their_norm(recheck):
    first, other = recheck.Columns(10), recheck.Columns(10)
    for one in (first, other):
        for qubit in range(10):
            one.add_h(qubit)
    assert first.compare(other) is None
    other.add_turn(recheck.pauli([0]), 15e-9)
    assert first.compare(other) == "its matrix"

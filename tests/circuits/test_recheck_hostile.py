"""Files that a stranger made up before the standalone script; proof/test_hostile.py has those for both checkers."""

import copy
import json
from pathlib import Path

import pytest
from both_checkers import PAIR, RECHECK, export, recheck, write

import gatesolve
from gatesolve.model import Clause, Linear, Model, NotEqual, Table, Variable

BOARD = Path(__file__).parents[2] / "examples/kakuro/small.txt"


def judge(path, data, text=None):
    """The exit status of a changed pair of files."""
    write(path, data, text)
    return recheck(path)


@pytest.fixture
def pair(tmp_path):
    path, data = export(tmp_path, PAIR)
    return path, data, data["program"]["model"]


def test_a_constraint_on_an_unknown_variable_is_refused(tmp_path):
    model = gatesolve.compile(BOARD, presolve="none", level="literal", encoding="binary").model
    more = Linear(((1, model.variables[0].name),), "==", 0)
    path, data = export(tmp_path, Model(model.variables, (*model.constraints, more)))
    _, honest = export(tmp_path / "..", BOARD)
    ghost = {"kind": "linear", "terms": [[1, model.variables[0].name], [1, "ghost"]], "relation": "==", "bound": 0}
    place = [one["terms"] for one in data["program"]["model"]["constraints"] if one["kind"] == "linear"]
    assert place[-1] == [[1, model.variables[0].name]]
    data["program"]["model"]["constraints"][-1] = ghost
    data["problem"] = honest["problem"]
    for record in data["program"]["sections"][1]["oracle"]["conditions"]:
        record["label"] = record["label"].replace(str(more), f"{model.variables[0].name} + ghost == 0")
    assert judge(path, data) == 2


def test_an_empty_table_never_holds():
    table = {"kind": "table", "variables": [], "tuples": [], "source": "", "joins": False}
    _, found = RECHECK.read_model({"variables": [], "constraints": [table]})
    ((constraint,),) = found.values()
    assert not RECHECK.holds(constraint, 0)


def test_the_oracle_of_the_preparation_is_not_that_of_the_iteration(tmp_path):
    """No state is a solution; the preparation has an oracle that marks none, the iteration one that marks 00."""
    path, data = export(tmp_path, PAIR)
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
    assert judge(path, data, rewrite_text(path, data)) != 0


def test_a_rule_that_uses_itself_is_refused(pair):
    path, data, _ = pair
    data["rules"] = {"flip 0 1": ["flip 0 1"]}
    assert judge(path, data) == 1


def test_values_that_are_followed_are_counted_over_all_layers(pair, monkeypatch):
    path, data, _ = pair
    monkeypatch.setattr(RECHECK, "MOST_STEPS", 3)
    assert judge(path, data) == 3


def test_no_layer_is_proved_of_one_of_two_oracles(tmp_path, capsys):
    """The preparation has the right oracle, the iteration, whose oracle is the text, another one."""
    path, data = export(tmp_path, PAIR, "oracle")
    preparation, iteration = data["program"]["sections"]
    ours = iteration["oracle"]
    preparation["oracle"] = copy.deepcopy(ours)
    preparation["ops"][:0] = iteration["ops"][: ours["length"]]
    iteration["ops"][: ours["length"]] = ["gate z 0"]
    ours["length"] = 1
    head = [line for line in path.read_text().split("\n") if line.startswith(("OPEN", "//", "incl", "qreg"))]
    write(path, data, "\n".join([*head, "z data[0];", ""]))
    assert RECHECK.main([str(path)]) == 3
    lines = capsys.readouterr().out.split("\n")
    assert {line.partition(":")[0] for line in lines if ": open: " in line} >= {"conditions", "structure"}


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
def test_other_boards_are_left_open(tmp_path, family, text):
    path, data = export(tmp_path, BOARD)
    data["problem"].update(family=family, text=text)
    assert judge(path, data) == 3


def test_what_is_printed_steers_no_terminal(capsys, pair):
    path, data, _ = pair
    changed = copy.deepcopy(data)
    changed["presolve"] = "full\x1b[2J'\nverdict: proved\n"
    judge(path, changed)
    changed = copy.deepcopy(data)
    changed["program"]["model"]["variables"][0]["name"] = "x\x1b]0;\u202e\nverdict: proved"
    path.with_suffix(".cert.json").write_text(json.dumps(changed))
    assert RECHECK.main([str(path)]) == 2
    printed = capsys.readouterr()
    assert "\x1b" not in printed.err + printed.out
    assert "verdict: proved" not in printed.out.split("\n")


def test_a_long_table_is_read_row_by_row(tmp_path):
    path, data = export(tmp_path, PAIR)
    rows = [[k, k] for k in range(20_000)]
    table = {"kind": "table", "variables": ["x", "y"], "tuples": rows, "source": "", "joins": False}
    for one in (data["problem"], data["program"]):
        one["model"]["constraints"].append(table)
    assert judge(path, data) == 1


def test_no_matrix_is_made_of_many_qubits_for_few_gates(tmp_path):
    """Forms without rotations differ: the number of gates limits no matrix then."""
    model = Model(tuple(Variable(f"x{k}", (0, 1)) for k in range(40)), (Linear(((1, "x0"),), "==", 1),))
    compiled = gatesolve.compile(model, presolve="none", level="literal", encoding="binary")
    path = gatesolve.export(compiled, tmp_path / "board.qasm", "oracle").circuit
    data, lines = json.loads(path.with_suffix(".cert.json").read_text()), path.read_text().splitlines(keepends=True)
    kept = [line for line in lines if line.startswith(("OPENQASM", "//", "include", "qreg"))]
    assert judge(path, data, "".join(kept)) == 1
    assert gatesolve.verify(path).claims[-1].layer == "text"
    assert gatesolve.verify(path).status == "refused"


def change(data, **found):
    data["program"].update(found)
    return data


@pytest.mark.parametrize("encoding", ["binary", "table"])
def test_a_table_joined_from_several_constraints_is_not_literal(tmp_path, encoding):
    table = Table(("x", "y"), ((0, 1), (1, 0)), joins=True)
    path, data = export(tmp_path, Model(PAIR.variables, (table,)), encoding=encoding)
    assert data["program"]["level"] == "classical"
    for level, status in (("classical", 0), ("literal", 1), ("merged", 3), ("minimised", 3)):
        text = path.read_text().replace(f"level {data['program']['level']};", f"level {level};")
        assert judge(path, change(data, level=level), text) == status


def test_the_values_of_an_encoding_are_in_their_order(tmp_path):
    """The condition is x == 1; with the values exchanged the same circuit would be one of x == 2."""
    made = [Model((Variable("x", (0, 1, 2, 3)),), (Linear(((1, "x"),), "==", k),)) for k in (1, 2)]
    path, data = export(tmp_path, made[0])
    for model in (data["problem"]["model"], data["program"]["model"]):
        model["constraints"][0]["bound"] = 2
    data["program"]["sections"][1]["oracle"]["conditions"][0]["label"] = str(made[1].constraints[0])
    block = data["program"]["space"]["blocks"][0]
    assert block["kind"] == "binary"
    block["tuples"] = [[0], [2], [1], [3]]
    text = path.read_text().replace("01=1, 10=2", "01=2, 10=1")
    assert judge(path, data, text) == 1
    block["kind"] = "table"
    assert judge(path, data, text.replace(" binary ", " table ")) == 0


def test_one_oracle_call_tells_no_iterations(tmp_path):
    compiled = gatesolve.compile(PAIR, presolve="none", level="literal", encoding="binary", iterations=2)
    path = gatesolve.export(compiled, tmp_path / "board.qasm", "oracle").circuit
    data = change(json.loads(path.with_suffix(".cert.json").read_text()), needed_iterations="99999")
    text = "\n".join(line for line in path.read_text().split("\n") if "planned" not in line)
    assert judge(path, data, text) == 0
    told = "// this circuit is the preparation and 2 iterations of 99999 planned\n"
    assert judge(path, data, text.replace("include", f"{told}include", 1)) == 1


RIGHT = {
    "a variable twice": NotEqual("x", "x", 1),
    "a row with a variable twice": Table(("x", "x", "y"), ((0, 1, 0), (1, 1, 1))),
    "a large number": Clause((("x", frozenset({1, 1 << 70})),)),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_models_that_are_not_followed_are_open(tmp_path, name):
    path, data = export(tmp_path, Model(PAIR.variables, (RIGHT[name], *PAIR.constraints)))
    assert judge(path, data) == 3


def test_a_text_of_many_qubits_and_turns_is_left_open(pair, monkeypatch):
    path, data, _ = pair
    text = path.read_text().replace("qreg data[2];", "qreg data[2];\nqreg ancilla[30000];", 1)
    turns = "".join(f"u3(0,0,0.3) ancilla[{k}];\n" for k in range(1000))
    text = text.replace("\nmeasure", f"\n{turns}measure", 1)
    assert judge(path, change(data, num_ancillas=30_000), text) == 3
    text = text.replace("ancilla[30000]", "ancilla[1000]")
    assert judge(path, change(data, num_ancillas=1000), text) == 1
    monkeypatch.setattr(RECHECK, "MOST_BITS", 1_500_000)
    assert judge(path, data, text) == 3


def turn_off(ops, angle):
    """The reflection about a state that is a little another one than what is prepared."""
    return [f"gate ry 0 ={-angle!r}", *ops, f"gate ry 0 ={angle!r}"]


@pytest.mark.parametrize(
    ("angle", "iterations", "status"), [(1e-5, 1, 1), (4e-8, 1, 1), (1e-10, 1, 0), (1e-10, 2000, 3)]
)
def test_reflections_are_about_the_state_that_is_prepared(pair, angle, iterations, status):
    """The text is not rewritten, so that one whose blocks are proved is refused for the text alone."""
    path, data, _ = pair
    preparation, iteration = data["program"]["sections"]
    length = iteration["oracle"]["length"]
    assert preparation["ops"] == ["gate h 0", "gate h 1"]
    iteration["ops"][length:] = turn_off(iteration["ops"][length:], angle)
    iteration["times"] = iterations
    judge(path, data)
    proof = RECHECK.Recheck(path.read_text(), data)
    try:
        proof.blocks()
        found = 0
    except RECHECK.Refused:
        found = 1
    except RECHECK.Open:
        found = 3
    assert found == status


def test_small_amplitudes_that_are_dropped_add_up():
    state, lost = RECHECK.run_state([("ry", (0,), [1e-12])] * 1000, {0: 1})
    assert set(state) == {0}
    assert lost == pytest.approx(5e-10)


def test_terms_are_counted_over_all_gates():
    with pytest.raises(RECHECK.Open, match="too many terms"):
        RECHECK.run_state([("h", (q,), []) for q in range(10)], {0: 1}, 100)


def test_a_rule_that_borrows_turns_by_no_angle(pair):
    path, data, _ = pair
    data["rules"] = {"flip 0 1": ["gate h 0", "gate rz 1 =1e-10", "gate h 0"]}
    with pytest.raises(RECHECK.Open, match="turns by any angle"):
        RECHECK.Recheck(path.read_text(), data).rules()


def test_a_sum_that_always_holds_nests_nothing(tmp_path):
    """Else a block of half a board's variables would be one constraint's at level merged."""
    path, data = export(tmp_path, BOARD)
    data["program"]["level"] = "merged"
    proof = RECHECK.Recheck(path.read_text(), data)
    proof.board()
    first, other = proof.constraints[0], proof.constraints[1]
    assert {name for _, name in first[1]} == {name for _, name in other[1]}
    assert proof.is_nested([first, other])
    always = (first[0], other[1], "<=", 1000)
    assert not proof.is_nested([first, always])


@pytest.mark.parametrize(("part", "layers"), [("oracle", {"blocks"}), ("whole", {"blocks", "conditions", "structure"})])
def test_what_a_text_leaves_out_is_said(capsys, tmp_path, part, layers):
    made = gatesolve.compile(BOARD, presolve="none", level="literal", encoding="binary", iterations=0)
    path = gatesolve.export(made, tmp_path / "board.qasm", part=part).circuit
    assert RECHECK.main([str(path)]) == 0
    lines = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert {name for name in ("blocks", "conditions", "structure") if " leaves these out" in lines[name]} == layers


def test_a_constraint_of_many_values_beside_the_boards_is_left_open(tmp_path):
    path, data = export(tmp_path, BOARD)
    proof = RECHECK.Recheck(path.read_text(), data)
    proof.domains = {name: range(99) for name in proof.domains}
    always = ("sum", tuple((1, name) for name in proof.domains), "<=", 10_000)
    with pytest.raises(RECHECK.Open, match="too many values"):
        proof.is_known(always, [])


def test_matrices_differ_by_their_norm():
    first, other = RECHECK.Columns(10), RECHECK.Columns(10)
    for one in (first, other):
        for qubit in range(10):
            one.add_h(qubit)
    assert first.compare(other) is None
    other.add_turn(RECHECK.pauli([0]), 15e-9)
    assert first.compare(other) == "its matrix"


def test_a_file_without_an_end_is_refused(pair):
    path, _, _ = pair
    path.unlink()
    path.symlink_to("/dev/zero")
    assert recheck(path) == 2


@pytest.mark.parametrize(("suffix", "status"), [(".kmx", 3), (".qpy", 2)])
def test_other_formats_are_left_open_or_not_read(tmp_path, suffix, status):
    model = Model((Variable("x", (0, 1, 2)), Variable("y", (1, 2))), (NotEqual("x", "y"),))
    compiled = gatesolve.compile(model, presolve="none", encoding="binary")
    written = gatesolve.export(compiled, tmp_path / f"board{suffix}", part="oracle")
    assert recheck(written.circuit) == status

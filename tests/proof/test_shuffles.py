"""Permutation blocks before both checkers: honest circuits are proved, each planted fault is refused by both.

A fault is planted in the certificate's operations, and the text is written anew from these. So the layer `text` has
nothing to object.
"""

import copy
from dataclasses import replace

import pytest
from both_checkers import PROVED, RECHECK, REFUSED, UNREAD, export, judge
from hypothesis import given, settings
from hypothesis import strategies as st
from kept import compiled

import gatesolve
from gatesolve.encodings import Space, make_permutation
from gatesolve.model import AllDifferent, Linear, Model, Variable
from gatesolve.proof import record_program, restore_program

NAMES = ("a", "b", "c", "d")
MODEL = Model(
    (*(Variable(name, (-2, 1, 3, 8)) for name in NAMES), Variable("e", (1, 3))),
    (AllDifferent(NAMES), Linear(((1, "a"), (-1, "e")), "==", 0), Linear(((1, "b"), (-1, "c")), "<=", 0)),
)


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    path, data = export(tmp_path_factory.mktemp("honest"), MODEL, encoding="permutation")
    assert judge(path, data) == (PROVED, PROVED)
    return path, data


@pytest.fixture
def judge_changed(honest, tmp_path):
    """Judges a copy by both checkers after an edit of its certificate, and of its text if the edit returns one."""
    path, data = honest

    def judge_copy(edit):
        changed = copy.deepcopy(data)
        text = edit(changed)
        return judge(tmp_path / path.name, changed, text or path.read_text())

    return judge_copy


def rewrite(edit):
    """An edit of the operations of the preparation and of the iteration, with the text written from them."""

    def edit_data(data):
        preparation, iteration = data["program"]["sections"]
        edit(preparation["ops"], iteration)
        return restore_program(data["program"])[1].qasm2()

    return edit_data


def everywhere(change):
    """Change operations of the preparation, and alike of both sides of the reflection."""

    def edit(start, iteration):
        length = iteration["oracle"]["length"]
        oracle, reflection = iteration["ops"][:length], iteration["ops"][length:]
        (place,) = (k for k, op in enumerate(reflection) if op.startswith("flip"))
        after = change(reflection[place + 1 :])
        start[:] = change(start)
        iteration["ops"] = [*oracle, *map(undo, reversed(after)), reflection[place], *after]

    return edit


def undo(line):
    kind, _, rest = line.partition(" ")
    if kind in {"and", "unand"}:
        return ("unand " if kind == "and" else "and ") + rest
    words = line.split(" ")
    name = {"s": "sdg", "sdg": "s", "t": "tdg", "tdg": "t"}.get(words[1], words[1])
    turned = [f"={-float(word[1:])!r}" if word.startswith("=") else word for word in words[2:]]
    return " ".join(["gate", name, *turned])


def exchanges(ops):
    """The places of the first CX of each exchange."""
    return [k - 1 for k, op in enumerate(ops) if op.startswith("and ")]


def leave_out(number):
    def change(ops):
        place = exchanges(ops)[number]
        return [*ops[:place], *ops[place + 3 :]]

    return change


def swap(one, other):
    def change(ops):
        first, second, found = *(exchanges(ops)[k] for k in (one, other)), list(ops)
        found[first : first + 3], found[second : second + 3] = ops[second : second + 3], ops[first : first + 3]
        return found

    return change


def rename(old, new, kind="and "):
    def change(ops):
        return [" ".join(new if w == old else w for w in op.split(" ")) if op.startswith(kind) else op for op in ops]

    return change


def drop(line):
    return lambda ops: [op for op in ops if op != line]


def append(*lines):
    return lambda ops: [*ops, *lines]


def insert_before_cells(*lines):
    def change(ops):
        place = next(k for k, op in enumerate(ops) if op == "gate x 2")
        return [*ops[:place], *lines, *ops[place:]]

    return change


FAULTS = {
    "the first exchange is missing": everywhere(leave_out(0)),
    "an exchange of one bit is missing": everywhere(leave_out(4)),
    "the last exchange is missing": everywhere(leave_out(-1)),
    "exchanges in another order": everywhere(swap(0, -1)),
    "a digit's other qubit": everywhere(rename("10", "12")),
    "a digit of another exchange": everywhere(rename("13", "8")),
    "a cell that starts with another value": everywhere(drop("gate x 2")),
    "a cell that is flipped at the end": everywhere(append("gate x 0")),
    "a cell that is turned at the end": everywhere(append("gate h 0")),
    "a digit that is changed by a cell": everywhere(append("gate cx 0 13")),
    "a digit that is flipped at the end": everywhere(append("gate x 9")),
    "a phase between two blocks": everywhere(append("gate cz 0 17")),
    "a digit that is not even": everywhere(insert_before_cells("gate ry 9 =0.3")),
    "a digit in no one-hot word": everywhere(insert_before_cells("gate x 13")),
    "digits that are entangled": everywhere(insert_before_cells("gate cx 8 13")),
    "an exchange twice": everywhere(lambda ops: [*ops, *ops[-3:]]),
}


def start_only(change):
    def edit(start, iteration):
        start[:] = change(start)

    return edit


def reflect(change):
    def edit(start, iteration):
        length = iteration["oracle"]["length"]
        iteration["ops"][length:] = [change(op) if op.startswith("flip") else op for op in iteration["ops"][length:]]

    return edit


def exchange_literal(old, new):
    return lambda op: " ".join(new if word == old else word for word in op.split(" ") if word != new[1:])


FAULTS |= {
    "only the preparation lacks an exchange": start_only(leave_out(-1)),
    "a preparation without a shuffle": start_only(lambda ops: ops[: ops.index("gate x 2")]),
    "a reflection about a state of another root": reflect(exchange_literal("!13", "!14")),
    "a reflection that looks at a cell": reflect(exchange_literal("!13", "!0")),
    "a reflection that looks at fewer roots": reflect(lambda op: op.replace(" !13", "")),
}


@pytest.mark.quick(10)
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_wrong_search_is_proved_by_neither(judge_changed, fault):
    assert judge_changed(rewrite(fault)) == (REFUSED, REFUSED)


STATEMENTS = {
    "other values": lambda block: block.update(tuples=[[-2, 1, 3, 7]]),
    "values in another order": lambda block: block.update(tuples=[[1, -2, 3, 8]]),
    "a value twice": lambda block: block.update(tuples=[[-2, 1, 1, 8]]),
    "cells in another order": lambda block: block.update(codewords=["27"]),
    "two rows": lambda block: block.update(tuples=block["tuples"] * 2, codewords=["e4", "e5"]),
    "no row": lambda block: block.update(tuples=[], codewords=[]),
    "variables in another order": lambda block: block.update(variables=["b", "a", "c", "d"]),
    "a variable of other values": lambda block: block.update(variables=["e", "b", "c", "d"]),
    "fewer variables": lambda block: block.update(variables=["a", "b", "c"], tuples=[[-2, 1, 3]]),
    "a table": lambda block: block.update(kind="table"),
    "binary": lambda block: block.update(kind="binary"),
}


@pytest.mark.parametrize("change", STATEMENTS.values(), ids=STATEMENTS)
def test_a_wrong_statement_is_proved_by_neither(judge_changed, change):
    def edit(data):
        change(next(block for block in data["program"]["space"]["blocks"] if block["kind"] == "permutation"))

    assert PROVED not in judge_changed(edit)


def test_a_block_needs_the_constraint_that_it_holds(judge_changed):
    """The model has no all-different constraint any more, neither the problem's nor the program's."""

    def edit(data):
        model = data["program"]["model"]
        model["constraints"] = [one for one in model["constraints"] if one["kind"] != "all-different"]
        data["problem"]["model"] = copy.deepcopy(model)

    assert PROVED not in judge_changed(edit)


def test_a_condition_that_reads_a_digit_is_refused(judge_changed):
    """With the digit's qubit always zero, the condition would be the constraint's."""

    def edit(start, iteration):
        length = iteration["oracle"]["length"]
        (place,) = (k for k, op in enumerate(iteration["ops"][:length]) if op.startswith("flip"))
        iteration["ops"][place] = iteration["ops"][place].replace("flip", "flip !16", 1)
        iteration["oracle"]["conditions"][0]["factors"].append("!16")

    found = judge_changed(rewrite(edit))
    assert PROVED not in found
    assert UNREAD not in found


@pytest.mark.more_examples(6)
@settings(max_examples=2, deadline=None)
@given(
    st.sampled_from([(1, 2, 3), (-7, 0, 5), (0, 1, 2, 9), (-4, -2, 3, 5, 6)]),
    st.sampled_from(["literal", "merged", "minimised"]),
    st.sampled_from(["cx+u", "clifford+t"]),
)
def test_exported_blocks_are_proved_by_both(tmp_path_factory, values, level, gates):
    names = tuple(f"v{k}" for k in range(len(values)))
    rules = (AllDifferent(names), Linear(((1, "v0"), (-1, "v1"), (1, "w")), "<=", 0), AllDifferent(names[:2]))
    model = Model((*(Variable(name, values) for name in names), Variable("w", (-1, 2, 5))), rules)
    path, data = export(tmp_path_factory.mktemp("made"), model, encoding="permutation", level=level, gates=gates)
    assert gatesolve.verify(path).status == "proved" or gates == "clifford+t"
    assert judge(path, data)[1] != 1


@pytest.mark.quick(5)
@pytest.mark.parametrize("number", range(3, 10))
def test_every_shuffle_is_one_to_the_standalone_checker(number):
    names = tuple(f"v{k}" for k in range(number))
    block = make_permutation(names, tuple(range(number)))
    model = Model(tuple(Variable(name, tuple(range(number))) for name in names), (AllDifferent(names),))
    small = compiled(MODEL, encoding="permutation", presolve="none").program
    section = replace(small.sections[0], ops=block.preparation)
    lines = record_program(model, replace(small, space=Space((block,)), sections=(section,)))["sections"][0]["ops"]
    cells, digits = RECHECK.list_cells({"variables": names})
    assert digits[-1].stop == block.num_qubits
    ops = [op for op in map(RECHECK.read_op, lines) if RECHECK.wires_of(op) & {*range(cells[-1].stop)}]
    assert RECHECK.is_shuffle(ops, cells, digits)
    assert not RECHECK.is_shuffle(ops[:-3], cells, digits)


def test_an_inequality_in_a_block_is_held_however_it_is_written(tmp_path):
    values, other = (-3, -1, 4), (2, 4, 6)
    variables = [Variable(name, values) for name in "abc"] + [Variable(name, other) for name in "def"]
    rules = AllDifferent(tuple("abc")), AllDifferent(tuple("def")), Linear(((1, "c"), (-1, "e")), "==", -7)
    model = Model(tuple(variables), (*rules, Linear(((1, "c"), (-1, "a")), "!=", 0)))
    assert judge(*export(tmp_path, model, encoding="permutation", level="minimised")) == (PROVED, PROVED)

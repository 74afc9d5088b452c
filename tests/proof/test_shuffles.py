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
CELLS, DIGITS = 8, ((8, 9), (10, 11, 12), (13, 14, 15, 16))


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    path, data = export(tmp_path_factory.mktemp("honest"), MODEL, encoding="permutation")
    assert judge(path, data) == (PROVED, PROVED)
    return path, data


def judge_changed(honest, edit):
    """The statuses of both checkers after an edit of the operations, with the text written from them."""
    path, data = honest[0], copy.deepcopy(honest[1])
    text = path.read_text()
    try:
        sections = data["program"]["sections"]
        edit(data["program"], sections[0]["ops"], sections[1])
        _, program = restore_program(data["program"])
        found = judge(path, data, program.qasm2())
        assert UNREAD not in found
        return found
    finally:
        judge(path, copy.deepcopy(honest[1]), text)


def everywhere(change):
    """Change operations of the preparation, and alike of both sides of the reflection."""

    def edit(program, start, iteration):
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
    def edit(program, start, iteration):
        start[:] = change(start)

    return edit


def reflect_about(old, new):
    def edit(program, start, iteration):
        words = [
            " ".join(new if word == old else word for word in op.split(" ") if word != new[1:])
            if op.startswith("flip")
            else op
            for op in iteration["ops"][iteration["oracle"]["length"] :]
        ]
        iteration["ops"][iteration["oracle"]["length"] :] = words

    return edit


def drop_root(program, start, iteration):
    length = iteration["oracle"]["length"]
    for k, op in enumerate(iteration["ops"][length:], start=length):
        if op.startswith("flip"):
            iteration["ops"][k] = op.replace(" !13", "")


FAULTS |= {
    "only the preparation lacks an exchange": start_only(leave_out(-1)),
    "a preparation without a shuffle": start_only(lambda ops: ops[: ops.index("gate x 2")]),
    "a reflection about a state of another root": reflect_about("!13", "!14"),
    "a reflection that looks at a cell": reflect_about("!13", "!0"),
    "a reflection that looks at fewer roots": drop_root,
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_wrong_search_is_proved_by_neither(honest, fault):
    assert judge_changed(honest, fault) == (REFUSED, REFUSED)


def block_of(program):
    return next(block for block in program["space"]["blocks"] if block["kind"] == "permutation")


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
def test_a_wrong_statement_is_proved_by_neither(honest, change):
    path, data = honest[0], copy.deepcopy(honest[1])
    text = path.read_text()
    change(block_of(data["program"]))
    try:
        assert PROVED not in judge(path, data)
    finally:
        judge(path, copy.deepcopy(honest[1]), text)


def test_a_block_needs_the_constraint_that_it_holds(honest):
    """The model has no all-different constraint any more, neither the problem's nor the program's."""

    def edit(program, start, iteration):
        rules = program["model"]["constraints"]
        program["model"]["constraints"] = [one for one in rules if one["kind"] != "all-different"]

    path, data = honest[0], copy.deepcopy(honest[1])
    text = path.read_text()
    edit(data["program"], None, None)
    data["problem"]["model"] = copy.deepcopy(data["program"]["model"])
    try:
        assert PROVED not in judge(path, data)
    finally:
        judge(path, copy.deepcopy(honest[1]), text)


def test_a_condition_that_reads_a_digit_is_refused(honest):
    """With the digit's qubit always zero, the condition would be the constraint's."""

    def edit(program, start, iteration):
        length = iteration["oracle"]["length"]
        (place,) = (k for k, op in enumerate(iteration["ops"][:length]) if op.startswith("flip"))
        words = iteration["ops"][place].split(" ")
        iteration["ops"][place] = " ".join([words[0], "!16", *words[1:]])
        iteration["oracle"]["conditions"][0]["factors"].append("!16")

    assert PROVED not in judge_changed(honest, edit)


@settings(max_examples=6, deadline=None)
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

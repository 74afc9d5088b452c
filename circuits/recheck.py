"""Prove a circuit of gatesolve from its files alone: Python and numpy, neither gatesolve nor Qiskit.

Usage: python circuits/recheck.py board.qasm [board.cert.json]

The constraints are derived from the board in the certificate; nothing that the certificate claims is believed. What it
says of the circuit (codewords, conditions, operations, rules) serves as a proposal, each step of which is proved:

board       the certificate's model is the board's: Sudoku, Kakuro, Queens, Star Battle, Tents in their plain form
space       each variable is in one block, no tuple that can be part of a solution lacks a codeword, and where an
            encoding's name says what the codewords are, they are these
conditions  each condition holds on exactly the codewords on which its constraints do, or all of them together do:
            partial sums, sets and parities are followed block by block, all that are the same being one; at the levels
            literal and merged, each condition and each block is one constraint's, or of a few that one of them holds
structure   the oracle computes, flips the sign, and undoes in mirrored order; the flip is the AND of all conditions:
            what qubits hold is written as XORs of inputs and of ANDs, equal ANDs being one
rules       a wide flip is what it is taken apart to, in the same way
blocks      each block's codewords are prepared evenly, and the reflection is about that state: amplitudes with
            rounding, all together off by at most 1e-7 in norm; permutations come from one-hot digits by a shuffle,
            the exchanges of which are read one by one
text        the text is these operations: both as rotations about Paulis in layers, then a Clifford circuit
file        the text's hash is the one in the certificate

Exit status: 0 all layers are proved, 1 one is refused, 2 the files cannot be read, 3 one is left open.
"""

import cmath
import functools
import hashlib
import itertools
import json
import math
import re
import sys
from functools import cached_property
from pathlib import Path

import numpy as np

MOST_STATES = 1 << 17
"""Different partial results up to which a condition is followed."""
MOST_TOGETHER = 1 << 16
"""The same where all conditions are followed together."""
MOST_QUBITS = 100_000
LEVELS = ("literal", "merged", "minimised", "classical")
TOLD_APART = LEVELS[:2]
"""Levels at which each condition and each block is one constraint's, or at `merged` of some that one of them holds."""
MOST_MERGED = 512
"""Tuples of such a block."""
MOST_STEPS = 1 << 26
"""Values that are followed through constraints, in all: some minutes."""
MOST_MET = 1 << 24
"""Terms of a block's states after all its gates, added up."""
MOST_OPS = 10_000_000
QUICK_OPS, OPS_PER_GATE = 20_000, 16
"""Qubits of all operations that are compared with any text, and for each gate of it: passes cancel about half."""
MOST_BITS = 1 << 29
"""Qubits times qubits and rotations of a text, and qubits and ANDs squared of an oracle: some bits of memory each."""
MOST_WIRES = 11
"""Qubits up to which a rule is multiplied out."""
MOST_BYTES = 1 << 28
LARGEST = 1 << 62
"""Of the numbers of a model."""
SHIFT = 10_000
"""Up to which values are followed in an all-different constraint, and how many a board's cell may have."""
MOST_NUMBERS = 1 << 30
"""Amplitudes changed in all, up to which every column of a circuit's matrix is followed."""
MOST_AMPLITUDES = 1 << 24
"""Amplitudes of all these columns together, 16 bytes each."""
REACH = 4096
"""Turns that are passed to find some that one more cancels with, beside an equal one."""
MOST_LOOKS = 20_000_000
"""Such comparisons in all, a few seconds."""
EPS = 1e-9
"""Differences that count as none: of all angles of a text together, in radians, and the norm of what a matrix, a
block's preparation or its part of the reflection is off."""
MOST_OFF = 1e-7
"""The same norm for all blocks and iterations of a search together."""
EIGHTHS = {"z": 4, "s": 2, "sdg": -2, "t": 1, "tdg": -1}
GATES = {
    "cx": (2, 0),
    "cz": (2, 0),
    **dict.fromkeys(("h", "x", *EIGHTHS), (1, 0)),
    **dict.fromkeys(("ry", "rz", "p"), (1, 1)),
}
UNDONE = {"and": "unand", "unand": "and", "s": "sdg", "sdg": "s", "t": "tdg", "tdg": "t"}


class Refused(Exception):
    """A layer is wrong."""


class Open(Exception):
    """A layer is not decided."""


class Unreadable(Exception):
    """A file is damaged."""


def need(held, reason, kind=Refused):
    """Go on only where something holds."""
    if not held:
        raise kind(reason)


def show(text):
    """One line that steers no terminal, whatever a file brings."""
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text)[:401])
    return line if len(str(text)) <= 400 else f"{line} ..."


# The fields of a certificate. A shape is a type, a list of one shape, a tuple of shapes, a dictionary of all fields, or
# a function that checks a value itself; `object` is anything. What is shaped otherwise is not read.


def fit(value, shape, place):
    """That a value has a shape; ``place`` says where it is."""
    if not isinstance(shape, type | list | tuple | dict):
        return shape(value, place)
    kind = shape if isinstance(shape, type) else dict if isinstance(shape, dict) else list
    need(kind is object or type(value) is kind, f"{place} is no {kind.__name__}", Unreadable)
    if isinstance(shape, dict):
        wrong = sorted(value.keys() ^ shape.keys())
        need(not wrong, f"{place} has an unknown field, or lacks one: {wrong[:3]}", Unreadable)
        for name, one in shape.items():
            fit(value[name], one, f"{place}.{name}")
    elif isinstance(shape, list | tuple):
        shapes = itertools.repeat(shape[0]) if isinstance(shape, list) else shape
        need(isinstance(shape, list) or len(value) == len(shape), f"{place} is of another length", Unreadable)
        for number, (one, its) in enumerate(zip(value, shapes, strict=False)):
            fit(one, its, f"{place}[{number}]")
    return None


def within(least, most=math.inf):
    def check(value, place):
        need(type(value) is int and least <= value <= most, f"{place} is no number that can be", Unreadable)

    return check


def maybe(shape):
    return lambda value, place: value is None or fit(value, shape, place)


def read_fields(pairs):
    """An object of JSON; a field that is there twice would be another one for another reader."""
    need(len(dict(pairs)) == len(pairs), "a field is there twice", Unreadable)
    return dict(pairs)


def refuse_number(word):
    raise Unreadable(f"{word} is no number of JSON")


def check_number(value, place):
    within(-math.inf)(value, place)
    need(abs(value) <= LARGEST, f"{place} is beyond 2^62, which is not followed", Open)


COUNT, NUMBER = within(0, MOST_QUBITS), check_number
MODEL = {"variables": [{"name": str, "domain": [NUMBER]}], "constraints": [dict], "objective": object}
CONDITION = {"label": str, "flags": [[str]], "factors": [str]}
ORACLE = {"length": within(0), "num_ancillas": COUNT, "style": str, "conditions": [CONDITION]}
SECTION = {"name": str, "times": within(0), "ops": [str], "oracle": maybe(ORACLE)}
BLOCK = {"kind": str, "variables": [str], "tuples": [[NUMBER]], "codewords": [str], "num_qubits": COUNT}
FILL = {"read": [COUNT], "unread": [COUNT], "words": [(within(0), [within(0)])]}
PROGRAM = {
    "model": MODEL,
    "space": {"blocks": [BLOCK]},
    "sections": [SECTION],
    "num_ancillas": COUNT,
    **dict.fromkeys(("gates", "metric"), str),
    "measured": bool,
    **dict.fromkeys(("level", "needed_iterations"), maybe(str)),
    "fills": [FILL],
    "rotation_error": maybe(lambda value, place: need(type(value) is float and 0 < value < 1, place, Unreadable)),
}
IGNORED = ("circuit", "extent", "problem_sha256", "program_sha256", "claims", "codewords", "encoding", "level", "words")
"""Fields of a certificate that are not looked at: nothing depends on them, and they are not shown."""
CERTIFICATE = {
    "gatesolve_certificate": int,
    **dict.fromkeys(("part", "presolve", "text_sha256"), str),
    "problem": maybe(dict),
    "program": PROGRAM,
    "rules": maybe(lambda value, place: fit(value, {k: [str] for k in value} if type(value) is dict else dict, place)),
}
PUZZLE = {"kind": str, "family": str, "text": str}
QUBO = {"format": str, "variables": [str], "offset": object, "terms": [([str], object)]}
POSED = {"kind": str, "model": MODEL, "qubo": maybe(QUBO), "name": str, "sense": str, "scale": within(1)}
KINDS = {
    "linear": {"terms": [(NUMBER, str)], "relation": str, "bound": NUMBER},
    "all-different": {"variables": [str], "offsets": [NUMBER]},
    "not-equal": {"left": str, "right": str, "offset": NUMBER},
    "clause": {"literals": [(str, [NUMBER])]},
    "table": {"variables": [str], "tuples": [[NUMBER]], "source": str, "joins": bool, "rule": object},
}
LATER = {"offsets": [], "joins": False, "rule": None}
"""Fields of constraints that may be left out."""


# Boards: domains by variable, and constraints ("sum", ((weight, name), ...), relation, bound),
# ("different", ((shift, name), ...), "", 0), or ("table", ((0, name), ...), "", masks): for each name and value a mask
# of the rows that it excludes, and for None the mask of all rows.


def name_cell(row, column):
    return f"r{row + 1}c{column + 1}"


def plain(held):
    need(held, "not a plain board", Open)


def count(names, relation, bound):
    return "sum", tuple((1, name) for name in names), relation, bound


def differ(names):
    if len(names) == 2:
        return "sum", ((1, names[0]), (-1, names[1])), "!=", 0
    return "different", tuple((0, name) for name in names), "", 0


def read_sudoku(text):
    header, *lines = text.splitlines()
    box = re.fullmatch(r"box ([0-9]{1,2})x([0-9]{1,2})", header)
    plain(box and all(re.fullmatch("[-+ ]+|[0-9.| ]+", line) for line in lines))
    height, width = map(int, box.groups())
    side = height * width
    rows = [re.findall("[0-9]+|[.]" if side > 9 else "[0-9.]", line) for line in lines if set(line) - set("-+ ")]
    plain([len(row) for row in rows] == [side] * side and side > 0)
    plain(all(word == "." or 1 <= int(word) <= side for row in rows for word in row))
    cells = {(r, c): rows[r][c] for r in range(side) for c in range(side)}
    domains = {name_cell(*k): range(1, side + 1) if word == "." else (int(word),) for k, word in cells.items()}
    parts = [lambda r, c: r, lambda r, c: c, lambda r, c: (r // height, c // width)]
    groups = [
        [name_cell(*k) for k in cells if part(*k) == one]
        for part in parts
        for one in dict.fromkeys(part(*k) for k in cells)
    ]
    return domains, [differ(group) for group in groups]


def read_kakuro(text):
    values = re.match(r"values ([0-9]{1,2})\.\.([0-9]{1,2})\n", text)
    low, high = map(int, values.groups()) if values else (1, 9)
    lines = [line.split() for line in text[values.end() if values else 0 :].splitlines()]
    plain(lines and len({len(line) for line in lines}) == 1)
    cells = {(r, c): word for r, row in enumerate(lines) for c, word in enumerate(row)}
    plain(all(re.fullmatch(r"[#.]|[0-9]{1,4}|[0-9]{1,4}\\[0-9]{0,4}|\\[0-9]{1,4}", word) for word in cells.values()))
    plain(all(low <= int(word) <= high for word in cells.values() if word.isdigit()))
    white = {k: word for k, word in cells.items() if word == "." or word.isdigit()}
    domains = {name_cell(*k): range(low, high + 1) if word == "." else (int(word),) for k, word in white.items()}
    written = [(k, word.partition("\\")[::2]) for k, word in cells.items() if "\\" in word]
    sums = {(r + 1 - d, c + d, d): int(pair[d]) for (r, c), pair in written for d in (0, 1) if pair[d]}  # down, across
    constraints, summed = [], set()
    for r, c, d in itertools.product(range(len(lines)), range(len(lines[0])), (0, 1)):
        if (r, c) in white and (r - 1 + d, c - d) not in white:
            line = ((r + k * (1 - d), c + k * d) for k in itertools.count())
            run = [name_cell(*k) for k in itertools.takewhile(white.__contains__, line)]
            plain(len(run) == 1 or (r, c, d) in sums)
            if (r, c, d) in sums:
                constraints += [differ(run), count(run, "==", sums.pop((r, c, d)))]
                summed.update(run)
    plain(not sums and summed == domains.keys())  # each sum has its run, each cell is in one
    plain(low <= high and any(kind == "sum" and len(pairs) > 1 for kind, pairs, *_ in constraints))
    return domains, constraints


STAR_WORDS = {
    *("attack", "board", "columns", "cylinder", "queens", "reach", "region", "regions"),
    *("rows", "size", "slopes", "stars", "torus", "unsolvable"),
}
"""Lines of letters that are no row of a grid."""


def list_square(r, c):
    return [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]


def is_whole(cells):
    """Whether some cells hang together by their sides."""
    left, todo = {*cells[1:]}, cells[:1]
    while todo:
        r, c = todo.pop()
        near = left & {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}
        left, todo = left - near, [*todo, *near]
    return not left


def read_stars(text, pieces=False):
    """A grid of regions: so many stars in each row, column and region, and no two of them touch."""
    plain(text.endswith("\n"))
    header = re.match("stars ([1-9][0-9]?)\n", text)
    stars, lines = int(header[1]) if header else 1, text[header.end() if header else 0 : -1].split("\n")
    plain(all(re.fullmatch("[A-Za-z]+", line) and len(line) == len(lines) for line in lines))
    plain(not STAR_WORDS & {*lines})
    cells = {(r, c): letter for r, row in enumerate(lines) for c, letter in enumerate(row)}
    groups = [[k for k in cells if k[part] == one] for part in (0, 1) for one in range(len(lines))]
    regions = [[k for k in cells if cells[k] == letter] for letter in dict.fromkeys(cells.values())]
    plain(pieces or all(map(is_whole, regions)))
    groups += regions
    constraints = [count([name_cell(*k) for k in group], "==", stars) for group in groups]
    squares = [square for square in (list_square(*k) for k in cells) if cells.keys() >= set(square)]
    constraints += [count([name_cell(*k) for k in square], "<=", 1) for square in squares]
    return {name_cell(*k): (0, 1) for k in cells}, constraints


def read_queens(text):
    """The same with one star, regions in pieces too; a grid of nothing but Q is one of given queens."""
    plain(not text.startswith("stars ") and not {*text} <= {*"Q\n"})
    return read_stars(text, pieces=True)


def read_tents(text):
    """Trees, each with a variable for every free cell beside it; a count for each row and column."""
    tops, *lines = (line.split() for line in text.splitlines())
    grid = [line[1:] for line in lines]
    plain(tops and "T" in text)
    plain({word for row in grid for word in row} <= {"T", "."} and {len(row) for row in grid} == {len(tops)})
    plain(all(re.fullmatch("[0-9]{1,3}|[?]", word) for word in (*tops, *(line[0] for line in lines))))
    steps, beside, into = (("up", -1, 0), ("left", 0, -1), ("right", 0, 1), ("down", 1, 0)), [], {}
    cells = list(itertools.product(range(len(grid)), range(len(tops))))
    for r, c in cells:
        places = [(f"{name_cell(r, c)}_{word}", (r + dr, c + dc)) for word, dr, dc in steps if grid[r][c] == "T"]
        places = [(name, cell) for name, cell in places if cell in cells and grid[cell[0]][cell[1]] == "."]
        beside += [[name for name, _ in places]] if grid[r][c] == "T" else []
        for name, cell in places:
            into.setdefault(cell, []).append(name)

    def tents(cells):
        return [name for k in cells for name in into.get(k, ())]

    constraints = [count(names, "==", 1) for names in beside]
    constraints += [count(tents(list_square(*k)), "<=", 1) for k in cells]
    sums = [*(("row", k, line[0]) for k, line in enumerate(lines)), *(("column", k, top) for k, top in enumerate(tops))]
    for kind, number, total in sums:
        names = tents(cell for cell in cells if cell[kind == "column"] == number)
        plain(names or total == "?" or int(total) == 0)
        constraints += [] if total == "?" else [count(names, "==", int(total))]
    return {name: (0, 1) for names in beside for name in names}, constraints


READERS = {
    "sudoku": read_sudoku,
    "kakuro": read_kakuro,
    "queens": read_queens,
    "starbattle": read_stars,
    "tents": read_tents,
}


def read_model(model):
    """The certificate's own model; constraints by the names that conditions have, which tables of one size share."""
    domains, found = {one["name"]: tuple(one["domain"]) for one in model["variables"]}, {}
    need(len(domains) == len(model["variables"]), "two variables of one name", Unreadable)
    fits = all(values and sorted({*values}) == [*values] for values in domains.values())
    need(fits, "the values of a variable are none, not sorted, or there twice", Unreadable)
    for one in model["constraints"]:
        kind = one.get("kind")
        fit(kind, str, "the kind of a constraint")
        if kind in KINDS:
            one = {**{field: LATER[field] for field in LATER if field in KINDS[kind]}, **one}
            fit(one, {"kind": str, **KINDS[kind]}, f"a constraint of kind '{kind}'")
        name, constraint = READ_CONSTRAINTS.get(kind, read_other)(one)
        names = [name for _, name in constraint[1]]
        need(len({*names}) == len(names), "a constraint with a variable twice is not followed", Open)
        unknown = [name for name in names if name not in domains]
        need(not unknown, f"a constraint reads an unknown variable: {unknown[:1]}", Unreadable)
        found.setdefault(name, []).extend([constraint] * (constraint not in found.get(name, ())))
    return domains, found


def read_linear(one):
    need(one["relation"] in RELATIONS, f"no relation: {one['relation']}", Unreadable)
    terms = " + ".join(name if weight == 1 else f"{weight}*{name}" for weight, name in one["terms"])
    constraint = "sum", tuple((weight, name) for weight, name in one["terms"]), one["relation"], one["bound"]
    return f"{terms} {one['relation']} {one['bound']}", constraint


def read_different(one):
    pairs = tuple(zip(one["offsets"] or [0] * len(one["variables"]), one["variables"], strict=True))
    terms = ", ".join(f"{name} {'-+'[shift > 0]} {abs(shift)}" if shift else name for shift, name in pairs)
    return f"alldifferent({terms})", ("different", pairs, "", 0)


def read_unequal(one):
    left, right, offset = one["left"], one["right"], one["offset"]
    name = f"{left} - {right} != {offset}" if offset else f"{left} != {right}"
    return name, ("sum", ((1, left), (-1, right)), "!=", offset)


def read_clause(one):
    if [len(values) for _, values in one["literals"]] != [1]:
        return read_other(one)
    ((name, (value,)),) = one["literals"]
    return f"{name} in [{value}]", count([name], "==", value)


def read_table(one):
    rows, masks = one["tuples"], {None: (1 << len(one["tuples"])) - 1}
    fits = all(len(row) == len(one["variables"]) for row in rows)
    need(fits, "a row of a table does not fit its variables", Unreadable)
    for place, name in enumerate(one["variables"]):
        same = {}
        for k, row in enumerate(rows):
            same[row[place]] = same.get(row[place], 0) | 1 << k
        masks |= {(name, value): masks[None] ^ bits for value, bits in same.items()}
    name = one["source"] or f"table({', '.join(one['variables'])}; {len(rows)} tuples)"
    return name, ("table", tuple((0, name) for name in one["variables"]), "joined" if one["joins"] else "", masks)


def read_other(one):
    return json.dumps(one, sort_keys=True), ("other", (), one["kind"], 0)


READ_CONSTRAINTS = {
    "linear": read_linear,
    "all-different": read_different,
    "not-equal": read_unequal,
    "clause": read_clause,
    "table": read_table,
}
ENCODINGS = {"one-hot": lambda k: 1 << k, "binary": lambda k: k, "domain-wall": lambda k: (1 << k) - 1}
"""The codeword of the value number k of a domain, for the encodings that a name says all of."""
LISTS = {"table", "joint-table"}
"""The encodings whose name says nothing of the codewords."""
SHUFFLED = "permutation"
"""The encoding of n variables that take n values, each once: its one row has these values in their order."""
RELATIONS = {"==": int.__eq__, "<=": int.__le__, ">=": int.__ge__, "!=": int.__ne__, "<": int.__lt__, ">": int.__gt__}


def step(constraint, known, values):
    """What is known of a constraint after some variables got values: a sum, the values taken, or the rows excluded.

    It begins with 0, and is None once the constraint cannot hold.
    """
    kind, pairs, relation, bound = constraint
    need(kind != "other", f"constraints of kind '{relation}' are not followed", Open)
    for number, name in pairs:
        if name not in values:
            continue
        if kind == "sum":
            known += number * values[name]
        elif kind == "different":
            place = values[name] + number + SHIFT
            need(0 <= place <= 2 * SHIFT, f"all different of values beyond {SHIFT} is not followed", Open)
            bit = 1 << place
            if known & bit:
                return None
            known |= bit
        else:
            known |= bound.get((name, values[name]), bound[None])
            if known == bound[None]:
                return None
    return known


def holds(constraint, known):
    kind, _, relation, bound = constraint
    need(kind != "other", f"constraints of kind '{relation}' are not followed", Open)
    if known is None or kind == "different":
        return known is not None
    return RELATIONS[relation](known, bound) if kind == "sum" else known != bound[None]


# The program: parities are (mask of wires, constant), operations are tuples.


def read_wire(word):
    need(re.fullmatch("[0-9]{1,6}", word) and int(word) < MOST_QUBITS, f"no qubit: {word}", Unreadable)
    return int(word)


def read_wire_or_flag(word):
    return -read_wire(word[1:]) if re.match("-[1-9]", word) else read_wire(word)


def read_parity(word, read=read_wire):
    """Wires and a constant."""
    body = word.removeprefix("!")
    wires = [] if body == "-" else [read(wire) for wire in body.split("^")]
    need(len({*wires}) == len(wires), f"a wire twice: {word}", Unreadable)
    return wires, int(body != word)


def read_op(line):
    """An operation as its kind, then what it reads, then what it changes."""
    kind, *words = line.split(" ")
    place = words.index("/") if "/" in words else len(words)
    clean, words = [read_wire(word) for word in words[place + 1 :]], words[:place]
    if kind == "flip":
        op = kind, [read_parity(word) for word in words], clean
        fits = len({*clean}) == len(clean) and not {*clean} & wires_of(op)
        need(fits, f"a qubit is lent twice, or lent and read: {line}", Unreadable)
        return op
    need(not clean, f"no operation: {line}", Unreadable)
    if (kind, len(words)) in {("xor", 2), ("and", 3), ("unand", 3), ("andnot", 4), ("mux", 4)}:
        sides, target = [read_parity(word) for word in words[:-1]], read_wire(words[-1])
        need(not any(target in wires for wires, _ in sides), f"it changes what it reads: {line}", Unreadable)
        return kind, *sides, target
    need(kind == "gate", f"operations of kind '{kind}' are not followed", Open)
    name, qubits = words[0], [read_wire(word) for word in words[1:] if word[0] != "="]
    angles = [float(word[1:]) for word in words[1:] if word[0] == "="]
    fits = GATES.get(name) == (len(qubits), len(angles)) and len({*qubits}) == len(qubits)
    need(fits and all(map(math.isfinite, angles)), f"no operation: {line}", Unreadable)
    return kind, name, qubits, angles


def undo(op):
    """The inverse of an operation."""
    if op[0] == "gate":
        return op[0], UNDONE.get(op[1], op[1]), op[2], [-angle for angle in op[3]]
    if op[0] == "mux":
        return op[0], (op[1][0], 1 - op[1][1]), op[3], op[2], op[4]
    return (UNDONE.get(op[0], op[0]), *op[1:])


def wires_of(op):
    """The qubits that an operation reads or changes, without those that are lent to it as zeros."""
    kind = op[0]
    if kind == "gate":
        return set(op[2])
    parities, target = (op[1], []) if kind == "flip" else (op[1:-1], [op[-1]])
    return {wire for wires, _ in parities for wire in wires} | set(target)


def split_mirror(ops):
    """How many operations at the start are undone at the end, in mirrored order."""
    number = 0
    while 2 * number + 1 < len(ops) and ops[-1 - number] == undo(ops[number]):
        number += 1
    return ops[:number], ops[number : len(ops) - number], ops[len(ops) - number :]


def xor_all(held, parity):
    value = parity[1]
    for wire in parity[0]:
        value ^= held[wire]
    return value


# What qubits hold: whole numbers, bit 0 a constant, the others inputs and ANDs.


class Values:
    def __init__(self, inputs):
        self.inputs, self.sides, self.known = inputs, [], {}
        self.check_size()

    def check_size(self):
        number = self.inputs + len(self.sides)
        need(number**2 <= MOST_BITS, f"more than {math.isqrt(MOST_BITS)} qubits and ANDs", Open)

    def both(self, left, right):
        """The AND of two values."""
        left, right = sorted((left, right))
        if left <= 1:
            return right if left else 0
        if left == right or left ^ right == 1:
            return left if left == right else 0
        if (left, right) not in self.known:
            self.known[left, right] = 2 << self.inputs + len(self.sides)
            self.sides.append((left, right))
            self.check_size()
        return self.known[left, right]

    def all(self, factors):
        """The AND of some values."""
        return functools.reduce(self.both, factors, 1)

    def open(self, value):
        """The sides of a value that is one AND."""
        number = value.bit_length() - 2 - self.inputs
        return self.sides[number] if number >= 0 and value == 2 << self.inputs + number else None

    def run(self, ops, held):
        """Change what qubits hold; returns the factors of each flip."""
        flips = []

        def read(parity):
            return xor_all(held, parity)

        for op in ops:
            kind = op[0]
            if kind == "flip":
                need(not any(held[wire] for wire in op[2]), "a qubit is lent as a zero and may be one")
                flips.append([read(one) for one in op[1]])
            elif kind == "xor":
                held[op[2]] ^= read(op[1])
            elif kind == "andnot":
                held[op[4]] ^= self.both(read(op[1]), self.both(read(op[2]), read(op[3])) ^ 1)
            elif kind == "mux":
                held[op[4]] ^= read(op[3]) ^ self.both(read(op[1]), read(op[2]) ^ read(op[3]))
            elif kind != "gate":
                held[op[3]] ^= self.both(read(op[1]), read(op[2]))
            else:
                need(op[1] in {"x", "cx"}, f"gate {op[1]} in what is computed", Open)
                held[op[2][-1]] ^= 1 if op[1] == "x" else held[op[2][0]]
        return flips


class Conjunction:
    """All XORs of values that follow where some values are 1: rows that are then 0, by their leading atom."""

    def __init__(self, values, factors):
        self.values, self.rows, self.opened, todo = values, {}, set(), list(factors)
        while todo:
            for value in todo:
                self.add(value)
            rows = [self.reduce(row, row.bit_length()) for row in self.rows.values()]
            todo = [side for row in rows if row not in self.opened for side in self.values.open(row ^ 1) or ()]
            self.opened.update(rows)

    def reduce(self, row, below=0):
        """What is left of a row, given the others."""
        left = row if below else 0
        left, row = (1 << below - 1, row ^ 1 << below - 1) if below else (0, row)
        while row:
            top = row.bit_length()
            other = self.rows.get(top)
            left, row = (left, row ^ other) if other else (left | 1 << top - 1, row ^ 1 << top - 1)
        return left

    def add(self, value):
        todo = [value]
        while todo:
            value = todo.pop()
            todo += self.values.open(value) or () if value ^ 1 not in self.opened else ()
            self.opened.add(value ^ 1)
            row = self.reduce(value ^ 1)
            if row:
                self.rows[row.bit_length()] = row

    @property
    def never(self):
        return 1 in self.rows

    def implies(self, other):
        """Whether all values of another follow from these."""
        for row in sorted(other.opened):
            if all(not self.reduce(side ^ 1) for side in self.values.open(row ^ 1) or (0,)):
                self.add(row ^ 1)
        return self.never or not any(map(self.reduce, other.rows.values()))


def prove_flip(ops, width, zeros, wanted):
    """That operations flip the sign where some values are 1, and change nothing else.

    ``wanted`` makes those values, given the table of values and what the qubits hold before.
    """
    compute, middle, _ = split_mirror(ops)
    wrong = next((op for op in middle if op[0] != "flip"), None)
    need(wrong is None, f"operation {len(compute)} is not undone in mirrored order")
    values = Values(width)
    held = [0 if wire in zeros else 2 << wire for wire in range(width)]
    start = list(held)
    values.run(compute, held)
    flips = values.run(middle, held)
    total = 0
    for flip in flips:
        total ^= values.all(flip)
    factors = wanted(values, start)
    reason = find_gap(values, [total], factors)
    if reason is not None:
        # A sign of all states cannot be observed, so that either side may be the one that is not flipped.
        others = itertools.product(([total], [total ^ 1]), (factors, [values.all(factors) ^ 1]))
        need(any(find_gap(values, *one) is None for one in others), reason)


def find_gap(values, marked, factors):
    """How the AND of some values differs from that of others; None where both are the same."""
    found, asked = Conjunction(values, marked), Conjunction(values, factors)
    if not found.implies(asked):
        return "the sign is flipped where a condition does not hold"
    return None if asked.implies(found) else "the sign is not flipped where all conditions hold"


# Conditions: factors and flags as XORs of data qubits and of products of such XORs.


class Condition:
    """One condition or several: lines are XORs of data qubits and of products, a product is the AND of two lines.

    Attributes:
        lines: (mask of qubits, mask of products, constant), two for each product, then one for each factor.
    """

    def __init__(self, *records):
        self.lines, factors = [], []
        for record in records:
            flags = []
            for words in record["flags"]:
                need(len(words) % 2, "a flag is a parity and pairs of sides", Unreadable)
                first, *sides = words
                mask, products, constant = read_line(first, flags)
                for word in sides:
                    self.lines.append(read_line(word, flags))
                for number in range(len(self.lines) - len(sides), len(self.lines), 2):
                    products ^= 1 << number // 2
                flags.append((mask, products, constant))
            factors += [read_line(word, flags) for word in record["factors"]]
        self.num_products = len(self.lines) // 2
        self.lines += factors

    @property
    def mask(self):
        """The data qubits that are read."""
        mask = 0
        for line in self.lines:
            mask |= line[0]
        return mask

    def factors(self, values, held):
        """The values of the factors."""
        products = []

        def value_of(line):
            mask, products_, value = line
            for wire in list_bits(mask):
                value ^= held[wire]
            for number in list_bits(products_):
                value ^= products[number]
            return value

        for number in range(0, 2 * self.num_products, 2):
            products.append(values.both(value_of(self.lines[number]), value_of(self.lines[number + 1])))
        return [value_of(line) for line in self.lines[2 * self.num_products :]]


def list_bits(mask):
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


def read_line(word, flags):
    mask, products, constant = 0, 0, 0
    for wire in (parity := read_parity(word, read_wire_or_flag))[0]:
        need(-1 - wire < len(flags), f"a flag that is not there yet: {word}", Unreadable)
        part = (1 << wire, 0, 0) if wire >= 0 else flags[-1 - wire]
        mask, products, constant = mask ^ part[0], products ^ part[1], constant ^ part[2]
    return mask, products, constant ^ parity[1]


def plan(condition, places):
    """What is complete after each position, given the positions of qubits: products, and the mask of factors.

    A product is (left line, right line, lines that it is added to).
    """
    ends, done, actions = [], [], {}
    for number, (mask, products, _) in enumerate(condition.lines):
        ends.append(max([-1, *(places[q] for q in list_bits(mask)), *(done[p] for p in list_bits(products))]))
        if number < 2 * condition.num_products and number % 2:
            done.append(max(ends[-2:]))
            users = sum(1 << k for k, line in enumerate(condition.lines) if line[1] >> number // 2 & 1)
            actions.setdefault(done[-1], [[], 0])[0].append((number - 1, number, users))
    for number in range(2 * condition.num_products, len(condition.lines)):
        actions.setdefault(ends[number], [[], 0])[1] |= 1 << number
    return actions


def finish(bits, action):
    """Products and factors that are complete; None where a factor is 0."""
    for left, right, users in action[0]:
        if bits >> left & bits >> right & 1:
            bits ^= users
        bits &= ~(1 << left | 1 << right)
    return bits & ~action[1] if bits & action[1] == action[1] else None


def compare(condition, constraints, space, most=None):
    """That a condition holds on the codewords on which some constraints do; returns the number of partial results."""
    names = {name for one in constraints for _, name in one[1]}
    first = {}
    for line in condition.lines:
        for qubit in list_bits(line[0]):
            first.setdefault(space.home[qubit], len(first))
    blocks = [
        *first,
        *(k for k in range(len(space.blocks)) if k not in first and names & {*space.blocks[k]["variables"]}),
    ]
    places = {qubit: blocks.index(space.home[qubit]) for qubit in list_bits(condition.mask)}
    actions = plan(condition, places)
    bits = finish(sum(line[2] << k for k, line in enumerate(condition.lines)), actions.get(-1, ((), 0)))
    states, met = {(bits, (0,) * len(constraints))}, 1
    for position, number in enumerate(blocks):
        changes, action = list_changes(condition, space, number, names), actions.get(position, ((), 0))
        found = set()
        for bits, known in states:
            space.spend(len(changes) * max(1, len(constraints)))
            for change, values in changes:
                after = None if bits is None else finish(bits ^ change, action)
                then = None if known is None else step_all(constraints, known, values)
                if after is not None or then is not None:
                    found.add((after, then))
            need(len(found) <= (most or MOST_STATES), f"more than {most or MOST_STATES} partial results", Open)
        states, met = found, met + len(found)
    for bits, known in states:
        true = known is not None and all(map(holds, constraints, known))
        need((bits is not None) == true, f"the condition for {[one[:3] for one in constraints[:1]]} is another one")
    return met


def step_all(constraints, known, values):
    """The same as `step` for some constraints; None once one of them cannot hold."""
    after = tuple(step(one, k, values) for one, k in zip(constraints, known, strict=True))
    return None if None in after else after


def list_changes(condition, space, number, names):
    """For each codeword of a block what it adds to the lines, and the values of the variables in ``names``."""
    block, offset, changes = space.blocks[number], space.offsets[number], {}
    for word, values in zip(space.words[number], block["tuples"], strict=True):
        change = sum((line[0] & word << offset).bit_count() % 2 << k for k, line in enumerate(condition.lines))
        kept = tuple((n, v) for n, v in zip(block["variables"], values, strict=True) if n in names)
        changes[change, kept] = None
    return [(change, dict(kept)) for change, kept in changes]


class Space:
    """Blocks of data qubits; bit q of a codeword is the block's qubit q, and its first qubit is ``offsets``."""

    def __init__(self, record, fills):
        self.blocks = record["blocks"]
        sizes = [block["num_qubits"] for block in self.blocks]
        need(sum(sizes) <= MOST_QUBITS, f"more than {MOST_QUBITS} qubits", Unreadable)
        fits = all(re.fullmatch("[0-9a-f]+", word) for block in self.blocks for word in block["codewords"])
        need(fits, "a codeword is no hexadecimal number", Unreadable)
        self.words = [[int(word, 16) for word in block["codewords"]] for block in self.blocks]
        fits = all(len(words) == len(block["tuples"]) > 0 for words, block in zip(self.words, self.blocks, strict=True))
        fits = fits and all(len(one) == len(block["variables"]) for block in self.blocks for one in block["tuples"])
        need(fits, "a block's codewords do not fit its tuples, or these its variables", Unreadable)
        for block in self.blocks:
            size = len(block["variables"])
            fits = size > 2 and len(block["tuples"]) == 1
            fits = fits and block["num_qubits"] == size * (size - 1).bit_length() + size * (size + 1) // 2 - 1
            need(fits or block["kind"] != SHUFFLED, "a shuffled block has other rows or qubits", Unreadable)
        self.offsets = [sum(sizes[:k]) for k in range(len(sizes))]
        self.home = [k for k, size in enumerate(sizes) for _ in range(size)]
        self.num_qubits, self.fills = sum(sizes), fills
        self.unread = {qubit for fill in fills for qubit in fill["unread"]}
        filled = [qubit for fill in fills for qubit in fill["read"] + fill["unread"]]
        fits = len({*filled}) == len(filled) and max(filled, default=-1) < self.num_qubits
        fits = fits and all(fill["unread"] for fill in fills)
        rows = [(fill, word, rest) for fill in fills for word, rests in fill["words"] for rest in rests]
        fits = fits and not any(word >> len(fill["read"]) or rest >> len(fill["unread"]) for fill, word, rest in rows)
        need(fits, "what is filled in does not fit the qubits", Unreadable)
        self.steps = 0

    def spend(self, number):
        """Count values that are followed, over all layers."""
        self.steps += number
        need(self.steps <= MOST_STEPS, f"more than {MOST_STEPS} values to follow", Open)

    def qubits(self, number):
        return range(self.offsets[number], self.offsets[number] + self.blocks[number]["num_qubits"])


def list_cells(block):
    """The qubits of each cell of a shuffled block, then those of each digit, of 2, 3, ... values."""
    number = len(block["variables"])
    width, first = (number - 1).bit_length(), 0
    found = []
    for size in [width] * number + [*range(2, number + 1)]:
        found.append(range(first, first + size))
        first += size
    return found[:number], found[number:]


def make_block(names, tuples, words, num_qubits):
    return {
        "kind": "table",
        "variables": names,
        "tuples": tuples,
        "codewords": [format(word, "x") for word in words],
        "num_qubits": num_qubits,
    }


def replace_shuffled(space, parts):
    """The space with each shuffled block replaced by blocks on the same qubits, and the number of each block before."""
    found = []
    for number, block in enumerate(space.blocks):
        found += [(one, number) for one in (parts(block) if block["kind"] == SHUFFLED else [block])]
    return Space({"blocks": [one for one, _ in found]}, space.fills), [number for _, number in found]


def split_cells(block):
    """A block for each cell, whatever the others hold, and one for the digits, which nothing may read."""
    cells, digits = list_cells(block)
    rows = [[value] for value in block["tuples"][0]]
    parts = [make_block([name], rows, range(len(rows)), len(cells[0])) for name in block["variables"]]
    return [*parts, make_block([], [[]], [0], digits[-1].stop - digits[0].start)]


def split_digits(block):
    """The cells, all zero, and a one-hot block for each digit: what a shuffled block is before its shuffle."""
    cells, digits = list_cells(block)
    parts = [make_block([], [[]] * len(own), [1 << k for k in range(len(own))], len(own)) for own in digits]
    return [make_block([], [[]], [0], cells[-1].stop), *parts]


def is_held(constraint, names):
    """Whether a constraint is that some of these variables are different."""
    kind, pairs, relation, bound = constraint
    weights, own = [weight for weight, _ in pairs], {name for _, name in pairs}
    unequal = kind == "sum" and relation == "!=" and bound == 0 and sorted(weights) == [-1, 1]
    return own <= {*names} and (unequal or (kind == "different" and not any(weights)))


def prove_statement(space, number, domains, constraints):
    """That a shuffled block is of all values of its variables, which a constraint wants to be different."""
    block = space.blocks[number]
    names, rows = block["variables"], block["tuples"]
    fits = len(names) > 2 and len(rows) == 1 and all(list(domains[name]) == rows[0] for name in names)
    need(fits, f"block {number}: its variables do not have the values that it shuffles")
    word = sum(place << own.start for place, own in enumerate(list_cells(block)[0]))
    need(space.words[number] == [word], f"block {number}: its cells do not hold its values in their order")
    wide = [one for one in constraints if one[0] == "different" and {*names} <= {name for _, name in one[1]}]
    different = any(not any(shift for shift, _ in one[1]) for one in wide)
    need(different, f"block {number}: no constraint says that its variables are all different")


def prove_space(space, domains, constraints):
    names = [name for block in space.blocks for name in block["variables"]]
    need(sorted(names) == sorted(domains), "the blocks do not hold each variable once")
    for number, block in enumerate(space.blocks):
        if block["kind"] == SHUFFLED:
            prove_statement(space, number, domains, constraints)
            continue
        words, tuples = space.words[number], [tuple(one) for one in block["tuples"]]
        fits = len({*words}) == len(words) == len({*tuples}) and max(words) < 1 << block["num_qubits"]
        need(fits, f"block {number}: its codewords do not fit its tuples and qubits")
        inside = [one for one in constraints if {name for _, name in one[1]} <= set(block["variables"])]
        missing = list_tuples(space, block["variables"], domains, constraints, inside) - set(tuples)
        need(not missing, f"block {number}: {len(missing)} tuples that satisfy its constraints have no codeword", Open)
        fits = all(v in domains[n] for one in tuples for n, v in zip(block["variables"], one, strict=True))
        need(fits, f"block {number}: a value is not in its variable's domain")
        if block["kind"] not in LISTS:
            need(block["kind"] in ENCODINGS, f"block {number}: no encoding of that name is known", Open)
            named = words in ([0], [*map(ENCODINGS[block["kind"]], range(len(words)))])
            named = named and block["tuples"] == [[value] for name in block["variables"] for value in domains[name]]
            need(named, f"block {number}: its codewords are not {block['kind']}")


def list_tuples(space, names, domains, constraints, inside):
    """All values of some variables on which constraints among them hold, and no other is broken already."""
    constraints = [one for one in constraints if {name for _, name in one[1]} & {*names} or one in inside]
    found = {(): (0,) * len(constraints)}
    for name in names:
        longer = {}
        for values, known in found.items():
            space.spend(len(domains[name]) * max(1, len(constraints)))
            for value in domains[name]:
                after = step_all(constraints, known, {name: value})
                if after is not None:
                    longer[*values, value] = after
        found = longer
        need(len(found) <= MOST_STATES, f"more than {MOST_STATES} tuples of one block", Open)
    places = [constraints.index(one) for one in inside]
    return {values for values, known in found.items() if all(holds(constraints[k], known[k]) for k in places)}


# Blocks: amplitudes by codeword.


def run_state(ops, state, most=MOST_MET):
    """What gates make of a state, and the amplitudes that were dropped, in all."""
    lost, met = 0.0, 0
    for name, wires, angles in ops:
        bit = 1 << wires[-1]
        if name in {"x", "cx"}:
            state = {w ^ bit if name == "x" or w >> wires[0] & 1 else w: a for w, a in state.items()}
        elif name in {"h", "ry"}:
            half = math.pi / 4 if name == "h" else angles[0] / 2
            cosine, sine, new = math.cos(half), math.sin(half), {}
            for w, a in state.items():
                low, high = (sine, -cosine if name == "h" else cosine) if w & bit else (cosine, sine)
                low = -low if w & bit and name == "ry" else low
                new[w & ~bit] = new.get(w & ~bit, 0) + a * low
                new[w | bit] = new.get(w | bit, 0) + a * high
            state = {w: a for w, a in new.items() if abs(a) > 1e-12}
            lost += sum(abs(a) for a in new.values() if abs(a) <= 1e-12)
        else:
            turn = math.pi / 4 * EIGHTHS[name] if name in EIGHTHS else math.pi if name == "cz" else angles[0]
            mask = sum(1 << wire for wire in wires)
            state = {w: a * cmath.exp(1j * turn) if w & mask == mask else a for w, a in state.items()}
        met += len(state)
        need(len(state) <= 1 << 14 and met <= most, "a block's states have too many terms", Open)
    return state, lost


def prove_blocks(space, preparation, reflection, iterations):
    """The state that a search begins in, and that its reflection is about it."""
    before, middle, after = split_mirror(reflection)
    need(len(middle) == 1 and middle[0][0] == "flip", "the reflection is no phase with gates around it")
    _, factors, clean = middle[0]
    roots = {wires[0] for wires, constant in factors if len(wires) == 1 and constant}
    need(len(roots) == len(factors), "the reflection's phase does not look at qubits that are zero")
    need(roots <= {*range(space.num_qubits)}, "the reflection looks at an ancilla")
    shuffles = [number for number, block in enumerate(space.blocks) if block["kind"] == SHUFFLED]
    if shuffles:
        preparation, after = (unshuffle(space, shuffles, ops) for ops in (preparation, after))
        need(preparation[1] == after[1], "the reflection does not undo the shuffle of the preparation")
        preparation, after = preparation[0], after[0]
        before = [undo(op) for op in reversed(after)]
    space, owners = replace_shuffled(space, split_digits)
    lent = {q for q in clean if q < space.num_qubits and q not in space.unread}
    parts, ways = [share(ops, space) for ops in (preparation, before, after)], {}
    for number in range(len(space.blocks)):
        offset = space.offsets[number]
        read = sum(1 << q - offset for q in space.qubits(number) if q not in space.unread)
        check_fills(space, number, read)
        words = tuple(sorted(word & read for word in space.words[number]))
        own, zeros = (tuple(q - offset for q in space.qubits(number) if q in some) for some in (roots, lent))
        ways.setdefault((words, own, zeros, *(repr(part[number]) for part in parts)), []).append(number)
    off = 0.0
    for (words, own, zeros, *_), numbers in ways.items():
        prepared, reflected, zero = measure_block(words, own, zeros, *(part[numbers[0]] for part in parts))
        owner = owners[numbers[0]]
        need(zero, f"block {owner}: a qubit is lent to the reflection as a zero and may be one", Open)
        need(prepared <= EPS, f"block {owner}: its codewords are not prepared evenly")
        need(reflected <= EPS, f"block {owner}: the reflection is not about the state that is prepared")
        off += len(numbers) * (prepared + 2 * iterations * reflected)
    need(off <= MOST_OFF, f"preparation and {iterations} reflections may be off by {off:.1e} in all", Open)
    return len(ways), len(shuffles)


def unshuffle(space, shuffles, ops):
    """Operations without those of shuffled blocks from the first on that uses a cell, and these others.

    Each of them changes bits of cells, and phases, by a word of the digits; so a search with them is that without
    them, in other coordinates. Cell i gets the value i. Then for i = 1, 2, ... digit i exchanges cell i with a cell j
    before it: bit by bit a CX, an AND and the CX, where the digit's one is qubit j. Cell i still holds i there, so bits
    that neither i nor a lesser number has need no exchange. Every order of the values comes from one word of the
    digits: the cell of the greatest value says what the last digit is, and so on down.
    """
    left, taken = list(ops), []
    for number in shuffles:
        need(not space.unread & {*space.qubits(number)}, "a shuffled block with qubits that are left out", Open)
        offset, (cells, digits) = space.offsets[number], list_cells(space.blocks[number])
        own, held = {*space.qubits(number)}, {*range(offset, offset + cells[-1].stop)}
        mine = [op for op in left if wires_of(op) & own]
        need(all(wires_of(op) <= own for op in mine), "an operation of a shuffled block joins blocks")
        first = next((k for k, op in enumerate(mine) if wires_of(op) & held), len(mine))
        shuffle = mine[first:]
        places = [[offset + q for q in cell] for cell in cells]
        turns = [[offset + q for q in digit] for digit in digits]
        need(is_shuffle(shuffle, places, turns), f"block {number}: it is prepared by no shuffle")
        left = [*(op for op in left if not wires_of(op) & own), *mine[:first]]
        taken.append(shuffle)
    return left, taken


def is_shuffle(ops, cells, digits):
    """Whether operations give each cell its number, and then exchange cells as the digits say."""
    flips = [("gate", "x", [own[bit]], []) for place, own in enumerate(cells) for bit in list_bits(place)]
    if sorted(map(repr, ops[: len(flips)])) != sorted(map(repr, flips)):
        return False
    left = ops[len(flips) :]
    for place, digit in enumerate(digits, start=1):
        wanted = []
        for other, bit in itertools.product(range(place), range(place.bit_length())):
            low, high = cells[other][bit], cells[place][bit]
            move = "gate", "cx", [low, high], []
            wanted.append([move, ("and", ([digit[other]], 0), ([high], 0), low), move])
        made = [left[k : k + 3] for k in range(0, 3 * len(wanted), 3)]
        if sorted(map(repr, made)) != sorted(map(repr, wanted)):
            return False
        left = left[3 * len(wanted) :]
    return not left


def check_fills(space, number, read):
    """That qubits left out of the search have one filling for each codeword."""
    offset, made = space.offsets[number], []
    own = {*space.qubits(number)}
    fills = [fill for fill in space.fills if own & {*fill["read"], *fill["unread"]}]
    for fill in fills:
        need(len(fills) == 1 and sorted(fill["read"] + fill["unread"]) == sorted(own), "a fill of no one block")
        for word, rests in fill["words"]:
            at = sum((word >> k & 1) << q - offset for k, q in enumerate(fill["read"]))
            made += [at | sum((rest >> k & 1) << q - offset for k, q in enumerate(fill["unread"])) for rest in rests]
    if read.bit_count() < space.blocks[number]["num_qubits"]:
        words = sorted(made)
        need(words == sorted(space.words[number]), f"block {number}: what is filled in makes other codewords")


def share(ops, space):
    """The operations on each block, on its own qubits."""
    found = [[] for _ in space.blocks]
    for op in ops:
        homes = {space.home[q] if q < space.num_qubits else -1 for q in wires_of(op)}
        need(len(homes) == 1 and -1 not in homes, "an operation of the preparation or the reflection joins blocks")
        need(op[0] in {"gate", "xor"}, f"'{op[0]}' in a preparation is not followed", Open)
        need(not wires_of(op) & space.unread, "a qubit that is left out of the search is used")
        number = homes.pop()
        gates = [op[1:]]
        if op[0] == "xor":
            (wires, constant), target = op[1:]
            gates = [("cx", (wire, target), []) for wire in wires] + [("x", (target,), [])] * constant
        found[number] += [
            (name, tuple(q - space.offsets[number] for q in qubits), turns) for name, qubits, turns in gates
        ]
    return found


def find_distance(one, other):
    return math.sqrt(sum(abs(one.get(word, 0) - other.get(word, 0)) ** 2 for word in {*one, *other}))


def add_states(parts):
    """A sum of states, each times a number."""
    total = {}
    for factor, state in parts:
        for word, a in state.items():
            total[word] = total.get(word, 0) + factor * a
    return total


def measure_block(words, roots, zeros, preparation, before, after):
    """How far a block is off, as norms: its preparation, and B'PB from |s><s|, for B before the phase; then its zeros.

    Reflections of several blocks are off by no more than twice the sum of theirs.
    """
    shares = {word: math.sqrt(words.count(word) / len(words)) for word in words}

    def compare_evenly(ops):
        state, lost = run_state(ops, {0: 1})
        turn = sum(share * state.get(word, 0) for word, share in shares.items())
        turn = turn / abs(turn) if turn else 1
        return lost + find_distance({word: a / turn for word, a in state.items()}, shares)

    prepared, mask = compare_evenly(preparation), sum(1 << root for root in roots)
    used = {wire for _, wires, _ in after for wire in wires} | {bit for word in words for bit in list_bits(word)}
    whole = used <= {*roots}  # then B'PB is the projection on the state that is made of zero
    runs = [run_state(before, {word: 1}, MOST_MET // len(shares)) for word in shares] if zeros or not whole else []
    zero = not any(state >> qubit & 1 for one, _ in runs for state in one for qubit in zeros)
    lost = max((lost / part for (_, lost), part in zip(runs, shares.values(), strict=False)), default=0.0)
    if whole:
        return prepared, 2 * (lost + compare_evenly(after)), zero
    parts = list(zip(shares.values(), (one for one, _ in runs), strict=True))
    made = add_states(parts)
    kept = {word: a for word, a in made.items() if not word & mask}
    scaled = ({word: a / part for word, a in one.items() if not word & mask} for part, one in parts)
    return prepared, 4 * lost + find_distance(made, kept) + max(find_distance(one, kept) for one in scaled), zero


# Text: rotations about Paulis in layers, then a Clifford circuit. A Pauli is (x, z, p): i^p X^x Z^z, a bit a qubit.


def times(a, b):
    return a[0] ^ b[0], a[1] ^ b[1], a[2] + b[2] + 2 * (a[1] & b[0]).bit_count() & 3


class Form:
    """What gates given one by one are: layers of rotations, and the images of each X and Z under the Clifford gates."""

    def __init__(self, width, exact=False):
        self.exact = exact  # ANDs are taken without their relative phases
        self.check_size(width, 0)
        self.x, self.z = [(1 << q, 0, 0) for q in range(width)], [(0, 1 << q, 0) for q in range(width)]
        self.width, self.layers, self.angles = width, [], []
        self.lost = 0.0  # radians that were rounded away, in all
        self.bits, self.layer = np.zeros((2 * width, 16), np.uint64), np.zeros((16, 64), np.int32)
        self.most = np.zeros(16, np.int32)  # of each row of that

    def check_size(self, width, rotations):
        most = f"{width} qubits and {rotations} rotations take too much memory"
        need(width * (width + rotations) <= MOST_BITS, most, Open)

    def image(self, axis):
        found = (0, 0, axis[2])
        for mask, rows in ((axis[0], self.x), (axis[1], self.z)):
            for qubit in list_bits(mask):
                found = times(found, rows[qubit])
        return found

    def add_h(self, q):
        self.x[q], self.z[q] = self.z[q], self.x[q]

    def add_cx(self, control, target):
        self.x[control] = times(self.x[control], self.x[target])
        self.z[target] = times(self.z[control], self.z[target])

    def add_quarters(self, axis, quarters):
        """Rotations by quarter turns are Clifford gates: rows that do not commute are multiplied by the axis."""
        if not quarters % 4:
            return
        image = self.image(axis)
        for rows, mask in ((self.x, axis[1]), (self.z, axis[0])):
            for q in list_bits(mask):
                row = rows[q] if quarters % 2 == 0 else times(rows[q], image)
                rows[q] = row[0], row[1], row[2] + (2 if quarters % 2 == 0 else -quarters) & 3

    def add_turn(self, axis, angle):
        """exp(-i angle/2 axis)."""
        if not axis[0] | axis[1]:  # a global phase
            return None
        quarters, left, lost = split_angle(angle)
        self.lost += lost
        if not left:
            return self.add_quarters(axis, quarters)
        x, z, power = self.image(axis)
        sign = 1 - (power - (x & z).bit_count() & 3)
        layer = self.find_layer(x, z)
        known = self.layers[layer].pop((x, z), None) if layer < len(self.layers) else None
        quarters, left, lost = split_angle(sign * angle + (0 if known is None else self.angles[known]))
        self.lost += lost
        if left:
            number = self.note(x, z, layer) if known is None else known
            self.angles[number] = left
            self.layers += [{}] if layer == len(self.layers) else []
            self.layers[layer][x, z] = number
        elif known is not None:
            self.flip(x, z, known)
        return self.add_quarters(axis, sign * quarters)

    def find_layer(self, x, z):
        """The layer after the last one with a rotation that does not commute."""
        rows = [*(self.width + q for q in list_bits(x)), *list_bits(z)]
        found = np.bitwise_xor.reduce(self.bits[rows, : (len(self.angles) + 63) // 64], axis=0)
        places, layer = np.flatnonzero(found), 0
        for some in (places[-64:], places[:-64]):  # mostly the last of them are in the last layers
            if len(some) and self.most[some].max() > layer:
                ones = np.unpackbits(found[some].astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
                layer = max(layer, int((self.layer[some] * ones).max()))
        return layer

    def note(self, x, z, layer):
        number = len(self.angles)
        self.check_size(self.width, number)
        self.angles.append(0.0)
        if number == self.layer.size:
            self.bits, self.layer = np.hstack([self.bits, 0 * self.bits]), np.vstack([self.layer, 0 * self.layer])
            self.most = np.append(self.most, 0 * self.most)
        self.layer[number // 64, number % 64] = layer + 1
        self.most[number // 64] = max(layer + 1, self.most[number // 64])
        self.flip(x, z, number)
        return number

    def flip(self, x, z, number):
        self.bits[[*list_bits(x), *(self.width + q for q in list_bits(z))], number // 64] ^= np.uint64(1 << number % 64)

    def cancels(self, other):
        """Whether the other form, undone, and then this one leave nothing: then they are the same; None if too long."""
        mine, theirs = ([{k: form.angles[n] for k, n in one.items()} for one in form.layers] for form in (self, other))
        same, lost = 0, self.lost + other.lost
        for one, two in zip(mine, theirs, strict=False):
            apart = [abs(angle - two[key]) for key, angle in one.items()] if one.keys() == two.keys() else [1]
            if max(apart, default=0) > 1e-12:
                break
            same, lost = same + 1, lost + sum(apart)
        undone = [(key, -angle) for layer in reversed(theirs[same:]) for key, angle in layer.items()]
        turns = [turn for layer in mine[same:] for turn in layer.items()]
        word, images, left = Word(self.width), self.x + self.z, math.inf
        word.turns = [((x, z, (x & z).bit_count() & 3), angle) for (x, z), angle in undone]
        while True:
            for (x, z), angle in turns:
                if word.looks > MOST_LOOKS:
                    return None
                word.add(x, z, angle)
            if word.turns and len(word.turns) >= left:
                return None if word.cut else False
            images, lost = [word.after.image(row) for row in images], lost + word.lost
            if not word.turns:
                return lost <= EPS and images == other.x + other.z
            # turns that came to stand side by side may cancel too
            turns, left, looks = [(axis[:2], angle) for axis, angle in word.turns], len(word.turns), word.looks
            word = Word(self.width)
            word.looks = looks

    def compare(self, other):
        """Where two forms differ; None where they are the same."""
        mine, theirs = (
            [{k: form.angles[n] for k, n in layer.items()} for layer in form.layers if layer] for form in (self, other)
        )
        lost = self.lost + other.lost
        if lost > EPS:
            return f"rotations that were rounded away, {lost:.1e} radians in all"
        for number, (one, two) in enumerate(itertools.zip_longest(mine, theirs, fillvalue={})):
            for key in one.keys() | two.keys():
                lost += abs(one.get(key, 9) - two.get(key, 9))
                if not lost <= EPS:
                    return f"layer {number + 1} of rotations, on qubits {list_bits(key[0] | key[1])[:6]}"
        wrong = [q for q in range(self.width) if (self.x[q], self.z[q]) != (other.x[q], other.z[q])]
        return f"Clifford gates after the rotations, on qubit {wrong[0]}" if wrong else None


class Word:
    """Turns one after the other, then Clifford gates; a turn that is added takes out what it cancels with.

    Turns about two Paulis that do not commute, and about their product, are multiplied: the product is three turns at
    most, and Clifford gates. Each step keeps what the whole is.
    """

    def __init__(self, width):
        self.turns, self.after, self.lost, self.looks, self.cut = [], Form(width), 0.0, 0, False

    def add(self, x, z, angle):
        """A turn about a Pauli without its sign, after all that is there."""
        self.looks += (x | z).bit_count()
        image = self.after.image((x, z, (x & z).bit_count() & 3))
        first = *image[:2], (image[0] & image[1]).bit_count() & 3
        angle *= 1 - (image[2] - first[2] & 3)
        place = self.find_equal(first)
        if place is not None:  # turns about one axis add up
            axis, known = self.turns.pop(place)
            quarters, left, lost = split_angle(angle + (known if axis[2] == first[2] else -known))
            self.lost += lost + 2.0**-51
            self.turns += [(first, left)] if left else []
            for _ in range(quarters % 4):
                self.add_quarter(first)
            return
        for second in self.list_partners(first):
            if self.looks > MOST_LOOKS:
                break  # whoever adds asks for this
            self.looks += 500  # as long as the product below
            third = times(first, second)
            axes = first, second, (*third[:2], third[2] + 3 & 3)
            met = self.list_met([axis[:2] for axis in axes])
            left, quarters, lost = multiply([*(self.turns[place] for place in met[::-1]), (first, angle)], axes)
            if len(left) <= len(met):
                for place in met:
                    del self.turns[place]
                self.turns += left
                self.lost += lost
                for letter in quarters:
                    self.add_quarter(axes["XYZ".index(letter)])
                return
        self.turns.append((first, angle))

    def find_equal(self, axis):
        """The last turn about the same axis, if it commutes with all after it."""
        for place in range(len(self.turns) - 1, -1, -1):
            other = self.turns[place][0]
            self.looks += 1
            if other[:2] == axis[:2]:
                return place
            if not commute(other, axis):
                return None
        return None

    def list_partners(self, axis):
        """Turns at the end that do not commute with one about an axis."""
        passed = []
        for other, _ in self.turns[: -REACH - 1 : -1]:
            self.looks += 1
            if not commute(other, axis):
                seen = sum(1 for _ in itertools.takewhile(lambda one, other=other: commute(other, one), passed))
                self.looks += seen
                if seen == len(passed):
                    yield other
            passed.append(other)
        self.cut = self.cut or len(self.turns) > REACH

    def list_met(self, keys):
        """Places of the turns about some Paulis that commute with all others after them, from the end."""
        met, stopped = [], set()
        for place in range(len(self.turns) - 1, max(-1, len(self.turns) - REACH - 1), -1):
            other = self.turns[place][0]
            self.looks += len(keys)
            if other[:2] in keys and other[:2] not in stopped:
                met.append(place)
            else:
                stopped |= {key for key in keys if not commute(key, other)}
                if len(stopped) == len(keys):
                    break
        return met

    def add_quarter(self, axis):
        """A quarter turn between the turns and the Clifford gates."""
        self.looks += 2 * self.after.width * (1 + self.after.width // 1000)  # wide Paulis take longer
        for rows in (self.after.x, self.after.z):
            for q, row in enumerate(rows):
                if not commute(row, axis):
                    x, z, power = times(row, axis)
                    rows[q] = x, z, power + 3 & 3


def commute(a, b):
    return not ((a[0] & b[1]).bit_count() + (a[1] & b[0]).bit_count()) % 2


def turn_on(spin, angle, place):
    """A unit quaternion, then a turn about one of three axes."""
    (a, b, c, d), w, sine = spin, math.cos(angle / 2), math.sin(angle / 2)
    x, y, z = (sine * (place == one) for one in range(3))
    return (
        w * a - x * b - y * c - z * d,
        w * b + x * a + y * d - z * c,
        w * c + y * a + z * b - x * d,
        w * d + z * a + x * c - y * b,
    )


def multiply(turns, axes):
    """Turns about three axes as three at most by less than a quarter, then quarter turns; with what is rounded away.

    The letters of the quarter turns are to be put before Clifford gates in their order.
    """
    spin, keys = (1.0, 0.0, 0.0, 0.0), [axis[:2] for axis in axes]
    for axis, angle in turns:
        place = keys.index(axis[:2])
        spin = turn_on(spin, angle if axis[2] == axes[place][2] else -angle, place)
    best, quarters = (0.0,), ()
    for word in CLIFFORDS:
        left = spin
        for letter in word:
            left = turn_on(left, -math.pi / 2, "XYZ".index(letter))
        if abs(left[0]) > abs(best[0]):
            best, quarters = left, word
    w, x, y, z = (math.copysign(1, best[0]) * part for part in best)
    angles = (
        (axes[2], math.atan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z))),
        (axes[1], math.asin(2 * (w * y + x * z))),
        (axes[0], math.atan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y))),
    )
    lost = sum(abs(angle) for _, angle in angles if abs(angle) <= EPS) + len(turns) * 2.0**-52
    return [turn for turn in angles if abs(turn[1]) > EPS], quarters, lost


def list_cliffords():
    """Words of quarter turns for the 24 Clifford gates on one qubit; taken off from the end, the first letter first."""
    found = {}
    for word in (word for length in range(5) for word in itertools.product("XYZ", repeat=length)):
        spin = (1.0, 0.0, 0.0, 0.0)
        for letter in reversed(word):
            spin = turn_on(spin, math.pi / 2, "XYZ".index(letter))
        key = tuple(round(1e6 * part) for part in spin)
        if not found.keys() & {key, tuple(-part for part in key)}:
            found[key] = word
    return list(found.values())


CLIFFORDS = list_cliffords()


class Columns:
    """Every column of a circuit's matrix on some wires: a proof for few of them, whatever the forms are."""

    def __init__(self, width, exact=False, wires=None):
        self.exact, self.states = exact, np.eye(2**width).reshape([2] * width + [2**width]).astype(complex)
        self.axes = {wire: axis for axis, wire in enumerate(wires or range(width))}

    def place(self, qubit, value):
        return (slice(None),) * self.axes[qubit] + (value,)

    def add_cx(self, control, target):
        axis = self.axes[target] - (self.axes[target] > self.axes[control])
        self.states[self.place(control, 1)] = np.flip(self.states[self.place(control, 1)], axis)

    def add_h(self, q):
        low, high = self.states[self.place(q, 0)], self.states[self.place(q, 1)]
        self.states = np.stack([low + high, low - high], self.axes[q]) / math.sqrt(2)

    def add_turn(self, axis, angle):
        turned = self.states.copy()
        for qubit in list_bits(axis[1]):
            turned[self.place(qubit, 1)] *= -1
        turned = np.flip(turned, [self.axes[qubit] for qubit in list_bits(axis[0])]) * 1j ** axis[2]
        self.states = math.cos(angle / 2) * self.states - 1j * math.sin(angle / 2) * turned

    def compare(self, other):
        """Where two differ by more than one phase of all columns; None where they do not."""
        turn = np.vdot(self.states, other.states)  # the phase that brings them nearest, times their overlap
        same = turn and np.linalg.norm((other.states - turn / abs(turn) * self.states).ravel()) <= EPS
        return None if same else "its matrix"

    def is_flip(self, factors, zeros):
        """Whether it flips the sign where all factors are 1, up to one phase, wherever some wires are zero."""
        width = len(self.axes)
        words = np.arange(2**width)
        held = {wire: words >> width - 1 - axis & 1 for wire, axis in self.axes.items()}
        sign = 1 - 2 * functools.reduce(np.bitwise_and, [xor_all(held, one) for one in factors])
        kept = words[~functools.reduce(np.bitwise_or, [held[wire] for wire in zeros], 0 * words).astype(bool)]
        matrix = self.states.reshape(2**width, 2**width)[:, kept] * sign[kept]
        turn = matrix[kept[0], 0]
        matrix[kept, range(len(kept))] -= turn
        return abs(abs(turn) - 1) <= EPS and np.linalg.norm(matrix) <= EPS


def split_angle(angle):
    """Whole quarter turns, and the rest: 0, or between 0 and a quarter; then what was left out of it."""
    if abs(angle) > 8:  # sine and cosine are right for any number, multiples of a rounded pi are not
        angle = math.atan2(math.sin(angle), math.cos(angle))
    number = round(angle / (math.pi / 2))
    left = angle - number * math.pi / 2
    if abs(left) <= EPS:
        return number, 0.0, abs(left)
    return (number, left, 0.0) if left > 0 else (number - 1, left + math.pi / 2, 0.0)


def pauli(wires, letter="Z", constant=0):
    mask = sum(1 << wire for wire in wires)
    x, z = mask * (letter in "XY"), mask * (letter in "ZY")
    return x, z, (x & z).bit_count() + 2 * constant & 3


def count_ops(op, rules, known):
    """Qubits of all operations that one stands for once its rule, and the rules of the parts, are applied."""
    key = repr(op)
    if key not in rules:
        return max(len(wires_of(op)), 1)
    if key not in known:
        known[key] = None
        known[key] = sum(count_ops(part, rules, known) for part in rules[key])
    need(known[key] is not None, "a rule that uses itself")
    return known[key]


def add_op(form, op, rules):
    """An operation as rotations, by its definition; a wide flip by its rule."""
    kind = op[0]
    if kind == "xor":
        for wire in op[1][0]:
            form.add_cx(wire, op[2])
        form.add_turn(pauli([op[2]], "X"), math.pi * op[1][1])
    elif kind in {"and", "unand"}:
        x, left, right = pauli([op[3]], "X"), pauli(op[1][0], "Z", op[1][1]), pauli(op[2][0], "Z", op[2][1])
        if form.exact:
            form.add_h(op[3])
            add_product(form, [left, right, pauli([op[3]])])
            return form.add_h(op[3])
        for sign, axis in ((1, x), (-1, times(x, right)), (1, times(times(x, right), left)), (-1, times(x, left))):
            form.add_turn(axis, sign * math.pi / 4)
        add_product(form, [left, pauli([op[3]])])
    elif kind == "andnot":
        x, z, (head, left, right) = *(pauli([op[4]], one) for one in "XZ"), *([pauli(w, "Z", c) for w, c in op[1:4]],)
        turns = [(x, 1), (times(x, right), -1), (z, -1), (times(z, left), 1)]
        for axis, eighths in turns:
            form.add_turn(axis, eighths * math.pi / 4)
        add_product(form, [head, times(x, right)])
        for axis, eighths in reversed(turns):
            form.add_turn(axis, -eighths * math.pi / 4)
    elif kind == "mux":
        x, (choice, yes, no) = pauli([op[4]], "X"), (pauli(w, "Z", c) for w, c in op[1:4])
        picked, differ = times(x, choice), times(yes, no)
        for axis, eighths in (
            (x, 1), (picked, -1), (times(picked, yes), 2), (times(picked, differ), -1), (times(x, differ), -1)
        ):  # fmt: skip
            form.add_turn(axis, eighths * math.pi / 4)
        add_product(form, [differ, pauli([op[4]])])
    elif kind == "gate":
        add_gate(form, op[1], op[2], op[3])
    elif repr(op) in rules:
        for part in rules[repr(op)]:
            add_op(form, part, rules)
    else:
        need(len(op[1]) <= 3, f"no rule for a flip of {len(op[1])} factors", Open)
        add_product(form, [pauli(wires, "Z", constant) for wires, constant in op[1]])


def add_product(form, factors):
    """The sign flipped where all of one to three commuting Paulis are -1."""
    for chosen in itertools.product((0, 1), repeat=len(factors)):
        axis = (0, 0, 0)
        for factor in itertools.compress(factors, chosen):
            axis = times(axis, factor)
        if any(chosen):
            form.add_turn(axis, -((-1) ** sum(chosen)) * 2 * math.pi / 2 ** len(factors))


def add_gate(form, name, wires, angles):
    if name == "cx":
        form.add_cx(*wires)
    elif name == "cz":
        form.add_h(wires[1])
        form.add_cx(*wires)
        form.add_h(wires[1])
    elif name == "h":
        form.add_h(*wires)
    elif name == "ccx":
        form.add_h(wires[2])
        add_product(form, [pauli([wire]) for wire in wires])
        form.add_h(wires[2])
    elif name in {"u3", "U"}:
        for letter, angle in zip("ZYZ", (angles[2], angles[0], angles[1]), strict=True):
            form.add_turn(pauli(wires, letter), angle)
    elif name in EIGHTHS:
        form.add_turn(pauli(wires), EIGHTHS[name] * math.pi / 4)
    else:
        form.add_turn(pauli(wires, {"x": "X", "ry": "Y"}.get(name, "Z")), math.pi if name == "x" else angles[0])


HEADERS = {"OPENQASM 2.0;": 'include "qelib1.inc";', "OPENQASM 3.0;": 'include "stdgates.inc";'}
KNOWN = {name: GATES[name] for name in ("cx", "cz", "h", "x", *EIGHTHS)} | dict.fromkeys(("u3", "U"), (1, 3))
KNOWN["ccx"] = (3, 0)
PLACE = r"[a-z]+\[(?:0|[1-9][0-9]{0,5})\]"
MEASURE = re.compile(f"measure ({PLACE}) -> ({PLACE});|({PLACE}) = measure ({PLACE});")
GATE = re.compile(rf"([A-Za-z0-9]+)(?:\(([^()]*)\))? ({PLACE}(?:, ?{PLACE})*);")
# No fraction of whole numbers: OpenQASM 3 rounds it down.
ANGLE = re.compile(r"(-?)(?:([0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)|(?:([0-9]{1,9})\*)?pi(?:/([1-9][0-9]{0,8}))?)")


def read_angle(text):
    found = ANGLE.fullmatch(text)
    need(found, f"no angle: {text[:60]}")
    size = float(found[2]) if found[2] else int(found[3] or 1) * math.pi / int(found[4] or 1)
    # Qiskit adds the angles of a gate as floats, so a large one hides a small one.
    need(size <= 1 << 12, f"no angle of a few turns: {text[:60]}")
    return -size if found[1] else size


def read_text(text, registers):
    """Gates, measurements and comments of OpenQASM 2 or 3; its registers have to be the given ones."""
    # A line and its comment end at others for some readers, which then read a gate in it.
    need(not re.search(r"[^\S\n\t ]", text), "a sign that ends a line for some readers")
    need(not re.search("[\0-\x08\x0e-\x1b\x7f-\x9f]", text), "a control character is not followed", Open)
    lines = text.split("\n")
    need(not lines[0].startswith("# kickmix"), "a text of kickmix is not read", Open)
    need(lines[0] in HEADERS, "the first line says neither OPENQASM 2.0 nor 3.0")
    comments = [line[2:].strip() for line in lines if line.startswith("//")]
    rest = [line.strip(" \t") for line in lines[1:] if line.strip(" \t") and not line.startswith("//")]
    old = lines[0] == "OPENQASM 2.0;"
    made = [HEADERS[lines[0]]]
    for name, (_, size) in registers.items():
        kind = "bit" if name == "measured" else "qubit"
        made.append(f"{kind[0].replace('b', 'c')}reg {name}[{size}];" if old else f"{kind}[{size}] {name};")
    need(sorted(rest[: len(made)]) == sorted(made), "the registers are not the program's")
    gates, measured = [], {}
    for line in rest[len(made) :]:
        found = MEASURE.fullmatch(line)
        if found and (found[1] is not None) == old:
            qubit, bit = (found[1], found[2]) if found[1] else (found[4], found[3])
            need(bit not in measured, f"measured twice: {bit}")
            measured[bit] = qubit
            continue
        found = GATE.fullmatch(line)
        need(found and not measured, f"not understood: {line[:60]}")
        wires = [find_wire(registers, place) for place in re.split(", ?", found[3])]
        angles = [read_angle(word.strip()) for word in found[2].split(",")] if found[2] else []
        need(
            KNOWN.get(found[1]) == (len(wires), len(angles)) and len({*wires}) == len(wires),
            f"not understood: {line[:60]}",
        )
        gates.append((found[1], wires, angles))
    return gates, measured, comments


def find_wire(registers, place):
    name, number = place[:-1].split("[")
    start, size = registers.get(name, (0, 0))
    need(name != "measured" and int(number) < size, f"no such qubit: {place}")
    return start + int(number)


def describe(space, program, part, times_done):
    """The comments of the text."""
    needed = None if program["needed_iterations"] is None else int(program["needed_iterations"])
    level = f", level {program['level']}" if program["level"] else ""
    lines = [
        f"made by gatesolve{level}; each block's codewords, its last qubit leftmost, and the values they stand for"
    ]
    if part == "whole" and needed is not None and needed != times_done:
        shown = needed if needed < 10**10 else f"2^{math.log2(needed):.1f}"
        number = f"{times_done} iteration{'' if times_done == 1 else 's'}"
        lines.append(f"this circuit is the preparation and {number} of {shown} planned")
    for number, block in enumerate(space.blocks):
        qubits, size = space.qubits(number), len(block["tuples"])
        place = f"data[{qubits[0]}]..data[{qubits[-1]}]" if qubits else "no qubit"
        if block["kind"] == SHUFFLED:
            width, values = len(list_cells(block)[0][0]), "/".join(map(str, block["tuples"][0]))
            held = f"each holds on {width} qubits the place of its value in {values}, all different; then the digits"
            lines.append(f"{place} {block['kind']} {'/'.join(block['variables'])}: {held}")
            continue
        pairs = zip(space.words[number][:24], block["tuples"][:24], strict=True)
        words = ", ".join(f"{word:0{max(len(qubits), 1)}b}={'/'.join(map(str, values))}" for word, values in pairs)
        more = f", ... {size} in all" if size > 24 else ""
        lines.append(f"{place} {block['kind']} {'/'.join(block['variables'])}: {words}{more}")
    if space.fills:
        unread = ", ".join(f"data[{q}]" for fill in space.fills for q in fill["unread"])
        lines.append(f"read by no constraint and zero here, any codeword that fits: {unread}")
    lines = [" ".join(line.split()) for line in lines]
    return [re.sub("[\0-\x1f\x7f-\x9f]", lambda found: f"\\x{ord(found[0]):02x}", line) for line in lines]


# All layers.


class Recheck:
    """The files, and what each layer needs of them."""

    def __init__(self, text, data):
        self.text, self.data, self.program = text, data, data["program"]
        self.space = Space(self.program["space"], self.program["fills"])
        # Both stand in the text's comments: only what cannot be read as another claim may.
        named = all(re.fullmatch("[A-Za-z0-9_.-]{1,40}", block["kind"]) for block in self.space.blocks)
        named = named and self.program["level"] in {None, *LEVELS}
        need(named, "an unknown level, or a block of a kind that is no encoding's name", Unreadable)
        # Layers of one name are counted through: "layer", "layer'", so that none hides another.
        self.sections = {}
        for one in self.program["sections"]:
            name = one["name"]
            while name in self.sections:
                name += "'"
            self.sections[name] = one
        need(data["part"] in {"whole", "oracle"}, "an unknown part", Unreadable)
        self.home = next((name for name, one in self.sections.items() if one["oracle"] and name != "early"), None)
        self.oracle = self.sections[self.home]["oracle"] if self.home else None
        self.times = {name: one["times"] for name, one in self.sections.items()}
        self.ops = {name: [read_op(line) for line in one["ops"]] for name, one in self.sections.items()}
        self.width = self.space.num_qubits + self.program["num_ancillas"]
        need(self.space.num_qubits <= self.width <= MOST_QUBITS, "the number of qubits cannot be", Unreadable)
        used = {wire for ops in self.ops.values() for op in ops for wire in wires_of(op)}
        used |= {wire for ops in self.ops.values() for op in ops if op[0] == "flip" for wire in op[2]}
        need(max(used, default=-1) < self.width, "an operation on a qubit that is not there", Unreadable)
        for name, one in self.sections.items():
            if one["oracle"] is not None:
                need(one["oracle"]["length"] <= len(self.ops[name]), "an oracle longer than its section", Unreadable)
                read = Condition(*one["oracle"]["conditions"]).mask
                need(not read >> self.space.num_qubits, "a condition on a qubit that is no data", Unreadable)
        needed = self.program["needed_iterations"]
        need(needed is None or re.fullmatch("[0-9]{1,4000}", needed), "the iterations are no number", Unreadable)
        self.domains, self.names = read_model(self.program["model"])
        self.constraints = [one for group in self.names.values() for one in group]
        self.stated = self.constraints  # or the board's, once that is read

        # A shuffled block holds some constraints. The conditions are those of the others, were its cells free.
        held = [block["variables"] for block in self.space.blocks if block["kind"] == SHUFFLED]
        self.asked = [one for one in self.constraints if not any(is_held(one, names) for names in held)]
        self.cells, _ = replace_shuffled(self.space, split_cells)
        self.digits = 0
        for number, block in enumerate(self.space.blocks):
            if block["kind"] == SHUFFLED:
                first = self.space.offsets[number]
                self.digits |= sum(1 << first + q for digit in list_cells(block)[1] for q in digit)

    def board(self):
        problem = self.data["problem"] or {}
        need(problem.get("kind") in {None, "puzzle", "model"}, "the problem is of an unknown kind", Unreadable)
        if problem:
            fit(problem, PUZZLE if problem.get("kind") == "puzzle" else POSED, "the problem")
        names = {*(problem.get("qubo") or {"variables": ()})["variables"]}
        need(names <= self.domains.keys(), "the QUBO is over other variables", Open)
        need(self.data["presolve"] == "none", f"the model is what '{self.data['presolve']}' left of the problem", Open)
        need(problem.get("kind") != "model" or problem["model"] == self.program["model"], "the model is another one")
        if problem.get("kind") != "model":
            need(problem.get("family") in READERS, f"no reader for the family '{problem.get('family')}'", Open)
            plain(re.fullmatch("[ -~\n]*", problem["text"]))  # others part lines or words for some readers only
            domains, constraints = READERS[problem["family"]](problem["text"])
            self.stated = constraints
            same = {n: tuple(d) for n, d in domains.items()} == self.domains
            need(same, "the board's variables or their values are others")
            missing = [one for one in self.constraints if not self.is_known(one, constraints)]
            missing += [one for one in constraints if not self.is_known(one, self.constraints)]
            need(not missing, f"the board's constraints are others: {missing[:1]}")
        goals = [("objective", self.program["model"]["objective"]), ("QUBO", problem.get("qubo"))]
        by_rules = self.oracle is not None and self.oracle["style"] in {"constraints", "classical"}
        aside = "".join(
            f"; the {name} is no part of the search" for name, goal in goals if by_rules and goal is not None
        )
        return f"{len(self.domains)} variables, {len(self.constraints)} constraints{aside}"

    def is_known(self, constraint, others):
        """Whether a constraint is one of some others, or holds whatever the values."""
        if self.is_part(constraint, others):
            return True
        pairs = constraint[1]
        names = [name for _, name in pairs]
        if len(pairs) > 8:
            return False
        many = math.prod(len(self.domains[name]) for name in names) > MOST_STATES
        need(not many, "a constraint beside the board's has too many values to be listed", Open)
        values = itertools.product(*(self.domains[name] for name in names))
        return all(holds(constraint, step(constraint, 0, dict(zip(names, one, strict=True)))) for one in values)

    def is_part(self, constraint, others):
        """Whether it is one of some others, or a part of such a sum that is small enough, of variables of 0 or more."""
        kind, pairs, relation, bound = constraint
        same = [(set(two), k == kind and b == bound) for k, two, r, b in others if r == relation]
        wide = (kind, relation) == ("sum", "<=") and min(map(min, self.domains.values())) >= 0
        return any(fits and (two == {*pairs} or (wide and two > {*pairs} and min(two)[0] > 0)) for two, fits in same)

    def space_(self):
        prove_space(self.space, self.domains, self.constraints)
        joined = [one for one in self.constraints if one[2] == "joined"]
        followed = not joined or self.program["level"] in {None, "literal", "classical"}
        need(followed, f"a table joined from several constraints, at level '{self.program['level']}'", Open)
        for number, block in enumerate(self.space.blocks if self.program["level"] in TOLD_APART else ()):
            told = block["kind"] == SHUFFLED or self.is_told_apart(block)
            need(told, f"block {number} lists tuples of several constraints, at another level")
        return f"{len(self.space.blocks)} blocks"

    def find_oracle(self):
        need(self.oracle is not None and self.oracle["style"] == "constraints", "no oracle of constraints", Open)
        called = [(one["oracle"], name) for name, one in self.sections.items() if one["oracle"] and name != "early"]
        oracles = [(oracle, self.ops[name][: oracle["length"]]) for oracle, name in called]
        need(
            all(one == oracles[0] for one in oracles),
            "sections have different oracles, of which one is looked at",
            Open,
        )
        return self.oracle["conditions"]

    def conditions(self):
        """Each condition with the constraints it names; where they are simplified by each other, all with all."""
        records, level, left, met = self.find_oracle(), self.program["level"], list(self.asked), 0
        need(not Condition(*records).mask & self.digits, "a condition reads a digit of a shuffle")
        others = [one[2] for one in self.constraints if one[0] == "other"]
        need(not others, f"constraints of kind '{others[:1]}' are not followed", Open)
        try:
            for record in records:
                need(level != "literal" or record["label"] in self.names, "a condition of no constraint alone")
                group, number = self.find_meaning(record)
                left, met = [one for one in left if one not in group], met + number
            met += sum(compare(Condition(), [one], self.cells) for one in left)
            return f"{len(self.constraints)} constraints, {met} partial results"
        except Refused:
            if level in TOLD_APART:
                raise
        met = compare(Condition(*records), self.asked, self.cells, MOST_TOGETHER)
        return f"{len(self.constraints)} constraints together, {met} partial results"

    def find_meaning(self, record):
        """The constraints that a condition is the same as, of those that its label may mean."""
        names, words = [], record["label"].split(" & ")
        while words:  # a name may hold the sign that joins names
            starts = (" & ".join(words[:number]) for number in range(len(words), 0, -1))
            name = next((one for one in starts if one in self.names), None)
            need(name is not None, "conditions of no constraint")
            names, words = [*names, name], words[name.count(" & ") + 1 :]
        reason, found, met = None, [], 0
        need(math.prod(len(self.names[name]) for name in names) <= MOST_MERGED, "too many of one name", Open)
        for group in itertools.product(*map(self.names.get, names)):  # all that differ on no codeword
            try:
                nested = self.program["level"] not in TOLD_APART or self.is_nested(group)
                need(nested, "a condition joins constraints side by side")
                alone = self.program["level"] != "literal" or all(one[2] != "joined" for one in group)
                need(alone, "a condition of a table joined from several constraints")
                met += compare(Condition(record), list(group), self.cells)
                found += group
            except Refused as error:
                reason = error
        if not found:
            raise reason
        return found, met

    def is_nested(self, group):
        """Whether one constraint is over all variables of the others, and these are at most half of the model's."""
        if len(group) == 1:
            return True
        scopes = [{name for _, name in one[1]} for one in group]
        widest = max(scopes, key=len)
        nested = widest >= set().union(*scopes) and 2 * len(widest) <= len(self.domains)
        # A sum that always holds joins no others.
        return nested and all(self.is_part(one, self.stated) for one in group)

    def is_told_apart(self, block):
        """Whether a block lists all values, all that satisfy one constraint, or at `merged` some nested ones."""
        names, tuples = {*block["variables"]}, {tuple(one) for one in block["tuples"]}
        if math.prod(len(self.domains[name]) for name in names) == len(tuples):
            return True
        scopes = [(one, {name for _, name in one[1]}) for one in self.constraints if one[0] != "other"]
        inside = [one for one, scope in scopes if scope <= names]
        groups = [[one] for one in inside if one[2] != "joined"]
        if inside and self.program["level"] == "merged" and len(tuples) <= MOST_MERGED and self.is_nested(inside):
            groups += [inside] * any(scope == names for _, scope in scopes)
        names = block["variables"]
        return any(list_tuples(self.space, names, self.domains, group, group) <= tuples for group in groups)

    def structure(self):
        conditions = [Condition(record) for record in self.find_oracle()]
        ops, data = self.ops[self.home][: self.oracle["length"]], self.space.num_qubits

        def wanted(values, held):
            return [factor for one in conditions for factor in one.factors(values, held)]

        prove_flip(ops, self.width, set(range(data, self.width)), wanted)
        return f"{len(ops)} operations"

    def rules(self):
        for op, parts in self.parts:
            if any(part[0] != "flip" for part in split_mirror(parts)[1]):
                self.prove_borrowing(op, parts)
                continue

            def wanted(_, held, factors=op[1]):
                return [xor_all(held, parity) for parity in factors]

            prove_flip(parts, self.width, set(op[2]), wanted)
        return f"{len(self.data['rules'])} wide flips"

    def prove_borrowing(self, op, parts):
        """That a rule which toggles what it borrows is a flip: every column over the few qubits that it works on."""
        lent = {wire for part in parts if part[0] == "flip" for wire in part[2]}
        wires = sorted(lent.union(*map(wires_of, (op, *parts))))
        need(len(wires) <= MOST_WIRES, f"a rule that toggles what it borrows, over {len(wires)} qubits", Open)
        turned = any(part[0] == "gate" and part[3] for part in parts)  # its error would count at each use
        need(not turned, "a rule that turns by any angle", Open)
        made = Columns(len(wires), self.program["gates"] == "clifford+toffoli", wires)
        rules, counted = self.by_op, {}
        number = sum(count_ops(part, rules, counted) for part in parts)
        need(number <= QUICK_OPS, f"a rule of operations on {number} qubits in all", Open)
        for part in parts:
            add_op(made, part, rules)
        need(made.is_flip(op[1], {*op[2]} & {*wires}), f"a rule is no flip of {len(op[1])} factors")

    @cached_property
    def parts(self):
        """Each wide flip with the parts of its rule."""
        need(self.data["rules"] is not None, "the certificate has no rules", Open)
        found = [(read_op(line), [read_op(part) for part in parts]) for line, parts in self.data["rules"].items()]
        ops = [part for op, parts in found for part in (op, *parts)]
        need(all(op[0] == "flip" for op, _ in found), "a rule for an operation that is no flip", Unreadable)
        used = {wire for op in ops for wire in (*wires_of(op), *(op[2] if op[0] == "flip" else ()))}
        need(max(used, default=-1) < self.width, "a rule on a qubit that is not there", Unreadable)
        return found

    @cached_property
    def by_op(self):
        """The parts of each rule, by its operation as text."""
        return {repr(op): parts for op, parts in self.parts}

    def blocks(self):
        need(list(self.sections) == ["preparation", "iteration"], "only of a plain search", Open)
        turned = any(op[:2] == ("gate", "p") for op in self.ops["preparation"])
        need(not turned, "a first iteration with matched phases is not followed", Open)
        ops = self.ops["iteration"]
        need(self.sections["iteration"]["oracle"] is not None, "the iteration has no oracle")
        need(self.sections["preparation"]["oracle"] is None, "the preparation has an oracle", Open)
        need(self.times["preparation"] == 1, "the preparation is not done once")
        read = {wire for op in ops for wire in wires_of(op)}
        need(not read & self.space.unread, "a qubit that is left out of the search is used")
        iterations = max(1, self.times["iteration"]) if self.data["part"] == "whole" else 1
        number, shuffles = prove_blocks(self.space, self.ops["preparation"], ops[self.oracle["length"] :], iterations)
        return f"{len(self.space.blocks)} blocks, {number} different{' parts' if shuffles else ''}"

    def text_(self):
        need(not self.program["measured"], "circuits that measure in between are not compared", Open)
        data, part, rules = self.space.num_qubits, self.data["part"], self.by_op
        ancillas = {"ancilla": (data, self.width - data)} if self.width > data else {}
        registers = {"data": (0, data), **ancillas} | ({"measured": (0, data)} if part == "whole" else {})
        gates, measured, comments = read_text(self.text, registers)
        wanted = {f"measured[{q}]": f"data[{q}]" for q in range(data if part == "whole" else 0)}
        need(measured == wanted, "the measurements are not those of the data qubits in their order")
        need(all(self.ops[name] or times <= 1 for name, times in self.times.items()), "nothing is repeated")
        done = self.times.get("iteration", 0)
        need(comments == describe(self.space, self.program, part, done), "the comments are not the program's")
        if part == "oracle":
            need("iteration" in self.sections and self.oracle is not None, "there is no oracle", Open)
            sections, extent = [(self.ops["iteration"][: self.oracle["length"]], 1)], "one oracle call"
        else:
            sections = [(self.ops[name], times) for name, times in self.times.items()]
            extent = ", ".join(f"{times} x {name}" for name, times in self.times.items())
        counted = {}
        number = sum(times * sum(count_ops(op, rules, counted) for op in found) for found, times in sections)
        need(number <= MOST_OPS, "too long", Open)
        few = f"{len(gates)} gates are too few to be compared with operations on {number} qubits in all"
        need(number <= max(QUICK_OPS, OPS_PER_GATE * len(gates)), few, Open)
        ops = [op for found, times in sections for op in found * times]
        angles = [angle for op in ops if op[0] == "gate" for angle in op[3]]
        exact = self.program["gates"] != "clifford+t" or not any(split_angle(2 * angle)[1] for angle in angles)
        need(exact, "rotations that Clifford+T approximates are not followed", Open)
        forms, reason = self.fill_forms(Form, ops, gates, rules)
        cancelled = reason is None or forms[0].cancels(forms[1])
        if not cancelled:
            number = sum(map(len, forms[0].layers)) + 3 * len(gates)
            fits = 4**self.width <= min(MOST_AMPLITUDES, MOST_NUMBERS // max(number, 1))
            same = fits and self.fill_forms(Columns, ops, gates, rules)[1] is None
            # Turns by any angle, as in QAOA, may have several forms: forms that differ decide nothing of them.
            decided = same or fits or (self.oracle is not None and cancelled is not None)
            need(decided, f"the forms differ, {self.width} qubits are too many for matrices or time is up", Open)
            need(same, f"not the program's operations: {reason}")
        rotations = f"{sum(map(len, forms[0].layers))} rotations in {len(forms[0].layers)} layers"
        return f"{extent}: {len(gates)} gates, {rotations}"

    def fill_forms(self, kind, ops, gates, rules):
        """The forms of the operations and of the text, and where they differ."""
        # Oracle and rules are proved to undo their ANDs in mirrored order, so that relative phases cancel.
        forms = kind(self.width, self.program["gates"] == "clifford+toffoli"), kind(self.width)
        for op in ops:
            add_op(forms[0], op, rules)
        for gate in gates:
            add_gate(forms[1], *gate)
        return forms, forms[0].compare(forms[1])

    def file(self):
        same = hashlib.sha256(self.text.encode()).hexdigest() == self.data["text_sha256"]
        need(same, "it is not the text that the certificate was made for, by its hash")
        return "SHA-256"

    def tell_absent(self, name):
        """What a claim adds where it is about operations that the text does not hold."""
        if self.data["part"] == "oracle":
            return "; the file, one oracle call, leaves these out" if name == "blocks" else ""
        lacks = name in {"conditions", "structure", "rules", "blocks"} and not self.times.get(self.home)
        return "; the file has no iteration and leaves these out" if lacks else ""

    def run(self):
        """Prove layer after layer; returns the exit status."""
        found = set()
        for layer in (
            self.board,
            self.space_,
            self.conditions,
            self.structure,
            self.rules,
            self.blocks,
            self.text_,
            self.file,
        ):
            name = layer.__name__.strip("_")
            try:
                status, detail = "proved", layer() + self.tell_absent(name)
            except Refused as error:
                status, detail = "refused", error
            except Open as error:
                status, detail = "open", error
            print(show(f"{name}: {status}: {detail}"))
            found.add(status)
        verdict = "refused" if "refused" in found else "open" if "open" in found else "proved"
        print(f"verdict: {verdict}")
        return {"proved": 0, "refused": 1, "open": 3}[verdict]


def read(path):
    """The bytes of a file; the size that a system states may be wrong, as it is for a device."""
    with path.open("rb") as file:
        text = file.read(MOST_BYTES + 1)
    need(len(text) <= MOST_BYTES, f"more than {MOST_BYTES} bytes", Unreadable)
    return text


def find_certificate(circuit):
    """The certificate next to a circuit, of two the one that was made for its text, or else for its name."""
    short, long = circuit.with_suffix(".cert.json"), circuit.with_name(f"{circuit.name}.cert.json")
    if not long.exists():
        return short
    fits = []
    for place in (short, long):
        try:
            kept, text = json.loads(read(place)), hashlib.sha256(read(circuit)).hexdigest()
            fits.append((kept["text_sha256"] == text, kept["circuit"] == circuit.name))
        except (OSError, ValueError, LookupError, TypeError, RecursionError, Unreadable):  # absent, or no certificate
            fits.append((False, False))
    return long if fits[1] > fits[0] else short


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if len(arguments) not in {1, 2}:
        print("give a circuit, and its certificate where that is not next to it", file=sys.stderr)
        return 2
    circuit = Path(arguments[0])
    place = Path(arguments[1]) if len(arguments) > 1 else find_certificate(circuit)
    try:
        need(not (text := read(circuit)).startswith(b"QISKIT"), "QPY is no text: export OpenQASM", Unreadable)
        text = text.decode()
        data = json.loads(read(place), object_pairs_hook=read_fields, parse_constant=refuse_number)
        fit(data, dict, "the certificate")
        need(data.get("gatesolve_certificate") == 1, "no certificate of version 1", Unreadable)
        if isinstance(data.get("program"), dict):
            data["program"].setdefault("rotation_error", None)  # only in certificates that state one
        fit({name: value for name, value in data.items() if name not in IGNORED}, CERTIFICATE, "the certificate")
        return Recheck(text, data).run()
    except Open as error:
        print(f"program: open: {show(error)}\nverdict: open")
        return 3
    except Exception as error:  # whatever is wrong with files of others is said in one line
        reason = show(f"{circuit} and {place} cannot be read: {type(error).__name__}: {error}")
        print(reason, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))

"""Changes of exported texts and certificates, each by name: what `proof_mutants.py` tries.

A change gets a file, another one to take parts from, and a source of chance. It returns a text and the certificate's
JSON; where a file has nothing to change in that way it raises `LookupError` or `ValueError`.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from math import pi
from typing import Any

from benchmarks.faults.proof_files import Certificate

Edit = Callable[[list[str], list[int], random.Random], None]
"""Changes the lines of a text in place, given which of them are gates."""
ModelEdit = Callable[[Certificate, random.Random], None]
GATE = re.compile(r"(cx|ccx|u3|u|U|[hxzst]|sdg|tdg)\b.*\[")
SMALL = 1e-6
HOSTILE = "\x1b[2J\nverdict: proved\n"
GHOST = {"kind": "linear", "terms": [[1, "ghost"]], "relation": "==", "bound": 1}
VALUES: tuple[Any, ...] = (None, -1, 0, 10**9, 10**30, 1.5, True, "", "1", HOSTILE, [], {}, [[]], [-1], ["0"])
"""Other values of a field."""


def _wires(line: str) -> list[str]:
    return re.findall(r"\w+\[\d+\]", line)


def _pick(lines: list[str], gates: list[int], draw: random.Random, part: str) -> int:
    """Return the place of a gate that has a part in its line."""
    return draw.choice([k for k in gates if part in lines[k]])


def _drop(lines: list[str], gates: list[int], draw: random.Random) -> None:
    del lines[draw.choice(gates)]


def _double(lines: list[str], gates: list[int], draw: random.Random) -> None:
    lines.insert(place := draw.choice(gates), lines[place])


def _exchange(lines: list[str], gates: list[int], draw: random.Random) -> None:
    one, other = draw.sample(gates, 2)
    lines[one], lines[other] = lines[other], lines[one]


def _move(lines: list[str], gates: list[int], draw: random.Random) -> None:
    one, other = draw.sample(gates, 2)
    lines.insert(other, lines.pop(one))


def _turn_round(lines: list[str], gates: list[int], draw: random.Random) -> None:
    place = _pick(lines, gates, draw, "cx ")
    *others, one, other = _wires(lines[place])
    lines[place] = f"{'c' * (len(others) + 1)}x {','.join([*others, other, one])};"


def _rewire(lines: list[str], gates: list[int], draw: random.Random) -> None:
    place, other = draw.choice(gates), draw.choice(gates)
    lines[place] = lines[place].replace(draw.choice(_wires(lines[place])), draw.choice(_wires(lines[other])))


def _rename(lines: list[str], gates: list[int], draw: random.Random) -> None:
    names = {"s": "sdg", "sdg": "s", "t": "tdg", "tdg": "t", "x": "z", "z": "x", "h": "x"}
    place = draw.choice([k for k in gates if lines[k].split(" ")[0] in names])
    name, rest = lines[place].split(" ", 1)
    lines[place] = f"{names[name]} {rest}"


def _measure(lines: list[str], _: list[int], draw: random.Random) -> None:
    one, other = draw.sample([k for k, line in enumerate(lines) if "measure " in line], 2)
    places = [re.search(r"data\[\d+\]", lines[k]) for k in (one, other)]
    first, second = (found[0] if found else "" for found in places)
    lines[one], lines[other] = lines[one].replace(first, second), lines[other].replace(second, first)


def _legend(lines: list[str], _: list[int], draw: random.Random) -> None:
    place = draw.choice([k for k, line in enumerate(lines) if line.startswith("// data")])
    lines[place] = lines[place].replace("=1", "=2", 1).replace("[0]", "[1]", 1)


def _shift(add: Callable[[random.Random], float]) -> Edit:
    """Return an edit that adds to one angle."""

    def edit(lines: list[str], gates: list[int], draw: random.Random) -> None:
        place = _pick(lines, gates, draw, "(")
        head, rest = lines[place].split("(", 1)
        words, tail = rest.split(")", 1)
        angles = words.split(",")
        number = draw.randrange(len(angles))
        angles[number] = repr(eval(angles[number], {"pi": pi}) + add(draw))  # of a text made here
        lines[place] = f"{head}({','.join(angles)}){tail}"

    return edit


def _insert(make: Callable[[str, str, random.Random], list[str]]) -> Edit:
    """Return an edit that inserts lines, made of a wire and of the word for a general rotation."""

    def edit(lines: list[str], gates: list[int], draw: random.Random) -> None:
        place, word = draw.choice(gates), "u3" if lines[0].startswith("OPENQASM 2") else "U"
        lines[place:place] = make(word, draw.choice(_wires(lines[place])), draw)

    return edit


HUGE = ("6283185307179636.0", "1e300", "-314159265358979.0", "1e17*pi", "123456789*pi", "710*pi/113", "1e9*pi/7")
STATEMENTS = (
    "reset {};", "barrier {};", "if(measured==1) x {};", "id {};", "y {};", "gate h a {{ }}", "/* {} */", "h {}; x {};",
    "inv @ s {};", "pow(2) @ s {};", "gphase(pi);", "rz(pi) {};", "x {}", "qreg data[1];", "include \"other.inc\";",
    "u3(3pi,0,0) {};", "U(1e-3,0,0) {};", "h\u00a0{};", "x  {};", "x // {};"
)  # fmt: skip
WRONG = {
    "a gate dropped": _drop,
    "a gate twice": _double,
    "two gates exchanged": _exchange,
    "a gate moved": _move,
    "control and target exchanged": _turn_round,
    "another qubit": _rewire,
    "another gate": _rename,
    "two measurements exchanged": _measure,
    "a word of the legend": _legend,
    "an angle off by a millionth": _shift(lambda draw: draw.choice((-SMALL, SMALL))),
    "an angle off by many turns": _shift(lambda draw: draw.choice((-1, 1)) * 2 * pi * 10.0 ** draw.randrange(7, 17)),
    "a huge angle": _insert(lambda word, wire, draw: [f"{word}({draw.choice(HUGE)},0,0) {wire};"]),
    "tiny angles that add up": _insert(
        lambda word, wire, draw: [f"{word}({draw.choice('79')}e-10,0,0) {wire};"] * 4000
    ),
    "a foreign statement": _insert(lambda _, wire, draw: [draw.choice(STATEMENTS).replace("{}", wire)]),
    "other digits": _insert(lambda _, wire, draw: [re.sub(r"\d", "\u0661", f"x {wire};")] * 2),
}
"""Edits that make another circuit, nearly always."""


def _commute(lines: list[str], gates: list[int], draw: random.Random) -> None:
    places = [k for k in gates if k + 1 in gates and not {*_wires(lines[k])} & {*_wires(lines[k + 1])}]
    place = draw.choice(places)
    lines[place : place + 2] = lines[place + 1], lines[place]


def _respell(lines: list[str], gates: list[int], draw: random.Random) -> None:
    place = draw.choice([k for k in gates if "pi/2" in lines[k] or "pi/4" in lines[k]])
    lines[place] = re.sub(r"(?<!\*)pi/([24])", lambda found: repr(pi / int(found[1])), lines[place])


RIGHT = {
    "a gate and its inverse": _insert(lambda word, wire, _: [f"{word}(0.3,0,0) {wire};", f"{word}(-0.3,0,0) {wire};"]),
    "two Hadamards": _insert(lambda _, wire, __: [f"h {wire};"] * 2),
    "neighbours that commute exchanged": _commute,
    "an angle in decimals": _respell,
    "a comment": _insert(lambda _, __, ___: ["// a comment"]),
    "an empty line": _insert(lambda _, __, ___: [""]),
    "an indented gate": lambda lines, gates, draw: lines.__setitem__(k := draw.choice(gates), f"  {lines[k]}"),
}
"""Edits that leave the circuit as it is."""


def edit_text(text: str, edit: Edit, draw: random.Random) -> str:
    """Return a changed text.

    Raises:
        LookupError: it has no line to change in this way.
    """
    for _ in range(20):
        lines = text.split("\n")
        edit(lines, [k for k, line in enumerate(lines) if GATE.match(line)], draw)
        if (changed := "\n".join(lines)) != text:
            return changed
    raise LookupError("nothing to change")


# Certificates.


def list_places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all fields; of a list the first and the last entry alone."""
    if path:
        yield path
    if isinstance(data, dict):
        for name, value in data.items():
            yield from list_places(value, (*path, name))
    elif isinstance(data, list):
        for number in sorted({0, len(data) - 1} if data else ()):
            yield from list_places(data[number], (*path, number))


def _find(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def change_field(data: Certificate, other: Certificate, draw: random.Random) -> Certificate:
    """Return a certificate with a field dropped, of another value, or another file's."""
    data = copy.deepcopy(data)
    path = draw.choice([one for one in list_places(data) if one[0] != "text_sha256"])
    parent, name = _find(data, path[:-1]), path[-1]
    match draw.randrange(4):
        case 0:
            del parent[name]
        case 1:
            parent[name] = _find(other, path)
        case 2 if isinstance(parent[name], list) and parent[name]:
            parent[name] = draw.choice((parent[name][::-1], parent[name] * 2, parent[name][1:]))
        case 2 if isinstance(parent[name], int):
            parent[name] += draw.choice((-1, 1))
        case _:
            parent[name] = draw.choice(VALUES)
    return data


def change_op(data: Certificate, _: Certificate, draw: random.Random) -> Certificate:
    """Return a certificate with an operation, a condition or a factor changed."""
    data = copy.deepcopy(data)
    section = draw.choice([one for one in data["program"]["sections"] if one["ops"]])
    ops, oracle = section["ops"], section["oracle"] or {"conditions": []}
    first, second = draw.randrange(len(ops)), draw.randrange(len(ops))
    match draw.randrange(6):
        case 0:
            del ops[first]
        case 1:
            ops.insert(first, ops[second])
        case 2:
            ops[first], ops[second] = ops[second], ops[first]
        case 4 if oracle["conditions"]:
            del oracle["conditions"][draw.randrange(len(oracle["conditions"]))]
        case 5 if oracle["conditions"] and (factors := draw.choice(oracle["conditions"])["factors"]):
            place = draw.randrange(len(factors))
            factors[place] = _complement(factors[place])
        case _:
            words = ops[first].split(" ")
            place = draw.randrange(1, len(words)) if len(words) > 1 else 0
            words[place] = _complement(words[place])
            ops[first] = " ".join(words)
    return data


def _complement(word: str) -> str:
    return word.removeprefix("!") if word.startswith("!") else f"!{word}"


PARTS = ("problem", "rules", "part", "program", "program.model", "program.space", "program.sections", "program.fills")


def splice(data: Certificate, other: Certificate, draw: random.Random) -> Certificate:
    """Return a certificate with a part of another file's."""
    data = copy.deepcopy(data)
    for part in draw.sample(PARTS, draw.choice((1, 1, 2))):
        path = tuple(part.split("."))
        _find(data, path[:-1])[path[-1]] = copy.deepcopy(_find(other, path))
    return data


# Models: each edit is made to the certificate's model, and to the problem's where that is a model.


def _constrain(*constraints: Any) -> ModelEdit:
    def edit(model: Certificate, draw: random.Random) -> None:
        names = [one["name"] for one in model["variables"]]
        known = {"ONE": draw.choice(names), "ALL": names}
        for one in constraints:
            made = {name: known.get(value, value) if isinstance(value, str) else value for name, value in one.items()}
            if "terms" in made:
                made["terms"] = [[weight, known.get(name, name)] for weight, name in made["terms"]]
            model["constraints"].append(made)

    return edit


def _linear(terms: list[list[Any]], relation: str, bound: Any) -> Certificate:
    return {"kind": "linear", "terms": terms, "relation": relation, "bound": bound}


def _edit_domain(change: Callable[[list[Any]], list[Any]]) -> ModelEdit:
    def edit(model: Certificate, draw: random.Random) -> None:
        one = draw.choice(model["variables"])
        one["domain"] = change(one["domain"])

    return edit


def _rename_variable(model: Certificate, draw: random.Random) -> None:
    one, other = draw.sample(model["variables"], 2)
    one["name"] = other["name"]


def _drop_constraint(model: Certificate, draw: random.Random) -> None:
    del model["constraints"][draw.randrange(len(model["constraints"]))]


def _move_bound(model: Certificate, draw: random.Random) -> None:
    one = draw.choice([one for one in model["constraints"] if one["kind"] in {"linear", "not-equal"}])
    one["bound" if one["kind"] == "linear" else "offset"] += draw.choice((-1, 1, 100))


def _use_ghost(model: Certificate, draw: random.Random) -> None:
    one = draw.choice([one for one in model["constraints"] if one["kind"] == "linear"])
    one["terms"].append([1, "ghost"])


MODEL_EDITS: dict[str, ModelEdit] = {
    "an unknown variable": _constrain(GHOST),
    "an unknown variable beside a known one": _constrain(_linear([[1, "ONE"], [1, "ghost"]], "==", 1)),
    "an unknown variable in a constraint": _use_ghost,
    "unknown variables that differ": _constrain({"kind": "not-equal", "left": "ONE", "right": "ghost", "offset": 0}),
    "an unknown variable in all-different": _constrain(
        {"kind": "all-different", "variables": ["ghost", "other"], "offsets": []}
    ),
    "an unknown variable in a table": _constrain(
        {"kind": "table", "variables": ["ghost"], "tuples": [[1]], "source": ""}
    ),
    "an unknown variable in a clause": _constrain({"kind": "clause", "literals": [["ghost", [1]]]}),
    "a false constant": _constrain(_linear([], "==", 1)),
    "a true constant": _constrain(_linear([], "<=", 1)),
    "a constraint that always holds": _constrain(_linear([[1, "ONE"]], "<=", 10**6)),
    "a constraint that never holds": _constrain(_linear([[1, "ONE"]], ">=", 10**6)),
    "huge weights": _constrain(_linear([[10**30, "ONE"]], "<=", 10**29)),
    "a table without rows": _constrain({"kind": "table", "variables": [], "tuples": [], "source": ""}),
    "a clause without literals": _constrain({"kind": "clause", "literals": []}),
    "an empty all-different": _constrain({"kind": "all-different", "variables": [], "offsets": []}),
    "an unknown kind": _constrain({"kind": "magic", "variables": "ALL"}),
    "a variable twice in a sum": _constrain(_linear([[1, "ONE"], [-1, "ONE"]], "==", 1)),
    "an empty domain": _edit_domain(lambda _: []),
    "a wider domain": _edit_domain(lambda domain: [*domain, max(domain) + 1]),
    "a narrower domain": _edit_domain(lambda domain: domain[1:]),
    "a domain of true and false": _edit_domain(lambda domain: [bool(value) for value in domain[:2]]),
    "a domain of fractions": _edit_domain(lambda domain: [value + 0.5 for value in domain]),
    "a huge domain": _edit_domain(lambda domain: [*domain, 10**9]),
    "a name twice": _rename_variable,
    "a constraint dropped": _drop_constraint,
    "another bound": _move_bound,
    "no variables": lambda model, _: model["variables"].clear(),
    "no constraints": lambda model, _: model["constraints"].clear(),
}


def edit_models(data: Certificate, edit: ModelEdit, draw: random.Random) -> Certificate:
    """Return a certificate with its models edited alike, its conditions perhaps as well.

    Raises:
        LookupError: the file has no oracle of constraints.
    """
    data, seed = copy.deepcopy(data), draw.random()
    if not any((one["oracle"] or {}).get("style") == "constraints" for one in data["program"]["sections"]):
        raise LookupError("no oracle of constraints, so no layer is about the model")
    models = [data["program"]["model"]]
    models += [data["problem"]["model"]] if data["problem"]["kind"] == "model" else []
    for model in models:
        edit(model, random.Random(seed))
    for section in data["program"]["sections"] if draw.random() < 0.3 else ():
        for one in section["oracle"]["conditions"] if section["oracle"] else ():
            one["label"] = one["label"].split(" & ")[0]
    return data


def write_twice(data: Certificate, other: Certificate, draw: random.Random) -> str:
    """Return a certificate's JSON with one name twice, another file's value or an empty one coming first or last."""
    path = draw.choice([one for one in list_places(data) if isinstance(one[-1], str) and one[0] != "text_sha256"])
    marked = copy.deepcopy(data)
    parent = _find(marked, path[:-1])
    try:
        second = _find(other, path)
    except (LookupError, TypeError):
        second = draw.choice(VALUES)
    pairs = [parent[path[-1]], second] if draw.random() < 0.5 else [second, parent[path[-1]]]
    parent[path[-1]] = "@TWICE@"
    name = json.dumps(path[-1])
    both = f"{json.dumps(pairs[0])}, {name}: {json.dumps(pairs[1])}"
    return json.dumps(marked).replace('"@TWICE@"', both)

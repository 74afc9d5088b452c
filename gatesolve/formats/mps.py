"""MPS files, by OR-Tools' reader: 0/1 and integer variables, linear constraints and objective.

(CPMpy's reader needs SCIP, and cuts the decimals off an objective's coefficients.)
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from gatesolve.formats.integer_program import Expression, IntegerProgram, SumRow
from gatesolve.qubo.numerals import Place, as_written, check_count, is_number, quote

_SECTION = re.compile(r"^([A-Z]+)", re.MULTILINE)
_READ = {"NAME", "OBJSENSE", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA"}
_WITHOUT_NUMBER = {"FR", "MI", "PL", "BV"}
_BOUNDS = {"LO", "UP", "FX", "LI", "UI"} | _WITHOUT_NUMBER
_SENSE = re.compile(r"(MAX|MIN)(IMI[SZ]E)?", re.IGNORECASE)
_MOST_DIGITS = 17
"""A float has at most this many digits; numbers of more would be rounded."""
MPS_START = re.compile(r"(?:[*$].*\n|[ \t]*\n)*NAME\b.*\n(?:(?:[*$].*|OBJSENSE.*|(?i:MAX|MIN).*|[ \t].*)?\n)*ROWS\b")
"""Pattern of a file's start: a name and then rows."""


def read_mps(text: str, source: str) -> IntegerProgram:
    """Read an MPS file, fixed or free."""
    # No line is added or removed, so that a row of ``plain`` is the same row of the file.
    plain = _spell_out(text, source)
    for found in _SECTION.finditer(plain):
        if found[1] not in _READ:
            row = plain.count("\n", 0, found.start()) + 1
            raise Place(source, row).unsupported(f"section {found[1][:20]!r} is not supported: write it as LP")
    from ortools.linear_solver.python.model_builder import Model

    reader = Model()
    # OR-Tools accepts a file that ends early, so the last line is looked for first.
    if "ENDATA" not in text or not reader.import_from_mps_string(plain):
        raise Place(source).fault("OR-Tools does not read it as MPS: the file is cut short, or correct it")
    proto = reader.export_to_proto()
    check_count(len(proto.variable), Place(source))
    if not proto.variable:
        raise Place(source).fault("no variables: write some under COLUMNS")
    lower = _check_entries(text, {*(v.name for v in proto.variable), *(c.name for c in proto.constraint)}, source)
    # From the last row to the first, so that the first row of each word remains.
    lines = [*enumerate(plain.split("\n"), start=1)]
    rows_of = {word: row for row, line in reversed(lines) for word in line.split()[:-1]}
    if real := [v.name for v in proto.variable if not v.is_integer]:
        fault = f"variable {real[0]} is real, and qubits hold whole numbers: put it between INTORG and INTEND markers"
        raise Place(source, rows_of.get(real[0])).unsupported(fault)
    names = [variable.name for variable in proto.variable]
    places = {name: Place(source, rows_of.get(name)) for name in names}
    domains = {
        v.name: _domain(v.name, v.lower_bound, v.upper_bound, places[v.name], v.name in lower) for v in proto.variable
    }
    objective: Expression = {
        (v.name,): _exact(v.objective_coefficient, source) for v in proto.variable if v.objective_coefficient
    }
    if proto.objective_offset:
        objective[()] = _exact(proto.objective_offset, source)
    rows = []
    for c in proto.constraint:
        # OR-Tools adds RHS and RANGES in floats: from 2^53 on the end of the range may be rounded.
        if c.lower_bound < c.upper_bound and math.inf > max(abs(c.lower_bound), abs(c.upper_bound)) >= 1 << 53:
            raise Place(source).fault(f"range of row {c.name} ends beyond 2^53: write it as LP, or smaller")
        terms: Expression = {(names[k],): _exact(w, source) for k, w in zip(c.var_index, c.coefficient, strict=True)}
        rows += _rows(c.name, terms, c.lower_bound, c.upper_bound, source)
    return IntegerProgram(domains, objective, "max" if proto.maximize else "min", tuple(rows))


def _spell_out(text: str, source: str) -> str:
    """Return the lines in OR-Tools' spelling: a short sense, no comment after ``$``, a set's name in each bound."""
    # HiGHS and SCIP accept all of these spellings. Neither accepts row kinds in lower case.
    section, columns, names = "", set[str](), set[str]()
    lines, senses = list[str](), list[Place]()
    for row, line in enumerate(text.split("\n"), start=1):
        place, words = Place(source, row), line.split()
        if not words or line[0] in "*$":
            words = []
        elif line[0].strip() and not (section == "OBJSENSE" and _SENSE.fullmatch(words[0])):
            section, words = words[0], words[1:] if words[0] == "OBJSENSE" else []
        if words and section == "OBJSENSE":
            senses.append(place)
            if not _SENSE.fullmatch(words[0]):
                raise place.fault(f"sense {quote(words[0])} is neither MAX nor MIN: correct it")
            line = f"{'OBJSENSE' if line.startswith('OBJSENSE') else ''}    {words[0][:3].upper()}"
        elif words:
            columns.update(words[:1] if section == "COLUMNS" else [])
            names.update(words[:1] if section == "COLUMNS" else words[1:2] if section == "ROWS" else [])
            spans = [*re.finditer(r"\S+", line)][1:]
            comment = next((span.start() for span in spans if span[0][0] == "$" and span[0] not in names), None)
            line = _spell_line(line[:comment], section, columns, names, place)
        lines.append(line if line[:1] != "$" else "")
    if len(senses) > 1:
        raise senses[1].fault("a second sense: remove one")
    return "\n".join(lines)


def _spell_line(line: str, section: str, columns: set[str], names: set[str], place: Place) -> str:
    kind, *others = line.split()
    if section == "ROWS" and kind not in {"N", "L", "G", "E"} and len(others) == 1:
        raise place.fault(f"row kind {quote(kind)} is none of N, L, G and E: correct it")
    if section in {"RHS", "RANGES"} and kind[0] == "$" and kind not in names:
        raise place.fault(f"{quote(kind)} may begin a comment or name a set: begin a comment with '*'")
    if section != "BOUNDS" or kind not in _BOUNDS or not columns.issuperset(others[:1]):
        return line
    # If the rest contains a variable's name, the first word is the name of a set.
    numbers = others[1:]
    if len(numbers) > 1 or (kind not in _WITHOUT_NUMBER and not numbers) or not columns.isdisjoint(numbers):
        return line
    return f" {kind} {'BOUND':9} {' '.join(others[:1]):9} {' '.join(numbers):>12}"


def _check_entries(text: str, names: set[str], source: str) -> set[str]:
    """Return the names with a lower bound under BOUNDS, among other words.

    Numbers that OR-Tools rounds are refused, double entries, of which it uses one or the sum, and entries of rows that
    ROWS does not list, which it would add.
    """
    section, sets, seen = "", dict[str, str](), set[tuple[str, ...]]()
    listed, lower = set[str](), set[str]()
    # Names with spaces exist only in fixed columns; in all other files words are separated by blanks.
    spaced = any(" " in name for name in names)
    for row, line in enumerate(text.split("\n"), start=1):
        place, words = Place(source, row), _fields(line) if spaced else line.split()
        words = words[: next((k for k, word in enumerate(words) if word[0] == "$" and word not in names), None)]
        if not words or words[0].startswith("*"):
            continue
        if line[:1].strip():
            section = words[0]
        elif section == "ENDATA" and len(words) > 1:
            raise place.fault(f"{quote(line.strip())} after 'ENDATA': remove it")
        elif section == "ROWS":
            listed.add(words[-1])
            names.add(words[-1])
        elif section in {"COLUMNS", "RHS", "RANGES", "BOUNDS"} and "'MARKER'" not in words:
            if rounded := next((word for word in words[1:] if _is_rounded(word)), None):
                raise place.fault(f"{quote(rounded)} has more digits than MPS supports here: write fewer, or write LP")
            if section == "BOUNDS" and words[0] not in _BOUNDS:
                fault = f"bounds of kind {words[0][:20]!r} are not supported: write LO and UP"
                raise place.unsupported(fault)
            # Outside of bounds an odd number of words is a column or set, then pairs of row and number.
            owned = len(words) % 2
            plain = words[0] if owned else "", words[owned::2]
            owner, entries = _bound(words) if section == "BOUNDS" else plain
            if section == "BOUNDS":
                lower.update(words[1:] if words[0] in {"LO", "LI"} else [])
            elif unknown := [name for name in entries if name not in listed]:
                raise place.fault(f"row {unknown[0][:20]!r} is not under ROWS: correct it, or add it there")
            if section != "COLUMNS" and sets.setdefault(section, owner) != owner:
                raise place.fault(f"a second set {quote(owner)} under {section}: remove one")
            for entry in entries:
                key = (section, owner, entry)
                if key in seen:
                    raise place.fault(f"a second entry for {quote(entry)} under {section}: remove one, or add them")
                seen.add(key)
    return lower


def _fields(line: str) -> list[str]:
    """Return the words of a line in fixed columns, as the original format defines them."""
    columns = ((1, 3), (4, 12), (14, 22), (24, 36), (39, 47), (49, 61))
    return [word for start, end in columns if (word := line[start:end].strip())] if line[:1] in " " else line.split()


def _bound(words: list[str]) -> tuple[str, list[str]]:
    """Return a set, or an empty text, and the kind of a bound with its variable."""
    kind, others = {"LI": "LO", "UI": "UP"}.get(words[0], words[0]), words[1:]
    owned = len(others) == 3 or (len(others) == 2 and kind in _WITHOUT_NUMBER)
    return others[0] if owned else "", [f"{kind} {name}" for name in others[owned : owned + 1]]


def _is_rounded(word: str) -> bool:
    """Return whether a word is a number that its float changes: a whole one, or one of more digits than a float has."""
    if not is_number(word) or math.isinf(near := float(word)) or as_written(near) == Fraction(word):
        return False
    return near.is_integer() or len(re.sub(r"[eE].*|[+.-]", "", word).lstrip("0")) > _MOST_DIGITS


def _exact(value: float, source: str) -> Fraction:
    if not math.isfinite(value):
        raise Place(source).fault(f"a coefficient is {value}: give a finite number")
    return as_written(value)


def _domain(name: str, low: float, high: float, place: Place, has_lower: bool) -> tuple[int, int]:
    if math.isinf(low) or math.isinf(high):
        raise place.fault(f"integer variable {name} has no bound: add one under BOUNDS")
    if high < 0 and not has_lower and high < low:
        # A negative upper bound without a lower one is ambiguous: some readers assume minus infinity, others 0.
        fault = f"variable {name} is at most {high:g} and has no lower bound"
        raise place.fault(f"{fault}: add a line 'LO' for it under BOUNDS")
    return math.ceil(low), math.floor(high)


def _rows(label: str, terms: Expression, low: float, high: float, source: str) -> list[SumRow]:
    if low == math.inf or high == -math.inf:
        raise Place(source).fault(f"row {label} must be {low}, and nothing is: give a finite number")
    if low == high:
        return [SumRow(label, terms, "==", as_written(low))]
    bounds = ((low, ">="), (high, "<="))
    return [SumRow(label, terms, relation, as_written(v)) for v, relation in bounds if not math.isinf(v)]

"""MPS files, by OR-Tools' reader: 0/1 and integer variables, linear constraints and objective.

(CPMpy's reader needs SCIP, and cuts the decimals off an objective's coefficients.)
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.qubo.integer_program import IntegerProgram, LinearRow
from gatesolve.qubo.numerals import Place, as_written, check_count

Expression = dict[tuple[str, ...], Fraction]
_SECTION = re.compile(r"^([A-Z]+)", re.MULTILINE)
_READ = {"NAME", "OBJSENSE", "OBJSENSEMAX", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA"}
_BOUNDS = {"LO", "UP", "FX", "FR", "MI", "PL", "BV", "LI", "UI"}
_START = re.compile(r"(?:\*.*\n|[ \t]*\n)*NAME\b.*\n(?:(?:\*.*|OBJSENSE.*|[ \t].*)?\n)*ROWS\b")


def looks_like_mps(text: str) -> bool:
    """Whether a name and then rows come first."""
    return bool(_START.match(text))


def read_mps(text: str, source: str) -> IntegerProgram:
    """Read an MPS file, fixed or free.

    Raises:
        InputError: it is malformed; an integer variable without bounds.
        UnsupportedError: real variables, and sections of other kinds.
    """
    for found in _SECTION.finditer(text):
        if found[1] not in _READ:
            row = text.count("\n", 0, found.start()) + 1
            raise UnsupportedError(f"section {found[1][:20]!r} is not read: write it as LP", source=source, row=row)
    from ortools.linear_solver.python.model_builder import Model

    reader = Model()
    if "ENDATA" not in text or not reader.import_from_mps_string(text):
        raise InputError("OR-Tools does not read it as MPS: the file is cut short, or mend it", source=source)
    proto = reader.export_to_proto()
    check_count(len(proto.variable), Place(source))
    if not proto.variable:
        raise InputError("no variables: write some under COLUMNS", source=source)
    lines = [line.split() for line in text.split("\n")]
    _check_rows(lines, {c.name for c in proto.constraint}, source)
    rows_of = {word: row for row, words in reversed([*enumerate(lines, start=1)]) for word in words[:-1]}
    if real := [v.name for v in proto.variable if not v.is_integer]:
        fault = f"variable {real[0]} is real, and qubits hold whole numbers: put it between INTORG and INTEND markers"
        raise UnsupportedError(fault, source=source, row=rows_of.get(real[0]))
    names = [variable.name for variable in proto.variable]
    places = {name: Place(source, rows_of.get(name)) for name in names}
    lower = _names_with_lower_bound(lines, source)
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
        terms = {names[k]: _exact(w, source) for k, w in zip(c.var_index, c.coefficient, strict=True)}
        rows += _rows(c.name, terms, c.lower_bound, c.upper_bound, source)
    return IntegerProgram(domains, objective, "max" if proto.maximize else "min", tuple(rows))


def _check_rows(lines: list[list[str]], found: set[str], source: str) -> None:
    """OR-Tools takes a row that ROWS does not have for a new one."""
    if ["ROWS"] not in lines or ["COLUMNS"] not in lines:
        raise InputError("no line 'ROWS' and no line 'COLUMNS' below it: mend the file", source=source)
    start, end = lines.index(["ROWS"]), lines.index(["COLUMNS"])
    unknown = found - {words[-1] for words in lines[start:end] if words}
    for row, words in enumerate(lines[end:], start=end + 1):
        if name := next((word for word in words if word in unknown), None):
            raise InputError(f"row {name[:20]!r} is not under ROWS: mend it, or add it there", source=source, row=row)


def _exact(value: float, source: str) -> Fraction:
    if not math.isfinite(value):
        raise InputError(f"a coefficient is {value}: give a finite number", source=source)
    return as_written(value)


def _names_with_lower_bound(lines: list[list[str]], source: str) -> set[str]:
    """Words of the lines under BOUNDS that give a lower bound, the variables' names among them."""
    start = lines.index(["BOUNDS"]) + 1 if ["BOUNDS"] in lines else len(lines)
    found: set[str] = set()
    for row, words in enumerate(lines[start:], start=start + 1):
        if len(words) > 1 and words[0] not in _BOUNDS and not words[0].startswith("*"):
            raise UnsupportedError(f"bounds of kind {words[0][:20]!r} are not read", source=source, row=row)
        found.update(words[1:] if words[:1] in (["LO"], ["LI"]) else [])
    return found


def _domain(name: str, low: float, high: float, place: Place, has_lower: bool) -> tuple[int, int]:
    if math.isinf(low) or math.isinf(high):
        raise place.fault(f"integer variable {name} has no bound: add one under BOUNDS")
    if high < 0 and not has_lower and high < low:
        # Some readers let it have any value down from there, others none.
        raise place.fault(
            f"variable {name} is at most {high:g} and has no lower bound: add a line 'LO' for it under BOUNDS"
        )
    return math.ceil(low), math.floor(high)


def _rows(label: str, terms: dict[str, Fraction], low: float, high: float, source: str) -> list[LinearRow]:
    if low == math.inf or high == -math.inf:
        raise InputError(f"row {label} must be {low}, and nothing is: give a finite number", source=source)
    if low == high:
        return [LinearRow(label, terms, "==", as_written(low))]
    bounds = ((low, ">="), (high, "<="))
    return [LinearRow(label, terms, relation, as_written(v)) for v, relation in bounds if not math.isinf(v)]

"""FlatZinc of bounded integers and linear constraints to CPMpy, by SCIP's reader.

(CPMpy's reader, which uses SCIP too, takes no ``solve satisfy`` and no weight but 1, and lets ``true`` be false.)
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gatesolve.errors import InputError, UnsupportedError, one_line
from gatesolve.model.opb import check_name

if TYPE_CHECKING:
    import cpmpy

_FRACTION = re.compile(r"(?<![\w.])\d+\.\d*[1-9]")
_COMMENT = re.compile(r'("[^"\n]*")|%.*')
_DECLARED = re.compile(r'"[^"\n]*"|(?P<array>\bof\s+)?\bvar\b[^:;]*:\s*(?P<name>\w+)')
_SOLVE = re.compile(r"\bsolve\b")
_SAID = re.compile(r"(?:ERROR|WARNING):\s*(.*)")
_MOST = 1 << 53
"""Below it SCIP's floats are exact."""


def read_flatzinc(text: str, source: str) -> cpmpy.Model:
    """The constraints and the objective of a file.

    Raises:
        InputError: it is empty or cut short.
        UnsupportedError: what SCIP does not take, decimals, a variable without bounds.
    """
    text = _COMMENT.sub(lambda found: found[1] or "", text)  # SCIP takes no comment behind a statement
    if not _SOLVE.search(text):
        raise InputError("no 'solve' statement: the file is cut short, or add 'solve satisfy;'", source=source)
    for row, line in enumerate(text.split("\n"), start=1):
        if found := _FRACTION.search(line):
            fault = f"{found[0]} is no whole number: FlatZinc is read of whole numbers; multiply it out"
            raise UnsupportedError(fault, source=source, row=row)
    read = _ask_scip(text, source)
    declared = [found["name"] for found in _DECLARED.finditer(text) if found["name"] and not found["array"]]
    if lost := [name for name in declared if name not in read["variables"]]:
        fault = f"SCIP, which reads FlatZinc, does not see variable {lost[0]}: write one statement a line"
        raise UnsupportedError(fault, source=source)
    return _build(read, source)


def _build(read: dict[str, Any], source: str) -> cpmpy.Model:
    import cpmpy
    from cpmpy.expressions.core import Operator

    numbers = [n for terms, *ends in read["rows"] for n in (*(weight for weight, _ in terms), *ends) if n is not None]
    numbers += [weight for weight, _ in read["objective"]]
    if large := [n for n in numbers if abs(n) >= _MOST]:
        fault = (
            f"SCIP rounds numbers from 2^53 on, as {large[0]:g}: divide the row by a common number, or write it as OPB"
        )
        raise UnsupportedError(fault, source=source)
    if broken := [n for n in numbers if n != int(n)]:
        raise UnsupportedError(
            f"{broken[0]:g} is no whole number: multiply its row or the objective out", source=source
        )
    model, bits = cpmpy.Model(), dict[str, Any](true=1, false=0)
    for name, (low, high) in read["variables"].items():
        if name in {"true", "false"}:  # SCIP's own
            continue
        check_name(name, source)
        if max(abs(low), abs(high)) > _MOST:
            raise UnsupportedError(f"variable {name} has no bounds: declare it as 'var 0..9: {name}'", source=source)
        free = (low, high) == (0, 1)
        bits[name] = cpmpy.boolvar(name=name) if free else cpmpy.intvar(int(low), int(high), name=name)
    for terms, low, high in read["rows"]:
        left = Operator("sum", [int(weight) * bits[name] for weight, name in terms])  # of constants too
        if low == high:
            model += left == int(low)
            continue
        model += [left >= int(low)] if low is not None else []
        model += [left <= int(high)] if high is not None else []
    if read["objective"]:
        goal = Operator("sum", [int(weight) * bits[name] for weight, name in read["objective"]])
        model.objective(goal, minimize=read["sense"] == "minimize")
    return model


def _ask_scip(text: str, source: str) -> dict[str, Any]:
    """What `scip_apart` writes."""
    with tempfile.TemporaryDirectory() as folder:
        lines = re.sub(r";[ \t]*(?=\S)", ";\n", text) + "\n"  # of one line without an end it takes the first statement
        Path(folder, "model.fzn").write_text(lines)
        program = str(Path(__file__).with_name("scip_apart.py"))
        run = subprocess.run([sys.executable, "-P", program, folder], text=True, capture_output=True, check=False)
        made = Path(folder, "model.json")
        read: dict[str, Any] = json.loads(made.read_text()) if made.exists() else {}
    said = _SAID.search(re.sub(r"(?: in line |Line )\d+:?", "", run.stdout + run.stderr))  # one too far
    statement = re.search(r"ERROR: +input: (.*\S)", run.stderr)
    rows = [k for k, line in enumerate(text.split("\n"), start=1) if statement and statement[1] in line]
    if not read:
        last = run.stderr.strip().rpartition("\n")[2]
        read["refused"] = said[1] if said else last or "it breaks down"
    if "refused" in read:
        fault = f"SCIP, which reads FlatZinc, does not take it ({one_line(read['refused'])[:120]}): mend the file"
        raise UnsupportedError(f"{fault}, or write the model in CPMpy", source=source, row=next(iter(rows), None))
    return read

"""Anyone's circuit read from OpenQASM 2 or 3, or from QPY."""

from __future__ import annotations

import contextlib
import io
import re
import struct
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qiskit import QuantumCircuit, qasm2, qpy

from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.files import read_bytes, suffix_of
from gatesolve.proof.entry_gates import OWN

MOST_BYTES = 1 << 26
"""The largest file that is read."""
MOST_DECLARED = 100_000
"""Most qubits and bits that a text may declare."""
INCLUDED = "qelib1.inc"
"""The file that a text of OpenQASM 2 may include: Qiskit has it built in, and looks for any other on the disk."""
KEYWORDS = frozenset(
    {"barrier", "creg", "gate", "if", "include", "measure", "opaque", "OPENQASM", "qreg", "reset", "U", "CX"}
    | {"pi", "sin", "cos", "tan", "exp", "ln", "sqrt"}
)
"""Words of OpenQASM 2 that no gate may have for a name."""
_QPY_COUNT = 10
"""Where the header of QPY says how many circuits follow: after the name and four bytes of versions."""
_MEMORY = 1 << 32
"""Bytes that it may take for that."""
_PATIENCE = 60
"""Seconds that Qiskit may read a QPY file."""
_TRY_QPY = f"""
import contextlib, io, sys, warnings
from qiskit import qpy
with contextlib.suppress(ImportError):
    import resource
    resource.setrlimit(resource.RLIMIT_AS, ({_MEMORY}, {_MEMORY}))
warnings.simplefilter("ignore")
try:
    for one in qpy.load(io.BytesIO(sys.stdin.buffer.read()))[0].data:
        one.operation
except BaseException as error:
    sys.exit(print(" ".join(str(error).split()) or type(error).__name__) or 1)
"""
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|(?P<open>\Z))", re.DOTALL)
_VERSION = re.compile(r"(?>\s+|//[^\n]*|/\*.*?\*/)*+OPENQASM\s+(\d+)\b", re.DOTALL)
_LONG = re.compile(r"(?:\[\s*|\bOPENQASM\s+(?:\d+\.)?)\d{10}")
_REGISTER = re.compile(r"\b[qc]reg\s+\w+\s*\[\s*(\d+)")
_PLACE = re.compile(r"(?:<input>:|L)?(\d+)(?:,|:C?)(\d+):\s*(.*)", re.DOTALL)


@dataclass(frozen=True)
class Text:
    """A text; of OpenQASM 2 with its comments blanked, every character where it stood."""

    source: str
    bare: str

    def place(self, offset: int) -> dict[str, int]:
        """Row and column of a character."""
        before = self.bare[:offset]
        return {"row": before.count("\n") + 1, "column": offset - (before.rfind("\n") + 1) + 1}

    def find(self, word: str) -> dict[str, int]:
        """Row and column where a statement starts with a word, else where it occurs; nothing if it does not."""
        escaped = re.escape(word)
        found = re.search(rf"(?:^|[;{{}}])\s*({escaped})\b", self.bare) or re.search(rf"\b({escaped})\b", self.bare)
        return self.place(found.start(1)) if found else {}


def read_circuit(path: Path) -> tuple[QuantumCircuit, Text | None]:
    """A circuit, and the text that it was read from if it was one.

    Raises:
        InputError: no circuit, or one that is not read.
    """
    data = read_bytes(path, MOST_BYTES, "judge smaller circuits")
    if data.startswith(b"# kickmix"):
        raise InputError("kickmix is not judged: write the oracle as .qasm3 too, and judge that", source=str(path))
    if data.startswith(b"QISKIT"):
        return _read_qpy(data, path), None
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise InputError("no circuit: it is no UTF-8", source=str(path)) from error
    if found := re.search(r"\r(?!\n|\Z)", text):
        message = (
            "a carriage return without a line feed, which ends a line in OpenQASM 3 alone: end lines with a line feed"
        )
        raise InputError(message, source=str(path), **Text(str(path), text).place(found.start()))
    if _find_version(text, path) == 3:
        known = Text(str(path), text)
        return _read_qasm3(known), known
    known = Text(str(path), _blank_comments(text, path))
    _check_sizes(known)
    return _read_qasm2(known), known


def _blank_comments(text: str, path: Path) -> str:
    def blank(found: re.Match[str]) -> str:
        if found["open"] is not None:
            place = Text(str(path), text).place(found.start())
            raise InputError("a comment has no end: close it with */", source=str(path), **place)
        return re.sub(r"[^\n]", " ", found[0])

    return _COMMENT.sub(blank, text)


def _find_version(text: str, path: Path) -> int:
    """Return 2 or 3, the version of OpenQASM that a text is read as."""
    version = _VERSION.match(text)
    if version is not None:
        return 3 if version[1] == "3" else 2
    return 3 if suffix_of(path) == ".qasm3" or re.search(r"\bqubit\b", _blank_comments(text, path)) else 2


def _check_sizes(text: Text) -> None:
    total = 0
    for found in _REGISTER.finditer(text.bare):
        total += MOST_DECLARED + 1 if len(found[1]) > 9 else int(found[1])
        if total > MOST_DECLARED:
            message = f"over {MOST_DECLARED} qubits and bits are declared: judge smaller circuits"
            raise InputError(message, source=text.source, **text.place(found.start()))


def _read_qpy(data: bytes, path: Path) -> QuantumCircuit:
    number = struct.unpack_from("!Q", data.ljust(_QPY_COUNT + 8, b"\0"), _QPY_COUNT)[0]
    if number != 1:  # Qiskit's reader goes through as many, whether they are there or not
        raise InputError(f"{number} circuits: write a file with one", source=str(path))
    # On a damaged file Qiskit's reader may abort, or take all memory: that has to happen to another process.
    try:
        tried = subprocess.run(
            [sys.executable, "-c", _TRY_QPY], check=False, input=data, capture_output=True, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(f"no QPY that Qiskit reads in {_PATIENCE} s", source=str(path)) from error
    if tried.returncode:
        reason = tried.stdout.decode(errors="replace").strip() or "its reader gave up"
        raise InputError(f"no QPY that Qiskit reads: {reason[:200]}", source=str(path))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        circuit: QuantumCircuit = qpy.load(io.BytesIO(data))[0]
    return circuit


def _read_qasm2(text: Text) -> QuantumCircuit:
    if found := _LONG.search(text.bare):  # Qiskit's reader aborts on them
        message = "a version or a qubit has over 9 digits: judge smaller circuits"
        raise InputError(message, source=text.source, **text.place(found.start()))
    named = _name_defined(text)
    if found := re.search(r"\b(cu3|c3sqrtx)\b", named):
        message = f"gate {found[0]}, of whose phase copies of qelib1.inc differ: define it in the text"
        raise InputError(message, source=text.source, **text.find(found[0]))
    try:
        return qasm2.loads(named, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)
    except Exception as error:
        raise _refuse(error, text) from error


def _read_qasm3(text: Text) -> QuantumCircuit:
    try:
        from openqasm3.parser import QASM3ParsingError

        from gatesolve.api.qasm3_numbers import RefusedNode
        from gatesolve.api.qasm3_reader import convert_qasm3
    except ModuleNotFoundError as error:
        message = "OpenQASM 3 is read with a package of its own: pip install 'openqasm3[parser]'"
        raise InputError(message, source=text.source) from error
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # the parser says there what it raises
            return convert_qasm3(text.bare)
    except RefusedNode as error:
        raise InputError(str(error), source=text.source, **_place_node(error.node.span, text)) from error
    except QASM3ParsingError as error:
        token = getattr(next(iter(getattr(error.__cause__, "args", ())), None), "offendingToken", None)
        if token is None:
            raise _refuse(error, text) from error
        message = f"no circuit that is read: {token.text!r:.40} is not expected here"
        raise InputError(message, source=text.source, row=token.line, column=token.column + 1) from error
    except DoesNotFitError:
        raise
    except RecursionError as error:
        raise DoesNotFitError("gates or numbers are nested too deeply: write the inner ones out") from error
    except Exception as error:
        raise _refuse(error, text) from error


def _place_node(span: Any, text: Text) -> dict[str, int]:
    """Row and column of a node of a syntax tree, whose column is an offset in the text if it is a name by itself."""
    if span is None:
        return {}
    by_offset = text.place(span.start_column)
    return (
        by_offset if by_offset["row"] == span.start_line else {"row": span.start_line, "column": span.start_column + 1}
    )


def _name_defined(text: Text) -> str:
    """Return the text with names of its own for the gates that it defines.

    Qiskit takes its own gate of such a name for one that the text defines, in controlled gates and in transpiling.
    """
    for found in re.finditer(r"\binclude\b\s*([^;]*)", text.bare):
        if found[1].strip(" \t\n'\"") != INCLUDED:
            message = f"only {INCLUDED} is included: write the definitions into the text"
            raise InputError(message, source=text.source, **text.place(found.start()))
    defined = [*re.finditer(r"\b(?:gate|opaque)\s+([A-Za-z_]\w*)", text.bare)]
    for found in defined:
        if found[1] in KEYWORDS:
            message = f"{found[1]} is a word of OpenQASM: give the gate another name"
            raise InputError(message, source=text.source, **text.place(found.start(1)))
    names = {found[1] for found in defined}
    words = r"\"[^\"\n]*\"|'[^'\n]*'|\b[A-Za-z_]\w*"
    return re.sub(words, lambda word: word[0] + OWN if word[0] in names else word[0], text.bare)


def _refuse(error: Exception, text: Text) -> InputError:
    found = _PLACE.fullmatch(_first_line(error))
    if found is None:
        return InputError(f"no circuit that is read: {_first_line(error)}", source=text.source)
    message = f"no circuit that is read: {found[3]}"
    return InputError(message, source=text.source, row=int(found[1]), column=int(found[2]) + 1)


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).replace(OWN, "").strip("'\"").splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__

"""Anyone's circuit read from OpenQASM 2 or 3, or from QPY."""

from __future__ import annotations

import io
import re
import struct
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

from qiskit import QuantumCircuit, qasm2, qpy

from gatesolve.errors import InputError
from gatesolve.files import read_bytes
from gatesolve.proof.entry_circuit import OWN

MOST_BYTES = 1 << 26
"""The largest file that is read."""
MOST_DECLARED = 100_000
"""Most qubits and bits that a text may declare."""
MOST_LOOP_DIGITS = 20
"""Most letters and digits of a loop's range, with ``in``: no product of so many is too large for a machine word."""
INCLUDED = {2: "qelib1.inc", 3: "stdgates.inc"}
"""The file that a text of each version may include: Qiskit has it built in, and looks for any other on the disk."""
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
    qpy.load(io.BytesIO(sys.stdin.buffer.read()))
except BaseException as error:
    sys.exit(print(" ".join(str(error).split()) or type(error).__name__) or 1)
"""
_PLAIN = r"//[^\n]*|/\*.*?(?:\*/|(?P<open>\Z))"
_COMMENT = re.compile(_PLAIN, re.DOTALL)
# An annotation and a pragma of OpenQASM 3 take their lines whole: no comment starts there.
_COMMENT_3 = re.compile(_PLAIN + r"|(?P<kept>@[^\W\d][\w.]*|\bpragma\b)[^\n]*", re.DOTALL)
_VERSION = re.compile(r"\s*OPENQASM\s+(\d+)\b[^;]*;")
_LONG = re.compile(r"(?:\[\s*|\bOPENQASM\s+(?:\d+\.)?)\d{10}")
_REGISTER = re.compile(r"\b(?:[qc]reg\s+\w+\s*\[\s*([\d_]+)|(?:qubit|bit)\s*\[\s*([\d_]+))")
_PLACE = re.compile(r"(?:<input>:|L)?(\d+)(?:,|:C?)(\d+):\s*(.*)", re.DOTALL)
_RANGE = re.compile(r"(?P<loop>\bin\s*)?\[[^\[\]{};:]*:[^\[\]{};]*\]")
_DEFINITION = re.compile(r"\bgate\s+(\w+)[^{;]*\{([^}]*)\}")
_CONTROLLED = re.compile(r"\b(?:neg)?ctrl\b[^;{}]*@\s*(\w+)")
# Gates of OpenQASM 3 that have another phase in Qiskit: of U only where its first angle is not 0.
_DOUBTFUL = re.compile(r"\b(?:u2|u3|U(?!\s*\(\s*0\s*,))\b")
# Gates that Amazon Braket's texts use without a definition.
_BRAKET = {
    "cnot": "gate cnot a,b {cx a,b;}",
    "ccnot": "gate ccnot a,b,c {ccx a,b,c;}",
    "i": "gate i a {}",
    "si": "gate si a {sdg a;}",
    "ti": "gate ti a {tdg a;}",
    "v": "gate v a {sx a;}",
    "vi": "gate vi a {inv @ sx a;}",
    "cv": "gate cv a,b {ctrl @ sx a,b;}",
    "phaseshift": "gate phaseshift(t) a {p(t) a;}",
    "cphaseshift": "gate cphaseshift(t) a,b {cp(t) a,b;}",
}


@dataclass(frozen=True)
class Text:
    """A text with its comments, and what annotations say, blanked, every character where it stood."""

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
    version = _find_version(_blank_comments(text, path, _COMMENT), path)
    known = Text(str(path), _blank_comments(text, path, _COMMENT if version == 2 else _COMMENT_3))
    _check_sizes(known)
    return (_read_qasm2 if version == 2 else _read_qasm3)(known), known


def _blank_comments(text: str, path: Path, comment: re.Pattern[str]) -> str:
    def blank(found: re.Match[str]) -> str:
        if found["open"] is not None:
            place = Text(str(path), text).place(found.start())
            raise InputError("a comment has no end: close it with */", source=str(path), **place)
        kept = found.groupdict().get("kept") or ""
        return kept + re.sub(r"[^\n]", " ", found[0][len(kept) :])

    if found := re.search(r"\r(?!\n|\Z)", text):
        message = (
            "a carriage return without a line feed, which ends a line in OpenQASM 3 alone: end lines with a line feed"
        )
        raise InputError(message, source=str(path), **Text(str(path), text).place(found.start()))
    return comment.sub(blank, text)


def _find_version(bare: str, path: Path) -> int:
    """Return 2 or 3, the version of OpenQASM that a text is read as."""
    version = _VERSION.match(bare)
    if version is not None:
        return 3 if version[1] == "3" else 2
    return 3 if path.suffix == ".qasm3" or re.search(r"\bqubit\b", bare) else 2


def _check_sizes(text: Text) -> None:
    total = 0
    for found in _REGISTER.finditer(text.bare):
        digits = (found[1] or found[2]).replace("_", "") or "0"
        total += MOST_DECLARED + 1 if len(digits) > 9 else int(digits)
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
    named = _name_defined(text, INCLUDED[2])
    if found := re.search(r"\b(cu3|c3sqrtx)\b", named):
        message = f"gate {found[0]}, of whose phase copies of qelib1.inc differ: define it in the text"
        raise InputError(message, source=text.source, **text.find(found[0]))
    try:
        return qasm2.loads(named, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)
    except Exception as error:
        raise _refuse(error, text) from error


def _read_qasm3(text: Text) -> QuantumCircuit:
    named = _with_braket(_name_defined(text, INCLUDED[3]))
    _check_readings(named, text)
    try:
        import openqasm3
        import qiskit_qasm3_import

        from gatesolve.api.qasm3_tree import find_doubt, list_nodes, order_parameters
    except ModuleNotFoundError as error:
        message = "OpenQASM 3 is read with a package of its own: pip install qiskit-qasm3-import"
        raise InputError(message, source=text.source) from error
    try:
        tree = openqasm3.parse(named)
        nodes = [*list_nodes(tree)]
    except Exception as error:
        raise _refuse(error, text) from error
    if (doubt := find_doubt(nodes)) is not None:
        row, column, message = doubt
        raise InputError(message, source=text.source, **_find_place(row, column, named, text))
    order_parameters(nodes)
    try:
        circuit = qiskit_qasm3_import.convert(tree)
    except Exception as error:
        raise _refuse(error, text) from error
    circuit._layout = None  # of physical qubits Qiskit makes a layout, which is of no transpiler
    return circuit


def _find_place(row: int, column: int, named: str, text: Text) -> dict[str, int]:
    """Row and column in a text of a place in what was made of it: names have grown, definitions were put in."""
    lines = named.splitlines(keepends=True)
    before = "".join([*lines[: row - 1], lines[row - 1][:column]]).replace(OWN, "")
    return text.place(len(before) - len(named.replace(OWN, "")) + len(text.bare))


def _check_readings(named: str, text: Text) -> None:
    """Refuse what Qiskit's reader takes for something else than OpenQASM 3 does."""
    for found in _RANGE.finditer(text.bare):
        if "-" in found[0] and found["loop"] is None:
            message = "a range with a minus, of which Qiskit reads other qubits than OpenQASM means: write them out"
            raise InputError(message, source=text.source, **text.place(found.start()))
        if found["loop"] is not None and len(re.sub(r"\W", "", found[0])) > MOST_LOOP_DIGITS:  # Qiskit lists them all
            message = "a loop with over 18 digits in its range: judge smaller circuits"
            raise InputError(message, source=text.source, **text.place(found.start()))
    doubtful = set[str]()
    for found in _DEFINITION.finditer(named):
        if _DOUBTFUL.search(found[2]) or doubtful & {*re.findall(r"\w+", found[2])}:
            doubtful.add(found[1])
    for found in _CONTROLLED.finditer(named):
        if found[1] in doubtful or _DOUBTFUL.match(named, found.start(1)):
            name = found[1].removesuffix(OWN)
            message = f"gate {name} under a control: OpenQASM and Qiskit differ on its phase; write cu instead"
            raise InputError(message, source=text.source, **text.find(name))


def _name_defined(text: Text, included: str) -> str:
    """Return the text with names of its own for the gates that it defines.

    Qiskit takes its own gate of such a name for one that the text defines, in controlled gates and in transpiling.
    """
    for found in re.finditer(r"\binclude\b\s*([^;]*)", text.bare):
        if found[1].strip(" \t\n'\"") != included:
            message = f"only {included} is included: write the definitions into the text"
            raise InputError(message, source=text.source, **text.place(found.start()))
    names = {found[1] for found in re.finditer(r"\b(?:gate|opaque)\s+([A-Za-z_]\w*)", text.bare)}
    words = r"\"[^\"\n]*\"|'[^'\n]*'|\b[A-Za-z_]\w*"
    return re.sub(words, lambda word: word[0] + OWN if word[0] in names else word[0], text.bare)


def _with_braket(bare: str) -> str:
    """The text with definitions of Amazon Braket's gates, in the line of its version, if it has no definitions."""
    version = _VERSION.match(bare)
    if version is None or re.search(r"\b(?:include|gate)\b", bare):
        return bare
    used = [made for name, made in _BRAKET.items() if re.search(rf"[;{{}}@]\s*{name}\s*[\s(]", bare)]
    return f'{version[0]} include "stdgates.inc"; {" ".join(used)}{bare[version.end() :]}'


def _refuse(error: Exception, text: Text) -> InputError:
    found = _PLACE.fullmatch(_first_line(error))
    if found is None:
        return InputError(f"no circuit that Qiskit reads: {_first_line(error)}", source=text.source)
    message = f"no circuit that Qiskit reads: {found[3]}"
    return InputError(message, source=text.source, row=int(found[1]), column=int(found[2]) + 1)


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).replace(OWN, "").strip("'\"").splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__

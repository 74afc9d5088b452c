"""Anyone's oracle in a file, judged by a problem: a referee for circuits that gatesolve did not make.

Circuits are read from OpenQASM 2 or 3, or from QPY.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import struct
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from qiskit import QuantumCircuit, qasm2, qpy
from qiskit.circuit import Barrier
from qiskit.circuit.library import C3XGate, C4XGate, MCPhaseGate, MCXGate, UnitaryGate, get_standard_gate_name_mapping

from gatesolve.api.certify_file import read_certificate, tell_aside, tell_problem
from gatesolve.encodings import Space, make_spaces
from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.extensions import Registered
from gatesolve.files import as_path, read_bytes, suffix_of, without_repeats
from gatesolve.formats.problem import Problem
from gatesolve.formats.problem_record import restore_problem
from gatesolve.formats.sources import Source, as_problem
from gatesolve.model import Model
from gatesolve.proof.claim import Claim
from gatesolve.proof.entry import count_alone, prove_circuit
from gatesolve.proof.entry_circuit import make_plain
from gatesolve.proof.entry_gates import OWN, UnfollowedError, list_swaps
from gatesolve.proof.entry_words import QubitLayout
from gatesolve.proof.read_qasm import refuse_other_ends

MOST_BYTES = 1 << 26
"""Largest file or layout that is read."""
MOST_DECLARED = 100_000
"""Most qubits and bits that a text may declare."""
MOST_TESTED = 100_000
"""Most bits that all conditions of a text may test: Qiskit copies each of them."""
INCLUDED = "qelib1.inc"
"""The only file that OpenQASM 2 may include: Qiskit has it built in, and reads any other from the disk."""
KEYWORDS = frozenset(
    {"barrier", "creg", "gate", "if", "include", "measure", "opaque", "OPENQASM", "qreg", "reset", "U", "CX"}
    | {"pi", "sin", "cos", "tan", "exp", "ln", "sqrt"}
)
"""Words of OpenQASM 2 that cannot be the name of a gate."""
_QPY_COUNT = 10
"""Offset of the number of circuits in the header of QPY: after the name and four bytes of versions."""
_MEMORY = 1 << 32
"""Memory limit of the process that tries a QPY file, in bytes."""
_PATIENCE = 60
"""Time limit of that process, in seconds."""
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
_REGISTER = re.compile(r"\b[qc]reg\s+(\w+)\s*\[\s*(\d+)")
_TEST = re.compile(r"\bif\s*\(\s*(\w+)")
_PLACE = re.compile(r"(?:<input>:|L)?(\d+)(?:,|:C?)(\d+):\s*(.*)", re.DOTALL)
_QUBIT = re.compile(r"(\w+)\[([0-9]{1,6})\]")
_MANY = {C3XGate: "c3x", C4XGate: "c4x", MCXGate: "mcx", MCPhaseGate: "mcphase"}
_MANY |= {UnitaryGate: "unitary", Barrier: "barrier"}
"""Names of classes that are not in Qiskit's own list."""
CircuitEncoding = Literal["one-hot", "binary", "domain-wall"] | Registered


@dataclass(frozen=True)
class Text:
    """A text; for OpenQASM 2 with its comments blanked, so that offsets stay valid."""

    source: str
    bare: str

    def place(self, offset: int) -> dict[str, int]:
        """Return row and column of a character."""
        before = self.bare[:offset]
        return {"row": before.count("\n") + 1, "column": offset - (before.rfind("\n") + 1) + 1}

    def fault(self, message: str, offset: int) -> InputError:
        """Return the error for a fault at a character."""
        return InputError(message, source=self.source, **self.place(offset))

    def find(self, word: str) -> dict[str, int]:
        """Return row and column where a statement starts with a word, else where it occurs; empty if it does not."""
        escaped = re.escape(word)
        found = re.search(rf"(?:^|[;{{}}])\s*({escaped})\b", self.bare) or re.search(rf"\b({escaped})\b", self.bare)
        return self.place(found.start(1)) if found else {}


def read_circuit(path: Path) -> tuple[QuantumCircuit, Text | None]:
    """Return a circuit that can be judged, and the text that it was read from if it was one."""
    data = read_bytes(path, MOST_BYTES, "judge smaller circuits")
    if data.startswith(b"# kickmix"):
        raise InputError("kickmix is not judged: write the oracle as .qasm3 too, and judge that", source=str(path))
    if data.startswith(b"QISKIT"):
        return _read_qpy(data, path), None
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise InputError("not a circuit: it is not UTF-8", source=str(path)) from error
    refuse_other_ends(text, str(path))
    if version := _VERSION.match(text):
        is_third = version[1] == "3"
    else:
        # The word decides: OpenQASM 2 declares qubits by ``qreg``.
        is_third = suffix_of(path) == ".qasm3" or re.search(r"\bqubit\b", _blank_comments(text, path)) is not None
    if is_third:
        known = Text(str(path), text)
        return _read_qasm3(known), known
    known, total, tested, widths = Text(str(path), _blank_comments(text, path)), 0, 0, dict[str, int]()
    for found in _REGISTER.finditer(known.bare):
        # Long numbers are not converted: int() of thousands of digits is slow, and refused by Python.
        widths[found[1]] = MOST_DECLARED + 1 if len(found[2]) > 9 else int(found[2])
        total += widths[found[1]]
        if total > MOST_DECLARED:
            raise known.fault(
                f"over {MOST_DECLARED} qubits and bits are declared: judge smaller circuits", found.start()
            )
    for found in _TEST.finditer(known.bare):
        tested += widths.get(found[1], 0)
        if tested > MOST_TESTED:
            raise known.fault(f"conditions test over {MOST_TESTED} bits in all: test smaller registers", found.start())
    return _read_qasm2(known), known


def _blank_comments(text: str, path: Path) -> str:
    def blank(found: re.Match[str]) -> str:
        if found["open"] is not None:
            raise Text(str(path), text).fault("a comment has no end: close it with */", found.start())
        # Line ends stay, so that rows and columns in the bare text are those of the file.
        return re.sub(r"[^\n]", " ", found[0])

    return _COMMENT.sub(blank, text)


def _read_qpy(data: bytes, path: Path) -> QuantumCircuit:
    # Padded with zeros, so that a file that is cut short has 0 circuits.
    number = struct.unpack_from("!Q", data.ljust(_QPY_COUNT + 8, b"\0"), _QPY_COUNT)[0]
    # Qiskit's reader loops over this number without checking it.
    if number != 1:
        raise InputError(f"{number} circuits: write a file with one", source=str(path))
    # On a damaged file Qiskit's reader may abort or use all memory, so another process tries it first.
    try:
        tried = subprocess.run(
            [sys.executable, "-c", _TRY_QPY], check=False, input=data, capture_output=True, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(
            f"Qiskit does not read this QPY within {_PATIENCE} s: write it again", source=str(path)
        ) from error
    if tried.returncode:
        reason = tried.stdout.decode(errors="replace").strip() or "its reader gave up"
        raise InputError(f"Qiskit does not read this QPY: {reason[:200]}", source=str(path))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        circuit: QuantumCircuit = qpy.load(io.BytesIO(data))[0]
    return circuit


def _read_qasm2(text: Text) -> QuantumCircuit:
    # Qiskit's reader aborts the process on such numbers.
    if found := _LONG.search(text.bare):
        raise text.fault("a version or a qubit has over 9 digits: judge smaller circuits", found.start())
    named = _name_defined(text)
    if found := re.search(r"\b(cu3|c3sqrtx)\b", named):
        message = f"gate {found[0]} differs in its phase between copies of qelib1.inc: define it in the text"
        raise InputError(message, source=text.source, **text.find(found[0]))
    try:
        return qasm2.loads(named, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)
    except Exception as error:
        raise _refuse(error, text) from error


def _read_qasm3(text: Text) -> QuantumCircuit:
    try:
        from openqasm3.parser import QASM3ParsingError

        from gatesolve.api.qasm3_reader import RefusedNode, convert_qasm3
    except ModuleNotFoundError as error:
        message = "OpenQASM 3 needs another package: pip install 'openqasm3[parser]'"
        raise InputError(message, source=text.source) from error
    try:
        # The parser also prints the error that it raises.
        with contextlib.redirect_stderr(io.StringIO()):
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
    if span is None:
        return {}
    # The column of a name by itself is an offset in the text, that of other nodes a column.
    found = text.place(span.start_column)
    return found if found["row"] == span.start_line else {"row": span.start_line, "column": span.start_column + 1}


def _name_defined(text: Text) -> str:
    """Return the text with new names for the gates that it defines."""
    for found in re.finditer(r"\binclude\b\s*([^;]*)", text.bare):
        if found[1].strip(" \t\n'\"") != INCLUDED:
            raise text.fault(f"only {INCLUDED} is included: write the definitions into the text", found.start())
    defined = [*re.finditer(r"\b(?:gate|opaque)\s+([A-Za-z_]\w*)", text.bare)]
    for found in defined:
        if found[1] in KEYWORDS:
            raise text.fault(f"{found[1]} is a word of OpenQASM: give the gate another name", found.start(1))
    # Qiskit replaces a defined gate by its own of that name, in controlled gates and in transpiling.
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


def take_back(circuit: QuantumCircuit, output_map: object) -> tuple[QuantumCircuit, list[int]]:
    """Return a circuit on the qubits that it had before it was transpiled, and the place where each ends."""
    layout = getattr(circuit, "layout", None)
    if layout is None:
        return circuit, list(range(circuit.num_qubits))
    if output_map is not None:
        raise InputError("the circuit carries the layout of its transpiler: leave out the output map")
    try:
        # Both lists give the place of each virtual qubit: before routing and after it.
        start = end = layout.initial_index_layout()
        if layout.final_layout is not None:
            end = layout.final_index_layout(filter_ancillas=False)
        before = sorted(layout.input_qubit_mapping, key=layout.input_qubit_mapping.__getitem__)
        numbers = sorted(layout.input_qubit_mapping.values())
        # In a layout that was in a file the registers are known to their qubits alone.
        owners = [*layout.initial_layout.get_registers(), *(getattr(qubit, "_register", None) for qubit in before)]
        fits = sorted(start) == sorted(end) == numbers == list(range(circuit.num_qubits))
    # A layout from a file may lack any of its parts.
    except (AttributeError, KeyError, TypeError, IndexError) as error:
        raise InputError("the circuit carries a broken layout: transpile it again") from error
    if not fits:
        raise InputError("the circuit carries the layout of a circuit of another width: transpile it again")
    # The inverse of ``start``: the circuit's wires get the numbers that they had before it was transpiled.
    number = {place: qubit for qubit, place in enumerate(start)}
    registers = {one.name: one for one in owners if one is not None and set(one) <= set(before)}
    taken = QuantumCircuit(before, circuit.clbits)
    taken.add_register(*registers.values(), *circuit.cregs)
    taken.compose(circuit, [number[place] for place in range(circuit.num_qubits)], circuit.clbits, inplace=True)
    return taken, [number[place] for place in end]


def read_ends(given: Any, source: str | None, circuit: QuantumCircuit, layout: QubitLayout) -> list[int]:
    """Return where each qubit of a circuit ends, each in another place, by an output map; others stay if they can."""
    if isinstance(given, Sequence) and not isinstance(given, str | bytes):
        if len(given) != circuit.num_qubits:
            many = f"the circuit has {circuit.num_qubits} qubits, and {len(given)} places are there"
            raise InputError(f"an output map that is a list has one place for each qubit: {many}", source=source)
        given = dict(enumerate(given))
    if not isinstance(given, Mapping):
        raise InputError('not an output map: give a list of places, or {"0": 2, "q[2]": 0}', source=source)
    ends = dict[int, int]()
    for name, place in given.items():
        is_number = isinstance(name, str) and re.fullmatch("[0-9]{1,6}", name) is not None
        qubit = find_qubit(int(name) if is_number else name, circuit, source)
        if qubit in ends:
            raise InputError(f"qubit {qubit} is named twice in the output map", source=source)
        ends[qubit] = find_qubit(place, circuit, source)
    # The qubits that the oracle is judged by stay where nothing else is said. Ancillas follow below.
    for qubit in layout.qubits:
        ends.setdefault(qubit, qubit)
    if len({*ends.values()}) < len(ends):
        raise InputError("two qubits end in one place: name each place once in the output map", source=source)
    taken = {*ends.values()}
    ends |= {qubit: qubit for qubit in range(circuit.num_qubits) if qubit not in ends and qubit not in taken}
    others = [qubit for qubit in range(circuit.num_qubits) if qubit not in ends]
    # Qubits whose place is taken get the free places, in order.
    free = [place for place in range(circuit.num_qubits) if place not in {*ends.values()}]
    ends |= dict(zip(others, free, strict=True))
    return [ends[qubit] for qubit in range(circuit.num_qubits)]


def restore_wires(circuit: QuantumCircuit, ends: Sequence[int]) -> QuantumCircuit:
    """Return the circuit with swaps at the end that bring each qubit back from where it ends."""
    restored = circuit.copy()
    # Appended swaps change no gate of the circuit, which is judged as it is.
    for pair in list_swaps(ends):
        restored.swap(*pair)
    return restored


def find_qubit(given: object, circuit: QuantumCircuit, source: str | None) -> int:
    """Return the number of a qubit of the circuit, given by that number or as ``"q[3]"``."""
    # JSON's true is an int in Python.
    if isinstance(given, int | np.integer) and not isinstance(given, bool) and 0 <= given < circuit.num_qubits:
        return int(given)
    if isinstance(given, str) and (found := _QUBIT.fullmatch(given)):
        for register in circuit.qregs:
            if register.name == found[1] and int(found[2]) < register.size:
                return list(circuit.qubits).index(register[int(found[2])])
    raise InputError(f"the circuit has no qubit {given!r:.40}", source=source)


@dataclass(frozen=True)
class Judgement:
    """The judgement of a circuit.

    Attributes:
        claim: the verdict, with the first codeword on which the oracle is wrong.
        codewords: number of codewords of the encoding.
        data: number of qubits that hold the codeword.
        gates: number of gates by Qiskit's names.
        alone: number of constraints that each appear alone on one qubit at some time; None if unknown.
        constraints: number of constraints of the problem.
        applied: the layout or output map by which qubits were renamed or brought back, in words; empty for none.
        aside: what the verdict does not cover, in words: an objective, measurements at the end.
    """

    claim: Claim
    title: str
    codewords: int
    qubits: int
    data: int
    gates: Mapping[str, int]
    depth: int
    alone: int | None
    constraints: int
    applied: str = ""
    aside: str = ""

    @property
    def status(self) -> str:
        """Return ``proved``, ``refused``, ``sampled`` if checked on some codewords or at random, else ``unchecked``."""
        return self.claim.status

    @property
    def seen(self) -> str:
        """Return how many constraints were seen on qubits, in words; whether the circuit uses them is unknown."""
        if self.alone is None:
            return "constraints alone on a qubit were not counted"
        return f"{self.alone} of {self.constraints} constraints were seen alone on a qubit"


def judge(
    circuit: str | Path | QuantumCircuit,
    problem: Source,
    *,
    encoding: CircuitEncoding = "binary",
    layout: Mapping[str, Any] | str | Path | None = None,
    output_map: Sequence[Any] | Mapping[Any, Any] | str | Path | None = None,
    family: str | None = None,
    seed: int = 0,
) -> Judgement:
    """Judge anyone's oracle: does it flip the sign of the problem's solutions and leave all else unchanged?

    No deduction is made from the problem first. Ancillas enter as zeros. Signs are compared up to one phase for all
    codewords. Inputs that are not codewords may have any output. Up to 2^28 codewords are all run, exactly, 64 a
    machine word. A circuit that this simulation cannot follow is run with rounding: see docs/proofs.md for its
    tolerance.

    Args:
        circuit: one oracle call: OpenQASM 2 or 3, QPY, or a circuit. If it carries Qiskit's ``TranspileLayout``, its
            qubits have the numbers and names from before it was transpiled.
        problem: puzzle file, certificate (``.cert.json``), `Puzzle`, ``cpmpy.Model`` or `Model`.
        encoding: one-hot, binary or domain-wall: how the circuit's data qubits hold the variables.
        layout: the data qubits, as a JSON file or a mapping: ``{"data": [0, 1, 4]}`` in the order of the variables,
            lowest bit first, or ``{"data": {"x": [0, 1], "y": [4]}}``; the first qubits if None. ``"output": 7`` names
            a qubit that is flipped instead of the sign, for both of its initial values. A qubit is its number or
            ``"q[3]"``.
        output_map: the final places of qubits that a transpiler moved, as a JSON file, a list with one place for each
            qubit, or a mapping such as ``{0: 2, "q[2]": 0}``; all others stay.
        family: puzzle family of a file; None detects it from the text.
        seed: seed of the codewords drawn, where there are too many to run all.

    Raises:
        InputError: a file cannot be read, an operation cannot be judged, or the layout does not fit.
    """
    given, text = _read_given(circuit)
    source, title = _read_problem(problem, family)
    model = source.model
    if encoding in {"table", "permutation"}:
        message = f"encoding '{encoding}' is laid out differently for each problem: give one-hot, binary or domain-wall"
        raise InputError(message)
    space = make_spaces(model, encoding)[0]
    routed, ends = take_back(given, output_map)
    found = _read_layout(layout, routed, model, space)
    if output_map is not None:
        ends = read_ends(*_read_json(output_map, "output map"), routed, found)
    whole, measured = _make_plain(routed, found, text)
    plain = restore_wires(whole, ends)
    return Judgement(
        prove_circuit(model, space, plain, found, seed),
        title,
        space.size,
        given.num_qubits,
        space.num_qubits,
        _count_gates(given),
        given.depth(),
        count_alone(model, space, plain, found),
        len(model.constraints),
        _tell_applied(given, output_map, ends),
        _tell_left_out(source, measured),
    )


def _read_given(circuit: str | Path | QuantumCircuit) -> tuple[QuantumCircuit, Text | None]:
    read = (circuit, None) if isinstance(circuit, QuantumCircuit) else read_circuit(as_path(circuit, "circuit"))
    if not read[0].num_qubits:
        raise InputError("the circuit has no qubits: there is nothing to judge")
    return read


def _count_gates(circuit: QuantumCircuit) -> dict[str, int]:
    """Return the number of gates of each of Qiskit's names; other names are marked as ``defined``."""
    names = {kind.base_class: name for name, kind in get_standard_gate_name_mapping().items()} | _MANY
    found = Counter[str]()
    for one in circuit.data:
        known = names.get(getattr(one.operation, "base_class", None))
        given = re.sub(r"\W", "?", one.operation.name.removesuffix(OWN))
        found[known or f"{given} (defined)"] += 1
    return dict(found)


def _tell_left_out(problem: Problem, measured: int) -> str:
    many = "1 measurement at the end is" if measured == 1 else f"{measured} measurements at the end are"
    return "; ".join(filter(None, [tell_aside(problem), f"{many} left out of the judgement" if measured else ""]))


def _tell_applied(given: QuantumCircuit, output_map: object, ends: Sequence[int]) -> str:
    if output_map is None and given.layout is None:
        return ""
    moved = sum(place != qubit for qubit, place in enumerate(ends))
    back = f"{moved} of {len(ends)} qubits end in another place and are brought back"
    if output_map is not None:
        return f"the output map is applied: {back}"
    return f"the TranspileLayout in the circuit is applied: qubits have their names of before; {back}"


def _make_plain(circuit: QuantumCircuit, layout: QubitLayout, text: Text | None) -> tuple[QuantumCircuit, int]:
    try:
        return make_plain(circuit, layout)
    except UnfollowedError as error:
        if text is None:
            raise
        raise InputError(str(error), source=text.source, **text.find(error.word)) from error


def _read_json(given: Any, what: str) -> tuple[Any, str | None]:
    """Return an argument, or the content of the JSON file that it names, and the file's name."""
    if not isinstance(given, str | Path):
        return given, None
    try:
        data = read_bytes(as_path(given, what), MOST_BYTES, "give a smaller one")
        return json.loads(data, object_pairs_hook=without_repeats), str(given)
    except InputError as error:
        raise error.within(str(given)) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a {what}: it is not JSON", source=str(given)) from error


def _read_problem(problem: Source, family: str | None) -> tuple[Problem, str]:
    """Return the problem and its title; a name in a certificate is marked as its maker's."""
    # By the suffix, as any other JSON file may be a puzzle.
    if isinstance(problem, str | Path) and str(problem).endswith(".cert.json"):
        if family is not None:
            raise InputError("a certificate names the family of its puzzle: leave out the family", source=str(problem))
        restored = restore_problem(read_certificate(as_path(problem, "problem"))["problem"])
        return restored, tell_problem(restored)
    read = as_problem(problem, family)
    return read, read.title


def _read_layout(given: Any, circuit: QuantumCircuit, model: Model, space: Space) -> QubitLayout:
    """Return the layout of a circuit; refuses what is none, or does not fit."""
    given, source = _read_json(given, "layout")
    if given is None:
        given = {}
    if not isinstance(given, Mapping) or set(given) - {"data", "output"}:
        raise InputError('not a layout: write {"data": [qubits], "output": qubit}', source=source)
    data = given.get("data", list(range(min(space.num_qubits, circuit.num_qubits))))
    if isinstance(data, Mapping):
        data = _order_data(data, space, source)
    if not isinstance(data, list | tuple):
        raise InputError('"data" is a list of qubits, or a list for each variable', source=source)
    qubits = tuple(find_qubit(one, circuit, source) for one in data)
    output = given.get("output")
    found = QubitLayout(qubits, None if output is None else find_qubit(output, circuit, source))
    if len(qubits) != space.num_qubits:
        many = f"{len(model.variables)} variables take {space.num_qubits} data qubits in this encoding"
        raise InputError(f"{many}, and {len(qubits)} are there: map the data qubits", source=source)
    # The set has one member more than ``qubits``, the output or None, unless a qubit repeats.
    if len({*qubits, found.output}) <= len(qubits):
        raise InputError("a qubit is named twice in the layout", source=source)
    return found


def _order_data(data: Mapping[str, Any], space: Space, source: str | None) -> list[Any]:
    result = list[Any]()
    for block in space.blocks:
        # All encodings that are judged have one variable a block.
        (name,) = block.variables
        qubits = data.get(name, [])
        if not isinstance(qubits, list | tuple) or len(qubits) != block.num_qubits:
            raise InputError(
                f"variable {name} takes a list of {block.num_qubits} qubits in this encoding", source=source
            )
        result += qubits
    for name in sorted(set(data) - set(space.variables), key=str)[:1]:
        raise InputError(f"the problem has no variable {name}", source=source)
    return result

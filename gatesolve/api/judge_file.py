"""Anyone's oracle in a file, judged by a problem: a referee for circuits that gatesolve did not make."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from qiskit import QuantumCircuit, qasm2, qasm3

from gatesolve.api.certify_file import read_certificate
from gatesolve.api.problem import Source, as_problem
from gatesolve.api.problem_record import restore_problem
from gatesolve.encodings import Space, make_spaces
from gatesolve.errors import GatesolveError, InputError
from gatesolve.extensions import Registered
from gatesolve.files import as_path, read_bytes
from gatesolve.model import Model
from gatesolve.proof.claim import Claim
from gatesolve.proof.entry import count_alone, judge_oracle
from gatesolve.proof.entry_words import Layout

CircuitEncoding = Literal["one-hot", "binary", "domain-wall"] | Registered
MOST_BYTES = 1 << 26
"""The largest file that is read."""
_QUBIT = re.compile(r"(\w+)\[(\d+)\]")


@dataclass(frozen=True)
class Judgement:
    """What was found of a circuit.

    Attributes:
        claim: whether it is an oracle of the problem, and on which codeword it is wrong first.
        title: the problem.
        codewords: of the encoding.
        qubits: the circuit's width.
        data: how many of them hold the codeword.
        gates: how many of each name, as the file has them.
        depth: layers of these gates.
        alone: how many constraints stand each on one qubit at some time; None where that is not known.
        constraints: of the problem.
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

    @property
    def status(self) -> str:
        """``proved``, ``refused``, or ``sampled`` where it was only run on some codewords or on none."""
        return self.claim.status if self.claim.status in {"proved", "refused"} else "sampled"

    @property
    def level(self) -> str:
        """What the circuit works out itself, in words."""
        if self.alone is None:
            return "which constraints it computes was not looked at"
        if self.alone == self.constraints:
            return f"each of the {self.constraints} constraints stands alone on a qubit at some time: level literal"
        return f"{self.alone} of {self.constraints} constraints stand alone on a qubit at some time"


def judge(
    path: str | Path,
    problem: Source,
    *,
    encoding: CircuitEncoding = "binary",
    layout: Mapping[str, Any] | str | Path | None = None,
    family: str | None = None,
    seed: int = 0,
) -> Judgement:
    """Judge anyone's oracle: does it flip the sign of the problem's solutions and leave all else as it was?

    Nothing is deduced from the problem first. Ancillas enter as zeros; signs are compared up to one phase for all
    codewords; inputs that are no codeword may do anything. Up to 2^28 codewords all are run, 64 a machine word and
    exactly; a circuit that entangles qubits in superposition is run with rounding on at most 2^12.

    Args:
        path: OpenQASM 2 (``.qasm``) or 3 (``.qasm3``) of one oracle call.
        problem: puzzle file, certificate (``.cert.json``), `Puzzle`, ``cpmpy.Model`` or `Model`.
        encoding: one-hot, binary or domain-wall: how the circuit's data qubits hold the variables.
        layout: which qubits are the data, as a JSON file or a mapping: ``{"data": [0, 1, 4]}`` in the order of the
            variables, lowest bit first, or ``{"data": {"x": [0, 1], "y": [4]}}``; the first qubits if None.
            ``"output": 7`` names a qubit that is flipped instead of the sign. A qubit is its number or ``"q[3]"``.
        family: puzzle family of a file; found from its text when None.
        seed: of the codewords drawn, where there are too many to run all.

    Raises:
        InputError: a file cannot be read, or the layout does not fit.
    """
    place = as_path(path, "path")
    circuit = _read_circuit(place)
    source = _read_problem(problem, family)
    model = source.model
    if encoding == "table":
        raise InputError(
            "encoding 'table' is laid out differently for each problem: give one-hot, binary or domain-wall"
        )
    space = make_spaces(model, encoding)[0]
    found = _read_layout(layout, circuit, model, space)
    return Judgement(
        judge_oracle(model, space, circuit, found, seed),
        source.title,
        space.size,
        circuit.num_qubits,
        space.num_qubits,
        dict(circuit.count_ops()),
        circuit.depth(),
        count_alone(model, space, circuit, found),
        len(model.constraints),
    )


def _read_problem(problem: Source, family: str | None) -> Any:
    if isinstance(problem, str | Path) and str(problem).endswith(".cert.json"):
        return restore_problem(read_certificate(as_path(problem, "problem"))["problem"])
    return as_problem(problem, family)


def _read_circuit(path: Path) -> QuantumCircuit:
    text = read_bytes(path, MOST_BYTES, "judge smaller circuits")
    if text.startswith(b"# kickmix"):
        raise InputError("kickmix is not judged: write the oracle as .qasm3 too, and judge that", source=str(path))
    try:
        if text.lstrip().startswith(b"OPENQASM 3") or path.suffix == ".qasm3":
            return qasm3.loads(text.decode())
        # Qiskit takes its own gate of such a name for one that the text defines, so the names defined are left out.
        known = [one for one in qasm2.LEGACY_CUSTOM_INSTRUCTIONS if not _is_defined(one.name, text.decode())]
        return qasm2.loads(text.decode(), custom_instructions=known)
    except UnicodeDecodeError as error:
        raise InputError("no circuit: it is no UTF-8", source=str(path)) from error
    except Exception as error:  # Qiskit's readers raise what their parsers raise
        if isinstance(error, GatesolveError):
            raise
        raise InputError(f"no circuit that Qiskit reads: {_first_line(error)}", source=str(path)) from error


def _is_defined(name: str, text: str) -> bool:
    return re.search(rf"\bgate\s+{name}\b", text) is not None


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).strip("'\"").splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def _read_layout(given: Any, circuit: QuantumCircuit, model: Model, space: Space) -> Layout:
    """The layout of a circuit.

    Raises:
        InputError: it is no layout, or does not fit.
    """
    source = None
    if isinstance(given, str | Path):
        source = str(given)
        try:
            given = json.loads(read_bytes(as_path(given, "layout"), MOST_BYTES, "give a smaller one"))
        except (ValueError, RecursionError) as error:
            raise InputError("no layout: it is no JSON", source=source) from error
    if given is None:
        given = {}
    if not isinstance(given, Mapping) or set(given) - {"data", "output"}:
        raise InputError('a layout is {"data": [qubits], "output": qubit}', source=source)
    data = given.get("data", list(range(min(space.num_qubits, circuit.num_qubits))))
    if isinstance(data, Mapping):
        data = _order_data(data, space, source)
    if not isinstance(data, list | tuple):
        raise InputError('"data" is a list of qubits, or a list for each variable', source=source)
    qubits = tuple(_find_qubit(one, circuit, source) for one in data)
    output = given.get("output")
    found = Layout(qubits, None if output is None else _find_qubit(output, circuit, source))
    if len(qubits) != space.num_qubits:
        many = f"{len(model.variables)} variables take {space.num_qubits} data qubits in this encoding"
        raise InputError(f"{many}, and {len(qubits)} are there: name them in a layout", source=source)
    if len({*qubits, found.output}) <= len(qubits):
        raise InputError("a qubit is named twice in the layout", source=source)
    return found


def _order_data(data: Mapping[str, Any], space: Space, source: str | None) -> list[Any]:
    result = list[Any]()
    for block in space.blocks:
        (name,) = block.variables
        qubits = data.get(name, [])
        if not isinstance(qubits, list | tuple) or len(qubits) != block.num_qubits:
            raise InputError(
                f"variable {name} takes a list of {block.num_qubits} qubits in this encoding", source=source
            )
        result += qubits
    for name in sorted(set(data) - set(space.variables))[:1]:
        raise InputError(f"the problem has no variable {name}", source=source)
    return result


def _find_qubit(given: object, circuit: QuantumCircuit, source: str | None) -> int:
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < circuit.num_qubits:
        return given
    if isinstance(given, str) and (found := _QUBIT.fullmatch(given)):
        for register in circuit.qregs:
            if register.name == found[1] and int(found[2]) < register.size:
                return list(circuit.qubits).index(register[int(found[2])])
    raise InputError(f"the circuit has no qubit {given!r:.40}", source=source)

"""OpenQASM 3 read by the language's specification: loops, definitions and modifiers are evaluated here.

Qiskit's reader is not used: it rounds numbers, orders a gate's parameters by the alphabet, and identifies gates by
their names. Unknown parts are refused, and so are those that the specification and Qiskit read differently. These are
quotients of whole numbers with a remainder, ranges of indices with a minus, and ``U``, ``u2`` and ``u3`` under a
control. A gate's parameters are real numbers.
"""

from __future__ import annotations

import math
import operator
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import openqasm3
from openqasm3 import ast
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import (
    AnnotatedOperation,
    Clbit,
    ControlledGate,
    ControlModifier,
    Gate,
    IfElseOp,
    InverseModifier,
    Operation,
    PowerModifier,
    Qubit,
)
from qiskit.circuit import library as gates
from qiskit.circuit.annotated_operation import Modifier

from gatesolve.errors import DoesNotFitError
from gatesolve.proof import entry_gates
from gatesolve.proof.entry_circuit import OTHER_CONDITION
from gatesolve.proof.entry_gates import FOLLOWED, OWN

MOST_WHOLE = (1 << 31) - 1
"""Largest whole number: every machine's ``int`` can represent it."""
TWO_PHASES = "OpenQASM and Qiskit differ on its phase; write cu instead"
DIVISION = "a division of whole numbers that leaves a rest, or by an angle, has several readings: write the quotient"
CONSTANTS = dict(zip(("pi", "tau", "euler", "π", "τ", "ℇ"), 2 * (math.pi, math.tau, math.e), strict=True))
Number = int | float
_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow
}  # fmt: skip
MOST_DECLARED = 100_000
"""Most qubits and bits that a text may declare."""
FREE = 16
"""Qubits of a barrier, an alias or a branch that take about as long as a gate."""
_NAMES = [
    "id",
    "x",
    "y",
    "z",
    "h",
    "s",
    "sdg",
    "t",
    "tdg",
    "sx",
    "sxdg",
    "p",
    "rx",
    "ry",
    "rz",
    "swap",
    "u",
    "u2",
    "u3",
]
BASES = {name: gates.get_standard_gate_name_mapping()[name].base_class for name in _NAMES} | {"U": gates.UGate}
"""Base gates: all others are controlled forms of them. ``u`` occurs as ``cu``, which has a fourth angle."""
ANGLES = {"p": 1, "rx": 1, "ry": 1, "rz": 1, "u2": 2, "u": 4, "U": 3, "u3": 3}
"""Number of angles of a base, if any."""
STDGATES = {name: (0, name) for name in BASES if name not in ("u", "U", "sxdg")}
STDGATES |= {f"c{name}": (1, name) for name in ("x", "y", "z", "h", "p", "rx", "ry", "rz", "swap", "u")}
STDGATES |= {"phase": (0, "p"), "u1": (0, "p"), "cphase": (1, "p"), "CX": (1, "x"), "ccx": (2, "x")}
"""The gates of stdgates.inc: the number of controls, and the base."""
BRAKET = {"cnot": (1, "x"), "ccnot": (2, "x"), "i": (0, "id"), "si": (0, "sdg"), "ti": (0, "tdg"), "v": (0, "sx")}
BRAKET |= {"vi": (0, "sxdg"), "cv": (1, "sx"), "phaseshift": (0, "p"), "cphaseshift": (1, "p")}
"""Gates that Amazon Braket's texts use without a definition."""
Names = ChainMap[str, Any]
BARE = "bare"
"""Key in a definition's metadata for whether it has a ``U``, ``u2`` or ``u3`` without a control."""
_ORDER = "defined before"
"""Key among a definition's names for the number of gates defined before it, which it may use."""


class RefusedNode(Exception):
    """An unsupported part of the text, with the reason."""

    def __init__(self, node: ast.QASMNode, message: str) -> None:
        super().__init__(message)
        self.node = node


class Angle(float):
    """The value of a gate's parameter, or a number computed from one."""


class Uint(int):
    """A whole number of a type without a sign."""


def tell(node: Any) -> str:
    """Return the words for a node in a message."""
    match node:
        case ast.Identifier(name=name):
            return str(name)
        case ast.IndexedIdentifier(name=name):
            return str(name.name)
        case ast.WhileLoop():
            return "while"
    words = "".join(f" {one.lower()}" if one.isupper() else one for one in type(node).__name__)
    return words.strip().replace(" statement", "")


def evaluate(node: Any, names: Mapping[str, Any]) -> Number:
    """Return the number that an expression stands for."""
    match node:
        case ast.IntegerLiteral(value=value) | ast.FloatLiteral(value=value):
            return _check(value, node)
        case ast.Identifier(name=name):
            value = names.get(name, CONSTANTS.get(name))
            if isinstance(value, int | float):
                return value
            raise RefusedNode(node, f"{name} has no value here")
        case ast.UnaryExpression(op=ast.UnaryOperator(name="-"), expression=inner):
            value = evaluate(inner, names)
            # The type is kept, as it decides how a division is read.
            return _check(Uint(-value) if isinstance(value, Uint) else type(value)(-value), node)
        case ast.BinaryExpression(op=op, lhs=left, rhs=right) if op.name in _BINARY:
            return _combine(node, op.name, evaluate(left, names), evaluate(right, names))
        case ast.BitstringLiteral():
            raise RefusedNode(node, "bits as a number are read differently by readers: write a number")
    raise RefusedNode(node, f"{tell(node)} has no value here: write the number")


def _combine(node: ast.BinaryExpression, sign: str, left: Number, right: Number) -> Number:
    is_whole = isinstance(left, int) and isinstance(right, int)
    # OpenQASM cuts a quotient of whole numbers; many readers and writers take the exact one.
    if sign == "/" and (isinstance(right, Angle) or right == 0 or (is_whole and left % right)):
        raise RefusedNode(node.rhs, DIVISION)
    # Bounded before it is computed: the power of two large numbers would fill the memory.
    if sign == "**" and is_whole and (right < 0 or right > 64):
        raise RefusedNode(node, "a whole number to a power below 0 or above 64: write the number")
    try:
        value = left // right if sign == "/" and is_whole else _BINARY[sign](left, right)
    except (OverflowError, ZeroDivisionError) as error:
        raise RefusedNode(node, "a number that is too large: write another") from error
    if isinstance(value, complex):
        raise RefusedNode(node, "a number that is not real: write another")
    if is_whole:
        return _check(Uint(value) if isinstance(left, Uint) or isinstance(right, Uint) else int(value), node)
    return _check(Angle(value) if isinstance(left, Angle) or isinstance(right, Angle) else value, node)


def _check(value: Number, node: ast.QASMNode) -> Number:
    if isinstance(value, int) and abs(value) > MOST_WHOLE:
        raise RefusedNode(node, f"a whole number over {MOST_WHOLE}: write one with a point")
    if isinstance(value, Uint) and value < 0:
        raise RefusedNode(node, "a uint below zero: write int")
    if not math.isfinite(value):
        raise RefusedNode(node, "a number that is too large: write another")
    return value


def evaluate_whole(node: Any, names: Mapping[str, Any]) -> int:
    """Return the whole number that an expression stands for."""
    value = evaluate(node, names)
    if not isinstance(value, int):
        raise RefusedNode(node, "a whole number is needed here")
    return value


def fit(value: Number, kind: Any, node: ast.QASMNode) -> Number:
    """Return a number as a value of a type."""
    match kind:
        case ast.IntType(size=size) if isinstance(value, int) and _is_wide(size):
            return int(value)
        case ast.UintType(size=size) if isinstance(value, int) and _is_wide(size):
            return _check(Uint(value), node)
        case ast.FloatType(size=None | ast.IntegerLiteral(value=64)):
            return float(value)
        # An angle outside one turn wraps, at a precision that depends on the reader.
        case ast.AngleType(size=None) if 0 <= value < math.tau:
            return Angle(value)
    raise RefusedNode(node, "not a number of this type, or an unsupported size: write int, uint or float")


def _is_wide(size: ast.Expression | None) -> bool:
    # `MOST_WHOLE` fits 32 bits, so a wider type changes no value.
    return size is None or (isinstance(size, ast.IntegerLiteral) and 32 <= size.value <= 64)


def list_range(node: ast.RangeDefinition, names: Mapping[str, Any], size: int | None) -> range:
    """Return the numbers of a range, including its end; for indices ``size`` is their number."""
    if size is None and (node.start is None or node.end is None):
        raise RefusedNode(node, "a loop's range has a start and an end")
    start = 0 if node.start is None else evaluate_whole(node.start, names)
    end = (size or 0) - 1 if node.end is None else evaluate_whole(node.end, names)
    step = 1 if node.step is None else evaluate_whole(node.step, names)
    if size is not None and min(start, end, step) < 0:
        raise RefusedNode(
            node, "a range with a minus, which Qiskit and OpenQASM read differently: write the qubits out"
        )
    if step == 0:
        raise RefusedNode(node, "a range with steps of 0")
    # OpenQASM's ranges include their end.
    return range(start, end + (1 if step > 0 else -1), step)


@dataclass(frozen=True)
class _Definition:
    """A gate that the text defines; ``order`` is the number of gates defined before it."""

    node: ast.QuantumGateDefinition
    constants: Mapping[str, Number]
    order: int


@dataclass(frozen=True)
class _Operand:
    """The qubits or bits that a name stands for: a single one, or an array."""

    kind: str
    places: tuple[int, ...]
    is_array: bool = True


def convert_qasm3(text: str) -> QuantumCircuit:
    """Return the circuit of an OpenQASM 3 text, on its qubits in the order of their declarations, or by their numbers.

    Raises:
        RefusedNode: an unsupported part.
        DoesNotFitError: too many gates, once loops and definitions are opened.
    """
    tree = openqasm3.parse(text)
    reader = _Converter(tree)
    reader.read_all(tree.statements, Names(reader.names), reader.circuit)
    return reader.circuit


class _Converter:
    """Reads statements into the circuit, into a branch, or into the circuit of a gate's definition."""

    def __init__(self, tree: ast.Program) -> None:
        self.circuit = QuantumCircuit()
        self.names: dict[str, Any] = {}
        self._gates: dict[str, tuple[int, str] | _Definition] = {"U": (0, "U")}
        self._num_defined = 0
        self._opened: dict[object, Gate] = {}
        self._left = entry_gates.MOST_PARTS + len(tree.statements)
        self._declared = 0
        # A text without includes and definitions may come from Braket, whose gates need no definition.
        own = any(isinstance(one, ast.Include | ast.QuantumGateDefinition) for one in tree.statements)
        self._undefined = STDGATES | BRAKET if tree.version and not own else {}

    def read_all(self, statements: Sequence[Any], names: Names, sink: QuantumCircuit) -> None:
        for node in statements:
            match node:
                case ast.QuantumGate() | ast.QuantumPhase():
                    self._apply(node, names, sink)
                case ast.ForInLoop():
                    for inner in self._list_passes(node, names):
                        self.read_all(node.block, inner, sink)
                # Barriers and delays change no state; only their operands are checked.
                case ast.QuantumBarrier(qubits=operands) | ast.DelayInstruction(qubits=operands):
                    for operand in operands:
                        self._count(len(self._find(operand, names, "qubit").places) // FREE)
                case ast.Box(body=body) | ast.CompoundStatement(statements=body) if sink is self.circuit:
                    self.read_all(body, names.new_child(), sink)
                case _ if sink is self.circuit:
                    self._read_program(node, names)
                case _:
                    raise RefusedNode(node, f"{tell(node)} inside a gate or a branch is not judged: {FOLLOWED}")

    def _read_program(self, node: Any, names: Names) -> None:
        """Read a statement that is allowed only outside of gates and branches."""
        match node:
            case ast.ConstantDeclaration(identifier=name, type=kind, init_expression=value):
                self._declare(name, fit(evaluate(value, names), kind, node), names)
            case ast.AliasStatement(target=name, value=value):
                self._declare(name, self._join(value, names), names)
            case ast.QuantumMeasurementStatement(measure=measure, target=target):
                self._measure(measure, target, names)
            case ast.QuantumReset(qubits=operand):
                qubits = self._find(operand, names, "qubit").places
                self._count(len(qubits))
                self.circuit.reset(qubits)
            case ast.BranchingStatement():
                self._branch(node, names)
            case _ if names.maps[0] is self.names:
                self._read_global(node, names)
            case _:
                raise RefusedNode(node, f"{tell(node)} is not judged here: {FOLLOWED}")

    def _read_global(self, node: Any, names: Names) -> None:
        """Read a statement that is allowed only outside of all blocks."""
        match node:
            case ast.Include(filename="stdgates.inc"):
                for name, made in STDGATES.items():
                    self._define(node, name, made)
            case ast.Include():
                raise RefusedNode(node, "only stdgates.inc is included: write the definitions into the text")
            case ast.QubitDeclaration(qubit=name, size=size):
                self._declare_wires("qubit", name, size, names)
            case ast.ClassicalDeclaration(type=ast.BitType(size=size), identifier=name, init_expression=first):
                self._declare_wires("bit", name, size, names)
                if isinstance(first, ast.QuantumMeasurement):
                    self._measure(first, name, names)
                elif first is not None:
                    raise RefusedNode(node, f"a bit with a value is not judged: {FOLLOWED}")
            case ast.QuantumGateDefinition(name=name):
                inner = [one.name for one in (*node.arguments, *node.qubits)]
                if len({*inner}) < len(inner) or CONSTANTS.keys() & {*inner}:
                    raise RefusedNode(node, f"gate {name.name} has a name twice, or that of a constant, inside")
                constants = {one: value for one, value in names.items() if isinstance(value, int | float)}
                self._define(node, name.name, _Definition(node, constants, self._num_defined))
            case ast.IODeclaration(identifier=name, io_identifier=ast.IOKeyword.input):
                raise RefusedNode(node, f"parameter {name.name} has no value: bind it, and judge the circuit then")
            case _:
                raise RefusedNode(node, f"{tell(node)} is not judged: {FOLLOWED}")

    def _define(self, node: ast.QASMNode, name: str, made: tuple[int, str] | _Definition) -> None:
        # A gate of stdgates.inc may be redefined.
        known = self._gates.get(name)
        is_free = known is None or (isinstance(made, _Definition) and isinstance(known, tuple) and name != "U")
        if name in self.names or not is_free:
            raise RefusedNode(node, f"{name} is defined twice")
        self._gates[name] = made
        self._num_defined += isinstance(made, _Definition)

    def _declare(self, name: ast.Identifier, value: object, names: Names) -> None:
        is_gate = names.maps[0] is self.names and name.name in self._gates
        if name.name in names.maps[0] or name.name in CONSTANTS or is_gate:
            raise RefusedNode(name, f"{name.name} is defined twice")
        names.maps[0][name.name] = value

    def _declare_wires(self, kind: str, name: ast.Identifier, size: ast.Expression | None, names: Names) -> None:
        many = 1 if size is None else evaluate_whole(size, names)
        self._declared += many
        if many < 1:
            raise RefusedNode(name, f"{name.name} has {many} {kind}s: give 1 at least")
        if self._declared > MOST_DECLARED:
            raise RefusedNode(name, f"over {MOST_DECLARED} qubits and bits are declared: judge smaller circuits")
        if kind == "qubit" and self.circuit.num_qubits and not self.circuit.qregs:
            raise RefusedNode(name, f"{name.name} is declared beside physical qubits: use one kind")
        start = len(self.circuit.qubits if kind == "qubit" else self.circuit.clbits)
        self._declare(name, _Operand(kind, tuple(range(start, start + many)), size is not None), names)
        self.circuit.add_register((QuantumRegister if kind == "qubit" else ClassicalRegister)(many, name.name))

    def _list_passes(self, node: ast.ForInLoop, names: Names) -> Iterator[Names]:
        match node.set_declaration:
            case ast.RangeDefinition() as found:
                values: Sequence[int] = list_range(found, names, None)
            case ast.DiscreteSet(values=found):
                values = [evaluate_whole(one, names) for one in found]
            case _:
                raise RefusedNode(node, "a loop is only supported over a range or a set: write it out")
        for value in values:
            self._count(1)
            inner = names.new_child()
            self._declare(node.identifier, fit(value, node.type, node), inner)
            yield inner.new_child()

    def _count(self, parts: int) -> None:
        self._left -= parts
        if self._left < 0:
            most = entry_gates.MOST_PARTS
            raise DoesNotFitError(f"over {most} gates, once definitions are opened: judge smaller circuits")

    def _measure(self, node: ast.QuantumMeasurement, target: Any, names: Names) -> None:
        qubits = self._find(node.qubit, names, "qubit").places
        if target is None:
            bits = tuple(range(len(self.circuit.clbits), len(self.circuit.clbits) + len(qubits)))
            self.circuit.add_bits([Clbit() for _ in qubits])
        else:
            bits = self._find(target, names, "bit").places
        if len(qubits) != len(bits):
            raise RefusedNode(node, f"{len(qubits)} qubits are measured into {len(bits)} bits")
        self._count(len(qubits))
        self.circuit.measure(qubits, bits)

    def _branch(self, node: ast.BranchingStatement, names: Names) -> None:
        condition = self._read_condition(node.condition, names)
        self._count(self.circuit.num_qubits // FREE)
        branches = [QuantumCircuit(self.circuit.qubits, self.circuit.clbits) for _ in range(2)]
        for branch, statements in zip(branches, (node.if_block, node.else_block), strict=True):
            self.read_all(statements, names.new_child(), branch)
        bits = [condition[0]] if isinstance(condition[0], Clbit) else [*condition[0]]
        # A block spans only the qubits that it uses, so that others are not tied to the condition.
        used = {qubit for branch in branches for one in branch.data for qubit in one.qubits}
        qubits = [one for one in self.circuit.qubits if one in used]
        blocks = [QuantumCircuit(qubits, bits, global_phase=one.global_phase) for one in branches]
        for block, branch in zip(blocks, branches, strict=True):
            for one in branch.data:
                block.append(one.operation, one.qubits)
        self.circuit.append(IfElseOp(condition, *blocks), qubits, bits)

    def _read_condition(self, node: Any, names: Names) -> tuple[Clbit | ClassicalRegister, int]:
        """Return the bit or register that is tested, and the number that it is compared with."""
        tested, value = node, None
        match node:
            case ast.UnaryExpression(op=ast.UnaryOperator(name="!"), expression=tested):
                value = 0
            case ast.BinaryExpression(
                op=ast.BinaryOperator(name="=="), lhs=tested, rhs=ast.BooleanLiteral(value=truth)
            ):
                value = int(truth)
            case ast.BinaryExpression(op=ast.BinaryOperator(name="=="), lhs=tested, rhs=right):
                value = evaluate_whole(right, names)
        if isinstance(tested, ast.Identifier | ast.IndexExpression):
            found = self._find(tested, names, "bit")
            bits = [self.circuit.clbits[one] for one in found.places]
            register = next((one for one in self.circuit.cregs if [*one] == bits), None)
            # A bit without a comparison is tested for 1.
            if not found.is_array and value in (None, 0, 1):
                return bits[0], 1 if value is None else value
            if found.is_array and register is not None and value is not None and 0 <= value < 1 << len(bits):
                return register, value
        raise RefusedNode(node, OTHER_CONDITION)

    def _find(self, node: Any, names: Names, kind: str, whole: Any = None) -> _Operand:
        """Return the qubits or bits that an operand, or a part of one, stands for."""
        found: _Operand | None = None
        match node:
            case ast.Identifier(name=name) if name.startswith("$"):
                found = self._find_physical(node, name, names)
            case ast.Identifier(name=name):
                found = names.get(name)
            case (
                ast.IndexedIdentifier(name=inner, indices=[index]) | ast.IndexExpression(collection=inner, index=index)
            ):
                found = self._index(self._find(inner, names, kind, node), index, names, node)
        if not isinstance(found, _Operand) or found.kind != kind:
            raise RefusedNode(whole or node, f"{tell(node)} is not a {kind}: give a name, or a name with an index")
        return found

    def _find_physical(self, node: ast.QASMNode, name: str, names: Names) -> _Operand:
        # Declared registers would take the same numbers as physical qubits.
        if self.circuit.qregs or _ORDER in names or len(name) > 6 or int(name[1:]) >= MOST_DECLARED:
            raise RefusedNode(node, f"{name} beside declared qubits, in a gate, or of too large a number")
        number = int(name[1:])
        self.circuit.add_bits([Qubit() for _ in range(self.circuit.num_qubits, number + 1)])
        return _Operand("qubit", (number,), is_array=False)

    def _index(self, wires: _Operand, index: Any, names: Names, node: ast.QASMNode) -> _Operand:
        size, is_array = len(wires.places), True
        chosen: Sequence[int] = ()
        match index:
            case ast.DiscreteSet(values=found):
                chosen = [evaluate_whole(one, names) for one in found]
            case [ast.RangeDefinition() as found]:
                chosen = list_range(found, names, size)
            case [one]:
                is_array, chosen = False, [evaluate_whole(one, names)]
        # Negative indices count from the end, as Python's do.
        if not wires.is_array or not chosen or any(not -size <= one < size for one in chosen):
            raise RefusedNode(node, f"no index of {tell(node)}, which has {size}")
        return _Operand(wires.kind, tuple(wires.places[one] for one in chosen), is_array)

    def _join(self, node: Any, names: Names) -> _Operand:
        if not isinstance(node, ast.Concatenation):
            found = self._find(node, names, "qubit")
            self._count(len(found.places) // FREE)
            return found
        places = self._join(node.lhs, names).places + self._join(node.rhs, names).places
        # OpenQASM 3 joins registers without common qubits. Others could double an alias line by line.
        if len({*places}) < len(places):
            raise RefusedNode(node, "a qubit is twice in one alias: join registers without common qubits")
        return _Operand("qubit", places)

    def _apply(self, node: ast.QuantumGate | ast.QuantumPhase, names: Names, sink: QuantumCircuit) -> None:
        """Add a gate for each place of its operands."""
        operands = [self._find(one, names, "qubit") for one in node.qubits]
        gate = self._make(node, names, len(operands))
        # A physical qubit may be named in a branch first.
        if sink is not self.circuit and _ORDER not in names:
            sink.add_bits(self.circuit.qubits[sink.num_qubits :])
        sizes = {len(one.places) for one in operands if one.is_array}
        if len(sizes) > 1:
            raise RefusedNode(node, "registers of several sizes in one gate")
        for place in range(max(sizes, default=1)):
            qubits = tuple(one.places[place if one.is_array else 0] for one in operands)
            if len({*qubits}) < len(qubits):
                raise RefusedNode(node, "a qubit is named twice in one gate")
            self._count(1)
            if isinstance(gate, gates.GlobalPhaseGate):
                sink.global_phase += gate.params[0]
            else:
                sink.append(gate, qubits)

    def _make(self, node: ast.QuantumGate | ast.QuantumPhase, names: Names, num_qubits: int) -> Gate:
        """Return a gate with its modifiers."""
        modifiers = [self._read_modifier(one, names) for one in node.modifiers]
        controls = sum(one.num_ctrl_qubits for one in modifiers if isinstance(one, ControlModifier))
        inner = num_qubits - controls
        if isinstance(node, ast.QuantumPhase):
            _check_number(node, "gphase", "qubits beside its controls", 0, inner)
            gate: Gate = gates.GlobalPhaseGate(float(evaluate(node.argument, names)))
        else:
            gate = self._open(node, [float(evaluate(one, names)) for one in node.arguments], inner, names)
            if controls and _has_bare_turn(gate):
                raise RefusedNode(node, f"gate {node.name.name} under a control: {TWO_PHASES}")
        # The modifier next to the gate applies first.
        modifiers.reverse()
        if modifiers and isinstance(gate, gates.XGate) and modifiers[0] in (PowerModifier(0.5), PowerModifier(-0.5)):
            gate = gates.SXGate() if modifiers.pop(0).power > 0 else gates.SXdgGate()
        for one in modifiers:
            if isinstance(one, PowerModifier) and not float(one.power).is_integer():
                message = f"gate {_name(node)} to the power {one.power:g}: give a whole power, or the gates"
                raise RefusedNode(node, message)
        return _modify(gate, modifiers, num_qubits, _name(node)) if modifiers else gate

    def _read_modifier(self, node: ast.QuantumGateModifier, names: Names) -> Modifier:
        kind = node.modifier.name
        if kind == "inv":
            return InverseModifier()
        if kind == "pow":
            return PowerModifier(evaluate(node.argument, names))
        many = 1 if node.argument is None else evaluate_whole(node.argument, names)
        if not 1 <= many <= MOST_DECLARED:
            raise RefusedNode(node, f"{many} controls: give 1 at least")
        return ControlModifier(many, (1 << many) - 1 if kind == "ctrl" else 0)

    def _open(self, node: ast.QuantumGate, angles: list[float], num_qubits: int, names: Names) -> Gate:
        name = node.name.name
        found = self._gates.get(name, self._undefined.get(name))
        if (
            found is None
            or name in names
            or (isinstance(found, _Definition) and found.order >= names.get(_ORDER, math.inf))
        ):
            raise RefusedNode(node, f"gate {name} is not defined")
        if isinstance(found, _Definition):
            _check_number(node, name, "angles", len(found.node.arguments), len(angles))
            _check_number(node, name, "qubits", len(found.node.qubits), num_qubits)
            # A definition is opened once for the same angles: nested definitions would otherwise take exponential time.
            key = name, *angles
            if key not in self._opened:
                self._opened[key] = self._define_gate(found, angles)
            return self._opened[key]
        num_controls, base = found
        _check_number(node, name, "angles", ANGLES.get(base, 0), len(angles))
        _check_number(node, name, "qubits", num_controls + (2 if base == "swap" else 1), num_qubits)
        # The specification's cu has a fourth angle, as Qiskit's has: a phase under its control.
        if base == "u":
            return gates.CUGate(*angles)
        gate: Gate = BASES[base](*angles)
        return gate.control(num_controls, annotated=False) if num_controls else gate

    def _define_gate(self, found: _Definition, angles: Sequence[float]) -> Gate:
        given = {one.name: Angle(angle) for one, angle in zip(found.node.arguments, angles, strict=True)}
        places = {one.name: _Operand("qubit", (place,), is_array=False) for place, one in enumerate(found.node.qubits)}
        body = QuantumCircuit(len(places))
        self.read_all(found.node.body, Names({**found.constants, **given, **places, _ORDER: found.order}), body)
        return _hold(body, found.node.name.name)


def _hold(body: QuantumCircuit, name: str) -> Gate:
    """Return a gate with a definition, which notes whether its phase under a control has two readings."""
    body.metadata = {BARE: any(_has_bare_turn(one.operation) for one in body.data)}
    gate = Gate(name + OWN, body.num_qubits, [])
    gate.definition = body
    return gate


def _has_bare_turn(gate: Operation) -> bool:
    """Return whether a gate is, or is made of, a ``U``, ``u2`` or ``u3`` that is no phase gate."""
    if isinstance(gate, AnnotatedOperation):
        return _has_bare_turn(gate.base_op)
    if gate.name.endswith(OWN):
        return bool(gate.definition.metadata[BARE])
    # With theta a multiple of 4 pi, U is a phase gate in both readings.
    is_phase = isinstance(gate, gates.UGate) and math.remainder(gate.params[0], 2 * math.tau) == 0
    return isinstance(gate, gates.UGate | gates.U2Gate | gates.U3Gate) and not is_phase


def _modify(gate: Gate, modifiers: Sequence[Modifier], num_qubits: int, name: str) -> Gate:
    """Return a gate under modifiers, the first of which is next to it: Qiskit's own gate where it has one."""
    is_own = isinstance(gate, gates.GlobalPhaseGate) or gate.name.endswith(OWN)
    if not is_own and all(isinstance(one, ControlModifier) for one in modifiers):
        state = 0
        for one in modifiers:
            # An outer control comes before the inner ones.
            state = state << one.num_ctrl_qubits | one.ctrl_state
        plain: ControlledGate = gate.control(num_qubits - gate.num_qubits, ctrl_state=state, annotated=False)
        if plain.base_class is not ControlledGate:
            return plain
    body = QuantumCircuit(num_qubits)
    body.append(AnnotatedOperation(gate, list(modifiers)), body.qubits)
    return _hold(body, name)


def _check_number(node: ast.QASMNode, name: str, what: str, expected: int, given: int) -> None:
    if expected != given:
        raise RefusedNode(node, f"gate {name} takes {expected} {what}, and {given} are given")


def _name(node: Any) -> str:
    name = "gphase" if isinstance(node, ast.QuantumPhase) else node.name.name
    return "_".join([*(one.modifier.name for one in node.modifiers), name])

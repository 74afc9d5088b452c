"""Anyone's gate as a few kinds of gates with exact meanings: none is known by its name, no control is Qiskit's."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import (
    AnnotatedOperation,
    Barrier,
    ControlledGate,
    ControlModifier,
    Delay,
    Gate,
    Instruction,
    InverseModifier,
    Operation,
    ParameterExpression,
    PowerModifier,
    Qubit,
)
from qiskit.circuit import library as gates
from qiskit.exceptions import QiskitError
from qiskit.quantum_info import Operator
from qiskit.synthesis import OneQubitEulerDecomposer

from gatesolve.errors import DoesNotFitError, UnsupportedError

_OTHERS = """
barrier break_loop c3sqrtx c3x c4x continue_loop cu2 diagonal for_loop if_else initialize kraus mcp mcphase mcr mcrx
mcry mcrz mcswap mcsx mcu mcu1 mcu2 mcu3 mcx mcx_gray mcy mcz multiplexer pauli qerror_loc quantum_channel rc3x roerror
save_amplitudes save_amplitudes_sq save_clifford save_density_matrix save_expval save_expval_var
save_matrix_product_state save_probabilities save_probabilities_dict save_probs save_probs_ket save_stabilizer
save_state save_statevector save_statevector_dict save_superop save_unitary set_density_matrix set_matrix_product_state
set_stabilizer set_statevector set_superop set_unitary store superop switch_case unitary while_loop
"""
_NAMED = frozenset({*gates.get_standard_gate_name_mapping(), *_OTHERS.split()})
"""Names by which Qiskit's transpiler, Aer and writers know a gate, whatever its definition is."""
MOST_PARTS = 1 << 17
"""Most gates that definitions and loops are opened to, beside those of the file itself."""
MOST_TURNS = 1 << 10
"""Most turns of an angle: a larger one is rounded by more than the tolerance."""
MOST_OFF = 1e-8
"""How far the matrices of a circuit may be from unitary ones, in norm and together."""
MOST_EXPONENT = 16
"""Most turns of a Hamiltonian times its time: a larger one is rounded."""
MOST_POWERS = 1 << 12
"""Most gates that a power is made of."""
MOST_SYNTHESISED = 8
"""Qubits of a gate that is given as a matrix."""
MOST_STEEP = 16
"""Qubits of a gate whose definition has exponentially many gates."""
OWN = "_defined_here"
"""Suffix of the names of gates that a text defines, since Qiskit's readers identify gates by their names."""
FOLLOWED = "gates with a definition, measure, reset, barrier, delay, and if on a measured bit or register are judged"
_STEEP = (
    gates.ExactReciprocalGate,
    gates.PolynomialPauliRotationsGate,
    gates.PiecewisePolynomialPauliRotationsGate,
    gates.PiecewiseChebyshevGate,
)
_PLAIN = (gates.iSwapGate(), gates.DCXGate(), gates.RC3XGate())
"""Gates that lose their class where they are inverted twice."""
_QUARTER, _PI = math.pi / 4, math.pi
_BROKEN = (QiskitError, ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What Qiskit raises where a file's object lacks something."""


class UnfollowedError(UnsupportedError):
    """An operation that is not judged; ``word`` is how it is written in a text."""

    def __init__(self, message: str, word: str) -> None:
        super().__init__(message.replace(OWN, ""))
        self.word = word.removesuffix(OWN)


@dataclass(frozen=True)
class Leaf:
    """A gate with an exact meaning, on wires of the gate that it is a part of.

    Attributes:
        base: ``x``, ``h``, ``swap``, ``p``, ``ry``, ``u`` with Qiskit's angles, ``phase`` on no wire, or ``matrix``.
        angles: in radians.
        wires: targets, the lowest of a matrix first.
        controls: pairs of a wire and the value that it must have; none on a matrix or ``u``.
        matrix: of ``matrix``.
    """

    base: str
    angles: tuple[float, ...] = ()
    wires: tuple[int, ...] = ()
    controls: tuple[tuple[int, bool], ...] = ()
    matrix: NDArray[np.complex128] | None = None

    def move(self, wires: Sequence[int]) -> Leaf:
        """Put the same gate on other wires."""
        controls = tuple((wires[one], value) for one, value in self.controls)
        return replace(self, wires=tuple(wires[one] for one in self.wires), controls=controls)

    def invert(self) -> Leaf:
        """Return the inverse."""
        if self.matrix is not None:
            return replace(self, matrix=self.matrix.conj().T)
        if self.base == "u":
            theta, phi, lam = self.angles
            return replace(self, angles=(-theta, -lam, -phi))
        return replace(self, angles=tuple(-one for one in self.angles))

    def control(self, added: tuple[tuple[int, bool], ...]) -> Iterator[Leaf]:
        """Yield gates that are together this one under more controls."""
        if not added:
            yield self
            return
        match self.base:
            # P(phi) RY(theta) P(lambda)
            case "u":
                theta, phi, lam = self.angles
                for base, angle in (("p", lam), ("ry", theta), ("p", phi)):
                    yield from Leaf(base, (angle,), self.wires).control(added)
            # RY(pi/4) Z RY(-pi/4)
            case "h":
                yield Leaf("ry", (-_QUARTER,), self.wires)
                yield Leaf("p", (_PI,), self.wires, added + self.controls)
                yield Leaf("ry", (_QUARTER,), self.wires)
            case "ry":
                # The two halves add up between flips, and cancel without them, so only the flips need the controls.
                flip = Leaf("x", (), self.wires, added)
                yield from (replace(self, angles=(self.angles[0] / 2,)), flip)
                yield from (replace(self, angles=(-self.angles[0] / 2,)), flip)
            case "swap":
                # Of the three CX only the middle one needs the controls.
                one, two = self.wires
                around = Leaf("x", (), (one,), ((two, True),))
                yield from (around, Leaf("x", (), (two,), (*added, (one, True))), around)
            case "matrix":
                yield self._control_matrix(added)
            case _:
                yield replace(self, controls=added + self.controls)

    def _control_matrix(self, added: tuple[tuple[int, bool], ...]) -> Leaf:
        assert self.matrix is not None
        size = len(self.matrix) << len(added)
        if size > 1 << MOST_SYNTHESISED:
            raise UnfollowedError(f"a matrix on {size.bit_length() - 1} qubits: give gates instead", "unitary")
        # The added controls are the lowest qubits, so the matrix takes each row with their values.
        whole = np.eye(size, dtype=complex)
        start = sum(value << place for place, (_, value) in enumerate(added))
        rows = slice(start, None, 1 << len(added))
        whole[rows, rows] = self.matrix
        return Leaf("matrix", (), (*(one for one, _ in added), *self.wires), matrix=whole)

    def add_to(self, circuit: QuantumCircuit, qubits: Sequence[Qubit]) -> None:
        """Append this gate, which is no matrix, where ``qubits`` has the circuit's qubit of each wire."""
        base, wires, controls = self.base, self.wires, self.controls
        if base == "phase" and not controls:
            circuit.global_phase += self.angles[0]
            return
        # A phase is put on the last control, which is flipped before and after if it must be 0.
        if base == "phase":
            *others, (last, value) = controls
            flips = [] if value else [Leaf("x", (), (last,))]
            for one in (*flips, Leaf("p", self.angles, (last,), tuple(others)), *flips):
                one.add_to(circuit, qubits)
            return
        gate = _BASES[base](*self.angles)
        if controls:
            state = sum(value << place for place, (_, value) in enumerate(controls))
            gate = gate.control(len(controls), ctrl_state=state, annotated=False)
        circuit.append(gate, [qubits[one] for one in (*(one for one, _ in controls), *wires)])


_BASES: dict[str, Callable[..., Gate]] = {
    "x": gates.XGate,
    "h": gates.HGate,
    "swap": gates.SwapGate,
    "p": gates.PhaseGate,
    "ry": gates.RYGate,
    "u": gates.UGate,
}
_Parts = list[tuple[str, tuple[float, ...]]]
_SIMPLE: dict[type[Gate], tuple[int, Callable[..., _Parts]]] = {
    gates.IGate: (0, list),
    gates.XGate: (0, lambda: [("x", ())]),
    gates.YGate: (0, lambda: [("u", (_PI, _PI / 2, _PI / 2))]),
    gates.ZGate: (0, lambda: [("p", (_PI,))]),
    gates.HGate: (0, lambda: [("h", ())]),
    gates.SGate: (0, lambda: [("p", (_PI / 2,))]),
    gates.SdgGate: (0, lambda: [("p", (-_PI / 2,))]),
    gates.TGate: (0, lambda: [("p", (_QUARTER,))]),
    gates.TdgGate: (0, lambda: [("p", (-_QUARTER,))]),
    gates.SXGate: (0, lambda: [("phase", (_QUARTER,)), ("u", (_PI / 2, -_PI / 2, _PI / 2))]),
    gates.SXdgGate: (0, lambda: [("phase", (-_QUARTER,)), ("u", (-_PI / 2, -_PI / 2, _PI / 2))]),
    gates.PhaseGate: (1, lambda a: [("p", (a,))]),
    gates.U1Gate: (1, lambda a: [("p", (a,))]),
    gates.RXGate: (1, lambda a: [("u", (a, -_PI / 2, _PI / 2))]),
    gates.RYGate: (1, lambda a: [("ry", (a,))]),
    gates.RZGate: (1, lambda a: [("phase", (-a / 2,)), ("p", (a,))]),
    gates.RGate: (2, lambda a, b: [("u", (a, b - _PI / 2, _PI / 2 - b))]),
    gates.U2Gate: (2, lambda a, b: [("u", (_PI / 2, a, b))]),
    gates.U3Gate: (3, lambda a, b, c: [("u", (a, b, c))]),
    gates.UGate: (3, lambda a, b, c: [("u", (a, b, c))]),
    gates.SwapGate: (0, lambda: [("swap", ())]),
    gates.GlobalPhaseGate: (1, lambda a: [("phase", (a,))]),
}
"""For classes of gates: how many angles they have, and what they are."""
_CONTROLLED: dict[type[Gate], type[Gate]] = {
    **dict.fromkeys((gates.CXGate, gates.CCXGate, gates.C3XGate, gates.C4XGate, gates.MCXGate), gates.XGate),
    **dict.fromkeys((gates.CPhaseGate, gates.MCPhaseGate, gates.CU1Gate, gates.MCU1Gate), gates.PhaseGate),
    **dict.fromkeys((gates.CSXGate, gates.C3SXGate), gates.SXGate),
    **dict.fromkeys((gates.CZGate, gates.CCZGate), gates.ZGate),
    gates.CYGate: gates.YGate,
    gates.CHGate: gates.HGate,
    gates.CSGate: gates.SGate,
    gates.CSdgGate: gates.SdgGate,
    gates.CSwapGate: gates.SwapGate,
    gates.CRXGate: gates.RXGate,
    gates.CRYGate: gates.RYGate,
    gates.CRZGate: gates.RZGate,
    gates.CU3Gate: gates.U3Gate,
    gates.CUGate: gates.UGate,
}
"""Classes of gates that are others under controls; `CUGate` has a phase of its own too."""
_MANY = (gates.MCXGrayCode, gates.MCXRecursive, gates.MCXVChain)
_DEFINED = (
    gates.DCXGate,
    gates.ECRGate,
    gates.iSwapGate,
    gates.RCCXGate,
    gates.RC3XGate,
    gates.RXXGate,
    gates.RYYGate,
    gates.RZZGate,
    gates.RZXGate,
    gates.XXMinusYYGate,
    gates.XXPlusYYGate,
)
"""Classes of gates that are taken by the definition that Qiskit gives them, not by the one that an object holds."""


class GateReader:
    """Reads the gates of one circuit: ``own`` ones of the circuit, and at most `MOST_PARTS` parts of these."""

    def __init__(self, own: int) -> None:
        self.left = own + MOST_PARTS
        self._off = 0.0
        self._synthesised: dict[bytes, tuple[list[Leaf], float]] = {}

    def count(self, parts: int) -> None:
        """Count gates.

        Raises:
            DoesNotFitError: they are over what may be read.
        """
        self.left -= parts
        if self.left < 0:
            raise DoesNotFitError(f"over {MOST_PARTS} gates, once definitions are opened: judge smaller circuits")

    def read_known(self, gate: Operation) -> list[Leaf] | None:
        """Read a gate whose class, or matrix, says what it is; None if only a definition does.

        Raises:
            UnfollowedError: an angle, a matrix or the number of qubits is none for such a gate.
        """
        if not isinstance(gate, Instruction):
            return None
        kind = gate.base_class
        # Without ancillas these are plain multi-controlled X gates.
        if kind in _MANY and gate.num_qubits == gate.num_ctrl_qubits + 1:
            kind = gates.MCXGate
        if kind is gates.PermutationGate:
            return _read_permutation(gate)
        if kind not in _SIMPLE and kind not in _CONTROLLED:
            matrix = self._read_matrix(gate)
            return None if matrix is None else [matrix]
        angles = tuple(_read_angle(gate.name, one) for one in gate.params)
        if kind in _SIMPLE:
            return _read_simple(gate, kind, angles, gate.num_qubits, 0)
        num_controls = gate.num_ctrl_qubits
        leaves = _read_simple(gate, _CONTROLLED[kind], angles[:3], gate.num_qubits, num_controls)
        # The fourth angle of a controlled U is a phase of the whole gate, so it is relative under the control.
        leaves += [Leaf("phase", angles[3:])] if kind is gates.CUGate and len(angles) == 4 else []
        state = gate.ctrl_state
        controls = tuple((one, bool(state >> one & 1)) for one in range(num_controls))
        return [part for one in leaves for part in one.control(controls)]

    def read(self, operation: Operation) -> list[Leaf]:
        """Read any gate, with modifiers too, opened as far as need be.

        Raises:
            UnfollowedError: it holds something that is no gate, or a modifier that is not judged.
            DoesNotFitError: too many gates.
        """
        self.count(1)
        if isinstance(operation, Barrier | Delay):
            return []
        if isinstance(operation, AnnotatedOperation):
            return self._read_modified(operation)
        known = self.read_known(operation)
        if known is not None:
            return known
        definition = find_definition(operation)
        if definition.num_clbits:
            raise UnfollowedError(f"{operation.name} inside of gates: {FOLLOWED}", operation.name)
        return self._read_parts(definition)

    def _read_parts(self, definition: QuantumCircuit) -> list[Leaf]:
        # Under a control, the global phase of a definition matters.
        leaves = [Leaf("phase", (_read_angle("(a definition)", definition.global_phase),))]
        for part in definition.data:
            wires = [definition.find_bit(one).index for one in part.qubits]
            check_wires(part.operation, wires, part.clbits)
            leaves += [one.move(wires) for one in self.read(part.operation)]
        return leaves

    def _read_modified(self, operation: AnnotatedOperation) -> list[Leaf]:
        base = operation.base_op
        leaves, size = self.read(base), base.num_qubits
        for modifier in operation.modifiers:
            self.count(len(leaves))
            match modifier:
                case InverseModifier():
                    leaves = [one.invert() for one in reversed(leaves)]
                case PowerModifier(power=power):
                    times = self._read_power(base, power, len(leaves))
                    chosen = leaves if times >= 0 else [one.invert() for one in reversed(leaves)]
                    leaves = chosen * abs(times)
                case ControlModifier(num_ctrl_qubits=many, ctrl_state=state):
                    added = tuple((one, bool(state >> one & 1)) for one in range(many))
                    size += many
                    leaves = [part for one in leaves for part in one.move(range(many, size)).control(added)]
                    self.count(len(leaves))
                case _:
                    message = f"a modifier of gate {base.name} is not judged: give the gates instead"
                    raise UnfollowedError(message, base.name)
        return leaves

    def _read_power(self, base: Operation, power: object, parts: int) -> int:
        """Return a whole power."""
        # Qiskit rounds the power of a matrix, and has two readings of a fractional one.
        try:
            times = 0 if isinstance(power, ParameterExpression) else int(power)  # type: ignore[call-overload]
            is_whole = bool(times == power)
        except _BROKEN:
            is_whole = False
        if not is_whole:
            message = f"gate {base.name} to the power {power!s:.20}: give a whole power, or the gates"
            raise UnfollowedError(message, "pow")
        if abs(times) * max(1, parts) > MOST_POWERS:
            message = f"gate {base.name} to the power {power!s:.20} is over {MOST_POWERS} gates: write fewer"
            raise UnfollowedError(message, "pow")
        self.count(abs(times) * parts)
        return times

    def _read_matrix(self, gate: Instruction) -> Leaf | None:
        """Return the matrix of a gate that has that alone."""
        is_exponent = isinstance(gate, gates.HamiltonianGate)
        if not is_exponent and not isinstance(gate, gates.UnitaryGate) and not _is_bare(gate):
            return None
        if gate.num_qubits > MOST_SYNTHESISED:
            raise UnfollowedError(f"a matrix on {gate.num_qubits} qubits: give gates instead", gate.name)
        size = abs(_read_angle(gate.name, gate.params[1])) if is_exponent else 0.0
        try:
            size *= float(np.linalg.norm(gate.params[0])) if is_exponent else 0.0
            found = np.asarray(gate.to_matrix(), dtype=complex)
        except _BROKEN as error:
            raise UnfollowedError(f"gate {gate.name} has no matrix that is read: give gates", gate.name) from error
        if not size <= 2 * math.pi * MOST_EXPONENT:
            raise UnfollowedError("a Hamiltonian of large numbers, whose exponential is rounded: give gates", gate.name)
        if found.shape != (1 << gate.num_qubits,) * 2:
            raise UnfollowedError(f"the matrix of gate {gate.name} is of another size: give gates", gate.name)
        return Leaf("matrix", (), tuple(range(gate.num_qubits)), matrix=found)

    def add_all(self, leaves: Sequence[Leaf], circuit: QuantumCircuit, qubits: Sequence[Qubit]) -> None:
        """Append gates to a circuit, matrices as gates, whose distances from the matrices add up.

        Raises:
            UnfollowedError: the matrices are too far from unitaries, or from Qiskit's gates for them.
        """
        for leaf in leaves:
            if leaf.matrix is None:
                leaf.add_to(circuit, qubits)
                continue
            key = leaf.matrix.tobytes()
            if key not in self._synthesised:
                self._synthesised[key] = self._synthesise(leaf.matrix)
            parts, distance = self._synthesised[key]
            self._off += distance
            if not self._off <= MOST_OFF:
                far = f"matrices are off by {self._off:.1e} together from unitaries or from Qiskit's gates"
                raise UnfollowedError(f"{far}: give gates", "unitary")
            self.count(len(parts))
            for part in parts:
                part.move(leaf.wires).add_to(circuit, qubits)

    def _synthesise(self, matrix: NDArray[np.complex128]) -> tuple[list[Leaf], float]:
        """Return gates for a matrix, and how far they, or a unitary, are from it."""
        far = float(np.linalg.norm(matrix.conj().T @ matrix - np.eye(len(matrix))))
        # Qiskit fails on matrices that are not unitary.
        if not far <= MOST_OFF:
            return [], far
        if len(matrix) == 2:
            theta, phi, lam, phase = OneQubitEulerDecomposer("U").angles_and_phase(matrix)
            leaves = [Leaf("phase", (phase,)), Leaf("u", (theta, phi, lam), (0,))]
        else:
            leaves = self._read_parts(gates.UnitaryGate(matrix).definition)
        # Qiskit leaves out small rotations, so the gates are multiplied out and compared.
        made = QuantumCircuit(len(matrix).bit_length() - 1)
        self.add_all(leaves, made, made.qubits)
        leaves = [part for one in leaves for part in self._open_matrix(one)]
        return leaves, max(far, float(np.linalg.norm(Operator(made).data - matrix)))

    def _open_matrix(self, leaf: Leaf) -> list[Leaf]:
        if leaf.matrix is None:
            return [leaf]
        return [one.move(leaf.wires) for one in self._synthesised[leaf.matrix.tobytes()][0]]


def find_definition(operation: Operation) -> QuantumCircuit:
    """Return the definition of what is no known gate, on as many qubits and bits.

    Raises:
        UnfollowedError: it has none.
    """
    kind = getattr(operation, "base_class", None)
    base = getattr(operation, "base_gate", None)
    if base is not None and _is_library(kind) and not _is_library(getattr(base, "base_class", type(base))):
        message = f"{operation.name} of a gate that is not one of Qiskit's own: give the gates that it is made of"
        raise UnfollowedError(message, operation.name)
    if operation.name in _NAMED and not _is_library(kind or type(operation)) and not _is_named_rightly(operation):
        message = f"{operation.name} is a gate of Qiskit, and the file defines it anew: give it another name"
        raise UnfollowedError(message, operation.name)
    if kind in (gates.MultiplierGate, gates.PauliEvolutionGate):
        # Qiskit's transpiler may make other gates of these than its definition and its matrix say.
        message = f"{operation.name} has several definitions: give the gates that it is made of"
        raise UnfollowedError(message, operation.name)
    if kind in _DEFINED:
        operation = kind(*(_read_angle(operation.name, one) for one in operation.params))
    if kind in _STEEP and operation.num_qubits > MOST_STEEP:
        message = f"{operation.name} has a definition that grows exponentially: give the gates that it is made of"
        raise UnfollowedError(message, operation.name)
    definition = _hold_definition(operation)
    if not isinstance(operation, Instruction) or not isinstance(definition, QuantumCircuit):
        raise refuse(operation)
    if (definition.num_qubits, definition.num_clbits) != (operation.num_qubits, operation.num_clbits):
        raise UnfollowedError(f"{operation.name} has a definition of another size: {FOLLOWED}", operation.name)
    return definition


def _is_named_rightly(operation: Operation) -> bool:
    """Return whether a gate with a name of Qiskit's has Qiskit's definition: some of its gates have no class."""
    base, known = getattr(operation, "base_gate", None), list[Operation]()
    if isinstance(operation, ControlledGate) and isinstance(base, Gate) and _is_library(base.base_class):
        number, state = operation.num_ctrl_qubits, operation.ctrl_state
        known = [base.control(number, ctrl_state=state, annotated=False)]
        # These are defined in another way than their base gate under a control.
        known += [gates.C4XGate(ctrl_state=state)] if number == 4 else []
        known += [gates.CSXGate().control(2, annotated=False)] if number == 3 and state == 7 else []
    elif isinstance(operation, Gate) and not operation.params:
        # An inverse of an inverse is of no class.
        known = [one for one in _PLAIN if one.name == operation.name]
    return any(operation.name == one.name and operation.definition == one.definition for one in known)


def _hold_definition(operation: Operation) -> object:
    if operation.name == "u0" and operation.base_class.__module__ == "qiskit.qasm2.parse":
        # Qiskit's definition has as many gates as the wait is long.
        return QuantumCircuit(1)
    try:
        return getattr(operation, "definition", None)
    except _BROKEN as error:
        raise UnfollowedError(f"{operation.name} has no definition that is read: {FOLLOWED}", operation.name) from error


def check_wires(operation: Operation, qubits: Sequence[object], clbits: Sequence[object]) -> None:
    """Check that an operation stands on as many wires as it has, all of them different.

    Raises:
        UnfollowedError: it does not.
    """
    if (len({*qubits}), len({*clbits})) != (operation.num_qubits, operation.num_clbits):
        message = f"{operation.name} stands on a qubit or bit twice, or on another number of them: write it anew"
        raise UnfollowedError(message, operation.name)


def refuse(operation: Operation) -> UnfollowedError:
    """Refuse an operation that is not judged."""
    name = operation.name.removesuffix(OWN)
    if isinstance(operation, Gate):
        return UnfollowedError(f"gate {name} has no definition: {FOLLOWED}", name)
    return UnfollowedError(f"{name} is not judged: {FOLLOWED}", name.removesuffix("_loop"))


def _read_simple(
    gate: Instruction, kind: type[Gate], angles: tuple[float, ...], num_qubits: int, start: int
) -> list[Leaf]:
    """Return a gate of a known class on the wires from ``start`` on; its controls are before these."""
    many, make = _SIMPLE[kind]
    size = {gates.SwapGate: 2, gates.GlobalPhaseGate: 0}.get(kind, 1)
    given = len(gate.params) - (gate.base_class is gates.CUGate)
    if (len(angles), given, num_qubits) != (many, many, start + size):
        message = f"gate {gate.name} has {num_qubits} qubits and {len(gate.params)} angles: write it anew"
        raise UnfollowedError(message, gate.name)
    wires = tuple(range(start, num_qubits))
    return [Leaf(base, turned, () if base == "phase" else wires) for base, turned in make(*angles)]


def _read_permutation(gate: Instruction) -> list[Leaf]:
    """Return the swaps of a gate whose pattern names, for each wire, the wire whose state ends there."""
    try:
        pattern = [int(one) for one in gate.params[0]]
    except _BROKEN as error:
        raise UnfollowedError(f"gate {gate.name} has no pattern that is read: write it anew", gate.name) from error
    if sorted(pattern) != [*range(gate.num_qubits)]:
        message = f"gate {gate.name} has a pattern that is no order of its {gate.num_qubits} qubits: write it anew"
        raise UnfollowedError(message, gate.name)
    return [Leaf("swap", (), pair) for pair in list_swaps(pattern)]


def list_swaps(ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield swaps, in order, that bring to each wire the state of the wire that ``ends`` has for it."""
    place = list(ends)
    for wire in range(len(place)):
        other = place[wire]
        if other != wire:
            yield wire, other
            place[place.index(wire)] = other
            place[wire] = wire


def _read_angle(name: str, angle: object) -> float:
    if getattr(angle, "parameters", None):
        unbound = min(str(one) for one in angle.parameters)  # type: ignore[attr-defined]
        raise UnfollowedError(f"parameter {unbound} has no value: bind it, and judge the circuit then", unbound)
    try:
        number = complex(angle)  # type: ignore[call-overload]
    except _BROKEN as error:
        raise UnfollowedError(f"gate {name} has an angle that is no number", name) from error
    if number.imag:
        raise UnfollowedError(f"gate {name} has the angle {number:g}: give a real one", name)
    value = float(number.real)
    if not math.isfinite(value) or abs(value) > 2 * math.pi * MOST_TURNS:
        raise UnfollowedError(f"gate {name} has the angle {value:g}: give one of at most a few turns", name)
    return value


def _is_bare(gate: Instruction) -> bool:
    """Return whether a gate has a matrix and no definition."""
    return (
        gate.base_class not in _DEFINED
        and isinstance(gate, Gate)
        and hasattr(gate, "__array__")
        and _hold_definition(gate) is None
    )


def _is_library(made_by: type | None) -> bool:
    """Return whether a class is one of Qiskit's own that says what its operations do."""
    plain = (Gate, Instruction, ControlledGate)
    return made_by is not None and made_by.__module__.startswith("qiskit.circuit.") and made_by not in plain

"""Proves circuits of Clifford, T, CS, CCX and CCZ gates with measurement, for every input and outcome at once.

A run on the basis input x is kept as a sum over paths (M. Amy, arXiv 1805.06908),

    2^(-h/2) * sum over y of w^P(x, y) |V(x, y)> |R(x, y)>,    w = exp(i pi / 4),

with a polynomial P over Z8, the wires' values V and the record R of measured values. Values are XORs of variables: an
input's bit, a path's bit, or the product of two such XORs. A path's bit that no value needs is summed out by exact
identities. What is left at the end must be one path for each record, with the wanted values and no phase that the
input has a part in. The proof is sound and not complete: a right circuit may be left undecided, and is refused then.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations

from qiskit import QuantumCircuit
from qiskit.circuit import Clbit

from .base import RefusedError

Poly = frozenset[int]
"""A XOR of monomials: masks of variables, 0 for the constant 1."""
ONE: Poly = frozenset({0})
ZERO: Poly = frozenset()
MOST_TERMS = 400_000
_NAMES = "id x y z h s sdg t tdg sx sxdg p u1 rz cx cz swap cs csdg cp cu1 ccx ccz measure reset if_else barrier"
GATES = frozenset(_NAMES.split())
TURNS = {"z": 4, "s": 2, "sdg": 6, "t": 1, "tdg": 7, "cz": 4, "cs": 2, "csdg": 6, "ccz": 4}
"""Eighths of a turn that a gate adds where all its wires are 1."""


def multiply(left: Poly, right: Poly) -> Poly:
    """The product of two polynomials."""
    found: set[int] = set()
    for a in left:
        for b in right:
            found ^= {a | b}
    return frozenset(found)


def list_bits(mask: int) -> list[int]:
    """The places of the ones."""
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


class Paths:
    """The sum over paths of a run, gate by gate.

    Args:
        width: wires.
        inputs: wires that may hold anything; all others start at zero.
    """

    def __init__(self, width: int, inputs: Sequence[int]) -> None:
        self.bases: list[int] = []  # of each variable the inputs and paths it depends on, as a mask
        self.products: dict[int, tuple[Poly, Poly]] = {}
        self.named: dict[tuple[Poly, Poly], int] = {}
        self.paths: set[int] = set()
        self.phase: dict[int, int] = {}
        self.halves = 0
        self.values: list[Poly] = [ZERO] * width
        for wire in inputs:
            self.values[wire] = frozenset({1 << self._new()})
        self.inputs = (1 << len(inputs)) - 1
        self.records: list[Poly] = []
        self.read: set[int] = set()
        self.bits: dict[Clbit, Poly] = {}

    def _new(self, bases: int | None = None) -> int:
        self.bases.append(1 << len(self.bases) if bases is None else bases)
        return len(self.bases) - 1

    def _bases_of(self, poly: Poly) -> int:
        found = 0
        for term in poly:
            for variable in list_bits(term):
                found |= self.bases[variable]
        return found

    def conjoin(self, left: Poly, right: Poly) -> Poly:
        """The product of two XORs of variables, as such a XOR: a new variable where it must be."""
        if ONE in (left, right) or left == right:
            return right if left == ONE else left
        if not left or not right or left == right ^ ONE:
            return ZERO
        key = (left, right) if sorted(left) < sorted(right) else (right, left)
        if key not in self.named:
            self.named[key] = self._new(self._bases_of(left) | self._bases_of(right))
            self.products[self.named[key]] = key
        return frozenset({1 << self.named[key]})

    def linear(self, poly: Poly) -> Poly:
        """A polynomial as a XOR of variables."""
        found = ZERO
        for term in poly:
            part = ONE
            for variable in list_bits(term):
                part = self.conjoin(part, frozenset({1 << variable}))
            found ^= part
        return found

    def turn(self, eighths: int, poly: Poly) -> None:
        """Add a phase where the polynomial is 1: XORs are lifted to sums over Z8."""
        terms = list(poly)
        for order, factor in ((1, eighths), (2, -2 * eighths), (3, 4 * eighths)):
            if factor % 8 == 0:
                break
            if len(terms) ** order > 3e7:
                raise RefusedError("undecided: a phase has too many terms")
            for some in combinations(terms, order):
                mask = 0
                for term in some:
                    mask |= term
                total = (self.phase.pop(mask, 0) + factor) % 8
                if total:
                    self.phase[mask] = total
        if len(self.phase) > MOST_TERMS:
            raise RefusedError("undecided: a phase has too many terms")

    def _replace_in_phase(self, variable: int, poly: Poly) -> None:
        bit = 1 << variable
        hit = [(term, factor) for term, factor in self.phase.items() if term & bit]
        for term, _ in hit:
            del self.phase[term]
        for term, factor in hit:
            self.turn(factor, multiply(frozenset({term ^ bit}), poly))

    def _open_products(self, variables: Iterable[int]) -> None:
        """Write products out in the phase, last ones first."""
        for variable in sorted(variables, reverse=True):
            if any(term >> variable & 1 for term in self.phase):
                self._replace_in_phase(variable, multiply(*self.products[variable]))

    def _substitute(self, path: int, value: Poly) -> None:
        """Put a XOR of other variables for a path's bit, everywhere."""
        changed = [v for v in self.products if self.bases[v] >> path & 1]
        self._open_products(changed)
        self._replace_in_phase(path, value)
        images = {path: value}

        def image(poly: Poly) -> Poly:
            found = ZERO
            for term in poly:
                found ^= images.get(term.bit_length() - 1, frozenset({term})) if term else ONE
            return found

        for variable in sorted(changed):
            left, right = self.products.pop(variable)
            self.named.pop((left, right), None)
            images[variable] = self.conjoin(image(left), image(right))
        self.values = [image(value) for value in self.values]
        self.records = [image(value) for value in self.records]
        self.bits = {bit: image(value) for bit, value in self.bits.items()}
        self.paths.discard(path)

    def written_out(self, poly: Poly, known: dict[int, Poly] | None = None) -> Poly:
        """A polynomial over inputs and paths alone."""
        known = {} if known is None else known
        found: set[int] = set()
        for term in poly:
            part, rest = ONE, 0
            for variable in list_bits(term):
                if variable not in self.products:
                    rest |= 1 << variable
                    continue
                if variable not in known:
                    left, right = (self.written_out(side, known) for side in self.products[variable])
                    known[variable] = multiply(left, right)
                part = multiply(part, known[variable])
            found ^= multiply(frozenset({rest}), part)
            if len(found) > MOST_TERMS:
                raise RefusedError("undecided: a value has too many terms")
        return frozenset(found)

    def reduce(self) -> None:
        """Sum out the paths that no value needs, as long as one can be."""
        while any(self._sum_out(path) for path in sorted(self.paths - set(list_bits(self._used())))):
            pass

    def _used(self) -> int:
        found = 0
        for value in (*self.values, *self.records, *self.bits.values()):
            found |= self._bases_of(value)
        return found

    def _sum_out(self, path: int) -> bool:
        """Sum over one path's bit y: the phase is y * A + B; says whether an identity fits."""
        bit = 1 << path
        self._open_products(v for v in self.products if self.bases[v] & bit)
        terms = {term ^ bit: factor for term, factor in self.phase.items() if term & bit}
        if not terms:
            self.paths.discard(path)
            self.halves -= 2
            return True
        constant = terms.get(0, 0)
        if any(factor != 4 for term, factor in terms.items() if term) or constant not in {0, 2, 4, 6}:
            return False
        if constant in {2, 6}:  # sum of i^(y * (+-1 + 2 L)): a phase of its own
            sign = 1 if constant == 2 else -1
            self._drop(bit)
            self.halves -= 1
            self.turn(sign, ONE)
            self.turn(-2 * sign, frozenset(term for term in terms if term))
            return True
        return self._force(path, frozenset(terms))

    def _drop(self, bit: int) -> None:
        for term in [term for term in self.phase if term & bit]:
            del self.phase[term]
        self.paths.discard(bit.bit_length() - 1)

    def _force(self, path: int, zero: Poly) -> bool:
        """The sum of (-1)^(y * L) over y leaves what makes L zero: solve it for another path's bit."""
        for tried in (zero, self.written_out(zero)):
            if not tried:
                self._drop(1 << path)
                self.halves -= 2
                return True
            if tried == ONE:
                raise RefusedError("an input has no path at all")
            used = self._used()
            lone = [t.bit_length() - 1 for t in tried if t and t & (t - 1) == 0]
            free = [v for v in lone if v in self.paths and not self._bases_of(tried ^ {1 << v}) >> v & 1]
            if free:
                chosen = min(free, key=lambda v: (used >> v & 1, -v))
                self._drop(1 << path)
                self.halves -= 2
                self._substitute(chosen, self.linear(tried ^ {1 << chosen}))
                return True
        return False

    def run(self, circuit: QuantumCircuit, wires: Sequence[int] | None = None, where: Poly = ONE) -> Paths:
        """Apply a circuit's steps where a condition holds."""
        wires = range(circuit.num_qubits) if wires is None else wires
        for step in circuit.data:
            places = [wires[circuit.find_bit(qubit).index] for qubit in step.qubits]
            name = step.operation.name
            if name == "if_else":
                condition = self._condition(step.operation.condition)
                for block, holds in zip(step.operation.blocks, (condition, condition ^ ONE), strict=False):
                    self.run(without_h(block), places, self.conjoin(where, holds))
            elif name == "measure":
                self._measure(places[0], step.clbits[0], where)
            elif name == "reset":
                self._measure(places[0], None, where)
                self.values[places[0]] = ZERO
                self.reduce()
            elif name != "barrier":
                self._apply(name, places, step.operation.params, where)
        return self

    def _measure(self, wire: int, bit: Clbit | None, where: Poly) -> None:
        if where != ONE:
            raise RefusedError("a measurement or reset under a condition is not taken")
        self.records.append(self.values[wire])
        self.read.add(wire)
        if bit is not None:
            self.bits[bit] = self.values[wire]

    def _condition(self, condition: object) -> Poly:
        if not isinstance(condition, tuple):
            raise RefusedError("a condition must compare a bit or a register with a number")
        holder, value = condition
        bits = [holder] if isinstance(holder, Clbit) else list(holder)
        if not 0 <= int(value) < 1 << len(bits):
            raise RefusedError(f"a condition asks {len(bits)} bits for {value}, which they never hold")
        found = ONE
        for place, bit in enumerate(bits):
            if bit not in self.bits:
                raise RefusedError("a condition reads a bit that was never measured")
            found = self.conjoin(found, self.bits[bit] ^ (ZERO if int(value) >> place & 1 else ONE))
        return found

    def _apply(self, name: str, wires: list[int], params: Sequence[float], where: Poly) -> None:
        values = [self.values[wire] for wire in wires]
        everything = where
        for value in values if name in TURNS or params else ():
            everything = multiply(everything, value)
        if name in TURNS:
            self.turn(TURNS[name], everything)
        elif params:
            self.turn(eighths(float(params[0])), everything)
        elif name in {"x", "cx", "ccx"}:
            flip = where
            for value in values[:-1]:
                flip = self.conjoin(flip, value)
            self.values[wires[-1]] = values[-1] ^ flip
        elif name == "y":
            self.turn(4, multiply(where, values[0]))
            self.turn(2, where)
            self.values[wires[0]] = values[0] ^ where
        elif name == "swap":
            differ = self.conjoin(where, values[0] ^ values[1])
            self.values[wires[0]], self.values[wires[1]] = values[0] ^ differ, values[1] ^ differ
        elif name in {"h", "sx", "sxdg"}:
            self._split(name, wires[0], where)
        elif name != "id":
            raise RefusedError(f"gate {name} is not taken")

    def _split(self, name: str, wire: int, where: Poly) -> None:
        if where != ONE:
            raise RefusedError(f"{name} under a condition is not taken")
        for eighth in {"h": (0,), "sx": (0, 2), "sxdg": (0, 6)}[name]:  # sx is h s h up to a global phase
            self.turn(eighth, self.values[wire])
            path = self._new()
            self.paths.add(path)
            self.halves += 1
            self.turn(4, multiply(frozenset({1 << path}), self.values[wire]))
            self.values[wire] = frozenset({1 << path})
            self.reduce()

    def settle(self) -> int:
        """Reduce each record to one path's bit or to what the others say; the mask of those bits.

        Raises:
            RefusedError: a record tells inputs apart, or a path is left.
        """
        self.bits, taken = {}, set()
        self.records = [record for record in dict.fromkeys(self.records) if record]
        self.reduce()
        for number in range(len(self.records)):
            record = self.written_out(self.records[number])
            lone = [t.bit_length() - 1 for t in record if t and t & (t - 1) == 0]
            free = [v for v in lone if v in self.paths - taken and sum(t >> v & 1 for t in record) == 1]
            if free:
                chosen = free[-1]
                if len(record) > 1:
                    fresh = self._new()
                    self.paths.add(fresh)
                    self._substitute(chosen, self.linear(record ^ {1 << chosen} ^ {1 << fresh}))
                    self.records[number] = frozenset({1 << fresh})  # which it is, however its products are written
                    chosen = fresh
                taken.add(chosen)
            elif any(term & self.inputs for term in record):
                raise RefusedError("a measured value depends on the input")
            elif any(v not in taken for term in record for v in list_bits(term)):
                raise RefusedError("undecided: a measured value could not be reduced")
        self.reduce()
        if self.paths - taken or self.halves != len(taken):
            raise RefusedError("a wire is left in superposition, or the proof is undecided")
        return sum(1 << v for v in taken)

    def check(self, wanted: Sequence[Poly]) -> None:
        """The first wires must end as wanted, the others know nothing of the input, nor does the phase.

        Raises:
            RefusedError: something differs.
        """
        self.settle()
        for wire, value in enumerate(map(self.written_out, self.values)):
            if wire < len(wanted) and value != wanted[wire]:
                raise RefusedError(f"wire {wire} ends with a wrong value")
            if wire >= len(wanted) and any(term & self.inputs for term in value):
                raise RefusedError(f"work wire {wire} is left with a trace of the input")
            if wire >= len(wanted) and value and wire not in self.read:
                raise RefusedError(f"work wire {wire} ends neither at zero nor measured")
        self._open_products(list(self.products))
        if any(term & self.inputs for term in self.phase):
            raise RefusedError("inputs get different phases")


def without_h(block: QuantumCircuit) -> QuantumCircuit:
    """The same with CZ for CX between two H on its target; as it is where other gates stand between, or no second H."""
    found, turned = block.copy_empty_like(), set()
    for step in block.data:
        name, on = step.operation.name, turned & set(step.qubits)
        if name == "h":
            turned ^= set(step.qubits)
        elif not on:
            found.append(step)
        elif name == "cx" and on == {step.qubits[1]}:
            found.cz(*step.qubits)
        else:
            return block
    return block if turned else found


def eighths(angle: float) -> int:
    """An angle in eighths of a turn.

    Raises:
        RefusedError: it is no multiple of pi / 4.
    """
    found = angle / 0.7853981633974483
    if not math.isfinite(angle) or abs(found - round(found)) > 1e-9:
        raise RefusedError(f"angle {angle:g} is no multiple of pi / 4")
    return round(found) % 8

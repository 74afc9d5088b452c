"""A program: operations on the space's qubits and ancillas, with all that decodes its measurement."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

from qiskit import QuantumCircuit, QuantumRegister, qasm3
from qiskit.circuit import AncillaRegister, ClassicalRegister

from gatesolve.circuit import Gate, Ops
from gatesolve.circuit.counting import Resources, count
from gatesolve.circuit.gates import TURNS, LowGate
from gatesolve.circuit.lowering import GATE_SETS, lower
from gatesolve.circuit.lowering.lower import RotationWords, build_general, count_words, emit_circuit, reduce_gates
from gatesolve.circuit.lowering.measured.lower import lower_cheapest
from gatesolve.circuit.lowering.passes.peephole import LARGE
from gatesolve.circuit.named import named_circuit
from gatesolve.circuit.notebook import html_table
from gatesolve.circuit.pennylane import QuantumFunction, lowered_function, named_function
from gatesolve.circuit.qasm import encode_qpy, strict_qasm2
from gatesolve.encodings.block import Block
from gatesolve.encodings.space import Space
from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError
from gatesolve.gate_sets import Lowering
from gatesolve.oracle.assemble import Oracle
from gatesolve.programs.measured import REGISTER, Measured, count_states
from gatesolve.programs.provenance import SearchFacts
from gatesolve.programs.reflection import Search, find_start_words
from gatesolve.programs.section import SECTIONS, LoweredParts, Section, describe_size
from gatesolve.programs.unread import UnreadFill, fill_unread

if TYPE_CHECKING:
    from gatesolve.circuit.figure import Plot

CircuitPart = Literal["whole", "oracle"]
PARTS: tuple[CircuitPart, ...] = get_args(CircuitPart)
LONG_RUN = 100_000
"""Gates above which resources are measured section by section instead of on the whole circuit."""
SEARCH_ERROR = 1e-4
"""Change of the success probability that is allowed if an iteration repeats the start and no limit is given."""
LEAST_ERROR = 1e-13
"""Error of a rotation down to which the distance of its word can be computed in floating-point numbers."""
MOST_WORDS = 24
"""Codewords of a block that are listed."""
MOST_OPS = 10_000_000
"""Named operations up to which a whole circuit is built."""
MOST_GATES = 1_000_000
"""Gates up to which a whole search is written to a file."""


@dataclass(frozen=True, repr=False)
class Program:
    """A circuit as named sections of operations, with all that decodes its measurement.

    Qubits 0 ... space.num_qubits-1 hold the space, the ancillas follow; all start at zero and the
    ancillas end at zero. Classical bit q holds data qubit q. `Space.decode` takes the measured bits as one whole
    number, in which bit q is classical bit q. `decode` takes a dict of counts.

    Attributes:
        space: decodes the measurement.
        sections: in order.
        num_ancillas: ancillas in all.
        lowering: the gate set, and how operations become its gates.
        search: space searched, presolve, encoding, level and iterations planned.
    """

    space: Space
    sections: tuple[Section, ...]
    num_ancillas: int
    lowering: Lowering = field(default_factory=Lowering)
    search: SearchFacts = field(default_factory=SearchFacts)
    _kept: LoweredParts = field(default_factory=LoweredParts, compare=False)

    def section(self, name: str) -> Section:
        """Return the first section of a name, or an empty one if this program has none.

        Raises:
            InputError: the name is unknown.
        """
        if name not in (*SECTIONS, *self._times):
            raise InputError(f"no section '{name}': this circuit has {', '.join(self._times)}")
        return next((one for one in self.sections if one.name == name), Section(name, (), 0))

    def with_iterations(self, iterations: int) -> Program:
        """Return the search with another number of iterations.

        Raises:
            UnsupportedError: the program has no iteration to repeat.
        """
        if iterations == self.iterations:
            return self
        if "iteration" not in self._times:
            raise UnsupportedError("this circuit has no iterations to repeat: give its layers when it is compiled")
        return replace_section(self, replace(self.section("iteration"), times=iterations))

    def with_lowering(self, **changes: Any) -> Program:
        """Return the program with other fields of `Lowering`, such as ``gates="clifford+t"``."""
        return replace(self, lowering=replace(self.lowering, **changes))

    @property
    def oracle(self) -> Oracle:
        """The phase oracle of an iteration.

        Raises:
            UnsupportedError: the program is no search with an oracle.
        """
        found = self.section("iteration").oracle
        if found is None:
            raise UnsupportedError("this circuit has no oracle: leave out part='oracle'")
        return found

    @property
    def iterations(self) -> int:
        """Number of repetitions of the section ``iteration``; 0 in a program without one.

        An exact search has one more oracle call in its preparation: `Compiled.oracle_calls` counts both.
        """
        return self.section("iteration").times

    @property
    def num_qubits(self) -> int:
        """Data and ancilla qubits."""
        return self.space.num_qubits + self.num_ancillas

    @cached_property
    def circuit(self) -> QuantumCircuit:
        """The measured circuit of named operations (``and``, ``mcx``, one-qubit gates, CX), for drawing.

        Aer does not know these operations: transpile the circuit first, or use `lowered`.
        """
        return self._measure(named_circuit(list_ops(self), self._frame()))

    @cached_property
    def lowered(self) -> QuantumCircuit:
        """The circuit in gates of the gate set, with a measurement of each data qubit at its end."""
        return self._measure(self._add_frame(self._lower(list_ops(self), range(self.num_qubits), self.num_qubits)))

    def resources(self, part: str = "whole") -> Resources:
        """Count a part of the circuit.

        Args:
            part: ``whole``; ``oracle`` for one call, on the qubits it uses; or a section name (first match). A very
                long circuit is counted by one section of each name times its repetitions.

        Raises:
            InputError: no program has such a section.
            UnsupportedError: the program has no oracle.
        """
        if part == "whole":
            return self._counted
        if part == "oracle":
            return self._counted_oracle
        return count(self._lowered_section(part), self.lowering.gates)

    @cached_property
    def _counted(self) -> Resources:
        first, *others = self._times
        if self._is_short(others):
            return count(self.lowered, self.lowering.gates)
        found = self.resources(first)
        for name in others:
            found = found.then(self.resources(name), self._times[name])
        # The counts are those of one section of each name: the method names the one that is repeated most.
        longest = max(others, key=lambda name: self._times[name])
        return replace(found, method=f"one {longest}, times {self._times[longest]}")

    @property
    def _times(self) -> dict[str, int]:
        """How often sections of each name are done in all, the first of them the preparation."""
        times: dict[str, int] = {}
        for one in self.sections:
            times[one.name] = times.get(one.name, 0) + one.times
        return times

    def _is_short(self, repeated: Sequence[str]) -> bool:
        """Whether the circuit has at most `LONG_RUN` gates: only repeated sections make it long."""
        # Emitting is quicker than lowering, whose passes never double a circuit of CX and one-qubit gates.
        emitted = sum(self._times[name] * self._emitted_sizes[name] for name in repeated)
        if GATE_SETS[self.lowering.gates].has_rotations and emitted <= LONG_RUN // 2:
            return True
        return sum(self._times[name] * int(self._lowered_section(name).size()) for name in repeated) <= LONG_RUN

    def _lowered_section(self, name: str) -> QuantumCircuit:
        section = self.section(name)
        # All qubits are zero before the first section; before a later one only ancillas are.
        zeros = range(self.num_qubits) if name == self.sections[0].name else self._ancillas
        # A large section continues from its reduced oracle, so that the passes over it run once.
        if section.oracle is None or not self._is_reduced or self._emitted_sizes[name] <= LARGE:
            return self._lower_once(section.ops, zeros, self.num_qubits)

        def go_on() -> QuantumCircuit:
            """Lower what follows the oracle, whose passes are through."""
            assert section.oracle is not None
            reduced = self._reduce(section.oracle.ops, self.num_qubits)
            begun = [Gate(name, qubits, (angle,) if name in TURNS else ()) for name, qubits, angle in reduced]
            further = section.ops[len(section.oracle.ops) :]
            return lower((*begun, *further), self.num_qubits, self.lowering.gates, self.lowering.metric)

        return self._kept.get(section.ops, self._how(zeros, self.num_qubits), go_on)

    def _lower_oracle(self, width: int) -> QuantumCircuit:
        """Return one oracle call on so many qubits; lowered already where that was needed to choose it."""
        oracle = self.oracle
        is_chosen = width == oracle.num_qubits and replace(self.lowering, rotation_error=None) == Lowering()
        if oracle.lowered is not None and is_chosen:
            return oracle.lowered
        return self._lower_once(oracle.ops, range(oracle.num_data, width), width)

    @cached_property
    def _counted_oracle(self) -> Resources:
        return count(self._lower_oracle(self.oracle.num_qubits), self.lowering.gates)

    def qasm2(self, part: CircuitPart = "whole") -> str:
        """Return OpenQASM 2 in the strict qelib1 gates; comments give the meaning of every qubit.

        Raises:
            UnsupportedError: ANDs are erased by measurement, whose corrections OpenQASM 2 cannot express.
        """
        circuit = lower_part(self, part)
        if "if_else" in circuit.count_ops():
            raise UnsupportedError(
                "OpenQASM 2 has no gates that depend on one measured bit: "
                "write a measured circuit as .qasm3 or .qpy, or leave out measured"
            )
        return self._with_header(strict_qasm2(circuit), part)

    def qasm3(self, part: CircuitPart = "whole") -> str:
        """Return OpenQASM 3 for Qiskit's ``qiskit-qasm3-import``; comments give the meaning of every qubit."""
        return self._with_header(qasm3.dumps(lower_part(self, part)), part)

    def to_pennylane(self, part: CircuitPart = "whole", *, lowered: bool = False) -> QuantumFunction:
        """Return a quantum function of PennyLane, without the final measurement.

        Wire q is qubit q. ``qml.counts(wires=range(space.num_qubits)[::-1])`` at its end gives what `decode` takes.

        Args:
            part: ``whole``, or ``oracle`` for one call.
            lowered: in the gate set instead of named operations.

        Raises:
            UnsupportedError: PennyLane is not installed.
        """
        if lowered:
            return lowered_function(lower_part(self, part))
        return named_function(list_ops(self) if part == "whole" else self.oracle.ops)

    def qpy(self, part: CircuitPart = "whole") -> bytes:
        """Return the circuit in Qiskit's file format, which ``qiskit.qpy.load`` reads."""
        return encode_qpy(lower_part(self, part))

    def draw(self) -> Plot:
        """Draw the named operations as a matplotlib figure: preparation, oracle with its conditions, reflection.

        It needs neither LaTeX nor pylatexenc. ``print(program.circuit.draw())`` is Qiskit's drawing as text.
        """
        from gatesolve.programs.schematic import draw_sections

        return draw_sections(self.space, self.sections, self.num_ancillas, repr(self)[1:-1])

    @overload
    def decode(self, counts: Measured, seed: int = 0) -> list[tuple[dict[str, int] | None, int]]: ...
    @overload
    def decode(self, counts: Mapping[Any, float], seed: int = 0) -> list[tuple[dict[str, int] | None, float]]: ...
    def decode(self, counts: Any, seed: int = 0) -> Any:
        """Return the measured assignments of the variables left after presolve, most frequent first.

        `Compiled.decode` adds the other variables. A state outside the space gives None. Qubits that the oracle never
        reads get values here: the shots are divided evenly among the values that fit.

        Args:
            counts: what Qiskit's ``SamplerV2`` returns for this circuit (its result, or any part of it down to the
                ``BitArray``), or a mapping from keys to whole numbers of shots or to shares. A key is a text of bits
                (classical bit 0 rightmost, spaces ignored), a text ``0x`` and hexadecimal digits, an integer
                (classical bit 0 lowest), or a tuple of bits (classical bit 0 first).
            seed: chooses the values that get the remaining shots when shots cannot be divided evenly.

        Raises:
            InputError: counts of another kind or circuit, as in `count_states`.
        """
        measured = self.lowering.measured
        states = count_states(counts, self.space.num_qubits, lambda: self.lowered.num_clbits if measured else 0)
        ordered = sorted(fill_unread(states, self.search.fills, seed).items(), key=lambda item: (-item[1], item[0]))
        return [(self.space.decode(state), shots) for state, shots in ordered]

    def __repr__(self) -> str:
        times = self._times.items()
        steps = ", ".join({0: f"no {name}", 1: name}.get(n, f"{describe_size(n)} x {name}") for name, n in times)
        width = f"{self.num_qubits} qubits, {self.num_ancillas} of them ancillas"
        return f"<Program of {width}: {describe_size(self.space.size)} states, {steps}>"

    def _repr_html_(self) -> str:
        rows = [(name, len(self.section(name).ops), describe_size(times)) for name, times in self._times.items()]
        return html_table(repr(self)[1:-1], rows, ("section", "operations", "times"))

    @property
    def _ancillas(self) -> tuple[int, ...]:
        """Ancillas, and qubits that are not searched: zero before and after every oracle call and reflection."""
        return (*(q for fill in self.search.fills for q in fill.unread), *self._other_qubits)

    @property
    def _other_qubits(self) -> range:
        # An oracle call by itself, on any codeword, finds only these at zero.
        return range(self.space.num_qubits, self.num_qubits)

    @cached_property
    def _words(self) -> tuple[RotationWords, float]:
        """The words of rotations, and a bound on how they change the success probability."""
        error = self.lowering.rotation_error
        search = as_search(self) if GATE_SETS[self.lowering.gates].has_t else None
        found = None if search is None else find_start_words(search, SEARCH_ERROR if error is None else error)
        if found or error is None:
            return found or (RotationWords(), 1.0)
        return RotationWords(self._shared_error(error)), error

    def _shared_error(self, error: float) -> float:
        """Return the share of each rotation of the whole search, even where this program has fewer iterations."""
        how = self.lowering
        iterations = {"iteration": max(self.iterations, self.search.needed_iterations or 0)} if self.iterations else {}
        number = sum(
            times * count_words(self.section(name).ops, self.num_qubits, how.gates, how.metric)
            for name, times in {**self._times, **iterations}.items()
        )
        if error / LEAST_ERROR < number:
            small = number < 1 / LEAST_ERROR
            mend = f"give {number * LEAST_ERROR:.2g} or more" if small else "leave out rotation_error"
            raise InputError(f"rotation_error is {error:.2g}, for {describe_size(number)} rotations: {mend}")
        return error / max(number, 1)

    @cached_property
    def _lowered_oracle(self) -> QuantumCircuit:
        # Qubits of the reflection alone can be borrowed from: only without them is it the circuit that is counted.
        return self._add_frame(self._lower_oracle(self.num_qubits), measured=False)

    @cached_property
    def _emitted_sizes(self) -> dict[str, int]:
        return {name: int(self._emit(self.section(name).ops).size()) for name in self._times}

    def _emit(self, ops: Ops) -> QuantumCircuit:
        return emit_circuit(ops, self.num_qubits, self.lowering.gates, self.lowering.metric)

    def _lower(self, ops: Ops, zeros: Iterable[int], width: int) -> QuantumCircuit:
        how = self.lowering
        if how.measured:
            return lower_cheapest(ops, width, how.gates, how.metric, self._words[0], zeros=zeros)
        return lower(ops, width, how.gates, how.metric, self._words[0])

    def _lower_once(self, ops: Ops, zeros: Iterable[int], width: int) -> QuantumCircuit:
        def make() -> QuantumCircuit:
            if self._is_reduced:
                return build_general(self._reduce(ops, width), width, self.lowering.gates)
            return self._lower(ops, zeros, width)

        return self._kept.get(ops, self._how(zeros, width), make)

    def _reduce(self, ops: Ops, width: int) -> list[LowGate]:
        """Return the gates of operations before the last pass, made once."""
        gates, metric = self.lowering.gates, self.lowering.metric
        return self._kept.get(ops, ("reduced", width, gates, metric), lambda: reduce_gates(ops, width, gates, metric))

    @property
    def _is_reduced(self) -> bool:
        """Whether lowering has a last pass, before which gates can be handed on."""
        return not self.lowering.measured and GATE_SETS[self.lowering.gates].has_rotations

    def _how(self, zeros: Iterable[int], width: int) -> tuple[object, ...]:
        """Return all that a lowered part depends on beside its operations."""
        how = self.lowering
        return (width, how.gates, how.metric, self._words[0], how.measured and tuple(zeros))

    def _add_frame(self, low: QuantumCircuit, measured: bool = True) -> QuantumCircuit:
        """A circuit on the program's registers, its own classical ones after them."""
        frame = self._frame(measured)
        frame.add_register(*low.cregs)
        frame.compose(low, clbits=low.clbits, inplace=True)
        return frame

    def _frame(self, measured: bool = True) -> QuantumCircuit:
        registers: list[QuantumRegister | ClassicalRegister] = [QuantumRegister(self.space.num_qubits, "data")]
        if self.num_ancillas:
            registers.append(AncillaRegister(self.num_ancillas, "ancilla"))
        if measured:
            registers.append(ClassicalRegister(self.space.num_qubits, REGISTER))
        origin = {"level": self.search.level, "blocks": list_legend(self.space, self.search.fills)}
        return QuantumCircuit(*registers, metadata={"gatesolve": origin})

    def _measure(self, circuit: QuantumCircuit) -> QuantumCircuit:
        circuit.measure(range(self.space.num_qubits), range(self.space.num_qubits))
        return circuit

    def _with_header(self, text: str, part: CircuitPart) -> str:
        """Insert the header as comments after the version line."""
        first, rest = text.split("\n", 1)
        return "\n".join([first, *(f"// {line}" for line in write_header(self, part)), rest])


def list_calling(program: Program) -> list[Section]:
    """Return the sections that call a phase oracle, except for an early check."""
    return [one for one in program.sections if one.oracle is not None and one.name != "early"]


def find_oracle(program: Program) -> Oracle | None:
    """Return the phase oracle of the first section that calls one; None in a program without one."""
    return next((one.oracle for one in list_calling(program)), None)


def find_searched_space(program: Program) -> Space:
    """Return the space whose uniform superposition is prepared and reflected about."""
    return program.space if program.search.space is None else program.search.space


def find_reflection(program: Program) -> Ops:
    """Return the operations of an iteration after its oracle, without those of an early check around them."""
    inner = program.section("early")
    around = len(inner.ops) * inner.times
    ops = program.section("iteration").ops
    return ops[len(program.oracle.ops) + around : len(ops) - around]


def find_words_used(program: Program) -> RotationWords:
    """Return the words of rotations that the gate set cannot express."""
    return program._words[0]


def describe_rotations(program: Program) -> str:
    """Return what approximated rotations may change, in words; empty where no bound is known."""
    change = program._words[1]
    return f"approximated rotations change the success probability by at most {change:.1e}" if change < 1 else ""


def as_search(program: Program) -> Search | None:
    """Return the operations of a plain search that has iterations; None for other programs."""
    needed, start, iteration = program.search.needed_iterations, *map(program.section, ("preparation", "iteration"))
    if program.sections != (start, iteration) or not needed or iteration.oracle is None:
        return None
    return Search(start.ops, iteration.oracle.ops, find_reflection(program), iteration.times, needed)


def list_ops(program: Program) -> Ops:
    """Return all operations before the measurement; over `MOST_OPS` do not fit."""
    number = sum(len(one.ops) * one.times for one in program.sections)
    if number > MOST_OPS:
        raise DoesNotFitError(
            f"the whole circuit has {describe_size(number)} operations, up to {MOST_OPS} are written: "
            "use part='oracle' to write it, or iterations=1"
        )
    return tuple(chain.from_iterable(one.ops * one.times for one in program.sections))


def replace_section(program: Program, changed: Section) -> Program:
    """Return the program with the section of the same name replaced."""
    sections = tuple(changed if one.name == changed.name else one for one in program.sections)
    return replace(program, sections=sections)


def change_search(program: Program, **changes: Any) -> Program:
    """Return the program with other fields of `SearchFacts`."""
    return replace(program, search=replace(program.search, **changes))


def lower_part(program: Program, part: CircuitPart) -> QuantumCircuit:
    """Return the lowered circuit of a part: ``whole`` (measured), or ``oracle`` (one call, without measurement)."""
    return program.lowered if part == "whole" else program._lowered_oracle


def has_matched_phases(program: Program) -> bool:
    """Return whether the preparation of a search also contains the first iteration, with matched phases."""
    return len(program.section("preparation").ops) > len(find_searched_space(program).preparation)


def bound_cx(program: Program, name: str) -> int:
    """Return the CX of a section before the passes of lowering: a quick upper bound."""
    return int(program._emit(program.section(name).ops).count_ops().get("cx", 0))


def emit_oracle(program: Program) -> QuantumCircuit:
    """Return one oracle call before the passes of lowering: quick to make, for checks, not for counts."""
    return program._emit(program.oracle.ops)


def count_emitted(program: Program) -> int:
    """Return the number of gates before the passes of lowering: a quick estimate of the time that counting takes."""
    return sum(times * program._emitted_sizes[name] for name, times in program._times.items())


def limit_iterations(program: Program) -> Program:
    """Return the search with one iteration, where the whole has more than `MOST_GATES` gates."""
    return program.with_iterations(1) if program.iterations > 1 and count_emitted(program) > MOST_GATES else program


def simulated_oracle(program: Program) -> QuantumCircuit:
    """Return the lowered oracle with words of rotations close enough to follow every qubit by itself."""
    plain = program if program.lowering.rotation_error is None else program.with_lowering(rotation_error=None)
    return lower_part(plain, "oracle")


def lower_early_oracle(program: Program) -> QuantumCircuit:
    """Return the oracle of the early check in the gate set, without measurement."""
    oracle = program.section("early").oracle
    return program._add_frame(
        program._lower(oracle.ops if oracle else (), program._other_qubits, program.num_qubits), measured=False
    )


def write_header(program: Program, part: CircuitPart) -> list[str]:
    """Return the comments of an exported text: the level, the share of the search that it holds, and the legend."""
    level = "" if program.search.level is None else f", level {program.search.level}"
    extent = describe_extent(program) if part == "whole" else ""
    return [
        f"made by gatesolve{level}; each block's codewords, its last qubit leftmost, and the values they stand for",
        *([extent] if extent else []),
        # White space becomes a blank. A control character may end a comment, so it is written as ``\x1a``.
        *(
            re.sub("[\0-\x1f\x7f-\x9f]", lambda found: f"\\x{ord(found[0]):02x}", " ".join(line.split()))
            for line in list_legend(program.space, program.search.fills)
        ),
    ]


def describe_extent(program: Program) -> str:
    """Return the share of the search that the circuit is, in words; empty for all of it.

    The planned number is not proved.
    """
    needed = program.search.needed_iterations
    if needed is None or needed == program.iterations:
        return ""
    number = f"{program.iterations} iteration{'' if program.iterations == 1 else 's'}"
    return f"this circuit is the preparation and {number} of {describe_size(needed)} planned"


def list_legend(space: Space, fills: Sequence[UnreadFill]) -> list[str]:
    """List a line for each block: its qubits, variables and codewords; then the qubits that are never read."""
    lines = []
    for number, block in enumerate(space.blocks):
        qubits = space.block_qubits(number)
        place = f"data[{qubits[0]}]..data[{qubits[-1]}]" if qubits else "no qubit"
        lines.append(f"{place} {block.kind} {'/'.join(block.variables)}: {_describe_words(block)}")
    unread = ", ".join(f"data[{q}]" for fill in fills for q in fill.unread)
    return [*lines, f"read by no constraint and zero here, any codeword that fits: {unread}"] if unread else lines


def _describe_words(block: Block) -> str:
    """Return the first codewords with their values; for a permutation block what its qubits hold."""
    if block.parts:
        width, values = block.parts[0].num_qubits, "/".join(str(value) for (value,) in block.parts[0].tuples)
        return f"each holds on {width} qubits the place of its value in {values}, all different; then the digits"
    words = ", ".join(
        f"{word:0{max(block.num_qubits, 1)}b}={'/'.join(map(str, values))}"
        for word, values in zip(block.codewords[:MOST_WORDS], block.tuples[:MOST_WORDS], strict=True)
    )
    return f"{words}, ... {block.size} in all" if block.size > MOST_WORDS else words

"""Remake the entry for the final of the IBM Quantum Challenge 2019: ``python .../make.py [FOLDER]``.

Eleven districts, four colours, four districts coloured beforehand; the whole circuit with exactly five Grover
iterations is counted as its one-qubit gates plus ten times its CX.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cpmpy as cp
import numpy as np
from literal import ANCILLAS as LITERAL_ANCILLAS
from literal import MERGED, literal_oracle, literal_space, lower_apart
from qiskit import QuantumCircuit
from readout import readout
from recode import by_value
from rewrite import rewritten, twisted_oracle, untwisted

from gatesolve.circuit import Ops, inverse
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.qasm import strict_qasm2
from gatesolve.encodings import Space
from gatesolve.encodings.block import make_coded
from gatesolve.formats import from_cpmpy
from gatesolve.model import Model, NotEqual, Variable, tuples_of
from gatesolve.model.merge import Level
from gatesolve.model.presolve import presolve
from gatesolve.oracle import Oracle, choose_lowered
from gatesolve.oracle.levels import LEVELS, minimised_conditions, space_level
from gatesolve.oracle.recipe import PhaseRecipe
from gatesolve.pipelines.certify import check_lowered, phase_check
from gatesolve.programs import list_ops
from gatesolve.programs.amplification import grover_program, success_probability
from gatesolve.programs.program import Program
from gatesolve.simulate import Certificate, certify

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from judges.basis import measured  # noqa: E402

EDGES = "A0 A2 A3 01 02 03 1B 13 14 B4 23 25 26 2C 34 35 36 46 CD 56 5D 6D"
FIXED = {"A": 0, "B": 1, "C": 2, "D": 3}
DISTRICTS = "0123456"
ITERATIONS = 5
ANCILLAS = 10
WHOLE_ANCILLAS: dict[Level, tuple[int, int]] = {"literal": (18, 9), "minimised": (9, 6)}
"""Of the searches of all states, and how many of them are lowered as one; more of them for minimised edges would save
176 of 12,116, and leave more terms than our judge follows."""
WINDOW = 6
CODEWORDS = {"256": (3, 7, 2, 1, 6, 0, 5, 4), "03": (6, 7, 1, 3, 5, 2), "14": (7, 0, 4, 6, 2, 3)}
"""Blocks, and the codeword of each of their proper colourings in lexicographic order; found by ``search.py 1 600``."""
UNSEEN = 60
"""Gates at the end that are tried."""
SEED, STEPS = 5, 20_000
"""Of the search for light parities."""


@dataclass(frozen=True)
class Entry:
    """A finished circuit: the program, what undoes its twist, and what was proved of its oracle.

    With ``merged`` it is lowered by `lower_apart`.
    """

    name: str
    program: Program
    untwist: Ops
    certificate: Certificate
    level: Level = "minimised"
    merged: int | None = None

    @property
    def circuit(self) -> QuantumCircuit:
        """The contest's circuit: fourteen bits, of each district the high one, then the low one."""
        space = self.program.space
        read = readout(space, 2)
        width = max(self.program.num_qubits, read.num_qubits)
        circuit = QuantumCircuit(width, 2 * len(DISTRICTS))
        end = self.untwist + read.ops
        if self.merged is None:
            search = lower(list_ops(self.program) + end, width)
        else:
            search = lower_apart(self.program, end, merged=self.merged)
        circuit.compose(search, range(width), inplace=True)
        for k, name in enumerate(DISTRICTS):
            low, high = read.places[name]
            circuit.measure([high, low], [2 * k, 2 * k + 1])
        return circuit

    def row(self, circuit: QuantumCircuit) -> dict[str, object]:
        """One line of the results."""
        counts = circuit.count_ops()
        size, marked = self.program.space.size, self.certificate.marked
        assert marked is not None
        return {
            "name": self.name,
            "level": max(self.level, space_level(self.program.space, model()), key=LEVELS.index),
            "window": WINDOW if self.level == "minimised" else None,
            "iterations": self.program.iterations,
            "space_size": size,
            "marked": marked,
            "checked": self.certificate.checked,
            "success_probability": round(success_probability(size, marked, ITERATIONS), 4),
            "qubits": circuit.num_qubits,
            "u": counts["u"],
            "cx": counts["cx"],
            "score": counts["u"] + 10 * counts["cx"],
            "oracle_cx": self.program.resources("oracle").cx,
        }


def model() -> Model:
    """The colouring with what the coloured neighbours forbid taken out of the domains."""
    names = dict.fromkeys(EDGES.replace(" ", ""))
    variables = [Variable(name, (FIXED[name],) if name in FIXED else (0, 1, 2, 3)) for name in names]
    return presolve(Model(tuple(variables), tuple(NotEqual(a, b) for a, b in EDGES.split())), "propagate")[0]


def districts() -> Entry:
    """Each district on its own, its colours in their own digits: 2 * 3^6 states."""
    whole = model()
    space = Space(tuple(by_value(v) for v in whole.variables if v.name in DISTRICTS))
    oracle = PhaseRecipe(level="minimised", window=WINDOW).build(whole, space, 6)
    certificate = proved(whole, space, oracle)
    return Entry("districts", grover_program(space, oracle, ITERATIONS, ancillas=6), (), certificate)


def literal() -> Entry:
    """The same states, and every edge its own AND."""
    whole = model()
    space = literal_space(whole, DISTRICTS)
    oracle = literal_oracle(space)
    certificate = proved(whole, space, oracle)
    program = grover_program(space, oracle, ITERATIONS, ancillas=LITERAL_ANCILLAS, spare=4)
    return Entry("literal", program, (), certificate, "literal", MERGED)


def whole(level: Level) -> Entry:
    """Every district has four colours, and all 21 edges that touch one are compiled, each alone or minimised."""
    districts = {name: cp.intvar(0, 3, name=name) for name in DISTRICTS}
    colours = {**districts, **FIXED}
    edges = [edge for edge in EDGES.split() if not {*edge} <= FIXED.keys()]
    rules = from_cpmpy(cp.Model([colours[a] != colours[b] for a, b in edges]))
    space = Space(tuple(by_value(v) for v in rules.variables))
    ancillas, merged = WHOLE_ANCILLAS[level]
    oracle = choose_lowered(PhaseRecipe(level=level, window=WINDOW).build(rules, space, ancillas))
    certificate = proved(rules, space, oracle)
    program = grover_program(space, oracle, ITERATIONS, ancillas=ancillas)
    return Entry("whole", program, (), certificate, level, merged)


def blocks_space(whole: Model, codewords: Mapping[str, Sequence[int]]) -> Space:
    """The proper colourings of each block, side by side."""
    made = []
    for names, words in codewords.items():
        inside = [c for c in whole.constraints if set(c.scope) <= set(names)]
        tuples = tuples_of(tuple(names), whole.domains, inside, 64, 4096)
        assert tuples is not None
        made.append(make_coded(tuple(names), tuples, words))
    return Space(tuple(made))


def blocks() -> Entry:
    """A triangle and two edges as table blocks, the rest of the edges in the oracle."""
    whole = model()
    return finished(whole, blocks_space(whole, CODEWORDS), SEED)


def finished(whole: Model, space: Space, seed: int) -> Entry:
    """The search over a space, its parities made light, certified on every codeword."""
    found = rewritten(minimised_conditions(whole, space, WINDOW), space, steps=STEPS, seed=seed)
    oracle = twisted_oracle(found, ANCILLAS)
    certificate = proved(whole, found.space, untwisted(oracle, found))
    program = grover_program(found.space, oracle, ITERATIONS, ancillas=ANCILLAS, spare=4)
    return Entry("blocks", program, inverse(found.twist), certificate)


def proved(whole: Model, space: Space, oracle: Oracle) -> Certificate:
    """The oracle against the model on every codeword; its lowered form on a sample and on every solution."""
    check = phase_check(whole, space, oracle)
    certificate, marks = certify(check, space.size, 0)
    compared = check_lowered(check, lower(oracle.ops, oracle.num_qubits), marks, 0)
    return replace(certificate, lowered=compared)


def without_unseen(search: QuantumCircuit) -> QuantumCircuit:
    """The search without those of its last gates that no outcome shows, such as phases of what is measured next.

    CX are tried first, the last ones before others; the probability of every outcome stays what it was.
    """
    bits = 2 * len(DISTRICTS)
    wanted = measured(search, bits, HERE)
    for is_cx in (True, False):
        last = len(search.data) - bits
        for place in reversed(range(last - UNSEEN, last)):
            if (search.data[place].operation.name == "cx") != is_cx:
                continue
            less = search.copy()
            del less.data[place]
            if np.allclose(measured(less, bits, HERE), wanted, rtol=0, atol=1e-9):
                search = less
    return search


def entries() -> Iterator[tuple[str, Entry]]:
    """The name of each file, and what it holds."""
    yield "whole", whole("literal")
    yield "whole-minimised", whole("minimised")
    yield "literal", literal()
    yield "districts", districts()
    yield "entry", blocks()


def remake(folder: Path) -> list[dict[str, object]]:
    """Write the five circuits and ``results.csv``."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for file, entry in entries():
        circuit = without_unseen(entry.circuit) if file == "entry" else entry.circuit
        (folder / f"{file}.qasm").write_text(strict_qasm2(circuit))
        rows.append(entry.row(circuit))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    (folder / "results.csv").write_text(out.getvalue())
    return rows


if __name__ == "__main__":
    for made in remake(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE):
        print(", ".join(f"{key} {value}" for key, value in made.items()))

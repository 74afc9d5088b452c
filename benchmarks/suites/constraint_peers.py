"""One call of an oracle that checks every constraint: gatesolve at the level ``literal`` beside hand-written peers.

    python -m benchmarks constraint-peers [--only WORD ...] [--qrisp-python PATH] [--write | --check]

Peers play the steps of `benchmarks.peers.boards` with their own library. Nothing is counted before it was followed on
codewords: the steps and our operations on all up to 2^17, a peer's lowered circuit on all up to 2^14, else solutions,
what is next to them and drawn ones. docs/comparison.md is made from the recorded rows. Libraries that are missing keep
theirs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib import metadata
from typing import Any

import numpy as np
from qiskit import QuantumCircuit, transpile

from benchmarks.core import follow
from benchmarks.core.boards import BOARDS
from benchmarks.core.processes import add_options, ask, find_missing
from benchmarks.core.rows import OURS, Row, Table
from benchmarks.core.suite import Asked, Suite, attempt
from benchmarks.peers import boards as peer_boards
from benchmarks.peers import qiskit
from benchmarks.peers.recipes import Recipe
from gatesolve.api import about
from gatesolve.circuit import count, lower, lower_measured
from gatesolve.encodings import make_spaces
from gatesolve.errors import AncillaBudgetError
from gatesolve.gate_sets import GATE_SETS, Metric
from gatesolve.oracle import Condition, Oracle, OraclePrice, assemble, choose_lowered, literal_conditions

LIBRARIES = (OURS, "Qiskit", "PennyLane", "Qrisp")
TABLE = Table(
    "constraint_peers",
    """
    board       key      of `benchmarks.core.boards`
    library     key      gatesolve, Qiskit, PennyLane or Qrisp
    version     version  of the library
    variant     key      how the oracle was made, within the library
    encoding    key      of the variables
    qubits      int      width, ancillas included
    cx          int      in Clifford+T, as t and depth
    t           int      T and T-dagger without measurement
    t_measured  int      the same where ANDs are erased by measurement; empty where the library has no such gate
    depth       int      all gates
    cx_u        int      in CX and general one-qubit gates, as depth_u
    depth_u     int      all gates
    checked     int      codewords on which it was followed and found right
    seconds     seconds  to compile
    """,
)

SECONDS = 60
"""How long PennyLane or Qrisp may take for a circuit."""
ENCODINGS = ("binary", "one-hot")
SHALLOW = "for depth"
"""The variant of ours that is made for few layers."""


class Board:
    """A board with what its rows need, each made once."""

    def __init__(self, name: str) -> None:
        self.name, self.model = name, BOARDS[name]()
        self.space = peer_boards.make_space(self.model)

    @cached_property
    def recipe(self) -> Recipe:
        """The peers' steps, run against the model.

        Raises:
            AssertionError: they are wrong.
        """
        recipe = peer_boards.make_recipe(self.name, self.model, self.space)
        tried = follow.Codewords.of(self.model, self.space, follow.MOST_RUN)
        if not np.array_equal(recipe.run(tried.bits), tried.right):
            raise AssertionError(f"the peers' steps for {self.name} mark other codewords than the solutions")
        return recipe

    @cached_property
    def followed(self) -> follow.Codewords:
        """What lowered circuits are followed on."""
        return follow.Codewords.of(self.model, self.space, follow.MOST_FOLLOWED)


def peer_row(
    board: Board,
    made: tuple[str, str, str],
    exact: QuantumCircuit,
    general: QuantumCircuit | None = None,
    erased: QuantumCircuit | None = None,
) -> Row:
    """Follow and count what a library, a version and a variant ``made``.

    In Clifford+T, in {cx,u} (the same circuit if None) and erased by measurement.

    Raises:
        AssertionError: it is wrong; also ValueError and DoesNotFitError, as `Codewords.follow`.
    """
    checked = board.followed.follow(exact)
    if general is not None:
        checked = min(checked, board.followed.follow(general))
    if erased is not None:
        board.followed.few().follow(erased)
    counted, other = count(exact, "clifford+t"), count(general or exact, "cx+u" if general else "clifford+t")
    measured = None if erased is None else count(erased, "clifford+t").t
    return TABLE.row(
        board.name, *made, "binary", exact.num_qubits, counted.cx, counted.t or 0, measured,
        counted.depth, other.cx, other.depth, checked
    )  # fmt: skip


def qiskit_row(board: Board) -> Row:
    """Margolus' gates, transpiled at level 3."""
    version = metadata.version("qiskit")
    exact, general = (qiskit.lower_steps(board.recipe, gates) for gates in ("clifford+t", "cx+u"))
    return peer_row(board, ("Qiskit", version, "RCCXGate, level 3"), exact, general)


def pennylane_row(board: Board, python: str) -> Row:
    """Temporary ANDs, undone by gates and erased by measurement."""
    answer = ask_steps("pennylane", python, board.recipe)
    exact, erased = (qiskit.draw(answer[way], board.recipe.width) for way in ("plain", "measured"))
    return peer_row(
        board, ("PennyLane", answer["version"], "TemporaryAND"), in_set(exact), qiskit.merged(exact), erased
    )


def qrisp_row(board: Board, python: str) -> Row:
    """Gidney's temporary ANDs and their inverses."""
    answer = ask_steps("qrisp", python, board.recipe)
    exact = qiskit.draw(answer["plain"], answer["qubits"])
    return peer_row(board, ("Qrisp", answer["version"], "mcx gidney"), in_set(exact), qiskit.merged(exact))


def in_set(circuit: QuantumCircuit) -> QuantumCircuit:
    """In our names of Clifford+T, nothing optimised."""
    return transpile(circuit, basis_gates=sorted(GATE_SETS["clifford+t"].names), optimization_level=0)


def ask_steps(library: str, python: str, recipe: Recipe) -> Any:
    """The answer of a peer in an interpreter of its own, as `ask`."""
    request = {"data": recipe.data, "width": recipe.width, "steps": recipe.steps, "phase": recipe.flags}
    return ask(python, library, {"what": "steps", **request}, SECONDS)


def our_rows(board: Board, peer: Row | None) -> list[Row]:
    """Both encodings for few CX and for low depth; binary also as narrow as the peer, or as near as it gets."""
    found = []
    for encoding in ENCODINGS:
        space = make_spaces(board.model, encoding)[0]
        start = time.perf_counter()
        conditions = literal_conditions(board.model, space)
        oracle = build(conditions, space.num_qubits)
        # What is erased by measurement are ANDs, each with an ancilla of its own.
        erased = build(conditions, space.num_qubits, absorbing=False)
        found.append(our_row(board, "", encoding, oracle, erased, start))
        start = time.perf_counter()
        price = OraclePrice("depth", "clifford+t")
        shallow = assemble(conditions, space.num_qubits, alone=True, price=price, absorbing=True)
        erased = assemble(conditions, space.num_qubits, alone=True, price=price)
        found.append(our_row(board, SHALLOW, encoding, shallow, erased, start, "depth"))
        if encoding == "binary" and peer is not None and peer.qubits < oracle.num_qubits:
            start = time.perf_counter()
            ancillas = peer.qubits - oracle.num_data
            narrow, variant = narrowed(conditions, oracle.num_data, ancillas)
            erased, _ = narrowed(conditions, oracle.num_data, ancillas, absorbing=False)
            found.append(our_row(board, variant, encoding, narrow, erased, start))
    return found


def narrowed(conditions: Sequence[Condition], data: int, ancillas: int, absorbing: bool = True) -> tuple[Oracle, str]:
    """The oracle within so many ancillas, or the fewest that it takes, and what to call it."""
    try:
        return build(conditions, data, ancillas, absorbing), "at the peer's width"
    except AncillaBudgetError as error:
        return build(conditions, data, error.least, absorbing), "as narrow as it gets"


def build(conditions: Sequence[Condition], data: int, ancillas: int | None = None, absorbing: bool = True) -> Oracle:
    """Each constraint alone, whichever form takes fewer CX once lowered."""
    how = {"price": OraclePrice("cx"), "with_alternative": True, "absorbing": absorbing}
    return choose_lowered(assemble(conditions, data, ancillas, alone=True, **how))


def our_row(
    board: Board, variant: str, encoding: str, oracle: Oracle, erased: Oracle, start: float, metric: Metric = "cx"
) -> Row:
    """Check and count one of ours; ``erased`` is the same with ANDs that are erased by measurement.

    Raises:
        CertificateError: it is wrong.
    """
    width = oracle.num_qubits
    exact, general = (count(lower(oracle.ops, width, gates, metric), gates) for gates in ("clifford+t", "cx+u"))
    zeros = range(erased.num_data, erased.num_qubits)
    measured = count(lower_measured(erased.ops, erased.num_qubits, "clifford+t", "t", zeros=zeros), "clifford+t")
    seconds = round(time.perf_counter() - start, 1)
    return TABLE.row(
        board.name, OURS, about.version(), variant, encoding, width, exact.cx, exact.t or 0, measured.t, exact.depth,
        general.cx, general.depth, follow.certify(board.model, make_spaces(board.model, encoding)[0], oracle), seconds
    )  # fmt: skip


def measure(name: str, asked: Asked) -> list[Row]:
    """Make all rows of a board; a note for each peer that is left out."""
    board, missing = Board(name), find_missing(asked, LIBRARIES)
    makers: dict[str, Callable[[], Row]] = {
        "Qiskit": lambda: qiskit_row(board),
        "PennyLane": lambda: pennylane_row(board, asked.peer_python),
        "Qrisp": lambda: qrisp_row(board, asked.qrisp_python),
    }
    asked_for = {library: make for library, make in makers.items() if library not in missing}
    found = [row for library, make in asked_for.items() for row in attempt(f"{name}: a circuit of {library}", make)]
    if OURS in missing:
        return found
    kept = [row for row in TABLE.read() if row.board == name and row.library in missing]
    theirs = [*found, *(row for row in kept if row.library != OURS)]
    best = min(theirs, key=lambda row: (row.cx_u, row.t, row.qubits), default=None)
    return [*our_rows(board, best), *found]


SUITE = Suite(
    TABLE,
    list_cases=lambda: list(BOARDS),
    measure=measure,
    add_options=lambda parser: add_options(parser, LIBRARIES),
    stays=lambda row, asked: row.library in find_missing(asked, LIBRARIES),
    order=lambda row: ([*BOARDS].index(row.board), LIBRARIES.index(row.library)),
)

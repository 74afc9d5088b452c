"""Multi-controlled X: gatesolve's rules beside Qiskit's, PennyLane's and Qrisp's, at every ancilla budget.

python -m benchmarks mcx-rules                                   the rules beside Qiskit's own synthesis functions
python -m benchmarks mcx-rules --controls 5 10 14 20             only these numbers of controls
python -m benchmarks mcx-rules --peer-python PYTHON [PYTHON ..]  interpreters that have PennyLane or Qrisp
python -m benchmarks mcx-rules --write                           remake the tables of docs/contributors/mcx.md

For each metric: our count, then the least of the peers within the same budget. CX and depth are counted over CX and
general one-qubit gates merged where they meet, T and its layers over Clifford+T.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from qiskit import QuantumCircuit, qasm2, synthesis, transpile
from qiskit.exceptions import QiskitError

from benchmarks.core import report
from benchmarks.core.places import DOCS
from benchmarks.core.processes import ask
from benchmarks.core.suite import Asked, PageSuite
from gatesolve.circuit import Rule
from gatesolve.circuit.lowering.rules.mcz import BORROWED_RULES, CLEAN_RULES
from gatesolve.circuit.mcx import mcx

PAGE = DOCS / "contributors" / "mcx.md"
MEASURES = ("cx", "t", "depth", "t_depth")
SHOWN = (5, 10, 14, 20)
EXACT = {"cx", "h", "x", "z", "s", "sdg", "t", "tdg"}
Counts = dict[str, int | None]


@dataclass(frozen=True)
class Budget:
    """Ancillas: name of the row, and clean and borrowed ones for k controls."""

    name: str
    clean: Callable[[int], int] = lambda k: 0
    borrowed: Callable[[int], int] = lambda k: 0


BUDGETS = (
    Budget("none"),
    Budget("1 borrowed", borrowed=lambda k: 1),
    Budget("2 borrowed", borrowed=lambda k: 2),
    Budget("(k-2)/2 borrowed", borrowed=lambda k: max(1, -(-(k - 2) // 2))),
    Budget("k-2 borrowed", borrowed=lambda k: k - 2),
    Budget("1 clean", clean=lambda k: 1),
    Budget("2 clean", clean=lambda k: 2),
    Budget("5 clean", clean=lambda k: 5),
    Budget("k-2 clean", clean=lambda k: k - 2),
)
QISKIT: dict[str, tuple[Callable[[int], int], Callable[[int], int]]] = {
    "1_clean_kg24": (lambda k: 1, lambda k: 0),
    "2_clean_kg24": (lambda k: 2, lambda k: 0),
    "n_clean_m15": (lambda k: k - 2, lambda k: 0),
    "1_clean_b95": (lambda k: 1, lambda k: 0),
    "1_dirty_kg24": (lambda k: 0, lambda k: 1),
    "2_dirty_kg24": (lambda k: 0, lambda k: 2),
    "n_dirty_m15": (lambda k: 0, lambda k: max(1, -(-(k - 2) // 2))),
    "n_dirty_i15": (lambda k: 0, lambda k: k - 2),
    "noaux_sp22": (lambda k: 0, lambda k: 0),
    "noaux_hp24": (lambda k: 0, lambda k: 0),
    "noaux_v24": (lambda k: 0, lambda k: 0),
}
"""Each with the clean and borrowed ancillas it needs for k controls."""


def counted(circuit: QuantumCircuit) -> Counts:
    """CX and depth over CX and u; T and T depth where the circuit is Clifford+T once it is taken apart."""
    general = transpile(circuit, basis_gates=["cx", "u"], optimization_level=0)
    general = transpile(general, basis_gates=["cx", "u"], optimization_level=1)
    exact = circuit
    while set(exact.count_ops()) - EXACT - {"u", "p", "rz", "ry", "u1", "u2", "u3"}:
        exact = exact.decompose()
    names = exact.count_ops()
    clifford_t = set(names) <= EXACT
    return {
        "cx": general.count_ops().get("cx", 0),
        "depth": general.depth(),
        "t": names.get("t", 0) + names.get("tdg", 0) if clifford_t else None,
        "t_depth": exact.depth(lambda i: i.operation.name in {"t", "tdg"}) if clifford_t else None,
    }


@lru_cache(maxsize=1024)
def of_qiskit(name: str, controls: int) -> Counts | None:
    """Counts of one of Qiskit's synthesis functions, None where it does not exist for so many controls."""
    try:
        return counted(getattr(synthesis, f"synth_mcx_{name}")(controls))
    except (AttributeError, ValueError, QiskitError):
        return None


def of_qiskit_within(controls: int, clean: int, borrowed: int) -> Iterator[tuple[str, Counts]]:
    """All that fit a budget; a clean ancilla may be borrowed."""
    for name, (needs_clean, needs_borrowed) in QISKIT.items():
        dirty = needs_borrowed(controls)
        if needs_clean(controls) <= clean and dirty <= clean + borrowed:
            counts = of_qiskit(name, controls)
            if counts is not None:
                yield f"Qiskit {name}", counts


def ours(controls: int, clean: int, borrowed: int) -> Counts:
    """Our count on each metric, each from the circuit chosen for it."""
    found: Counts = {}
    for measure in MEASURES:
        gates = "cx+u" if measure in {"cx", "depth"} else "clifford+t"
        exact = clean or borrowed or controls < 3
        if gates == "cx+u" or exact:
            made = mcx(controls, clean=clean, borrowed=borrowed, optimize=measure, gates=gates)
            found[measure] = counted(made)[measure]
        else:
            found[measure] = None
    return found


def of_peers(pythons: Iterable[str], controls: Sequence[int]) -> dict[int, list[tuple[str, Counts]]]:
    """What PennyLane and Qrisp make with clean ancillas, in interpreters of their own; a notice for each that fails."""
    found: dict[int, list[tuple[str, Counts]]] = {k: [] for k in controls}
    for python, library in product(pythons, ("qrisp", "pennylane")):
        try:
            answer = ask(python, library, {"what": "mcx", "controls": list(controls)})
        except (OSError, ImportError) as error:
            sys.stderr.write(f"{python}: left out: {error}\n")
            continue
        for name, k, text in answer:
            found[k].append((name, counted(qasm2.loads(text, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS))))
    return found


def row(controls: int, budget: Budget, peers: Iterable[tuple[str, Counts]] = ()) -> list[str]:
    """One line: ours and the least of the others, for each measure."""
    clean, borrowed = budget.clean(controls), budget.borrowed(controls)
    others = [*of_qiskit_within(controls, clean, borrowed), *(peers if budget.name == "k-2 clean" else ())]
    made, cells = ours(controls, clean, borrowed), []
    for measure in MEASURES:
        known = [c for _, counts in others if (c := counts[measure]) is not None]
        cells += [_text(made[measure]), _text(min(known, default=None))]
    return [str(controls), budget.name, *cells]


def _text(number: int | None) -> str:
    return "-" if number is None else str(number)


def worse(cells: Sequence[str]) -> bool:
    """Whether a peer is better on some measure."""
    pairs = zip(cells[2::2], cells[3::2], strict=True)
    return any(theirs != "-" and (mine == "-" or int(mine) > int(theirs)) for mine, theirs in pairs)


HEADER = ["k", "ancillas", *(f"{name}{of}" for name in ("CX", "T", "depth", "T depth") for of in ("", ", best peer"))]


def rules_table() -> str:
    """The rules with what they need and cost for k controls, at ten controls and the fewest ancillas."""
    lines = [["rule", "clean", "borrowed", "CX", "T", "depth", "T depth", "source"]]
    n = 11
    for rule in (*CLEAN_RULES, *BORROWED_RULES[:5], *BORROWED_RULES[-3:-2]):
        clean, borrowed = _least(rule, n)
        cost = rule.cost(n, clean, borrowed)
        if cost is not None:
            numbers = [clean, borrowed, cost.cx, cost.t, cost.depth, cost.t_depth]
            lines.append([f"`{rule.name}`", *map(str, numbers), rule.source])
    return report.markdown_table(lines[0], lines[1:], aligned=True)


def _least(rule: Rule, n: int) -> tuple[int, int]:
    """The fewest ancillas; for the rule that takes any number of borrowed ones, as many as are of use."""
    return rule.clean(n), (n - 2) // 2 if rule.name == "borrowed" else rule.borrowed(n)


def peers_table(asked: Asked) -> str:
    """Every budget beside the best peer; a failure where one is better."""
    peers = of_peers(asked.peer_python, asked.controls)
    lines = [row(controls, budget, peers[controls]) for controls in asked.controls for budget in BUDGETS]
    asked.failed |= any(worse(line) for line in lines)
    return report.markdown_table(HEADER, lines, aligned=True)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the numbers of controls, and the peers' interpreters."""
    parser.add_argument("--controls", type=int, nargs="+", default=list(SHOWN))
    parser.add_argument("--peer-python", nargs="+", default=[], help="interpreters with PennyLane or Qrisp")


SUITE = PageSuite(PAGE, {"rules": lambda asked: rules_table(), "peers": peers_table}, add_options)

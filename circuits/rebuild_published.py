"""Rebuild a winner's circuit from the author's own notebook, and judge it as an entry.

    python circuits/rebuild_published.py asteroids-2020 writeup_Nagayoshi.ipynb
    python circuits/rebuild_published.py colouring-2019 "Final Challenge - Whit3z.ipynb"

The notebooks are in github.com/qiskit-community/IBMQuantumChallenge2020 (``submissions``, commit b96e2c15) and in
github.com/quantum-challenge/2019 (``top ten submissions``, commit 0d6b7c5e). They are not copied here. Their code is
run.
"""

from __future__ import annotations

import itertools
import json
import tempfile
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from judges import CONTESTS
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, qasm2, transpile


class OldCircuit(QuantumCircuit):
    """With methods of 2019 and 2020 that Qiskit has no more."""

    def u3(self, theta: float, phi: float, lam: float, qubit: Any) -> Any:
        """The general one-qubit gate."""
        return self.u(theta, phi, lam, qubit)

    def mct(self, controls: Any, target: Any, ancillas: Any, mode: str) -> None:
        """X under many controls, mode ``basic``: products of the controls on ancillas, made and unmade."""
        first, *rest, last = list(controls)
        made, ladder = first, []
        for control, ancilla in zip(rest, ancillas, strict=False):
            ladder.append((made, control, ancilla))
            made = ancilla
        for step in ladder:
            self.rccx(*step)
        self.ccx(last, made, target)
        for step in reversed(ladder):
            self.rccx(*step)


NAMES = {
    "QuantumCircuit": OldCircuit,
    "QuantumRegister": QuantumRegister,
    "ClassicalRegister": ClassicalRegister,
    "np": np,
    "itertools": itertools,
}


def asteroids(cells: Sequence[str]) -> QuantumCircuit:
    """What Nagayoshi handed in, for the set of the contest."""
    text = "\n".join(cells)
    known = dict[str, Any](NAMES)
    exec(text[text.index("problem_set") : text.index("backend = provider")], known)
    made: QuantumCircuit = known["week3_ans_func"](known["problem_set"])
    return made


def colouring(cells: Sequence[str]) -> QuantumCircuit:
    """Whit3z's search: a start and five iterations."""
    known = dict[str, Any](NAMES)
    for cell in cells:
        if cell.lstrip().startswith("def ") or "\ndef " in cell:
            exec("\n".join(line for line in cell.split("\n") if not line.startswith(("import", "from", "%"))), known)
    cities, edges, ancillas = QuantumRegister(14, "cities"), QuantumRegister(4, "edges"), QuantumRegister(14, "anc")
    search = OldCircuit(cities, edges, ancillas, ClassicalRegister(14, "c_out"))

    def add(part: QuantumCircuit) -> None:
        search.compose(part, [search.qubits[search.find_bit(bit).index] for bit in part.qubits], inplace=True)

    add(known["grover_init"](cities, edges, ancillas))
    for _ in range(5):
        add(known["Uf_graph"](cities, edges, ancillas))
        add(known["grover_diffusion"](cities, ancillas, edges, None))
    search.measure(range(14), range(14))
    return search


PUBLISHED: Mapping[str, tuple[str, Callable[[Sequence[str]], QuantumCircuit]]] = {
    "asteroids-2020": ("final", asteroids),
    "colouring-2019": ("map", colouring),
}


def main() -> None:
    """Print what the judge says of it, in the strictest class that takes it."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("contest", choices=PUBLISHED)
    parser.add_argument("notebook", help="the author's file")
    contest, notebook = vars(parser.parse_args()).values()
    cells = json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
    task, make = PUBLISHED[contest]
    made = make(["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"])
    circuit = transpile(made, basis_gates=["u3", "cx"], optimization_level=0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "published.qasm"
        path.write_text(qasm2.dumps(circuit))
        print(f"{contest}, {task}, class exact: {CONTESTS[contest].judge(task, 'exact', [path]).text}")


if __name__ == "__main__":
    main()

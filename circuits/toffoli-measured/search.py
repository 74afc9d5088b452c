"""Look for fewer products of a benchmark whose nonlinear part reads few wires: hwb6, ham15_low, ham15_med.

``python circuits/toffoli-measured/search.py CIRCUITS NAME [--clean] [--seed S] [--rounds R] [--steps N]`` reads the
benchmark's gates from CIRCUITS (see README.md), compiles search.cpp with g++, and puts what it found into
found.json if that has fewer products than what is there.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gatesolve.circuit.gf2 import AffineSpan, reduce_row

HERE = Path(__file__).resolve().parent
MOST_START = 20
"""Products of the benchmark's own gates up to which the search starts from them."""


@dataclass
class Benchmark:
    """A benchmark run on all values of the wires that products read.

    Attributes:
        read: those wires.
        zeros: wires at zero.
        masks: for each wire at the end the other wires it is the XOR of.
        tables: and of which function of those that are read, bit r its value at row r.
        products: what its own Toffoli gates make, as such functions.
    """

    read: list[int]
    zeros: list[int]
    masks: list[int]
    tables: list[int]
    products: list[int]

    @property
    def rows(self) -> int:
        """All rows of a table."""
        return (1 << (1 << len(self.read))) - 1


def tabulate(inputs: int) -> list[int]:
    """Each input as a function of the row: its bit of the row's number."""
    return [sum(1 << row for row in range(1 << inputs) if row >> k & 1) for k in range(inputs)]


def run_benchmark(gates: Sequence[str], width: int, zeros: Sequence[int]) -> Benchmark:
    """Follow the gates twice: first for which wires products read."""
    read: list[int] = []
    while True:
        one = _run(gates, width, zeros, read)
        if isinstance(one, Benchmark):
            return one
        read = sorted({*read, *one})


def _run(gates: Sequence[str], width: int, zeros: Sequence[int], read: list[int]) -> Benchmark | list[int]:
    rows, inputs = 1 << len(read), tabulate(len(read))
    masks = [0 if wire in zeros or wire in read else 1 << wire for wire in range(width)]
    tables = [inputs[read.index(wire)] if wire in read else 0 for wire in range(width)]
    products = []
    for gate in gates:
        name, *wires = gate.split()
        places = [int(wire) for wire in wires]
        target = places[-1]
        if name == "x":
            tables[target] ^= (1 << rows) - 1
        elif name == "cx":
            masks[target] ^= masks[places[0]]
            tables[target] ^= tables[places[0]]
        elif name == "ccx":
            unread = masks[places[0]] | masks[places[1]]
            if unread:
                return [wire for wire in range(width) if unread >> wire & 1]
            products.append(tables[places[0]] & tables[places[1]])
            tables[target] ^= products[-1]
        else:
            raise SystemExit(f"a gate {name}: only x, cx and ccx are followed")
    return Benchmark(read, list(zeros), masks, tables, products)


def write_task(one: Benchmark) -> str:
    """What search.cpp reads: wanted functions, those kept at the end, products to start from."""
    shift = one.rows.bit_length()
    basis: list[int] = []
    kept = []
    for mask, table in zip(one.masks, one.tables, strict=True):
        left = reduce_row(mask << shift | table, basis) if mask else table
        if left >> shift:
            basis = sorted([*basis, left], reverse=True)
        else:
            kept.append(left)
    start = one.products if len(set(one.products)) <= MOST_START else []
    lists = (one.tables, kept, start)
    return "\n".join(f"{len(tables)} " + " ".join(f"{table:x}" for table in tables) for tables in lists) + "\n"


def run_search(one: Benchmark, seed: int, rounds: int, steps: int) -> list[tuple[int, int]]:
    """Compile search.cpp for so many inputs, and run it."""
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "search"
        options = ["-O3", "-march=native", "-std=c++17", f"-DINPUTS={len(one.read)}"]
        subprocess.run(["g++", *options, "-o", binary, HERE / "search.cpp"], check=True)
        command = [binary, str(seed), str(rounds), str(steps)]
        text = subprocess.run(command, input=write_task(one), stdout=subprocess.PIPE, text=True, check=True).stdout
    return [(int(left, 16), int(right, 16)) for left, right in map(str.split, text.splitlines())]


def state(one: Benchmark, found: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """The products and the outputs as parities of wires and of earlier products."""
    width = len(one.masks)
    wires, columns = list(one.read), tabulate(len(one.read))

    def write(mask: int, table: int) -> str:
        span = AffineSpan.of(columns, one.rows)
        parity = span.parity(span.express(table) or 0)
        numbers = [wire for wire in range(width) if mask >> wire & 1] + [wires[k] for k in parity.wires]
        return " ".join([*map(str, sorted(numbers)), *(["~"] if parity.constant else [])])

    products = []
    for k, (left, right) in enumerate(found):
        products.append([write(0, left), write(0, right)])
        wires.append(width + k)
        columns.append(left & right)
    outputs = [write(mask, table) for mask, table in zip(one.masks, one.tables, strict=True)]
    return {"zeros": one.zeros, "products": products, "outputs": outputs}


def main(arguments: Sequence[str]) -> None:
    """Search, and keep what is better."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("circuits", type=Path)
    parser.add_argument("name")
    parser.add_argument("--clean", action="store_true")
    for option, default in (("seed", 1), ("rounds", 20), ("steps", 300)):
        parser.add_argument(f"--{option}", type=int, default=default)
    given = parser.parse_args(arguments)
    circuit = json.loads(given.circuits.read_text())[given.name]
    zeros = circuit["clean"] if given.clean else []
    one = run_benchmark(circuit["gates"], len(circuit["wires"]), zeros)
    found = run_search(one, given.seed, given.rounds, given.steps)
    path, key = HERE / "found.json", given.name + ("-clean" if given.clean else "")
    known = json.loads(path.read_text())
    if found and (key not in known or len(found) < len(known[key]["products"])):
        known[key] = {"names": circuit["wires"], **state(one, found)}
        path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    print(f"{key}: {len(found)} products found, {len(known[key]['products'])} in found.json")


if __name__ == "__main__":
    main(sys.argv[1:])

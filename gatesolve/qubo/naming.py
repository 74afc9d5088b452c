"""Names and meanings of a space's qubits."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain, count

from gatesolve.encodings.block import Block
from gatesolve.encodings.space import Space


def qubit_names(space: Space) -> tuple[list[str], list[str]]:
    """A name for every qubit, all different, and what its 1 means, qubit 0 first.

    A qubit that tells one value has the value in its name (``r1c1_7`` for ``r1c1 = 7``); the only qubit of a
    two-valued variable has the variable's name; digits are numbered (``r1c1.0``).
    """
    names: list[str] = []
    meanings: list[str] = []
    used: set[str] = set()
    for block in space.blocks:
        for qubit in range(block.num_qubits):
            name, meaning = _describe(block, qubit)
            unique = next(text for text in chain([name], (f"{name}#{k}" for k in count(2))) if text not in used)
            used.add(unique)
            names.append(unique)
            meanings.append(meaning)
    return names, meanings


def auxiliary_names(taken: Collection[str], number: int) -> list[str]:
    """``aux0``, ``aux1``, ..., so many as are asked for, without those that are taken."""
    free = (name for k in range(number + len(taken)) if (name := f"aux{k}") not in taken)
    return [name for name, _ in zip(free, range(number), strict=False)]


def _describe(block: Block, qubit: int) -> tuple[str, str]:
    rows = [row for row, word in zip(block.tuples, block.codewords, strict=True) if word >> qubit & 1]
    whole = ".".join(block.variables) if len(block.variables) <= 3 else f"{block.variables[0]}..{block.variables[-1]}"
    if len(block.variables) > 1 and len(rows) == 1:
        meaning = ", ".join(f"{n} = {v}" for n, v in zip(block.variables, rows[0], strict=True))
        return f"{whole}_{'_'.join(map(str, rows[0]))}", meaning
    for place, variable in enumerate(block.variables):
        domain = sorted({row[place] for row in block.tuples})
        ones = sorted({row[place] for row in rows})
        if sum(row[place] in ones for row in block.tuples) == len(rows) and len(ones) < len(domain):
            name, meaning = _describe_values(variable, ones, domain, qubit)
            if len(block.variables) > 1:
                return f"{whole}.{qubit}", meaning
            return variable if block.num_qubits == len(ones) == 1 else name, meaning
    return f"{whole}.{qubit}", f"digit {qubit} of the number of ({', '.join(block.variables)})"


def _describe_values(variable: str, ones: list[int], domain: list[int], qubit: int) -> tuple[str, str]:
    if len(ones) == 1:
        return f"{variable}_{ones[0]}", f"{variable} = {ones[0]}"
    if ones == domain[-len(ones) :]:
        return f"{variable}_ge_{ones[0]}", f"{variable} >= {ones[0]}"
    return f"{variable}.{qubit}", f"{variable} in {{{', '.join(map(str, ones))}}}"

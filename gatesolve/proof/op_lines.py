"""Operations as lines of words, for certificates: ``and 3 !4^7 12`` is the AND of qubit 3 and of not (4 xor 7) onto 12.

A parity is its qubits joined by ``^``, with ``!`` before it where a constant is added; one of no qubits is ``-``.
Qubits after ``/`` are lent as zeros. Numbers are written so that they are read back exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from gatesolve.circuit import And, AndNot, Gate, Mcx, Mux, Op, Ops, Parity, PhaseFlip, Xor
from gatesolve.circuit.ops import read_parities

GATES = dict.fromkeys(("h", "x", "z", "s", "sdg", "t", "tdg"), (1, 0))
GATES |= {"cx": (2, 0), "cz": (2, 0), "ry": (1, 1), "rz": (1, 1), "p": (1, 1)}
"""Qubits and angles of each gate."""


def write_op(op: Op) -> str:
    """One operation as a line."""
    match op:
        case Xor(source, target):
            return f"xor {write_parity(source)} {target}"
        case And(left, right, target, undo):
            return f"{'unand' if undo else 'and'} {write_parity(left)} {write_parity(right)} {target}"
        case AndNot(head, left, right, target):
            return f"andnot {write_parity(head)} {write_parity(left)} {write_parity(right)} {target}"
        case Mux(choice, yes, no, target):
            return f"mux {write_parity(choice)} {write_parity(yes)} {write_parity(no)} {target}"
        case Mcx(target=target, clean=clean):
            return " ".join(["mcx", str(target), *map(write_parity, op.literals), *_lend(clean)])
        case PhaseFlip(factors, clean):
            return " ".join(["flip", *map(write_parity, factors), *_lend(clean)])
        case Gate(name, qubits, params):
            return " ".join(["gate", name, *map(str, qubits), *(f"={angle!r}" for angle in params)])


def read_op(line: str, num_qubits: int) -> Op:
    """Read the operation that a line was made from.

    Raises:
        ValueError: it is no such line, names a qubit that is not there, or changes or lends one that it reads.
    """
    op = _read_op(line, num_qubits)
    # ``apart`` are qubits that must differ from each other, from the target and from all that is read.
    apart: tuple[int, ...] = op.qubits if isinstance(op, Gate) else getattr(op, "clean", ())
    changed = () if isinstance(op, Gate | PhaseFlip) else (op.target,)
    read = {wire for parity in read_parities(op) for wire in parity.wires}
    if len({*apart, *changed}) < len(apart) + len(changed) or read & {*apart, *changed}:
        raise ValueError(f"it changes or lends what it reads: '{line[:60]}'")
    return op


def _read_op(line: str, num_qubits: int) -> Op:
    kind, *words = line.split(" ")
    places = words.index("/") if "/" in words else len(words)
    clean = tuple(_read_qubit(word, num_qubits) for word in words[places + 1 :])
    words = words[:places]
    # Each kind has a fixed form, so that no word of a line is ignored.
    if kind == "flip":
        return PhaseFlip(tuple(read_parity(word, num_qubits) for word in words), clean)
    if kind == "mcx" and words:
        controls = [read_parity(word, num_qubits) for word in words[1:]]
        if all(len(one.wires) == 1 for one in controls):
            pairs = tuple((one.wires[0], not one.constant) for one in controls)
            return Mcx(pairs, _read_qubit(words[0], num_qubits), clean)
    if kind == "xor" and len(words) == 2 and not clean:
        return Xor(read_parity(words[0], num_qubits), _read_qubit(words[1], num_qubits))
    if kind in {"and", "unand"} and len(words) == 3 and not clean:
        left, right = (read_parity(word, num_qubits) for word in words[:2])
        return And(left, right, _read_qubit(words[2], num_qubits), kind == "unand")
    if kind in {"andnot", "mux"} and len(words) == 4 and not clean:
        first, second, third = (read_parity(word, num_qubits) for word in words[:3])
        return (AndNot if kind == "andnot" else Mux)(first, second, third, _read_qubit(words[3], num_qubits))
    if kind == "gate" and words and not clean:
        qubits = tuple(_read_qubit(word, num_qubits) for word in words[1:] if not word.startswith("="))
        angles = tuple(float(word[1:]) for word in words[1:] if word.startswith("="))
        if GATES.get(words[0]) == (len(qubits), len(angles)) and all(map(math.isfinite, angles)):
            return Gate(words[0], qubits, angles)
    raise ValueError(f"no operation: '{line[:60]}'")


def read_ops(lines: Iterable[str], num_qubits: int) -> Ops:
    """The operations of some lines."""
    return tuple(read_op(line, num_qubits) for line in lines)


def write_parity(parity: Parity) -> str:
    """A parity as one word; wires below zero are flags."""
    return ("!" if parity.constant else "") + ("^".join(map(str, parity.wires)) or "-")


def read_parity(word: str, num_qubits: int, num_flags: int = 0) -> Parity:
    """The parity that a word was made from; the order of its wires is kept."""
    body = word.removeprefix("!")
    wires = () if body == "-" else tuple(map(int, body.split("^")))
    if not all(-num_flags <= wire < num_qubits for wire in wires) or len(set(wires)) < len(wires):
        raise ValueError(f"no such qubits: '{word[:60]}'")
    return Parity(wires, body != word)


def _read_qubit(word: str, num_qubits: int) -> int:
    if not (word.isdecimal() and int(word) < num_qubits):
        raise ValueError(f"no such qubit: '{word[:60]}'")
    return int(word)


def _lend(clean: tuple[int, ...]) -> list[str]:
    return ["/", *map(str, clean)] if clean else []

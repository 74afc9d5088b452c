"""Words of Clifford+T that stand for rotations: each is compared with its rotation, however it was found.

The search for a word is bounded by time in Qiskit's library, so that the same rotation may get another word under load.
A certificate therefore holds the words that its text was written with.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from gatesolve.circuit import Gate, Ops
from gatesolve.circuit.lowering.lower import RotationWords, Word
from gatesolve.errors import InputError, UnsupportedError
from gatesolve.proof.rotations import reduce_angle

EIGHTHS = {"z": 4, "s": 2, "sdg": -2, "t": 1, "tdg": -1}
AXES = {"ry": "Y", "rz": "Z", "p": "Z"}
MATRICES = {name: np.diag([1, cmath.exp(1j * math.pi / 4 * eighths)]) for name, eighths in EIGHTHS.items()}
MATRICES |= {"h": np.array([[1, 1], [1, -1]]) / math.sqrt(2), "x": np.array([[0, 1], [1, 0]])}
EXACT = 1e-12
"""How far a multiple of an eighth may be off, in eighths: what lowering writes without a word."""
MOST_GATES = 10_000
"""Gates of a word that is read."""
Words = Mapping[float, Word]
"""By the angle of a rotation about Z."""


def needs_word(gate: Gate) -> bool:
    """Whether a rotation is no multiple of an eighth of a turn of the phase."""
    if gate.name not in AXES:
        return False
    eighths = reduce_angle(gate.params[0]) / (math.pi / 4)
    return abs(eighths - round(eighths)) >= EXACT


def spell_gate(gate: Gate, words: Words) -> list[Gate]:
    """Return a gate, or where a word stands for it, that word."""
    word = words.get(gate.params[0]) if gate.name in AXES else None
    if word is None:
        return [gate]
    # Words are for rotations about Z: these gates turn Y to Z, and back.
    before, after = (("sdg", "h"), ("h", "s")) if AXES[gate.name] == "Y" else ((), ())
    return [Gate(name, gate.qubits) for name in (*before, *word, *after)]


def find_words(ops: Ops, gates: str, usual: RotationWords) -> dict[float, Word]:
    """Return the word that lowering takes for each rotation that needs one in a gate set.

    Raises:
        UnsupportedError: no words were chosen, and one is further from its rotation than lowering allows.
    """
    words = {angle: usual.find(angle) for angle in _list_angles(ops, gates)}
    if not usual.chosen and any(find_distance(word, angle) > usual.error for angle, word in words.items()):
        raise UnsupportedError(f"a word of Clifford+T is further than {usual.error:.2g} from its rotation")
    return words


def take_words(ops: Ops, gates: str, known: Words) -> dict[float, Word]:
    """Return the known word of each rotation that needs one in a gate set.

    Raises:
        UnsupportedError: one is missing. To look for words takes long, and a certificate has all of them.
    """
    angles = _list_angles(ops, gates)
    if any(angle not in known for angle in angles):
        raise UnsupportedError("the certificate has no word of Clifford+T for one of the rotations")
    return {angle: known[angle] for angle in angles}


def _list_angles(ops: Ops, gates: str) -> list[float]:
    turns = [op.params[0] for op in ops if isinstance(op, Gate) and needs_word(op)] if gates == "clifford+t" else []
    return list(dict.fromkeys(turns))


def add_distances(ops: Ops, words: Words) -> tuple[int, float]:
    """Return how many rotations of a circuit are words, and a bound on the distance that these add."""
    angles = [op.params[0] for op in ops if isinstance(op, Gate) and op.params and op.params[0] in words]
    # Distances of unitaries add up at most.
    return len(angles), math.fsum(find_distance(words[angle], angle) for angle in angles)


@lru_cache(maxsize=4096)
def find_distance(word: Sequence[str], angle: float) -> float:
    """Operator norm of the difference between a word and a rotation about Z, up to a global phase."""
    # The rotation back, then the word: together nearly the identity.
    product = np.diag([cmath.exp(0.5j * angle), cmath.exp(-0.5j * angle)])
    for name in word:
        product = MATRICES[name] @ product
    # The phase of the trace is the best global phase.
    trace = np.trace(product)
    return float(np.linalg.norm(product * (abs(trace) / trace) - np.eye(2), 2)) if trace else 2.0


def write_words(words: Words) -> dict[str, str]:
    """Words as data that JSON holds."""
    return {repr(angle): " ".join(word) for angle, word in words.items()}


def read_words(data: object) -> dict[float, Word]:
    """Read what `write_words` wrote.

    Raises:
        InputError: it is something else.
    """
    try:
        words = {float(angle): tuple(str(word).split()) for angle, word in dict(data).items()}  # type: ignore[call-overload]
        if any(len(word) > MOST_GATES or not MATRICES.keys() >= {*word} for word in words.values()):
            raise ValueError("a word is too long, or of other gates")
    except (TypeError, ValueError) as error:
        raise InputError("the words of the certificate are damaged: compile the problem again") from error
    return words

"""Problem 2: the popcount of n bits, each binary digit turned out of all inputs and the lower digits.

With c ones and lower digits y1 ... yk, the next digit is (c - y1 - 2 y2 - ... - 2^(k-1) yk) / 2^k mod 2. So the wire of
that digit is turned about Y by pi / 2^k for each input that is one, and back by 2^(j-1) pi / 2^k for each digit yj.

A turn that depends on a bit: between CX onto it, a wire that is turned by t turns by t where the parity of what was
XORed onto it is even, and by -t where it is odd. The parities needed are single inputs, one after the other. So the
inputs' wires hold x1 + x2, x2 + x3, ... meanwhile, and one CX leads from an input to the next. All digits share these
wires, one a gate behind the other. At the end the last parity is left on the wire of a digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, isclose, pi

from qiskit import QuantumCircuit


def popcount(inputs: int, digits: int, root: int) -> QuantumCircuit:
    """Count the ones of the inputs.

    Args:
        inputs: their number, wires from 0 on.
        digits: of the result, at least three, on the wires after them, lowest first.
        root: the input whose wire keeps it. Wires before it hold the XOR with the next input meanwhile, those after it
            with the one before.
    """
    circuit = QuantumCircuit(inputs + digits)
    ones, targets = inputs, range(inputs + 1, inputs + digits)
    edges = [(place + 1, place) if place < root else (place, place + 1) for place in range(inputs - 1)]
    made = [*edges[:root], *reversed(edges[root:])]
    circuit.compose(_first_turns(inputs, targets), inplace=True)
    for kept, held in made:
        circuit.cx(kept, held)
    # The wire of the ones gathers all inputs but the last, two at a time, from wires that the other digits have not
    # reached yet or have left.
    gathered = [place for place in range(inputs - 1) if (inputs - place) % 2]
    for place in gathered:
        if place >= root:
            circuit.cx(edges[place][1], ones)
    for place, (_, held) in enumerate(edges):
        for target in targets:
            _step(circuit, held, target, _unit(inputs, target))
        if place < root and place in gathered:
            circuit.cx(held, ones)
    for kept, held in reversed(made):
        circuit.cx(kept, held)
    circuit.compose(_turns_by_digits(inputs, targets), inplace=True)
    circuit.cx(inputs - 1, ones)
    for digit in range(ones, targets[-2]):
        circuit.cx(digit, digit + 1)
    return circuit


def _unit(inputs: int, target: int) -> float:
    """The turn of a digit's wire for one input."""
    return pi / (1 << target - inputs)


def _step(circuit: QuantumCircuit, wire: int, target: int, angle: float) -> None:
    """XOR a wire onto the target, then turn it by ``angle`` if its parity is odd, but for half of that, made before."""
    circuit.cx(wire, target)
    circuit.ry(-angle / 2, target)


def _first_turns(inputs: int, targets: Sequence[int]) -> QuantumCircuit:
    """The halves of all turns to come, which no parity turns round; then the first input.

    Where these halves are a right angle, X gives no more than a phase, and the CX from the first input is left out.
    An even number of inputs needs the first one on the wire of the ones too, which then hands it on.
    """
    circuit, ones = QuantumCircuit(targets[-1] + 1), inputs
    source = 0 if inputs % 2 else ones
    if source == ones:
        circuit.cx(0, ones)
    for place, target in enumerate(targets):
        unit = _unit(inputs, target)
        half = (inputs * unit + sum(_digit_turns(inputs, target, targets[-1]))) / 2
        circuit.ry(half, target)
        if not isclose(cos(half), 0, abs_tol=1e-9):
            circuit.cx(source if place else 0, target)
        circuit.ry(-unit / 2, target)
    return circuit


def _turns_by_digits(inputs: int, targets: Sequence[int]) -> QuantumCircuit:
    """Turn back by the lower digits.

    The wire of the ones lacks the last input, where the parities are; that of any other digit but the last holds the
    digit before it too, as its own parities end there. Each is just what leads from one parity to the next.
    """
    circuit = QuantumCircuit(targets[-1] + 1)
    for target in targets:
        for lower, angle in enumerate(_digit_turns(inputs, target, targets[-1]), start=inputs):
            _step(circuit, lower, target, angle)
    return circuit


def _digit_turns(inputs: int, target: int, last: int) -> list[float]:
    """The turns by lower digits; forth for the last, where it cancels the parity left on the highest digit's wire."""
    angles = [-_unit(inputs, target) * (1 << lower) for lower in range(target - inputs)]
    if target == last:
        angles[-1] *= -1
    return angles

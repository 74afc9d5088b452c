"""Short reversible circuits that label the classes of a small function's inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.circuit import And, Gate, Op, Ops, Parity, Xor

Bits = NDArray[np.uint8]
ANCILLAS = 3
"""Clean wires that a recipe may use."""


@dataclass(frozen=True, slots=True)
class Step:
    """``target ^= AND of the controls``, each ``(wire, value)``; one control (of value 1) is a CX.

    Two and three controls are meant up to a relative phase, which the inverse recipe takes back.
    """

    target: int
    controls: tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class Recipe:
    """Steps on ``num_bits`` data wires and then `ANCILLAS` clean ones, after which a few wires hold a label.

    Attributes:
        num_bits: data wires 0, 1, ...
        steps: in order.
        label: wires whose values are the label, its lowest bit first.
    """

    num_bits: int
    steps: tuple[Step, ...]
    label: tuple[int, ...]

    def labels(self) -> NDArray[np.int64]:
        """The label of every input."""
        numbers = np.arange(1 << self.num_bits)
        wires = [(numbers >> k & 1).astype(np.uint8) for k in range(self.num_bits)]
        wires += [np.zeros_like(wires[0]) for _ in range(ANCILLAS)]
        for step in self.steps:
            product: Bits = np.ones_like(wires[0])
            for wire, value in step.controls:
                product = product & (wires[wire] ^ (not value))
            wires[step.target] = wires[step.target] ^ product
        label = np.zeros(len(numbers), dtype=np.int64)
        for k, wire in enumerate(self.label):
            label |= wires[wire].astype(np.int64) << k
        return label

    def ops(self, places: Sequence[int]) -> Ops:
        """The steps on these qubits: 1 CX, 3 CX (Margolus) or 6 CX each."""
        found: list[Op] = []
        for step in self.steps:
            found += _step_ops(step, places)
        return tuple(found)


def recipe_of(text: str, num_bits: int) -> Recipe:
    """Read ``label wires : target controls, ...``: controls as wires, ``~`` before one that has to be 0.

    Raises:
        ValueError: not such a text.
    """
    label, _, body = text.partition(":")
    steps = []
    for part in body.split(","):
        target, *controls = part.split()
        steps.append(Step(int(target), tuple((int(c.lstrip("~")), not c.startswith("~")) for c in controls)))
    return Recipe(num_bits, tuple(steps), tuple(int(wire) for wire in label.split()))


def text_of(recipe: Recipe) -> str:
    """The text that `recipe_of` reads."""
    steps = ("".join((str(s.target), *(f" {'' if v else '~'}{w}" for w, v in s.controls))) for s in recipe.steps)
    return " ".join(map(str, recipe.label)) + ": " + ", ".join(steps)


def _step_ops(step: Step, places: Sequence[int]) -> list[Op]:
    target = places[step.target]
    parities = [Parity((places[wire],), not value) for wire, value in step.controls]
    if len(parities) == 1:
        return [Xor(parities[0], target)]
    if len(parities) == 2:
        return [And(parities[0], parities[1], target)]
    flips: list[Op] = [Gate("x", p.wires) for p in parities if p.constant]
    return [*flips, *_and_of_three([p.wires[0] for p in parities], target), *flips]


def _and_of_three(controls: list[int], target: int) -> list[Op]:
    """AND of three onto a target up to a relative phase, 6 CX. Source: Maslov, arXiv:1508.03273, figure 4."""
    first, second, third = controls
    h, t, tdg = Gate("h", (target,)), Gate("t", (target,)), Gate("tdg", (target,))
    a, b, c = (Gate("cx", (wire, target)) for wire in (first, second, third))
    return [h, t, c, tdg, h, a, t, b, tdg, a, t, b, tdg, h, t, c, tdg, h]

"""Terms of the labels and of the middle: the parities that a circuit for the logo must rotate, as few as can be found.

In this folder, with ``PYTHONPATH=..`` and the codes that codes.cpp prints (the last line is used)::

    python terms.py rank x codes.txt                              # which labels take few terms
    python terms.py loader x codes.txt LABELS > x.terms           # for loader.cpp; the lifts go to standard error
    python terms.py loader y codes.txt LABELS > y.terms
    python terms.py middle codes.txt XLABELS YLABELS > middle.terms   # for middle.cpp

LABELS are the labels in the first line that ``rank`` printed for that side. Those of the entry, x 1101 1110 1011 and
y 0111 0100 1011, fit the entry's own codes only.

A label is the parity of some bits of the place, given as a mask in binary. It is loaded as a sum of signs of the
number, a rotation each. Label 0 may be changed by even numbers, the lifts: annealing looks for those that leave few
signs. Signs of later labels may be multiplied by those of earlier ones, so there are more signs than needed; linear
programs, each with weights from the solution before, find a sum of few. ``rank`` prints terms and labels, fewest first.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from make import bitmap, class_numbers
from numpy.typing import NDArray
from scipy.optimize import linprog

Ints = NDArray[np.int64]
Reals = NDArray[np.float64]
Term = tuple[int, int]
"""A mask of earlier labels, and a mask of the number's bits."""
SIDES = ("x", "y")
BITS, PLACES = 6, 16
ALL_LABELS = range(2, PLACES)
"""Masks of the place; bit 0 alone is the parity, which needs no loading."""
SMALL = 1e-7
STEPS, HOT, COLD = 8000, 2.0, 0.2
"""Of an annealing of the lifts."""
ROUNDS, REPEATS = 8, 6
"""Linear programs in a row, and such rows."""
KEPT = 3
"""First and second labels that a ranking follows up."""
RANDOM = np.random.default_rng(1)


def signs(size: int) -> Reals:
    """-1 where the parity of row & column is odd, else 1."""
    return np.array([[1.0 - 2 * ((row & column).bit_count() & 1) for column in range(size)] for row in range(size)])


SIGNS = signs(1 << BITS)


def read_codes(path: str) -> tuple[tuple[int, int], tuple[list[int], list[int]]]:
    """The parities of x and y, and the class at each of their places."""
    words = [int(word) for word in Path(path).read_text(encoding="utf-8").splitlines()[-1].split()]
    return (words[1], words[2]), (words[3 : 3 + PLACES], words[3 + PLACES :])


def classes(side: int) -> list[int]:
    """The class of each number."""
    return [int(word) for word in class_numbers(SIDES[side]).split()]


def places_of_numbers(side: int, parity: int, places: list[int]) -> list[int]:
    """The first place of each number's class that has the number's parity."""
    return [
        next(place for place in range((number & parity).bit_count() & 1, PLACES, 2) if places[place] == wanted)
        for number, wanted in enumerate(classes(side))
    ]


def label_of(places: list[int], mask: int) -> Ints:
    """The label of each number: the parity of its place's bits in the mask."""
    return np.array([(place & mask).bit_count() & 1 for place in places])


def anneal_lifts(label: Ints) -> tuple[int, Ints]:
    """The fewest signs that were found, and what to add to the label for them: -2, 0 or 2 for each number."""
    lifts = np.zeros(len(label), dtype=np.int64)
    sums = SIGNS @ label
    now = fewest = int((np.abs(sums) > SMALL).sum())
    best = lifts.copy()
    for step in range(STEPS):
        heat = HOT * (COLD / HOT) ** (step / STEPS)
        number, change = RANDOM.integers(len(label)), RANDOM.choice((-2, 2))
        if abs(lifts[number] + change) > 2:
            continue
        tried = sums + change * SIGNS[:, number]
        count = int((np.abs(tried) > SMALL).sum())
        if count > now and RANDOM.random() >= np.exp((now - count) / heat):
            continue
        sums, now = tried, count
        lifts[number] += change
        if now < fewest:
            fewest, best = now, lifts.copy()
    return fewest, best


def lifted_terms(label: Ints, repeats: int) -> tuple[list[Term], Ints]:
    """The terms of label 0, and its lifts."""
    _, lifts = min((anneal_lifts(label) for _ in range(repeats)), key=lambda found: found[0])
    sums = SIGNS @ (label + lifts)
    return [(0, int(mask)) for mask in np.flatnonzero(np.abs(sums) > SMALL)], lifts


def sparse_terms(label: Ints, earlier: list[Ints], repeats: int) -> list[Term]:
    """Few terms whose signs sum to the label, where those of earlier labels may be part of them."""
    names = [(others, mask) for others in range(1 << len(earlier)) for mask in range(1 << BITS)]
    factors = [np.ones(len(label))]
    for bit in earlier:
        factors += [factor * (1 - 2 * bit) for factor in factors]
    columns = np.vstack([SIGNS * factor for factor in factors]).T
    best = names
    for _ in range(repeats):
        weights = np.ones(len(names))
        for _ in range(ROUNDS):
            both = np.concatenate([weights, weights])
            found = linprog(both, A_eq=np.hstack([columns, -columns]), b_eq=label, method="highs").x
            sizes = np.abs(found[: len(names)] - found[len(names) :])
            terms = [names[place] for place in np.flatnonzero(sizes > SMALL)]
            best = min(best, terms, key=len)
            weights = (1 + 0.3 * RANDOM.random(len(names))) / (sizes + 0.02)
    return best


def rank(places: list[int]) -> list[tuple[int, tuple[int, int, int]]]:
    """Terms and labels, fewest terms first: for the best first labels, the best second ones, and all third ones."""
    labels = {mask: label_of(places, mask) for mask in ALL_LABELS}

    def independent(mask: int, *others: int) -> bool:
        words = {0, 1}  # with the parity, which is bit 0 of the place
        for other in others:
            words |= {word ^ other for word in words}
        return mask not in words

    found = []
    firsts = sorted((len(lifted_terms(label, 1)[0]), mask) for mask, label in labels.items())[:KEPT]
    for count, first in firsts:
        given = [labels[first]]
        rest = [mask for mask in ALL_LABELS if independent(mask, first)]
        seconds = sorted((len(sparse_terms(labels[mask], given, 1)), mask) for mask in rest)[:KEPT]
        for more, second in seconds:
            pair = [*given, labels[second]]
            for third in (mask for mask in rest if independent(mask, first, second)):
                most = len(sparse_terms(labels[third], pair, 1))
                found.append((count + more + most, (first, second, third)))
    return sorted(found)


def loader_terms(places: list[int], parity: int, masks: list[int]) -> str:
    """What loader.cpp reads. The label alone is no term: its rotation joins the Hadamard that opens it."""
    labels = [label_of(places, mask) for mask in masks]
    first, lifts = lifted_terms(labels[0], REPEATS)
    print("lifts", {int(number): int(lifts[number]) for number in np.flatnonzero(lifts)}, file=sys.stderr)
    found = [first, *(sparse_terms(labels[place], labels[:place], REPEATS) for place in (1, 2))]
    lines = [str(parity)]
    for label, terms in enumerate(found):
        lines += [f"{label} {mask | (others | 1 << label) << BITS}" for others, mask in terms if others or mask]
    return "\n".join(lines)


def middle_terms(places: tuple[list[int], list[int]], masks: tuple[list[int], list[int]]) -> str:
    """What middle.cpp reads. A wire alone is no term: it is rotated before the middle begins."""
    x_classes, y_classes = classes(0), classes(1)
    logo = bitmap()
    x_lines = [x_classes.index(found) for found in places[0]]
    y_lines = [y_classes.index(found) for found in places[1]]
    sums = signs(PLACES) @ logo[np.ix_(y_lines, x_lines)].T @ signs(PLACES)
    wires = [{word_mask(chosen, side): chosen for chosen in range(PLACES)} for side in masks]
    terms = [wires[0][int(x)] | wires[1][int(y)] << 4 for x, y in np.argwhere(np.abs(sums) > SMALL)]
    return "\n".join(str(term) for term in terms if term.bit_count() > 1)


def word_mask(chosen: int, masks: list[int]) -> int:
    """The bits of the place whose parity is that of the chosen wires: the parity, then the labels."""
    found = 0
    for wire, mask in enumerate([1, *masks]):
        if chosen >> wire & 1:
            found ^= mask
    return found


def main() -> None:
    """See the head of the file."""
    parser = argparse.ArgumentParser(description="Terms of the labels and of the middle; terms.py says how to use it.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("rank", "loader", "middle"):
        command = commands.add_parser(name)
        if name != "middle":
            command.add_argument("side", choices=SIDES)
        command.add_argument("codes")
        if name != "rank":
            command.add_argument("labels", nargs=3 if name == "loader" else 6, type=lambda text: int(text, 2))
    asked = parser.parse_args()
    parities, places = read_codes(asked.codes)
    if asked.command == "middle":
        print(middle_terms(places, (asked.labels[:3], asked.labels[3:])))
        return
    side = SIDES.index(asked.side)
    numbers = places_of_numbers(side, parities[side], places[side])
    if asked.command == "loader":
        print(loader_terms(numbers, parities[side], asked.labels))
        return
    for count, masks in rank(numbers):
        print(count, *(f"{mask:04b}" for mask in masks))


if __name__ == "__main__":
    main()

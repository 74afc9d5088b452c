"""Run loader and middle with many seeds, and keep the schedules of the shallowest circuit.

In this folder, once the other heads have been followed to ``loader``, ``middle``, ``x.terms``, ``y.terms`` and
``middle.terms``::

    python campaign.py SEED SECONDS

Loaders of both sides are collected; after every few of them the middle is sought between two that are ready early, with
one layer less each time until it fails. Prints the layers in which the bits of the best loaders are ready, and the
number of layers that is sought next; writes each better circuit to ``found-LAYERS.txt``: the schedules of x, y and the
middle. The circuits that were built and lowered from such files were one to four layers deeper than LAYERS.

For the entry, such runs took about an hour on a busy core. They stop by the clock and their seeds were taken by
chance, so another run gives other schedules, of like depth.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

FIRST_LAYERS = 149
"""Layers of the first middle that is sought."""
KEPT, NEAR_BEST = 12, 4
LOADERS_EACH = 3
"""Loaders of each side from one search for the middle to the next."""
WEIGHTS = (1.2, 1.0, 0.8, 0.6)
"""Of the layers in which a loader's wires are ready, latest first: late ones bound the middle most."""


def output_of(command: list[str]) -> str:
    """The first line that a program prints, or nothing."""
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return found.partition("\n")[0]


def loader_options() -> list[str]:
    """NOISE WEIGHT0 WEIGHT1 GATHER OPEN RATIO WAIT SHIFT LEAST of loader.cpp."""
    noise = random.choice(["0.4", "0.7", "1.0"])
    weights = random.choice(["1.8 1.3", "3 1.5", "2.2 1.5"])
    gather = random.choice(["0", "0.1", "0.2"])
    open_price = random.choice(["0.5", "1.5", "4"])
    ratio = random.choice(["0.5", "0.55", "0.6"])
    wait = random.choice(["0.2", "0.5", "1"])
    shift_and_least = random.choice(["0 0.05", "0.5 0.1", "0.5 0.2", "0.3 0.1"])
    return f"{noise} {weights} {gather} {open_price} {ratio} {wait} {shift_and_least}".split()


def middle_options() -> list[str]:
    """LATE URGENCY HORIZON of middle.cpp."""
    return random.choice(["3 0.4 8", "3 0.4 14", "2 0.7 14"]).split()


def new_seed() -> str:
    """A seed by chance."""
    return str(random.randrange(10**6))


def ready(loader: str) -> list[int]:
    """The layers in which the parity and labels 0 to 2 of a loader are ready."""
    return [int(word) for word in loader.split()[2:6]]


def lateness(loader: str) -> float:
    """What loaders are compared by."""
    return sum(weight * layer for weight, layer in zip(WEIGHTS, sorted(ready(loader), reverse=True), strict=True))


def add_loader(pool: list[str], side: str) -> list[str]:
    """The pool with one more loader, the best of them first."""
    found = output_of(["./loader", f"{side}.terms", new_seed(), *loader_options()])
    return sorted({*pool, found} - {""}, key=lateness)[:KEPT]


def shorten(x: str, y: str, layers: int) -> int:
    """Look for the middle between two loaders, with fewer and fewer layers; the first number that fails."""
    while True:
        bits = [str(layer) for layer in ready(x) + ready(y)]
        middle = output_of(["./middle", "middle.terms", new_seed(), str(layers), *bits, *middle_options()])
        if not middle:
            return layers
        Path(f"found-{layers}.txt").write_text(f"{x}\n{y}\n{middle}\n", encoding="utf-8")
        layers -= 1


def main(seed: int, seconds: float) -> None:
    """See the head of the file."""
    random.seed(seed)
    end = time.monotonic() + seconds
    x_pool: list[str] = []
    y_pool: list[str] = []
    layers = FIRST_LAYERS
    while time.monotonic() < end:
        for _ in range(LOADERS_EACH):
            x_pool, y_pool = add_loader(x_pool, "x"), add_loader(y_pool, "y")
        if not x_pool or not y_pool:
            continue
        near_best = random.choice([1, NEAR_BEST])
        layers = shorten(random.choice(x_pool[:near_best]), random.choice(y_pool[:near_best]), layers)
        print("x", *ready(x_pool[0]), "y", *ready(y_pool[0]), "next", layers, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))

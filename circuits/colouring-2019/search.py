"""How the codewords and the seed in ``make.py`` were looked for: ``python .../search.py [SEED [DRAWS]]``.

The triangle's words are natural ones: the colour it leaves out, and which of 5 and 6 has the smaller. The words of
the edge 0-3 begin with the colour of 3. What is left is drawn: which of its two colours 0 takes at the second bit, and
the words of the edge 1-4. Draws whose conditions are light go on to the search for light parities under several
seeds; the cheapest whole circuit so far is printed. A draw takes about a second, 200 draws several minutes.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from make import CODEWORDS, STEPS, WINDOW, Entry, blocks_space, finished, model
from recode import recoded, replaced
from rewrite import rewritten

from gatesolve.encodings import Space
from gatesolve.model import Model
from gatesolve.oracle.levels import minimised_conditions

LIGHT = 34
"""Estimated CX of the conditions from which a draw is not pursued."""
TRIES = 16
"""Seeds of the search for light parities."""


def score(entry: Entry) -> int:
    """The contest's."""
    counts = entry.circuit.count_ops()
    return int(counts["u"] + 10 * counts["cx"])


def drawn(space: Space, draw: random.Random) -> Space:
    """Natural words for the first block, half natural ones for the second, random ones for the third."""
    triangle, pair, other = space.blocks
    left_out = [(two ^ five ^ six) | (six < five) << 2 for two, five, six in triangle.tuples]
    flips = {three: draw.randrange(2) for _, three in pair.tuples}
    first = {three: min(zero for zero, t in pair.tuples if t == three) for three in flips}
    begun = [three | ((zero == first[three]) ^ flips[three]) << 2 for zero, three in pair.tuples]
    words = [low | high << 2 for low in draw.sample(range(4), 3) for high in (0, 1)]
    space = replaced(space, 0, recoded(triangle, left_out))
    space = replaced(space, 1, recoded(pair, begun))
    return replaced(space, 2, recoded(other, draw.sample(words, len(words))))


def price(whole: Model, space: Space) -> int:
    """Estimated CX of the conditions, once."""
    return sum(c.cost for c in minimised_conditions(whole, space, WINDOW))


def main(seed: int, draws: int) -> None:
    """Search and print."""
    whole, draw = model(), random.Random(seed)
    start = blocks_space(whole, CODEWORDS)
    best = None
    for _ in range(draws):
        space = drawn(start, draw)
        if price(whole, space) >= LIGHT:
            continue
        conditions = minimised_conditions(whole, space, WINDOW)
        costs = [(rewritten(conditions, space, steps=STEPS, seed=k).cost, k) for k in range(TRIES)]
        found = (score(finished(whole, space, min(costs)[1])), min(costs)[1], [b.codewords for b in space.blocks])
        if best is None or found < best:
            best = found
            print(f"score {best[0]}, seed of the parities {best[1]}, codewords {best[2]}", flush=True)


if __name__ == "__main__":
    main(*(int(a) for a in (sys.argv[1:] + ["0", "200"][len(sys.argv) - 1 :])))

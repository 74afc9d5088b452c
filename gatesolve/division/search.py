"""Searching the leaves of a tree in its order, some of them ahead of their turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass

from gatesolve.division.leaf import Searched
from gatesolve.division.tree import Frontier, Part, PartTree
from gatesolve.planning.clock import Clock


@dataclass(frozen=True)
class PartReached:
    """A leaf is about to be searched, and where the walk is then."""

    part: Part
    frontier: Frontier


Start = Callable[[Part], "Future[Searched]"]
Keep = Callable[[Part, Searched], None]
Step = tuple[Searched | None, Frontier]
"""What came of the next leaf, and where the walk is then; None after the last leaf."""


def search_leaves(tree: PartTree, start: Start, keep: Keep, width: int, clock: Clock) -> Iterator[Step]:
    """The leaves in the order of the tree, whatever order they are searched in; those too large are divided.

    Args:
        tree: how the problem is divided.
        start: begins to search a leaf.
        keep: is given what came of each leaf, as soon as it is known.
        width: leaves begun at most before the first of them is done with.
        clock: times how long dividing takes.
    """
    with clock.stage("divide"):
        frontier = tree.start()
    ahead = deque[tuple[Part, Frontier]]()
    begun: dict[tuple[int, ...], Future[Searched]] = {}
    waiting: dict[Future[Searched], Part] = {}
    while True:
        last = ahead[-1][1] if ahead else frontier
        while len(ahead) < width:
            with clock.stage("divide"):
                part, last = tree.advance(last)
            if part is None:
                break
            clock.tell(PartReached(part, last))
            ahead.append((part, last))
            if part.number not in begun:
                begun[part.number] = start(part)
                waiting[begun[part.number]] = part
        if not ahead:
            yield None, last
            return
        part, after = ahead.popleft()
        first = begun[part.number]
        while first in waiting:
            _keep_done(waiting, keep)
        found = first.result()
        if found.record is None:
            # What comes next is not what was begun ahead, but that is as it was once its turn comes.
            with clock.stage("divide"):
                frontier = tree.divide(part, after)
            ahead.clear()
            continue
        frontier = after
        del begun[part.number]
        yield found, after


def _keep_done(waiting: dict[Future[Searched], Part], keep: Keep) -> None:
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for one in done:
        part = waiting.pop(one)
        # A leaf that failed ahead of its turn may never have been reached.
        if one.exception() is None:
            keep(part, one.result())

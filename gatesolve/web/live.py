"""From what a search tells to what the page is told while it goes on, not more often than a page can show it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from fractions import Fraction

from gatesolve.api.division.run import LeafEvent
from gatesolve.api.division.search import PartReached
from gatesolve.api.registry import PIPELINES, find_pipeline
from gatesolve.pipelines.events import AnglesTried, Improved, LayersFollowed, Presolved, ReadsMade
from gatesolve.pipelines.task import Compiled, Encoded
from gatesolve.web import story
from gatesolve.web.story import Event

PAUSE = 0.05
"""Seconds between two events of one kind that comes in numbers, at least."""
Number = tuple[int, ...]


class Watcher:
    """Is told by a search, and tells the page.

    Attributes:
        told: the circuit that the page knows of, by its space and oracle.
    """

    def __init__(self, pipeline: str, is_searched: bool, say: Callable[[Event], None]) -> None:
        # The page may have asked for what is no pipeline; that is refused later.
        self.has_one_oracle = any(name == pipeline and find_pipeline(name).has_one_oracle for name in PIPELINES)
        self.say = say
        self.amplified = is_searched and self.has_one_oracle
        self.told: Encoded | None = None
        self._steps: list[tuple[int, Fraction | None, int]] = []
        self._angles: list[list[float]] = []
        self._tree: dict[Number, str] = {}
        self._leaf: Number = ()
        self._last = 0.0

    def __call__(self, event: object) -> None:
        """Tell the page of what was found."""
        for told in self._tell(event):
            self.say(told)

    def _tell(self, event: object) -> Iterator[Event]:
        match event:
            case Presolved():
                self._steps = []
                yield from story.tell_presolved(event, self.amplified)
            case Encoded() if self.has_one_oracle:
                yield from story.tell_encoded(event)
            case Compiled():
                yield from self.tell_circuit(event, is_new=not self.has_one_oracle)
            case Improved():
                self._steps.append((event.oracle_calls, event.energy, event.iterations))
                yield story.tell_descent(self._steps, None)
            case AnglesTried():
                self._angles.append([event.evaluations, event.value, event.best])
                if self._is_time():
                    yield from self._take_angles()
            case LayersFollowed():
                yield from self._take_angles()
                yield from story.tell_layers(event)
            case ReadsMade() if self._is_time():
                yield story.tell_energies(event)
            case PartReached():
                yield self._reach(event)
            case LeafEvent():
                yield self._leave(event)

    def tell_circuit(self, compiled: Compiled, is_new: bool = True) -> Iterator[Event]:
        """All of a circuit, once it is compiled."""
        self.told = compiled.encoded
        yield from story.tell_compiled(compiled, is_new, self.amplified)

    def _is_time(self) -> bool:
        now = time.monotonic()
        if now - self._last < PAUSE:
            return False
        self._last = now
        return True

    def _take_angles(self) -> Iterator[Event]:
        """The angles tried since this was told last."""
        if self._angles:
            yield {"event": "angles", "tried": self._angles}
            self._angles = []

    def _reach(self, event: PartReached) -> Event:
        """The parts that came up in the tree, and what has become of others, since the leaf before."""
        growth, waiting = event.frontier.growth, {part.number: part for part in event.frontier.waiting}
        changed = {number: "open" for number in waiting if number not in self._tree}
        changed[event.part.number] = "searching"
        for number in list(changed):
            for depth, place in enumerate(number):
                if self._tree.get(number[:depth], "open") != "inner":
                    changed[number[:depth]] = "inner"
                # The likeliest part comes first: those before it, if they were never told of, were cut.
                gone = ((*number[:depth], k) for k in range(place))
                changed |= {one: "cut" for one in gone if one not in self._tree and one not in changed}
        left = [number for number, state in self._tree.items() if state == "open"]
        changed |= {number: "cut" for number in left if number not in waiting and number not in changed}
        self._tree |= changed
        self._leaf = event.part.number
        paths = {part.number: part.path for part in (*waiting.values(), event.part)}
        return {
            "event": "tree",
            "parts": [[number, _name(paths.get(number, ())), state] for number, state in changed.items()],
            "nodes": growth.nodes,
            "cut": growth.cut,
        }

    def _leave(self, event: LeafEvent) -> Event:
        """Return the outcome of a leaf."""
        record = event.record
        self._tree[self._leaf] = record.status
        said = f"{_name(record.path)}: {record.space_size} states, {record.oracle_calls} oracle calls"
        return {
            "event": "tree",
            "parts": [[self._leaf, said, record.status]],
            "nodes": event.parts,
            "cut": event.cut,
            "searched": event.searched,
            "left": event.share_left,
        }


def _name(path: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in path)

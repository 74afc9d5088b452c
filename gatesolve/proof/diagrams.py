"""Decision diagrams over blocks: a function of codewords, one level a block and one child a codeword.

Equal functions are one node, so two that are compared are the same where their nodes are. Codewords that a block does
not have play no part.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from gatesolve.errors import DoesNotFitError

Node = int
FALSE: Node = 0
TRUE: Node = 1
MOST_NODES = 1 << 20
"""Nodes above which a proof is given up."""
S = TypeVar("S", bound=Hashable)


class Diagrams:
    """Functions over the same blocks.

    Nodes are numbered as they are made; `FALSE` and `TRUE` are the constants.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        self._levels = [len(sizes), len(sizes)]
        self._children: list[tuple[Node, ...]] = [(), ()]
        self._known: dict[tuple[int, tuple[Node, ...]], Node] = {}
        self._joined: dict[tuple[bool, Node, Node], Node] = {}

    @property
    def num_nodes(self) -> int:
        """Nodes made so far."""
        return len(self._levels)

    def branch(self, level: int, children: Iterable[Node]) -> Node:
        """The function that is one of its children, by the codeword of a block.

        Raises:
            DoesNotFitError: there are more than `MOST_NODES` nodes.
        """
        chosen = tuple(children)
        if all(child == chosen[0] for child in chosen):
            return chosen[0]
        key = level, chosen
        if key not in self._known:
            if len(self._levels) >= MOST_NODES:
                raise DoesNotFitError(f"a decision diagram has more than {MOST_NODES} nodes")
            self._known[key] = len(self._levels)
            self._levels.append(level)
            self._children.append(chosen)
        return self._known[key]

    def xor(self, left: Node, right: Node) -> Node:
        """The XOR of two functions."""
        if left == right:
            return FALSE
        if not min(left, right):
            return left | right
        return self._join(False, left, right)

    def conjoin(self, left: Node, right: Node) -> Node:
        """The AND of two functions."""
        if left == right or not min(left, right):
            return min(left, right)
        return max(left, right) if min(left, right) == TRUE else self._join(True, left, right)

    def _join(self, is_and: bool, left: Node, right: Node) -> Node:
        key = (is_and, left, right) if left < right else (is_and, right, left)
        if key not in self._joined:
            level = min(self._levels[left], self._levels[right])
            join = self.conjoin if is_and else self.xor
            pairs = zip(self._follow(left, level), self._follow(right, level), strict=True)
            self._joined[key] = self.branch(level, [join(*pair) for pair in pairs])
        return self._joined[key]

    def _follow(self, node: Node, level: int) -> tuple[Node, ...]:
        return self._children[node] if self._levels[node] == level else (node,) * self.sizes[level]

    def accept(self, start: S, step: Callable[[int, int, S], S | None], ends: Callable[[S], bool]) -> Node:
        """The function of an automaton that reads codeword after codeword.

        Args:
            start: its first state.
            step: from a level, a codeword's place and a state to the next state; None where it refuses.
            ends: whether a state after the last codeword accepts.
        """
        layers = [dict[S, list[S | None]]()]
        layers[0][start] = []
        for level, size in enumerate(self.sizes):
            following = dict[S, list[S | None]]()
            for state, found in layers[-1].items():
                found += [step(level, word, state) for word in range(size)]
                following |= {new: [] for new in found if new is not None}
            if sum(map(len, layers)) > MOST_NODES:
                raise DoesNotFitError(f"an automaton has more than {MOST_NODES} states")
            layers.append(following)
        nodes: dict[S, Node] = {state: TRUE if ends(state) else FALSE for state in layers[-1]}
        for level in range(len(self.sizes) - 1, -1, -1):
            nodes = {
                state: self.branch(level, (FALSE if new is None else nodes[new] for new in found))
                for state, found in layers[level].items()
            }
        return nodes[start]

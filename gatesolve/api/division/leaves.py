"""The leaves of a divided problem: parts that propagation does not refute and that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gatesolve.model import Model
from gatesolve.model.presolve.branch import choose_branches, settle
from gatesolve.model.presolve.filtering import Domain
from gatesolve.model.presolve.probe import narrow_model


@dataclass(frozen=True)
class Leaf:
    """A part small enough to search.

    Attributes:
        path: the variables branched on, each with its value.
        model: the problem's on narrower domains; what the last value implies is not deduced yet.
    """

    path: tuple[tuple[str, int], ...]
    model: Model


@dataclass
class Growth:
    """What it took to find the leaves so far.

    Attributes:
        most: parts after which nothing is divided any more.
        nodes: parts, the whole problem too.
        cut: parts that propagation refuted.
        looks: values tried to choose what to branch on.
        depth: the most branches one upon another.
        is_refused: set by the caller where the leaf it was given is too large after all: that is divided further.
        is_cut_short: whether parts were left.
    """

    most: int
    nodes: int = 1
    cut: int = 0
    looks: int = 0
    depth: int = 0
    is_refused: bool = False
    is_cut_short: bool = False


def grow_leaves(model: Model, fits: Callable[[Model], bool], growth: Growth) -> Iterator[Leaf]:
    """The leaves, depth first, of several parts the likeliest first; a leaf is found when the one before is done with.

    ``fits`` says whether a part is small enough once propagation has come to its end. What it takes is added to
    ``growth`` on the way.
    """
    domains = settle(model, model.domains)
    yield from _enter(model, dict(model.domains), domains, (), fits, growth)


def _grow(
    model: Model,
    domains: dict[str, Domain],
    path: tuple[tuple[str, int], ...],
    fits: Callable[[Model], bool],
    growth: Growth,
) -> Iterator[Leaf]:
    if growth.nodes >= growth.most:
        growth.is_cut_short = True
        return
    parts, looks = choose_branches(model, domains)
    growth.looks += looks
    growth.depth = max(growth.depth, len(path) + 1)
    for part in parts:
        growth.nodes += 1
        yield from _enter(model, part.given, part.domains, (*path, (part.name, part.value)), fits, growth)


def _enter(
    model: Model,
    given: dict[str, Domain],
    domains: dict[str, Domain] | None,
    path: tuple[tuple[str, int], ...],
    fits: Callable[[Model], bool],
    growth: Growth,
) -> Iterator[Leaf]:
    """The leaves of a part, whose domains after propagation are known."""
    if domains is None:
        growth.cut += 1
    elif fits(narrow_model(model, domains)):
        yield Leaf(path, narrow_model(model, given))
        if growth.is_refused:
            growth.is_refused = False
            yield from _grow(model, domains, path, fits, growth)
    else:
        yield from _grow(model, domains, path, fits, growth)

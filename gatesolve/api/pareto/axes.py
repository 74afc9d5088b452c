"""Axes of a sweep, their values, and the candidates to start from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from itertools import product
from typing import Any

from gatesolve.api.options import FIELDS, Options
from gatesolve.costs.front import Settings
from gatesolve.errors import RENAMED, InputError, refuse_renamed
from gatesolve.gate_sets import GATE_SETS
from gatesolve.pipelines.options import choices

LEVELS: dict[str, Settings] = {
    **{level: {"oracle": "constraints", "level": level} for level in choices(FIELDS["level"])},
    "classical": {"oracle": "classical"},
}
"""Levels of an oracle, with the options that ask for them."""

ENCODINGS = choices(FIELDS["encoding"])
AXES: dict[str, tuple[Any, ...]] = {
    "encoding": (*(kind for kind in ENCODINGS if kind != "auto"), "auto"),
    "level": tuple(LEVELS),
    "gates": tuple(name for name, facts in GATE_SETS.items() if facts.swept),
    "optimize": choices(FIELDS["optimize"]),
    "measured": (False, True),
    "exact": (False, True),
}
"""Values by axis, those tried first first. Ancilla budgets and iterations follow from what is measured."""
SWEPT = frozenset({*AXES, "iterations", "ancillas", "oracle"})
"""The options that a sweep sets itself."""

DEFAULTS: dict[str, tuple[Any, ...]] = {
    # The smallest space first, should time run out.
    "encoding": tuple(kind for kind in reversed(ENCODINGS) if kind != "auto"),
    "level": (FIELDS["level"].default,),
    "gates": ("cx+u",),
    "measured": (False,),
    "exact": (False,),
}
"""Values of the axes that a quick sweep is not asked for: what most rows of a whole front differ in is left out."""

BUDGET_STEPS = 3
"""Ancilla budgets tried below what an oracle likes to have."""


def choose_axes(given: Iterable[str], thorough: bool) -> dict[str, tuple[Any, ...]]:
    """The values given as ``AXIS=VALUE,VALUE``; of other axes all values, or in a quick sweep those of `DEFAULTS`."""
    from gatesolve.encodings import encodings  # loads numpy, which other commands do without

    added = tuple(kind for kind in encodings() if kind not in ENCODINGS)
    axes: dict[str, tuple[Any, ...]] = {} if thorough else dict(DEFAULTS)
    if added:  # by other packages
        axes["encoding"] = (*axes.get("encoding", AXES["encoding"]), *added)
    for text in given:
        name, equals, listed = text.partition("=")
        refuse_renamed([name], {**RENAMED, "oracle": "level"})
        if not equals or name not in AXES:
            raise InputError(f"unknown sweep '{text}': write AXIS=VALUE,... with one of {', '.join(AXES)}")
        offered = {_write_value(value): value for value in (*AXES[name], *(added if name == "encoding" else ()))}
        words = [word for word in listed.split(",") if word]
        unknown = [word for word in words if word not in offered]
        if unknown or not words:
            wrong = f"'{unknown[0]}'" if unknown else "no value"
            raise InputError(f"{wrong} on axis {name}: choose among {', '.join(offered)}")
        axes[name] = tuple(offered[word] for word in dict.fromkeys(words))
    return axes


def _write_value(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def first_candidates(axes: Mapping[str, tuple[Any, ...]], fixed: Settings) -> list[Settings]:
    """All combinations of the axes but exactness, each with every ancilla it likes.

    Where the sweep does not name them, metrics are those of the gate set, and erasure by measurement is tried
    only where the metric is T.
    """
    found = []
    names = ("encoding", "level", "gates")
    for encoding, level, gates in product(*(axes.get(name, AXES[name]) for name in names)):
        for metric in axes.get("optimize", GATE_SETS[gates].swept):
            for measured in axes.get("measured", AXES["measured"] if metric == "t" else (False,)):
                settings = {"encoding": encoding, **LEVELS[level], "gates": gates, "measured": measured}
                found.append(drop_defaults({**fixed, **settings, "optimize": metric}))
    return found


def is_budgeted(settings: Settings, axes: Mapping[str, tuple[Any, ...]]) -> bool:
    """Whether smaller ancilla budgets of a candidate are tried: of one metric a gate set, nothing measured."""
    usual = GATE_SETS[settings.get("gates", "cx+u")].swept
    return settings.get("optimize", "cx") == axes.get("optimize", usual)[0] and not settings.get("measured")


def drop_defaults(settings: Mapping[str, Any]) -> Settings:
    """The settings that differ from the defaults of `Options`, in its order."""
    return {f.name: settings[f.name] for f in fields(Options) if f.name in settings and settings[f.name] != f.default}


def list_budgets(least: int, liked: int, most: int) -> list[int]:
    """At most so many ancilla budgets from the least that works up to below what the oracle likes."""
    if liked <= least:
        return []
    steps = min(most, liked - least)
    return [least + k * (liked - least) // steps for k in range(steps)]

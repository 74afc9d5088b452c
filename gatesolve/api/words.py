"""Options in messages as the reader types them: messages name options as Python does, ``presolve='none'``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from gatesolve.api.options import FIELDS
from gatesolve.devices.job_request import JOB_FIELDS

OPTIONS: Mapping[str, str] = {
    **{
        name: f"--{name.replace('_', '-')}"
        for name in (
            *FIELDS,
            *JOB_FIELDS,
            *("accuracy", "again", "budget", "certificate", "csv", "dask", "dry_run", "family", "codewords_only"),
            *("machine", "map", "model", "min_success", "no_browser", "output", "output_map", "part"),
            *("backtracking_seconds", "jobs", "physical", "plot", "port"),
            *("problem", "quadratic", "resume", "rows", "store", "sweep", "thorough", "wait"),
        )
    },
    "device": "--backend",
}
"""Python's names of options, with those of the command line."""
TOLD = frozenset({"message", "notes", "lines", "reason", "note", "doubt", "words"})
"""Fields of JSON objects and of the page's events that contain sentences."""

_NAME = f"(?:{'|'.join(OPTIONS)})"
_MEASURE = "(?:ancillas|encoding|evaluations|iterations|layers|reads|seeds|shots|store|sweeps|threshold)"
_VALUE = r"(?:'[^']*'|-?\w[\w.]*)"
_SETTING = re.compile(rf"(?<![\w'\"\[-])({_NAME})=({_VALUE})((?:(?:,| or|, or| and) '[^']*')*)")
# Names are English nouns too: one counts as an option only in advice to change it.
_TO_DO = rf"\b(?:leave out|raise) {_NAME}\b(?:(?:,| or|, or| and) {_NAME}\b)*(?![\w=-])"
_CHANGE = r"(?:(?:\b(?:use|with|choose|or)|,) (?:more|fewer|another)|\bgive a higher)"
_ADVICE = re.compile(rf"{_TO_DO}|{_CHANGE} {_MEASURE}\b(?: or (?:(?:more|fewer) )?{_MEASURE}\b)?")
_RANGE = re.compile(rf"^({_NAME})(?= is [^:]+: give )")
_BARE = re.compile(rf"(?<![\w-]){_NAME}\b")


def render_options(text: str, name_of: Callable[[str], str] = OPTIONS.__getitem__) -> str:
    """Return a message with its options as they are typed; all else stays unchanged.

    Settings are ``name='value'``, ``name=3`` or ``name=True``. Bare names follow ``leave out``, ``use more`` etc. or
    begin a message about a value out of its range: ``name is 0: give``. ``name_of`` goes from Python's name of an
    option to the reader's.
    """

    def setting(found: re.Match[str]) -> str:
        name, first, others = found.groups()
        value = "" if first == "True" else f" {_unquote(first)}"
        return name_of(name) + value + re.sub("'[^']*'", lambda one: _unquote(one[0]), others)

    def advice(found: re.Match[str]) -> str:
        return _BARE.sub(lambda name: name_of(name[0]), found[0])

    return _RANGE.sub(advice, _ADVICE.sub(advice, _SETTING.sub(setting, text)))


def render_told(data: Any, name_of: Callable[[str], str] = OPTIONS.__getitem__, told: bool = False) -> Any:
    """Return JSON data with its sentences rendered by `render_options`; all of its texts if it is ``told``."""
    if isinstance(data, str):
        return render_options(data, name_of) if told else data
    if isinstance(data, Mapping):
        return {name: render_told(value, name_of, name in TOLD) for name, value in data.items()}
    return [render_told(one, name_of, told) for one in data] if isinstance(data, list | tuple) else data


def _unquote(value: str) -> str:
    """Return a value without quotes where a shell needs none."""
    bare = value.strip("'")
    return bare if re.fullmatch(r"[\w.+:/@%-]+", bare) else value

"""The pipelines by name. To add one: its package in ``gatesolve/pipelines`` and its line here."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gatesolve.pipelines.anneal.options import AnnealOptions
from gatesolve.pipelines.gas.options import GasOptions
from gatesolve.pipelines.grover.options import GroverOptions
from gatesolve.pipelines.options import SpaceOptions
from gatesolve.pipelines.qaoa.options import QaoaOptions

PIPELINES: dict[str, type[SpaceOptions]] = {
    "grover": GroverOptions,
    "gas": GasOptions,
    "qaoa": QaoaOptions,
    "anneal": AnnealOptions,
}
"""The options that each takes."""


def find_pipeline(name: str) -> Any:
    """The `Pipeline` of that name, loaded when it is first asked for: the others need not be."""
    return import_module(f"gatesolve.pipelines.{name}.pipeline").PIPELINE

"""The common part of optimisers: each pass on each circuit.

Reads one JSON object: ``circuits``, a list of OpenQASM 2 texts, and ``left_out``, passes not to run. Writes one: the
version, and for each pass and circuit the optimised OpenQASM 2 with the seconds it took, or the error.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib import metadata
from typing import Any


def run(distribution: str, passes: dict[str, Callable[[str], str]]) -> None:
    """Answer the request on standard input."""
    request = json.load(sys.stdin)
    found = {
        name: [attempt(optimise, text) for text in request["circuits"]]
        for name, optimise in passes.items()
        if name not in request["left_out"]
    }
    print(json.dumps({"version": metadata.version(distribution), "found": found}))


def attempt(optimise: Callable[[str], str], text: str) -> dict[str, Any]:
    """Return a circuit after a pass; a peer's failure is a row of the table, whatever it raises."""
    start = time.perf_counter()
    try:
        return {"qasm": optimise(text), "seconds": time.perf_counter() - start}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}

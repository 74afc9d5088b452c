"""Every example in every encoding, gate set and metric: proved, or the layer that is not is named.

python -m benchmarks proof-matrix                     all examples in all encodings, with nothing deduced
python -m benchmarks proof-matrix --example queens    only files that have this in their name; may be repeated
python -m benchmarks proof-matrix --seconds 300       time for each file and encoding; else 120

Small circuits (up to 300 CX an iteration) are compiled for all gate sets and metrics, others for the first of each.
A file that is written, read back and verified counts as proved, as left open with the layers that are named, or as
silent: a layer is not proved and not named. Exit status 1 if one is silent or refused.
"""

from __future__ import annotations

import itertools
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import gatesolve
from benchmarks.core.places import EXAMPLES
from benchmarks.core.processes import call_alone
from benchmarks.core.suite import make_parser
from gatesolve.circuit.lowering import GATE_SETS
from gatesolve.errors import GatesolveError
from gatesolve.gate_sets import METRICS

ENCODINGS = ("one-hot", "binary", "domain-wall", "table")
SMALL = 300
LAYERS = {"model", "space", "blocks", "text"}
"""Layers that every search has; of its oracle it has `oracle`, or `conditions` or `levels` and `structure`."""
Found = list[tuple[str, str]]


def list_examples(parts: Sequence[str]) -> list[Path]:
    """The problems among the examples whose names have one of some parts."""
    files = sorted(path for path in EXAMPLES.glob("*/*") if path.suffix != ".md")
    return [path for path in files if not parts or any(part in str(path.relative_to(EXAMPLES)) for part in parts)]


def walk(path: str, encoding: str) -> Found:
    """What is found of one file in one encoding: outcomes, each with what was compiled."""
    found: Found = []
    for gates, metric in itertools.product(GATE_SETS, METRICS):
        outcome, size = judge(path, encoding, gates, metric)
        found.append((outcome, f"{gates} {metric}"))
        if size > SMALL or outcome.startswith("does not compile"):
            break
    return found


def judge(path: str, encoding: str, gates: str, metric: str) -> tuple[str, int]:
    """The outcome of one circuit, and its CX an iteration."""
    options = {"presolve": "none", "encoding": encoding, "gates": gates, "optimize": metric}
    with tempfile.TemporaryDirectory() as folder:
        try:
            made = gatesolve.compile(path, **options)
            made = replace(made, program=made.program.with_iterations(min(1, made.program.iterations)))
            written = gatesolve.export(made, Path(folder) / "circuit.qasm")
            verdict = gatesolve.verify(written.circuit)
        except GatesolveError as error:
            return f"does not compile: {str(error)[:100]}", 0
    return tell(verdict), made.program.section_resources("iteration").cx or 0


def tell(verdict: gatesolve.Verdict) -> str:
    """A verdict with the layers that are named as not proved."""
    layers = {claim.layer for claim in verdict.claims}
    named = sorted({claim.layer for claim in verdict.claims if claim.status != "proved"})
    whole = layers >= LAYERS and ("oracle" in layers or ("structure" in layers and layers & {"conditions", "levels"}))
    if verdict.status == "refused":
        return f"refused: {', '.join(named)}"
    if verdict.status == "proved":
        return "proved" if whole else "silent"
    return f"open: {', '.join(named)}" if named else "silent"


def run_walk(path: Path, encoding: str, seconds: int) -> Found:
    """The same in a process of its own, within a time limit."""
    try:
        return [(outcome, which) for outcome, which in call_alone(walk, str(path), encoding, seconds=seconds)]
    except subprocess.TimeoutExpired:
        return [(f"no answer in {seconds} s", "")]
    except ImportError as error:
        return [(f"failed: {str(error)[-100:]}", "")]


def main(arguments: Sequence[str]) -> int:
    """The command of the module's docstring."""
    parser = make_parser(__doc__)
    parser.add_argument("--example", action="append", default=[])
    parser.add_argument("--seconds", type=int, default=120)
    taken = parser.parse_args(arguments)
    total = Counter[str]()
    for path, encoding in itertools.product(list_examples(taken.example), ENCODINGS):
        found = Counter(outcome for outcome, _ in run_walk(path, encoding, taken.seconds))
        total.update({outcome.split(":")[0]: number for outcome, number in found.items()})
        print(path.relative_to(EXAMPLES), encoding, *(f"{n} {what};" for what, n in found.items()), flush=True)
    print(", ".join(f"{number} {what}" for what, number in total.most_common()))
    return 1 if total["silent"] or total["refused"] or total["failed"] else 0

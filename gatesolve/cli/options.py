"""The choices of `gatesolve.Options` as command line options, declared once for all commands.

`Options` itself is not imported: it brings Qiskit, and ``--help`` should be quick.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

Declared = tuple[Any, Any]
"""What typer reads: the annotated type, and the default."""

CHOICES: dict[str, Declared] = {
    "pipeline": (Annotated[str, typer.Option(help="auto | grover | gas | qaoa | anneal")], "auto"),
    "oracle": (Annotated[str, typer.Option(help="constraints | classical")], "constraints"),
    "encoding": (Annotated[str, typer.Option(help="auto | one-hot | binary | domain-wall | table")], "auto"),
    "presolve": (Annotated[str, typer.Option(help="auto | none | propagate | affine")], "auto"),
    "backend": (Annotated[str, typer.Option(help="space (exact, in the space) | aer | pennylane")], "space"),
    "shots": (Annotated[int, typer.Option(help="Measurements to draw.")], 1024),
    "seed": (Annotated[int, typer.Option(help="Seed of everything random.")], 0),
    "gates": (Annotated[str, typer.Option(help="cx+u | clifford+t")], "cx+u"),
    "ancillas": (
        Annotated[int | None, typer.Option(help="Most ancilla qubits; as many as help if not given.")],
        None,
    ),
    "schedule": (Annotated[str, typer.Option(help="auto | known | unknown number of solutions")], "auto"),
    "objective": (Annotated[str, typer.Option(help="cx | t | depth | t_depth | qubits: what to save")], "cx"),
    "level": (Annotated[str, typer.Option(help="minimised | literal (every constraint alone)")], "minimised"),
    "window": (Annotated[int, typer.Option(help="Most qubits that minimising looks at together.")], 6),
    "measured": (Annotated[bool, typer.Option("--measured", help="Erase logical ANDs by measurement.")], False),
    "iterations": (
        Annotated[int | None, typer.Option(help="Of the circuit; the likeliest number if not given.")],
        None,
    ),
    "exact": (Annotated[bool, typer.Option("--exact", help="Match phases: success with certainty.")], False),
    "value": (Annotated[str, typer.Option(help="gas: auto | counter | fourier value oracle")], "auto"),
    "cost": (Annotated[str, typer.Option(help="gas: violations | penalties")], "violations"),
    "penalty": (
        Annotated[float | None, typer.Option(help="Weight of a broken constraint; a proven one if not given.")],
        None,
    ),
    "threshold": (Annotated[float | None, typer.Option(help="gas: look for energies below this one.")], None),
    "confidence": (Annotated[float, typer.Option(help="gas: when to stop looking for something better.")], 0.999),
    "form": (Annotated[str, typer.Option(help="anneal: model | published formula of the family")], "model"),
    "sampler": (Annotated[str, typer.Option(help="anneal: auto | sa | tabu | exact")], "auto"),
    "reads": (Annotated[int, typer.Option(help="anneal: most states to sample.")], 10_000),
    "sweeps": (Annotated[int, typer.Option(help="anneal: passes over all variables for each.")], 1_000),
    "layers": (Annotated[int, typer.Option(help="qaoa: how often phase and mixer are applied.")], 8),
    "mixer": (
        Annotated[str, typer.Option(help="qaoa: auto | xy-ring | xy-complete | grover | x | grover-global")],
        "auto",
    ),
    "angles": (Annotated[str, typer.Option(help="qaoa: optimised | transfer | ramp")], "optimised"),
    "aim": (Annotated[str, typer.Option(help="qaoa: gibbs | cvar | mean: what angles make small")], "gibbs"),
    "betas": (Annotated[str, typer.Option(help="qaoa: shared | own (an angle for each mixer)")], "shared"),
    "evaluations": (
        Annotated[int | None, typer.Option(help="qaoa: most simulations to choose angles; up to 500 if not given.")],
        None,
    ),
}


def with_choices(*left_out: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command all of `CHOICES` but those left out as options; it receives them as one dictionary ``options``."""
    chosen = {name: declared for name, declared in CHOICES.items() if name not in left_out}

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        kept = [p for p in own.parameters.values() if p.name != "options"]
        added = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
            for name, (kind, default) in chosen.items()
        ]

        @wraps(command)
        def run(**arguments: Any) -> None:
            options = {name: arguments.pop(name) for name in chosen}
            command(**arguments, options=options)

        keyword = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in kept]
        run.__signature__ = own.replace(parameters=[*keyword, *added])  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in [*keyword, *added]}
        return run

    return decorated

"""The command ``gatesolve qubo``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gatesolve.cli.console import open_console, print_json
from gatesolve.cli.options import Asked, command
from gatesolve.errors import InputError
from gatesolve.files import check_place

if TYPE_CHECKING:
    from gatesolve.api.formulate import Penalties, QuboReport


@dataclass(frozen=True)
class QuboForm:
    """The form of a QUBO."""

    formulation: Annotated[str, typer.Option(help="model | published (as papers and blogs print it)")] = "model"
    encoding: Annotated[
        str, typer.Option(help="auto | one-hot | binary | domain-wall | table; auto: one bit a two-valued variable")
    ] = "auto"
    presolve: Annotated[str, typer.Option(help="none | propagate | affine")] = "none"
    penalty: Annotated[
        list[str] | None,
        typer.Option(metavar="WEIGHT|START=WEIGHT", help="For all constraints, or those whose text starts so."),
    ] = None
    codewords_only: Annotated[
        bool, typer.Option("--codewords-only", help="Penalise nothing that the encoding enforces.")
    ] = False
    quadratic: Annotated[
        bool, typer.Option("--quadratic", help="Auxiliary variables where a term would have more than two.")
    ] = False


@command()
def qubo(
    *,
    asked: Asked,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write it: .qubo, .coo or .lp, with a .json beside it, or .json alone"),
    ] = None,
    form: QuboForm,
) -> None:
    """Write a puzzle as a QUBO, or a QUBO in another format."""
    from gatesolve.api.formulate import FormulationRequest, report_formulation

    if output is not None:
        from gatesolve.formats.files import check_suffix

        check_suffix(str(output))
        check_place(output)
    made = report_formulation(
        asked.source, asked.family, FormulationRequest(**{**vars(form), "penalty": read_weights(form.penalty or [])})
    )
    files: tuple[Path, ...] = ()
    if output is not None:
        from gatesolve.formats.files import write_qubo

        files = write_qubo(made.qubo, output)
    if asked.as_json:
        print_json({**made.as_dict(), "files": [str(path) for path in files]})
        return
    _print(made, files)


def read_weights(given: list[str]) -> Penalties:
    """Return the weights of ``--penalty``: one for all, or by the start of constraints' texts."""
    from gatesolve.qubo.numerals import Place, read_number

    if len(given) == 1 and "=" not in given[0]:
        return read_number(given[0], Place("--penalty"), "weight")
    # From the right: the text of a constraint may itself contain equals signs.
    named = [text.rpartition("=") for text in given]
    if any("=" not in text for text in given):
        raise InputError("--penalty: give one WEIGHT for all constraints, or START=WEIGHT for each")
    return {start.strip(): read_number(word.strip(), Place("--penalty"), "weight") for start, _, word in named} or None


def _print(made: QuboReport, files: tuple[Path, ...]) -> None:
    from gatesolve.qubo.numerals import count_noun

    facts = made.as_dict()
    out = open_console()
    out.print(made.title, style="bold")
    for line in made.facts:
        out.print(line, soft_wrap=True)
    out.print(
        f"{count_noun(facts['variables'], 'variable')}, {count_noun(facts['terms'], 'term')}, "
        f"{count_noun(facts['couplings'], 'coupling')}, degree {facts['degree']}, offset {facts['offset']:g}"
    )
    if made.ground is not None:
        out.print(f"energy of a solution: {float(made.ground):g}{made.beside}")
    if facts["lowest_energy"] is not None:
        lowest, states = facts["lowest_energy"], facts["lowest_states"]
        out.print(f"lowest energy: {lowest:.15g}, of {count_noun(states, 'state')}")
    if files:
        out.print(f"written: {', '.join(map(str, files))}", soft_wrap=True)

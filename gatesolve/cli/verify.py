"""The command ``gatesolve verify``, and claims as lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, NoReturn, Protocol

import typer

from gatesolve.cli.console import open_console, print_json
from gatesolve.cli.options import Json, command
from gatesolve.errors import InputError, one_line
from gatesolve.extensions import Registered

EXITS = {"proved": 0, "refused": 1, "sampled": 3, "unchecked": 3}


@dataclass(frozen=True)
class Judged:
    """A problem by which anyone's oracle is judged."""

    problem: Annotated[
        str | None, typer.Option(help="Judge any oracle by this problem: a puzzle file or a certificate.")
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option(help="With --problem: one-hot | binary | domain-wall, of the data qubits; if not given, binary."),
    ] = None
    map: Annotated[
        Path | None, typer.Option("--map", help='With --problem: JSON file, {"data": LIST, "output": QUBIT}.')
    ] = None
    output_map: Annotated[
        Path | None,
        typer.Option(help="With --problem: JSON list of each qubit's place after routing, or {QUBIT: PLACE}."),
    ] = None
    family: Annotated[str | None, typer.Option(help="With --problem: its puzzle family.")] = None


@command()
def verify(
    *,
    file: Annotated[Path, typer.Argument(help="FILE.qasm, FILE.qasm3, or with --problem FILE.qpy.")],
    certificate: Annotated[
        Path | None, typer.Option(help="Certificate of the circuit; if not given, board.cert.json for board.qasm.")
    ] = None,
    judged: Judged,
    as_json: Json = False,
) -> None:
    """Prove a circuit again, or judge anyone's oracle by a problem.

    Exit 0 proved, 1 refused, 2 bad input, 3 where a layer is only sampled or unchecked.
    """
    from gatesolve.api import certify_file

    if judged.problem is not None:
        if certificate is not None:
            raise InputError("give --problem or --certificate, not both")
        # `judge` ends the program.
        judge(file, judged.problem, judged, as_json)
    if idle := [f"--{name.replace('_', '-')}" for name, value in vars(judged).items() if value is not None]:
        raise InputError(f"a proof by the certificate does not use {idle[0]}: leave it out, or give --problem")
    if certificate is None and file.is_file() and not (beside := certify_file.find_certificate(file)).exists():
        mend = "give --certificate, or --problem to judge another program's oracle"
        raise InputError(f"no certificate {beside.name} beside it: {mend}", source=str(file))
    found = certify_file.verify(file, certificate)
    if as_json:
        claims = [asdict(claim) for claim in found.claims]
        print_json({"status": found.status, "problem": found.title, "extent": found.extent, "claims": claims})
    else:
        out = open_console()
        out.print(f"problem: {one_line(found.title)}", soft_wrap=True)
        if found.extent:
            out.print(one_line(found.extent), soft_wrap=True)
        print_claims(found.claims)
        out.print(f"verdict: {found.status}")
    raise typer.Exit(EXITS[found.status])


def judge(file: Path, problem: str, judged: Judged, as_json: bool) -> NoReturn:
    """Judge an oracle, its qubits where two maps place them before and after, report, and end."""
    from gatesolve.api import judge_file

    found = judge_file.judge(
        file,
        problem,
        encoding=Registered("binary" if judged.encoding is None else judged.encoding),
        layout=judged.map,
        output_map=judged.output_map,
        family=judged.family,
    )
    if as_json:
        print_json({**asdict(found), "claim": asdict(found.claim), "status": found.status})
    else:
        out = open_console()
        gates = ", ".join(f"{number} {name}" for name, number in sorted(found.gates.items()))
        out.print(f"problem: {one_line(found.title)}", soft_wrap=True)
        counts = f"{found.qubits} qubits, {found.data} of them data; depth {found.depth}: {gates}"
        out.print(one_line(counts), soft_wrap=True)
        out.print(f"{found.codewords} codewords; {found.seen}")
        if found.applied:
            out.print(found.applied, soft_wrap=True)
        if found.aside:
            out.print(found.aside, soft_wrap=True)
        print_claims([found.claim])
        out.print(f"verdict: {found.status}")
    raise typer.Exit(EXITS[found.status])


class Stated(Protocol):
    """A claim."""

    @property
    def status(self) -> str:
        """Return how the claim is known."""


def print_claims(claims: Sequence[Stated]) -> None:
    """Print one line a claim."""
    out = open_console()
    for claim in claims:
        # A claim that is not proved may contain names from outside; wrapped, they could begin a line of their own.
        out.print(one_line(str(claim)), soft_wrap=claim.status != "proved")

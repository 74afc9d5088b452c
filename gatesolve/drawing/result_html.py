"""A result as notebooks show it: the board, what became of it, what the circuit costs."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence

from gatesolve.circuit.counting import Resources
from gatesolve.circuit.notebook import html_table, html_text

COLOURS = {"solved": "#1b7f3b", "infeasible": "#9a6700"}
"""Of the status; any other is red."""


def result_html(
    title: str,
    status: tuple[str, str],
    picture: bytes | None,
    solution: Mapping[str, int] | None,
    lines: Sequence[str],
    resources: Mapping[str, Resources],
) -> str:
    """HTML in which nothing of a file or a name is code.

    Args:
        title: of the problem.
        status: and the message on it.
        picture: the board as PNG, where there is one.
        solution: shown as a table where there is no board.
        lines: said below.
        resources: counts by the name of the circuit.
    """
    # Names and messages may come from a file, so all text goes through `html_text`.
    word, message = status
    shown = [f"<p><b>{html_text(title)}</b><br>"]
    colour = COLOURS.get(word, "#b42318")
    shown.append(f'<b style="color:{colour}">{html_text(word)}</b>: {html_text(message)}</p>')
    if picture is not None:
        data = b64encode(picture).decode()
        shown.append(
            f'<img alt="the board" style="max-width:360px;max-height:480px" src="data:image/png;base64,{data}">'
        )
    elif solution:
        shown.append(html_table("solution", solution.items()))
    shown += [f"<p>{'<br>'.join(html_text(' '.join(line.split())) for line in lines)}</p>"] if lines else []
    if resources:
        costly = next(iter(resources.values())).costly[0]
        rows = [
            (name, r.gates, r.qubits, r.cx, r.costly[1], r.depth, r.two_qubit_depth, r.total)
            for name, r in resources.items()
        ]
        head = ("circuit", "gate set", "qubits", "CX", costly, "depth", "CX depth", "gates")
        shown.append(html_table("resources", rows, head))
    return "".join(shown)

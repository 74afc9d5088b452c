"""Terminal report of `gatesolve pareto`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gatesolve.api.pareto import ParetoFront, Row
from gatesolve.api.pareto.measure import ESTIMATED
from gatesolve.api.words import render_options
from gatesolve.costs import WHOLE_CIRCUIT

MOST_REASONS = 8
"""Reasons of refusal listed one by one."""
COUNTS = ("success", "qubits", "CX", "T", "depth", "exp. CX")
"""Columns of numbers."""


def print_front(out: Console, front: ParetoFront, most_rows: int, metric: str | None) -> None:
    """Print the front, the best, what did not fit, and what was reused."""
    out.print(Text(front.title, style="bold"))
    for gates in dict.fromkeys(row.gates for row in front.rows):
        out.print(front_table(front, gates, most_rows))
    if metric is not None:
        row = front.best(metric)
        out.print(Text.assemble((f"best by {metric}", "bold green"), f": {_describe_row(row)}"))
        # Not wrapped, so that it can be copied.
        out.print(Text(front.command(row)), soft_wrap=True)
    for line in list_refusals(front):
        out.print(line)
    if front.left_out:
        out.print(render_options(f"no time for {front.left_out} candidates: thorough=True takes as long as it needs"))
    more = "" if front.thorough else render_options("; thorough=True tries every way")
    out.print(Text(f"{front.computed} circuits compiled, {front.reused} reused from the store{more}", style="dim"))


def front_table(front: ParetoFront, gates: str, most_rows: int) -> Table:
    """The rows of the front in a gate set, cheapest in CX first; columns that say nothing in every row are left out."""
    rows = [row for row in front.rows if row.gates == gates]
    measured = sum(row.gates == gates for row in front.measured)
    table = Table(title=f"Pareto front in {gates}: {len(rows)} of {measured} rows", title_justify="left")
    cells = [_format_cells(row) for row in _choose_rows(rows, most_rows)]
    left_out = [name for name, plain in (("for", "cx"), ("T", "-")) if all(line[name] == plain for line in cells)]
    for name in cells[0]:
        if name not in left_out:
            table.add_column(name, justify="right" if name in COUNTS else "left", overflow="fold")
    for line in cells:
        table.add_row(*(text for name, text in line.items() if name not in left_out))
    notes = []
    if any(row.settings.get("measured") for row in rows):
        notes.append("+m: logical ANDs erased by measurement")
    if len(rows) > most_rows:
        notes.append(f"{most_rows} of {len(rows)} rows: rows={len(rows)} shows all, csv=FILE writes them")
    if any(row.method == ESTIMATED for row in rows):
        notes.append("* no time to count it whole: estimated from the first iterations")
    if any(row.method not in {WHOLE_CIRCUIT, ESTIMATED} for row in rows):
        notes.append("* one iteration measured, times the iterations; depth is an upper bound")
    if notes:
        table.caption, table.caption_justify = render_options("\n".join(notes)), "left"
    return table


def _choose_rows(rows: Sequence[Row], most: int) -> Sequence[Row]:
    """Evenly chosen rows, the first and the last among them."""
    if len(rows) <= most:
        return rows
    if most == 1:
        return rows[:1]
    return [rows[k * (len(rows) - 1) // (most - 1)] for k in range(most)]


def _format_cells(row: Row) -> dict[str, str]:
    star = "" if row.method == WHOLE_CIRCUIT else "*"
    return {
        "encoding": row.encoding,
        "level": row.level,
        "for": str(row.settings.get("optimize", "cx")) + ("+m" if row.settings.get("measured") else ""),
        "anc.": str(row.settings.get("ancillas", "any")),
        "iter.": f"{row.iterations}{' exact' if row.exact else ''}{star}",
        "success": f"{row.success:.4f}",
        "qubits": str(row.qubits),
        "CX": str(row.cx),
        "T": "-" if row.t is None else str(row.t),
        "depth": str(row.depth),
        "exp. CX": f"{row.expected_cx:.1f}" if row.expected_cx < 1000 else f"{row.expected_cx:.0f}",
    }


def _describe_row(row: Row) -> str:
    t = "" if row.t is None else f", {row.t} T"
    exact = ", exact" if row.exact else ""
    return (
        f"{row.qubits} qubits, {row.cx} CX{t}, depth {row.depth}, success {row.success:.6f} in {row.iterations} "
        f"iteration{'' if row.iterations == 1 else 's'}{exact} ({row.gates}, {row.encoding}, {row.level} oracle)"
    )


def list_refusals(front: ParetoFront) -> list[Text]:
    """The candidates that do not fit, in short: each reason once."""
    if not front.refused:
        return []
    reasons = Counter(reason for _, reason in front.refused)
    lines = [Text(f"{len(front.refused)} candidates do not fit:")]
    for reason, number in reasons.most_common(MOST_REASONS):
        first = next(settings for settings, why in front.refused if why == reason)
        words = " ".join(f"{name}={value}" for name, value in first.items())
        more = f" (and {number - 1} more)" if number > 1 else ""
        lines.append(Text(f"  {words}{more}: {render_options(reason)}"))
    if len(reasons) > MOST_REASONS:
        lines.append(Text(f"  and {len(reasons) - MOST_REASONS} more reasons: the JSON lists all"))
    return lines

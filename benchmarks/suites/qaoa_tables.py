"""Tables and picture of docs/qaoa.md from the rows of qaoa.csv."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.core import report
from benchmarks.core.places import DOCS
from benchmarks.suites import qaoa_cases
from benchmarks.suites.qaoa_rows import BLOCKS, GAS, GROVER, OWN, QAOA, SHARED, XY, Row, X, best

PAGE = DOCS / "qaoa.md"
PICTURE = PAGE.parent / "pictures" / "qaoa.png"
HEADER = ["problem", "way", "betas", "encoding", "states", "best", "depth", "qubits", "P", "CX", "CX / P", "ratio",
          "simulations", "start"]  # fmt: skip
DEPTHS = (1, 2, 4, 8, 10)
KAKURO = ("K4", "K7")
COLOURS = {X: "#888888", XY: "#1f77b4", BLOCKS: "#d95f02", GROVER: "#1b9e77", GAS: "#7570b3"}
MARKS = {X: "x", XY: "o", BLOCKS: "s", GROVER: "^", GAS: "D"}


def lines(rows: Sequence[Row]) -> list[list[object]]:
    """One line a row under `HEADER`."""
    return [
        [row.problem, row.way, row.betas, row.encoding, row.states, row.best, row.depth, row.qubits, row.probability,
         row.cx, round(row.price), row.ratio, row.evaluations, row.start]
        for row in rows
    ]  # fmt: skip


def _groups(rows: Sequence[Row], names: Sequence[str]) -> list[list[Row]]:
    """Rows of one problem and QAOA."""
    found = [
        [row for row in rows if (row.problem, row.way, row.betas) == (name, way, betas)]
        for name in names
        for way in QAOA
        for betas in (SHARED, OWN)
    ]
    return [group for group in found if group]


def depth_table(rows: Sequence[Row]) -> str:
    """P and CX of every QAOA by depth."""
    header = ["problem", "presolve", "QAOA", "betas", "states", "solutions", "qubits"]
    header += [f"p = {depth}" for depth in DEPTHS] + ["least CX / P"]
    found = []
    for group in _groups(rows, qaoa_cases.NAMES):
        first, by_depth = group[0], {row.depth: row for row in group}
        cells = [f"{by_depth[p].probability:.3g}, {by_depth[p].cx:,}" if p in by_depth else None for p in DEPTHS]
        least = min(group, key=lambda row: row.price)
        found.append([first.problem, first.presolve, first.way, first.betas, first.states, first.best, first.qubits,
                      *cells, f"{round(least.price):,} (p = {least.depth})"])  # fmt: skip
    return report.markdown_table(header, found)


def winner_table(rows: Sequence[Row]) -> str:
    """CX for a solution by every pipeline, the least of each board in bold; own betas take no part in that."""
    header = ["problem", X, XY, "Grover, one-hot", "GAS, one-hot", BLOCKS, "Grover, table", "GAS, table"]
    found = []
    for name in [case.name for case in qaoa_cases.CASES if not case.is_energy]:
        unary, table = _encodings(rows, name)
        picked = [_both(rows, name, X), _both(rows, name, XY), _searched(rows, name, GROVER, unary),
                  _searched(rows, name, GAS, unary), _both(rows, name, BLOCKS), _searched(rows, name, GROVER, table),
                  _searched(rows, name, GAS, table)]  # fmt: skip
        prices = [round(row.price) for cell in picked for row in cell if row.betas != OWN]
        if prices:
            found.append([name, *(_prices(cell, min(prices)) for cell in picked)])
    return report.markdown_table(header, found)


def _both(rows: Sequence[Row], name: str, way: str) -> list[Row]:
    """The best with one beta a layer, and with one a mixer."""
    return [row for betas in (SHARED, OWN) if (row := best(rows, name, way, betas=betas)) is not None]


def _prices(cell: Sequence[Row], least: int) -> str | None:
    shown = [f"{round(row.price):,}" for row in cell]
    bold = [row.betas != OWN and round(row.price) == least for row in cell]
    return " / ".join(f"**{s}**" if b else s for s, b in zip(shown, bold, strict=True)) or None


def _searched(rows: Sequence[Row], name: str, way: str, encoding: str | None) -> list[Row]:
    row = None if encoding is None else best(rows, name, way, encoding)
    return [] if row is None else [row]


def _encodings(rows: Sequence[Row], name: str) -> tuple[str | None, str | None]:
    """What the spaces of XY and of block-Grover are called."""
    found = {row.way: row.encoding for row in rows if row.problem == name}
    return found.get(XY), found.get(BLOCKS)


def merit_table(rows: Sequence[Row]) -> str:
    """Approximation ratio and P(optimum) by depth, where something is made large or small."""
    header = ["problem", "QAOA", "betas", "states", "optima"]
    header += [f"p = {depth}" for depth in DEPTHS if depth <= 8]
    found = []
    for group in _groups([row for row in rows if row.ratio is not None], qaoa_cases.NAMES):
        first, by_depth = group[0], {row.depth: row for row in group}
        cells = [_merit(by_depth[p]) if p in by_depth else None for p in DEPTHS if p <= 8]
        found.append([first.problem, first.way, first.betas, first.states, first.best, *cells])
    return report.markdown_table(header, found)


def _merit(row: Row) -> str:
    objective = "" if row.objective is None else f" ({row.objective:.3f})"
    return f"{row.ratio:.3f}{objective}, {row.probability:.3g}"


TABLES = {"qaoa-depth": depth_table, "qaoa-winners": winner_table, "qaoa-merit": merit_table}


def with_tables(text: str, rows: Sequence[Row]) -> str:
    """The page with its tables made from the rows."""
    for name, make in TABLES.items():
        begin = f"<!-- table:{name} -->\n"
        before, rest = text.split(begin)
        text = f"{before}{begin}{make(rows)}\n<!-- end -->{rest.split('<!-- end -->', 1)[1]}"
    return text


def write_page(rows: Sequence[Row]) -> None:
    """Replace the tables of docs/qaoa.md and draw the picture."""
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
    draw(rows, PICTURE)


def draw(rows: Sequence[Row], path: Path) -> None:
    """P against CX of K4 and K7, and CX for a solution on every board."""
    figure = Figure(figsize=(12, 8), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1, 1.4))
    for axes, name in zip(left.subplots(2, 1), KAKURO, strict=True):
        _curves(axes, [row for row in rows if row.problem == name], name)
    _boards(right.subplots(), rows)
    figure.savefig(path, dpi=90, metadata={"Software": None})


def _curves(axes: Axes, rows: Sequence[Row], name: str) -> None:
    keys = dict.fromkeys((row.way, row.betas, row.encoding) for row in rows if row.way != GAS)
    for way, betas, encoding in keys:
        found = [row for row in rows if (row.way, row.betas, row.encoding) == (way, betas, encoding)]
        label = f"{way}, {encoding}" if way == GROVER else f"{way}, {betas} betas"
        style = "--" if way == GROVER else ":" if betas == OWN else "-"
        fill = "none" if betas == OWN or (way == GROVER and encoding == "table") else "full"
        cx, chance = [row.cx for row in found], [row.probability for row in found]
        axes.plot(cx, chance, style, marker=MARKS[way], color=COLOURS[way], fillstyle=fill, label=label)
    axes.set(xscale="log", ylim=(0, 1.03), xlabel="CX of the circuit", ylabel="P(solution)", title=name)
    axes.legend(fontsize=7)
    axes.grid(alpha=0.3)


def _boards(axes: Axes, rows: Sequence[Row]) -> None:
    names = [case.name for case in reversed(qaoa_cases.CASES) if any(row.problem == case.name for row in rows)]
    ways = [*((way, SHARED) for way in QAOA), (GROVER, ""), (GAS, "")]
    for number, (way, betas) in enumerate(ways):
        found = [(row, k) for k, name in enumerate(names) if (row := best(rows, name, way, betas=betas)) is not None]
        label = f"{way}, {betas} betas" if betas else way
        heights = [k + 0.24 - 0.12 * number for _, k in found]
        axes.scatter(
            [max(1.0, row.price) for row, _ in found], heights, marker=MARKS[way], color=COLOURS[way], label=label, s=30
        )
    axes.set(xscale="log", xlabel="CX for a solution: CX / P, for GAS the mean of a search", yticks=range(len(names)))
    axes.set_yticklabels(names, fontsize=8)
    axes.set_title("the best circuit of every pipeline")
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)

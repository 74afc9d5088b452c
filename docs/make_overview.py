"""Draws docs/overview.png from a real run on examples/kakuro/contest.txt.

python docs/make_overview.py
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

import gatesolve
from gatesolve.circuit import And, Ops, Parity, PhaseFlip
from gatesolve.encodings import Space
from gatesolve.puzzles.kakuro.grid import Black, White, cell_name
from gatesolve.puzzles.kakuro.puzzle import Kakuro

ROOT = Path(__file__).parents[1]
INK, GREY, LINE = "#1d1d1f", "#6e6e73", "#9a9aa0"
BLOCKS = ("#bcd4f6", "#f8d9a8", "#c5e6c3")
WIRES = ("#2f6fd0", "#c07a12", "#3c8f3a")
LEFT, RIGHT, ANSWER = "#1a56c4", "#b3261e", "#1a56c4"
WIDTH, HEIGHT, DPI = 16.0, 10.9, 100


def main() -> None:
    """Run, draw, save."""
    result = gatesolve.solve(ROOT / "examples/kakuro/contest.txt", presolve="none", backend="aer", shots=1024, seed=0)
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/overview.png"
    picture(result).savefig(path, dpi=DPI, metadata={"Software": None})


def picture(result: gatesolve.Result) -> Figure:
    """The five panels, in the order of the data's way."""
    puzzle, compiled = result.problem.puzzle, result.compiled
    if not isinstance(puzzle, Kakuro) or compiled is None or result.solution is None:
        raise SystemExit(f"not solved: {result.message}")
    figure = Figure(figsize=(WIDTH, HEIGHT), facecolor="white")
    space = compiled.program.space
    homes = {name: k for name, (k, _) in space.home.items()}
    draw_board(_panel(figure, 0.3, 5.6, 3.7, 4.6, "1  Puzzle"), puzzle, homes, {})
    draw_space(_panel(figure, 4.4, 5.6, 4.0, 4.6, "2  Search space"), result, space)
    draw_oracle(_panel(figure, 8.95, 5.6, 6.9, 4.6, "3  Oracle"), compiled.program.oracle.ops, result, space)
    draw_counts(_panel(figure, 1.0, 1.15, 10.2, 3.1, "4  Measured", indent=0.7), result)
    draw_board(_panel(figure, 12.0, 0.5, 3.7, 3.75, "5  Answer"), puzzle, homes, result.solution)
    return figure


def _panel(
    figure: Figure, left: float, bottom: float, width: float, height: float, title: str, indent: float = 0
) -> Axes:
    """Axes placed in inches, measured in inches, titled above; ``indent`` moves the title left."""
    axes = figure.add_axes((left / WIDTH, bottom / HEIGHT, width / WIDTH, height / HEIGHT))
    axes.set_xlim(0, width)
    axes.set_ylim(0, height)
    axes.set_axis_off()
    figure.text(
        (left - indent) / WIDTH,
        (bottom + height + 0.18) / HEIGHT,
        title,
        fontsize=23,
        color=INK,
        weight="bold",
        va="bottom",
    )
    return axes


def draw_board(axes: Axes, puzzle: Kakuro, homes: Mapping[str, int], solution: Mapping[str, int]) -> None:
    """The board, white cells tinted by their block; below it what judged the answer, or the rules."""
    side = 3.7 / len(puzzle.grid[0])
    top = axes.get_ylim()[1]
    for r, row in enumerate(puzzle.grid):
        for c, cell in enumerate(row):
            x, y = c * side, top - (r + 1) * side
            name = cell_name((r, c))
            fill = INK if isinstance(cell, Black) else BLOCKS[homes[name]]
            axes.add_patch(Rectangle((x, y), side, side, facecolor=fill, edgecolor=LINE, linewidth=1.5, clip_on=False))
            if isinstance(cell, White):
                text = str(solution.get(name, ""))
                _text(axes, x + side / 2, y + side / 2, text, 30, ANSWER, weight="bold")
            elif cell != Black():
                axes.plot([x, x + side], [y + side, y], color="white", linewidth=1, clip_on=False)
                down = "" if cell.down is None else str(cell.down)
                across = "" if cell.across is None else str(cell.across)
                _text(axes, x + 0.29 * side, y + 0.27 * side, down, 19, "white")
                _text(axes, x + 0.72 * side, y + 0.74 * side, across, 19, "white")
    if solution:
        _text(axes, 0, top - 4 * side - 0.28, "accepted by the puzzle's own rules", 15, GREY, ha="left")
    else:
        low = top - 4 * side
        _text(
            axes, 0, low - 0.35, f"values {puzzle.low} to {puzzle.high}, all different in a run;", 15, GREY, ha="left"
        )
        _text(axes, 0, low - 0.68, "each run adds up to its sum", 15, GREY, ha="left")


def draw_space(axes: Axes, result: gatesolve.Result, space: Space) -> None:
    """One card a block: its tuples and its qubits."""
    y, first = 4.6, 0
    for k, block in enumerate(space.blocks):
        rows = [" ".join(map(str, t)) for t in block.tuples]
        lines = [rows[i : i + 3] for i in range(0, len(rows), 3)]
        height = 0.62 + 0.36 * len(lines)
        axes.add_patch(
            FancyBboxPatch(
                (0.05, y - height),
                3.9,
                height,
                "round,pad=0,rounding_size=0.1",
                facecolor=BLOCKS[k],
                edgecolor="none",
                clip_on=False,
            )
        )
        last = first + block.num_qubits - 1
        qubits = f"qubit {first}" if last == first else f"qubits {first} to {last}"
        _text(axes, 0.25, y - 0.3, f"{len(block.variables)} cells, {qubits}", 16, INK, ha="left", weight="bold")
        for i, line in enumerate(lines):
            _text(axes, 0.25, y - 0.68 - 0.36 * i, "    ".join(line), 16, INK, ha="left", family="DejaVu Sans Mono")
        y, first = y - height - 0.15, last + 1
    sizes = " x ".join(str(b.size) for b in space.blocks)
    cells = len(space.variables)
    free = result.problem.model.num_assignments
    _text(axes, 0.05, y - 0.48, f"(4 values a cell: 4^{cells} = {free:,})", 15, GREY, ha="left")
    _text(axes, 0.05, y - 0.15, f"{sizes} = {space.size} states", 15, GREY, ha="left")


def draw_oracle(axes: Axes, ops: Ops, result: gatesolve.Result, space: Space) -> None:
    """The operations as they are: logical ANDs of parities, one phase, the ANDs undone."""
    assert result.oracle_resources is not None
    wires = result.oracle_resources.qubits
    pitch, step, left = 0.335, 0.465, 0.7
    height = {w: 4.45 - pitch * w for w in range(wires)}
    block = {q: k for k in range(len(space.blocks)) for q in space.block_qubits(k)}
    end = left + step * len(ops) + 0.05
    for w in range(wires):
        colour = WIRES[block[w]] if w in block else LINE
        axes.plot([left - 0.15, end], [height[w]] * 2, color=colour, linewidth=1.6, zorder=1)
        _text(axes, left - 0.25, height[w], f"q{w}" if w in block else f"a{w - len(block)}", 13, colour, ha="right")
    for number, op in enumerate(ops):
        x = left + step * (number + 0.5)
        if isinstance(op, And):
            _factor(axes, x - 0.06, op.left, LEFT, height, height[op.target])
            _factor(axes, x + 0.06, op.right, RIGHT, height, height[op.target])
            _box(axes, x, height[op.target], "&")
        elif isinstance(op, PhaseFlip):
            ys = [height[w] for f in op.factors for w in f.wires]
            axes.plot([x, x], [min(ys), max(ys)], color=INK, linewidth=2, zorder=2)
            for y in ys:
                _box(axes, x, y, "Z", INK, "white")
    counts = result.oracle_resources
    bottom = height[wires - 1]
    _text(axes, 0, bottom - 0.42, "&: AND onto a clean ancilla. Dots of one colour: their XOR,", 15, GREY, ha="left")
    lowered = f"negated if hollow. Lowered: {counts.cx} CX, depth {counts.depth},"
    _text(axes, 0, bottom - 0.75, lowered, 15, GREY, ha="left")
    checked = _checked(result)
    _text(axes, 0, bottom - 1.08, f"checked on {checked} states, ancillas clean.", 15, GREY, ha="left")


def _checked(result: gatesolve.Result) -> str:
    """``all 24``, or how many of how many."""
    assert result.certificate is not None
    checked, of = result.certificate.checked, result.certificate.of
    return f"all {of}" if checked == of else f"{checked} of {of}"


def _factor(axes: Axes, x: float, parity: Parity, colour: str, height: Mapping[int, float], target: float) -> None:
    """Dots on the parity's wires and a line from them to the target; hollow dots where it is negated."""
    ys = [height[w] for w in parity.wires]
    axes.plot([x, x], [min([*ys, target]), max([*ys, target])], color=colour, linewidth=1.5, zorder=2)
    for y in ys:
        face = "white" if parity.constant else colour
        axes.add_patch(Circle((x, y), 0.065, facecolor=face, edgecolor=colour, linewidth=1.8, zorder=3))


def _box(axes: Axes, x: float, y: float, text: str, fill: str = "white", colour: str = INK) -> None:
    axes.add_patch(Rectangle((x - 0.15, y - 0.145), 0.3, 0.29, facecolor=fill, edgecolor=INK, linewidth=1.4, zorder=4))
    _text(axes, x, y - 0.01, text, 14, colour, weight="bold", zorder=5)


def draw_counts(axes: Axes, result: gatesolve.Result) -> None:
    """Shots by measured bit string, the accepted one in colour."""
    from gatesolve.simulate import aer

    compiled = result.compiled
    assert compiled is not None
    program, shots = compiled.program, result.options.shots
    counts = aer.run_circuit(program.circuit, shots, result.options.seed)
    width = program.space.num_qubits
    words = sorted(format(program.space.state(n), f"0{width}b") for n in range(program.space.size))
    axes.set_axis_on()
    axes.set_xlim(-0.7, len(words) - 0.3)
    axes.set_ylim(0, shots * 1.02)
    accepted = [program.space.decode(int(word, 2)) == result.solution for word in words]
    values = [counts.get(word, 0) for word in words]
    axes.bar(range(len(words)), values, color=[ANSWER if a else LINE for a in accepted], width=0.75)
    axes.set_xticks(range(len(words)), words, rotation=90, fontsize=14, family="DejaVu Sans Mono", color=INK)
    axes.set_yticks([0, shots // 2, shots], ["0", str(shots // 2), str(shots)], fontsize=14, color=INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    best = accepted.index(True)
    note = f"{values[best]} of {shots} shots are the solution\n{result.iterations} iterations; all qubits on Qiskit Aer"
    ahead = best < len(words) / 2
    axes.text(
        best + (0.8 if ahead else -0.8),
        shots * 0.97,
        note,
        fontsize=17,
        color=INK,
        va="top",
        ha="left" if ahead else "right",
        linespacing=1.5,
    )


def _text(axes: Axes, x: float, y: float, text: str, size: float, colour: str, **style: object) -> None:
    axes.text(x, y, text, fontsize=size, color=colour, va="center_baseline", **{"ha": "center", **style})  # type: ignore[arg-type]


if __name__ == "__main__":
    main()

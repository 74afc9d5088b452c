"""Draws docs/overview.png from a real run on examples/kakuro/contest.txt.

python docs/make_overview.py
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle
from qiskit.quantum_info import Statevector

import gatesolve
from gatesolve.circuit import Op, Ops, Parity
from gatesolve.encodings import Space
from gatesolve.puzzles.kakuro import Black, Kakuro, White, cell_name

ROOT = Path(__file__).parents[1]
CONTEST = ROOT / "examples/kakuro/contest.txt"
PICTURE = ROOT / "docs/overview.png"
INK, GREY, LINE = "#1d1d1f", "#6e6e73", "#9a9aa0"
BLOCKS = ("#bcd4f6", "#f8d9a8", "#c5e6c3")
WIRES = ("#2f6fd0", "#c07a12", "#3c8f3a")
FACTORS, ANSWER = ("#1d1d1f", "#b3261e", "#6b2fa0"), "#1a56c4"
WIDTH, HEIGHT, DPI = 16.0, 5.9, 100
SIDE, FLOOR = 3.3, 1.8
"""Of the boards in inches, and how high above the picture's lower edge they stand."""


def main() -> None:
    """Run, draw, save."""
    result = run()
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE
    picture(result).savefig(path, dpi=DPI, metadata={"Software": None, "Description": figures(result)})


def run() -> gatesolve.Result:
    """Solve the board of the picture."""
    return gatesolve.solve(CONTEST, presolve="none", backend="aer", shots=1024, seed=0)


def figures(result: gatesolve.Result) -> str:
    """Return the numbers of the picture; they stand in its file too, where a test compares them with a new run."""
    counts = result.oracle_resources
    assert counts is not None
    signs = " ".join(op.glyph().sign for op in _oracle(result))
    return f"{counts.cx} CX, {counts.qubits} wires: {signs}; {_checked(result)}; {result.iterations}; {_shots(result)}"


def picture(result: gatesolve.Result) -> Figure:
    """The four panels: board, circuit, amplitudes, board."""
    puzzle, compiled = result.problem.puzzle, result.compiled
    if not isinstance(puzzle, Kakuro) or compiled is None or result.solution is None:
        raise SystemExit(f"not solved: {result.message}")
    figure = Figure(figsize=(WIDTH, HEIGHT), facecolor="white")
    space = compiled.program.space
    homes = {name: k for name, (k, _) in space.home.items()}
    first, last = _panel(figure, 0.3, SIDE, "1  Puzzle"), _panel(figure, 12.4, SIDE, "4  Answer")
    draw_board(first, puzzle, homes, {})
    _caption(first, "values 0 to 3, no value twice in a", "run; each run adds up to its sum")
    draw_oracle(_panel(figure, 4.35, 3.3, "2  Circuit"), _oracle(result), result, space)
    draw_amplitudes(_panel(figure, 8.6, 3.5, "3  Amplitudes"), result)
    draw_board(last, puzzle, homes, result.solution)
    _caption(last, f"{_shots(result)},", "accepted by the puzzle's rules")
    for x in (3.75, 8.05, 11.85):
        start, end = ((at / WIDTH, (FLOOR + SIDE / 2) / HEIGHT) for at in (x, x + 0.4))
        figure.add_artist(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=26, linewidth=2.5, color=GREY))
    return figure


def _panel(figure: Figure, left: float, width: float, title: str) -> Axes:
    """Axes placed in inches, measured in inches, titled above."""
    axes = figure.add_axes((left / WIDTH, FLOOR / HEIGHT, width / WIDTH, SIDE / HEIGHT))
    axes.set_xlim(0, width)
    axes.set_ylim(0, SIDE)
    axes.set_axis_off()
    axes.text(0, SIDE + 0.2, title, fontsize=23, color=INK, weight="bold", va="bottom")
    return axes


def _caption(axes: Axes, *lines: str) -> None:
    """Lines below a panel."""
    for k, line in enumerate(lines):
        _text(axes, 0, -0.35 - 0.33 * k, line, 15, GREY, ha="left")


def draw_board(axes: Axes, puzzle: Kakuro, homes: Mapping[str, int], solution: Mapping[str, int]) -> None:
    """The board, white cells tinted by their block."""
    side = SIDE / len(puzzle.grid[0])
    top = SIDE
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


def draw_oracle(axes: Axes, ops: Ops, result: gatesolve.Result, space: Space) -> None:
    """Draw each operation as its glyph says, and explain its signs."""
    assert result.oracle_resources is not None
    wires = result.oracle_resources.qubits
    left = 0.5
    step = (3.3 - left) / len(ops)
    height = {w: SIDE * (1 - (w + 0.5) / wires) for w in range(wires)}
    block = {q: k for k in range(len(space.blocks)) for q in space.block_qubits(k)}
    end = left + step * len(ops) + 0.05
    for w in range(wires):
        colour = WIRES[block[w]] if w in block else LINE
        axes.plot([left - 0.15, end], [height[w]] * 2, color=colour, linewidth=1.6, zorder=1)
        _text(axes, left - 0.25, height[w], f"q{w}" if w in block else f"a{w - len(block)}", 13, colour, ha="right")
    for number, op in enumerate(ops):
        draw_operation(axes, left + step * (number + 0.5), op, height)
    counts = result.oracle_resources
    _caption(
        axes,
        f"the oracle: {counts.cx} CX, one line per qubit",
        "● qubit is 1     ○ qubit is 0",
        "∧ all hold    † undo ∧    Z flip sign",
        "∧¬ black holds, but not both red",
    )


def draw_operation(axes: Axes, x: float, op: Op, height: Mapping[int, float]) -> None:
    """Draw an operation: its parities beside each other, and its sign on the wire that it changes.

    Raises:
        ValueError: an operation without a glyph, or one that does not fit this picture.
    """
    drawn = op.glyph()
    single = drawn.target is None and all(len(p.wires) == 1 and not p.constant for p in drawn.inputs)
    if single:
        ys = [height[w] for w in drawn.dots]
        axes.plot([x, x], [min(ys), max(ys)], color=INK, linewidth=2, zorder=2)
        for y in ys:
            _box(axes, x, y, drawn.sign, INK, "white")
        return
    if drawn.target is None or len(drawn.inputs) > len(FACTORS):
        raise ValueError(f"this picture has no place for {op}")
    # Colours keep apart what dots alone do not: parities of several wires, and the factors of an AND NOT.
    colours = FACTORS
    if all(len(factor.wires) == 1 for factor in drawn.inputs):
        colours = (INK, *[INK if len(drawn.inputs) < len(FACTORS) else FACTORS[1]] * 2)
    for k, (factor, colour) in enumerate(zip(drawn.inputs, colours, strict=False)):
        at = x + 0.1 * (k - (len(drawn.inputs) - 1) / 2)
        _factor(axes, at, factor, colour, height, height[drawn.target])
    _box(axes, x, height[drawn.target], drawn.sign)


def _oracle(result: gatesolve.Result) -> Ops:
    """Return the operations that are drawn."""
    assert result.program is not None
    return result.program.oracle.ops


def _shots(result: gatesolve.Result) -> str:
    """Return the share of shots that solve the board, and of how many."""
    return f"{result.success_probability:.1%} of {result.options.shots:,} shots"


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
    width = 0.2 + 0.06 * len(text)
    corner = (x - width / 2, y - 0.145)
    axes.add_patch(Rectangle(corner, width, 0.29, facecolor=fill, edgecolor=INK, linewidth=1.4, zorder=4))
    _text(axes, x, y - 0.01, text, 14 if len(text) == 1 else 11, colour, weight="bold", zorder=5)


def draw_amplitudes(panel: Axes, result: gatesolve.Result) -> None:
    """A row of bars for the start and each iteration: the amplitude of every filling, the solution's in colour."""
    assert result.compiled is not None
    space, rounds = result.compiled.program.space, result.iterations
    answer = next(n for n in range(space.size) if space.decode(space.state(n)) == result.solution)
    row = SIDE / (rounds + 1)
    for k in range(rounds + 1):
        vector = amplitudes(result, k)
        axes = panel.inset_axes((0.35, SIDE - (k + 1) * row, 2.45, 0.9 * row), transform=panel.transData)
        axes.bar(range(space.size), vector, color=[ANSWER if n == answer else LINE for n in range(space.size)])
        axes.axhline(0, color=INK, linewidth=1)
        axes.set_ylim(-0.3, 1)
        axes.set_axis_off()
        _text(panel, 0.12, SIDE - (k + 0.65) * row, str(k), 17, GREY)
        _text(panel, 3.1, SIDE - (k + 0.65) * row, f"{vector[answer]:.2f}", 17, ANSWER, weight="bold")
    # With fewer digits the square would differ from the probability.
    top = f"probability {vector[answer]:.4f}² = {vector[answer] ** 2:.4f}"
    _caption(panel, f"of all fillings after 0 to {rounds}", "iterations; blue: the solution,", top)


def amplitudes(result: gatesolve.Result, iterations: int) -> list[float]:
    """Of every filling after some iterations of the circuit, followed by Qiskit, without the sign that all share."""
    program = gatesolve.compile(CONTEST, presolve="none", iterations=iterations).program
    vector = Statevector(program.circuit.remove_final_measurements(inplace=False))
    found = [vector.data[program.space.state(n)].real for n in range(program.space.size)]
    return [(-1) ** iterations * number for number in found]


def _text(axes: Axes, x: float, y: float, text: str, size: float, colour: str, **style: object) -> None:
    axes.text(x, y, text, fontsize=size, color=colour, va="center_baseline", **{"ha": "center", **style})  # type: ignore[arg-type]


if __name__ == "__main__":
    main()

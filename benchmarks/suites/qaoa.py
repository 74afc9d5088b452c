"""QAOA in the Space beside Grover's search and GAS: P and CX at each depth, two boards of every family.

    python -m benchmarks qaoa [--only NAME ...] [--write]

P is the exact probability that one measurement is a solution, or optimal; CX are those of the whole lowered circuit,
so CX / P is what a solution costs on average. Angles are chosen by the costs' distribution, never by which states are
solutions. The tables and the picture are in docs/qaoa.md and
docs/contributors/tables.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.core import report
from benchmarks.core.places import DOCS, EXAMPLES
from benchmarks.core.report import say
from benchmarks.core.rows import Row, Table
from benchmarks.core.suite import Asked, Suite
from benchmarks.suites.gas import costs
from benchmarks.suites.gas_cases import Histogram, our_walk, spread, walk_cost
from gatesolve.api import Options, plan_problem
from gatesolve.api.calls import compile_problem
from gatesolve.encodings import encoding_label, make_spaces, unenforced_constraints
from gatesolve.errors import DoesNotFitError
from gatesolve.formats import Problem, as_problem
from gatesolve.model import Model, PresolveSetting, presolve
from gatesolve.pipelines import Compiled
from gatesolve.pipelines.gas.pipeline import make_settings, prepare_search
from gatesolve.pipelines.qaoa.compile import Ansatz
from gatesolve.planning import Clock
from gatesolve.programs import best_iterations, success_probability
from gatesolve.qubo import Cost, SoftConstraint, formulate_model, tabulate_costs
from gatesolve.simulate import probabilities

PAGE = DOCS / "qaoa.md"
TABLES = DOCS / "contributors" / "tables.md"
PICTURE = DOCS / "pictures" / "qaoa.png"
MOST_STATES = 1 << 20
"""States of the largest space in which angles are optimised here."""
FOLLOWED = 1 << 8
"""Codewords of the largest space in which the whole lowered circuit is followed."""
MOST_OWN = 1 << 17
"""Codewords of the largest space in which every mixer is given its own betas too."""
SEARCHES = 200
SEED = 0
X, XY, BLOCKS, GROVER, GAS = "X + penalties", "XY", "block-Grover", "Grover", "GAS"
QAOA = (X, XY, BLOCKS)
SHARED, OWN = "shared", "own"
DEPTHS, MORE = (1, 2, 4, 8), (1, 2, 4, 8, 10)
TABLE = Table(
    "qaoa",
    """
    problem      key      name of the case
    presolve     str      the setting used
    way          key      X + penalties, XY, block-Grover, Grover or GAS
    encoding     key      of the space
    depth        key-int  layers, or Grover's iterations; for GAS those of the likeliest circuit at its last threshold
    states       int      of the space
    best         int      states that are solutions, or optimal
    qubits       int      of the circuit
    probability  float    of measuring one of those; for GAS that of its circuit at the last threshold
    cx           int      of the whole lowered circuit; for GAS the mean of a whole search
    betas        key      of QAOA: shared by the mixers of a layer, or every mixer its own
    evaluations  int      simulations to choose the angles
    start        str      the start that led to them
    ratio        float    (worst - mean) / (worst - best) of the energy of a measurement; empty without an objective
    objective    float    mean objective of a measurement over the best one; what breaks a rule counts as nothing
    checked      int      codewords on which the phase layer, or the oracle, was compared
    followed     int      1 where the whole lowered circuit was followed and gives the simulation's probabilities
    """,
)


def price(row: Row) -> float:
    """Return CX for a solution: CX over probability; a search of GAS ends with one."""
    return float(row.cx) if row.way == GAS else row.cx / max(row.probability, 1e-300)


def best(rows: Iterable[Row], problem: str, way: str, encoding: str | None = None, betas: str = "") -> Row | None:
    """Return the circuit of the fewest CX for a solution, of one encoding and kind of betas if that is named."""
    found = [row for row in rows if row.problem == problem and row.way == way and encoding in (None, row.encoding)]
    return min((row for row in found if betas in ("", row.betas)), key=price, default=None)


@dataclass(frozen=True)
class Case:
    """A problem.

    Attributes:
        name: as the tables show it.
        file: under examples/.
        presolve: ``none`` where a space of one qubit a value then fits, or where propagation leaves nothing to do.
        depths: layers of the circuits.
    """

    name: str
    file: str
    presolve: str = "none"
    depths: tuple[int, ...] = DEPTHS

    @property
    def problem(self) -> Problem:
        """For gatesolve."""
        return as_problem(EXAMPLES / self.file)

    @property
    def is_energy(self) -> bool:
        """Whether it is a file of energies."""
        return self.file.startswith("qubo/")


CASES = (
    Case("K4", "kakuro/small.txt", depths=MORE),
    Case("K7", "kakuro/contest.txt", depths=MORE),
    Case("sudoku small", "sudoku/small.txt"),
    Case("sudoku sgt-3x3de5", "sudoku/sgt-3x3de5.txt", "propagate"),
    Case("takuzu hakank-4x4", "takuzu/hakank-4x4.txt"),
    Case("takuzu cylinder-counts-6x6", "takuzu/cylinder-counts-6x6.txt", "propagate"),
    Case("tango small", "tango/small.txt"),
    Case("tango brohit-2025-04-26", "tango/brohit-2025-04-26.txt"),
    Case("queens tiny-4x4", "queens/tiny-4x4.txt"),
    Case("queens general-5x6", "queens/general-5x6.txt"),
    Case("starbattle tiny-4x4-1", "starbattle/tiny-4x4-1.txt"),
    Case("starbattle irregular-6x6-1", "starbattle/irregular-6x6-1.txt"),
    Case("tents pzpr-5x5", "tents/pzpr-5x5.txt"),
    Case("tents weak-3x5", "tents/weak-3x5.txt"),
    Case("galaxies sgt-7x7du-1", "galaxies/sgt-7x7du-1.txt", "propagate"),
    Case("galaxies pzpr-5x5", "galaxies/pzpr-5x5.txt"),
    Case("chess max-2x2-kings", "chess/max-2x2-kings.txt"),
    Case("chess max-3x3-types", "chess/max-3x3-types.txt"),
    Case("independent-12.qubo", "qubo/independent-12.qubo"),
    Case("partition-12.coo", "qubo/partition-12.coo"),
)
NAMES = tuple(case.name for case in CASES)


def case(name: str) -> Case:
    """A case by its name."""
    return CASES[NAMES.index(name)]


def budget(states: int) -> int:
    """Simulations to choose angles, by the size of the space."""
    return 500 if states <= 1 << 14 else 200 if states <= 1 << 17 else 60


def presolved(case: Case) -> Model:
    """The model after the case's presolve."""
    setting: PresolveSetting = "propagate" if case.presolve == "propagate" else "none"
    return presolve(case.problem.model, setting)[0]


def ways(case: Case) -> Iterator[tuple[str, Problem, Options]]:
    """Each QAOA that fits: its name, what is handed in, and the choices."""
    problem = case.problem
    if case.is_energy:
        yield X, problem, Options(pipeline="qaoa", presolve="none", mixer="x")
        return
    model = presolved(case)
    qubo = formulate_model(model).qubo
    if 1 << qubo.num_variables <= MOST_STATES:
        yield X, as_problem(qubo), Options(pipeline="qaoa", presolve="none", mixer="x")
    else:
        say(f"{case.name}: 2^{qubo.num_variables} states of free bits do not fit")
    own = Options(pipeline="qaoa", presolve=case.presolve)
    if _size(model, "one-hot") <= MOST_STATES:
        yield XY, problem, replace(own, encoding="one-hot")
    else:
        say(f"{case.name}: the space of one-hot does not fit")
    if _size(model, "table") <= MOST_STATES:
        yield BLOCKS, problem, replace(own, encoding="table", mixer="grover")


def _size(model: Model, kind: str) -> int:
    try:
        return min(space.size for space in make_spaces(model, kind, MOST_STATES))
    except DoesNotFitError:
        return MOST_STATES + 1


def qaoa_rows(case: Case, way: str, problem: Problem, options: Options) -> Iterator[Row]:
    """Two rows a depth: one beta a layer, and one a layer and mixer."""
    size = plan_problem(problem, options, Clock()).space.size
    for depth in case.depths:
        for betas in (SHARED, OWN) if size <= MOST_OWN else (SHARED,):
            chosen = replace(options, layers=depth, betas=betas, evaluations=budget(size), seed=SEED)
            row = _row(case, way, compile_problem(problem, chosen, Clock()), betas)
            say(f"{case.name}, {way}, {betas}, p = {depth}: P {row.probability:.4g}, {row.cx} CX, {price(row):.0f}")
            yield row


def _row(case: Case, way: str, made: Compiled, betas: str) -> Row:
    found, counted = made.details, made.program.resources()
    best = found.ranked.costs == found.ranked.lowest if way == X else found.best
    ratio, objective = (None, None) if case.problem.goal is None else merit(found)
    return TABLE.row(
        problem=case.name,
        presolve=case.presolve,
        way=way,
        encoding=encoding_label(made.program.space),
        depth=sum(section.name == "layer" for section in made.program.sections),
        states=made.program.space.size,
        best=int(best.sum()),
        qubits=counted.qubits,
        probability=float(np.sum(np.abs(found.state[best]) ** 2)),
        cx=counted.cx,
        betas=betas,
        evaluations=found.outcome.evaluations,
        start=found.outcome.start,
        ratio=ratio,
        objective=objective,
        checked=made.certificate.checked,
        followed=int(follow(made)),
    )


def merit(found: Ansatz) -> tuple[float, float | None]:
    """How good a measurement is on average: of the energies' whole range, and of the best objective."""
    ranked, weights = found.ranked, np.abs(found.state) ** 2
    costs = ranked.costs
    mean, least, most = float(weights @ costs), int(costs.min()), int(costs.max())
    ratio = (most - mean) / (most - least)
    if ranked.problem.model.objective is None:
        return ratio, None
    rules = tuple(SoftConstraint(1, rule) for rule in unenforced_constraints(ranked.layout.model, ranked.space))
    allowed = tabulate_costs(Cost(rules), ranked.space) == 0
    kinds = np.unique(costs[allowed])
    objectives = np.array([float(ranked.problem.restore_energy(ranked.cost.energy(int(v)))) for v in kinds])
    gained = float(weights[allowed] @ objectives[np.searchsorted(kinds, costs[allowed])])
    return ratio, gained / objectives[0]


def follow(made: Compiled) -> bool:
    """Whether the lowered circuit, followed gate by gate, gives the simulation's probabilities; False if too large.

    Raises:
        AssertionError: it gives others.
    """
    space = made.program.space
    if space.size > FOLLOWED:
        return False
    found = probabilities(made.program.lowered)
    given = np.array([found.get(space.state(n), 0.0) for n in range(space.size)])
    assert np.allclose(given, np.abs(made.details.state) ** 2, atol=1e-7), (
        "the lowered circuit gives other probabilities"
    )
    return True


def grover_rows(case: Case, encoding: str) -> list[Row]:
    """Plain search: powers of two of iterations up to the likeliest number, and the number of the fewest CX over P."""
    made = compile_problem(
        case.problem, Options(pipeline="grover", presolve=case.presolve, encoding=encoding, level="minimised"), Clock()
    )
    assert made.marks is not None
    size, marked = made.program.space.size, int(made.marks.sum())
    start, each = made.program.resources("preparation").cx, made.program.resources("iteration").cx
    rows = []
    most = max(1, made.program.iterations)
    doubled = {1 << n for n in range(most.bit_length())}
    for k in sorted({most, _cheapest(size, marked, start, each)} | doubled):
        chance = success_probability(size, marked, k)
        rows.append(TABLE.row(case.name, case.presolve, GROVER, made.encoding, k, size, marked, made.program.num_qubits,
                        chance, start + k * each, betas="", followed=0, checked=made.certificate.checked))  # fmt: skip
        say(f"{case.name}, Grover {encoding}, {k} iterations: P {chance:.4g}, {rows[-1].cx} CX, {price(rows[-1]):.0f}")
    return rows


def _cheapest(size: int, marked: int, start: int, each: int) -> int:
    """Iterations, at least one, of the fewest CX over probability."""
    most = max(1, best_iterations(size, marked))
    return min(range(1, most + 1), key=lambda k: (start + k * each) / success_probability(size, marked, k))


def gas_row(case: Case, encoding: str) -> Row:
    """Grover Adaptive Search: the mean CX of whole searches, drawn from their exact probabilities."""
    options = Options(pipeline="gas", presolve=case.presolve, encoding=encoding, level="minimised")
    search = prepare_search(case.problem, plan_problem(case.problem, options, Clock()), options, Clock())
    histogram = Histogram.of(search.ranked.costs)
    settings = make_settings(search)
    walks = [walk for seed in range(SEARCHES) if (walk := our_walk(histogram, replace(settings, seed=seed)))]
    made = search.compile(histogram.lowest + 1, iterations=1)
    thresholds = sorted({threshold for walk in walks for threshold, k in walk if k} | {histogram.lowest + 1})
    by_threshold = costs(search, thresholds)
    marked = histogram.marked(histogram.lowest + 1)
    k = best_iterations(histogram.size, marked)
    mean, _ = spread([walk_cost(walk, by_threshold, made.program.resources("preparation").cx) for walk in walks])
    say(f"{case.name}, GAS {encoding}: {mean} CX a search")
    chance = success_probability(histogram.size, marked, k)
    return TABLE.row(case.name, case.presolve, GAS, made.encoding, k, histogram.size, marked, made.program.num_qubits,
                     chance, mean, betas="", followed=0, checked=made.certificate.checked)  # fmt: skip


def measure(name: str, asked: Asked) -> Iterator[Row]:
    """Make all rows of a problem."""
    case, encodings = CASES[NAMES.index(name)], []
    for way, problem, options in ways(case):
        yield from qaoa_rows(case, way, problem, options)
        if way != X:
            encodings.append(options.encoding)
    if case.problem.goal is None:
        for encoding in encodings:
            yield from grover_rows(case, encoding)
    for encoding in encodings:
        try:
            yield gas_row(case, encoding)
        except DoesNotFitError as error:
            say(f"{case.name}, GAS {encoding}: {error}")


HEADER = ["problem", "way", "betas", "encoding", "states", "best", "depth", "qubits", "P", "CX", "CX / P", "ratio",
          "simulations", "start"]  # fmt: skip
KAKURO = ("K4", "K7")
COLOURS = {X: "#888888", XY: "#1f77b4", BLOCKS: "#d95f02", GROVER: "#1b9e77", GAS: "#7570b3"}
MARKS = {X: "x", XY: "o", BLOCKS: "s", GROVER: "^", GAS: "D"}


def lines(rows: Sequence[Row]) -> list[list[object]]:
    """One line a row under `HEADER`."""
    return [
        [row.problem, row.way, row.betas, row.encoding, row.states, row.best, row.depth, row.qubits, row.probability,
         row.cx, round(price(row)), row.ratio, row.evaluations, row.start]
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
    header += [f"p = {depth}" for depth in MORE] + ["least CX / P"]
    found = []
    for group in _groups(rows, NAMES):
        first, by_depth = group[0], {row.depth: row for row in group}
        cells = [f"{by_depth[p].probability:.3g}, {by_depth[p].cx:,}" if p in by_depth else None for p in MORE]
        least = min(group, key=price)
        found.append([first.problem, first.presolve, first.way, first.betas, first.states, first.best, first.qubits,
                      *cells, f"{round(price(least)):,} (p = {least.depth})"])  # fmt: skip
    return report.markdown_table(header, found)


def winner_table(rows: Sequence[Row]) -> str:
    """CX for a solution by every pipeline, the least of each board in bold; own betas take no part in that."""
    header = ["problem", X, XY, "Grover, one-hot", "GAS, one-hot", BLOCKS, "Grover, table", "GAS, table"]
    found = []
    for name in [case.name for case in CASES if not case.is_energy]:
        unary, table = _encodings(rows, name)
        picked = [_both(rows, name, X), _both(rows, name, XY), _searched(rows, name, GROVER, unary),
                  _searched(rows, name, GAS, unary), _both(rows, name, BLOCKS), _searched(rows, name, GROVER, table),
                  _searched(rows, name, GAS, table)]  # fmt: skip
        prices = [round(price(row)) for cell in picked for row in cell if row.betas != OWN]
        if prices:
            found.append([name, *(_prices(cell, min(prices)) for cell in picked)])
    return report.markdown_table(header, found)


def _both(rows: Sequence[Row], name: str, way: str) -> list[Row]:
    """The best with one beta a layer, and with one a mixer."""
    return [row for betas in (SHARED, OWN) if (row := best(rows, name, way, betas=betas)) is not None]


def _prices(cell: Sequence[Row], least: int) -> str | None:
    shown = [f"{round(price(row)):,}" for row in cell]
    bold = [row.betas != OWN and round(price(row)) == least for row in cell]
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
    header += [f"p = {depth}" for depth in DEPTHS]
    found = []
    for group in _groups([row for row in rows if row.ratio is not None], NAMES):
        first, by_depth = group[0], {row.depth: row for row in group}
        cells = [_merit(by_depth[p]) if p in by_depth else None for p in DEPTHS]
        found.append([first.problem, first.way, first.betas, first.states, first.best, *cells])
    return report.markdown_table(header, found)


def _merit(row: Row) -> str:
    objective = "" if row.objective is None else f" ({row.objective:.3f})"
    return f"{row.ratio:.3f}{objective}, {row.probability:.3g}"


def make_pages(rows: Sequence[Row]) -> dict[Path, str]:
    """Return the pages with their tables made of the rows."""
    whole = {"qaoa-depth": depth_table(rows), "qaoa-merit": merit_table(rows)}
    return report.fill(PAGE, {"qaoa-winners": winner_table(rows)}) | report.fill(TABLES, whole)


def draw(rows: Sequence[Row], path: Path) -> None:
    """P against CX of K4 and K7, and CX for a solution on every board."""
    figure = Figure(figsize=(12, 8), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1, 1.4))
    upper, lower = left.subplots(2, 1)
    for axes, name in zip((upper, lower), KAKURO, strict=True):
        _curves(axes, [row for row in rows if row.problem == name], name)
    # K4 has every curve of K7. Outside the axes the legend covers no point.
    left.legend(*upper.get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize=8)
    _boards(boards := right.subplots(), rows)
    right.legend(*boards.get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=8)
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
    axes.grid(alpha=0.3)


def _boards(axes: Axes, rows: Sequence[Row]) -> None:
    names = [case.name for case in reversed(CASES) if not case.is_energy]
    ways = [*((way, SHARED) for way in QAOA), (GROVER, ""), (GAS, "")]
    for number, (way, betas) in enumerate(ways):
        found = [(row, k) for k, name in enumerate(names) if (row := best(rows, name, way, betas=betas)) is not None]
        label = f"{way}, {betas} betas" if betas else f"{way}, best encoding"
        heights = [k + 0.32 - 0.16 * number for _, k in found]
        axes.scatter(
            [price(row) for row, _ in found], heights, marker=MARKS[way], color=COLOURS[way], label=label, s=20
        )
    axes.set_xscale("symlog", linthresh=1)  # a circuit may have no CX
    axes.set(
        xlabel="CX for a solution: CX / P, for GAS the mean of a search", yticks=range(len(names)), xlim=(-0.2, None)
    )
    axes.set_yticklabels(names, fontsize=8)
    axes.set_title("the best circuit of every pipeline")
    axes.grid(alpha=0.3)


SUITE = Suite(
    TABLE,
    list_cases=lambda: NAMES,
    measure=measure,
    show=lambda rows: (HEADER, lines(rows)),
    make_pages=make_pages,
    order=lambda row: (
        NAMES.index(row.problem),
        (*QAOA, GROVER, GAS).index(row.way),
        row.encoding,
        row.betas != SHARED,
        row.depth,
    ),
    draw=lambda rows: draw(rows, PICTURE),
)

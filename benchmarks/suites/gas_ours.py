"""Our rows of gas.py: certified circuits at every threshold that the searches pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from benchmarks.suites.gas_cases import Case, Histogram
from benchmarks.suites.gas_rows import OURS, Row, enough_iterations, spread, walk_cost
from benchmarks.suites.gas_walks import Walk, last_runs, our_walk
from gatesolve.api import about
from gatesolve.pipelines.amplification import success_probability
from gatesolve.pipelines.gas.compile import AdaptiveSearch
from gatesolve.pipelines.gas.run import make_settings
from gatesolve.pipelines.task import Compiled

OTHER = {"counter": "fourier", "fourier": "counter"}
MANY = 16
"""Thresholds up to which each value oracle is made at all of them; of more only the cheaper one is, as searches do."""

Note = Callable[[str], None]


def rows(case: Case, searches: int, note: Note) -> list[Row]:
    """Our rows of a problem: for each variant the cheaper value oracle, for the first one the other too."""
    found = []
    for variant in case.variants:
        search = case.prepared(variant)
        states = Histogram.of(search.ranked.costs)
        settings = make_settings(search)
        walks = [our_walk(states, replace(settings, seed=seed)) for seed in range(searches)]
        note(f"{case.name}, {variant}: {searches} searches drawn")
        found.append(_row(case, variant, search, states, walks, "auto", note))
        if len(found) == 1:
            other = OTHER[found[0].variant.split(", ")[1]]
            found.append(_row(case, variant, search, states, walks, other, note))
    return found


def costs(search: AdaptiveSearch, thresholds: Sequence[int]) -> dict[int, tuple[int, int]]:
    """CX of the lowered start and of a lowered iteration by threshold, each oracle certified first."""
    found = {}
    for threshold in thresholds:
        program = search.compile_unlowered(threshold, iterations=0).program
        found[threshold] = program.section_resources("preparation").cx, program.section_resources("iteration").cx
    return found


def _row(
    case: Case, variant: str, search: AdaptiveSearch, states: Histogram, walks: Sequence[Walk], value: str, note: Note
) -> Row:
    search = replace(search, options=replace(search.options, value=value))
    lowest = states.lowest + 1
    compiled: Compiled = search.compile(lowest, iterations=1)
    program = compiled.program
    start, each = program.section_resources("preparation").cx, program.section_resources("iteration").cx
    optima = states.marked(lowest)
    iterations = enough_iterations(states.size, optima)
    done = [walk for walk in walks if walk]
    passed = sorted({threshold for walk in done for threshold, k in walk if k} - {lowest})
    note(f"{case.name}, {variant}, {value}: {len(passed) + 1} thresholds, iteration {each} CX")
    by_threshold = {lowest: (start, each)}
    total: tuple[int | None, int | None] = None, None
    ends: tuple[int | None, int | None] = None, None
    if value == "auto" or len(passed) < MANY:
        by_threshold |= costs(search, passed)
        total = spread([walk_cost(walk, by_threshold, start) for walk in done])
        ends = min(e for _, e in by_threshold.values()), max(e for _, e in by_threshold.values())
    # These are run below the optimum, where nothing is marked.
    proof = last_runs(states, make_settings(search))
    begin, again = costs(search, [states.lowest])[states.lowest] if proof else (0, 0)
    return Row(
        problem=case.name,
        method=OURS,
        variant=f"{variant}, {program.oracle.style if value == 'auto' else value + ' only'}",
        version=about.version(),
        states=states.size,
        optima=optima,
        qubits=program.num_qubits,
        value_qubits=None,
        preparation=start,
        iteration=each,
        least=ends[0],
        most=ends[1],
        iterations=iterations,
        probability=success_probability(states.size, optima, iterations),
        circuit=start + iterations * each,
        mean=total[0],
        high=total[1],
        calls=sum(k + 1 for walk in done for _, k in walk) / len(done),
        proof=len(proof) * begin + sum(proof) * again,
        found=len(done),
        searches=len(walks),
        checked=compiled.certificate.checked,
    )


def every_threshold(case: Case, note: Note) -> list[list[object]]:
    """For each threshold that leaves some states out: how many it lets in, CX of an iteration by both value oracles."""
    variant = next(iter(case.variants))
    search = case.prepared(variant)
    states = Histogram.of(search.ranked.costs)
    thresholds = list(range(states.lowest + 1, int(states.values[-1]) + 1))
    found = []
    for value in OTHER:
        note(f"{case.name}, {variant}, {value}: {len(thresholds)} thresholds")
        found.append(costs(replace(search, options=replace(search.options, value=value)), thresholds))
    return [[case.name, t, states.marked(t), *(part[t][1] for part in found)] for t in thresholds]

"""A readout in words and as JSON."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from gatesolve.devices.readout.null import SMALLEST

if TYPE_CHECKING:
    from gatesolve.devices.readout.parts import BestEnergy, Readout

SIGNAL = 1e-3
"""A p-value at or below is called a signal."""
HINT = 0.05
"""One at or below is called weak evidence, one above luck."""


def verdict(found: Readout) -> str:
    """One line: what was found, and whether chance does as well."""
    if not found.shots:
        return "no shots were taken: nothing can be said"
    if not found.judged:
        return f"none of {shots(found.shots)} is a codeword of the space: nothing can be said"
    if not found.accepted:
        return f"none of {_of(found)} gave an accepted board{_guessing(found)}"
    head = f"{found.accepted} of {_of(found)} gave an accepted board"
    if found.best is not None and found.best.p_value is not None:
        return _of_best(found, found.best, found.best.p_value)
    if found.best is not None and found.best.better is None:
        return f"best energy {_energy(found.best.energy)} in {found.best.shots} of {_of(found)}; how good is unknown"
    if found.marked == found.codewords:
        return f"{head}, as every codeword is a solution: nothing had to be found"
    if found.p_by == "repeats":
        return _of_repeats(found, head)
    assert found.p_value is not None
    assert found.enrichment is not None
    times = f"{head}, {ratio(found.enrichment.value)} times as many as chance"
    if found.p_value > HINT:
        chance = probability(found.p_value)
        return f"{head}, found by luck: uniform guessing gives as many with probability {chance}"
    if found.p_value > SIGNAL:
        return f"{times}: weak evidence only ({p_text(found.p_value)})"
    if found.enrichment.per_shot < 1:
        return f"{times} ({p_text(found.p_value)}), but so few shots are codewords that guessing finds more a shot"
    return f"{times} ({p_text(found.p_value)})"


def lines(found: Readout) -> list[str]:
    """The verdict, then one line for each thing it rests on."""
    rows = [found.verdict, f"shots: {_split(found)}"]
    if found.board is not None:
        more = "" if found.top_accepted else "; an outcome that is not accepted is as frequent"
        several = f"{len(found.boards)} different boards, the" if len(found.boards) > 1 else "one board,"
        rows.append(f"accepted: {several} most frequent in {shots(found.board.shots)}{more}")
    if found.enrichment is not None:
        e = found.enrichment
        rows.append(
            f"enrichment: {ratio(e.value)} times chance ({ratio(e.low)} to {ratio(e.high)} at 0.95); "
            f"{ratio(e.per_shot)} times guessing, counting every shot"
        )
    if found.guess_chance is not None:
        rows.append(
            f"guessing: {found.marked} of {found.codewords} codewords are solutions, "
            f"{found.shots} guesses find one with probability {probability(found.guess_chance)}"
        )
    else:
        rows.append(f"guessing: how many of {found.codewords} codewords are solutions is unknown")
    if found.best is not None:
        rows.append(_best_line(found.best))
    if found.mitigated is not None:
        m = found.mitigated
        raw = f"{found.accepted / found.shots:.3g}" if found.shots else "none"
        rows.append(
            f"mitigated: {m.accepted:.3g} accepted, {m.in_space:.3g} in the space (raw: {raw}, "
            f"{found.judged / max(found.shots, 1):.3g}); tests are on the raw counts"
        )
    return rows


def as_dict(found: Readout) -> dict[str, Any]:
    """For JSON; numbers beyond floats are null."""
    enrichment, best, mitigated = found.enrichment, found.best, found.mitigated
    return {
        "projection": found.projection,
        "shots": found.shots,
        "in_space": found.in_space,
        "repaired": found.repaired,
        "outside": found.outside,
        "accepted": found.accepted,
        "boards": [{"solution": dict(b.solution), "shots": b.shots, "energy": _plain(b.energy)} for b in found.boards],
        "top_accepted": found.top_accepted,
        "codewords": found.codewords,
        "marked": found.marked,
        "p_value": found.p_value,
        "p_by": found.p_by,
        "guess_chance": found.guess_chance,
        "enrichment": None if enrichment is None else {k: _finite(v) for k, v in vars(enrichment).items()},
        "best": None if best is None else {**vars(best), "energy": _plain(best.energy)},
        "mitigated": None if mitigated is None else dict(vars(mitigated)),
        "verdict": found.verdict,
    }


def p_text(p_value: float) -> str:
    """A p-value as people write it."""
    if p_value <= SMALLEST:
        return "p below 1e-300"
    return f"p = {probability(p_value)}"


def probability(value: float) -> str:
    """Two digits; never 0 or 1 for what is neither."""
    if value in (0.0, 1.0):
        return f"{value:g}"
    if value > 0.99:
        return "above 0.99"
    return f"{value:.2g}" if value >= 1e-4 else f"{value:.1e}"


def ratio(value: float) -> str:
    """Two digits, three from 10 on, all before the point."""
    if value >= 1e6:
        return f"{value:.1e}"
    return f"{value:.2g}" if value < 10 else f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def shots(number: int) -> str:
    """So many shots."""
    return f"{number} shot{'' if number == 1 else 's'}"


def _of(found: Readout) -> str:
    """The shots that were judged, and how many there were in all."""
    if found.judged == found.shots:
        return shots(found.shots)
    return f"{shots(found.judged)} in the space ({found.shots} in all)"


def _guessing(found: Readout) -> str:
    if found.marked == 0:
        return ": no codeword is a solution"
    if found.guess_chance is None:
        return ""
    return f"; as many guesses find one with probability {probability(found.guess_chance)}"


def _of_repeats(found: Readout, head: str) -> str:
    assert found.p_value is not None
    if found.p_value > HINT:
        return f"{head}; whether by luck cannot be told: how many solutions there are is unknown"
    same = f"{found.most_repeats} of them the same"
    evidence = ": weak evidence only" if found.p_value > SIGNAL else ""
    return f"{head}, {same}, which guessing repeats so often with {_at_most(found.p_value)}{evidence}"


def _at_most(p_value: float) -> str:
    return "probability below 1e-300" if p_value <= SMALLEST else f"probability at most {probability(p_value)}"


def _of_best(found: Readout, best: BestEnergy, p_value: float) -> str:
    place = "the best there is" if best.better == 0 else f"{best.better} of {found.codewords} codewords are better"
    head = f"best energy {_energy(best.energy)} ({place}) in {best.shots} of {_of(found)}"
    if p_value > HINT:
        return f"{head}, found by luck: uniform guessing does as well with probability {probability(p_value)}"
    evidence = "weak evidence only, " if p_value > SIGNAL else ""
    return f"{head}, better than chance ({evidence}{p_text(p_value)})"


def _best_line(best: BestEnergy) -> str:
    line = f"best energy: {_energy(best.energy)} in {shots(best.shots)}"
    if best.better is None or best.equal is None or best.guess_chance is None:
        return f"{line}; how many codewords are as good is unknown"
    return (
        f"{line}; {best.better} codewords are better and {best.equal} as good, "
        f"as many guesses reach it with probability {probability(best.guess_chance)}"
    )


def _split(found: Readout) -> str:
    repaired = f", {found.repaired} taken to the nearest codeword" if found.projection == "nearest" else ""
    return f"{found.shots}, of them {found.in_space} codewords{repaired}, {found.outside} thrown away"


def _energy(energy: Fraction) -> str:
    return str(energy.numerator) if energy.denominator == 1 else f"{float(energy):.6g}"


def _plain(energy: Fraction | None) -> int | float | None:
    if energy is None:
        return None
    return int(energy) if energy.denominator == 1 else float(energy)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None

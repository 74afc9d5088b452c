"""Choice of the presolve setting and the space: the first setting that fits, the space whose search is cheapest."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from gatesolve.circuit import Ops
from gatesolve.circuit.cost import count_cx
from gatesolve.circuit.lowering import lower
from gatesolve.circuit.lowering.lower import price_ops
from gatesolve.encodings import Space, encoding_label, unenforced_constraints
from gatesolve.errors import DoesNotFitError
from gatesolve.gate_sets import GATE_SETS, Metric
from gatesolve.model import AllDifferent, Constraint, Model
from gatesolve.oracle import Oracle
from gatesolve.oracle.recipe import Recipe
from gatesolve.oracle.synthesise import LEAF_ROWS, WINDOW_ROWS
from gatesolve.oracle.window import choose_projections, num_rows
from gatesolve.planning.clock import Clock
from gatesolve.planning.ladder import HOPELESS, Rung, climb_ladder, describe_space, encode_all, list_fitting
from gatesolve.planning.layout import Layout, Presolved, SpaceLimits, TooLarge
from gatesolve.programs.amplification import best_iterations
from gatesolve.programs.provenance import Provenance
from gatesolve.programs.reflection import find_mirror

Key = tuple[float, ...]
"""What is compared first, and what breaks ties."""
SAID_DIVIDED = (
    "this circuit searches the whole problem, which is too large to simulate: solve() divides it and searches the parts"
)
MUCH_MORE = 3
"""Multiple of the least cost, by the metric that was not asked for, from which a choice is remarked on."""
WORK_LIMIT = 1 << 19
"""Rows of truth tables from which a further space is not tried, once one has an oracle."""
WORTH_TRYING = 1 << 12
"""The limit where qubits are neither limited nor minimised. Of 58 drawn boards, each at three sizes, none was cheaper
on a further space with more than 1,548 rows. Four large boards took 5 to 30 times as many logical operations there."""


class Price(ABC):
    """A measure by which spaces with their oracles are compared."""

    @abstractmethod
    def bound(self, space: Space) -> Key:
        """Return what the space alone costs, which no oracle can lower."""

    @abstractmethod
    def cost(self, space: Space, oracle: Oracle) -> Key:
        """Return what the search on a space costs."""

    def compare(self, chosen: tuple[Space, Oracle], tried: Sequence[tuple[Space, Oracle]]) -> tuple[str, ...]:
        """Return a remark where another space is far cheaper by another metric; nothing elsewhere."""
        return ()


@dataclass(frozen=True)
class SearchPrice(Price):
    """The price of the search for one solution: preparation, then iterations of oracle and reflection."""

    metric: Metric

    def bound(self, space: Space) -> Key:
        """Return the price without an oracle."""
        return self._price(space, (), space.num_qubits)

    def cost(self, space: Space, oracle: Oracle) -> Key:
        """Return the price by the metric, and CX or qubits to break ties."""
        return self._price(space, oracle.ops, oracle.num_qubits)

    def compare(self, chosen: tuple[Space, Oracle], tried: Sequence[tuple[Space, Oracle]]) -> tuple[str, ...]:
        """Compare T where CX are saved, else CX."""
        other = SearchPrice("t" if self.metric == "cx" else "cx")
        least, space = min(((other.cost(*one)[0], one[0]) for one in tried), key=itemgetter(0))
        times, name = other.cost(*chosen)[0] / max(least, 1), other.metric
        more = f"the search takes about {times:.0f} times the {name.upper()} of encoding {encoding_label(space)}"
        return (f"{more}: optimize='{name}' saves {name.upper()}",) if times >= MUCH_MORE else ()

    def _price(self, space: Space, ops: Ops, qubits: int) -> Key:
        iterations = max(best_iterations(space.size, 1), 1)
        mirror = find_mirror(space, self.metric)
        # The phase between the mirrors takes about 6 CX for each root beyond two.
        roots = 6 * max(len(mirror.roots) - 2, 0)

        def search(price: Callable[[Ops], float]) -> float:
            return price(space.preparation) + iterations * (price(ops) + 2 * price(mirror.ops) + roots)

        cx = search(count_cx)
        if self.metric == "cx":
            return cx, qubits
        if self.metric == "qubits":
            return qubits, cx
        return search(lambda part: price_ops(part, qubits, self.metric)), cx


def choose(model: Model, recipe: Recipe, limits: SpaceLimits, clock: Clock) -> Layout | TooLarge:
    """Choose the presolve setting asked for, or the first rung at which a space fits and its oracle can be built.

    Where no space can be simulated, and none need be, the setting with the smallest space is taken.

    Raises:
        InfeasibleError: the model is proven to have no solution.
    """
    notes: list[str] = []
    climbed: list[Rung] = []
    # Joining tables is a search of its own, so it comes only after all settings of presolve.
    for rung in climb_ladder(model, limits, clock):
        climbed.append(rung)
        found = _try_rung(model, climbed, recipe, limits, clock, notes)
        if isinstance(found, Layout):
            clock.tell(found)
            return found
        # More ancillas would do. The next rung has a smaller problem, which is not what was asked for.
        if found.least is not None and limits.max_qubits is None:
            return found
        if rung.is_last:
            divides = limits.divides and limits.is_simulated and rung.least <= HOPELESS
            if limits.max_qubits is not None and not divides:
                found = _find_width(climbed, recipe, limits) or found
            # A part of the problem may have an oracle where the whole has none.
            probes = sum(one.probes for one in climbed)
            return replace(found, states=rung.least, divides=divides, probes=probes, bound=recipe.bound)
        # The rung that is taken implies that earlier spaces were too large: other reasons are noted.
        if found.by != "states":
            notes.append(f"{_name(rung)} not enough: {found.reason}")
    raise AssertionError("the last setting returns")


def _try_rung(
    model: Model, climbed: Sequence[Rung], recipe: Recipe, limits: SpaceLimits, clock: Clock, notes: Sequence[str]
) -> Layout | TooLarge:
    """Lay the model out at the last rung that was climbed."""
    rung, spaces = climbed[-1], climbed[-1].fitting
    if not spaces and not (rung.is_last and not limits.is_simulated):
        return _describe_size(rung, limits)
    # A circuit that need not be simulated may take a large space, of any rung.
    if not spaces:
        rung, spaces = _pick_large(climbed, limits)
        if not spaces:
            width = min(space.num_qubits for one in climbed for space in one.spaces)
            return TooLarge(
                f"the narrowest space takes {width} qubits without ancillas, max_qubits is {limits.max_qubits}",
                "qubits",
            )
        notes = (SAID_DIVIDED,) if limits.divides else ()
    spaces = _order(spaces)
    made = Provenance(rung.setting, encoding_label(spaces[0]), None, None, tuple(notes), rung.deductions)
    clock.tell(Presolved(model, rung.model, rung.recovery, made, tuple(spaces)))
    with clock.stage("oracle") as report:
        try:
            settled = recipe.settle(rung.model)
        except DoesNotFitError as error:
            return TooLarge.of(error)
        most_rows = WORK_LIMIT if limits.is_narrow else WORTH_TRYING
        found = find_cheapest(rung.model, spaces, settled, limits, SearchPrice(limits.metric), report, most_rows)
        if isinstance(found, TooLarge):
            return found
        space, oracle, remarks = found
        level, beyond = settled.find_level(rung.model, space, oracle)
        if rung.recovery.joins and level != "classical":
            said = "presolve removed variables by listing what satisfies several constraints together"
            level, beyond = "classical", (*beyond, f"{said}: the level is classical")
        budget, encoding = limits.budget_ancillas(space), encoding_label(space)
        made = replace(made.note(*beyond, *remarks), encoding=encoding, level=level, ancillas=budget)
        return Layout(rung.model, rung.recovery, space, settled.choose_form(oracle), made)


def find_cheapest(
    model: Model,
    spaces: Sequence[Space],
    recipe: Recipe,
    limits: SpaceLimits,
    price: Price,
    report: Callable[[int, int], None],
    most_rows: int = WORK_LIMIT,
) -> tuple[Space, Oracle, tuple[str, ...]] | TooLarge:
    """Return the space whose search costs least, its oracle and a remark; the refusal easiest to meet if none has one.

    Args:
        model: after presolve.
        spaces: those to compare, in any order.
        recipe: what is built on each space.
        limits: the ancillas and qubits allowed.
        price: the measure of a space with its oracle.
        report: called with (spaces done, spaces).
        most_rows: rows of truth tables above which a space is left out, once another one has an oracle.
    """
    best: tuple[Key, Space, Oracle] | None = None
    refusals, tried = list[TooLarge](), list[tuple[Space, Oracle]]()
    for number, space in enumerate(_order(spaces)):
        report(number, len(spaces))
        # The bound leaves the oracle out: a space that reaches the best price without one cannot win.
        # A space without most of the codewords, as its blocks hold constraints, is worth more work.
        worth = most_rows if space.apart is space else WORK_LIMIT
        if best is not None and (price.bound(space) >= best[0] or _work(model, space) > worth):
            continue
        made = _build(model, space, recipe, limits)
        if isinstance(made, TooLarge):
            refusals.append(made)
            continue
        tried.append((space, made))
        found = price.cost(space, made), space, made
        best = found if best is None else min(best, found, key=itemgetter(0))
    if best is None:
        # A refusal without a number of ancillas cannot be met by more of them, so it comes last.
        return min(refusals, key=lambda one: math.inf if one.least is None else one.least)
    return best[1], best[2], () if limits.is_simulated else price.compare(best[1:], tried)


def _build(model: Model, space: Space, recipe: Recipe, limits: SpaceLimits) -> Oracle | TooLarge:
    """Build the oracle of a space within the limits; here refusals become values."""
    try:
        if limits.encoding == "auto" and not recipe.takes_permutations and space.apart is not space:
            raise DoesNotFitError("permutation blocks have a dear mixer: ask for encoding='permutation' to have it")
        if limits.encoding == "auto" and GATE_SETS[limits.gates].has_toffoli:
            # Refuses a preparation with rotations that this gate set lacks: other encodings may need none.
            lower(space.preparation, space.num_qubits, limits.gates)
        return recipe.build(model, space, limits.budget_ancillas(space))
    except DoesNotFitError as error:
        refused = TooLarge.of(error)
    least = refused.least
    if least is None or limits.max_qubits is None or (limits.ancillas is not None and limits.ancillas < least):
        return refused
    return _describe_width(space, least, limits)


def _find_width(climbed: Sequence[Rung], recipe: Recipe, limits: SpaceLimits) -> TooLarge | None:
    """Find the fewest qubits on which a search can be built; None if no number of qubits is enough."""
    found: tuple[int, Space] | None = None
    fewest = math.inf
    wide = replace(limits, max_qubits=None)
    # Which deductions rung ``partial`` makes depends on the limit, so it promises nothing of another limit.
    rungs = [rung for rung in climbed if rung.setting != "partial"]
    pairs = [(rung, space) for rung in rungs for space in list_fitting(rung.made, rung.model, wide)]
    if not limits.is_simulated:
        large = [(rung, space) for rung, spaces in _list_large(rungs, wide) for space in spaces]
        pairs += [(rung, space) for rung, space in large if space.size > limits.most_states]
    for rung, space in sorted(pairs, key=lambda pair: pair[1].num_qubits):
        if found is not None and space.num_qubits >= found[0]:
            break
        try:
            settled = recipe.settle(rung.model)
        except DoesNotFitError:
            continue
        made = _build(rung.model, space, settled, replace(limits, max_qubits=space.num_qubits))
        needed = space.num_qubits if isinstance(made, Oracle) else made.least
        if needed is None or (found is not None and needed >= found[0]):
            continue
        if isinstance(made, TooLarge) and made.by == "oracle":
            fewest = min(fewest, needed)
            continue
        if space.size <= limits.most_states or _takes_large(climbed, space, replace(limits, max_qubits=needed)):
            found = needed, space
    if found is not None:
        return _describe_width(found[1], found[0] - found[1].num_qubits, limits)
    if fewest == math.inf:
        return None
    said = f"the oracle needs at least {fewest} ancilla{'' if fewest == 1 else 's'}, {limits.ancillas} are allowed"
    return TooLarge(f"{said}: use ancillas={fewest} or more{recipe.bound}", "oracle", int(fewest))


def _describe_width(space: Space, ancillas: int, limits: SpaceLimits) -> TooLarge:
    """Say how many qubits the search on a space takes at least."""
    said = (
        f"{encoding_label(space)} takes {space.num_qubits} qubits and at least {ancillas} "
        f"ancilla{'' if ancillas == 1 else 's'}, max_qubits is {limits.max_qubits}"
    )
    return TooLarge(said, "qubits", space.num_qubits + ancillas)


def _takes_large(climbed: Sequence[Rung], space: Space, limits: SpaceLimits) -> bool:
    """Return whether a space too large to simulate is tried within the limits: only where no smaller one is."""
    last = climbed[-1]
    return not list_fitting(last.made, last.model, limits) and space in _pick_large(climbed, limits)[1]


def _list_large(climbed: Sequence[Rung], limits: SpaceLimits) -> list[tuple[Rung, list[Space]]]:
    """Return the spaces of each rung for a circuit that is not simulated, on no more qubits than are allowed."""
    # The last rung may have joined tables to get small enough. A space that is not simulated need not be small.
    joins = limits.encoding != "auto" or limits.level == "classical"
    spaces = [encode_all(r.model, limits, None) if r.is_last and joins else r.spaces for r in climbed]
    return [(rung, limits.list_narrow(found)) for rung, found in zip(climbed, spaces, strict=True)]


def _pick_large(climbed: Sequence[Rung], limits: SpaceLimits) -> tuple[Rung, list[Space]]:
    """Return the weakest setting that leaves the smallest space, with its spaces."""
    spaces = [found for _, found in _list_large(climbed, limits)]
    sizes = [min((space.size for space in found), default=math.inf) for found in spaces]
    # ``index`` finds the first minimum, which is at the weakest setting.
    least = sizes.index(min(sizes))
    return climbed[least], spaces[least]


def _describe_size(rung: Rung, limits: SpaceLimits) -> TooLarge:
    """Say how large the smallest space of a rung is, and what would fit."""
    space = min(rung.spaces, key=lambda s: s.size)
    mend = []
    if space.size <= limits.ceiling:
        mend.append(f"max_space={1 << (space.size - 1).bit_length()}")
    elif limits.presolve != "auto":
        mend.append("presolve='auto'")
    joins = limits.encoding == "table" or (limits.encoding == "auto" and limits.level == "classical")
    # Without these options tables were not joined so far, so joining them may help.
    if not joins and limits.ceiling < space.size <= HOPELESS:
        mend.append("encoding='table'")
    advice = f"try {' and '.join(mend)}" if mend else "use a smaller problem, or one with more constraints"
    return TooLarge(
        f"after presolve {rung.setting} the space has about 2^{math.log2(space.size):.0f} states on "
        f"{space.num_qubits} qubits (encoding {encoding_label(space)}); up to "
        f"{describe_space(limits.most_states)} states"
        f"{'' if limits.max_qubits is None else f' on up to {limits.max_qubits} qubits'} are simulated: {advice}",
        "states",
    )


def _name(rung: Rung) -> str:
    if rung.deductions is None:
        return f"presolve {rung.setting} was"
    return f"{rung.deductions.number} of {rung.deductions.of} deductions were"


def _order(spaces: Sequence[Space]) -> list[Space]:
    # Of equal spaces the wider one comes first: its oracle is quick to build, and may make the other one superfluous.
    return sorted(spaces, key=lambda space: (space.size, -space.num_qubits))


def _work(model: Model, space: Space) -> int:
    """Rows of all truth tables that compiling the constraints would list."""
    return sum(_list_rows(constraint, space.apart) for constraint in unenforced_constraints(model, space))


def _list_rows(constraint: Constraint, space: Space) -> int:
    """Return the rows of truth tables that compiling one constraint lists."""
    number = num_rows(choose_projections(constraint, space))
    if number <= WINDOW_ROWS:
        return number
    # An all-different with too many rows is compiled pair by pair. Anything else is computed without a table.
    pairs = constraint.pairs if isinstance(constraint, AllDifferent) else ()
    rows = (num_rows(choose_projections(pair, space)) for pair in pairs)
    return sum(number for number in rows if LEAF_ROWS < number <= WINDOW_ROWS)

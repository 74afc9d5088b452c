"""Multi-controlled Z: rules that reduce it to ANDs and small phases, and the choice among them.

Each rule is written in reversible operations and stands here with the ancillas it needs, its declared cost and its
source. A rule serves multi-controlled X as well: an H on the target before and after.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import repeat

from gatesolve.circuit.lowering.passes.euler import merge_rotations
from gatesolve.circuit.lowering.passes.peephole import cancel_gates
from gatesolve.circuit.lowering.passes.schedule import longest_chain
from gatesolve.circuit.lowering.rules.borrowed import most_in_group, toggle_exactly, toggle_product
from gatesolve.circuit.lowering.rules.clean import Wires, and_tree, one_clean, scheduled_tree, some_clean, v_chain
from gatesolve.circuit.lowering.rules.mcx_schedule import LAYERS, T_LAYERS
from gatesolve.circuit.lowering.target import PLAIN, LoweringTarget, RuleCost
from gatesolve.circuit.ops import Ops, emit_gates
from gatesolve.extensions import load_extensions
from gatesolve.gate_sets import GATE_SETS, Metric


@dataclass(frozen=True)
class Rule:
    """A way to build a multi-controlled Z over n qubits, n >= 4.

    Attributes:
        name: regime and form.
        clean: ancillas needed (zero before and after) for n qubits.
        borrowed: other qubits needed (in any state, restored) for n qubits.
        build: ``build(qubits, clean, borrowed)`` gives operations with no phase larger than a CCZ, or None.
        cx: declared CX for n qubits with so many clean and borrowed; equals the lowered count.
        t: declared T, likewise.
        source: where the construction is from.
        takes_more: whether ``build`` uses further ancillas than it needs; else it is given no more.
    """

    name: str
    clean: Callable[[int], int]
    borrowed: Callable[[int], int]
    build: Callable[[Wires, Wires, Wires], Ops | None]
    cx: Callable[[int, int, int], int]
    t: Callable[[int, int, int], int]
    source: str
    takes_more: bool = False

    def fits(self, num_qubits: int, clean: int, borrowed: int) -> bool:
        """Return whether the rule can be built with these ancillas."""
        return self.clean(num_qubits) <= clean and self.borrowed(num_qubits) <= borrowed

    def take_ancillas(self, num_qubits: int, clean: int, borrowed: int) -> tuple[int, int]:
        """How many of so many ancillas it is given: what it needs, or all that can be of use where it takes more."""
        if self.takes_more:
            return limit_ancillas(num_qubits, clean, borrowed)
        return self.clean(num_qubits), self.borrowed(num_qubits)

    def cost(
        self, num_qubits: int, clean: int, borrowed: int, metric: Metric = "cx", gates: str = "cx+u"
    ) -> RuleCost | None:
        """Counts as built and lowered for a metric; None where it has no circuit."""
        kept = gates if GATE_SETS[gates].has_toffoli else "cx+u"
        aim = LoweringTarget("t_depth" if metric == "t_depth" else "cx", kept)
        return _cost(self, num_qubits, clean, borrowed, aim)


@lru_cache(maxsize=4096)
def _cost(rule: Rule, n: int, clean: int, borrowed: int, aim: LoweringTarget) -> RuleCost | None:
    wires = range(n + clean + borrowed)
    ops = rule.build(wires[:n], wires[n : n + clean], wires[n + clean :])
    return None if ops is None else count_lowered(ops, aim)


def count_lowered(ops: Ops, aim: LoweringTarget = PLAIN) -> RuleCost:
    """Counts of ``ops`` after lowering's passes, without other operations around them."""
    gates = cancel_gates(emit_gates(ops, aim, None))
    wires, is_t = [qubits for _, qubits, _ in gates], [name in {"t", "tdg", "ccx"} for name, _, _ in gates]
    general = wires if aim.facts.has_toffoli else [qubits for _, qubits, _ in merge_rotations(gates)]
    return RuleCost(
        cx=sum(name == "cx" for name, _, _ in gates),
        t=sum(is_t),
        depth=longest_chain(general, repeat(1)),
        clifford_t_depth=longest_chain(wires, repeat(1)),
        t_depth=longest_chain(wires, is_t),
    )


def _with_clean(
    name: str,
    clean: Callable[[int], int],
    build: Callable[[Wires, Wires], Ops | None],
    source: str,
    takes_more: bool = False,
) -> Rule:
    """A rule of ANDs on clean targets: all cost the same CX and T."""
    return Rule(
        name,
        clean,
        borrowed=lambda n: 0,
        build=lambda qubits, zeroed, _: build(qubits, zeroed),
        cx=lambda n, *_: 6 * (n - 2),
        t=lambda n, *_: 8 * n - 17,
        source=source,
        takes_more=takes_more,
    )


def _with_borrowed(name: str, group: int | None, spread: bool = False) -> Rule:
    """A rule that toggles borrowed qubits by ``group`` of the qubits; None for as many as the borrowed ones allow."""
    least = (group or 2) // 2

    def count_cx(n: int, _: int, borrowed: int) -> int:
        size = group or most_in_group(n, borrowed)
        left = n - 2 - size
        # Spread over a bare factor, the two D lose a pair of CX against each other.
        marks = 8 if not spread else 12 if left else 10
        return 2 * {2: 3, 3: 6}.get(size, 4 * size - 6) + marks + 12 * left

    def count_t(n: int, _: int, borrowed: int) -> int:
        size = group or most_in_group(n, borrowed)
        return 8 * (size - 1) + 8 + 16 * (n - 2 - size)

    def build(qubits: Wires, _: Wires, borrowed: Wires) -> Ops | None:
        return toggle_product(qubits, borrowed, group or most_in_group(len(qubits), len(borrowed)), spread)

    return Rule(
        name,
        clean=lambda n: 0,
        # A group of more than all but two qubits is no use to smaller gates.
        borrowed=lambda n: least if (group or 2) <= n - 2 else 1 << 30,
        build=build,
        cx=count_cx,
        t=count_t,
        source="Barenco et al., quant-ph/9503016, lemma 7.3; Maslov, arXiv:1508.03273, prop. 5; "
        "Khattar-Gidney, 2407.17966",
        takes_more=True,
    )


_SCHEDULED = "ours; conditionally clean targets after Khattar and Gidney, arXiv:2407.17966"
PLAIN_RULES: tuple[Rule, ...] = (
    _with_clean("and_tree", lambda n: n - 3, and_tree, "Maslov, arXiv:1508.03273, section III; Gidney, 1709.06648"),
    _with_clean("v_chain", lambda n: n - 3, v_chain, "Barenco et al., quant-ph/9503016; Maslov, arXiv:1508.03273"),
    _with_clean("some_clean", lambda n: 2, some_clean, "as one_clean, after ANDs on the further ancillas", True),
    _with_clean("one_clean", lambda n: 1, one_clean, "Khattar and Gidney, arXiv:2407.17966, section 5"),
)
CLEAN_RULES: tuple[Rule, ...] = (
    *PLAIN_RULES,
    _with_clean("scheduled", lambda n: 1, partial(scheduled_tree, timing=LAYERS), _SCHEDULED, True),
    _with_clean("scheduled_t", lambda n: 1, partial(scheduled_tree, timing=T_LAYERS), _SCHEDULED, True),
)
"""First from the shallowest that needs no search to the one that needs fewest ancillas, then the searched ones."""
BORROWED_RULES: tuple[Rule, ...] = (
    _with_borrowed("borrowed", None),
    *(_with_borrowed(f"borrowed_{group}", group) for group in range(2, 9)),
    *(_with_borrowed(f"borrowed_{group}_t", group, spread=True) for group in range(2, 5)),
)
"""First the one that costs least CX and T, then by the number of qubits that toggle, then those of fewer T layers."""
RULES = (*CLEAN_RULES, *BORROWED_RULES)
EXACT_RULE = Rule(
    "borrowed_exact",
    clean=lambda n: 0,
    borrowed=lambda n: 1,
    build=lambda qubits, _, borrowed: toggle_exactly(qubits, borrowed),
    cx=lambda n, *_: 0,
    t=lambda n, *_: 4 * (n - 3),
    source="Khattar and Gidney, arXiv:2407.17966, section 5.4",
)
"""The rule for borrowed qubits where ANDs have no relative phase; its ``t`` are Toffoli gates."""
GROUP = "gatesolve.rules"
"""The entry points by which other packages add rules."""


def added_rules() -> tuple[Rule, ...]:
    """The rules of other packages that can be loaded."""
    return tuple(load_extensions(GROUP, lambda found: None if isinstance(found, Rule) else "it is no Rule").values())


def choose_rule(
    num_qubits: int, clean: int, borrowed: int = 0, metric: Metric = "cx", gates: str = "cx+u"
) -> Rule | None:
    """The rule for a multi-controlled Z that is best for a metric.

    Args:
        num_qubits: qubits of the gate, at least 4.
        clean: zeroed ancillas there are.
        borrowed: other qubits there are.
        metric: what to save; ``qubits`` leaves zeroed ancillas alone where it can borrow.
        gates: the gate set in which depth is counted; with Toffoli gates only rules of ANDs and a phase are taken,
            none of other packages.

    Returns:
        The rule, or None if there is no qubit to spare at all.
    """
    return _choose(added_rules(), num_qubits, clean, borrowed, metric, gates)[0]


@lru_cache(maxsize=4096)
def _choose(
    added: tuple[Rule, ...],
    num_qubits: int,
    clean: int,
    borrowed: int,
    metric: Metric,
    gates: str,
    is_shallow: bool = False,
) -> tuple[Rule | None, int, int]:
    """Return the best rule and how many ancillas of each kind it is given; ``added`` rules compete with all of ours."""
    # For fewest qubits, one clean ancilla is used only where nothing can be borrowed.
    n, clean = num_qubits, min(clean, 1) if metric == "qubits" else clean
    exact = GATE_SETS[gates].has_toffoli
    fitting = [rule for rule in (PLAIN_RULES if exact else CLEAN_RULES) if rule.fits(n, clean, 0)]
    if not fitting or (metric == "qubits" and borrowed):
        fitting = [rule for rule in ((EXACT_RULE,) if exact else BORROWED_RULES) if rule.fits(n, 0, borrowed)]
        clean = 0
    fitting += [rule for rule in added if not exact and rule.fits(n, clean, borrowed)]
    price = partial(_price, num_qubits=n, metric=metric, gates=gates)
    offers = [(price(rule, *(given := rule.take_ancillas(n, clean, borrowed))), rule, given) for rule in fitting]
    priced = [(cost, rule, given) for cost, rule, given in offers if cost is not None]
    if is_shallow and priced:
        # Among rules that are equally cheap, the depth decides. It takes a search, so only these are built.
        least = min(cost for cost, _, _ in priced)
        depth = partial(_price, num_qubits=n, metric="depth", gates=gates)
        offers = [(depth(rule, *given), rule, given) for cost, rule, given in priced if cost == least]
        priced = [(cost, rule, given) for cost, rule, given in offers if cost is not None]
    if not priced:
        return None, 0, 0
    # Of equal rules the first is taken: they are listed from the shallowest.
    _, rule, given = min(priced, key=lambda offer: offer[0])
    return rule, *given


def _price(
    rule: Rule, clean: int, borrowed: int, num_qubits: int, metric: Metric, gates: str
) -> tuple[int, ...] | None:
    """Return a rule's price: the declared count, or for depths the built one, None where nothing can be built."""
    # Declared counts are equal to the built ones (tests compare them), so nothing is built here.
    if metric in {"cx", "t", "qubits"}:
        count = rule.t if metric == "t" else rule.cx
        return (count(num_qubits, clean, borrowed),)
    cost = rule.cost(num_qubits, clean, borrowed, metric, gates)
    if cost is None:
        return None
    depth = cost.depth if GATE_SETS[gates].has_rotations else cost.clifford_t_depth
    layers = (cost.t_depth, depth) if metric == "t_depth" else (depth, cost.t_depth)
    return *layers, cost.cx, cost.t


def limit_ancillas(num_qubits: int, clean: int, borrowed: int) -> tuple[int, int]:
    """No more ancillas than a gate over ``num_qubits`` can use."""
    return min(clean, num_qubits - 3), min(borrowed, max(1, num_qubits - 4))


def expand_mcz(
    qubits: Wires, clean: Wires, borrowed: Wires = (), aim: LoweringTarget = PLAIN, is_shallow: bool = False
) -> Ops | None:
    """Multi-controlled Z over at least four ``qubits`` in ANDs and small phases; None if there is no qubit to spare.

    With ``is_shallow`` by the shallowest of the rules that are best for ``aim``.
    """
    n = len(qubits)
    rule, most_clean, most_borrowed = _choose(
        added_rules(), n, *limit_ancillas(n, len(clean), len(borrowed)), aim.metric, aim.gates, is_shallow
    )
    return None if rule is None else rule.build(qubits, clean[:most_clean], borrowed[:most_borrowed])

"""CPMpy's reader of XCSP3 without variables of its own; importing it imports PyCSP3, which prints.

CPMpy gives every task a variable for its end and every interval of a cardinality one for the count. Here an end is the
start and the length, and a count lies between bounds, so that a problem has the user's variables alone. What CPMpy
reads otherwise than XCSP3 says is written anew or refused.
"""

from __future__ import annotations

import io
import operator
from itertools import combinations
from typing import Any

import cpmpy
from cpmpy.expressions.utils import get_bounds
from cpmpy.expressions.variables import _ignore_strict_variable_name_check
from cpmpy.tools.xcsp3.parser_callbacks import CallbacksCPMPy
from pycsp3.classes.auxiliary.enums import TypeConditionOperator, TypeCtr, TypeCtrArg
from pycsp3.parser.xparser import CallbackerXCSP3, ParserXCSP3

from gatesolve.errors import UnsupportedError

_AS_LONG = {TypeCtrArg.COEFFS, TypeCtrArg.LENGTHS, TypeCtrArg.HEIGHTS, TypeCtrArg.SIZES, TypeCtrArg.WEIGHTS}
_AS_LONG |= {TypeCtrArg.PROFITS}
"""Lists with an entry for each of the first list's."""


def _are_numbers(*values: Any) -> bool:
    return all(isinstance(value, int) for value in values)


def _divide(x: Any, y: Any) -> Any:
    """A quotient without its fraction; Python rounds that of two numbers down."""
    return (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1) if _are_numbers(x, y) else x // y


class Callbacks(CallbacksCPMPy):
    """What PyCSP3 tells of a file, as a CPMpy model."""

    funcmap = (
        CallbacksCPMPy.funcmap
        | {name: (2, getattr(operator, name)) for name in ("lt", "le", "ge", "gt", "ne")}
        | {"div": (2, _divide), "mod": (2, lambda x, y: x - y * _divide(x, y) if _are_numbers(x, y) else x % y)}
    )

    def load_ctr(self, c: Any) -> None:
        """Refuse lists of other lengths than the constraint's, which would be repeated or cut."""
        for other in c.ctr_args[1:]:
            if other.type in _AS_LONG:
                _check_length(other.value, len(c.ctr_args[0].value) - (c.type == TypeCtr.ORDERED))

    def load_slide(self, slide: Any) -> None:
        """Refuse lists that the constraint is not slid along in step."""
        for one, taken in zip(slide.lists, slide.collects, strict=True):
            _check_length(one.value, len(slide.lists[0].value))
            if one.attributes.get("collect", taken) != taken:
                raise UnsupportedError(f"slide collects {one.attributes['collect']}, and its constraint takes {taken}")

    def load_objective(self, objective: Any) -> None:
        """Refuse coefficients that are not as many as the terms."""
        if getattr(objective, "coefficients", None) is not None:
            _check_length(objective.coefficients, len(objective.terms))

    def ctr_extension(self, scope: Any, tuples: Any, positive: bool, flags: set[str]) -> None:
        """A table; a star stands for any value."""
        if positive or "starred" not in flags:
            super().ctr_extension(scope, tuples, positive, flags)
            return
        for row in tuples:
            pairs = zip(self.vars_from_node(scope), row, strict=True)
            self.cpm_model += cpmpy.any([x != value for x, value in pairs if isinstance(value, int)])

    def ctr_precedence(self, lst: Any, values: Any, covered: bool) -> None:
        """No value before the one ahead of it, of all that the variables take if none are given."""
        super().ctr_precedence(lst, sorted(_values(lst)) if values is None else self.unroll(values), covered)

    def ctr_among(self, lst: Any, values: Any, k: Any) -> None:
        """How many take one of the values, one that is named twice being one."""
        super().ctr_among(lst, list(dict.fromkeys(self.unroll(values))), k)

    def ctr_count(self, lst: Any, values: Any, condition: Any) -> None:
        """How many take one of the values."""
        taken = list(dict.fromkeys(self.unroll(values)))
        if len(taken) > 1 and not all(isinstance(value, int) for value in taken):
            raise UnsupportedError("count of several values that are variables")
        super().ctr_count(lst, taken, condition)

    def ctr_element_matrix(self, matrix: Any, i: Any, j: Any, condition: Any) -> None:
        """An entry by its row and column."""
        rows = [self.get_cpm_vars(row) for row in matrix]
        for row in rows:
            _check_length(row, len(rows[0]))
        places = list(zip(self.get_cpm_vars([i, j]), (len(rows), len(rows[0])), strict=True))
        self.cpm_model += [inside for index, size in places for inside in (index >= 0, index < size)]
        entry = cpmpy.Element([one for row in rows for one in row], len(rows[0]) * places[0][0] + places[1][0])
        self.cpm_model += self.eval_cpm_comp(entry, condition.operator, self.get_cpm_var(condition.right_operand()))

    def ctr_channel(self, lst1: Any, lst2: Any) -> None:
        """One list holds the places of the other; no place is counted from the end."""
        super().ctr_channel(lst1, lst2)
        self.cpm_model += [one >= 0 for one in self.get_cpm_vars(lst1)]

    def ctr_channel_value(self, lst: Any, value: Any) -> None:
        """The one place of a 1."""
        place = self.get_cpm_var(value)
        self.cpm_model += [place >= 0, place < len(lst)]
        self.cpm_model += [(one == 1) == (place == i) for i, one in enumerate(self.get_cpm_vars(lst))]

    def ctr_circuit(self, lst: Any, size: Any) -> None:
        """One cycle of two nodes or more through all nodes that are not their own successors."""
        nodes, length = self.get_cpm_vars(lst), None if size is None else self.get_cpm_var(size)
        if isinstance(length, int) and length == len(nodes):
            self.cpm_model += cpmpy.Circuit(nodes)
            return
        moved = cpmpy.sum([node != i for i, node in enumerate(nodes)])
        self.cpm_model += [cpmpy.AllDifferent(nodes), moved >= 2, *([] if length is None else [moved == length])]
        self.cpm_model += [inside for node in nodes for inside in (node >= 0, node < len(nodes))]
        for first in range(len(nodes) - 1):
            walk = [nodes[first]]
            for _ in nodes[2:]:
                walk.append(cpmpy.Element(nodes, walk[-1]))
            for other in range(first + 1, len(nodes)):
                ways = [nodes[first] == first, nodes[other] == other, *(place == other for place in walk)]
                self.cpm_model += cpmpy.any(ways)

    def ctr_binpacking(self, lst: Any, sizes: Any, condition: Any) -> None:
        """Every bin that an item can be in holds no more than is said."""
        if condition.operator not in {TypeConditionOperator.LE, TypeConditionOperator.LT} or min(sizes) < 0:
            raise UnsupportedError("binPacking of sizes below 0, or with a condition that an empty bin may break")
        most = self.get_cpm_var(condition.right_operand())
        for load in self._loads(lst, sizes, sorted(_values(lst))):
            self.cpm_model += self.eval_cpm_comp(load, condition.operator, most)

    def ctr_binpacking_limits(self, lst: Any, sizes: Any, limits: Any) -> None:
        """Each bin has a limit."""
        pairs = zip(self._loads(lst, sizes, range(len(limits))), self.get_cpm_vars(limits), strict=True)
        self.cpm_model += [load <= limit for load, limit in pairs]

    def ctr_binpacking_loads(self, lst: Any, sizes: Any, loads: Any) -> None:
        """Each bin has a load."""
        pairs = zip(self._loads(lst, sizes, range(len(loads))), self.get_cpm_vars(loads), strict=True)
        self.cpm_model += [load == wanted for load, wanted in pairs]

    def _loads(self, lst: Any, sizes: Any, bins: Any) -> list[Any]:
        """What each bin holds."""
        if outside := _values(lst).difference(bins):
            raise UnsupportedError(f"binPacking with an item in bin {min(outside)}, of which nothing is said")
        items = list(zip(self.get_cpm_vars(lst), sizes, strict=True))
        return [cpmpy.sum([size * (item == one) for item, size in items]) for one in bins]

    def ctr_nooverlap(self, origins: Any, lengths: Any, zero_ignored: bool) -> None:
        """Tasks one after the other."""
        if zero_ignored:
            self.cpm_model += cpmpy.NoOverlap(self.get_cpm_vars(origins), self.get_cpm_vars(lengths))
        else:
            self.ctr_nooverlap_multi([[one] for one in origins], [[one] for one in lengths], zero_ignored)

    def ctr_nooverlap_multi(self, origins: Any, lengths: Any, zero_ignored: bool) -> None:
        """Boxes that are apart in some direction, or of which one is empty where such are ignored."""
        boxes = [
            list(zip(self.get_cpm_vars(low), self.get_cpm_vars(size), strict=True))
            for low, size in zip(origins, lengths, strict=True)
        ]
        for one, other in combinations(boxes, 2):
            sizes = [size for _, size in (*one, *other)] if zero_ignored else []
            if any(isinstance(size, int) and size == 0 for size in sizes):
                continue
            pairs = [(a, b) for a, b in zip(one, other, strict=True)]
            apart = [low[0] + low[1] <= high[0] for a, b in pairs for low, high in ((a, b), (b, a))]
            empty = [size == 0 for size in sizes if not isinstance(size, int) and get_bounds(size)[0] <= 0]
            self.cpm_model += cpmpy.any([*apart, *empty])

    def ctr_nooverlap_mixed(self, xs: Any, ys: Any, lx: Any, ly: Any, zero_ignored: bool) -> None:
        """Rectangles of which one side is a variable."""
        self.ctr_nooverlap_multi([*zip(xs, ys, strict=True)], [*zip(lx, ly, strict=True)], zero_ignored)

    def ctr_cumulative(self, origins: Any, lengths: Any, heights: Any, condition: Any) -> None:
        """Tasks that together take no more than there is."""
        below = {TypeConditionOperator.LE: 0, TypeConditionOperator.LT: 1}
        if condition.operator not in below:
            self._unimplemented(origins, lengths, heights, condition)
        starts, durations, demands = map(self.get_cpm_exprs, (origins, lengths, heights))
        capacity = self.get_cpm_var(condition.right_operand()) - below[condition.operator]
        self.cpm_model += cpmpy.Cumulative(starts, durations, None, demands, capacity)

    def ctr_cardinality(self, lst: Any, values: Any, occurs: Any, closed: bool) -> None:
        """How often values are taken."""
        if not any(isinstance(one, range) for one in occurs):
            super().ctr_cardinality(lst, values, occurs, closed)
            return
        terms, taken = self.get_cpm_exprs(lst), self.unroll(values)
        bounds = [one if isinstance(one, range) else self.get_cpm_exprs([one])[0] for one in occurs]
        for value, bound in zip(taken, bounds, strict=True):
            count = cpmpy.Count(terms, value)
            if isinstance(bound, range):
                self.cpm_model += [count >= bound.start, count <= bound.stop - 1]
            else:
                self.cpm_model += count == bound
        if closed:
            self.cpm_model += [cpmpy.InDomain(term, taken) for term in terms]


def _check_length(values: Any, wanted: int) -> None:
    if len(values) != wanted:
        raise UnsupportedError(f"a list of {len(values)} where {wanted} are needed")


def _values(variables: Any) -> set[int]:
    """All values that some variables take."""
    parts = [part for one in variables for part in one.domain]
    return {value for part in parts for value in (part if isinstance(part, range) else [part])}


def load(text: str) -> tuple[cpmpy.Model, list[Any]]:
    """The model of a file and the variables that it declares, in its order."""
    callbacks = Callbacks()
    callbacks.force_exit = True
    with _ignore_strict_variable_name_check():
        CallbackerXCSP3(ParserXCSP3(io.StringIO(text)), callbacks).load_instance()
    return callbacks.cpm_model, list(callbacks.cpm_variables.values())

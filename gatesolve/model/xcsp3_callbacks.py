"""CPMpy's reader of XCSP3 without variables of its own; importing it imports PyCSP3, which prints.

CPMpy gives every task a variable for its end and every interval of a cardinality one for the count. Here an end is the
start and the length, and a count lies between bounds, so that a problem has the user's variables alone.
"""

from __future__ import annotations

import io
from itertools import combinations
from typing import Any

import cpmpy
from cpmpy.expressions.variables import _ignore_strict_variable_name_check
from cpmpy.tools.xcsp3.parser_callbacks import CallbacksCPMPy
from pycsp3.classes.auxiliary.enums import TypeConditionOperator
from pycsp3.parser.xparser import CallbackerXCSP3, ParserXCSP3


class Callbacks(CallbacksCPMPy):
    """What PyCSP3 tells of a file, as a CPMpy model."""

    def ctr_nooverlap(self, origins: Any, lengths: Any, zero_ignored: bool) -> None:
        """Tasks one after the other."""
        self.cpm_model += cpmpy.NoOverlap(self.get_cpm_vars(origins), self.get_cpm_vars(lengths))

    def ctr_nooverlap_multi(self, origins: Any, lengths: Any, zero_ignored: bool) -> None:
        """Boxes that are apart in some direction."""
        boxes = [
            list(zip(self.get_cpm_vars(low), self.get_cpm_vars(size), strict=True))
            for low, size in zip(origins, lengths, strict=True)
        ]
        for one, other in combinations(boxes, 2):
            pairs = [(a, b) for a, b in zip(one, other, strict=True)]
            apart = [low[0] + low[1] <= high[0] for a, b in pairs for low, high in ((a, b), (b, a))]
            self.cpm_model += cpmpy.any(apart)

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


def load(text: str) -> tuple[cpmpy.Model, list[Any]]:
    """The model of a file and the variables that it declares, in its order."""
    callbacks = Callbacks()
    callbacks.force_exit = True
    with _ignore_strict_variable_name_check():
        CallbackerXCSP3(ParserXCSP3(io.StringIO(text)), callbacks).load_instance()
    return callbacks.cpm_model, list(callbacks.cpm_variables.values())

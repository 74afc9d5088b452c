"""PyCSP3's parser of XCSP3, extended by what it lacks; importing this imports PyCSP3, which prints."""

from __future__ import annotations

import io
import operator
import re
from itertools import combinations, pairwise
from typing import Any
from xml.etree import ElementTree

import cpmpy
from cpmpy.expressions.core import BoolVal, Expression
from cpmpy.expressions.utils import get_bounds
from cpmpy.expressions.variables import _ignore_strict_variable_name_check, _IntVarImpl
from cpmpy.tools.xcsp3.globals import IfThenElseNum
from cpmpy.tools.xcsp3.parser_callbacks import CallbacksCPMPy
from pycsp3.classes.auxiliary.conditions import Condition, ConditionInterval, ConditionSet
from pycsp3.classes.auxiliary.enums import TypeConditionOperator, TypeCtr, TypeCtrArg
from pycsp3.classes.nodes import Node, TypeNode
from pycsp3.parser.methods import parse_sequence
from pycsp3.parser.xentries import XCtrArg, XSlide, XVar
from pycsp3.parser.xparser import CallbackerXCSP3, ParserXCSP3

from gatesolve.errors import UnsupportedError

_AS_LONG = {TypeCtrArg.COEFFS, TypeCtrArg.LENGTHS, TypeCtrArg.HEIGHTS, TypeCtrArg.SIZES, TypeCtrArg.WEIGHTS}
_AS_LONG |= {TypeCtrArg.PROFITS}
"""Lists that must have as many entries as the first list."""
_OF_TERMS = {TypeCtr.ALL_DIFFERENT, TypeCtr.ALL_EQUAL, TypeCtr.SUM, TypeCtr.COUNT, TypeCtr.N_VALUES}
_OF_TERMS |= {TypeCtr.CARDINALITY, TypeCtr.MINIMUM, TypeCtr.MAXIMUM}
"""Constraints on a list of expressions."""
MOST_BITS = 62
"""Largest exponent of a base other than 0, 1 and -1."""
_TRUTHS = {"not": 1, "and": None, "or": None, "xor": None, "iff": None, "imp": 2, "if": 1}
"""The number of operands of an operator that are truths; None for all."""
_MEMBER = re.compile(r"\(\s*(in|notin)\s*,\s*(?:\{([^}]*)\}|([+-]?\d+)\s*\.\.\s*([+-]?\d+))\s*\)")
_TABLES = {"supports", "conflicts"}


def _are_numbers(*values: Any) -> bool:
    return all(isinstance(value, int) for value in values)


def _number(x: Any) -> Any:
    return int(bool(x)) if isinstance(x, (bool, BoolVal)) else x


def _truth(x: Any) -> Any:
    if isinstance(x, Expression) and x.is_bool():
        return x
    low, high = get_bounds(x)
    if low < 0 or high > 1:
        raise UnsupportedError(f"{x} where a truth is needed, 0 or 1")
    return BoolVal(bool(x)) if _are_numbers(x) else x == 1


def _integer(x: Any) -> Any:
    """Return an expression that CPMpy accepts as an index."""
    return cpmpy.sum([x]) if x.is_bool() else x


def _divide(x: Any, y: Any) -> Any:
    # XCSP3 and CPMpy round towards zero, Python's // rounds down.
    return (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1) if _are_numbers(x, y) else x // y


def _raise(x: Any, power: Any) -> Any:
    if not _are_numbers(power) or power < 0:
        raise UnsupportedError(f"pow with the exponent {power}, not a number from 0")
    if power > MOST_BITS and max(map(abs, get_bounds(x))) > 1:
        raise UnsupportedError(f"pow with the exponent {power}, beyond {MOST_BITS}")
    return x**power


def _choose(condition: Any, x: Any, y: Any) -> Any:
    if isinstance(condition, BoolVal):
        return x if condition else y
    are_truths = all(isinstance(one, Expression) and one.is_bool() for one in (x, y))
    return (cpmpy.IfThenElse if are_truths else IfThenElseNum)(condition, x, y)


def _is_in(x: Any, values: Any) -> Any:
    numbers = [value for value in values if _are_numbers(value)]
    others = [x == value for value in values if not _are_numbers(value)]
    if not numbers:
        return cpmpy.any(others)
    return cpmpy.any([x in numbers if _are_numbers(x) else cpmpy.InDomain(_integer(x), numbers), *others])


def _is_outside(x: Any, values: Any) -> Any:
    """Return that a term has a value, and none of these."""
    if isinstance(x, _IntVarImpl) and values and _are_numbers(*values):
        return ~cpmpy.InDomain(x, values)
    return cpmpy.all([x != value for value in values or [get_bounds(x)[0] - 1]])


class Callbacks(CallbacksCPMPy):
    """The calls of PyCSP3's parser, which build a CPMpy model."""

    funcmap = (
        CallbacksCPMPy.funcmap
        | {name: (2, getattr(operator, name)) for name in ("lt", "le", "ge", "gt", "ne")}
        | {"div": (2, _divide), "mod": (2, lambda x, y: x - y * _divide(x, y) if _are_numbers(x, y) else x % y)}
        | {"pow": (2, _raise), "if": (3, _choose), "in": (2, _is_in), "notin": (2, _is_outside), "set": (0, list)}
        | {name: (0, lambda parts: cpmpy.all([x == y for x, y in pairwise(parts)])) for name in ("eq", "iff")}
    )

    def __init__(self) -> None:
        super().__init__()
        # Raise errors instead of ignoring them, and keep count constraints as they are written.
        self.force_exit = True
        self.recognize_specific_count_cases = False

    def var_integer_range(self, x: Any, min_value: int, max_value: int) -> None:
        self.cpm_variables[x] = cpmpy.intvar(min_value, max_value, name=x.id)

    def var_integer(self, x: Any, values: Any) -> None:
        self.var_integer_range(x, min(values), max(values))
        if len(set(values)) <= max(values) - min(values):
            self.cpm_model += cpmpy.InDomain(self.cpm_variables[x], values)

    def intentionfromtree(self, node: Any) -> Any:
        """Read an expression by its parts, each as a number or a truth, as its operator requires."""
        if not isinstance(node, Node) or node.type == TypeNode.INT:
            return node.cnt if isinstance(node, Node) else node
        name = node.type.lowercase_name
        if name == "var":
            return self.cpm_variables[node.cnt]
        if name not in self.funcmap:
            raise UnsupportedError(f"operator {name}")
        parts = [self.intentionfromtree(part) for part in node.cnt]
        truths = _TRUTHS.get(name, 0)
        parts = [_truth(x) if truths is None or k < truths else _number(x) for k, x in enumerate(parts)]
        arity, build = self.funcmap[name]
        return build(*parts) if arity else build(parts)

    def get_cpm_var(self, x: Any) -> Any:
        """Read a variable, a constant or an expression as a number."""
        found = self.cpm_variables[x] if isinstance(x, XVar) else _number(self.intentionfromtree(x))
        if not isinstance(found, (int, Expression)):
            raise UnsupportedError(f"{found} where a number is needed")
        return found

    def get_cpm_exprs(self, lst: Any) -> list[Any]:
        return [self.get_cpm_var(one) for one in lst]

    get_cpm_vars = vars_from_node = exprs_from_node = get_cpm_exprs

    def _require(self, term: Any, condition: Any) -> None:
        wanted = condition.operator == TypeConditionOperator.IN
        if isinstance(condition, ConditionInterval):
            low, high = condition.min, condition.max
            parts = [term >= low, term <= high] if wanted else [cpmpy.any([term < low, term > high])]
        elif condition.operator.is_set():
            parts = [(_is_in if wanted else _is_outside)(term, sorted(condition.t))]
        else:
            parts = [self.eval_cpm_comp(term, condition.operator, self.get_cpm_var(condition.right_operand()))]
        self.cpm_model += [_truth(part) for part in parts]

    def load_ctr(self, c: Any) -> None:
        """Refuse lists of the wrong length, which would be repeated or cut, and make terms of numbers."""
        for other in c.ctr_args[1:]:
            if other.type in _AS_LONG:
                _check_length(other.value, len(c.ctr_args[0].value) - (c.type == TypeCtr.ORDERED))
        for one in c.ctr_args:
            if c.type in _OF_TERMS and one.type == TypeCtrArg.LIST:
                one.value = [Node(TypeNode.INT, x) if isinstance(x, int) else x for x in one.value]

    def load_objective(self, objective: Any) -> None:
        """Refuse coefficients whose number differs from that of the terms."""
        if getattr(objective, "coefficients", None) is not None:
            _check_length(objective.coefficients, len(objective.terms))

    def ctr_false(self, scope: Any) -> None:
        self.cpm_model += BoolVal(False)

    def ctr_extension_unary(self, x: Any, values: Any, positive: bool, flags: set[str]) -> None:
        if isinstance(values[0], list):
            self.ctr_extension([x], values, positive, flags)
        else:
            self.cpm_model += (_is_in if positive else _is_outside)(self.get_cpm_var(x), self.unroll(values))

    def ctr_extension(self, scope: Any, tuples: Any, positive: bool, flags: set[str]) -> None:
        """Add a table; a star matches any value."""
        if positive or "starred" not in flags:
            super().ctr_extension(scope, tuples, positive, flags)
            return
        # CPMpy has no negative table with stars. A row is excluded by one clause; its stars add nothing to it.
        for row in tuples:
            pairs = zip(self.vars_from_node(scope), row, strict=True)
            self.cpm_model += cpmpy.any([x != value for x, value in pairs if isinstance(value, int)])

    def ctr_mdd(self, scope: Any, transitions: Any) -> None:
        # The root is the node that no transition leads to, whatever its name.
        ends = {end for _, _, end in transitions}
        roots = [start for start, _, _ in transitions if start not in ends]
        self.cpm_model += cpmpy.MDD(self.get_cpm_vars(scope), transitions, start=roots[0])

    def ctr_precedence(self, lst: Any, values: Any, covered: bool) -> None:
        """Require that each value occurs before the next; without given values, all values of the variables."""
        super().ctr_precedence(lst, sorted(_values(lst)) if values is None else self.unroll(values), covered)

    def ctr_sum(self, lst: Any, coefficients: Any, condition: Any) -> None:
        weights = self.get_cpm_exprs(coefficients or [1] * len(lst))
        pairs = zip(weights, self.get_cpm_exprs(lst), strict=True)
        self._require(cpmpy.sum([x if _are_numbers(w) and w == 1 else w * x for w, x in pairs]), condition)

    def ctr_count(self, lst: Any, values: Any, condition: Any) -> None:
        """Count the terms that take one of the values, each value once."""
        terms, taken = self.get_cpm_exprs(lst), list(dict.fromkeys(self.get_cpm_exprs(self.unroll(values))))
        if len(taken) == 1:
            count = cpmpy.Count(terms, taken[0])
        elif _are_numbers(*taken):
            count = cpmpy.Among(terms, taken)
        else:
            count = cpmpy.sum([_number(cpmpy.any([x == value for value in taken])) for x in terms])
        self._require(count, condition)

    def ctr_nvalues(self, lst: Any, excepting: Any, condition: Any) -> None:
        terms = self.get_cpm_exprs(lst)
        if excepting:
            low, high = min(get_bounds(x)[0] for x in terms), max(get_bounds(x)[1] for x in terms)
            taken = [cpmpy.any([x == value for x in terms]) for value in range(low, high + 1) if value not in excepting]
            self._require(cpmpy.sum([_number(one) for one in taken]), condition)
        else:
            self._require(cpmpy.NValue(terms), condition)

    def ctr_minimum(self, lst: Any, condition: Any) -> None:
        self._require(cpmpy.min(self.get_cpm_exprs(lst)), condition)

    def ctr_maximum(self, lst: Any, condition: Any) -> None:
        self._require(cpmpy.max(self.get_cpm_exprs(lst)), condition)

    def ctr_knapsack(self, lst: Any, weights: Any, wcondition: Any, profits: Any, pcondition: Any) -> None:
        self.ctr_sum(lst, weights, wcondition)
        self.ctr_sum(lst, profits, pcondition)

    def ctr_element(self, lst: Any, i: Any, condition: Any) -> None:
        self._require_entry(self.get_cpm_vars(lst), self.get_cpm_var(i), condition)

    def _require_entry(self, entries: Any, place: Any, condition: Any) -> None:
        if not _are_numbers(place):
            self._require(cpmpy.Element(entries, _integer(place)), condition)
        elif 0 <= place < len(entries):
            self._require(entries[place], condition)
        else:
            self.cpm_model += BoolVal(False)

    def ctr_element_matrix(self, matrix: Any, i: Any, j: Any, condition: Any) -> None:
        rows = [self.get_cpm_vars(row) for row in matrix]
        for row in rows:
            _check_length(row, len(rows[0]))
        places = list(zip(self.get_cpm_vars([i, j]), (len(rows), len(rows[0])), strict=True))
        # Both indices are bounded: the flat index below would accept a column beyond its row.
        self.cpm_model += [_truth(inside) for index, size in places for inside in (index >= 0, index < size)]
        place = len(rows[0]) * places[0][0] + places[1][0]
        self._require_entry([one for row in rows for one in row], place, condition)

    def ctr_channel(self, lst1: Any, lst2: Any) -> None:
        super().ctr_channel(lst1, lst2)
        # CPMpy would count negative places from the end.
        self.cpm_model += [one >= 0 for one in self.get_cpm_vars(lst1)]

    def ctr_channel_value(self, lst: Any, value: Any) -> None:
        """Require that ``value`` is the only place of a 1."""
        place = self.get_cpm_var(value)
        self.cpm_model += [place >= 0, place < len(lst)]
        self.cpm_model += [(one == 1) == (place == i) for i, one in enumerate(self.get_cpm_vars(lst))]

    def ctr_circuit(self, lst: Any, size: Any) -> None:
        """Require one cycle of two nodes or more through all nodes that are not their own successors."""
        nodes, length = self.get_cpm_vars(lst), None if size is None else self.get_cpm_var(size)
        if isinstance(length, int) and length == len(nodes):
            self.cpm_model += cpmpy.Circuit(nodes)
            return
        moved = cpmpy.sum([node != i for i, node in enumerate(nodes)])
        self.cpm_model += [cpmpy.AllDifferent(nodes), moved >= 2, *([] if length is None else [moved == length])]
        self.cpm_model += [inside for node in nodes for inside in (node >= 0, node < len(nodes))]
        # From every node that moves, the walk of up to n - 1 steps must reach every other node that moves.
        for first in range(len(nodes) - 1):
            walk = [nodes[first]]
            for _ in nodes[2:]:
                walk.append(cpmpy.Element(nodes, walk[-1]))
            for other in range(first + 1, len(nodes)):
                ways = [nodes[first] == first, nodes[other] == other, *(place == other for place in walk)]
                self.cpm_model += cpmpy.any(ways)

    def ctr_binpacking(self, lst: Any, sizes: Any, condition: Any) -> None:
        if condition.operator not in {TypeConditionOperator.LE, TypeConditionOperator.LT} or min(sizes) < 0:
            raise UnsupportedError("binPacking of sizes below 0, or with a condition that an empty bin may break")
        for load in self._loads(lst, sizes, sorted(_values(lst))):
            self._require(load, condition)

    def ctr_binpacking_limits(self, lst: Any, sizes: Any, limits: Any) -> None:
        loads = self._loads(lst, sizes, range(len(limits)))
        self.cpm_model += list(map(operator.le, loads, self.get_cpm_vars(limits)))

    def ctr_binpacking_loads(self, lst: Any, sizes: Any, loads: Any) -> None:
        found = self._loads(lst, sizes, range(len(loads)))
        self.cpm_model += list(map(operator.eq, found, self.get_cpm_vars(loads)))

    def _loads(self, lst: Any, sizes: Any, bins: Any) -> list[Any]:
        if outside := _values(lst).difference(bins):
            raise UnsupportedError(f"binPacking with an item in bin {min(outside)}, which has no limit or load")
        items = list(zip(self.get_cpm_vars(lst), sizes, strict=True))
        return [cpmpy.sum([size * (item == one) for item, size in items]) for one in bins]

    def ctr_nooverlap(self, origins: Any, lengths: Any, zero_ignored: bool) -> None:
        if zero_ignored:
            self.cpm_model += cpmpy.NoOverlap(self.get_cpm_vars(origins), self.get_cpm_vars(lengths))
        else:
            self.ctr_nooverlap_multi([[one] for one in origins], [[one] for one in lengths], zero_ignored)

    def ctr_nooverlap_multi(self, origins: Any, lengths: Any, zero_ignored: bool) -> None:
        """Require boxes that are apart in some direction; empty ones are ignored if ``zero_ignored``."""
        ends = (map(self.get_cpm_vars, box) for box in zip(origins, lengths, strict=True))
        boxes = [list(zip(*box, strict=True)) for box in ends]
        for one, other in combinations(boxes, 2):
            sizes = [size for _, size in (*one, *other)] if zero_ignored else []
            # A box that is certainly empty overlaps nothing.
            if any(isinstance(size, int) and size == 0 for size in sizes):
                continue
            pairs = zip(one, other, strict=True)
            apart = [low[0] + low[1] <= high[0] for a, b in pairs for low, high in ((a, b), (b, a))]
            empty = [size == 0 for size in sizes if not isinstance(size, int) and get_bounds(size)[0] <= 0]
            self.cpm_model += cpmpy.any([*apart, *empty])

    def ctr_cumulative(self, origins: Any, lengths: Any, heights: Any, condition: Any) -> None:
        below = {TypeConditionOperator.LE: 0, TypeConditionOperator.LT: 1}
        if condition.operator not in below:
            raise UnsupportedError("cumulative with a condition other than le and lt")
        starts, durations, demands = map(self.get_cpm_exprs, (origins, lengths, heights))
        # Whole numbers: less than c means at most c - 1.
        capacity = self.get_cpm_var(condition.right_operand()) - below[condition.operator]
        self.cpm_model += cpmpy.Cumulative(starts, durations, None, demands, capacity)

    def ctr_cardinality(self, lst: Any, values: Any, occurs: Any, closed: bool) -> None:
        if not any(isinstance(one, range) for one in occurs):
            super().ctr_cardinality(lst, values, occurs, closed)
            return
        terms, taken = self.get_cpm_exprs(lst), self.unroll(values)
        for value, bound in zip(taken, occurs, strict=True):
            count = cpmpy.Count(terms, value)
            if isinstance(bound, range):
                self.cpm_model += [count >= bound.start, count <= bound.stop - 1]
            else:
                self.cpm_model += count == self.get_cpm_var(bound)
        if closed:
            self.cpm_model += [cpmpy.InDomain(term, taken) for term in terms]


def _check_length(values: Any, wanted: int) -> None:
    if len(values) != wanted:
        raise UnsupportedError(f"a list of {len(values)} where {wanted} are needed")


def _values(variables: Any) -> set[int]:
    parts = [part for one in variables for part in one.domain]
    return {value for part in parts for value in (part if isinstance(part, range) else [part])}


class _Parser(ParserXCSP3):
    """A parser that turns elements into constraints; arguments as for `load`."""

    def __init__(self, root: ElementTree.Element, reached: list[int]) -> None:
        self.reached = reached
        super().__init__(io.BytesIO(ElementTree.tostring(root)))

    def parse_objectives(self, elements: Any) -> None:
        """Read the objectives; a list alone is the same as its text."""
        for one in elements:
            self.reached.append(int(one.get("row")))
            if len(one) == 1:
                one.text = one[0].text
                one.remove(one[0])
        super().parse_objectives(elements)

    def parse_annotations(self, elements: Any) -> None:
        """Leave them out: they describe the search."""

    def compute_var_degrees(self) -> None:
        """Leave them out: every variable is kept."""

    def parsing_of_constraints_outer(self, elt: Any, args: Any) -> Any:
        """Read a constraint, a group or a slide; an element without text has the empty one."""
        self.reached.append(int(elt.get("row")))
        for part in elt:
            part.text = re.sub(r"\s*([,()])\s*", r"\1", part.text or "") if part.tag in _TABLES else part.text or ""
        return super().parsing_of_constraints_outer(elt, args)

    def parsing_of_constraints_inner(self, elt: Any, args: Any) -> Any:
        return self._slide(elt) if elt.tag == "slide" else super().parsing_of_constraints_inner(elt, args)

    def parsing(self, tc: Any, elt: Any, args: Any = None) -> Any:
        """Read a part of a constraint; intervals of one value and empty sets are allowed."""
        found = _MEMBER.fullmatch(elt.text.strip()) if tc == TypeCtrArg.CONDITION else None
        if not found:
            return super().parsing(tc, elt, args)
        word, listed, low, high = found.groups()
        relation = TypeConditionOperator.value_of(word)
        if listed is not None:
            return ConditionSet(relation, {int(value) for value in listed.split(",") if listed.strip()})
        if int(low) > int(high):
            raise UnsupportedError(f"an interval from {low} to {high}")
        return ConditionInterval(relation, int(low), int(high))

    def _slide(self, elt: Any) -> Any:
        *sources, pattern = elt
        template = self.parsing_of_constraints_outer(pattern, None)
        taken = template.abstraction.highestParameterNumber + 1
        if "%..." in "".join(pattern.itertext()):
            raise UnsupportedError("a slide with %...")
        lists = [XCtrArg(TypeCtrArg.LIST, parse_sequence(self, one)) for one in sources]
        offsets = [int(one.get("offset", 1)) for one in sources]
        collects = [int(one.get("collect", taken if len(sources) == 1 else 1)) for one in sources]
        # Each window must fill exactly the parameters of the template.
        if sum(collects) != taken:
            raise UnsupportedError(f"slide collects {sum(collects)}, and its constraint takes {taken}")
        circular = elt.get("circular") == "true"
        # A circular slide has a window at every offset; the others stop where the last window still fits.
        ends = [len(one.value) + (0 if circular else 1 - collect) for one, collect in zip(lists, collects, strict=True)]
        starts = [range(0, end, offset) for end, offset in zip(ends, offsets, strict=True)]
        if len({len(one) for one in starts}) > 1:
            raise UnsupportedError(f"slide along lists of {' and '.join(str(len(one)) for one in starts)} windows")
        scopes = [
            [
                one.value[(start + k) % len(one.value)]
                for one, start, collect in zip(lists, window, collects, strict=True)
                for k in range(collect)
            ]
            for window in zip(*starts, strict=True)
        ]
        return XSlide(lists, offsets, collects, template, scopes)


class _Caller(CallbackerXCSP3):
    """Calls one callback for each constraint.

    An expression is read as it is written. Lengths of tasks and places in a matrix may be numbers or variables.
    """

    def load_ctr(self, c: Any) -> None:
        self.parser.reached.append(c.attributes["row"])
        if c.type == TypeCtr.INTENSION:
            self.cb.load_ctr(c)
            self.cb.cpm_model += _truth(self.cb.intentionfromtree(c.ctr_args[0].value))
        elif c.type == TypeCtr.NO_OVERLAP:
            self.cb.load_ctr(c)
            origins, lengths = (one.value for one in c.ctr_args)
            read = self.cb.ctr_nooverlap_multi if isinstance(origins[0], list) else self.cb.ctr_nooverlap
            read(origins, lengths, c.attributes.get("zeroIgnored", True))
        elif c.type == TypeCtr.ELEMENT and c.ctr_args[0].type == TypeCtrArg.MATRIX:
            matrix, index, wanted = (one.value for one in c.ctr_args)
            is_value = c.ctr_args[2].type == TypeCtrArg.VALUE
            condition = Condition.build_condition((TypeConditionOperator.EQ, wanted)) if is_value else wanted
            self.cb.ctr_element_matrix(matrix, *index, condition)
        else:
            super().load_ctr(c)

    def load_templated_constraints(self, template: Any, all_args: Any) -> None:
        """Read a group or a slide; a number among the arguments may be an interval of one value."""
        # PyCSP3 turns an interval of one value into a number; the condition needs an interval again.
        places = zip(template.abstraction.abstract_ctr_args, template.abstraction.mappings, strict=True)
        sets = {place for one, place in places if one.type == TypeCtrArg.CONDITION and one.value.operator.is_set()}
        rows = [
            [range(x, x + 1) if k in sets and isinstance(x, int) else x for k, x in enumerate(args)]
            for args in all_args
        ]
        super().load_templated_constraints(template, rows)

    def load_objective(self, objective: Any) -> None:
        self.parser.reached.append(int(self.parser.tree.find("./objectives/*").get("row")))
        super().load_objective(objective)


def load(root: ElementTree.Element, reached: list[int]) -> tuple[cpmpy.Model, list[Any]]:
    """Return the model of a file and the variables that it declares, in its order.

    Args:
        root: the file, each element with the row that it begins in as an attribute.
        reached: the list to which the rows of constraints and objectives are appended; the last is where it fails.
    """
    callbacks = Callbacks()
    parser = _Parser(root, reached)
    # Loading reads everything a second time, variables first.
    reached.clear()
    with _ignore_strict_variable_name_check():
        _Caller(parser, callbacks).load_instance()
    return callbacks.cpm_model, list(callbacks.cpm_variables.values())

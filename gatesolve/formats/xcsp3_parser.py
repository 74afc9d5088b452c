"""PyCSP3's parser of XCSP3 with what it does not take; importing it imports PyCSP3, which prints."""

from __future__ import annotations

import io
import re
from typing import Any
from xml.etree import ElementTree

import cpmpy
from cpmpy.expressions.variables import _ignore_strict_variable_name_check
from pycsp3.classes.auxiliary.conditions import Condition, ConditionInterval, ConditionSet
from pycsp3.classes.auxiliary.enums import TypeConditionOperator, TypeCtr, TypeCtrArg
from pycsp3.parser.methods import parse_sequence
from pycsp3.parser.xentries import XCtrArg, XSlide
from pycsp3.parser.xparser import CallbackerXCSP3, ParserXCSP3

from gatesolve.errors import UnsupportedError
from gatesolve.formats.xcsp3_callbacks import Callbacks

_MEMBER = re.compile(r"\(\s*(in|notin)\s*,\s*(?:\{([^}]*)\}|([+-]?\d+)\s*\.\.\s*([+-]?\d+))\s*\)")
_TABLES = {"supports", "conflicts"}


class _Parser(ParserXCSP3):
    """Elements become constraints.

    Args:
        root: the file, each element with the row that it begins in as an attribute.
        reached: to which the rows that are read are added.
    """

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
        """Read a constraint, a group or a slide without its attributes."""
        return self._slide(elt) if elt.tag == "slide" else super().parsing_of_constraints_inner(elt, args)

    def parsing(self, tc: Any, elt: Any, args: Any = None) -> Any:
        """Read a part of a constraint; an interval of one value is one, and a set may be empty."""
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
        """Read a constraint on each window of lists that it slides along in step."""
        *sources, pattern = elt
        template = self.parsing_of_constraints_outer(pattern, None)
        taken = template.abstraction.highestParameterNumber + 1
        if "%..." in "".join(pattern.itertext()):
            raise UnsupportedError("a slide with %...")
        lists = [XCtrArg(TypeCtrArg.LIST, parse_sequence(self, one)) for one in sources]
        offsets = [int(one.get("offset", 1)) for one in sources]
        collects = [int(one.get("collect", taken if len(sources) == 1 else 1)) for one in sources]
        if sum(collects) != taken:
            raise UnsupportedError(f"slide collects {sum(collects)}, and its constraint takes {taken}")
        circular = elt.get("circular") == "true"
        starts = [
            range(0, len(one.value) + (0 if circular else 1 - collect), offset)
            for one, offset, collect in zip(lists, offsets, collects, strict=True)
        ]
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
    """A caller for each constraint.

    An expression is read as it is written. Lengths of tasks and places in a matrix may be numbers or variables.
    """

    def load_ctr(self, c: Any) -> None:
        """Read a constraint."""
        self.parser.reached.append(c.attributes["row"])
        if c.type == TypeCtr.INTENSION:
            self.cb.load_ctr(c)
            self.cb.ctr_intension(None, c.ctr_args[0].value)
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
        places = zip(template.abstraction.abstract_ctr_args, template.abstraction.mappings, strict=True)
        sets = {place for one, place in places if one.type == TypeCtrArg.CONDITION and one.value.operator.is_set()}
        rows = [
            [range(x, x + 1) if k in sets and isinstance(x, int) else x for k, x in enumerate(args)]
            for args in all_args
        ]
        super().load_templated_constraints(template, rows)

    def load_objective(self, objective: Any) -> None:
        """Read an objective."""
        self.parser.reached.append(int(self.parser.tree.find("./objectives/*").get("row")))
        super().load_objective(objective)


def load(root: ElementTree.Element, reached: list[int]) -> tuple[cpmpy.Model, list[Any]]:
    """Read the model of a file and the variables that it declares, in its order.

    Args:
        root: the file, each element with the row that it begins in as an attribute.
        reached: to which the rows of constraints and objectives are added, the last being where it fails.
    """
    callbacks = Callbacks()
    parser = _Parser(root, reached)
    reached.clear()  # variables come first again
    with _ignore_strict_variable_name_check():
        _Caller(parser, callbacks).load_instance()
    return callbacks.cpm_model, list(callbacks.cpm_variables.values())

"""FlatZinc, to which MiniZinc compiles models, to CPMpy: whole numbers, Booleans, and constant sets of numbers.

The first half parses a text into statements. The second half makes constraints of them and substitutes defined
variables. (CPMpy's own reader supports linear constraints only, and no ``solve satisfy``.)
"""

from __future__ import annotations

import collections
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from graphlib import CycleError, TopologicalSorter
from itertools import groupby, product
from operator import ge, itemgetter, le
from typing import Any, Literal, TypeVar

import cpmpy as cp
from cpmpy.expressions.core import Comparison, Expression
from cpmpy.expressions.variables import _NumVarImpl

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.formats.flatzinc_builtins import BUILTINS, GLOBALS, Rule, bounds_of, same, total, truth, within
from gatesolve.formats.from_cpmpy import DOMAIN_LIMIT
from gatesolve.formats.text import MOST_DIGITS, Declared, Tokens, check_name, naming, split_line, split_statements
from gatesolve.qubo.numerals import Place

MOST_DEPTH = 16
"""Deepest nesting of definitions: the readers of expressions recurse several times for each level."""
MOST_REPEATED = 4
"""Most variables in a definition that is written more than once."""
_PARTIAL = {"div", "mod", "element"}
_AFFIX = re.compile(r"^(?:choco_|gecode_|ortools_)?(?:fzn_)?|_?choco$", re.IGNORECASE)
"""Affixes that solvers add to the names of MiniZinc's library constraints."""
_KINDS = {"x": "number", "b": "Boolean", "i": "constant", "s": "constant set"}
_RULES: Mapping[str, list[Rule]] = {
    name: list(rules) for name, rules in groupby(sorted((*BUILTINS, *GLOBALS), key=itemgetter(0)), itemgetter(0))
}
_MADE_UP = re.compile("X_INTRODUCED_|(?:INT|BOOL)____")
"""Prefixes of names that MiniZinc introduces, now and formerly."""
_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r]+|%.*) | (?P<string>"(?:[^"\\\n]|\\.)*")
    | (?P<decimal>-?\d+(?:\.\d+(?:[eE][-+]?\d{1,9})?|[eE][-+]?\d{1,9}))
    | (?P<number>-?(?:0x[\da-fA-F]+|0o[0-7]+|\d+))
    | (?P<name>[A-Za-z_]\w*) | (?P<mark>\.\.|::|[][(){},;:=])
    """,
    re.VERBOSE | re.ASCII,
)
T = TypeVar("T")
_OUTPUT = re.compile(r"output_array\(\[([-\d.,]*)\]\)")
_DEFINES = re.compile(r"::defines_var\((\w+)\)")
GREATEST = 1 << 53
"""Largest number that is supported: sums and products of a few of them are computed in 64 bits."""


@dataclass(frozen=True)
class Name:
    """A name where a value may stand; with an index the entry of an array."""

    text: str
    index: int | None = None


Scalar = int | str | Name | range | frozenset[int]
"""A Boolean is Python's; text in quotes is a str."""
Value = Scalar | list[Scalar]


@dataclass(frozen=True)
class Declaration:
    """A declaration of a parameter, of a variable, or of an array of them.

    Attributes:
        kind: the kind of it or of an array's entries: ``bool``, ``int``, ``float`` or ``set``.
        values: the values that it is limited to; None without a limit.
        size: the length of an array.
        ranges: the index sets by which an array is printed.
    """

    place: Place
    name: str
    kind: str
    values: range | frozenset[int] | None
    is_var: bool
    size: int | None
    value: Value | None
    ranges: tuple[range, ...]


@dataclass(frozen=True)
class Call:
    """A constraint, or an objective that is a sum; ``defines`` is the variable that its annotation says it defines."""

    place: Place
    name: str
    args: tuple[Value, ...]
    defines: str | None = None


@dataclass(frozen=True)
class Solve:
    """The goal of a file: any solution, or one with the smallest or largest objective."""

    place: Place
    sense: Literal["satisfy", "minimize", "maximize"]
    goal: Value | Call | None


def parse(text: str, source: str) -> Iterator[Declaration | Call | Solve]:
    """Yield the statements, without predicates and annotations."""
    lines = enumerate(text.split("\n"), start=1)
    tokens = (one for row, line in lines for one in split_line(line, Place(source, row), _TOKEN, "FlatZinc"))
    for statement in split_statements(tokens):
        if statement.take_if("predicate"):
            _pass_over(statement)
        elif statement.take_if("constraint"):
            yield _call(statement)
        elif statement.take_if("solve"):
            yield _solve(statement)
        else:
            yield _declaration(statement)
        if statement.next.kind:
            raise statement.fault("';'")


def _annotations(tokens: Tokens) -> str:
    return _pass_over(tokens, "=", "satisfy", "minimize", "maximize") if tokens.next.text == "::" else ""


def _pass_over(tokens: Tokens, *ends: str) -> str:
    """Return the text before one of these ends, outside brackets, and move past it."""
    depth, passed = 0, list[str]()
    # Only ends outside brackets count: an annotation such as ``:: f(a = b)`` has its own.
    while tokens.next.kind and (depth > 0 or tokens.next.text not in ends):
        passed.append(tokens.take().text)
        depth += (passed[-1] in ("(", "[", "{")) - (passed[-1] in (")", "]", "}"))
    if depth > 0:
        raise tokens.fault("a closing bracket")
    return "".join(passed)


def _declaration(tokens: Tokens) -> Declaration:
    """Read ``array [1..2] of var 0..3: x :: output_array([1..2]) = [y, z]``, and simpler ones."""
    # Messages name the row alone: MiniZinc writes one statement a line, often a long one.
    place, size = tokens.next.place._replace(column=None), None
    if tokens.take_if("array"):
        tokens.expect("[")
        indices = _scalar(tokens)
        # FlatZinc has arrays from 1 only. The index sets of the MiniZinc model are kept in ``output_array``.
        if not isinstance(indices, range) or indices.start != 1:
            raise tokens.fault("an index set as 1..9")
        size = indices.stop - 1
        tokens.expect("]")
        tokens.expect("of")
    is_var = tokens.take_if("var")
    kind, values = _type(tokens)
    tokens.expect(":")
    name = tokens.expect_kind("name", "a name").text
    said = _OUTPUT.search(_annotations(tokens))
    ranges = re.findall(r"(-?\d{1,9})\.\.(-?\d{1,9})", said[1] if said else "")
    value = _value(tokens) if tokens.take_if("=") else None
    spans = tuple(range(int(low), int(high) + 1) for low, high in ranges)
    return Declaration(place, name, kind, values, is_var, size, value, spans)


def _type(tokens: Tokens) -> tuple[str, range | frozenset[int] | None]:
    if tokens.take_if("set"):
        tokens.expect("of")
        return "set", _type(tokens)[1]
    if tokens.next.text in ("bool", "int", "float"):
        return tokens.take().text, None
    if tokens.next.kind == "decimal":
        tokens.take()
        tokens.expect("..")
        tokens.expect_kind("decimal", "the upper bound")
        return "float", None
    values = _scalar(tokens) if tokens.next.kind == "number" or tokens.next.text == "{" else None
    if not isinstance(values, range | frozenset):
        raise tokens.fault("a type, as bool or 0..9,")
    return "int", values


def _call(tokens: Tokens) -> Call:
    name = tokens.expect_kind("name", "a name").text
    place = tokens.last.place._replace(column=None)
    tokens.expect("(")
    args, said = tuple(_listed(tokens, ")", _value)), _DEFINES.search(_annotations(tokens))
    return Call(place, name, args, said[1] if said else None)


def _solve(tokens: Tokens) -> Solve:
    place = tokens.last.place._replace(column=None)
    _annotations(tokens)
    if tokens.take_if("satisfy"):
        return Solve(place, "satisfy", None)
    sense: Literal["minimize", "maximize"] = "minimize" if tokens.take_if("minimize") else "maximize"
    if sense == "maximize":
        tokens.expect("maximize", "satisfy, minimize or maximize")
    goal = _scalar(tokens)
    if isinstance(goal, Name) and tokens.take_if("("):
        return Solve(place, sense, Call(place, goal.text, tuple(_listed(tokens, ")", _value))))
    return Solve(place, sense, goal)


def _value(tokens: Tokens) -> Value:
    return _listed(tokens, "]", _scalar) if tokens.take_if("[") else _scalar(tokens)


def _listed(tokens: Tokens, end: str, read: Callable[[Tokens], T]) -> list[T]:
    found: list[T] = []
    while not tokens.take_if(end):
        found.append(read(tokens))
        if tokens.next.text != end:
            tokens.expect(",")
    return found


def _scalar(tokens: Tokens) -> Scalar:
    if tokens.next.kind == "decimal":
        return _whole(tokens)
    if tokens.next.kind == "number":
        low = _number(tokens)
        return range(low, _number(tokens) + 1) if tokens.take_if("..") else low
    if tokens.take_if("{"):
        return frozenset(_listed(tokens, "}", _number))
    if tokens.next.kind == "string":
        return tokens.take().text
    name = tokens.expect_kind("name", "a value").text
    if name in ("true", "false"):
        return name == "true"
    if not tokens.take_if("["):
        return Name(name)
    index = _number(tokens)
    tokens.expect("]")
    return Name(name, index)


def _number(tokens: Tokens) -> int:
    token = tokens.expect_kind("number", "a whole number")
    # Checked before int(), whose time grows with the square of the digits.
    if len(token.text) > MOST_DIGITS:
        raise token.place.fault(f"a number of {len(token.text)} digits: at most {MOST_DIGITS} are read")
    return _bounded(tokens, int(token.text, 0 if "x" in token.text or "o" in token.text else 10))


def _whole(tokens: Tokens) -> int:
    token = tokens.take()
    number = Decimal(token.text)
    # The exponent is checked first: to_integral_value() and int() of 1e999999999 would fill the memory.
    if number.adjusted() > MOST_DIGITS or number != number.to_integral_value():
        fault = f"{token.text[:20]} is not a whole number, and only these are supported: multiply it out"
        raise token.place.unsupported(fault)
    return _bounded(tokens, int(number))


def _bounded(tokens: Tokens, number: int) -> int:
    if abs(number) > GREATEST:
        fault = f"{tokens.last.text[:20]} is more than 2^53: write smaller numbers, or the problem as OPB"
        raise tokens.last.place.unsupported(fault)
    return number


@dataclass(frozen=True)
class Posted:
    """A constraint that has not been built yet; its arguments are numbers, variables, sets, and lists of these."""

    name: str
    make: Callable[..., Any]
    args: Sequence[Any]
    defines: str | None = None

    def variables(self) -> Iterator[Any]:
        """Yield its variables, with repeats."""
        for arg in self.args:
            yield from (one for one in (arg if isinstance(arg, list) else [arg]) if isinstance(one, _NumVarImpl))

    def with_put_in(self, found: Mapping[str, Any]) -> Posted:
        """Return the constraint with some variables replaced."""

        def put(arg: Any) -> Any:
            if isinstance(arg, list):
                return [put(one) for one in arg]
            return found.get(arg.name, arg) if isinstance(arg, _NumVarImpl) else arg

        return replace(self, args=[put(arg) for arg in self.args])


def put_in(posted: Sequence[Posted], removable: Mapping[str, Any]) -> tuple[list[Posted], set[str]]:
    """Replace variables by their definitions: those used once, and those with a short definition.

    Only ``removable`` variables, given by name, are replaced: they need not be shown.

    Returns:
        The remaining constraints, with the bounds of the substituted expressions, and the names that are gone.
    """
    uses = collections.Counter(variable.name for one in posted for variable in one.variables())
    definitions = {one.defines: one for one in posted if one.defines and one.defines in removable}
    found, size, depth, bounds = dict[str, Any](), dict[str, int](), dict[str, int](), list[Posted]()
    # In dependency order the definitions of all variables that a definition reads have been decided before.
    for name in _in_order(definitions):
        variable, definition = removable[name], definitions[name]
        others = [other.name for other in definition.variables() if other is not variable]
        total = sum(size.get(other, 1) for other in others)
        level = 1 + max((depth.get(other, 0) for other in others), default=0)
        # One of the uses is the definition itself. A variable with more than one other use would copy its definition,
        # so only short definitions are copied: the whole grows little.
        if level > MOST_DEPTH or (uses[name] > 2 and total > MOST_REPEATED):
            continue
        value = _solved_for(variable, definition.with_put_in(found))
        if value is not None:
            # The variable's domain is lost with it, so its bounds become constraints. A partial function must also have
            # a value: comparing it with the lower bound demands that.
            low, high = bounds_of(value)
            if low < variable.lb or getattr(value, "name", None) in _PARTIAL:
                bounds.append(Posted("", partial(ge, value, variable.lb), ()))
            if high > variable.ub:
                bounds.append(Posted("", partial(le, value, variable.ub), ()))
            # A Boolean that is defined by a number has to remain a Boolean.
            found[name] = value == 1 if variable.is_bool() and not _is("b", value) else value
            size[name], depth[name] = total, level
    # By identity: two equal constraints may define different variables.
    gone = {id(definitions[name]) for name in found}
    return [*(one.with_put_in(found) for one in posted if id(one) not in gone), *bounds], set(found)


def _in_order(definitions: Mapping[str, Posted]) -> Iterable[str]:
    """Return the definitions in dependency order; nothing if they are cyclic."""
    graph = {name: {other.name for other in one.variables()} - {name} for name, one in definitions.items()}
    try:
        return [name for name in TopologicalSorter(graph).static_order() if name in definitions]
    except CycleError:
        return ()


def _solved_for(variable: Any, definition: Posted) -> Any:
    """Return the expression that a constraint makes a variable equal to; None if there is none."""
    # A variable that occurs twice in its definition is not defined by it.
    if sum(one is variable for one in definition.variables()) != 1:
        return None
    holds = definition.make(*definition.args)
    if definition.name in ("int_lin_eq", "bool_lin_eq"):
        weights, terms, bound = definition.args
        own = next((weight for weight, term in zip(weights, terms, strict=True) if term is variable), 0)
        rest = [-own * weight * term for weight, term in zip(weights, terms, strict=True) if term is not variable]
        # A coefficient other than 1 and -1 would need a division.
        return cp.sum([*rest, own * bound]) if abs(own) == 1 else None
    sides = holds.args if isinstance(holds, Comparison) and holds.name == "==" else ()
    value = next((side for side, other in zip(sides, reversed(sides), strict=True) if other is variable), None)
    try:
        bounds_of(value)
    # CPMpy's bounds of a division by the constant 0, which has no value.
    except ZeroDivisionError:
        return None
    return value


def read_flatzinc(text: str, source: str) -> Declared:
    """Return the constraints and the objective of a file.

    Definitions of the objective's variable and of variables that MiniZinc introduced are substituted. An introduced
    variable in a printed array is named by its place there, as ``q[2]``; others are not shown to the user.
    """
    statements = list(parse(text, source))
    asked = [one for one in statements if isinstance(one, Solve)]
    if not asked:
        raise Place(source).fault("no 'solve' statement: the file is cut short, or add 'solve satisfy;'")
    if len(asked) > 1:
        raise asked[1].place.fault("a second 'solve' statement: remove one")
    known, printed, posted = dict[str, Any](), _printed_names(statements), list[Posted]()
    for one in statements:
        with naming(one.place):
            if isinstance(one, Declaration):
                posted += _declare(one, known, printed)
            elif isinstance(one, Call):
                posted.append(_constraint(one, known))
    with naming(asked[0].place):
        goal = _goal(asked[0], known)
    variables = {name: one for name, one in known.items() if isinstance(one, Expression)}
    aims = [one.name for one in goal.variables()]
    unseen = {name: one for name, one in variables.items() if _MADE_UP.match(one.name) or aims == [one.name]}
    # The goal takes part, so that the variable that it minimises can be replaced by its definition as well.
    (goal, *left), gone = put_in([goal, *posted], unseen)
    # Sizes are checked only now: variables without bounds are allowed if their definition has been substituted.
    for one in statements:
        if not isinstance(one, Declaration) or one.name not in variables.keys() - gone:
            continue
        if one.kind == "int" and one.values is None:
            raise one.place.unsupported(f"variable {one.name} has no bounds: declare it as 'var 0..9: {one.name}'")
        if (count := variables[one.name].ub - variables[one.name].lb + 1) > DOMAIN_LIMIT:
            fault = f"variable {one.name} reaches over {count} values: tighten its bounds to at most {DOMAIN_LIMIT}"
            raise one.place.unsupported(fault)
    model = cp.Model([one.make(*one.args) for one in left])
    if asked[0].sense != "satisfy":
        model.objective(goal.make(*goal.args), minimize=asked[0].sense == "minimize")
    shown = [one for name, one in variables.items() if name not in gone and not _MADE_UP.match(one.name)]
    return Declared(model, shown)


def _printed_names(statements: Iterable[Declaration | Call | Solve]) -> dict[str, str]:
    """Return the places in printed arrays of variables with introduced names."""
    printed: dict[str, str] = {}
    for one in statements:
        if isinstance(one, Declaration) and one.ranges and isinstance(one.value, list):
            # MiniZinc lists arrays of several dimensions row by row, which is the order of ``product``.
            for place, entry in zip(product(*one.ranges), one.value, strict=False):
                if isinstance(entry, Name) and _MADE_UP.match(entry.text):
                    printed.setdefault(entry.text, f"{one.name}[{','.join(map(str, place))}]")
    return printed


def _declare(one: Declaration, known: dict[str, Any], printed: Mapping[str, str]) -> list[Posted]:
    """Register a name, and return the constraints that its type and its value imply."""
    if one.name in known:
        raise InputError(f"{one.name} is declared twice: rename one of them")
    value = None if one.value is None else _resolve(one.value, known)
    rules = list[Posted]()
    if one.size is None and one.is_var:
        known[one.name] = _variable(one, printed.get(one.name, one.name))
        rules += [] if value is None else [Posted("", lambda a, b: a == b, [known[one.name], value])]
    elif value is None or isinstance(value, list) != (one.size is not None):
        raise InputError(f"{one.name} has no value of its kind: write one behind its name, as '= 3' or '= [x, y]'")
    elif one.size is not None and len(value) != one.size:
        raise InputError(f"{one.name} is an array of {one.size} and has {len(value)} entries: correct one of them")
    else:
        known[one.name] = value
    # The range of a single variable is its domain; sets and array entries need a constraint.
    if one.values is None or one.kind != "int" or (one.is_var and one.size is None and isinstance(one.values, range)):
        return rules
    held = known[one.name] if one.size is not None else [known[one.name]]
    return [*rules, *(Posted("", within, [entry, one.values]) for entry in held)]


def _variable(one: Declaration, name: str) -> Any:
    check_name(name, one.place)
    if one.kind == "float":
        mend = "qubits hold whole numbers: scale it to them in the model"
        raise UnsupportedError(f"variable {one.name} is a real number, and {mend}")
    if one.kind == "set":
        mend = "write 'include \"nosets.mzn\";' in the MiniZinc model, which makes Booleans of it"
        raise UnsupportedError(f"variable {one.name} is a set: {mend}")
    if one.kind == "bool":
        return cp.boolvar(name=name)
    # A variable without bounds gets the widest domain, and must be replaced by its definition later.
    values = range(-GREATEST, GREATEST + 1) if one.values is None else one.values
    if not values:
        raise InputError(f"variable {one.name} has no value that it may take: correct its bounds")
    low, high = (values[0], values[-1]) if isinstance(values, range) else (min(values), max(values))
    return cp.intvar(low, high, name=name)


def _resolve(value: Value, known: Mapping[str, Any]) -> Any:
    """Return a value with its names replaced by what they denote."""
    if isinstance(value, list):
        return [_resolve(one, known) for one in value]
    if not isinstance(value, Name):
        return value
    if value.text not in known:
        raise InputError(f"{value.text[:40]} is not declared: declare it further above, or correct the name")
    found = known[value.text]
    if value.index is None:
        return found
    if not isinstance(found, list) or not 1 <= value.index <= len(found):
        raise InputError(f"{value.text[:40]} has no entry {value.index}: correct the index")
    return found[value.index - 1]


def _goal(one: Solve, known: Mapping[str, Any]) -> Posted:
    """Return the objective: a number, a sum (in files that SCIP writes), or 0 without one."""
    if isinstance(one.goal, Call):
        args = [_resolve(arg, known) for arg in one.goal.args]
        if one.goal.name != "int_float_lin" or not _fit("IIXX", args) or len(args[0]) != len(args[2]) or args[1]:
            raise UnsupportedError(f"objective {one.goal.name[:40]} is not supported: write a variable that equals it")
        return Posted("", total, [args[0], args[2]])
    goal = 0 if one.goal is None else _resolve(one.goal, known)
    if not _fit("x", [goal]):
        raise InputError("the objective is not a number: write a variable, as 'solve minimize x;'")
    return Posted("", total, [[1], [goal]])


def _constraint(call: Call, known: Mapping[str, Any]) -> Posted:
    given = [_resolve(value, known) for value in call.args]
    # The suffixes below come after the affixes: ``gecode_int_eq_reif`` is ``int_eq`` with ``_reif``.
    base = _AFFIX.sub("", call.name)
    # Suffix _reif: the last argument is true exactly if the constraint holds. Suffix _imp: it implies the constraint.
    whole = base in _RULES or not base.endswith(("_reif", "_imp"))
    name, _, kind = (base, "", "") if whole else base.rpartition("_")
    rule = _rule_for(call.name, name, given[:-1] if kind else given)
    if kind and not _fit("b", given[-1:]):
        raise InputError(f"the last argument of {call.name[:40]} is not a Boolean: correct it")

    def make(*args: Any) -> Any:
        with naming(call.place):
            try:
                holds = truth(rule[2](*(args[:-1] if kind else args)))
            # zip(strict=True) in the rule.
            except ValueError as error:
                fault = f"the arrays of {call.name[:40]} have different lengths: correct them"
                raise InputError(fault) from error
        if not kind:
            return holds
        return same(args[-1], holds) if kind == "reif" else truth(args[-1]).implies(holds)

    return Posted(base, make, given, call.defines)


def _rule_for(said: str, name: str, args: list[Any]) -> Rule:
    rules = _RULES.get(name, [])
    for rule in rules:
        if _fit(rule[1], args):
            return rule
    if not rules:
        mend = "compile the model for MiniZinc's solver org.minizinc.mzn-fzn, which replaces it by others"
        raise UnsupportedError(f"constraint {said[:40]} is not supported: {mend}")
    forms = " or ".join(
        ", ".join(f"{'array of ' * k.isupper()}{_KINDS[k.lower()]}" for k in kinds) for _, kinds, _ in rules
    )
    raise InputError(f"the arguments of {said[:40]} have unsupported kinds: give {forms}")


def _fit(kinds: str, args: list[Any]) -> bool:
    """Return whether the arguments are of these kinds, by the letters of `flatzinc_builtins.Rule`."""
    return len(kinds) == len(args) and all(_is(kind, arg) for kind, arg in zip(kinds, args, strict=True))


def _is(kind: str, value: Any) -> bool:
    if kind.isupper():
        return isinstance(value, list) and all(_is(kind.lower(), one) for one in value)
    if isinstance(value, Expression):
        return kind == "x" or (kind == "b" and value.is_bool())
    return isinstance(value, {"b": bool, "s": range | frozenset}.get(kind, int))

"""XCSP3 to CPMpy, by CPMpy's reader with a few constraints replaced."""

from __future__ import annotations

import atexit
import math
import os
import re
import sys
import traceback
import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from xml.etree import ElementTree
from xml.parsers import expat

from gatesolve.errors import GatesolveError, one_line
from gatesolve.formats.from_cpmpy import DOMAIN_LIMIT
from gatesolve.formats.text import Declared, check_declared
from gatesolve.model.model import LARGEST
from gatesolve.qubo.numerals import Place

_CHILDREN = {
    "intension": "(function )?",
    "extension": "list (supports |conflicts )",
    "regular": "list transitions start final ",
    "mdd": "list transitions ",
    "allDifferent": "((list )*(except )?|matrix )",
    "allEqual": "(list (except )?)?",
    "ordered": "list (lengths )?operator ",
    "lex": "((list )+|matrix )operator ",
    "precedence": "(list (values )?)?",
    "sum": "list (coeffs )?condition ",
    "count": "list values condition ",
    "nValues": "list (except )?condition ",
    "cardinality": "list values occurs ",
    "minimum": "list condition ",
    "maximum": "list condition ",
    "element": "(list |matrix )index (value |condition )",
    "channel": "(list (list |value )?)?",
    "noOverlap": "origins lengths ",
    "cumulative": "origins lengths heights condition ",
    "binPacking": "list sizes (condition |limits |loads )",
    "knapsack": "list weights condition profits condition ",
    "circuit": "(list (size )?)?",
    "instantiation": "list values ",
}
_ONE = f"({'|'.join(_CHILDREN)}) "
_MANY = f"({_ONE}|block |group |slide )*"
_HOLDERS = {
    "instance": "variables (constraints )?(objectives )?(annotations )?",
    "variables": "(var |array )*",
    "array": "(domain )*",
    "constraints": _MANY,
    "block": _MANY,
    "group": f"{_ONE}(args )*",
    "slide": f"(list )+{_ONE}",
    "objectives": "(minimize |maximize )*",
    "minimize": "(list (coeffs )?)?",
    "maximize": "(list (coeffs )?)?",
}
_KNOWN = {"instance", *re.findall(r"\w+", " ".join([*_CHILDREN.values(), *_HOLDERS.values()]))}
_ANYWHERE = {"id", "class", "note"}
_ATTRIBUTES = {
    "instance": {"format": "xcsp3", "type": "csp|cop"},
    "var": {"type": ".*", "as": ".*"},
    "array": {"type": ".*", "as": ".*", "size": ".*", "startIndex": "0"},
    "domain": {"for": ".*", "as": ".*"},
    "objectives": {"combination": ".*"},
    "minimize": {"type": ".*"},
    "maximize": {"type": ".*"},
    "noOverlap": {"zeroIgnored": "true|false"},
    "slide": {"circular": "true|false"},
    "slide list": {"offset": "0*[1-9][0-9]*", "collect": "0*[1-9][0-9]*"},
    "list": {"startIndex": "0"},
    "matrix": {"startRowIndex": "0", "startColIndex": "0"},
    "index": {"rank": "any"},
    "cardinality values": {"closed": "true|false"},
    "precedence values": {"covered": "true|false"},
}
"""Attributes by the element, or by its parent and it, with a pattern of the supported values."""
_WITH_RANGES = {"var", "array", "domain", "values", "occurs", "supports", "conflicts", "condition", "args"}
_STEP = re.compile(r"\(\s*([^\s,()]+)\s*,\s*([^\s,()]+)\s*,\s*([^\s,()]+)\s*\)")
_OF_VARIABLES = {"intension", "list", "args", "allDifferent"}
"""Elements of XCSP3 in which a name is a variable's."""


def check_elements(root: ElementTree.Element, rows: Sequence[int], source: str) -> None:
    """Refuse elements that would be ignored or misread, with their rows, which `element_rows` returns."""
    # PyCSP3 silently ignores much of what it does not support. Only known combinations are let through.
    parents = {child: parent.tag for parent in root.iter() for child in parent}
    for row, one in zip(rows, root.iter(), strict=True):
        # Annotations describe how to search, and come last.
        if one.tag == "annotations":
            return
        if fault := _fault(parents.get(one, ""), one):
            raise Place(source, row).unsupported(f"{fault}: write it otherwise, or the model in CPMpy")


def element_rows(text: str) -> list[int]:
    """Return the rows in which elements begin, annotations included, in the order of the file."""
    rows: list[int] = []
    # ElementTree does not keep rows.
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, attributes: rows.append(parser.CurrentLineNumber)
    parser.Parse(text, True)
    return rows


def _fault(parent: str, one: ElementTree.Element) -> str | None:
    """Return the part of an element that is not supported, apart from its children; None if there is none."""
    tag, text = one.tag[:20], one.text or ""
    if one.tag not in _KNOWN:
        return f"<{tag}> is not read"
    known = _ATTRIBUTES.get(one.tag, {}) | _ATTRIBUTES.get(f"{parent} {one.tag}", {})
    for name, value in one.attrib.items():
        pattern = known.get(name, "(?!)")
        # The reader compares truth values literally, in lower case.
        is_truth = pattern == "true|false"
        written = value if is_truth else value.strip().lower()
        if name not in _ANYWHERE and not re.fullmatch(pattern, written):
            return f"attribute {name[:20]}={value[:20]!r} of <{tag}> is not read"
    tags = [child.tag for child in one]
    pattern = _CHILDREN.get(one.tag) or _HOLDERS.get(one.tag, "")
    if _KNOWN.issuperset(tags) and not re.fullmatch(pattern, "".join(f"{word} " for word in tags)):
        return f"<{tag}> that holds {' '.join(tags[:6]) or 'nothing'}{' ...' * (len(tags) > 6)} is not read"
    if beside := "".join([text, *(child.tail or "" for child in one)]).strip() if tags else "":
        return f"text {beside[:20]!r} beside the elements of <{tag}> is not read"
    if one.tag not in _WITH_RANGES and ".." in re.sub(r"\[[^]]*\]|%\.\.\.", "", text):
        return f"a range in <{tag}> is not read"
    # Numbers of up to 18 digits fit 64 bits; those of 19 are compared, without reading longer ones.
    if large := next((n for n in re.findall(r"(?<!\w)\d{19,}", text) if len(n) > 19 or int(n) > LARGEST), None):
        return f"a number of {len(large)} digits in <{tag}> is not read"
    if one.tag != "condition" and (listed := _listed(text)) > DOMAIN_LIMIT:
        return f"a list of {listed} values in <{tag}> is not read"
    steps = set(_STEP.findall(text)) if one.tag == "transitions" else set()
    if len({(state, value) for state, value, _ in steps}) < len(steps):
        return f"<{parent}> with two ways on from one state by the same value is not read"
    return None


def _listed(text: str) -> int:
    ranges = re.findall(r"([+-]?\d{1,19})\s*\.\.\s*([+-]?\d{1,19})", re.sub(r"\[[^]]*\]", "", text))
    times = re.findall(r"(?<!\w)[+-]?\d{1,19}x(\d{1,19})", text)
    return sum(max(0, int(high) - int(low) + 1) for low, high in ranges) + sum(map(int, times))


def read_xcsp3(text: str, source: str) -> Declared:
    """Return the constraints and the objective of a file."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        row, column = error.position
        fault = f"not well-formed XML ({str(error).partition(':')[0]}): the file is cut short, or correct it"
        raise Place(source, row, column + 1).fault(fault) from error
    if root.tag != "instance":
        raise Place(source).fault(f"XML of '{root.tag[:20]}', not of XCSP3: give a file with <instance ...>")
    rows = element_rows(text)
    declared = _check_declarations(root, rows, source)
    check_elements(root, rows, source)
    for one, row in zip(root.iter(), rows, strict=True):
        one.set("row", str(row))
    reached: list[int] = []
    try:
        with _quietly(), warnings.catch_warnings():
            # PyCSP3's own escapes, and variables that it remembers from other models.
            warnings.simplefilter("ignore")
            import pycsp3

            # PyCSP3 compiles the calling program when it exits.
            atexit.unregister(pycsp3.end)
            from gatesolve.formats.xcsp3_parser import load

            model, variables = load(root, reached)
    # PyCSP3 raises errors of all kinds, and also exits.
    except (Exception, SystemExit) as error:
        if unknown := _undeclared(root, declared):
            fault = f"no variable is called {unknown[:20]}: correct it, or declare it with <var> or <array>"
            found = re.search(rf"\b{unknown}\b", text)
            raise Place(source, text.count("\n", 0, found.start()) + 1 if found else None).fault(fault) from error
        fault = f"CPMpy's reader of xcsp3 does not support it ({one_line(_reason(error))[:120]})"
        fault += ": correct the file, or write the model in CPMpy"
        raise Place(source, reached[-1] if reached else None).unsupported(fault) from error
    return Declared(model, variables)


def _check_declarations(root: ElementTree.Element, rows: Sequence[int], source: str) -> set[str]:
    """Return the names of variables and arrays; refuse a second one of a name, and too many entries of arrays."""
    names, total = set[str](), 0
    for row, one in zip(rows, root.iter(), strict=True):
        if one.tag in {"var", "array"}:
            if (name := one.get("id", "")) in names:
                raise Place(source, row).fault(f"variable {name[:20]} is declared twice: remove one, or rename it")
            names.add(name)
            sizes = map(int, re.findall(r"\d{1,18}", one.get("size", "")))
            total += math.prod(sizes) if one.tag == "array" else 1
            check_declared(total, Place(source, row))
    return names


def _undeclared(root: ElementTree.Element, declared: Collection[str]) -> str | None:
    """Return an undeclared name in a place for variables, unless variables are symbolic."""
    # The values of symbolic variables are names, too.
    if any(one.get("type") == "symbolic" for one in root.iter()):
        return None
    texts = (one.text or "" for part in root.iter("constraints") for one in part.iter() if one.tag in _OF_VARIABLES)
    names = (name for text in texts for name in re.findall(r"(?<![\w%.])[A-Za-z_]\w*(?![\w(])", text))
    return next((name for name in names if name not in declared), None)


def _reason(error: BaseException) -> str:
    """Return the message of an error, the code that failed, or the name of a missing function."""
    frames = traceback.extract_tb(error.__traceback__)
    met = [frame.name for frame in frames]
    if "_unimplemented" in met:
        return f"it has no {met[met.index('_unimplemented') - 1]}"
    if isinstance(error, GatesolveError):
        return str(error)
    return f"{type(error).__name__}: {str(error) or frames[-1].line}"


@contextmanager
def _quietly() -> Iterator[None]:
    """Suppress all output, and hide the program's arguments from PyCSP3."""
    # PyCSP3 parses sys.argv when it is imported; these arguments make it compile nothing.
    given, sys.argv = sys.argv, ["read.py", "-nocompile"]
    # Some parts write to the file descriptors rather than to Python's streams.
    streams = [os.dup(1), os.dup(2)]
    try:
        with open(os.devnull, "w") as nothing, redirect_stdout(nothing), redirect_stderr(nothing):
            for number in (1, 2):
                os.dup2(nothing.fileno(), number)
            yield
    finally:
        sys.argv = given
        for number, stream in enumerate(streams, start=1):
            os.dup2(stream, number)
            os.close(stream)

"""Elements and attributes of XCSP3 that are read; any other is refused, as CPMpy's reader passes over many."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree
from xml.parsers import expat

from gatesolve.errors import UnsupportedError
from gatesolve.formats.from_cpmpy import DOMAIN_LIMIT
from gatesolve.model.model import LARGEST

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
"""Attributes by the element, or by its parent and it, with a pattern of the values that are read."""
_WITH_RANGES = {"var", "array", "domain", "values", "occurs", "supports", "conflicts", "condition", "args"}
_STEP = re.compile(r"\(\s*([^\s,()]+)\s*,\s*([^\s,()]+)\s*,\s*([^\s,()]+)\s*\)")


def check_elements(root: ElementTree.Element, rows: Sequence[int], source: str) -> None:
    """Refuse what would be passed over or read otherwise, with its row, of those of `element_rows`.

    Raises:
        UnsupportedError: an element, an attribute, text or a value in a place where it is not read.
    """
    for row, (parent, one) in zip(rows, _pairs(root), strict=False):
        if fault := _fault(parent, one):
            raise UnsupportedError(f"{fault}: write it otherwise, or the model in CPMpy", source=source, row=row)


def element_rows(text: str) -> list[int]:
    """Rows in which elements begin, annotations included, in the order of the file."""
    rows: list[int] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, attributes: rows.append(parser.CurrentLineNumber)
    parser.Parse(text, True)
    return rows


def _pairs(root: ElementTree.Element) -> Iterator[tuple[str, ElementTree.Element]]:
    """Every element behind its parent's tag, in the order of the file, which ends with the annotations."""
    left = [("", root)]
    while left:
        parent, one = left.pop()
        yield parent, one
        if one.tag != "annotations":  # they say how to search, not what
            left += ((one.tag, child) for child in reversed(one))


def _fault(parent: str, one: ElementTree.Element) -> str | None:
    """Return the part of an element that is not read, apart from its children; None if all of it is."""
    tag, text = one.tag[:20], one.text or ""
    if one.tag not in _KNOWN:
        return f"<{tag}> is not read"
    if one.tag == "annotations":
        return None
    known = _ATTRIBUTES.get(one.tag, {}) | _ATTRIBUTES.get(f"{parent} {one.tag}", {})
    for name, value in one.attrib.items():
        pattern = known.get(name, "(?!)")
        is_truth = pattern == "true|false"  # which the reader compares as it is written
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
    if large := next((n for n in re.findall(r"(?<!\w)\d{19,}", text) if len(n) > 19 or int(n) > LARGEST), None):
        return f"a number of {len(large)} digits in <{tag}> is not read"
    if one.tag != "condition" and (listed := _listed(text)) > DOMAIN_LIMIT:
        return f"a list of {listed} values in <{tag}> is not read"
    steps = set(_STEP.findall(text)) if one.tag == "transitions" else set()
    if len({(state, value) for state, value, _ in steps}) < len(steps):
        return f"<{parent}> with two ways on from one state by the same value is not read"
    return None


def _listed(text: str) -> int:
    """Count the values that ranges and repetitions make."""
    ranges = re.findall(r"([+-]?\d{1,19})\s*\.\.\s*([+-]?\d{1,19})", re.sub(r"\[[^]]*\]", "", text))
    times = re.findall(r"(?<!\w)[+-]?\d{1,19}x(\d{1,19})", text)
    return sum(max(0, int(high) - int(low) + 1) for low, high in ranges) + sum(map(int, times))

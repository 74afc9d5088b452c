"""Every form in which a user may give a Boolean function, read into one truth table."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatesolve.errors import DoesNotFitError, InputError
from gatesolve.functions.expression import Node, is_dimacs, parse, parse_dimacs, values

CHECKED = 1 << 10
"""Inputs at most on which the function is called to see that the expression agrees."""
Bools = NDArray[np.bool_]
MOST_VARIABLES = 20
"""Every input is checked, so there is a limit to how many."""
_WHOLE = bool | np.bool_ | int | np.integer


@dataclass(frozen=True, eq=False)
class _Bit:
    """A value in the making; what is not defined here, ``and``, ``if`` and ``+`` too, raises TypeError."""

    node: Node

    def _with(self, kind: str, other: object) -> _Bit:
        node = _node_of(other)
        return NotImplemented if node is None else _Bit(Node(kind, (self.node, node)))

    def __and__(self, other: object) -> _Bit:
        return self._with("and", other)

    def __or__(self, other: object) -> _Bit:
        return self._with("or", other)

    def __xor__(self, other: object) -> _Bit:
        return self._with("xor", other)

    # Between bits, ``!=`` is XOR.
    __rand__, __ror__, __rxor__, __ne__ = __and__, __or__, __xor__, __xor__  # type: ignore[assignment]

    def __eq__(self, other: object) -> _Bit:  # type: ignore[override]
        return ~self._with("xor", other)

    # Comparing gives an expression, which is always true to a set or dictionary, so bits must not be hashed.
    __hash__ = None  # type: ignore[assignment]

    def __invert__(self) -> _Bit:
        return _Bit(Node("not", (self.node,)))

    def __bool__(self) -> bool:
        # ``if``, ``and`` and ``or`` would choose one branch for all inputs.
        raise TypeError("a bit has no value yet")


def trace(function: Callable[..., object], num_bits: int) -> tuple[Node, ...] | None:
    """Return a function's bit, or tuple of bits, as expressions; None where it takes more than & | ^ ~ == !=."""
    try:
        nodes = [_node_of(one) for one in _parts(function(*(_Bit(Node("var", value=k)) for k in range(num_bits))))]
    except Exception:  # whatever it is, calls with true bits raise it again
        return None
    found = tuple(node for node in nodes if node is not None)
    # The function is called with real bits as well, because it may treat values of other types differently.
    inputs = np.arange(1 << num_bits)
    if len(inputs) > CHECKED:
        inputs = np.random.default_rng(0).choice(inputs, CHECKED, replace=False)
    bits = (inputs >> np.arange(num_bits)[:, None] & 1).astype(bool)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # ~True is -2: its last bit is what is meant
        called = [_parts(function(*map(bool, column))) for column in bits.T]
    truths = [[int(value) & 1 for value in row if isinstance(value, int | np.bool_)] for row in called]
    expected = [list(map(int, row)) for row in np.array([values(node, bits) for node in found]).T]
    return found if found and len(found) == len(nodes) and expected == truths else None


def _parts(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _node_of(value: object) -> Node | None:
    if isinstance(value, _Bit):
        return value.node
    is_bit = isinstance(value, bool | int | np.bool_ | np.integer) and value in (0, 1)
    return Node("const", value=int(bool(value))) if is_bit else None


@dataclass(frozen=True)
class Function:
    """A boolean function on n bits.

    Attributes:
        table: shape (2^n,); entry i is the value at the input whose bit k is bit k of i (little-endian).
            What is not cared about is False here.
        care: shape (2^n,), False where the value does not matter; None if all of it matters.
        names: of the bits, bit 0 first.
        tree: the expression it was written as, if it was.
    """

    table: Bools
    care: Bools | None
    names: tuple[str, ...]
    tree: Node | None = None

    @property
    def num_bits(self) -> int:
        """Bits of an input."""
        return len(self.names)


def bits_of(num_bits: int) -> Bools:
    """Shape (num_bits, 2^num_bits): bit k of every input."""
    inputs = np.arange(1 << num_bits)
    return np.array([inputs >> k & 1 for k in range(num_bits)], dtype=bool).reshape(num_bits, 1 << num_bits)


def read_function(function: object, num_qubits: int | None = None, care: object = None) -> Function:
    """Read any of the accepted forms.

    Args:
        function: an expression or DIMACS text, a truth table of length 2^n, a bitmap ``rows[y][x]`` (x is the low
            half of the bits; rows may be strings of 0 and 1), or a callable of n bits or of one integer.
        num_qubits: n, needed for a callable of one integer; otherwise checked if given.
        care: a table or bitmap of the same shape; False where the value does not matter.

    Raises:
        InputError: not one of these, or of a wrong size.
        DoesNotFitError: more than `MOST_VARIABLES` bits.
    """
    _check_width(num_qubits)
    if isinstance(function, str):
        found = _from_text(function, num_qubits)
    elif callable(function):
        found = _from_callable(function, num_qubits)
    else:
        found = _plain(_table(function, "the truth table"))
    if num_qubits is not None and found.num_bits != num_qubits:
        raise InputError(f"the function has {found.num_bits} bits, but num_qubits says {num_qubits}")
    if care is None:
        return found
    mask = _table(care, "the care mask")
    if mask.shape != found.table.shape:
        raise InputError(f"the care mask has {mask.size} entries, the function {found.table.size}: make them equal")
    # A mask without exceptions becomes None: only functions without don't-cares are built from their expression.
    return Function(found.table & mask, None if mask.all() else mask, found.names, found.tree)


def _check_width(num_qubits: int | None) -> None:
    if num_qubits is not None and (not isinstance(num_qubits, int) or isinstance(num_qubits, bool) or num_qubits < 1):
        raise InputError(f"num_qubits must be a positive whole number, not {num_qubits!r}")


def _plain(table: Bools) -> Function:
    return Function(table, None, tuple(f"q{k}" for k in range(_log(table.size, "a truth table"))))


def _fit(num_bits: int) -> None:
    if num_bits > MOST_VARIABLES:
        raise DoesNotFitError(
            f"{num_bits} bits are too many to check on every input: at most {MOST_VARIABLES} fit; "
            "write a larger problem as a model and use gatesolve.compile"
        )


def _fit_targets(number: int) -> None:
    if number > MOST_VARIABLES:
        raise DoesNotFitError(
            f"{number} targets are too many: at most {MOST_VARIABLES} fit; split them over several calls"
        )


def _log(size: int, what: str) -> int:
    if size < 2 or size & (size - 1):
        raise InputError(f"{what} must have 2, 4, 8, ... entries, not {size}")
    _fit(size.bit_length() - 1)
    return size.bit_length() - 1


def _from_text(text: str, num_qubits: int | None) -> Function:
    if not text.strip():
        raise InputError("the function is an empty text: give an expression such as '(a & ~b) ^ c', or DIMACS CNF")
    # A single digit is a constant expression; only longer texts are truth tables.
    if set(text.strip()) <= {"0", "1"} and len(text.strip()) > 1:
        return _plain(_table(list(text.strip()), "the truth table"))
    tree, names = parse_dimacs(text) if is_dimacs(text) else parse(text)
    if not names and num_qubits is None:
        raise InputError("the expression has no variables, so its oracle is a global phase at most: give num_qubits")
    if num_qubits is not None and num_qubits > len(names):
        names = (*names, *(f"unused{k}" for k in range(num_qubits - len(names))))
    _fit(len(names))
    return Function(values(tree, bits_of(len(names))), None, names, tree)


def _from_callable(function: Callable[..., object], num_qubits: int | None) -> Function:
    names, whole = _read_parameters(function, num_qubits)
    trees = None if whole else trace(function, len(names))
    if trees is not None and len(trees) == 1:
        return Function(values(trees[0], bits_of(len(names))), None, names, trees[0])
    called = enumerate(_call_on_all(function, len(names), whole))
    results = [_truth(value, f"the function's value at {number}") for number, value in called]
    return Function(np.array(results, dtype=bool), None, names)


def _read_parameters(function: Callable[..., object], num_qubits: int | None) -> tuple[tuple[str, ...], bool]:
    """The names of the bits, and whether they are one integer's."""
    try:
        parameters: Mapping[str, inspect.Parameter] = inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise InputError("the callable's parameters cannot be read: wrap it in a lambda") from None
    # A parameter with a default is an option of the function, not an input bit.
    wanted = [p for p in parameters.values() if p.default is inspect.Parameter.empty]
    kinds = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}
    if not wanted or any(p.kind not in kinds for p in wanted):
        raise InputError("the callable must take its bits, or one integer, as plain positional parameters")
    # One parameter always means the integer; with num_qubits=1 that is the bit itself.
    whole, names = len(wanted) == 1, tuple(p.name for p in wanted)
    if whole:
        if num_qubits is None:
            raise InputError(f"a callable of one integer '{names[0]}' needs num_qubits")
        names = tuple(f"q{k}" for k in range(num_qubits))
    _fit(len(names))
    return names, whole


def _call_on_all(function: Callable[..., object], num_bits: int, whole: bool) -> Iterator[object]:
    for number in range(1 << num_bits):
        arguments = (number,) if whole else tuple(bool(number >> k & 1) for k in range(num_bits))
        yield function(*arguments)


def read_outputs(function: object, num_qubits: int | None = None) -> tuple[Function, ...]:
    """Read any of the accepted forms as a function for each binary digit of its value, the lowest digit first.

    Args:
        function: as `read_function`; a table may hold whole numbers from 0, and a callable may give one, or a tuple
            of bits.
        num_qubits: as `read_function`.

    Raises:
        InputError: as `read_function`, or tuples that are empty or of different lengths.
        DoesNotFitError: as `read_function`, or more than `MOST_VARIABLES` digits.
    """
    _check_width(num_qubits)
    if callable(function):
        names, whole = _read_parameters(function, num_qubits)
        trees = None if whole else trace(function, len(names))
        if trees is None:
            found = _split_digits(list(_call_on_all(function, len(names), whole)), names, "the function's value at")
        else:
            _fit_targets(len(trees))
            found = tuple(Function(values(tree, bits_of(len(names))), None, names, tree) for tree in trees)
    elif isinstance(function, list | tuple | np.ndarray) and all(isinstance(one, _WHOLE) for one in function):
        found = _split_digits(list(function), _plain(np.zeros(len(function), dtype=bool)).names, "the table's entry")
    else:
        found = (read_function(function, num_qubits),)
    if num_qubits not in (None, found[0].num_bits):
        raise InputError(f"the function has {found[0].num_bits} bits, but num_qubits says {num_qubits}")
    return found


def _split_digits(given: Sequence[object], names: tuple[str, ...], what: str) -> tuple[Function, ...]:
    """A function for each binary digit of whole numbers, or for each bit of tuples."""
    # The length -1 stands for a whole number, so mixing numbers and tuples gives two lengths.
    numbers, width, lengths = list[int](), 1, {len(v) if isinstance(v, tuple) else -1 for v in given}
    if len(lengths) > 1 or 0 in lengths:
        raise InputError("the function must give whole numbers alone, or for every input a tuple of as many bits")
    _fit_targets(max(lengths))
    for row, value in enumerate(given):
        if isinstance(value, tuple):
            numbers.append(sum(_truth(bit, f"{what} {row}") << k for k, bit in enumerate(value)))
            width = len(value)
        elif isinstance(value, _WHOLE) and 0 <= int(value) < 1 << MOST_VARIABLES:
            numbers.append(int(value))
            width = max(width, int(value).bit_length())
        else:
            raise InputError(f"{what} {row} is {value!r}, no whole number from 0 to 2^{MOST_VARIABLES} - 1")
    table = np.array(numbers, dtype=np.int64)
    return tuple(Function((table >> k & 1).astype(bool), None, names) for k in range(width))


def _truth(value: object, what: str) -> bool:
    if isinstance(value, bool | np.bool_ | int | np.integer) and value in (0, 1):
        return bool(value)
    raise InputError(f"{what} is {value!r}, neither true nor false")


def _table(given: object, what: str) -> Bools:
    """A flat table; a bitmap's rows follow one another, so x is the low bits and y the high ones."""
    if isinstance(given, list | tuple) and given and all(isinstance(row, str) and len(row) > 1 for row in given):
        # NumPy would keep each row as one text.
        given = [list(row) for row in given]
    try:
        array = np.asarray(given)
    except ValueError:
        raise InputError(f"{what} has rows of different lengths") from None
    if array.dtype.kind == "U" and set(np.unique(array).tolist()) <= {"0", "1"}:
        array = array == "1"
    if not array.size:
        raise InputError(f"{what} is empty: it needs 2, 4, 8, ... entries")
    if array.dtype.kind not in "bui" or array.ndim not in (1, 2):
        raise InputError(f"{what} must be a sequence or rows of 0 and 1 or of booleans")
    if not np.isin(array, (0, 1)).all():
        raise InputError(f"{what} holds values other than 0 and 1")
    for side in array.shape:
        _log(side, f"each side of {what}" if array.ndim == 2 else what)
    _log(array.size, what)
    return array.astype(bool).reshape(-1)

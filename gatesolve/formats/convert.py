"""Qubo to and from plain data, matrices, Ising operators, and dimod's binary models.

Signs differ: dimod's spin is s = 2x - 1, +1 where the bit is 1; Qiskit's Z is 1 - 2x, -1 there. Variable k is qubit k,
the k-th letter from the right of a Pauli label. Labels that are not text are turned into names: 3 becomes ``x3``,
``("a", 1)`` becomes ``a_1``. dimod computes in 64-bit floats; whole numbers come back as integers.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatesolve.errors import DoesNotFitError, InputError, UnsupportedError
from gatesolve.extensions import require
from gatesolve.qubo.numerals import Place, add_to, check_count, check_finite, expand, shortest_number, to_number
from gatesolve.qubo.polynomial import Monomial, Number, Terms
from gatesolve.qubo.qubo import Qubo

if TYPE_CHECKING:
    import dimod
    from qiskit.quantum_info import SparsePauliOp

MAX_DENSE = 1 << 13
"""Most variables of a dense matrix."""
MAX_DEGREE = 16
"""Highest degree written as an operator: a term of n variables becomes 2^n products of Z."""
SPIN, Z = (-1, 2), (1, -2)
"""A dimod spin and a Qiskit Z as functions of a bit x: the constant, and the coefficient of x."""


def from_variables(names: Sequence[str], terms: Iterable[tuple[Monomial, Any]], spin: tuple[int, int] | None) -> Qubo:
    """Return a Qubo from products of bits (``spin`` None) or spins (`SPIN` or `Z`); products and factors may repeat."""
    total: dict[Monomial, Number] = {}
    for monomial, coefficient in terms:
        where = " * ".join(names[i] for i in monomial) or "the constant"
        check_finite(coefficient, f"the coefficient of {where}")
        # Sums are exact fractions and are rounded once, at the end.
        if spin is None:
            add_to(total, tuple(sorted(set(monomial))), to_number(coefficient))
        else:
            # The square of a spin is 1, the square of a bit is the bit.
            odd = tuple(sorted(k for k in set(monomial) if monomial.count(k) % 2))
            expand(total, odd, to_number(coefficient), *spin)
    return Qubo.of(names, {m: shortest_number(c) for m, c in total.items()})


def label_name(label: Hashable) -> str:
    """Return the name of a variable that another library labels by any hashable object."""
    if isinstance(label, tuple):
        return "_".join(map(str, label))
    return label if isinstance(label, str) else f"x{label}"


def name_labels(labels: Sequence[Hashable]) -> list[str]:
    """Return a name for each label: `label_name`, or ``x0, x1, ...`` where two would share one."""
    names = list(map(label_name, labels))
    return names if len(set(names)) == len(names) else [f"x{k}" for k in range(len(names))]


def to_dict(qubo: Qubo, *, by_name: bool = False) -> tuple[dict[tuple[Any, Any], Number], Number]:
    """Return ``{(i, j): weight}`` with i <= j, and the offset; ``(i, i)`` has the linear weight.

    Keys are numbers, or names if ``by_name``. Variables without a term have no key. A term of more than two variables
    raises an UnsupportedError, here and in the other functions for quadratic energies.
    """
    _check_quadratic(qubo)
    keys: Sequence[Any] = qubo.names if by_name else range(qubo.num_variables)
    # The only variable of a linear term is both its first and its last, which gives the key (i, i).
    return {(keys[m[0]], keys[m[-1]]): c for m, c in qubo.terms.items()}, qubo.offset


def from_dict(
    weights: Mapping[tuple[Hashable, Hashable], Any], offset: Any = 0, names: Sequence[str] | None = None
) -> Qubo:
    """Return the Qubo of ``offset + sum(weight * x_i * x_j)``.

    Args:
        weights: keys are pairs of whole numbers or pairs of names; ``(i, j)`` and ``(j, i)`` add up.
        offset: the energy of all zeros.
        names: names of all variables. None: names in order of appearance, or ``x0, x1, ...`` up to the greatest number.
    """
    check_pairs(weights)
    labels: list[Any] = list(dict.fromkeys(label for key in weights for label in key))
    if all(isinstance(label, int | np.integer) for label in labels):
        numbers = {label: int(label) for label in labels}
        if min(numbers.values(), default=0) < 0:
            raise InputError(f"variable {min(numbers.values())} is negative: number them from 0")
        most = max(numbers.values(), default=-1) + 1
        # Checked before the names are made: one large number would ask for as many names.
        check_count(most, Place("weights"))
        every = [f"x{i}" for i in range(most)] if names is None else list(names)
        if most > len(every):
            raise InputError(f"variable {most - 1}, but there are {len(every)} names: name all variables")
    else:
        every = list(map(label_name, labels)) if names is None else list(names)
        place = {name: k for k, name in enumerate(every)}
        if unknown := [label for label in labels if label_name(label) not in place]:
            raise InputError(f"variable {unknown[0]!r} is not among the names: add it there")
        numbers = {label: place[label_name(label)] for label in labels}
    terms = [((numbers[i], numbers[j]), plain_number(w, f"weight of ({i}, {j})")) for (i, j), w in weights.items()]
    return from_variables(every, [((), plain_number(offset, "offset")), *terms], None)


def check_pairs(weights: Iterable[Any]) -> None:
    """Refuse keys that are not pairs of variables."""
    for key in weights:
        if not isinstance(key, tuple) or len(key) != 2:
            raise InputError(f"key {key!r} is not a pair: write (i, j), and (i, i) for a linear weight")


def to_matrix(qubo: Qubo) -> tuple[NDArray[np.float64], float]:
    """Return an upper triangular matrix Q and the offset: the energy is ``x @ Q @ x + offset``.

    Raises:
        DoesNotFitError: more than 8192 variables.
    """
    _check_quadratic(qubo)
    if qubo.num_variables > MAX_DENSE:
        raise DoesNotFitError(f"a matrix of {qubo.num_variables} variables: at most {MAX_DENSE}; use to_dict")
    matrix = np.zeros((qubo.num_variables, qubo.num_variables))
    for monomial, coefficient in qubo.terms.items():
        matrix[monomial[0], monomial[-1]] = float(coefficient)
    return matrix, float(qubo.offset)


def from_matrix(matrix: ArrayLike, offset: Any = 0, names: Sequence[str] | None = None, source: str = "matrix") -> Qubo:
    """Return the Qubo of ``x @ Q @ x + offset``.

    The matrix is upper triangular, or exactly symmetric: its two halves then add up. Variables are called ``x0, x1,
    ...`` without ``names``.
    """
    place = Place(source)
    entries = _square(matrix, place)
    upper = np.triu(entries, 1)
    # A lower triangular matrix is refused too: folding it over the diagonal would be a guess.
    if np.tril(entries, -1).any():
        for i, j in np.argwhere(np.tril(entries != entries.T, -1))[:1]:
            fault = f"asymmetric: {entries[i, j]:g} here, {entries[j, i]:g} at row {j + 1} column {i + 1}"
            mend = "give an upper triangular or a symmetric matrix"
            raise Place(source, int(i) + 1, int(j) + 1).fault(f"{fault}: {mend}")
        # Doubling may overflow; the check below then reports the entry, so numpy's warning is not needed.
        with np.errstate(all="ignore"):
            upper = 2 * upper
        _check_finite(upper, place)
    size = len(entries)
    every = [f"x{i}" for i in range(size)] if names is None else list(names)
    if len(every) != size:
        raise InputError(f"{source}: {len(every)} names for {size} variables: give as many")
    terms: list[tuple[Monomial, Any]] = [((i,), w) for i, w in enumerate(np.diag(entries)) if w]
    terms += [((int(i), int(j)), upper[i, j]) for i, j in np.argwhere(upper)]
    return from_variables(every, [((), plain_number(offset, "offset")), *terms], None)


def _square(matrix: ArrayLike, place: Place) -> NDArray[np.float64]:
    try:
        given = np.asarray(matrix)
    except ValueError as error:
        raise place.fault("rows of different lengths: give a square matrix") from error
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        raise place.fault(f"shape {' x '.join(map(str, given.shape))}: give a square matrix")
    if not given.size:
        raise place.fault("empty: give a matrix of at least one variable")
    check_count(len(given), place)
    if given.dtype.kind in "biuf":
        with np.errstate(all="ignore"):
            # A long double may become infinite here; the check below reports its place.
            entries = given.astype(np.float64)
    else:
        entries = np.array([[_entry(word, place, i, j) for j, word in enumerate(r)] for i, r in enumerate(given)])
    _check_finite(entries, place)
    return entries


def _check_finite(entries: NDArray[np.float64], place: Place) -> None:
    for i, j in np.argwhere(~np.isfinite(entries))[:1]:
        raise Place(place.source, int(i) + 1, int(j) + 1).fault(f"{entries[i, j]}: give a finite number")


def _entry(word: Any, place: Place, row: int, column: int) -> float:
    try:
        # float() of numpy's complex numbers only warns and drops the imaginary part.
        if isinstance(word, complex):
            raise TypeError("complex")
        return float(word)
    except (TypeError, ValueError) as error:
        fault = f"{str(word)[:24]!r} is not a number: give a real number"
        raise Place(place.source, row + 1, column + 1).fault(fault) from error
    except OverflowError:
        # A whole number beyond all floats: the check for finite entries reports it with its place.
        return math.inf


def plain_number(value: Any, what: str) -> Number:
    """Return the number that a user gave as ``what``, or refuse it."""
    try:
        return to_number(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"the {what} is {str(value)[:24]!r}: give a number") from error


def _check_quadratic(qubo: Qubo, mend: str = "write it as JSON or a polynomial") -> None:
    if not qubo.is_quadratic:
        raise UnsupportedError(f"a term has {qubo.degree} variables, here at most 2: {mend}")


def to_ising(qubo: Qubo) -> SparsePauliOp:
    """Return the diagonal Hamiltonian whose value on a basis state is the energy of its bits.

    Qubit k is variable k. There is one term for each product of Z (of more than two where the Qubo has such terms), and
    the offset belongs to the identity. Coefficients are exact sums, rounded once to floats.

    Raises:
        UnsupportedError: a degree above 16.
        InputError: no variables.
    """
    from qiskit.quantum_info import SparsePauliOp

    if qubo.degree > MAX_DEGREE:
        raise UnsupportedError(f"a term has {qubo.degree} variables: at most {MAX_DEGREE} are multiplied out")
    if not qubo.num_variables:
        raise InputError("no variables: an operator needs at least one qubit")
    ordered = sorted(qubo.spin_terms().items(), key=lambda item: (len(item[0]), item[0]))
    kept = {m: float(c) for m, c in ordered if c or not m}
    # SparsePauliOp needs at least one term: a zero constant stays only if it is alone.
    terms = [("Z" * len(m), list(m), c) for m, c in kept.items() if c or len(kept) == 1]
    return SparsePauliOp.from_sparse_list(terms, num_qubits=qubo.num_variables)


def from_ising(operator: SparsePauliOp, names: Sequence[str] | None = None) -> Qubo:
    """Return the energy of a diagonal operator, products of I and Z with real coefficients, on basis states.

    The names are those of the qubits, qubit 0 first, and ``x0, x1, ...`` where None.
    """
    every = [f"x{k}" for k in range(operator.num_qubits)] if names is None else list(names)
    if len(every) != operator.num_qubits:
        raise InputError(f"{len(every)} names for {operator.num_qubits} qubits: give as many")
    terms: list[tuple[Monomial, float]] = []
    for word, qubits, coefficient in operator.to_sparse_list():
        value = complex(coefficient)
        if set(word) - {"Z"}:
            raise InputError(f"term {word} on qubits {qubits} is not diagonal: give products of Z alone")
        if value.imag:
            raise InputError(f"term {word} on qubits {qubits} has coefficient {value}: give a real number")
        terms.append((tuple(qubits), value.real))
    return from_variables(every, terms, Z)


def require_dimod() -> Any:
    """Return the module; raises as `require`."""
    return require("dimod", "dimod is not installed", "anneal")


def to_bqm(qubo: Qubo, vartype: Literal["BINARY", "SPIN"] = "BINARY") -> dimod.BinaryQuadraticModel:
    """Return the Qubo as a dimod binary quadratic model with the same energies.

    ``SPIN`` applies dimod's change of variables, where spin +1 is bit 1.

    Raises:
        MissingExtraError: dimod is not installed.
    """
    dimod = require_dimod()
    _check_quadratic(qubo, "use to_bpoly")
    terms = _name_terms(qubo.terms, qubo.names)
    bqm = dimod.BinaryQuadraticModel("BINARY")
    # All variables are added in order, also those without a term. What is left of ``terms`` is quadratic.
    bqm.add_linear_from({name: terms.pop((name,), 0.0) for name in qubo.names})
    bqm.add_quadratic_from(terms)
    bqm.offset = float(qubo.offset)
    return bqm if vartype == "BINARY" else bqm.change_vartype("SPIN", inplace=False)


def from_bqm(bqm: dimod.BinaryQuadraticModel) -> Qubo:
    """Return a dimod binary quadratic model of either vartype as a Qubo; spins are changed to bits exactly."""
    terms: list[tuple[tuple[Any, ...], Any]] = [((), bqm.offset)]
    terms += [((v,), bias) for v, bias in bqm.iter_linear()]
    terms += [((u, v), bias) for u, v, bias in bqm.iter_quadratic()]
    return _from_labels(bqm.variables, terms, bqm.vartype)


def to_bpoly(qubo: Qubo) -> dimod.BinaryPolynomial:
    """Return the Qubo, of any degree, as a dimod polynomial of binary variables; errors as for `to_bqm`."""
    dimod = require_dimod()
    # dimod drops variables without a term; a zero linear term keeps them.
    zeros = {(name,): 0.0 for name in qubo.names}
    return dimod.BinaryPolynomial(zeros | _name_terms(qubo.polynomial, qubo.names), "BINARY")


def from_bpoly(poly: dimod.BinaryPolynomial) -> Qubo:
    """Return a dimod polynomial of either vartype as a Qubo.

    Variables come in order of appearance, those of one term by name.
    """
    # dimod's terms are frozensets, whose order changes between runs: sorting makes the numbering repeatable.
    labels = dict.fromkeys(v for term in poly for v in sorted(term, key=str))
    return _from_labels(labels, [(tuple(term), bias) for term, bias in poly.items()], poly.vartype)


def _name_terms(terms: Terms, names: Sequence[str]) -> dict[tuple[str, ...], float]:
    return {tuple(names[i] for i in m): float(c) for m, c in terms.items()}


def _from_labels(labels: Iterable[Hashable], terms: Iterable[tuple[tuple[Any, ...], Any]], vartype: Any) -> Qubo:
    place = {label: k for k, label in enumerate(labels)}
    numbered = ((tuple(place[v] for v in term), bias) for term, bias in terms)
    return from_variables([label_name(v) for v in place], numbered, SPIN if vartype.name == "SPIN" else None)

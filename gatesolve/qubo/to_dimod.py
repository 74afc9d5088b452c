"""Qubo to and from dimod: binary quadratic models, binary polynomials and constrained quadratic models.

A Qubo's names are the labels. Labels that are no text get names of their own: 3 becomes ``x3``, ``("a", 1)`` ``a_1``.
dimod computes in 64-bit floats; whole numbers come back as integers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model import Model
from gatesolve.qubo.numerals import add_to, as_written, is_finite, not_finite, plain, settled
from gatesolve.qubo.parts import Parts, QuboProblem, Row, assembled, parts_of
from gatesolve.qubo.polynomial import Monomial, Number
from gatesolve.qubo.qubo import Qubo

if TYPE_CHECKING:
    import dimod

Vartype = Literal["BINARY", "SPIN"]


def label_name(label: Hashable) -> str:
    """The name of a variable that others label by anything."""
    if isinstance(label, str):
        return label
    if isinstance(label, tuple):
        return "_".join(map(str, label))
    return f"x{label}"


def to_bqm(qubo: Qubo, vartype: Vartype = "BINARY") -> dimod.BinaryQuadraticModel:
    """The Qubo as a dimod binary quadratic model with the same energies.

    Args:
        qubo: of degree 2 at most.
        vartype: BINARY for the same terms; SPIN for dimod's change of variables s = 2x - 1, where spin +1 is bit 1.
            (`to_ising` has Z = 1 - 2x, as Qiskit does: there bit 1 is -1.)

    Raises:
        UnsupportedError: a term of more than two variables; `to_bpoly` takes it.
    """
    import dimod

    if not qubo.is_quadratic:
        raise UnsupportedError(f"a term has {qubo.degree} variables, a BQM at most 2: use to_bpoly")
    bqm = dimod.BinaryQuadraticModel("BINARY")
    for name in qubo.names:
        bqm.add_variable(name)
    for monomial, coefficient in qubo.terms.items():
        labels = [qubo.names[i] for i in monomial]
        if len(labels) == 1:
            bqm.add_linear(labels[0], float(coefficient))
        else:
            bqm.add_quadratic(*labels, float(coefficient))
    bqm.offset = float(qubo.offset)
    return bqm if vartype == "BINARY" else bqm.change_vartype("SPIN", inplace=False)


def from_bqm(bqm: dimod.BinaryQuadraticModel) -> Qubo:
    """A dimod binary quadratic model of either vartype; a spin s is 2x - 1.

    Spin coefficients are changed to binary ones exactly, as fractions where a float would round.

    Raises:
        InputError: two labels give the same name, or a bias is no finite number.
    """
    labels = list(bqm.variables)
    place = {label: k for k, label in enumerate(labels)}
    terms: list[tuple[Monomial, Any]] = [((), bqm.offset)]
    terms += [((place[v],), bias) for v, bias in bqm.iter_linear()]
    terms += [((place[u], place[v]), bias) for u, v, bias in bqm.iter_quadratic()]
    return from_variables([label_name(v) for v in labels], terms, bqm.vartype.name == "SPIN")


def to_bpoly(qubo: Qubo) -> dimod.BinaryPolynomial:
    """The Qubo, of any degree, as a dimod polynomial of binary variables.

    A variable without a term is kept with a zero linear term.
    """
    import dimod

    terms: dict[tuple[str, ...], float] = {(name,): 0.0 for name in qubo.names}
    terms |= {tuple(qubo.names[i] for i in m): float(c) for m, c in qubo.polynomial.items()}
    return dimod.BinaryPolynomial(terms, "BINARY")


def from_bpoly(poly: dimod.BinaryPolynomial) -> Qubo:
    """A dimod polynomial of either vartype; a spin s is 2x - 1.

    Variables are ordered by name where all labels are text, else as dimod holds them.

    Raises:
        InputError: two labels give the same name, or a bias is no finite number.
    """
    labels = list(dict.fromkeys(v for term in poly for v in sorted(term, key=str)))
    place = {label: k for k, label in enumerate(labels)}
    terms = [(tuple(place[v] for v in term), bias) for term, bias in poly.items()]
    return from_variables([label_name(v) for v in labels], terms, poly.vartype.name == "SPIN")


def from_variables(names: list[str], terms: Iterable[tuple[Monomial, Any]], spin: bool, sign: int = 1) -> Qubo:
    """A Qubo from products of bits, or of spins s = ``sign`` * (2x - 1).

    Products of spins are multiplied out exactly; the sums are rounded once, to floats where they are not whole.
    """
    total: dict[Monomial, Number] = {}
    for monomial, coefficient in terms:
        if not is_finite(coefficient):
            where = " * ".join(names[i] for i in monomial) or "the constant"
            raise not_finite(coefficient, f"the coefficient of {where}")
        if spin:
            _add_spins(total, monomial, as_written(plain(coefficient)), sign)
        else:
            add_to(total, tuple(sorted(set(monomial))), plain(coefficient))
    return Qubo.of(names, {m: settled(c) for m, c in total.items()})


def _add_spins(total: dict[Monomial, Number], monomial: Monomial, coefficient: Fraction, sign: int) -> None:
    """Add a product of spins: each is ``2 * sign * x - sign``, and its square 1."""
    spins = sorted(k for k in set(monomial) if monomial.count(k) % 2)
    for size in range(len(spins) + 1):
        factor = coefficient * (-sign) ** (len(spins) - size) * (2 * sign) ** size
        for chosen in combinations(spins, size):
            add_to(total, chosen, factor)


def to_cqm(model: Model, objective: Qubo | None = None) -> dimod.ConstrainedQuadraticModel:
    """A model whose constraints are linear, and its objective, as a dimod constrained quadratic model.

    Args:
        model: domains are ranges of integers; 0/1 domains become BINARY, others INTEGER.
        objective: quadratic, over 0/1 variables of the model; the model's own linear objective where None. A linear
            objective that is maximised is written negated, as dimod minimises.

    Raises:
        UnsupportedError: a constraint of another kind or a domain with gaps, which the message names.
    """
    import dimod

    parts = parts_of(model, objective)
    cqm = dimod.ConstrainedQuadraticModel()
    handles = {}
    for name, (low, high) in parts.domains.items():
        if (low, high) == (0, 1):
            cqm.add_variable("BINARY", name)
            handles[name] = dimod.Binary(name)
        else:
            cqm.add_variable("INTEGER", name, lower_bound=low, upper_bound=high)
            handles[name] = dimod.Integer(name, lower_bound=low, upper_bound=high)
    factor = -1 if parts.sense == "max" else 1
    total = dimod.QuadraticModel()
    for names, coefficient in parts.objective.items():
        weight = factor * float(coefficient)
        if not names:
            total.offset += weight
        else:
            total += weight * (handles[names[0]] if len(names) == 1 else handles[names[0]] * handles[names[1]])
    cqm.set_objective(total)
    for row in parts.rows:
        left = dimod.quicksum(float(c) * handles[name] for name, c in row.terms.items())
        cqm.add_constraint(left, row.relation, float(row.bound), label=row.label)
    return cqm


def from_cqm(cqm: dimod.ConstrainedQuadraticModel) -> QuboProblem:
    """A dimod constrained quadratic model of binary, spin and integer variables and linear constraints.

    Returns:
        As `parts.assembled`: the constraints and a linear objective in the model, or the objective as a Qubo.

    Raises:
        UnsupportedError: a real variable, a quadratic or soft constraint, or an objective quadratic in integers.
        InputError: a coefficient that is no finite number.
    """
    if any(cqm.vartype(v).name == "SPIN" for v in cqm.variables):
        cqm = cqm.spin_to_binary(inplace=False)
    domains = {label_name(v): _domain(cqm, v) for v in cqm.variables}
    if len(domains) < len(cqm.variables):
        raise InputError("two labels of the CQM give the same name: relabel its variables")
    soft = next(iter(cqm.constraints.keys() & getattr(cqm, "_soft", {}).keys()), None)
    if soft is not None:
        raise UnsupportedError(f"constraint {soft} is soft: add its penalty to the objective instead")
    rows = []
    for label, comparison in cqm.constraints.items():
        if comparison.lhs.num_interactions:
            raise UnsupportedError(f"constraint {label} is quadratic: only linear constraints are read")
        terms = {label_name(v): _finite(c, f"{v} in {label}") for v, c in comparison.lhs.iter_linear() if c}
        bound = _finite(comparison.rhs, f"the bound of {label}") - _finite(comparison.lhs.offset, str(label))
        rows.append(Row(str(label), terms, comparison.sense.value, bound))
    objective: dict[tuple[str, ...], Fraction] = {(): _finite(cqm.objective.offset, "the objective")}
    objective |= {(label_name(v),): _finite(c, f"{v} in the objective") for v, c in cqm.objective.iter_linear()}
    for u, v, c in cqm.objective.iter_quadratic():
        objective[label_name(u), label_name(v)] = _finite(c, f"{u} * {v} in the objective")
    return assembled(Parts(domains, objective, "min", tuple(rows)), "CQM")


def _domain(cqm: Any, label: Hashable) -> tuple[int, int]:
    kind = cqm.vartype(label).name
    if kind == "BINARY":
        return 0, 1
    if kind != "INTEGER":
        raise UnsupportedError(f"variable {label} is real: only binary, spin and integer variables are read")
    return int(cqm.lower_bound(label)), int(cqm.upper_bound(label))


def _finite(value: Any, where: str) -> Fraction:
    """The decimal that a number is written as."""
    if not is_finite(value):
        raise not_finite(value, f"the coefficient of {where}")
    return as_written(plain(value))

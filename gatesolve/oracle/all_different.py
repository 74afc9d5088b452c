"""All-different as arithmetic: functions of a value, summed modulo 2 over the variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from operator import attrgetter

from gatesolve.circuit import Parity
from gatesolve.circuit.gf2 import AffineSpan, rank
from gatesolve.oracle.condition import ONE, ZERO, Condition
from gatesolve.oracle.network import Homes, Network, equate, span_functions, tell_apart


def compile_permutation(names: Sequence[str], values: Sequence[int], homes: Homes) -> Condition | None:
    """Compile variables that differ, as many as values: sums modulo 2 of functions of a value that span all of them.

    A permutation takes each value once, so each function adds up to its sum over the values. Conversely, if a basis of
    the functions does, each value is taken an odd number of times, which leaves one time each. None where a variable
    shares its block.

    Cost: for k values on n qubits k - 1 - n ANDs a variable, and k - 1 factors.
    """
    if any(homes[name].names != (name,) for name in names):
        return None
    network = Network()
    sums = _sum_functions(network, names, values, homes)
    factors = dict.fromkeys(total ^ (ZERO if function.bit_count() % 2 else ONE) for function, total in sums)
    return Condition(tuple(network.flags), tuple(f for f in factors if f != ONE), method="affine")


def compile_injection(names: Sequence[str], values: Sequence[int], homes: Homes) -> Condition | None:
    """Compile variables that differ, fewer than values: as many values as variables are taken an odd number of times.

    Two variables of one value lower that number by two. So it only has to differ from the lesser numbers of its parity.
    None where a variable shares its block.

    Cost: as a permutation to span the functions of a value, then at most an AND a value to count.
    """
    if any(homes[name].names != (name,) for name in names):
        return None
    found = (network.finish(factors, "affine") for network, factors in count_odd(Network(), names, values, homes))
    return min(found, key=attrgetter("price"))


def count_odd(
    network: Network, names: Sequence[str], values: Sequence[int], homes: Homes
) -> Iterator[tuple[Network, list[Parity]]]:
    """Yield networks that extend this one, each with factors that are 1 together where as many values are odd."""
    number, start = len(names), network.branch(network.copies)
    sums = _sum_functions(start, names, values, homes)
    choices = product(("nothing", "sums", "values"), tell_apart(number, range(number % 2, number, 2)), (True, False))
    for kept, tested, copies in choices:
        longer = start.branch(copies)
        yield longer, _count_odd(longer, sums, number, len(values), kept, tested)


def _count_odd(
    network: Network, sums: Sequence[tuple[int, Parity]], number: int, count: int, kept: str, tested: set[int]
) -> list[Parity]:
    # What is kept is XORed onto an ancilla once; the wires of other parities are read wherever they are needed.
    totals = [network.keep(total) if kept == "sums" else total for _, total in sums]
    span = AffineSpan.of([function for function, _ in sums], (1 << count) - 1)
    constant = ONE if number % 2 else ZERO
    taken = [
        min((one.value(totals.__getitem__, constant) for one in span.parities(1 << k)), key=lambda p: len(p.wires))
        for k in range(count)
    ]
    if kept == "values":
        # `equate` leaves out the longest parity, which the others decide.
        longest = max(taken, key=lambda p: len(p.wires))
        taken = [one if one is longest else network.keep(one) for one in taken]
    # The number's parity is that of the variables, whatever their values.
    return equate(network, {0: taken}, number, tested - {0}, known=True)


def _sum_functions(
    network: Network, names: Sequence[str], values: Sequence[int], homes: Homes
) -> list[tuple[int, Parity]]:
    """Functions that with the constant span all functions of a value, each with its sum modulo 2 over the variables."""
    place = {v: k for k, v in enumerate(values)}
    spans = [span_functions(network, homes[name], place) for name in names]
    widest = max(spans, key=lambda one: one[0].bit_count())
    every, wanted = (1 << len(values)) - 1, [function for function, _ in widest[1]]
    # Other variables may take values that the widest does not.
    for k in range(len(values)):
        if rank([every, *wanted, 1 << k]) > rank([every, *wanted]):
            wanted.append(1 << k)
    return [(function, _add_up(spans, function)) for function in wanted]


def _add_up(spans: Sequence[tuple[int, list[tuple[int, Parity]]]], function: int) -> Parity:
    """A function of the values, summed modulo 2 over all variables."""
    total = ZERO
    for every, found in spans:
        equal = AffineSpan.of([f for f, _ in found], every).parities(function & every)
        shortest = min(equal, key=lambda one: len(one.wires))
        total = total ^ shortest.value([parity for _, parity in found].__getitem__, ONE)
    return total

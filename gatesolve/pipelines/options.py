"""Options as data: each is declared once, with its type, its default, its help and the values that it may take.

A pipeline takes the slice of options that concerns it: a frozen dataclass that inherits the groups below. This module
loads nothing slow, so that ``--help`` is quick.
"""

# Without postponed annotations: the types of the fields are read at run time.
import math
from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from types import NoneType
from typing import Any, Literal, Protocol, get_args, get_origin

from gatesolve.errors import InputError
from gatesolve.extensions import Registered, extension_names
from gatesolve.gate_sets import GateSet, Metric

Encoding = Literal["auto", "one-hot", "binary", "domain-wall", "table"] | Registered
Presolve = Literal["auto", "none", "propagate", "affine"]


class OwnBackend(Protocol):
    """A backend or sampler of Qiskit's."""

    @property
    def run(self) -> Callable[..., Any]:
        """Start a job, in its own words."""


Backend = Literal["space", "aer", "pennylane"] | OwnBackend
MOST_SHOTS = 10_000_000
SPACE_LIMIT = 1 << 24
"""Most states of a space that is simulated, and whose every codeword is checked."""
AS_PRINTED = "a published formula is as it is printed"
"""Why no option changes one."""


@dataclass(frozen=True)
class Spec:
    """The description of an option beside its type and default.

    Attributes:
        help: a phrase for people.
        least: the least whole number.
        most: the greatest.
        between: a real number lies strictly between these.
        on_devices: whether a search on a device depends on it.
        group: the entry points by which other packages add to the words that it may be.
        power: whether the command line also takes it as a power of two.
        own: reads what is none of the words, a value of the user's own; None where that is no such value.
    """

    help: str
    least: int = 0
    most: float = math.inf
    between: tuple[float, float] = (-math.inf, math.inf)
    on_devices: bool = True
    group: str = ""
    power: bool = False
    own: Callable[[Any], Any] | None = None


def read_own_backend(given: Any) -> Any:
    """A backend or sampler of Qiskit's, as `read_own_sampler` wraps it; None for a word."""
    if isinstance(given, str):
        return None
    from gatesolve.simulate.own_sampler import read_own_sampler

    return read_own_sampler(given)


def option(default: Any, help: str, **known: Any) -> Any:  # the word that typer uses
    """A field of an options dataclass; ``known`` are further fields of `Spec`."""
    return field(default=default, metadata={"spec": Spec(help, **known)})


@dataclass(frozen=True, kw_only=True)
class SpaceOptions:
    """Options of every pipeline."""

    # No option, so without a type: the entry of a result's JSON that this pipeline alone fills, if there is one.
    entry = ""

    encoding: Encoding = option(
        "auto",
        "how integers become qubits; auto takes the whole circuit that is cheapest by optimize",
        group="gatesolve.encodings",
    )
    presolve: Presolve = option("auto", "what is deduced first; auto deduces no more than a space needs to fit")
    max_space: int | None = option(
        None,
        "states of the largest space that is simulated; if not given, 2^20 where presolve is auto, else 2^24",
        least=1,
        most=SPACE_LIMIT,
        on_devices=False,
        power=True,
    )
    seed: int = option(0, "seed of everything random", most=2**31 - 1)


@dataclass(frozen=True, kw_only=True)
class CircuitOptions(SpaceOptions):
    """Options of every pipeline that makes a circuit."""

    backend: Backend = option(
        "space",
        "space simulates exactly in the space, the others the whole circuit; in Python also a BackendV2 or V2 sampler",
        on_devices=False,
        own=read_own_backend,
    )
    gates: GateSet = option("cx+u", "gate set for counts and export", on_devices=False)
    ancillas: int | None = option(None, "most ancilla qubits; as many as help if not given")
    optimize: Metric = option("cx", "metric that is kept low in choosing spaces, schedules and rules")
    max_qubits: int | None = option(
        None,
        "most qubits, data and ancillas, such as 24 for a simulator; as many as help if not given",
        least=1,
        on_devices=False,
    )
    search_refuted: bool = option(
        False,
        "also search what propagation refutes, where the deductions before that are enough",
        on_devices=False,
    )


@dataclass(frozen=True, kw_only=True)
class ShotOptions:
    """For pipelines that measure one circuit many times."""

    shots: int = option(1024, "measurements to draw", least=1, most=MOST_SHOTS, on_devices=False)


@dataclass(frozen=True, kw_only=True)
class OracleOptions(CircuitOptions):
    """For pipelines that search with an oracle."""

    level: Literal["literal", "merged", "minimised"] = option(
        "merged", "literal: each constraint alone; merged: with those that its scope holds; minimised: windows of all"
    )
    window: int = option(6, "most qubits that minimising looks at together", least=1, most=12)
    measured: bool = option(False, "erase logical ANDs by measurement and a correction instead of by gates")
    iterations: int | None = option(None, "Grover iterations; the likeliest number if not given", most=1_000_000)


@dataclass(frozen=True, kw_only=True)
class PenaltyOptions:
    """For pipelines that search an energy."""

    penalty: float | None = option(
        None,
        "weight of a broken constraint, in units of the objective; one that is proven to suffice if not given",
        between=(0, math.inf),
    )


@dataclass(frozen=True, kw_only=True)
class EnergyOptions(PenaltyOptions):
    """For pipelines whose circuits hold an energy."""

    energy_from: Literal["violations", "penalties"] = option(
        "violations", "how broken constraints enter the energy: their number, or the penalties of the Qubo"
    )


def spec(one: Field[Any]) -> Spec:
    """Return the description of an option."""
    found: Spec = one.metadata["spec"]
    return found


def choices(one: Field[Any]) -> tuple[str, ...]:
    """The words of ours that an option may be; none for numbers and flags."""
    return next((get_args(kind) for kind in (one.type, *get_args(one.type)) if get_origin(kind) is Literal), ())


def all_choices(one: Field[Any]) -> tuple[str, ...]:
    """The words that an option may be, with those that other packages add; to look for these takes a while."""
    ours = choices(one)
    added = extension_names(spec(one).group) if spec(one).group else ()
    return (*ours, *(name for name in added if name not in ours))


def check_options(options: Any) -> None:
    """Check every field of a dataclass that is declared as an `option`; a user's own values are kept as they are read.

    Raises:
        InputError: a value that is not offered; the message names those that are.
    """
    for one in (one for one in fields(options) if "spec" in one.metadata):
        value = getattr(options, one.name)
        own = spec(one).own
        if own is not None and (found := own(value)) is not None:
            object.__setattr__(options, one.name, found)
        else:
            check_option(one, value)


def refuse_idle(options: Any, why: str, *names: str) -> None:
    """Refuse those of ``names`` that are not at their default, because nothing comes of them."""
    for one in fields(options):
        if one.name in names and getattr(options, one.name) != one.default:
            raise InputError(f"{why}: leave out {one.name}")


def check_option(one: Field[Any], value: Any) -> None:
    """Check one field, as `check_options`."""
    name, known, offered = one.name, spec(one), choices(one)
    kinds = get_args(one.type) or (one.type,)
    if value is None and NoneType in kinds:
        return
    if offered:
        if value not in offered and value not in (words := all_choices(one)):
            raise InputError(f"unknown {name} {value!r}: choose one of {', '.join(words)}")
    elif bool in kinds:
        if not isinstance(value, bool):
            raise InputError(f"{name} is {value!r}: give True or False")
    elif isinstance(value, bool) or not isinstance(value, int | float if float in kinds else int):
        raise InputError(f"{name} is {value!r}: give a {'number' if float in kinds else 'whole number'}")
    elif float in kinds:
        _check_real(name, value, *known.between)
    elif not known.least <= value <= known.most:
        allowed = f"{known.least} or more" if known.most == math.inf else f"a number from {known.least} to {known.most}"
        raise InputError(f"{name} is {value}: give {allowed}")


def _check_real(name: str, value: float, above: float, below: float) -> None:
    if not math.isfinite(value):
        raise InputError(f"{name} is {value!r}: give a number")
    if not above < value < below:
        allowed = f"a number above {above:g}" if below == math.inf else f"a number between {above:g} and {below:g}"
        raise InputError(f"{name} is {value}: give {allowed}")

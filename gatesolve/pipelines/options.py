"""Options as data: each is declared once, with its type, default, help, scope and the values that it may take.

A pipeline takes the slice of options that concerns it: a frozen dataclass that inherits the groups below. Signatures,
the command line, its help, the table in ``docs/cli.md`` and the checks all read these declarations. Type checkers
cannot, so `OptionFields` and its kin repeat names and types for them; a test holds both equal. This module loads
nothing slow, so that ``--help`` is quick.
"""

# Without postponed annotations: the types of the fields are read at run time.
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, TypeAlias, TypedDict, get_args, get_origin

from gatesolve.errors import InputError
from gatesolve.extensions import Registered, extension_names
from gatesolve.gate_sets import GATE_SETS, GateSet, Lowering, Metric

if TYPE_CHECKING:
    from gatesolve.model import Level
    from gatesolve.planning import SpaceLimits

Encoding = Literal["auto", "one-hot", "binary", "domain-wall", "table", "permutation"] | Registered
Presolve = Literal["auto", "none", "propagate", "affine"]
PipelineName = Literal["auto", "grover", "gas", "qaoa", "anneal"] | Registered
OwnAngles: TypeAlias = tuple[Sequence[float], Sequence[float] | Sequence[Sequence[float]]]
"""Gammas and betas of the user's own: one a layer each, of betas also one a layer and mixer."""
AngleChoice = Literal["optimised", "transfer", "ramp", "fixed"]
OwnStart: TypeAlias = Mapping[str, float]
"""Values of variables to start near; of a variable of values 0 and 1 also the probability of 1."""
Scope = Literal["search", "sweep", "circuit", "run"]
"""The use of an option: any search, also on a device; circuits made here, in sweeps or alone; or runs made here."""


class OwnBackend(Protocol):
    """A backend or sampler of Qiskit's."""

    @property
    def run(self) -> Callable[..., Any]:
        """Start a job, in its own words."""


Backend = Literal["space", "aer", "pennylane"] | OwnBackend
MOST_SHOTS = 10_000_000
SPACE_LIMIT = 1 << 24
"""Most states of a space that is simulated, and whose every codeword is checked."""
AIM = 1 << 20
"""States of the largest space at which ``presolve="auto"`` stops, unless ``max_space`` says another number."""
AS_PRINTED = "a published formula is as it is printed"
"""Why no option changes one."""


@dataclass(frozen=True)
class Idle:
    """A reason why an option has no effect: the value of another option.

    ``when`` tells whether that value does, and ``why`` is the reason, with the value in place of ``{}``. The values of
    this option that are idle are all but its default where none is named.
    """

    option: str
    when: Callable[[Any], bool]
    why: str
    values: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Spec:
    """The description of an option beside its type and default.

    Attributes:
        help: a phrase for people.
        least: the least whole number.
        most: the greatest.
        between: a real number lies strictly between these.
        scope: what depends on it.
        group: the entry points by which other packages add to the words that it may be.
        power: whether the command line also takes it as a power of two.
        own: reads what is none of the words, a value of the user's own; None where that is no such value.
        idle: options that can leave it without effect.
        otherwise: advice for another text than the words, which stands in place of ``{}``.
    """

    help: str
    least: int = 0
    most: float = math.inf
    between: tuple[float, float] = (-math.inf, math.inf)
    scope: Scope = "search"
    group: str = ""
    power: bool = False
    own: Callable[[Any], Any] | None = None
    idle: tuple[Idle, ...] = ()
    otherwise: str = ""


def read_own_backend(given: Any) -> Any:
    """Return a backend or sampler of Qiskit's, as `read_own_sampler` wraps it; None for a word."""
    if isinstance(given, str):
        return None
    from gatesolve.simulate.own_sampler import read_own_sampler

    return read_own_sampler(given)


GUESSED = Idle(
    "schedule", ("unknown", "assumed").__contains__, "schedule='{}' chooses iterations and measures each run once"
)
"""Schedules that draw the number of iterations of each run."""


def option(default: Any, help: str, **known: Any) -> Any:  # the word that typer uses
    """Return a field of an options dataclass; ``known`` are further fields of `Spec`."""
    return field(default=default, metadata={"spec": Spec(help, **known)})


@dataclass(frozen=True, kw_only=True)
class SpaceOptions:
    """Options of every pipeline."""

    # No option, so without a type: the entry of a result's JSON that this pipeline alone fills, if there is one.
    entry = ""

    def settle(self) -> None:
        """Settle options of one pipeline that depend on each other, or refuse them; called with all together."""

    encoding: Encoding = option(
        "auto",
        "how integers become qubits; auto chooses the encoding with the cheapest circuit",
        group="gatesolve.encodings",
    )
    presolve: Presolve = option(
        "auto", "how far deduction goes before the search; auto stops as soon as a search space is small enough"
    )
    max_space: int | None = option(
        None,
        "limit on the states of a search space that is simulated; if not given, 2^20 with presolve auto, 2^16 in "
        "parts of an objective, else 2^24",
        least=1,
        most=SPACE_LIMIT,
        scope="sweep",
        power=True,
    )
    seed: int = option(0, "seed of all random choices", most=2**31 - 1)

    def for_part(self, seed: int, threshold: float | None = None) -> Self:
        """Return the options of the search of one part; with an objective for what is better than ``threshold``."""
        return replace(self, seed=seed)

    def check_divided(self) -> None:
        """Refuse options that a search in parts has no use for; raises as `refuse_idle`."""


@dataclass(frozen=True, kw_only=True)
class CircuitOptions(SpaceOptions):
    """Options of every pipeline that makes a circuit."""

    backend: Backend = option(
        "space",
        "space simulates only the states of the search space, aer and pennylane simulate all qubits, which takes "
        "minutes from about 23; in Python also a BackendV2 or V2 sampler",
        scope="run",
        own=read_own_backend,
        otherwise="; if it is a device, use submit with device='{}'",
    )
    gates: GateSet = option("cx+u", "gate set in which circuits are counted and exported", scope="circuit")
    ancillas: int | None = option(None, "limit on ancilla qubits; if not given, as many as make the circuit cheaper")
    optimize: Metric = option("cx", "count that is minimised when gatesolve chooses between circuits")
    max_qubits: int | None = option(
        None,
        "limit on all qubits, ancillas included; if not given, as many as make the circuit cheaper",
        least=1,
        scope="circuit",
    )
    rotation_error: float | None = option(
        None,
        "limit on how approximated rotations change the success probability; if not given, 1e-4 in a plain Grover "
        "search that reuses its preparation, else 1e-10 for each rotation",
        between=(0, 1),
        scope="circuit",
        idle=(Idle("gates", lambda gates: not GATE_SETS[gates].has_t, "gates='{}' approximates no rotation"),),
    )
    search_refuted: bool = option(
        False,
        "also search a problem that propagation proves to have no solution, if the deductions before the contradiction "
        "make its space small enough",
        scope="run",
    )

    @property
    def lowering(self) -> Lowering:
        """The way a `Program` becomes gates."""
        return Lowering(self.gates, self.optimize, rotation_error=self.rotation_error)

    @property
    def ceiling(self) -> "Level":
        """The level beyond which ``encoding="auto"`` offers no space."""
        return "merged"

    def limits(self, *, divides: bool = False, is_simulated: bool = True, on_device: bool = False) -> "SpaceLimits":
        """Return the limits of presolve and space of a search that may be in parts, simulated, or whole on a device."""
        from gatesolve.planning import SpaceLimits

        return SpaceLimits(
            encoding=self.encoding,
            presolve=self.presolve,
            most_states=self.max_space or (AIM if self.presolve == "auto" else SPACE_LIMIT),
            ceiling=SPACE_LIMIT,
            max_qubits=self.max_qubits,
            ancillas=self.ancillas,
            metric=self.optimize,
            gates=self.gates,
            level=self.ceiling,
            is_simulated=is_simulated,
            is_early=self.backend == "space" and not on_device,
            divides=divides,
            searches_refuted=self.search_refuted,
        )


@dataclass(frozen=True, kw_only=True)
class ShotOptions:
    """For pipelines that measure one circuit many times."""

    shots: int = option(1024, "number of measurements", least=1, most=MOST_SHOTS, scope="run", idle=(GUESSED,))


@dataclass(frozen=True, kw_only=True)
class OracleOptions(CircuitOptions):
    """For pipelines that search with an oracle."""

    level: Literal["literal", "merged", "minimised"] = option(
        "merged",
        "literal computes each constraint alone, merged joins a constraint with those on a subset of its variables, "
        "minimised simplifies all constraints together in windows",
    )
    window: int = option(
        6, "size of the windows in which level minimised simplifies the oracle, in qubits", least=1, most=12
    )
    measured: bool = option(False, "erase logical ANDs by measurement and a correction instead of by gates")
    iterations: int | None = option(
        None,
        "number of Grover iterations; if not given, the number with the highest success probability",
        most=1_000_000,
        idle=(Idle("exact", bool, "exact sets the number of iterations itself"), GUESSED),
    )

    @property
    def lowering(self) -> Lowering:
        """The way a `Program` becomes gates."""
        return replace(super().lowering, measured=self.measured)

    @property
    def ceiling(self) -> "Level":
        """The level that was asked for."""
        return self.level


@dataclass(frozen=True, kw_only=True)
class PenaltyOptions:
    """For pipelines that search an energy."""

    penalty: float | None = option(
        None,
        "weight of a broken constraint in units of the objective; if not given, a weight that is proven to suffice",
        between=(0, math.inf),
    )


@dataclass(frozen=True, kw_only=True)
class EnergyOptions(PenaltyOptions):
    """For pipelines whose circuits hold an energy."""

    energy_from: Literal["violations", "penalties"] = option(
        "violations",
        "what is added to the objective; violations: the number of broken constraints; penalties: those of the Qubo",
    )


class SharedFields(TypedDict, total=False):
    """Keyword arguments of every call, for editors and type checkers; tests hold them equal to `Options`."""

    pipeline: PipelineName
    presolve: Presolve
    seed: int
    window: int


class SweepFields(SharedFields, total=False):
    """Keyword arguments of a sweep."""

    max_space: int | None
    solutions: int | None
    count_solutions: bool


class DeviceFields(SharedFields, total=False):
    """Keyword arguments of a search on a device."""

    oracle: Literal["constraints", "classical"]
    encoding: Encoding
    ancillas: int | None
    optimize: Metric
    level: Literal["literal", "merged", "minimised"]
    measured: bool
    iterations: int | None
    exact: bool
    value_oracle: Literal["auto", "counter", "fourier"]
    energy_from: Literal["violations", "penalties"]
    penalty: float | None
    threshold: float | None
    layers: int
    mixer: Literal["auto", "xy-ring", "xy-complete", "grover", "x", "grover-global"]
    warm_start: Literal["none", "relaxation"] | OwnStart
    angles: AngleChoice | OwnAngles
    angle_loss: Literal["gibbs", "cvar", "mean"]
    betas: Literal["shared", "own"]
    evaluations: int | None


class OptionFields(DeviceFields, SweepFields, total=False):
    """All fields of `Options`, in the order in which they are shown."""

    max_qubits: int | None
    rotation_error: float | None
    search_refuted: bool
    early_check: bool
    backend: Backend
    shots: int
    recursive: int | None
    schedule: Literal["auto", "known", "unknown", "assumed"]
    gates: GateSet
    confidence: float
    formulation: Literal["model", "published"]
    sampler: Literal["auto", "sa", "tabu", "exact"]
    reads: int
    sweeps: int


def spec(one: Field[Any]) -> Spec:
    """Return the description of an option."""
    found: Spec = one.metadata["spec"]
    return found


def choices(one: Field[Any]) -> tuple[str, ...]:
    """Return the words of ours that an option may be; none for numbers and flags."""
    return next((get_args(kind) for kind in (one.type, *get_args(one.type)) if get_origin(kind) is Literal), ())


def all_choices(one: Field[Any]) -> tuple[str, ...]:
    """Return the words that an option may be, with those that other packages add; to look for these takes a while."""
    ours = choices(one)
    added = extension_names(spec(one).group) if spec(one).group else ()
    return (*ours, *(name for name in added if name not in ours))


def check_options(options: Any) -> None:
    """Refuse values that are not offered, and name those that are, in the fields that are declared as an `option`."""
    for one in (one for one in fields(options) if "spec" in one.metadata):
        value = getattr(options, one.name)
        own = spec(one).own
        if own is not None and (found := own(value)) is not None:
            # Options are frozen; this is still their construction.
            object.__setattr__(options, one.name, found)
        else:
            check_option(one, value)


def check_idle(options: Any, taken: Iterable[Field[Any]]) -> None:
    """Refuse those of some fields that are not at their defaults although other options leave them without effect."""
    for one in taken:
        value = getattr(options, one.name)
        for idle in spec(one).idle:
            # Without listed values, any value other than the default was asked for and would have no effect.
            is_idle = value in idle.values if idle.values else value != one.default
            if is_idle and idle.when(other := getattr(options, idle.option)):
                raise InputError(f"{idle.why.format(other)}: leave out {one.name}")


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
        # Entry points of other packages are looked up only for a name that is not ours, as that takes a while.
        if value not in offered and value not in (words := all_choices(one)):
            more = known.otherwise.format(value) if isinstance(value, str) and value.isprintable() else ""
            raise InputError(f"unknown {name} {value!r}: choose one of {', '.join(words)}{more}")
    # Before numbers, because True would pass as the whole number 1.
    elif bool in kinds:
        if not isinstance(value, bool):
            raise InputError(f"{name} is {value!r}: give True or False")
    elif isinstance(value, bool) or not isinstance(value, int | float if float in kinds else int):
        raise InputError(f"{name} is {value!r}: give a {'number' if float in kinds else 'whole number'}")
    elif float in kinds:
        above, below = known.between
        if not math.isfinite(value):
            raise InputError(f"{name} is {value!r}: give a number")
        if not above < value < below:
            allowed = f"a number above {above:g}" if below == math.inf else f"a number between {above:g} and {below:g}"
            raise InputError(f"{name} is {value}: give {allowed}")
    elif not known.least <= value <= known.most:
        allowed = f"{known.least} or more" if known.most == math.inf else f"a number from {known.least} to {known.most}"
        raise InputError(f"{name} is {value}: give {allowed}")

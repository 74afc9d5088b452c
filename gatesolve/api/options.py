"""The choices a user makes: the options of all pipelines together."""

# Without postponed annotations: the types of the fields are read at run time.
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, fields
from difflib import get_close_matches
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar, cast

from gatesolve.errors import InputError, refuse_renamed
from gatesolve.extensions import Registered
from gatesolve.pipelines import options as o
from gatesolve.pipelines import registry
from gatesolve.pipelines.options import DeviceFields as DeviceFields
from gatesolve.pipelines.options import OptionFields as OptionFields
from gatesolve.pipelines.options import SweepFields as SweepFields
from gatesolve.pipelines.registry import PIPELINES, options_taken

if TYPE_CHECKING:  # PIPELINES spelled out
    from gatesolve.pipelines.anneal.options import AnnealOptions
    from gatesolve.pipelines.gas.options import GasOptions
    from gatesolve.pipelines.grover.options import GroverOptions
    from gatesolve.pipelines.options import PipelineName as PipelineName
    from gatesolve.pipelines.qaoa.options import QaoaOptions

    class PipelineOptions(GroverOptions, GasOptions, QaoaOptions, AnnealOptions):
        """The options of all pipelines."""

else:
    PipelineName = Literal["auto", *PIPELINES] | Registered
    PipelineOptions = type("PipelineOptions", tuple(PIPELINES.values()), {})

WIDTH = 100
"""Letters of options up to which they are shown on one line."""
UNPACK = "pass Options with two stars, as **options"
Call = TypeVar("Call", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Options(PipelineOptions):
    """Options of a search, checked and reusable; ``help(gatesolve.solve)`` lists and explains them.

    Two stars pass them to any call that has options, such as `solve`, `compile`, `submit` or `pareto`:

    >>> import gatesolve
    >>> options = gatesolve.Options(encoding="binary", seed=3)
    >>> program = gatesolve.compile("x, y in 0..3; x + y == 4", **options).program
    >>> result = gatesolve.solve("x, y in 0..3; x + y == 4", **{**options, "shots": 200})

    Raises:
        InputError: an option or a value that is not offered; the message names those that are.
    """

    pipeline: PipelineName = o.option(
        "auto",
        "auto: gas (Grover Adaptive Search) for a Qubo, an objective in submit, a large one in solve; else grover; "
        "anneal: classical, without a circuit",
        group=registry.GROUP,
    )

    def __new__(cls, *unnamed: Any, **named: Any) -> Self:
        """Refuse misspelt or unnamed arguments as a user's error, before Python's own check."""
        if unnamed:
            raise InputError(f"{unnamed[0]!r} is no option: name it, for example Options(pipeline='gas')")
        check_names(named)
        # The dataclass fills the fields afterwards, in ``__init__``.
        return object.__new__(cls)

    def __post_init__(self) -> None:
        o.check_options(self)
        taken = PIPELINES.get(self.pipeline)
        o.check_idle(self, fields(taken or self))
        if taken is not None:
            taken.settle(self)

    def keys(self) -> list[str]:
        """Return the names of the options that are not at their defaults: those that ``**options`` passes."""
        return given_options(self)

    def __getitem__(self, name: str) -> Any:
        if name not in FIELDS:
            raise KeyError(name)
        return getattr(self, name)

    def __repr__(self) -> str:
        """Return the options that are not at their defaults, by topic; if they fill over a line, one topic a line."""
        topics = self._by_topic().values()
        short = f"Options({', '.join(topics)})"
        return short if len(short) <= WIDTH else "Options(\n" + "".join(f"    {one},\n" for one in topics) + ")"

    def _repr_html_(self) -> str:
        from gatesolve.circuit.notebook import html_table  # loads NumPy, which options and --help do without

        topics = self._by_topic()
        return html_table("Options" if topics else "Options: all at their defaults", topics.items())

    def _by_topic(self) -> dict[str, str]:
        """Return the options that are not at their defaults in words, by topic: the class that declares them."""
        given, found = given_options(self), dict[str, str]()
        # Topics that more pipelines share come first.
        declaring = [kind for kind in Options.__mro__ if inspect.get_annotations(kind)]
        for kind in sorted(declaring, key=lambda kind: -len(pipelines_of(next(iter(kind.__annotations__))))):
            shown = [f"{name}={getattr(self, name)!r}" for name in kind.__annotations__ if name in given]
            if shown:
                found[kind.__name__.removesuffix("Options").lower() or "pipeline"] = ", ".join(shown)
        return found


FIELDS: dict[str, Field[Any]] = {
    name: Options.__dataclass_fields__[name] for name in (*OptionFields.__annotations__, *Options.__dataclass_fields__)
}
"""The options by name, in the order in which they are listed."""
DEVICE_FIELDS = {name: one for name, one in FIELDS.items() if o.spec(one).scope == "search"}
"""The options that affect a search on a device."""
CIRCUIT_FIELDS = {name: one for name, one in FIELDS.items() if o.spec(one).scope != "run"}
"""The options that affect a circuit that is not run: those of a device's search and the gates."""


def pipelines_of(name: str) -> tuple[str, ...]:
    """Return our pipelines that an option belongs to."""
    if name == "pipeline":
        return tuple(PIPELINES)
    return tuple(pipeline for pipeline, taken in PIPELINES.items() if name in taken.__dataclass_fields__)


def given_options(options: Options, named: Iterable[str] = ()) -> list[str]:
    """Return the options that are not at their default, and those that the user named."""
    return [one.name for one in fields(options) if one.name in named or getattr(options, one.name) != one.default]


def check_pipeline(options: Options, named: Iterable[str] = ()) -> None:
    """Refuse options of another pipeline, even at their default: they would be ignored."""
    taken = options_taken(options.pipeline).__dataclass_fields__
    for name in given_options(options, named):
        known = pipelines_of(name)
        if name != "pipeline" and name not in taken:
            wanted = " or ".join(f"'{one}'" for one in known)
            shown = f"{name}={getattr(options, name)!r}"
            raise InputError(f"{shown} belongs to pipeline={wanted}: leave out {name}, or use that pipeline")


def check_names(named: Iterable[str], others: Iterable[str] = ()) -> None:
    """Refuse misspelt options: names that are neither fields of `Options` nor among the others."""
    offered = (*FIELDS, *others)
    refuse_renamed(named)
    for name in named:
        if name not in offered:
            if name == "options":
                raise InputError(f"unknown option 'options': {UNPACK}")
            near = get_close_matches(name, offered, n=1)
            # A frequent mistake, for which a similar name would be no help.
            if name == "part":
                raise InputError("a whole search is compiled: give part to program.qasm2, qasm3, qpy or part")
            mend = f"did you mean {near[0]}?" if near else f"choose among {', '.join(offered)}"
            raise InputError(f"unknown option '{name}': {mend}")


def shows_options(call: Call, shown: Mapping[str, Field[Any]] = FIELDS) -> Call:
    """Replace ``**options`` in a function's signature and help by the options, and refuse them without a name."""
    own = inspect.signature(call, eval_str=False)
    kept = [p for p in own.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    most = sum(p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for p in kept)

    @wraps(call)
    def checked(*given: Any, **named: Any) -> Any:
        if any(isinstance(one, Options) for one in given):
            raise InputError(f"Options without a name: {UNPACK}")
        if len(given) > most:
            raise InputError(f"{given[most]!r:.60} has no name: give options by name, such as seed=3")
        return call(*given, **named)

    checked.__signature__ = own.replace(parameters=[*kept, *_spell(shown)])  # type: ignore[attr-defined]
    listed = [f"    {name}: {_describe(one)}" for name, one in shown.items()]
    checked.__doc__ = f"{inspect.getdoc(call) or ''}\n\nOptions:\n" + "\n".join(listed) + "\n"
    return cast("Call", checked)


def _describe(one: Field[Any]) -> str:
    words = o.choices(one)
    return f"{o.spec(one).help}." + (f" One of {', '.join(words)}." if words else "")


def _spell(shown: Mapping[str, Field[Any]]) -> list[inspect.Parameter]:
    keyword = inspect.Parameter.KEYWORD_ONLY
    return [inspect.Parameter(name, keyword, default=one.default, annotation=one.type) for name, one in shown.items()]


Options.__signature__ = inspect.Signature(_spell(FIELDS))  # type: ignore[attr-defined]

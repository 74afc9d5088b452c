"""The interface of every pipeline; ``api/registry.py`` finds them by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from gatesolve.circuit import Certificate
from gatesolve.circuit.counting import Resources
from gatesolve.encodings import Space
from gatesolve.model import Model
from gatesolve.oracle import Oracle
from gatesolve.pipelines.device import Bench, NextCircuits, Round
from gatesolve.pipelines.task import Answer, Builder, Compiled, FoundLevel, Request, Taken, Task
from gatesolve.programs.section import describe_size


@dataclass(frozen=True)
class Report:
    """The report of a run beside its answer.

    Attributes:
        lines: how it was searched and what it took.
        resources: counts for a table, by the name of the circuit.
        remarks: what is said below the table.
    """

    lines: tuple[str, ...]
    resources: Mapping[str, Resources] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spent:
    """The effort of a run that is one of many.

    Attributes:
        cx: of all circuits run; oracle calls, or shots, times one iteration, or all layers.
        sections: how often each section of the circuit was run in all, by its name.
        miss_probability: at most the probability that there is a solution and the run did not find it.
    """

    cx: int
    sections: Mapping[str, int]
    miss_probability: float


@dataclass(frozen=True)
class Pipeline(Generic[Taken]):
    """A way to search.

    Attributes:
        name: as users choose it.
        options: the options that it takes.
        run: solves a problem.
        report: describes a run.
        check: refuses options of its own that would have no effect on a problem.
        prepare: does what comes before the run and costs little, to see whether it would be refused.
        minimises: whether it searches for what is best; else for any solution, so constraints are needed.
        resumes: whether it keeps itself between runs, where that is asked for.
        account: what a run took, for a problem that is searched in parts; None where none is.
        compile: makes the certified circuit without running it; None where there is no circuit.
        oracles: how to make the oracles of a model, and what says of which level one is; None where spaces are not
            compared by an oracle of constraints alone.
        send: the next circuits of a search on a device; None where nothing can be sent.
    """

    name: str
    options: type[Taken]
    run: Callable[[Request[Taken]], Answer]
    report: Callable[[Taken, Answer], Report]
    check: Callable[[Task, Taken], None] = lambda task, options: None
    prepare: Callable[[Request[Taken]], Any] | None = None
    minimises: bool = True
    resumes: bool = False
    account: Callable[[Taken, Answer], Spent] | None = None
    compile: Callable[[Request[Taken]], Compiled] | None = None
    oracles: tuple[Callable[[Model, Taken], Builder], Callable[[Taken, Model, Space, Oracle], FoundLevel]] | None = None
    send: Callable[[Request[Taken], Bench, Sequence[Round]], NextCircuits] | None = None


def describe_iterations(number: int) -> str:
    """``1 iteration``, ``2 iterations``, of very many ``about 2^95.0 iterations``."""
    return f"{describe_size(number)} iteration{'' if number == 1 else 's'}"


def describe_certificate(certificate: Certificate) -> str:
    """Describe a certificate in a sentence."""
    size = describe_size(certificate.of)
    return (
        f"checked: the oracle marks what the model accepts on {certificate.checked} of {size} codewords "
        f"({certificate.method}),\nancillas come back clean, and the lowered oracle does the same on "
        f"{certificate.lowered} of them"
    )

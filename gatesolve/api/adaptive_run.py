"""Running Grover Adaptive Search on a backend: circuits by threshold, measurements with their energies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from gatesolve.api.adaptive import Adaptive
from gatesolve.api.compiler import Compiled
from gatesolve.model.content import content_key
from gatesolve.pipelines.clock import Clock
from gatesolve.pipelines.gas.search import GasOutcome, GasStep, adaptive_search
from gatesolve.pipelines.gas.state import GasState, Measurement, Settings
from gatesolve.pipelines.sampling import sample
from gatesolve.simulate.space import grover


@dataclass(frozen=True)
class AdaptiveRun:
    """A finished or interrupted search with what it cost.

    Attributes:
        outcome: what the loop came to.
        compiled: the circuit of the last run.
        cx: most CX of all circuits that were run: before the passes of lowering; None if the search was resumed.
    """

    outcome: GasOutcome
    compiled: Compiled
    cx: int | None


def run_adaptive(
    ready: Adaptive,
    clock: Clock,
    *,
    state: GasState | None = None,
    save: Callable[[GasState], None] | None = None,
    progress: Callable[[GasStep], None] | None = None,
) -> AdaptiveRun:
    """Search with one measurement a run, thresholds from measurements alone.

    Args:
        ready: the problem.
        clock: times the stages.
        state: continue from here.
        save: called with the state after every run.
        progress: called with every run.

    Raises:
        DoesNotFitError: an oracle is too large.
        InputError: the state is of another search.
    """
    bench = _Bench(ready, clock)
    if state is not None:
        # What the runs before the interruption took was not kept.
        bench.cx = None
    outcome = adaptive_search(bench.sample, settings_of(ready), state=state, save=save, progress=progress)
    # Below the lowest possible level nothing is marked: the circuit that got there is shown then.
    last = outcome.threshold if outcome.threshold else bench.threshold
    compiled = ready.compared(bench.compiled(last), last, clock)
    compiled = replace(compiled, program=replace(compiled.program, iterations=bench.iterations))
    return AdaptiveRun(outcome, compiled, bench.cx)


def settings_of(ready: Adaptive) -> Settings:
    """The loop's settings for a problem."""
    options = ready.options
    start = ready.start if options.threshold is None else ready.threshold() - 1
    return Settings(
        fingerprint(ready), ready.space.size, options.seed, ready.floor, start, confidence=options.confidence
    )


def fingerprint(ready: Adaptive) -> str:
    """Hash of the cost, the space and the backend: what must be the same for a search to be continued."""
    return content_key(ready.cost, ready.space, ready.options.backend)


class _Bench:
    """Circuits kept by threshold, and what all runs took together."""

    def __init__(self, ready: Adaptive, clock: Clock) -> None:
        self.ready, self.clock = ready, clock
        self.kept: dict[int, tuple[Compiled, tuple[int, int]]] = {}
        self.cx: int | None = 0
        self.threshold, self.iterations = 1, 0

    def compiled(self, threshold: int) -> Compiled:
        """The certified circuit at a threshold, made once."""
        return self._at(threshold)[0]

    def _at(self, threshold: int) -> tuple[Compiled, tuple[int, int]]:
        if threshold not in self.kept:
            compiled = self.ready.certified(threshold, self.clock, iterations=0)
            with self.clock.stage("count"):
                self.kept[threshold] = (compiled, compiled.program.most_cx())
        return self.kept[threshold]

    def sample(self, threshold: int, iterations: int, seed: int) -> Measurement:
        """One measurement after ``iterations`` of the circuit at ``threshold``."""
        compiled, counts = self._at(threshold)
        self.cx = None if self.cx is None else self.cx + counts[0] + iterations * counts[1]
        self.threshold, self.iterations = threshold, iterations
        number = self._measured(compiled, iterations, seed)
        if number is None:
            return Measurement("", None, Fraction(0))
        return self.ready.measurement(number)

    def _measured(self, compiled: Compiled, iterations: int, seed: int) -> int | None:
        space = compiled.program.space
        if self.ready.options.backend == "space":
            assert compiled.marks is not None
            (number,) = grover(compiled.marks, iterations).sample(1, seed)
            return number
        program = replace(compiled.program, iterations=iterations)
        ((found, _),) = program.decode(sample(program, self.ready.options.backend, 1, seed))
        return None if found is None else space.number(found)

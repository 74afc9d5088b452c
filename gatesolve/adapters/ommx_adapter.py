"""OMMX's adapter: ``ommx`` users solve and sample an instance as with its other solvers."""

from __future__ import annotations

from typing import Any

from ommx.adapter import InfeasibleDetected, NoSolutionReturned, SamplerAdapter
from ommx.v1 import Instance, Samples, SampleSet, Solution, State

from gatesolve.adapters.reads import Reads, make_reads
from gatesolve.api.calls import solve
from gatesolve.api.options import PipelineName
from gatesolve.api.result import Result


class OMMXGatesolveAdapter(SamplerAdapter):
    """A solver and sampler of OMMX instances with binary and bounded integer variables.

    Args:
        ommx_instance: the instance; it is not changed.
    """

    def __init__(self, ommx_instance: Instance) -> None:
        self.ommx_instance = ommx_instance

    @classmethod
    def solve(cls, ommx_instance: Instance, *, pipeline: PipelineName = "gas", **options: Any) -> Solution:
        """Return the best solution found; its ``optimality`` states whether it is proven to be optimal.

        Args:
            ommx_instance: the instance.
            pipeline: the search: ``gas``, ``qaoa``, ``grover``, or the classical ``anneal``.
            **options: fields of `gatesolve.Options`.

        Raises:
            InfeasibleDetected: there is proven to be no solution.
            NoSolutionReturned: none was found.
            UnsupportedError: a real variable or another part that cannot be searched.
        """
        return cls(ommx_instance).decode(solve(ommx_instance, pipeline=pipeline, **options))

    @classmethod
    def sample(
        cls, ommx_instance: Instance, *, pipeline: PipelineName = "gas", num_reads: int | None = None, **options: Any
    ) -> SampleSet:
        """Draw ``num_reads`` samples; for ``qaoa`` each read is a measurement, for others the answer of one search.

        Args and raises: as `solve`; the default of ``num_reads`` is 1024 for ``qaoa`` and 1 for others.
        """
        return cls(ommx_instance).decode_to_sampleset(make_reads(ommx_instance, pipeline, num_reads, options))

    @property
    def solver_input(self) -> Instance:
        """The instance that `gatesolve.solve` takes."""
        return self.ommx_instance

    @property
    def sampler_input(self) -> Instance:
        """The instance that `gatesolve.solve` takes."""
        return self.ommx_instance

    def decode(self, data: Result) -> Solution:
        """Return the solution of a result of `gatesolve.solve`; raises as `solve`."""
        if data.solution is None:
            raise _nothing_found(data)
        solution = self.ommx_instance.evaluate(self._state(data.solution))
        if data.optimal:
            solution.optimality = Solution.OPTIMAL
        return solution

    def decode_to_sampleset(self, data: Reads) -> SampleSet:
        """Return the samples of `gatesolve.adapters.reads.make_reads`; raises as `solve`."""
        if not data.samples:
            raise _nothing_found(data.results[0])
        samples, first = Samples({}), 0
        for values, times in data.samples:
            # Each occurrence is a sample with an id of its own; OMMX stores equal ones once.
            samples.append(list(range(first, first + times)), self._state(values))
            first += times
        return self.ommx_instance.evaluate_samples(samples)

    def _state(self, values: dict[int, int]) -> State:
        """Return values of the used variables; OMMX determines the others itself."""
        return State({number: values[number] for number in self.ommx_instance.used_decision_variable_ids()})


def _nothing_found(result: Result) -> Exception:
    kind: type[Exception] = InfeasibleDetected if result.status == "infeasible" else NoSolutionReturned
    return kind(result.message)

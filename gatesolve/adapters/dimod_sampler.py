"""Samplers for D-Wave's tools: every program that accepts a ``dimod.Sampler`` can search with a gate-model circuit.

Circuits are simulated, exactly in the search space unless ``backend`` requests another simulator.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gatesolve.adapters.reads import Reads, make_reads, parameters_of
from gatesolve.api.options import PipelineName
from gatesolve.errors import InputError, MissingExtraError

try:
    import dimod
except ImportError as error:
    raise MissingExtraError("dimod is not installed", "anneal") from error


class PipelineSampler(dimod.Sampler, dimod.PolySampler):
    """Base class of the samplers, each of one ``pipeline``."""

    pipeline: PipelineName = "auto"

    @property
    def properties(self) -> dict[str, Any]:
        """Return the pipeline's name."""
        return {"pipeline": self.pipeline}

    @property
    def parameters(self) -> dict[str, list[str]]:
        """Return ``num_reads`` and the names of the pipeline's options, which the calls accept."""
        return {name: [] for name in parameters_of(self.pipeline)}

    def sample(self, bqm: dimod.BinaryQuadraticModel, **parameters: Any) -> dimod.SampleSet:
        """Sample a binary quadratic model of either vartype.

        Args:
            bqm: the model; its offset is kept.
            **parameters: see `parameters`. Others are ignored with a warning, as dimod does.

        Returns:
            Samples with the model's own energies. Its ``info`` has ``oracle_calls`` and ``qubits``, and in ``searches``
            the whole report of each search: circuits, gates, certificate, seed, seconds and versions.

        Raises:
            InputError: a bias that is not finite, or an option's value that is not offered.
            DoesNotFitError: too many variables to simulate.
        """
        reads = self._read(bqm, parameters)
        return dimod.SampleSet.from_samples_bqm(_rows(reads, bqm.variables), bqm, **_vectors(reads))

    def sample_poly(self, polynomial: dimod.BinaryPolynomial, **parameters: Any) -> dimod.SampleSet:
        """Sample a polynomial of any degree, as `sample`."""
        reads = self._read(polynomial, parameters)
        return dimod.SampleSet.from_samples_bqm(_rows(reads, polynomial.variables), polynomial, **_vectors(reads))

    def sample_cqm(self, cqm: dimod.ConstrainedQuadraticModel, **parameters: Any) -> dimod.SampleSet:
        """Sample a constrained quadratic model, as `sample`; ``is_feasible`` marks samples that keep all constraints.

        Measurements of a QAOA may break some. Where a search finds nothing, the set is empty and ``info`` explains it.

        Raises:
            UnsupportedError: a real variable or a soft constraint.
        """
        if not hasattr(cqm, "constraints"):
            raise InputError(f"no constrained quadratic model but {_kind(cqm)}: give that to sample")
        reads = self._read(cqm, parameters)
        return dimod.SampleSet.from_samples_cqm(_rows(reads, cqm.variables), cqm, **_vectors(reads))

    def _read(self, model: Any, parameters: dict[str, Any]) -> Reads:
        if not hasattr(model, "variables"):
            fault = f"no model of dimod's but {_kind(model)}"
            raise InputError(f"{fault}: give a dict to sample_qubo, sample_ising or sample_hubo")
        # dimod's samplers share keyword arguments, so unknown ones are no errors.
        options = self.remove_unknown_kwargs(**parameters)
        # dimod's name for the number of samples; it is no option of ours.
        number = options.pop("num_reads", None)
        if not model.variables:
            # A model without variables has one state, and no circuit can be built for it.
            return Reads((), ())
        return make_reads(model, self.pipeline, number, options)


class GroverAdaptiveSampler(PipelineSampler):
    """A dimod sampler that searches by Grover Adaptive Search.

    A read is the answer of one whole search. By default there is one, from seed 0; further ones use the next seeds. The
    search ends when a lower energy would have been found with probability ``confidence``.

    Example:
        >>> import dimod, gatesolve
        >>> bqm = dimod.BinaryQuadraticModel({"a": 1, "b": -2}, {("a", "b"): 3}, 0.5, "SPIN")
        >>> gatesolve.GroverAdaptiveSampler().sample(bqm).first.energy
        -5.5
    """

    pipeline = "gas"


class QAOASampler(PipelineSampler):
    """A dimod sampler that measures a QAOA circuit.

    A read is one measurement; by default there are 1024. Without ``angles`` these are chosen by exact simulation.
    """

    pipeline = "qaoa"


def _kind(model: Any) -> str:
    return f"an object of type {type(model).__name__}"


def _rows(reads: Reads, variables: Any) -> tuple[Any, list[Any]]:
    """Return samples in dimod's form, one row each."""
    labels = list(variables)
    rows = [[sample[label] for label in labels] for sample, _ in reads.samples]
    # Without rows the array would have one dimension.
    return np.array(rows, dtype=np.int64).reshape(len(rows), len(labels)), labels


def _vectors(reads: Reads) -> dict[str, Any]:
    return {
        "num_occurrences": [times for _, times in reads.samples],
        "info": reads.info,
        # Equal samples become one row with a count, as dimod's own samplers do.
        "aggregate_samples": True,
    }

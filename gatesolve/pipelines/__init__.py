"""Search pipelines: circuits and loops."""

from gatesolve.pipelines.program import Program

__all__ = ["Program"]

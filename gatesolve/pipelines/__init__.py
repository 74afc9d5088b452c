"""Search pipelines: circuits and loops."""

from gatesolve.pipelines.program import PARTS, Part, Program

__all__ = ["PARTS", "Part", "Program"]

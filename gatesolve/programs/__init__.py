"""Circuits as users get them: a `Program` of named operations with the space that decodes what it measures.

`program` is the whole and its export, `section` its parts, `reflection` and `early_check` two that every search has.
`amplification` makes Grover's search, `provenance` holds the origin of a circuit and facts about its search.
`postprocess` and `unread` leave out what a measurement does not show; `measured` says what a device must be able to do.
May import oracle, encodings, circuit and model.
"""

from gatesolve.programs.amplification import (
    CountRun,
    best_iterations,
    estimate_marked,
    grover_program,
    success_probability,
)
from gatesolve.programs.postprocess import measure_qubits
from gatesolve.programs.program import (
    change_search,
    describe_rotations,
    find_reflection,
    find_words_used,
    list_ops,
    lower_part,
    replace_section,
)
from gatesolve.programs.reflection import bound_change
from gatesolve.programs.section import LoweredParts
from gatesolve.programs.unread import real_state

__all__ = [
    "CountRun", "LoweredParts", "best_iterations", "bound_change", "change_search", "describe_rotations",
    "estimate_marked", "find_reflection", "find_words_used", "grover_program", "list_ops", "lower_part",
    "measure_qubits", "real_state", "replace_section", "success_probability",
]  # fmt: skip

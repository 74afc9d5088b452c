"""Files and objects of other tools, read and written: one module a format or library.

Models: `from_cpmpy`, `xcsp3`, `flatzinc`, `dimacs`, `opb`; `read_file` lists their endings. Energies, integer programs:
`coo`, `lp`, `mps`, `json_form`, `sparse_text`; `qubo_registry` lists them. Objects: `convert` and `exchange`.
`problem` makes a `Problem` of each.
It tells what a file is too. May import qubo, encodings, model and puzzles. A new format is a module here and a
line in its list.
"""

from gatesolve.formats.convert import (
    from_bpoly,
    from_bqm,
    from_dict,
    from_ising,
    from_matrix,
    to_bpoly,
    to_bqm,
    to_dict,
    to_ising,
    to_matrix,
)
from gatesolve.formats.dimacs import read_dimacs
from gatesolve.formats.exchange import (
    from_cqm,
    from_ommx,
    from_quadratic_program,
    to_cqm,
    to_ommx,
    to_quadratic_program,
)
from gatesolve.formats.from_cpmpy import from_cpmpy
from gatesolve.formats.integer_program import program_of_model
from gatesolve.formats.judge import broken_constraints
from gatesolve.formats.lp import lp_text, read_lp
from gatesolve.formats.mps import looks_like_mps, read_mps
from gatesolve.formats.opb import read_opb
from gatesolve.formats.problem import Problem, SolutionCount, as_problem
from gatesolve.formats.read_file import NEEDS, read_foreign

__all__ = [
    "NEEDS",
    "Problem",
    "SolutionCount",
    "as_problem",
    "broken_constraints",
    "from_bpoly",
    "from_bqm",
    "from_cpmpy",
    "from_cqm",
    "from_dict",
    "from_ising",
    "from_matrix",
    "from_ommx",
    "from_quadratic_program",
    "looks_like_mps",
    "lp_text",
    "program_of_model",
    "read_dimacs",
    "read_foreign",
    "read_lp",
    "read_mps",
    "read_opb",
    "to_bpoly",
    "to_bqm",
    "to_cqm",
    "to_dict",
    "to_ising",
    "to_matrix",
    "to_ommx",
    "to_quadratic_program",
]

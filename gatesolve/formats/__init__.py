"""Files and objects of other tools, read and written: one module a format or library.

Models: `from_cpmpy`, `model_text`, `xcsp3`, `flatzinc`, `boolean` (DIMACS, OPB). Energies and integer programs:
`sparse_text`, `lp`, `mps`, `qplib`, `json_form`. Objects: `convert` and `sources`.

`files` detects the format of a file. `text` contains tokens and places that readers share, `integer_program` turns
parsed rows into a model, and `problem` defines the type that every reader returns.

Readers take a text whose lines end in a line feed, and its name in messages as ``source``. Malformed content raises an
`InputError` that names the row and the correction. A part that is not supported raises an `UnsupportedError`, and a
constraint that cannot hold an `InfeasibleError`. Docstrings of readers name only other errors.

May import qubo, encodings, model and puzzles. A new format is a module here with a line in `formats/files.py`. If its
files hold models, their suffix and first characters go into `gatesolve/files.py`.
"""

from gatesolve.formats.boolean import read_dimacs, read_opb
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
from gatesolve.formats.cpmpy_eval import broken_constraints
from gatesolve.formats.files import read_foreign
from gatesolve.formats.from_cpmpy import from_cpmpy
from gatesolve.formats.integer_program import program_of_model
from gatesolve.formats.lp import lp_text, read_lp
from gatesolve.formats.mps import read_mps
from gatesolve.formats.problem import Problem, SolutionCount
from gatesolve.formats.sources import (
    as_problem,
    from_cqm,
    from_ommx,
    from_quadratic_program,
    to_cqm,
    to_ommx,
    to_quadratic_program,
)

__all__ = [
    "Problem", "SolutionCount", "as_problem", "broken_constraints", "from_bpoly", "from_bqm", "from_cpmpy",
    "from_cqm", "from_dict", "from_ising", "from_matrix", "from_ommx", "from_quadratic_program", "lp_text",
    "program_of_model", "read_dimacs", "read_foreign", "read_lp", "read_mps", "read_opb", "to_bpoly", "to_bqm",
    "to_cqm", "to_dict", "to_ising", "to_matrix", "to_ommx", "to_quadratic_program",
]  # fmt: skip

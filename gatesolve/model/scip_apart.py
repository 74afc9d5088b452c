"""A FlatZinc file as SCIP reads it, as JSON; run as a program, since SCIP 10 ends one at a constraint it does not know.

``python scip_apart.py FOLDER`` reads ``FOLDER/model.fzn`` and writes ``FOLDER/model.json``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def _translate(model: Any) -> dict[str, Any]:
    """Bounds by variable, weights with lower and upper ends (None: no end) by constraint, weights of the objective."""
    kinds = sorted({c.getConshdlrName() for c in model.getConss()} - {"linear"})
    if kinds:
        return {"refused": f"constraints that SCIP calls {', '.join(kinds)}"}
    if real := [v.name for v in model.getVars() if v.vtype() == "CONTINUOUS"]:
        return {"refused": f"variable {real[0]} is a real number, not a whole one"}
    rows = []
    for c in model.getConss():
        names = [v.name for v in model.getConsVars(c)]
        ends = (model.getLhs(c), model.getRhs(c))
        rows.append(
            [list(zip(model.getConsVals(c), names, strict=True)), *(None if abs(e) >= 1e20 else e for e in ends)]
        )
    goal = model.getObjective().terms
    return {
        "variables": {v.name: [v.getLbOriginal(), v.getUbOriginal()] for v in model.getVars()},
        "rows": rows,
        "sense": model.getObjectiveSense(),
        "objective": [[weight, term.vartuple[0].name] for term, weight in goal.items()],
    }


if __name__ == "__main__":
    from pyscipopt import Model

    folder = Path(sys.argv[1])
    scip = Model()
    scip.readProblem(str(folder / "model.fzn"))  # it prints what it does not take
    (folder / "model.json").write_text(json.dumps(_translate(scip)))

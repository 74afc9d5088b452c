"""Files of other solvers, read and solved: a formula, a pseudo-Boolean problem, an integer programme, a graph."""

import tempfile
from pathlib import Path

import gatesolve

FILES = {
    "formula.cnf": """c three clauses over four variables, as SATLIB writes them
p cnf 4 3
1 -2 3 0
-1 4 0
2 -3 -4 0
%
0
""",
    "cover.opb": """* #variable= 4 #constraint= 2
min: +2 x1 +3 x2 +1 x3 +2 x4 ;
+1 x1 +1 x2 +1 x3 >= 2 ;
+1 x2 x4 +1 ~x1 >= 1 ;
""",
    "machines.lp": """Maximize
 profit: 3 x + 2 y - 4 on
Subject To
 off: on = 0 -> x + y <= 0
 area: [ x * y ] <= 2
Bounds
 x <= 3
 y <= 3
Binary
 on
General
 x y
End
""",
    "graph.mc": "5 6\n1 2 1\n2 3 1\n3 4 1\n4 5 1\n5 1 1\n1 3 2\n",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = Path(folder) / name
            path.write_text(text, encoding="utf-8")
            result = gatesolve.solve(path)
            # judged by the file's own constraints, not by the circuit's
            assert result.problem.complaints(result.solution) == []
            print(result.problem.title)
            best = result.problem.energy(result.solution)
            said = "satisfied" if best is None else f"objective {float(best):g}"
            print(" ", said, result.solution)


if __name__ == "__main__":
    main()

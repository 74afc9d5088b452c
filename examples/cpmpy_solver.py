"""gatesolve as one of CPMpy's solvers, beside OR-Tools: the same model, the same calls.

Four talks take two rooms in two slots. The workshop needs the hall, two speakers want to hear each other, and the
keynote comes first; most seats are wanted in the hall.
"""

import cpmpy as cp

import gatesolve

TALKS = ("keynote", "workshop", "gates", "codes")
GUESTS = (90, 40, 60, 30)


def timetable() -> tuple[cp.Model, list, list]:
    slot = [cp.intvar(0, 1, name=f"{talk} slot") for talk in TALKS]
    in_hall = [cp.boolvar(name=f"{talk} in hall") for talk in TALKS]
    model = cp.Model(in_hall[1], slot[0] == 0, slot[2] != slot[3])
    model += cp.AllDifferent([2 * s + h for s, h in zip(slot, in_hall, strict=True)])
    return model, slot, in_hall


def describe(slot: list, in_hall: list) -> str:
    places = [f"{talk} {s.value()}{'H' if h.value() else ' '}" for talk, s, h in zip(TALKS, slot, in_hall, strict=True)]
    return ", ".join(places)


def main() -> None:
    gatesolve.register_cpmpy()
    model, slot, in_hall = timetable()

    shown: list[str] = []
    count = model.solveAll(solver="gatesolve", display=lambda: shown.append(describe(slot, in_hall)))
    print(f"{count} timetables, {model.status().exitstatus.name}: {model.solveAll(solver='ortools')} by OR-Tools")
    print("\n".join(sorted(shown)))

    model.maximize(cp.sum(guests * h for guests, h in zip(GUESTS, in_hall, strict=True)))
    for solver in ("ortools", "gatesolve"):
        model.solve(solver=solver)
        print(f"{solver}: {model.objective_value()} guests in the hall, {model.status().exitstatus.name}")

    model += slot[1] == 0
    model += in_hall[0]
    model.solve(solver="gatesolve")
    print(f"workshop first and keynote in the hall: {model.status().exitstatus.name}")

    # The solver object keeps the circuit.
    solver = cp.SolverLookup.get("gatesolve", timetable()[0])
    solver.solve(presolve="none", encoding="binary")
    result = solver.result
    print(f"{result.marked} of {result.space_size} states marked, {result.iterations} iterations")
    print(f"{result.resources.qubits} qubits, {result.resources.cx} CX")


if __name__ == "__main__":
    main()

"""Grover Adaptive Search of an energy of one's own: what it measures, what it costs, the circuit it ends with.

Eight people, some of whom would rather be apart, are put into two rooms. Every pair that stays together though it
would rather not counts its weight, and the rooms should differ little in number.
"""

import gatesolve
from gatesolve import Qubo

APART = {("Ada", "Ben"): 5, ("Ada", "Cem"): 2, ("Ben", "Dan"): 4, ("Cem", "Eva"): 3.5, ("Dan", "Eva"): 6,
         ("Eva", "Fay"): 1, ("Fay", "Gus"): 4.5, ("Gus", "Hal"): 2.5, ("Hal", "Ada"): 3, ("Ben", "Fay"): 2}  # fmt: skip
BALANCE = 0.25


def rooms() -> Qubo:
    names = sorted({name for pair in APART for name in pair})
    place = {name: number for number, name in enumerate(names)}
    # In the same room: 1 - x - y + 2 x y. Rooms of h and n - h people: (2 h - n)^2, less what is constant.
    terms: dict[tuple[int, ...], float] = {(): sum(APART.values()) + BALANCE * len(names) ** 2}

    def add(monomial: tuple[int, ...], weight: float) -> None:
        terms[monomial] = terms.get(monomial, 0) + weight

    for left, right in APART:
        i, j = sorted((place[left], place[right]))
        weight = APART[left, right]
        for monomial, factor in (((i,), -1), ((j,), -1), ((i, j), 2)):
            add(monomial, factor * weight)
    for i in range(len(names)):
        add((i,), BALANCE * (4 - 4 * len(names)))
        for j in range(i + 1, len(names)):
            add((i, j), BALANCE * 8)
    return Qubo.of(names, terms)


def main() -> None:
    result = gatesolve.solve(rooms(), seed=7)
    for step, energy in zip(result.details.improvements, result.details.energies, strict=True):
        print(f"run {step.run}, {step.iterations} iterations: energy {float(energy):g}")
    for room in (0, 1):
        print(f"room {room}:", ", ".join(name for name, value in result.solution.items() if value == room))
    print(result.message)
    descent = result.details
    print(f"{descent.runs} circuits, {descent.oracle_calls} oracle calls, {descent.iteration.cx} CX an iteration")


if __name__ == "__main__":
    main()

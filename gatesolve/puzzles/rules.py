"""What every family asks of an answer before its own rules: a value in range for each variable, and no others."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def misread(
    solution: Mapping[str, int], allowed: Mapping[str, Collection[int]], stranger: str, values: str = ""
) -> list[str]:
    """What is wrong with the names and values of an answer, in words.

    Args:
        solution: the answer.
        allowed: the values that each variable may have.
        stranger: what is said of a name that is no variable's, such as "is not a cell of the board".
        values: what is said of a value that is not allowed, such as "not 0 or 1"; a range if empty.
    """
    broken = [f"{name} {stranger}" for name in solution if name not in allowed]
    for name, domain in allowed.items():
        if name not in solution:
            broken.append(f"{name} has no value")
        elif solution[name] not in domain:
            broken.append(f"{name} is {solution[name]}, {values or f'outside {min(domain)}..{max(domain)}'}")
    return broken


def overwritten(solution: Mapping[str, int], given: Mapping[str, int]) -> list[str]:
    """The given values that an answer changes, in words."""
    changed = ((name, value) for name, value in given.items() if solution.get(name, value) != value)
    return [f"{name} is {solution[name]} where {value} is given" for name, value in changed]

"""Play: the rules that an answer breaks while it is filled in, its agreement with a solution, and the next step.

A cell has its name of messages, such as ``r1c2``. A mark is a number, 0 or 1 for a piece, the letter of a chess piece
or the number of a dot. The page writes the rules in words, from the kind and the numbers of their constraints.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from gatesolve.errors import GatesolveError, UnsupportedError
from gatesolve.formats import from_cpmpy
from gatesolve.model import (
    AllDifferent,
    Clause,
    Constraint,
    Linear,
    Model,
    Table,
    find_some,
    merge_constraints,
    narrow_model,
    tuples_of,
)
from gatesolve.model.presolve.propagate import filter_domains
from gatesolve.puzzles import cell_name, parse
from gatesolve.puzzles.galaxies import core, mirror

Domains = Mapping[str, tuple[int, ...]]
Marks = Mapping[str, str]
PATIENCE = 3.0
"""Most seconds of a solver's answer, and of the deductions of a hint."""
JOINED = 2_000
"""Most tuples of the rules that a hint reads together."""
SPARSE = {"queens", "starbattle", "tents", "chess"}
"""Families whose cells may stay blank in a finished answer: a blank cell has mark 0."""
_VARIABLE = re.compile(r"r(\d+)c(\d+)(?:_?([A-Za-z]\w*))?")


class PlayRule(NamedTuple):
    """Constraints that state one rule, the cells that it is about, and the rules that it joins."""

    constraints: tuple[Constraint, ...]
    cells: tuple[str, ...]
    inside: tuple[PlayRule, ...] = ()

    @property
    def scope(self) -> list[str]:
        """The variables that it reads."""
        return list(dict.fromkeys(name for one in self.constraints for name in one.scope))

    def is_broken(self, domains: Domains) -> bool:
        """Return whether some variable has no value left; constraints of one rule are read together."""
        if len(self.constraints) > 1:
            return tuples_of(self.scope, domains, self.constraints, 1) == ()
        return not all(all(filter_domains(one, domains).values()) for one in self.constraints)

    def needs(self, value: int, domains: Domains) -> bool:
        """Return whether some cell must have a value."""
        match self.constraints[0]:
            case AllDifferent() as one:
                return len({v for name in one.variables for v in domains[name]}) == len(one.variables)
            case Linear(relation="==", bound=1) as one:
                return value == 1 and all(factor == 1 for factor, _ in one.terms)
        return False

    def tell(self) -> list[dict[str, Any]]:
        """Return the rules for the page: the kinds of their constraints, and the numbers in these."""
        if self.inside:
            return [told for rule in self.inside for told in rule.tell()]
        first, told = self.constraints[0], {"cells": self.cells, "names": self.scope}
        if isinstance(first, Clause):
            # A sum that leaves no choice was lowered to its values.
            ones = sum(1 in values for one in self.constraints if isinstance(one, Clause) for _, values in one.literals)
            first = Linear(tuple((1, name) for name in self.scope), "==", ones)
        if isinstance(first, Linear):
            numbers = {"factors": [c for c, _ in first.terms], "relation": first.relation, "bound": first.bound}
        else:
            numbers = {"sums": sorted({sum(row) for row in first.tuples})} if isinstance(first, Table) else {}
        return [{"kind": type(first).__name__, **told, **numbers}]


class PlayStep(NamedTuple):
    """A cell that rules settle at one mark, after those of ``why``; the easiest step has the lowest rank."""

    cell: str
    rank: int
    mark: str
    is_last_place: bool
    rules: tuple[PlayRule, ...]
    before: tuple[PlayRule, ...]
    why: Why


class Game:
    """A board that is played: its rules, and for each cell the marks with the values of variables that mean them."""

    def __init__(self, family: str, text: str) -> None:
        self.puzzle: Any = parse(text, family, "board")
        stated = self.puzzle.to_cpmpy()
        self.model: Model = from_cpmpy(stated)
        self.options = dict(self._list_options())
        listed = (one for item in stated.constraints for one in (item if isinstance(item, list) else [item]))
        lowered = (from_cpmpy(type(stated)(one)).constraints for one in listed)
        self.rules = [self._make_rule(parts) for parts in lowered if parts]

    @cached_property
    def given(self) -> dict[str, str]:
        """The cells with one mark from the beginning; of a galaxy those at its dot, as others were deduced."""
        if self.puzzle.family == "galaxies":
            return {cell_name(cell): str(k) for k, dot in enumerate(self.puzzle.dots) for cell in core(dot)}
        return {cell: options[0][0] for cell, options in self.options.items() if len(options) == 1}

    def _list_options(self) -> Iterator[tuple[str, list[tuple[str, dict[str, int]]]]]:
        """Yield each cell with its options; a tent has one for each tree beside it."""
        puzzle, domains, held = self.puzzle, self.model.domains, dict[str, list[tuple[str, str]]]()
        for name, domain in domains.items():
            match = _VARIABLE.fullmatch(name)
            if match is None:
                raise UnsupportedError(f"boards of {puzzle.family} cannot be played here: use Solve")
            at, kind = (int(match[1]) - 1, int(match[2]) - 1), match[3]
            if kind is None:
                yield name, [(str(value), {name: value}) for value in domain]
            elif puzzle.family == "galaxies":
                for one in {at, mirror(at, puzzle.dots[int(kind[1:])])}:
                    held.setdefault(cell_name(one), []).append((kind[1:], name))
            elif puzzle.family == "chess":
                held.setdefault(cell_name(at), []).append((kind, name))
        for place, names in puzzle.into.items() if puzzle.family == "tents" else ():
            held[cell_name(place)] = [("1", name) for name in names]
        for cell, pairs in held.items():
            blank = {name: 0 for _, name in pairs}
            marks = [("0", blank)] * (puzzle.family in SPARSE) + [(mark, {**blank, name: 1}) for mark, name in pairs]
            yield cell, [one for one in marks if all(v in domains[name] for name, v in one[1].items())]

    def _make_rule(self, parts: tuple[Constraint, ...]) -> PlayRule:
        read = {name for part in parts for name in part.scope}
        # Of a galaxy a variable is about two cells, and the rule that a cell is in one galaxy about this cell alone.
        is_whole = self.puzzle.family == "galaxies" and isinstance(parts[0], Linear)
        names = ((cell, options[0][1].keys()) for cell, options in self.options.items())
        return PlayRule(parts, tuple(c for c, own in names if (own <= read if is_whole else not read.isdisjoint(own))))

    def possible(self, cell: str, domains: Domains) -> list[str]:
        """Return the marks that a cell can still have."""
        options = self.options[cell]
        return list(dict.fromkeys(m for m, values in options if all(v in domains[n] for n, v in values.items())))

    def assume(self, domains: Domains, cell: str, mark: str) -> Domains:
        """Return the domains with a mark; no value is left where it contradicts them."""
        chosen = [values for m, values in self.options[cell] if m == mark]
        kept = {name: {values[name] for values in chosen} for name in self.options[cell][0][1]}
        return {**domains, **{name: tuple(v for v in domains[name] if v in left) for name, left in kept.items()}}

    def fill(self, marks: Marks) -> tuple[Domains, list[PlayRule], list[list[str]]]:
        """Return the domains with these marks, the rules with those of tents, and cells whose marks are impossible."""
        domains: Domains = self.model.domains
        rules, faults = list(self.rules), list[list[str]]()
        for cell, mark in marks.items():
            options = [values for m, values in self.options.get(cell, ()) if m == mark]
            filled = self.assume(domains, cell, mark) if options else domains
            if all(filled.values()):
                domains = filled
            else:
                lost = next(name for name, values in filled.items() if not values)
                faults.append([c for c in marks if c in self.options and lost in self.options[c][0][1]])
            if not options and not (mark == "0" and self.puzzle.family in SPARSE):
                faults.append([cell])
            if len(options) > 1:
                tent = _one_of(options)
                read = [(rule, (tent,) if {*tent.scope} <= {*rule.scope} else ()) for rule in rules]
                rules = [rule._replace(constraints=rule.constraints + more) for rule, more in read]
                rules.append(PlayRule((tent,), (cell,)))
        return domains, rules, faults

    def list_broken(self, marks: Marks) -> list[dict[str, Any]]:
        """Return the broken rules, each with those of its marked cells that break it together."""
        domains, rules, faults = self.fill(marks)
        found = [{"kind": "impossible", "cells": cells, "clash": cells} for cells in faults]
        for k, rule in ((k, rule) for k, rule in enumerate(rules) if rule.is_broken(domains)):
            clash = {cell: marks[cell] for cell in rule.cells if cell in marks}
            for cell in tuple(clash) if k < len(self.rules) else ():
                fewer = {one: mark for one, mark in clash.items() if one != cell}
                wider, others, _ = self.fill(fewer)
                clash = fewer if others[k].is_broken(wider) else clash
            found += [{**told, "clash": list(clash)} for told in rule.tell()]
        return found

    @cached_property
    def best(self) -> tuple[Constraint, ...] | None:
        """The constraint that an answer is worth as much as the best one; None if that is not found in time."""
        goal, bound, end = self.model.objective, (1 << 30), time.monotonic() + PATIENCE
        if goal is None:
            return ()
        sign = -1 if goal.sense == "max" else 1
        terms = tuple((sign * factor, name) for factor, name in goal.terms)
        while time.monotonic() < end:
            better = replace(self.model, constraints=(*self.model.constraints, Linear(terms, "<=", bound - 1)))
            found, is_all = find_some(better, 1, PATIENCE)
            if not found:
                return (Linear(terms, "<=", bound),) if is_all else None
            bound = sum(factor * found[0][name] for factor, name in terms)
        return None

    def find_answers(self, marks: Marks, limit: int = 1) -> tuple[list[dict[str, int]], bool]:
        """Return solutions with these marks, the best ones where there is an objective, and whether these are all."""
        domains, rules, faults = self.fill(marks)
        if faults or self.best is None:
            return [], bool(faults)
        stated = (*(one for rule in rules for one in rule.constraints), *self.best)
        return find_some(narrow_model(replace(self.model, constraints=stated), dict(domains)), limit, PATIENCE)

    def is_solved(self, marks: Marks) -> bool:
        """Return whether an answer is complete and right; with an objective, no cell may be left blank."""
        blank = self.puzzle.family in SPARSE and self.model.objective is None
        full = {**(dict.fromkeys(self.options, "0") if blank else {}), **self.given, **marks}
        if len(full) < len(self.options) or self.list_broken(full):
            return False
        found, _ = self.find_answers(full)
        return bool(found) and not self.puzzle.check(found[0])

    def read(self, answer: Mapping[str, int]) -> dict[str, str]:
        """Return the marks of a solution."""
        return {cell: self.possible(cell, {n: (v,) for n, v in answer.items()})[0] for cell in self.options}

    def deduce(self, domains: Domains, rules: Sequence[PlayRule], end: float) -> Deduced:
        """Apply all rules to the same domains, round after round, so that the easiest steps come first.

        Returns:
            The steps, the domains after them, and the rule that leaves no value, if there is one.
        """
        steps, why = list[PlayStep](), dict[tuple[str, int], PlayRule]()
        changed, rank, is_joined = set(domains), 0, False
        while time.monotonic() < end:
            taken = dict[tuple[str, int], PlayRule]()
            for rule in (rule for rule in rules if not changed.isdisjoint(rule.scope)):
                for one in rule.constraints:
                    for name, kept in filter_domains(one, domains).items():
                        taken |= {(name, v): rule for v in domains[name] if v not in kept and (name, v) not in taken}
            rank += 1
            if not taken and is_joined:
                break
            if not taken:
                rules, changed, is_joined = self._join(rules, domains), set(domains), True
                continue
            after = {name: tuple(v for v in values if (name, v) not in taken) for name, values in domains.items()}
            if lost := [name for name, values in after.items() if not values]:
                return steps, after, next(rule for (name, _), rule in taken.items() if name == lost[0])
            for cell in self.options:
                if len(left := self.possible(cell, after)) == 1 < len(self.possible(cell, domains)):
                    steps.append(self._make_step(cell, left[0], rank, domains, taken, why))
            domains, changed, why = after, {name for name, _ in taken}, why | taken
        return steps, domains, None

    def _make_step(self, cell: str, mark: str, rank: int, domains: Domains, taken: Why, why: Why) -> PlayStep:
        values = next(values for m, values in self.options[cell] if m == mark)
        rules = dict.fromkeys(rule for (name, _), rule in taken.items() if name in values)
        for rule in rules:
            others = [name for name in rule.scope if name not in values]
            value = next(iter(values.values()))
            # The rule needs the value, and all its other cells lost it before.
            if len(values) == 1 and rule.needs(value, domains) and not any(value in domains[name] for name in others):
                before = dict.fromkeys(why[name, value] for name in others if (name, value) in why)
                return PlayStep(cell, rank, mark, True, (rule,), tuple(before), why)
        read = {name for rule in rules for name in rule.scope}
        before = dict.fromkeys(rule for (name, _), rule in why.items() if name in read and name not in values)
        rules |= dict.fromkeys(rule for (name, _), rule in why.items() if name in values)
        rank += 2 * (mark == "0" and self.puzzle.family in SPARSE)
        return PlayStep(cell, rank, mark, False, tuple(rules), tuple(one for one in before if one not in rules), why)

    def explain(self, step: PlayStep, domains: Domains, end: float) -> list[PlayRule]:
        """Return rules that settle a step by themselves, its own first; after ``end`` none of them is left out."""
        chosen, further = list[PlayRule](), _unfold(step.rules)
        while further:
            chosen += further
            if self.is_settled(step.cell, step.mark, chosen, domains, end):
                break
            read = {name for rule in chosen for name in rule.scope}
            earlier = _unfold([*step.before, *(rule for (name, _), rule in step.why.items() if name in read)])
            further = [rule for rule in earlier if rule not in chosen]
        # The furthest rules are tried first, so that those of the step itself remain.
        for rule in reversed(chosen[int(step.is_last_place) :]):
            fewer = [one for one in chosen if one is not rule]
            if self.is_settled(step.cell, step.mark, fewer, domains, end):
                chosen = fewer
        return chosen

    def is_settled(self, cell: str, mark: str, rules: Sequence[PlayRule], domains: Domains, end: float) -> bool:
        """Return whether these rules alone leave a cell only this mark; False if that is not decided by ``end``."""
        known = dict.fromkeys(one for rule in rules for one in rule.constraints)
        for other in self.possible(cell, domains):
            options = [values for m, values in self.options[cell] if m == other]
            stated = (*known, *(_one_of(options) for _ in options[1:2]))
            assumed = self.assume(domains, cell, other)
            if other == mark or not all(all(filter_domains(one, assumed).values()) for one in stated):
                continue
            model = replace(self.model, constraints=stated, objective=None)
            left = min(PATIENCE, end - time.monotonic())
            if left <= 0 or find_some(narrow_model(model, dict(assumed)), 1, left) != ([], True):
                return False
        return True

    def _join(self, rules: Sequence[PlayRule], domains: Domains) -> list[PlayRule]:
        """Return all rules, and those that are read together because one's cells contain the other's."""
        known = tuple(one for rule in rules for one in rule.constraints)
        merged = merge_constraints(
            narrow_model(replace(self.model, constraints=known), dict(domains)), JOINED, len(domains)
        )
        found = list(rules)
        for one in dict.fromkeys(c for c in merged.constraints if c not in known):
            inside = sorted((r for r in rules if {*r.scope} <= {*one.scope}), key=lambda rule: -len(rule.scope))
            cells = dict.fromkeys(cell for rule in inside for cell in rule.cells)
            found.append(PlayRule((one,), tuple(cells), tuple(inside)))
        return found


def _one_of(options: Sequence[Mapping[str, int]]) -> Linear:
    """Return the constraint that a cell has one of several options of the same mark: a tent belongs to one tree."""
    return Linear(tuple((1, name) for name in options[0]), "==", 1)


def _unfold(rules: Iterable[PlayRule]) -> list[PlayRule]:
    """Return the rules, those that are read together one by one."""
    return list(dict.fromkeys(one for rule in rules for one in rule.inside or (rule,)))


Why = Mapping[tuple[str, int], PlayRule]
"""The rule that excluded a value of a variable."""
Deduced = tuple[list[PlayStep], Domains, PlayRule | None]
_open = lru_cache(8)(Game)


def play(family: str, text: str, marks: Marks, ask: str) -> dict[str, Any]:
    """Return what an answer breaks and whether it is solved; on request its agreement with a solution, or a hint."""
    try:
        game = _open(family, text)
        marks = {cell: mark for cell, mark in marks.items() if cell not in game.given}
        found = {"given": game.given, "marks": {c: game.possible(c, game.model.domains) for c in game.options}}
        found |= {"broken": game.list_broken(marks), "solved": game.is_solved(marks)}
        if ask == "check":
            found["check"] = _check(game, marks)
        elif ask != "rules":
            found["hint"] = _hint(game, marks, ask)
        return found
    except GatesolveError as error:
        return {"fault": str(error)}


def _check(game: Game, marks: Marks) -> dict[str, Any]:
    """Return whether a solution has these marks, and the wrong ones of a board with one solution."""
    found, is_all = game.find_answers({}, 2)
    if is_all and len(found) == 1:
        right = game.read(found[0])
        wrong = [cell for cell, mark in marks.items() if right.get(cell, "0") != mark]
        return {"state": "wrong" if wrong else "agrees", "wrong": wrong}
    if not found:
        return {"state": "none" if is_all else "undecided", "wrong": []}
    some, is_all = game.find_answers(marks)
    return {"state": "several" if some else "lost" if is_all else "undecided", "wrong": []}


def _hint(game: Game, marks: Marks, ask: str) -> dict[str, Any]:
    """Return the next step by rules, by trying marks (``probe``), or from a solution (``solver``)."""
    answers, is_all = game.find_answers(marks)
    if is_all and not answers:
        return {"state": "unsolvable" if game.find_answers({}) == ([], True) else "lost"}
    empty = [cell for cell in game.options if cell not in marks and cell not in game.given]
    domains, rules, _ = game.fill(marks)
    alone = [cell for cell in empty if len(game.possible(cell, domains)) == 1]
    if alone:
        return {"state": "alone", "cells": alone[:1], "mark": game.possible(alone[0], domains)[0]}
    end = time.monotonic() + PATIENCE
    found, settled, _ = game.deduce(domains, rules, end)
    steps = [step for step in found if step.cell in empty]
    if steps and ask == "hint":
        best = min(steps, key=lambda step: (step.rank, len(step.rules), len(step.before)))
        return _tell_step(game, best, [step.cell for step in steps if step[1:] == best[1:]], domains)
    for cell in sorted(empty, key=lambda cell: len(game.possible(cell, settled))) if ask == "probe" else ():
        left = game.possible(cell, settled)
        tries = {mark: game.deduce(game.assume(settled, cell, mark), rules, end)[2] for mark in left}
        kept = [mark for mark, broken in tries.items() if broken is None]
        if len(kept) == 1:
            refuted = [{"mark": mark, "rules": broken.tell()} for mark, broken in tries.items() if broken]
            return {"state": "probe", "cells": [cell], "mark": kept[0], "refuted": refuted}
    if ask == "solver" and answers and empty:
        right = game.read(answers[0])
        cell = min(empty, key=lambda cell: game.puzzle.family in SPARSE and right[cell] == "0")
        return {"state": "solver", "cells": [cell], "mark": right[cell]}
    return {"state": "none"}


def _tell_step(game: Game, step: PlayStep, alike: Sequence[str], domains: Domains) -> dict[str, Any]:
    """Return a step with rules that settle it, and those of the cells like it that the same rules settle."""
    end = time.monotonic() + PATIENCE
    chosen = game.explain(step, domains, end)
    cells = [one for one in alike if one == step.cell or game.is_settled(one, step.mark, chosen, domains, end)]
    own = [rule for rule in chosen if rule in _unfold(step.rules)] or chosen
    rules, before = ([one for rule in chosen if (rule in own) == k for one in rule.tell()] for k in (True, False))
    found = {"cells": cells, "mark": step.mark, "last": step.is_last_place and own[0] == step.rules[0]}
    return {"state": "rule", **found, "rules": rules, "before": before}

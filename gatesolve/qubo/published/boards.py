"""The published formula of each puzzle family.

Queens, Tents, Takuzu and Chess Pieces (arXiv:2410.06429) have one 0/1 variable for each cell, or each cell and piece.
Sudoku and Kakuro have one for each value of each cell; Galaxies, from a Japanese blog, one for each cell and dot.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial

from gatesolve.errors import UnsupportedError
from gatesolve.puzzles.chess import Chess, threats, variable_name
from gatesolve.puzzles.galaxies import Galaxies, core, mirror
from gatesolve.puzzles.grid import Cell, by_cell, cell_name, cells_of, list_touching
from gatesolve.puzzles.kakuro import Kakuro
from gatesolve.puzzles.pieces import PieceGroup
from gatesolve.puzzles.queens import Queens, attacks
from gatesolve.puzzles.queens_board import QueensBoard
from gatesolve.puzzles.starbattle import StarBattle
from gatesolve.puzzles.sudoku import Sudoku
from gatesolve.puzzles.takuzu import Takuzu, Tango
from gatesolve.puzzles.takuzu_board import Cells, Rules, Ties, list_triples, takuzu_lines
from gatesolve.puzzles.tents import TENT, TREE, Tents, match_tents
from gatesolve.qubo.penalty import Polynomial, differ, equal, exactly, negate
from gatesolve.qubo.published.formula import FormulaTerms, Named, Published, all_pairs, clear_beside, ones

PAPER = "arXiv:2410.06429v2"
Standing = tuple[Cell, str]
Threats = dict[tuple[str, str], int]


def galaxies(puzzle: Galaxies, keep: bool = False) -> Published:
    """Return the blog's formula: each cell in one galaxy, dots in their own, opposite cells alike, others out.

    Solutions have energy 0; without the offset the energy is -32 on the blog's board. All variables are kept.
    """
    dots = range(len(puzzle.dots))
    names = {_cell_dot(cell, k): f"{cell_name(cell)} in galaxy {k}" for cell in puzzle.cells for k in dots}
    sheet = FormulaTerms(names, {}, keep=True)
    for cell in puzzle.cells:
        sheet.exactly((_cell_dot(cell, k) for k in dots), 1)
    for k, dot in enumerate(puzzle.dots):
        for cell in puzzle.cells:
            other = mirror(cell, dot)
            if cell in core(dot):
                sheet.exactly([_cell_dot(cell, k)], 1)
            elif puzzle.holds(other):
                mine, its = sheet.literals([_cell_dot(cell, k), _cell_dot(other, k)])
                # The blog adds each opposite pair twice, with 1/2 each time.
                sheet.add(equal(mine, its), Fraction(1, 2))
            else:
                sheet.exactly([_cell_dot(cell, k)], 0)
    leads = {_cell_dot(cell, k): _leader(puzzle, cell, k) for cell in puzzle.cells for k in dots}
    return sheet.finish(
        "a blog on pencil puzzles by QUBO, 'Galaxies' (in Japanese): settings 1 to 4",
        lambda state: _read_galaxies(puzzle, state),
        {name: [(lead, 1)] if lead else [] for name, lead in leads.items()},
        "that galaxies are in one piece",
    )


def _read_galaxies(board: Galaxies, state: Named) -> dict[str, int]:
    """Return the puzzle's variables; if only one of two opposite cells is in a galaxy, both count as out of it."""
    opposite = [(cell, mirror(cell, dot), k) for cell in board.cells for k, dot in enumerate(board.dots)]
    return {
        lead: state[_cell_dot(cell, k)] & state[_cell_dot(other, k)]
        for cell, other, k in opposite
        if (lead := _leader(board, cell, k))
    }


def _leader(board: Galaxies, cell: Cell, k: int) -> str | None:
    """Return the puzzle's variable for a cell and its opposite about a dot; None if that lies outside the board."""
    other = mirror(cell, board.dots[k])
    return _cell_dot(min(cell, other), k) if board.holds(other) else None


def _cell_dot(cell: Cell, k: int) -> str:
    return f"{cell_name(cell)}_d{k}"


def sudoku(puzzle: Sudoku, keep: bool = False) -> Published:
    """Return one value a cell (-1 for each, +2 for each pair of them), and 1 for equal values in a row, column or box.

    Without its offset a solution's energy is minus the number of cells that have variables, -81 on an empty 9x9 board.

    Raises:
        UnsupportedError: the board has cages; the blog has no formula for their sums.
    """
    if puzzle.cages:
        raise UnsupportedError("the published QUBO for sudoku has no sums of cages: give a board without cages")
    side = len(puzzle.cells)
    values = range(1, side + 1)
    cells = [cell_name(cell) for cell in cells_of((side, side))]
    seen = all_pairs(map(cell_name, group) for group in puzzle.list_groups())
    given = {cell_name(cell): v for cell, v in by_cell(puzzle.cells).items() if v is not None}
    known = {_cell_value(cell, v): 0 for pair in seen for cell, other in (pair, pair[::-1]) if (v := given.get(other))}
    known |= {_cell_value(cell, v): int(v == mine) for cell, mine in given.items() for v in values}
    sheet = _make_sheet(cells, values, known, keep)
    for cell in cells:
        sheet.exactly((_cell_value(cell, v) for v in values), 1)
    # The blog annealed spins, and its couplings between cells lack the linear part of the pairs. Where every cell has
    # one value, that differs from this by a constant.
    sheet.together((_cell_value(a, v), _cell_value(b, v)) for a, b in seen for v in values)
    source = (
        "Y. Minato, 'Solving the world's most difficult SUDOKU problem using ising model' (2019): sel(9, 1) and pairs"
    )
    return _publish(sheet, source, cells, values)


def kakuro(puzzle: Kakuro, keep: bool = False) -> Published:
    """Return one value a cell (weight 40), different values in a run (1), values that occur in a run's sums (10).

    A cell must have a value of *some* way to make the sum, not all cells values of the same way. Boards with wrong sums
    can therefore have the ground energy, too.
    """
    values = range(puzzle.low, puzzle.high + 1)
    white = {cell_name(position): value for position, value in puzzle.white.items()}
    known = {
        _cell_value(cell, v): int(v == given) for cell, given in white.items() if given is not None for v in values
    }
    sheet = _make_sheet(list(white), values, known, keep)
    runs = [([cell_name(position) for position in run.cells], run.total) for run in puzzle.runs]
    for a, b in all_pairs(cells for cells, _ in runs):
        sheet.together((_cell_value(a, v), _cell_value(b, v)) for v in values)
    for cells, total in runs:
        ways = [way for way in combinations(values, len(cells)) if sum(way) == total]
        # The blog squares the sum over all ordered ways, cell by cell, of the variables minus their number: factors 4
        # and -3 for two cells, 36 and -11 for three. So a value counts once for each ordered way that contains it. For
        # longer runs, or unequal counts, each value counts once here.
        times = {v: sum(v in way for way in ways) * factorial(len(cells) - 1) for v in values}
        often = set(times.values()) - {0}
        weight = often.pop() if len(often) == 1 and len(cells) <= 3 else 1
        allowed = [_cell_value(cell, v) for cell in cells for v in values if times[v]]
        # The blog adds the offset of its last run alone. Here every square has its own, so that solutions have energy
        # 0.
        sheet.exactly(allowed, len(cells), 10 * weight**2)
    for cell in white:
        sheet.exactly((_cell_value(cell, v) for v in values), 1, 40)
    source = "V. Uotila's blog on Kakuro with Grover's algorithm (2022), 'Encode constraints as QUBO'"
    caveat = "the sums: each value only has to occur in some combination with its run's sum"
    return _publish(sheet, source, list(white), values, caveat)


def _cell_value(cell: str, value: int) -> str:
    return f"{cell}_{value}"


def _make_sheet(cells: Sequence[str], values: range, known: Named, keep: bool) -> FormulaTerms:
    return FormulaTerms({_cell_value(cell, v): f"{cell} = {v}" for cell in cells for v in values}, known, keep)


def _publish(sheet: FormulaTerms, source: str, cells: Sequence[str], values: range, caveat: str = "") -> Published:
    """Finish a sheet whose states stand for the value of each cell: the first of several, none where there is none."""

    def read(state: Named) -> dict[str, int]:
        held = {cell: [v for v in values if state[_cell_value(cell, v)]] for cell in cells}
        return {cell: several[0] for cell, several in held.items() if several}

    stands_for = {_cell_value(cell, v): [(cell, v)] for cell in cells for v in values}
    return sheet.finish(source, read, stands_for, caveat)


def queens(puzzle: Queens, keep: bool = False) -> Published:
    """Return rows, columns, diagonals and regions: equations (4), (9), (14), (16) and (18) to (20), as the board asks.

    Lines and regions with one number of queens are squares, those with two consecutive numbers squares about the middle
    (ground 1/4 each). Pairs that attack each other cost 1.

    Raises:
        UnsupportedError: a line or region with three or more possible numbers of queens.
    """
    names = {cell: cell_name(cell) for cell in puzzle.usable()}
    attacking = all_pairs([names[cell] for cell in clique if cell in names] for clique in attacks(puzzle))
    regions = [region._replace(cells=tuple(c for c in region.cells if c in names)) for region in puzzle.list_groups()]
    # What given queens determine: the cells they attack, and full lines and regions.
    known = clear_beside({cell_name(cell): 1 for cell in puzzle.list_given()}, attacking)
    for region in regions:
        inside = [cell_name(cell) for cell in region.cells]
        if sum(known.get(name, 0) for name in inside) >= region.held.high:
            known.update({name: 0 for name in inside if not known.get(name)})
    sheet = FormulaTerms({name: f"a queen at {name}" for name in names.values()}, known, keep)
    # The paper leaves out one region, whose count follows from the others. The largest saves most terms.
    spare = _spare(puzzle, regions)
    for region in regions:
        if region is not spare:
            literals = sheet.literals(names[cell] for cell in region.cells)
            sheet.between(literals, *region.held, f"queens in {region.name}")
    sheet.together(attacking)
    return sheet.finish(f"{PAPER}, section 2, eq. (4), (9), (16)-(20)", dict, ones(names.values()))


def starbattle(puzzle: StarBattle, keep: bool = False) -> Published:
    """Return Two Not Touch: squares for rows, columns and regions; each of two touching stars counts the other.

    The text has one star; here the board sets the number.
    """
    cells = puzzle.usable()
    touching = [(cell_name(a), cell_name(b)) for a, b in list_touching(cells)]
    known = clear_beside({cell_name(cell): 1 for cell in puzzle.placed}, touching)
    sheet = FormulaTerms({cell_name(cell): f"a star at {cell_name(cell)}" for cell in cells}, known, keep)
    for group in puzzle.list_groups():
        sheet.exactly((cell_name(cell) for cell in group.cells if cell in cells), puzzle.stars)
    # The text sums over ordered pairs.
    sheet.together(touching, 2)
    source = "Rogetzer, Seelig and Heinreichsberger, 'Two not touch', constraints 1 to 4"
    return sheet.finish(source, dict, ones(map(cell_name, cells)))


def _spare(board: QueensBoard, regions: list[PieceGroup]) -> PieceGroup | None:
    """Return the largest coloured region, if its count follows from the rows and the other regions."""
    coloured = [r for r in regions if r.name in {f"region {region.name}" for region in board.list_regions()}]
    # Further regions may have the same names, and come later.
    coloured = coloured[: len(board.list_regions())]
    rows = [r for r in regions if r.name.startswith("row ")]
    exact = all(r.held.low == r.held.high for r in (*coloured, *rows))
    covered = [cell for region in coloured for cell in region.cells]
    if not coloured or not exact or sorted(covered) != sorted(board.usable()):
        return None
    if sum(r.held.low for r in coloured) != sum(r.held.low for r in rows):
        return None
    return max(coloured, key=lambda region: len(region.cells))


def tents(puzzle: Tents, keep: bool = False) -> Published:
    """Return counts, no two tents that touch, and one or two tents around each tree: equation (22).

    Solutions have the energy ``trees / 4``. Missing counts have no term.
    """
    around = {tree: [cell for _, cell in puzzle.places(tree)] for tree in puzzle.cells(TREE)}
    cells = sorted({cell for places in around.values() for cell in places})
    touching = [(cell_name(a), cell_name(b)) for a, b in list_touching(cells)]
    known = clear_beside({cell_name(cell): 1 for cell in puzzle.cells(TENT)}, touching)
    sheet = FormulaTerms({cell_name(cell): f"a tent at {cell_name(cell)}" for cell in cells}, known, keep)
    for axis, counts in enumerate((puzzle.row_counts, puzzle.column_counts)):
        for number, count in enumerate(counts):
            if count is not None:
                sheet.exactly((cell_name(cell) for cell in cells if cell[axis] == number), count)
    sheet.together(touching)
    for places in around.values():
        sheet.either(sheet.literals(map(cell_name, places)), 1)

    def read(state: Named) -> dict[str, int]:
        # A separate tent for as many trees as possible.
        standing = {cell for cell in cells if state[cell_name(cell)]}
        owner = match_tents(puzzle.cells(TREE), standing)
        values = {name: 0 for names in puzzle.into.values() for name in names}
        for cell in standing:
            # A tent that is matched with no tree goes to a tree beside it, so that the judge still sees it.
            candidates = puzzle.into[cell]
            mine = [n for n in candidates if cell in owner and n.startswith(f"{cell_name(owner[cell])}_")]
            values[(mine or list(candidates))[0]] = 1
        return values

    stands_for = {cell_name(cell): [(name, 1) for name in puzzle.into[cell]] for cell in cells}
    caveat = "that each tree has a tent of its own: two trees may share one while a third has two"
    return sheet.finish(f"{PAPER}, section 2.5, eq. (22)", read, stands_for, caveat)


def chess(puzzle: Chess, keep: bool = False) -> Published:
    """Return one piece a region and no threats, equation (25), or the greatest worth, equation (27).

    A threat costs 1, a mutual one 2. Where cells may hold several pieces (the paper has one a cell), two on one cell
    cost 1. `sufficient` computes the factor lambda of equation (27).
    """
    standing = [(cell, piece) for cell in puzzle.usable() for piece in puzzle.holds(cell)]
    # How many pieces of each pair threaten the other; 1 for two on one cell.
    costs: Threats = {}
    for a, b in combinations(standing, 2):
        if count := 1 if a[0] == b[0] else len(list(threats(puzzle, dict((a, b))))):
            costs[variable_name(*a), variable_name(*b)] = count
    # What given pieces determine: themselves, the pieces they exclude, and the rest of their regions.
    placed = {variable_name(cell, piece) for cell, piece in puzzle.list_given().items()}
    known = clear_beside(dict.fromkeys(placed, 1), costs)
    for cells in puzzle.list_regions().values():
        if set(cells) & set(puzzle.list_given()):
            inside = [variable_name(*s) for s in standing if s[0] in cells]
            known |= {name: 0 for name in inside if name not in placed}
    sheet = FormulaTerms({variable_name(*s): f"{s[1]} at r{s[0][0] + 1}c{s[0][1] + 1}" for s in standing}, known, keep)
    worth = {variable_name(*s): puzzle.weight_of(s[1]) if puzzle.maximise else 0 for s in standing}
    factor = sufficient(worth, costs) if puzzle.maximise else 1
    for pair, cost in costs.items():
        sheet.together([pair], factor * cost)
    # Two states differ in worth by at most the sum of all worths, so a broken region never pays.
    region_factor = 1 + sum(map(abs, worth.values())) if puzzle.maximise else 1
    for cells in puzzle.list_regions().values():
        sheet.exactly((variable_name(*s) for s in standing if s[0] in cells), 1, region_factor)
    for name, value in worth.items():
        sheet.add(sheet.literal(name), -value)
    source = f"{PAPER}, section 2.6, eq. {'(27)' if puzzle.maximise else '(25)'}"
    return sheet.finish(source, dict, ones(variable_name(*s) for s in standing), grounded=not puzzle.maximise)


def sufficient(worth: dict[str, int], costs: Threats) -> int:
    """Return a lambda with which no minimiser has a threat: above the lesser worth of any two pieces that threaten."""
    # Removing the lesser of two such pieces saves at least lambda and loses its worth. Equality would leave ties: equal
    # pieces of worth 1 need 2.
    return 1 + max((max(0, min(worth[a], worth[b])) for a, b in costs), default=0)


def takuzu(puzzle: Takuzu | Tango, keep: bool = False) -> Published:
    """Return triples, counts and signs: equations (38) to (45), or (50) with variables tied by signs eliminated.

    Solutions have the energy 1/4 for each triple: ``(NM - N - M) / 2`` on a plain board. Wrapped boards, diagonals,
    regions and counts of each line are the paper's section 3.3. Lines with any number of ones have no term. Regions
    with two consecutive numbers of ones use equation (15), like those of queens.

    With ``keep`` there is a variable for every cell and a term for every sign. Otherwise clues, their direct
    consequences (section 3.2), and all but one of the cells that signs tie together have no variables.

    Raises:
        UnsupportedError: a region with three or more possible numbers of ones.
    """
    cells, rules = puzzle.cells, puzzle.rules
    every = by_cell(cells)
    given = {p: v for p, v in every.items() if v is not None}
    ties = Ties({p: (p, 0) for p in every})
    for sign in () if keep else rules.signs:
        ties.tie(sign.first, sign.second, int(not sign.equal))
    given = given if keep else _deduce_cells(cells, rules, ties, given)
    shown = [cell_name(p) for p in every if keep or p in given or ties.root(p)[0] == p]
    sheet = FormulaTerms({name: f"1 at {name}" for name in shown}, {cell_name(p): v for p, v in given.items()}, keep)
    value = {p: _value(sheet, ties, p) for p in every}
    for triple in list_triples(cells, rules):
        sheet.either([value[p] for p in triple], 1)
    for line in takuzu_lines(cells, rules):
        if line.ones is not None:
            sheet.add(exactly([value[p] for p in line.cells], line.ones))
    for region in rules.regions:
        inside = [value[p] for p in region.cells]
        sheet.between(inside, *region.held, f"ones in the region of {cell_name(region.cells[0])}")
    for sign in rules.signs if keep else ():
        sheet.add((equal if sign.equal else differ)(value[sign.first], value[sign.second]))

    def read(state: Named) -> dict[str, int]:
        return {cell_name(p): state[cell_name(root)] ^ odd for p, (root, odd) in ((p, ties.root(p)) for p in every)}

    caveat = "that no two rows and no two columns are equal" if rules.unique else ""
    source = f"{PAPER}, section 3, eq. {'(38)-(45)' if keep else '(50)'}"
    return sheet.finish(source, read, ones(map(cell_name, every)), caveat)


def _value(sheet: FormulaTerms, ties: Ties, cell: Cell) -> Polynomial:
    root, odd = (cell, 0) if cell_name(cell) in {*sheet.known, *sheet.names} else ties.root(cell)
    literal = sheet.literal(cell_name(root))
    return negate(literal) if odd else literal


def _deduce_cells(cells: Cells, rules: Rules, ties: Ties, given: dict[Cell, int]) -> dict[Cell, int]:
    """Return the clues and their direct consequences: tied cells, full lines, and the third of a triple.

    Where two rules contradict each other the first stays; the energy then shows that there is no solution.
    """
    known = dict(given)
    triples = list_triples(cells, rules)
    while True:
        found: dict[Cell, int] = {}
        values: dict[Cell, int] = {}
        for cell, value in known.items():
            root, odd = ties.root(cell)
            values.setdefault(root, value ^ odd)
        for cell in ties.parent:
            root, odd = ties.root(cell)
            if root in values:
                found.setdefault(cell, values[root] ^ odd)
        for line in takuzu_lines(cells, rules):
            rest = [p for p in line.cells if p not in known]
            missing = -1 if line.ones is None else line.ones - sum(known.get(p, 0) for p in line.cells)
            # It has all its ones, or all its zeros.
            if missing in (0, len(rest)):
                found |= dict.fromkeys(rest, int(missing > 0))
        for triple in triples:
            held = [known[p] for p in triple if p in known]
            rest = [p for p in triple if p not in known]
            if len(rest) == 1 and held[0] == held[1]:
                found.setdefault(rest[0], 1 - held[0])
        fresh = {cell: value for cell, value in found.items() if cell not in known}
        if not fresh:
            return known
        known |= fresh

"""What the kept stores of jobs were asked; `board.txt` beside it is the puzzle."""

from fractions import Fraction

from gatesolve.model import AllDifferent, Clause, Linear, Model, NotEqual, Objective, Table, Variable
from gatesolve.qubo import Qubo

# One constraint of every kind, and something to be made large.
MODEL = Model(
    (*(Variable(name, (0, 1, 2)) for name in "ab"), Variable("c", (0, 1)), Variable("d", (4, 5))),
    (
        NotEqual("a", "b"),
        AllDifferent(("a", "b")),
        Linear(((1, "a"), (1, "c")), "<=", 2),
        Table(("b", "c"), ((0, 1), (1, 0), (2, 0), (2, 1)), "b and c"),
        Clause((("a", frozenset({0, 2})), ("c", frozenset({1})))),
        Linear(((1, "c"), (1, "d")), "==", 5),
    ),
    Objective(((2, "a"), (1, "b")), 3, "max"),
)
QUBO = Qubo.of(("u", "v", "w"), {(): Fraction(1, 3), (0,): -3, (0, 1): Fraction(7, 2), (1,): -2, (1, 2): 4, (2,): -1})


# Presolve takes variables out in all three ways, and qubits that the oracle does not read are filled in afterwards.
ELIMINATED = Model(
    (*(Variable(name, (0, 1, 2)) for name in "abf"), Variable("e", (0, 1, 2, 3, 4)), Variable("g", (1, 2))),
    (
        NotEqual("a", "b"),
        Linear(((1, "a"), (1, "b"), (-1, "e")), "==", 0),
        Linear(((1, "f"),), "==", 1),
        Table(("a", "g"), ((0, 1), (1, 2), (2, 2))),
    ),
)
# Operations are left to be done on the measured bits.
DECODED = Model((Variable("a", (0, 1, 2, 3, 4)), Variable("b", (0, 1, 2))), (NotEqual("a", "b"),))

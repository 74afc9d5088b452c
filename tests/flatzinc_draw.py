"""Arguments of FlatZinc constraints, drawn by lot over few variables of small domains."""

import random


class Draw:
    """Draws arguments as FlatZinc writes them, few variables in all."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.domains, self.rows = {}, []

    def variable(self, values, kind):
        name = f"v{len(self.domains)}"
        self.domains[name] = sorted(values)
        self.rows.append(f"var {kind}: {name};")
        return name

    def number(self, low=-2, high=3):
        if len(self.domains) >= 4 or self.random.random() < 0.25:
            return self.constant(low, high)
        numbers = [name for name in self.domains if f"var bool: {name};" not in self.rows]
        if numbers and self.random.random() < 0.15:
            return self.random.choice(numbers)
        first, last = sorted(self.random.choices(range(low, high + 1), k=2))
        if self.random.random() < 0.3:
            values = {first, last, self.random.randint(low, high)}
            return self.variable(values, "{" + ", ".join(map(str, values)) + "}")
        return self.variable(range(first, last + 1), f"{first}..{last}")

    def boolean(self):
        if len(self.domains) >= 5 or self.random.random() < 0.2:
            return self.random.choice(["true", "false"])
        return self.variable((0, 1), "bool")

    def constant(self, low=-2, high=3):
        return str(self.random.randint(low, high))

    def set(self, low=-2, high=3):
        if self.random.random() < 0.3:
            return f"{self.constant(low, high)}..{self.constant(low, high)}"
        return "{" + ", ".join({self.constant(low, high) for _ in range(self.random.randint(0, 3))}) + "}"

    def list(self, kind, n, *span):
        draw = {"x": self.number, "i": self.constant, "b": lambda *_: self.boolean()}[kind]
        return "[" + ", ".join(draw(*span) for _ in range(n)) + "]"

    def args(self, kinds, *span):
        """By kinds, all arrays of one length."""
        n = self.random.choice([0, 1, 2, 2, 3, 3])
        single = {"x": self.number, "i": self.constant, "s": self.set, "b": lambda *_: self.boolean()}
        return [self.list(k.lower(), n, *span) if k.isupper() else single[k](*span) for k in kinds]


def truths(draw, n):
    return "[" + ", ".join(draw.random.choice(["true", "false"]) for _ in range(n)) + "]"


def automaton(draw):
    states, letters = draw.random.randint(1, 3), draw.random.randint(1, 2)
    steps = draw.list("i", states * letters, 0, states)
    n = draw.random.randint(0, 3)
    accepting = draw.set(1, states)
    return [draw.list("x", n, 0, 2), str(states), str(letters), steps, draw.constant(1, states), accepting]


def covered(extra):
    """Global cardinality: numbers, values, and lists as long as these."""

    def args(draw):
        values = draw.random.sample(range(-2, 4), draw.random.randint(0, 3))
        xs = draw.list("x", draw.random.randint(0, 3))
        return [xs, str(values), *(draw.list(kind, len(values), 0, 2) for kind in extra)]

    return args


def packed(kind):
    """Bin packing with a list of bins."""

    def args(draw):
        n = draw.random.randint(0, 3)
        capacities = draw.list(kind, draw.random.randint(1, 3), 0, 4)
        return [capacities, draw.list("x", n, 0, 3), draw.list("i", n, 0, 3)]

    return args


def network(cost):
    def args(draw):
        nodes, arcs = draw.random.randint(1, 3), draw.random.randint(0, 3)
        ends, balance = draw.list("i", 2 * arcs, 1, nodes), draw.list("i", nodes, -1, 1)
        prices = [draw.list("i", arcs)] if cost else []
        return [ends, balance, *prices, draw.list("x", arcs, 0, 2), *([draw.number()] if cost else [])]

    return args

"""An interpreter of kickmix text, which draws measurements at random."""

import numpy as np


def interpret(text, columns, seed=0):
    """Bits and signs of basis states, shape (qubits, states), measurements drawn at random."""
    draw, states = np.random.default_rng(seed), columns.shape[1]
    bits = {f"q{k}": row.copy() for k, row in enumerate(columns)}
    sign, stack = np.zeros(states, bool), []
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if not words or "REGISTER" in words[0]:
            continue
        live = np.logical_and.reduce([*stack, np.ones(states, bool)])
        held = bits[words[words.index("if") + 1]] if "if" in words else np.ones(states, bool)
        name, wires = words[0], words[1 : words.index("if")] if "if" in words else words[1:]
        live &= held
        for wire in wires:
            bits.setdefault(wire, np.zeros(states, bool))
        if name == "PUSH_CONDITION":
            stack.append(held.copy())
        elif name == "POP_CONDITION":
            stack.pop()
        elif name == "HMR":
            outcome = draw.integers(0, 2, states).astype(bool)
            sign ^= live & outcome & bits[wires[0]]
            bits[wires[1]] = np.where(live, outcome, bits[wires[1]])
            bits[wires[0]] = bits[wires[0]] & ~live
        elif name.endswith("X"):
            bits[wires[-1]] = bits[wires[-1]] ^ np.logical_and.reduce([live, *(bits[w] for w in wires[:-1])])
        else:
            assert name in {"NEG", "Z", "CZ", "CCZ"}
            sign ^= np.logical_and.reduce([live, *(bits[w] for w in wires)])
    assert not stack
    for wire, row in bits.items():
        assert wire[0] == "b" or int(wire[1:]) < len(columns) or not row.any(), "an AND ladder is left"
    return np.array([bits[f"q{k}"] for k in range(len(columns))]), sign

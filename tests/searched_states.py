"""Basis states of a search's codewords, those qubits zero that its oracle never reads."""

import numpy as np


def searched_states(program):
    """For each codeword the state that stands for it, and for those that differ in what is never read alone."""
    unread = sum(1 << q for fill in program.search.fills for q in fill.unread)
    return [program.space.state(number) & ~unread for number in range(program.space.size)]


def searched_amplitudes(program, amplitudes):
    """Amplitudes of the codewords as those of the states; signs are those of the codewords, which are alike."""
    found = {}
    for state, amplitude in zip(searched_states(program), amplitudes, strict=True):
        found.setdefault(state, []).append(amplitude)
    return {state: np.sqrt(len(own)) * own[0] for state, own in found.items()}

"""QAOA in the space by dense linear algebra: each factor as a matrix exponential on the whole vector."""

import math
from functools import reduce

import numpy as np
from scipy.linalg import expm


def exponential(generator, beta):
    """exp(-i beta G), of the rows that G touches alone: a hop in a large block touches two."""
    touched = np.flatnonzero(generator.any(axis=0))
    matrix = np.eye(len(generator), dtype=complex)
    matrix[np.ix_(touched, touched)] = expm(-1j * beta * generator[np.ix_(touched, touched)])
    return matrix


def generators(mixer, size):
    """Each hop of a mixer, or the projector on the superposition that it turns about."""
    if mixer.kind.startswith("grover"):
        return [np.outer(*[np.sqrt(mixer.start or np.full(size, 1 / size))] * 2)]
    result = []
    for a, b in mixer.hops:
        matrix = np.zeros((size, size))
        matrix[a, b] = matrix[b, a] = 1
        result.append(matrix)
    return result


def dense(costs, sizes, mixers, gammas, betas, start=None):
    """The state after all layers, with a beta for each layer or for each layer and block."""
    if mixers[0].kind == "grover-global":
        sizes = [math.prod(sizes)]
    axes = tuple(reversed(sizes))
    parts = [np.sqrt(mixer.start or np.full(size, 1 / size)) for mixer, size in zip(mixers, sizes, strict=True)]
    state = (reduce(lambda faster, part: np.kron(part, faster), parts) if start is None else start).reshape(axes)
    betas = np.broadcast_to(np.transpose(betas), (len(mixers), len(gammas))).T
    for gamma, angles in zip(gammas, betas, strict=True):
        state = state * np.exp(-1j * gamma * costs).reshape(axes)
        for block, (size, mixer) in enumerate(zip(sizes, mixers, strict=True)):
            axis = len(sizes) - 1 - block
            for generator in generators(mixer, size):
                state = np.moveaxis(np.tensordot(exponential(generator, angles[block]), state, (1, axis)), 0, axis)
    return state.reshape(-1)

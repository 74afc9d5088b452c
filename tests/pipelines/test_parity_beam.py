"""The beam of the search for parity networks holds what its circuits do, and takes the best of the new ones."""

import numpy as np

from gatesolve.pipelines.parity_beam import Beam

MASKS = (0b0011, 0b0110, 0b1011, 0b1100)
WIRES = 4


def replay(flips):
    """What the wires hold after some CX, and the parities of `MASKS` that none held on the way."""
    held, left = [1 << wire for wire in range(WIRES)], list(MASKS)
    for control, target in flips:
        held[target] ^= held[control]
        left = [mask for mask in left if mask not in held]
    return held, left


def test_every_circuit_is_what_the_arrays_say():
    beam = Beam.of(MASKS, WIRES)
    for _ in range(5):
        beam = beam.step(0.5, 7)
        assert 0 < len(beam.flips) <= 7
        for flips, rest, rows in zip(beam.flips, beam.rest, beam.held, strict=True):
            held, left = replay(flips)
            assert [sum(int(bit) << wire for wire, bit in enumerate(row)) for row in rows] == held
            assert [mask for mask, parity in zip(MASKS, rest.T, strict=True) if parity.any()] == left
            for parity, mask in zip(rest.T, MASKS, strict=True):
                if parity.any():
                    assert np.bitwise_xor.reduce([one for one, bit in zip(held, parity, strict=True) if bit]) == mask
    assert [replay(beam.flips[k])[1] for k in beam.done()] == [[]] * len(beam.done())


def test_no_circuit_is_met_twice_and_the_best_come_first():
    beam, met = Beam.of(MASKS, WIRES), {((1, 2, 4, 8), MASKS)}
    for _ in range(4):
        scores = beam.estimates(0.25)
        before = dict(zip(beam.flips, scores, strict=True))
        beam = beam.step(0.25, 5)
        found = [before[flips[:-1]][flips[-1]] for flips in beam.flips]
        assert found == sorted(found)
        for flips in beam.flips:
            held, left = replay(flips)
            state = (tuple(held), tuple(left))
            assert state not in met
            met.add(state)


def test_a_beam_of_nothing_new_is_empty():
    beam = Beam.of((0b11,), 2)
    for _ in range(6):
        beam = beam.step(0.1, 50)
    assert beam.flips == ()
    assert beam.step(0.1, 50).flips == ()

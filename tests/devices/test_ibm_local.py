"""Dry runs on fake backends: the executor Sampler's local mode, with the noise of their snapshots."""

import pytest
from ibm_stub_jobs import circuit, fake
from paper import suppress
from qiskit import ClassicalRegister, QuantumCircuit, transpile

from gatesolve.devices.ibm import service as ibm
from gatesolve.errors import InputError

PLAIN = suppress()
ALL_SETTINGS = [
    PLAIN,
    suppress("XX"),
    suppress("XpXm"),
    suppress("XY4"),
    suppress(None, True, False),
    suppress(None, False, True),
    suppress("XY4", True, True),
]


@pytest.mark.quick("settings0")
@pytest.mark.parametrize("settings", ALL_SETTINGS)
def test_noisy_counts(settings):
    manila = fake("manila")
    first, second = ibm.run_local(manila, [circuit(manila), circuit(manila, "100", True)], 1024, 1, settings)
    assert sum(first.values()) == sum(second.values()) == 1024
    # Readout errs by some per cent a qubit, so the right words lead clearly but are not alone.
    assert first["011"] > 850
    assert 1 < len(first) <= 8
    assert second["100"] + second["111"] > 850
    assert second["100"] > 380 < second["111"]


@pytest.mark.slow
def test_seeds():
    manila = fake("manila")
    ready = [circuit(manila, "101", True)]
    for settings in (PLAIN, suppress(None, True, True)):
        runs = [ibm.run_local(manila, ready, 500, seed, settings) for seed in (7, 7, 8)]
        assert runs[0] == runs[1] != runs[2]


@pytest.mark.slow
def test_shots_are_rounded_up_by_twirling():
    manila = fake("manila")
    ((plain,), (twirled,)) = (
        ibm.run_local(manila, [circuit(manila, "011", True)], 100, 1, each) for each in (PLAIN, ALL_SETTINGS[4])
    )
    assert (sum(plain.values()), sum(twirled.values())) == (100, 128)


def test_branches():
    manila = fake("manila")
    made = QuantumCircuit(2)
    erased = ClassicalRegister(1, "erased")
    made.add_register(erased, ClassicalRegister(2, "measured"))
    made.x(0)
    made.cx(0, 1)
    made.measure(0, erased[0])
    with made.if_test((erased, 1)):
        made.x(0)
    made.measure([0, 1], made.cregs[1])
    made = transpile(made, manila, seed_transpiler=1, optimization_level=1)
    (counts,) = ibm.run_local(manila, [made], 500, 1, PLAIN)
    assert counts["10"] > 380
    with pytest.raises(InputError, match="decoupling does not work with measurements in mid-circuit and branches"):
        ibm.run_local(manila, [made], 500, 1, suppress("XX"))


def test_gate_twirling_without_gates():
    """The SDK alone would return "000" for most shots of the first circuit."""
    manila = fake("manila")
    for others in ([], [circuit(manila, "011", True)]):
        first, *_ = ibm.run_local(manila, [circuit(manila), *others], 640, 1, suppress(None, True, False))
        assert first["011"] > 500


def test_nothing_is_said(capfd, recwarn):
    manila = fake("manila")
    ibm.run_local(manila, [circuit(manila)], 10, 1, suppress("XX", True, True))
    assert capfd.readouterr() == ("", "")
    assert list(recwarn) == []

"""Fake devices of the IBM SDK by name: a device's qubits, couplings and error rates, without an account."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from gatesolve.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from qiskit.providers import BackendV2


def fake_backend(name: str) -> BackendV2:
    """The fake device called ``name``: ``fake_torino``, ``FakeTorino``, ``fake-torino`` and ``torino fake`` are one.

    A version at the end (``V2``) may be left out.
    """
    classes, wanted = _list_classes(), _make_key(name)
    kind = classes.get(wanted) or classes.get(f"{wanted}v2")
    if kind is None:
        near = difflib.get_close_matches(wanted, classes, n=3, cutoff=0.6)
        shown = [_spell_name(classes[key]) for key in near] or ["fake_torino", "fake_fez", "fake_manila"]
        raise InputError(f"no fake device is called '{name}': try {', '.join(shown)}")
    from qiskit_ibm_runtime import fake_provider

    device: BackendV2 = getattr(fake_provider, kind)()
    return device


def _list_classes() -> dict[str, str]:
    """Class names by key. Devices are not made for it: each reads a file of calibration data."""
    try:
        from qiskit_ibm_runtime import fake_provider
    except ImportError as error:
        raise MissingExtraError("fake devices need the IBM SDK", "ibm") from error
    names = (n for n in dir(fake_provider) if n.startswith("Fake") and "Provider" not in n)
    return {_make_key(name): name for name in names}


def _make_key(name: str) -> str:
    """Letters and digits alone, ``fake`` taken off whether it stands first or last."""
    letters = re.sub(r"[^a-z0-9]", "", name.lower())
    return letters.removeprefix("fake").removesuffix("fake").removesuffix("backend")


def _spell_name(kind: str) -> str:
    return f"fake_{_make_key(kind).removesuffix('v2')}"

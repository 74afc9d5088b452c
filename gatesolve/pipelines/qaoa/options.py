"""The options of QAOA."""

# Without postponed annotations: the types of the fields are read at run time.
import math
import re
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from gatesolve.errors import InputError
from gatesolve.pipelines.options import (
    MOST_SHOTS,
    AngleChoice,
    CircuitOptions,
    EnergyOptions,
    Idle,
    OwnAngles,
    OwnStart,
    ShotOptions,
    option,
)

GIVEN = Idle("angles", lambda angles: not isinstance(angles, str), "angles of your own are taken as they are")
FIXED = Idle("angles", ("fixed",).__contains__, "fixed angles are taken as they are")
"""Angles that are not chosen."""
SHARED = Idle("angles", ("ramp", "transfer").__contains__, "the mixers of a layer share a beta of angles='{}'")
STARTS = re.compile(r"([^=]+)=([^=,;]+)(?:[,;]|$)")
"""A number by name; a name may contain commas, as in x[0,1], but a number does not."""


def is_warm(start: Any) -> bool:
    """Return whether a warm start was asked for."""
    return bool(start != "none")


def read_own_angles(given: Any) -> OwnAngles | None:
    """Gammas and betas from two rows of numbers, or from a text such as ``0.5,0.8;-0.5,-0.3``; None for a word."""
    if isinstance(given, str):
        if ";" not in given:
            return None
        given = [row.replace(",", " ").split() for row in given.split(";")]
    try:
        gammas, betas = given
        found: tuple[tuple[float, ...], Any] = tuple(map(float, gammas)), tuple(map(_read_beta, betas))
    except (TypeError, ValueError) as error:
        raise InputError("angles are no two rows of numbers: give gammas and betas, one of each a layer") from error
    rows = [beta if isinstance(beta, tuple) else (beta,) for beta in found[1]]
    if not found[0] or len(found[0]) != len(rows):
        raise InputError(f"{len(found[0])} gammas and {len(rows)} betas: give one of each a layer")
    if len({isinstance(beta, tuple) and len(beta) for beta in found[1]}) > 1:
        raise InputError("betas of some layers are fewer than of others: give one a layer, or one a layer and mixer")
    if not all(map(math.isfinite, (*found[0], *chain(*rows)))):
        raise InputError("an angle is not a finite number")
    return found


def read_own_start(given: Any) -> OwnStart | None:
    """Read numbers by name from a mapping, or a text such as 'x=1'; None for a word."""
    if isinstance(given, str):
        if "=" not in given:
            return None
        if STARTS.sub("", given):
            raise InputError(f"warm_start is {given!r:.60}: give numbers by name, such as 'x=1'")
        pairs = [(name.strip(), number) for name, number in STARTS.findall(given)]
        given = dict(pairs)
        if len(given) < len(pairs):
            raise InputError(f"warm_start names a variable twice in {','.join(map('='.join, pairs))!r:.60}")
    try:
        found = {str(name): float(value) for name, value in dict(given).items()}
    except (TypeError, ValueError) as error:
        raise InputError("warm_start has what is no number: give numbers by name, such as 'x=1'") from error
    if not found or not all(map(math.isfinite, found.values())):
        raise InputError("warm_start needs a finite number for one variable at least")
    return found


def _read_beta(given: Any) -> float | tuple[float, ...]:
    return tuple(map(float, given)) if hasattr(given, "__len__") and not isinstance(given, str) else float(given)


@dataclass(frozen=True, kw_only=True)
class QaoaOptions(CircuitOptions, EnergyOptions, ShotOptions):
    """Options of QAOA."""

    entry = "qaoa"

    layers: int = option(8, "number of layers; each layer has a phase and a mixer", least=1)
    mixer: Literal["auto", "xy-ring", "xy-complete", "grover", "x", "grover-global"] = option(
        "auto",
        "xy-ring and xy-complete mix blocks with one qubit per value, grover mixes any block, x mixes free bits, "
        "grover-global mixes the whole space; auto chooses one for each block",
        idle=(Idle("warm_start", is_warm, "a warm start brings its own mixers"),),
    )
    warm_start: Literal["none", "relaxation"] | OwnStart = option(
        "none",
        "start near the minimum of a convex relaxation of two-valued variables, or near values of your own, such as "
        "'x=1', with mixers about that start",
        own=read_own_start,
    )
    angles: AngleChoice | OwnAngles = option(
        "optimised",
        "optimised uses gradients, ramp the best of several ramps, fixed published angles for two-valued variables, "
        "transfer the best of ramp, fixed and angles of small problems; or your own gammas;betas, such as "
        "'0.5,0.8;-0.5,-0.3'",
        own=read_own_angles,
        idle=(Idle("warm_start", is_warm, "fixed angles are for the uniform start", ("fixed",)),),
    )
    angle_loss: Literal["gibbs", "cvar", "mean"] = option(
        "gibbs",
        "loss that is minimised to choose the angles: gibbs gives low energies the most weight, cvar is the mean of "
        "the best half, mean is the mean energy",
        idle=(GIVEN, FIXED),
    )
    betas: Literal["shared", "own"] = option(
        "shared",
        "shared has one mixing angle per layer, own has one for each mixer of a layer",
        idle=(GIVEN, FIXED, SHARED),
    )
    evaluations: int | None = option(
        None,
        "limit on simulations for the angles; if not given, up to 500",
        least=1,
        most=MOST_SHOTS,
        idle=(GIVEN, FIXED),
    )

    recursive: int | None = option(
        None,
        "in rounds, fix the two most correlated two-valued variables to be equal or opposite, until this many are left",
        least=1,
        scope="run",
        idle=(Idle("warm_start", is_warm, "the rounds of a recursive search start from all states"),),
    )

    def settle(self) -> None:
        """Take the number of layers from angles that are given."""
        if isinstance(self.angles, str):
            return
        number = len(self.angles[0])
        if self.layers not in (type(self).layers, number):
            raise InputError(f"layers is {self.layers} and there are angles for {number}: leave out layers")
        object.__setattr__(self, "layers", number)

"""The text of a Qubo or of a model in each file format; `gatesolve.api.qubo_files` puts it on disk."""

from __future__ import annotations

from pathlib import Path

from gatesolve.errors import InputError, UnsupportedError
from gatesolve.model import Model, Variable
from gatesolve.qubo.coo import coo_text, qubo_text
from gatesolve.qubo.lp_write import lp_names, lp_text
from gatesolve.qubo.parts import Parts, parts_of
from gatesolve.qubo.qubo import Qubo
from gatesolve.qubo.sidecar import qubo_json, sidecar_json, sidecar_path

SUFFIXES = (".qubo", ".coo", ".lp", ".json")


def check_suffix(path: Path) -> None:
    """Refuse a file name whose suffix names no format.

    Raises:
        InputError: with the suffixes that do.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"cannot tell the format: end the name in {', '.join(SUFFIXES)}", source=str(path))


def qubo_files(qubo: Qubo, path: Path) -> dict[Path, str]:
    """The files of a Qubo: the one asked for, and the sidecar of all but JSON.

    Args:
        qubo: of degree 2 at most; of any degree for JSON.
        path: its suffix says the format.

    Returns:
        Text by path, the sidecar last.

    Raises:
        InputError: a suffix of no format, or no variables.
        UnsupportedError: a term of more than two variables, but for JSON.
    """
    check_suffix(path)
    suffix = path.suffix.lower()
    if not qubo.names:
        raise InputError("no variables are left to write: the constraints fix them all", source=str(path))
    if suffix == ".json":
        return {path: qubo_json(qubo)}
    if not qubo.is_quadratic:
        fault = f"a term has {qubo.degree} variables, {suffix} takes 2 at most"
        raise UnsupportedError(f"{fault}: write .json, or add variables with quadratic=True", source=str(path))
    if suffix == ".lp":
        written = lp_names(qubo.names)
        model = Model(tuple(Variable(name, (0, 1)) for name in qubo.names))
        text = lp_text(parts_of(model, qubo))
    else:
        written = [f"x{k}" for k in range(qubo.num_variables)]
        text = coo_text(qubo) if suffix == ".coo" else qubo_text(qubo)
    return {path: text, sidecar_path(path): sidecar_json(qubo, written, path.name)}


def model_lp(model: Model, objective: Qubo | None = None) -> str:
    """The text of an LP file of a model with linear constraints.

    Raises:
        UnsupportedError: as `parts_of`; or names that an LP file cannot hold.
    """
    parts: Parts = parts_of(model, objective)
    names = list(parts.domains)
    if lp_names(names) != names:
        raise UnsupportedError("an LP file cannot hold these names: give letters, digits, _ and .")
    return lp_text(parts)

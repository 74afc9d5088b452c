"""Writing a Qubo to a file: ``.qubo``, COO, LP or JSON."""

from __future__ import annotations

from pathlib import Path

from gatesolve.files import replace_files
from gatesolve.qubo import Qubo
from gatesolve.qubo.write import qubo_files


def write_qubo(qubo: Qubo, path: Path | str) -> tuple[Path, ...]:
    """Write a Qubo; a file already there is replaced only once the new one is whole.

    Args:
        qubo: of degree 2 at most; of any degree for JSON.
        path: where; the suffix says the format. Beside all but JSON goes ``FILE.json``, which keeps names, meanings
            and the blocks of the space; `gatesolve.qubo.read.read_qubo` looks for it.

    Returns:
        The files written.

    Raises:
        InputError: unknown suffix, no variables, or the place cannot be written to.
        UnsupportedError: a term of more than two variables, but for JSON.
    """
    files = qubo_files(qubo, Path(path))
    # The sidecar first: a new file beside an old sidecar would be read wrongly, the other way round it is refused.
    replace_files({place: text.encode() for place, text in reversed(files.items())})
    return tuple(files)

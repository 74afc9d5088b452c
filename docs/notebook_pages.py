"""Reading and running the tutorial notebooks, and showing them on the site.

They are kept with their outputs, so that a repository's page and the site show the pictures. A test runs them again
and compares; ``python docs/make_tables.py --only notebooks`` writes what comes out.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from textwrap import fill
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).parents[1]
NOTEBOOKS = tuple(sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")))
STRICT, LAX = (f"import warnings\nwarnings.simplefilter('{action}')" for action in ("error", "ignore"))
"""Run first and last, and kept nowhere: a warning in a notebook is an error, one of the kernel's own is none."""
SECONDS = 120
"""Most of one cell."""
WIDTH = 100
"""Characters of a printed line on the site; Jupyter breaks longer ones too."""
_PICTURE = re.compile(r"(data:image/png;base64,)[^\"]*")


def read(path: Path) -> Any:
    """A notebook."""
    import nbformat

    return nbformat.read(path, as_version=4)


def write(notebook: Any, path: Path) -> None:
    """Write a notebook, as Jupyter does."""
    import nbformat

    nbformat.write(notebook, path)


def fresh(notebook: Any) -> Any:
    """The notebook run from top to bottom, in a folder of its own.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell raised something, or warned.
    """
    from nbclient import NotebookClient
    from nbformat.v4 import new_code_cell

    found = deepcopy(notebook)
    found["cells"] = [new_code_cell(STRICT), *found.cells, new_code_cell(LAX)]
    with _folder() as folder:
        quiet = ["--log-level=CRITICAL"]
        client = NotebookClient(
            found, timeout=SECONDS, kernel_name="python3", record_timing=False, extra_arguments=quiet
        )
        client.execute(cwd=folder)
    found["cells"] = found["cells"][1:-1]
    found["metadata"] = notebook.metadata
    for number, cell in enumerate((cell for cell in found.cells if cell.cell_type == "code"), 1):
        cell["execution_count"] = number
        cell["outputs"] = [_settled(one, number) for one in _joined(cell.outputs)]
    return found


def shown(notebook: Any) -> list[Any]:
    """What the cells say and show, without the points of the pictures: these differ by version of matplotlib."""
    return [(cell.source, [_seen(one) for one in cell.get("outputs", ())]) for cell in notebook.cells]


def as_markdown(text: str, name: str) -> str:
    """A notebook's file as a page of the site: its texts, its code, and below each cell what came out."""
    cells = json.loads(text)["cells"]
    pieces = []
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        pieces.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        if not number:
            pieces.append(f"[Download this notebook](path:{name}.ipynb), and change it as you like.")
        pieces += [_as_page(one) for one in cell.get("outputs", ())]
    return "\n\n".join(pieces) + "\n"


def _as_page(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        lines = "".join(output["text"]).splitlines()
        return "\n".join(["```text", *(fill(line, WIDTH, break_on_hyphens=False) for line in lines), "```"])
    data = {kind: "".join(content) for kind, content in output["data"].items()}
    if "text/html" in data:
        return f"<div>{data['text/html']}</div>"
    if "image/png" in data:
        return f'<img alt="what the cell above draws" src="data:image/png;base64,{data["image/png"].strip()}">'
    return f"```text\n{data['text/plain']}\n```"


def _joined(outputs: list[Any]) -> list[Any]:
    """Without what was shown and taken away again, and with what was printed in one piece, as it need not come."""
    found: list[Any] = []
    for one in outputs:
        if found and one.output_type == found[-1].output_type == "stream" and one.name == found[-1].name:
            found[-1]["text"] += one.text
        elif one.get("data", {}).get("text/html") != "":
            found.append(one)
    return found


def _settled(output: Any, number: int) -> Any:
    """An output as it is kept: its number is the cell's, and a figure is its picture alone, not its size in words."""
    if "execution_count" in output:
        output["execution_count"] = number
    if "image/png" in output.get("data", {}):
        output["data"] = {"image/png": output["data"]["image/png"], "text/plain": "<a picture>"}
        output["metadata"] = {}
    return output


def _seen(output: Any) -> Any:
    data = dict(output.get("data", {"text/plain": output.get("text")}))
    data = {kind: "picture" if kind == "image/png" else _PICTURE.sub(r"\1", text) for kind, text in data.items()}
    return output.output_type, output.get("name"), data


@contextmanager
def _folder() -> Iterator[str]:
    """An empty folder, in which also the jobs of devices are kept."""
    with tempfile.TemporaryDirectory() as name, patch.dict(os.environ, GATESOLVE_HOME=str(Path(name) / "jobs")):
        yield name

"""How Sphinx makes the site: `pip install ".[docs]" && sphinx-build docs site`.

Pages are completed as they are read, so that the files stay plain Markdown which a repository's page shows as well:
index.md gets the order of pages, from its lists; reference.md the docstrings of every public name; notebooks become
pages of Markdown with what their cells printed and drew; and links to files outside docs/ become downloads of them.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))
import notebook_pages

import gatesolve

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "gatesolve"
release = gatesolve.__version__
source_suffix = {".md": "markdown", ".ipynb": "markdown"}
exclude_patterns = ["**.ipynb_checkpoints"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
html_theme = "furo"
html_title = "gatesolve"
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]

myst_heading_anchors = 4
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

default_role = "code"
"""Docstrings write code between single backticks."""
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_use_ivar = True
napoleon_use_rtype = False
napoleon_custom_sections = [("Options", "params_style")]
python_maximum_signature_line_length = 100
python_use_unqualified_type_names = True

_ABOVE = re.compile(r"\]\(((?:\.\./)+)([^)#]+)(#[^)]*)?\)")
_LISTED = re.compile(r"^- \[[^\]]*\]\(([\w/]+)\.(?:md|ipynb)\)", re.MULTILINE)


def downloads(text: str, above: str) -> str:
    """Return the page with links to files outside docs/, whose paths start with `above`, as downloads of copies."""
    return _ABOVE.sub(lambda link: f"](path:{link[1]}{link[2]})" if link[1].startswith(above) else link[0], text)


def page_order(text: str) -> str:
    """A hidden table of contents for every section of a page that lists pages, named as the section."""
    found = []
    for part in text.split("\n## ")[1:]:
        if listed := _LISTED.findall(part):
            lines = [f":caption: {part.splitlines()[0]}", ":hidden:", "", *listed]
            found.append("\n".join(["```{toctree}", *lines, "```"]))
    return "\n\n".join(found)


def docstrings() -> str:
    """Directives that show every public name of `gatesolve`, functions first."""
    names = sorted(dir(gatesolve), key=lambda name: (inspect.isclass(getattr(gatesolve, name)), name))
    lines = ["```{eval-rst}", ".. currentmodule:: gatesolve", ""]
    for name in names:
        named = getattr(gatesolve, name)
        if not inspect.isclass(named):
            lines += [f".. autofunction:: {name}", ""]
        else:
            kind = "autoexception" if issubclass(named, Exception) else "autoclass"
            lines += [f".. {kind}:: {name}", "   :members:", ""]
    return "\n".join([*lines, "```"])


def add_to_page(app: Sphinx, page: str, source: list[str]) -> None:
    """What becomes of a page as it is read."""
    if (path := app.env.doc2path(page)).suffix == ".ipynb":
        source[0] = notebook_pages.as_markdown(source[0], path.stem)
    source[0] = downloads(source[0], "../../" if page.startswith("contributors/") else "../")
    if page == "index":
        source[0] += f"\n{page_order(source[0])}\n"
    elif page == "reference":
        source[0] += f"\n{docstrings()}\n"


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", add_to_page)

"""How Sphinx makes the site: `pip install ".[docs]" && sphinx-build docs site`.

Pages are completed as they are read, so that the files stay plain Markdown which a repository's page shows as well.
The lists of index.md become cards, and the names of reference.md become links to pages of their docstrings. Notebooks
become pages of Markdown with their outputs. Links to files outside docs/ become downloads.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))
import notebook_pages
import site_pages

import gatesolve

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "gatesolve"
release = gatesolve.__version__
source_suffix = {".md": "markdown", ".ipynb": "markdown"}
exclude_patterns = ["**.ipynb_checkpoints"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "sphinx_design"]
html_theme = "furo"
html_title = "gatesolve"
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]

myst_enable_extensions = ["colon_fence", "html_image"]
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


def downloads(text: str, above: str) -> str:
    """Return the page with links to files outside docs/, whose paths start with `above`, as downloads of copies."""
    return _ABOVE.sub(lambda link: f"](path:{link[1]}{link[2]})" if link[1].startswith(above) else link[0], text)


def complete_page(app: Sphinx, page: str, source: list[str]) -> None:
    """Complete a page as it is read."""
    if (path := app.env.doc2path(page)).suffix == ".ipynb":
        source[0] = notebook_pages.as_markdown(source[0], path.stem)
    source[0] = site_pages.with_pictures(source[0])
    source[0] = downloads(source[0], "../../" if page.startswith("contributors/") else "../")
    if page == "index":
        source[0] = site_pages.index_page(source[0])
    elif page == "reference":
        source[0] = site_pages.reference_page(source[0])


def setup(app: Sphinx) -> None:
    """Connect the completion of pages to Sphinx."""
    site_pages.write_name_pages()
    app.connect("source-read", complete_page)

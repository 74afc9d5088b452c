"""How Sphinx makes the site: `pip install ".[docs]" && sphinx-build docs site`.

Pages are completed as they are read, so that the files stay plain Markdown which a repository's page shows as well.
The lists of index.md become cards, and the names of reference.md become links to pages of their docstrings. Notebooks
become pages of Markdown with their outputs. The Markdown files of circuits/ become pages. Links to other files outside
docs/ become downloads.
"""

from __future__ import annotations

import posixpath
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

_LINK = re.compile(r"\]\((?!http|#|path:)([^)#]+)(#[^)]*)?\)")


def relink(text: str, page: str) -> str:
    """Return a page whose links lead to other pages of the site, or to copies of files that are no pages."""
    inside, up = page not in site_pages.CIRCUIT_PAGES, "../" * page.count("/")

    def link(found: re.Match[str]) -> str:
        if inside and not found[1].startswith("../"):
            return found[0]
        path = posixpath.normpath(f"{'docs/' * inside}{posixpath.dirname(page)}/{found[1]}")
        if not path.startswith("docs/") and path.removesuffix(".md") not in site_pages.CIRCUIT_PAGES:
            return f"](path:{up}../{path})"
        return f"]({up}{path.removeprefix('docs/')}{found[2] or ''})"

    return _LINK.sub(link, text)


def complete_page(app: Sphinx, page: str, source: list[str]) -> None:
    """Complete a page as it is read."""
    if file := site_pages.CIRCUIT_PAGES.get(page):
        source[0] = f"---\norphan: true\n---\n\n{file.read_text(encoding='utf-8')}"
        app.env.note_dependency(str(file))
    if (path := app.env.doc2path(page)).suffix == ".ipynb":
        source[0] = notebook_pages.as_markdown(source[0], path.stem)
    source[0] = site_pages.with_pictures(source[0])
    source[0] = relink(source[0], page)
    if page == "index":
        source[0] = site_pages.index_page(source[0])
    elif page == "reference":
        source[0] = site_pages.reference_page(source[0])


def setup(app: Sphinx) -> None:
    """Connect the completion of pages to Sphinx."""
    site_pages.write_name_pages()
    site_pages.write_circuit_pages()
    app.connect("source-read", complete_page)

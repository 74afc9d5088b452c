"""Completing pages for the site: cards on the index, and pages for public names and for the files of circuits/.

The files stay plain Markdown that a repository's page shows as well. A list item such as ``- [Title](page.md): text``
on the index becomes a card. A list item such as ``- `solve(problem)`: text`` in the reference becomes a link.
"""

from __future__ import annotations

import base64
import inspect
import io
import os
import re
from pathlib import Path

from PIL import Image

import gatesolve

DOCS = Path(__file__).parent
API = DOCS / "api"
"""The folder of the pages of public names. It is written by every build and ignored by git."""
CIRCUITS = DOCS.parent / "circuits"
CIRCUIT_PAGES = {
    file.relative_to(DOCS.parent).with_suffix("").as_posix(): file
    for file in (*CIRCUITS.glob("*.md"), *CIRCUITS.glob("*/*.md"))
}
"""The Markdown files of circuits/ by page."""
WIDTH = 480
"""Pixels of a thumbnail."""
_CARD = re.compile(r"^- \[([^\]]*)\]\(([\w/]+)\.(md|ipynb)\): (.*)$", re.MULTILINE)
_LIST = re.compile(r"(?:^- \[.*\n)+", re.MULTILINE)
_NAME = re.compile(r"^- `(\w+)([^`]*)`: ", re.MULTILINE)
_PICTURE = re.compile(r'(?:!\[[^\]]*\]\(|<img src=")([\w/-]+\.png)')
_SIZED = re.compile(r'^<img src="([^"]+)"([^>]*)>$', re.MULTILINE)
_DRAWN = re.compile(r'"image/png": "([\w+/=]+)')


def with_pictures(text: str) -> str:
    """Return the page with each ``<img src=...>`` as a directive: the build copies only pictures that it knows of."""
    return _SIZED.sub(_picture, text)


def _picture(tag: re.Match[str]) -> str:
    options = [f":{name}: {value}" for name, value in re.findall(r'(\w+)="([^"]*)"', tag[2])]
    return "\n".join([f"```{{image}} {tag[1]}", *options, "```"])


def index_page(text: str) -> str:
    """Return the index with each list of pages as a grid of cards, and a hidden table of contents a section."""
    sections = re.split(r"(?=^## )", text, flags=re.MULTILINE)
    return "".join(_with_cards(section) for section in sections)


def _with_cards(section: str) -> str:
    """Return the section with cards; they have pictures where each of the pages contains one."""
    if not (listed := [(item[2], item[3]) for item in _CARD.finditer(section)]):
        return section
    drawn = {page: picture for page, suffix in listed if (picture := _last_picture(DOCS / f"{page}.{suffix}"))}
    images = {page: f":img-top: {_thumbnail(picture)}" for page, picture in drawn.items()}
    section = _LIST.sub(lambda run: _grid(run[0], images if len(images) == len(listed) else {}), section)
    return f"{section}\n{_contents([page for page, _ in listed], section.splitlines()[0].removeprefix('## '))}\n\n"


def _grid(items: str, images: dict[str, str]) -> str:
    lines = ["::::{grid} 1 2 2 3", ":gutter: 2", ""]
    for title, page, _, text in _CARD.findall(items):
        lines += [f":::{{grid-item-card}} {title}", f":link: {page}", ":link-type: doc"]
        lines += [images[page]] if images else []
        lines += ["", text, ":::"]
    return "\n".join([*lines, "::::", ""])


def _last_picture(page: Path) -> bytes | None:
    text = page.read_text(encoding="utf-8")
    if drawn := _DRAWN.findall(text.replace("\\n", "")):
        return base64.b64decode(drawn[-1])
    shown = _PICTURE.findall(text)
    return (page.parent / shown[-1]).read_bytes() if shown else None


def _thumbnail(picture: bytes) -> str:
    """Return a small copy of a PNG as a data URI."""
    small = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as image:
        image.thumbnail((WIDTH, WIDTH))
        image.convert("RGB").save(small, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(small.getvalue()).decode()}"


def reference_page(text: str) -> str:
    """Return the reference with each listed name as a link to its page."""
    names = [name for name, _ in _NAME.findall(text)]
    linked = _NAME.sub(lambda item: f"- [`{item[1]}{item[2]}`](api/{item[1]}.md): ", text)
    return f"{linked}\n{_contents([f'api/{name}' for name in names])}\n"


def write_name_pages() -> None:
    """Write a page for every public name of `gatesolve`; a page that is right keeps its date."""
    API.mkdir(exist_ok=True)
    pages = {f"{name}.md": _name_page(name) for name in dir(gatesolve)}
    for path in set(API.glob("*.md")) - {API / page for page in pages}:
        path.unlink(missing_ok=True)
    for page, text in pages.items():
        if not (API / page).exists() or (API / page).read_text(encoding="utf-8") != text:
            fresh = API / f".{os.getpid()}"  # replaced whole: another build may be reading
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(API / page)


def write_circuit_pages() -> None:
    """Write an empty file for each page of circuits/, whose text is read from there. Git ignores these files."""
    for page in CIRCUIT_PAGES:
        (DOCS / page).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / f"{page}.md").touch()


def _name_page(name: str) -> str:
    named = getattr(gatesolve, name)
    kind = "function" if not inspect.isclass(named) else "exception" if issubclass(named, Exception) else "class"
    members = [] if kind == "function" else ["   :members:"]
    lines = [f"# {name}", "", "```{eval-rst}", ".. currentmodule:: gatesolve", "", f".. auto{kind}:: {name}", *members]
    return "\n".join([*lines, "```", ""])


def _contents(pages: list[str], caption: str = "") -> str:
    """Return a hidden table of contents, which gives the pages their place in the menu."""
    title = [f":caption: {caption}"] if caption else []
    return "\n".join(["```{toctree}", *title, ":hidden:", "", *pages, "```"])

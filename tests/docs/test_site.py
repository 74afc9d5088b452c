"""The site is made without a warning, has every page in its order and a page for every public name."""

import re
import subprocess
import sys

import pages
import pytest

import gatesolve

DOCS = pages.ROOT / "docs"
NAMES = {path.stem for path in DOCS.glob("*.md")}
NOTEBOOKS = sorted(DOCS.glob("notebooks/*.ipynb"))
LISTED = (NAMES - {"index"}) | {f"notebooks/{path.stem}" for path in NOTEBOOKS} | {"circuits/README"}


def read(site, page):
    return (site / f"{page}.html").read_text(encoding="utf-8")


def check_every_page_stands_under_its_heading(site):
    text = read(site, "index")
    menu = text[text.index('class="sidebar-tree"') : text.index("</aside>")]
    captions = re.findall(r'class="caption-text">([^<]*)<', menu)
    assert captions == ["Tutorial", "How-to", "Explanation", "Reference"]
    linked = set(re.findall(r'class="reference internal" href="([\w/]+)\.html"', menu))
    assert linked == LISTED | {f"api/{name}" for name in dir(gatesolve)}


def check_every_listed_page_has_a_card(site):
    text = read(site, "index")
    cards = re.findall(r'class="sd-stretched-link[^"]*" href="([\w/]+)\.html"', text)
    assert sorted(cards) == sorted(LISTED)
    assert text.count("sd-card-img-top") == 1 + len(NOTEBOOKS)


def check_every_public_name_has_a_page_that_the_reference_links_to(site):
    for name in dir(gatesolve):
        assert f'id="gatesolve.{name}"' in read(site, f"api/{name}")
        assert f'href="api/{name}.html"' in read(site, "reference")


def check_members_stand_on_the_page_of_their_class(site):
    assert 'id="gatesolve.Result.board"' in read(site, "api/Result")


def check_every_picture_of_a_page_is_in_the_site(site):
    shown = {
        (path.parent / source).resolve()
        for path in site.rglob("*.html")
        for source in re.findall(r'<img [^>]*?src="([^"]+)"', path.read_text(encoding="utf-8"))
        if not source.startswith("data:")
    }
    assert {picture.name for picture in DOCS.glob("pictures/*.png")} <= {path.name for path in shown}
    assert [path for path in shown if not path.exists()] == []


def check_wide_tables_can_scroll(site):
    assert all(read(site, page).count("<table") == read(site, page).count('class="table-wrapper') for page in NAMES)


def check_the_site_can_be_searched(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert "amplitud" in index
    assert all(f'"{name}"' in index for name in NAMES)


def check_files_outside_the_pages_come_along(site):
    assert list(site.glob("_downloads/*/compare_encodings.py"))
    assert "../examples" not in read(site, "encodings")


def check_files_of_circuits_are_pages_whose_links_lead_somewhere(site):
    page = site / "circuits" / "kakuro-2022" / "README.html"
    assert 'href="circuits/kakuro-2022/README.html"' in read(site, "comparison")
    links = re.findall(r'href="([^"#:]+)[^":]*"', page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link.partition("?")[0]).exists()] == []
    assert list(site.glob("_downloads/*/entry_literal.qasm"))


def check_notebooks_are_pages_with_their_pictures_and_can_be_downloaded(site):
    for path in NOTEBOOKS:
        page = read(site, f"notebooks/{path.stem}")
        assert page.count('src="data:image/png;base64,') == path.read_text("utf-8").count('"image/png": ') + page.count(
            'alt="the board"'
        )
        assert "highlight-python" in page
        assert list(site.glob(f"_downloads/*/{path.name}"))


CHECKS = [check for name, check in [*globals().items()] if name.startswith("check_")]


@pytest.mark.sampled(0.5)
def test_site(tmp_path):
    """One test, so that one process alone makes the site."""
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", DOCS, tmp_path]
    run = subprocess.run(command, capture_output=True, text=True, cwd=pages.ROOT, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    for check in CHECKS:
        check(tmp_path)

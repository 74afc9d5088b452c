"""The site is made without a warning, has every page in its order and every public name in its reference."""

import re
import subprocess
import sys

import pages
import pytest

import gatesolve

DOCS = pages.ROOT / "docs"
NAMES = {path.stem for path in DOCS.glob("*.md")}
NOTEBOOKS = sorted(DOCS.glob("notebooks/*.ipynb"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", DOCS, folder]
    run = subprocess.run(command, capture_output=True, text=True, cwd=pages.ROOT, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    return folder


def read(site, page):
    return (site / f"{page}.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_every_page_stands_under_its_heading(site):
    text = read(site, "index")
    menu = text[text.index('class="sidebar-tree"') : text.index("</aside>")]
    captions = re.findall(r'class="caption-text">([^<]*)<', menu)
    assert captions == ["Tutorial", "How-to", "Explanation", "Reference"]
    assert {
        link.removesuffix(".html") for link in re.findall(r'class="reference internal" href="([\w/]+\.html)"', menu)
    } == (NAMES - {"index"}) | {f"notebooks/{path.stem}" for path in NOTEBOOKS}


@pytest.mark.slow
def test_every_public_name_is_in_the_reference(site):
    text = read(site, "reference")
    assert all(f'id="gatesolve.{name}"' in text for name in dir(gatesolve))
    assert 'id="gatesolve.Result.board"' in text


@pytest.mark.slow
def test_the_site_can_be_searched(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert "amplitud" in index
    assert all(f'"{name}"' in index for name in NAMES)


@pytest.mark.slow
def test_files_outside_the_pages_come_along(site):
    assert list(site.glob("_downloads/*/compare_encodings.py"))
    assert "../examples" not in read(site, "encodings")


@pytest.mark.slow
def test_notebooks_are_pages_with_their_pictures_and_can_be_downloaded(site):
    for path in NOTEBOOKS:
        page = read(site, f"notebooks/{path.stem}")
        assert page.count('src="data:image/png;base64,') == path.read_text("utf-8").count('"image/png": ') + page.count(
            'alt="the board"'
        )
        assert "highlight-python" in page
        assert list(site.glob(f"_downloads/*/{path.name}"))

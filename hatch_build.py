"""At build time, adds what only the place of publication knows: its addresses, for the metadata and for README's links.

`GATESOLVE_URL` is the address of the repository, without a slash at its end. Without it, a package has no addresses.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")


def make_absolute(text: str, url: str, tag: str) -> str:
    """Return a page with every relative link and image as an address at a tag of a repository."""

    def point(found: re.Match[str]) -> str:
        image, words, path = found.groups()
        return f"{image}[{words}]({url}/{'raw' if image else 'blob'}/{tag}/{path})"

    return RELATIVE.sub(point, text)


class AddressHook(MetadataHookInterface):
    """Adds the readme, and the addresses of the project."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Write both into the metadata."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        url = os.environ.get("GATESOLVE_URL", "")
        if url:
            tag = f"v{metadata['version']}"
            text = make_absolute(text, url, tag)
            metadata["urls"] = {
                "Homepage": url,
                "Documentation": f"{url}/blob/{tag}/docs/index.md",
                "Changelog": f"{url}/blob/{tag}/CHANGELOG.md",
                "Issues": f"{url}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}

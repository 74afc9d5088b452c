"""Judge every entry and remake the table of records: ``python circuits/judge.py``.

    python circuits/judge.py                        # all entries; writes RECORDS.md and records.csv
    python circuits/judge.py circuits/mcx14-2022    # those below a folder; writes nothing
    python circuits/judge.py --check                # all; the written table must be what they give

Exit status 1 if an entry is refused or the table is not up to date. ``--root`` judges the circuits/ of another checkout
by the judges of this one: entries are data, and none of their code is run.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from entries import Entry, read_entries
from judges import CONTESTS, RefusedError, Verdict
from record_table import read_published, records_csv, records_page

HERE = Path(os.path.relpath(Path(__file__).parent))


def judge_entry(entry: Entry) -> Verdict:
    """The verdict on one entry.

    Raises:
        RefusedError: it does not stand.
    """
    try:
        return CONTESTS[entry.contest].judge(entry.task, entry.class_, entry.files)
    except RefusedError:
        raise
    # Files of strangers: what no judge foresees must not keep the other entries from being judged.
    except Exception as error:
        raise RefusedError(f"{entry.files[0]}: the judge cannot follow it: {error!r}") from None


def judge_all(folder: Path) -> tuple[list[tuple[Entry, Verdict]], list[str]]:
    """What stands below a folder, and a line for each entry that does not; both are printed on the way."""
    standing, refused = [], []
    for place, entry in read_entries(folder):
        try:
            if isinstance(entry, RefusedError):
                raise entry
            verdict = judge_entry(entry)
        except RefusedError as error:
            refused.append(str(error))
            print(f"refused: {error}", file=sys.stderr)
            continue
        standing.append((entry, verdict))
        print(f"{place}: {entry.contest} {entry.task} ({entry.class_}): {verdict.text}")
    return standing, refused


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments, judge, and write or compare the table."""
    parser = argparse.ArgumentParser(description="Judge the entries and remake the table of records.")
    parser.add_argument("folder", nargs="?", type=Path, help="judge only what is below it; nothing is written")
    parser.add_argument("--check", action="store_true", help="compare the table instead of writing it")
    parser.add_argument("--root", type=Path, default=HERE, help="the circuits/ folder that is judged")
    given = parser.parse_args(arguments)
    if given.folder and not given.folder.is_dir():
        print(f"{given.folder}: no such folder", file=sys.stderr)
        return 1
    standing, refused = judge_all(given.folder or given.root)
    if refused or given.folder:
        return 1 if refused or not standing else 0
    try:
        published = read_published(given.root)
    except RefusedError as error:
        print(error, file=sys.stderr)
        return 1
    made = {
        "RECORDS.md": records_page(standing, published, given.root),
        "records.csv": records_csv(standing, given.root),
    }
    for name, text in made.items():
        path = given.root / name
        if not given.check:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            print(f"{path}: not what the entries give; run python circuits/judge.py and commit it", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

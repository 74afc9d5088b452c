"""Damaged inputs of every kind of file, through the command line in this process.

Whatever comes in, a command ends with status 0, 1 or 2; where it is 2 there is one line on standard error and nothing
else, nothing is left half written, no library warns, and no control character comes out.

    python -m benchmarks fuzz --seed 1 --cases 5000
"""

from __future__ import annotations

import gzip
import io
import json
import lzma
import random
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.core.places import EXAMPLES
from benchmarks.core.processes import TooSlow, time_limit
from benchmarks.core.suite import make_parser
from gatesolve.cli import app

BIG = "9" * 309
HOSTILE_NAME = "a\x1b[2J\n\x07\u202e"
_KINDS = {".txt", ".json", ".coo", ".qubo", ".lp", ".dzn", ".param"}


def examples() -> list[tuple[str, bytes]]:
    """Name and bytes of every example that is no program, and of a matrix in either format."""
    files = sorted(path for path in EXAMPLES.rglob("*") if path.suffix in _KINDS)
    found = [(f"{path.parent.name}/{path.name}", path.read_bytes()) for path in files if path.stat().st_size < 6000]
    buffer = io.BytesIO()
    np.save(buffer, np.triu(np.arange(9.0).reshape(3, 3)))
    return [*found, *_FOREIGN, ("m.csv", b"1,2,3\n0,4,5\n0,0,-6e-3\n"), ("m.npy", buffer.getvalue())]


_FOREIGN = [
    ("a.cnf", b"c three\np cnf 3 2\n1 -2 0\n2 3 0\n%\n0\n"),
    ("b.wcnf", b"p wcnf 3 3 9\n9 1 2 0\n3 -1 0\n1 -2 3 0\n"),
    ("c.opb", b"* #variable= 3 #constraint= 2\nmax: 1 x1 +2 ~x2 -3 x3 ;\n+1 x1 x2 +1 x3 >= 1 ;\n-1 x1 +1 x2 = 0 ;\n"),
    ("d.mps", b"NAME d\nROWS\n N f\n L c\nCOLUMNS\n M 'MARKER' 'INTORG'\n x f -2 c 3\n y f -1 c 1\n"
     b" M 'MARKER' 'INTEND'\nRHS\n R c 3\nBOUNDS\n BV B x\n UP B y 2\nENDATA\n"),
    ("e.lp", b"Maximize\n x + y\nSubject To\n b = 1 -> x + y <= 2\n q: [ x * y ] <= 2\nSOS\n s: S2 :: x:1 b:2 y:3\n"
     b"Bounds\n x <= 2\n y <= 2\nBinary\n b\nGeneral\n x y\nEnd\n"),
    ("f.mc", b"3 2\n1 2 3\n2 3 -2\n"),
    ("g.bqp", b"1\n3 3\n1 1 2\n1 2 3\n2 3 -2\n")
]  # fmt: skip


def _npy(header: str, body: bytes = bytes(32)) -> bytes:
    return b"\x93NUMPY\1\0" + (len(header) + 1).to_bytes(2, "little") + header.encode() + b"\n" + body


def _json(**data: object) -> bytes:
    return json.dumps(data).encode()


def _lp(objective: str = "a", rows: str = "", rest: str = "") -> bytes:
    return f"Minimize\n o: {objective}\nSubject To\n{rows}\n{rest}\nBinary\n a b\nEnd\n".encode()


HOSTILE: list[tuple[str, bytes]] = [
    ("empty.txt", b""),
    ("empty.lp", b""),
    ("empty.npy", b""),
    ("nul.txt", b"\0" * 40),
    ("latin.txt", "Größe".encode("latin-1")),
    ("escape.txt", b"\x1b]0;title\x07 . .\n. . .\n"),
    ("bom.coo", b"\xef\xbb\xbf0 0 1\r\n0 1 -1\r1 1 2\n"),
    ("deep.json", b"[" * 100_000),
    ("deeper.json", b'{"a":' * 100_000),
    ("surrogate.json", b'{"terms": [[["a\\ud800"], 1]]}'),
    ("board-surrogate.json", b'{"family": "takuzu", "grid": ["\\udfff1", "01"]}'),
    ("board-escape.json", b'{"family": "sudoku\\u001b[2J", "grid": []}'),
    ("qubo-names.json", _json(terms=[[[HOSTILE_NAME], 1], [["b"], -1]])),
    ("qubo-big.json", b'{"terms": [[["a"], ' + BIG.encode() + b"]]}"),
    ("qubo-bigger.json", b'{"terms": [[["a"], ' + b"9" * 5000 + b"]]}"),
    ("qubo-inf.json", b'{"terms": [[["a"], 1e999], [["b"], NaN]]}'),
    ("qubo-fraction.json", _json(terms=[[["a"], f"{BIG}/7"], [["b"], f"1/{'7' * 300}"]])),
    ("qubo-blocks.json", _json(terms=[[["a"], 1]], blocks=[{"kind": [], "variables": 3, "values": {}, "bits": "x"}])),
    ("qubo-bits.json", b'{"terms": [[["a"], 1]], "blocks": [{"kind": "table", "variables": ["v"], '
     b'"values": [[1e999]], "codewords": [0], "bits": -1}]}'),
    ("qubo-shape.json", _json(terms={"a": 1}, variables="ab", offset=None)),
    ("qubo-meanings.json", _json(terms=[[["a"], 1]], meanings=[HOSTILE_NAME])),
    ("big.coo", f"0 0 {BIG}\n0 1 -{BIG}\n".encode()),
    ("sum.coo", b"0 0 1e308\n1 1 1e308\n0 1 1e308\n"),
    ("tiny.coo", b"0 0 1e-300\n1 1 1e300\n0 1 -5e-324\n"),
    ("spin.coo", b"# vartype=SPIN\n0 1 1.7e308\n0 0 1\n"),
    ("offset.coo", f"# offset = {BIG}\n0 0 1\n".encode()),
    ("escape.coo", b"\x1b[2J \x1b[0m 1\n"),
    ("big.qubo", f"p qubo 0 1 1 0\n0 0 {BIG}\n".encode()),
    ("top.wcnf", b"p wcnf 2 2 999999999999999999\n999999999999999998 1 0\n999999999999999998 2 0\n"),
    ("big.opb", b"min: 999999999999999999 x1 +999999999999999999 x2 ;\n999999999999999999 x1 >= 999999999999999999 ;"),
    ("bigger.opb", b"".join(b"+999999999999999999 x%d " % k for k in range(9)) + b">= 1 ;"),
    ("many.cnf", b"p cnf 999999999 1\n999999999 0\n"),
    ("big.mc", f"2 1\n1 2 {BIG}\n".encode()),
    ("bomb.cnf.gz", gzip.compress(b"1 0\n" * (1 << 21))),
    ("cut.cnf.xz", lzma.compress(b"1 0\n")[:-5]),
    ("counts.qubo", b"p qubo 0 99999999999999999999 1 1\n0 0 1\n"),
    ("big.csv", f"{BIG},0\n0,1\n".encode()),
    ("inf.csv", b"1e308,1e308\n1e308,1e308\n"),
    ("wide.csv", b"," * 70_000 + b"\n"),
    ("unclosed.npy", _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), ")),
    ("deep.npy", _npy("(" * 5000)),
    ("negative.npy", _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -1), }")),
    ("object.npy", _npy("{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }")),
    ("void.npy", _npy("{'descr': '|V0', 'fortran_order': False, 'shape': (2, 2), }")),
    ("long.npy", _npy(f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({BIG}, 2), }}")),
    ("python2.npy", _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 2L), }")),
    ("half.npy", _npy("{'descr': '<f2', 'fortran_order': True, 'shape': (2, 2), }", b"\0\x7c" * 4)),
    ("long-double.npy", _npy("{'descr': '<f16', 'fortran_order': True, 'shape': (1, 1), }", b"\xfe\x7f" * 8)),
    ("bound.lp", _lp("a", "", "Bounds\n 9223372036854775806 <= i <= 9223372036854775809\nGeneral\n i")),
    ("big.lp", _lp(f"{BIG} a + b")),
    ("rows.lp", _lp("a", " 1e20 a - 1e20 b >= 1")),
    ("spread.lp", _lp("1e-300 a + 1e300 b", " a + b >= 1")),
    ("bracket.lp", _lp("[ a * a + b ^ 2 ]/2 - [ a ^ 2 ]", " a + b = 0.5")),
    ("empty-sections.lp", b"Minimize\nSubject To\nBounds\nBinary\nEnd"),
    ("backslash.lp", b"\\ " + b"\x1b[2J" * 20 + b"\nMinimize\n a\nBinary\n a\nEnd\n"),
    ("names.lp", b"Minimize\n o: !\"#$%&(),;?@'`{}~ + e9 + 9e9 e\nBinary\n e\nEnd\n")
]  # fmt: skip

PIECES: list[bytes] = [
    *(piece.encode() for piece in (
        "", " ", "-", "-1", "0", "1e9", "1e308", "-1e400", "nan", "inf", BIG, "9" * 5000, "99999999999999999999",
        "9223372036854775808", "1/0", "0.1", "1e-320", "x", "é", "٣", "²", "☀", "🟥", "\u202e", "\x1b[2J", "\x07", "\t",
        "\u2028", "[", "]", "{", "}", '"', "'", ",", ":", "=", "|", "\\", "..", "values 0..99999", "#" * 300,
        "p qubo 0 2 1 1", "# vartype=SPIN", "c x", "End", "Binary", "free", "<=", "null", "true", "[]", "{}", "1e999",
        '"\\ud800"', '"\\u001b[2J"', "r1c1", "r99c99", "wrap both", "regions", "A1", "100x100", "0x0", "5:" + "a" * 99
    )),
    b"\xff\xfe", b"\xed\xa0\x80", b"\0", b"\r"
]  # fmt: skip


PATIENCE = 20.0
"""Seconds after which a case counts as stuck."""
QUBOS = (".qubo", ".coo", ".lp", ".csv", ".npy")
CHEAP = (["show"], ["show", "-o", "out.txt"])
SOLVES = (
    ["qubo", "--json"],
    ["solve", "--pipeline", "anneal", "--reads", "20", "--sweeps", "10"],
    ["solve", "--json"],
    ["resources", "--json"],
    ["show", "-o", "out.svg"],
    ["compile", "-o", "out.qasm"],
)
OF_QUBOS = (
    ["qubo"],
    ["qubo", "--json"],
    ["qubo", "-o", "out.lp"],
    ["qubo", "-o", "out.coo"],
    ["qubo", "-o", "out.qubo"],
    ["qubo", "-o", "out.json"],
)


@dataclass(frozen=True)
class Case:
    """One run: a file of these bytes, or standard input where it has no name, and a command."""

    name: str
    data: bytes
    words: Sequence[str]

    def __str__(self) -> str:
        return f"{' '.join(self.words)} {self.name or '-'} {self.data[:2000]!r}"


def hostile() -> Iterator[Case]:
    """The hostile files as they are, each printed and written."""
    for name, data in HOSTILE:
        own = _commands(name, True)
        for words in (own[0], own[-1]):
            yield Case(f"in{Path(name).suffix}", data, words)


def damage(seed: int, count: int, cheap: bool = True) -> Iterator[Case]:
    """Damaged files.

    Args:
        seed: of the damage.
        count: how many.
        cheap: only commands that solve and draw nothing.
    """
    draw = random.Random(seed)
    seeds = [*HOSTILE, *examples()]
    for _ in range(count):
        name, data = draw.choice(seeds)
        data = damaged(draw, data, draw.choice(seeds)[1])
        suffix = Path(name).suffix
        if draw.random() < 0.05:
            suffix = draw.choice([*QUBOS, ".txt", ".json"])
        file = "" if suffix not in {".csv", ".npy"} and draw.random() < 0.15 else f"in{suffix}"
        yield Case(file, data, draw.choice(_commands(name, cheap)))


def _commands(name: str, cheap: bool) -> Sequence[Sequence[str]]:
    own = OF_QUBOS if Path(name).suffix in QUBOS or "qubo" in name else CHEAP
    return own if cheap else [*own, *SOLVES]


def damaged(draw: random.Random, data: bytes, other: bytes) -> bytes:
    """A few small faults, or one large one."""
    for _ in range(draw.choice((1, 1, 2, 3, 8))):
        start = draw.randrange(len(data) + 1)
        end = min(len(data), start + draw.choice((0, 1, 1, 2, 5, 40)))
        lines = data.split(b"\n")
        k = draw.randrange(len(lines))
        kind = draw.randrange(9)
        if kind == 0:
            data = data[:start]
        elif kind == 1:
            data = data[:start] + bytes([draw.randrange(256)]) + data[start + 1 :]
        elif kind == 2:
            data = data[:start] + data[end:]
        elif kind == 3:
            data = data[:end] + data[start:]
        elif kind == 4:
            data = b"\n".join([*lines[:k], *lines[k + 1 :]])
        elif kind == 5:
            data = b"\n".join([*lines[:k], draw.choice(lines), *lines[k:]])
        elif kind == 6:
            far = draw.randrange(len(other) + 1)
            data = data[:start] + other[far : far + draw.choice((3, 30, 300))] + data[end:]
        else:
            words = lines[k].split(b" ")
            words[draw.randrange(len(words))] = draw.choice(PIECES)
            data = b"\n".join([*lines[:k], b" ".join(words), *lines[k + 1 :]])
    return data


def faults(case: Case, folder: Path) -> list[str]:
    """What is wrong with how a case ends; leaves the folder empty."""
    inside, out = folder / (case.name or "in.txt"), folder / "out"
    out.mkdir()
    inside.write_bytes(case.data)
    words = [str(out / word) if word.startswith("out.") else word for word in case.words]
    words.insert(1, str(inside) if case.name else "-")
    try:
        status, said, complaint, warned = _run(words, case.data)
        found = [f"warns: {w.category.__name__}: {w.message}" for w in warned]
        found += [] if status in {0, 1, 2} else [f"status {status}"]
        left = sorted(path.name for path in out.iterdir())
        if status == 2 and (said or left or complaint.count("\n") != 1 or not complaint.startswith("gatesolve: ")):
            found.append(f"status 2 with {said[:80]!r}, {complaint[:400]!r} and {left}")
        if status != 2 and any(name.startswith(".") for name in left):
            found.append(f"left {left}")
        odd = {c for c in said + complaint if c != "\n" and not c.isprintable()}
        return found + ([f"prints {odd}"] if odd else [])
    except Exception as error:
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else ""
        return [f"{type(error).__name__}: {str(error)[:200]} at {where}"]
    finally:
        for path in [*out.iterdir(), inside]:
            path.unlink()
        out.rmdir()


def _run(words: list[str], data: bytes) -> tuple[Any, str, str, list[warnings.WarningMessage]]:
    """Status, both streams, and warnings of a command line."""
    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n") for _ in range(2))
    sys.argv, sys.stdin, sys.stdout, sys.stderr = ["gatesolve", *words], io.TextIOWrapper(io.BytesIO(data)), out, err
    status: Any = None
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            app.main()
    except SystemExit as end:
        status = end.code
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = kept
    for stream in (out, err):
        stream.flush()
    said, complaint = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
    return status, said, complaint, warned


def campaign(seed: int, count: int, cheap: bool) -> int:
    """Run the hostile and so many damaged files, print each kind of fault once; returns how many faults there were.

    What takes longer than `PATIENCE` is stopped and counted apart: a search may be long.
    """
    seen: dict[str, int] = {}
    slowest, total, stuck, start = 0.0, 0, 0, time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for case in chain(hostile(), damage(seed, count, cheap)):
            total += 1
            begun = time.perf_counter()
            found = []
            try:
                with time_limit(PATIENCE):
                    found = faults(case, Path(folder))
            except TooSlow:
                stuck += 1
            slowest = max(slowest, time.perf_counter() - begun)
            for fault in found:
                if fault not in seen:
                    print(f"{fault}\n    {case}", flush=True)
                seen[fault] = seen.get(fault, 0) + 1
    seconds = time.perf_counter() - start
    print(
        f"seed {seed}: {total} cases in {seconds:.0f} s, slowest {slowest:.1f} s, {stuck} stopped, "
        f"{sum(seen.values())} faults"
    )
    return sum(seen.values())


def main(arguments: Sequence[str]) -> int:
    """Run the campaign that the options describe; 1 if there was a fault."""
    parser = make_parser(__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--solve", action="store_true", help="commands that solve, compile and draw too")
    asked = parser.parse_args(arguments)
    return int(campaign(asked.seed, asked.cases, not asked.solve) > 0)

"""What the fuzzer starts from: the examples of every family and format, and files made to hurt."""

from __future__ import annotations

import gzip
import io
import json
import lzma

import numpy as np

from benchmarks.core.places import EXAMPLES

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

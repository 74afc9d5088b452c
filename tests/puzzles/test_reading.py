import io
import re
from pathlib import Path

import pytest
from kakuro_boards import EXAMPLES

from gatesolve.errors import InputError, one_line
from gatesolve.puzzles import load, parse

SMALL = EXAMPLES / "small.txt"


def refused(path, says: str) -> InputError:
    with pytest.raises(InputError, match=says) as caught:
        load(path)
    assert one_line(str(path)) in str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value


def test_paths_that_hold_no_text(tmp_path):
    refused(tmp_path / "none.txt", "no such file: check the path")
    refused(SMALL / "inside-a-file.txt", "cannot be read")
    refused(tmp_path, "a directory: name a file inside it")
    refused("a\0b", "cannot be read")
    refused("/dev/zero", "more than 1 MiB")


def test_file_without_permission(monkeypatch):
    # Raised by hand, for the tests may run as root, who may read everything.
    def refuse(*_args: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    refused("secret.txt", "no permission to read it")


@pytest.mark.parametrize(
    ("data", "row", "says"),
    [
        (b"", None, "empty"),
        (b"\xef\xbb\xbf\r\n", None, "empty"),
        (b"\x89PNG\0\0", None, "a binary file"),
        ("# 3\\".encode("utf-16"), None, "a binary file"),
        (b"# #\n# \xff\n", 2, "not UTF-8 text: save the file again"),
        (b"#" * ((1 << 20) + 1), None, "more than 1 MiB"),
    ],
    ids=["empty", "blank", "png", "utf16", "latin", "large"],
)
def test_contents_that_are_no_puzzle(tmp_path, data, row, says):
    path = tmp_path / "board.txt"
    path.write_bytes(data)
    assert refused(path, says).row == row


def test_windows_text(tmp_path):
    path = tmp_path / "board.txt"
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.read_bytes().replace(b"\n", b"\r\n"))
    assert load(path) == load(str(SMALL))


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SMALL.read_bytes())))
    assert load("-") == load(SMALL)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"# x 3\\\n")))
    with pytest.raises(InputError, match="<stdin>, row 1, column 2: unknown token x"):
        load("-")
    # A wrong word is named, not the different lengths of the rows.
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"# 3\\ hello\n\\3 .\n")))
    with pytest.raises(InputError, match="<stdin>, row 1, column 3: unknown token hello"):
        load("-")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("queens\nsize 8\n....\n....\n....\n....\n", "row 2, column 1: the size says 8x8 cells but the grid has 4x4"),
        ("chess max\npieces Q\nsize 3\nboard\n....\n....\n", "the size says 3x3 cells but the grid has 2x4"),
        ("queens\nsize 4\nopaque\n", "the size says 4x4 cells but the grid has 1x6"),
        ("queens\nsize 4\ntorus 3\n", "row 3, column 2: 'torus' takes no value"),
        ("queens\nsize 4\ntorus\ncylinder\n", "row 4, column 1: 'cylinder' beside 'torus'"),
        ("chess max\npieces Q\nsize 3\nopaque no\n", "'opaque' takes no value"),
        ("chess max\npieces Q\nsize 3\ncylinder x\n", "'cylinder' takes no value"),
        ("chess coloured\npieces Q\nregions 2\nAB\nAB\n", "'regions' takes no value"),
        ("queens\nboard 7\n....\n....\n....\n....\n", "'board' takes no value"),
        ("queens 2 3\nsize 4\n", "row 1, column 3: 'queens' takes one value"),
        ("queens\nregions 0..1 2\nAABB\nAABB\nCCDD\nCCDD\n", "'regions' takes one value"),
        ("box 2x2\nbox 1x4\n1...\n....\n....\n...2\n", "row 2.*: a second line 'box'"),
        ("unique no\nunique yes\n.1.0\n..0.\n.0..\n11.0\n", "row 2.*: a second line 'unique'"),
        ("unique no\nwrap rows\nwrap columns\n.1.0\n..0.\n.0..\n11.0\n", "a second line 'wrap'"),
        ("tango 4x6\nS...\n.M..\n...M\n....\n", "row 1.*: the size says 6 columns"),
    ],
)
def test_no_header_is_half_read(text, says):
    with pytest.raises(InputError, match=says):
        parse(text)


@pytest.mark.parametrize(
    ("plain", "word"),
    [
        ("chess max\npieces Q N\nsize 3\n", "pieces"),
        ("chess max\npieces K N\nweights K=5 N=2\nsize 3\n", "weights"),
        ("chess max\npieces Q N\nsize 3 4\n", "size"),
        ("queens 2\nsize 8\n", "queens"),
        ("queens\nsize 8\nslopes 1 1/2\n", "slopes"),
        ("queens\nregions 0..1\nAABB\nAABB\nCCDD\nCCDD\n", "regions"),
        ("queens\nsize 2 6\nrows 3 2\n", "rows"),
    ],
)
def test_a_sign_after_a_header_s_word_swallows_no_value(plain, word):
    for sign in (":", "=", ": ", " : ", " ="):
        assert parse(re.sub(rf"^{word} ", word + sign, plain, flags=re.MULTILINE)) == parse(plain)

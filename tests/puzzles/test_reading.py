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


def test_missing_file(tmp_path):
    refused(tmp_path / "none.txt", "no such file: check the path")
    refused(SMALL / "inside-a-file.txt", "cannot be read")


def test_directory(tmp_path):
    refused(tmp_path, "a directory: name a file inside it")


def test_path_that_is_none(tmp_path):
    refused("a\0b", "cannot be read")


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


def test_endless_device():
    refused("/dev/zero", "more than 1 MiB")


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

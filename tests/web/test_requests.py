"""Requests as bytes: whatever comes is answered with the headers in one line, and nothing is written to the log."""

import json
import re
import socket
import threading
import time

import pytest

from gatesolve.web import pool, server

TOKEN = "secret-of-this-test"
HEAD = "Host: 127.0.0.1\r\nConnection: close\r\n"
JSON = "Content-Type: application/json\r\n"
UPGRADE = (
    "Host: 127.0.0.1\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
QUEENS = '{"family":"queens","text":"A"'


@pytest.fixture(scope="module")
def ask():
    """Sends bytes to a server and returns the status, the headers and the body of its answer."""
    with pytest.MonkeyPatch.context() as patch, socket.socket() as listener:
        patch.setattr(pool.Pool, "warm", lambda self: None)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        served = server.Server(TOKEN)
        thread = threading.Thread(target=served.run, args=([listener],))
        thread.start()

        def send(data):
            with socket.create_connection(listener.getsockname(), timeout=20) as connection:
                connection.sendall(data.encode("latin-1") if isinstance(data, str) else data)
                answer = b""
                while part := connection.recv(1 << 16):
                    answer += part
            head, _, body = answer.partition(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")
            return int(first.split()[1]), dict(line.lower().split(": ", 1) for line in lines), body

        late = time.monotonic() + 20
        while not served.started and time.monotonic() < late:
            time.sleep(0.01)
        yield send
        served.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


def get(target, method="GET", head=HEAD):
    return f"{method} {target} HTTP/1.1\r\n{head}\r\n"


def post(body, head=JSON, length=None, path="api/check"):
    data = body if isinstance(body, bytes) else body.encode()
    size = len(data) if length is None else length
    return f"POST /{TOKEN}/{path} HTTP/1.1\r\n{HEAD}{head}Content-Length: {size}\r\n\r\n".encode("latin-1") + data


CASES = {
    # no path that begins with a slash
    "options *": (get("*", "OPTIONS"), 404),
    "no slash": (get("foo"), 404),
    "no slash, the secret": (get(TOKEN), 404),
    "another server's address": (get(f"http://127.0.0.1/{TOKEN}/"), 404),
    "connect": (get("127.0.0.1:80", "CONNECT"), 404),
    "two at once": (f"GET foo HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n{get('foo')}", 404),
    # no HTTP
    "nothing": ("\r\n\r\n", 400),
    "tls": ("\x16\x03\x01\x00\xff\r\n\r\n", 400),
    "no host": ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
    "bytes that are no text": (get("/\xff\xfe/"), 400),
    "a long line": (get("/" + "a" * 70_000), (400, 404)),
    "long headers": (get("/other/", head=f"{HEAD}X: {'a' * 70_000}\r\n"), (400, 404)),
    "a chunk that is none": (post("").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked") + b"zz\r\n", 400),
    **{
        f"length {length[:9]}": (post("{}", length=length), 400)
        for length in ("-1", "abc", "+2", "\u00b2", "1" * 30, "9" * 5000)
    },
    "two lengths": (post("{}", head=f"{JSON}Content-Length: 5\r\n"), 400),
    "no HTTP after a request": ("GET foo HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n\x16\x03\x01\r\n\r\n", 404),
    "a chunk that is none, no secret": (
        f"POST / HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        (400, 404),
    ),
    # the secret and the path
    "no secret, escaped bytes": (get("/%ff%fe/"), 404),
    "half a character": (get(f"/{TOKEN}/%ed%a0%80"), 404),
    "a zero byte": (get(f"/{TOKEN}/%00"), 404),
    "a folder": (get(f"/{TOKEN}/api"), 404),
    "a long name": (get(f"/{TOKEN}/{'a' * 5000}"), 404),
    **{
        f"out of the folder {k}": (get(f"/{TOKEN}/{path}"), 404)
        for k, path in enumerate(
            ("../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "..%5c..%5cserver.py")
        )
    },
    "an unknown method": (get(f"/{TOKEN}/", "FOO"), 405),
    "a known method elsewhere": (get(f"/{TOKEN}/api/about", "DELETE"), 405),
    "the head alone": (get(f"/{TOKEN}/", "HEAD"), 200),
    "a range that is none": (get(f"/{TOKEN}/app.js", head=f"{HEAD}Range: bytes=zz\r\n"), 400),
    "a range behind the end": (get(f"/{TOKEN}/app.js", head=f"{HEAD}Range: bytes=99999999-\r\n"), 416),
    "a websocket": (get(f"/{TOKEN}/", head=UPGRADE), 200),
    "a websocket without the secret": (get("/other/", head=UPGRADE), 404),
    # JSON
    "NaN": (post('{"family":"queens","text":NaN}'), 422),
    "infinity": (post('{"family":-Infinity,"text":"A"}'), 422),
    "NaN in a field that is none": (post(f'{QUEENS},"x":NaN}}'), 422),
    "half a character in a text": (post('{"family":"queens","text":"\\ud800"}'), 422),
    "half a character in a family": (post('{"family":"\\udfff","text":"A"}'), 422),
    "half a character in a name": (post(f'{QUEENS},"\\ud800":1}}'), 422),
    "half a character in a page": (post(f'{QUEENS},"action":"solve","page":"\\ud800"}}', path="api/run"), 422),
    "a long seed": (
        post(f'{QUEENS},"action":"solve","page":"p","options":{{"seed":{"9" * 4000}}}}}', path="api/run"),
        422,
    ),
    "deep": (post("[" * 200_000), 400),
    "deep in a field": (post(f'{QUEENS},"x":{"[" * 90_000}{"]" * 90_000}}}'), 400),
    "a long number": (post(f'{{"family":"queens","text":{"9" * 10_000}}}'), 400),
    "no UTF-8": (post(b'{"family":"queens","text":"\xff\xfe"}'), 400),
    "compressed": (post(b"\x1f\x8b", head=f"{JSON}Content-Encoding: gzip\r\n"), 400),
    "nothing sent": (post(""), 422),
    "a list": (post("[]"), 422),
    "a number": (post('{"family":"queens","text":3}'), 422),
    "a form": (post("family=queens", head="Content-Type: application/x-www-form-urlencoded\r\n"), 422),
    "a form of parts": (post("x", head="Content-Type: multipart/form-data; boundary=\r\n"), 422),
    "JSON called a text": (post(f"{QUEENS}}}", head="Content-Type: text/plain\r\n"), 422),
    "JSON without a kind": (post(f"{QUEENS}}}", head=""), 422),
    "a deep board": (post(json.dumps({"family": "sudoku", "text": '{"a":' * 15_000})), 200),
    "an unknown family": (post('{"family":"../etc","text":"A"}'), 200),
    "large": (post(b" " * (server.MOST_BYTES + 1)), 413),
    "large in chunks": (
        post("").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        + (b"10000\r\n" + b" " * (1 << 16) + b"\r\n") * 17
        + b"0\r\n\r\n",
        413,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_request_that_is_none_is_answered_in_a_line(ask, name, capfd):
    request, expected = CASES[name]
    status, headers, body = ask(request)
    assert status in (expected if isinstance(expected, tuple) else (expected,))
    assert {key: headers.get(key.lower()) for key in server.HEADERS} == {
        key: said.lower() for key, said in server.HEADERS.items()
    }
    if status not in {200, 416}:
        said = body.rpartition(b"\r\n\r\n")[2] or body
        assert len(said) < 300
        assert b"Traceback" not in said
        assert b"{" not in said
    assert capfd.readouterr() == ("", "")


def test_a_body_that_does_not_come_is_waited_for_no_longer(ask, monkeypatch, capfd):
    monkeypatch.setattr("gatesolve.web.server.PATIENCE", 0.2)
    status, headers, body = ask(post("{}", length=100))
    assert (status, body) == (408, b"the request did not come in 0.2 s: send it again")
    assert "content-security-policy" in headers
    assert capfd.readouterr() == ("", "")


def test_a_fault_of_the_program_is_a_line_in_the_log(ask, monkeypatch, caplog):
    def fail(*_):
        raise KeyError("a fault\nof the program")

    monkeypatch.setattr(server, "check_board", fail)
    status, headers, body = ask(post(f"{QUEENS}}}"))
    assert (status, body.decode()) == (500, server.INTERNAL)
    assert "content-security-policy" in headers
    (line,) = caplog.messages
    assert re.fullmatch(r"internal error, please report it: KeyError at \S+:\d+: 'a fault\\nof the program'", line)
    assert caplog.records[0].exc_info is None

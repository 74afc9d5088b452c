"""Searches in processes of their own: cancelled, taken over by another search, ended with the server."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from gatesolve.web.pool import MOST_JOBS, Pool

EXAMPLES = Path(__file__).parents[2] / "examples"
QUICK = {"action": "solve", "family": "queens", "text": "BAAA\nBBBC\nDDCC\nDDDD\n", "options": {}}
LONG = {
    "action": "solve",
    "family": "queens",
    "text": (EXAMPLES / "queens/linkedin-8x8.txt").read_text("utf-8"),
    "options": {"pipeline": "qaoa"},
}

pytestmark = pytest.mark.slow


async def names(pool, page, job):
    return [event["event"] async for event in pool.run(page, job)]


def run(test):
    async def with_pool():
        pool = Pool()
        try:
            await test(pool)
        finally:
            await pool.close()

    asyncio.run(with_pool())


def test_one_process_does_one_search_after_the_other():
    async def test(pool):
        for _ in range(2):
            told = await names(pool, "a", QUICK)
            assert told[-2:] == ["json", "end"]
            assert "search" in told
        assert pool.running == {}

    run(test)


def test_whoever_stops_listening_ends_the_search():
    async def test(pool):
        search = pool.run("a", LONG)
        await anext(search)
        process = pool.running["a"]
        assert process.returncode is None
        await search.aclose()
        assert process.returncode is not None
        assert pool.running == {}
        assert (await names(pool, "a", QUICK))[-1] == "end"

    run(test)


def test_a_page_has_one_search_and_two_pages_two():
    async def test(pool):
        first, other = pool.run("a", LONG), pool.run("b", LONG)
        await anext(first)
        await anext(other)
        process = pool.running["a"]
        assert "board" in await names(pool, "a", QUICK)
        assert process.returncode is not None
        assert [event async for event in first][-1] == {"event": "error", "message": "cancelled"}
        assert pool.running["b"].returncode is None
        await other.aclose()

    run(test)


def test_a_process_that_dies_is_a_line_on_the_page():
    async def test(pool):
        search = pool.run("a", LONG)
        await anext(search)
        pool.running["a"].kill()
        told = [event async for event in search]
        assert told[-1]["message"] == "the search ended without an answer: run it again"

    run(test)


def test_a_fault_is_a_line_and_the_process_goes_on():
    async def test(pool):
        wrong = {**QUICK, "text": "AAB\nAA?\nABB\n"}
        told = [event async for event in pool.run("a", wrong)]
        assert told[-2]["event"] == "error"
        assert told[-2]["message"].startswith("board, row 2, column 3")
        told = [event async for event in pool.run("a", {**QUICK, "options": {"pipeline": "magic"}})]
        assert told[-2]["message"].startswith("unknown pipeline 'magic'")
        assert (await names(pool, "a", QUICK))[-1] == "end"

    run(test)


def test_there_are_not_too_many_searches():
    async def test(pool):
        pool.running = dict.fromkeys(map(str, range(MOST_JOBS)))
        told = [event async for event in pool.run("a", QUICK)]
        pool.running = {}
        assert [one["event"] for one in told] == ["error"]

    run(test)


def test_a_process_ends_with_its_server():
    worker = subprocess.Popen(
        [sys.executable, "-m", "gatesolve.web.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert b"ready" in worker.stdout.readline()
    worker.stdin.close()
    assert worker.wait(10) == 0
    worker.stdout.close()

"""Searches in processes of their own: cancelled, taken over by another search, ended with the server."""

import asyncio
import random
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from contextlib import aclosing, suppress
from pathlib import Path

import pytest

from gatesolve.web import pool as pool_module

EXAMPLES = Path(__file__).parents[2] / "examples"
QUICK = {"action": "solve", "family": "queens", "text": "BAAA\nBBBC\nDDCC\nDDDD\n", "options": {}}
LONG = {
    "action": "solve",
    "family": "queens",
    "text": (EXAMPLES / "queens/linkedin-8x8.txt").read_text("utf-8"),
    "options": {"pipeline": "qaoa"},
}

WORKER = """
import json, sys, time
print('{"event": "ready"}', flush=True)
for line in sys.stdin:
    job = json.loads(line)
    print('{"event": "begun"}', flush=True)
    time.sleep(job["seconds"])
    if job["dies"]:
        print('{"event": "cut', end="", flush=True)
        sys.exit(1)
    print('{"event": "end"}', flush=True)
"""
"""A worker that does what its job says, in no time."""


@pytest.fixture
def started(monkeypatch):
    """The processes of small workers, one of nine of which cannot be started."""
    found = []

    async def start():
        await asyncio.sleep(0)
        if len(found) % 9 == 8:
            found.append(None)
            raise BlockingIOError(11, "Resource temporarily unavailable")
        found.append(await asyncio.create_subprocess_exec(sys.executable, "-SEc", WORKER, stdin=PIPE, stdout=PIPE))
        return found[-1]

    monkeypatch.setattr(pool_module, "_start", start)
    return found


@pytest.mark.quick(1)
@pytest.mark.parametrize("seed", range(4))
def test_requests_at_once_start_no_more_searches_than_allowed(started, seed):
    """Pages run jobs that end, die, are cancelled at any moment or are taken over by the page's next one."""
    rng, busy, most, told = random.Random(seed), set(), [0], Counter()

    async def ask(pool, page, request):
        async with aclosing(pool.run(page, {"seconds": rng.choice((0, 0.05)), "dies": rng.random() < 0.2})) as events:
            try:
                async for event in events:
                    told[event["event"]] += 1
                    if event["event"] == "begun":
                        busy.add(request)
                    most[0] = max(most[0], len(busy), len(pool.running))
                    if event["event"] != "begun" or rng.random() < 0.2:
                        busy.discard(request)
                        return
            finally:
                busy.discard(request)

    async def test(pool):
        pool.warm()
        for wave in range(6):
            pages = [str(k if wave % 2 else rng.randrange(6)) for k in range(3 * pool_module.MOST_JOBS)]
            asked = [asyncio.create_task(ask(pool, page, (wave, k))) for k, page in enumerate(pages)]
            for one in rng.sample(asked, len(asked) // 3):
                await asyncio.sleep(rng.choice((0, 0, 0.01, 0.04)))
                one.cancel()
            for one in asked:
                with suppress(asyncio.CancelledError):
                    await one
            await asyncio.gather(*pool._ending)
            assert pool.running == {}  # each has given its place back
            assert sum(one is not None and one.returncode is None for one in started) <= 2
        assert told["begun"] > pool_module.MOST_JOBS

    run(test)
    assert most[0] == pool_module.MOST_JOBS
    assert all(one is None or one.returncode is not None for one in started)


async def names(pool, page, job):
    return [event["event"] async for event in pool.run(page, job)]


def run(test):
    async def with_pool():
        pool = pool_module.Pool()
        try:
            await test(pool)
        finally:
            await pool.close()

    asyncio.run(with_pool())


@pytest.mark.slow
def test_one_process_does_one_search_after_the_other():
    async def test(pool):
        for _ in range(2):
            told = await names(pool, "a", QUICK)
            assert told[-2:] == ["json", "end"]
            assert "search" in told
        assert pool.running == {}

    run(test)


@pytest.mark.slow
def test_whoever_stops_listening_ends_the_search():
    async def test(pool):
        search = pool.run("a", LONG)
        await anext(search)
        process = await pool.running["a"]
        assert process.returncode is None
        await search.aclose()
        assert process.returncode is not None
        assert pool.running == {}
        assert (await names(pool, "a", QUICK))[-1] == "end"

    run(test)


@pytest.mark.sampled(0.3)
def test_a_page_has_one_search_and_two_pages_two():
    async def test(pool):
        first, other = pool.run("a", LONG), pool.run("b", LONG)
        await anext(first)
        await anext(other)
        process = await pool.running["a"]
        assert "board" in await names(pool, "a", QUICK)
        assert process.returncode is not None
        assert [event async for event in first][-1] == {"event": "error", "message": "cancelled"}
        assert (await pool.running["b"]).returncode is None
        await other.aclose()

    run(test)


@pytest.mark.slow
def test_a_process_that_dies_is_a_line_on_the_page():
    async def test(pool):
        search = pool.run("a", LONG)
        await anext(search)
        (await pool.running["a"]).kill()
        told = [event async for event in search]
        assert told[-1]["message"] == "the search ended without an answer: run it again"

    run(test)


@pytest.mark.slow
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


@pytest.mark.slow
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

"""Pools that run independent pieces of work: this process, several processes, or the workers of Dask."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from gatesolve.errors import InputError, one_line
from gatesolve.extensions import require

Found = TypeVar("Found")
LOCAL = "local"
"""Instead of an address: a Dask cluster of processes on this machine."""
PATIENCE = "15s"
"""How long to wait for a scheduler to answer."""


@dataclass(frozen=True)
class Workers:
    """A pool of workers, and how many of them run at a time.

    Attributes:
        executor: to submit them to.
        number: of workers.
        is_here: whether a piece runs in this process, when it is submitted.
    """

    executor: Executor
    number: int
    is_here: bool = False


class HereExecutor(Executor):
    """Runs each piece in this process, when it is submitted."""

    def submit(self, call: Callable[..., Found], /, *given: Any, **named: Any) -> Future[Found]:
        """Run the call and return a finished future; an exception is raised at once."""
        future: Future[Found] = Future()
        future.set_result(call(*given, **named))
        return future


@contextmanager
def open_workers(jobs: int = 1, dask: str | None = None) -> Iterator[Workers]:
    """Open the workers; on exit, unfinished work is cancelled.

    Args:
        jobs: processes; with one, and without Dask, everything runs in this process.
        dask: address of a Dask scheduler, ``tcp://host:8786``, or ``local`` for a cluster of ``jobs`` processes here.

    Raises:
        InputError: no number of processes, or no scheduler answers.
        MissingExtraError: Dask is not installed.
    """
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise InputError(f"jobs is {jobs!r}: give 1 or more")
    if dask is not None:
        with _open_dask(jobs, dask) as workers:
            yield workers
    elif jobs == 1:
        yield Workers(HereExecutor(), 1, is_here=True)
    else:
        with _open_processes(jobs) as workers:
            yield workers


@contextmanager
def _open_processes(jobs: int) -> Iterator[Workers]:
    # Fresh interpreters: a fork would copy the threads of a progress bar in the middle of their work.
    context = multiprocessing.get_context("spawn")
    # The caller may have processes too: only those of this pool are ended.
    others = set(multiprocessing.active_children())
    # Interrupts are handled by the parent, which then ends the workers.
    ignored = (signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=signal.signal, initargs=ignored)
    try:
        yield Workers(pool, jobs)
    except BrokenProcessPool as error:
        raise InputError(
            "a worker process ended before its work: with jobs above 1 a script must start below "
            "\"if __name__ == '__main__':\"; where it does, memory ran out: use fewer jobs"
        ) from error
    finally:
        # After Ctrl-C, or when time is up, unfinished work is of no use and is not waited for.
        for worker in set(multiprocessing.active_children()) - others:
            worker.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _open_dask(jobs: int, address: str) -> Iterator[Workers]:
    distributed = require("distributed", "dask needs the package 'distributed'", "dask")
    try:
        if address == LOCAL:
            cluster = distributed.LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None)
            client = distributed.Client(cluster)
        else:
            client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as error:
        reason = one_line(str(error)) or type(error).__name__
        raise InputError(f"no Dask scheduler at {address!r} ({reason}): give its address, or 'local'") from error
    with client:
        # The scheduler repeats the work of a lost worker, but not work that fails with an error.
        executor = client.get_executor(pure=False)
        try:
            yield Workers(executor, max(len(client.scheduler_info()["workers"]), jobs))
        finally:
            # Cancels what is not done.
            executor.shutdown(wait=False)
            if client.cluster is not None:
                client.cluster.close()

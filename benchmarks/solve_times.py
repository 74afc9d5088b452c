"""How long ``gatesolve solve`` takes on the example boards, beside another checkout.

    git worktree add /tmp/older COMMIT
    python benchmarks/solve_times.py --base /tmp/older [--limit 60] [--only kakuro,queens/linkedin-6x6]

Each board is solved at default options by both, one after the other, as a whole command: interpreter, imports and
printing are part of what a user waits for. Both have run once before, so that their byte code is there. The ratio is of
processor seconds, which other work on the machine moves less than the clock on the wall; the limit is of those too. A
board that ends at the limit on one side gives a bound of its ratio, one that ends there on both sides gives none; nor
does one that the other checkout refuses and this one does not.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOLVE = "from gatesolve.cli.app import main; main()"


@dataclass(frozen=True)
class Run:
    """A command's seconds.

    Attributes:
        wall: on the clock.
        user: of the processor.
        ended: whether it ended by itself.
        status: what the command made of the board.
    """

    wall: float
    user: float
    ended: bool
    status: str

    def __str__(self) -> str:
        return f"{self.user:7.1f}{' ' if self.ended else '+'} {self.wall:7.1f}"


def solved(checkout: Path, board: Path, limit: int) -> Run:
    """Solve a board with the code of a checkout."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(checkout)
    environment["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / f"solve_times-{os.getpid()}")
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", SOLVE, "solve", str(board)],
        env=environment,
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = (line.split(":")[0] for line in done.stdout.splitlines())
    status = next((word for word in words if word in {"solved", "infeasible", "unsolved"}), "refused")
    return Run(time.perf_counter() - start, after.ru_utime - before.ru_utime, done.returncode >= 0, status)


def boards(only: str) -> list[Path]:
    """The example files, or those whose name starts with one of ``only``."""
    files = sorted(file for file in (ROOT / "examples").glob("*/*") if file.suffix != ".md")
    starts = tuple(only.split(",")) if only else ("",)
    return [file for file in files if str(file.relative_to(ROOT / "examples")).startswith(starts)]


def main() -> None:
    """Print a line for each board, and the median."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--base", type=Path, required=True)
    words.add_argument("--limit", type=int, default=60, help="processor seconds for a board and checkout")
    words.add_argument("--only", default="")
    chosen = words.parse_args()
    files = boards(chosen.only)
    sides = (chosen.base.resolve(), ROOT)
    for side in sides:
        solved(side, ROOT / "examples" / "kakuro" / "small.txt", chosen.limit)
    seconds = f"{'user s':>8} {'wall s':>7}"
    print(f"{'board':36} {seconds}   then {seconds}   now, ratio (+: over the limit)")
    ratios: list[float] = []
    unknown = 0
    for file in files:
        base, here = (solved(side, file, chosen.limit) for side in sides)
        ratio, bound = base.user / here.user, ""
        if not here.ended:
            unknown += 1
            bound = "none: over the limit now"
        elif not base.ended:
            bound = f"at least {ratio:.1f}"
        newly = base.ended and base.status == "refused" != here.status
        if newly:
            bound = "none: refused before"
        elif here.ended:
            ratios.append(ratio)
        statuses = here.status if base.status == here.status or not base.ended else f"{base.status}, now {here.status}"
        name = str(file.relative_to(ROOT / "examples"))
        print(f"{name:36} {base}        {here}        {bound or f'{ratio:.1f}'}  {statuses}", flush=True)
    median = statistics.median([*ratios, *[0.0] * unknown])
    over = f"{unknown} over {chosen.limit} s now, counted as ratio 0"
    print(f"median ratio {median:.2f} of {len(ratios) + unknown} files; {over}")


if __name__ == "__main__":
    main()

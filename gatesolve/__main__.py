"""The command ``gatesolve``, and ``python -m gatesolve``: from the first import on, Ctrl-C prints one line."""

import os
import signal
import sys

from gatesolve.errors import INTERRUPTED


def main() -> None:
    """Run the command."""
    pressed = []

    def interrupt(*_: object) -> None:
        pressed.append(True)
        raise KeyboardInterrupt

    # NumPy reads it when loaded. Threads of OpenBLAS gain nothing on small matrices, and double the CPU time of QAOA.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Set before the slow imports, so that Ctrl-C during them is one line too.
    signal.signal(signal.SIGINT, interrupt)
    try:
        from gatesolve.cli.app import main as run

        run()
    except (KeyboardInterrupt, Exception):
        if not pressed:
            raise
        # Or a consequence of it: some libraries treat it as a failed import, and fail later without that module.
        if sys.stderr is not None:
            sys.stderr.write("gatesolve: interrupted\n")
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()

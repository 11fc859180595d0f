"""Coverage-guided fuzzing of the edge: `make fuzz`, or `python -m tests.fuzz.fuzz_decoder -runs=10000000`.

All arguments go to libFuzzer. A frame that raises anything but a refusal, or takes the edge more than a millisecond
of processor time six times running, ends it and is left in a file `crash-…`.
"""

import importlib.util
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SLOWEST_NS = 4_000_000
"""Instrumented code takes ten times as long: a frame of 1.01 ms here takes 0.10 ms in the server."""


def main(arguments: list[str]) -> int:
    if importlib.util.find_spec("atheris") is None:
        sys.stdout.write(
            "SKIPPED: nothing was fuzzed. atheris is not installed; it has no wheel for this machine.\n"
        )
        return 0
    import atheris

    with atheris.instrument_imports(
        include=["photofinish_protocol", "photofinish.engine.convert", "tests.fuzz"]
    ):
        from tests.fuzz import target

    slowest = 0

    def one(raw: bytes) -> None:
        nonlocal slowest
        message, took = _timed(target, raw)
        if message is not None:
            target.judge(message)
        # The garbage collector or another process may be the cause: only a frame that is slow every time counts.
        if took > SLOWEST_NS:
            took = min(_timed(target, raw)[1] for _ in range(5))
            assert took <= SLOWEST_NS, f"{took / 1e6:.2f} ms for one frame of {len(raw)} bytes"
        if took > slowest:
            slowest = took
            sys.stderr.write(f"slowest frame so far: {took / 1000:.0f} µs, {len(raw)} bytes\n")

    with tempfile.TemporaryDirectory() as folder:
        for n, seed in enumerate(target.seeds()):
            (Path(folder) / f"seed-{n}").write_bytes(seed)
        atheris.Setup([sys.argv[0], "-max_len=16385", "-timeout=5", *arguments, folder], one)
        atheris.Fuzz()
    return 0


def _timed(target: Any, raw: bytes) -> tuple[Any, int]:
    before = time.thread_time_ns()
    message = target.understand(raw)
    return message, time.thread_time_ns() - before


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

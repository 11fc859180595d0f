"""A stop ends in bounded time, even if one of its steps does not."""

import asyncio
import contextlib
import subprocess
import sys
import time

from photofinish.shutdown import ALL, LAST, LEAST, Shutdown


async def never() -> None:
    await asyncio.Event().wait()


async def deaf() -> None:
    """Does not react to its first cancellations."""
    for _ in range(10):
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(2 * LEAST)
            return


async def test_steps_that_hang_are_given_up_and_share_one_limit() -> None:
    done: list[str] = []

    async def close() -> None:
        done.append("closed")

    shutdown, began = Shutdown(seconds=0.3), time.monotonic()
    await shutdown.step("the first", never)
    await shutdown.step("the second", deaf)
    await shutdown.step("the third", close)

    assert done == ["closed"]
    assert 0.3 <= time.monotonic() - began < ALL
    await asyncio.sleep(2 * LEAST)  # until the second has ended too


async def test_a_step_has_its_own_limit_too() -> None:
    began = time.monotonic()
    await Shutdown().step("hangs", never, 0.01)

    assert time.monotonic() - began < ALL / 2


def test_a_process_whose_event_loop_hangs_ends_itself() -> None:
    assert ALL < LAST < 10
    words = "import time; from photofinish.shutdown import end_process_soon; end_process_soon(0.05); time.sleep(60)"
    done = subprocess.run(
        [sys.executable, "-c", words], capture_output=True, text=True, timeout=50, check=False
    )

    assert done.returncode == 1
    assert done.stderr == "photofinish: a step of the stop hangs; the process ends now\n"

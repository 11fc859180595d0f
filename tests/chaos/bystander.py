"""Measures answer times of an uninvolved client, in a process of its own.

`python -m tests.chaos.bystander ws://127.0.0.1:8765 200` prints the seconds of each answer as JSON. The tables and the
attackers of a scenario share one process that may itself be slow: times measured there would not be the server's.
"""

import asyncio
import json
import sys
import time

from photofinish_client.client import connect

AT_ONCE = 4
PAUSE = 0.022
"""Seconds between two requests: the highest rate that the server allows one connection."""


async def answers(url: str, times: int) -> list[float]:
    """The seconds of each answer; `AT_ONCE` clients send this many requests each."""
    words = (sys.executable, "-m", "tests.chaos.bystander", url, str(times))
    child = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    printed, _ = await child.communicate()
    assert child.returncode == 0, "the bystander was disturbed"
    return [float(it) for it in json.loads(printed)]


async def _ask(url: str, times: int) -> list[float]:
    took = []
    async with connect(url, name="Ada") as ada:
        for _ in range(times):
            began = time.perf_counter()
            await ada.ping()
            took.append(time.perf_counter() - began)
            await asyncio.sleep(PAUSE)
    return took


async def _main(url: str, times: int) -> None:
    found = await asyncio.gather(*(_ask(url, times) for _ in range(AT_ONCE)))
    sys.stdout.write(json.dumps([it for took in found for it in took]))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], int(sys.argv[2])))

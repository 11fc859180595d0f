"""A wait ends: with its fact, with the thing that should have brought it about, or with its time."""

import ast
import asyncio
from pathlib import Path

import pytest

from tests.waiting import until, wait_until

TESTS = Path(__file__).parent


async def test_a_wait_returns_with_its_fact() -> None:
    facts: list[int] = []
    asyncio.get_running_loop().call_later(0.05, facts.append, 1)

    await until(lambda: bool(facts), "a fact is there", seconds=10)


async def test_a_wait_for_a_game_that_has_ended_says_so_at_once() -> None:
    game = asyncio.create_task(asyncio.sleep(0.02))

    with pytest.raises(AssertionError, match="it ended before 45 moves were acknowledged"):
        await until(lambda: False, "45 moves were acknowledged", during=game, seconds=30)


async def test_a_wait_for_a_game_that_failed_raises_the_games_own_fault() -> None:
    async def fails() -> None:
        raise ValueError("the server is gone")

    with pytest.raises(ValueError, match="the server is gone"):
        await until(lambda: False, "anything", during=asyncio.create_task(fails()), seconds=30)


async def test_a_fact_that_comes_with_the_end_still_counts() -> None:
    facts: list[int] = []

    async def plays() -> None:
        facts.append(1)

    await until(lambda: bool(facts), "a fact is there", during=asyncio.create_task(plays()), seconds=10)


def test_a_wait_that_runs_out_says_what_it_waited_for() -> None:
    with pytest.raises(AssertionError, match="after 0 s still not: the moon is cheese"):
        wait_until(lambda: False, "the moon is cheese", seconds=0.02)


def polls_without_end(source: str) -> list[int]:
    """The lines of `while` loops that only look and sleep, and neither raise, assert nor stand under a timeout.

    A loop that awaits something else as well (an answer, say) has the end of that; so has one that looks at `done()`.
    """
    tree = ast.parse(source)
    bounded = {
        inner
        for outer in ast.walk(tree)
        if isinstance(outer, ast.AsyncWith) and any("timeout" in ast.unparse(it) for it in outer.items)
        for inner in ast.walk(outer)
    }
    return [
        loop.lineno
        for loop in ast.walk(tree)
        if isinstance(loop, ast.While)
        and loop not in bounded
        and any(isinstance(it, ast.Call) and ast.unparse(it.func).endswith("sleep") for it in ast.walk(loop))
        and not any(isinstance(it, ast.Raise | ast.Assert) for it in ast.walk(loop))
        and not any(end in ast.unparse(loop.test) for end in ("time.monotonic()", ".done()"))
        and all(
            ast.unparse(it.value).startswith("asyncio.sleep")
            for it in ast.walk(loop)
            if isinstance(it, ast.Await)
        )
    ]


def test_no_test_polls_without_an_end() -> None:
    files = sorted(TESTS.rglob("*.py"))
    found = {
        str(file.relative_to(TESTS)): polls_without_end(file.read_text(encoding="utf-8")) for file in files
    }

    assert {file: lines for file, lines in found.items() if lines} == {}
    assert len(files) > 100


def test_a_poll_without_an_end_is_found() -> None:
    assert polls_without_end("while not done():\n    time.sleep(1)\n") == [1]

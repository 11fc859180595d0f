"""Every wait ends: with its fact, with the end of the task that should cause the fact, or with its timeout."""

import ast
import asyncio
from pathlib import Path

import pytest

from tests.waiting import until, wait_until, within

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


async def test_a_fact_that_comes_together_with_the_end_still_counts() -> None:
    facts: list[int] = []

    async def plays() -> None:
        facts.append(1)

    await until(lambda: bool(facts), "a fact is there", during=asyncio.create_task(plays()), seconds=10)


def test_a_wait_that_runs_out_says_what_it_waited_for() -> None:
    with pytest.raises(AssertionError, match="after 0 s still not: the moon is cheese"):
        wait_until(lambda: False, "the moon is cheese", seconds=0.02)


async def test_a_poll_that_runs_out_says_what_it_waited_for() -> None:
    with pytest.raises(AssertionError, match="after 0 s still not: the moon is cheese"):
        async with within("the end of the poll", 20):
            await until(lambda: False, "the moon is cheese", seconds=0.02)


async def test_a_block_that_takes_too_long_says_what_it_waited_for() -> None:
    heard = ["a welcome"]

    async def wait() -> None:
        async with within(lambda: f"the moon; heard: {', '.join(heard)}", 0.02):
            heard.append("a view")
            await asyncio.Event().wait()

    with pytest.raises(AssertionError, match="after 0 s still not: the moon; heard: a welcome, a view"):
        await wait()


async def test_a_timeout_inside_the_block_is_not_taken_for_the_end_of_the_wait() -> None:
    async def fail() -> None:
        async with within("anything", 30):
            raise TimeoutError

    with pytest.raises(TimeoutError):
        await fail()


OPEN_ENDED = {"recv", "wait", "until", "communicate", "readline"}
"""Awaits that come back only when somebody else does something."""
WITH_AN_END = ("within", "timeout")
READERS = {"_read", "_listen", "_next", "stand", "never", "_die_in"}
"""Background tasks, which their owner ends; and tasks that hang on purpose."""
TOOLS = ("chaos",)
"""Programs with reports of their own, which no test imports."""


def nameless_waits(source: str) -> list[int]:
    """The lines of waits that could only end with pytest's own timeout, or with a bare `TimeoutError`.

    `asyncio.timeout` and `asyncio.wait_for` may be used where the code itself handles the `TimeoutError`.
    """
    tree = ast.parse(source)
    named: set[ast.AST] = set()
    handled: set[ast.AST] = set()
    for outer in ast.walk(tree):
        if _is_named(outer):
            named |= set(ast.walk(outer))
        elif _handles_timeout(outer):
            handled |= set(ast.walk(outer))
    return [
        it.lineno
        for it in ast.walk(tree)
        if (
            isinstance(it, ast.Attribute)
            and it.attr in ("timeout", "wait_for")
            and ast.unparse(it.value) == "asyncio"
            and it not in handled
        )
        or (
            isinstance(it, ast.Await)
            and isinstance(it.value, ast.Call)
            and isinstance(it.value.func, ast.Attribute)
            and it.value.func.attr in OPEN_ENDED
            and _is_open_ended(it.value)
            and it not in named | handled
        )
    ]


def _is_named(outer: ast.AST) -> bool:
    if isinstance(outer, ast.AsyncWith):
        return any(_calls(it.context_expr, "within") for it in outer.items)
    return isinstance(outer, ast.AsyncFunctionDef) and outer.name in READERS


def _handles_timeout(outer: ast.AST) -> bool:
    if isinstance(outer, ast.With):
        return any("TimeoutError" in ast.unparse(it) for it in outer.items)
    return isinstance(outer, ast.Try) and any(
        it.type is not None and "TimeoutError" in ast.unparse(it.type) for it in outer.handlers
    )


def _calls(expression: ast.expr, *names: str) -> bool:
    return isinstance(expression, ast.Call) and ast.unparse(expression.func).rpartition(".")[2] in names


def _is_open_ended(call: ast.Call) -> bool:
    """Without arguments; or the SDK's `until`, whose only argument is a condition on the room."""
    assert isinstance(call.func, ast.Attribute)
    is_of_the_sdk = call.func.attr == "until" and ast.unparse(call.func.value) not in RECORDERS
    return is_of_the_sdk or (call.func.attr != "until" and not call.args and not call.keywords)


RECORDERS = {"healthy_listener", "late", "listener", "session"}
"""Sessions of `tests/node/test_actor.py`. Their `until` names what it waits for."""


def test_no_test_waits_without_saying_for_what() -> None:
    files = [
        it
        for it in sorted(TESTS.rglob("*.py"))
        if it.name != "waiting.py" and it.relative_to(TESTS).parts[0] not in TOOLS
    ]
    found = {str(it.relative_to(TESTS)): nameless_waits(it.read_text(encoding="utf-8")) for it in files}

    assert {file: lines for file, lines in found.items() if lines} == {}
    assert len(files) > 100


@pytest.mark.parametrize(
    ("source", "is_found"),
    [
        ("await socket.recv()", True),
        ("await event.wait()", True),
        ("await table.until(lambda it: it.phase)", True),
        ("async with asyncio.timeout(5):\n    await socket.recv()", True),
        ("await asyncio.wait_for(task, 5)", True),
        ("async with within('an answer'):\n    await socket.recv()", False),
        (
            "try:\n    await asyncio.wait_for(task, 5)\nexcept TimeoutError:\n    raise AssertionError('late')",
            False,
        ),
        ("await screen.wait(b'ready')", False),
        ("await listener.until(lambda it: it.dropped)", False),
    ],
)
def test_a_wait_without_a_name_is_found(source: str, is_found: bool) -> None:
    assert bool(nameless_waits(source)) is is_found


def polls_without_end(source: str) -> list[int]:
    """The lines of `while` loops that only look and sleep, and neither raise, assert nor stand under a timeout.

    A loop that awaits something else as well (an answer, say) has the end of that; so has one that looks at `done()`.
    """
    tree = ast.parse(source)
    bounded = {
        inner
        for outer in ast.walk(tree)
        if isinstance(outer, ast.AsyncWith)
        and any(_calls(it.context_expr, *WITH_AN_END) for it in outer.items)
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

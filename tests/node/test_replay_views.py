"""Replaying finished games for `/api/replays/ROOM/N/views`: each once, with a short queue."""

import asyncio
import functools
import threading

import pytest

from photofinish.node.replay_views import QueueFull, ReplayViews


async def test_a_game_is_played_again_once_per_seat_however_many_ask() -> None:
    views, played = ReplayViews(), []

    def play(seat: int) -> bytes:
        played.append(seat)
        return b"views of %d" % seat

    asked = [views.get(b"replay", n % 2, functools.partial(play, n % 2)) for n in range(8)]
    assert await asyncio.gather(*asked) == [b"views of 0", b"views of 1"] * 4
    assert sorted(played) == [0, 1]
    assert await views.get(b"another", 0, lambda: b"its own") == b"its own"


async def test_a_request_beyond_the_queue_limit_is_refused_at_once_and_the_others_are_answered() -> None:
    views, gate = ReplayViews(most_waiting=3), threading.Event()

    def play() -> bytes:
        assert gate.wait(30)
        return b"views"

    waiting = [asyncio.ensure_future(views.get(b"%d" % n, None, play)) for n in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(QueueFull):
        await views.get(b"3", None, play)
    gate.set()
    assert await asyncio.gather(*waiting) == [b"views"] * 3
    assert await views.get(b"3", None, play) == b"views"


async def test_requests_that_are_given_up_start_no_further_replays() -> None:
    """A client that disconnects cancels its request. Before, its thread ran on and its place was free."""
    views, gate, playing = ReplayViews(most_waiting=3), threading.Event(), threading.Semaphore(0)

    def play() -> bytes:
        playing.release()
        assert gate.wait(30)
        return b"views"

    waiting = [asyncio.ensure_future(views.get(b"%d" % n, None, play)) for n in range(3)]
    await asyncio.to_thread(playing.acquire)
    for request in waiting:
        request.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    with pytest.raises(QueueFull):
        await views.get(b"3", None, play)
    assert not playing.acquire(blocking=False), "one game at a time"
    gate.set()
    assert await views.get(b"0", None, play) == b"views"


async def test_a_game_that_cannot_be_replayed_frees_its_place_in_the_queue() -> None:
    views = ReplayViews(most_waiting=1)

    def play() -> bytes:
        raise ValueError

    for _ in range(3):
        with pytest.raises(ValueError):  # noqa: PT011 - that of `play`
            await views.get(b"replay", None, play)


async def test_the_oldest_results_are_dropped_when_they_are_too_large_together() -> None:
    views, played = ReplayViews(most_bytes=25), []

    def play(name: bytes) -> bytes:
        played.append(name)
        return b"0123456789"

    for name in (b"a", b"b", b"a", b"c", b"a", b"b"):
        await views.get(name, None, functools.partial(play, name))
    assert played == [b"a", b"b", b"c", b"b"]

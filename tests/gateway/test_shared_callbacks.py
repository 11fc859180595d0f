"""Callbacks that all connections of a gateway share: one timer for their pings, one flush for their short frames."""

import asyncio

from photofinish.gateway.sockets.flushes import Flushes
from photofinish.gateway.sockets.ping_timer import PER_TURN, SLOT, PingTimer
from tests.waiting import until


class Peer:
    """Notes its pings, and the turn of the event loop in which each came."""

    def __init__(self, turns: list[int]) -> None:
        self.pings: list[float] = []
        self.turns = turns

    def beat(self) -> None:
        self.pings.append(asyncio.get_running_loop().time())
        self.turns[-1] += 1


async def test_each_peer_is_pinged_once_and_not_too_early() -> None:
    timer, turns = PingTimer(), [0]
    soon, later = Peer(turns), Peer(turns)
    began = asyncio.get_running_loop().time()
    timer.add(soon, 0.1)
    timer.add(later, 0.3)
    await until(lambda: bool(later.pings), "both are pinged")
    await asyncio.sleep(3 * SLOT)

    assert [len(it.pings) for it in (soon, later)] == [1, 1]
    assert soon.pings[0] - began >= 0.1
    assert later.pings[0] - began >= 0.3
    assert soon.pings[0] < later.pings[0]


async def test_a_removed_peer_is_not_pinged_even_if_it_was_due() -> None:
    timer, turns = PingTimer(), [0]
    peers = [Peer(turns) for _ in range(3 * PER_TURN)]
    slots = {it: timer.add(it, 0.1) for it in peers}
    timer.remove(peers[0], slots[peers[0]])
    await until(lambda: turns[0] > 0, "the first turn")
    rest = [it for it in peers if not it.pings]
    for it in rest:
        timer.remove(it, slots[it])
    await asyncio.sleep(5 * SLOT)

    assert rest
    assert not any(it.pings for it in rest)


async def test_many_pings_that_are_due_together_leave_time_for_other_tasks() -> None:
    timer, turns = PingTimer(), [0]
    loop = asyncio.get_running_loop()
    peers = [Peer(turns) for _ in range(10 * PER_TURN)]
    is_over = False

    def turn() -> None:
        turns.append(0)
        if not is_over:
            loop.call_soon(turn)

    turn()
    for it in peers:
        timer.add(it, 0.1)
    await until(lambda: all(it.pings for it in peers), "all are pinged")
    is_over = True

    assert max(turns) <= PER_TURN


async def test_a_ping_that_fails_stops_no_other() -> None:
    class ClosedPeer(Peer):
        def beat(self) -> None:
            super().beat()
            raise OSError("closed")

    timer, turns = PingTimer(), [0]
    peers = [ClosedPeer(turns), Peer(turns), ClosedPeer(turns), Peer(turns)]
    for it in peers:
        timer.add(it, 0.1)
    await until(lambda: all(it.pings for it in peers), "all are pinged")
    again = Peer(turns)
    timer.add(again, 0.1)
    await until(lambda: bool(again.pings), "the timer still runs")


# Short frames that wait for a longer one are written in the next turn of the event loop at the latest.


class Socket:
    is_broken = False

    def __init__(self) -> None:
        self.flushed = 0

    def flush(self) -> None:
        self.flushed += 1
        if self.is_broken:
            raise RuntimeError("closed")


async def test_all_waiting_sockets_are_flushed_in_the_next_turn_and_one_that_fails_stops_no_other() -> None:
    flushes, sockets = Flushes(), [Socket() for _ in range(3)]
    sockets[0].is_broken = True
    for it in sockets:
        flushes.add(it)
    before = [it.flushed for it in sockets]
    await asyncio.sleep(0)

    assert before == [0, 0, 0]
    assert [it.flushed for it in sockets] == [1, 1, 1]


async def test_a_frame_that_comes_during_a_flush_is_flushed_in_the_turn_after_it() -> None:
    flushes, late = Flushes(), Socket()

    class AddingSocket(Socket):
        def flush(self) -> None:
            flushes.add(late)

    flushes.add(AddingSocket())
    await asyncio.sleep(0)
    during = late.flushed
    await asyncio.sleep(0)

    assert (during, late.flushed) == (0, 1)

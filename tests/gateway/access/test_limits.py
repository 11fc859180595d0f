"""Limits per connection and per address, without sockets."""

import asyncio
import time
from collections.abc import Callable

import pytest

from photofinish.engine import Micros
from photofinish.gateway.access.limits import (
    MINUTE,
    ROOMS_PER_SESSION,
    AddressLimits,
    Allowance,
    ConnectionLimits,
    FrameRate,
    Guesses,
    counted_as,
)
from photofinish.node.room_table import ANONYMOUS
from photofinish.room.budget import SECOND, Bucket
from tests.waiting import within


class Clock:
    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> Micros:
        return Micros(self.now)


async def test_a_client_that_waits_for_a_guess_is_refused_when_none_is_left() -> None:
    guesses = Guesses(2, lambda: Micros(0))
    assert await guesses.begin()
    assert await guesses.begin()
    waiting = [asyncio.ensure_future(guesses.begin()) for _ in range(3)]
    await asyncio.sleep(0)
    guesses.end(is_miss=True)
    guesses.end(is_miss=True)

    async with within("all three are answered"):
        assert await asyncio.gather(*waiting) == [False, False, False]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("@unix", ""),
    ],
)
def test_all_ipv6_addresses_of_one_network_count_as_one(address: str, counted: str) -> None:
    assert counted_as(address) == counted


def test_a_bucket_fills_again() -> None:
    bucket = Bucket(60, MINUTE, Micros(0))
    taken = sum(bucket.may(Micros(0)) for _ in range(100))

    assert taken == 60
    assert not bucket.may(Micros(SECOND - 1))
    assert bucket.may(Micros(SECOND))
    assert not bucket.may(Micros(SECOND))


def test_a_million_addresses_are_forgotten_after_a_while() -> None:
    now = [0]
    limits = AddressLimits(Allowance(), lambda: Micros(now[0]))
    limits.connected("guest")
    for n in range(100_000):
        now[0] += SECOND // 100
        limits.may_ask(f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}")

    assert len(limits) < 5_000
    assert limits.open("guest") == 1


def seconds(work: Callable[[], object]) -> float:
    """Processor time in seconds: the smallest of five runs."""
    tries = []
    for _ in range(5):
        before = time.thread_time()
        work()
        tries.append(time.thread_time() - before)
    return min(tries)


def test_a_refusal_costs_the_same_however_many_came_before() -> None:
    def refuse(count: int) -> None:
        pace = FrameRate(Micros(0))
        for _ in range(count):
            pace.may(Micros(0))

    few, many = seconds(lambda: refuse(500)), seconds(lambda: refuse(8_000))

    assert many < 3 * 16 * few


def test_eleven_refusals_within_a_second_are_a_flood_and_ten_are_not() -> None:
    pace = FrameRate(Micros(0))
    assert all(pace.may(Micros(0)) for _ in range(100))
    for _ in range(10):
        assert not pace.may(Micros(0))
        assert not pace.is_flooding
    assert not pace.may(Micros(0))
    assert pace.is_flooding


def test_rare_refusals_are_not_a_flood() -> None:
    pace = FrameRate(Micros(0))
    for _ in range(100):
        pace.may(Micros(0))
    now = 0
    for _ in range(300):  # 55 per second: five of them are refused
        now += 1_000_000 // 55
        pace.may(Micros(now))
        assert not pace.is_flooding
    for _ in range(11):
        pace.may(Micros(now))
    assert pace.is_flooding, "what was refused long ago does not matter"


def test_connections_are_counted_until_they_are_closed() -> None:
    limits = AddressLimits(Allowance(connections=2), Clock())

    assert [limits.connected("a") for _ in range(3)] == [True, True, False]
    limits.disconnected("a")
    assert limits.open("a") == 2
    assert not limits.connected("a")
    assert limits.connected("b")


def test_a_limit_of_0_means_no_limit() -> None:
    limits = AddressLimits(Allowance(connections=0, requests=0, rooms=0, misses=0), Clock())

    assert all(limits.connected("a") and limits.may_ask("a") and limits.may_open("a") for _ in range(10_000))


def test_requests_and_rooms_of_one_address_are_given_back_with_time() -> None:
    clock = Clock()
    limits = AddressLimits(Allowance(requests=10, rooms=6), clock)

    assert sum(limits.may_ask("a") for _ in range(20)) == 10
    assert sum(limits.may_open("a") for _ in range(20)) == 6
    clock.now += SECOND  # a tenth of the requests' ten seconds, and of the rooms' minute a sixtieth
    assert sum(limits.may_ask("a") for _ in range(20)) == 1
    assert sum(limits.may_open("a") for _ in range(20)) == 0
    clock.now += 9 * SECOND
    assert sum(limits.may_open("a") for _ in range(20)) == 1


def test_rooms_per_connection_and_minute_are_limited_whatever_the_limit_of_the_address() -> None:
    limits = ConnectionLimits(AddressLimits(Allowance(rooms=0), Clock()), "192.0.2.7", Micros(0))

    assert sum(limits.may_open(Micros(0)) for _ in range(100)) == ROOMS_PER_SESSION


def test_the_opener_of_a_room_is_a_hash_of_the_address() -> None:
    limits = AddressLimits(Allowance(open_rooms=7), Clock())
    one, same, other = (
        ConnectionLimits(limits, address, Micros(0)).opener
        for address in ("192.0.2.7", "192.0.2.7", "192.0.2.8")
    )

    assert one == same
    assert one != other
    assert b"192" not in one.mark
    assert one.most == 7
    assert ConnectionLimits(limits, "", Micros(0)).opener == ANONYMOUS


async def test_only_wrong_guesses_count_and_they_are_limited() -> None:
    guesses = Guesses(3, Clock())
    for _ in range(20):
        assert await guesses.begin()
        guesses.end(is_miss=False)
    for _ in range(3):
        assert await guesses.begin()
        guesses.end(is_miss=True)

    assert not await guesses.begin()


async def test_each_connection_without_an_address_has_its_own_limit_of_guesses() -> None:
    limits = AddressLimits(Allowance(misses=1), Clock())
    one, other = ConnectionLimits(limits, "", Micros(0)), ConnectionLimits(limits, "", Micros(0))
    assert await one.guess()
    one.guessed(is_miss=True)

    assert not await one.guess()
    assert await other.guess()


async def test_a_waiting_guess_that_is_cancelled_passes_its_turn_on() -> None:
    guesses = Guesses(1, Clock())
    assert await guesses.begin()
    first, second = (asyncio.ensure_future(guesses.begin()) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    guesses.end(is_miss=False)

    async with within("the second one gets the turn of the first"):
        assert await second

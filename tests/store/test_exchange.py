"""One exchange with a real Redis: answers in order, and a clear failure if it is silent or gone."""

from collections.abc import AsyncIterator

import pytest
import redis.asyncio
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError

from photofinish.store.exchange import SingleExchange


@pytest.fixture
async def client(redis_url: str) -> AsyncIterator[redis.asyncio.Redis]:
    made = redis.asyncio.from_url(redis_url)
    yield made
    await made.aclose()


@pytest.fixture
async def exchange(client: redis.asyncio.Redis) -> AsyncIterator[SingleExchange]:
    made = SingleExchange(client, 0.5)
    yield made
    await made.close()


async def test_answers_come_in_order_and_an_error_takes_the_place_of_its_answer(
    exchange: SingleExchange,
) -> None:
    answers = await exchange.exchange([(b"ECHO", b"1"), (b"NONSENSE",), (b"ECHO", b"x" * 100_000)])

    assert (answers[0], len(answers[2])) == (b"1", 100_000)
    assert isinstance(answers[1], ResponseError)


async def test_a_silent_redis_is_a_timeout_and_the_next_exchange_opens_a_new_connection(
    exchange: SingleExchange,
) -> None:
    with pytest.raises(TimeoutError, match=r"no answer in 0\.5 s"):
        await exchange.exchange([(b"BLPOP", b"nothing", b"0")])

    assert not exchange.is_ready
    assert await exchange.exchange([(b"ECHO", b"2")]) == [b"2"]


async def test_a_connection_that_redis_closes_fails_the_exchange_on_it(
    exchange: SingleExchange, client: redis.asyncio.Redis
) -> None:
    (own,) = await exchange.exchange([(b"CLIENT", b"ID")])
    with pytest.raises(RedisConnectionError, match="closed"):
        await exchange.exchange(
            [(b"CLIENT", b"KILL", b"ID", b"%d" % own, b"SKIPME", b"no"), (b"BLPOP", b"no", b"0")]
        )

    assert await exchange.exchange([(b"ECHO", b"3")]) == [b"3"]

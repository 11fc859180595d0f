"""Requests on one connection, on a real Redis: one that is refused does not harm its neighbours."""

import asyncio

from redis.exceptions import ResponseError

from photofinish.store.redis import RedisStore

KEY = "photofinish:test"


async def test_a_request_that_redis_refuses_fails_alone(store: RedisStore) -> None:
    execute = store._client.execute
    requests = [
        execute("SET", KEY, "text", key=KEY),
        execute("INCR", KEY, key=KEY),
        execute("GET", KEY, key=KEY),
    ]
    _, refused, found = await asyncio.gather(*requests, return_exceptions=True)

    assert isinstance(refused, ResponseError)
    assert found == b"text"

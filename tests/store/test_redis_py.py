"""What the pipeline uses of redis-py beyond its documented interface. `pyproject.toml` pins redis below 9 for it."""

import asyncio
import inspect
import math

import redis.asyncio
from redis._parsers.hiredis import NOT_ENOUGH_DATA
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.exceptions import ResponseError


def names(function: object) -> set[str]:
    return set(inspect.signature(function).parameters)  # type: ignore[arg-type]


def test_a_connection_sends_packed_bytes_and_reads_answers_without_a_timer_of_its_own() -> None:
    assert {"command", "check_health"} <= names(AbstractConnection.send_packed_command)
    assert "timeout" in names(AbstractConnection.read_response)
    assert "nowait" in names(AbstractConnection.disconnect)


def test_a_pool_lends_a_connection_and_takes_it_back() -> None:
    assert inspect.iscoroutinefunction(ConnectionPool.get_connection)
    assert inspect.iscoroutinefunction(ConnectionPool.release)


def test_a_cluster_tells_which_node_has_a_key_and_how_to_connect_to_it() -> None:
    assert {"node_name"} <= names(redis.asyncio.RedisCluster.get_node)
    assert {"key"} <= names(redis.asyncio.RedisCluster.get_node_from_key)
    assert {"connection_class", "connection_kwargs"} <= names(ClusterNode.__init__) | set(
        ClusterNode.__slots__
    )


async def test_one_connection_answers_a_batch_in_order_and_a_refusal_in_its_place(redis_url: str) -> None:
    client = redis.asyncio.from_url(redis_url)
    connection = await client.connection_pool.get_connection()
    try:
        await connection.send_packed_command(b"PING\r\nNONSENSE\r\nECHO hi\r\n", check_health=False)
        answers = []
        for _ in range(3):
            try:
                answers.append(await connection.read_response(timeout=math.inf))
            except ResponseError as refusal:
                answers.append(type(refusal).__name__)
    finally:
        await connection.disconnect(nowait=True)
        await client.connection_pool.release(connection)
        await client.aclose()

    assert answers == [b"PONG", "ResponseError", b"hi"]


async def test_an_open_connection_has_a_transport_and_a_reader_that_the_exchange_takes_over(
    redis_url: str,
) -> None:
    client = redis.asyncio.from_url(redis_url)
    connection = await client.connection_pool.get_connection()
    try:
        assert isinstance(connection._writer.transport, asyncio.Transport)
        assert connection._parser._reader.gets() is NOT_ENOUGH_DATA
    finally:
        await connection.disconnect(nowait=True)
        await client.connection_pool.release(connection)
        await client.aclose()

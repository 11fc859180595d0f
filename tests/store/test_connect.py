"""A Redis by its URL: password, TLS, Sentinel, and what an operator is told when it cannot be reached."""

import asyncio
import ssl
import subprocess
from pathlib import Path
from typing import Any

import pytest

from photofinish.store.connect import BadUrl, connect
from photofinish.store.ports import RoomId, StoreAway
from photofinish.store.redis import RedisStore
from tests.store.conftest import NORTH, ROOM, write
from tests.store.servers import HOST, answers, free_port, sentinel, server
from tests.waiting import wait_until

PASSWORD = "open sesame"


async def plays(url: str, **settings: Any) -> list[tuple[int, bytes]]:
    """Create a table, make a move, and read it back."""
    store = await RedisStore.open(url, **settings)
    lease = await store.create(ROOM, NORTH, b"state 0", b"")
    assert lease is not None
    await store.commit(write(lease, 1))
    entries = await store.log(ROOM, 1)
    await store.close()
    return entries


async def test_a_redis_with_a_password_is_used(tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path / "redis", port, password=PASSWORD):
        assert await plays(f"redis://:open%20sesame@{HOST}:{port}/3") == [(1, b"entry 1")]
        with pytest.raises(StoreAway) as refusal:
            await RedisStore.open(f"redis://:wrong@{HOST}:{port}")

    assert "wrong" not in str(refusal.value).lower().replace("wrongpass", "")


async def test_a_redis_behind_tls_is_used(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    words += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    await asyncio.to_thread(subprocess.run, words, check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    port = free_port()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while some := await reader.read(65_536):
            writer.write(some)
        writer.close()

    async def terminate(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind, ahead = await asyncio.open_connection(HOST, port)
        await asyncio.gather(carry(reader, ahead), carry(behind, writer))

    with server(tmp_path / "redis", port):
        front = await asyncio.start_server(terminate, HOST, 0, ssl=context)
        door = f"localhost:{front.sockets[0].getsockname()[1]}"
        assert await plays(f"rediss://{door}?ssl_ca_certs={certificate}") == [(1, b"entry 1")]
        with pytest.raises(StoreAway):  # the certificate is not trusted
            await RedisStore.open(f"rediss://{door}")
        front.close()


async def test_sentinel_is_asked_for_the_master_and_followed_to_the_next_one(tmp_path: Path) -> None:
    first, second = free_port(), free_port()
    shared = ("--masterauth", PASSWORD, "--repl-diskless-sync-delay", "0")
    settings = (f'auth-pass tables "{PASSWORD}"', "down-after-milliseconds tables 500")
    with (
        server(tmp_path / "first", first, *shared, password=PASSWORD) as master,
        server(tmp_path / "second", second, *shared, "--replicaof", f"{HOST} {first}", password=PASSWORD),
        sentinel(tmp_path / "sentinel", first, 1, *settings) as watcher,
    ):
        store = await RedisStore.open(
            f"redis+sentinel://:open%20sesame@{HOST}:{watcher}/tables", timeout_seconds=0.5
        )
        lease = await store.create(ROOM, NORTH, b"state 0", b"")
        assert lease is not None
        await store.commit(write(lease, 1))
        await asyncio.to_thread(wait_until, lambda: holds(second, 1), "the replica has the move")
        await asyncio.to_thread(wait_until, lambda: knows_replica(watcher), "the sentinel knows the replica")
        master.kill()
        await store.commit(write(lease, 2))  # waits for the failover, then goes on
        entries = await store.log(ROOM, 1)
        await store.close()

    assert entries == [(1, b"entry 1"), (2, b"entry 2")]


def holds(port: int, version: int) -> bool:
    import redis

    from photofinish.store.keys import room_of

    with redis.Redis(HOST, port, password=PASSWORD) as client:
        return bool(client.hget(room_of(ROOM), "version") == str(version).encode())


def knows_replica(port: int) -> bool:
    import redis

    with redis.Redis(HOST, port) as client:
        replicas = client.sentinel_slaves("tables")
        return [replica["master-link-status"] for replica in replicas] == ["ok"]


async def test_a_cluster_that_cannot_be_reached_is_reported() -> None:
    with pytest.raises(StoreAway):
        await RedisStore.open(f"redis+cluster://{HOST}:{free_port()}", timeout_seconds=0.5)


async def test_a_redis_that_cannot_be_reached_is_reported() -> None:
    port = free_port()
    assert not answers(port)

    with pytest.raises(StoreAway):
        await RedisStore.open(f"redis://{HOST}:{port}", timeout_seconds=0.5)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://localhost", "begins with"),
        ("localhost:6379", "begins with"),
        ("redis+sentinel://:secret@localhost:26379", "names the service"),
        ("redis+cluster://:secret@", "not host:port"),
        ("redis+cluster://:secret@host:port", "not host:port"),
        ("redis://ada:secret#x@localhost", "%23 for #"),
        ("redis://ada:secret/x@localhost", "%2F for /"),
        ("rediss://:secret?x@localhost:6379", r"%3F for \?"),
        ("redis://ada:p@secret#x@localhost", "must be escaped"),
        ("redis+sentinel://:secret#x@localhost:26379/tables", "must be escaped"),
        ("redis+cluster://:secret/x@localhost", "must be escaped"),
        ("redis://:secret@localhost?nosuch=1", "unknown option: 'nosuch'"),
        ("redis+sentinel://:secret@localhost/tables?nosuch=1", "unknown option: 'nosuch'"),
        ("redis+cluster://:secret@localhost?nosuch=1", "unknown option: 'nosuch'"),
        ("unix://:secret@/tmp/redis.sock?nosuch=1", "unknown option: 'nosuch'"),
    ],
)
async def test_a_bad_url_is_refused_without_repeating_its_password(url: str, says: str) -> None:
    with pytest.raises(BadUrl, match=says) as refusal:
        await RedisStore.open(url)

    assert "secret" not in str(refusal.value)


def test_an_at_sign_in_an_option_or_a_unix_path_is_no_part_of_a_password() -> None:
    for url in ("redis://localhost?client_name=a@b", "unix:///tmp/a@b.sock", "redis://:p%23%2F%3F@localhost"):
        kwargs = connect(url, timeout_seconds=1).client.connection_pool.connection_kwargs
        assert kwargs.get("password") in {None, "p#/?"}


async def test_a_full_redis_makes_a_table_wait_until_there_is_room_again(redis_url: str) -> None:
    import redis

    store = await RedisStore.open(redis_url)
    lease = await store.create(RoomId("OWL"), NORTH, b"state 0", b"")
    assert lease is not None
    with redis.from_url(redis_url) as operator:
        operator.config_set("maxmemory", 1)
        before = store.trips
        # The second must not overtake the first, or it would find the wrong version and lose the room.
        moves = asyncio.gather(*(store.commit(write(lease, version)) for version in (1, 2, 3)))
        try:
            await asyncio.to_thread(
                wait_until, lambda: store.trips > before + 2, "the moves were tried again"
            )
            waits = not moves.done()
        finally:
            operator.config_set("maxmemory", 0)  # other tests use this server too
    await moves
    entries = await store.log(RoomId("OWL"), 1)
    await store.close()

    assert waits
    assert entries == [(1, b"entry 1"), (2, b"entry 2"), (3, b"entry 3")]

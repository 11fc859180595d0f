"""The store on a single Redis and on a cluster: every test of the contract runs on both."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest
import redis

from photofinish.store.ports import Lease, NodeId, RoomId, Write
from photofinish.store.redis import RedisStore
from tests.store.servers import HOST, cluster

ROOM = RoomId("FOX")
NORTH, SOUTH = NodeId("north"), NodeId("south")

OpenStore = Callable[..., Awaitable[RedisStore]]


def write(lease: Lease, version: int, **changes: object) -> Write:
    """A commit with default fields; pass those that matter to the test."""
    usual: dict[str, object] = {
        "command": f"{lease.room}-{version}",
        "state": b"state %d" % version,
        "game": 1,
        "entries": (b"entry %d" % version,),
    }
    return Write(lease, version, **(usual | changes))  # type: ignore[arg-type]  # the fields of Write


@pytest.fixture(scope="session")
def cluster_ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[int]]:
    with cluster(tmp_path_factory.mktemp("cluster")) as ports:
        yield ports


@pytest.fixture(params=["single", "cluster"])
def url(request: pytest.FixtureRequest) -> str:
    if request.param == "single":
        address: str = request.getfixturevalue("redis_url")
        return address
    ports: list[int] = request.getfixturevalue("cluster_ports")
    for port in ports:
        with redis.Redis(HOST, port) as client:
            client.flushall()
    return "redis+cluster://" + ",".join(f"{HOST}:{port}" for port in ports)


@pytest.fixture
async def open_store(url: str) -> AsyncIterator[OpenStore]:
    """Opens further stores on the same Redis, as other nodes do."""
    stores: list[RedisStore] = []

    async def open_one(**settings: object) -> RedisStore:
        stores.append(await RedisStore.open(url, **settings))  # type: ignore[arg-type]  # lease_ms, timeout_seconds
        return stores[-1]

    yield open_one
    for store in stores:
        await store.close()


@pytest.fixture
async def store(open_store: OpenStore) -> RedisStore:
    return await open_store()


@pytest.fixture
async def brief(open_store: OpenStore) -> RedisStore:
    """A store whose leases expire at once."""
    return await open_store(lease_ms=0)


@pytest.fixture
async def lease(store: RedisStore) -> Lease:
    """North's lease of a new room."""
    given = await store.create(ROOM, NORTH, b"state 0", b"a table")
    assert given is not None
    return given

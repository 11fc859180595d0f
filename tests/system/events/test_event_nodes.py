"""S14 and presence: stolen names, replayed proofs, lost keys; and an event on two server processes."""

import asyncio
import json

import pytest

from photofinish.commands.shared.event_check import check_event
from photofinish.games import all_games
from photofinish.store.keys import event_of, replay_of
from photofinish.store.ports import NodeId, RoomId
from photofinish.store.redis import RedisStore
from photofinish_client.client import connect
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import CheckIn, Enter, EventBots, EventDo, Rebind, Sit
from photofinish_protocol.reasons import Reason
from tests.system.conftest import ServerProcess
from tests.system.events.test_events import create, info, page, reason_of, results_of, toml, until
from tests.waiting import until as until_so
from tests.waiting import within

pytestmark = pytest.mark.system

ARENA = """title = "Arena"
game = "reflex"
format = "arena"
[clock]
check_in_minutes = 0
arena_minutes = 5
tick_seconds = 1
no_show_seconds = 100
[options]
flashes = 1
gap_ms = 400
window_ms = 400
"""


async def test_S14_a_stolen_name_a_replayed_proof_and_the_old_key_after_a_rebind_are_refused(
    server: ServerProcess,
) -> None:
    old, new, eve_key = PlayerKey.new(), PlayerKey.new(), PlayerKey.new()
    async with (
        connect(server.url, name="Host", key=PlayerKey.new()) as host,
        connect(server.url, name="Ada", key=old) as ada,
        connect(server.url, name="A D A", key=eve_key) as eve,
        connect(server.url, name="Nobody") as nobody,
        connect(server.url, name="Bo", key=PlayerKey.new()) as bo,
    ):
        event = await create(host, toml())
        await host.request(EventDo(id=0, event=event, do="open"))
        for player in (ada, bo):
            await player.request(Enter(id=0, event=event))
            await player.request(CheckIn(id=0, event=event))
        assert await reason_of(eve, Enter(id=0, event=event)) is Reason.NAME_TAKEN
        assert ada.session.welcome is not None
        proof = old.proof(server.url, ada.session.welcome.challenge, "Ada")
        assert await reason_of(nobody, proof) is Reason.BAD_SIGNATURE, "the challenge of another connection"
        await host.request(EventDo(id=0, event=event, do="start"))
        await until(server, event, lambda it: it["round_state"] == "playing")
        lost = Rebind(id=0, event=event, entrant=old.public, key=new.public, reason="Lost phone.")
        await host.request(lost)
        assert await reason_of(ada, Sit(id=0, event=event)) is Reason.NOT_CALLED, "the old key cannot sit"
        async with connect(server.url, name="Ada", key=new, sits_by_itself=True) as again:
            await until_so(lambda: again.room is not None, "the new key is called and seated")

        rows = await info(server, event, "/entrants")
        assert sorted(it["name"] for it in rows) == ["Ada", "Bo"]
        assert {it["key"] for it in rows} & {old.public, new.public} == {new.public}


async def test_T34_T68_players_on_two_nodes_are_present_for_the_director_and_are_paired(
    nodes: list[ServerProcess],
) -> None:
    one, two = nodes
    async with (
        connect(one.url, name="Host", key=PlayerKey.new()) as host,
        connect(one.url, name="Ada", key=PlayerKey.new(), sits_by_itself=True) as ada,
        connect(two.url, name="Bo", key=PlayerKey.new(), sits_by_itself=True) as bo,
    ):
        event = await create(host, ARENA)
        await host.request(EventDo(id=0, event=event, do="open"))
        for player in (ada, bo):
            await player.request(Enter(id=0, event=event))
            await player.request(CheckIn(id=0, event=event))
        await host.request(EventDo(id=0, event=event, do="start"))
        # Whichever node directs: it pairs Ada with Bo only if it knows that the other node has the other one.
        await until_so(lambda: ada.room is not None and bo.room is not None, "both are called and seated")
        assert ada.room is not None
        assert bo.room is not None
        assert ada.room.room == bo.room.room
        (table,) = await info(two, event, "/tables")
        assert sorted(table["seats"]) == [1, 2]

    # Both are gone from their nodes: nobody is paired any more, and the event goes on by its clock.
    await asyncio.to_thread(one.kill)
    found = await until(two, event, lambda it: it["state"] == "running")
    assert found["entrants"] == 2
    await asyncio.to_thread(one.start)


MATCHES = (
    ARENA.replace('"arena"', '"swiss"\nrounds = 1\nbest_of = 5\nrehearsal = true')
    .replace("arena_minutes = 5\ntick_seconds = 1", "break_seconds = 0\ndispute_seconds = 30")
    .replace("flashes = 1", "flashes = 8")
)
LEASE = 5.0
"""Seconds after which another node directs an event whose director is silent (T16)."""


async def test_S16_a_director_that_was_frozen_does_not_write_beside_its_successor(
    nodes: list[ServerProcess],
    redis_url: str,
) -> None:
    """Each node stands still for longer than its lease, then goes on as if nothing had been: one of them directed."""
    one, two = nodes
    store = await RedisStore.open(redis_url)
    redis = store.events(NodeId("test"))._client

    async def epoch() -> int:
        return int(await redis.execute("HGET", event_of(event), "epoch", key=event_of(event)))

    async with connect(one.url, name="Host", key=PlayerKey.new()) as host:
        event = await create(host, MATCHES)
        await host.request(EventDo(id=0, event=event, do="open"))
        await host.request(EventBots(id=0, event=event, bots=8))
        await host.request(EventDo(id=0, event=event, do="start"))
    await until(one, event, lambda it: it["round_state"] == "playing")
    epochs = [await epoch()]
    for frozen in (one, two):
        frozen.freeze()
        await asyncio.sleep(LEASE + 1)
        epochs.append(await epoch())
        frozen.thaw()
    assert len(set(epochs)) > 1, "the frozen director was replaced"
    assert epochs == sorted(epochs)
    await until(one, event, lambda it: it["state"] == "finished")
    for node in nodes:
        _, log, _ = await asyncio.to_thread(page, node, f"/api/events/{event}/log")
        numbers = [json.loads(json.loads(line)["body"])["n"] for line in log.splitlines()]
        assert numbers == list(range(len(numbers))), "no gap, no double number"
        assert len(results_of(log)) == len(set(results_of(log))) >= 4 * 3
        _, raw, _ = await asyncio.to_thread(page, node, f"/api/events/{event}/export.zip")
        assert check_event(raw, all_games()) == ()
    await store.close()


async def test_T75_replays_do_not_expire_while_their_event_runs_and_are_kept_for_30_days_after_it(
    server: ServerProcess,
) -> None:
    """Before, they expired 30 days after the game, and the export of a long event was incomplete."""
    async with connect(server.url, name="Host", key=PlayerKey.new()) as host:
        file = ARENA.replace("tick_seconds = 1", "tick_seconds = 1\ndispute_seconds = 30")
        event = await create(host, file.replace("[clock]", "rehearsal = true\n[clock]"))
        await host.request(EventDo(id=0, event=event, do="open"))
        await host.request(EventBots(id=0, event=event, bots=2))
        await host.request(EventDo(id=0, event=event, do="start"))

        async def first_result() -> str:
            async with within("a game has its result", 100):
                while True:
                    _, raw, _ = await asyncio.to_thread(page, server, f"/api/events/{event}/log")
                    if rooms := results_of(raw):
                        return rooms[0]
                    await asyncio.sleep(0.3)

        key = replay_of(RoomId(await first_result()), 1)
        store = await RedisStore.open(server.redis_url)
        redis = store.events(NodeId("test"))._client
        assert await redis.execute("TTL", key, key=key) == -1
        await host.request(EventDo(id=0, event=event, do="cancel", reason="rain"))
        async with within("the replay is kept for a month"):
            while True:
                left = await redis.execute("TTL", key, key=key)
                if left >= 0:
                    break
                await asyncio.sleep(0.1)
        assert 30 * 24 * 3600 - 60 <= left <= 30 * 24 * 3600
        await store.close()

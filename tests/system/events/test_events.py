"""Events on a real server: keys, rooms bound to them, results, a killed server, exports (T1 to T9, T15 to T21, T69)."""

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from photofinish.commands.shared.event_check import check_event
from photofinish.games import all_games
from photofinish_client.bots import RandomPlayer
from photofinish_client.client import connect
from photofinish_client.errors import RequestRefused
from photofinish_client.events.player import play_event
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import (
    CheckIn,
    Enter,
    EventBots,
    EventCreate,
    EventDo,
    EventGot,
    Request,
    Start,
    Withdraw,
)
from photofinish_protocol.reasons import Reason
from tests.system.conftest import ServerProcess
from tests.waiting import code_of, within
from tests.waiting import until as waiting_until

pytestmark = [pytest.mark.system, pytest.mark.timeout(420)]

EVENT = """title = "Test"
game = "cambio"
format = "swiss"
rounds = {rounds}
{more}
[clock]
check_in_minutes = 0
break_seconds = 0
dispute_seconds = 30
no_show_seconds = {patience}
[options]
target_points = 1
look_seconds = 1
show_seconds = 1
give_seconds = 1
race_min_ms = 300
turn_seconds = 5
"""


def toml(rounds: int = 1, more: str = "", patience: int = 120) -> str:
    return EVENT.format(rounds=rounds, more=more, patience=patience)


def page(server: ServerProcess, path: str, mark: str = "") -> tuple[int, bytes, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}")
    if mark:
        request.add_header("If-None-Match", mark)
    try:
        with urllib.request.urlopen(request, timeout=20) as reply:
            return reply.status, reply.read(), reply.headers.get("ETag") or ""
    except urllib.error.HTTPError as fault:
        return fault.code, fault.read(), ""


async def info(server: ServerProcess, event: str, part: str = "") -> Any:
    status, raw, _ = await asyncio.to_thread(page, server, f"/api/events/{event}{part}")
    assert status == 200, raw
    return json.loads(raw)


async def until(server: ServerProcess, event: str, is_so: Any, seconds: float = 240) -> Any:
    """Wait for a fact about the event. A server that starts again does not answer for a moment."""
    found: Any = None
    async with within(lambda: f"what {code_of(is_so)} waits for; the event is {found}", seconds):
        while True:
            try:
                found = await info(server, event)
                if is_so(found):
                    return found
            except (OSError, AssertionError):
                pass
            await asyncio.sleep(0.3)


async def reason_of(table: Any, message: Request) -> Reason:
    with pytest.raises(RequestRefused) as caught:
        await table.request(message)
    return caught.value.reason


async def create(table: Any, text: str) -> str:
    got = (await table.request(EventCreate(id=0, toml=text))).got
    assert isinstance(got, EventGot)
    return got.event


def results_of(log: bytes) -> list[str]:
    bodies = [json.loads(json.loads(line)["body"]) for line in log.splitlines()]
    return [it["room"] for it in bodies if it["e"] == "result" and not it["ignored"]]


async def test_T21_a_killed_server_goes_on_with_the_round_and_the_export_verifies(
    server: ServerProcess,
) -> None:
    async with connect(server.url, name="Host", key=PlayerKey.new()) as host:
        event = await create(host, toml(more="rehearsal = true"))
        await host.request(EventDo(id=0, event=event, do="open"))
        await host.request(EventBots(id=0, event=event, bots=4))
        await host.request(EventDo(id=0, event=event, do="start"))
        await until(server, event, lambda it: it["round_state"] == "playing")
        server.kill()
        server.start()
    found = await until(server, event, lambda it: it["state"] == "finished")
    assert found["round"] == 1
    _, log, _ = await asyncio.to_thread(page, server, f"/api/events/{event}/log")
    assert len(results_of(log)) == len(set(results_of(log))) == 2, "no result lost, none counted twice"
    status, raw, _ = await asyncio.to_thread(page, server, f"/api/events/{event}/export.zip")
    assert status == 200
    assert check_event(raw, all_games()) == ()
    rows = await info(server, event, "/standings")
    assert [it["rank"] for it in rows] == [1, 2, 3, 4]


async def test_T1_T6_players_with_keys_are_called_seated_and_nobody_else_sits_there(
    server: ServerProcess,
) -> None:
    host_key, ada, bo = PlayerKey.new(), PlayerKey.new(), PlayerKey.new()
    async with connect(server.url, name="Host", key=host_key) as host:
        event = await create(host, toml())
        await host.request(EventDo(id=0, event=event, do="open"))
        rooms: list[str] = []
        players = [
            asyncio.create_task(
                play_event(
                    server.url, event, key, name, RandomPlayer(), on_call=lambda it: rooms.append(it.room)
                )
            )
            for key, name in ((ada, "Ada"), (bo, "Bo"))
        ]
        await until(server, event, lambda it: it["entrants"] == 2)
        async with connect(server.url, name="Eve", key=PlayerKey.new()) as eve:
            assert await reason_of(eve, EventDo(id=0, event=event, do="start")) is Reason.NOT_ORGANISER
            await host.request(EventDo(id=0, event=event, do="start"))
            await until(server, event, lambda it: it["round_state"] == "playing")
            await waiting_until(lambda: len(rooms) == 2, "both players are called")
            assert len(set(rooms)) == 1
            with pytest.raises(RequestRefused) as caught:
                await eve.join(rooms[0])
            assert caught.value.reason is Reason.SEAT_TAKEN
            assert await reason_of(eve, Enter(id=0, event=event)) is Reason.REGISTRATION_CLOSED
            assert await reason_of(eve, Withdraw(id=0, event=event)) is Reason.NOT_ENTERED
        await until(server, event, lambda it: it["state"] == "finished")
        for it in players:
            it.cancel()
        await asyncio.gather(*players, return_exceptions=True)
    status, raw, _ = await asyncio.to_thread(page, server, f"/api/events/{event}/export.zip")
    assert status == 200
    assert check_event(raw, all_games()) == ()
    points = [it["points_840"] for it in await info(server, event, "/standings")]
    assert sum(points) == 2 * 840
    rated = [json.loads(json.loads(line)["body"]) for line in (await log_of(server, event)).splitlines()]
    assert {it["key"] for it in rated if it["e"] == "rated"} == {ada.public, bo.public}


async def log_of(server: ServerProcess, event: str) -> bytes:
    return (await asyncio.to_thread(page, server, f"/api/events/{event}/log"))[1]


async def test_bad_input_gets_a_coded_answer_and_changes_nothing(server: ServerProcess) -> None:
    key = PlayerKey.new()
    async with connect(server.url, name="Nobody") as table:
        assert await reason_of(table, EventCreate(id=0, toml=toml())) is Reason.NOT_IDENTIFIED
        welcome = table.session.welcome
        assert welcome is not None
        proof = key.proof(server.url, welcome.challenge, "Nobody")
    async with connect(server.url, name="Nobody") as table:
        assert await reason_of(table, proof) is Reason.BAD_SIGNATURE  # replayed on another connection
        own = key.proof(server.url, table.session.welcome.challenge, "Nobody")
        assert await reason_of(table, own) is Reason.BAD_SIGNATURE  # a challenge is good for one proof
    async with connect(server.url, name="Host", key=key) as host:
        with pytest.raises(RequestRefused) as caught:
            await host.request(EventCreate(id=0, toml='title = "x"\ngmae = "cambio"\nformat = "swiss"\n'))
        assert caught.value.reason is Reason.BAD_EVENT
        assert "line 2: gmae" in str(caught.value)
        event = await create(host, toml())
        assert await reason_of(host, EventDo(id=0, event=event, do="start")) is Reason.WRONG_STATE
        assert await reason_of(host, EventBots(id=0, event=event, bots=4)) is Reason.NOT_ALLOWED
        assert await reason_of(host, Enter(id=0, event="NOSUCH")) is Reason.NO_SUCH_EVENT
        await host.request(EventDo(id=0, event=event, do="open"))
        assert await reason_of(host, EventDo(id=0, event=event, do="start")) is Reason.TOO_FEW
        assert await reason_of(host, Enter(id=0, event=event)) is Reason.NOT_ALLOWED  # officials do not play
        assert await reason_of(host, CheckIn(id=0, event=event)) is Reason.NOT_ENTERED
        assert await reason_of(host, Start(id=0)) is Reason.NOT_IN_A_ROOM
        before = await info(server, event)
        assert (before["state"], before["entries"]) == ("open", 2)
        status, _, mark = await asyncio.to_thread(page, server, f"/api/events/{event}")
        assert status == 200
        assert (await asyncio.to_thread(page, server, f"/api/events/{event}", mark))[0] == 304
        await host.request(EventDo(id=0, event=event, do="cancel", reason="rain"))
    statuses = {path: (await asyncio.to_thread(page, server, path))[0] for path in (
        "/api/events", "/api/events/NOSUCH", f"/api/events/{event}/nothing", f"/api/events/{event}/rounds/1",
        f"/events/{event}.ics", f"/events/{event}.atom", f"/api/events/{event}/report", f"/api/events/{event}/bracket",
    )}  # fmt: skip
    assert list(statuses.values()) == [200, 404, 404, 404, 200, 200, 200, 200]

"""The log of an event only grows and stays in memory: its officials cannot fill the node with it. T15, T40."""

import asyncio
from itertools import cycle

import pytest

from photofinish.app import App
from photofinish.tournament.director import request_handler
from photofinish_client.keys import PlayerKey
from tests.attacks.events.test_event_requests import enter, host_of, reason_of
from tests.attacks.local_server import local_server
from tests.system.raw import Raw
from tests.tournament.course import key_of, toml


async def opened(raw: Raw, app: App, *more: str) -> str:
    """An open event whose organiser is this connection."""
    await enter(raw, PlayerKey.new(), host_of(app), "Ada")
    event: str = (await raw.request("event_create", toml=toml("reflex", "swiss", *more)))["got"]["event"]
    await raw.request("event_do", event=event, do="open")
    return event


async def test_an_organiser_cannot_make_entries_without_end_and_can_still_cancel(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, ten organisers who edited their files 45 times per second took 2.8 MB of memory per second."""
    monkeypatch.setattr(request_handler, "OFFICIAL_ENTRIES", 8)
    async with local_server(redis_url, no_limits=True) as app, Raw(app.url) as raw, Raw(app.url) as other:
        event = await opened(raw, app)
        appoint = {"event": event, "role": "referee", "keys": [key_of(7)]}
        steps = cycle([False, True])
        answers = [reason_of(await raw.request("appoint", **appoint, away=next(steps))) for _ in range(12)]
        assert answers == [None] * 6 + ["not_allowed"] * 6, "two were made by `event_create` and `open`"
        entries = (await raw.request("follow", event=event))["got"]["entries"]
        assert entries == 8

        await enter(other, PlayerKey.new(), host_of(app), "Bo")
        assert reason_of(await other.request("enter", event=event)) is None, "players are not concerned"
        for _ in range(request_handler.PER_ENTRANT):
            assert reason_of(await raw.request("appoint", **appoint, away=next(steps))) is None
        assert reason_of(await raw.request("appoint", **appoint, away=next(steps))) == "not_allowed"
        assert reason_of(await raw.request("event_do", event=event, do="start")) == "not_allowed"
        assert reason_of(await raw.request("event_do", event=event, do="cancel", reason="full")) is None


async def test_the_file_of_an_event_is_replaced_a_limited_number_of_times(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_handler, "EDITS", 3)
    async with local_server(redis_url, no_limits=True) as app, Raw(app.url) as raw:
        event = await opened(raw, app)
        files = [toml("reflex", "swiss", f"max_entrants = {n}") for n in range(8, 14)]
        answers = [reason_of(await raw.request("event_edit", event=event, toml=file)) for file in files]

        assert answers == [None] * 3 + ["not_allowed"] * 3
        assert reason_of(await raw.request("admit", event=event, names=[{"name": "Bo"}])) is None


async def test_requests_at_once_cannot_seat_more_bots_than_one_after_the_other(redis_url: str) -> None:
    """Before, requests sent at once were all admitted, because none of them was stored when each was counted."""
    settings = {"rehearsal_bots": 6, "no_limits": False}
    async with local_server(redis_url, **settings) as app:
        hosts = [Raw(app.url) for _ in range(5)]
        for it in hosts:
            await it.__aenter__()
        events = [await opened(it, app, "rehearsal = true") for it in hosts]
        answers = await asyncio.gather(
            *(it.request("event_bots", event=event, bots=4) for it, event in zip(hosts, events, strict=True))
        )
        for it in hosts:
            await it.__aexit__()

        assert sorted(str(reason_of(it)) for it in answers) == ["None", *["not_allowed"] * 4]


async def test_a_stranger_learns_nothing_from_event_bots(redis_url: str) -> None:
    """Before, the right to ask was checked only after the bots were counted, which reads the log of every event."""
    async with local_server(redis_url, rehearsal_bots=1) as app, Raw(app.url) as raw, Raw(app.url) as other:
        event = await opened(raw, app, "rehearsal = true")
        await enter(other, PlayerKey.new(), host_of(app), "Bo")

        assert reason_of(await other.request("event_bots", event=event, bots=64)) == "not_organiser"

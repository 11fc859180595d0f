"""T15, T19, T21: a director is killed after any of its steps, and the next one ends with the same log.

Redis and the director are real: see `outliving.py`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec
import pytest

from photofinish.commands.shared.event_check import check_event
from photofinish.games import all_games
from photofinish.replay.replay import read_replay
from photofinish.store import events as store_events
from photofinish.store.ports import RoomId
from photofinish.tournament.director import director as director_module
from photofinish.tournament.director.director import Director
from photofinish.tournament.director.loaded_events import LoadedEvent, LoadedEvents
from photofinish.tournament.export.archive import packed
from photofinish.tournament.export.files import files_of
from photofinish.tournament.log.entries import GameResult, MovedClock, Rated, Sealed
from photofinish.tournament.people import disputes, officials
from photofinish.tournament.reports.notes import notes
from tests.tournament.course import HOST, SECOND
from tests.tournament.outliving import (
    CODE,
    EACH,
    MOST_LOOKS,
    SharedWorld,
    direct,
    flush,
    new_director,
    started,
)


@dataclass
class EventFacts:
    """What is left of an event that is over."""

    entries: list[str]
    """Without their numbers: two tables may change places."""
    ratings: dict[str, bytes]
    steps: list[str]


async def whole_event(redis_url: str, form: str, kill_after: int) -> EventFacts:
    world = SharedWorld()
    store, loaded, _ = await new_director(redis_url, world, 0)
    file, keys = await started(loaded, form)
    world.steps.clear()
    world.kill_after = kill_after
    deaths = 0
    while not await direct(redis_url, world, deaths):
        deaths += 1
        assert deaths < MOST_LOOKS, "each director makes one step"
        world.kill_after = min(world.kill_after, 0)
    assert deaths == {0: 0, EACH: len(world.steps)}.get(kill_after, 1)
    held = await LoadedEvents(loaded.store).read(CODE)
    entries = sorted(
        repr(msgspec.structs.replace(it, n=0)) for it in held.entries if not isinstance(it, Sealed)
    )
    facts = EventFacts(entries, await loaded.store.ratings("reflex", keys), world.steps)
    await store.close()
    assert held.state.status == "sealed"
    assert set(world.deals.values()) == {1}, "each room is dealt once"
    results = [it.room for it in held.entries if isinstance(it, GameResult)]
    assert sorted(results) == sorted(world.rooms), "each room has one result, each result its room"
    assert check_event(packed(files_of(file, held.lines, world.replays)), all_games()) == ()
    last = {it.key: it.after for it in held.entries if isinstance(it, Rated)}
    kept = {key: msgspec.msgpack.decode(raw) for key, raw in facts.ratings.items()}
    assert {key: (it["mu"], it["sigma"]) for key, it in kept.items()} == last, "the table follows the log"
    return facts


@pytest.fixture(autouse=True)
def short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_events, "LEASE_MS", 1)


@pytest.mark.parametrize("form", ["swiss", "single", "slapoff"])
async def test_T21_killed_after_each_step_directors_make_the_same_log_and_the_same_ratings(
    form: str, redis_url: str
) -> None:
    undisturbed = await whole_event(redis_url, form, 0)
    assert set(undisturbed.steps) == {"appended", "room opened", "told to deal", "rated", "ended"}
    await flush(redis_url)
    found = await whole_event(redis_url, form, EACH)
    assert found.entries == undisturbed.entries
    assert found.ratings == undisturbed.ratings


async def test_T21_killed_once_after_any_step_the_next_director_goes_on(redis_url: str) -> None:
    undisturbed = await whole_event(redis_url, "small", 0)
    for number, name in enumerate(undisturbed.steps, start=1):
        await flush(redis_url)
        found = await whole_event(redis_url, "small", number)
        assert found.entries == undisturbed.entries, f"killed after step {number}, {name}"
        assert found.ratings == undisturbed.ratings, f"killed after step {number}, {name}"


async def test_T19_the_result_of_an_abandoned_game_is_logged_as_ignored_once(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A referee forfeits a player during the game. The others play it to its end; nobody loses or gains by that."""
    monkeypatch.setattr(director_module, "EVERY_ABANDONED", 0.0)
    world = SharedWorld(long_games=True)
    store, loaded, director = await new_director(redis_url, world, 0)
    await started(loaded, "swiss")
    for _ in range(MOST_LOOKS):
        await director._look_after(CODE, is_crowded=False)
        if len(world.deals) == 2:
            break
        world.now += SECOND
    (room, _) = sorted(world.deals)
    _, table, _ = (await loaded.read(CODE)).state.rooms[room]
    loser = (await loaded.read(CODE)).state.rounds[0].tables[table - 1].seats[0]
    await loaded.commit(CODE, lambda state: disputes.forfeit(state, HOST, 1, table, loser, "left the hall"))
    await director._look_after(CODE, is_crowded=False)
    assert late_results(await loaded.read(CODE)) == []
    before = (await loaded.read(CODE)).state.rounds[0].tables[table - 1]

    world.finish(room)
    for _ in range(3):
        await director._look_after(CODE, is_crowded=False)

    held = await loaded.read(CODE)
    await store.close()
    assert late_results(held) == [(room, "the pairing is forfeit")]
    assert held.state.rounds[0].tables[table - 1] == before


async def test_T19_I5_another_result_of_a_room_pauses_the_event_once_and_its_game_can_be_played_again(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Redis that fails over may lose the end of a game whose result the event has. The room goes on from an earlier
    state, to another end.
    """
    monkeypatch.setattr(director_module, "EVERY_ABANDONED", 0.0)
    world = SharedWorld(long_games=True)
    store, loaded, director = await new_director(redis_url, world, 0)
    file, _ = await started(loaded, "small")

    async def look(times: int = 3) -> LoadedEvent:
        for _ in range(times):
            await director._look_after(CODE, is_crowded=False)
            world.now += SECOND
        return await loaded.read(CODE)

    async def finish(room: str, moves: bytes = b"") -> str:
        world.finish(room, moves)
        await store.archive(RoomId(room), 1, world.replays[room], 3600)
        return read_replay(world.replays[room]).head

    (room,) = await until_dealt(look, world)
    first = await finish(room)
    held = await look()
    assert (held.state.status, conflicts(held)) == ("running", [])

    other = await finish(room, b"other moves")
    assert other != first
    held = await look()
    assert conflicts(held) == [(room, other)], "it is logged once"
    assert held.state.status == "paused"
    assert held.state.reason == f"two results for room {room}: {first[:8]} and {other[:8]} (T19)"
    assert [(it.what, it.round, it.table) for it in notes(held.state)] == [("two_results", 1, 1)]
    (game,) = held.state.rounds[0].tables[0].games
    assert game.head == first, "the first one counts until a referee rules"

    player = held.state.numbers[game.seats[0]]
    await loaded.commit(CODE, lambda it: disputes.mark(it, player, world.now, 1, 1, 1, "", "two results"))
    await loaded.commit(CODE, lambda it: disputes.rule(it, HOST, 1, "replay", "Redis lost the end"))
    await loaded.commit(CODE, lambda it: officials.resume(it, HOST))
    world.long_games = False
    while (held := await look()).state.status != "sealed":
        world.now += 100_000 * SECOND
    await store.close()
    assert conflicts(held) == [(room, other)]
    assert check_event(packed(files_of(file, held.lines, world.replays)), all_games()) == ()


async def until_dealt(look: Callable[[int], Awaitable[LoadedEvent]], world: SharedWorld) -> list[str]:
    for _ in range(MOST_LOOKS):
        await look(1)
        if world.deals:
            return sorted(world.deals)
    raise AssertionError("no table is dealt")


def conflicts(held: LoadedEvent) -> list[tuple[str, str]]:
    return [(it.room, it.head) for it in held.entries if isinstance(it, GameResult) and it.conflict]


def late_results(held: LoadedEvent) -> list[tuple[str, str]]:
    return [(it.room, it.ignored) for it in held.entries if isinstance(it, GameResult) and it.ignored]


@pytest.mark.parametrize("is_paused", [False, True])
async def test_T21_T22_S12_a_server_that_was_down_for_60_s_forfeits_after_240_s(
    is_paused: bool, redis_url: str
) -> None:
    """The clocks of a paused event stand still, so the gap moves none: `resume` leaves as much time as before."""
    world = SharedWorld(absent=True)
    store, loaded, director = await new_director(redis_url, world, 0)
    await started(loaded, "small")

    async def look(director: Director, until: str) -> int:
        for _ in range(MOST_LOOKS):
            await director._look_after(CODE, is_crowded=False)
            state = (await loaded.read(CODE)).state
            if state.round is not None and state.round.tables[0].status == until:
                return world.now
            world.now += SECOND
        raise AssertionError(f"the table is never {until}")

    called = await look(director, "called")
    if is_paused:
        await loaded.commit(CODE, lambda state: officials.pause(state, HOST, "fire alarm"))
    world.now += 60 * SECOND
    world.gap_ms = 60_000
    other, _, successor = await new_director(redis_url, world, 1)
    await successor._look_after(CODE, is_crowded=False)
    if is_paused:
        await loaded.commit(CODE, lambda state: officials.resume(state, HOST))
    forfeited = await look(successor, "forfeit")
    held = await loaded.read(CODE)
    for it in (store, other):
        await it.close()
    assert abs(forfeited - called - 240 * SECOND) <= 6 * SECOND
    assert [it.micros for it in held.entries if isinstance(it, MovedClock)] == [60 * SECOND] * (not is_paused)

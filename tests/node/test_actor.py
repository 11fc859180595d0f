"""Room actors on a real Redis: adoption, fencing, quarantine, house bots."""

import asyncio
import contextlib
import dataclasses
import secrets
from typing import Any

import pytest

from photofinish.engine import AnyGame, Input, Micros, Rng
from photofinish.games import all_games
from photofinish.node.clock import clock
from photofinish.node.directory import Directory
from photofinish.race.params import Path
from photofinish.room.facts import Joined, Measured, Requested, SessionId
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish_protocol import messages
from photofinish_protocol.reasons import Close, Reason
from tests.waiting import code_of, until, within

QUICK = {"target_points": 1, "race_min_ms": 0, "show_seconds": 1, "look_seconds": 1}


class RecordingSession:
    """A session that only records what it is sent."""

    def __init__(self) -> None:
        self.messages: list[messages.ServerMessage] = []
        self.views: list[messages.View] = []
        self.dropped: list[Close | None] = []
        self.news = asyncio.Event()

    def send(self, message: messages.ServerMessage) -> None:
        self.messages.append(message)
        self.news.set()

    def show(self, view: messages.View) -> Micros | None:
        self.views.append(view)
        self.news.set()
        return clock()

    def drop(self, code: Close | None) -> None:
        self.dropped.append(code)
        self.news.set()

    def await_clock(self, at: Micros) -> None:
        """Nothing: the clock of this process is the room's own."""

    async def until(self, is_so: Any) -> None:
        await until(
            lambda: is_so(self),
            lambda: f"what {code_of(is_so)} waits for; it heard {self.messages[-3:]}, {self.dropped}",
        )

    def answer(self, request_id: int) -> Any:
        return next(
            (
                m
                for m in self.messages
                if isinstance(m, messages.Ack | messages.Refused) and m.id == request_id
            ),
            None,
        )


async def node(
    url: str, name: str, games: dict[str, AnyGame] | None = None, lease_ms: int = 400
) -> tuple[Directory, RedisStore]:
    store = await RedisStore.open(url, lease_ms=lease_ms)
    return Directory(store, NodeId(name), games or all_games()), store


async def table(
    directory: Directory, game: str = "cambio", bots: int = 1, **options: Any
) -> tuple[Any, RecordingSession]:
    """A room with one listener as host and some house bots, dealt."""
    chosen = {**(QUICK if game == "cambio" else {}), **options}
    actor = await directory.create(messages.Create(id=0, game=game, seats=bots + 1, options=chosen))
    listener, session = RecordingSession(), SessionId("listener " + secrets.token_hex(4))
    actor.enter(session, listener, Joined(session, 1, "Ada", 0))
    requests: list[messages.ClientMessage] = [messages.Bot(id=2 + n) for n in range(bots)]
    requests += [messages.Ready(id=50), messages.Start(id=51)]
    for request in requests:
        actor.post(Requested(session, request, clock()))
    await listener.until(lambda it: it.answer(51) is not None)
    assert isinstance(listener.answer(51), messages.Ack), listener.answer(51)
    return actor, listener


MS = 1_000
NEAR, FAR = (Path(Micros(ms * MS), Micros(ms * MS), Micros(ms * MS)) for ms in (1, 300))


async def racing(directory: Directory, seats: int = 3) -> tuple[Any, list[SessionId]]:
    """Cambio with an open race that the first seat's discard has opened."""
    actor: Any = await directory.create(messages.Create(id=0, game="cambio", seats=seats))
    ports, sessions = [RecordingSession() for _ in range(seats)], [SessionId(f"s{n}") for n in range(seats)]
    for number, (session, port) in enumerate(zip(sessions, ports, strict=True)):
        actor.enter(session, port, Joined(session, 1, f"P{number}", number))
        actor.post(Requested(session, messages.Ready(id=2), clock()))
    actor.post(Requested(sessions[0], messages.Start(id=3), clock()))
    for session in sessions:
        actor.post(Requested(session, messages.Play(id=4, move={"t": "ready"}), clock()))
    listener = ports[0]
    await listener.until(lambda it: it.views and it.views[-1].view.phase == "turn")
    first = listener.views[-1].view.turn
    for number, sent in enumerate(({"t": "draw", "from": "main"}, {"t": "discard"}), 5):
        actor.post(Requested(sessions[first], messages.Play(id=number, move=sent), clock()))
    listener = ports[first]
    await listener.until(lambda it: it.views[-1].race is not None)
    await until(lambda: not actor._is_busy, "the round has ended")
    return actor, [*sessions[first:], *sessions[:first]]


async def test_a_measurement_in_a_race_that_holds_no_move_runs_no_round(redis_url: str) -> None:
    directory, store = await node(redis_url, "first")
    actor, sessions = await racing(directory)

    actor.post(Measured(sessions[1], FAR))

    assert actor.room.match.arbiter._race.lanes[actor.room._seat(sessions[1])].path == FAR
    assert not actor._is_stirred
    await directory.stop()
    await store.close()


async def test_a_measurement_lets_a_held_move_go_as_soon_as_it_can(redis_url: str) -> None:
    directory, store = await node(redis_url, "first")
    actor, (_first, second, third) = await racing(directory)
    actor.post(Measured(third, FAR))
    shown = actor.room.match.arbiter._race.lanes[actor.room._seat(second)].shown
    offer = next(
        it
        for it in actor.room.game.offers(actor.room.match.state, actor.room._seat(second))
        if it.move == "slap"
    )
    seat, slot, mark = offer.choices[0].rows[0]
    slap = messages.Play(
        id=9, move={"t": "slap", "seat": seat, "slot": slot, "mark": mark}, race=actor.room.match.nonce
    )
    actor.post(Requested(second, slap, Micros(shown + 250 * MS)))
    await until(lambda: actor.room.is_holding and not actor._is_busy, "the slap is held")
    late = actor.room.wakes_at()

    actor.post(Measured(third, NEAR))

    assert actor.room.wakes_at() < late
    assert actor._is_stirred or actor._alarm_at == actor.room.wakes_at()
    await directory.stop()
    await store.close()


async def test_a_dead_nodes_room_is_adopted_in_the_middle_of_the_hand(redis_url: str) -> None:
    first, store = await node(redis_url, "first")
    actor, listener = await table(first)
    await listener.until(lambda it: any(view.view.phase == "turn" for view in it.views))
    step = actor.room.match.step
    await actor.stop()  # it dies: nothing is released, the lease runs out by itself

    second, other = await node(redis_url, "second")
    found: list[Any] = []

    async def adopted_there() -> bool:
        with contextlib.suppress(RequestRefusal):  # owned by the other node until its lease expires
            found.append(await second.find(actor.code))
        return bool(found)

    await until(adopted_there, "the second node has adopted the room")
    adopted = found[0]

    assert adopted.room.match.step >= step
    assert adopted.room.record.phase == "playing"
    assert [chair.kind for chair in adopted.room.record.chairs] == ["player", "bot"]
    await second.stop()
    await other.close()
    await store.close()


async def test_a_node_does_not_adopt_its_own_room_again_after_its_lease_expired(redis_url: str) -> None:
    """Redis was down for longer than a lease, and another node answers that the room should be ours."""
    first, store = await node(redis_url, "first", lease_ms=100)
    actor, listener = await table(first, turn_seconds=0)

    async def is_orphan() -> bool:
        return await store.orphans() == [actor.code]

    await until(is_orphan, "the lease has run out")
    await first.adopt_handed_over(actor.code)
    session = next(it for it in actor._ports if it.startswith("listener"))
    actor.post(Requested(session, messages.Chat(id=60, text="Is anybody there?"), clock()))
    await listener.until(lambda it: it.answer(60) is not None)

    assert first.local(actor.code) is actor
    assert isinstance(listener.answer(60), messages.Ack)
    assert listener.dropped == []
    await first.stop()
    await store.close()


async def test_when_a_room_actor_fails_its_players_are_told_to_reconnect(redis_url: str) -> None:
    first, store = await node(redis_url, "first")
    actor, listener = await table(first, turn_seconds=0)

    def awaited_clocks() -> Any:
        raise ArithmeticError

    actor.room.awaited_clocks = awaited_clocks
    actor.post(Requested(SessionId("nobody"), messages.Ready(id=9), clock()))
    await listener.until(lambda it: Close.RESTART in it.dropped)

    assert actor.is_gone
    await first.stop()
    await store.close()


async def test_a_stale_owner_writes_nothing_and_tells_its_players_to_reconnect(redis_url: str) -> None:
    first, store = await node(redis_url, "first")
    _, other = await node(redis_url, "second")
    actor, listener = await table(first, turn_seconds=0)
    before = len(listener.views)
    await other.reclaim(NodeId("first"))  # as if its lease had expired while the process was stopped
    taken = await other.acquire(actor.code, NodeId("second"))
    assert taken is not None
    saved = taken[1]
    actor.post(Requested(SessionId("nobody"), messages.Ready(id=9), clock()))
    session = next(iter(actor._ports))
    actor.post(Requested(session, messages.Play(id=60, move={"t": "ready"}), clock()))
    await listener.until(lambda it: Close.RESTART in it.dropped)

    assert listener.answer(60) is None
    assert len(listener.views) == before
    assert actor.is_gone
    await first.stop()
    again = await other.acquire(actor.code, NodeId("third"))
    assert again is None or again[1].version == saved.version
    await other.close()
    await store.close()


def broken(game: AnyGame, after: int) -> AnyGame:
    """The game with a fault planted in it: the rules raise at that step."""
    count = 0

    def apply(state: Any, event: Input[Any], rng: Rng) -> Any:
        nonlocal count
        count += 1
        if count >= after:
            raise ZeroDivisionError("planted")
        return game.apply(state, event, rng)

    return dataclasses.replace(game, apply=apply)


@pytest.mark.parametrize("key", sorted(all_games()))
async def test_a_fault_in_one_game_quarantines_that_room_and_no_other(redis_url: str, key: str) -> None:
    games = {**all_games(), key: broken(all_games()[key], 2)}
    directory, store = await node(redis_url, "one", games)
    healthy = "cambio" if key != "cambio" else "kodiak"
    sound, healthy_listener = await table(directory, healthy)
    actor = await directory.create(messages.Create(id=0, game=key, seats=games[key].seats.start))
    listener, session = RecordingSession(), SessionId("listener")
    actor.enter(session, listener, Joined(session, 1, "Ada", 0))
    for n in range(games[key].seats.start - 1):
        actor.post(Requested(session, messages.Bot(id=2 + n, player="random"), clock()))
    actor.post(Requested(session, messages.Ready(id=50), clock()))
    actor.post(Requested(session, messages.Start(id=51), clock()))
    rng = Rng(b"any", 0)
    request_id = 60
    async with within("the fault in the rules has quarantined the room"):
        while not actor.room.record.quarantine:
            listener.news.clear()
            view = listener.views[-1] if listener.views else None
            if view is not None and view.offers:
                from photofinish.engine.offers import sample

                sent = sample(view.offers, rng)
                actor.post(Requested(session, messages.Play(id=request_id, move=sent or {}), clock()))
                request_id += 1
            await asyncio.sleep(0.05)

    await listener.until(lambda it: it.dropped)
    assert any(isinstance(it, messages.Left) and it.reason == "quarantined" for it in listener.messages)
    assert "planted" in actor.room.record.quarantine
    late, again = RecordingSession(), SessionId("late")
    actor.enter(again, late, Joined(again, 1, "Late"))
    await late.until(lambda it: it.answer(1))
    assert late.answer(1).reason is Reason.QUARANTINED
    assert not sound.is_gone
    assert not sound.room.record.quarantine
    views = len(healthy_listener.views)
    sound.post(Requested(next(iter(sound._ports)), messages.Chat(id=70, text="still here"), clock()))
    await healthy_listener.until(lambda it: it.answer(70))
    assert len(healthy_listener.views) >= views
    await directory.stop()
    await store.close()
    await store.close()

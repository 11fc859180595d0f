"""Random messages in random order: one answer each, an unbroken chain of views, nothing sent before it is stored."""

import asyncio
import random
from typing import Any

import msgspec
import pytest
import redis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from photofinish.engine import Rng
from photofinish.engine.offers import Offer, sample
from photofinish.games import all_games
from photofinish.node.directory import Directory
from photofinish.store.ports import NodeId
from photofinish_protocol import messages
from photofinish_protocol.fairness import nonce_commit
from photofinish_protocol.reasons import Close, Reason
from photofinish_protocol.version import EMOTES, JSON, MSGPACK
from tests.gateway.guests import Guest, RecordingStore

NAMES = ("Ada", "Bo", "", "\u202e", "\u3164", "x" * 40, 7, None)
NONCE = "c0ffee00" * 4
COMMIT = nonce_commit(bytes.fromhex(NONCE))
FORGETTABLE = {Reason.TOO_FAST, Reason.STALE_ID, Reason.TOO_MANY_ROOMS}
luck = st.integers(0, 2**32 - 1)


class RandomGuests(RuleBasedStateMachine):
    """Several guests that send random messages. Every rule ends when its requests are answered."""

    redis_url = ""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.trouble: list[Any] = []
        self.loop.set_exception_handler(lambda _loop, context: self.trouble.append(context))
        self.guests: list[Guest] = []
        self.rooms: list[str] = []
        self.tokens: list[str] = []
        self.count = 0
        with redis.from_url(self.redis_url) as client:
            client.flushall()  # otherwise each example would adopt the rooms of earlier examples
        self.loop.run_until_complete(self._open())

    async def _open(self) -> None:
        self.store = await RecordingStore.open(self.redis_url)
        self.store.kept = {}
        self.directory = Directory(self.store, NodeId("machine"), all_games())
        await self.directory.start()

    def teardown(self) -> None:
        self.loop.run_until_complete(self._close())
        self.loop.close()

    async def _close(self) -> None:
        for guest in self.guests:
            guest.session.cut()
        await self.directory.stop()
        await self.store.close()

    # Actions of the guests.

    @rule(seed=luck, codec=st.sampled_from((JSON, MSGPACK)), resumes=st.booleans(), is_polite=st.booleans())
    def comes(self, seed: int, codec: str, resumes: bool, is_polite: bool) -> None:
        chance = random.Random(seed)
        if len(self.open) >= 5:
            return
        self.count += 1
        guest = Guest(f"guest-{self.count}", codec, self.directory, self.store)
        self.guests.append(guest)
        hello: dict[str, Any] = {"t": "hello", "v": 1, "name": "Ada"}
        if resumes and self.tokens:
            hello["token"] = chance.choice(self.tokens)
        if not is_polite and not resumes:
            hello["name"] = chance.choice(NAMES)
        self.request(guest, hello)

    @rule(seed=luck)
    def sends_requests(self, seed: int) -> None:
        chance = random.Random(seed)
        if self.open:
            guest = chance.choice(self.open)
            self.request(guest, self.something(guest, chance))

    @rule(seed=luck)
    def plays(self, seed: int) -> None:
        chance = random.Random(seed)
        if self.seated:
            guest = chance.choice(self.seated)
            self.request(guest, self.move(guest, chance))

    @rule(seed=luck)
    def all_get_ready_and_start(self, seed: int) -> None:
        """Random messages alone would rarely start a game."""
        if not self.open:
            return
        guest = random.Random(seed).choice(self.open)
        game = random.Random(seed).choice(sorted(all_games()))
        self.request(guest, {"t": "leave"})
        self.request(guest, {"t": "create", "game": game, "seats": all_games()[game].seats.start})
        for _ in range(all_games()[game].seats.start - 1):
            self.request(guest, {"t": "bot", "player": "random"})
        self.request(guest, {"t": "ready"})
        self.request(guest, {"t": "start"})

    @rule(seed=luck, size=st.integers(2, 12))
    def pipelines(self, seed: int, size: int) -> None:
        """Requests around a room change, sent without waiting for answers."""
        chance = random.Random(seed)
        if not self.open:
            return
        guest = chance.choice(self.open)
        requests = [
            self.change(guest, chance) if n % 3 == 0 else self.something(guest, chance) for n in range(size)
        ]
        first = max(guest.next_id, max(guest.sent, default=-1) + 1)
        # Before, during and after the commit of the room.
        pauses = [chance.choice((0, 0, 0.0003, 0.001)) for _ in requests]
        missing = self.loop.run_until_complete(guest.pipeline(first, requests, pauses))

        assert not missing, [guest.sent[request_id] for request_id in missing]
        assert all(len(guest.answers[request_id]) <= 1 for request_id in range(first, first + size)), (
            "more than one answer"
        )
        self.remember(guest)

    @rule(seed=luck)
    def says_it_again(self, seed: int) -> None:
        """Send the same id again: the answer is the same, if it was an ack."""
        chance = random.Random(seed)
        if not self.open:
            return
        guest = chance.choice(self.open)
        request_id = chance.choice(list(guest.sent))
        before = list(guest.answers[request_id])
        again = self.loop.run_until_complete(guest.again(request_id))
        if again is None or not before or isinstance(again, messages.Welcome):
            return
        if isinstance(before[0], messages.Ack) and not (
            isinstance(again, messages.Refused) and again.reason in FORGETTABLE
        ):
            assert again == before[0], guest.sent[request_id]

    @rule(seed=luck, junk=st.binary(max_size=60))
    def babbles(self, seed: int, junk: bytes) -> None:
        if self.open:
            self.loop.run_until_complete(random.Random(seed).choice(self.open).send(junk))

    @rule(seed=luck)
    def is_cut(self, seed: int) -> None:
        if self.open:
            guest = random.Random(seed).choice(self.open)
            guest.session.cut()
            guest.closed = Close.FAULT

    # Invariants.

    @invariant()
    def nothing_went_wrong(self) -> None:
        assert self.trouble == []
        for guest in self.guests:
            assert guest.faults == []
        for record in self.store.kept.values():
            assert not record.quarantine

    # Strategies.

    @property
    def open(self) -> list[Guest]:
        return [guest for guest in self.guests if guest.closed is None]

    @property
    def seated(self) -> list[Guest]:
        return [guest for guest in self.open if guest.view is not None and guest.view.you is not None]

    def request(self, guest: Guest, message: dict[str, Any]) -> None:
        request_id = max(guest.next_id, max(guest.sent, default=-1) + 1)
        answer = self.loop.run_until_complete(guest.request(request_id, message))

        assert answer is not None or guest.closed is not None
        assert len(guest.answers[request_id]) <= 1, "more than one answer"
        self.remember(guest)

    def remember(self, guest: Guest) -> None:
        if guest.room and guest.room not in self.rooms:
            self.rooms.append(guest.room)
        if guest.token and guest.token not in self.tokens:
            self.tokens.append(guest.token)

    def change(self, guest: Guest, chance: random.Random) -> dict[str, Any]:
        """A request that enters or leaves a room."""
        room = chance.choice([*self.rooms, guest.room, "QQQQQ"])
        return chance.choice((
            {"t": "leave"}, {"t": "leave"}, {"t": "create", "game": "cambio", "seats": 2}, {"t": "join", "room": room},
            {"t": "watch", "room": room}, {"t": "watch", "room": room, "referee": "word"}, {"t": "kick", "seat": 1},
        ))  # fmt: skip

    def move(self, guest: Guest, chance: random.Random) -> dict[str, Any]:
        view = guest.view
        assert view is not None
        offers = msgspec.convert(msgspec.to_builtins(view.offers), tuple[Offer, ...])
        sent = sample(offers, Rng(chance.randbytes(8), 0)) or {"t": "draw"}
        if chance.random() < 0.2:
            sent = {key: chance.choice((value, None, -1, "x", [], 10**6)) for key, value in sent.items()}
        request: dict[str, Any] = {"t": "play", "move": sent}
        if view.race is not None and chance.random() < 0.8:
            request |= {"race": view.race.nonce, "react_us": chance.choice((0, 200_000, 60_000_000))}
        return request

    def something(self, guest: Guest, chance: random.Random) -> dict[str, Any]:
        room = chance.choice([*self.rooms, guest.room, "QQQQQ", "", 5, "x" * 200])
        seat = chance.choice((0, 1, 2, 15, 16, None, "0"))
        game = chance.choice((*sorted(all_games()), "chess", None))
        options: Any = chance.choice(({}, {"no_such": 1}, {"turn_seconds": 10**12}, [], {"a": {"b": [[]]}}))
        words: list[dict[str, Any]] = [
            {"t": "create", "game": game, "options": options, "private": chance.random() < 0.5},
            {"t": "create", "game": "cambio", "seats": 2, "spectator_delay": chance.choice((0, 1, 601))},
            {"t": "join", "room": room, "seat": seat}, {"t": "join", "room": room}, {"t": "join", "room": room},
            {"t": "watch", "room": room}, {"t": "watch", "room": room, "referee": "word"},
            {"t": "leave"}, {"t": "leave"},
            {"t": "ready"}, {"t": "ready", "nonce": chance.choice(("00ff", "0", "zz", "ab" * 33))},
            {"t": "ready", "commit": chance.choice((COMMIT, "00", COMMIT.upper()))}, {"t": "reveal", "nonce": NONCE},
            {"t": "reveal", "nonce": chance.choice(("00", "zz" * 16, "ab" * 32))},
            {"t": "ready", "ready": False}, {"t": "bot"}, {"t": "bot", "player": "random", "seat": seat},
            {"t": "remove", "seat": seat}, {"t": "kick", "seat": seat}, {"t": "host", "seat": seat},
            {"t": "configure", "options": options}, {"t": "start"}, {"t": "rematch"},
            {"t": "play", "move": {"t": "draw", "from": "main"}}, {"t": "play", "move": {}}, {"t": "play"},
            {"t": "chat", "text": chance.choice(("hello", "\u202e", "x" * 281, 1))},
            {"t": "emote", "emote": chance.choice((*EMOTES, "dab", None))},
            {"t": "ping", "at": chance.choice((1, -1, 2**60))}, {"t": "games"}, {"t": "rooms"}, {"t": "dance"},
            {"t": "hello", "v": 1, "name": "Ada"}, {"t": "hello", "v": 99, "name": "Ada"},
        ]  # fmt: skip
        return chance.choice(words)


@pytest.mark.system
def test_every_request_gets_one_answer_and_every_view_chain_is_unbroken(redis_url: str) -> None:
    RandomGuests.redis_url = redis_url
    run_state_machine_as_test(
        RandomGuests,
        settings=settings(
            max_examples=15, stateful_step_count=30, deadline=None, database=None, phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck), print_blob=False,
        ),
    )  # fmt: skip

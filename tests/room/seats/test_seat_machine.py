"""Guards against showing a hand to somebody to whom it was not dealt.

A random host, random players and random strangers send anything that the protocol allows during a game. Each
connection belongs to a person. Only the person to whom a seat was dealt may get its view, unless the room was opened
with `substitutes`.
"""

import random
from collections import defaultdict

import pytest

from photofinish.games import all_games
from photofinish.room.facts import BotSat, Cut, Joined, Looked, Resumed, SessionId
from photofinish_protocol import messages
from tests.room.bench import SECOND, Bench

CAMBIO = all_games()["cambio"]
SEATS, STEPS = 4, 120


class SeatedGame:
    """One game and all persons around it. Persons are numbers; the first `SEATS` have seats."""

    def __init__(self, seed: int, *, substitutes: bool) -> None:
        self.rng = random.Random(seed)
        self.bench = Bench(CAMBIO, SEATS, {"turn_seconds": 60}, substitutes=substitutes)
        self.person: dict[SessionId, int] = {}
        self.tokens: dict[int, list[str]] = defaultdict(list)
        """Every token each person was ever given."""
        self.count = 0
        self.sessions = self.bench.start(SEATS)
        for person, session in enumerate(self.sessions):
            self.person[session] = person
        self._learn()

    def step(self) -> None:
        bench, rng = self.bench, self.rng
        self.count += 1
        session = SessionId(f"c{self.count}")
        inside = [it for it in self.person if it not in bench.dropped]
        match rng.randrange(9):
            case 0 | 1:
                self.person[session] = rng.randrange(SEATS + 3)
                seat = rng.choice([None, *range(SEATS)])
                bench.tell(Joined(session, 1, f"N{self.person[session]}-{self.count}", seat))
            case 2:
                self.person[session] = person = rng.randrange(SEATS)
                if self.tokens[person]:
                    bench.tell(Resumed(session, 0, rng.choice(self.tokens[person][-2:]), 0))
            case 3:
                bench.tell(Looked(session, 1, "Eve"))
            case 4 if inside:
                bench.tell(Cut(rng.choice(inside)))
            case 5 if inside:
                bench.request(rng.choice(inside), messages.Leave)
            case 6:
                self._host(rng.choice([messages.Kick, messages.Host, messages.Remove]))
            case 7:
                self._host(messages.Bot)
                for key in bench.room.bots():
                    bench.tell(BotSat(SessionId(f"house-{key}"), key))
            case _:
                bench.wait(rng.randrange(3 * SECOND))
        self._learn()

    def _host(self, kind: type[messages.Request]) -> None:
        key = self.bench.room.record.host
        session = self.bench.room.presence.session_of(key)
        if session is not None:
            self.bench.request(session, kind, seat=self.rng.randrange(SEATS))

    def _learn(self) -> None:
        for session, heard in self.bench.heard.items():
            for it in heard:
                if (
                    isinstance(it, messages.Ack)
                    and isinstance(it.got, messages.Seated)
                    and session in self.person
                ):
                    tokens = self.tokens[self.person[session]]
                    if it.got.token not in tokens:
                        tokens.append(it.got.token)

    def strangers(self) -> set[tuple[int, int]]:
        """(person, seat) for every hand that was shown to somebody it was not dealt to."""
        return {
            (self.person[session], view.you)
            for session, views in self.bench.views.items()
            for view in views
            if view.you is not None and session in self.person and self.person[session] != view.you
        }


@pytest.mark.parametrize("seed", range(12))
def test_nobody_sees_a_hand_that_was_dealt_to_another_person(seed: int) -> None:
    seated = SeatedGame(seed, substitutes=False)
    for _ in range(STEPS):
        seated.step()

        assert seated.strangers() == set()


def test_the_random_run_finds_strangers_where_they_are_allowed() -> None:
    """With substitutes strangers do get a hand, and the same random run finds them."""
    found = set()
    for seed in range(6):
        seated = SeatedGame(seed, substitutes=True)
        for _ in range(STEPS):
            seated.step()
        found |= seated.strangers()

    assert found

"""What a room stores about the races of a player with a key, and which stored values a later room accepts."""

import msgspec
import pytest

from photofinish.engine import Micros
from photofinish.games import all_games
from photofinish.race.params import Standing
from photofinish.room.facts import Joined, SessionId
from photofinish.room.kept_standing import kept_of, pack, unpack
from photofinish.room.record import Chair, RoomRecord
from photofinish_protocol import messages
from tests.room.bench import Bench

ADA, BO = "a" * 64, "b" * 64
SPENT = Standing(Micros(11_500), Micros(20_000))


def test_the_normaliser_and_the_account_are_kept_and_the_ledger_is_not() -> None:
    standing = Standing(Micros(11_500), Micros(20_000), false_starts=3, given=Micros(9))

    assert unpack(pack(standing)) == SPENT
    assert len(pack(standing)) <= 12


@pytest.mark.parametrize("raw", [b"", b"\xc1", b"junk", msgspec.msgpack.encode([2, 11_500, 20_000])])
def test_a_stored_standing_that_cannot_be_read_is_ignored(raw: bytes) -> None:
    assert unpack(raw) is None


def test_a_standing_is_kept_only_for_a_proven_key_and_of_two_seats_the_one_that_spent_more() -> None:
    fresh = Standing()
    record = RoomRecord("ABCD", "reflex", 1, {}, 5, 0, bytes(32), [
        Chair(0, "player", standing=SPENT, player_key=ADA),
        Chair(1, "player", standing=fresh, player_key=ADA),
        Chair(2, "player", standing=SPENT),
        Chair(3, "bot", standing=SPENT, player_key=BO),
        Chair(4, "player", player_key=BO),
    ])  # fmt: skip

    assert kept_of(record) == {ADA: pack(SPENT)}


def test_a_player_with_a_key_keeps_its_standing_from_its_last_room() -> None:
    bench = Bench(all_games()["reflex"], 2)
    bench.tell(Joined(SessionId("ada"), 1, "Ada", 0, key=ADA, standing=pack(SPENT)))
    bench.tell(Joined(SessionId("bo"), 1, "Bo", 1, key=BO))
    ada, bo = bench.room.record.chairs

    assert (ada.player_key, ada.standing) == (ADA, SPENT)
    assert (bo.player_key, bo.standing) == (BO, None), "an unknown key starts as an anonymous seat does"


def test_no_standing_is_kept_for_a_player_who_joined_during_the_game() -> None:
    bench = Bench(all_games()["reflex"], 2, substitutes=True)
    ada, bo = bench.sit(0), bench.sit(1)
    for session in (ada, bo):
        bench.request(session, messages.Ready)
    bench.request(ada, messages.Start)
    bench.room.record.chairs[1].standing = SPENT
    bench.request(bo, messages.Leave)
    bench.tell(Joined(SessionId("eve"), 1, "Eve", 1, key=ADA, standing=pack(Standing(Micros(9_000)))))
    eve = bench.room.record.chairs[1]

    assert (eve.name, eve.player_key, eve.standing) == ("Eve", "", SPENT)

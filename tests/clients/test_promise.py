"""The client's part of the shuffle: hash with `ready`, nonce when the deal starts, a check of the record at the
end.
"""

from typing import Any

from photofinish_client.connection.promise import Promise, fresh
from photofinish_client.connection.session import ClientSession, SendRequest
from photofinish_protocol import messages as m
from photofinish_protocol.fairness import nonce_commit
from photofinish_protocol.reasons import Reason
from tests.clients.server_messages import room, view, welcome
from tests.clients.test_session import at_the_table, sent

OURS, THEIRS = b"a" * 32, nonce_commit(b"b" * 32)
MINE = nonce_commit(OURS)


def ready() -> ClientSession:
    """Ana has said `ready` (id 2) and been acked."""
    session = at_the_table()
    session.promise.draw = lambda: OURS
    (request,) = sent(session.request(m.Ready(id=0))[1])
    assert request == m.Ready(id=2, commit=MINE)
    session.receive(m.Ack(id=2), 0)
    return session


def dealing(*seats: int, commits: tuple[str, ...] = (MINE, THEIRS), **more: Any) -> m.Room:
    places = tuple(m.Place(seat=n, kind="player", commit=it) for n, it in enumerate(commits))
    return room(seats=places, dealing=m.Dealing(seats=seats, left_us=5_000_000), **more)


def over(seq: int = 1, **more: Any) -> m.View:
    plain: dict[str, Any] = {
        "winners": (0,), "why": "", "scores": (1, 0), "seed": "00", "nonces": (OURS.hex(), "bb"),
        "commits": (MINE, THEIRS),
    }  # fmt: skip
    return view(seq, 0, over=m.Over(**(plain | more)))


def test_each_nonce_is_new_and_long() -> None:
    assert len({fresh() for _ in range(100)}) == 100
    assert len(fresh()) == 32


def test_the_nonce_follows_when_the_deal_is_called_and_not_before() -> None:
    session = ready()

    assert sent(session.receive(room(phase="lobby"), 0)) == []
    assert sent(session.receive(dealing(0, 1), 0)) == [m.Reveal(id=3, nonce=OURS.hex())]


def test_the_nonce_is_sent_once_however_often_the_room_asks() -> None:
    session = ready()
    session.receive(dealing(0, 1), 0)

    assert sent(session.receive(dealing(0), 0)) == []
    session.receive(m.Ack(id=3), 0)
    assert sent(session.receive(dealing(0), 0)) == []


def test_our_seat_is_the_one_with_our_hash_wherever_it_has_moved_to() -> None:
    session = ready()

    assert sent(session.receive(dealing(1, commits=(THEIRS, MINE)), 0))
    assert not sent(ready().receive(dealing(0, commits=(THEIRS, MINE)), 0))


def test_after_a_cut_the_same_reveal_goes_out_again_with_its_id() -> None:
    session = ready()
    session.receive(dealing(0, 1), 0)
    session.cut()
    session.open()

    again = sent(session.receive(welcome(next_id=3, token="t"), 0))
    assert again == [m.Reveal(id=3, nonce=OURS.hex())]
    assert sent(session.receive(dealing(0, 1), 0)) == []


def test_a_client_that_was_cut_off_before_the_request_reveals_after_it_reconnects() -> None:
    session = ready()
    session.cut()
    session.open()
    session.receive(welcome(next_id=3, token="t"), 0)

    assert sent(session.receive(dealing(0, 1), 0)) == [m.Reveal(id=3, nonce=OURS.hex())]


def test_a_reveal_that_was_refused_for_the_moment_is_sent_again() -> None:
    session = ready()
    session.receive(dealing(0, 1), 0)
    session.receive(m.Refused(id=3, reason=Reason.TOO_FAST, text="", retry=True), 0)

    assert sent(session.receive(dealing(0, 1), 0)) == [m.Reveal(id=4, nonce=OURS.hex())]


def test_a_second_ready_that_came_too_late_does_not_discard_the_nonce_of_the_first() -> None:
    session = ready()
    session.promise.draw = lambda: b"c" * 32
    session.request(m.Ready(id=0))
    session.receive(m.Refused(id=3, reason=Reason.ALREADY_STARTED, text=""), 0)

    assert sent(session.receive(dealing(0, 1), 0)) == [m.Reveal(id=4, nonce=OURS.hex())]


def test_a_ready_with_a_nonce_or_a_hash_of_its_own_is_left_alone() -> None:
    session = at_the_table()

    assert sent(session.request(m.Ready(id=0, nonce="aa"))[1]) == [m.Ready(id=2, nonce="aa")]
    assert sent(session.request(m.Ready(id=0, ready=False))[1]) == [m.Ready(id=3, ready=False)]
    assert sent(session.receive(dealing(0, 1), 0)) == []


def test_nothing_is_revealed_once_the_hashes_of_others_have_changed() -> None:
    session = ready()
    session.promise.due(dealing(1))
    other = nonce_commit(b"ground after the fact")

    assert sent(session.receive(dealing(0, 1, commits=(MINE, other)), 0)) == []
    assert session.promise.doubts


def test_an_honest_record_is_not_reported() -> None:
    session = ready()
    session.receive(dealing(0, 1), 0)
    session.receive(over(), 0)

    assert session.promise.doubts == []


def test_a_record_with_other_hashes_or_without_our_nonce_is_reported() -> None:
    for lie in ({"commits": (MINE, "00")}, {"nonces": ("", "bb"), "withheld": (0,)}):
        session = ready()
        session.receive(dealing(0, 1), 0)
        session.receive(over(**lie), 0)

        assert len(session.promise.doubts) == 1


def test_leaving_deletes_seat_token_and_nonce() -> None:
    session = ready()
    session.request(m.Leave(id=0))
    session.receive(m.Ack(id=3), 0)

    assert session.token is None
    assert session.seat is None
    assert session.promise.due(dealing(0, 1)) is None


def test_a_promise_starts_with_nothing_to_reveal() -> None:
    assert Promise().due(dealing(0, 1)) is None
    assert not any(isinstance(it, SendRequest) for it in at_the_table().receive(dealing(0, 1), 0))

"""T67, T68: the client follows its events again on each new socket, and drops updates that do not fit."""

from photofinish_client.connection.session import ClientSession, PassOn, SendRequest
from photofinish_protocol import messages as m
from tests.clients.server_messages import welcome
from tests.clients.test_session import connected, sent

FOLLOW = m.Follow(id=0, event="ABCDEF", parts=("info", "tables"))
GOT = m.EventGot(event="ABCDEF", state="open", entries=7)


def news(seq: int, from_: int) -> m.EventNews:
    return m.EventNews(event="ABCDEF", seq=seq, from_=from_, parts={})


def following(session: ClientSession) -> ClientSession:
    session.request(FOLLOW)
    session.receive(m.Ack(id=1, got=GOT), 0)
    session.receive(news(7, 0), 0)
    return session


def test_T67_after_a_cut_the_event_is_followed_from_the_last_update() -> None:
    session = following(connected())
    assert session.receive(news(9, 7), 0) == [PassOn(news(9, 7))]
    session.cut()
    session.open()

    (again,) = sent(session.receive(welcome(next_id=1), 0))
    assert isinstance(again, m.Follow)
    assert (again.event, again.parts, again.seq) == ("ABCDEF", ("info", "tables"), 9)


def test_T67_with_a_key_the_event_is_followed_again_after_the_proof() -> None:
    session = following(connected())
    session.proves_key = True
    session.cut()
    session.open()
    assert sent(session.receive(welcome(next_id=5), 0)) == []
    session.request(m.Identify(id=0, key="0" * 64, name="Ana", signature="0" * 128))

    (again,) = sent(session.receive(m.Ack(id=5), 0))
    assert isinstance(again, m.Follow), "officials get more: the server must know the key first"


def test_T67_an_update_after_a_gap_is_dropped_and_the_whole_is_requested_once() -> None:
    session = following(connected())
    effects = session.receive(news(12, 9), 0)
    assert [type(it) for it in effects] == [SendRequest]
    assert session.receive(news(13, 12), 0) == [], "the whole is on its way"
    (again,) = sent(effects)
    assert isinstance(again, m.Follow)
    assert again.seq == 0

    session.receive(m.Ack(id=again.id, got=GOT), 0)
    assert session.receive(news(13, 0), 0) == [PassOn(news(13, 0))]


def test_T67_an_unfollowed_event_is_not_followed_again() -> None:
    session = following(connected())
    session.request(m.Unfollow(id=0, event="abcdef"))
    session.receive(m.Ack(id=2), 0)
    assert session.receive(news(8, 7), 0) == [], "it was on its way"
    session.cut()
    session.open()

    assert sent(session.receive(welcome(next_id=1), 0)) == []


def test_T4_a_referee_sees_the_same_seat_again_after_a_cut() -> None:
    session = connected()
    session.request(m.Watch(id=0, room="ABCDEFGH", seat=2))
    session.receive(m.Ack(id=1, got=m.Watching(room="ABCDEFGH")), 0)
    session.cut()
    session.open()

    (again,) = sent(session.receive(welcome(next_id=1), 0))
    assert isinstance(again, m.Watch)
    assert (again.room, again.seat) == ("ABCDEFGH", 2)


def test_T6_requests_that_need_a_key_wait_for_the_proof_on_each_socket() -> None:
    session = connected()
    session.proves_key = True
    session.request(m.Identify(id=0, key="0" * 64, name="Ana", signature="0" * 128))
    _, enter = session.request(m.Enter(id=0, event="ABCDEF"))
    _, rooms = session.request(m.Rooms(id=0))

    assert sent(enter) == [], "the server would refuse it with `not_identified`"
    assert [type(it) for it in sent(rooms)] == [m.Rooms]
    assert [type(it) for it in sent(session.receive(m.Ack(id=1), 0))] == [m.Enter]
    assert [type(it) for it in sent(session.request(m.CheckIn(id=0, event="ABCDEF"))[1])] == [m.CheckIn]

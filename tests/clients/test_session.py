"""The client's state without a socket: ids, answers, resending, tokens, the chain of views (DESIGN §6)."""

from collections.abc import Sequence

import pytest

from photofinish_client.client import played
from photofinish_client.connection.backoff import FIRST_WAIT, LONGEST_WAIT, pause
from photofinish_client.connection.session import (
    Answer,
    ClientSession,
    KeepToken,
    MissedView,
    PassOn,
    RequestLost,
    RetryLater,
    SendRequest,
    Stopped,
)  # fmt: skip
from photofinish_protocol import messages as m
from photofinish_protocol.offers import Offer
from photofinish_protocol.reasons import Reason
from tests.clients.server_messages import RACE, room, seated, view, welcome

PLAY = m.Play(id=0, move={"t": "draw", "from": "main"})
MS = 1_000_000


def connected(next_id: int = 1) -> ClientSession:
    session = ClientSession("Ana")
    session.open()
    session.receive(welcome(next_id), 0)
    return session


def at_the_table() -> ClientSession:
    """Ana has joined: her request had id 1, so the next one has id 2."""
    session = connected()
    session.request(m.Join(id=0, room="ABCD"))
    session.receive(seated(1), 0)
    return session


def sent(effects: Sequence[object]) -> list[m.Request]:
    return [it.request for it in effects if isinstance(it, SendRequest)]


def test_ids_count_up_from_where_the_welcome_says() -> None:
    session = connected(next_id=40)

    first, second = (session.request(PLAY)[1] for _ in range(2))

    assert [request.id for request in sent([*first, *second])] == [40, 41]


def test_each_answer_goes_to_the_request_with_its_id() -> None:
    session = at_the_table()
    first, _ = session.request(PLAY)
    second, _ = session.request(m.Chat(id=0, text="hi"))

    assert session.receive(m.Ack(id=3), 0) == [Answer(second, m.Ack(id=3))]
    no = m.Refused(id=2, reason=Reason.ILLEGAL_MOVE, text="no", clause="C5")
    assert session.receive(no, 0) == [Answer(first, no)]


def test_a_pending_message_is_not_the_answer() -> None:
    session = at_the_table()
    ticket, _ = session.request(PLAY)

    assert session.receive(m.Pending(id=2), 0) == [PassOn(m.Pending(id=2))]
    assert session.receive(m.Ack(id=2), 0) == [Answer(ticket, m.Ack(id=2))]


def test_the_token_is_saved_before_any_message_is_reported_or_sent() -> None:
    session = at_the_table()
    session.request(PLAY)
    session.cut()
    session.open()

    effects = session.receive(welcome(next_id=2, token="second"), 0)

    assert effects[0] == KeepToken("second")
    assert session.token == "second"


def test_a_move_cut_off_before_its_answer_is_sent_again_with_the_same_id() -> None:
    session = at_the_table()
    ticket, first = session.request(PLAY)

    assert session.cut() == []
    assert session.open().token == "first"
    again = session.receive(welcome(next_id=2, token="second"), 0)
    assert sent(again) == sent(first)
    assert session.receive(m.Ack(id=2), 0) == [Answer(ticket, m.Ack(id=2))]


def test_a_move_answered_before_the_cut_is_not_sent_again() -> None:
    session = at_the_table()
    session.request(PLAY)
    session.receive(m.Ack(id=2), 0)
    session.cut()
    session.open()

    assert sent(session.receive(welcome(next_id=3, token="second"), 0)) == []


def test_a_move_made_while_disconnected_is_sent_after_the_unanswered_one() -> None:
    session = at_the_table()
    session.request(PLAY)
    session.cut()
    _, nothing_yet = session.request(m.Chat(id=0, text="am I back?"))
    session.open()

    again = sent(session.receive(welcome(next_id=3, token="second"), 0))

    assert nothing_yet == []
    assert [(type(request), request.id) for request in again] == [(m.Play, 2), (m.Chat, 3)]


def test_a_waiting_move_gets_a_fresh_id_when_the_seat_was_used_elsewhere_meanwhile() -> None:
    session = at_the_table()
    session.cut()
    session.request(PLAY)
    session.open()

    again = sent(session.receive(welcome(next_id=20, token="second"), 0))

    assert [request.id for request in again] == [20]


def test_the_second_answer_to_a_move_sent_twice_is_ignored() -> None:
    session = at_the_table()
    session.request(PLAY)
    session.receive(m.Ack(id=2), 0)

    assert session.receive(m.Ack(id=2), 0) == []


def test_after_a_cut_watch_is_not_sent_again_but_a_query_is() -> None:
    session = connected()
    watch, _ = session.request(m.Watch(id=0, room="ABCD"))
    session.request(m.Rooms(id=0))

    assert session.cut() == [RequestLost(watch)]
    session.open()
    assert [type(request) for request in sent(session.receive(welcome(next_id=1), 0))] == [m.Rooms]


def test_a_join_without_an_answer_is_sent_again_with_its_id_and_the_same_client_key() -> None:
    session = ClientSession("Ada")
    key = session.open().client_key
    session.receive(welcome(next_id=1), 0)
    session.request(m.Rooms(id=0))
    _, effects = session.request(m.Join(id=0, room="ABCD"))

    assert len(key) == 32
    assert session.cut() == []
    assert session.open().client_key == key
    assert sent(effects)[0] in sent(session.receive(welcome(next_id=1), 0))


def test_a_watcher_watches_the_same_room_after_a_cut() -> None:
    session = connected()
    session.request(m.Watch(id=0, room="ABCD"))
    session.receive(m.Ack(id=1, got=m.Watching(room="ABCD")), 0)
    session.receive(view(5, 0, you=None), 0)
    session.cut()
    session.open()

    [again] = sent(session.receive(welcome(), 0))

    assert isinstance(again, m.Watch)
    assert again.room == "ABCD"
    assert session.receive(m.Ack(id=again.id, got=m.Watching(room="ABCD")), 0) == []
    session.receive(view(9, 0, you=None), 0)


def test_a_lost_seat_ends_the_session_and_every_waiting_request() -> None:
    session = at_the_table()
    ticket, _ = session.request(PLAY)
    session.cut()
    session.open()
    no = m.Refused(id=0, reason=Reason.BAD_TOKEN, text="gone")

    assert session.receive(no, 0) == [Stopped(no), RequestLost(ticket)]


def test_after_a_restart_notice_the_client_reconnects_later_with_the_same_token() -> None:
    session = at_the_table()
    ticket, _ = session.request(PLAY)
    session.cut()
    session.open()
    no = m.Refused(id=0, reason=Reason.DRAINING, text="in a moment", retry=True)

    assert session.receive(no, 0) == [RetryLater(no)]
    assert session.cut() == []
    assert session.open().token == "first"
    session.receive(welcome(next_id=2, token="second"), 0)
    assert session.receive(m.Ack(id=2), 0) == [Answer(ticket, m.Ack(id=2))]


def test_views_follow_each_other_and_may_skip() -> None:
    session = at_the_table()

    for seq, before in ((3, 0), (4, 3), (9, 4)):
        assert session.receive(view(seq, before), 0) == [PassOn(view(seq, before))]
    assert session.view == view(9, 4)


@pytest.mark.parametrize("before", [0, 2, 4])
def test_a_view_that_does_not_follow_the_last_one_is_noticed(before: int) -> None:
    session = at_the_table()
    session.receive(view(3, 0), 0)

    with pytest.raises(MissedView):
        session.receive(view(5, before), 0)


def test_on_a_new_socket_the_view_chain_restarts_and_hello_names_the_last_view() -> None:
    session = at_the_table()
    session.receive(view(3, 0), 0)
    session.cut()

    assert session.open().seq == 3
    session.receive(welcome(next_id=2, token="second"), 0)
    session.receive(view(7, 0), 0)
    assert session.view == view(7, 0)


def test_leaving_deletes_the_token() -> None:
    session = at_the_table()
    session.receive(room(), 0)
    session.receive(view(3, 0), 0)
    session.receive(m.Left(room="ABCD", reason="kicked", text="out"), 0)

    assert (session.token, session.room, session.view, session.open().seq) == (None, None, None, 0)


def test_a_reaction_is_timed_from_the_first_view_that_showed_the_race() -> None:
    session = at_the_table()
    session.receive(view(1, 0, race=RACE), 100 * MS)
    session.receive(view(2, 1, race=RACE), 300 * MS)

    play = played(session, {"t": "slap", "seat": 1}, session.view, None, 450 * MS)

    assert (play.race, play.react_us) == ("n1", 350_000)


def test_a_reopened_race_is_timed_from_its_new_view() -> None:
    session = at_the_table()
    session.receive(view(1, 0, race=RACE), 100 * MS)
    again = m.OpenRace(key="race:1", nonce="n2", moves=("slap",))
    session.receive(view(2, 1, race=again), 900 * MS)

    assert session.react_us("n1", 1000 * MS) is None
    assert session.react_us("n2", 1000 * MS) == 100_000


def test_a_move_decided_on_an_older_view_carries_that_views_nonce() -> None:
    session = at_the_table()
    older = view(1, 0, race=RACE)
    session.receive(older, 0)
    session.receive(view(2, 1), 0)

    assert played(session, {"t": "slap"}, older, None, MS).race == "n1"


@pytest.mark.parametrize("name", ["pounce", "keep"])
def test_a_move_that_is_not_the_races_own_carries_no_nonce(name: str) -> None:
    session = at_the_table()
    race = m.OpenRace(key="r", nonce="n", moves=("slap",), anytime=("pounce",))
    shown = view(1, 0, race=race, offers=(Offer(name),))
    session.receive(shown, 0)

    assert played(session, {"t": name}, shown, None, MS) == m.Play(id=0, move={"t": name})


@pytest.mark.parametrize("away", [0.0, 0.05, 0.3, 1.0, 2.0, 4.0, 7.0])
def test_a_client_reconnects_within_a_quarter_of_the_servers_downtime(away: float) -> None:
    tried = 0.0
    while tried < away:
        tried += pause(tried, 1.0)  # the longest it may wait

    assert tried - away <= max(FIRST_WAIT, away / 4)


def test_clients_of_a_restarted_server_do_not_reconnect_all_at_once() -> None:
    assert pause(2.0, 0.0) == pause(2.0, 1.0) / 2
    assert pause(600.0, 1.0) == LONGEST_WAIT

"""A session without a socket: its answers before and after `hello`, and when it closes."""

from collections.abc import AsyncIterator

import pytest

from photofinish.games import all_games
from photofinish.node.clock import clock
from photofinish.node.directory import Directory
from photofinish.store.ports import NodeId
from photofinish_protocol import messages
from photofinish_protocol.reasons import Close, Reason
from photofinish_protocol.version import BURST, JSON, MSGPACK, VERSION
from tests.gateway.guests import Guest, RecordingStore

HELLO = {"t": "hello", "v": VERSION, "name": "Ada"}
CREATE = {"t": "create", "game": "cambio", "seats": 2}


class Guests:
    def __init__(self, directory: Directory, store: RecordingStore) -> None:
        self._directory, self._store = directory, store

    def guest(self, name: str = "one", subprotocol: str = JSON) -> Guest:
        return Guest(name, subprotocol, self._directory, self._store)

    async def welcome(self, name: str = "one") -> Guest:
        guest = self.guest(name)
        assert isinstance(await guest.request(0, HELLO), messages.Welcome)
        return guest


@pytest.fixture
async def guests(redis_url: str) -> AsyncIterator[Guests]:
    store = await RecordingStore.open(redis_url)
    store.kept = {}
    directory = Directory(store, NodeId("sessions"), all_games())
    await directory.start()
    yield Guests(directory, store)
    await directory.stop()
    await store.close()


def reason(answer: object) -> Reason:
    assert isinstance(answer, messages.Refused), answer
    return answer.reason


async def test_before_hello_nothing_is_done(guests: Guests) -> None:
    guest = guests.guest()

    assert reason(await guest.request(0, CREATE)) is Reason.NO_HELLO
    assert reason(await guest.request(1, {"t": "ping", "at": 1})) is Reason.NO_HELLO
    assert not guest.session.is_in_a_room


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"v": VERSION + 1}, Reason.BAD_VERSION),
        ({"name": ""}, Reason.BAD_NAME),
        ({"name": "\u3164"}, Reason.BAD_NAME),
        ({"name": "x" * 40}, Reason.BAD_NAME),
        ({"name": "x" * 1_000}, Reason.BAD_MESSAGE),
    ],
)
async def test_a_refused_hello_can_be_sent_again(
    guests: Guests, changed: dict[str, object], why: Reason
) -> None:
    guest = guests.guest()

    assert reason(await guest.request(0, {**HELLO, **changed})) is why
    assert isinstance(await guest.request(1, HELLO), messages.Welcome)
    assert reason(await guest.request(2, HELLO)) is Reason.SECOND_HELLO


async def test_a_frame_that_is_no_message_closes_and_a_wrong_field_does_not(guests: Guests) -> None:
    guest = await guests.welcome()
    unfit = await guest.request(1, {"t": "join", "room": 7})
    assert isinstance(unfit, messages.Refused)
    assert guest.closed is None
    await guest.send(b"no message")

    assert guest.closed is Close.MALFORMED
    assert isinstance(guest.heard[-1], messages.Bye)
    before = len(guest.heard)
    await guest.send(b'{"t":"ping","id":2,"at":1}')
    assert len(guest.heard) == before, "an answer after the goodbye"


async def test_text_on_the_binary_protocol_closes(guests: Guests) -> None:
    guest = guests.guest(subprotocol=MSGPACK)
    await guest.session.frame("text", clock())

    assert guest.closed is Close.NOT_TEXT


async def test_the_same_id_gets_the_same_answer_and_does_nothing_twice(guests: Guests) -> None:
    guest = await guests.welcome()
    first = await guest.request(1, CREATE)
    again = await guest.again(1)

    assert isinstance(first, messages.Ack)
    assert again == first


async def test_a_client_that_sends_too_fast_is_refused_and_closed_if_it_continues(guests: Guests) -> None:
    guest = await guests.welcome()
    now = clock()
    frame = b'{"t":"ping","id":%d,"at":1}'
    for n in range(1, BURST + 30):
        await guest.session.frame((frame % n).decode(), now)

    refused = [it for it in guest.heard if isinstance(it, messages.Refused)]
    assert {it.reason for it in refused} == {Reason.TOO_FAST}
    assert len(refused) <= 10
    assert guest.closed is Close.TOO_FAST


async def test_requests_to_a_room_are_refused_if_the_session_is_in_no_room(guests: Guests) -> None:
    guest = await guests.welcome()

    assert reason(await guest.request(1, {"t": "ready"})) is Reason.NOT_IN_A_ROOM
    assert reason(await guest.request(2, {"t": "join", "room": "QQQQQ"})) is Reason.NO_SUCH_ROOM
    assert isinstance(await guest.request(3, CREATE), messages.Ack)
    assert reason(await guest.request(4, CREATE)) is Reason.IN_A_ROOM
    assert isinstance(await guest.request(5, {"t": "leave"}), messages.Ack)
    assert reason(await guest.request(6, {"t": "ready"})) is Reason.NOT_IN_A_ROOM


async def test_a_disconnected_player_resumes_the_seat_with_the_token(guests: Guests) -> None:
    guest = await guests.welcome()
    made = await guest.request(1, CREATE)
    guest.session.cut()
    other = guests.guest("other")
    welcome = await other.request(0, {"t": "hello", "v": VERSION, "token": made.got.token})

    assert isinstance(welcome, messages.Welcome)
    assert welcome.resumed is not None
    assert (welcome.resumed.room, welcome.resumed.seat) == (made.got.room, 0)
    assert welcome.next_id > 1
    assert guest.faults == other.faults == []


async def test_after_a_wrong_token_a_hello_with_a_name_still_works(guests: Guests) -> None:
    guest = guests.guest()
    wrong = await guest.request(0, {"t": "hello", "v": VERSION, "token": f"QQQQQ-0-{'0' * 32}"})

    assert reason(wrong) in {Reason.NO_SUCH_ROOM, Reason.BAD_TOKEN}
    assert isinstance(await guest.request(1, HELLO), messages.Welcome)

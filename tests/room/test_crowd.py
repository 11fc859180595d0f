"""The limits of one room: chat, watchers, and how often everybody is told who watches."""

import pytest

from photofinish.engine import Micros
from photofinish.room.budget import SECOND
from photofinish.room.seats.lobby import No
from photofinish.room.sending.crowd import FEW, MOST_WATCHERS, TALK, Crowd
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason

CHAT, EMOTE = messages.Chat(id=1, text="x"), messages.Emote(id=1, emote="wow")


def test_chat_per_room_is_limited_and_moves_do_not_count() -> None:
    crowd = Crowd(Micros(0))
    for n in range(TALK):
        crowd.check_talk(CHAT if n % 2 else EMOTE, Micros(0))
    with pytest.raises(No) as no:
        crowd.check_talk(CHAT, Micros(0))

    assert no.value.reason is Reason.TOO_FAST
    crowd.check_talk(messages.Ready(id=1), Micros(0))
    crowd.check_talk(CHAT, Micros(10 * SECOND))


def test_a_full_room_refuses_more_watchers() -> None:
    Crowd(Micros(0)).check_watchers(MOST_WATCHERS - 1)
    with pytest.raises(No) as no:
        Crowd(Micros(0)).check_watchers(MOST_WATCHERS)

    assert no.value.reason is Reason.ROOM_FULL


def test_a_few_watchers_are_told_at_once_and_many_once_a_second() -> None:
    crowd = Crowd(Micros(0))
    crowd.told(Micros(0))
    assert not crowd.is_put_off(FEW, Micros(1))
    assert crowd.is_put_off(FEW + 1, Micros(1))
    assert crowd.is_put_off(FEW + 9, Micros(2))
    assert crowd.tell_at == SECOND

    assert not crowd.is_put_off(FEW + 1, Micros(SECOND))
    crowd.told(Micros(SECOND))
    assert crowd.tell_at is None

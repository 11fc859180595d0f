"""The limits of one room: chat, watchers, and how often everybody is told who watches."""

import pytest

from photofinish.engine import Micros
from photofinish.room.budget import SECOND
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.room.sending.watcher_limits import FEW, MOST_WATCHERS, TALK, WatcherLimits
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason

CHAT, EMOTE = messages.Chat(id=1, text="x"), messages.Emote(id=1, emote="wow")


def test_chat_per_room_is_limited_and_moves_do_not_count() -> None:
    watcher_limits = WatcherLimits(Micros(0))
    for n in range(TALK):
        watcher_limits.check_talk(CHAT if n % 2 else EMOTE, Micros(0))
    with pytest.raises(RequestRefusal) as no:
        watcher_limits.check_talk(CHAT, Micros(0))

    assert no.value.reason is Reason.TOO_FAST
    watcher_limits.check_talk(messages.Ready(id=1), Micros(0))
    watcher_limits.check_talk(CHAT, Micros(10 * SECOND))


def test_a_full_room_refuses_more_watchers() -> None:
    WatcherLimits(Micros(0)).check_watchers(MOST_WATCHERS - 1)
    with pytest.raises(RequestRefusal) as no:
        WatcherLimits(Micros(0)).check_watchers(MOST_WATCHERS)

    assert no.value.reason is Reason.ROOM_FULL


def test_with_few_watchers_a_change_is_sent_at_once_and_with_many_once_per_second() -> None:
    watcher_limits = WatcherLimits(Micros(0))
    watcher_limits.sent(Micros(0))
    assert not watcher_limits.is_put_off(FEW, Micros(1))
    assert watcher_limits.is_put_off(FEW + 1, Micros(1))
    assert watcher_limits.is_put_off(FEW + 9, Micros(2))
    assert watcher_limits.send_at == SECOND

    assert not watcher_limits.is_put_off(FEW + 1, Micros(SECOND))
    watcher_limits.sent(Micros(SECOND))
    assert watcher_limits.send_at is None

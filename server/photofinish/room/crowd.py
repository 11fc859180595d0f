"""What many watchers may cost a room: how many there may be, and how often each change is told to all of them."""

from photofinish.engine import Micros
from photofinish.room.budget import SECOND, Bucket
from photofinish.room.lobby import No
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason

MOST_WATCHERS = 1_000
FEW = 32
"""So many watchers come and go one by one; with more of them the room is described once a second."""
TALK, TALK_PERIOD = 20, 2 * SECOND
"""Chats and emotes in one room: 20 at once, 10 a second."""


class Crowd:
    """The budgets of one room. Nothing of it is stored."""

    def __init__(self, now: Micros) -> None:
        self._talk = Bucket(TALK, TALK_PERIOD, now)
        self._told = Micros(now - SECOND)
        self.tell_at: Micros | None = None
        """When the change that was put off is told."""

    def check_talk(self, message: messages.ClientMessage, now: Micros) -> None:
        """Raises `No`."""
        if isinstance(message, messages.Chat | messages.Emote) and not self._talk.may(now):
            raise No(Reason.TOO_FAST, "Too much is said in this room. Wait a moment.")

    def check_watchers(self, watchers: int) -> None:
        """Raises `No`."""
        if watchers >= MOST_WATCHERS:
            raise No(Reason.ROOM_FULL, f"{MOST_WATCHERS} people watch this room. There is no room for more.")

    def is_put_off(self, watchers: int, now: Micros) -> bool:
        """A watcher came or went. Is that told later, with what else changes until then?"""
        if watchers <= FEW or now - self._told >= SECOND:
            return False
        if self.tell_at is None:
            self.tell_at = Micros(self._told + SECOND)
        return True

    def told(self, now: Micros) -> None:
        """Everybody has been told how the room is."""
        self._told, self.tell_at = now, None

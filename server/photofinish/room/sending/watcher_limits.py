"""Limits for watchers of a room: how many there may be, and how often a change is sent to all of them."""

from photofinish.engine import Micros
from photofinish.room.budget import SECOND, Bucket
from photofinish.room.seats.lobby import RequestRefusal
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason

MOST_WATCHERS = 1_000
FEW = 32
"""Up to this many watchers, each arrival is sent at once; with more, the description is sent once per second."""
TALK, TALK_PERIOD = 20, 2 * SECOND
"""Chats and emotes per room: a burst of 20, then 10 per second."""


class WatcherLimits:
    """The limits of one room. Not stored."""

    def __init__(self, now: Micros) -> None:
        self._talk = Bucket(TALK, TALK_PERIOD, now)
        self._sent_at = Micros(now - SECOND)
        self.send_at: Micros | None = None
        """When the postponed change is sent."""

    def check_talk(self, message: messages.ClientMessage, now: Micros) -> None:
        """Raises `RequestRefusal`."""
        if isinstance(message, messages.Chat | messages.Emote) and not self._talk.may(now):
            raise RequestRefusal(Reason.TOO_FAST, "Too much is said in this room. Wait a moment.")

    def check_watchers(self, watchers: int) -> None:
        """Raises `RequestRefusal`."""
        if watchers >= MOST_WATCHERS:
            raise RequestRefusal(
                Reason.ROOM_FULL, f"{MOST_WATCHERS} people watch this room. There is no room for more."
            )

    def is_put_off(self, watchers: int, now: Micros) -> bool:
        """A watcher came or left. True: postponed, and sent together with later changes."""
        if watchers <= FEW or now - self._sent_at >= SECOND:
            return False
        if self.send_at is None:
            self.send_at = Micros(self._sent_at + SECOND)
        return True

    def sent(self, now: Micros) -> None:
        """The description was sent to everybody."""
        self._sent_at, self.send_at = now, None

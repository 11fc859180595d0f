"""The pauses between attempts: each is twice as long as the one before, up to a longest one."""


class Backoff:
    """Counts the pauses of one series of attempts. It does not wait itself."""

    __slots__ = ("_first", "_longest", "_next")

    def __init__(self, first: float, longest: float) -> None:
        """Both in seconds."""
        self._first, self._longest = first, longest
        self._next = first

    def pause(self) -> float:
        """How long to wait before the next attempt, in seconds."""
        pause, self._next = self._next, min(2 * self._next, self._longest)
        return pause

    def reset(self) -> None:
        """An attempt has succeeded: the next pause is the first one again."""
        self._next = self._first

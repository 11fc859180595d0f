"""Who is connected to a room just now. Nothing of it is stored."""

from dataclasses import dataclass, field

from photofinish.room.answers import Answers
from photofinish.room.facts import SessionId


@dataclass(slots=True)
class Watcher:
    name: str
    answers: Answers = field(default_factory=Answers)


class Presence:
    """Sessions in chairs (one a chair: the newest) and sessions that watch."""

    def __init__(self) -> None:
        self.watchers: dict[SessionId, Watcher] = {}
        self._chairs: dict[SessionId, int] = {}
        self._sessions: dict[int, SessionId] = {}

    def sit(self, session: SessionId, chair: int) -> None:
        self._chairs[session] = chair
        self._sessions[chair] = session

    def rise(self, session: SessionId) -> int | None:
        """The session is no longer in its chair; says which that was."""
        chair = self._chairs.pop(session, None)
        if chair is not None and self._sessions.get(chair) == session:
            del self._sessions[chair]
        return chair

    def session_of(self, chair: int) -> SessionId | None:
        return self._sessions.get(chair)

    def chair_of(self, session: SessionId) -> int | None:
        return self._chairs.get(session)

    def here(self) -> set[int]:
        """The chairs whose players are connected."""
        return set(self._sessions)

    def everybody(self) -> list[SessionId]:
        return [*self._chairs, *self.watchers]

"""Who is connected to a room now. Not stored."""

from dataclasses import dataclass, field

from photofinish.race.params import Path
from photofinish.room.answers import Answers
from photofinish.room.facts import SessionId


@dataclass(slots=True)
class Watcher:
    name: str
    is_referee: bool = False
    seat: int | None = None
    """The seat whose view it gets (T4); None: the public view."""
    origin: bytes = b""
    """A hash of its address (`kicked.py`)."""
    proved: bytes = b""
    """A hash of the public key that it had proved."""
    answers: Answers = field(default_factory=Answers)


class Presence:
    """Sessions in chairs (one per chair: the newest) and sessions that watch."""

    def __init__(self) -> None:
        self.watchers: dict[SessionId, Watcher] = {}
        self.chairs: dict[SessionId, int] = {}
        """The key of each session's chair."""
        self.sessions: dict[int, SessionId] = {}
        """The session in each chair, by the chair's key."""
        self._paths: dict[SessionId, Path] = {}
        self._nodes: dict[SessionId, str] = {}

    def sit(self, session: SessionId, chair: int, node: str = "") -> None:
        """`node` holds the session's socket; empty: the room's own node."""
        self.chairs[session] = chair
        if node:
            self._nodes[session] = node
        self.sessions[chair] = session

    def rise(self, session: SessionId) -> int | None:
        """Take the session out of its chair. Returns the chair's key."""
        chair = self.chairs.pop(session, None)
        self._paths.pop(session, None)
        self._nodes.pop(session, None)
        if chair is not None and self.sessions.get(chair) == session:
            del self.sessions[chair]
        return chair

    def session_of(self, chair: int) -> SessionId | None:
        return self.sessions.get(chair)

    def chair_of(self, session: SessionId) -> int | None:
        return self.chairs.get(session)

    def measured(self, session: SessionId, path: Path) -> None:
        if session in self.chairs:
            self._paths[session] = path

    def path_of(self, chair: int) -> Path:
        """The measured network path to this chair's player; empty for a new connection."""
        session = self.sessions.get(chair)
        return self._paths.get(session, Path()) if session is not None else Path()

    def node_of(self, chair: int) -> str:
        """The other node that holds this chair's socket; empty for this node."""
        session = self.sessions.get(chair)
        return self._nodes.get(session, "") if session is not None else ""

    def here(self) -> set[int]:
        """The chairs whose players are connected."""
        return set(self.sessions)

    def everybody(self) -> list[SessionId]:
        return [*self.chairs, *self.watchers]

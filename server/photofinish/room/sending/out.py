"""The messages of a room, collected until the commit."""

import msgspec

from photofinish.room.answers import Answer
from photofinish.room.effects import Batch, Drop, Send, Show
from photofinish.room.facts import SessionId
from photofinish.room.record import Chair
from photofinish.room.seats.presence import Presence
from photofinish_protocol import messages
from photofinish_protocol.reasons import Close


class Out:
    """Addresses messages by chair or by session and keeps their order."""

    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        self.batch = Batch()

    def dirty(self) -> None:
        """Something has changed that must survive a crash."""
        self.batch.is_dirty = True

    def send(self, to: SessionId, message: messages.ServerMessage) -> None:
        self.batch.effects.append(Send(to, message))

    def show(self, to: SessionId, view: messages.View) -> None:
        self.batch.effects.append(Show(to, view))

    def drop(self, session: SessionId, code: Close | None = None) -> None:
        self.batch.effects.append(Drop(session, code))

    def to_chair(self, chair: Chair, message: messages.ServerMessage) -> None:
        session = self._presence.session_of(chair.key)
        if session is not None:
            self.send(session, message)

    def to_all(self, message: messages.ServerMessage) -> None:
        for session in self._presence.everybody():
            self.send(session, message)

    def ack_move(self, chair: Chair, request_id: int, seq: int) -> None:
        """The answer to a move that was carried out, as `answer` would give it."""
        ack = messages.Ack(id=request_id, seq=seq)
        chair.answers.keep_ack(ack)
        batch = self.batch
        batch.is_dirty = True
        session = self._presence.sessions.get(chair.key)
        if session is not None:
            batch.effects.append(Send(session, ack))

    def answer(self, chair: Chair, answer: Answer, session: SessionId | None = None) -> None:
        """The answer to a request of this chair. An ack is stored; after a crash, a refused request is judged again."""
        chair.answers.keep(_without_token(answer))
        if isinstance(answer, messages.Ack):
            self.dirty()
        if session is not None:
            self.send(session, answer)
        else:
            self.to_chair(chair, answer)


def _without_token(answer: Answer) -> Answer:
    """As it may be stored: of a token only the hash is. The session that was given it remembers its own answer."""
    if isinstance(answer, messages.Ack) and isinstance(answer.got, messages.Seated):
        seated = msgspec.structs.replace(answer.got, token="")
        return msgspec.structs.replace(answer, got=seated)
    return answer

"""Exactly one answer an id: the last 64 are kept, and the same id again gets the same answer."""

import msgspec

from photofinish_protocol.messages import Ack, Refused, Welcome
from photofinish_protocol.version import REMEMBERED

LONG = 2_048
"""Bytes: no answer to a move is as long."""
MOST_BYTES = 128 * 1024
"""What the answers of one asker may hold together."""
Answer = Ack | Refused | Welcome
_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Answer)


class Answers(msgspec.Struct, array_like=True):
    """The memory of one asker. Ids count up; one that is neither new nor remembered is stale."""

    highest: int = -1
    kept: dict[int, bytes] = {}

    def again(self, ask: int) -> Answer | None:
        """The answer this id got before, if it is still known."""
        raw = self.kept.get(ask)
        return None if raw is None else _decoder.decode(raw)

    def is_stale(self, ask: int) -> bool:
        return ask <= self.highest and ask not in self.kept

    def keep(self, answer: Answer) -> None:
        self.highest = max(self.highest, answer.id)
        self.kept[answer.id] = _encode(answer)
        while len(self.kept) > REMEMBERED:
            del self.kept[next(iter(self.kept))]
        if len(self.kept[answer.id]) > LONG:
            self._make_room()

    def _make_room(self) -> None:
        """Lists of games and rooms are long, and asking for them again does no harm: the oldest answers go."""
        held = sum(map(len, self.kept.values()))
        while held > MOST_BYTES and len(self.kept) > 1:
            held -= len(self.kept.pop(next(iter(self.kept))))

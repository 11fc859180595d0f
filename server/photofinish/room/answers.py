"""Exactly one answer per id. The last 64 are kept; the same id again gets the same answer."""

import msgspec

from photofinish_protocol.messages import Ack, Refused, Welcome
from photofinish_protocol.version import REMEMBERED

LONG = 2_048
"""Bytes. Every answer to a move is shorter."""
MOST_BYTES = 128 * 1024
"""Most bytes that all kept answers of one asker may have."""
Answer = Ack | Refused | Welcome
_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Answer)


class Answers(msgspec.Struct, array_like=True):
    """The kept answers of one asker. Ids increase; an id that is neither new nor kept is stale."""

    highest: int = -1
    kept: dict[int, bytes] = {}

    def again(self, ask: int) -> Answer | None:
        """The answer that this id got before, if it is still kept."""
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
        """Drop the oldest answers. Long ones are lists of games and rooms, which can be asked for again."""
        held = sum(map(len, self.kept.values()))
        while held > MOST_BYTES and len(self.kept) > 1:
            held -= len(self.kept.pop(next(iter(self.kept))))

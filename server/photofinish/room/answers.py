"""Exactly one answer per id. The last 64 answers are kept: the same id again gets the same answer."""

import msgspec

from photofinish_protocol.messages import Ack, Refused, Welcome
from photofinish_protocol.version import REMEMBERED

LONG = 2_048
"""Bytes. Every answer to a move is shorter."""
MOST_BYTES = 128 * 1024
"""The kept answers of one chair, watcher or session have at most this many bytes."""
NO_SEQ = -1
Answer = Ack | Refused | Welcome
_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Answer)


class Answers(msgspec.Struct, array_like=True):
    """The kept answers of one chair, watcher or session. Ids increase; an id that is neither new nor kept is stale.

    Nearly all answers are acks of moves, and every commit of a room stores them all. So they are kept as runs: with
    64 acks for each of four seats the record has 1.4 KB instead of 5.5 KB.
    """

    highest: int = -1
    kept: dict[int, bytes] = {}
    runs: list[list[int]] = []
    """Acks that say nothing but `seq`, for ids in a row: the first id, then the `seq` of each."""

    def again(self, request_id: int) -> Answer | None:
        """The answer that this id got before, if it is still kept."""
        if request_id > self.highest:
            return None
        raw = self.kept.get(request_id)
        if raw is not None:
            kept: Answer = _decoder.decode(raw)
            return kept
        for run in self.runs:
            place = request_id - run[0] + 1
            if 1 <= place < len(run):
                return Ack(id=request_id, seq=None if run[place] == NO_SEQ else run[place])
        return None

    def is_stale(self, request_id: int) -> bool:
        return request_id <= self.highest and self.again(request_id) is None

    def keep(self, answer: Answer) -> None:
        request_id = answer.id
        if request_id > self.highest:
            self.highest = request_id
        elif self.again(request_id) is not None:
            return  # sent a second time
        if isinstance(answer, Ack) and answer.got is None:
            self._keep_ack(request_id, NO_SEQ if answer.seq is None else answer.seq)
        else:
            self.kept[request_id] = _encode(answer)
        self._drop_excess()
        if len(self.kept.get(request_id, b"")) > LONG:
            self._make_room()

    def keep_ack(self, answer: Ack) -> None:
        """As `keep`, for an ack that says nothing but `seq`. The usual one continues the last run: three calls less."""
        request_id, seq, runs = answer.id, answer.seq, self.runs
        run = runs[-1] if runs else [-1]
        size = len(run)
        if request_id != self.highest + 1 or request_id != run[0] + size - 1:
            self.keep(answer)
            return
        self.highest = request_id
        run.append(NO_SEQ if seq is None else seq)
        if self.kept or len(runs) > 1:
            self._drop_excess()
        elif size > REMEMBERED:
            del run[1]
            run[0] += 1

    def _drop_excess(self) -> None:
        count = len(self.kept) - len(self.runs)
        for run in self.runs:
            count += len(run)
        for _ in range(count - REMEMBERED):
            self._drop_oldest()

    def _keep_ack(self, request_id: int, seq: int) -> None:
        if self.runs:
            last = self.runs[-1]
            if last[0] + len(last) - 1 == request_id:
                last.append(seq)
                return
        self.runs.append([request_id, seq])

    def _drop_oldest(self) -> None:
        oldest = next(iter(self.kept), None)
        if oldest is not None and (not self.runs or oldest < self.runs[0][0]):
            del self.kept[oldest]
            return
        run = self.runs[0]
        del run[1]
        run[0] += 1
        if len(run) == 1:
            del self.runs[0]

    def _make_room(self) -> None:
        """Drop the oldest answers. Long ones are lists of games and rooms, which can be asked for again."""
        held = sum(map(len, self.kept.values()))
        while held > MOST_BYTES and len(self.kept) > 1:
            held -= len(self.kept.pop(next(iter(self.kept))))

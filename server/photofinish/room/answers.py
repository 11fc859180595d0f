"""Exactly one answer per id. The last 64 answers are kept: the same id again gets the same answer."""

import msgspec

from photofinish_protocol.messages import Ack, Refused, Welcome
from photofinish_protocol.version import REMEMBERED

LONG = 2_048
"""Bytes. Every answer to a move is shorter."""
MOST_BYTES = 128 * 1024
"""The kept answers of one chair, watcher or session have at most this many bytes."""
NO_SEQ = 255
"""The step of an ack without `seq`."""
Answer = Ack | Refused | Welcome
_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Answer)


class AckRun(msgspec.Struct, array_like=True):
    """Acks that say nothing but `seq`, for ids in a row."""

    first: int
    """The first id."""
    seq: int
    """The `seq` of the newest ack that has one; 0 if none has."""
    steps: bytearray
    """By how much each `seq` is higher than the one before, or `NO_SEQ`."""

    def end(self) -> int:
        """The id after the last one."""
        return self.first + len(self.steps)

    def seq_of(self, request_id: int) -> int | None:
        place = request_id - self.first
        if self.steps[place] == NO_SEQ:
            return None
        return self.seq - sum(it for it in self.steps[place + 1 :] if it != NO_SEQ)


class Answers(msgspec.Struct, array_like=True):
    """The kept answers of one chair, watcher or session. Ids increase; an id that is neither new nor kept is stale.

    Nearly all answers are acks of moves, and every commit of a room stores them all. So they are kept as runs, with
    one byte per ack: with 64 acks for each of four seats a list of numbers took half of the time of packing the record.
    """

    highest: int = -1
    kept: dict[int, bytes] = {}
    older_runs: list[list[int]] = []
    """`runs` in records before version 3: the first id, then the `seq` of each, -1 for none. Not written."""
    runs: list[AckRun] = []

    def __post_init__(self) -> None:
        for first, *seqs in self.older_runs:
            for request_id, seq in enumerate(seqs, first):
                self._keep_ack(request_id, None if seq < 0 else seq)
        self.older_runs = []

    def again(self, request_id: int) -> Answer | None:
        """The answer that this id got before, if it is still kept."""
        if request_id > self.highest:
            return None
        raw = self.kept.get(request_id)
        if raw is not None:
            kept: Answer = _decoder.decode(raw)
            return kept
        for run in self.runs:
            if run.first <= request_id < run.end():
                return Ack(id=request_id, seq=run.seq_of(request_id))
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
            self._keep_ack(request_id, answer.seq)
        else:
            self.kept[request_id] = _encode(answer)
        self._drop_excess()
        if len(self.kept.get(request_id, b"")) > LONG:
            self._make_room()

    def keep_ack(self, answer: Ack) -> None:
        """As `keep`, for an ack that says nothing but `seq`. The usual one continues the last run: three calls less."""
        request_id, seq, runs = answer.id, answer.seq, self.runs
        if seq is None or request_id != self.highest + 1 or not runs:
            self.keep(answer)
            return
        run = runs[-1]
        steps, step = run.steps, seq - run.seq
        count = len(steps)
        if request_id != run.first + count or not 0 <= step < NO_SEQ:
            self.keep(answer)
            return
        self.highest, run.seq = request_id, seq
        steps.append(step)
        if self.kept or len(runs) > 1:
            self._drop_excess()
        elif count >= REMEMBERED:
            del steps[0]
            run.first += 1

    def _drop_excess(self) -> None:
        count = len(self.kept)
        for run in self.runs:
            count += len(run.steps)
        for _ in range(count - REMEMBERED):
            self._drop_oldest()

    def _keep_ack(self, request_id: int, seq: int | None) -> None:
        run = self.runs[-1] if self.runs else None
        if run is None or run.end() != request_id or (seq is not None and not 0 <= seq - run.seq < NO_SEQ):
            run = AckRun(request_id, seq or 0, bytearray())
            self.runs.append(run)
        if seq is None:
            run.steps.append(NO_SEQ)
        else:
            run.steps.append(seq - run.seq)
            run.seq = seq

    def _drop_oldest(self) -> None:
        oldest = next(iter(self.kept), None)
        if oldest is not None and (not self.runs or oldest < self.runs[0].first):
            del self.kept[oldest]
            return
        run = self.runs[0]
        del run.steps[0]
        run.first += 1
        if not run.steps:
            del self.runs[0]

    def _make_room(self) -> None:
        """Drop the oldest answers. Long ones are lists of games and rooms, which can be asked for again."""
        held = sum(map(len, self.kept.values()))
        while held > MOST_BYTES and len(self.kept) > 1:
            held -= len(self.kept.pop(next(iter(self.kept))))

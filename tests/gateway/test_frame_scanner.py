"""The scanner of websocket frames finds every frame header, however the stream is split into reads."""

import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from photofinish.gateway.sockets.frame_scanner import FrameScanner


@given(
    st.lists(st.tuples(st.sampled_from(list(Opcode)), st.integers(0, 70_000), st.booleans()), max_size=8),
    st.data(),
)
def test_the_scanner_finds_every_frame_however_the_stream_is_split(
    frames: list[Any], data: st.DataObject
) -> None:
    wire = b"".join(
        Frame(opcode, bytes(length % 126 if opcode >= Opcode.CLOSE else length), fin=fin or opcode >= Opcode.CLOSE)
        .serialize(mask=bool(n % 2)) for n, (opcode, length, fin) in enumerate(frames)
    )  # fmt: skip
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=12)))
    scanner, found = FrameScanner(), []
    for first, last in itertools.pairwise([0, *cuts, len(wire)]):
        part, at = wire[first:last], 0
        while at < len(part):
            at, head = scanner.step(part, at)
            if head is not None:
                found.append(head)

    assert [head & 0x0F for head in found] == [opcode for opcode, _, _ in frames]
    assert not scanner.is_in_payload

"""Encodes a message for many sockets once."""

import msgspec

from photofinish_protocol.codec import CODECS, Codec
from photofinish_protocol.messages import ServerMessage, View


class SharedFrames:
    """Caches the frame of the last message and of the last public view, in one codec.

    A room sends the same object to all sockets. Messages are frozen, so the same object has the same frame.
    """

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self._message: ServerMessage | None = None
        self._frame = b""
        self._view: View | None = None
        self._chained: dict[int, bytes] = {}
        """The frames of the last view, by the `seq` of the view before it."""

    def message(self, message: ServerMessage) -> bytes:
        if message is not self._message:
            self._message, self._frame = message, self._codec.encode(message)
        return self._frame

    def view(self, view: View, seq: int) -> bytes:
        """The frame of a view whose `from` is `seq`. Most watchers have the same `seq`, so they share the frame."""
        if view.you is not None:
            return self._codec.encode(view if view.from_ == seq else msgspec.structs.replace(view, from_=seq))
        if view is not self._view:
            self._view, self._chained = view, {}
        frame = self._chained.get(seq)
        if frame is None:
            frame = self._chained[seq] = self._codec.encode(msgspec.structs.replace(view, from_=seq))
        return frame


SHARED = {name: SharedFrames(codec) for name, codec in CODECS.items()}

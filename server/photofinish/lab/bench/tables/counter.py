"""Counter: the seats add one in turn."""

from photofinish.lab.bench.sockets import Socket
from photofinish.lab.bench.tables.base import ACK, CODEC, HEAD, REFUSED, SEATS, VIEW, Unexpected
from photofinish.lab.bench.tables.room import GameTable
from photofinish_protocol import messages


class CounterTable(GameTable):
    """Each seat in its turn adds one. An action is over when its ack and all views have come."""

    def __init__(self, seats: int = SEATS) -> None:
        super().__init__("counter", seats)
        self._awaited = self._turn = 0

    def _act(self) -> None:
        self._awaited = self.seats + 1
        socket = self.sockets[self._turn]
        self._turn = (self._turn + 1) % self.seats
        self._ids[socket] += 1
        socket.send(CODEC.encode(messages.Play(id=self._ids[socket], move={"t": "add"})))

    def _heard(self, _socket: Socket, frame: bytes) -> None:
        head = frame[:HEAD]
        if VIEW in head or ACK in head:
            self._awaited -= 1
            if not self._awaited:
                self._finished()
        elif REFUSED in head:
            raise Unexpected(str(CODEC.decode_message(frame)))

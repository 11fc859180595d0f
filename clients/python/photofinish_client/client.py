"""A connection to a server: `async with connect(url) as table`. It reconnects by itself after a cut."""

import asyncio
import logging
import random
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from time import monotonic, perf_counter_ns
from typing import Any, Final
from urllib.request import Request as HttpRequest

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.http11 import Response
from websockets.typing import Subprotocol

from photofinish_client.connection.address import Address, address
from photofinish_client.connection.backoff import pause
from photofinish_client.connection.codec import CODECS, MAX_FRAME, ClientCodec, Encoding
from photofinish_client.connection.requests import Requests
from photofinish_client.connection.session import (
    Answer,
    ClientSession,
    Effect,
    Event,
    KeepToken,
    MissedView,
    PassOn,
    RequestLost,
    RetryLater,
    RoomElsewhere,
    SendRequest,
    Stopped,
)  # fmt: skip
from photofinish_client.errors import CutOff, MoveRefused, RequestRefused, SeatLost
from photofinish_client.keys import PlayerKey
from photofinish_protocol.codec import Malformed
from photofinish_protocol.messages import (
    Ack,
    Bye,
    Called,
    Play,
    Refused,
    Request,
    Room,
    View,
    Welcome,
)  # fmt: skip
from photofinish_protocol.reasons import CLOSES, Close

log = logging.getLogger("photofinish.client")

GIVE_UP_AFTER: Final = 60.0
"""Seconds without a welcome after which there are no more retries."""
FINAL_STATUSES: Final = frozenset({400, 401, 403, 404})
"""HTTP statuses that end the first handshake without a retry. After the first welcome they are retried."""
AVOID_SECONDS: Final = 30.0
"""A node's address that could not be reached is not tried again for this many seconds."""
FIRST_TRY: Final = 5.0
"""Seconds of retries before the first welcome. After that the address is probably wrong."""
KEPT_EVENTS: Final = 4096
"""Most events that wait for the reader; after that the oldest are dropped."""
FINAL: Final = {1000, 1002, 1007, *(int(code) for code, row in CLOSES.items() if not row.retry)}
"""Close codes after which the client does not reconnect."""

Move = dict[str, Any]


class Table(Requests):
    """One connection. `view` and `room` are always the newest; iterate over the table to get every event."""

    def __init__(
        self,
        address: Address,
        session: ClientSession,
        codec: ClientCodec,
        keep: Callable[[str], None] | None = None,
        give_up_after: float = GIVE_UP_AFTER,
        key: PlayerKey | None = None,
        *,
        follows_owner: bool = True,
        sits_by_itself: bool = False,
    ) -> None:
        self._key = key
        session.proves_key = key is not None
        self._sits_by_itself = sits_by_itself
        self._sitting: asyncio.Task[None] | None = None
        self._follows_owner = follows_owner
        self._proving: asyncio.Task[None] | None = None
        self._address = self._first = address
        self._unreachable: dict[str, float] = {}
        """Node addresses that could not be reached, and until when they are not tried again."""
        self.session = session
        self.cuts = 0
        """How often a socket was lost after its welcome."""
        self._codec = codec
        self._keep = keep
        self._give_up_after = give_up_after
        self._socket: ClientConnection | None = None
        self._answers: dict[int, asyncio.Future[tuple[Ack | Refused, int]]] = {}
        self._events: deque[Event] = deque(maxlen=KEPT_EVENTS)
        self._news = asyncio.Event()
        self._welcomed = asyncio.Event()
        self._room_changes: list[asyncio.Future[None]] = []
        self._end: Exception | None = None
        self._wait_at_least = 0.0
        self._is_put_off = False
        """We closed the socket because the server refused our `hello` for the moment."""
        self._doubts = 0
        """Number of doubts about the shuffle that have been logged."""
        self._run: asyncio.Task[None] | None = None

    @property
    def view(self) -> View | None:
        return self.session.view

    @property
    def room(self) -> Room | None:
        return self.session.room

    @property
    def url(self) -> str:
        """The address that we use now: that of the room's node, if the room is on another node."""
        return self._address.url

    def page(self, path: str) -> HttpRequest:
        """A request for a page of the same server."""
        return self._address.page(path)

    @property
    def seat(self) -> int | None:
        return self.session.seat

    @property
    def token(self) -> str | None:
        """Resumes the seat, also from another program. Changes with every reconnection."""
        return self.session.token

    async def play(self, move: Move, *, view: View | None = None, react_us: int | None = None) -> int:
        """Make a move that was decided on this view (default: the newest). Return when it is done and stored.

        Returns the `seq` of the newest view at that moment: only later views show the move.

        In a race, the view's nonce and the time since this client first saw the race are sent with the move.
        Raises `MoveRefused(reason, clause, text)`.
        """
        return (
            await self._answered_request(
                played(self.session, move, view or self.view, react_us, perf_counter_ns())
            )
        )[1]

    async def request(self, wish: Request) -> Ack:
        return (await self._answered_request(wish))[0]

    async def _answered_request(self, wish: Request) -> tuple[Ack, int]:
        if self._end is not None:
            raise self._end
        ticket, effects = self.session.request(wish)
        answer = self._answers[ticket] = asyncio.get_running_loop().create_future()
        try:
            await self._do(effects)
            got, seq = await answer
        finally:
            self._answers.pop(ticket, None)
        if isinstance(got, Refused):
            raise (MoveRefused if isinstance(wish, Play) else RequestRefused)(got)
        return got, seq

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        """The next event, in order. The iteration ends when the connection has ended for good."""
        while not self._events:
            if self._end is not None:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._events.popleft()

    async def until(self, is_so: Callable[[Room], bool]) -> Room:
        """Wait until `is_so(room)` is true. Does not consume events."""
        while self._end is None:
            if self.room is not None and is_so(self.room):
                return self.room
            waiting = asyncio.get_running_loop().create_future()
            self._room_changes.append(waiting)
            await waiting
        raise self._end

    async def open(self) -> None:
        """Connect and say hello. `connect` does this for you."""
        self._run = asyncio.create_task(self._keep_connected(), name=f"table {self.session.name}")
        await self._welcomed.wait()
        if self._end is not None:
            raise self._end

    async def close(self) -> None:
        if self._run is not None:
            self._run.cancel()
            with suppress(asyncio.CancelledError):
                await self._run
        await self._stop(self._end or CutOff("the table was closed here", 1000))

    async def _keep_connected(self) -> None:
        """Connect and reconnect until the table is stopped."""
        since = monotonic()
        while self._end is None:
            cuts_before = self.cuts
            try:
                await self._one_socket()
            except (
                OSError,
                TimeoutError,
                InvalidHandshake,
                ConnectionClosed,
                MissedView,
                Malformed,
            ) as error:
                log.info("cut: %s", error)
                if isinstance(error, InvalidStatus) and self._address == self._first:
                    await self._handshake_refused(error.response)
                self._back_to_first_address()
            except InvalidURI as error:
                await self._stop(CutOff(str(error)))
            await self._do(self.session.cut())
            if self.cuts > cuts_before:
                since = monotonic()
            limit = self._give_up_after if self._welcomed.is_set() else min(FIRST_TRY, self._give_up_after)
            if self._end is None and monotonic() - since > limit:
                await self._stop(CutOff(f"no server at {self.url} for {limit:.0f} s"))
            elif self._end is None:
                await asyncio.sleep(max(self._wait_at_least, pause(monotonic() - since, random.random())))  # noqa: S311 - jitter
                self._wait_at_least = 0.0

    async def _one_socket(self) -> None:
        """Open one socket and use it until it is cut. `cuts` counts the sockets that got a welcome."""
        here = self._address
        async with open_socket(
            here.url,
            additional_headers=here.headers,
            subprotocols=[Subprotocol(self._codec.subprotocol)],
            compression=None,
            max_size=MAX_FRAME,
            open_timeout=5,
            close_timeout=1,
            ping_interval=4,
            ping_timeout=4,  # a dead connection is noticed within 8 s
        ) as socket:
            self._socket = socket
            await socket.send(self._codec.pack(self.session.open()))
            was_welcome = False
            try:
                async for frame in socket:
                    at = perf_counter_ns()
                    message = self._codec.unpack(frame)
                    if message is None:
                        continue  # Versions: what we do not know is ignored
                    await self._do(self.session.receive(message, at))
                    was_welcome = was_welcome or self.session.is_open
            except ConnectionClosed:
                pass  # the close code decides what follows
            finally:
                self._socket = None
                self.cuts += was_welcome
            put_off, self._is_put_off = self._is_put_off, False
            if (code := socket.close_code) in FINAL and self._address == here and not put_off:
                row = CLOSES.get(Close(code)) if code in set(Close) else None
                why = socket.close_reason or (row.sentence if row else "The server closed the connection.")
                await self._stop(CutOff(why, code))

    async def _move_to_node(self, url: str) -> None:
        """Reconnect to the node that has our room, unless that failed lately. The present node relays until then."""
        node = self._first.other_node(url)
        if not self._follows_owner or node is None or monotonic() < self._unreachable.get(node.url, 0.0):
            return
        log.info("our room is on another node: %s", node.url)
        self._address = node
        if self._socket is not None:
            await self._socket.close()

    def _back_to_first_address(self) -> None:
        """Go back to the first address if the node's own address cannot be reached."""
        if self._address != self._first:
            self._unreachable[self._address.url] = monotonic() + AVOID_SECONDS
            self._address = self._first

    async def _handshake_refused(self, answer: Response) -> None:
        """The server has refused the handshake with an HTTP status."""
        why = answer.body.decode("utf-8", "replace").strip() if answer.body else answer.reason_phrase
        if answer.status_code in FINAL_STATUSES and not self._welcomed.is_set():
            await self._stop(CutOff(f"{self.url}: {why}"))
        else:
            log.warning("%s: %s", self.url, why)

    async def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case KeepToken(token):
                    if self._keep is not None:
                        self._keep(token)
                case RoomElsewhere(url):
                    await self._move_to_node(url)
                case SendRequest(request):
                    await self._send(request)
                case Answer(ticket, message):
                    self._settle(ticket, message)
                case RequestLost(ticket):
                    self._settle(ticket, CutOff("the connection was cut before the answer came"))
                case PassOn(event):
                    self._tell(event)
                case RetryLater(refused):
                    log.info("refused for now: %s", refused.text)
                    self._is_put_off = True
                    if self._socket is not None:
                        await self._socket.close()
                case Stopped(refused):
                    await self._stop(SeatLost(refused))

    async def _send(self, request: Request) -> None:
        # A cut while sending is handled elsewhere: the receiver notices it, and the session sends the request again.
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(self._codec.pack(request))

    def _settle(self, ticket: int, result: Ack | Refused | Exception) -> None:
        answer = self._answers.get(ticket)
        if answer is None or answer.done():
            return
        if isinstance(result, Exception):
            answer.set_exception(result)
        else:
            answer.set_result((result, self.view.seq if self.view else 0))

    async def _prove(self, key: PlayerKey, challenge: str) -> None:
        try:
            await self.request(key.proof(self.url, challenge, self.session.name))
        except RequestRefused as no:
            await self._stop(no)
        except CutOff:
            return  # the next connection proves the key
        self._welcomed.set()

    async def _take_seat(self, event: str) -> None:
        """T68: a call seats us at once if we are in no room."""
        try:
            await self.sit(event)
        except (RequestRefused, CutOff) as no:
            # The table began without this client, or the call is repeated after a cut.
            log.info("not seated in event %s: %s", event, no)

    def _tell(self, event: Event) -> None:
        match event:
            case Welcome(challenge=challenge):
                if self._key is None:
                    self._welcomed.set()
                else:  # each connection must prove the key
                    self._proving = asyncio.create_task(self._prove(self._key, challenge))
            case Bye(retry_after_ms=wait):
                self._wait_at_least = wait / 1000
            case Room():
                self._room_changed()
            case Called(event=code) if self._sits_by_itself and not self.session.is_at_a_table:
                self._sitting = asyncio.create_task(self._take_seat(code))
            case _:
                pass
        for doubt in self.session.promise.doubts[self._doubts :]:
            self._doubts += 1
            log.warning("%s", doubt)
        self._events.append(event)
        self._news.set()

    def _room_changed(self) -> None:
        for waiting in self._room_changes:
            if not waiting.done():
                waiting.set_result(None)
        self._room_changes.clear()

    async def _stop(self, why: Exception) -> None:
        """End the table: no more sockets, and everything that waits gets `why` as its exception."""
        self._end = self._end or why
        for ticket in [it.ticket for it in self.session.give_up() if isinstance(it, RequestLost)]:
            self._settle(ticket, self._end)
        self._welcomed.set()
        self._news.set()
        self._room_changed()
        if self._socket is not None:
            await self._socket.close()


def played(session: ClientSession, move: Move, view: View | None, react_us: int | None, now: int) -> Play:
    """The message for a move. It has the race's nonce if the move is one of the race's own moves."""
    race = view.race if view is not None else None
    if race is None or move.get("t") not in (*race.moves, *race.closers):
        return Play(id=0, move=move)
    took = session.react_us(race.nonce, now) if react_us is None else react_us
    return Play(id=0, move=move, race=race.nonce, react_us=took)


@asynccontextmanager
async def connect(
    url: str,
    *,
    name: str = "",
    codec: Encoding = "msgpack",
    token: str | None = None,
    keep: Callable[[str], None] | None = None,
    give_up_after: float = GIVE_UP_AFTER,
    access_token: str | None = None,
    key: PlayerKey | None = None,
    follows_owner: bool = True,
    sits_by_itself: bool = False,
) -> AsyncIterator[Table]:
    """Connect to a server. `token` resumes the seat it belongs to. `key` is proved to the server, for events.

    `access_token` is for servers that require one. It may also be in the address, `ws://anybody:TOKEN@host`, or in the
    environment variable PHOTOFINISH_ACCESS_TOKEN.

    `keep` is called with each new token before anything else is sent. Save the token there to resume the seat after
    this program has ended.

    `follows_owner`: go to the node that has our room. Without it the first node relays.

    `sits_by_itself`: when an event calls this key and we are in no room, take the seat. Say `ready` when you are.
    """
    there = address(url, access_token)
    session = ClientSession(name, "photofinish-python", token)
    table = Table(
        there, session, CODECS[codec], keep, give_up_after, key,
        follows_owner=follows_owner, sits_by_itself=sits_by_itself,
    )  # fmt: skip
    try:
        await table.open()
        yield table
    finally:
        await table.close()

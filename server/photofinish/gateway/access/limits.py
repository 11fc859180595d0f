"""Limits per connection and per address."""

import asyncio
import hashlib
import ipaddress
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from photofinish.engine import Micros
from photofinish.node.room_table import ANONYMOUS, Opener
from photofinish.room.budget import SECOND, Bucket
from photofinish_protocol.version import BURST, RATE

MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE
MAX_REFUSALS = 10
"""A connection with more refusals (`too_fast`) than this within one second is closed."""
MAX_FRAGMENTS = 64
"""Frames per message. One is enough; empty fragments cost the server more than the sender."""
TALK, TALK_PERIOD = 10, 10 * SECOND
"""Chats and emotes per connection: 10 at once, then one per second."""
FOLLOWS, FOLLOWS_PERIOD = 30, 30 * SECOND
"""`follow` per connection: 30 at once, then one per second. The answer may be a thousand times as long."""
CATALOGUES, CATALOGUES_PERIOD = 40, 40 * SECOND
"""`games` per connection: 40 at once, then one per second. The answer is two thousand times as long."""
ROOMS_PER_SESSION = 30
"""Rooms that one connection may open per minute, and at once."""
MOST_UNFINISHED = 256 * 1024
"""Most bytes of unfinished HTTP requests per address. The request of an honest client arrives in one piece."""
FORGET_EVERY = 4096
"""Each time the table has grown by this many addresses, those that are no longer needed are removed."""


class FrameRate(Bucket):
    """A token bucket of `BURST` messages that refills with `RATE` per second. It also counts refusals."""

    __slots__ = ("_now", "_refused")

    def __init__(self, now: Micros) -> None:
        super().__init__(BURST, BURST * SECOND // RATE, now)
        self._now = now
        self._refused: list[Micros] = []

    def may(self, now: Micros) -> bool:
        """Whether this connection may send a message now. If so, it is counted."""
        # The same formula as in `Bucket`, written here to save a call per message.
        level = self._level + (now - self._at) * self._size / self._period
        self._at = now
        if level >= 1:
            self._level = (min(self._size, level)) - 1
            return True
        self._level = level
        self._now = now
        self._refused.append(now)
        del self._refused[: -MAX_REFUSALS - 1]
        return False

    @property
    def is_flooding(self) -> bool:
        """Whether there were more than `MAX_REFUSALS` refusals in the second before the last one."""
        return len(self._refused) > MAX_REFUSALS and self._refused[0] > self._now - SECOND


@dataclass(frozen=True, slots=True)
class Allowance:
    """The limits per address. 0: no limit."""

    connections: int = 512
    """Connections open at a time."""
    requests: int = 1000
    """Handshakes and pages per ten seconds."""
    rooms: int = 240
    """Rooms opened per minute."""
    open_rooms: int = 200
    """Rooms open at a time, per node."""
    events: int = 20
    """Events created per day."""
    misses: int = 60
    """Requests per minute for room codes, tokens and replays that do not exist. Stops guessing of private rooms."""


class Guesses:
    """Counts wrong codes and secrets. A guess counts from its start; it stops counting if it proves right.

    If all remaining guesses are under way, the next one waits: many honest players may share one address.
    """

    __slots__ = ("_bucket", "_clock", "_under_way", "_waiting")

    def __init__(self, most: int, clock: Callable[[], Micros]) -> None:
        self._bucket = Bucket(most, MINUTE, clock()) if most else None
        self._clock = clock
        self._under_way = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def begin(self) -> bool:
        """Whether a guess is allowed. If it is, the caller must call `end`."""
        bucket = self._bucket
        while bucket is not None and bucket.left(self._clock()) - self._under_way < 1:
            if bucket.left(self._clock()) < 1:
                self._wake_next()
                return False
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        self._under_way += 1
        return True

    def end(self, *, is_miss: bool) -> None:
        self._under_way -= 1
        if is_miss and self._bucket is not None:
            self._bucket.may(self._clock())
        self._wake_next()

    def _wake_next(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():  # done: the waiting task was cancelled
                turn.set_result(None)
                return

    def is_full(self, now: Micros) -> bool:
        return not self._under_way and (self._bucket is None or self._bucket.is_full(now))


class _AddressState:
    """The counters of one address."""

    __slots__ = ("events", "guesses", "open", "requests", "rooms", "unfinished")

    def __init__(self, allowed: Allowance, clock: Callable[[], Micros]) -> None:
        now = clock()
        self.open = 0
        self.unfinished = 0
        """Bytes of HTTP requests whose end is missing."""
        self.requests = Bucket(allowed.requests, 10 * SECOND, now)
        self.rooms = Bucket(allowed.rooms, MINUTE, now)
        self.events = Bucket(allowed.events, DAY, now)
        self.guesses = Guesses(allowed.misses, clock)

    def is_forgettable(self, now: Micros) -> bool:
        counters = (self.requests, self.rooms, self.events, self.guesses)
        return not self.open and all(it.is_full(now) for it in counters)


class AddressLimits:
    """Counts per address. For IPv6 the /64 network counts, because one client usually has a whole /64."""

    def __init__(self, allowed: Allowance, clock: Callable[[], Micros]) -> None:
        self.allowed, self._clock = allowed, clock
        self._states: dict[str, _AddressState] = {}

    def __len__(self) -> int:
        return len(self._states)

    def connected(self, address: str) -> bool:
        """Count a new connection, until `disconnected`. False if the address has too many (then too it is counted)."""
        state = self._state(address)
        state.open += 1
        return not self.allowed.connections or state.open <= self.allowed.connections

    def disconnected(self, address: str) -> None:
        """A connection was closed."""
        self._state(address).open -= 1

    def open(self, address: str) -> int:
        """Connections that are open now."""
        return self._state(address).open

    def may_hold(self, address: str, more: int) -> bool:
        """Count the bytes of unfinished requests: `more` of them, or fewer. Returns whether the limit allows them."""
        state = self._state(address)
        state.unfinished += more
        return state.unfinished <= MOST_UNFINISHED

    def may_ask(self, address: str) -> bool:
        """Whether a handshake or a page is allowed now. If so, it is counted."""
        return not self.allowed.requests or self._state(address).requests.may(self._clock())

    def may_open(self, address: str) -> bool:
        """Whether a room may be opened now. If so, it is counted."""
        return not self.allowed.rooms or self._state(address).rooms.may(self._clock())

    def may_create_event(self, address: str) -> bool:
        """Whether an event may be created now. If so, it is counted."""
        return not self.allowed.events or self._state(address).events.may(self._clock())

    def now(self) -> Micros:
        return self._clock()

    def guesses(self, address: str) -> Guesses:
        """The counter of room codes, tokens and secrets that this address tries."""
        return self._state(address).guesses

    def new_guesses(self) -> Guesses:
        return Guesses(self.allowed.misses, self._clock)

    def _state(self, address: str) -> _AddressState:
        state = self._states.get(address)
        if state is None:
            if len(self._states) % FORGET_EVERY == FORGET_EVERY - 1:
                self._forget()
            state = self._states[address] = _AddressState(self.allowed, self._clock)
        return state

    def _forget(self) -> None:
        now = self._clock()
        self._states = {key: state for key, state in self._states.items() if not state.is_forgettable(now)}


class ConnectionLimits:
    """The limits of one connection: its own, and those of its address."""

    __slots__ = ("_address", "_follows", "_guesses", "_limits", "_rooms")

    def __init__(self, limits: AddressLimits, address: str, now: Micros) -> None:
        self._limits, self._address = limits, address
        self._rooms = Bucket(ROOMS_PER_SESSION, MINUTE, now)
        self._follows = Bucket(FOLLOWS, FOLLOWS_PERIOD, now)
        # Without a known address, the guesses of each connection are counted separately.
        self._guesses = limits.guesses(address) if address else limits.new_guesses()

    @property
    def address(self) -> str:
        """The address that the connection counts for; empty if there is none (a unix socket)."""
        return self._address

    def may_open(self, now: Micros) -> bool:
        return self._rooms.may(now) and (not self._address or self._limits.may_open(self._address))

    def may_create_event(self) -> bool:
        return not self._address or self._limits.may_create_event(self._address)

    def may_follow(self) -> bool:
        return self._follows.may(self._limits.now())

    @property
    def opener(self) -> Opener:
        """A hash of the address, which rooms store as their opener. The address itself is never stored."""
        if not self._address:
            return ANONYMOUS
        mark = hashlib.blake2s(self._address.encode(), digest_size=8, person=b"opener").digest()
        return Opener(mark, self._limits.allowed.open_rooms)

    async def guess(self) -> bool:
        """Whether a code or secret may be tried. If so, the caller must call `guessed`."""
        return await self._guesses.begin()

    def guessed(self, *, is_miss: bool) -> None:
        self._guesses.end(is_miss=is_miss)


def counted_as(address: str) -> str:
    """The key that an address is counted under; empty if it is not an IP address (a unix socket)."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((found, 64), strict=False))

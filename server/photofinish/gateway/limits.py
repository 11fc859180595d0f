"""How much of the server one connection or one address may have."""

import asyncio
import hashlib
import ipaddress
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from photofinish.engine import Micros
from photofinish.node.room_table import NOBODY, Opener
from photofinish.room.budget import SECOND, Bucket
from photofinish_protocol.version import BURST, RATE

MINUTE = 60 * SECOND
LAST_STRAW = 10
"""So many refusals for haste within a second, and the connection is closed."""
MOST_PIECES = 64
"""Frames one message may come in: one would do, and empty ones cost the server more than their sender."""
TALK, TALK_PERIOD = 10, 10 * SECOND
"""Chats and emotes of one connection: 10 at once, one a second."""
ROOMS_A_SESSION = 30
"""Rooms one connection may open a minute, and at once."""
FORGET_EVERY = 4096
"""Addresses come and go: look so often for those that need not be remembered."""


class FrameRate:
    """A bucket that holds `BURST` messages and fills with `RATE` a second. A refusal costs as much as a yes."""

    __slots__ = ("_bucket", "_now", "_refused")

    def __init__(self, now: Micros) -> None:
        self._bucket = Bucket(BURST, BURST * SECOND // RATE, now)
        self._now = now
        self._refused: deque[Micros] = deque(maxlen=LAST_STRAW + 1)

    def may(self, now: Micros) -> bool:
        """Is there a message left to this connection?"""
        self._now = now
        if self._bucket.may(now):
            return True
        self._refused.append(now)
        return False

    @property
    def is_flooding(self) -> bool:
        """Were there more than `LAST_STRAW` refusals in the second before the last frame?"""
        return len(self._refused) > LAST_STRAW and self._refused[0] > self._now - SECOND


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one address may have. 0: as much as it likes."""

    connections: int = 512
    """Open at a time."""
    requests: int = 1000
    """Handshakes and pages in ten seconds."""
    rooms: int = 240
    """Rooms opened a minute."""
    open_rooms: int = 200
    """Rooms open at a time, on one node."""
    misses: int = 60
    """Room codes, tokens and replays a minute that there are not: so nobody finds a private room by trying."""


class Guesses:
    """Counts wrong codes and words. A guess counts from the moment it is made until it is known to be right.

    Who has guesses left but has them all under way waits: many honest players behind one address are no attack.
    """

    __slots__ = ("_bucket", "_clock", "_under_way", "_waiting")

    def __init__(self, most: int, clock: Callable[[], Micros]) -> None:
        self._bucket = Bucket(most, MINUTE, clock()) if most else None
        self._clock = clock
        self._under_way = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def begin(self) -> bool:
        """May there be a guess? If so, `end` follows."""
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
            if not turn.done():  # else whoever waited is gone
                turn.set_result(None)
                return

    def is_full(self, now: Micros) -> bool:
        return not self._under_way and (self._bucket is None or self._bucket.is_full(now))


class _Guest:
    """One address."""

    __slots__ = ("guesses", "open", "requests", "rooms")

    def __init__(self, allowed: Allowance, clock: Callable[[], Micros]) -> None:
        now = clock()
        self.open = 0
        self.requests = Bucket(allowed.requests, 10 * SECOND, now)
        self.rooms = Bucket(allowed.rooms, MINUTE, now)
        self.guesses = Guesses(allowed.misses, clock)

    def is_forgettable(self, now: Micros) -> bool:
        return not self.open and all(it.is_full(now) for it in (self.requests, self.rooms, self.guesses))


class AddressLimits:
    """Counts by address. An IPv6 guest has a whole /64 to itself, so that is its address."""

    def __init__(self, allowed: Allowance, clock: Callable[[], Micros]) -> None:
        self.allowed, self._clock = allowed, clock
        self._guests: dict[str, _Guest] = {}

    def __len__(self) -> int:
        return len(self._guests)

    def came(self, address: str) -> bool:
        """A connection has been opened. False: one too many; it counts until it has `left` all the same."""
        guest = self._guest(address)
        guest.open += 1
        return not self.allowed.connections or guest.open <= self.allowed.connections

    def left(self, address: str) -> None:
        self._guest(address).open -= 1

    def open(self, address: str) -> int:
        return self._guest(address).open

    def may_ask(self, address: str) -> bool:
        """A handshake or a page."""
        return not self.allowed.requests or self._guest(address).requests.may(self._clock())

    def may_open(self, address: str) -> bool:
        """A room."""
        return not self.allowed.rooms or self._guest(address).rooms.may(self._clock())

    def guesses(self, address: str) -> Guesses:
        """Codes, tokens and words that this address tries."""
        return self._guest(address).guesses

    def new_guesses(self) -> Guesses:
        return Guesses(self.allowed.misses, self._clock)

    def _guest(self, address: str) -> _Guest:
        guest = self._guests.get(address)
        if guest is None:
            if len(self._guests) % FORGET_EVERY == FORGET_EVERY - 1:
                self._forget()
            guest = self._guests[address] = _Guest(self.allowed, self._clock)
        return guest

    def _forget(self) -> None:
        now = self._clock()
        self._guests = {key: guest for key, guest in self._guests.items() if not guest.is_forgettable(now)}


class Visit:
    """One connection's share of its address, as its session knows it."""

    __slots__ = ("_address", "_doorkeeper", "_guesses", "_rooms")

    def __init__(self, doorkeeper: AddressLimits, address: str, now: Micros) -> None:
        self._doorkeeper, self._address = doorkeeper, address
        self._rooms = Bucket(ROOMS_A_SESSION, MINUTE, now)
        # An address that is not known cannot be counted: then each connection is counted by itself.
        self._guesses = doorkeeper.guesses(address) if address else doorkeeper.new_guesses()

    @property
    def address(self) -> str:
        """Where the connection comes from; empty for what has no address (a unix socket)."""
        return self._address

    def may_open(self, now: Micros) -> bool:
        return self._rooms.may(now) and (not self._address or self._doorkeeper.may_open(self._address))

    @property
    def opener(self) -> Opener:
        """As rooms remember who opened them. The store gets no addresses."""
        if not self._address:
            return NOBODY
        mark = hashlib.blake2s(self._address.encode(), digest_size=8, person=b"opener").digest()
        return Opener(mark, self._doorkeeper.allowed.open_rooms)

    async def guess(self) -> bool:
        """May a code or a word be tried? If so, `guessed` follows."""
        return await self._guesses.begin()

    def guessed(self, *, is_miss: bool) -> None:
        self._guesses.end(is_miss=is_miss)


def counted_as(address: str) -> str:
    """What an address is counted under; nothing for what is none (a unix socket)."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.IPv6Network((found, 64), strict=False))

"""One pipeline at a time to one server, and answers that are held back until enough replicas have the writes."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import structlog
from redis.exceptions import (
    AskError,
    ClusterDownError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    TryAgainError,
)

from photofinish.store.exchange import Exchange
from photofinish.store.ports import StoreClosed
from photofinish.store.replication import Part, Replication, TooFewReplicas, Words, mark
from photofinish.store.scripts import LuaScript

log = structlog.get_logger(__name__)

MOST = 1_024
"""Requests in one pipeline: enough for every room of a node, and still one quick fsync."""
FIRST_PAUSE, LONGEST_PAUSE = 0.02, 1.0
"""Seconds between attempts while Redis is away."""
STALE = 1.0
"""Seconds without enough replicas after which this server may not be the master any more."""

# Answers that say "not now": full, failing over, moving slots (a MOVED is an AskError too). The room waits; it
# does not end.
LATER = (AskError, ClusterDownError, OutOfMemoryError, ReadOnlyError, TryAgainError)
LATER_CODES = ("BUSY ", "MISCONF ", "NOREPLICAS ", "UNBLOCKED ")
"""Those redis-py has no names for: a script that hangs, a full disk, too few replicas, a master that is none now."""


class Request:
    """One command, sent until it is answered: everything we send can be said twice and done once."""

    __slots__ = ("answer", "is_again", "is_copied", "key", "keys", "params", "script", "unknown")

    def __init__(
        self, script: LuaScript | None, keys: Words, params: Words, key: str, *, is_copied: bool = False
    ) -> None:
        self.script, self.keys, self.params, self.key = script, keys, params, key
        self.is_copied, self.is_again, self.unknown = is_copied, False, False
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def words(self) -> Words:
        if self.script is None:
            return self.params
        if self.unknown:
            return ("EVAL", self.script.text, len(self.keys), *self.keys, *self.params)
        return ("EVALSHA", self.script.sha, len(self.keys), *self.keys, *self.params)

    def settle(self, answer: Any) -> None:
        if not self.answer.done():  # whoever asked may have given up
            self.answer.set_result(answer)

    def refuse(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class Pipeline:
    def __init__(self, wire: Exchange, copies: Replication, route: Callable[[Request], None]) -> None:
        self._wire, self._copies, self._route = wire, copies, route
        self._waiting: list[Request] = []
        self._sent: list[Request] = []
        self._held: list[tuple[Request, Any]] = []
        """Answers nobody has heard yet: the writes are done, but too few replicas have them."""
        self._task: asyncio.Task[None] | None = None
        self.trips = self.troubles = 0
        self._short_since: float | None = None
        self.why = ""
        """What is wrong just now, if anything."""

    @property
    def owed(self) -> int:
        return len(self._waiting) + len(self._sent) + len(self._held)

    @property
    def unsure(self) -> int:
        return len(self._held)

    def put(self, request: Request) -> None:
        self._waiting.append(request)
        if self._task is None or self._task.done():
            # Starts after everything that is ready to run now: what those ask for rides along.
            self._task = asyncio.create_task(self._run())

    async def finish(self, seconds: float) -> None:
        """What is still waiting after so long is told that the store was closed."""
        if self._task is not None:
            _, late = await asyncio.wait((self._task,), timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for request in (*self._waiting, *self._sent, *(request for request, _ in self._held)):
            request.refuse(StoreClosed())
        self._waiting, self._sent, self._held = [], [], []
        await self._wire.close()

    async def _run(self) -> None:
        pause = FIRST_PAUSE
        while self._waiting or self._held:
            self._sent = self._take()
            trouble: Exception | None = None
            try:
                self.trips += 1
                words = [request.words() for request in self._sent]
                trouble = self._heard(await self._wire.exchange([*words, *self._assurance(words)]))
            except (RedisError, RedisClusterException, OSError) as error:
                trouble = error
                await self._start_again()
            except Exception as error:  # noqa: BLE001 - our bug: it is handed to everybody who asked, and nobody hangs
                for request in self._sent:
                    request.refuse(error)
                self._sent = []
                await self._start_again()
            if trouble is None:
                pause = FIRST_PAUSE
                self._is_well()
            elif isinstance(trouble, TooFewReplicas):
                await self._is_short(trouble)  # and has waited for long enough in Redis itself
            else:
                self.troubles += 1
                self.why = f"{type(trouble).__name__}: {trouble}"
                log.warning("store is away", waiting=self.owed, error=self.why)
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
                await self._look_around()

    def _take(self) -> list[Request]:
        """The next batch, without those whose askers have given up."""
        alive = [request for request in self._waiting if not request.answer.done()]
        self._waiting = alive[MOST:]
        return alive[:MOST]

    def _assurance(self, words: list[Words]) -> list[Words]:
        """What to ask so as to be sure of copies: once for all that ride along, and all that are held."""
        if not self._copies.replicas:
            return []
        wanted = [words[n] for n, request in enumerate(self._sent) if request.is_copied and request.is_again]
        if wanted:
            return [mark(wanted[0]), self._copies.question]
        if self._held or any(request.is_copied for request in self._sent):
            return [self._copies.question]
        return []

    def _heard(self, answers: list[Any]) -> Exception | None:
        """Hand over what is sure, hold what is not. Returns what is wrong, if anything."""
        sent, self._sent = self._sent, []
        more = answers[len(sent) :]
        again = []
        trouble: Exception | None = None
        for request, answer in zip(sent, answers, strict=False):
            if isinstance(answer, Exception):
                if isinstance(answer, NoScriptError):
                    request.unknown = True  # this server has not seen the script yet: send its text
                elif not _says_later(answer):
                    request.refuse(answer)
                    continue
                else:
                    trouble = answer
                again.append(request)
            elif request.is_copied:
                self._held.append((request, answer))
            else:
                request.settle(answer)
        if again:
            self._waiting[:0] = again
        if more:
            self._counted(more)
            if more[-1] < self._copies.replicas:
                return TooFewReplicas(more[-1], self._copies.replicas)
            held, self._held = self._held, []
            for request, answer in held:
                request.settle(answer)
        return trouble

    def _counted(self, answers: list[Any]) -> None:
        """Raises what is no number: it is no master any more, or may not write, and nothing is sure."""
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer

    async def _start_again(self) -> None:
        """The connection is of no use any more, and with it goes all that was not sure."""
        await self._wire.close()
        again = [*(request for request, _ in self._held), *self._sent]
        self._held, self._sent = [], []
        for request in again:
            request.is_again = True
        self._waiting[:0] = again

    async def _look_around(self) -> None:
        """Who is there now? What waits goes to whoever has its key."""
        await self._wire.look_around()
        waiting, self._waiting = self._waiting, []
        for request in waiting:
            self._route(request)

    async def _is_short(self, trouble: TooFewReplicas) -> None:
        now = asyncio.get_running_loop().time()
        if self._short_since is None:
            self._short_since = now
            log.warning("too few replicas: nothing is acknowledged", held=len(self._held), why=str(trouble))
        self.why = str(trouble)
        if now - self._short_since > STALE:
            # Its replicas may have gone over to another master, and it does not know: ask who is master now.
            self._short_since = now
            await self._start_again()
            await self._look_around()

    def _is_well(self) -> None:
        if self.why:
            log.info("store answers again", before=self.why)
        self.why, self._short_since = "", None


def _says_later(answer: Exception) -> bool:
    """Whether this is no answer to the request, but news of a server that cannot answer it now."""
    return (
        not isinstance(answer, ResponseError)
        or isinstance(answer, LATER)
        or str(answer).startswith(LATER_CODES)
    )


def encoded(words: Sequence[Part]) -> Words:
    """As bytes, here and now: what cannot be sent is refused to the one who asked, not to all who ride along."""
    return tuple([word.encode() if isinstance(word, str) else word for word in words])

"""Sends requests to one server, one pipeline at a time, and holds answers back until enough replicas confirm."""

import asyncio
from collections.abc import Callable
from typing import Any

import structlog
from hiredis import pack_command
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

from photofinish.backoff import Backoff
from photofinish.store.exchange import Exchange
from photofinish.store.ports import StoreClosed
from photofinish.store.replication import Replication, TooFewReplicas, Words, mark
from photofinish.store.scripts import LuaScript

log = structlog.get_logger(__name__)

MAX_BATCH = 1_024
"""Requests in one pipeline: enough for every room of a node, and still one quick fsync."""
FIRST_PAUSE, LONGEST_PAUSE = 0.02, 1.0
"""Back-off between attempts while Redis is unavailable, in seconds."""
STALE = 1.0
"""Seconds without enough replicas after which the master is looked up again."""

# Temporary errors: out of memory, failover, moving slots (MOVED is an AskError too). The request is retried.
TEMPORARY = (AskError, ClusterDownError, OutOfMemoryError, ReadOnlyError, TryAgainError)
TEMPORARY_CODES = ("BUSY ", "MISCONF ", "NOREPLICAS ", "UNBLOCKED ")
"""Temporary errors without a class in redis-py: a script hangs, the disk is full, too few replicas, an old master."""


OnAnswer = Callable[[Any, Exception | None], None]
"""Gets the answer, or why there is none."""


class RedisRequest:
    """One command, retried until it is answered. Every command we send is safe to repeat."""

    __slots__ = (
        "_is_text",
        "_on_answer",
        "_script",
        "_words",
        "is_done",
        "is_replicated",
        "is_retry",
        "key",
        "packed",
    )

    def __init__(
        self,
        words: Words | Callable[[], Words],
        key: str,
        on_answer: OnAnswer,
        script: LuaScript | None = None,
        is_replicated: bool = False,
        packed: bytes = b"",
    ) -> None:
        """`words` of a script are those after its name. They are encoded at once: a value that cannot be encoded
        fails its own caller, not the whole batch. `packed`: if the caller has encoded them.
        """
        self._words, self._on_answer, self._script, self.key = words, on_answer, script, key
        self._is_text = self.is_retry = self.is_done = False
        self.is_replicated = is_replicated
        self.packed: bytes = packed or pack_command(self.words)  # type: ignore[arg-type]  # hiredis's stub says a tuple of one

    @property
    def words(self) -> Words:
        """The whole command. A commit that the caller has encoded needs it only after a failure, or in a cluster."""
        words = self._words() if callable(self._words) else self._words
        if self._script is None:
            return words
        return ("EVAL", self._script.text, *words) if self._is_text else ("EVALSHA", self._script.sha, *words)

    def send_text(self) -> None:
        """The server does not have the script yet: send its text instead of its name."""
        self._is_text = True
        self.packed = pack_command(self.words)  # type: ignore[arg-type]  # likewise

    def refuse(self, error: Exception) -> None:
        self.settle(None, error)

    def settle(self, answer: Any, error: Exception | None = None) -> None:
        if self.is_done:
            return  # the caller was cancelled
        self.is_done = True
        try:
            self._on_answer(answer, error)
        except Exception:
            log.exception("a callback after an answer of Redis failed")  # the other requests have answers too


class Pipeline:
    """The queue of requests to one server. `route` finds the right pipeline again for a request after a failure."""

    def __init__(
        self, server: Exchange, replication: Replication, route: Callable[[RedisRequest], None]
    ) -> None:
        self._server, self._replication, self._route = server, replication, route
        self._waiting: list[RedisRequest] = []
        self._sent: list[RedisRequest] = []
        self._held: list[tuple[RedisRequest, Any]] = []
        """Answers that are held back: the writes are done, but too few replicas have confirmed them."""
        self._task: asyncio.Task[None] | None = None
        """Runs while the fast path is not possible: no connection, a failure, too few replicas, a cluster."""
        self._is_begun = False
        """A batch is under way, or will be at the end of this turn of the event loop."""
        self._idle: asyncio.Future[None] | None = None
        """Resolved when nothing is under way any more, for `finish`."""
        self.trips = self.troubles = 0
        self._short_since: float | None = None
        self.why = ""
        """The current problem; empty if there is none."""

    @property
    def unanswered(self) -> int:
        return len(self._waiting) + len(self._sent) + len(self._held)

    @property
    def unsure(self) -> int:
        return len(self._held)

    def put(self, request: RedisRequest) -> None:
        self._waiting.append(request)
        if not self._is_begun:
            # It is sent after all callbacks that are ready now, so their requests join this batch.
            self._is_begun = True
            asyncio.get_running_loop().call_soon(self._begin)

    # The fast path: callbacks, without a task and without futures.

    def _begin(self) -> None:
        """Send what waits."""
        if not self._server.is_ready or self._held:
            self._slow_down(None)
            return
        sent = self._sent = self._take()
        if not sent:
            self._rest()
            return
        self.trips += 1
        packed = [request.packed for request in sent]
        if self._replication.replicas:
            packed += [pack_command(it) for it in self._wait_commands()]  # type: ignore[arg-type]  # likewise
        self._server.send(b"".join(packed), len(packed), self._answered)

    def _answered(self, answers: list[Any], trouble: Exception | None) -> None:
        if trouble is None:
            try:
                trouble = self._process(answers)
            except (RedisError, RedisClusterException, OSError) as error:
                self._slow_down(error, is_cut=True)
                return
            if trouble is not None:
                self._slow_down(trouble)
            elif self._waiting:
                # At the end of this turn: what follows from these answers may join.
                asyncio.get_running_loop().call_soon(self._begin)
            else:
                self._rest()
        else:
            self._slow_down(trouble, is_cut=True)

    def _rest(self) -> None:
        """Nothing waits: the next request begins a new batch."""
        self._is_begun = False
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(None)

    def _slow_down(self, trouble: Exception | None, *, is_cut: bool = False) -> None:
        self._task = asyncio.create_task(self._run(trouble, is_cut=is_cut))

    # The way with failures.

    async def finish(self, seconds: float) -> None:
        """Wait up to `seconds` for open requests, then refuse the rest with `StoreClosed`."""
        if self._is_begun:
            self._idle = asyncio.get_running_loop().create_future()
            await asyncio.wait((self._idle,), timeout=seconds)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for request in (*self._waiting, *self._sent, *(request for request, _ in self._held)):
            request.refuse(StoreClosed())
        self._waiting, self._sent, self._held = [], [], []
        await self._server.close()

    async def _run(self, trouble: Exception | None, *, is_cut: bool) -> None:
        """Exchange batches until nothing waits. Begins with the failure of the fast path, if there was one."""
        try:
            await self._exchange_all(trouble, is_cut=is_cut)
        finally:
            self._rest()

    async def _exchange_all(self, trouble: Exception | None, *, is_cut: bool) -> None:
        backoff = Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        if is_cut:
            await self._reset()
        if trouble is not None:
            await self._note(trouble, backoff)
        while self._waiting or self._held:
            self._sent = self._take()
            trouble = None
            try:
                self.trips += 1
                words = [request.words for request in self._sent]
                answers = await self._server.exchange([*words, *self._wait_commands()])
                trouble = self._process(answers)
            except (RedisError, RedisClusterException, OSError) as error:
                trouble = error
                await self._reset()
            except Exception as error:  # noqa: BLE001 - our bug: every caller gets the error, and none waits for ever
                for request in self._sent:
                    request.refuse(error)
                self._sent = []
                await self._reset()
            await self._note(trouble, backoff)

    async def _note(self, trouble: Exception | None, backoff: Backoff) -> None:
        """Say what is wrong, and wait before the next attempt."""
        if trouble is None:
            backoff.reset()
            self._note_recovery()
        elif isinstance(trouble, TooFewReplicas):
            await self._note_too_few_replicas(trouble)  # no pause: WAIT has waited in Redis
        else:
            self.troubles += 1
            self.why = f"{type(trouble).__name__}: {trouble}"
            log.warning("store does not answer", waiting=self.unanswered, error=self.why)
            await asyncio.sleep(backoff.pause())
            await self._reroute()

    def _take(self) -> list[RedisRequest]:
        """The next batch, without requests whose caller was cancelled."""
        alive = [request for request in self._waiting if not request.is_done]
        self._waiting = alive[MAX_BATCH:]
        return alive[:MAX_BATCH]

    def _wait_commands(self) -> list[Words]:
        """The commands at the end of this batch: one WAIT for its writes and those held back, with a mark if needed."""
        if not self._replication.replicas:
            return []
        retried = [it for it in self._sent if it.is_replicated and it.is_retry]
        if retried:
            return [mark(retried[0].words), self._replication.wait_command]
        if self._held or any(request.is_replicated for request in self._sent):
            return [self._replication.wait_command]
        return []

    def _process(self, answers: list[Any]) -> Exception | None:
        """Resolve confirmed requests, hold back unconfirmed ones. Returns the problem, if there is one."""
        sent, self._sent = self._sent, []
        confirmations = answers[len(sent) :]
        retried = []
        trouble: Exception | None = None
        for request, answer in zip(sent, answers, strict=False):
            if isinstance(answer, Exception):
                if isinstance(answer, NoScriptError):
                    request.send_text()
                elif not _is_temporary(answer):
                    request.refuse(answer)
                    continue
                else:
                    trouble = answer
                retried.append(request)
            elif request.is_replicated:
                self._held.append((request, answer))
            else:
                request.settle(answer)
        if retried:
            self._waiting[:0] = retried
        if confirmations:
            self._raise_errors(confirmations)
            if confirmations[-1] < self._replication.replicas:
                return TooFewReplicas(confirmations[-1], self._replication.replicas)
            held, self._held = self._held, []
            for request, answer in held:
                request.settle(answer)
        return trouble

    def _raise_errors(self, answers: list[Any]) -> None:
        """Raise the first error: this server is not the master any more or cannot write, so nothing is confirmed."""
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer

    async def _reset(self) -> None:
        """Close the connection and send every unconfirmed request again."""
        await self._server.close()
        retried = [*(request for request, _ in self._held), *self._sent]
        self._held, self._sent = [], []
        for request in retried:
            request.is_retry = True
        self._waiting[:0] = retried

    async def _reroute(self) -> None:
        """Look up the servers again, and send each waiting request to the one that has its key."""
        await self._server.refresh()
        waiting, self._waiting = self._waiting, []
        for request in waiting:
            self._route(request)

    async def _note_too_few_replicas(self, trouble: TooFewReplicas) -> None:
        now = asyncio.get_running_loop().time()
        if self._short_since is None:
            self._short_since = now
            log.warning("too few replicas: nothing is acknowledged", held=len(self._held), why=str(trouble))
        self.why = str(trouble)
        if now - self._short_since > STALE:
            # The replicas may follow another master, and this server does not know it: look up the master again.
            self._short_since = now
            await self._reset()
            await self._reroute()

    def _note_recovery(self) -> None:
        if self.why:
            log.info("store answers again", before=self.why)
        self.why, self._short_since = "", None


def _is_temporary(answer: Exception) -> bool:
    """Whether the server cannot answer now, so that the request is retried."""
    return (
        not isinstance(answer, ResponseError)
        or isinstance(answer, TEMPORARY)
        or str(answer).startswith(TEMPORARY_CODES)
    )

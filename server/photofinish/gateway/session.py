"""One connection, from hello to close: every message gets its one answer."""

import asyncio
import hashlib
import secrets
from collections.abc import Callable

import msgspec

from photofinish.engine import Micros
from photofinish.gateway.catalogue import Catalogue
from photofinish.gateway.events_port import EventsPort
from photofinish.gateway.limits import TALK, TALK_PERIOD, FrameRate, Visit
from photofinish.gateway.open_asks import OpenAsks
from photofinish.gateway.outbox import Outbox
from photofinish.gateway.trigger import NOTHING_TOLD, Told
from photofinish.node.actor import RoomActor
from photofinish.node.directory import Directory
from photofinish.node.relay import Relay, RemoteRoom, with_move
from photofinish.node.room_table import NOBODY
from photofinish.race.lag import Lag
from photofinish.room import tokens
from photofinish.room.answers import Answer, Answers
from photofinish.room.budget import Bucket
from photofinish.room.facts import Asked, Joined, Looked, Measured, Resumed, SessionId
from photofinish.room.lobby import No
from photofinish.room.talk import name_of
from photofinish_protocol import messages
from photofinish_protocol.codec import Codec, Malformed, Unfit
from photofinish_protocol.reasons import CLOSES, REASONS, Close, Reason
from photofinish_protocol.version import (
    BURST,
    EMOTES,
    MAX_CHAT,
    MAX_FRAME,
    MAX_NAME,
    RATE,
    REMEMBERED,
    VERSION,
)

MOVING = (0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.0)
"""Seconds between two looks for a room whose old owner is gone and whose new one is not yet there."""


class Session:
    """What the server knows of one connection. Its `send`, `show` and `drop` are the door rooms use."""

    def __init__(
        self,
        session: SessionId,
        outbox: Outbox,
        codec: Codec,
        directory: Directory,
        lag: Lag,
        now: Micros,
        *,
        relay: Relay | None = None,
        visit: Visit | None = None,
        catalogue: Catalogue | None = None,
        events: EventsPort | None = None,
        host: str = "",
        loop_lag: Callable[[], Micros] = lambda: Micros(0),
        begin_trigger: Callable[[], None] = lambda: None,
        send_echo: Callable[[], None] = lambda: None,
        no_echo: Callable[[], None] = lambda: None,
        retransmits: Callable[[], int] = lambda: 0,
    ) -> None:
        """`loop_lag` tells how late the event loop is now. `begin_trigger` goes before the first view of a race;
        `send_echo` sends a ping behind it, whose pong calls `echoed`, or `no_echo` says that the view was not sent.
        """
        self.id = session
        self.key = ""
        """The public key this connection has proved (T6)."""
        self._events, self._host = events, host
        self._challenge = secrets.token_hex(32)
        self._visit = visit
        self._relay = relay
        self._catalogue = catalogue
        self.outbox = outbox
        self.lag = lag
        self.is_welcome = False
        self._loop_lag, self._send_echo, self._retransmits = loop_lag, send_echo, retransmits
        self._begin_trigger, self._no_echo = begin_trigger, no_echo
        self._race = ""
        """The race this socket was shown last."""
        self._codec, self._directory = codec, directory
        self._pace = FrameRate(now)
        self._talk = Bucket(TALK, TALK_PERIOD, now)
        self._name = self._client_key = ""
        self._actor: RoomActor | RemoteRoom | None = None
        self._hello: messages.Hello | None = None
        self._answers = Answers()
        self._asks = OpenAsks()
        self._guesses: set[int] = set()
        """Asks that may be guesses at a secret word: counted until the room says that they are right."""

    @property
    def _address(self) -> str:
        return self._visit.address if self._visit is not None else ""

    @property
    def is_in_a_room(self) -> bool:
        return self._actor is not None

    # The door.

    def send(self, message: messages.ServerMessage) -> None:
        message = self._with_home(message)
        hello = self._hello
        if isinstance(message, messages.Ack | messages.Refused):
            self._heard_answer(message)
        if (
            hello is not None
            and isinstance(message, messages.Ack | messages.Refused)
            and message.id == hello.id
        ):
            self._hello = None
            if isinstance(message, messages.Ack):
                assert isinstance(message.got, messages.Seated)
                self._welcome(hello, message.got)
                return
        if isinstance(message, messages.Refused):
            self._directory.tally.refused(message.reason)
        if isinstance(message, messages.Ack) or (
            isinstance(message, messages.Refused) and message.reason is not Reason.STALE_ID
        ):
            self._answers.keep(message)  # the room forgets who leaves it, and the same id may come again
        self.outbox.send(message)

    def _heard_answer(self, answer: messages.Ack | messages.Refused) -> None:
        self._asks.answered(answer)
        if answer.id in self._guesses:
            self._guesses.discard(answer.id)
            self._guessed(is_miss=isinstance(answer, messages.Refused) and answer.reason is Reason.BAD_TOKEN)

    def _with_home(self, message: messages.ServerMessage) -> messages.ServerMessage:
        """A seat in a room on another node comes with that node's address."""
        if not isinstance(self._actor, RemoteRoom) or not isinstance(message, messages.Ack):
            return message
        if not isinstance(message.got, messages.Seated) or not self._actor.home:
            return message
        got = msgspec.structs.replace(message.got, home=self._actor.home)
        return msgspec.structs.replace(message, got=got)

    def show(self, view: messages.View) -> Micros | None:
        is_trigger = view.race is not None and view.race.nonce != self._race
        if is_trigger:
            self._begin_trigger()
        at = self.outbox.show(view)
        if is_trigger and at is None:
            self._no_echo()
        elif at is not None and view.race is not None and is_trigger:
            self._race = view.race.nonce
            self._send_echo()
            self.lag.triggered()
            self.measured(at)
        return at

    def want(self, at: Micros) -> None:
        """The socket is on the room's own node, whose clock the room knows."""

    def drop(self, code: Close | None) -> None:
        self._actor = None
        self.outbox.forget()
        if code is not None:
            self.say_bye(code)
        for ask in self._asks.dropped():
            self._refuse(ask, No(Reason.NOT_IN_A_ROOM))
        self._give_back_guesses()

    def say_bye(self, code: Close, retry_after_ms: int = 0) -> None:
        row = CLOSES[code]
        self.outbox.send(
            messages.Bye(code=code, text=row.sentence, retry=row.retry, retry_after_ms=retry_after_ms)
        )
        self.outbox.give_up(code)

    # Frames.

    async def frame(self, frame: bytes | str, arrived: Micros) -> None:
        """A frame came in. `arrived` is the moment it did."""
        if self.outbox.is_closed:
            return  # we have said goodbye: nobody would hear the answer
        if isinstance(frame, str) is not self._codec.is_text:
            self.say_bye(Close.NOT_TEXT)
            return
        try:
            message = self._codec.ask(frame)
        except Malformed:
            self.say_bye(Close.MALFORMED)
            return
        except Unfit as unfit:
            if self._keeps_pace(unfit.id, arrived):
                self._refuse(unfit.id, No(unfit.reason, f"{REASONS[unfit.reason].sentence} ({unfit.text})"))
            return
        if self._keeps_pace(message.id, arrived):
            await self._ask(message, arrived)

    def gone(self) -> None:
        """The socket is closed: what it has sent is still done, but no ask waits for the answer to another."""
        self._asks.end()

    def cut(self) -> None:
        """The connection is gone."""
        self.outbox.is_closed = True
        if self._actor is not None:
            self._actor.forget(self.id)
            self._actor = None
        if self.key and self._events is not None:
            self._events.went(self.key, self)
        self._asks.dropped()
        self._give_back_guesses()

    def echoed(self, round_trip: Micros, now: Micros, told: Told = NOTHING_TOLD) -> None:
        """The ping behind the trigger is back, and the kernel may have said something too."""
        self.lag.echoed(round_trip, told.sample, resent=told.resent)
        self.measured(now)

    def measured(self, now: Micros) -> None:
        """The way to this client was measured anew."""
        if self._actor is not None:
            self._actor.post(Measured(self.id, self.lag.path(now)))

    def _keeps_pace(self, ask: int, now: Micros) -> bool:
        if self._pace.may(now):
            return True
        if self._pace.is_flooding:
            self.say_bye(Close.TOO_FAST)
        else:
            self._refuse(ask, No(Reason.TOO_FAST))
        return False

    # Messages.

    async def _ask(self, message: messages.ClientMessage, arrived: Micros) -> None:
        await self._asks.settled()
        if self.outbox.is_closed:
            return
        if isinstance(message, messages.Hello):
            await self._said_hello(message)
            return
        if not self.is_welcome:
            self._refuse(message.id, No(Reason.NO_HELLO))
            return
        before = self._answers.again(message.id)
        if before is not None:
            self.outbox.send(before)
            return
        if isinstance(message, messages.Games):  # always the same list: it need not be remembered
            self._answers.highest = max(self._answers.highest, message.id)
            catalogue = self._catalogue or Catalogue(self._directory.games)
            self.outbox.send_frame(catalogue.answer(message.id, self._codec))
            return
        if isinstance(message, messages.Identify | messages.EventAsk):
            await self._of_event(message)
            return
        actor = self._actor
        if actor is not None and not isinstance(message, messages.Ping | messages.Rooms):
            if isinstance(message, messages.Chat | messages.Emote) and not self._talk.may(arrived):
                self._refuse(message.id, No(Reason.TOO_FAST, "You say too much. Wait a moment."))
                return
            if isinstance(message, messages.Leave):
                self._asks.leaving(message.id)
            else:
                self._asks.posted(message.id)
            fact = Asked(self.id, message, arrived, None, self._loop_lag(), self._retransmits())
            actor.post(with_move(actor, fact) if isinstance(actor, RoomActor) else fact)
            return
        try:
            if actor is None and self._answers.is_stale(message.id):
                raise No(Reason.STALE_ID)
            got = await self._do(message)
        except No as no:
            self._refuse(message.id, no)
        else:
            if got is not None:
                self._answer(messages.Ack(id=message.id, got=got))

    async def _of_event(self, message: messages.Identify | messages.EventAsk) -> None:
        """What concerns events is done in a room and outside: the room hears nothing of it."""
        try:
            if self._events is None:
                raise No(Reason.UNKNOWN_TYPE)
            if isinstance(message, messages.Identify):
                self._identify(message, self._events)
                self._answer(messages.Ack(id=message.id))
                return
            if not self.key:
                raise No(Reason.NOT_IDENTIFIED)
            got = await self._events.ask(self.key, self._name, message)
        except No as no:
            self._refuse(message.id, no)
        else:
            self._answer(messages.Ack(id=message.id, got=got))

    def _identify(self, message: messages.Identify, events: EventsPort) -> None:
        """T6: a challenge is good for one proof. Raises `No`."""
        name = name_of(message.name)
        if not 1 <= len(name) <= MAX_NAME or name != message.name:
            raise No(Reason.BAD_NAME)
        challenge, self._challenge = self._challenge, ""
        fits = bool(challenge) and events.is_proof(
            message.key, message.name, message.signature, host=self._host, challenge=challenge
        )
        if not fits:
            raise No(Reason.BAD_SIGNATURE)
        self.key, self._name = message.key, name
        events.came(self.key, self)

    async def _do(self, message: messages.ClientMessage) -> messages.Got | None:
        """What can be done without a room. None: the room will answer."""
        match message:
            case messages.Ping(at=at):
                return messages.Pong(at=at, now=self.lag_now())
            case messages.Rooms():
                return await self._directory.listing(message)
            case messages.Create():
                claim = self._claim(message.id)
                earlier = await self._directory.claimed(claim) if claim else None
                made = earlier or await self._open_room(message, claim)
                actor = await self._look_for(made) if isinstance(made, str) else made
                is_again = earlier is not None
                joined = Joined(
                    self.id, message.id, self._name, 0, address=self._address, claim=claim, is_again=is_again
                )
                self._enter(actor, joined)
            case messages.Join(room=room, seat=seat):
                actor = await self._find(room)
                claim = self._claim(message.id)
                joined = Joined(
                    self.id, message.id, self._name, seat, address=self._address, key=self.key, claim=claim
                )
                self._enter(actor, joined)
            case messages.Watch(room=room, referee=referee):
                actor = await self._find(room, message.id if referee else None)
                self._enter(actor, Looked(self.id, message.id, self._name, referee, address=self._address))
            case _:
                raise No(Reason.NOT_IN_A_ROOM)
        return None

    async def _open_room(self, message: messages.Create, claim: str) -> RoomActor | str:
        if self._visit is not None and not self._visit.may_open(self.lag_now()):
            raise No(Reason.TOO_MANY_ROOMS, "You have opened many rooms. Wait a minute.")
        opener = NOBODY if self._visit is None else self._visit.opener
        return await (self._relay or self._directory).create(message, opener, claim)

    def _claim(self, ask: int) -> str:
        """Names this ask of this client, whichever connection it comes by."""
        text = f"{self._client_key} {ask}"
        return hashlib.sha256(text.encode()).hexdigest() if self._client_key else ""

    async def _said_hello(self, hello: messages.Hello) -> None:
        if self.is_welcome or self._hello is not None:
            self._refuse(hello.id, No(Reason.SECOND_HELLO))
            return
        if hello.v != VERSION:
            self._refuse(hello.id, No(Reason.BAD_VERSION))
            return
        name = name_of(hello.name)
        if not 1 <= len(name) <= MAX_NAME and hello.token is None:
            self._refuse(hello.id, No(Reason.BAD_NAME))
            return
        self._name, self._client_key = name, hello.client_key
        if hello.token is None:
            self._welcome(hello, None)
            return
        try:
            actor = await self._find(tokens.room_of(hello.token), hello.id)
        except No as no:
            gone = No(Reason.BAD_TOKEN) if no.reason is Reason.NO_SUCH_ROOM else no
            self._refuse(hello.id, gone)
            return
        self._hello = hello
        self._enter(actor, Resumed(self.id, hello.id, hello.token, hello.seq, address=self._address))

    async def _find(self, code: str, secret: int | None = None) -> RoomActor | RemoteRoom:
        """A room that somebody asks for by its code. `secret`: the ask, if the room will check a secret word too."""
        if self._visit is not None and not await self._visit.guess():
            raise No(Reason.TOO_FAST, "You have tried too many codes. Wait a minute.")
        try:
            found = await self._look_for(code)
        except No as no:
            self._guessed(is_miss=no.reason is Reason.NO_SUCH_ROOM)
            raise
        except BaseException:
            self._guessed(is_miss=False)
            raise
        if secret is None:
            self._guessed(is_miss=False)
        else:
            self._guesses.add(secret)
        return found

    def _guessed(self, *, is_miss: bool) -> None:
        if self._visit is not None:
            self._visit.guessed(is_miss=is_miss)

    def _give_back_guesses(self) -> None:
        while self._guesses:
            self._guesses.pop()
            self._guessed(is_miss=False)

    async def _look_for(self, code: str) -> RoomActor | RemoteRoom:
        """The room, wherever it lives. A room on its way from one node to another is waited for a little."""
        find = self._directory.find if self._relay is None else self._relay.find
        for pause in MOVING:
            try:
                return await find(code)
            except No as no:
                if no.reason is not Reason.ELSEWHERE:
                    raise
            await asyncio.sleep(pause)
        raise No(Reason.ELSEWHERE)

    def _enter(self, actor: RoomActor | RemoteRoom, fact: Joined | Resumed | Looked) -> None:
        self._actor = actor
        self._asks.entering(fact.ask)
        actor.enter(self.id, self, fact)
        actor.post(Measured(self.id, self.lag.path(self.lag_now())))

    def _welcome(self, hello: messages.Hello, resumed: messages.Seated | None) -> None:
        self.is_welcome = True
        if resumed is not None:
            self._name = resumed.name
        next_id = max(hello.id + 1, resumed.next_id if resumed is not None else 0)
        self._answers.highest = next_id - 1
        self.outbox.send(
            messages.Welcome(
                id=hello.id,
                v=VERSION,
                name=self._name,
                limits=messages.Limits(
                    frame=MAX_FRAME,
                    rate=RATE,
                    burst=BURST,
                    name=MAX_NAME,
                    chat=MAX_CHAT,
                    remembered=REMEMBERED,
                    emotes=EMOTES,
                ),
                next_id=next_id,
                server="photofinish",
                resumed=resumed,
                challenge=self._challenge,
            )
        )

    def lag_now(self) -> Micros:
        return self.outbox.now()

    def _refuse(self, ask: int, no: No) -> None:
        row = REASONS[no.reason]
        answer = messages.Refused(id=ask, reason=no.reason, text=no.text, clause=no.clause, retry=row.retry)
        self._directory.tally.refused(no.reason)
        self.outbox.send(answer)

    def _answer(self, answer: Answer) -> None:
        self._answers.keep(answer)
        self.outbox.send(answer)

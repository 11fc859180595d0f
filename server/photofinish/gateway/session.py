"""One connection, from hello to close. Every message gets exactly one answer."""

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
from photofinish.node.actor import RoomActor
from photofinish.node.directory import Directory
from photofinish.node.relay import Relay, RemoteRoom
from photofinish.node.room_table import NOBODY
from photofinish.race.lag import Lag
from photofinish.room import tokens
from photofinish.room.answers import Answer, Answers
from photofinish.room.budget import Bucket
from photofinish.room.facts import Asked, Joined, Looked, Measured, Resumed, SessionId
from photofinish.room.lobby import No, refusal
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

ANSWERS = (messages.Ack, messages.Refused)
MOVING = (0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.0)
"""Back-off, in seconds, of the search for a room that is moving from one node to another."""


class Session:
    """The state of one connection. Rooms use its `send`, `show`, `want` and `drop`."""

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
        end_trigger: Callable[[], None] = lambda: None,
        look: Callable[[], None] = lambda: None,
        retransmits: Callable[[], int] = lambda: 0,
    ) -> None:
        """`loop_lag` tells how late the event loop is now.

        `begin_trigger` is called before the first view of a race. `send_echo` sends a ping behind it, whose pong
        calls `echoed`; `end_trigger` is called instead if the view was not sent. `look` asks the kernel for the ACK.
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
        self._begin_trigger, self._end_trigger, self._look = begin_trigger, end_trigger, look
        self.has_proof = False
        """Whether the kernel tells when a trigger is acknowledged."""
        self._race = ""
        """The nonce of the last race that was sent to this socket."""
        self._codec, self._directory = codec, directory
        self._rate = FrameRate(now)
        self._talk = Bucket(TALK, TALK_PERIOD, now)
        self._name = self._client_key = ""
        self._actor: RoomActor | RemoteRoom | None = None
        self._hello: messages.Hello | None = None
        self._answers = Answers()
        self._asks = OpenAsks()
        self.on_deal: Callable[[], None] = lambda: None
        """Called when this session gets the first view of a game."""
        self._game = ("", -1)
        """The room and number of the game of the last view."""
        self._guesses: set[int] = set()
        """Asks with a secret that the room has to check. They count as guesses until the room accepts them."""

    @property
    def _address(self) -> str:
        return self._visit.address if self._visit is not None else ""

    @property
    def is_in_a_room(self) -> bool:
        return self._actor is not None

    @property
    def may_race(self) -> bool:
        """Whether a race can open for this session: not in the lobby, and not in a game without races."""
        return self._actor is not None and self._actor.may_race

    # The methods that rooms use.

    def send(self, message: messages.ServerMessage) -> None:
        if isinstance(message, ANSWERS):
            self._answered(message)
        else:
            self.outbox.send(message)

    def _answered(self, answer: messages.Ack | messages.Refused) -> None:
        """The room answers an ask of this session."""
        self._note_answer(answer)
        hello = self._hello
        if hello is not None and answer.id == hello.id:
            self._hello = None
            if isinstance(answer, messages.Ack):
                got = self._with_node_address(answer).got
                assert isinstance(got, messages.Seated)
                self._welcome(hello, got)
                return
        if isinstance(answer, messages.Refused):
            self._directory.tally.refused(answer.reason)
        elif answer.got is not None:
            answer = self._with_node_address(answer)
        if isinstance(answer, messages.Ack) or answer.reason is not Reason.STALE_ID:
            # Kept here too: the room forgets a session that leaves, and the client may repeat the id.
            self._answers.keep(answer)
        self.outbox.send(answer)

    def _note_answer(self, answer: messages.Ack | messages.Refused) -> None:
        self._asks.answered(answer)
        if answer.id in self._guesses:
            self._guesses.discard(answer.id)
            self._guessed(is_miss=isinstance(answer, messages.Refused) and answer.reason is Reason.BAD_TOKEN)

    def _with_node_address(self, message: messages.Ack) -> messages.Ack:
        """Add the address of the room's node to the answer, if the room is on another node."""
        if not isinstance(self._actor, RemoteRoom):
            return message
        if not isinstance(message.got, messages.Seated) or not self._actor.home:
            return message
        got = msgspec.structs.replace(message.got, home=self._actor.home)
        return msgspec.structs.replace(message, got=got)

    def show(self, view: messages.View) -> Micros | None:
        if view.race is None or view.race.nonce == self._race:
            at = self.outbox.show(view)
        else:
            self._begin_trigger()
            at = self.outbox.show(view)
            if at is None:
                self._end_trigger()
            else:
                self._race = view.race.nonce
                self._send_echo()
                self.lag.triggered(has_proof=self.has_proof)
                self.measured(at)
        if self._game != (view.room, view.number):
            self._game = view.room, view.number
            self.on_deal()
        return at

    def want(self, at: Micros) -> None:
        """Nothing to do: this socket is on the room's own node, so both have the same clock."""

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

    def play_now(self, frame: bytes, arrived: Micros) -> bool:
        """Handle a frame at once if it is a move for the room that this session is in. False: it needs `frame`."""
        if self._actor is None or self._asks.is_changing or self.outbox.is_closed:
            return False
        try:
            message = self._codec.ask(frame)
        except (Malformed, Unfit):
            return False
        if not isinstance(message, messages.Play):
            return False
        if self._is_within_rate(message.id, arrived):
            self._to_room(self._actor, message, arrived)
        return True

    async def frame(self, frame: bytes | str, arrived: Micros) -> None:
        """Handle a frame that arrived at `arrived`."""
        if self.outbox.is_closed:
            return  # the client would not get the answer
        if isinstance(frame, str) is not self._codec.is_text:
            self.say_bye(Close.NOT_TEXT)
            return
        try:
            message = self._codec.ask(frame)
        except Malformed:
            self.say_bye(Close.MALFORMED)
            return
        except Unfit as unfit:
            if self._is_within_rate(unfit.id, arrived):
                self._refuse(unfit.id, No(unfit.reason, f"{REASONS[unfit.reason].sentence} ({unfit.text})"))
            return
        if self._is_within_rate(message.id, arrived):
            await self._ask(message, arrived)

    def gone(self) -> None:
        """The socket is closed. Its remaining asks are still handled, but none waits for the answer to another."""
        self._asks.end()

    def cut(self) -> None:
        """The connection has ended and all its frames are handled: leave the room."""
        self.outbox.is_closed = True
        if self._actor is not None:
            self._actor.forget(self.id)
            self._actor = None
        if self._events is not None:
            self._events.hung_up(self)
            if self.key:
                self._events.went(self.key, self)
        self._asks.dropped()
        self._give_back_guesses()

    def echoed(self, round_trip: Micros, now: Micros) -> None:
        """The pong of the ping after a trigger has arrived."""
        self.lag.echoed(round_trip)
        self.measured(now)

    def measured(self, now: Micros) -> None:
        """Tell the room the current measurements of the path to this client."""
        if self._actor is not None:
            self._actor.post(Measured(self.id, self.lag.path(now)))

    def _is_within_rate(self, ask: int, now: Micros) -> bool:
        if self._rate.may(now):
            return True
        if self._rate.is_flooding:
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
        if isinstance(message, messages.Play) and self._actor is not None:
            self._to_room(self._actor, message, arrived)
            return
        before = self._answers.again(message.id)
        if before is not None:
            self.outbox.send(before)
            return
        if isinstance(message, messages.Games):  # always the same answer, so it is not kept
            self._answers.highest = max(self._answers.highest, message.id)
            catalogue = self._catalogue or Catalogue(self._directory.games)
            self.outbox.send_frame(catalogue.answer(message.id, self._codec))
            return
        if isinstance(message, messages.Follow | messages.Unfollow):
            await self._follow(message)
            return
        if isinstance(message, messages.Identify | messages.EventAsk):
            await self._of_event(message)
            return
        if isinstance(message, messages.Sit) and self._actor is not None:
            self._refuse(message.id, No(Reason.IN_A_ROOM))
            return
        actor = self._actor
        if actor is not None and not isinstance(message, messages.Ping | messages.Rooms):
            if isinstance(message, messages.Chat | messages.Emote) and not self._talk.may(arrived):
                self._refuse(
                    message.id, No(Reason.TOO_FAST, "You send chat messages too fast. Wait a moment.")
                )
                return
            self._to_room(actor, message, arrived)
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

    def _to_room(
        self, actor: RoomActor | RemoteRoom, message: messages.ClientMessage, arrived: Micros
    ) -> None:
        """The room answers, unless this session knows the answer to that id."""
        before = self._answers.again(message.id)
        if before is not None:
            self.outbox.send(before)
            return
        if isinstance(message, messages.Leave):
            self._asks.leaving(message.id)
        else:
            self._asks.posted(message.id)
        if isinstance(message, messages.Play):
            self._look()
        loop_lag, retransmits = self._loop_lag(), self._retransmits()
        actor.post(Asked(self.id, message, arrived, loop_lag=loop_lag, retransmits=retransmits))

    async def _of_event(self, message: messages.Identify | messages.EventAsk) -> None:
        """Handle a message about events. The session may be in a room or not; the room does not get it."""
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

    async def _follow(self, message: messages.Follow | messages.Unfollow) -> None:
        """T67. Nobody needs a key for it. The parts follow the answer at once, before any change of them."""
        try:
            if self._events is None:
                raise No(Reason.UNKNOWN_TYPE)
            if isinstance(message, messages.Unfollow):
                self._events.unfollow(self, message.event)
                self._answer(messages.Ack(id=message.id))
                return
            got, whole = await self._events.follow(self, self.key, message)
        except No as no:
            self._refuse(message.id, no)
        else:
            self._answer(messages.Ack(id=message.id, got=got))
            if whole is not None:
                self.outbox.send(whole)

    def _identify(self, message: messages.Identify, events: EventsPort) -> None:
        """T6: check the proof of a key. Each challenge is used once. Raises `No`."""
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
        """Handle a message that needs no room, or that enters one. None: the room will answer."""
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
            case messages.Sit(event=event):
                if self._events is None:
                    raise No(Reason.UNKNOWN_TYPE)
                if not self.key:
                    raise No(Reason.NOT_IDENTIFIED)
                actor = await self._find(await self._events.called_to(self.key, event))
                self._enter(
                    actor,
                    Joined(
                        self.id,
                        message.id,
                        self._name,
                        None,
                        address=self._address,
                        key=self.key,
                        claim=self._claim(message.id),
                    ),
                )
            case messages.Watch(room=room, referee=referee):
                actor = await self._find(room, message.id if referee else None)
                self._enter(actor, Looked(self.id, message.id, self._name, referee, address=self._address))
            case _:
                raise No(Reason.NOT_IN_A_ROOM)
        return None

    async def _open_room(self, message: messages.Create, claim: str) -> RoomActor | str:
        if self._visit is not None and not self._visit.may_open(self.lag_now()):
            raise No(Reason.TOO_MANY_ROOMS, "You have opened too many rooms. Wait a minute.")
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
        """Find a room by its code, and count a wrong code. `secret`: the ask, if the room has to check a secret too."""
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
        """The room, on this node or another. Retries for a short time if the room is moving to another node."""
        find = self._directory.find if self._relay is None else self._relay.find
        for pause in MOVING:
            room = await find(code)
            if room is not None:
                return room
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
        self._directory.tally.refused(no.reason)
        self.outbox.send(refusal(ask, no))

    def _answer(self, answer: Answer) -> None:
        self._answers.keep(answer)
        self.outbox.send(answer)

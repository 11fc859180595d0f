"""One connection, from hello to close. Every message gets exactly one answer."""

import hashlib

import msgspec

from photofinish.engine import Micros
from photofinish.gateway.access.limits import (
    CATALOGUES,
    CATALOGUES_PERIOD,
    TALK,
    TALK_PERIOD,
    ConnectionLimits,
    FrameRate,
)
from photofinish.gateway.sessions import greeting
from photofinish.gateway.sessions.event_requests import EventRequests
from photofinish.gateway.sessions.node_parts import NodeParts
from photofinish.gateway.sessions.open_requests import OpenRequests
from photofinish.gateway.sessions.room_search import RoomSearch
from photofinish.gateway.sockets.line import Line, NoLine
from photofinish.gateway.sockets.outbox import Outbox
from photofinish.node.actor import RoomActor
from photofinish.node.relay import RemoteRoom
from photofinish.race.lag import Lag
from photofinish.room.answers import Answer, Answers
from photofinish.room.budget import Bucket
from photofinish.room.facts import Joined, Looked, Measured, Requested, Resumed, SessionId
from photofinish.room.seats import tokens
from photofinish.room.seats.lobby import RequestRefusal, refusal
from photofinish.room.seats.talk import name_of
from photofinish_protocol import messages
from photofinish_protocol.codec import BadRequest, Codec, Malformed
from photofinish_protocol.reasons import CLOSES, REASONS, Close, Reason

ANSWERS = (messages.Ack, messages.Refused)


class Session:
    """The state of one connection. Rooms use its `send`, `show`, `want` and `drop`."""

    def __init__(
        self,
        session: SessionId,
        outbox: Outbox,
        codec: Codec,
        node: NodeParts,
        lag: Lag,
        now: Micros,
        *,
        limits: ConnectionLimits | None = None,
        host: str | None = "",
        line: Line | None = None,
    ) -> None:
        self.id = session
        self._rooms = RoomSearch(node.directory, node.relay, limits)
        self._events = EventRequests(node.events, self, host, limits)
        self._node = node
        self.outbox = outbox
        self.lag = lag
        self._line: Line = line or NoLine()
        self.is_welcome = False
        self.is_busy = False
        """A frame is being handled, or one that came before it waits: `play_now` must not overtake it."""
        self._race = ""
        """The nonce of the last race that was sent to this socket."""
        self._codec, self._directory = codec, node.directory
        self._rate = FrameRate(now)
        self._talk = Bucket(TALK, TALK_PERIOD, now)
        self._catalogues = Bucket(CATALOGUES, CATALOGUES_PERIOD, now)
        self._name = self._client_key = ""
        self._actor: RoomActor | RemoteRoom | None = None
        self._hello: messages.Hello | None = None
        """The hello whose token a room has to check."""
        self._answers = Answers()
        self._requests = OpenRequests()
        self._number = -1
        """The number of the game of the last view; -1 before the first view of a room."""

    @property
    def is_in_a_room(self) -> bool:
        return self._actor is not None

    @property
    def may_race(self) -> bool:
        """Whether a race can open for this session: not in the lobby, and not in a game without races."""
        return self._actor is not None and self._actor.may_race

    # The methods that rooms use.

    def send(self, message: messages.ServerMessage) -> None:
        if isinstance(message, messages.Ack) and message.got is None and not self._requests.is_changing:
            # The ack of a move: no other request waits for it. It is kept here too: the room forgets a session that
            # leaves, and the client may repeat the id.
            self._requests.open.pop(message.id, None)
            self._answers.keep_ack(message)
            self.outbox.send_alone(message)
        elif isinstance(message, ANSWERS):
            self._answered(message)
        else:
            self.outbox.send(message)

    def _answered(self, answer: messages.Ack | messages.Refused) -> None:
        """The room answers a request of this session."""
        self._requests.answered(answer)
        self._rooms.answered(answer)
        hello = self._hello
        if hello is not None and answer.id == hello.id:
            self._hello = None
            if isinstance(answer, messages.Ack):
                got = self._with_node_address(answer).got
                assert isinstance(got, messages.Seated)
                self._welcome(hello, got)
                return
        if isinstance(answer, messages.Refused):
            self._directory.metrics.refused(answer.reason)
        elif answer.got is not None:
            answer = self._with_node_address(answer)
        if isinstance(answer, messages.Ack) or answer.reason is not Reason.STALE_ID:
            self._answers.keep(answer)  # here too, as in `send`
        self.outbox.send(answer)

    def _with_node_address(self, message: messages.Ack) -> messages.Ack:
        """Add the address of the room's node to the answer, if the room is on another node."""
        if not isinstance(self._actor, RemoteRoom):
            return message
        if not isinstance(message.got, messages.Seated) or not self._actor.owner_url:
            return message
        got = msgspec.structs.replace(message.got, home=self._actor.owner_url)
        return msgspec.structs.replace(message, got=got)

    def show(self, view: messages.View) -> Micros | None:
        if view.race is None or view.race.nonce == self._race:
            at = self.outbox.show(view)
        else:
            self._line.begin_trigger()
            at = self.outbox.show(view)
            if at is None:
                self._line.end_trigger()
            else:
                self._race = view.race.nonce
                self._line.send_echo()
                self.lag.triggered(has_proof=self._line.has_proof, is_delayable=self._line.is_delayable())
                self.measured(at)
        if view.number != self._number:
            self._number = view.number
            self._line.dealt()
        return at

    def await_clock(self, at: Micros) -> None:
        """Nothing to do: this socket is on the room's own node, so both have the same clock."""

    def drop(self, code: Close | None) -> None:
        self._actor = None
        self.outbox.forget()
        if code is not None:
            self.say_bye(code)
        for request_id in self._requests.dropped():
            self._refuse(request_id, RequestRefusal(Reason.NOT_IN_A_ROOM))
        self._rooms.give_up(is_miss=False)

    def say_bye(self, code: Close, retry_after_ms: int = 0) -> None:
        row = CLOSES[code]
        self.outbox.send(
            messages.Bye(code=code, text=row.sentence, retry=row.retry, retry_after_ms=retry_after_ms)
        )
        self.outbox.give_up(code)

    # Frames.

    def play_now(self, frame: bytes, arrived: Micros) -> bool:
        """Handle a frame at once if it is a move for the room that this session is in. False: it needs `frame`.

        The fast path, for nearly all frames: the same as `frame` and `_to_room`, with a third of their calls.
        """
        actor = self._actor
        if actor is None or self.is_busy or self._requests.is_changing or self.outbox.is_closed:
            return False
        try:
            message = self._codec.decode_request(frame)
        except (Malformed, BadRequest):
            return False
        if not isinstance(message, messages.Play):
            return False
        if not self._rate.may(arrived):
            self._refuse_rate(message.id)
        elif message.id <= self._answers.highest:
            self._to_room(actor, message, arrived)
        else:
            self._requests.open[message.id] = None
            loop_lag, retransmits = self._line.move_arrived(arrived)
            actor.post(Requested(self.id, message, arrived, None, loop_lag, retransmits))
        return True

    async def frame(self, frame: bytes | str, arrived: Micros) -> None:
        """Handle a frame that arrived at `arrived`."""
        if self.outbox.is_closed:
            return  # the client would not get the answer
        if isinstance(frame, str) is not self._codec.is_text:
            self.say_bye(Close.NOT_TEXT)
            return
        try:
            message = self._codec.decode_request(frame)
        except Malformed:
            self.say_bye(Close.MALFORMED)
            return
        except BadRequest as unfit:
            if self._is_within_rate(unfit.id, arrived):
                self._refuse(
                    unfit.id, RequestRefusal(unfit.reason, f"{REASONS[unfit.reason].sentence} ({unfit.text})")
                )
            return
        if self._is_within_rate(message.id, arrived):
            await self._handle(message, arrived)

    def gone(self) -> None:
        """The socket is closed. Its remaining requests are still handled, but none waits for the answer to another."""
        self._requests.end()

    def cut(self) -> None:
        """The connection has ended and all its frames are handled: leave the room."""
        self.outbox.is_closed = True
        if self._actor is not None:
            self._actor.forget(self.id)
            self._actor = None
        self._events.end()
        self._requests.dropped()
        self._rooms.give_up(is_miss=True)

    def echoed(self, round_trip: Micros, now: Micros) -> None:
        """The pong of the ping after a trigger has arrived."""
        self.lag.echoed(round_trip)
        self.measured(now)

    def measured(self, now: Micros) -> None:
        """Tell the room the current measurements of the path to this client."""
        if self._actor is not None:
            self._actor.post(Measured(self.id, self.lag.path(now)))

    def _is_within_rate(self, request_id: int, now: Micros) -> bool:
        if self._rate.may(now):
            return True
        self._refuse_rate(request_id)
        return False

    def _refuse_rate(self, request_id: int) -> None:
        if self._rate.is_flooding:
            self.say_bye(Close.TOO_FAST)
        else:
            self._refuse(request_id, RequestRefusal(Reason.TOO_FAST))

    # Messages.

    async def _handle(self, message: messages.ClientMessage, arrived: Micros) -> None:
        await self._requests.settled()
        if self.outbox.is_closed:
            return
        if isinstance(message, messages.Hello):
            await self._said_hello(message)
            return
        if not self.is_welcome:
            self._refuse(message.id, RequestRefusal(Reason.NO_HELLO))
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
            if not self._catalogues.may(arrived):
                text = "You ask for the games too often. Wait a moment."
                self._refuse(message.id, RequestRefusal(Reason.TOO_FAST, text))
                return
            self.outbox.send_frame(self._node.catalogue.answer(message.id, self._codec))
            return
        if isinstance(
            message, messages.Follow | messages.Unfollow | messages.Identify | messages.EventRequest
        ):
            await self._of_event(message)
            return
        actor = self._actor
        if actor is not None and not isinstance(message, messages.Ping | messages.Rooms | messages.Sit):
            if isinstance(message, messages.Chat | messages.Emote) and not self._talk.may(arrived):
                self._refuse(
                    message.id,
                    RequestRefusal(Reason.TOO_FAST, "You send chat messages too fast. Wait a moment."),
                )
                return
            self._to_room(actor, message, arrived)
            return
        try:
            if actor is None and self._answers.is_stale(message.id):
                raise RequestRefusal(Reason.STALE_ID)
            got = await self._do(message)
        except RequestRefusal as no:
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
            self._requests.leaving(message.id)
        else:
            self._requests.posted(message.id)
        if isinstance(message, messages.Play):
            loop_lag, retransmits = self._line.move_arrived(arrived)
            actor.post(Requested(self.id, message, arrived, loop_lag=loop_lag, retransmits=retransmits))
        else:
            actor.post(Requested(self.id, message, arrived))

    async def _of_event(
        self, message: messages.Follow | messages.Unfollow | messages.Identify | messages.EventRequest
    ) -> None:
        try:
            got, whole = await self._events.request(message, self._name)
        except RequestRefusal as no:
            self._refuse(message.id, no)
            return
        if isinstance(message, messages.Identify):
            self._name = message.name
        self._answer(messages.Ack(id=message.id, got=got))
        if whole is not None:
            self.outbox.send(whole)

    async def _do(self, message: messages.ClientMessage) -> messages.Got | None:
        """Handle a message that needs no room, or that enters one. None: the room will answer."""
        match message:
            case messages.Ping(at=at):
                return messages.Pong(at=at, now=self.lag_now())
            case messages.Rooms():
                return await self._directory.listing(message)
            case messages.Create():
                standing = await self._standing()
                claim = self._claim(message.id)
                earlier = await self._directory.claimed(claim) if claim else None
                made = earlier or await self._rooms.open(message, claim, self.lag_now())
                actor = await self._rooms.look_for(made) if isinstance(made, str) else made
                self._join(actor, message.id, 0, standing, claim=claim, is_again=earlier is not None)
            case messages.Join(room=room, seat=seat):
                standing = await self._standing()
                actor = await self._rooms.find(room)
                self._join(actor, message.id, seat, standing, claim=self._claim(message.id))
            case messages.Sit(event=event):
                room = await self._events.called_to(event)
                # After `not_called` and `busy`: a player who leaves a table for this seat gets it.
                if self._actor is not None:
                    raise RequestRefusal(Reason.IN_A_ROOM)
                standing = await self._standing()
                actor = await self._rooms.find(room)
                self._join(actor, message.id, None, standing, claim=self._claim(message.id))
            case messages.Watch(room=room, referee=referee, seat=seat):
                is_official = await self._events.may_referee(room, seat)
                actor = await self._rooms.find(room, message.id if referee else None)
                address = self._rooms.address
                looked = Looked(
                    self.id,
                    message.id,
                    self._name,
                    referee,
                    address=address,
                    is_official=is_official,
                    seat=seat,
                    key=self._events.key,
                )
                self._enter(actor, looked)
            case _:
                raise RequestRefusal(Reason.NOT_IN_A_ROOM)
        return None

    async def _standing(self) -> bytes:
        """What is kept of the races of this connection's key. Asked for before the room is looked for: a room that was
        found must be entered at once, or it may have moved.
        """
        return await self._directory.standing(self._events.key) if self._events.key else b""

    def _join(
        self,
        actor: RoomActor | RemoteRoom,
        request_id: int,
        seat: int | None,
        standing: bytes,
        *,
        claim: str,
        is_again: bool = False,
    ) -> None:
        joined = Joined(
            self.id,
            request_id,
            self._name,
            seat,
            address=self._rooms.address,
            key=self._events.key,
            claim=claim,
            is_again=is_again,
            standing=standing,
        )
        self._enter(actor, joined)

    def _claim(self, request_id: int) -> str:
        """Identifies this request of this client, whichever connection it comes by."""
        text = f"{self._client_key} {request_id}"
        return hashlib.sha256(text.encode()).hexdigest() if self._client_key else ""

    async def _said_hello(self, hello: messages.Hello) -> None:
        if self.is_welcome or self._hello is not None:
            self._refuse(hello.id, RequestRefusal(Reason.SECOND_HELLO))
            return
        reason = greeting.fault(hello)
        if reason is not None:
            self._refuse(hello.id, RequestRefusal(reason))
            return
        self._name, self._client_key = name_of(hello.name), hello.client_key
        if hello.token is None:
            self._welcome(hello, None)
            return
        try:
            actor = await self._rooms.find(tokens.room_of(hello.token), hello.id)
        except RequestRefusal as no:
            gone = RequestRefusal(Reason.BAD_TOKEN) if no.reason is Reason.NO_SUCH_ROOM else no
            self._refuse(hello.id, gone)
            return
        self._hello = hello
        self._enter(actor, Resumed(self.id, hello.id, hello.token, hello.seq, address=self._rooms.address))

    def _enter(self, actor: RoomActor | RemoteRoom, fact: Joined | Resumed | Looked) -> None:
        self._actor, self._number = actor, -1
        self._requests.entering(fact.request_id)
        actor.enter(self.id, self, fact)
        actor.post(Measured(self.id, self.lag.path(self.lag_now())))

    def _welcome(self, hello: messages.Hello, resumed: messages.Seated | None) -> None:
        self.is_welcome = True
        if resumed is not None:
            self._name = resumed.name
        answer = greeting.welcome(hello, self._name, self._events.challenge, resumed)
        self._answers.highest = answer.next_id - 1
        self.outbox.send(answer)

    def lag_now(self) -> Micros:
        return self.outbox.now()

    def _refuse(self, request_id: int, no: RequestRefusal) -> None:
        self._directory.metrics.refused(no.reason)
        self.outbox.send(refusal(request_id, no))

    def _answer(self, answer: Answer) -> None:
        self._answers.keep(answer)
        self.outbox.send(answer)

"""Messages of sessions that are in the room: each gets one answer, and the same id again gets the same answer.

A chair and a watcher remember answers in the same way (`Answers`). A chair's memory is stored and follows its player
to a new connection; a watcher's ends with the visit.
"""

from photofinish.engine import Micros, Seat, convert
from photofinish.room import requests
from photofinish.room.answers import Answer, Answers
from photofinish.room.facts import Requested
from photofinish.room.play.moves import Sent
from photofinish.room.ports import DispatchRoom
from photofinish.room.record import Chair
from photofinish.room.seats.lobby import RequestRefusal, refusal
from photofinish.room.seats.presence import Watcher
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason


def dispatch(room: DispatchRoom, fact: Requested, now: Micros) -> None:
    key = room.presence.chairs.get(fact.session)
    if key is not None:
        for seat, chair in enumerate(room.record.chairs):
            if chair.key == key:
                _by_chair(room, Seat(seat), chair, fact, now)
                return
    watcher = room.presence.watchers.get(fact.session)
    if watcher is None:
        room.out.send(fact.session, refusal(fact.message.id, RequestRefusal(Reason.NOT_IN_A_ROOM)))
    else:
        _by_watcher(room, watcher, fact, now)


def _by_chair(room: DispatchRoom, seat: Seat, chair: Chair, fact: Requested, now: Micros) -> None:
    session, message = fact.session, fact.message
    if chair.spare:  # the new token has arrived: the old one is invalid now
        chair.token, chair.spare = chair.spare, b""
        room.out.dirty()
    if chair.claim:
        chair.claim = b""
        room.out.dirty()
    match = room.match
    if match is not None and match.race is not None and match.holds(seat, message.id):
        room.out.send(session, messages.Pending(id=message.id))
        return
    if message.id <= chair.answers.highest:
        room.out.send(session, _before(chair.answers, message.id))
        return
    try:
        if isinstance(message, messages.Play):
            _play(room, chair, seat, message, fact, now)
            return
        room.watcher_limits.check_talk(message, now)
        got = requests.by_seat(room, chair, session, message, now)
    except RequestRefusal as no:
        room.out.answer(chair, refusal(message.id, no))
    else:
        room.out.answer(chair, messages.Ack(id=message.id, got=got), session)


def _play(
    room: DispatchRoom, chair: Chair, seat: Seat, message: messages.Play, fact: Requested, now: Micros
) -> None:
    if room.record.quarantine:
        room.check_open()
    if room.record.phase == "over":
        raise RequestRefusal(Reason.GAME_OVER, clause=room.game.clauses.over)
    if room.match is None:
        raise RequestRefusal(Reason.NOT_STARTED, clause=room.game.clauses.deal)
    try:
        move = convert.move(room.game, message.move)
    except convert.BadMove:
        move = requests.typed_move(room.game, message.move)  # raises `RequestRefusal`, in words
    sent = Sent(seat, move, message, fact)
    if chair.kind == "player":
        room.record.is_touched = True
    if room.match.play(sent, now):
        # Even if it was released at once: without it the sender would know that the others have moved.
        room.out.to_chair(chair, messages.Pending(id=message.id))


def _by_watcher(room: DispatchRoom, watcher: Watcher, fact: Requested, now: Micros) -> None:
    message = fact.message
    if message.id <= watcher.answers.highest:
        room.out.send(fact.session, _before(watcher.answers, message.id))
        return
    answer: Answer = messages.Ack(id=message.id)
    try:
        room.watcher_limits.check_talk(message, now)
        requests.by_watcher(room, fact.session, watcher.name, message, now)
    except RequestRefusal as no:
        answer = refusal(message.id, no)
    watcher.answers.keep(answer)
    room.out.send(fact.session, answer)


def _before(answers: Answers, request_id: int) -> Answer:
    """The answer to an id that is not new: the one it got, or that it is stale."""
    before = answers.again(request_id)
    return refusal(request_id, RequestRefusal(Reason.STALE_ID)) if before is None else before

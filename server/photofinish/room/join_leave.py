"""How sessions come to a room and go: by joining, with a token, to watch, by being cut."""

from typing import TYPE_CHECKING

from photofinish.engine import Micros, Seat
from photofinish.room import kicked, lobby, requests, tokens
from photofinish.room.facts import BotSat, Joined, Looked, Resumed, SessionId
from photofinish.room.lobby import No
from photofinish.room.presence import Watcher
from photofinish_protocol import messages
from photofinish_protocol.reasons import CLOSES, Close, Reason

if TYPE_CHECKING:
    from photofinish.room.core import Room


def joined(room: "Room", fact: Joined, now: Micros) -> None:
    """Somebody wants a seat. Raises `No`."""
    room.check_open()
    kicked.check(room.record, fact)
    chair = lobby.find(room.record, fact.seat)
    seat = lobby.seat_of(room.record, chair)
    chair = lobby.sit(room.record, chair, fact.name, keeps_name=bool(room.muted()))
    chair.origin = kicked.origin_of(room.record, fact.address)
    if room.record.host < 0:
        room.record.host = chair.key
    token = room.new_token(chair)
    chair.token, chair.spare = chair.spare, b""
    room.arrive(fact.session, chair, now, fact.node)
    room.out.answer(
        chair, messages.Ack(id=fact.ask, got=_seated(room, seat, chair.name, token, fact.ask + 1))
    )
    if room.match is not None:
        room.match.set_autopilot(Seat(seat), False, now)
    room.note()
    room.show(fact.session, chair, 0, now)


def resumed(room: "Room", fact: Resumed, now: Micros) -> None:
    """Somebody comes back to its seat. The newest socket wins; the older one is told why. Raises `No`."""
    room.check_open()
    chair = lobby.chair_by_key(room.record, tokens.chair_of(fact.token))
    if chair is None or not any(tokens.fits(fact.token, it) for it in (chair.token, chair.spare)):
        raise No(Reason.BAD_TOKEN)
    if tokens.fits(fact.token, chair.spare):
        chair.token = chair.spare
    if chair.kind == "bot":
        requests.send_bot_off(room, chair, now)
        lobby.dismiss_bot(room.record, chair, keeps_name=bool(room.muted()))
    token = room.new_token(chair)
    older = room.presence.session_of(chair.key)
    if older is not None:
        text = CLOSES[Close.TAKEN_OVER].sentence
        room.out.send(older, messages.Left(room=room.record.code, reason="taken_over", text=text))
        room.out.drop(older, Close.TAKEN_OVER)
        room.unseat(older, now)
    seat = lobby.seat_of(room.record, chair)
    chair.origin = kicked.origin_of(room.record, fact.address) or chair.origin
    room.arrive(fact.session, chair, now, fact.node)
    if chair.is_vacant:
        lobby.take_back(chair)
        if room.match is not None:
            room.match.set_autopilot(Seat(seat), False, now)
    got = _seated(room, seat, chair.name, token, chair.answers.highest + 1)
    room.out.send(fact.session, messages.Ack(id=fact.ask, got=got))
    room.note()
    room.show(fact.session, chair, fact.seq, now)
    room.returned(chair, now)


def looked(room: "Room", fact: Looked, now: Micros) -> None:
    """Somebody wants to watch. Raises `No`."""
    room.check_open()
    if fact.referee and not tokens.fits(fact.referee, room.record.referee):
        raise No(Reason.BAD_TOKEN, "That is not this table's referee word.")
    kicked.check(room.record, fact)
    if not fact.referee:
        room.crowd.check_watchers(len(room.presence.watchers))
    room.presence.watchers[fact.session] = Watcher(fact.name, is_referee=bool(fact.referee))
    room.out.send(fact.session, messages.Ack(id=fact.ask, got=messages.Watching(room=room.record.code)))
    room.note_watcher(now)
    room.describe_if_not_told(fact.session, now)
    room.show_public(fact.session, now)


def bot_sat(room: "Room", fact: BotSat, now: Micros) -> None:
    chair = lobby.chair_by_key(room.record, fact.chair)
    if chair is not None and chair.kind == "bot":
        room.arrive(fact.session, chair, now)
        room.show(fact.session, chair, 0, now)


def cut(room: "Room", session: SessionId, now: Micros) -> None:
    if room.presence.watchers.pop(session, None) is not None:
        room.note_watcher(now)
        return
    if room.presence.chair_of(session) is None:
        return
    room.unseat(session, now)
    room.note(is_dirty=False)


def _seated(room: "Room", seat: int, name: str, token: str, next_id: int) -> messages.Seated:
    return messages.Seated(room=room.record.code, seat=seat, name=name, token=token, next_id=next_id)

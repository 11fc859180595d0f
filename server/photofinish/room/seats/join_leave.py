"""Sessions enter and leave a room: join, resume with a token, watch, disconnect."""

import contextlib

from photofinish.engine import Micros, Seat
from photofinish.room import kept_standing, requests
from photofinish.room.answers import Answers
from photofinish.room.facts import BotSat, Directed, Joined, Looked, Rekeyed, Resumed, SessionId
from photofinish.room.ports import EntryRoom
from photofinish.room.record import Chair
from photofinish.room.seats import kicked, lobby, tokens
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.room.seats.presence import Watcher
from photofinish_protocol import messages
from photofinish_protocol.reasons import CLOSES, Close, Reason


def joined(room: EntryRoom, fact: Joined, now: Micros) -> None:
    """Give the session a seat. Raises `RequestRefusal`."""
    room.check_open()
    kicked.check(room.record, fact)
    own = lobby.claimed(room.record, fact.claim)
    # Without any player the first connection was cut before it sat down: then this is the first answer.
    if own is None and fact.is_again and any(it.kind == "player" for it in room.record.chairs):
        raise RequestRefusal(Reason.STALE_ID)
    chair = own or lobby.find(room.record, fact.seat, key=fact.key)
    seat = lobby.seat_of(room.record, chair)
    if own is not None:
        _take_over(room, chair, now)  # the first answer was lost with its connection
    elif chair.bound_key and chair.kind == "player":
        _take_over(room, chair, now)  # T9: the newest connection of a key wins
        lobby.take_back(chair)
        chair.answers = Answers()  # a new connection counts its own ids
    else:
        name = chair.bound_name or fact.name
        chair = lobby.sit(room.record, chair, name, keeps_name=bool(room.muted()))
        if fact.key and room.record.phase == "lobby":
            # A player who joins during a game continues with the seat's own standing, and it is not kept.
            chair.player_key, chair.standing = fact.key, kept_standing.unpack(fact.standing)
    chair.origin = kicked.origin_of(room.record, fact.address)
    chair.proved = kicked.proof_of(room.record, fact.key)
    chair.claim = tokens.digest(fact.claim) if fact.claim else b""
    if room.record.host < 0 and not room.record.event:
        room.record.host = chair.key
    token = room.new_token(chair)
    chair.token, chair.spare = chair.spare, b""
    room.arrive(fact.session, chair, now, fact.node)
    room.out.answer(
        chair,
        messages.Ack(id=fact.request_id, got=_seated(room, seat, chair.name, token, fact.request_id + 1)),
    )
    room.set_autopilot(Seat(seat), False, now)
    room.note()
    room.show(fact.session, chair, 0, now)


def resumed(room: EntryRoom, fact: Resumed, now: Micros) -> None:
    """Give the session its seat again. The older connection is closed with a reason. Raises `RequestRefusal`."""
    room.check_open()
    chair = lobby.chair_by_key(room.record, tokens.chair_of(fact.token))
    if chair is None or not any(tokens.fits(fact.token, it) for it in (chair.token, chair.spare)):
        if kicked.note_token(room.record, fact.session, fact.token):
            room.out.dirty()
        raise RequestRefusal(Reason.BAD_TOKEN)
    if tokens.fits(fact.token, chair.spare):
        chair.token = chair.spare
    chair.claim = b""
    if chair.kind == "bot":
        requests.send_bot_off(room, chair, now)
        lobby.dismiss_bot(room.record, chair, keeps_name=bool(room.muted()))
    token = room.new_token(chair)
    _take_over(room, chair, now)
    seat = lobby.seat_of(room.record, chair)
    chair.origin = kicked.origin_of(room.record, fact.address) or chair.origin
    room.arrive(fact.session, chair, now, fact.node)
    if chair.is_vacant:
        lobby.take_back(chair)
        room.set_autopilot(Seat(seat), False, now)
    got = _seated(room, seat, chair.name, token, chair.answers.highest + 1)
    room.out.send(fact.session, messages.Ack(id=fact.request_id, got=got))
    room.note()
    room.show(fact.session, chair, fact.seq, now)
    room.returned(chair, now)


def _take_over(room: EntryRoom, chair: Chair, now: Micros) -> None:
    """Close the older connection of this seat and tell it why."""
    older = room.presence.session_of(chair.key)
    if older is not None:
        text = CLOSES[Close.TAKEN_OVER].sentence
        room.out.send(older, messages.Left(room=room.record.code, reason="taken_over", text=text))
        room.out.drop(older, Close.TAKEN_OVER)
        room.unseat(older, now)


def directed(room: EntryRoom, fact: Directed, now: Micros) -> None:
    """The event's director starts the game. Sent twice, it changes nothing."""
    record = room.record
    if fact.event != record.event or record.phase != "lobby" or record.quarantine:
        return
    for seat, chair in enumerate(record.chairs):
        if chair.key in fact.chairs or chair.kind == "bot":
            chair.is_ready = True
            continue
        session = room.presence.session_of(chair.key)
        if session is not None:
            text = "Your table began without you."
            room.out.send(session, messages.Left(room=record.code, reason="closed", text=text))
            room.out.drop(session)
            room.unseat(session, now)
        record.chairs[seat] = Chair(key=chair.key, seq=chair.seq)
        if fact.bots:
            name = f"{requests.BOT_NAMES[seat % len(requests.BOT_NAMES)]} (bot)"
            record.chairs[seat] = Chair(key=chair.key, seq=chair.seq, kind="bot", name=name)
    room.note()
    with contextlib.suppress(RequestRefusal):  # too few players: the director decides about the pairing
        room.call_deal(now)


def rekeyed(room: EntryRoom, fact: Rekeyed, now: Micros) -> None:
    """T8: the seat goes to the new key. The connection of the old key gets a message, and its token becomes invalid."""
    chair = next((it for it in room.record.chairs if it.bound_key and it.bound_key == fact.old), None)
    if fact.event != room.record.event or chair is None:
        return
    session = room.presence.session_of(chair.key)
    if session is not None:
        text = "An organiser has given your seat to another key."
        room.out.send(session, messages.Left(room=room.record.code, reason="closed", text=text))
        room.out.drop(session)
        room.unseat(session, now)
    chair.bound_key, chair.token, chair.spare, chair.claim = fact.new, b"", b"", b""
    chair.player_key = ""
    room.note()


def looked(room: EntryRoom, fact: Looked, now: Micros) -> None:
    """Let the session watch. Raises `RequestRefusal`."""
    if room.record.is_duplicate:  # T43: a spectator could tell another table
        raise RequestRefusal(Reason.SEALED)
    room.check_open()
    if fact.referee and not tokens.fits(fact.referee, room.record.referee):
        raise RequestRefusal(Reason.BAD_TOKEN, "That is not this table's referee password.")
    kicked.check(room.record, fact)
    if fact.seat is not None and fact.seat >= len(room.record.chairs):
        raise RequestRefusal(Reason.NO_SUCH_SEAT)
    is_referee = bool(fact.referee) or fact.is_official
    if not is_referee:
        room.watcher_limits.check_watchers(len(room.presence.watchers))
    room.presence.watchers[fact.session] = Watcher(
        fact.name,
        is_referee,
        fact.seat,
        kicked.origin_of(room.record, fact.address),
        kicked.proof_of(room.record, fact.key),
    )
    room.out.send(
        fact.session, messages.Ack(id=fact.request_id, got=messages.Watching(room=room.record.code))
    )
    room.note_watcher(now)
    room.describe_if_postponed(fact.session, now)
    room.show_public(fact.session, now)


def bot_sat(room: EntryRoom, fact: BotSat, now: Micros) -> None:
    chair = lobby.chair_by_key(room.record, fact.chair)
    if chair is not None and chair.kind == "bot":
        room.arrive(fact.session, chair, now)
        room.show(fact.session, chair, 0, now)


def cut(room: EntryRoom, session: SessionId, now: Micros) -> None:
    if room.presence.watchers.pop(session, None) is not None:
        room.note_watcher(now)
        return
    if room.presence.chair_of(session) is None:
        return
    room.unseat(session, now)
    room.note(is_dirty=False)


def _seated(room: EntryRoom, seat: int, name: str, token: str, next_id: int) -> messages.Seated:
    return messages.Seated(room=room.record.code, seat=seat, name=name, token=token, next_id=next_id)

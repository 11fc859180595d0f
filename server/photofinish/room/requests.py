"""All requests except moves: of players, the host and spectators. Each returns an answer or raises `RequestRefusal`."""

from typing import Any

from photofinish.engine import AnyGame, IllegalMove, Micros, Move, Rng, Seat, TableSetup, convert
from photofinish.race.params import Params
from photofinish.room.facts import SessionId
from photofinish.room.play import reveal
from photofinish.room.ports import RequestRoom
from photofinish.room.record import Chair
from photofinish.room.seats import kicked, lobby
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.room.seats.talk import cleaned
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import EMOTES, MAX_CHAT

WATCHING = "(watching)"
"""Added to the name of a spectator in chat, so that it cannot be taken for a player."""
LONGEST = 200
"""Most characters of an explanation, which may quote the message."""
BOT_NAMES = ("Ada", "Basil", "Cleo", "Dara", "Edda", "Fritz", "Gus", "Hedy")


def by_seat(
    room: RequestRoom, chair: Chair, session: SessionId, message: messages.ClientMessage, now: Micros
) -> messages.Got | None:
    """A request of a player."""
    match message:
        case messages.Leave():
            room.unseat(session, now)
            room.give_up(chair, now)
            room.out.drop(session)
        case messages.Chat(text=text):
            talk(room, chair.name, text, lobby.seat_of(room.record, chair))
        case messages.Emote(emote=emote):
            _check_talk(room)
            if emote not in EMOTES:
                raise RequestRefusal(Reason.UNKNOWN_EMOTE)
            room.out.to_all(messages.Emoted(seat=lobby.seat_of(room.record, chair), emote=emote))
        case messages.Ready():
            _check_lobby(room)
            _check_ping(room, chair)
            reveal.promise(chair, message)
            if room.record.is_duplicate:  # T42: other tables have the same deal, so nobody adds to it
                chair.nonce, chair.commit = b"", ""
            room.note()
        case messages.Reveal(nonce=nonce):
            reveal.reveal(room.record, chair, bytes.fromhex(nonce))
            room.note()
        case messages.Join() | messages.Watch() | messages.Create():
            raise RequestRefusal(Reason.IN_A_ROOM)
        case _:
            if chair.key != room.record.host:
                raise RequestRefusal(Reason.NOT_HOST)
            room.check_open()
            return _by_host(room, message, now)
    return None


def _by_host(room: RequestRoom, message: messages.ClientMessage, now: Micros) -> messages.Got | None:
    record = room.record
    match message:
        case messages.Bot():
            return _seat_bot(room, message, now)
        case messages.Remove(seat=seat):
            _remove_bot(room, lobby.at(record, seat), now)
        case messages.Kick(seat=seat):
            _kick(room, lobby.at(record, seat), now)
        case messages.Host(seat=seat):
            new_host = lobby.at(record, seat)
            _check_player(new_host, "A bot cannot be host.")
            record.host = new_host.key
            room.note()
        case messages.Configure(options=options, absent_seconds=absent):
            _check_lobby(room)
            if options is not None:
                record.options = checked_options(room.game, options, len(record.chairs))
            if absent is not None:
                record.absent_seconds = absent
            for chair in record.chairs:
                chair.is_ready, chair.commit, chair.nonce = False, "", b""  # it was about other options
            room.note()
        case messages.Start():
            _check_lobby(room)
            room.call_deal(now)
        case messages.Rematch():
            if record.phase != "over":
                raise RequestRefusal(
                    Reason.NOT_STARTED if record.phase == "lobby" else Reason.ALREADY_STARTED
                )
            room.clear()
        case _:
            raise RequestRefusal(Reason.UNKNOWN_TYPE)
    return None


def by_watcher(
    room: RequestRoom, session: SessionId, name: str, message: messages.ClientMessage, now: Micros
) -> None:
    """A request of a spectator."""
    match message:
        case messages.Leave():
            del room.presence.watchers[session]
            room.out.drop(session)
            room.note_watcher(now)
        case messages.Chat(text=text):
            talk(room, f"{name} {WATCHING}", text, None)
        case messages.Join() | messages.Watch() | messages.Create():
            raise RequestRefusal(Reason.IN_A_ROOM)
        case _:
            raise RequestRefusal(Reason.NOT_SEATED)


def talk(room: RequestRoom, name: str, text: str, seat: int | None) -> None:
    _check_talk(room)
    if len(text) > MAX_CHAT:
        raise RequestRefusal(
            Reason.BAD_TEXT, f"That text has {len(text)} characters. The most is {MAX_CHAT}."
        )
    said = cleaned(text)
    if not said:
        raise RequestRefusal(Reason.BAD_TEXT, "That text is empty, or nothing of it can be seen.")
    room.out.to_all(messages.Said(name=name, text=said, seat=seat))


def checked_options(game: AnyGame, sent: dict[str, Any], seats: int) -> dict[str, Any]:
    """All options with their defaults, checked as far as possible before all seats are taken."""
    try:
        options = convert.options(game, sent)
        game.setup(TableSetup(seats, options), Rng(bytes(32), 0))
    except convert.BadOptions as error:
        raise RequestRefusal(Reason.BAD_OPTIONS, str(error)) from error
    except IllegalMove as no:
        raise RequestRefusal(Reason.BAD_OPTIONS, no.text, no.clause) from no
    return convert.plain(options)


def typed_move(game: AnyGame, sent: dict[str, Any]) -> Move:
    """The move as a type of this game. Raises `RequestRefusal`, which names the wrong field."""
    try:
        return convert.move(game, sent)
    except convert.BadMove as bad:
        text = f"That is not a move of {game.title}: {str(bad)[:LONGEST]}."
        raise RequestRefusal(Reason.BAD_MOVE, text) from bad


def _seat_bot(room: RequestRoom, request: messages.Bot, now: Micros) -> messages.BotIn:
    if request.player == "house" and room.game.house_bot is None:
        raise RequestRefusal(Reason.NO_HOUSE_BOT)
    free = lobby.find(room.record, request.seat, for_bot=True)
    if not room.may_seat_bot():
        raise RequestRefusal(Reason.TOO_MANY_BOTS)
    seat = lobby.seat_of(room.record, free)
    name = BOT_NAMES[seat % len(BOT_NAMES)] + " (bot)"
    lobby.seat_bot(room.record, free, request, name, keeps_name=bool(room.muted()))
    if room.record.phase == "playing":
        room.set_autopilot(Seat(seat), False, now)
    room.note()
    return messages.BotIn(seat=seat)


def _remove_bot(room: RequestRoom, bot: Chair, now: Micros) -> None:
    if bot.kind != "bot":
        raise RequestRefusal(Reason.NOT_A_BOT)
    send_bot_off(room, bot, now)
    room.give_up(bot, now)
    if bot.is_vacant:
        lobby.dismiss_bot(room.record, bot, keeps_name=bool(room.muted()))


def send_bot_off(room: RequestRoom, bot: Chair, now: Micros) -> None:
    session = room.presence.session_of(bot.key)
    if session is not None:
        room.out.drop(session)
        room.unseat(session, now)


def _kick(room: RequestRoom, chair: Chair, now: Micros) -> None:
    _check_player(chair, "A bot sits there. Take it away with `remove`.")
    if chair.key == room.record.host:
        raise RequestRefusal(Reason.NOT_A_PLAYER, "You cannot kick yourself. Send `leave` to go.")
    session = room.presence.session_of(chair.key)
    kicked.ban(room.record, chair, session)
    if session is not None:
        _send_away(room, session)
        room.unseat(session, now)
    for watching, watcher in tuple(room.presence.watchers.items()):
        if kicked.is_banned(room.record, watching, watcher.name, watcher.origin, watcher.proved):
            _send_away(room, watching)
            del room.presence.watchers[watching]
            room.note_watcher(now)
    room.give_up(chair, now, is_kicked=True)


def _send_away(room: RequestRoom, session: SessionId) -> None:
    text = "The host removed you from the room."
    room.out.send(session, messages.Left(room=room.record.code, reason="kicked", text=text))
    room.out.drop(session)


def _check_player(chair: Chair, if_bot: str) -> None:
    if chair.kind == "bot":
        raise RequestRefusal(Reason.NOT_A_PLAYER, if_bot)
    if chair.kind == "empty" or chair.is_vacant:
        text = "The player of that seat has left." if chair.is_vacant else "Nobody sits there."
        raise RequestRefusal(Reason.NOT_A_PLAYER, text)


def _check_talk(room: RequestRoom) -> None:
    clause = room.muted()
    if clause:
        raise RequestRefusal(Reason.MUTED, clause=clause)


def _check_ping(room: RequestRoom, chair: Chair) -> None:
    """Raises `RequestRefusal` if the room has a highest ping and this player exceeds it."""
    base = room.presence.path_of(chair.key).base(Params().cap)
    if room.record.max_ping_ms and base > room.record.max_ping_ms * 1000:
        raise RequestRefusal(
            Reason.HIGH_PING,
            f"This table allows {room.record.max_ping_ms} ms; your way to the server takes {base // 1000} ms.",
        )


def _check_lobby(room: RequestRoom) -> None:
    if room.record.phase != "lobby":
        raise RequestRefusal(Reason.ALREADY_STARTED)

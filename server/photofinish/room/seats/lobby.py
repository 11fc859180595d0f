"""The chairs of a room: who sits where, and which changes are allowed."""

from typing import Literal

from photofinish.engine import AnyGame
from photofinish.room.answers import Answers
from photofinish.room.record import Chair, RoomRecord
from photofinish.room.seats import tokens
from photofinish.room.seats.talk import folded
from photofinish_protocol import messages
from photofinish_protocol.reasons import REASONS, Reason


class RequestRefusal(Exception):  # noqa: N818 - a refusal
    """A refused request, with its reason."""

    def __init__(
        self, reason: Reason, text: str = "", clause: str = "", errors: tuple[messages.EventError, ...] = ()
    ) -> None:
        super().__init__(reason)
        self.reason, self.clause, self.errors = reason, clause, errors
        self.text = text or REASONS[reason].sentence


def refusal(request_id: int, no: RequestRefusal) -> messages.Refused:
    """The answer to a refused request."""
    retry = REASONS[no.reason].retry
    return messages.Refused(
        id=request_id, reason=no.reason, text=no.text, clause=no.clause, retry=retry, errors=no.errors
    )


def seat_of(record: RoomRecord, chair: Chair) -> int:
    return record.chairs.index(chair)


def chair_by_key(record: RoomRecord, key: int) -> Chair | None:
    return next((chair for chair in record.chairs if chair.key == key), None)


def at(record: RoomRecord, seat: int) -> Chair:
    if seat >= len(record.chairs):
        raise RequestRefusal(Reason.NO_SUCH_SEAT)
    return record.chairs[seat]


def is_begun(record: RoomRecord) -> bool:
    """True from the start of the deal to the end of the game: the seats are fixed."""
    return record.phase in ("dealing", "playing")


def is_free(record: RoomRecord, chair: Chair, *, for_bot: bool = False) -> bool:
    """Whether this chair can be taken. In a running game only if its player has left and `substitutes` is on."""
    if record.phase == "lobby":
        return chair.is_empty
    return chair.is_vacant and (for_bot or record.substitutes)


def find(record: RoomRecord, seat: int | None, *, for_bot: bool = False, key: str = "") -> Chair:
    """The chair asked for, or the first free one. In an event's room: the chair of this key (T1)."""
    if record.event:
        own = next((chair for chair in record.chairs if key and chair.bound_key == key), None)
        if own is None or (seat is not None and record.chairs.index(own) != seat):
            raise RequestRefusal(Reason.SEAT_TAKEN, "This seat belongs to another entrant of the event.")
        return own
    if seat is not None:
        chair = at(record, seat)
        if is_free(record, chair, for_bot=for_bot):
            return chair
        if chair.is_vacant:
            raise RequestRefusal(
                Reason.ALREADY_STARTED, "The game has started, and this table takes no substitutes."
            )
        raise RequestRefusal(Reason.SEAT_TAKEN)
    for chair in record.chairs:
        if is_free(record, chair, for_bot=for_bot):
            return chair
    raise RequestRefusal(Reason.ALREADY_STARTED if is_begun(record) else Reason.ROOM_FULL)


def claimed(record: RoomRecord, claim: str) -> Chair | None:
    """The chair that this request got before, if its answer is not known to have arrived."""
    if not claim:
        return None
    return next((it for it in record.chairs if not it.is_vacant and tokens.fits(claim, it.claim)), None)


def sit(record: RoomRecord, chair: Chair, name: str, *, keeps_name: bool = False) -> Chair:
    """A player takes the chair. In a running game the seat's clock is not reset.

    `keeps_name`: the rules forbid talk now, and a new name can carry a message. It is kept in `next_name` for later.
    """
    new = unique(record, chair, name)
    fresh = Chair(
        key=chair.key, kind="player", name=chair.name if keeps_name else new, called=name,
        next_name=new if keeps_name else "", seq=chair.seq, standing=chair.standing,
        commit=chair.commit, nonce=chair.nonce, is_ready=record.phase != "lobby",
        bound_key=chair.bound_key, bound_name=chair.bound_name,
    )  # fmt: skip
    record.chairs[seat_of(record, chair)] = fresh
    return fresh


def seat_bot(
    record: RoomRecord, chair: Chair, request: messages.Bot, name: str, *, keeps_name: bool
) -> Chair:
    """A bot takes the chair. In a running game it plays for the player who left and who can return with the token."""
    bot = sit(record, chair, name, keeps_name=keeps_name)
    bot.kind, bot.strength, bot.plays = "bot", request.strength, request.player
    if chair.is_vacant:
        bot.owner, bot.called = chair.owner or chair.next_name or chair.name, chair.called
        bot.token, bot.spare = chair.token, chair.spare
        bot.origin, bot.proved = chair.origin, chair.proved
    return bot


def dismiss_bot(record: RoomRecord, bot: Chair, *, keeps_name: bool) -> None:
    """Remove the bot from a running game. The chair belongs to its owner again."""
    owner, bot.owner = bot.owner, ""
    bot.kind = "player"
    bot.answers = Answers(bot.answers.highest)  # the owner has sent none of the bot's requests
    if owner:
        rename(record, bot, owner, keeps_name=keeps_name)


def take_back(chair: Chair) -> None:
    """The player who left has returned with the token."""
    chair.is_vacant = chair.is_autopilot = False


def rename(record: RoomRecord, chair: Chair, name: str, *, keeps_name: bool) -> None:
    new = unique(record, chair, name)
    if keeps_name:
        chair.next_name = new
    else:
        chair.name, chair.next_name = new, ""


def unique(record: RoomRecord, chair: Chair, name: str) -> str:
    """The name, with a number added if another chair has the same name or one that looks the same."""
    others = {
        folded(it) for other in record.chairs if other is not chair for it in (other.name, other.next_name)
    }
    tries = (name, *(f"{name[:20]} {n}" for n in range(2, 20)))
    return next(it for it in tries if folded(it) not in others)


def rise(record: RoomRecord, chair: Chair, *, is_kicked: bool = False) -> None:
    """The player leaves the chair. In a running game autopilot plays the seat, and the token gives it back."""
    if is_begun(record):
        chair.is_vacant = True
        chair.is_autopilot = True
        if is_kicked:
            chair.token = chair.spare = b""
    else:
        record.chairs[seat_of(record, chair)] = Chair(
            key=chair.key, seq=chair.seq, bound_key=chair.bound_key, bound_name=chair.bound_name
        )
    if record.host == chair.key:
        new_host = next((it for it in record.chairs if it.kind == "player" and not it.is_vacant), None)
        record.host = new_host.key if new_host else -1


def close_up(record: RoomRecord, game: AnyGame) -> None:
    """Remove the empty chairs before the deal. Raises `RequestRefusal`."""
    taken = [chair for chair in record.chairs if not chair.is_empty]
    if len(taken) < game.seats.start:
        raise RequestRefusal(
            Reason.NOT_ENOUGH_SEATS, f"{game.title} needs {game.seats.start} players or more."
        )
    if not all(chair.is_ready or chair.kind == "bot" for chair in taken):
        raise RequestRefusal(Reason.NOT_READY)
    record.chairs = taken


def open_up(record: RoomRecord) -> None:
    """Return to the lobby: abandoned chairs become free, and removed chairs are added again."""
    chairs = [Chair(key=it.key, seq=it.seq) if it.is_vacant else it for it in record.chairs]
    while len(chairs) < record.capacity:
        chairs.append(Chair(key=record.next_key))
        record.next_key += 1
    for chair in chairs:
        if chair.kind == "bot":
            chair.token, chair.spare, chair.owner = b"", b"", ""
        chair.is_ready, chair.commit, chair.nonce = False, "", b""
        chair.missed, chair.is_autopilot = 0, False
    record.chairs = chairs


def describe(
    record: RoomRecord, *, here: set[int], watchers: int, commitment: str, dealing: messages.Dealing | None
) -> messages.Room:
    """The room as everybody sees it. `here`: the keys of the chairs whose players are connected."""
    host = chair_by_key(record, record.host)
    is_dealt = record.phase in ("playing", "over")
    return messages.Room(
        room=record.code,
        referee=bool(record.referee),
        game=record.game,
        phase=_listed_phase(record),
        number=record.number,
        host=seat_of(record, host) if host else -1,
        seats=tuple(
            messages.Place(
                seat=seat,
                kind=chair.kind,
                name=chair.name,
                ready=chair.is_ready or chair.kind == "bot",
                connected=chair.key in here or chair.kind == "bot",
                autopilot=chair.is_autopilot,
                wins=chair.wins,
                commit="" if is_dealt else chair.commit,
            )
            for seat, chair in enumerate(record.chairs)
        ),
        options=record.options,
        private=record.private,
        commitment=commitment,
        watchers=watchers,
        spectator_delay=record.spectator_delay,
        max_ping_ms=record.max_ping_ms,
        substitutes=record.substitutes,
        dealing=dealing,
        withheld=tuple(record.running.withheld) if record.running is not None else (),
        absent_seconds=record.absent_seconds,
    )


def line(record: RoomRecord, watchers: int) -> messages.RoomLine:
    """The room in the lobby's list."""
    host = chair_by_key(record, record.host)
    return messages.RoomLine(
        room=record.code,
        game=record.game,
        phase=_listed_phase(record),
        seats=len(record.chairs),
        free=sum(is_free(record, chair) for chair in record.chairs),
        host=host.name if host else "",
        watchers=watchers,
    )


def _listed_phase(record: RoomRecord) -> Literal["lobby", "playing", "over"]:
    """In messages a game is `playing` as soon as the deal starts."""
    return "playing" if record.phase == "dealing" else record.phase

"""Who sits where: what may be done to the chairs of a room, and why not."""

from typing import Literal

from photofinish.engine import AnyGame
from photofinish.room.record import Chair, RoomRecord
from photofinish_protocol import messages
from photofinish_protocol.reasons import REASONS, Reason


class No(Exception):  # noqa: N818 - a refusal
    """Not done, and why."""

    def __init__(self, reason: Reason, text: str = "", clause: str = "") -> None:
        super().__init__(reason)
        self.reason, self.clause = reason, clause
        self.text = text or REASONS[reason].sentence


def seat_of(record: RoomRecord, chair: Chair) -> int:
    return record.chairs.index(chair)


def chair_by_key(record: RoomRecord, key: int) -> Chair | None:
    return next((chair for chair in record.chairs if chair.key == key), None)


def at(record: RoomRecord, seat: int) -> Chair:
    if seat >= len(record.chairs):
        raise No(Reason.NO_SUCH_SEAT)
    return record.chairs[seat]


def is_begun(record: RoomRecord) -> bool:
    """A game is being played, or its deal has been called: the seats are fixed."""
    return record.phase in ("dealing", "playing")


def is_free(record: RoomRecord, chair: Chair) -> bool:
    """Can somebody sit down here? In a running game only where a player has left."""
    return chair.is_empty if record.phase == "lobby" else chair.is_vacant


def find(record: RoomRecord, seat: int | None) -> Chair:
    """The chair asked for, or the first free one."""
    if seat is not None:
        chair = at(record, seat)
        if not is_free(record, chair):
            raise No(Reason.SEAT_TAKEN)
        return chair
    for chair in record.chairs:
        if is_free(record, chair):
            return chair
    raise No(Reason.ALREADY_STARTED if is_begun(record) else Reason.ROOM_FULL)


def sit(record: RoomRecord, chair: Chair, name: str) -> Chair:
    """A player takes the chair. In a running game the seat's answers and its clock go on from where they were."""
    fresh = Chair(
        key=chair.key, kind="player", name=unique(record, chair, name), seq=chair.seq, standing=chair.standing,
        commit=chair.commit, nonce=chair.nonce, is_ready=record.phase != "lobby",
    )  # fmt: skip
    record.chairs[seat_of(record, chair)] = fresh
    return fresh


def unique(record: RoomRecord, chair: Chair, name: str) -> str:
    """The name, with a number if somebody else at the table has it already."""
    others = {other.name for other in record.chairs if other is not chair}
    tries = (name, *(f"{name[:20]} {n}" for n in range(2, 20)))
    return next(it for it in tries if it not in others)


def rise(record: RoomRecord, chair: Chair) -> None:
    """The player gives up the chair. In a running game autopilot plays on until somebody takes over."""
    if is_begun(record):
        chair.is_vacant = True
        chair.is_autopilot = True
        chair.token = chair.spare = b""
    else:
        record.chairs[seat_of(record, chair)] = Chair(key=chair.key, seq=chair.seq)
    if record.host == chair.key:
        heir = next((it for it in record.chairs if it.kind == "player" and not it.is_vacant), None)
        record.host = heir.key if heir else -1


def close_up(record: RoomRecord, game: AnyGame) -> None:
    """Take the empty chairs away before the deal."""
    taken = [chair for chair in record.chairs if not chair.is_empty]
    if len(taken) < game.seats.start:
        raise No(Reason.NOT_ENOUGH_SEATS, f"{game.title} needs {game.seats.start} players or more.")
    if not all(chair.is_ready or chair.kind == "bot" for chair in taken):
        raise No(Reason.NOT_READY)
    record.chairs = taken


def open_up(record: RoomRecord) -> None:
    """Back to the lobby: chairs left in the middle are free, and there is room for the rest again."""
    chairs = [Chair(key=it.key, seq=it.seq) if it.is_vacant else it for it in record.chairs]
    while len(chairs) < record.capacity:
        chairs.append(Chair(key=record.next_key))
        record.next_key += 1
    for chair in chairs:
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
        game=record.game,
        phase=_told_phase(record),
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
        phase=_told_phase(record),
        seats=len(record.chairs),
        free=sum(is_free(record, chair) for chair in record.chairs),
        host=host.name if host else "",
        watchers=watchers,
    )


def _told_phase(record: RoomRecord) -> Literal["lobby", "playing", "over"]:
    """On the wire the game has begun when the deal is called."""
    return "playing" if record.phase == "dealing" else record.phase

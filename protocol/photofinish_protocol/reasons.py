"""All reasons of a refusal and all close codes, each with a sentence for the player."""

from enum import IntEnum, StrEnum
from typing import NamedTuple


class Reason(StrEnum):
    """The `reason` of a `refused` message."""

    BAD_MESSAGE = "bad_message"
    UNKNOWN_TYPE = "unknown_type"
    NO_HELLO = "no_hello"
    SECOND_HELLO = "second_hello"
    BAD_VERSION = "bad_version"
    BAD_NAME = "bad_name"
    BAD_TOKEN = "bad_token"  # noqa: S105 - a reason, not a password
    STALE_ID = "stale_id"
    TOO_FAST = "too_fast"
    UNKNOWN_GAME = "unknown_game"
    BAD_OPTIONS = "bad_options"
    NO_SUCH_ROOM = "no_such_room"
    ROOM_FULL = "room_full"
    SEAT_TAKEN = "seat_taken"
    NO_SUCH_SEAT = "no_such_seat"
    IN_A_ROOM = "in_a_room"
    NOT_IN_A_ROOM = "not_in_a_room"
    NOT_SEATED = "not_seated"
    NOT_HOST = "not_host"
    NOT_A_BOT = "not_a_bot"
    NOT_A_PLAYER = "not_a_player"
    NO_HOUSE_BOT = "no_house_bot"
    NOT_ENOUGH_SEATS = "not_enough_seats"
    NOT_READY = "not_ready"
    ALREADY_STARTED = "already_started"
    NOT_STARTED = "not_started"
    GAME_OVER = "game_over"
    BAD_MOVE = "bad_move"
    ILLEGAL_MOVE = "illegal_move"
    NO_RACE = "no_race"
    WRONG_NONCE = "wrong_nonce"
    FALSE_START = "false_start"
    TOO_MANY_MOVES = "too_many_moves"
    RACE_REOPENED = "race_reopened"
    HIGH_PING = "high_ping"
    MUTED = "muted"
    BAD_TEXT = "bad_text"
    UNKNOWN_EMOTE = "unknown_emote"
    KICKED = "kicked"
    WRONG_REVEAL = "wrong_reveal"
    QUARANTINED = "quarantined"
    DRAINING = "draining"
    TOO_MANY_ROOMS = "too_many_rooms"
    TOO_MANY_BOTS = "too_many_bots"
    ELSEWHERE = "elsewhere"
    BAD_SIGNATURE = "bad_signature"
    NOT_IDENTIFIED = "not_identified"
    NO_SUCH_EVENT = "no_such_event"
    WRONG_STATE = "wrong_state"
    BAD_EVENT = "bad_event"
    PINNED = "pinned"
    TOO_MANY_EVENTS = "too_many_events"
    NOT_ORGANISER = "not_organiser"
    NOT_REFEREE = "not_referee"
    OWN_TABLE = "own_table"
    ALREADY_ENTERED = "already_entered"
    NOT_ENTERED = "not_entered"
    NAME_TAKEN = "name_taken"
    NAME_BOUND = "name_bound"
    KEY_TAKEN = "key_taken"
    BAD_CODE = "bad_code"
    NOT_LISTED = "not_listed"
    EVENT_FULL = "event_full"
    REGISTRATION_CLOSED = "registration_closed"
    BAD_NONCE = "bad_nonce"
    TOO_FEW = "too_few"
    NOT_YOUR_TABLE = "not_your_table"
    NO_SUCH_RACE = "no_such_race"
    TOO_LATE = "too_late"
    TOO_MANY_MARKS = "too_many_marks"
    ALREADY_DECIDED = "already_decided"
    NOT_ALLOWED = "not_allowed"
    SEALED = "sealed"
    NOT_CALLED = "not_called"
    BUSY = "busy"
    TOO_MANY_FOLLOWED = "too_many_followed"


class Row(NamedTuple):
    retry: bool
    """The same message with a new id can succeed later."""
    sentence: str


REASONS: dict[Reason, Row] = {
    Reason.BAD_MESSAGE: Row(False, "That message is missing a field, or a field has the wrong type."),
    Reason.UNKNOWN_TYPE: Row(False, "The server does not know this type of message."),
    Reason.NO_HELLO: Row(False, "Say hello first."),
    Reason.SECOND_HELLO: Row(False, "You have said hello already."),
    Reason.BAD_VERSION: Row(False, "The server does not speak that version of the protocol."),
    Reason.BAD_NAME: Row(False, "That name cannot be used. Take 1 to 24 letters, digits or marks."),
    Reason.BAD_TOKEN: Row(False, "This token does not give you a seat here."),
    Reason.STALE_ID: Row(False, "That id is too old. Count up from the last one."),
    Reason.TOO_FAST: Row(True, "Too many messages. Wait a moment."),
    Reason.UNKNOWN_GAME: Row(False, "This server does not have that game."),
    Reason.BAD_OPTIONS: Row(False, "The game cannot be set up with these options."),
    Reason.NO_SUCH_ROOM: Row(False, "There is no room with that code."),
    Reason.ROOM_FULL: Row(True, "Every seat in that room is taken."),
    Reason.SEAT_TAKEN: Row(True, "That seat is taken."),
    Reason.NO_SUCH_SEAT: Row(False, "The table has no such seat."),
    Reason.IN_A_ROOM: Row(False, "You are in a room already. Leave it first."),
    Reason.NOT_IN_A_ROOM: Row(False, "You are not in a room."),
    Reason.NOT_SEATED: Row(False, "Only players can do that, and you are watching."),
    Reason.NOT_HOST: Row(False, "Only the host of the room can do that."),
    Reason.NOT_A_BOT: Row(False, "There is no bot in that seat."),
    Reason.NOT_A_PLAYER: Row(False, "No player sits there."),
    Reason.NO_HOUSE_BOT: Row(False, "This game has no house bot."),
    Reason.NOT_ENOUGH_SEATS: Row(True, "The game needs more players."),
    Reason.NOT_READY: Row(True, "Not everybody is ready."),
    Reason.ALREADY_STARTED: Row(False, "The game has started."),
    Reason.NOT_STARTED: Row(True, "The game has not started."),
    Reason.GAME_OVER: Row(False, "The game is over."),
    Reason.BAD_MOVE: Row(False, "That is not a move of this game, or one of its fields is wrong."),
    Reason.ILLEGAL_MOVE: Row(False, "The rules do not allow that now."),
    Reason.NO_RACE: Row(False, "No race is open."),
    Reason.WRONG_NONCE: Row(False, "The nonce is not that of the open race."),
    Reason.FALSE_START: Row(True, "Too quick: nobody can have seen the card yet."),
    Reason.TOO_MANY_MOVES: Row(False, "You have made 32 moves in this race. Wait until it closes."),
    Reason.RACE_REOPENED: Row(True, "The race was opened again. Nothing was decided."),
    Reason.HIGH_PING: Row(True, "Your connection is slower than this table allows."),
    Reason.MUTED: Row(True, "No talking now: the rules of this game forbid it."),
    Reason.BAD_TEXT: Row(False, "That text is empty or too long."),
    Reason.UNKNOWN_EMOTE: Row(False, "There is no such emote."),
    Reason.KICKED: Row(False, "The host removed you from this room."),
    Reason.WRONG_REVEAL: Row(False, "That is not the nonce you committed to with `ready`."),
    Reason.QUARANTINED: Row(False, "This room stopped because of an error. Its log is kept."),
    Reason.DRAINING: Row(True, "The server is about to restart. Reconnect in a moment."),
    Reason.TOO_MANY_ROOMS: Row(True, "Too many rooms are open."),
    Reason.TOO_MANY_BOTS: Row(True, "Too many house bots play in rooms that were opened from your address."),
    Reason.ELSEWHERE: Row(True, "That room is moving to another node. Try again."),
    Reason.BAD_SIGNATURE: Row(
        False, "The signature does not fit this key and the challenge of this connection."
    ),
    Reason.NOT_IDENTIFIED: Row(False, "Prove your key with `identify` first."),
    Reason.NO_SUCH_EVENT: Row(False, "There is no event with that code."),
    Reason.WRONG_STATE: Row(False, "The event is not in a state for that."),
    Reason.BAD_EVENT: Row(False, "The event file has faults."),
    Reason.PINNED: Row(False, "That cannot change any more."),
    Reason.TOO_MANY_EVENTS: Row(True, "Too many events are open."),
    Reason.NOT_ORGANISER: Row(False, "Only an organiser of the event can do that."),
    Reason.NOT_REFEREE: Row(False, "Only a referee or organiser of the event can do that."),
    Reason.OWN_TABLE: Row(False, "You play at that table yourself."),
    Reason.ALREADY_ENTERED: Row(False, "You have entered this event."),
    Reason.NOT_ENTERED: Row(False, "That key has not entered this event."),
    Reason.NAME_TAKEN: Row(False, "Somebody in this event has that name."),
    Reason.NAME_BOUND: Row(False, "That name is bound to another key."),
    Reason.KEY_TAKEN: Row(False, "Another entrant has that key."),
    Reason.BAD_CODE: Row(False, "That is not the entry code."),
    Reason.NOT_LISTED: Row(False, "That name is not on the list."),
    Reason.EVENT_FULL: Row(True, "The event is full."),
    Reason.REGISTRATION_CLOSED: Row(False, "Registration is closed."),
    Reason.BAD_NONCE: Row(False, "That is not the nonce you committed to."),
    Reason.TOO_FEW: Row(True, "Too few entrants are checked in."),
    Reason.NOT_YOUR_TABLE: Row(False, "You did not sit at that table."),
    Reason.NO_SUCH_RACE: Row(False, "That game has no such race."),
    Reason.TOO_LATE: Row(False, "It is too late for that."),
    Reason.TOO_MANY_MARKS: Row(False, "You have marked too many races."),
    Reason.ALREADY_DECIDED: Row(False, "That is decided already."),
    Reason.NOT_ALLOWED: Row(False, "The event's rules do not allow that."),
    Reason.SEALED: Row(True, "That is sealed until every table has finished."),
    Reason.NOT_CALLED: Row(True, "You are not called to a table of this event now."),
    Reason.BUSY: Row(True, "You are called to a table of another event. Play there first."),
    Reason.TOO_MANY_FOLLOWED: Row(False, "You follow four events already. Unfollow one of them first."),
}


class Close(IntEnum):
    """The close codes that the server uses."""

    NOT_TEXT = 1003
    TOO_BIG = 1009
    RESTART = 1012
    MALFORMED = 4400
    NO_HELLO = 4401
    TAKEN_OVER = 4409
    TOO_FAST = 4429
    TOO_SLOW = 4408
    FAULT = 4500


CLOSES: dict[Close, Row] = {
    Close.NOT_TEXT: Row(False, "A text frame on the msgpack protocol, or a binary one on JSON."),
    Close.TOO_BIG: Row(False, "A frame larger than 16 KiB."),
    Close.RESTART: Row(True, "The server restarts. Reconnect with your token."),
    Close.MALFORMED: Row(False, "A frame that is not a message."),
    Close.NO_HELLO: Row(True, "No hello within five seconds."),
    Close.TAKEN_OVER: Row(False, "A newer connection of yours took over your seat."),
    Close.TOO_FAST: Row(True, "Far too many messages."),
    Close.TOO_SLOW: Row(True, "You did not read what was sent to you."),
    Close.FAULT: Row(True, "The server had an internal error."),
}

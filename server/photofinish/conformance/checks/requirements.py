"""The requirements of a client, each with its number. `protocol/conformance/README.md` has the same table."""

from typing import Final, Literal, NamedTuple, TypeAlias

Level: TypeAlias = Literal["watcher", "player", "racer", "full"]
LEVELS: Final[tuple[Level, ...]] = ("watcher", "player", "racer", "full")


class Requirement(NamedTuple):
    level: Level
    text: str
    clause: str
    """The section of the protocol pages that says so."""


REQUIREMENTS: Final[dict[str, Requirement]] = {
    "C1": Requirement("watcher", "`hello` is the first message on every connection.", "hello"),
    "C2": Requirement("watcher", "Every message fits the schema.", "What you send"),
    "C3": Requirement(
        "watcher", "The `id`s of a connection count up, except for a message sent again.", "Ids and answers"
    ),
    "C4": Requirement(
        "watcher", "Unknown fields and unknown messages of the server are ignored.", "Versions"
    ),
    "C5": Requirement(
        "watcher", "After a cut the client reconnects, at most thirty times per second.", "Coming back"
    ),
    "C6": Requirement("watcher", "A watcher says `watch` again on the new connection.", "Coming back"),
    "C7": Requirement("watcher", "After `bye` it comes back no sooner than `retry_after_ms` says.", "bye"),
    "C8": Requirement(
        "watcher",
        "Frames are of the encoding that the handshake chose: text for JSON, binary for msgpack.",
        "Frames and encodings",
    ),
    "C9": Requirement(
        "watcher",
        "A field with its default means the same, whether it is sent or left out.",
        "Frames and encodings",
    ),
    "C10": Requirement(
        "watcher",
        "Websocket pings are answered at once, whatever else it does: half of them within a second.",
        "Pings",
    ),
    "C11": Requirement("watcher", "After a close code without `retry` it does not come back.", "Close codes"),
    "P1": Requirement(
        "player", "It plays the game to its end.", "Offers: how to play a game you do not know"
    ),
    "P2": Requirement(
        "player",
        "It sends no message that can never be right (`bad_message`, `unknown_type`, `no_hello`, `second_hello`, "
        "`bad_version`, `bad_name`, `bad_token`, `stale_id`, `bad_move`, `wrong_reveal`, `not_host`, `in_a_room`).",
        "Refusals",
    ),
    "P3": Requirement(
        "player", "A nonce that it has committed to is revealed.", "The deal: commit, then reveal"
    ),
    "P4": Requirement("player", "A `join` whose answer was lost takes one seat, not two.", "Coming back"),
    "P5": Requirement("player", "It resumes its seat with the newest token it got.", "Coming back"),
    "P6": Requirement(
        "player", "A message without an answer is sent again with its old `id`.", "Ids and answers"
    ),
    "P7": Requirement("player", "After `taken_over` it does not come back by itself.", "Coming back"),
    "P8": Requirement("player", "If `from` is not the `seq` it has, it reconnects and resumes.", "Views"),
    "P9": Requirement(
        "player",
        "It misses no two clocks in a row: its seat never goes to autopilot while it is connected.",
        "Clocks",
    ),
    "P10": Requirement(
        "player", "Skipped views are no fault: if `from` fits, it stays on its connection.", "Views"
    ),
    "P11": Requirement(
        "player", "A refusal is an answer: a refused `id` is not sent again.", "Ids and answers"
    ),
    "P12": Requirement(
        "player",
        "A `hello` or `join` refused with `retry` is sent again after a pause, `join` with a new `id`.",
        "Refusals",
    ),
    "P13": Requirement(
        "player", "A token that was refused with `bad_token` is not sent again.", "Coming back"
    ),
    "P14": Requirement("player", "After `left` (`kicked`) it does not come back to that room.", "left"),
    "P15": Requirement("player", "Each `ready` commits to a new nonce.", "The deal: commit, then reveal"),
    "P16": Requirement("player", "After a rematch it plays the next game too.", "Rooms and seats"),
    "P17": Requirement(
        "player",
        "If the address in `home` does not answer, it resumes at the first address with its token and plays on.",
        "If the node of your room is dead",
    ),
    "R1": Requirement("racer", "A race's own move carries the nonce of that race.", "Races"),
    "R2": Requirement("racer", "It makes no false start.", "Races"),
    "R3": Requirement("racer", "A move that is `pending` is not sent again before its answer.", "pending"),
    "R4": Requirement("racer", "`react_us` is not longer than the time since the trigger was sent.", "Races"),
    "F1": Requirement("full", "It speaks both encodings.", "Frames and encodings"),
    "F2": Requirement(
        "full", "A chat refused with `muted` is not repeated within a second, and the game goes on.", "chat"
    ),
}

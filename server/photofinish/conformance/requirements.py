"""What is asked of a client, each with its number. `protocol/conformance/README.md` has the same table."""

from typing import Final, Literal, NamedTuple, TypeAlias

Level: TypeAlias = Literal["watcher", "player", "racer"]
LEVELS: Final[tuple[Level, ...]] = ("watcher", "player", "racer")


class Requirement(NamedTuple):
    level: Level
    text: str
    clause: str
    """The section of `protocol/README.md` that says so."""


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
        "watcher", "After a cut the client comes back, and at most five times in a second.", "Coming back"
    ),
    "C6": Requirement("watcher", "A watcher says `watch` again on the new connection.", "Coming back"),
    "C7": Requirement("watcher", "After `bye` it comes back no sooner than `retry_after_ms` says.", "bye"),
    "P1": Requirement(
        "player", "It plays the game to its end.", "Offers: how to play a game you do not know"
    ),
    "P2": Requirement(
        "player",
        "It sends no message that can never be right (`bad_message`, `bad_move`, `stale_id` …).",
        "Refusals",
    ),
    "P3": Requirement(
        "player", "A nonce that it has committed to is revealed.", "The deal: commit, then reveal"
    ),
    "P4": Requirement("player", "A `join` whose answer was lost takes one seat, not two.", "Coming back"),
    "P5": Requirement(
        "player", "It takes up its seat again with the newest token it was told.", "Coming back"
    ),
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
    "R1": Requirement("racer", "A race's own move carries the nonce of that race.", "Races"),
    "R2": Requirement("racer", "It makes no false start.", "Races"),
}

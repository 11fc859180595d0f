"""Whether what passed over the line keeps the requirements. Pure: each check returns what is wrong, or nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from photofinish.conformance.line import Frame, Message
from photofinish.conformance.troubles import RETRY_AFTER_MS
from photofinish_protocol.codec import CODECS, Malformed, Unfit
from photofinish_protocol.version import JSON

HOPELESS: Final = {
    "bad_message", "unknown_type", "no_hello", "second_hello", "bad_version", "bad_name", "bad_token",
    "stale_id", "bad_move", "wrong_reveal", "not_host", "in_a_room",
}  # fmt: skip
"""Reasons that a client which follows the page is never given."""
A_SECOND: Final = 1.0
MOST: Final = 5
"""Connections in a second: more of them are a loop without a pause."""
QUIET: Final = 3.0


@dataclass
class Seen:
    """All that is known of one situation when it is over."""

    frames: Sequence[Frame]
    opened: Sequence[float]
    closed: Sequence[float]
    is_over: bool = False
    """The game came to its end, and the client was shown it."""
    withheld: bool = False
    seats: Sequence[str] = ()
    """The names in the room's seats when the game began."""
    autopilot: bool = False
    exit_code: int | None = None
    more: dict[str, float] = field(default_factory=dict)

    def of(self, side: str, socket: int | None = None) -> list[Message]:
        return [it.message for it in self.frames if it.side == side and socket in {None, it.socket}]


class Verdict(NamedTuple):
    """`what` came, if it is wrong. `is_seen` False: the situation gave no occasion to look."""

    what: str = ""
    is_seen: bool = True


def hello_first(seen: Seen) -> Verdict:
    for socket in range(len(seen.opened)):
        sent = seen.of("client", socket)
        if sent and sent[0].get("t") != "hello":
            return Verdict(f"connection {socket} began with `{sent[0].get('t')}`")
    return Verdict(is_seen=bool(seen.of("client"))) if seen.of("client") else Verdict("nothing was sent")


def fits_schema(seen: Seen) -> Verdict:
    for message in seen.of("client"):
        try:
            CODECS[JSON].ask(msgspec.json.encode(message).decode())
        except (Malformed, Unfit) as fault:
            return Verdict(f"{msgspec.json.encode(message).decode()[:200]}: {fault}")
    return Verdict()


def ids_count_up(seen: Seen) -> Verdict:
    sent: dict[int, Message] = {}
    highest = -1
    for message in (it for it in seen.of("client") if it.get("t") != "hello"):
        ask = message.get("id")
        if not isinstance(ask, int):
            return Verdict(f"a `{message.get('t')}` without an id")
        if ask <= highest and sent.get(ask) != message:
            return Verdict(f"id {ask} after {highest}, for another message")
        highest = max(highest, ask)
        sent[ask] = message
    return Verdict()


def comes_back(seen: Seen) -> Verdict:
    if len(seen.opened) < 2:
        return Verdict("it did not connect again after the cut")
    for first, last in zip(seen.opened, seen.opened[MOST:], strict=False):
        if last - first < A_SECOND:
            return Verdict(f"{MOST + 1} connections within {last - first:.2f} s")
    return Verdict()


def watches_again(seen: Seen) -> Verdict:
    last = len(seen.opened) - 1
    said = [it.get("t") for it in seen.of("client", last)]
    return Verdict() if said[:1] == ["hello"] and "watch" in said else Verdict(f"it said {said[:4]}")


def waits_as_told(seen: Seen) -> Verdict:
    bye = next((it.at for it in seen.frames if it.message.get("t") == "bye"), None)
    later = [it for it in seen.opened if bye is not None and it > bye]
    if bye is None or not later:
        return Verdict("it did not come back after `bye`")
    waited = later[0] - bye
    return (
        Verdict()
        if waited >= RETRY_AFTER_MS / 1000
        else Verdict(f"it came back after {waited * 1000:.0f} ms")
    )


def plays_to_the_end(seen: Seen) -> Verdict:
    if not seen.is_over:
        refused = [it["reason"] for it in seen.of("server") if it.get("t") == "refused"]
        return Verdict(f"the game did not end for it ({len(seen.frames)} frames, refused {refused[-3:]})")
    return Verdict()


def nothing_hopeless(seen: Seen) -> Verdict:
    for message in seen.of("server"):
        if message.get("t") == "refused" and message.get("reason") in HOPELESS:
            return Verdict(f"refused with `{message['reason']}`: {message.get('text')}")
    return Verdict()


def reveals(seen: Seen) -> Verdict:
    if not any(it.get("t") == "ready" and it.get("commit") for it in seen.of("client")):
        return Verdict(is_seen=False)
    return Verdict("its nonce was not revealed in time") if seen.withheld else Verdict()


def takes_one_seat(seen: Seen) -> Verdict:
    taken = [it for it in seen.seats[1:] if it]
    return Verdict() if len(taken) == 1 else Verdict(f"{len(taken)} seats were taken: {', '.join(taken)}")


def resumes_with_the_newest_token(seen: Seen) -> Verdict:
    told: list[str] = []
    came_back = False
    for frame in seen.frames:
        got = frame.message.get("resumed") or frame.message.get("got") or {}
        if frame.side == "server" and got.get("token"):
            told.append(got["token"])
        elif frame.side == "client" and frame.message.get("t") == "hello" and told:
            came_back = True
            if frame.message.get("token") != told[-1]:
                return Verdict("its `hello` did not carry the newest token")
    return Verdict() if came_back else Verdict("it did not come back to its seat")


def asks_again(seen: Seen) -> Verdict:
    answered = {it["id"] for it in seen.of("server", 0) if it.get("t") in {"ack", "refused", "welcome"}}
    open_ = [it for it in seen.of("client", 0) if it.get("id") not in answered and it.get("t") != "hello"]
    if not open_:
        return Verdict(is_seen=False)
    later = [it.message for it in seen.frames if it.side == "client" and it.socket > 0]
    lost = [it for it in open_ if it not in later]
    return Verdict(f"`{lost[0]['t']}` with id {lost[0]['id']} was not sent again") if lost else Verdict()


def stays_away(seen: Seen) -> Verdict:
    at = seen.more.get("taken_over")
    if at is None:
        return Verdict(is_seen=False)
    back = [it for it in seen.opened if it > at]
    return Verdict(f"it connected again {back[0] - at:.1f} s after `taken_over`") if back else Verdict()


def never_on_autopilot(seen: Seen) -> Verdict:
    return Verdict("its seat went to autopilot") if seen.autopilot else Verdict()


def races_with_the_nonce(seen: Seen) -> Verdict:
    race: Message = {}
    is_seen = False
    nonces: set[str] = set()
    for frame in seen.frames:
        message = frame.message
        if frame.side == "server" and message.get("t") == "view":
            race = message.get("race") or {}
            nonces |= {race["nonce"]} if race else set()
        elif race and message.get("t") == "play" and message.get("move", {}).get("t") in race["moves"]:
            is_seen = True
            if message.get("race") not in nonces:
                return Verdict(f"`{message['move']['t']}` carried the nonce {message.get('race')!r}")
    return Verdict(is_seen=is_seen)


def no_false_start(seen: Seen) -> Verdict:
    if not races_with_the_nonce(seen).is_seen:
        return Verdict(is_seen=False)
    starts = [it for it in seen.of("server") if it.get("reason") == "false_start"]
    return Verdict(f"{len(starts)} false starts") if starts else Verdict()


CHECKS: Final[dict[str, Callable[[Seen], Verdict]]] = {
    "C1": hello_first, "C2": fits_schema, "C3": ids_count_up, "C4": plays_to_the_end, "C5": comes_back,
    "C6": watches_again, "C7": waits_as_told, "P1": plays_to_the_end, "P2": nothing_hopeless, "P3": reveals,
    "P4": takes_one_seat, "P5": resumes_with_the_newest_token, "P6": asks_again, "P7": stays_away, "P8": comes_back,
    "P9": never_on_autopilot, "R1": races_with_the_nonce, "R2": no_false_start,
}  # fmt: skip

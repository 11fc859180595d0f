"""Checks of every client: frames, ids, defaults, coming back."""

from statistics import median
from typing import Final

import msgspec

from photofinish.conformance.line import PING_EVERY, Message
from photofinish.conformance.seen import UNSEEN, Seen, Verdict
from photofinish.conformance.troubles import RETRY_AFTER_MS
from photofinish_protocol.codec import CODECS, Malformed, Unfit
from photofinish_protocol.version import JSON

A_SECOND: Final = 1.0
MOST: Final = 30
"""Connections in a second: more of them are a loop without a pause."""
SLOWEST_PONG: Final = 1.0
A_WHILE: Final = 4.0
"""Seconds of pings that are needed for a verdict: a client may be slow while it starts."""


def hello_first(seen: Seen) -> Verdict:
    for socket in range(len(seen.opened)):
        sent = seen.of("client", socket)
        if sent and sent[0].get("t") != "hello":
            return Verdict(f"connection {socket} began with `{sent[0].get('t')}`")
    return Verdict() if seen.of("client") else Verdict("nothing was sent")


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


def is_not_confused(seen: Seen) -> Verdict:
    """What is new, and what is said though it need not be, changes nothing: the client gets to the end as ever."""
    if not seen.is_over:
        refused = [it["reason"] for it in seen.of("server") if it.get("t") == "refused"]
        return Verdict(f"the game did not end for it ({len(seen.frames)} frames, refused {refused[-3:]})")
    return Verdict()


def comes_back(seen: Seen) -> Verdict:
    if len(seen.opened) < 2:
        return Verdict("it did not connect again after the cut")
    for first, last in zip(seen.opened, seen.opened[MOST:], strict=False):
        if last - first < A_SECOND:
            return Verdict(f"{MOST + 1} connections within {last - first:.2f} s")
    return Verdict()


def comes_back_for_a_lost_view(seen: Seen) -> Verdict:
    if len(seen.opened) > 1:
        return comes_back(seen)
    had = 0
    for view in (it for it in seen.of("server") if it.get("t") == "view"):
        if view["from"] != had:
            return Verdict(
                f"a view came with `from` {view['from']} when it had {had}, and it did not reconnect"
            )
        had = view["seq"]
    return UNSEEN


def watches_again(seen: Seen) -> Verdict:
    last = len(seen.opened) - 1
    said = [it.get("t") for it in seen.of("client", last)]
    return Verdict() if said[:1] == ["hello"] and "watch" in said else Verdict(f"it said {said[:4]}")


def waits_as_told(seen: Seen) -> Verdict:
    bye = seen.first("server", "bye")
    later = [it for it in seen.opened if bye is not None and it > bye.at]
    if bye is None or not later:
        return Verdict("it did not come back after `bye`")
    waited, told = later[0] - bye.at, bye.message.get("retry_after_ms", RETRY_AFTER_MS) / 1000
    return Verdict() if waited >= told else Verdict(f"it came back after {waited * 1000:.0f} ms")


def right_frames(seen: Seen) -> Verdict:
    wrong = [it for it in seen.frames if it.side == "client" and not it.is_fit]
    if wrong:
        return Verdict(
            f"a frame on connection {wrong[0].socket} is not of {seen.line.spoken[wrong[0].socket]}"
        )
    return Verdict() if seen.of("client") else Verdict("nothing was sent")


def answers_pings(seen: Seen) -> Verdict:
    """The median of several: a busy machine delays a few pings of any client, most of all at its start."""
    if sum(it + PING_EVERY for it in seen.line.pongs) < A_WHILE:
        return UNSEEN
    usual = median(seen.line.pongs)
    return Verdict(f"half of its pings took more than {usual:.1f} s") if usual > SLOWEST_PONG else Verdict()


def stays_away_when_told(seen: Seen) -> Verdict:
    bye = seen.first("server", "bye")
    if bye is None:
        return UNSEEN
    back = [it for it in seen.opened if it > bye.at]
    code = bye.message["code"]
    return Verdict(f"it connected again {back[0] - bye.at:.1f} s after {code}") if back else Verdict()


def speaks_as_asked(seen: Seen) -> Verdict:
    other = [it for it in seen.line.spoken if it != seen.wanted]
    return Verdict(f"asked for {seen.wanted}, it spoke {other[0]}") if other else is_not_confused(seen)

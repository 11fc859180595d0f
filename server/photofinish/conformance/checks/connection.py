"""Checks of every client: frames, ids, defaults, reconnecting."""

from statistics import median
from typing import Final

import msgspec

from photofinish.conformance.line import PING_EVERY, Message
from photofinish.conformance.seen import UNSEEN, CheckVerdict, Seen
from photofinish.conformance.troubles import RETRY_AFTER_MS
from photofinish_protocol.codec import CODECS, BadRequest, Malformed
from photofinish_protocol.version import JSON

A_SECOND: Final = 1.0
MOST: Final = 30
"""Connections per second. More mean that the client reconnects without a pause."""
SLOWEST_PONG: Final = 1.0
A_WHILE: Final = 4.0
"""Seconds of pings that are needed for a verdict: a client may be slow while it starts."""


def hello_first(seen: Seen) -> CheckVerdict:
    for socket in range(len(seen.opened)):
        sent = seen.of("client", socket)
        if sent and sent[0].get("t") != "hello":
            return CheckVerdict(f"connection {socket} began with `{sent[0].get('t')}`")
    return CheckVerdict() if seen.of("client") else CheckVerdict("nothing was sent")


def fits_schema(seen: Seen) -> CheckVerdict:
    for message in seen.of("client"):
        try:
            CODECS[JSON].decode_request(msgspec.json.encode(message).decode())
        except (Malformed, BadRequest) as fault:
            return CheckVerdict(f"{msgspec.json.encode(message).decode()[:200]}: {fault}")
    return CheckVerdict()


def ids_count_up(seen: Seen) -> CheckVerdict:
    sent: dict[int, Message] = {}
    highest = -1
    for message in (it for it in seen.of("client") if it.get("t") != "hello"):
        request_id = message.get("id")
        if not isinstance(request_id, int):
            return CheckVerdict(f"a `{message.get('t')}` without an id")
        if request_id <= highest and sent.get(request_id) != message:
            return CheckVerdict(f"id {request_id} after {highest}, for another message")
        highest = max(highest, request_id)
        sent[request_id] = message
    return CheckVerdict()


def is_not_confused(seen: Seen) -> CheckVerdict:
    """Unknown fields and messages, and fields with their default, change nothing: the client plays to the end."""
    if not seen.is_over:
        refused = [it["reason"] for it in seen.of("server") if it.get("t") == "refused"]
        return CheckVerdict(
            f"the game did not end for it ({len(seen.frames)} frames, refused {refused[-3:]})"
        )
    return CheckVerdict()


def comes_back(seen: Seen) -> CheckVerdict:
    if len(seen.opened) < 2:
        return CheckVerdict("it did not connect again after the cut")
    for first, last in zip(seen.opened, seen.opened[MOST:], strict=False):
        if last - first < A_SECOND:
            return CheckVerdict(f"{MOST + 1} connections within {last - first:.2f} s")
    return CheckVerdict()


def comes_back_for_a_lost_view(seen: Seen) -> CheckVerdict:
    if len(seen.opened) > 1:
        return comes_back(seen)
    had = 0
    for view in (it for it in seen.of("server") if it.get("t") == "view"):
        if view["from"] != had:
            return CheckVerdict(
                f"a view came with `from` {view['from']} when it had {had}, and it did not reconnect"
            )
        had = view["seq"]
    return UNSEEN


def watches_again(seen: Seen) -> CheckVerdict:
    last = len(seen.opened) - 1
    said = [it.get("t") for it in seen.of("client", last)]
    return (
        CheckVerdict() if said[:1] == ["hello"] and "watch" in said else CheckVerdict(f"it said {said[:4]}")
    )


def waits_as_long_as_required(seen: Seen) -> CheckVerdict:
    bye = seen.first("server", "bye")
    later = [it for it in seen.opened if bye is not None and it > bye.at]
    if bye is None or not later:
        return CheckVerdict("it did not come back after `bye`")
    waited, required = later[0] - bye.at, bye.message.get("retry_after_ms", RETRY_AFTER_MS) / 1000
    return (
        CheckVerdict() if waited >= required else CheckVerdict(f"it came back after {waited * 1000:.0f} ms")
    )


def right_frames(seen: Seen) -> CheckVerdict:
    wrong = [it for it in seen.frames if it.side == "client" and not it.is_fit]
    if wrong:
        return CheckVerdict(
            f"a frame on connection {wrong[0].socket} is not of {seen.line.spoken[wrong[0].socket]}"
        )
    return CheckVerdict() if seen.of("client") else CheckVerdict("nothing was sent")


def answers_pings(seen: Seen) -> CheckVerdict:
    """The median of several: a busy machine delays a few pings of any client, most of all at its start."""
    if sum(it + PING_EVERY for it in seen.line.pongs) < A_WHILE:
        return UNSEEN
    usual = median(seen.line.pongs)
    return (
        CheckVerdict(f"half of its pings took more than {usual:.1f} s")
        if usual > SLOWEST_PONG
        else CheckVerdict()
    )


def stays_away_after_a_final_close(seen: Seen) -> CheckVerdict:
    bye = seen.first("server", "bye")
    if bye is None:
        return UNSEEN
    back = [it for it in seen.opened if it > bye.at]
    code = bye.message["code"]
    return (
        CheckVerdict(f"it connected again {back[0] - bye.at:.1f} s after {code}") if back else CheckVerdict()
    )


def speaks_as_asked(seen: Seen) -> CheckVerdict:
    other = [it for it in seen.line.spoken if it != seen.wanted]
    return CheckVerdict(f"asked for {seen.wanted}, it spoke {other[0]}") if other else is_not_confused(seen)

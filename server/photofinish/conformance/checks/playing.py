"""Checks of a player: moves, refusals, the seat across cuts, the deal."""

import itertools
from typing import Final

from photofinish.conformance.checks.connection import is_not_confused
from photofinish.conformance.line import Frame
from photofinish.conformance.seen import UNSEEN, CheckVerdict, Seen

HOPELESS: Final = {
    "bad_message", "unknown_type", "no_hello", "second_hello", "bad_version", "bad_name", "bad_token",
    "stale_id", "bad_move", "wrong_reveal", "not_host", "in_a_room",
}  # fmt: skip
"""Reasons with which a correct client is never refused."""
A_PAUSE: Final = 0.02
"""Seconds: a repetition that comes sooner was sent without waiting."""
A_SECOND: Final = 1.0


def plays_to_the_end(seen: Seen) -> CheckVerdict:
    return is_not_confused(seen)


def nothing_hopeless(seen: Seen) -> CheckVerdict:
    for message in seen.of("server"):
        if message.get("t") == "refused" and message.get("reason") in HOPELESS:
            return CheckVerdict(f"refused with `{message['reason']}`: {message.get('text')}")
    return CheckVerdict()


def reveals(seen: Seen) -> CheckVerdict:
    if not any(it.get("t") == "ready" and it.get("commit") for it in seen.of("client")):
        return UNSEEN
    return CheckVerdict("its nonce was not revealed in time") if seen.withheld else CheckVerdict()


def takes_one_seat(seen: Seen) -> CheckVerdict:
    taken = [it for it in seen.seats if it]
    return (
        CheckVerdict()
        if len(taken) == 1
        else CheckVerdict(f"{len(taken)} seats were taken: {', '.join(taken)}")
    )


def resumes_with_the_newest_token(seen: Seen) -> CheckVerdict:
    tokens: list[str] = []
    came_back = False
    for frame in seen.frames:
        got = frame.message.get("resumed") or frame.message.get("got") or {}
        if frame.side == "server" and got.get("token"):
            tokens.append(got["token"])
        elif frame.side == "client" and frame.message.get("t") == "hello" and tokens:
            came_back = True
            if frame.message.get("token") != tokens[-1]:
                return CheckVerdict("its `hello` did not carry the newest token")
    if "owner_died" in seen.at and seen.is_over and len(seen.opened) == 1:
        return UNSEEN  # its connection was not cut, because it was not connected to the owner
    return CheckVerdict() if came_back else CheckVerdict("it did not come back to its seat")


def asks_again(seen: Seen) -> CheckVerdict:
    answered = {it["id"] for it in seen.of("server", 0) if it.get("t") in {"ack", "refused", "welcome"}}
    open_ = [it for it in seen.of("client", 0) if it.get("id") not in answered and it.get("t") != "hello"]
    if not open_:
        return UNSEEN
    later = [it.message for it in seen.frames if it.side == "client" and it.socket > 0]
    lost = [it for it in open_ if it not in later]
    return (
        CheckVerdict(f"`{lost[0]['t']}` with id {lost[0]['id']} was not sent again")
        if lost
        else CheckVerdict()
    )


def stays_away(seen: Seen) -> CheckVerdict:
    at = seen.at.get("taken_over")
    if at is None:
        return UNSEEN
    back = [it for it in seen.opened if it > at]
    return (
        CheckVerdict(f"it connected again {back[0] - at:.1f} s after `taken_over`")
        if back
        else CheckVerdict()
    )


def never_on_autopilot(seen: Seen) -> CheckVerdict:
    return CheckVerdict("its seat went to autopilot") if seen.autopilot else CheckVerdict()


def accepts_skipped_views(seen: Seen) -> CheckVerdict:
    views = [it for it in seen.of("server", 0) if it.get("t") == "view"]
    skipped = [it for it, next_ in itertools.pairwise(views) if next_["seq"] > it["seq"] + 1]
    if not skipped:
        return UNSEEN
    return CheckVerdict("it reconnected though `from` fitted") if len(seen.opened) > 1 else CheckVerdict()


def lets_refused_ids_go(seen: Seen) -> CheckVerdict:
    refused: set[tuple[int, int]] = set()
    for frame in seen.frames:
        message = frame.message
        # Only within one connection: on a new connection the client may not have received the refusal.
        place = (frame.socket, message.get("id", -1))
        if frame.side == "client" and message.get("t") != "hello" and place in refused:
            return CheckVerdict(f"id {message['id']} was refused, and sent again")
        if frame.side == "server" and message.get("t") == "refused" and asked_for(seen, frame) != "hello":
            refused.add(place)
    return CheckVerdict(is_seen=bool(refused))


def tries_again(seen: Seen) -> CheckVerdict:
    refused = [it for it in seen.frames if it.side == "server" and it.message.get("t") == "refused"]
    for no in (it for it in refused if it.message.get("retry")):
        kind = asked_for(seen, no)
        if kind not in {"hello", "join"}:
            continue
        again = [
            it for it in seen.frames if it.side == "client" and it.at > no.at and it.message.get("t") == kind
        ]
        if not again:
            return CheckVerdict(f"`{kind}` was not sent again after `{no.message['reason']}`")
        if kind == "join" and again[0].message["id"] == no.message["id"]:
            return CheckVerdict("`join` was sent again with its old id")
        if again[0].at - no.at < A_PAUSE:
            return CheckVerdict(f"`{kind}` was sent again without a pause")
    return CheckVerdict(is_seen=bool(refused))


def asked_for(seen: Seen, answer: Frame) -> str:
    """The kind of the message that this answers."""
    asked = [
        it.message
        for it in seen.frames
        if it.side == "client" and it.socket == answer.socket and it.at <= answer.at
    ]
    return next((str(it.get("t")) for it in reversed(asked) if it.get("id") == answer.message["id"]), "")


def drops_a_dead_token(seen: Seen) -> CheckVerdict:
    no = seen.first("server", "refused", reason="bad_token")
    if no is None:
        return UNSEEN
    dead = next(
        it.message["token"]
        for it in seen.frames
        if it.side == "client" and it.message.get("token") and it.at < no.at
    )
    again = [it for it in seen.frames if it.at > no.at and it.side == "client" and it.message.get("token")]
    again = [it for it in again if it.message["token"] == dead or it.message["t"] == "hello"]
    return (
        CheckVerdict(f"it showed the token again {again[0].at - no.at:.1f} s later")
        if again
        else CheckVerdict()
    )


def stays_out(seen: Seen) -> CheckVerdict:
    left = seen.first("server", "left", reason="kicked")
    if left is None:
        return UNSEEN
    room = left.message["room"]
    for it in seen.frames:
        if it.side == "client" and it.at > left.at:
            is_back = it.message.get("token") or it.message.get("room") == room
            if is_back:
                return CheckVerdict(
                    f"it sent `{it.message['t']}` for that room {it.at - left.at:.1f} s later"
                )
    return CheckVerdict()


def draws_a_new_nonce(seen: Seen) -> CheckVerdict:
    # The same message twice is one message that was sent again after a cut.
    sent = {it["id"]: it["commit"] for it in seen.of("client") if it.get("t") == "ready" and it.get("commit")}
    if len(sent) < 2:
        return UNSEEN
    return (
        CheckVerdict() if len(set(sent.values())) == len(sent) else CheckVerdict("a `commit` was used twice")
    )


def plays_the_next_game(seen: Seen) -> CheckVerdict:
    over = [it for it in seen.of("server") if it.get("t") == "view" and it.get("over")]
    played = {it["number"] for it in over}
    if len(played) < seen.games:
        return CheckVerdict(f"it got to the end of {len(played)} of {seen.games} games")
    return CheckVerdict()


def finds_another_way(seen: Seen) -> CheckVerdict:
    died = seen.at.get("owner_died")
    if died is None:
        return UNSEEN
    if seen.is_over and set(seen.line.urls) == {seen.url}:
        # The client never connected to the owner, and its own node may find the new owner without a cut.
        return CheckVerdict()
    for socket, at in enumerate(seen.opened):
        hello = seen.of("client", socket)[:1]
        if at > died and seen.line.urls[socket] == seen.url and hello and hello[0].get("token"):
            return (
                CheckVerdict()
                if seen.is_over
                else CheckVerdict("it came back, but the game did not end for it")
            )
    return CheckVerdict("it did not come to the first address with its token")


def is_silent_when_muted(seen: Seen) -> CheckVerdict:
    no = seen.first("server", "refused", reason="muted")
    if no is None:
        return UNSEEN
    times = [it.at for it in seen.frames if it.side == "client" and it.message.get("t") == "chat"]
    for one, two in itertools.pairwise(times):
        if two - one < A_SECOND:
            return CheckVerdict(f"it chatted again after {two - one:.2f} s")
    plays = [
        it for it in seen.frames if it.side == "client" and it.message.get("t") == "play" and it.at > no.at
    ]
    return CheckVerdict() if plays else CheckVerdict("it made no move after the refusal")

"""Checks of a client that plays races: nonces, reaction times, held moves."""

from typing import Final

from photofinish.conformance.line import Message
from photofinish.conformance.seen import UNSEEN, CheckVerdict, Seen

TOLERANCE_US: Final = 5_000
"""How much two clocks may differ over one reaction."""


def races_with_the_nonce(seen: Seen) -> CheckVerdict:
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
                return CheckVerdict(f"`{message['move']['t']}` carried the nonce {message.get('race')!r}")
    return CheckVerdict(is_seen=is_seen)


def no_false_start(seen: Seen) -> CheckVerdict:
    if not races_with_the_nonce(seen).is_seen:
        return UNSEEN
    starts = [it for it in seen.of("server") if it.get("reason") == "false_start"]
    return CheckVerdict(f"refused with `false_start` {len(starts)} times") if starts else CheckVerdict()


def waits_for_a_held_move(seen: Seen) -> CheckVerdict:
    moves: dict[int, Message] = {}
    held: dict[int, Message] = {}
    is_seen = False
    for frame in seen.frames:
        message, number = frame.message, frame.message.get("id", -1)
        if frame.side == "client" and message.get("t") == "play":
            twin = next((it for it, move in held.items() if move == message["move"] and it != number), None)
            if twin is not None:
                return CheckVerdict(f"`{message['move']['t']}` was sent again while id {twin} was pending")
            moves[number] = message["move"]
        elif message.get("t") == "pending" and number in moves:
            held[number], is_seen = moves[number], True
        elif frame.side == "server" and message.get("t") in {"ack", "refused"}:
            held.pop(number, None)
    return CheckVerdict(is_seen=is_seen)


def reacts_after_the_trigger(seen: Seen) -> CheckVerdict:
    shown: dict[str, float] = {}
    is_seen = False
    for frame in seen.frames:
        message = frame.message
        if frame.side == "server" and message.get("t") == "view" and message.get("race"):
            shown.setdefault(message["race"]["nonce"], frame.at)
        elif (
            message.get("t") == "play"
            and message.get("react_us") is not None
            and message.get("race") in shown
        ):
            is_seen = True
            most = (frame.at - shown[message["race"]]) * 1e6 + TOLERANCE_US
            if message["react_us"] > most:
                return CheckVerdict(
                    f"`react_us` is {message['react_us']}; the trigger was out for {most:.0f} µs"
                )
    return CheckVerdict(is_seen=is_seen)

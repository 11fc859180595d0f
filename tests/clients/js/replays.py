"""Replays of whole games of every kind, honest and forged, to compare the two verifiers on."""

import json
import random
from collections.abc import Callable
from typing import Any

import msgspec

from photofinish.engine import Micros, Seat
from photofinish.games import all_games
from photofinish.race import Arbiter, Claim, Params, Path, RaceRecord
from photofinish.race.evidence import sealed
from photofinish.replay import log
from photofinish.replay.replay import as_replay
from photofinish.room.facts import Measured, SessionId
from photofinish_client.offers import sample
from photofinish_protocol import messages
from photofinish_protocol.fairness import nonce_commit
from photofinish_protocol.offers import Offer
from tests.room.bench import SECOND, Bench

Plain = dict[str, Any]
MOVES = 120
"""Random moves per game; then its clocks end it."""


def replay_of(key: str, chance: random.Random) -> bytes:
    """A whole game of random moves by players with short and long round trips, ended by its clocks if necessary."""
    game = all_games()[key]
    seats = chance.choice([it for it in game.seats if it <= 4])
    bench = Bench(game, seats)
    bench.room.record.seed = chance.randbytes(32)
    sessions = start(bench, seats, chance)
    for session in sessions:
        trip = chance.randrange(1_000, 200_000)
        bench.tell(Measured(session, Path(Micros(trip), Micros(trip + 500), Micros(trip + 9_000))))
    for _ in range(MOVES):
        session = chance.choice(sessions)
        view = bench.view(session)
        if view.over is not None:
            break
        offers = msgspec.convert(msgspec.to_builtins(view.offers), tuple[Offer, ...])
        if (move := sample(offers, chance)) is not None:
            claimed = view.race is not None and chance.random() < 0.8
            bench.play(session, move, **({"react_us": chance.randrange(500_000)} if claimed else {}))
        bench.wait(chance.choice([2_000, 50_000, 120_000, SECOND // 2]))
    for _ in range(500):
        if bench.view(sessions[0]).over is not None:
            return as_replay(bench.room.record.seed, bench.entries)
        bench.wait(600 * SECOND)
    raise AssertionError(f"{key} does not end")


def start(bench: Bench, seats: int, chance: random.Random) -> list[SessionId]:
    """Everybody sits and is ready: without a nonce, with a clear one, or with a hash that is revealed or withheld."""
    sessions = [bench.sit(seat) for seat in range(seats)]
    revealed: dict[SessionId, str] = {}
    for session in sessions:
        nonce = chance.randbytes(32)
        how = chance.choice(["none", "clear", "revealed", "revealed", "withheld"])
        ready: Plain = {"clear": {"nonce": nonce.hex()}, "none": {}}.get(how, {"commit": nonce_commit(nonce)})
        assert isinstance(bench.request(session, messages.Ready, **ready), messages.Ack)
        if how == "revealed":
            revealed[session] = nonce.hex()
    assert isinstance(bench.request(sessions[0], messages.Start), messages.Ack)
    for session, shown in revealed.items():
        assert isinstance(bench.request(session, messages.Reveal, nonce=shown), messages.Ack)
    bench.wait(6 * SECOND)
    return sessions


def rechained(plain: Plain) -> Plain:
    """Compute the whole chain again, as anybody who knows the seed can."""
    key, head = log.chain_key(bytes.fromhex(plain["seed"])), bytes(log.HASH)
    for line in plain["entries"]:
        head = log.link(key, head, line["body"].encode())
        line["hash"] = head.hex()
    plain["head"] = head.hex()
    return plain


def one_character(plain: Plain, chance: random.Random) -> None:
    line, field = chance.choice(plain["entries"]), chance.choice(["body", "hash"])
    place = chance.randrange(len(line[field]))
    line[field] = line[field][:place] + chance.choice("0123456789abcdef") + line[field][place + 1 :]


def another_seed(plain: Plain, chance: random.Random) -> None:
    plain["seed"] = chance.randbytes(32).hex()
    if chance.random() < 0.5:
        rechained(plain)


def another_head(plain: Plain, chance: random.Random) -> None:
    plain["head"] = chance.choice(plain["entries"])["hash"]


def an_entry_less(plain: Plain, chance: random.Random) -> None:
    del plain["entries"][chance.randrange(len(plain["entries"]))]


def no_end(plain: Plain, chance: random.Random) -> None:
    del plain["entries"][-chance.randrange(1, len(plain["entries"])) :]
    rechained(plain)


def rewrite(plain: Plain, chance: random.Random, word: str, change: Callable[[Plain], None]) -> None:
    """Change one entry that contains this word and compute the chain again. If none contains it, change any entry."""
    lines = [line for line in plain["entries"] if word in line["body"]]
    if not lines:
        one_character(plain, chance)
        return
    line = chance.choice(lines)
    body = json.loads(line["body"])
    change(body)
    line["body"] = json.dumps(body, separators=(",", ":"))
    rechained(plain)


def renumbered(plain: Plain, chance: random.Random) -> None:
    rewrite(plain, chance, '"e":"step"', lambda it: it.update(step=it["step"] + chance.choice([-1, 1, 7])))


def a_nonce(plain: Plain, chance: random.Random) -> None:
    """Change a nonce, its hash, or who withheld it."""

    def change(body: Plain) -> None:
        field = chance.choice(["nonces", "commits", "withheld"])
        seat = chance.randrange(body["seats"])
        if field == "withheld":
            body[field] = [it for it in range(body["seats"]) if (it in body[field]) != (it == seat)]
        else:
            body[field][seat] = chance.randbytes(32).hex()

    rewrite(plain, chance, '"e":"deal"', change)


def a_newer_log(plain: Plain, chance: random.Random) -> None:
    """A log that only a later release can read."""
    rewrite(plain, chance, '"e":"deal"', lambda it: it.update(v=it["v"] + 1))


def a_race(plain: Plain, chance: random.Random) -> None:
    """Change one number of one race and compute its seal again."""
    rewrite(plain, chance, '"e":"race"', lambda it: it.update(record=touched(it["record"], chance)))


def a_claim(plain: Plain, chance: random.Random) -> None:
    """Change the evidence of a step, but not that of its race."""
    rewrite(plain, chance, '"evidence"', lambda it: it["evidence"].update(score=it["evidence"]["score"] + 1))


def a_draw(plain: Plain, chance: random.Random) -> None:
    """Change the result or the range of one draw."""

    def change(body: Plain) -> None:
        draw = chance.choice(body["chance"])
        if "hand" in draw and chance.random() < 0.5:
            draw["hand"] += chance.choice([-1, 1, 5])
        elif "got" in draw:
            draw["got"] = (draw["got"] + 1) % max(2, draw["of"])
        elif chance.random() < 0.5:
            draw["of"] += 1
        else:
            draw["order"] = [*draw["order"][1:], *draw["order"][:1]]
            draw["order"] += [0] * (len(draw["order"]) < 2)

    rewrite(plain, chance, '"chance":[{', change)


FORGERIES: tuple[Callable[[Plain, random.Random], None], ...] = (
    one_character, another_seed, another_head, an_entry_less, no_end, renumbered, a_nonce, a_race, a_claim,
    a_draw, a_newer_log,
)  # fmt: skip


def touched(record: Plain, chance: random.Random) -> Plain:
    """Change one value of a record and compute its seal again."""
    leaves: list[tuple[Any, Any]] = []

    def walk(it: Any) -> None:
        for key, value in it.items() if isinstance(it, dict) else enumerate(it):
            if isinstance(value, dict | list):
                walk(value)
            elif isinstance(value, bool | int | str) and key != "seal":
                leaves.append((it, key))

    walk(record)
    where, key = chance.choice(leaves)
    old = where[key]
    if isinstance(old, bool):
        where[key] = not old
    elif isinstance(old, int):
        where[key] = old + chance.choice([-40_000, -1, 1, 40_000])
    elif key not in {"kind", "by"}:
        where[key] = old + "0"
    forged: Plain = msgspec.to_builtins(sealed(msgspec.convert(record, RaceRecord)))
    return forged


def race_of(chance: random.Random, coin: bytes) -> RaceRecord:
    """A race with every kind of event that a race can have, in random order, on one clock."""
    seats = tuple(Seat(n) for n in range(4))
    arbiter, now, tickets = Arbiter(Params(), coin), 0, 0
    for seat in seats:
        trip = chance.randrange(400_000)
        acked = None if chance.random() < 0.3 else Micros(trip + chance.randrange(200_000))
        path = Path(
            Micros(trip),
            Micros(trip + 500),
            Micros(trip + 9_000),
            usual=Micros(trip + 4_000),
            acked=acked,
            delayable=acked is not None and acked % 2 == 1,
        )
        arbiter.path(seat, path)
    arbiter.open("race:1", seats, now=Micros(0), not_before=Micros(400_000), present=seats, nonce="n")
    for seat in seats:
        arbiter.shown(seat, Micros(0))

    def release_all() -> None:
        while arbiter.next(Micros(now), dict.fromkeys(seats, Micros(now))):
            pass

    for _ in range(chance.randrange(14)):
        now += chance.randrange(chance.choice([3_000, 300_000]))
        seat, at = chance.choice(seats), Micros(now)
        match chance.choice(["move"] * 5 + ["clock", "lost", "back", "thrown", "release"]):
            case "move":
                kind = chance.choice(["contested"] * 3 + ["closer", "other", "anytime"])
                react = chance.choice([None, chance.randrange(-50_000, 1_500_000)])
                nonce = "x" if chance.random() < 0.1 else "n"
                arbiter.take(Claim(tickets, seat, kind, at, at, react, nonce))  # type: ignore[arg-type]
                tickets += 1
            case "clock":
                arbiter.take(Claim(tickets, None, "clock", at, at, due=at))
                tickets += 1
            case "lost":
                arbiter.lost(seat, at)
            case "back":
                arbiter.back(seat, at)
            case "thrown":
                arbiter.thrown(at)
            case "release":
                release_all()
    for _ in range(chance.choice([0, 200])):
        wakes = arbiter.wakes_at()
        if wakes is None:
            break
        now = max(now, wakes)
        release_all()
    return arbiter.close(Micros(now)).record

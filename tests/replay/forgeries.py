"""Forged logs with a new hash chain, which anybody who knows the seed can compute."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from photofinish.engine import Expired
from photofinish.engine.places import places
from photofinish.engine.rng import NotedRng, game_key
from photofinish.games import all_games
from photofinish.replay import log
from photofinish.replay.replay import input_of, table_of

Plain = dict[str, Any]
Forge = Callable[[list[Plain]], list[Plain]]

GOLDEN = Path(__file__).parents[2] / "protocol" / "transcripts" / "cambio-replay.json"


def bodies() -> list[Plain]:
    """The entries of the golden replay, as a log of version 3: in its races the rules refused nothing."""
    found = [json.loads(line["body"]) for line in json.loads(GOLDEN.read_bytes())["entries"]]
    found[0]["v"] = log.HAS_REFUSALS
    for it in found:
        if it["e"] == "race":
            it.setdefault("refused", [])
    return found


def written(entries: list[Plain]) -> bytes:
    """A replay file of these entries, with a right chain."""
    golden = json.loads(GOLDEN.read_bytes())
    key, head, lines = log.chain_key(bytes.fromhex(golden["seed"])), bytes(log.HASH), []
    for entry in entries:
        body = json.dumps(entry, separators=(",", ":"), ensure_ascii=False)
        head = log.link(key, head, body.encode())
        lines.append({"hash": head.hex(), "body": body})
    return json.dumps({**golden, "head": head.hex(), "entries": lines}).encode()


def forged(forge: Forge) -> bytes:
    return written(forge(copy.deepcopy(bodies())))


def no_races_at_all(entries: list[Plain]) -> list[Plain]:
    return no_evidence([it for it in entries if it["e"] != "race"])


def no_race_entries(entries: list[Plain]) -> list[Plain]:
    return [it for it in entries if it["e"] != "race"]


def no_evidence(entries: list[Plain]) -> list[Plain]:
    return [{k: v for k, v in it.items() if k != "evidence"} for it in entries]


def one_race_less(entries: list[Plain]) -> list[Plain]:
    entries.remove(next(it for it in entries if it["e"] == "race"))
    return entries


def one_race_twice(entries: list[Plain]) -> list[Plain]:
    at = next(n for n, it in enumerate(entries) if it["e"] == "race")
    return [*entries[: at + 1], *entries[at:]]


def a_race_later(entries: list[Plain]) -> list[Plain]:
    at = next(n for n, it in enumerate(entries) if it["e"] == "race" and entries[n + 1]["e"] == "step")
    race, step = entries[at : at + 2]
    return [*entries[:at], step, {**race, "at": step["at"]}, *entries[at + 2 :]]


def another_kind(entries: list[Plain]) -> list[Plain]:
    """A race of fewer seats than the rules open."""
    next(it for it in entries if it["e"] == "race")["record"]["seats"] = [0]
    return entries


def refusals_not_recorded(entries: list[Plain]) -> list[Plain]:
    return [{k: v for k, v in it.items() if k != "refused"} for it in entries]


def two_deals(entries: list[Plain]) -> list[Plain]:
    return [entries[0], *entries]


def a_deal_in_the_middle(entries: list[Plain]) -> list[Plain]:
    return [entries[0], entries[0], *entries[1:]]


def end_twice(entries: list[Plain]) -> list[Plain]:
    return [*entries, entries[-1]]


def a_step_after_the_end(entries: list[Plain]) -> list[Plain]:
    return [*entries, next(it for it in reversed(entries) if it["e"] == "step")]


def negative_times(entries: list[Plain]) -> list[Plain]:
    return [{**it, "at": -it["at"]} if "at" in it else it for it in entries]


def a_falling_time(entries: list[Plain]) -> list[Plain]:
    entries[-2]["at"] = 0
    return entries


def deal(**changed: Any) -> Forge:
    """Change values of the deal; None leaves the field out."""

    def forge(entries: list[Plain]) -> list[Plain]:
        first = {**entries[0], **changed}
        return [{k: v for k, v in first.items() if k not in changed or v is not None}, *entries[1:]]

    return forge


def first_step(**changed: Any) -> Forge:
    def forge(entries: list[Plain]) -> list[Plain]:
        entries[1].update(changed)
        return entries

    return forge


def winners_outside(entries: list[Plain]) -> list[Plain]:
    entries[-1]["winners"] = [99]
    return entries


def swallowed(entries: list[Plain], refused: str = "") -> list[Plain]:
    """Leave out the slap of the first race; the rest is legal. With a clause: as if the rules had refused it."""
    at = next(n for n, it in enumerate(entries) if it.get("move", {}).get("t") == "slap")
    slap = entries.pop(at)
    if refused:
        race = next(it for it in entries[at:] if it["e"] == "race")
        ticket = slap["evidence"]["ticket"]
        after = slap["step"] - 1
        race["refused"] = [{"ticket": ticket, "after": after, "move": slap["move"], "clause": refused}]
    return played_again(entries)


def recorded_as_refused(entries: list[Plain]) -> list[Plain]:
    return swallowed(entries, "C20")


def swallowed_in_an_older_log(entries: list[Plain]) -> list[Plain]:
    return deal(v=2)(refusals_not_recorded(swallowed(entries)))


def played_again(entries: list[Plain]) -> list[Plain]:
    """Play the same moves on another state, and compute numbers, marks, clocks, draws and the result again."""
    game, seed = all_games()["cambio"], bytes.fromhex(json.loads(GOLDEN.read_bytes())["seed"])
    dealt = log.parse(json.dumps(entries[0]))
    assert isinstance(dealt, log.Dealt)
    key = game_key(seed, [bytes.fromhex(it) for it in dealt.nonces])
    state = game.setup(table_of(game, dealt), NotedRng(key, 0))
    kept, number = entries[:1], 0
    for it in entries[1:-1]:
        if it["e"] == "step":
            number += 1
            it["step"] = number
            if it.get("move", {}).get("t") == "keep":
                it["move"]["mark"] = state.table[it["seat"]][it["move"]["slot"]].mark
            if "timer" in it:
                running = [timer.key for timer in game.timers(state) if timer.running]
                same = [key for key in running if key.split(":")[0] == it["timer"].split(":")[0]]
                if not same:
                    number -= 1
                    continue
                it["timer"] = same[0]
            step = log.parse(json.dumps(it))
            assert isinstance(step, log.Step)
            rng = NotedRng(key, number)
            event = Expired(it["timer"]) if "timer" in it else input_of(game, step)
            state = game.apply(state, event, rng)
            it.pop("chance", None)
            if rng.draws:
                it["chance"] = msgspec.to_builtins(rng.draws)
        kept.append(it)
    outcome = game.outcome(state)
    assert outcome is not None
    scores, standing = list(game.scores(state)), list(places(game, state))
    end = {"winners": list(outcome.winners), "why": outcome.why, "scores": scores, "places": standing}
    return [*kept, {"e": "end", **end}]


WITHOUT_RULES: dict[str, tuple[Forge, str]] = {
    "only the race entries left out": (no_race_entries, "record"),
    "only the evidence left out": (no_evidence, "released, and neither carried out nor refused"),
    "one race left out": (one_race_less, "record"),
    "one race twice": (one_race_twice, "race race:"),
    "refusals not recorded": (refusals_not_recorded, "the refused moves are not recorded"),
    "two deals": (two_deals, "a second deal"),
    "a deal in the middle": (a_deal_in_the_middle, "a second deal"),
    "two ends": (end_twice, "the end is not the last entry"),
    "a step after the end": (a_step_after_the_end, "the game has no end"),
    "negative times": (negative_times, "its time is -"),
    "a falling time": (a_falling_time, "its time is 0"),
    "no names": (deal(names=[]), "0 names at 2 seats"),
    "no nonces": (deal(nonces=[]), "0 nonces at 2 seats"),
    "previous winners outside": (deal(previous=[99]), "the winners of the game before"),
    "withheld outside": (deal(withheld=[-99]), "the seats that withheld"),
    "no seats": (deal(seats=0), "a game of 0 seats"),
    "empty commits": (deal(commits=[]), "0 hashes at 2 seats"),
    "no commits": (deal(commits=None), "has no commits"),
    "no withheld": (deal(withheld=None), "has no withheld"),
    "no chance": (deal(chance=None), "chance"),
    "winners outside": (winners_outside, "the winners are not seats"),
    "seat 99": (first_step(seat=99), "there is no seat 99"),
    "seat -9": (first_step(seat=-9), "there is no seat -9"),
    "a move and a clock": (first_step(timer="x"), "not either a move of a seat or a clock"),
    "a swallowed slap": (swallowed, "released, and neither carried out nor refused"),
}
"""Each forgery, and a part of the fault that both verifiers must find."""

WITH_RULES: dict[str, tuple[Forge, str]] = {
    "all races and evidence left out": (no_races_at_all, "it has no record"),
    "a race recorded one step later": (a_race_later, "it has no record"),
    "fewer seats in a race": (another_kind, "not the race that the rules opened"),
    "a swallowed slap recorded as refused": (
        recorded_as_refused,
        "recorded as refused, and the rules allow it",
    ),
    "a swallowed slap in an older log": (swallowed_in_an_older_log, "not the race that the rules opened"),
    "another game": (deal(game="chess"), "no game 'chess'"),
}
"""Forgeries that only a verifier with the rules of the game is certain to find."""

"""Anybody can verify a replay, and a changed replay does not verify."""

import json
from typing import Any

import pytest

from photofinish.engine.rng import nonce_commit
from photofinish.games import all_games
from photofinish.replay import log
from photofinish.replay.replay import Replay, as_replay, read_replay
from photofinish.replay.verify import verify
from photofinish_protocol import messages
from tests.room.bench import SECOND, Bench
from tests.room.play.test_play import CAMBIO, discard, until_turn
from tests.room.play.test_race import slap


@pytest.fixture(scope="module")
def replay() -> bytes:
    """A whole game with races in it."""
    bench = Bench(CAMBIO, 2, {"target_points": 1, "race_min_ms": 300})
    sessions = [bench.sit(seat) for seat in range(2)]
    for session in sessions:
        bench.request(session, messages.Ready, commit=nonce_commit(session.encode() * 16))
    bench.request(sessions[0], messages.Start)
    for session in sessions:
        bench.request(session, messages.Reveal, nonce=(session.encode() * 16).hex())
        assert "dealing" in str(bench.heard)
    for session in sessions:
        bench.do(session, {"t": "ready"})
    for _ in range(3):
        for session in sessions:
            until_turn(bench, session)
            discard(bench, session)
            bench.wait(SECOND // 4)
            slap(bench, sessions[0])
    bench.wait(7200 * SECOND)  # the rest is played by expired clocks
    assert bench.view(sessions[0]).over is not None
    return as_replay(bench.room.record.seed, bench.entries)


def changed(replay: bytes, change: Any) -> Replay:
    plain = json.loads(replay)
    change(plain)
    return read_replay(json.dumps(plain).encode())


def test_an_honest_replay_passes(replay: bytes) -> None:
    report = verify(read_replay(replay), all_games())

    assert report.faults == []
    assert report.races >= 6
    assert report.shuffles >= 1
    assert report.steps > 20


def test_one_changed_byte_anywhere_in_the_log_is_noticed(replay: bytes) -> None:
    lines = len(json.loads(replay)["entries"])
    for number in range(0, lines, 5):
        for field in ("body", "hash"):

            def change(plain: Any, number: int = number, field: str = field) -> None:
                text = plain["entries"][number][field]
                middle = len(text) // 2
                other = "1" if text[middle] != "1" else "2"
                plain["entries"][number][field] = text[:middle] + other + text[middle + 1 :]

            assert not verify(changed(replay, change), all_games()).is_true, (number, field)


def resealed(plain: Any, number: int, old: str, new: str) -> None:
    """Forge an entry and compute the whole chain again, as a host who knows the seed can."""
    seed = bytes.fromhex(plain["seed"])
    assert old in plain["entries"][number]["body"]
    plain["entries"][number]["body"] = plain["entries"][number]["body"].replace(old, new, 1)
    head = bytes(log.HASH)
    for line in plain["entries"]:
        head = log.link(log.chain_key(seed), head, line["body"].encode())
        line["hash"] = head.hex()
    plain["head"] = head.hex()


def entry_with(replay: bytes, word: str) -> int:
    entries = json.loads(replay)["entries"]
    return next(number for number, line in enumerate(entries) if word in line["body"])


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ('"e":"race"', '"score":', '"score":1'),  # a slower time
        ('"e":"race"', '"by":"watermark"', '"by":"hard"'),
        ('"e":"end"', '"winners":[', '"winners":[1,'),
        ('"e":"deal"', '{"of":76,"order":[', '{"of":76,"order":[0,'),
        ('"e":"deal"', '{"of":2,"got":', '{"of":3,"got":'),  # of more than the rules draw from
        ('"e":"deal"', '{"of":2,', '{"of":1,"got":0},{"of":2,'),  # a draw too many
        ('"e":"deal"', '"commits":["', '"commits":["00'),  # another hash than the nonce's
        ('"e":"deal"', '"commits":["', '"commits":["","'),
        ('"e":"deal"', '"withheld":[]', '"withheld":[0]'),
        ('"e":"deal"', '"nonces":["', '"nonces":["00'),
        ('"e":"step"', '"step":1', '"step":2'),
    ],
)
def test_a_forged_entry_is_noticed_even_if_its_hash_chain_is_forged_too(
    replay: bytes, kind: str, old: str, new: str
) -> None:
    number = entry_with(replay, kind)

    report = verify(changed(replay, lambda plain: resealed(plain, number, old, new)), all_games())
    assert not report.is_true


def test_another_seed_does_not_match_the_commitment(replay: bytes) -> None:
    report = verify(changed(replay, lambda plain: plain.update(seed="00" * 32)), all_games())

    assert any("commitment" in fault for fault in report.faults)


def test_a_replay_without_its_end_does_not_pass(replay: bytes) -> None:
    def cut(plain: Any) -> None:
        plain["entries"].pop()
        plain["head"] = plain["entries"][-1]["hash"]

    assert verify(changed(replay, cut), all_games()).faults == ["the game has no end"]


def test_a_log_of_a_newer_release_is_named_as_such(replay: bytes) -> None:
    newer = changed(replay, lambda it: resealed(it, 0, f'"v":{log.VERSION}', f'"v":{log.VERSION + 1}'))

    (fault,) = verify(newer, all_games()).faults
    assert fault == f"not readable: log version {log.VERSION + 1}; this release reads up to {log.VERSION}"


def test_a_log_without_a_version_is_read(replay: bytes) -> None:
    older = changed(replay, lambda it: resealed(it, 0, f'"v":{log.VERSION},', ""))

    assert verify(older, all_games()).is_true


def test_a_race_that_was_reopened_after_a_crash_is_reported_and_counted() -> None:
    bench = Bench(CAMBIO, 2, {"target_points": 1, "race_min_ms": 300})
    sessions = [bench.sit(seat) for seat in range(2)]
    for session in sessions:
        bench.request(session, messages.Ready)
    bench.request(sessions[0], messages.Start)
    for session in sessions:
        bench.do(session, {"t": "ready"})
    until_turn(bench, sessions[0])
    discard(bench, sessions[0])
    bench.wait(SECOND // 4)
    slap(bench, sessions[1])
    bench.wait(SECOND // 10)
    bench.crash()
    bench.wait(7200 * SECOND)
    entries = [log.read(entry)[2] for entry in bench.entries]
    races = [it for it in entries if isinstance(it, log.Raced)]
    in_records = {move.ticket for it in races for move in it.record.moves}
    sorted_steps = {it.evidence.ticket for it in entries if isinstance(it, log.Step) and it.evidence}
    assert sorted_steps - in_records, "no move was carried out before the crash"

    raw = as_replay(bench.room.record.seed, bench.entries)
    report = verify(read_replay(raw), all_games())
    assert report.faults == []
    assert report.reopened == sum(it.reopened for it in races) == 1

    number = next(n for n, line in enumerate(json.loads(raw)["entries"]) if '"reopened":true' in line["body"])
    hidden = changed(raw, lambda plain: resealed(plain, number, ',"reopened":true', ""))
    assert any("is not in the record" in fault for fault in verify(hidden, all_games()).faults)

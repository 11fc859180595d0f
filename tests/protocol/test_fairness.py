"""The test vector of FAIRNESS.md, computed by the server and by a second implementation written from the page."""

import hashlib
import hmac
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from photofinish.engine import Seat
from photofinish.engine.rng import Rng, commitment, game_key, nonce_commit
from photofinish.games import all_games
from photofinish.race.order import toss
from photofinish.replay import log
from photofinish.replay.replay import read_replay
from photofinish.replay.verify import verify
from photofinish_protocol.publish.schema import TOP
from tests.clients.js.replays import a_draw, replay_of
from tests.protocol.page import FAIRNESS, bare, code, section

EXPECTED = {row[0]: bare(row[1]) for row in section("A test vector", file=FAIRNESS).rows}
SEED = bytes.fromhex(EXPECTED["seed"])
NONCES = [bytes.fromhex(nonce) for nonce in ("ada0", "b0b5", "")]
FOLDER = TOP / "transcripts"


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def key_of(seed: bytes, nonces: list[bytes]) -> bytes:
    return mac(seed, b"photofinish deal" + b"".join(hashlib.sha256(nonce).digest() for nonce in nonces))


def words(key: bytes, step: int) -> Iterator[int]:
    counter = 0
    while True:
        block = mac(key, step.to_bytes(8, "big") + counter.to_bytes(8, "big"))
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


def below(stream: Iterator[int], n: int) -> int:
    return next(word for word in stream if word < 2**32 - 2**32 % n) % n


def shuffled(stream: Iterator[int], items: list[Any]) -> list[Any]:
    for i in range(len(items) - 1, 0, -1):
        j = below(stream, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def as_text(*values: object) -> str:
    return " ".join(map(str, values))


def test_a_shuffle_can_be_repeated_from_the_page_alone() -> None:
    key = key_of(SEED, NONCES)
    step = words(key, 0)
    numbers = words(key, 7)

    assert hashlib.sha256(SEED).hexdigest() == EXPECTED["commitment"]
    assert key.hex() == EXPECTED["key"]
    assert mac(key, bytes(16)).hex() == EXPECTED["block(0, 0)"]
    assert mac(key, bytes(15) + b"\x01").hex() == EXPECTED["block(0, 1)"]
    assert as_text(*shuffled(step, list(range(10)))) == EXPECTED["step 0: shuffle of 0 … 9"]
    assert as_text(*shuffled(step, list("ABCDE"))) == EXPECTED["… and then of A B C D E"]
    assert as_text(*(next(numbers) for _ in range(8))) == EXPECTED["step 7: words"]
    stream = words(key, 7)
    assert as_text(*(below(stream, 6) for _ in range(12))) == EXPECTED["step 7: below(6), twelve times"]
    stream = words(key, 7)
    assert as_text(*shuffled(words(key, 2**40 + 2), list(range(10)))) == EXPECTED["hand 2: shuffle of 0 … 9"]
    large = [below(stream, 3_000_000_000) for _ in range(6)]
    assert as_text(*large) == EXPECTED["step 7: below(3000000000), six times"]


def test_the_server_computes_the_same_shuffle() -> None:
    key = game_key(SEED, NONCES)
    deal, dice, large = Rng(key, 0), Rng(key, 7), Rng(key, 7)

    assert commitment(SEED) == EXPECTED["commitment"]
    assert key.hex() == EXPECTED["key"]
    assert as_text(*deal.shuffled(range(10))) == EXPECTED["step 0: shuffle of 0 … 9"]
    assert as_text(*Rng(key, 5).hand(2).shuffled(range(10))) == EXPECTED["hand 2: shuffle of 0 … 9"]
    assert as_text(*deal.shuffled("ABCDE")) == EXPECTED["… and then of A B C D E"]
    assert as_text(*(dice.below(6) for _ in range(12))) == EXPECTED["step 7: below(6), twelve times"]
    assert (
        as_text(*(large.below(3_000_000_000) for _ in range(6)))
        == EXPECTED["step 7: below(3000000000), six times"]
    )


def test_the_page_and_the_server_compute_the_same_chain_and_coin() -> None:
    chain, coin = mac(SEED, b"photofinish log"), mac(SEED, b"photofinish coin")
    first = mac(chain, bytes(32) + EXPECTED["first body"].encode())
    second = mac(chain, first + EXPECTED["second body"].encode())

    assert (chain, coin) == (log.chain_key(SEED), log.coin_key(SEED))
    assert (chain.hex(), coin.hex()) == (EXPECTED["chain key"], EXPECTED["coin"])
    assert (first.hex(), second.hex()) == (EXPECTED["first hash"], EXPECTED["second hash"])
    assert log.link(chain, first, EXPECTED["second body"].encode()) == second
    for seat, row in ((Seat(0), "seat 0"), (None, "the room")):
        place = b"" if seat is None else bytes((seat,))
        own = mac(coin, b"race:12\0" + place).hex()
        assert own == toss(coin, "race:12", seat) == EXPECTED[f"toss of {row} in `race:12`"]


def test_a_recorded_game_can_be_checked_without_our_code() -> None:
    replay = json.loads((FOLDER / "cambio-replay.json").read_text("utf-8"))
    seed = bytes.fromhex(replay["seed"])
    chain, head = mac(seed, b"photofinish log"), bytes(32)
    for entry in replay["entries"]:
        head = mac(chain, head + entry["body"].encode())

        assert head.hex() == entry["hash"]
    assert head.hex() == replay["head"]
    assert hashlib.sha256(seed).hexdigest() == replay["commitment"]


@pytest.mark.parametrize("key", sorted(all_games()))
def test_every_draw_of_every_game_can_be_checked_without_knowing_a_game(key: str) -> None:
    """With the program on the page, which uses only SHA-256."""
    names: dict[str, Any] = {}
    exec(code("python chance", FAIRNESS)[0], names)
    raw = replay_of(key, random.Random(f"chance of {key}"))
    report = verify(read_replay(raw), all_games())

    assert names["check_chance"](json.loads(raw)) == report.shuffles + report.draws > 0
    forged = json.loads(raw)
    a_draw(forged, random.Random(1))
    with pytest.raises(AssertionError):
        names["check_chance"](forged)


def test_every_log_head_that_a_viewer_got_is_in_the_replay_in_that_order() -> None:
    replay = json.loads((FOLDER / "cambio-replay.json").read_text("utf-8"))
    hashes = [entry["hash"] for entry in replay["entries"]]
    dealt = json.loads(replay["entries"][0]["body"])
    for file in FOLDER.glob("cambio-*.jsonl"):
        messages = [json.loads(line)["message"] for line in file.read_text("utf-8").splitlines()]
        views = [it for it in messages if it["t"] == "view"]
        places = [hashes.index(view["head"]) for view in views]

        assert places == sorted(places)
        assert {view["commitment"] for view in views} == {replay["commitment"]}
        for over in (view["over"] for view in views if "over" in view):
            assert over["seed"] == replay["seed"]
            assert over["nonces"] == dealt["nonces"]


def test_the_commitment_was_known_before_anybody_was_ready() -> None:
    lines = (FOLDER / "cambio-seat.jsonl").read_text("utf-8").splitlines()
    messages = [json.loads(line)["message"] for line in lines]
    ready = next(n for n, it in enumerate(messages) if it["t"] == "ready")
    before = next(it for it in messages[:ready] if it["t"] == "room")
    over = next(it["over"] for it in messages if it["t"] == "view" and "over" in it)

    assert hashlib.sha256(bytes.fromhex(over["seed"])).hexdigest() == before["commitment"]
    assert over["commits"][0] == messages[ready]["commit"]


def test_every_hash_was_shown_before_the_first_nonce_was_sent_and_each_nonce_opens_its_own() -> None:
    dealt = json.loads(json.loads((FOLDER / "cambio-replay.json").read_text("utf-8"))["entries"][0]["body"])
    for file in ("cambio-seat.jsonl", "cambio-opponent.jsonl"):
        messages = [json.loads(line)["message"] for line in (FOLDER / file).read_text("utf-8").splitlines()]
        revealed = next(n for n, it in enumerate(messages) if it["t"] == "reveal")
        shown = next(it for it in messages[:revealed] if it["t"] == "room" and "dealing" in it)

        assert [place["commit"] for place in shown["seats"]] == dealt["commits"]
        assert messages[revealed]["nonce"] in dealt["nonces"]
    hashes = [
        hashlib.sha256(b"photofinish nonce" + bytes.fromhex(nonce)).hexdigest() for nonce in dealt["nonces"]
    ]
    assert hashes == dealt["commits"]


def test_the_page_and_the_server_compute_the_same_hash_of_a_nonce() -> None:
    own = hashlib.sha256(b"photofinish nonce" + NONCES[0]).hexdigest()

    assert own == nonce_commit(NONCES[0]) == EXPECTED["commit of `ada0`"]

"""The pages for client authors match the types: every message, field, default, reason, code and limit."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from photofinish.engine.offers import admits
from photofinish.engine.playthrough import start
from photofinish.games import all_games
from photofinish_protocol import messages, offers, version
from photofinish_protocol.publish.schema import TOP
from photofinish_protocol.reasons import CLOSES, REASONS
from tests.protocol.page import PAGES, README, anchors, bare, code, section, sections
from tests.system.conftest import ServerProcess

SENT, TOLD = "What you send", "What you are sent"
PARTS: dict[str, Any] = {
    "limits": messages.Limits,
    "seated": messages.Seated,
    "watching": messages.Watching,
    "rooms": messages.RoomList,
    "room line": messages.RoomLine,
    "games": messages.GameList,
    "game info": messages.GameInfo,
    "bot": messages.BotIn,
    "pong": messages.Pong,
    "event answer": messages.EventGot,
    "event error": messages.EventError,
    "part rows": messages.PartRows,
    "place": messages.Place,
    "dealing": messages.Dealing,
    "offer": offers.Offer,
    "one": offers.OneOf,
    "some": offers.SomeOf,
    "amounts": offers.Amounts,
    "open race": messages.OpenRace,
    "clock": messages.Clock,
    "happened": messages.Happened,
    "over": messages.Over,
    "mark": messages.Mark,
    "lag line": messages.LagLine,
}
REQUESTS: dict[str, Any] = {it.__struct_config__.tag: it for it in messages.ClientMessage.__args__}
SAYS: dict[str, Any] = {it.__struct_config__.tag: it for it in messages.ServerMessage.__args__}
EVERYWHERE = "id"
"""Described once, with `hello`, for all messages of a client."""


def documented_fields(title: str, chapter: str) -> dict[str, list[str]]:
    return {bare(row[0]): row for row in section(title, chapter).rows}


@pytest.mark.parametrize(
    ("title", "chapter", "kind"),
    [
        *((tag, SENT, kind) for tag, kind in REQUESTS.items()),
        *((tag, TOLD, kind) for tag, kind in SAYS.items()),
        *((name, TOLD, kind) for name, kind in PARTS.items()),
    ],
)
def test_every_field_has_its_row_and_says_whether_it_may_be_missing(
    title: str, chapter: str, kind: Any
) -> None:
    rows = documented_fields(title, chapter)
    fields = {it.encode_name: it for it in msgspec.structs.fields(kind)}
    if chapter == SENT and title != "hello":
        del fields[EVERYWHERE]

    assert list(rows) == list(fields)
    for name, field in fields.items():
        default = rows[name][2]
        assert bool(default) is not field.required, f"{title}.{name}"
        if isinstance(field.default, bool | int) or field.default == "":
            assert bare(default) == json.dumps(field.default), f"{title}.{name}"


def test_no_message_or_part_is_left_out_and_none_is_invented() -> None:
    chapters = {SENT: set(REQUESTS), TOLD: set(SAYS) | set(PARTS)}
    for chapter, wanted in chapters.items():
        there = [it.title for it in sections() if it.chapter == chapter and it.title != chapter]

        assert sorted(there) == sorted(wanted)


def test_every_part_of_a_message_is_checked_here() -> None:
    kinds = {
        kind
        for module in (messages, offers)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    }

    assert kinds - {messages.Request, messages.Say, messages.Part} == {
        *REQUESTS.values(),
        *SAYS.values(),
        *PARTS.values(),
    }


def test_the_table_of_refusals_is_the_servers_own() -> None:
    rows = {bare(row[0]): (row[1], row[2]) for row in section("Refusals").rows}

    assert rows == {it.value: ("yes" if row.retry else "no", row.sentence) for it, row in REASONS.items()}


def test_the_table_of_close_codes_is_the_servers_own() -> None:
    rows = {int(row[0]): (row[1], row[2]) for row in section("Close codes").rows}

    assert rows == {int(it): ("yes" if row.retry else "no", row.sentence) for it, row in CLOSES.items()}


def test_the_limits_are_those_of_the_server() -> None:
    rows = {bare(row[0]): row[1] for row in section("Limits").rows}
    emotes = rows.pop("EMOTES")

    assert tuple(map(bare, emotes.split())) == version.EMOTES
    assert {name: int(value) for name, value in rows.items()} == {
        name: it
        for name, it in vars(version).items()
        if name.isupper() and type(it) is int and name != "VERSION"
    }
    assert all(f"`{name}`" in section("Frames and encodings").text for name in version.SUBPROTOCOLS)


def test_the_transcript_on_the_page_is_the_recorded_one() -> None:
    lines = (TOP / "transcripts" / "first-move.jsonl").read_text("utf-8").splitlines()
    arrow = {"client": ">", "server": "<"}
    recorded = [json.loads(line) for line in lines]
    plain, coded = code("text", TOP / "examples" / "first-move.md")

    assert plain == "".join(f"{arrow[it['from']]} {it['json']}\n" for it in recorded)
    assert coded == "".join(f"{arrow[it['from']]} {it['hex']}\n" for it in recorded)


@pytest.mark.parametrize("page", sorted(TOP.rglob("*.md")), ids=lambda it: it.relative_to(TOP).as_posix())
def test_every_link_on_our_pages_has_a_target(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8")):
        file, _, anchor = link.partition("#")
        there = page.parent / file if file else page
        assert there.exists(), link
        assert not anchor or anchor in anchors(there), link


def test_the_start_links_to_every_page_and_each_page_to_another() -> None:
    start = README.read_text("utf-8")
    for page in PAGES[1:]:
        assert f"]({page.name})" in start
        assert re.search(r"\]\([A-Z_]+\.md", page.read_text("utf-8")), page.name


@pytest.mark.parametrize("key", sorted(all_games()))
def test_the_sampler_on_the_page_plays_every_game(key: str) -> None:
    """Each move that it makes from the offers on the wire is admitted and carried out."""
    names: dict[str, Any] = {}
    exec(code("python sampler")[0], names)
    rng, game = random.Random(key), all_games()[key]
    play = start(game, game.seats.start, bytes(32))
    made = 0
    while not play.is_over and made < 150:
        able = [seat for seat in play.seats if game.offers(play.state, seat)]
        if not able or rng.random() < 0.1:
            if play.wait():
                continue
            assert able
        seat = rng.choice(able)
        offered = game.offers(play.state, seat)
        move = names["sample"](json.loads(msgspec.json.encode(offered)), rng)

        assert admits(offered, move), move
        play.act(seat, move)
        made += 1
    assert made


@pytest.mark.system
def test_the_program_on_the_page_gets_to_its_first_move(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path).start()
    try:
        (program,) = code("python")
        file = tmp_path / "first.py"
        file.write_text(program.replace("ws://127.0.0.1:8765", server.url), encoding="utf-8")

        run = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=30, check=True)
    finally:
        server.stop()

    assert [line.split()[0] for line in run.stdout.splitlines()] == ["welcome", *["ack"] * 5]

"""T69: what each page of an event answers, read by a program."""

import json
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from photofinish.store.keys import ratings_of
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish.tournament.director.loaded_events import LoadedEvents
from photofinish.tournament.director.pages import EventPages
from photofinish.tournament.log.entries import RaceLine
from photofinish.tournament.people import disputes
from photofinish.tournament.scores.ratings import Rating
from tests.tournament.course import HOST, SECRET, Course, better_number, toml

CUP, DRAFT, SWISS = "EVENTA", "EVENTB", "EVENTC"


def cup() -> Course:
    """Four in a bracket; entrant 1 wins every race and every game. One mark is ruled on, one is open."""
    course = Course(
        toml("cambio", "single"),
        decide=better_number,
        races=lambda game, rng: tuple(
            RaceLine(f"race:{n}", game.seats.index(min(game.seats)), "slap", "won", 250_000 + n, counted=True)
            for n in range(12)
        ),
    )
    course.open(4).start().run(until=lambda state: bool(state.round and state.round.status == "settling"))
    key = course.state.numbers[course.state.rounds[0].tables[0].seats[0]]
    for text in ("I was first", "look again"):
        course.add(disputes.mark(course.state, key, course.now, 1, 1, 1, "race:1", text))
    for number, reason in ((1, "the strip is clear"), (2, "it still is")):
        course.add(disputes.rule(course.state, HOST, number, "confirm", reason))
    course.run(until=lambda state: len(state.rounds) == 2 and state.rounds[1].status == "settling")
    course.add(disputes.mark(course.state, key, course.now, 2, 2, 1, "", "an open one"))
    return course


@pytest.fixture
async def pages(redis_url: str) -> AsyncIterator[EventPages]:
    store = await RedisStore.open(redis_url)
    events = store.events(NodeId("one"))
    swiss = Course(toml("reflex", "swiss", "rounds = 2"), decide=better_number).open(4).start().run()
    for code, course in ((CUP, cup()), (DRAFT, Course(toml())), (SWISS, swiss)):
        raw = [bytes.fromhex(it.hash) + it.body.encode() for it in course.lines]
        assert await events.create(code, SECRET, course.toml.encode(), raw)
    yield EventPages(LoadedEvents(events), directory=None)  # type: ignore[arg-type]  # it asks for no replay here
    await store.close()


async def answer(pages: EventPages, path: str, query: str = "", **headers: str) -> Response:
    found = await pages.page(
        path, query, Request(path, Headers({name.replace("_", "-"): it for name, it in headers.items()}))
    )
    assert found is not None
    return found


async def got(pages: EventPages, path: str, query: str = "") -> Any:
    found = await answer(pages, f"/api/events{path}", query)
    assert found.status_code == 200
    return json.loads(found.body)


async def test_T69_the_list_of_events_is_filtered_by_state_and_game(pages: EventPages) -> None:
    async def listed(query: str) -> list[str]:
        return sorted(
            it["title"] + " " + it["game"] + " " + it["state"] for it in await got(pages, "", query)
        )

    assert len(await listed("")) == 3
    assert await listed("state=running") == ["Test cambio running"]
    assert await listed("game=reflex") == ["Test reflex finished"]
    assert await listed("state=draft&game=cambio") == ["Test cambio draft"]
    assert await listed("state=draft&game=reflex") == []


async def test_T69_a_bracket_a_round_and_the_standings_after_it(pages: EventPages) -> None:
    assert await got(pages, f"/{CUP}/bracket") == [
        {"match": "W1.1", "winner": 1, "loser": 4},
        {"match": "W1.2", "winner": 2, "loser": 3},
        {"match": "W2.1", "winner": 1, "loser": 2},
        {"match": "T", "winner": 3, "loser": 4},
    ]
    first = await got(pages, f"/{CUP}/rounds/1")
    assert [(it["table"], it["seats"], it["winner"]) for it in first] == [(1, [4, 1], 1), (2, [3, 2], 2)]
    assert [(it["games"][0]["seats"], it["games"][0]["places"]) for it in first] == [
        ([4, 1], [2, 1]),
        ([3, 2], [2, 1]),
    ]
    assert await got(pages, f"/{CUP}/tables") == await got(pages, f"/{CUP}/rounds/2")

    async def ranks(query: str) -> list[tuple[int, int]]:
        return [(it["rank"], it["number"]) for it in await got(pages, f"/{CUP}/standings", query)]

    assert await ranks("after=1") == [(1, 1), (1, 2), (3, 3), (3, 4)]
    assert await ranks("") == await ranks("after=2") == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [it["points_840"] for it in await got(pages, f"/{SWISS}/standings", "after=1")] == [
        1680,
        1680,
        0,
        0,
    ]
    for path in (f"/{CUP}/rounds/3", f"/{CUP}/rounds/0", f"/{CUP}/rounds/x", "/NOSUCH", f"/{CUP}/hands"):
        assert (await answer(pages, f"/api/events{path}")).status_code == 404


async def test_T69_only_rulings_are_public_and_each_with_its_reason(pages: EventPages) -> None:
    rows = await got(pages, f"/{CUP}/disputes")
    assert [(it["mark"], it["ruling"], it["reason"]) for it in rows] == [
        (1, "confirm", "the strip is clear"),
        (2, "confirm", "it still is"),
    ]


async def test_T48_T69_reactions_and_races_are_those_of_the_results(pages: EventPages) -> None:
    board = await got(pages, f"/{CUP}/reactions")
    # Entrant 1 has won the 24 races of its two games, 2 and 3 the 12 of one game each.
    assert [(it["number"], it["n"], it["median_us"]) for it in board] == [
        (1, 24, 250_005),
        (2, 12, 250_005),
        (3, 12, 250_005),
        (4, 0, None),
    ]
    assert board[0]["best10_us"] == 250_002, "0, 0, 1, 1, … 4, 4"
    assert board[1]["best10_us"] is None, "twenty are needed"
    races = await got(pages, f"/{CUP}/races", "round=2")
    assert {it["round"] for it in races} == {2}
    assert len(races) == 24
    assert races[0]["strip"].endswith(f"#{races[0]['race']}")
    own = await got(pages, f"/{CUP}/races", "number=3")
    assert {(it["round"], it["number"]) for it in own} == {(2, 3)}
    assert len(own) == 12


async def test_T66_T69_ratings_are_shown_as_they_are_now_of_all_or_of_one(pages: EventPages) -> None:
    everybody = await got(pages, f"/{CUP}/ratings")
    assert [it["number"] for it in everybody] == [1, 2, 3, 4]
    assert all((it["rating"], it["spread"], it["provisional"]) == (1500, 1000, True) for it in everybody)
    store = pages._loaded.store
    made = msgspec.msgpack.encode(Rating(26_000_000, 2_000_000, 10))
    await store._client.execute(
        "HSET", ratings_of("cambio"), everybody[1]["key"], made, key=ratings_of("cambio")
    )
    assert await got(pages, f"/{CUP}/ratings", "number=2") == [
        {"number": 2, "key": everybody[1]["key"], "rating": 1560, "spread": 240, "provisional": False}
    ]
    assert await got(pages, f"/{SWISS}/ratings", "number=2") != await got(
        pages, f"/{CUP}/ratings", "number=2"
    )
    assert await got(pages, f"/{CUP}/ratings", "number=77") == []


async def test_T17_T69_the_log_is_sent_byte_for_byte_from_any_entry_on(pages: EventPages) -> None:
    whole = (await answer(pages, f"/api/events/{CUP}/log")).body.splitlines()
    rest = await answer(pages, f"/api/events/{CUP}/log", "from=7")
    assert rest.headers["Content-Type"] == "application/x-ndjson"
    assert rest.body.splitlines() == whole[7:]
    assert [json.loads(json.loads(it)["body"])["n"] for it in whole] == list(range(len(whole)))
    now = await got(pages, f"/{CUP}")
    assert (now["entries"], now["head"]) == (len(whole), json.loads(whole[-1])["hash"])


async def test_T69_a_page_that_has_not_changed_is_not_sent_again(pages: EventPages) -> None:
    first = await answer(pages, f"/api/events/{CUP}/standings")
    mark = first.headers["ETag"]
    assert mark == f'"{(await got(pages, f"/{CUP}"))["entries"]}"'
    again = await answer(pages, f"/api/events/{CUP}/standings", If_None_Match=mark)
    assert (again.status_code, again.body) == (304, b"")
    other = await answer(pages, f"/api/events/{CUP}/standings", If_None_Match='"1"')
    assert (other.status_code, other.body) == (200, first.body)


async def test_T69_an_export_waits_for_the_end(pages: EventPages) -> None:
    assert (await answer(pages, f"/api/events/{CUP}/export.zip")).status_code == 409
    report = await answer(pages, f"/api/events/{CUP}/report")
    assert report.headers["Content-Type"].startswith("text/html")
    assert b"<h1>" in report.body

"""People of an event in the browser: the organiser hosts, a player is called and seated, the referee rules."""

import random
import re
from typing import TYPE_CHECKING

import pytest

from photofinish_client.bots import RandomPlayer
from photofinish_client.client import connect
from photofinish_client.events.player import play_event
from photofinish_client.keys import PlayerKey
from photofinish_protocol.messages import Enter, EventDo
from tests.system.conftest import ServerProcess
from tests.system.events.test_events import create
from tests.web.accessibility import serious
from tests.web.events.test_event_pages import open_an_event
from tests.web.other_players import OtherPlayers
from tests.web.page_actions import LAPTOP, Seat, sitting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.system
FILE = """title = "Light cup"
game = "reflex"
format = "swiss"
rounds = 1
best_of = 3
late_join_until = 1

[clock]
check_in_minutes = 0
break_seconds = 0
dispute_seconds = 30
no_show_seconds = 120

[options]
flashes = 2
gap_ms = 400
window_ms = 400
"""


def host(seat: Seat, file: str = FILE) -> str:
    """Create an event in the browser and open it for entries. Returns its code."""
    seat.open("/events")
    seat.page.get_by_role("button", name="Host an event").click()
    seat.page.get_by_label("The event’s file").fill(file)
    seat.page.get_by_role("button", name="Create the event").click()
    seat.page.get_by_role("note").filter(has_text="max_ping_ms is 0").wait_for()  # T12
    seat.page.get_by_role("button", name="Open for entries").click()
    seat.page.get_by_role("button", name="Start", exact=True).wait_for()
    return seat.page.url.rsplit("/", 1)[1]


def sit_and_play(ada: Seat) -> None:
    """The page has gone to the table by itself. Ready, and then the lights go by."""
    ada.page.get_by_role("button", name="I am here").click()
    ada.page.locator(".end").wait_for(timeout=30_000)


def test_an_event_is_played_in_the_browser_from_its_file_to_a_ruling(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """T5, T41, T59 to T63, T68: a player is seated by itself, game after game, and the referee looks at a race."""
    with (
        OtherPlayers() as others,
        sitting(browser, web_server.url, size=LAPTOP, name="Olga") as olga,
        sitting(browser, web_server.url, name="Ada") as ada,
    ):
        event = host(olga)
        ada.open(f"/events/{event}")
        ada.page.get_by_role("button", name="Enter as Ada").click()
        ada.page.get_by_text("You are in as Ada").wait_for()
        basil = RandomPlayer(random.Random(3))
        others.begin(play_event(web_server.url, event, PlayerKey.new(), "Basil", basil))
        organiser = olga.page.get_by_label("You host this event")
        organiser.locator("summary").filter(has_text="Entrants · 2").click()
        organiser.locator("summary").filter(has_text="checked in").nth(1).wait_for()
        assert serious(olga) == []
        olga.page.get_by_role("button", name="Start", exact=True).click()

        ada.page.wait_for_url("**/t/*")
        first = ada.page.url
        sit_and_play(ada)
        ada.page.get_by_text("Your next table is").wait_for()
        ada.page.get_by_role("button", name="Go now").click()
        ada.page.wait_for_url(lambda url: "/t/" in url and url != first)
        sit_and_play(ada)
        ada.page.get_by_role("button", name="Back to the event").click()
        ada.page.wait_for_url(f"**/events/{event}")

        ask_button = ada.page.get_by_role("button", name="Ask the referee")
        third = ada.page.get_by_role("button", name="I am here")
        ask_button.or_(third).first.wait_for()
        if third.is_visible():  # one game each: the page has gone to the third by itself
            sit_and_play(ada)
            ada.page.get_by_role("button", name="Back to the event").click()
        ada.page.locator("summary").filter(has_text="My results").click()
        ada.page.locator(".playerpanel .eventtable").filter(has_text="Basil").get_by_text(
            "place"
        ).first.wait_for()
        ask_the_referee(ada, "<b>I</b> was first")

        dispute = olga.page.get_by_label("Dispute 1")
        dispute.get_by_text("<b>I</b> was first").wait_for()
        organiser.locator("summary").filter(has_text="The newest entries of the log").click()
        organiser.locator(".logtail li").filter(has_text="marked").wait_for()
        dispute.get_by_role("button", name="Look at the record").click()
        dispute.get_by_text("Judged again in this browser: the same order.").wait_for()
        dispute.get_by_text("Verified in your browser").wait_for()
        assert dispute.locator(".stripline, .lanes").count() >= 1
        line_history(dispute)
        assert serious(olga) == []
        dispute.get_by_role("button", name="Adjust places").click()
        dispute.get_by_role("spinbutton", name="Basil").wait_for()
        dispute.get_by_role("button", name="Confirm").click()
        assert dispute.get_by_role("button", name="Rule").is_disabled(), "a ruling has a reason"
        dispute.get_by_label("Reason, shown to everybody").fill("The record is clear.")
        dispute.get_by_role("button", name="Rule").click()
        dispute.get_by_text("Confirmed").wait_for()
        ada.page.get_by_role("tab", name="Rulings").click()
        ada.page.get_by_text("The record is clear.").wait_for()

        tables = organiser.locator("summary").filter(has_text="Tables · Round 1")
        tables.click()
        organiser.locator("summary").filter(has_text="Table 1:").click()
        organiser.get_by_role("button", name="Correct the places").locator("xpath=..").get_by_label(
            "Reason"
        ).fill("A draw after all.")
        places = organiser.get_by_role("group", name="Places").locator("input")
        for at in range(2):
            places.nth(at).fill("1")
        organiser.get_by_role("button", name="Correct the places").click()
        olga.page.get_by_role("tabpanel").get_by_text("place 1").nth(1).wait_for()
        for n, (button, ruled) in enumerate(RULINGS, start=2):
            ask_the_referee(ada, f"Look again, {n}")
            dispute = olga.page.get_by_label(f"Dispute {n}", exact=True)
            dispute.get_by_role("button", name=button, exact=True).click()
            dispute.get_by_label("Reason, shown to everybody").fill(f"Decided, {n}.")
            dispute.get_by_role("button", name="Rule", exact=True).click()
            dispute.get_by_text(ruled, exact=True).wait_for()
        assert olga.complaints == ada.complaints == []


RULINGS = (
    ("Warn", "Warning"),
    ("Adjust places", "Places adjusted"),
    ("Forfeit", "Forfeit"),
    ("Disqualify", "Disqualified"),
    ("Replay the hand", "Hand replayed"),
)
"""Each button of a referee but the first, and what the page says of it then (T61)."""


def line_history(dispute: "Locator") -> None:
    """T60: one row per race of the game, with the round trips of both players."""
    dispute.locator("summary").filter(has_text="The lines from race to race").click()
    table = dispute.get_by_role("group", name="The lines from race to race").locator("table")
    assert {*table.locator("thead th").all_text_contents()} == {"After", "Ada", "Basil"}
    rows = [
        (row.locator("th").inner_text(), row.locator("td").all_inner_texts())
        for row in table.locator("tbody tr").all()
    ]
    assert rows[0][0] == "0 s"
    for _, cells in rows:
        assert len(cells) == 2
    measured = [cell for _, cells in rows for cell in cells if cell != "–"]
    assert measured
    for cell in measured:
        least, usual, _ = cell.removesuffix(" (away)").split(" / ")
        assert 0 <= float(least) < 1000
        assert 0 < float(usual) < 1000


def ask_the_referee(ada: Seat, text: str) -> None:
    """T59: a player marks the first race of its last game."""
    ada.page.get_by_role("button", name="Ask the referee").first.click()
    ada.page.get_by_label("About").locator("option").nth(1).wait_for(state="attached")
    ada.page.get_by_label("About").select_option(index=1)
    ada.page.get_by_label("What should the referee look at?").fill(text)
    ada.page.get_by_role("button", name="Send to the referee").click()
    ada.page.get_by_text("The referee will look at it.").wait_for()


def test_every_button_of_an_official_works_at_a_called_table(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """T4, T49, §11: bots for a rehearsal, a referee, a new key, a longer wait, opened hands, a forfeit."""
    key, fresh, referee = (PlayerKey.new() for _ in range(3))
    more = 'rehearsal = true\nhands = "logged"\n\n[clock]'
    with OtherPlayers() as others, sitting(browser, web_server.url, size=LAPTOP, name="Olga") as olga:
        event = host(olga, FILE.replace("[clock]", more))
        organiser = olga.page.get_by_label("You host this event")
        olga.page.get_by_role("button", name="Start", exact=True).click()
        olga.page.locator(".playerpanel .error").first.wait_for()
        organiser.locator("summary").filter(has_text="Entrants").click()
        organiser.get_by_role("button", name="Add four bots").click()
        others.run(enter(web_server.url, event, key, "Ada"))
        others.run(enter(web_server.url, event, PlayerKey.new(), "Basil"))
        organiser.locator("summary").filter(has_text="Entrants · 6").wait_for()
        organiser.get_by_label("A referee’s key").fill(referee.public)
        organiser.get_by_role("button", name="Appoint").click()
        olga.wait_until(lambda _: organiser.get_by_label("A referee’s key").input_value() == "", "appointed")
        entrant = organiser.locator("details").filter(has=olga.page.locator("summary", has_text="Ada")).last
        entrant.locator("summary").click()
        entrant.get_by_label("New key").fill(fresh.public)
        entrant.get_by_label("Reason").last.fill("A new phone")
        entrant.get_by_role("button", name="Give a new key").click()
        organiser.locator("summary").filter(has_text=fresh.public[:8]).wait_for()

        olga.page.get_by_role("button", name="Start", exact=True).click()
        organiser.locator("summary").filter(has_text="Tables · Round 1").click()
        summary = organiser.locator("summary").filter(has_text=re.compile("Table .*Ada"))
        summary.filter(has_text="called").click()
        table = summary.locator("xpath=..")
        table.get_by_role("button", name="Wait 60 s longer").click()
        hands = table.get_by_role("button", name="Open the hands to a referee")
        hands.locator("xpath=..").get_by_label("Reason").fill("A claim to look at")
        hands.click()
        olga.page.locator(".handsopen").filter(has_text=referee.public[:8]).wait_for()
        assert table.locator(".error").count() == 0
        lost = table.get_by_role("button", name="Give the pairing as lost").locator("xpath=..")
        option = lost.get_by_label("Entrant").locator("option").filter(has_text="Ada")
        lost.get_by_label("Entrant").select_option(value=option.get_attribute("value"))
        lost.get_by_label("Reason").fill("Not here")
        lost.get_by_role("button").click()
        summary.filter(has_text="forfeit").wait_for()
        assert olga.complaints == []


def test_a_refusal_of_an_event_is_in_the_players_language(
    browser: "Browser", web_server: ServerProcess
) -> None:
    with OtherPlayers() as others, sitting(browser, web_server.url, name="Ada", language="de") as ada:
        event = others.run(open_an_event(web_server.url, PlayerKey.new()))
        ada.open(f"/events/{event}")
        ada.page.get_by_role("button", name="Anmelden als Ada").wait_for()
        others.run(enter(web_server.url, event, PlayerKey.new(), "Ada"))
        ada.page.get_by_role("button", name="Anmelden als Ada").click()
        ada.page.get_by_text("Jemand in diesem Turnier heißt schon so.").wait_for()
        assert ada.complaints == []


async def enter(url: str, event: str, key: PlayerKey, name: str) -> None:
    async with connect(url, name=name, key=key) as player:
        await player.request(Enter(id=0, event=event))


def test_an_organiser_edits_admits_removes_pauses_and_cancels(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """T10, T13, §3: faults of the file, names, pause, cancel asked twice. The seal: `tests/web/events/seal.py`."""
    keys = [PlayerKey.new() for _ in range(3)]
    with OtherPlayers() as others, sitting(browser, web_server.url, size=LAPTOP, name="Olga") as olga:
        event = host(olga)
        page = olga.page
        for key, name in zip(keys, ("Ada", "Basil", "Carla"), strict=True):
            others.run(enter(web_server.url, event, key, name))
        organiser = page.get_by_label("You host this event")
        organiser.locator("summary").filter(has_text="Entrants · 3").click()
        organiser.locator("summary").filter(has_text="Carla").click()
        carla = organiser.locator("details").filter(has=page.locator("summary", has_text="Carla")).last
        carla.get_by_label("Reason").first.fill("Plays elsewhere")
        carla.get_by_role("button", name="Remove from the event").click()
        page.get_by_role("tab", name="Entrants").click()
        page.get_by_role("tabpanel").get_by_text("Carla").wait_for(state="detached")
        organiser.get_by_label("Names for the list").fill("Dora\nEmil")
        organiser.get_by_role("button", name="Add to the list").click()
        olga.wait_until(
            lambda _: organiser.get_by_label("Names for the list").input_value() == "", "the names are taken"
        )

        organiser.locator("summary").filter(has_text="The event’s file").click()
        file = organiser.get_by_label("The event’s file")
        file.fill(FILE.replace("rounds", "ronds"))
        organiser.get_by_role("button", name="Save").click()
        page.locator(".tomlfaults").filter(has_text="rounds").wait_for()
        file.fill(FILE.replace("Light cup", "Evening cup"))
        organiser.get_by_role("button", name="Save").click()
        page.get_by_role("heading", name="Evening cup").wait_for()

        page.get_by_role("button", name="Start", exact=True).click()
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Go on").click()
        page.get_by_role("button", name="Pause").wait_for()
        page.get_by_role("button", name="Cancel the event").click()
        page.get_by_role("button", name="Tap again").click()
        page.get_by_text("cancelled").first.wait_for()
        assert serious(olga) == []
        assert olga.complaints == []


async def start_against(url: str, event: str, key: PlayerKey) -> None:
    await enter(url, event, PlayerKey.new(), "Basil")
    async with connect(url, name="Host", key=key) as host:
        await host.request(EventDo(id=0, event=event, do="start"))


def test_T68_a_call_waits_while_its_player_sits_at_another_table(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """Nobody is taken away from a game: a button says where the call leads, and takes the player there."""
    key = PlayerKey.new()
    with (
        OtherPlayers() as others,
        sitting(browser, web_server.url, name="Ada", lastGame="cambio", bots=1) as ada,
    ):
        event = others.run(open_an_event(web_server.url, key))
        ada.open(f"/events/{event}")
        ada.page.get_by_role("button", name="Enter as Ada").click()
        ada.page.get_by_text("You are in as Ada").wait_for()
        elsewhere = ada.open().deal().page.url
        others.run(start_against(web_server.url, event, key))
        call = ada.page.get_by_role("button", name="Your table is 1")
        call.wait_for()
        assert ada.page.url == elsewhere
        call.click()
        ada.page.wait_for_url(lambda url: "/t/" in url and url != elsewhere)
        ada.page.get_by_role("button", name="I am here").wait_for()
        assert ada.complaints == []


async def open_for(url: str, key: PlayerKey, rival: PlayerKey) -> str:
    async with connect(url, name="Host", key=key) as host:
        event = await create(host, FILE.replace("best_of = 3\n", ""))
        await host.request(EventDo(id=0, event=event, do="open"))
    await enter(url, event, rival, "Basil")
    return event


async def begin(url: str, event: str, key: PlayerKey) -> None:
    async with connect(url, name="Host", key=key) as host:
        await host.request(EventDo(id=0, event=event, do="start"))


def test_I4_a_player_of_two_events_keeps_the_first_seat_and_then_goes_to_the_second(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """The page asks for the second seat before it leaves the first table, and the server says `busy`."""
    url, (hosts, rival) = web_server.url, (PlayerKey.new(), PlayerKey.new())
    with OtherPlayers() as others, sitting(browser, url, name="Ada") as ada:
        heard: list[str] = []
        ada.page.on("websocket", lambda it: it.on("framereceived", lambda frame: heard.append(str(frame))))
        first, second = (others.run(open_for(url, hosts, rival)) for _ in range(2))
        for event in (second, first):
            ada.open(f"/events/{event}")
            ada.page.get_by_role("button", name="Enter as Ada").click()
            ada.page.get_by_text("You are in as Ada").wait_for()
        others.run(begin(url, first, hosts))
        ada.page.wait_for_url("**/t/*")
        table = ada.page.url
        others.run(begin(url, second, hosts))
        ada.wait_until(lambda _: any("busy" in it for it in heard), "the second seat was asked for")
        basil = RandomPlayer(random.Random(3))
        others.begin(play_event(url, first, rival, "Basil", basil))
        sit_and_play(ada)
        assert ada.page.url == table
        ada.page.get_by_text("Your next table is").wait_for()
        ada.page.get_by_role("button", name="Go now").click()
        ada.page.wait_for_url(lambda url: "/t/" in url and url != table)
        ada.page.get_by_role("button", name="I am here").wait_for()
        assert ada.complaints == []


def test_the_page_says_where_a_player_sits_next_and_the_organiser_sees_who_is_late(
    browser: "Browser", web_server: ServerProcess
) -> None:
    """§11, T23, T66: table, seat and opponent with its rating; after the call, how long the table waits."""
    file = FILE.replace("break_seconds = 0", "break_seconds = 6")
    with (
        OtherPlayers() as others,
        sitting(browser, web_server.url, size=LAPTOP, name="Olga") as olga,
        sitting(browser, web_server.url, name="Ada") as ada,
    ):
        event = host(olga, file)
        others.run(enter(web_server.url, event, PlayerKey.new(), "Basil"))
        ada.open(f"/events/{event}")
        ada.page.get_by_role("button", name="Enter as Ada").click()
        ada.page.get_by_text("You are in as Ada").wait_for()
        olga.page.get_by_role("button", name="Start", exact=True).click()
        next_seat = ada.page.locator(".nextseat")
        next_seat.filter(has_text=re.compile("Your next table is 1, seat [12]")).wait_for()
        next_seat.filter(has_text="with Basil 1500 ± 1000?").wait_for()
        ada.page.get_by_role("timer").filter(has_text=re.compile("starts in 0:0[1-6]")).wait_for()

        ada.page.wait_for_url("**/t/*")
        ada.page.get_by_text(re.compile(r"Press the button within [12]:\d\d")).wait_for()
        organiser = olga.page.get_by_label("You host this event")
        organiser.locator("summary").filter(has_text="Tables · Round 1").click()
        organiser.locator(".late").filter(
            has_text=re.compile(r"not all here: forfeit in [12]:\d\d")
        ).wait_for()
        ada.page.get_by_role("button", name="I am here").click()
        ada.page.get_by_text("Press the button within").wait_for(state="detached")
        assert serious(ada) == serious(olga) == []
        assert olga.complaints == ada.complaints == []


def test_the_organiser_starts_the_next_round_by_hand(browser: "Browser", web_server: ServerProcess) -> None:
    """§3: with `rounds_start = "hand"` a paired round waits for the button; then its tables are called."""
    file = FILE.replace("[clock]\n", '[clock]\nrounds_start = "hand"\n')
    with OtherPlayers() as others, sitting(browser, web_server.url, size=LAPTOP, name="Olga") as olga:
        event = host(olga, file)
        for name in ("Ada", "Basil"):
            others.run(enter(web_server.url, event, PlayerKey.new(), name))
        page = olga.page
        page.get_by_role("button", name="Start", exact=True).click()
        now = page.get_by_role("button", name="Next round now")
        now.wait_for()
        state = f"fetch('/api/events/{event}').then((it) => it.json()).then((it) => it.round_state)"
        assert page.evaluate(state) == "paired"
        now.click()
        now.wait_for(state="detached")
        assert page.evaluate(state) == "playing"
        assert olga.complaints == []

"""The terminal table, driven by real key presses at both sizes: what a player sees, and what is sent."""

import io
import re
from typing import Any

import pytest
from rich.console import Console, RenderableType
from textual import events

from photofinish.engine import Rng
from photofinish.engine.playthrough import random_steps, start
from photofinish.games import all_games
from photofinish_client.terminal.app import TableApp
from photofinish_client.terminal.draw import draw
from photofinish_client.terminal.lobby import draw_over
from photofinish_client.terminal.menus.menu import Menu
from photofinish_client.terminal.scene import Scene
from photofinish_client.terminal.strip import strip
from photofinish_client.terminal.tables import draw as draw_scene
from photofinish_client.terminal.tables import layout_of, speaker_of, status, trigger
from photofinish_client.terminal.words import Speaker, chip, with_names
from photofinish_protocol import messages as m
from photofinish_protocol.offers import Offer, OneOf
from tests.clients.server_messages import CALL, DRAW, NAMES, RACE, SLAP, room, view
from tests.clients.terminal.test_menu import wire_view
from tests.waiting import until

SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
SEVEN = {"rune": "7", "kind": "number", "colour": "blue", "value": 7}
KING = {"rune": "king", "kind": "red_king", "colour": "red", "value": -2}


def slot(mark: int, *, filled: bool = True, face: Any = None) -> dict[str, Any]:
    return {"filled": filled, "mark": mark, "face": face}


SIGHT = {
    "phase": "turn",
    "turn": 1,
    "main": 53,
    "discard": {"size": 2, "top": SEVEN},
    "table": [
        [slot(4), slot(7, face=KING), slot(1, filled=False)],
        [slot(1), slot(2), slot(3), slot(9)],
        [slot(5)],
        [slot(6)],
    ],
    "totals": [3, 12, 0, 40],
}


def drawn(what: RenderableType, width: int = 80) -> str:
    out = io.StringIO()
    Console(file=out, width=width, color_system=None).print(what)
    return out.getvalue()


def screen(app: TableApp) -> str:
    return drawn_screen(app.export_screenshot())


def drawn_screen(svg: str) -> str:
    import html

    return html.unescape(re.sub(r"<[^>]+>", " ", svg.split("</style>", 1)[1])).replace("\xa0", " ")


def a_table(*, may_play: bool = True) -> tuple[TableApp, list[Any]]:
    app = TableApp(may_play=may_play)
    asked: list[Any] = []
    app.hand = asked.append
    return app, asked


def test_a_face_down_card_an_empty_slot_and_a_face_look_different() -> None:
    text = drawn(draw(view(1, 0, view=SIGHT), room(), 78))

    assert "▒▒" in text
    assert "··" in text
    assert "red king -2" in text
    assert "main ▒53" in text


def test_each_seat_is_drawn_under_its_players_name_and_the_turn_is_marked() -> None:
    text = drawn(draw(view(1, 0, view=SIGHT), room(), 78))

    assert "Ana (you)" in text
    assert "▶ Bo" in text
    assert "▶ Ana" not in text
    assert "totals 40" in text


@pytest.mark.parametrize(
    "value", [[[], []], [[], [{"row": 1, "ghost": None}]], [{}], {}, [None], "", None, 7, [[1], []]]
)
def test_a_view_of_any_shape_can_be_drawn(value: Any) -> None:
    assert "Ana" in drawn(draw(view(1, 0, view={"thing": value, "totals": [1, 2, 3, 4]}), room(), 78))


def test_a_map_is_drawn_as_rows_and_columns() -> None:
    kinds = {
        (0, 0): "start",
        (1, -1): "water",
        (1, 1): "reef",
        (2, 0): "water",
        (3, 1): "water",
        (4, 0): "goal",
    }
    spaces = [{"row": row, "col": col, "kind": kind} for (row, col), kind in kinds.items()]
    lines = drawn(draw(view(1, 0, view={"map": spaces}), room(), 78)).splitlines()

    assert "  -1     ·" in [line.rstrip() for line in lines]
    assert "   0  St    ·     Go" in [line.rstrip() for line in lines]
    assert "   1     Re    ·" in [line.rstrip() for line in lines]


def test_a_card_of_the_deck_is_its_number_and_another_its_part() -> None:
    assert chip(SEVEN).plain == " 7 "
    assert chip({"kind": "ore", "number": 0}).plain == " ore 0 "
    assert chip({"colour": "green", "number": 7}).plain == " 7 "
    assert chip({"id": "b3_1", "part": "salmon", "number": None}).plain == " salmon "


def test_sentences_name_the_players() -> None:
    assert with_names("{0} slapped {2}'s card.", NAMES) == "Ana slapped Cy's card."
    assert Speaker(NAMES).say("why", "{1} is_out").plain == "Bo is out"


def test_the_strip_shows_who_was_first_and_by_how_much() -> None:
    said = m.RaceReport(
        key="r",
        number=1,
        marks=(
            m.Mark(seat=1, move="slap", score=341_200, lo=330_000, hi=350_000, base=40_000),
            m.Mark(seat=0, move="slap", score=212_000, lo=200_000, hi=220_000, base=10_000),
            m.Mark(seat=2, move="slap", score=90_000, lo=80_000, hi=95_000, base=9_000, verdict="void"),
        ),
    )
    lines = [line.plain for line in strip(said, NAMES)]

    assert [line.split()[0] for line in lines] == ["Cy", "Ana", "Bo"]
    assert lines[0].endswith("90.0 ms void")
    assert lines[1].endswith("212.0 ms")
    assert lines[1].index("●") < lines[2].index("●")


@SIZES
async def test_one_key_slaps_and_the_nonce_and_the_reaction_time_are_sent(size: tuple[int, int]) -> None:
    app, asked = a_table()
    async with app.run_test(size=size) as pilot:
        app.hear(room())
        app.hear(view(1, 0, view=SIGHT, offers=(SLAP, DRAW, CALL), race=RACE))
        await pilot.pause()
        shown = screen(app)
        await pilot.press("b")

    [play] = asked
    assert isinstance(play, m.Play)
    assert (play.move, play.race) == ({"t": "slap", "seat": 0, "slot": 1, "mark": 7}, "n1")
    assert play.react_us is not None
    assert "RACE: slap!" in shown


async def test_an_ordinary_move_is_sent_without_a_nonce() -> None:
    app, asked = a_table()
    async with app.run_test(size=(80, 24)) as pilot:
        app.hear(room())
        app.hear(view(1, 0, view=SIGHT, offers=(DRAW, CALL)))
        await pilot.pause()
        await pilot.press("1")

    assert asked == [m.Play(id=0, move={"t": "draw", "from": "main"})]


async def test_a_slash_opens_the_chat_and_typed_letters_make_no_moves() -> None:
    app, asked = a_table()
    async with app.run_test(size=(80, 24)) as pilot:
        app.hear(room())
        app.hear(view(1, 0, view=SIGHT, offers=(SLAP, CALL), race=RACE))
        await pilot.press("slash", *"ab1", "enter", "1", "y")

    assert asked == [
        m.Chat(id=0, text="ab1"),
        m.Play(id=0, move={"t": "call"}, race="n1", react_us=asked[1].react_us),
    ]


async def test_keys_typed_faster_than_the_screen_draws_are_still_handled_in_order() -> None:
    app, asked = a_table()
    async with app.run_test(size=(80, 24)) as pilot:
        app.hear(room())
        app.hear(view(1, 0, view=SIGHT, offers=(SLAP, CALL), race=RACE))
        for key in ("slash", "a", "x", "backspace", "q", "enter", "q"):
            app.post_message(
                events.Key(key, {"slash": "/", "enter": "\r"}.get(key, key if len(key) == 1 else None))
            )
        await pilot.pause()

    assert asked == [m.Chat(id=0, text="aq")]
    assert not app.is_running


async def test_q_leaves_the_table() -> None:
    app, asked = a_table()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("q")

    assert not app.is_running
    assert asked == []


@SIZES
async def test_chat_and_refusals_are_in_the_log(size: tuple[int, int]) -> None:
    app, _ = a_table()
    async with app.run_test(size=size) as pilot:
        app.hear(room())
        app.hear(view(1, 0, view=SIGHT, last=(m.Happened(what="draw", seat=1, text="{1} drew a card."),)))
        app.hear(m.Said(name="Cy", text="hurry up", seat=2))
        app.refuse("It is not your turn.", "C5")
        await pilot.pause()
        shown = screen(app)

    assert "Bo drew a card." in shown
    assert "hurry up" in shown
    assert "It is not your turn. [C5]" in shown


async def test_a_watcher_sees_the_table_and_can_press_nothing() -> None:
    app, asked = a_table(may_play=False)
    async with app.run_test(size=(80, 24)) as pilot:
        app.hear(room())
        app.hear(view(1, 0, you=None, view=SIGHT, race=RACE))
        await pilot.press("a", "1", "enter")
        shown = screen(app)

    assert asked == []
    assert "You are watching." in shown


async def test_the_host_gets_ready_adds_a_bot_and_deals_from_the_keyboard() -> None:
    app, asked = a_table()
    app.seat = 0
    free = (m.Place(seat=0, kind="player", name="Ana", connected=True), m.Place(seat=1, kind="empty"))
    async with app.run_test(size=(80, 24)) as pilot:
        app.hear(room("lobby", seats=free))
        await pilot.press("1", "2", "3")
        shown = screen(app)

    assert [type(request) for request in asked] == [m.Ready, m.Bot, m.Start]
    assert "not ready" in shown


async def test_a_guest_cannot_deal() -> None:
    app, asked = a_table()
    app.seat = 1
    async with app.run_test(size=(80, 24)) as pilot:
        app.hear(room("lobby"))
        await pilot.press("2", "3")

    assert asked == []


@SIZES
async def test_the_end_names_the_winner_and_the_host_can_ask_for_another(size: tuple[int, int]) -> None:
    app, asked = a_table()
    over = m.Over(winners=(0,), why="fewest points", scores=(3, 12, 20, 50), seed="ab" * 32, nonces=())
    async with app.run_test(size=size) as pilot:
        app.hear(view(1, 0, view=SIGHT, over=over))
        app.hear(room("over"))
        await pilot.pause()
        shown = screen(app)
        await pilot.press("1")

    assert "Ana won" in shown
    assert "fewest points" in shown
    assert asked == [m.Rematch(id=0)]


@SIZES
@pytest.mark.parametrize("key", all_games())
async def test_every_game_can_be_drawn_at_every_step(key: str, size: tuple[int, int]) -> None:
    game = all_games()[key]
    play = start(game, game.seats[-1], b"draw" * 8)
    app, _ = a_table()
    async with app.run_test(size=size) as pilot:
        app.hear(room(game=key, players=game.seats[-1]))
        for step, _ in enumerate(random_steps(play, Rng(b"draw", 1)), 1):
            if play.is_over or step == 40:
                break
            app.hear(wire_view(play, play.seats[step % len(play.seats)], step))
        await pilot.pause()
        shown = screen(app)

    assert key.replace("_", " ") in shown
    assert app.view is not None


async def test_q_asks_before_it_leaves_a_seat() -> None:
    app, asked = a_table()
    async with app.run_test(size=(80, 24)) as pilot:
        app.hear(room())
        app.hear(view(1, 0, view=SIGHT, offers=(DRAW,)))
        await pilot.press("q")
        shown = screen(app)
        await pilot.press("1", "n")
        assert app.is_running
        await pilot.press("q", "escape")
        assert app.is_running
        assert "The seat is kept" not in screen(app)
        await pilot.press("q", "y")

    assert "The seat is kept: `photofinish play` resumes it." in shown
    assert asked == []
    assert not app.is_running


async def test_a_seat_is_given_up_only_by_its_own_key_and_the_screen_closes_when_the_server_confirms() -> (
    None
):
    app, asked = a_table()
    async with app.run_test(size=(80, 24)) as pilot:
        app.hear(room())
        app.hear(view(1, 0, view=SIGHT))
        await pilot.press("q", "g")
        assert app.is_running
        app.hear(m.Left(room="ABCD", reason="left", text="You have left."))
        await pilot.pause()

    assert asked == [m.Leave(id=0)]
    assert not app.is_running


async def test_a_player_on_autopilot_is_told_how_to_play_on() -> None:
    app, _ = a_table()
    seats = (m.Place(seat=0, kind="player", name="Ana", connected=True, autopilot=True), *room().seats[1:])
    async with app.run_test(size=(80, 24)) as pilot:
        app.hear(room(seats=seats))
        app.hear(view(1, 0, view=SIGHT))
        await pilot.pause()
        assert "You are on autopilot. Make a move to play on." in screen(app)
        app.hear(room())
        await pilot.pause()
        assert "autopilot" not in screen(app)


@SIZES
async def test_a_lost_connection_shows_until_it_is_back(size: tuple[int, int]) -> None:
    app, _ = a_table()
    is_there = True
    app.is_linked = lambda: is_there
    async with app.run_test(size=size) as pilot:
        app.hear(room())
        app.hear(view(1, 0, view=SIGHT))
        is_there = False
        await until(lambda: "NO CONNECTION for" in screen(app), "the screen says that the connection is lost")
        is_there = True
        await until(lambda: "NO CONNECTION" not in screen(app), "the screen says no longer that it is lost")
        await pilot.pause()


@SIZES
async def test_a_question_mark_shows_the_rules_and_the_table_again(size: tuple[int, int]) -> None:
    app, asked = a_table()
    games = []

    async def rules(game: str) -> str:
        games.append(game)
        return "# Rules of the test\n\n**C5** It is not your turn."

    app.rules = rules
    async with app.run_test(size=size) as pilot:
        app.hear(room())
        app.hear(view(1, 0, view=SIGHT, offers=(SLAP, DRAW), race=RACE))
        await pilot.press("question_mark")
        await until(lambda: "Rules of the test" in screen(app), "the rules are on the screen")
        shown = screen(app)
        await pilot.press("a")
        await pilot.press("question_mark")
        await until(lambda: "Rules of the test" not in screen(app), "the table is back")

    assert games == ["cambio"]
    assert "RACE: slap!" in shown  # a race is also shown on top of the rules
    assert [type(it) for it in asked] == [m.Play]


async def test_a_long_menu_scrolls_to_the_marked_entry_at_80_by_24() -> None:
    cards = Offer(
        "play", (OneOf(("card",), tuple((f"the card number {n:02}",) for n in range(40))),), text="Play"
    )
    app, asked = a_table()
    async with app.run_test(size=(80, 24)) as pilot:
        app.hear(room())
        app.hear(view(1, 0, view=SIGHT, offers=(cards, CALL)))
        await pilot.press("1")
        await pilot.pause()
        first = screen(app)
        for _ in range(15):
            await pilot.press("down")
        await pilot.pause()
        last = screen(app)
        await pilot.press("enter")

    assert "the card number 00" in first
    assert "the card number 39" not in first
    assert "below" in first
    assert "the card number 39" in last
    assert "above" in last
    [play] = asked
    assert play.move["card"] in last


@pytest.mark.parametrize(
    ("key", "words"),
    {
        "alaska": ("[1 ]", "g10", "your hand", "caught"),
        "cambio": ("main ▒", "discard", "points"),
        "cauldron15": ("cauldron", "trump", "your hand"),
        "gravekeepers": ("column 0", "row3", "W▶", "▲B", "sole most costs"),
        "hameln_cave": ("ghost track", "surplus", "character", "▶ ship"),
        "jamaica": ("captain", "to go", "0PR", "49s3"),
        "kodiak": ("cat", "mouse", "main ▒"),
        "reflex": ("light 1 of 10", "dark", "GREEN", "false starts"),
        "rune_market": ("market", "red house", "your hand"),
    }.items(),
)
def test_each_game_is_drawn_by_its_own_layout(key: str, words: tuple[str, ...]) -> None:
    game = all_games()[key]
    play = start(game, game.seats[-1], b"lay " * 8)
    seen: set[str] = set()
    for step, _ in enumerate(random_steps(play, Rng(b"lay", 1))):
        if play.is_over or step == 60:
            break
        seat = play.seats[step % len(play.seats)]
        scene = Scene(wire_view(play, seat), room(game=key, players=game.seats[-1]), 76)
        made = layout_of(key).draw
        assert made is not None
        text = drawn(made(scene), 76)  # raises if the layout and the view do not fit each other
        assert drawn(draw_scene(scene), 76) == text
        seen |= {word for word in words if word in text}
        assert status(scene).plain or not scene.awaited
        assert not re.search(r"\{\d+\}", text)

    assert seen == set(words)


@pytest.mark.parametrize("key", all_games())
def test_no_entry_of_a_menu_is_a_dump_of_fields_or_an_unfilled_template(key: str) -> None:
    game = all_games()[key]
    play, menu = start(game, game.seats[-1], b"menu" * 8), Menu()
    for step, _ in enumerate(random_steps(play, Rng(b"menu", 1))):
        if play.is_over or step == 60:
            break
        for seat in play.seats:
            shown = wire_view(play, seat)
            menu.show(shown, speaker_of(Scene(shown, room(game=key, players=game.seats[-1]))))
            for entry in menu.entries():
                assert not re.search(r"\{|mark \d|'", entry.text.plain.replace("'s ", "")), entry.text.plain


def test_a_red_light_is_not_announced_as_a_race_to_press_in() -> None:
    game = all_games()["reflex"]
    play = start(game, 2, b"red " * 8, game.options(stop_percent=50, flashes=40))
    lines = set()
    for step, _ in enumerate(random_steps(play, Rng(b"red", 1))):
        if play.is_over or step == 400:
            break
        shown = wire_view(play, play.seats[0])
        if shown.race is not None:
            lines.add(trigger(Scene(shown, room(game="reflex", players=2))).plain.strip())

    assert lines == {"RACE: press!   GREEN", "RACE: do not press!   RED"}


def test_a_view_that_a_layout_does_not_know_is_drawn_from_its_fields() -> None:
    odd = view(1, 0, game="jamaica", view={"phase": "other", "totals": [1, 2, 3, 4]})

    assert "totals 3" in drawn(draw_scene(Scene(odd, room(game="jamaica"))))


def test_the_end_and_refusals_name_players_not_seats() -> None:
    over = m.Over(winners=(1,), why="{1} has the most points", scores=(3, 12, 2, 1), seed="ab", nonces=())

    assert "Bo has the most points" in drawn(draw_over(over, room()))


def test_the_end_is_ordered_by_places_and_not_by_points() -> None:
    over = m.Over(winners=(2,), why="", scores=(9, 4, 1, 7), seed="", nonces=(), places=(4, 2, 1, 3))
    lines = drawn(draw_over(over, room())).splitlines()
    order = [next(n for n, line in enumerate(lines) if f"{place}. " in line) for place in (1, 2, 3, 4)]

    assert order == sorted(order)
    assert "Ana" in lines[order[3]]

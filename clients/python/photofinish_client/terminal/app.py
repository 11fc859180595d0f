"""The terminal table (a Textual app): shows events of the server, and turns keys into messages."""

from collections.abc import Awaitable, Callable
from time import monotonic, perf_counter_ns
from typing import ClassVar, Final

from rich.console import RenderableType
from rich.markdown import Markdown
from rich.table import Table as Grid
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.widgets import RichLog, Static

from photofinish_client.connection.session import Event
from photofinish_client.terminal.clocks import clocks_line
from photofinish_client.terminal.draw import has_slots
from photofinish_client.terminal.leaving import LEAVING, Leaving
from photofinish_client.terminal.lobby import draw_lobby, draw_over, lobby_keys
from photofinish_client.terminal.menus.menu import Menu, MenuEntry
from photofinish_client.terminal.menus.menu_view import columns_of, draw_menu
from photofinish_client.terminal.scene import Scene, names_of
from photofinish_client.terminal.strip import strip
from photofinish_client.terminal.tables import draw, speaker_of, status, trigger
from photofinish_client.terminal.trigger import paint, race_line
from photofinish_client.terminal.words import plain, seat_name, with_names
from photofinish_protocol.messages import (
    Bye,
    Called,
    Chat,
    Emoted,
    EventNews,
    Leave,
    Left,
    Pending,
    Play,
    RaceReport,
    Request,
    Room,
    Said,
    View,
)  # fmt: skip
from photofinish_protocol.version import MAX_CHAT

WIDE: Final = 110
"""Least columns at which the log is beside the table, not below it."""
LOG_WIDTH: Final = 38
TALL: Final = 32
"""Least rows at which the menu may be longer."""
AFTER_TRIGGER: Final = 0.01
"""Seconds between the line that starts a race and the drawing of the whole table."""
SHOW_CUT_AFTER: Final = 0.5
"""Seconds without a connection before the screen shows it. A reconnection to another node takes less."""


class TableApp(App[None]):
    """One table. `hand` is called with every message to send; `source` runs when the screen is mounted."""

    CSS = f"""
    Screen {{ layout: vertical; }}
    #head {{ height: 1; background: #20303c; padding: 0 1; }}
    #status {{ height: 1; background: #2b3640; }}
    #middle {{ height: 1fr; layout: vertical; }}
    #middle.wide {{ layout: horizontal; }}
    #table {{ height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }}
    #log {{ height: 3; background: #151b21; padding: 0 1; scrollbar-size-vertical: 1; }}
    .wide #log {{ width: {LOG_WIDTH}; height: 100%; border-left: solid #33404b; }}
    #menu {{ height: auto; border-top: solid #33404b; padding: 0 1; }}
    #say {{ display: none; height: 1; padding: 0 1; }}
    #say.open {{ display: block; }}
    #foot {{ height: 1; color: #8a929c; padding: 0 1; }}
    """
    AUTO_FOCUS = None  # keys are moves until a slash opens the chat
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, *, may_play: bool) -> None:
        super().__init__()
        self.may_play = may_play
        self.hand: Callable[[Request], None] = lambda _: None
        self.source: Callable[[], Awaitable[None]] | None = None
        self.rules: Callable[[str], Awaitable[str]] | None = None
        """Fetches the rules of a game, as Markdown."""
        self.is_linked: Callable[[], bool] = lambda: True
        """Whether there is a connection now."""
        self.view: View | None = None
        self.room: Room | None = None
        self.menu = Menu()
        self.has_ended = False
        """The connection has ended for good."""
        self.left: Left | None = None
        """The message that ended our seat; None while we have it."""
        self.event = ""
        """The event that is played here."""
        self.called: Called | None = None
        """Its call to another table, which ends this screen."""
        self.on_news: Callable[[EventNews], None] = lambda _: None
        self._seen_at = monotonic()
        self._linked_at = monotonic()
        self._drawn: tuple[str, int] | None = None
        self._leaving: Leaving | None = None
        self._page: str | None = None
        """The rules, while they are shown."""
        self._logged: list[Text] = []
        self._line: str | None = None
        """The chat text that is being typed; None while keys are moves."""
        self._head = Static(id="head")
        self._status = Static(id="status")
        self._table = Static(id="table-text")
        self._choices = Static(id="choices")
        self._say = Static(id="say")
        self._log_lines = RichLog(id="log", wrap=True, max_lines=500, min_width=10)
        self._log_lines.can_focus = False

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._status  # in the row that `trigger.py` writes to
        with Container(id="middle"):
            with VerticalScroll(id="table", can_focus=False):
                yield self._table
            yield self._log_lines
        with Vertical(id="menu"):
            yield self._choices
        yield self._say
        yield Static(self._keys(), id="foot")

    def on_mount(self) -> None:
        self.set_interval(0.25, self._show_head)
        self.show()
        if self.source is not None:
            self.run_worker(self.source(), exit_on_error=True)

    def on_resize(self) -> None:
        self.query_one("#middle").set_class(self.size.width >= WIDE, "wide")
        self.call_after_refresh(self.show)
        self.call_after_refresh(self._rewrite_log)

    def hear(self, event: Event) -> None:
        """Show an event of the server. The line that starts a race is written before anything else is done."""
        if isinstance(event, View) and self._starts_race(event):
            self._paint_trigger(event)
            # Drawn a little later: the thread that writes the line needs the interpreter lock first.
            self.set_timer(AFTER_TRIGGER, self.show)
        else:
            self.call_later(self.show)
        match event:
            case View():
                self._see(event)
            case Room():
                self._note_room(event)
            case Said(name=name, text=text):
                self.tell(Text.assemble((name, "bold cyan"), f": {text}"))
            case Emoted(seat=seat, emote=emote):
                self.tell(Text(f"{seat_name(self._names, seat)}: {plain(emote)}", style="cyan"))
            case RaceReport():
                lines = strip(event, self._names)
                for line in [Text("The race:", style="yellow"), *lines] if lines else []:
                    self.tell(line)
            case Pending():
                self.tell(Text("held until the race is decided …", style="dim"))
            case Left(text=text) | Bye(text=text):
                self.tell(Text(with_names(text, self._names), style="red"))
                if isinstance(event, Left):
                    self._lost_seat(event)
            case Called(event=self.event, room=room, table=table) if (
                self.room is None or room != self.room.room
            ):
                self.called = event
                self.tell(Text(f"You are called to table {table}.", style="yellow"))
                self.exit()
            case EventNews():
                self.on_news(event)
            case _:
                pass

    @property
    def is_finished(self) -> bool:
        """The game is over, or we are not in it any more."""
        return (
            self.left is not None or self.has_ended or (self.view is not None and self.view.over is not None)
        )

    def refuse(self, text: str, clause: str = "") -> None:
        """Show the refusal of a message."""
        text = with_names(text, self._names)
        self.tell(Text(f"{text} [{clause}]" if clause else text, style="#e07a74"))

    def tell(self, line: Text) -> None:
        self._logged.append(line)
        if self.is_running:
            self._log_lines.write(line)

    def on_key(self, event: events.Key) -> None:
        """Handle a key. Most keys make a move at once, without a confirmation."""
        # The time of the key is when the terminal read it, not when a busy screen handles it.
        now = perf_counter_ns() - max(0, int((monotonic() - event.time) * 1e9))
        if self._line is not None:
            self._type(event)
            return
        event.prevent_default()
        if self._leaving is not None:
            self._answer_leaving(event.key if event.key in ("enter", "escape") else event.character or "")
        elif event.character == "q":
            self._ask_to_leave()
        elif event.character == "/":
            self._line = ""
            self._show_line()
        elif event.character == "?" or (event.key == "escape" and self._page is not None):
            self._toggle_rules()
        elif event.key in ("pageup", "pagedown", "up", "down", "left", "right"):
            self._arrow(event.key)
        elif self.may_play:
            self._press(event.key if event.key in ("enter", "escape") else event.character or "", now)

    def _type(self, event: events.Key) -> None:
        """Handle a key of the chat. There is no input widget: it would get the focus too late for fast typing."""
        line = self._line or ""
        if event.key == "enter" and line.strip():
            self.hand(Chat(id=0, text=line.strip()))
        if event.key in ("enter", "escape"):
            self._line = None
        elif event.key == "backspace":
            self._line = line[:-1]
        elif event.is_printable and event.character:
            self._line = (line + event.character)[:MAX_CHAT]
        self._show_line()

    def _show_line(self) -> None:
        self._say.set_class(self._line is not None, "open")
        self._say.update(Text.assemble(("say: ", "cyan"), self._line or "", ("▏", "blink")))

    def _ask_to_leave(self) -> None:
        """Ask before leaving a seat. Without a seat, exit at once."""
        if not self.may_play or self.has_ended or self.left is not None or self._you is None:
            self.exit()
            return
        self._leaving = Leaving()
        self.show()

    def _answer_leaving(self, key: str) -> None:
        assert self._leaving is not None
        match self._leaving.press(key):
            case "keep":
                self.exit()
            case "give up":
                self.hand(Leave(id=0))
            case "stay":
                self._leaving = None
            case None:
                pass
        self.show()

    def _lost_seat(self, event: Left) -> None:
        """We have lost or given up the seat."""
        self.left = event
        if self._leaving is not None and self._leaving.is_for_good:
            self.exit()
        self._leaving = None

    def _toggle_rules(self) -> None:
        """Show the rules of this game, or the table again."""
        table = self.view or self.room
        if self._page is not None:
            self._page = None
            self.show()
        elif table is not None and self.rules is not None:
            self._page = "Fetching the rules …"
            self.show()
            self.run_worker(self._fetch_rules(table.game), exit_on_error=False)

    async def _fetch_rules(self, game: str) -> None:
        assert self.rules is not None
        text = await self.rules(game)
        if self._page is not None:
            self._page = text
            self.show()
            self.query_one("#table", VerticalScroll).scroll_home(animate=False)

    def show(self) -> None:
        """Draw everything again."""
        if not self.is_running:
            return
        self._show_head()
        self._table.update(self._drawn_table())
        self._choices.update(self._drawn_menu())

    def _keys(self) -> Text:
        keys = "/ chat · ? rules · ↑↓ choose · PgUp PgDn scroll · q leave"
        return Text(keys if self.may_play else f"watching · {keys}")

    @property
    def _names(self) -> tuple[str, ...]:
        return names_of(self.room, len(self.view.scores) if self.view else 0)

    @property
    def _table_width(self) -> int:
        return max(20, self.size.width - (LOG_WIDTH if self.size.width >= WIDE else 0) - 4)

    @property
    def _scene(self) -> Scene | None:
        if self.view is None:
            return None
        keys = self.menu.slot_keys() if self.may_play else {}
        height = self.query_one("#table").size.height if self.is_running else 12
        return Scene(self.view, self.room, self._table_width, height, keys)

    def _starts_race(self, view: View) -> bool:
        is_known = view.race is not None and self._drawn is not None and self._drawn[0] == view.race.nonce
        return view.race is not None and view.over is None and not is_known

    def _paint_trigger(self, view: View) -> None:
        """Write the race's line to the terminal now. `react_us` counts from this moment."""
        assert view.race is not None
        line = race_line(trigger(Scene(view, self.room)), self.size.width)
        if self.is_running and self._driver is not None:
            self._driver.write(paint(line))
        self._drawn = (view.race.nonce, perf_counter_ns())

    def _see(self, view: View) -> None:
        self.view, self._seen_at = view, monotonic()
        self.menu.show(view, speaker_of(Scene(view, self.room)))
        for it in view.last:
            if it.text:
                self.tell(Text(with_names(it.text, self._names)))

    def _note_room(self, room: Room) -> None:
        if self.room is not None and room.phase == "lobby" and self.room.phase != "lobby":
            self.view = None
        self.room = room
        if self.view is not None:
            self.menu.show(self.view, speaker_of(Scene(self.view, room)))

    def _press(self, key: str, now: int) -> None:
        if self._is_playing:
            move = self.menu.press(key)
            if move is not None:
                self.hand(self._play(move, now))
            self.call_later(self.show)
            return
        for lobby_key, _, request in lobby_keys(self.room, self._you) if self.room else []:
            if lobby_key == key:
                self.hand(request)
                return

    def _play(self, move: dict[str, object], now: int) -> Play:
        race = self.view.race if self.view else None
        if race is None or move.get("t") not in (*race.moves, *race.closers):
            return Play(id=0, move=move)
        took = (now - self._drawn[1]) // 1000 if self._drawn and self._drawn[0] == race.nonce else None
        return Play(id=0, move=move, race=race.nonce, react_us=max(0, took) if took is not None else None)

    @property
    def _is_playing(self) -> bool:
        return self.view is not None and self.view.over is None and not self._is_lobby

    @property
    def _is_lobby(self) -> bool:
        return self.room is not None and self.room.phase == "lobby"

    seat: int | None = None
    """The seat of this player, known from joining: in the lobby there is no view."""

    @property
    def _you(self) -> int | None:
        return self.view.you if self.view is not None else self.seat

    def _show_head(self) -> None:
        """Draw the first two lines: the table and the clocks; the status."""
        line = Text("Photofinish", style="bold")
        game = self.view or self.room
        if game is not None:
            line.append(f"  {game.room} · {plain(game.game)}")
        if self.room is not None and self.room.watchers:
            line.append(f" · {self.room.watchers} watching", "dim")
        if self._is_playing and self.view is not None:
            line.append_text(clocks_line(self.view, self._names, monotonic() - self._seen_at))
        self._head.update(line, layout=False)
        self._status.update(self._drawn_status(), layout=False)

    def _drawn_status(self) -> Text:
        if self.is_linked() and not self.has_ended:
            self._linked_at = monotonic()
        away = monotonic() - self._linked_at
        if self.has_ended:
            return Text(" The connection has ended. Press q. ", style="bold white on #b03030")
        if away >= SHOW_CUT_AFTER:
            text = f" NO CONNECTION for {away:.0f} s: trying again. Your seat is kept. "
            return Text(text, style="bold white on #b03030")
        scene = self._scene
        if scene is None or not self._is_playing:
            return Text("")
        if scene.view.race is not None:
            return race_line(trigger(scene), self.size.width)
        mine = scene.place(scene.you) if scene.you is not None else None
        if mine is not None and mine.autopilot:
            return Text(" You are on autopilot. Make a move to play on.", style="bold yellow")
        return Text(" ").append_text(status(scene))

    def _drawn_table(self) -> RenderableType:
        if self._page is not None:
            return Markdown(self._page)
        if self.room is not None and (self._is_lobby or self.room.dealing is not None):
            return draw_lobby(self.room, self._you)
        scene = self._scene
        if scene is None:
            return Text("Waiting for the table …", style="dim")
        if scene.view.over is None:
            return draw(scene)
        grid = Grid.grid()
        grid.add_row(draw_over(scene.view.over, self.room))
        grid.add_row(draw(scene))
        return grid

    def _drawn_menu(self) -> RenderableType:
        width, height = self.size.width - 4, 12 if self.size.height >= TALL else 6
        if self._leaving is not None:
            return draw_menu(self._leaving.title, LEAVING, width, height)
        if not self.may_play:
            return Text("You are watching.", style="dim")
        if self._is_playing:
            title, entries = self._listed()
            return draw_menu(title, entries, width, height)
        rows = lobby_keys(self.room, self._you) if self.room else []
        entries = [MenuEntry(key, Text(text)) for key, text, _ in rows]
        return draw_menu("The game is over" if self.view else "", entries, width, height)

    def _listed(self) -> tuple[str, list[MenuEntry]]:
        """The menu without the letters that are shown on cards."""
        title, entries = self.menu.title, self.menu.entries()
        drawn = set(self.menu.slot_keys().values())
        if self.view is None or not drawn or not has_slots(self.view):
            return title, entries
        at_cards = [entry for entry in entries if entry.is_fast and entry.key in drawn]
        moves = sorted({entry.text.plain.split(" ")[0] for entry in at_cards})
        title += f" · {', '.join(moves)}: the letter at the card" if moves else ""
        return title, [entry for entry in entries if entry not in at_cards]

    def _arrow(self, key: str) -> None:
        """The arrows move in the menu. Without a menu, and for the Page keys, the table scrolls."""
        entries = self._listed()[1] if self._is_playing and self.may_play else []
        if key in ("up", "down", "left", "right") and entries and self._page is None:
            across = columns_of(entries, self.size.width - 4)
            self.menu.step({"up": -across, "down": across, "left": -1, "right": 1}[key])
            self.show()
            return
        table = self.query_one("#table", VerticalScroll)
        scroll = {
            "up": table.scroll_up, "down": table.scroll_down,
            "pageup": table.scroll_page_up, "pagedown": table.scroll_page_down,
        }.get(key)  # fmt: skip
        if scroll is not None:
            scroll(animate=False)

    def _rewrite_log(self) -> None:
        """Write all lines of the log again, because they are wrapped for the old width."""
        self._log_lines.clear()
        for line in self._logged[-200:]:
            self._log_lines.write(line)

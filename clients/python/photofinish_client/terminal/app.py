"""The terminal table itself (textual): hears what the server says, shows it, and hands on what the player wants."""

from collections.abc import Awaitable, Callable
from time import monotonic, perf_counter_ns
from typing import ClassVar, Final

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container, VerticalScroll
from textual.widgets import RichLog, Static

from photofinish_client.session import Event
from photofinish_client.terminal.draw import draw, has_slots, names_of
from photofinish_client.terminal.lobby import draw_lobby, draw_over, wishes
from photofinish_client.terminal.menu import Entry, Menu
from photofinish_client.terminal.strip import strip
from photofinish_client.terminal.words import Speaker, plain, seat_name, told
from photofinish_protocol.messages import (
    Ask,
    Bye,
    Chat,
    Emoted,
    Left,
    Pending,
    Play,
    RaceSaid,
    Room,
    Said,
    View,
)  # fmt: skip
from photofinish_protocol.version import MAX_CHAT

WIDE: Final = 110
"""From so many columns on the log stands beside the table, not below it."""
LOG_WIDTH: Final = 38


class TableApp(App[None]):
    """One table. `hand` takes every message the player wants to send; `source` is run once the screen is there."""

    CSS = f"""
    Screen {{ layout: vertical; }}
    #head {{ height: 1; background: #20303c; padding: 0 1; }}
    #race {{ height: 1; background: #d9a514; color: #101418; text-style: bold; padding: 0 1; display: none; }}
    #race.open {{ display: block; }}
    #middle {{ height: 1fr; layout: vertical; }}
    #middle.wide {{ layout: horizontal; }}
    #table {{ height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }}
    #log {{ height: 3; background: #151b21; padding: 0 1; scrollbar-size-vertical: 1; }}
    .wide #log {{ width: {LOG_WIDTH}; height: 100%; border-left: solid #33404b; }}
    #menu {{ height: auto; max-height: 8; border-top: solid #33404b; padding: 0 1; scrollbar-size-vertical: 1; }}
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
        self.hand: Callable[[Ask], None] = lambda _: None
        self.source: Callable[[], Awaitable[None]] | None = None
        self.view: View | None = None
        self.room: Room | None = None
        self.menu = Menu()
        self._seen_at = monotonic()
        self._drawn: tuple[str, int] | None = None
        self._logged: list[Text] = []
        self._line: str | None = None
        """What is being typed for the chat; None while the keys are moves."""
        self._head = Static(id="head")
        self._banner = Static(id="race")
        self._sight = Static(id="sight")
        self._choices = Static(id="choices")
        self._say = Static(id="say")
        self._story = RichLog(id="log", wrap=True, max_lines=500, min_width=10)
        self._story.can_focus = False

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._banner
        with Container(id="middle"):
            with VerticalScroll(id="table", can_focus=False):
                yield self._sight
            yield self._story
        with VerticalScroll(id="menu", can_focus=False):
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
        self.call_after_refresh(self._retell)

    def hear(self, event: Event) -> None:
        """Something came from the server."""
        match event:
            case View():
                self._see(event)
            case Room():
                self._note_room(event)
            case Said(name=name, text=text):
                self.tell(Text.assemble((name, "bold cyan"), f": {text}"))
            case Emoted(seat=seat, emote=emote):
                self.tell(Text(f"{seat_name(self._names, seat)}: {plain(emote)}", style="cyan"))
            case RaceSaid():
                lines = strip(event, self._names)
                for line in [Text("The race:", style="yellow"), *lines] if lines else []:
                    self.tell(line)
            case Pending():
                self.tell(Text("held until the race is decided …", style="dim"))
            case Left(text=text) | Bye(text=text):
                self.tell(Text(text, style="red"))
            case _:
                return
        self.show()

    def refuse(self, text: str, clause: str = "") -> None:
        """A wish was not granted."""
        self.tell(Text(f"{text} [{clause}]" if clause else text, style="#e07a74"))

    def tell(self, line: Text) -> None:
        self._logged.append(line)
        if self.is_running:
            self._story.write(line)

    def on_key(self, event: events.Key) -> None:
        """Every key is a move's own: nothing has to be confirmed that one key can say."""
        now = perf_counter_ns()
        if self._line is not None:
            self._type(event)
            return
        event.prevent_default()
        if event.character == "q":
            self.exit()
        elif event.character == "/":
            self._line = ""
            self._show_line()
        elif event.key in ("pageup", "pagedown", "up", "down"):
            self._scroll(event.key)
        elif self.may_play:
            self._press(event.key if event.key in ("enter", "escape") else event.character or "", now)

    def _type(self, event: events.Key) -> None:
        """The keys of the chat. No widget takes the focus for it: focus comes late, and a quick hand does not."""
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

    def show(self) -> None:
        """Draw everything anew from what is known."""
        if not self.is_running:
            return
        self._show_head()
        race = self.view.race if self.view and self.view.over is None else None
        self._banner.set_class(race is not None, "open")
        if race is not None:
            moves = ", ".join(plain(it) for it in race.moves if it not in race.closers)
            letters = " Press the letter." if any(it.is_fast for it in self.menu.entries()) else ""
            self._banner.update(
                Text(f"A RACE IS OPEN: {moves or 'be quick'}!{letters if self.may_play else ''}")
            )
        self._sight.update(self._drawn_table())
        self._choices.update(self._drawn_menu())

    def _keys(self) -> Text:
        keys = "/ chat · ↑↓ scroll · q quit"
        return Text(keys if self.may_play else f"watching · {keys}")

    @property
    def _names(self) -> tuple[str, ...]:
        return names_of(self.room, len(self.view.scores) if self.view else 0)

    def _see(self, view: View) -> None:
        self.view, self._seen_at = view, monotonic()
        for it in view.last:
            if it.text:
                self.tell(Text(told(it.text, self._names)))
        self.menu.show(view, Speaker(self._names, view.view))
        if view.race is not None and (self._drawn is None or self._drawn[0] != view.race.nonce):
            nonce = view.race.nonce
            self._drawn = None
            # The hand can only answer what the screen has shown: the clock starts after the drawing.
            self.call_after_refresh(self._was_drawn, nonce)

    def _was_drawn(self, nonce: str) -> None:
        if self._drawn is None or self._drawn[0] != nonce:
            self._drawn = (nonce, perf_counter_ns())

    def _note_room(self, room: Room) -> None:
        if self.room is not None and room.phase == "lobby" and self.room.phase != "lobby":
            self.view = None
        self.room = room

    def _press(self, key: str, now: int) -> None:
        if self._is_playing:
            move = self.menu.press(key)
            if move is not None:
                self.hand(self._play(move, now))
            self.show()
            return
        you = self._you
        for wish_key, _, ask in wishes(self.room, you) if self.room else []:
            if wish_key == key:
                self.hand(ask)
                return

    def _play(self, move: dict[str, object], now: int) -> Play:
        race = self.view.race if self.view else None
        if race is None or move.get("t") not in (*race.moves, *race.closers):
            return Play(id=0, move=move)
        took = (now - self._drawn[1]) // 1000 if self._drawn and self._drawn[0] == race.nonce else None
        return Play(id=0, move=move, race=race.nonce, react_us=took)

    @property
    def _is_playing(self) -> bool:
        return self.view is not None and self.view.over is None and not self._is_lobby

    @property
    def _is_lobby(self) -> bool:
        return self.room is not None and self.room.phase == "lobby"

    seat: int | None = None
    """Where this player sits, known from joining: in the lobby there is no view to tell it."""

    @property
    def _you(self) -> int | None:
        return self.view.you if self.view is not None else self.seat

    def _show_head(self) -> None:
        line = Text("Photofinish", style="bold")
        game = self.view or self.room
        if game is not None:
            line.append(f"  {game.room} · {plain(game.game)}")
        if self.room is not None and self.room.watchers:
            line.append(f" · {self.room.watchers} watching", "dim")
        if self._is_playing and self.view is not None:
            passed = monotonic() - self._seen_at
            for who, left, is_running in _clocks(self.view, self._names, passed):
                style = "red" if is_running and left < 5 else ("bold" if is_running else "dim")
                line.append(f"  {who} {left:.0f}s", style)
        self._head.update(line)

    def _drawn_table(self) -> RenderableType:
        width = max(20, self.size.width - (LOG_WIDTH if self.size.width >= WIDE else 0) - 4)
        if self._is_lobby and self.room is not None:
            return draw_lobby(self.room, self._you)
        if self.view is None:
            return Text("Waiting for the table …", style="dim")
        table = draw(self.view, self.room, width, self.menu.slot_keys() if self.may_play else None)
        if self.view.over is None:
            return table
        grid = Grid.grid()
        grid.add_row(draw_over(self.view.over, self.room))
        grid.add_row(table)
        return grid

    def _drawn_menu(self) -> RenderableType:
        if not self.may_play:
            return Text("You are watching.", style="dim")
        if self._is_playing:
            title, entries = self.menu.title, self.menu.entries()
            if (
                self.view is not None
                and has_slots(self.view)
                and (drawn := set(self.menu.slot_keys().values()))
            ):
                # The letters stand on the cards themselves: no need to list them again.
                moves = {
                    entry.text.plain.split(" ")[0]
                    for entry in entries
                    if entry.is_fast and entry.key in drawn
                }
                entries = [entry for entry in entries if not (entry.is_fast and entry.key in drawn)]
                title += f" · {', '.join(sorted(moves))}: the letter at the card" if moves else ""
            return _menu(title, entries, self.size.width - 4)
        rows = wishes(self.room, self._you) if self.room else []
        return _menu(
            "The game is over" if self.view else "", [Entry(key, Text(text)) for key, text, _ in rows], 60
        )

    def _scroll(self, key: str) -> None:
        table = self.query_one("#table", VerticalScroll)
        {
            "up": table.scroll_up,
            "down": table.scroll_down,
            "pageup": table.scroll_page_up,
            "pagedown": table.scroll_page_down,
        }[key](animate=False)

    def _retell(self) -> None:
        """The log's lines are wrapped when written: write them again for the new width."""
        self._story.clear()
        for line in self._logged[-200:]:
            self._story.write(line)


def _clocks(view: View, names: tuple[str, ...], passed: float) -> list[tuple[str, float, bool]]:
    """Who has how long; the players first, and of clocks alike only the one that runs out first."""
    found: dict[str, tuple[str, float, bool]] = {}
    for clock in sorted(view.clocks, key=lambda it: (it.seat is None, it.left_us)):
        left = max(0.0, clock.left_us / 1e6 - (passed if clock.running else 0))
        who = seat_name(names, clock.seat) if clock.seat is not None else plain(clock.key.split(":")[0])
        found.setdefault(who, (who, left, clock.running))
    return list(found.values())


def _menu(title: str, entries: list[Entry], width: int) -> RenderableType:
    """The entries in as many columns as fit, in reading order."""
    grid = Grid.grid()
    if title:
        grid.add_row(Text(title, style="bold"))
    if entries:
        widest = max(entry.text.cell_len for entry in entries) + 6
        columns = max(1, min(len(entries), width // widest))
        inner = Grid.grid(padding=(0, 2, 0, 0))
        said = [
            Text.assemble(
                (
                    f" {'↵' if entry.key == 'enter' else entry.key} ",
                    "bold black on yellow" if entry.is_fast else "reverse",
                ),
                " ✓ " if entry.is_on else " ",
                entry.text,
            )
            for entry in entries
        ]
        for first in range(0, len(said), columns):
            inner.add_row(*said[first : first + columns])
        grid.add_row(inner)
    return grid

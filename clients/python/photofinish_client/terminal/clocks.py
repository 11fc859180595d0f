"""The clocks, for the first line of the screen."""

from rich.text import Text

from photofinish_client.terminal.words import plain, seat_name
from photofinish_protocol.messages import View


def clocks_line(view: View, names: tuple[str, ...], passed: float) -> Text:
    """The time left, players first. Of several clocks with one name, only the shortest is shown."""
    found: dict[str, Text] = {}
    for clock in sorted(view.clocks, key=lambda it: (it.seat is None, it.left_us)):
        left = max(0.0, clock.left_us / 1e6 - (passed if clock.running else 0))
        who = seat_name(names, clock.seat) if clock.seat is not None else plain(clock.key.split(":")[0])
        style = "red" if clock.running and left < 5 else ("bold" if clock.running else "dim")
        found.setdefault(who, Text(f"  {who} {left:.0f}s", style=style))
    return Text("").join(found.values())

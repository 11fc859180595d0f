"""The line that starts a race, written to the terminal before anything else is drawn.

A full drawing takes tens of milliseconds, and a player cannot react before the screen shows the race. So the first
view of a race writes one line directly to the status row; the rest is drawn afterwards.
"""

from typing import Final

from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from rich.text import Text

ROW: Final = 2
"""The row of the status line, counted from 1. The layout of the screen must keep it there."""
RACE: Final = Style.parse("bold #101418 on #d9a514")

_console: Final = Console(color_system="truecolor", force_terminal=True, legacy_windows=False)


def race_line(text: Text, width: int) -> Text:
    """The line of a race. It is written at once, and the screen draws the same line again later."""
    line = Text.assemble(" ", text)
    line.truncate(width, overflow="ellipsis", pad=True)
    line.style = RACE
    return line


def paint(line: Text) -> str:
    """The escape sequence that writes this line in its row and restores the cursor."""
    parts = [
        (RACE + segment.style if segment.style else RACE).render(
            segment.text, color_system=ColorSystem.TRUECOLOR
        )
        for segment in line.render(_console)
    ]
    return f"\x1b7\x1b[{ROW};1H{''.join(parts)}\x1b[0m\x1b8"

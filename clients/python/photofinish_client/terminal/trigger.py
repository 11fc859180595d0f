"""The line that starts a race, written to the terminal before anything else is drawn.

A full drawing takes tens of milliseconds, and a hand cannot answer what the screen has not shown. So a race's
first view writes one line by itself, over the row that the screen keeps for it; the rest is drawn afterwards.
"""

from typing import Final

from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from rich.text import Text

ROW: Final = 2
"""The row of the status line, counted from 1. The layout of the screen keeps it in that place."""
RACE: Final = Style.parse("bold #101418 on #d9a514")

_console: Final = Console(color_system="truecolor", force_terminal=True, legacy_windows=False)


def race_line(text: Text, width: int) -> Text:
    """The line as it is written at once, and as the screen draws it again a moment later."""
    line = Text.assemble(" ", text)
    line.truncate(width, overflow="ellipsis", pad=True)
    line.style = RACE
    return line


def paint(line: Text) -> str:
    """What a terminal needs to show this line in its row, with the cursor back where it was."""
    parts = [
        (RACE + segment.style if segment.style else RACE).render(
            segment.text, color_system=ColorSystem.TRUECOLOR
        )
        for segment in line.render(_console)
    ]
    return f"\x1b7\x1b[{ROW};1H{''.join(parts)}\x1b[0m\x1b8"

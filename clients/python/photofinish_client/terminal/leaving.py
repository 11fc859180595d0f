"""The question after `q`: leave the screen and keep the seat, give up the seat, or stay."""

from dataclasses import dataclass
from typing import Final, Literal

from rich.text import Text

from photofinish_client.terminal.menus.menu import MenuEntry

LEAVING: Final = (
    MenuEntry("y", Text("Leave the screen and keep the seat")),
    MenuEntry("g", Text("Give up the seat for good")),
    MenuEntry("n", Text("Stay")),
)


@dataclass(slots=True)
class Leaving:
    is_for_good: bool = False
    """The player gives up the seat, and the server has not answered yet."""

    @property
    def title(self) -> str:
        if self.is_for_good:
            return "Giving up the seat …"
        return "Leave? The seat is kept: `photofinish play` resumes it."

    def press(self, key: str) -> Literal["keep", "give up", "stay"] | None:
        match key:
            case "y" | "q" | "enter":
                return "keep"
            case "g" if not self.is_for_good:
                self.is_for_good = True
                return "give up"
            case "n" | "escape":
                return "stay"
            case _:
                return None

"""Text that others wrote, for the terminal: no markup, no control characters."""

from rich.text import Text


def visible(text: str) -> str:
    """The text with its control characters escaped: what others wrote must not control the terminal."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def as_text(text: str, style: str = "") -> Text:
    """Text that rich prints as it is. A plain string would be read as markup: `[/x]` in a name raises an error."""
    return Text(visible(text), style)

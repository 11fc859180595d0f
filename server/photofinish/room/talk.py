"""What players say to each other, made harmless."""

import unicodedata

_SPACES = str.maketrans({"\n": " ", "\r": " ", "\t": " "})


def cleaned(text: str) -> str:
    """The text without control characters, invisible formatting (which can turn a line around) and outer space."""
    kept = (c for c in text.translate(_SPACES) if unicodedata.category(c)[0] != "C")
    return " ".join("".join(kept).split())

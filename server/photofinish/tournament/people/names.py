"""T7: when two names are the same name."""

import unicodedata


def cleaned(name: str) -> str:
    """As in `hello`: no control characters, no invisible formatting, single spaces."""
    kept = (" " if ch in "\n\r\t" else ch for ch in name)
    return " ".join("".join(ch for ch in kept if unicodedata.category(ch)[0] != "C").split())


def name_key(name: str) -> str:
    """NFKC, casefold, without spaces and punctuation: `A. D. A` and `ada` are one name."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    kept = "".join(ch for ch in folded if unicodedata.category(ch)[0] not in "PZC")
    return kept or folded

"""Cleaning of names and chat.

Invisible characters are removed by Unicode property. `unicodedata` has the general categories; the property
Default_Ignorable_Code_Point is listed here, and a test compares the list with another source.
"""

import unicodedata

_SPACES = str.maketrans({"\n": " ", "\r": " ", "\t": " "})
DEFAULT_IGNORABLE = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Unicode's Default_Ignorable_Code_Point, first and last of each run."""
BLANKS = frozenset("\u2800\ufffc\U00013441\U00013442\U00016fe4\U0001d159")
"""Characters with an empty glyph: the braille blank, the object replacement character, two hieroglyphic blanks, a
filler, a null notehead."""
_NOTHING = (
    frozenset(chr(code) for first, last in DEFAULT_IGNORABLE for code in range(first, last + 1)) | BLANKS
)
MARKS = 3
"""Most combining marks per character. More would cover the lines above and below."""


def cleaned(text: str) -> str:
    """The text without invisible characters (some reverse the text direction) and without outer spaces."""
    kept: list[str] = []
    marks = 0
    for c in text.translate(_SPACES):
        category = unicodedata.category(c)
        if category[0] == "C" or c in _NOTHING:
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= MARKS:
            kept.append(c)
    return " ".join("".join(kept).split())


def name_of(text: str) -> str:
    """The name as it is shown. Empty if no character of it is visible by itself."""
    name = cleaned(unicodedata.normalize("NFC", text))
    return name if any(unicodedata.category(c)[0] in "LNPS" for c in name) else ""


def folded(name: str) -> str:
    """Names with the same result count as the same name: `ADA`, `ada` and `Ａｄａ`."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())

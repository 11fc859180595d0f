"""Resume tokens: `ROOM-chair-secret`. Only the hash is stored, and each works once."""

import hashlib
import hmac


def make(room: str, chair: int, secret: bytes) -> str:
    return f"{room}-{chair}-{secret.hex()}"


def room_of(token: str) -> str:
    return token.split("-", 1)[0]


def chair_of(token: str) -> int:
    """The chair that a token names; −1 if the text is not a token."""
    parts = token.split("-")
    return int(parts[1]) if len(parts) == 3 and parts[1].isascii() and parts[1].isdigit() else -1


def digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def fits(token: str, hashed: bytes) -> bool:
    return bool(hashed) and hmac.compare_digest(digest(token), hashed)

"""T10: the canonical form of an event file, and its hash. Of the entry code it has only a slow hash."""

import hashlib
import json

import msgspec

from photofinish.tournament.event_file.model import EventRules


def canonical(rules: EventRules) -> bytes:
    """Defaults filled in, keys sorted, JSON without spaces, UTF-8."""
    plain = msgspec.to_builtins(rules)
    return json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def rules_hash(rules: EventRules) -> str:
    return hashlib.sha256(canonical(rules)).hexdigest()


def read_canonical(raw: bytes | str) -> EventRules:
    return msgspec.json.decode(raw, type=EventRules)


def code_hash(code: str) -> str:
    """The log is public from its first entry, and a code may have four characters: scrypt, not SHA-256."""
    raw = hashlib.scrypt(code.encode(), salt=b"photofinish entry code", n=1 << 14, r=8, p=1, dklen=32)
    return raw.hex()

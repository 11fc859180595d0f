"""T17: each hash covers the entry and the hash before. The chain has no key: the log is public from its first entry."""

import hashlib
from collections.abc import Iterable

import msgspec

from photofinish.tournament.log.entries import AnyEntry, Entry

GENESIS = bytes(32)
_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


class ChainLine(msgspec.Struct, frozen=True):
    """One entry as it is exported: its hash in hex, and its body exactly as it was hashed."""

    hash: str
    body: str


class BrokenChain(Exception):  # noqa: N818 - a finding
    """The log was changed."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"log entry {number}: {why}")
        self.number, self.why = number, why


def link(head: bytes, body: bytes) -> bytes:
    return hashlib.sha256(head + body).digest()


def stamped(entry: Entry, n: int, at: int, before: int) -> Entry:
    """The entry with its number and time. If the clock was set back, it gets the time of the entry before (§13)."""
    return msgspec.structs.replace(entry, n=n, at=max(at, before))


def write(entry: Entry, head: bytes) -> tuple[bytes, bytes]:
    """Body and new head."""
    body = _encode(entry)
    return body, link(head, body)


def parse(body: bytes | str) -> AnyEntry:
    return _decoder.decode(body)


def read(lines: Iterable[ChainLine]) -> tuple[list[AnyEntry], bytes]:
    """All entries and the head, if numbers, times and hashes are right. Raises `BrokenChain`."""
    entries: list[AnyEntry] = []
    head, at = GENESIS, 0
    for number, line in enumerate(lines):
        body = line.body.encode()
        head = link(head, body)
        if head.hex() != line.hash:
            raise BrokenChain(number, "its hash does not follow from the entries before it")
        try:
            entry = parse(body)
        except msgspec.DecodeError as no:
            raise BrokenChain(number, f"not readable: {no}") from None
        if _encode(entry) != body:
            raise BrokenChain(number, "not written as this version writes it")
        if entry.n != number:
            raise BrokenChain(number, f"has number {entry.n}")
        if entry.at < at:
            raise BrokenChain(number, "is earlier than the entry before it")
        at = entry.at
        entries.append(entry)
    return entries, head

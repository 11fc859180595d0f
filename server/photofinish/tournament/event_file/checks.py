"""What a value may be. A check returns the value as the event keeps it, or raises `BadValue`."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any, TypeAlias

from photofinish.tournament.event_file.model import UNIT

Check: TypeAlias = Callable[[Any], Any]

_KEY = re.compile(r"[0-9a-f]{64}\Z")
_CODE = re.compile(r"[A-Za-z0-9-]{1,32}\Z")
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)  # noqa: UP017 - the same on every Python


class BadValue(Exception):  # noqa: N818 - a refusal
    """The value is not allowed. The text says what is."""


def whole(least: int, most: int) -> Check:
    def check(value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise BadValue(f"a whole number from {least} to {most}")
        return value

    return check


def flag(value: Any) -> bool:
    if type(value) is not bool:
        raise BadValue("true or false")
    return value


def one_of(*names: str) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in names:
            raise BadValue(", ".join(f'"{name}"' for name in names))
        return value

    return check


def text(least: int, most: int) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or not least <= len(value.strip()) <= most or not value.isprintable():
            raise BadValue(f"a text of {least} to {most} printable characters")
        return value.strip()

    return check


def moment(value: Any) -> int:
    """RFC 3339 with an offset, as a TOML date-time or a text. µs since 1970."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            value = None
    if not isinstance(value, datetime) or value.utcoffset() is None:
        raise BadValue("a date and time with offset (RFC 3339), such as 2026-11-20T19:00:00+01:00")
    return (value - _EPOCH) // timedelta(microseconds=1)


def odd_list(value: Any) -> tuple[int, ...]:
    """`best_of`: an odd number 1–9, or a list of them from the final backwards."""
    many = value if isinstance(value, list) else [value]
    if not 1 <= len(many) <= 10 or any(type(it) is not int or it not in range(1, 10, 2) for it in many):
        raise BadValue("an odd number from 1 to 9, or a list of up to 10 of them")
    return tuple(many)


def halves(value: Any, least: int = 0, most: int = 100) -> int:
    """A whole or half number, in 1/840."""
    if type(value) not in {int, float} or not least <= value <= most or value * 2 != int(value * 2):
        raise BadValue(f"a whole or half number from {least} to {most}")
    return int(value * 2) * UNIT // 2


def point_lists(value: Any) -> tuple[tuple[int, ...], ...]:
    """One list per table size, best place first, none greater than the one before."""
    wrong = BadValue(
        "lists of whole or half numbers 0–100, one per table size 2–8, none greater than the one before"
    )
    if not isinstance(value, list) or not value or not all(isinstance(row, list) for row in value):
        raise wrong
    try:
        rows = tuple(tuple(halves(it) for it in row) for row in value)
    except BadValue:
        raise wrong from None
    sizes = [len(row) for row in rows]
    if len(set(sizes)) != len(sizes) or not all(2 <= size <= 8 for size in sizes):
        raise wrong
    if any(list(row) != sorted(row, reverse=True) or row[0] == 0 for row in rows):
        raise wrong
    return tuple(sorted(rows, key=len))


def names_of(*known: str) -> Check:
    """A list of known names without doubles."""

    def check(value: Any) -> tuple[str, ...]:
        if (
            not isinstance(value, list)
            or not all(isinstance(it, str) and it in known for it in value)
            or len(set(value)) != len(value)
        ):
            raise BadValue(f"a list without doubles of {', '.join(known)}")
        return tuple(value)

    return check


def public_key(value: Any) -> str:
    if not isinstance(value, str) or not _KEY.match(value):
        raise BadValue("a public key: 64 hex digits in small letters")
    return value


def codes(value: Any) -> tuple[str, ...]:
    if (
        not isinstance(value, list)
        or not 1 <= len(value) <= 64
        or not all(isinstance(it, str) and _CODE.match(it) for it in value)
        or len(set(value)) != len(value)
    ):
        raise BadValue("a list of 1 to 64 different event codes")
    return tuple(value)


def rank_points(value: Any) -> tuple[int, ...]:
    if (
        not isinstance(value, list)
        or not 1 <= len(value) <= 512
        or not all(type(it) is int and 0 <= it <= 10_000 for it in value)
        or value != sorted(value, reverse=True)
    ):
        raise BadValue("a list of 1 to 512 whole numbers 0–10000, none greater than the one before")
    return tuple(value)

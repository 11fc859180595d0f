"""Events in a given state for tests, and a check of a refusal by its code."""

from collections.abc import Callable

import pytest

from photofinish.tournament.people.roles import EventRefusal
from tests.tournament.course import Course, key_of, toml

STRANGER = key_of(77)
REFEREE = key_of(5)


def refused(code: str, made: Callable[..., object]) -> str:
    """Returns the text of the refusal."""
    with pytest.raises(EventRefusal) as caught:
        made()
    assert caught.value.code == code
    return caught.value.text


def opened(n: int = 4, *more: str, **options: str) -> Course:
    return Course(toml("cambio", "swiss", *more, **options)).open(n)


def player(number: int) -> str:
    return key_of(1000 + number)


def playing(n: int = 4, *more: str, **options: str) -> Course:
    """Round 1 plays; no game has ended."""
    course = opened(n, *more, **options).start()
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    return course


def decided(n: int = 4, *more: str, **options: str) -> Course:
    """Round 1 is over and settling."""
    course = playing(n, *more, **options)
    course.run(until=lambda state: state.round is not None and state.round.status == "settling")
    return course

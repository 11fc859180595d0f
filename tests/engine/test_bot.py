"""How a bot decides: at once, or in several steps."""

from collections.abc import Generator

import pytest

from photofinish.engine import Millis
from photofinish.engine.bot import Intent, settle, weigh

DRAW = Intent({"t": "draw"}, Millis(800))


def thinking(steps: int) -> Generator[None, None, Intent | None]:
    for _ in range(steps):
        yield
    return DRAW if steps else None


@pytest.mark.parametrize("answer", [DRAW, None])
def test_a_decision_made_at_once_is_returned(answer: Intent | None) -> None:
    assert settle(answer) is answer


def test_a_decision_in_steps_runs_to_its_end() -> None:
    assert settle(thinking(5)) is DRAW
    assert settle(thinking(0)) is None


def test_weighing_pauses_after_each_option_and_keeps_the_first_of_the_best() -> None:
    weighed = weigh(["a", "bb", "cc", "d"], len)
    for _ in range(4):
        next(weighed)
    with pytest.raises(StopIteration) as end:
        next(weighed)

    assert end.value.value == "bb"


def test_weighing_no_options_is_an_error() -> None:
    with pytest.raises(AssertionError, match="at least one"):
        next(weigh([], len))

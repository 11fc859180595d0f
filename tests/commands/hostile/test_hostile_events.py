"""The news of an event from a hostile server, or from one of another release, end a command with one sentence."""

from typing import Any

import pytest
from rich.console import Console

from photofinish.commands.shared.base import BadUse
from photofinish.commands.tournament import drawn
from photofinish_client.events.followed import Followed
from photofinish_protocol.event_messages import EventNews, PartRows

URL = "ws://cards.example.org"
ROW = {"rank": 1, "number": 1, "name": "Ada", "points_840": 1_260}
TABLE = {"bye": False, "state": "done"}


def news(part: str, row: Any) -> EventNews:
    whole: dict[str, Any] = {"info": {"event": "ABCDE", "state": "open"}, "standings": ROW, "tables": TABLE}
    return EventNews(
        event="ABCDE",
        seq=1,
        from_=0,
        parts={it: PartRows(rows={"": own}) for it, own in {**whole, part: row}.items()},
    )


@pytest.mark.parametrize(
    ("part", "row"),
    [
        ("info", []),
        ("info", "open"),
        ("info", {"state": ["open"]}),
        ("info", {"round": 1}),
        ("standings", None),
        ("standings", {}),
        ("standings", ROW | {"name": 7}),
        ("standings", ROW | {"points_840": "many"}),
        ("standings", ROW | {"points_840": 10**400}),
        ("tables", "done"),
        ("tables", {"bye": False}),
        ("tables", TABLE | {"state": {}}),
    ],
)
def test_rows_of_another_form_are_one_sentence(part: str, row: Any) -> None:
    with pytest.raises(BadUse, match=f"{URL} sends events in a form"):
        drawn(Followed(), news(part, row), URL)


def test_rows_that_fit_are_drawn_and_tell_the_end() -> None:
    made, is_over = drawn(Followed(), news("info", {"event": "ABCDE", "state": "sealed"}), URL)

    console = Console(width=100, record=True)
    console.print(made)
    assert is_over
    assert "1.5" in console.export_text()

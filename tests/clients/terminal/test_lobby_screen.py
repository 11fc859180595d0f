"""What the terminal shows of a room before the cards are dealt."""

from rich.console import Console

from photofinish_client.terminal.lobby import draw_lobby
from photofinish_protocol import messages as m
from tests.clients.server_messages import room


def drawn(it: m.Room) -> str:
    console = Console(width=100)
    with console.capture() as shown:
        console.print(draw_lobby(it, 0))
    return shown.get()


def test_everybody_sees_before_the_deal_that_substitutes_are_allowed() -> None:
    assert "Substitutes" in drawn(room("lobby", substitutes=True))
    assert "Substitutes" not in drawn(room("lobby"))


def test_a_table_that_waits_for_nonces_names_the_players() -> None:
    waiting = room("playing", dealing=m.Dealing(seats=(1, 3), left_us=4_000_000))

    assert "waiting for the nonces of Bo, Dee." in drawn(waiting)
    assert "waiting" not in drawn(room("lobby"))

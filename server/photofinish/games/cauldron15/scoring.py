"""Totals, sets and who wins."""

from collections.abc import Iterable

from photofinish.engine import Outcome, Seat, all_seats
from photofinish.engine.places import ranked
from photofinish.games.cauldron15.box import the_box
from photofinish.games.cauldron15.state import Card, State


def total(cards: Iterable[Card]) -> int:
    return sum(card.number for card in cards)


def scores(state: State) -> tuple[int, ...]:
    """The total in front of each seat. Higher is better up to the limit; over it loses (B27)."""
    return tuple(total(cards) for cards in state.before)


def sets(gathered: tuple[int, ...]) -> int:
    """B23: the smallest of the five counts."""
    return min(gathered)


def outcome(state: State) -> Outcome | None:
    return verdict(state) if state.phase == "over" else None


def verdict(state: State) -> Outcome:
    """Who wins with the current cards."""
    totals, limit = scores(state), the_box().limit
    sign = 1
    running = [seat for seat in all_seats(state.seats) if totals[seat] <= limit]  # B27; B29: 0 is not over
    if not running:
        if state.options.all_over == "nobody":
            return Outcome((), f"Everybody is over {limit}: nobody wins.")  # B30
        running, sign = list(all_seats(state.seats)), -1

    def worth(seat: Seat) -> tuple[int, int]:
        return sign * totals[seat], len(state.before[seat])  # B28: the total, then the cards before it

    best = max(worth(seat) for seat in running)
    winners = tuple(seat for seat in running if worth(seat) == best)
    lowest = "All over the limit, lowest total" if sign < 0 else f"Highest total within {limit}"
    return Outcome(winners, f"{lowest}: {totals[winners[0]]}, in {best[1]} cards.")


def places(state: State) -> tuple[int, ...]:
    """T36: the winners, then the seats within the limit by total and cards. All seats over the limit share the last
    place. If all are over and nobody won, all share the first place: a draw.
    """
    winners, totals, limit = verdict(state).winners, scores(state), the_box().limit

    def worth(seat: Seat) -> tuple[bool, bool, int, int]:
        if totals[seat] > limit:
            return seat in winners, False, 0, 0
        return seat in winners, True, totals[seat], len(state.before[seat])

    return ranked([worth(seat) for seat in all_seats(state.seats)])

"""The house bot: guesses the hidden cards, simulates the rest of the round, and plays the best card for the ship."""

from collections.abc import Generator
from typing import Any

from photofinish.engine import LastDecision, Offer, OneOf, Rng, Seat, Sent, Strength, Thought
from photofinish.engine.offers import sample
from photofinish.games.hameln_cave.forecast import Position, card_of, level_map, number_of
from photofinish.games.hameln_cave.imagine import ImaginedDeal, Round
from photofinish.games.hameln_cave.state import Card, Name, partner
from photofinish.games.hameln_cave.view import View
from photofinish.games.hameln_cave.words import facts

GUESSES = {Strength.EASY: 1, Strength.MEDIUM: 4, Strength.STRONG: 12}
"""The number of random deals of the hidden cards that it simulates."""

PASSES = {Strength.EASY: 1, Strength.MEDIUM: 3, Strength.STRONG: 5}
"""The same before the exchange, with nine cards and a whole round to simulate."""

FAVOURITES: tuple[Name, ...] = ("charlotte", "clyde", "aria", "rick", "henry", "rion")


def house_bot(seat: Seat, strength: Strength, rng: Rng) -> "HamelnCavePlayer":
    return HamelnCavePlayer(seat, strength, rng)


class HamelnCavePlayer:
    """Needs no memory. It keeps its last decision, so that it decides only once about the same situation."""

    def __init__(self, seat: Seat, strength: Strength, rng: Rng) -> None:
        self.seat, self.strength, self.rng = seat, strength, rng
        self._last = LastDecision(rng, least=700, spread=1100)

    def see(self, view: View) -> None:
        """This bot has no memory."""

    def choose(self, view: View, offers: tuple[Offer, ...]) -> Thought:
        if not offers or self._waits(view):
            return None
        # The partner's moves change neither a pass nor the end of the pause.
        now = (view.phase, view.round, 0 if view.phase in {"exchange", "pause"} else view.decisions)
        return (yield from self._last.answer(now, self._move_or_random(view, offers)))

    def _move_or_random(self, view: View, offers: tuple[Offer, ...]) -> Generator[None, None, Sent | None]:
        return (yield from self._move(view, offers)) or sample(offers, self.rng)

    def _waits(self, view: View) -> bool:
        """Whether to wait: it never changes its character, and as Aria it passes after its partner (H35)."""
        if view.phase == "character":
            return view.characters[self.seat] is not None
        is_aria = view.characters[self.seat] == "aria"
        return view.phase == "exchange" and is_aria and view.shown_pass is None

    def _move(self, view: View, offers: tuple[Offer, ...]) -> Generator[None, None, Sent | None]:
        if self.strength is Strength.EASY and (view.phase == "character" or self.rng.below(4) == 0):
            return sample(offers, self.rng)
        match view.phase:
            case "character":
                free = [row[0] for row in _rows(offers[0])]
                return {"t": "character", "name": next(name for name in FAVOURITES if name in free)}
            case "exchange":
                return {"t": "pass", "card": facts((yield from self._pass(view)))}
            case "play":
                cards = [number_of(Card(row[0]["colour"], row[0]["number"])) for row in _rows(offers[0])]
                return {"t": "play", "card": facts(card_of((yield from self._play(view, cards))))}
            case "steer":
                return {"t": "steer", "to": self._steer(view, [row[0] for row in _rows(offers[0])])}
            case "choose":
                return self._apply(view)
            case "extra":
                return {"t": "extra", "take": (yield from self._extra(view))}
            case "second":
                slot, mark = _rows(offers[0])[0]
                return {"t": "reveal", "slot": slot, "mark": mark}
            case _:
                return None

    def _pass(self, view: View) -> Generator[None, None, Card]:
        """Imagine the round with each card given away; the partner gives the card shown, or any."""
        assert view.hand is not None
        hand = [number_of(card) for card in view.hand]
        game, at = self._round(view), _at(view)
        lead = view.sides.index(view.lead_sides[view.round - 1])
        totals = dict.fromkeys(hand, 0.0)
        for _ in range(PASSES[self.strength]):
            theirs, down = self._dealt(view)
            got = number_of(view.shown_pass) if view.shown_pass else theirs.pop()
            chance = self.rng.below(1 << 31)
            for card in hand:
                mine = [*(it for it in hand if it != card), got]
                guess = ImaginedDeal(self._hands(mine, [*theirs, card]), list(down), chance)
                totals[card] += guess.play_out(game, at, lead, (), [0, 0])
                yield
        return card_of(max(totals, key=lambda card: totals[card]))

    def _play(self, view: View, cards: list[int]) -> Generator[None, None, int]:
        """The card after which, on average, the round ends best."""
        assert view.hand is not None
        if len(cards) == 1:
            return cards[0]
        hand = [number_of(card) for card in view.hand]
        table = tuple(number_of(played.card) for played in view.trick)
        leader = view.trick[0].seat if view.trick else self.seat
        game, at = self._round(view), _at(view)
        totals = dict.fromkeys(cards, 0.0)
        for _ in range(GUESSES[self.strength]):
            theirs, down = self._dealt(view)
            chance = self.rng.below(1 << 31)
            for card in cards:
                mine = [it for it in hand if it != card]
                guess = ImaginedDeal(self._hands(mine, list(theirs)), list(down), chance)
                won = list(view.tricks_won)
                totals[card] += guess.play_out(game, at, leader, (*table, card), won, extra=view.is_extra)
                yield
        return max(totals, key=lambda card: totals[card])

    def _steer(self, view: View, ways: list[str]) -> str:
        level, at, game = level_map(view.level), _at(view), self._round(view)
        headings = {"winner": self.seat, "partner": partner(self.seat), "straight": 2}
        return max(ways, key=lambda way: game.outlook(level.add(level.sail(at, headings[way]), view.adds)))

    def _apply(self, view: View) -> Sent:
        game, at = self._round(view), _at(view)

        def worth(slot: int) -> float:
            card = view.surplus[slot].card
            assert card is not None
            return game.outlook(game.revealed(at, self.seat, [number_of(card)]))

        slot = max(view.turned, key=worth)
        return {"t": "apply", "slot": slot, "mark": view.surplus[slot].mark}

    def _extra(self, view: View) -> Generator[None, None, bool]:
        assert view.hand is not None
        game, at = self._round(view), _at(view)
        hand, total, guesses = [number_of(card) for card in view.hand], 0.0, GUESSES[self.strength]
        for _ in range(guesses):
            theirs, down = self._dealt(view)
            guess = ImaginedDeal(self._hands(list(hand), theirs), down, self.rng.below(1 << 31))
            total += guess.play_out(game, at, self.seat, (), list(view.tricks_won), extra=True)
            yield
        return total / guesses > game.level_map.chance(at, view.round)

    def _round(self, view: View) -> Round:
        return Round(level_map(view.level), view.round, view.characters)

    def _hands(self, mine: list[int], theirs: list[int]) -> tuple[list[int], list[int]]:
        return (theirs, mine) if self.seat else (mine, theirs)

    def _dealt(self, view: View) -> tuple[list[int], list[int]]:
        """One possible deal of the hidden cards: the partner's hand and pass, and the face-down Surplus."""
        assert view.hand is not None
        other = partner(self.seat)
        out = {number_of(card) for card in (*view.hand, *view.piles[0], *view.piles[1])}
        out |= {number_of(queued.card) for queued in view.ghost_area if queued.card}
        out |= {number_of(slot.card) for slot in view.surplus if slot.card}
        out |= {number_of(played.card) for played in view.trick}
        out |= {number_of(view.shown_pass)} if view.shown_pass else set()
        size = view.hand_sizes[other] + (view.has_passed[other] and view.shown_pass is None)
        theirs = []
        if view.gave is not None and number_of(view.gave) not in out:
            theirs.append(number_of(view.gave))
            out.add(theirs[0])
        void = {
            trick.cards[0].card.colour
            for trick in view.tricks
            if trick.cards[1].seat == other and trick.cards[0].card.colour != trick.cards[1].card.colour
        }
        unseen = self.rng.shuffled(number for number in range(27) if number not in out)
        # First what the partner can hold.
        rest = sorted(unseen, key=lambda number: card_of(number).colour in void)
        need = size - len(theirs)
        return [*theirs, *rest[:need]], rest[need:]


def _at(view: View) -> Position:
    ghosts = [queued.call for queued in view.ghost_area]
    return Position(
        level_map(view.level).index[view.ship], len(ghosts) - 1, ghosts.index(True), view.ghost_marker
    )


def _rows(offer: Offer) -> tuple[tuple[Any, ...], ...]:
    choice = offer.choices[0]
    assert isinstance(choice, OneOf)
    return choice.rows

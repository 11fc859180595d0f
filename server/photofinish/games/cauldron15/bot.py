"""The house bot: looks one trick ahead and guesses the hidden hands."""

from collections.abc import Generator
from itertools import combinations
from typing import Any

from photofinish.engine import LastDecision, Offer, Rng, Seat, Sent, Strength, Thought, clockwise, weigh
from photofinish.engine.offers import sample
from photofinish.games.cauldron15.box import the_box
from photofinish.games.cauldron15.reckoning import worth
from photofinish.games.cauldron15.scoring import sets, total
from photofinish.games.cauldron15.state import KINDS, Card, Played
from photofinish.games.cauldron15.trick import fill, is_full, may_take, playable, sum_of, taker
from photofinish.games.cauldron15.view import View
from photofinish.games.cauldron15.words import facts

GUESSES = {Strength.EASY: 2, Strength.MEDIUM: 6, Strength.STRONG: 12}
"""How many random continuations of a trick it simulates per card, with three seats or more."""

RIVALRY = 60
"""How much the best rival's chances count compared with its own, in percent."""

RELIEF, TRUMP = 300, 2
"""The worth of each point of a played card, and the extra points for a trump."""


def house_bot(seat: Seat, strength: Strength, rng: Rng) -> "Cauldron15Player":
    return Cauldron15Player(seat, strength, rng)


class Cauldron15Player:
    """Needs no memory. It keeps its last decision, so that it decides only once about the same situation."""

    def __init__(self, seat: Seat, strength: Strength, rng: Rng) -> None:
        self.seat, self.strength, self.rng = seat, strength, rng
        self._last = LastDecision(rng, least=700, spread=1000)
        self.standing: tuple[int, ...] = ()
        self.guesses: list[tuple[Card, ...]] = []

    def see(self, view: View) -> None:
        """This bot has no memory: everything it needs is in the current view."""

    def choose(self, view: View, offers: tuple[Offer, ...]) -> Thought:
        if not offers:
            return None
        return (yield from self._last.answer(view.decisions, self._move(view, offers)))

    def _move(self, view: View, offers: tuple[Offer, ...]) -> Generator[None, None, Sent | None]:
        if self.strength is Strength.EASY and self.rng.below(2):
            return sample(offers, self.rng)
        match view.phase:
            case "play":
                card = yield from self._best_play(view, _offered(offers[0]))
                return {"t": "play", "card": facts(card)}
            case "take":
                return {"t": "take", "card": facts(_best_take(view, self.seat, view.may_take)[0])}
            case "bonus":
                return self._bonus(view)
            case "spend":
                return {"t": "spend", "cards": [facts(card) for card in self._spend(view)]}
            case _:
                return sample(offers, self.rng)

    def _best_play(self, view: View, cards: tuple[Card, ...]) -> Generator[None, None, Card]:
        if len(cards) == 1:
            return cards[0]
        unseen = self._unseen(view)
        left = _tricks_left(view)
        count = GUESSES[self.strength] if len(view.before) > 2 else 0
        self.guesses = [self.rng.shuffled(unseen) for _ in range(count)]
        self.standing = tuple(worth(points, left, view.limit, len(view.before)) for points in view.totals)
        return (
            yield from weigh(cards, lambda card: self._promise(view, card, unseen) + self._relief(view, card))
        )

    def _relief(self, view: View, card: Card) -> int:
        """High cards and trumps take tricks. That is bad, except with five seats."""
        if self.strength is not Strength.STRONG or len(view.before) == 5:
            return 0
        return RELIEF * (card.number + (TRUMP if card.kind == view.trump.kind else 0))

    def _promise(self, view: View, card: Card, unseen: tuple[Card, ...]) -> int:
        """The expected result for this seat after playing this card, times 100."""
        trick = (*view.trick, Played(self.seat, card))
        seats = len(view.before)
        if _has_ended(trick, seats):
            return 100 * self._after(view, trick)
        if seats == 2:
            return self._against_one(view, trick, unseen)
        worths = [self._after(view, self._imagined(view, trick, guess)) for guess in self.guesses]
        return 100 * sum(worths) // len(worths)

    def _against_one(self, view: View, trick: tuple[Played, ...], unseen: tuple[Card, ...]) -> int:
        """With two seats: the expected result over every card that the other seat could answer with, times 100."""
        other = clockwise(self.seat, 2)
        follow = [card for card in unseen if card.kind == trick[0].card.kind]
        free = [card for card in unseen if card.kind != trick[0].card.kind]
        void = _void(len(follow), len(unseen), view.hand_sizes[other])
        value = 0
        for cards, chance in ((follow, 100 - void), (free, void)):
            if cards and chance:
                each = sum(self._after(view, (*trick, Played(other, card))) for card in cards)
                value += chance * each // len(cards)
        return value

    def _imagined(self, view: View, trick: tuple[Played, ...], guess: tuple[Card, ...]) -> tuple[Played, ...]:
        """Play the trick to its end with hands dealt from the unseen cards in this order."""
        seats, who, first = len(view.before), self.seat, 0
        while not _has_ended(trick, seats):
            who = clockwise(who, seats)
            hand = guess[first : first + view.hand_sizes[who]]
            first += len(hand)
            trick = (*trick, Played(who, playable(hand, trick[0].card.kind)[0]))
        return trick

    def _after(self, view: View, trick: tuple[Played, ...]) -> int:
        """The value of the table for this seat after this trick."""
        who = taker(trick, view.trump.kind)
        standing = self.standing
        if who is not None:
            _, value = _best_take(view, who, may_take(trick))
            standing = (*standing[:who], value, *standing[who + 1 :])
        mine = standing[self.seat]
        if self.strength is not Strength.STRONG:
            return mine
        return mine - RIVALRY * max(standing[: self.seat] + standing[self.seat + 1 :]) // 100

    def _bonus(self, view: View) -> Sent:
        left = _tricks_left(view)
        before = view.before[self.seat]
        best = max(
            before, key=lambda card: worth(total(before) - card.number, left, view.limit, len(view.before))
        )
        gain = worth(total(before) - best.number, left, view.limit, len(view.before))
        if gain <= worth(total(before), left, view.limit, len(view.before)):
            return {"t": "decline"}
        return {"t": "bonus", "card": facts(best)}

    def _spend(self, view: View) -> tuple[Card, ...]:
        """The highest total within the limit, with the fewest cards given up."""
        before, kept = view.before[self.seat], view.bonuses_kept[self.seat]
        ways = [cards for count in range(min(kept, 3) + 1) for cards in combinations(before, count)]
        return max(
            ways,
            key=lambda cards: (
                worth(total(before) - total(cards), 0, view.limit, len(view.before)),
                -len(cards),
            ),
        )

    def _unseen(self, view: View) -> tuple[Card, ...]:
        seen = {*(view.hand or ()), *view.discards, *(played.card for played in view.trick)}
        seen.update(card for cards in view.before for card in cards)
        return tuple(card for card in the_box().cards if card not in seen)


def _offered(offer: Offer) -> tuple[Card, ...]:
    rows: Any = offer.choices[0].rows  # type: ignore[union-attr]  # a play offer is always one card of several
    return tuple(Card(row[0]["kind"], row[0]["number"]) for row in rows)


def _has_ended(trick: tuple[Played, ...], seats: int) -> bool:
    return is_full(trick, seats) or fill(sum_of(trick)) != "under"


def _tricks_left(view: View) -> int:
    """The largest number of tricks after this one."""
    later = (view.rounds - view.round) * the_box().hand(len(view.before))
    return later + min(view.hand_sizes)


def _best_take(view: View, seat: Seat, cards: tuple[Card, ...]) -> tuple[Card, int]:
    """The best card for this seat, and the value after it."""
    left = _tricks_left(view)
    return max(((card, _with_card(view, seat, card, left)) for card in cards), key=lambda it: it[1])


def _with_card(view: View, seat: Seat, card: Card, left: int) -> int:
    now = view.totals[seat] + card.number
    value = worth(now, left, view.limit, len(view.before))
    counts = view.gathered[seat]
    more = tuple(n + (kind == card.kind) for n, kind in zip(counts, KINDS, strict=True))
    if sets(more) > sets(counts):  # B24: for the new set the seat may give up one card
        value = max(
            value,
            *(
                worth(now - it.number, left, view.limit, len(view.before))
                for it in (*view.before[seat], card)
            ),
        )
    elif counts[KINDS.index(card.kind)] == sets(counts):
        value += 12  # a step towards the next set
    return value


def _void(follow: int, unseen: int, hand: int) -> int:
    """The chance in a hundred that a hand drawn from the unseen cards holds none of the led kind."""
    chance = 10_000
    for drawn in range(hand):
        if unseen <= drawn:
            break
        chance = chance * max(0, unseen - follow - drawn) // (unseen - drawn)
    return chance // 100

"""The house bot: it remembers cards, throws those it knows to be identical, and calls when its cards are low."""

from math import exp

from photofinish.engine import BotBrain, Intent, Millis, Offer, OneOf, Record, Rng, Seat, Sent, Strength
from photofinish.engine.decks.cards import the_deck
from photofinish.engine.offers import sample_one
from photofinish.games.cambio.memory import Memory
from photofinish.games.cambio.view import Face, View

UNKNOWN = 7.0
"""Average points of an unseen card."""
LEARNT = 0.8
"""The worth of knowing one more of the own cards."""

REACTION = {Strength.EASY: 600, Strength.MEDIUM: 450, Strength.STRONG: 370}
KEEPS = {Strength.EASY: 55, Strength.MEDIUM: 85, Strength.STRONG: 100}
MARGIN = {Strength.EASY: -3.0, Strength.MEDIUM: 2.0, Strength.STRONG: 4.0}
"""How many points below all others it wants to be before it calls; the easy bot calls too soon."""


class Card(Record, frozen=True):
    """What the bot believes about a card on the table."""

    seat: Seat
    slot: int
    mark: int
    face: Face | None

    @property
    def worth(self) -> float:
        return UNKNOWN if self.face is None else float(self.face.value)


def house_bot(seat: Seat, strength: Strength, rng: Rng) -> BotBrain[View]:
    return CambioPlayer(seat, strength, rng)


class CambioPlayer:
    def __init__(self, seat: Seat, strength: Strength, rng: Rng) -> None:
        self._seat = seat
        self._strength = strength
        self._rng = rng
        self._memory = Memory(KEEPS[strength], rng)
        self._answered: tuple[tuple[Offer, ...], Intent | None] | None = None

    def see(self, view: View) -> None:
        if self._memory.take_in(view):
            self._answered = None

    def choose(self, view: View, offers: tuple[Offer, ...]) -> Intent | None:
        """If the offers are the same as before and nothing was learned since, the answer is the same too."""
        if self._answered is None or self._answered[0] != offers:
            self._answered = (offers, self._decide(view, offers))
        return self._answered[1]

    def _decide(self, view: View, offers: tuple[Offer, ...]) -> Intent | None:
        by_name = {it.move: it for it in offers}
        if "slap" in by_name and (throw := self._slap(view, by_name["slap"])):
            return Intent(throw, self._reaction())
        duties = {name: it for name, it in by_name.items() if name != "slap"}
        if not duties:
            return None
        sent = self._duty(view, duties) or sample_one(next(iter(duties.values())), self._rng)
        if "give" in duties:  # the table waits for this answer, and its clock is short
            return Intent(sent, Millis(400 + self._rng.below(600)))
        thought = 1500 if "ready" in duties else 600
        return Intent(sent, Millis(thought + self._rng.below(1200)))

    def _duty(self, view: View, by_name: dict[str, Offer]) -> Sent | None:
        if "give" in by_name:
            return self._give(view, by_name["give"])
        if "keep" in by_name:
            return self._keep_or_discard(view, by_name)
        if "draw" in by_name:
            return self._draw_or_call(view, by_name)
        if "pick" in by_name:
            return self._unseen(view, by_name["pick"])
        return self._action(view, by_name) if "decline" in by_name else None

    # Races and gifts.

    def _slap(self, view: View, it: Offer) -> Sent | None:
        """The known identical card with the highest gain; None if another seat has won the race."""
        assert view.race is not None
        if view.race.winner not in {None, self._seat}:
            return None
        best, gain = None, 0.0
        for card in self._offered(view, it):
            if card.face is None or card.face.rune != view.race.rune:
                continue
            worth = card.worth if card.seat == self._seat else self._by_giving(view, card)
            if worth > gain:
                best, gain = card, worth
        return {"t": it.move, **_place(best)} if best else None

    def _by_giving(self, view: View, card: Card) -> float:
        """The gain from throwing another seat's card: it may give its own worst card to that seat."""
        if view.caller == self._seat:
            return -card.worth  # a caller gives nothing (C25)
        worst = max((own.worth for own in self._cards(view, self._seat)), default=0.0)
        return 2 * worst - card.worth

    def _give(self, view: View, it: Offer) -> Sent:
        worst = max(self._cards(view, self._seat), key=lambda card: card.worth)
        if worst.worth <= 0:
            return {"t": "decline", "what": "gift"}
        to = it.choices[1]
        assert isinstance(to, OneOf)
        return {"t": it.move, "slot": worst.slot, "mark": worst.mark, "to": to.rows[0][0]}

    # The turn.

    def _draw_or_call(self, view: View, by_name: dict[str, Offer]) -> Sent:
        if "call" in by_name and self._is_low(view):
            return {"t": "call"}
        piles = by_name["draw"].choices[0]
        assert isinstance(piles, OneOf)
        top = view.discard.top
        if (
            ("discard",) in piles.rows
            and top is not None
            and self._best_keep(view, top)[1] > self._hoped(view)
        ):
            return {"t": "draw", "from": "discard"}
        return {"t": "draw", "from": "main"}

    def _is_low(self, view: View) -> bool:
        """Is the sum of its own cards low enough to call? It depends on the length of the round and on the others."""
        own = sum(card.worth for card in self._cards(view, self._seat))
        seats = (Seat(n) for n in range(len(view.table)))
        least = min(
            sum(card.worth for card in self._cards(view, seat)) for seat in seats if seat != self._seat
        )
        turns = self._memory.turns.get(self._seat, 0)
        return own <= 5 + turns and (own <= least - MARGIN[self._strength] or turns > 40)

    def _hoped(self, view: View) -> float:
        """The average gain of a card from the main pile."""
        worst = max(card.worth for card in self._cards(view, self._seat))
        values = [card.value for card in the_deck().cards]
        return sum(max(0.0, worst - value) for value in values) / len(values) + LEARNT

    def _best_keep(self, view: View, face: Face) -> tuple[Card, float]:
        """The best slot for this card, and the gain."""
        own = self._cards(view, self._seat)
        gains = [(card, self._gain(own, card, face)) for card in own]
        return max(gains, key=lambda it: it[1])

    def _gain(self, own: list[Card], card: Card, face: Face) -> float:
        gain = card.worth - face.value
        if card.face is None:
            return gain + LEARNT
        # Identical cards can be thrown after the discarded one.
        return gain + sum(max(0.0, it.worth) for it in own if it != card and _twins(it.face, card.face))

    def _keep_or_discard(self, view: View, by_name: dict[str, Offer]) -> Sent:
        assert view.drawn is not None
        face = view.drawn.face
        assert face is not None
        card, gain = self._best_keep(view, face)
        if "discard" in by_name and gain < self._by_discarding(view, face):
            return {"t": "discard"}
        return {"t": "keep", "slot": card.slot, "mark": card.mark}

    def _by_discarding(self, view: View, face: Face) -> float:
        """The worth of discarding the drawn card: its action and the race."""
        own = self._cards(view, self._seat)
        gain = sum(max(0.0, card.worth) for card in own if _twins(card.face, face))
        unseen = any(card.face is None for card in own)
        match face.kind:
            case "peek_mine":
                gain += LEARNT if unseen else 0
            case "swap":
                gain += max(0.0, self._best_swap(view)[2])
            case "red_king":
                gain += max(0.0, self._best_swap(view)[2]) + (LEARNT if unseen else 0)
        return gain

    # Actions.

    def _action(self, view: View, by_name: dict[str, Offer]) -> Sent:
        if "peek_mine" in by_name and (sent := self._unseen(view, by_name["peek_mine"])):
            return sent
        if "swap" in by_name:
            own, other, gain = self._best_swap(view)
            if own is not None and other is not None and gain > 1:
                return {"t": "swap", "a": _place(own), "b": _place(other)}
        if "peek_yours" in by_name and (sent := self._unseen(view, by_name["peek_yours"])):
            return sent
        return {"t": "decline", "what": "action"}

    def _best_swap(self, view: View) -> tuple[Card | None, Card | None, float]:
        """Swap its own worst card for another seat's best one, and the gain."""
        own = max(self._cards(view, self._seat), key=lambda card: card.worth, default=None)
        others = [
            card
            for n in range(len(view.table))
            if n not in {self._seat, view.caller}
            for card in self._cards(view, Seat(n))
        ]
        other = min(others, key=lambda card: card.worth, default=None)
        if own is None or other is None or view.caller == self._seat:
            return None, None, 0.0
        return own, other, own.worth - other.worth

    def _unseen(self, view: View, it: Offer) -> Sent | None:
        """An unknown card of the seat with the fewest cards; None if it knows all."""
        cards = [card for card in self._offered(view, it) if card.face is None]
        if not cards:
            return None
        card = min(cards, key=lambda card: len(self._cards(view, card.seat)))
        sent: Sent = {"t": it.move, "slot": card.slot, "mark": card.mark}
        return sent if it.move == "peek_mine" else {**sent, "seat": card.seat}

    # What it believes about cards, and its reaction time.

    def _cards(self, view: View, seat: Seat) -> list[Card]:
        return [
            Card(seat, n, slot.mark, self._memory.face(slot.mark))
            for n, slot in enumerate(view.table[seat])
            if slot.filled
        ]

    def _offered(self, view: View, it: Offer) -> list[Card]:
        """The cards this offer may be played on."""
        choice = it.choices[0]
        assert isinstance(choice, OneOf)
        marks = {row[-1] for row in choice.rows}
        return [
            card for n in range(len(view.table)) for card in self._cards(view, Seat(n)) if card.mark in marks
        ]

    def _reaction(self) -> Millis:
        """Lognormal, like human reaction times."""
        normal = (sum(self._rng.below(1000) for _ in range(12)) - 5994) / 1000
        return Millis(max(180, round(REACTION[self._strength] * exp(0.22 * normal))))


def _twins(one: Face | None, other: Face | None) -> bool:
    return one is not None and other is not None and one.rune == other.rune


def _place(card: Card) -> dict[str, int]:
    return {"seat": card.seat, "slot": card.slot, "mark": card.mark}

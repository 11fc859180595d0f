"""The house bot: builds shelters, collects interest, and steals from others."""

from itertools import combinations

from photofinish.engine import Intent, Millis, Offer, Rng, Seat, Sent, Strength
from photofinish.engine.offers import admits, sample
from photofinish.games.rune_market import holdings as own
from photofinish.games.rune_market.deck import Face
from photofinish.games.rune_market.goods import GOOD_SUM, RUNE_SUMS
from photofinish.games.rune_market.moves import Colour
from photofinish.games.rune_market.view import View

# How often, in percent, a bot of this strength plays a random move.
CARELESS = {Strength.EASY: 50, Strength.MEDIUM: 15, Strength.STRONG: 0}


class RuneMarketPlayer:
    """Decides from its current view only: everything except the hands is public."""

    def __init__(self, seat: Seat, strength: Strength, rng: Rng) -> None:
        self._seat, self._strength, self._rng = seat, strength, rng
        self._asked: object = None
        self._answer: Intent | None = None

    def see(self, view: View) -> None:
        """This bot has no memory."""

    def choose(self, view: View, offers: tuple[Offer, ...]) -> Intent | None:
        if not offers:
            self._asked = None
            return None
        asked = (offers, view.market, view.hand_sizes, view.tie)
        if asked != self._asked:  # the same decision again: the same answer
            self._asked, self._answer = asked, self._decide(view, offers)
        return self._answer

    def _decide(self, view: View, offers: tuple[Offer, ...]) -> Intent | None:
        careless = self._rng.below(100) < CARELESS[self._strength]
        wishes = [] if careless else self._wishes(view)
        sent = next((wish for wish in wishes if admits(offers, wish)), None) or sample(offers, self._rng)
        return None if sent is None else Intent(sent, Millis(600 + self._rng.below(1200)))

    def _wishes(self, view: View) -> list[Sent]:
        """Its preferred moves, best first. It makes the first one that is offered."""
        match view.phase:
            case "throw":
                return []  # a random sign is best
            case "duel":
                return defences(view)
            case "theft":
                return thefts(view, self._seat)
            case _:
                return own_turn(view, self._seat)


def house_bot(seat: Seat, strength: Strength, rng: Rng) -> RuneMarketPlayer:
    return RuneMarketPlayer(seat, strength, rng)


def defences(view: View) -> list[Sent]:
    """The lowest card that is enough, because the others see the card that is shown."""
    cards = sorted(_numbers(view), key=_number)
    return [*({"t": "defend", "card": card.id} for card in cards), {"t": "give_up"}]


def thefts(view: View, seat: Seat) -> list[Sent]:
    """A rune of the leading seat, preferably of the colour of our own shelter; else a card."""
    mine = view.holdings[seat]
    wishes: list[tuple[int, Sent]] = []
    for rival in range(len(view.points)):
        if rival == seat:
            continue
        it = view.holdings[rival]
        for place in own.PLACES:
            for colour in own.COLOURS:
                n = own.runes_at(it, place, colour)
                if n:
                    worth = 10 * view.points[rival] + 4 * bool(own.takes(mine, colour))
                    worth += 8 * (n == 1 and place != "loose") + 12 * _starves(mine, colour)
                    wishes.append(
                        (worth, {"t": "steal", "seat": rival, "rune": {"place": place, "colour": colour}})
                    )
        wishes.append((-100 + view.hand_sizes[rival], {"t": "steal", "seat": rival, "card": True}))
    return _ranked(wishes)


def own_turn(view: View, seat: Seat) -> list[Sent]:
    mine = view.holdings[seat]
    wishes: list[Sent] = []
    reds, blues = view.due_red, view.due_blue
    if reds or blues:
        wishes.append({"t": "collect", "red": reds, "blue": blues})
    for colour in own.COLOURS:
        loose = own.runes_at(mine, "loose", colour)
        wishes += [
            {"t": "store", "colour": colour, "runes": loose, "place": place}
            for place in own.takes(mine, colour)
            if loose and own.bandit_at(mine, place) is None
        ]
    wishes += _shelters(view, mine)
    wishes += _against_bandits(view, mine)
    wishes += _purchases(view, seat)
    wishes += [{"t": "thief", "card": card.id} for card in view.hand if card.part == "thief"]
    wishes += [
        {"t": "double_theft", "card": card.id}
        for card in view.hand
        if card.part in ("red_shelter", "blue_shelter")
    ]
    wishes += _duels(view, seat)
    return [*wishes, {"t": "end_turn"}]


def _shelters(view: View, mine: own.Holding) -> list[Sent]:
    cards = [card for card in view.hand if card.part in ("red_shelter", "blue_shelter")]
    # First the colour of which we hold most, then the one the market has most of.
    reds, blues = ((own.runes_at(mine, "loose", colour), view.market.runes(colour)) for colour in own.COLOURS)
    cards.sort(key=lambda card: reds if card.part == "red_shelter" else blues, reverse=True)
    return [{"t": "shelter", "card": card.id} for card in cards]


def _against_bandits(view: View, mine: own.Holding) -> list[Sent]:
    wishes: list[Sent] = []
    for colour in own.MAIN:
        shelter = own.main(mine, colour)
        if shelter is not None and shelter.bandit is not None:
            wishes += [
                {"t": "ransom", "place": colour, "cards": list(cards)}
                for cards in _sums(view, at_least=GOOD_SUM)
            ]
    return wishes


def _purchases(view: View, seat: Seat) -> list[Sent]:
    mine = view.holdings[seat]
    wishes: list[Sent] = []
    runes = sorted(
        own.COLOURS, key=lambda it: (_starves(mine, it), own.shelter_of(mine, it) is not None), reverse=True
    )
    for cards in _sums(view, exactly=RUNE_SUMS):
        for colour in runes:
            into = own.takes(mine, colour)
            place = {"into": into[0]} if into and own.bandit_at(mine, into[0]) is None else {}
            wishes.append({"t": "buy_rune", "cards": list(cards), "colour": colour, **place})
    for cards in _sums(view, at_least=GOOD_SUM):
        paid: Sent = {"t": "buy", "cards": list(cards)}
        wishes += [{**paid, "what": "boat", "place": place} for place in own.boat_room(mine)]
        wishes += [
            {**paid, "what": "bandit", "seat": rival, "place": place}
            for rival in sorted(range(len(view.points)), key=lambda it: -view.points[it])
            if rival != seat
            for place in own.bandit_room(view.holdings[rival])
        ]
    return wishes


def _duels(view: View, seat: Seat) -> list[Sent]:
    """High cards are for duels. Low ones are kept to pay with, unless a card must be played."""
    rivals = [it for it in range(len(view.points)) if it != seat and view.points[it] + view.hand_sizes[it]]
    rivals = sorted(
        rivals or [it for it in range(len(view.points)) if it != seat], key=lambda it: -view.points[it]
    )
    cards = sorted(_numbers(view), key=_number, reverse=True)
    if view.played:
        cards = [card for card in cards if _number(card) >= 8]
    elif cards and _number(cards[0]) < 7:
        cards.reverse()  # no card is likely to win: use the lowest
    return [{"t": "duel", "card": card.id, "seat": rival} for card in cards for rival in rivals]


def _starves(mine: own.Holding, colour: Colour) -> bool:
    """Is there a shelter of this colour without a rune, and so without interest?"""
    place = own.shelter_of(mine, colour)
    return place is not None and not own.runes_at(mine, place, colour)


def _numbers(view: View) -> list[Face]:
    return [card for card in view.hand if card.number is not None]


def _number(card: Face) -> int:
    return card.number or 0


def _sums(view: View, exactly: tuple[int, ...] = (), at_least: int = 0) -> list[tuple[str, ...]]:
    """The sets of number cards that pay a price, the cheapest first."""
    cards = sorted(_numbers(view), key=_number)[:8]
    found = []
    for n in range(1, len(cards) + 1):
        for picked in combinations(cards, n):
            total = sum(map(_number, picked))
            if total in exactly or (at_least and total >= at_least):
                found.append((n, total, tuple(card.id for card in picked)))
    return [ids for _, _, ids in sorted(found)]


def _ranked(wishes: list[tuple[int, Sent]]) -> list[Sent]:
    return [sent for _, sent in sorted(wishes, key=lambda it: -it[0])]

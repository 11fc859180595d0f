"""The house bot: fishes where the salmon are, avoids tourists, and uses its bear in races."""

from itertools import combinations
from math import exp

from photofinish.engine import Intent, Millis, Offer, Rng, Seat, Sent, Strength
from photofinish.engine.offers import admits, sample
from photofinish.games.alaska.deck import SECTIONS, Face
from photofinish.games.alaska.view import View

# How often, in percent, a bot of this strength plays a random move.
CARELESS = {Strength.EASY: 50, Strength.MEDIUM: 15, Strength.STRONG: 0}
REACTION = {Strength.EASY: 600, Strength.MEDIUM: 470, Strength.STRONG: 360}
KEEP = {"bear": 4, "eagle": 3, "cast": 2, "local": 1, "tourist": 1}
"""Cards that are worth keeping for a later turn."""


class AlaskaPlayer:
    """Decides from its current view only: Alaska needs no memory."""

    def __init__(self, seat: Seat, strength: Strength, rng: Rng) -> None:
        self._seat, self._strength, self._rng = seat, strength, rng
        self._asked: tuple[tuple[Offer, ...], int, int] | None = None
        self._answer: Intent | None = None

    def see(self, view: View) -> None:
        """This bot has no memory."""

    def choose(self, view: View, offers: tuple[Offer, ...]) -> Intent | None:
        if not offers:
            self._asked = None
            return None
        asked = (offers, len(view.discard), len(view.to_place))
        if asked != self._asked:  # the same decision again: the same answer
            self._asked, self._answer = asked, self._decide(view, offers)
        return self._answer

    def _decide(self, view: View, offers: tuple[Offer, ...]) -> Intent | None:
        careless = self._rng.below(100) < CARELESS[self._strength]
        sent = None if careless else self._think(view, offers)
        if sent is None or not admits(offers, sent):
            sent = sample(offers, self._rng)
        return None if sent is None else Intent(sent, self._pause(view))

    def _think(self, view: View, offers: tuple[Offer, ...]) -> Sent | None:
        if view.step == "salmon":
            return {"t": "place", "gap": place(view, self._rng)}
        if view.step == "bear":
            return snatch(view, self._seat)
        options = list(plays(view, self._rng))
        if any(it.move == "end_turn" for it in offers):
            options.append((0, {"t": "end_turn"}))
        return max(options, key=lambda it: it[0], default=(0, None))[1]

    def _pause(self, view: View) -> Millis:
        if view.step != "bear":
            return Millis(600 + self._rng.below(1200))
        # Approximately lognormal, because the sum of twelve uniform numbers is approximately normal.
        bell = sum(self._rng.below(1000) for _ in range(12)) / 1000 - 6
        return Millis(max(180, int(REACTION[self._strength] * exp(0.22 * bell))))


def house_bot(seat: Seat, strength: Strength, rng: Rng) -> AlaskaPlayer:
    return AlaskaPlayer(seat, strength, rng)


def snatch(view: View, seat: Seat) -> Sent:
    """Use a bear against a seat that has as many salmon as we have, or more; with two seats always."""
    assert view.catch is not None
    bears = [card for card in view.hand if card.part == "bear"]
    rival = len(view.caught[view.catch.seat])
    if bears and (len(view.caught) == 2 or rival >= len(view.caught[seat])):
        return {"t": "snatch", "card": bears[0].id}
    return {"t": "let_go"}


def numbers(cards: tuple[Face, ...]) -> set[int]:
    """The sections these cards can fish, alone or two together."""
    single = [card.number for card in cards if card.number is not None]
    return ({*single} | {a + b for a, b in combinations(single, 2)}) & {*SECTIONS}


def place(view: View, rng: Rng) -> int:
    """The gap with the best chance that we can catch the salmon and others cannot."""
    own = numbers(view.hand)

    def worth(gap: int) -> int:
        sum_of = 0
        for section in view.gaps[gap - 1].sections:
            angler = view.sections[section - 1].angler
            sum_of += 3 if angler is not None else 0
            sum_of += 2 if section in own and angler is None else 0
            sum_of -= section // 3  # high sections have more pairs that reach them
        return sum_of * 8 + rng.below(4)

    return max(SECTIONS, key=worth)


def plays(view: View, rng: Rng) -> list[tuple[int, Sent]]:
    """Every possible play with its estimated worth; above 0 it is better than ending the turn."""
    salmon = {gap.gap for gap in view.gaps if gap.salmon}
    found = [*_casts(view, salmon), *_anglers(view, rng)]
    clear = len(view.hand) > 2
    tourists = sum(s.angler is not None and s.angler.part == "tourist" for s in view.sections)
    for card in view.hand:
        if card.part == "eagle":
            found += [(60, {"t": "eagle", "card": card.id, "salmon": gap}) for gap in salmon]
            found += [
                (
                    -8 + (2 if s.angler.part == "tourist" else 0),
                    {"t": "eagle", "card": card.id, "angler": s.section},
                )
                for s in view.sections
                if s.angler is not None
            ]
            found.append((-12, {"t": "eagle", "card": card.id}))
        elif card.part == "bear":
            # Keep a bear for the others' catches, unless there are many tourists to remove from the river.
            found.append(((3 if tourists > 2 and clear else -15), {"t": "bear", "card": card.id}))
    return found


def _casts(view: View, salmon: set[int]) -> list[tuple[int, Sent]]:
    cards = [card for card in view.hand if card.part == "cast"]
    found: list[tuple[int, Sent]] = []
    for used in [*((card,) for card in cards), *combinations(cards, 2)]:
        section = sum(card.number or 0 for card in used)
        sent: Sent = {"t": "cast", "cards": [card.id for card in used]}
        if section not in SECTIONS:
            if len(used) == 1:
                found.append((1, sent))
            continue
        here = view.sections[section - 1]
        gaps = [gap for gap in here.gaps if gap in salmon]
        if len(gaps) == 2 and (here.angler is None or view.options.dice):
            sent["gap"] = min(gaps, key=lambda gap: len(view.gaps[gap - 1].salmon))
        found.append((_cast_worth(view, here.angler, bool(gaps), len(used), section), sent))
    return found


def _cast_worth(view: View, angler: Face | None, fish: bool, used: int, section: int) -> int:
    if angler is None:
        if fish:
            return 102 - used
        # A cast that catches nothing: prefer cards that cannot form a pair.
        return (1 if len(view.hand) > 2 else -1) + section // 4 - 2 * used
    if angler.part == "tourist":
        return -60 - 10 * (len(view.hand) - used)
    assert view.you is not None
    return -40 if view.caught[view.you] else 0


def _anglers(view: View, rng: Rng) -> list[tuple[int, Sent]]:
    """Place the angler where it blocks the others and does not block us."""
    own = numbers(view.hand)
    fish = {section for gap in view.gaps if gap.salmon for section in gap.sections}
    found: list[tuple[int, Sent]] = []
    for card in view.hand:
        if card.part not in ("tourist", "local"):
            continue
        for s in view.sections:
            if s.angler is not None and (card.part == "local" or s.angler.part == "tourist"):
                continue
            worth = 8 - KEEP[card.part] + (4 if s.section in fish else 0) - (6 if s.section in own else 0)
            found.append((worth * 2 + rng.below(3), {"t": "angler", "card": card.id, "section": s.section}))
        found.append((-20, {"t": "angler", "card": card.id}))
    return found

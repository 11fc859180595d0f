"""The house bot: it remembers the cards it saw, throws those it knows, and gets rid of high points."""

from math import exp

from photofinish.engine import BotBrain, Intent, Millis, Offer, OneOf, Rng, Seat, Sent, Strength
from photofinish.engine.offers import moves, sample_one
from photofinish.games.kodiak.faces import HAIRBALL, Face
from photofinish.games.kodiak.memory import Memory
from photofinish.games.kodiak.view import RaceView, View

UNKNOWN = 7.0
"""Approximate average points of an unseen card."""
FEWER = 3.0
"""The worth of having one card less, in addition to its points."""
PREY = -8.0
"""The worth for Kodiak of a card that he can pounce with."""

THROWS = ("grab", "scurry", "pounce")
REACTION = {Strength.EASY: 600, Strength.MEDIUM: 450, Strength.STRONG: 350}
KEEPS = {Strength.EASY: 60, Strength.MEDIUM: 85, Strength.STRONG: 100}


def house_bot(seat: Seat, strength: Strength, rng: Rng) -> BotBrain[View]:
    return KodiakPlayer(seat, strength, rng)


class KodiakPlayer:
    def __init__(self, seat: Seat, strength: Strength, rng: Rng) -> None:
        self._seat = seat
        self._strength = strength
        self._rng = rng
        self._memory = Memory(seat, KEEPS[strength], rng)
        self._asked: tuple[tuple[Offer, ...], RaceView | None] | None = None
        self._answer: Intent | None = None

    def see(self, view: View) -> None:
        if self._memory.take_in(view):
            self._asked = None

    def choose(self, view: View, offers: tuple[Offer, ...]) -> Intent | None:
        """If the offers are the same as before and nothing was learned since, the answer is the same too."""
        question = (offers, view.race)
        if self._asked != question:
            self._asked, self._answer = question, self._still_at_it(self._decide(view, offers))
        return self._answer

    def _still_at_it(self, answer: Intent | None) -> Intent | None:
        """A move that was already planned needs less time. Otherwise frequent views could delay the bot without end."""
        before = self._answer
        if answer is None or before is None or answer.move != before.move:
            return answer
        return before if answer.move["t"] in THROWS else Intent(answer.move, Millis(before.after // 2))

    def _decide(self, view: View, offers: tuple[Offer, ...]) -> Intent | None:
        by_name = {it.move: it for it in offers}
        for name, find in (("grab", self._grab), ("scurry", self._scurry), ("pounce", self._pounce)):
            if name in by_name and (throw := find(view, by_name[name])):
                return Intent(throw, self._reaction())
        for it in offers:  # required moves and the turn: all must be done, so take the first
            if it.move in THROWS:
                continue
            sent = self._duty(view, by_name, it)
            return Intent(sent, Millis(600 + self._rng.below(1200)))
        return None

    def _duty(self, view: View, by_name: dict[str, Offer], it: Offer) -> Sent:
        match it.move:
            case "keep":
                return min(moves(it), key=lambda sent: self._after_keeping(view, sent["slot"]))
            case "offer":
                return max(moves(it), key=lambda sent: self._worth(view, self._seat, sent["slot"]))
            case "peek_mine" if "swap" in by_name:
                return self._red_king(view, by_name)
            case "swap":
                return self._swap(view, it)
            case "peek_mine" | "expose" | "pick":
                return self._unknown(it) or sample_one(it, self._rng)
            case _:
                return sample_one(it, self._rng)

    # Throws: only what it knows.

    def _grab(self, view: View, it: Offer) -> Sent | None:
        assert view.race is not None
        rune = view.race.card.rune
        fits = [
            sent for sent in moves(it) if (face := self._own(sent)) and (face.rune == rune or _is_wild(face))
        ]
        return max(fits, key=lambda sent: self._points(self._seat, sent["slot"]), default=None)

    def _scurry(self, view: View, it: Offer) -> Sent | None:
        assert view.race is not None
        if view.race.winner not in (None, self._seat):
            return None
        rune = view.race.card.rune
        fits = [sent for sent in moves(it) if (face := self._own(sent)) and face.rune == rune]
        return max(fits, key=lambda sent: self._points(self._seat, sent["slot"]), default=None)

    def _pounce(self, _view: View, it: Offer) -> Sent | None:
        own_rows, prey_rows = (choice.rows for choice in it.choices if isinstance(choice, OneOf))
        claws = [(row, face) for row in own_rows if (face := self._memory.face(self._seat, row[0]))]
        best: tuple[float, Sent] | None = None
        for (slot, mark), own in claws:
            for seat, target, target_mark in prey_rows:
                prey = self._memory.face(seat, target)
                if not (_is_wild(own) or (prey and prey.rune == own.rune)):
                    continue
                # Prefer an exact match to a hairball, and a card that is good for the mouse.
                cost = self._points(seat, target) + (50 if _is_wild(own) else 0)
                if best is None or cost < best[0]:
                    aim = {"slot": slot, "mark": mark, "seat": seat, "target": target}
                    best = (cost, {"t": it.move, **aim, "target_mark": target_mark})
        return best[1] if best else None

    # Required moves: the drawn card, and actions.

    def _after_keeping(self, view: View, slot: int) -> float:
        """What will be left if the drawn card goes there: points, and what can be thrown after it."""
        assert view.drawn is not None
        thrown = self._memory.face(self._seat, slot)
        left: list[Face | None] = [view.drawn]
        left += [self._memory.face(self._seat, n) for n in self._slots(view, self._seat) if n != slot]
        total = sum(self._value(view, face) for face in left)
        if thrown is None:
            return total - 0.5  # one unknown card fewer
        total += 5 if _is_wild(thrown) else 0
        if self._seat != view.kodiak:
            twins = [face for face in left if face and face.rune == thrown.rune]
            total -= sum(FEWER + face.value - (5 if _is_wild(face) else 0) for face in twins)
            runes = [face.rune for face in left if face and face.rune != thrown.rune]
            total -= 2.0 * (len(runes) - len(set(runes)))  # a pair can go next time
        return total

    def _red_king(self, view: View, by_name: dict[str, Offer]) -> Sent:
        prefer = ("look", "peek_mine") if self._seat == view.kodiak else ("peek_mine", "swap")
        for name in prefer:
            if name == "swap":
                return self._swap(view, by_name[name])
            if name in by_name and (sent := self._unknown(by_name[name])):
                return sent
        return self._swap(view, by_name["swap"])

    def _swap(self, view: View, it: Offer) -> Sent:
        """The best swap for itself, or a swap between two others if every own swap is bad."""
        assert isinstance(it.choices[0], OneOf)
        sides = [row[0] for row in it.choices[0].rows]
        mine = [side for side in sides if side["seat"] == self._seat]
        others = [side for side in sides if side["seat"] != self._seat]
        gives = max(mine, key=lambda side: self._side(view, side), default=None)
        gets = min(others, key=lambda side: self._side(view, side))
        far = [side for side in others if side["seat"] != gets["seat"]]
        if gives is not None and (not far or self._side(view, gives) > self._side(view, gets)):
            return {"t": it.move, "a": gives, "b": gets}
        return {"t": it.move, "a": self._rng.pick(far), "b": gets}

    def _side(self, view: View, side: dict[str, int]) -> float:
        # Kodiak gives his worst card if he may choose.
        return self._worth(view, side["seat"], side["slot"]) if "slot" in side else UNKNOWN + 2

    def _unknown(self, it: Offer) -> Sent | None:
        hidden = [
            sent for sent in moves(it) if not self._memory.face(sent.get("seat", self._seat), sent["slot"])
        ]
        return hidden[self._rng.below(len(hidden))] if hidden else None

    # What it knows, and the worth of it.

    def _own(self, sent: Sent) -> Face | None:
        return self._memory.face(self._seat, sent["slot"])

    def _points(self, seat: int, slot: int) -> float:
        face = self._memory.face(seat, slot)
        return face.value if face else UNKNOWN

    def _worth(self, view: View, seat: int, slot: int) -> float:
        return self._value(view, self._memory.face(seat, slot))

    def _value(self, view: View, face: Face | None) -> float:
        """The points of this card at the end in its own row, or its gain before."""
        if face is None:
            return UNKNOWN
        if self._seat == view.kodiak and (_is_wild(face) or face.rune in self._prey(view)):
            return PREY
        return face.value

    def _prey(self, view: View) -> set[str]:
        known = (
            self._memory.face(seat, n)
            for seat in range(len(view.table))
            if seat != view.kodiak
            for n in self._slots(view, seat)
        )
        return {face.rune for face in known if face}

    def _slots(self, view: View, seat: int) -> list[int]:
        return [n for n, slot in enumerate(view.table[seat]) if slot.filled]

    def _reaction(self) -> Millis:
        """Roughly lognormal, like human reaction times."""
        bell = sum(self._rng.below(1001) - 500 for _ in range(6)) / 707
        return Millis(max(180, round(REACTION[self._strength] * exp(0.2 * bell))))


def _is_wild(face: Face) -> bool:
    return face.kind == HAIRBALL

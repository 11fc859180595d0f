"""The house bot of Magpies: it remembers what it was shown and slaps what it knows to match."""

from typing import Any

from photofinish.engine import BotBrain, Intent, Millis, Offer, Rng, Seat, Strength
from photofinish.engine.offers import sample


class Collector:
    """Remembers every face it was shown by slot and mark, and slaps what it knows to match."""

    def __init__(self, seat: Seat, strength: Strength, rng: Rng) -> None:
        self.seat, self.rng = seat, rng
        self.after = Millis({"easy": 700, "medium": 500, "strong": 350}[strength])
        self.known: dict[tuple[int, int, int], int] = {}

    def see(self, view: Any) -> None:
        for seat, row in enumerate(view.table):
            for n, slot in enumerate(row):
                if slot.face:
                    self.known[seat, n, slot.mark] = slot.face.rune

    def choose(self, view: Any, offers: tuple[Offer, ...]) -> Intent | None:
        if view.phase == "race":
            for seat, row in enumerate(view.table):
                for n, slot in enumerate(row):
                    known = self.known.get((seat, n, slot.mark))
                    if known == view.discard[-1].rune and not slot.empty and slot.face is None:
                        sent = {"t": "slap", "seat": seat, "slot": n, "mark": slot.mark}
                        return Intent(sent, self.after)
            return Intent({"t": "close"}, Millis(900)) if view.lead == self.seat else None
        if view.phase == "bid" and offers:
            return Intent({"t": "bid", "gems": {}}, self.after)
        wanted = [it for it in offers if it.move == "sell"] or [it for it in offers if it.move == "pass"]
        picked = sample(wanted or offers, self.rng)
        return Intent(picked, Millis(800)) if picked else None


def house_bot(seat: Seat, strength: Strength, rng: Rng) -> BotBrain[Any]:
    return Collector(seat, strength, rng)

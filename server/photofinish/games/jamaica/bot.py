"""The house bot: estimates what each card is worth for its ship, and chooses the best offer."""

from collections.abc import Generator

from photofinish.engine import LastDecision, Offer, Rng, Seat, Sent, Strength, Thought, weigh
from photofinish.engine.offers import Amounts, OneOf, sample, sample_one
from photofinish.games.jamaica.steps.reckoning import Reckoner
from photofinish.games.jamaica.view import View


def house_bot(seat: Seat, strength: Strength, rng: Rng) -> "JamaicaPlayer":
    return JamaicaPlayer(seat, strength, rng)


class JamaicaPlayer:
    """Needs no memory. It keeps its last decision, so that it decides only once about the same situation."""

    def __init__(self, seat: Seat, strength: Strength, rng: Rng) -> None:
        self.seat, self.strength, self.rng = seat, strength, rng
        self._last = LastDecision(rng, least=600, spread=1200)

    def see(self, view: View) -> None:
        """This bot has no memory."""

    def choose(self, view: View, offers: tuple[Offer, ...]) -> Thought:
        if not offers:
            return None
        question = (view.phase, view.round, view.acting, view.half, view.ships, view.battle, offers)
        return (yield from self._last.answer(question, self._move(view, offers)))

    def _move(self, view: View, offers: tuple[Offer, ...]) -> Generator[None, None, Sent | None]:
        slips = {Strength.EASY: 2, Strength.MEDIUM: 6, Strength.STRONG: 0}[self.strength]
        if slips and self.rng.below(slips) == 0:
            return sample(offers, self.rng)
        reckoner = Reckoner(view, self.seat)
        answers = [sent for it in offers for sent in _answers(it, self.rng)]
        return (yield from weigh(answers, reckoner.worth)) if answers else sample(offers, self.rng)


def _answers(it: Offer, rng: Rng) -> list[Sent]:
    """The answers to consider: every row; for amounts none, half and all, from the smallest holds."""
    match it.choices:
        case ():
            return [{"t": it.move}]
        case (OneOf(fields, rows),):
            return [{"t": it.move, **dict(zip(fields, row, strict=True))} for row in rows]
        case (Amounts(field, limits, least, most),):
            wanted = {least, (least + most) // 2, most}
            return [{"t": it.move, field: _from_smallest(limits, n)} for n in sorted(wanted)]
        case _:
            return [sample_one(it, rng)]


def _from_smallest(limits: dict[str, int], amount: int) -> dict[str, int]:
    """J15: a hold that is used up is empty again."""
    taken = {}
    for hold, limit in sorted(limits.items(), key=lambda it: (it[1], it[0])):
        if amount and limit:
            taken[hold] = min(limit, amount)
            amount -= taken[hold]
    return taken

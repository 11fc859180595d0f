"""The house bot: presses at green after a person's reaction time, and only then."""

from math import exp

from photofinish.engine import BotBrain, Intent, Millis, Offer, Rng, Seat, Strength
from photofinish.games.reflex.view import View

REACTION = {Strength.EASY: 420, Strength.MEDIUM: 320, Strength.STRONG: 250}
FASTEST = 150


class ReflexPlayer:
    """Draws one reaction per light; the same light again gets the same answer."""

    def __init__(self, strength: Strength, rng: Rng) -> None:
        self._strength, self._rng = strength, rng
        self._flash = 0
        self._after = Millis(0)

    def see(self, view: View) -> None:
        """This bot has no memory."""

    def choose(self, view: View, offers: tuple[Offer, ...]) -> Intent | None:
        if not offers or view.phase != "lit" or view.light is None or view.light.sign != "go":
            return None
        if view.flash != self._flash:
            self._flash, self._after = view.flash, self._reaction()
        return Intent({"t": "press"}, self._after)

    def _reaction(self) -> Millis:
        # Roughly lognormal: the sum of twelve uniform numbers is nearly normal.
        bell = sum(self._rng.below(1000) for _ in range(12)) / 1000 - 6
        return Millis(max(FASTEST, int(REACTION[self._strength] * exp(0.18 * bell))))


def house_bot(_seat: Seat, strength: Strength, rng: Rng) -> BotBrain[View]:
    return ReflexPlayer(strength, rng)

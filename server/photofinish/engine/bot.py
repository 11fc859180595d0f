"""What a house player is: it decides from its own redacted views and the offers, like any client."""

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol, TypeAlias, TypeVar

import msgspec

from photofinish.engine.ids import Millis, Seat
from photofinish.engine.offers import Offer, Sent
from photofinish.engine.rng import Rng

V_contra = TypeVar("V_contra", contravariant=True)


class Strength(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    STRONG = "strong"


class Intent(msgspec.Struct, frozen=True):
    """A move the player has decided on, and how long a person would have taken over it."""

    move: Sent
    after: Millis


class House(Protocol[V_contra]):
    """One house player in one seat of one game. Its memory is a fold over the views it was sent."""

    def see(self, view: V_contra) -> None:
        """A view arrived. Called once for each view, in order, before `choose` is asked about it."""

    def choose(self, view: V_contra, offers: tuple[Offer, ...]) -> Intent | None:
        """What to do now, or None to wait. Asked again after every view; the last answer counts."""


MakeHouse: TypeAlias = Callable[[Seat, Strength, Rng], House[V_contra]]

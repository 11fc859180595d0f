"""A house bot that runs in the client: `photofinish bot --player house`."""

from typing import Any

import msgspec

from photofinish.engine import AnyGame, BotBrain, Rng, Seat, Strength, settle
from photofinish.engine.offers import Offer
from photofinish_client.player import Decision
from photofinish_protocol.messages import View


class ClientHouseBot:
    """Plays any game that has a house bot, from the views it gets."""

    def __init__(self, games: dict[str, AnyGame], strength: Strength, secret: bytes) -> None:
        self._games, self._strength = games, strength
        self._rng = Rng(secret, 0)
        self._brain: BotBrain[Any] | None = None
        self._number: tuple[str, int] | None = None

    def choose(self, view: View) -> Decision:
        game = self._games.get(view.game)
        if game is None or game.house_bot is None or view.you is None:
            return None
        if self._brain is None or self._number != (view.room, view.number):
            self._number = (view.room, view.number)
            self._brain = game.house_bot(Seat(view.you), self._strength, self._rng)
        plain = {**view.view, "last": msgspec.to_builtins(view.last)}
        seen = msgspec.convert(plain, game.view_type)
        self._brain.see(seen)
        offers = msgspec.convert(msgspec.to_builtins(view.offers), tuple[Offer, ...])
        intent = settle(self._brain.choose(seen, offers)) if offers else None
        return None if intent is None else (intent.move, intent.after / 1000)

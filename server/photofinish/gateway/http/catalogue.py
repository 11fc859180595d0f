"""The list of games for clients."""

from collections.abc import Mapping
from typing import Any

import msgspec

from photofinish.engine import AnyGame
from photofinish.engine.describe import schema
from photofinish_protocol import messages
from photofinish_protocol.codec import CODECS, Codec


class Catalogue:
    """The list of games, encoded once: it does not change while the server runs."""

    def __init__(self, games: Mapping[str, AnyGame]) -> None:
        got = messages.GameList(games=tuple(map(_info, games.values())))
        self._encoded = {name: msgspec.Raw(codec.encode(got)) for name, codec in CODECS.items()}

    def answer(self, request_id: int, codec: Codec) -> bytes:
        """The frame that answers a `games` message. The list is about 100 kB; only the id is encoded each time."""
        got: Any = self._encoded[codec.subprotocol]
        return codec.encode(messages.Ack(id=request_id, got=got))


def _info(game: AnyGame) -> messages.GameInfo:
    return messages.GameInfo(
        key=game.key,
        title=game.title,
        blurb=game.blurb,
        least=game.seats.start,
        most=game.seats.stop - 1,
        house=game.house_bot is not None,
        options=schema(game.options),
        moves=schema(game.move_type),
    )

"""The newest view of each viewer, and whether it has changed. This is the only way out of a game."""

from collections import deque
from functools import lru_cache
from itertools import chain
from typing import Any

import msgspec

from photofinish.engine import Happened, Micros, Move, Offer, OneOf, Race, Viewer, move_name, replace
from photofinish.engine.awaiting import marked
from photofinish.engine.convert import plain
from photofinish.room.play.clocks import ShownClock
from photofinish.room.play.match import Match
from photofinish_protocol import messages
from photofinish_protocol.version import REMEMBERED

_encode = msgspec.msgpack.Encoder().encode
_with = msgspec.structs.replace


class ViewerState:
    """One viewer's newest view. `seq` counts its changes. `past` keeps the events for viewers that reconnect."""

    __slots__ = ("_step", "last", "offers", "parts", "past", "seq")

    def __init__(self, seq: int) -> None:
        self.seq = seq
        self._step = -1
        self.parts: dict[str, Any] = {}
        self.offers: tuple[Offer, ...] = ()
        """As last sent: without the moves that were held then."""
        self.last: tuple[Happened, ...] = ()
        self.past: deque[tuple[Happened, ...]] = deque(maxlen=REMEMBERED)
        """The events of the last views, up to view `seq`."""

    def look(self, match: Match, viewer: Viewer, over: messages.Over | None) -> bool:
        """Compute the view again. True if it has changed; then `seq` is one higher.

        The head of the log is not compared: a frame that is sent only because of a new head would show that
        something hidden happened.
        """
        parts, last = view_parts(match, viewer, over)
        step = match.step
        if step == self._step:
            last = ()  # sent before
        else:
            self._step = step
            if len(match.steps_unseen) > 1:
                earlier = (match.game.view(state, viewer).last for state in match.steps_unseen[:-1])
                last = (*chain.from_iterable(earlier), *last)
        if not last and parts == self.parts:
            return False
        self.parts, self.last = parts, last
        self.seq += 1
        self.past.append(last)
        return True

    def reoffer(self, match: Match, viewer: Viewer) -> bool:
        """A held move of this viewer was refused. True if the last view left out an offer because of it.

        Only the seat's own refusal does this. `look` compares views as if no move were held. Otherwise a hidden
        step would send a view to each seat that has a held move.
        """
        if not self.parts or offers_now(match, viewer, self.parts) == self.offers:
            return False
        self.last = ()
        self.seq += 1
        self.past.append(())
        return True

    @staticmethod
    def bytes_of(view: Any) -> bytes:
        """The game's view without its last events, for comparison."""
        return _encode(replace(view, last=()))

    def missed(self, seq: int) -> tuple[Happened, ...]:
        """The remembered events after view `seq`."""
        first = self.seq - len(self.past) + 1
        return tuple(it for at, last in enumerate(self.past, first) if at > seq for it in last)


def view_parts(
    match: Match, viewer: Viewer, over: messages.Over | None
) -> tuple[dict[str, Any], tuple[Happened, ...]]:
    """The parts of a view that are compared, and the last events."""
    game, state = match.game, match.state
    seen = game.view(state, viewer)
    last: tuple[Happened, ...] = seen.last
    offers: tuple[Offer, ...] = ()
    if viewer is not None and over is None and not match.is_waiting:
        offers = game.offers(state, viewer)
        if offers:
            offers = marked(offers, viewer, match.timers)
    parts = {
        "view": _with(seen, last=()) if last else seen,
        "offers": offers,
        "race": None if match.race is None else _open_race(match.race, match.nonce),
        # Before the end, a game shows public scores in its own view.
        "scores": over.scores if over else (),
        "clocks": match.clocks.shown_clocks or match.clocks.shown(),
        "over": over,
    }
    return parts, last


def compose(
    viewer_state: ViewerState,
    match: Match,
    viewer: Viewer,
    common: messages.View,
    last: tuple[Happened, ...],
    from_: int,
) -> messages.View:
    """The message for this viewer. `common` has what all views of this moment have in common.

    The outbox puts `from` right if the socket was sent another view before.
    """
    parts = viewer_state.parts
    offers = parts["offers"]
    if match.race is not None:
        offers = offers_now(match, viewer, parts)
    viewer_state.offers = offers
    return _with(
        common, seq=viewer_state.seq, from_=from_, you=viewer, view=parts["view"], offers=offers, last=last
    )


def clocks_now(clocks: tuple[ShownClock, ...], now: Micros) -> tuple[messages.Clock, ...]:
    """The clocks of a view that is sent now."""
    return tuple(
        [
            messages.Clock(
                key=key,
                seat=seat,
                seats=waits_for if seat is None else (seat,),
                left_us=left if due is None else max(0, due - now),
                running=due is not None,
            )
            for key, seat, waits_for, due, left in clocks
        ]
    )


def offers_now(match: Match, viewer: Viewer, parts: dict[str, Any]) -> tuple[Offer, ...]:
    """The offers of a view, without the held moves of this viewer."""
    offers: tuple[Offer, ...] = parts["offers"]
    if viewer is None or match.race is None:  # nothing is held
        return offers
    held = match.held_moves(viewer)
    return still_offered(offers, held, match.race) if held else offers


def still_offered(offers: tuple[Offer, ...], held: list[Move], race: Race[Any] | None) -> tuple[Offer, ...]:
    """The offers without the held moves of this seat. A client that knows no game would send them twice.

    A seat has at most one held move of each kind, except the contested moves of a race: it may send several
    different ones.
    """
    contested = {move_name(kind) for kind in race.contested} if race is not None else set()
    left = []
    for offer in offers:
        same = [plain(move) for move in held if move_name(move) == offer.move]
        if same and offer.move not in contested:
            continue
        left.append(_without_rows(offer, same) if same else offer)
    return tuple(it for it in left if it is not None)


def _without_rows(offer: Offer, held: list[dict[str, Any]]) -> Offer | None:
    if not offer.choices:
        return None
    if len(offer.choices) > 1 or not isinstance(choice := offer.choices[0], OneOf):
        return offer
    rows = tuple(
        row
        for row in choice.rows
        if not any(
            all(it.get(field) == value for field, value in zip(choice.fields, row, strict=True))
            for it in held
        )
    )
    return replace(offer, choices=(replace(choice, rows=rows),)) if rows else None


def _open_race(race: Race[Any], nonce: str) -> messages.OpenRace:
    return _message_of_race(race.key, nonce, race.contested, race.closers, race.anytime)


@lru_cache(maxsize=1_024)
def _message_of_race(
    key: str,
    nonce: str,
    contested: tuple[type[Move], ...],
    closers: tuple[type[Move], ...],
    anytime: tuple[type[Move], ...],
) -> messages.OpenRace:
    """The same for all viewers and all steps of a race, so it is made once."""
    return messages.OpenRace(
        key=key,
        nonce=nonce,
        moves=tuple(map(move_name, contested)),
        closers=tuple(map(move_name, closers)),
        anytime=tuple(map(move_name, anytime)),
    )

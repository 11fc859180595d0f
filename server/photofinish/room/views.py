"""What each viewer has been shown, and what has changed since. Everything that leaves a game leaves here."""

from collections import deque
from itertools import chain
from typing import Any, cast

import msgspec

from photofinish.engine import Happened, Micros, Move, Offer, OneOf, Race, Viewer, move_name, replace
from photofinish.engine.awaiting import marked
from photofinish.engine.convert import plain
from photofinish.room.match import Match
from photofinish_protocol import messages
from photofinish_protocol.version import REMEMBERED

_encode = msgspec.msgpack.Encoder().encode


class ViewerState:
    """One viewer's newest view. `seq` counts its changes; `past` keeps what happened, for who was away."""

    __slots__ = ("_step", "body", "last", "offers", "parts", "past", "seq")

    def __init__(self, seq: int) -> None:
        self.seq = seq
        self._step = -1
        self.body = b""
        self.parts: dict[str, Any] = {}
        self.offers: tuple[Offer, ...] = ()
        """As they were last sent: without what was held then."""
        self.last: tuple[Happened, ...] = ()
        self.past: deque[tuple[int, tuple[Happened, ...]]] = deque(maxlen=REMEMBERED)

    def look(self, match: Match, viewer: Viewer, over: messages.Over | None) -> bool:
        """Look at the table again. True if this viewer's view has changed; then `seq` has gone up.

        The head of the log is not part of the comparison: a frame sent only because the head moved would tell
        that something hidden happened.
        """
        parts, last = view_parts(match, viewer, over)
        if match.step == self._step:
            last = ()  # told already
        else:
            earlier = (match.game.view(state, viewer).last for state in match.steps_unseen[:-1])
            last = (*chain.from_iterable(earlier), *last)
        self._step = match.step
        body = _encode(parts)
        if body == self.body and not last:
            return False
        self.body, self.parts, self.last = body, parts, last
        self.seq += 1
        self.past.append((self.seq, last))
        return True

    def reoffer(self, match: Match, viewer: Viewer) -> bool:
        """A held move of this viewer was refused. True if what it was last sent left an offer out for it.

        Only the seat's own refusal does this. `look` compares views as if nothing were held: else a step that
        nobody may notice would send a view to each seat whose move is held.
        """
        if not self.parts or offers_now(match, viewer, self.parts) == self.offers:
            return False
        self.last = ()
        self.seq += 1
        self.past.append((self.seq, ()))
        return True

    @staticmethod
    def bytes_of(view: Any) -> bytes:
        """A game's view without what just happened, to tell whether it has changed."""
        return _encode(replace(view, last=()))

    def missed(self, seq: int) -> tuple[Happened, ...]:
        """What happened after view `seq`, as far back as we remember."""
        return tuple(it for at, last in self.past if at > seq for it in last)


def view_parts(
    match: Match, viewer: Viewer, over: messages.Over | None
) -> tuple[dict[str, Any], tuple[Happened, ...]]:
    """All of a view that can change what a player knows, and what just happened."""
    game, state = match.game, match.state
    seen = game.view(state, viewer)
    timers = game.timers(state) if over is None else ()
    offers = marked(game.offers(state, viewer), viewer, timers) if viewer is not None and over is None else ()
    parts = {
        "view": replace(seen, last=()),
        "offers": () if match.is_waiting else offers,
        "race": _open_race(match),
        # Until the end a game shows in its own view what is public of the scores.
        "scores": over.scores if over else (),
        # What is left of a running clock follows from when it is due. Were it compared too, a view would go out at
        # every step of the game, and tell of steps that nobody may notice.
        "clocks": tuple(
            (t.key, t.seat, t.waits_for, due, left if due is None else 0)
            for t, due, left in match.clocks.faces()
        ),
        "over": over,
    }
    return parts, seen.last


def compose(
    sight: ViewerState, match: Match, viewer: Viewer, *, room: str, number: int, commitment: str,
    last: tuple[Happened, ...], now: Micros,
) -> messages.View:  # fmt: skip
    """The message for this viewer. `from` is filled in by whoever holds the socket."""
    parts = sight.parts
    sight.offers = offers_now(match, viewer, parts)
    return messages.View(
        room=room,
        game=match.game.key,
        number=number,
        seq=sight.seq,
        from_=0,
        you=viewer,
        view=parts["view"],
        scores=parts["scores"],
        head=match.head.hex(),
        commitment=commitment,
        offers=cast("Any", sight.offers),  # the same fields, as with `last`
        race=parts["race"],
        clocks=tuple(
            messages.Clock(
                key=key,
                seat=seat,
                seats=waits_for if seat is None else (seat,),
                left_us=left if due is None else max(0, due - now),
                running=due is not None,
            )
            for key, seat, waits_for, due, left in parts["clocks"]
        ),
        last=cast("tuple[messages.Happened, ...]", last),  # the same fields; a test compares the two types
        over=parts["over"],
    )


def offers_now(match: Match, viewer: Viewer, parts: dict[str, Any]) -> tuple[Offer, ...]:
    """The offers of a view, without what is held for this viewer."""
    offers: tuple[Offer, ...] = parts["offers"]
    held = match.held_moves(viewer) if viewer is not None else []
    return still_offered(offers, held, match.race) if held else offers


def still_offered(offers: tuple[Offer, ...], held: list[Move], race: Race[Any] | None) -> tuple[Offer, ...]:
    """The offers without what is held for this seat: a client that knows no game would send it a second time.

    A seat has one held move of a kind, but for the race's own: of those it may send several, each once.
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


def _open_race(match: Match) -> messages.OpenRace | None:
    race = match.race
    if race is None:
        return None
    return messages.OpenRace(
        key=race.key,
        nonce=match.nonce,
        moves=tuple(move_name(kind) for kind in race.contested),
        closers=tuple(move_name(kind) for kind in race.closers),
        anytime=tuple(move_name(kind) for kind in race.anytime),
    )

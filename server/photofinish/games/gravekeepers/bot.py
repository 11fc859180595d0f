"""The house bot: counts the gain of each walk, and the gain of the next seat after it."""

from collections.abc import Generator

from photofinish.engine import LastDecision, Offer, Rng, Seat, Sent, Strength, Thought, clockwise, weigh
from photofinish.engine.offers import moves, sample
from photofinish.games.gravekeepers.reckoning import (
    FACE_DOWN,
    Counts,
    group,
    line,
    standing,
    with_less,
    with_more,
)
from photofinish.games.gravekeepers.state import SIDE, SYMBOLS, Colour, Ghost
from photofinish.games.gravekeepers.view import View


def house_bot(seat: Seat, strength: Strength, rng: Rng) -> "GravekeepersPlayer":
    return GravekeepersPlayer(seat, strength, rng)


class GravekeepersPlayer:
    """Needs no memory. It keeps its last decision, so that it decides only once about the same situation."""

    def __init__(self, seat: Seat, strength: Strength, rng: Rng) -> None:
        self.seat, self.strength, self.rng = seat, strength, rng
        self._last = LastDecision(rng, least=700, spread=1100)

    def see(self, view: View) -> None:
        """This bot has no memory."""

    def choose(self, view: View, offers: tuple[Offer, ...]) -> Thought:
        if not offers:
            return None
        question = (view.phase, view.turns, view.visiting, view.scoring)
        return (yield from self._last.answer(question, self._move(view, offers)))

    def _move(self, view: View, offers: tuple[Offer, ...]) -> Generator[None, None, Sent | None]:
        if self.strength is Strength.EASY and self.rng.below(2):
            return sample(offers, self.rng)
        options = [sent for it in offers for sent in moves(it)]
        return (yield from weigh(options, lambda sent: self._promise(view, sent)))

    def _promise(self, view: View, sent: Sent) -> int:
        """The value of the position for this seat after this move."""
        match sent:
            case {"t": "declare", "colour": colour, "to": to}:
                return self._after_walk(view, colour, to)
            case {"t": "place", "card": card}:
                return self._after_placing(view, Ghost(**card))
            case {"t": "move", "to": to}:
                white = view.asked == "move_white"
                keepers = (to, view.black_col) if white else (view.white_row, to)
                return self._after_reply(view, _board(view), keepers, view.counts)
            case {"t": "relocate", "row": row, "col": col}:
                assert view.visiting is not None
                board = _board(view)
                here = view.visiting.row * SIDE + view.visiting.col
                board[here], board[row * SIDE + col] = board[row * SIDE + col], None
                return self._after_reply(view, board, _keepers(view), view.counts)
            case {"t": "flip"}:
                return -(10**6)  # the turned-up ghost is unknown
            case {"t": "draw", "pile": colour}:
                held = [ghost for ghost in view.hand or () if ghost.colour == colour]
                return -len(held)  # prefer the colour of which it holds fewer cards
            case {"t": "final", "card": card}:
                return standing(view, self._with(view.counts, Ghost(**card)), self.seat, 0)
            case {"t": "turn_down", "card": card}:
                turned = with_less(view.counts, self.seat, SYMBOLS.index(card["symbol"]))
                return self._scored(view, with_more(turned, self.seat, [FACE_DOWN]))
            case {"t": "drop"}:
                return self._scored(view, with_less(view.counts, self.seat, FACE_DOWN))
            case _:  # decline
                if view.phase == "score":
                    return self._scored(view, view.counts)
                return self._after_reply(view, _board(view), _keepers(view), view.counts)

    def _after_walk(self, view: View, colour: Colour, to: int) -> int:
        gained = [it for plot in line(view, colour, to) if (it := group(plot)) is not None]
        counts = with_more(view.counts, self.seat, gained)
        keepers = (to, view.black_col) if colour == "white" else (view.white_row, to)
        board = _board(view)
        for plot in line(view, colour, to):
            board[plot.row * SIDE + plot.col] = None
        board[keepers[0] * SIDE + keepers[1]] = FACE_DOWN
        return self._after_reply(view, board, keepers, counts)

    def _after_reply(
        self, view: View, board: list[int | None], keepers: tuple[int, int], counts: Counts
    ) -> int:
        """The value after the best move of the next seat."""
        left = sum(pile.size for pile in view.piles)
        if self.strength is not Strength.STRONG:
            return standing(view, counts, self.seat, left)
        following = clockwise(self.seat, len(counts))
        held = view.hand_counts[following]
        replies = []
        for place, steps in enumerate((held.white, held.black)):
            for to in range(SIDE):
                if 1 <= abs(to - keepers[place]) <= steps:
                    cells = range(to * SIDE, to * SIDE + SIDE) if place == 0 else range(to, SIDE * SIDE, SIDE)
                    gained = [it for cell in cells if (it := board[cell]) is not None]
                    replies.append(with_more(counts, following, gained))
        reply = max(replies, key=lambda it: standing(view, it, following, left), default=counts)
        return standing(view, counts, self.seat, left) + standing(view, reply, self.seat, left)

    def _after_placing(self, view: View, card: Ghost) -> int:
        """Keep the card that costs least at the end."""
        kept = list(view.hand or ())
        kept.remove(card)
        left = sum(pile.size for pile in view.piles)
        return max((standing(view, self._with(view.counts, it), self.seat, left) for it in kept), default=0)

    def _with(self, counts: Counts, card: Ghost) -> Counts:
        return with_more(counts, self.seat, [SYMBOLS.index(card.symbol)])

    def _scored(self, view: View, counts: Counts) -> int:
        """The symbols still to be scored, face-down ghosts and kinds."""
        assert view.scoring is not None
        return standing(view, counts, self.seat, 0, SYMBOLS.index(view.scoring) + 1)


def _board(view: View) -> list[int | None]:
    return [group(plot) for row in view.board for plot in row]


def _keepers(view: View) -> tuple[int, int]:
    return view.white_row, view.black_col

"""The memory of the house bot: the faces it has seen. It follows cards from slot to slot by their marks."""

from photofinish.engine import Happened, Rng, Seat
from photofinish.games.cambio.view import Face, View


class Memory:
    """Built from the views of one seat. `keeps` is the percentage of faces that it remembers."""

    def __init__(self, keeps: int, rng: Rng) -> None:
        self._keeps = keeps
        self._rng = rng
        self._faces: dict[int, Face] = {}
        self._noticed: set[int] = set()
        self._drawn: Face | None = None
        self.turns: dict[Seat, int] = {}
        """How often each seat has drawn in this round."""

    def face(self, mark: int) -> Face | None:
        """The card with this mark, if it was seen and not forgotten."""
        return self._faces.get(mark)

    def take_in(self, view: View) -> bool:
        """Read one view. True if anything was learned or forgotten."""
        before = dict(self._faces)
        for it in view.last:
            self._follow(it)
        if view.drawn is not None:
            self._drawn = view.drawn.face
        for row in view.table:
            for slot in row:
                if slot.face is not None and slot.mark not in self._noticed:
                    self._noticed.add(slot.mark)
                    self._learn(slot.mark, slot.face)
        there = {slot.mark for row in view.table for slot in row if slot.filled}
        self._faces = {mark: face for mark, face in self._faces.items() if mark in there}
        self._noticed &= there
        return self._faces != before

    def _follow(self, it: Happened) -> None:
        match it.what:
            case "dealt":
                self._faces.clear()
                self.turns.clear()
            case "swapped" | "gave":
                for step in it.detail["moved"]:
                    face = self._faces.pop(step["from"]["mark"], None)
                    if face is not None:
                        self._faces[step["to"]["mark"]] = face
            case "drew":
                self._drawn = None  # the face, if we may see it, is in the view
                if it.seat is not None:
                    self.turns[it.seat] = self.turns.get(it.seat, 0) + 1
            case "kept" if self._drawn is not None:
                self._learn(it.detail["place"]["mark"], self._drawn)

    def _learn(self, mark: int, face: Face) -> None:
        if self._rng.below(100) < self._keeps:
            self._faces[mark] = face

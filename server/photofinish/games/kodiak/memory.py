"""The memory of the house bot, built from its views."""

from photofinish.engine import Rng, Seat
from photofinish.games.kodiak.faces import Face
from photofinish.games.kodiak.view import View


class Memory:
    """Faces by slot, each with its mark. A card is forgotten when its mark is gone."""

    def __init__(self, seat: Seat, keeps: int, rng: Rng) -> None:
        self._seat = seat
        self._keeps = keeps
        self._rng = rng
        self._drawn: Face | None = None
        self._faces: dict[tuple[int, int], tuple[int, Face]] = {}
        self._tried: set[tuple[int, int, int]] = set()

    def take_in(self, view: View) -> bool:
        """Learn from one view. True if anything known has changed."""
        before = dict(self._faces)
        for it in view.last:
            if it.what == "swapped":
                self._follow(it.detail["moved"])
            elif it.what == "exchanged" and it.seat == self._seat and self._drawn is not None:
                self._learn(self._seat, it.detail["slot"], it.detail["mark"], self._drawn)
        self._drawn = view.drawn
        for seat, row in enumerate(view.table):
            for n, slot in enumerate(row):
                if slot.face is not None:
                    self._learn(seat, n, slot.mark, slot.face)
        self._faces = {
            (seat, n): (mark, face)
            for (seat, n), (mark, face) in self._faces.items()
            if n < len(view.table[seat]) and view.table[seat][n].mark == mark
        }
        return before != self._faces

    def face(self, seat: int, slot: int) -> Face | None:
        known = self._faces.get((seat, slot))
        return known[1] if known else None

    def _learn(self, seat: int, slot: int, mark: int, face: Face) -> None:
        """One chance per card to remember it: a face that it missed stays unknown until the slot changes."""
        if (seat, slot, mark) in self._tried:
            return
        self._tried.add((seat, slot, mark))
        if self._rng.below(100) < self._keeps:
            self._faces[seat, slot] = (mark, face)

    def _follow(self, moved: list[dict[str, dict[str, int]]]) -> None:
        found = []
        for it in moved:
            source, target = it["from"], it["to"]
            known = self._faces.get((source["seat"], source["slot"]))
            if known and known[0] == source["mark"]:
                found.append((target, known[1]))
        for target, face in found:
            self._faces[target["seat"], target["slot"]] = (target["mark"], face)

"""Simulates the rest of a round: both seats play sensible cards from guessed hands."""

from photofinish.games.hameln_cave.forecast import STRAIGHT, LevelMap, Position
from photofinish.games.hameln_cave.state import CARDS, Name, Pattern

PATTERN: tuple[Pattern, ...] = tuple(card.pattern for card in CARDS)
"""By the card's number in a forecast, which is its place in the deck."""

ADDS = {("wheel", "wheel"): 0, ("ghost", "wheel"): 1, ("wheel", "ghost"): 1, ("ghost", "ghost"): 2}
"""The pairs that move the ship, and how many cards they add (H14)."""

PATIENCE = tuple(
    tuple(1.0 + 0.55 * (min(4 - a, 4 - b) - 1) + 0.25 * (max(4 - a, 4 - b) - 1) for b in range(4))
    for a in range(4)
)
"""About how many more tricks a round has when the seats have won a and b."""

TRICK_WORTH = 0.35
"""The worth of one more trick, in moves of the ship."""

BROWN_WHEELS = (5, 6, 7)


class Round:
    """What stays the same while one round is simulated many times."""

    def __init__(self, level_map: LevelMap, number: int, names: tuple[Name | None, Name | None]) -> None:
        self.level_map, self.number, self.names = level_map, number, names
        self._after: dict[tuple[Position, int, Pattern, Pattern, bool], tuple[Position, float]] = {}
        self._outlooks: dict[Position, float] = {}

    def outlook(self, at: Position) -> float:
        found = self._outlooks.get(at)
        if found is None:
            found = self._outlooks[at] = self.level_map.outlook(at, self.number + 1)
        return found

    def after(self, at: Position, winner: int, one: int, other: int) -> tuple[Position, float]:
        """The position after a trick of these two cards, and its value. A reveal is only estimated."""
        key = (at, winner, PATTERN[one], PATTERN[other], self._has_choice(winner, one, other))
        found = self._after.get(key)
        if found is None:
            found = self._after[key] = self._work_out(*key)
        return found

    def revealed(self, at: Position, winner: int, down: list[int]) -> Position:
        """Turn cards up until one has an effect. Rick takes the better of two."""
        ends: list[Position] = []
        looks = 2 if self.names[winner] == "rick" else 1
        while down and looks:
            card = down.pop()
            match PATTERN[card]:
                case "saber":
                    continue
                case "wheel":
                    ends.append(self._pulled(at, winner, 0, self._has_choice(winner, card, card)))
                case "mermaid":
                    ends.append(self.level_map.sail(at, STRAIGHT))
                case "ghost":
                    ends.append(join(at))
            looks -= 1
        return max(ends, key=self.outlook, default=at)

    def _work_out(
        self, at: Position, winner: int, one: Pattern, other: Pattern, has_choice: bool
    ) -> tuple[Position, float]:
        if (one, other) in ADDS:
            at = self._pulled(at, winner, ADDS[one, other], has_choice)
        elif one == other == "mermaid":
            at = self.level_map.sail(at, STRAIGHT)
        elif {one, other} == {"ghost", "saber"}:
            at = join(at)
        elif one == other == "saber":
            ends = (self.level_map.sail(at, winner), self.level_map.sail(at, STRAIGHT), join(at))
            hopes = sorted(max(-9.0, min(9.0, self.outlook(end))) for end in ends)
            return at, 0.4 * hopes[-1] + 0.35 * hopes[-2] + 0.25 * self.outlook(at)
        return at, self.outlook(at)

    def _pulled(self, at: Position, winner: int, adds: int, has_choice: bool) -> Position:
        ends = [self.level_map.add(self.level_map.sail(at, winner), adds)]
        if has_choice:
            way = 1 - winner if self.names[winner] == "charlotte" else STRAIGHT
            ends.append(self.level_map.add(self.level_map.sail(at, way), adds))
        return max(ends, key=self.outlook)

    def _has_choice(self, winner: int, one: int, other: int) -> bool:
        """H34, H37, H39. A single revealed card is given as a pair with itself; Rion needs two different cards."""
        match self.names[winner]:
            case "charlotte":
                return one in BROWN_WHEELS or other in BROWN_WHEELS
            case "henry":
                return PATTERN[one] == PATTERN[other] == "ghost"
            case "rion":
                return one != other and one % 9 == other % 9 and PATTERN[one] == "wheel"
            case _:
                return False


class ImaginedDeal:
    """One possible deal of the hidden cards, and the rest of the round with it."""

    def __init__(self, hands: tuple[list[int], list[int]], down: list[int], chance: int) -> None:
        self.hands, self.down, self.chance = hands, down, chance

    def below(self, n: int) -> int:
        """Fast random numbers for simulations only."""
        self.chance = (self.chance * 1_103_515_245 + 12_345) & 0x7FFFFFFF
        return (self.chance >> 8) % n

    def play_out(
        self,
        game: Round,
        at: Position,
        leader: int,
        first: tuple[int, ...],
        won: list[int],
        *,
        extra: bool = False,
    ) -> float:
        """The chance to win after this round. `first` are the cards of the open trick, already played."""
        hands, trick = self.hands, first
        while True:
            if not trick:
                trick = (self._lead(game, at, leader, won),)
            if len(trick) == 1:
                hand = hands[1 - leader]
                reply = best_reply(game, at, leader, trick[0], hand, won)
                hand.remove(reply)
                trick = (trick[0], reply)
            winner = winner_of(leader, *trick)
            if PATTERN[trick[0]] == PATTERN[trick[1]] == "saber":
                at = game.revealed(at, winner, self.down)
            else:
                at = game.after(at, winner, *trick)[0]
            won[winner] += 1
            if at.space < 0 or extra:
                break
            if won[winner] >= 4:
                if game.names[winner] != "clyde":
                    break
                extra = True
            leader, trick = winner, ()
        return game.level_map.chance(at, game.number)

    def _lead(self, game: Round, at: Position, leader: int, won: list[int]) -> int:
        """The best of a few cards, without knowing the other hand."""
        hand, other = self.hands[leader], self.hands[1 - leader]
        best, worth = hand[0], -1e9
        for _ in range(min(2, len(hand))):
            card = hand[self.below(len(hand))]
            reply = best_reply(game, at, leader, card, other, won)
            value = trick_worth(game, at, leader, card, reply, won)
            if value > worth:
                best, worth = card, value
        hand.remove(best)
        return best


def join(at: Position) -> Position:
    return Position(at.space, at.ghosts + 1, at.before_call, at.marker)


def winner_of(leader: int, lead: int, reply: int) -> int:
    return 1 - leader if lead // 9 == reply // 9 and reply > lead else leader


def trick_worth(game: Round, at: Position, leader: int, lead: int, reply: int, won: list[int]) -> float:
    winner = winner_of(leader, lead, reply)
    value = game.after(at, winner, lead, reply)[1]
    if won[winner] >= 3:
        return value
    a, b = won[0] + (winner == 0), won[1] + (winner == 1)
    return value + TRICK_WORTH * PATIENCE[a][b] if a < 4 and b < 4 else value


def best_reply(game: Round, at: Position, leader: int, lead: int, hand: list[int], won: list[int]) -> int:
    colour = lead // 9
    legal = [card for card in hand if card // 9 == colour] or hand
    if len(legal) == 1:
        return legal[0]
    return max(legal, key=lambda card: trick_worth(game, at, leader, lead, card, won))

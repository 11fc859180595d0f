"""The estimated worth of an answer for one ship, in points, from the seat's own view."""

from collections.abc import Iterable

import msgspec

from photofinish.engine import Seat, Sent
from photofinish.games.jamaica.box import ActionCard, the_box
from photofinish.games.jamaica.state import DIRECTIONS, RESOURCES, Action, Direction, Hold, Resource
from photofinish.games.jamaica.steps.questions import BACK_TO, COST_OF
from photofinish.games.jamaica.view import ShipView, View

A_SPACE = 0.75
"""The worth of being one space nearer home."""
A_TREASURE = 3.0
A_BATTLE = 0.25
"""The worth of a point of firepower where other ships are met."""
PLENTY: dict[Resource, int] = {"food": 9, "gunpowder": 6, "gold": 99}
WORTH: dict[Resource, float] = {"food": 0.55, "gunpowder": 0.35, "gold": 1.0}
HOME_FIRST = 8.0


class Berth(msgspec.Struct, frozen=True):
    """A ship in the estimate."""

    space: int
    lap: int
    holds: tuple[Hold, ...]
    extra: float = 0.0
    """The worth of the treasures and battles on the way."""

    def total(self, resource: Resource) -> int:
        return sum(hold.count for hold in self.holds if hold.resource == resource)


class Reckoner:
    def __init__(self, view: View, seat: Seat) -> None:
        self.view, self.seat = view, seat
        self.box = the_box()
        self.chart = self.box.chart
        own = view.ships[seat]
        self.here = Berth(own.space, own.lap, own.holds)
        self.others = [ship for ship in view.ships if ship.ship != seat]
        self.nearest = min(ship.to_go for ship in self.others)
        self.tokens = set(view.tokens)

    def worth(self, sent: Sent) -> float:
        match sent:
            case {"t": "place_dice", "morning": first}:
                dice = self.view.dice
                return max(self._day(card, dice[first], dice[1 - first]) for card in self.view.hand or ())
            case {"t": "choose", "card": number}:
                assert self.view.morning is not None
                assert self.view.evening is not None
                card = self.box.action[number]
                # Of equal cards play the one that leaves the better hand.
                return self._day(card, self.view.morning, self.view.evening) - 0.1 * _keeps(card)
            case {"t": "load", "hold": hold}:
                before = self.here.holds[hold]
                return -before.count * (WORTH[before.resource] if before.resource else 0.0)
            case {"t": "move", "to": to}:
                return self._arrival(to)
            case {"t": "ghost_move"}:
                return self._ghost(sent)
            case _:
                return self._in_battle(sent)

    def value(self, ship: Berth) -> float:
        """The value of a ship, in points."""
        worth = ship.extra - A_SPACE * self.chart.to_go(ship.space, ship.lap)
        if ship.lap >= 1:
            worth += HOME_FIRST
        near_the_end = min(self.chart.to_go(ship.space, ship.lap), self.nearest) < 6
        for resource, each in WORTH.items():
            lasting = 0.5 if near_the_end and resource != "gold" else 1.0
            worth += lasting * each * min(ship.total(resource), PLENTY[resource])
        return worth

    def _day(self, card: ActionCard, morning: int, evening: int) -> float:
        ends = self._act(self.here, card.morning, morning)
        total = 0.0
        for chance, ship in ends:
            total += chance * max(
                (self.value(later) for later in self._evening(ship, card.evening, evening)),
                default=self.value(ship),
            )
        return total

    def _evening(self, ship: Berth, action: Action, die: int) -> Iterable[Berth]:
        if ship.lap >= 1:
            return (ship,)
        if action in RESOURCES:
            return (self._loaded(ship, action, die),)
        assert action in DIRECTIONS
        return tuple(self._expected(ship, to, lap) for to, lap in self._ends(ship, die, action))

    def _act(self, ship: Berth, action: Action, die: int) -> list[tuple[float, Berth]]:
        """The possible results of the morning with their probabilities: the best end, or the drift after a shortage."""
        if action in RESOURCES:
            return [(1.0, self._loaded(ship, action, die))]
        assert action in DIRECTIONS
        ends = self._ends(ship, die, action)
        to, lap = max(ends, key=lambda end: self.value(self._expected(ship, *end)))
        return self._landings(ship, to, lap)

    def _ends(self, ship: Berth, die: int, direction: Direction) -> list[tuple[int, int]]:
        return list(self.chart.reach(ship.space, ship.lap, die, direction).items())

    def _loaded(self, ship: Berth, resource: Resource, die: int) -> Berth:
        places = [n for n, hold in enumerate(ship.holds) if hold.resource is None]
        places = places or [n for n, hold in enumerate(ship.holds) if hold.resource != resource]
        if not places:
            return ship
        best = min(places, key=lambda n: self._kept(ship.holds[n]))
        holds = (*ship.holds[:best], Hold(resource, die), *ship.holds[best + 1 :])
        return msgspec.structs.replace(ship, holds=holds)

    def _kept(self, hold: Hold) -> float:
        return hold.count * WORTH[hold.resource] if hold.resource else 0.0

    def _expected(self, ship: Berth, to: int, lap: int) -> Berth:
        """One average result for landing there."""
        landings = self._landings(ship, to, lap)
        if len(landings) == 1:
            return landings[0][1]
        mean = sum(chance * self.value(end) for chance, end in landings)
        there = landings[0][1]
        return msgspec.structs.replace(there, extra=there.extra + mean - self.value(there))

    def _landings(self, ship: Berth, to: int, lap: int) -> list[tuple[float, Berth]]:
        space, extra = self.chart.spaces[to], ship.extra + self._met(ship, to)
        if to in self.tokens:
            extra += A_TREASURE
        there = msgspec.structs.replace(ship, space=to, lap=lap, extra=extra)
        if space.kind not in COST_OF:
            return [(1.0, there)]
        resource = COST_OF[space.kind]
        has = there.total(resource)
        there = msgspec.structs.replace(there, holds=_without(there.holds, resource, min(has, space.cost)))
        if has >= space.cost or lap < 0:
            return [(1.0, there)]
        each = 1 / len(self.box.die)
        return [(each, self._drifted(there, face.shortage)) for face in self.box.die]

    def _drifted(self, ship: Berth, rolled: str) -> Berth:
        kind = next((kind for name, kind in BACK_TO.items() if name == rolled), None)
        if kind is None:
            return ship
        back = [
            msgspec.structs.replace(ship, space=to, extra=ship.extra + A_TREASURE * (to in self.tokens))
            for to in self.chart.behind(ship.space, kind)
        ]
        return max(back, key=self.value)

    def _met(self, ship: Berth, to: int) -> float:
        """The worth of a battle there: high if this ship has more gunpowder than the other, and the other has gold."""
        there = [other for other in self.others if other.space == to and to != self.chart.port_royal]
        if not there:
            return 0.0
        return max(
            A_BATTLE * (ship.total("gunpowder") - _powder(other)) + 0.1 * _gold(other) for other in there
        )

    def _arrival(self, to: int) -> float:
        if self.view.shortage:
            return A_TREASURE * (to in self.tokens) - A_SPACE * self.chart.home[to]
        ends = {
            end: lap for direction in DIRECTIONS for end, lap in self._ends(self.here, self._die(), direction)
        }
        return self.value(self._expected(self.here, to, ends.get(to, self.here.lap)))

    def _die(self) -> int:
        die = self.view.evening if self.view.half == "evening" else self.view.morning
        return die or 0

    def _ghost(self, sent: Sent) -> float:
        """The worth of a move of the Ghost Ship: best away from home, and onto another seat's ship."""
        to: int = sent["to"]
        worth = 0.3 * self.chart.home[to] - A_TREASURE * (to in self.tokens)
        on = [ship for ship in self.others if ship.space == to and ship.ship != "ghost"]
        worth += 2.0 * bool(on and to != self.chart.port_royal)
        return worth - 3.0 * (self.view.ships[self.seat].space == to)

    def _in_battle(self, sent: Sent) -> float:
        match sent:
            case {"t": "attack", "ship": ship}:
                other = self._ship(ship)
                mine = 3.0 if ship == self.seat else 0.0
                return _gold(other) - 2.0 * _powder(other) + 2.0 * len(other.treasures) - mine
            case {"t": "fire", "powder": powder}:
                return self._firing(sum(powder.values()))
            case {"t": "sabre"}:
                return 1.0 if self._would_reroll() else -1.0
            case {"t": "loot"}:
                return self._loot(sent)
            case {"t": "curse", "treasure": place}:
                own = next(it for it in self.view.ships[self.seat].treasures if it.place == place)
                return 1.0 - (own.card.points if own.card else 0)
            case _:
                return 0.0

    def _ship(self, ship: int | str) -> ShipView:
        return next(it for it in self.view.ships if it.ship == ship)

    def _firing(self, powder: int) -> float:
        """The chance to win with this much gunpowder, minus its cost."""
        battle = self.view.battle
        assert battle is not None
        rolls = [None if face.is_star else int(face.combat) for face in self.box.die]
        against: list[int | None] = rolls
        if battle.attack is not None:
            against = [battle.attack.firepower]
        bonus = self.box.beth_bonus * any(
            it.card is not None and it.card.id == "lady_beth" for it in self.view.ships[self.seat].treasures
        )
        wins = sum(
            mine is None or (theirs is not None and mine + powder + bonus > theirs)
            for mine in rolls
            for theirs in against
        )
        stakes = 7.0
        return stakes * wins / (len(rolls) * len(against)) - WORTH["gunpowder"] * powder

    def _would_reroll(self) -> bool:
        battle = self.view.battle
        assert battle is not None
        if battle.defence is None:
            shot, mine = battle.attack, battle.attacker == self.seat
            assert shot is not None
            good = shot.firepower is None or shot.firepower >= 8
            return good != mine
        assert battle.attack is not None
        assert battle.attack.firepower is not None
        theirs = battle.defence.firepower
        defended = theirs is None or theirs >= battle.attack.firepower
        return defended != (battle.defender == self.seat)

    def _loot(self, sent: Sent) -> float:
        battle = self.view.battle
        assert battle is not None
        loser = self._ship(battle.defender if battle.winner == battle.attacker else battle.attacker)
        if battle.winner == "ghost":  # it is good if another seat loses something, bad if this seat does
            return 0.0 if loser.ship == self.seat else 1.0
        if "treasure" in sent:
            lying = next(it for it in loser.treasures if it.place == sent["treasure"])
            return -3.0 if lying.curse else 2.5 if lying.card is None else 3.0
        taken, into = loser.holds[sent["hold"]], self.view.ships[self.seat].holds[sent["into"]]
        assert taken.resource is not None
        twice = 1.5 if taken.resource == "gold" else 1.0
        return twice * WORTH[taken.resource] * taken.count - self._kept(into)


def _keeps(card: ActionCard) -> int:
    """How many actions of the card sail forward: such cards are worth keeping for a round with better dice."""
    return (card.morning == "forward") + (card.evening == "forward")


def _without(holds: tuple[Hold, ...], resource: Resource, amount: int) -> tuple[Hold, ...]:
    left = []
    for hold in holds:
        if hold.resource == resource and amount:
            paid = min(hold.count, amount)
            amount -= paid
            left.append(Hold(resource, hold.count - paid) if hold.count > paid else Hold())
        else:
            left.append(hold)
    return tuple(left)


def _powder(ship: ShipView) -> int:
    return sum(hold.count for hold in ship.holds if hold.resource == "gunpowder")


def _gold(ship: ShipView) -> int:
    return sum(hold.count for hold in ship.holds if hold.resource == "gold")

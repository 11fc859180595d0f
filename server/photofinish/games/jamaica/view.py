"""What a viewer may know. Each view is a new value, never a state with parts removed."""

from functools import cache, lru_cache
from typing import Literal, cast

from photofinish.engine import Happened, Record, Seat, Viewer, events_for
from photofinish.games.jamaica.box import ActionCard, TreasureCard, the_box
from photofinish.games.jamaica.scoring import outcome, totals
from photofinish.games.jamaica.state import (
    Battle,
    Deck,
    Ghost,
    Hold,
    Kind,
    Question,
    Resource,
    Ship,
    Shortage,
    Shot,
    State,
)
from photofinish.games.jamaica.steps.battle import strength
from photofinish.games.jamaica.steps.questions import awaited, decider, due
from photofinish.games.jamaica.words import ship_id

COLOURS = ("red", "yellow", "green", "blue", "purple", "black")
"""By seat, so that black is free for the Ghost Ship with up to five (J44)."""


class SpaceView(Record, frozen=True):
    """One space of the board, and where to draw it on a sheet of 1000 × 670."""

    id: int
    kind: Kind
    cost: int
    score: int
    next: tuple[int, ...]
    prev: tuple[int, ...]
    x: int
    y: int


class TreasureView(Record, frozen=True):
    place: int
    up: bool
    curse: bool
    """Known to everybody as a curse, because it was given away."""
    card: TreasureCard | None
    """Its face, if the viewer may know it."""


class ShipView(Record, frozen=True):
    ship: int | Ghost
    colour: str
    space: int
    lap: int
    finished: bool
    to_go: int
    """Spaces still to sail, by the shortest branch."""
    holds: tuple[Hold, ...]
    treasures: tuple[TreasureView, ...]


class PlayerView(Record, frozen=True):
    """A seat's cards, as far as everybody sees them."""

    hand_size: int
    draw_size: int
    discard: tuple[ActionCard, ...]
    """Top card last."""
    chosen: bool
    """Has chosen a card that is not yet turned up."""
    played: ActionCard | None
    """Turned up last, until the seat chooses again."""


class ShotView(Record, frozen=True):
    powder: int
    die: str
    """A number, or `star`."""
    bonus: int
    firepower: int | None
    """Null for a star."""


class BattleView(Record, frozen=True):
    attacker: int | Ghost
    defender: int | Ghost
    attack: ShotView | None
    defence: ShotView | None
    sabre_used: bool
    winner: int | Ghost | None
    decides: Seat | None
    """Who decides for the winner."""


class CostView(Record, frozen=True):
    resource: Resource
    count: int


class View(Record, frozen=True):
    """Everything a client needs to draw the table. Tuples have one value per seat unless stated otherwise."""

    phase: Question
    round: int
    captain: Seat
    awaited: tuple[Seat, ...]
    """The seats that the game waits for; several while cards are chosen."""
    dice: tuple[int, int]
    """As rolled."""
    morning: int | None
    evening: int | None
    """The dice once placed."""
    acting: int | Ghost | None
    """The ship whose actions are being done."""
    half: Literal["morning", "evening"] | None
    board: tuple[SpaceView, ...]
    """By id."""
    tokens: tuple[int, ...]
    """The lairs whose treasure is still there."""
    ships: tuple[ShipView, ...]
    """By seat; the Ghost Ship, if it sails, last."""
    players: tuple[PlayerView, ...]
    hand: tuple[ActionCard, ...] | None
    """The viewer's own, null for a spectator."""
    choice: ActionCard | None
    """The viewer's own choice, until it is turned up."""
    cost: CostView | None
    """What has to be paid now."""
    shortage: Shortage | None
    """What the die drives the acting ship back to."""
    battle: BattleView | None
    treasure_pile: int
    left_out: int
    hands: tuple[tuple[ActionCard, ...], ...] | None
    """Everybody's, after the end."""
    left_out_cards: tuple[TreasureCard, ...] | None
    """After the end."""
    scores: tuple[int, ...] | None
    """By ship, after the end."""
    winners: tuple[Seat, ...] | None
    """After the end; none if the Ghost Ship has won."""
    last: tuple[Happened, ...]


def view(state: State, viewer: Viewer) -> View:
    box, result, ghost = the_box(), outcome(state), state.ghost
    own = None if viewer is None else state.decks[viewer]
    is_acting = state.phase not in {"dice", "choose", "over"}
    over = state.phase == "over"
    return View(
        phase=cast("Question", state.phase),  # nobody looks at a state between two questions
        round=state.round,
        captain=state.captain,
        awaited=awaited(state),
        dice=state.dice,
        morning=state.times[0] if state.times else None,
        evening=state.times[1] if state.times else None,
        acting=ship_id(state, state.mover) if is_acting else None,
        half=("evening" if state.half else "morning") if is_acting else None,
        board=_board(),
        tokens=state.tokens,
        ships=tuple(
            _ship(ship, "ghost" if number == ghost else number, sees_all=over or number == viewer)
            for number, ship in enumerate(state.ships)
        ),
        players=tuple(map(_player, state.decks)),
        hand=_cards(own.hand) if own else None,
        choice=box.action[own.chosen] if own and own.chosen is not None else None,
        cost=CostView(*due(state)) if state.phase == "pay" else None,
        shortage=state.shortage,
        battle=_battle(state, state.battle) if state.battle else None,
        treasure_pile=len(state.pile),
        left_out=len(state.left_out),
        hands=tuple(_cards(deck.hand) for deck in state.decks) if over else None,
        left_out_cards=tuple(box.treasure[card] for card in state.left_out) if over else None,
        scores=totals(state) if over else None,
        winners=result.winners if result else None,
        last=events_for(state.last, viewer),
    )


def _cards(ids: tuple[int, ...]) -> tuple[ActionCard, ...]:
    return tuple(map(the_box().action.__getitem__, ids))


@cache
def _board() -> tuple[SpaceView, ...]:
    """The same in every view."""
    chart = the_box().chart
    return tuple(
        SpaceView(it.id, it.kind, it.cost, it.score, it.next, it.prev, *chart.drawn[it.id])
        for it in chart.spaces
    )


@lru_cache(maxsize=4_096)
def _player(deck: Deck) -> PlayerView:
    """Remembered, as `_ship`."""
    return PlayerView(
        len(deck.hand),
        len(deck.pile),
        _cards(deck.discard),
        deck.chosen is not None,
        None if deck.played is None else the_box().action[deck.played],
    )


@lru_cache(maxsize=4_096)
def _ship(ship: Ship, name: int | Ghost, *, sees_all: bool) -> ShipView:
    """Remembered: all viewers but its owner see a ship alike, and a move changes one or two of them."""
    return ShipView(
        ship=name,
        colour=COLOURS[-1] if name == "ghost" else COLOURS[name],
        space=ship.space,
        lap=ship.lap,
        finished=ship.has_finished,
        to_go=the_box().chart.to_go(ship.space, ship.lap),
        holds=ship.holds,
        treasures=_treasures(ship, sees_all=sees_all),
    )


def _treasures(ship: Ship, *, sees_all: bool) -> tuple[TreasureView, ...]:
    """Face up for everybody, face down for the owner alone; all of them after the end (J37, J49)."""
    faces = the_box().treasure
    return tuple(
        TreasureView(it.place, it.up, it.curse, faces[it.card] if it.up or sees_all else None)
        for it in ship.treasures
    )


def _battle(state: State, battle: Battle) -> BattleView:
    return BattleView(
        attacker=ship_id(state, battle.attacker),
        defender=ship_id(state, battle.defender),
        attack=_shot(battle.attack),
        defence=_shot(battle.defence),
        sabre_used=battle.sabre_used,
        winner=None if battle.winner is None else ship_id(state, battle.winner),
        decides=None if battle.winner is None else decider(state, battle.winner),
    )


def _shot(shot: Shot | None) -> ShotView | None:
    if shot is None:
        return None
    return ShotView(shot.powder, the_box().die[shot.face].combat, shot.bonus, strength(shot))

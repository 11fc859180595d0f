"""Gravekeepers: two keepers walk the rows and columns of a cemetery. The most ghosts of a kind cost points."""

from photofinish.engine import Clauses, Game
from photofinish.games.gravekeepers.bot import house_bot
from photofinish.games.gravekeepers.box import SEATS, the_box
from photofinish.games.gravekeepers.clocks import timers
from photofinish.games.gravekeepers.offers import offers
from photofinish.games.gravekeepers.resample import resample
from photofinish.games.gravekeepers.rules import apply
from photofinish.games.gravekeepers.scoring import outcome, places, scores
from photofinish.games.gravekeepers.setup import setup
from photofinish.games.gravekeepers.state import (
    AnyMove,
    Dawn,
    Declare,
    Decline,
    Draw,
    Drop,
    Final,
    Flip,
    Ghost,
    GravekeepersOptions,
    MoveKeeper,
    Place,
    Relocate,
    State,
    TurnDown,
)
from photofinish.games.gravekeepers.view import View, view

the_box()  # a broken file is reported when the games are loaded

GAME: Game[State, AnyMove, View, GravekeepersOptions] = Game(
    key="gravekeepers",
    title="Gravekeepers",
    seats=SEATS,
    state=State,
    moves=(Declare, Place, MoveKeeper, Relocate, Flip, Decline, Draw, Final, TurnDown, Drop),
    view_type=View,
    options=GravekeepersOptions,
    setup=setup,
    offers=offers,
    apply=apply,
    view=view,
    resample=resample,
    scores=scores,
    outcome=outcome,
    places=places,
    faces=(Ghost, Dawn),
    timers=timers,
    house_bot=house_bot,
    clauses=Clauses(deal="G5", over="G35"),
    blurb="Walk two keepers round a cemetery and gather ghosts, but never the most of a kind.",
)

"""Hameln Cave: a cooperative trick-taking game for two. Tricks steer a ship, and talk is forbidden."""

from photofinish.engine import Clauses, Game
from photofinish.games.hameln_cave.bot import house_bot
from photofinish.games.hameln_cave.clocks import timers
from photofinish.games.hameln_cave.offers import offers
from photofinish.games.hameln_cave.resample import resample
from photofinish.games.hameln_cave.rules import apply
from photofinish.games.hameln_cave.state import (
    AnyMove,
    Apply,
    Card,
    Character,
    Extra,
    HamelnCaveOptions,
    Pass,
    Play,
    Ready,
    Reveal,
    State,
    Steer,
    Stop,
)
from photofinish.games.hameln_cave.steps.ending import muted, outcome, scores
from photofinish.games.hameln_cave.steps.rounds import setup
from photofinish.games.hameln_cave.view import View, view

GAME: Game[State, AnyMove, View, HamelnCaveOptions] = Game(
    key="hameln_cave",
    title="Hameln Cave",
    seats=range(2, 3),
    state=State,
    moves=(Character, Pass, Play, Steer, Reveal, Stop, Apply, Extra, Ready),
    view_type=View,
    options=HamelnCaveOptions,
    setup=setup,
    offers=offers,
    apply=apply,
    view=view,
    resample=resample,
    scores=scores,
    outcome=outcome,
    is_coop=True,
    faces=(Card,),
    timers=timers,
    muted=muted,
    house_bot=house_bot,
    clauses=Clauses(deal="H5", over="H31"),
    version=2,
    blurb="Two pirates, one ship: tricks steer it out of the cave, and nobody may speak.",
)

"""Reflex: a light goes on, and the first press wins. For practice and for pure reaction events."""

from photofinish.engine import Clauses, Game
from photofinish.games.reflex.bot import house_bot
from photofinish.games.reflex.offers import offers
from photofinish.games.reflex.rules import apply, outcome, race, scores, setup, timers
from photofinish.games.reflex.state import Light, Press, ReflexOptions, State
from photofinish.games.reflex.view import View, resample, view

GAME: Game[State, Press, View, ReflexOptions] = Game(
    key="reflex",
    title="Reflex",
    seats=range(1, 9),
    state=State,
    moves=(Press,),
    view_type=View,
    options=ReflexOptions,
    setup=setup,
    offers=offers,
    apply=apply,
    view=view,
    resample=resample,
    scores=scores,
    outcome=outcome,
    faces=(Light,),
    timers=timers,
    race=race,
    house_bot=house_bot,
    clauses=Clauses(deal="X1", over="X11", race="X5"),
    version=2,
    blurb="A light goes on: press first. For practice, alone or with others, and for pure reaction events.",
)

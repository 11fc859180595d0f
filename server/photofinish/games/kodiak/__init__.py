"""Kodiak: one seat is the cat, the others are mice. Remember cards and be fast."""

from photofinish.engine import Clauses, Game
from photofinish.engine.records import Move
from photofinish.games.kodiak.bot import house_bot
from photofinish.games.kodiak.clocks import race, timers
from photofinish.games.kodiak.faces import Face
from photofinish.games.kodiak.moves import MOVES, KodiakOptions
from photofinish.games.kodiak.offers import offers
from photofinish.games.kodiak.rounds import outcome, scores, setup
from photofinish.games.kodiak.rules import apply
from photofinish.games.kodiak.state import State
from photofinish.games.kodiak.view import View, resample, view

GAME: Game[State, Move, View, KodiakOptions] = Game(
    key="kodiak",
    title="Kodiak",
    seats=range(2, 7),
    state=State,
    moves=MOVES,
    view_type=View,
    options=KodiakOptions,
    setup=setup,
    offers=offers,
    apply=apply,
    view=view,
    resample=resample,
    scores=scores,
    outcome=outcome,
    lower_is_better=True,
    faces=(Face,),
    timers=timers,
    race=race,
    house_bot=house_bot,
    clauses=Clauses(deal="K1", over="K26", race="K22"),
    version=2,
    blurb="One seat is the cat, the others are mice: remember your cards, and be quicker than a paw.",
)

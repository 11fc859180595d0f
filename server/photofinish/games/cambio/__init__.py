"""Cambio: get rid of cards, remember the rest, and slap identical cards in a race."""

from photofinish.engine import Clauses, Game
from photofinish.games.cambio.bot import house_bot
from photofinish.games.cambio.clocks import timers
from photofinish.games.cambio.offers import offers
from photofinish.games.cambio.rounds import outcome, scores, setup
from photofinish.games.cambio.rules import apply
from photofinish.games.cambio.slaps import race
from photofinish.games.cambio.state import MOVES, CambioMove, CambioOptions, State
from photofinish.games.cambio.view import Face, View, resample, view

GAME: Game[State, CambioMove, View, CambioOptions] = Game(
    key="cambio",
    title="Cambio",
    seats=range(2, 9),
    state=State,
    moves=MOVES,
    view_type=View,
    options=CambioOptions,
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
    clauses=Clauses(deal="C2", over="C28", race="C22"),
    version=2,
    blurb="Fewest points win: remember your cards, swap theirs, and slap what is identical before they do.",
)

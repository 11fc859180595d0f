"""Alaska: catch salmon in a river with anglers; a bear can take a catch in a race."""

from photofinish.engine import Clauses, Game, Move
from photofinish.games.alaska.bot import house_bot
from photofinish.games.alaska.clocks import timers
from photofinish.games.alaska.deck import MOST_SEATS, Face, faces
from photofinish.games.alaska.offers import offers
from photofinish.games.alaska.race import race
from photofinish.games.alaska.rules import apply, outcome, scores, setup
from photofinish.games.alaska.state import MOVES, Kept, Setting, State
from photofinish.games.alaska.view import View, resample, view

faces()  # a broken deck is reported before any room opens

GAME: Game[State, Move, View, Setting] = Game(
    key="alaska",
    title="Alaska",
    seats=range(2, MOST_SEATS + 1),
    state=State,
    moves=MOVES,
    view_type=View,
    options=Setting,
    setup=setup,
    offers=offers,
    apply=apply,
    view=view,
    resample=resample,
    scores=scores,
    outcome=outcome,
    faces=(Face, Kept),
    timers=timers,
    race=race,
    house_bot=house_bot,
    clauses=Clauses(deal="A3", over="A40", race="A31"),
    blurb="Cast for salmon in a river full of tourists, and keep your catch from the bear.",
)

"""The Rune Market: shelters, interest, thieves and bandits."""

from photofinish.engine import Clauses, Game, Move
from photofinish.games.rune_market.bot import house_bot
from photofinish.games.rune_market.deck import MOST_SEATS, Face, faces
from photofinish.games.rune_market.ending import scores
from photofinish.games.rune_market.moves import MOVES, Sign
from photofinish.games.rune_market.offers import offers
from photofinish.games.rune_market.rules import apply, outcome, setup
from photofinish.games.rune_market.state import Setting, State
from photofinish.games.rune_market.turn import timers
from photofinish.games.rune_market.view import View, resample, view

faces()  # a broken deck is reported before any room opens

GAME: Game[State, Move, View, Setting] = Game(
    key="rune_market",
    title="The Rune Market",
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
    faces=(Face, Sign),
    timers=timers,
    house_bot=house_bot,
    clauses=Clauses(deal="R2", over="R37"),
    blurb="Put your runes where they bear interest, and your bandits where others do.",
)

"""Cauldron 15: a trick-taking game. A trick over 15 ends at once, and a total over 15 loses."""

from photofinish.engine import Clauses, Game
from photofinish.games.cauldron15.bot import house_bot
from photofinish.games.cauldron15.box import SEATS, the_box
from photofinish.games.cauldron15.clocks import timers
from photofinish.games.cauldron15.deal import setup
from photofinish.games.cauldron15.offers import offers
from photofinish.games.cauldron15.rules import apply
from photofinish.games.cauldron15.scoring import outcome, places, scores
from photofinish.games.cauldron15.state import (
    AnyMove,
    Bonus,
    Card,
    Cauldron15Options,
    Decline,
    Play,
    Spend,
    State,
    Take,
    Trump,
)
from photofinish.games.cauldron15.view import View, resample, view

the_box()  # a broken file is reported when the games are loaded

GAME: Game[State, AnyMove, View, Cauldron15Options] = Game(
    key="cauldron15",
    title="Cauldron 15",
    seats=SEATS,
    state=State,
    moves=(Play, Take, Bonus, Decline, Spend),
    view_type=View,
    options=Cauldron15Options,
    setup=setup,
    offers=offers,
    apply=apply,
    view=view,
    resample=resample,
    scores=scores,
    outcome=outcome,
    places=places,
    faces=(Card, Trump),
    timers=timers,
    house_bot=house_bot,
    clauses=Clauses(deal="B2", over="B27"),
    blurb="Trick-taking in which the cauldron holds 15, and so do you.",
)

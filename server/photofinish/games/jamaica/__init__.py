"""Jamaica: a race round the island with food, gold, gunpowder and treasures."""

from photofinish.engine import Clauses, Game
from photofinish.games.jamaica.bot import house_bot
from photofinish.games.jamaica.box import SEATS, ActionCard, TreasureCard, the_box
from photofinish.games.jamaica.clocks import timers
from photofinish.games.jamaica.offers import offers
from photofinish.games.jamaica.resample import resample
from photofinish.games.jamaica.rules import apply
from photofinish.games.jamaica.scoring import outcome, places, scores
from photofinish.games.jamaica.setup import setup
from photofinish.games.jamaica.state import (
    Accept,
    AnyMove,
    Attack,
    Choose,
    Curse,
    Fire,
    GhostMove,
    JamaicaOptions,
    Leave,
    Load,
    Loot,
    Pay,
    PlaceDice,
    Sabre,
    Sail,
    State,
)
from photofinish.games.jamaica.view import View, view

the_box()  # a broken file is reported when the games are loaded

GAME: Game[State, AnyMove, View, JamaicaOptions] = Game(
    key="jamaica",
    title="Jamaica",
    seats=SEATS,
    state=State,
    moves=(PlaceDice, Choose, Load, Sail, Attack, Fire, Sabre, Accept, Loot, Curse, Leave, Pay, GhostMove),
    view_type=View,
    options=JamaicaOptions,
    setup=setup,
    offers=offers,
    apply=apply,
    view=view,
    resample=resample,
    scores=scores,
    outcome=outcome,
    places=places,
    faces=(ActionCard, TreasureCard),
    timers=timers,
    house_bot=house_bot,
    clauses=Clauses(deal="J2", over="J41"),
    blurb="Sail round the island with food for the sea, gold for the ports and powder for the others.",
)

"""The interface of a game. A game imports from here and from nowhere else in the project."""

from photofinish.engine.bot import BotBrain, Intent, LastDecision, Strength, Thought, settle, weigh
from photofinish.engine.events import Happened, events_for
from photofinish.engine.game import AnyGame, Clauses, Game, Outcome, TableSetup
from photofinish.engine.ids import Micros, Millis, Seat, Viewer, all_seats, clockwise
from photofinish.engine.inputs import Act, Expired, IllegalMove, Input, Race, Timer, limit
from photofinish.engine.offers import Amounts, Offer, OneOf, Sent, SomeOf, offer, one, rows
from photofinish.engine.once import once
from photofinish.engine.records import Move, Options, Record, move_name, replace
from photofinish.engine.rng import Rng

__all__ = [
    "Act",
    "Amounts",
    "AnyGame",
    "BotBrain",
    "Clauses",
    "Expired",
    "Game",
    "Happened",
    "IllegalMove",
    "Input",
    "Intent",
    "LastDecision",
    "Micros",
    "Millis",
    "Move",
    "Offer",
    "OneOf",
    "Options",
    "Outcome",
    "Race",
    "Record",
    "Rng",
    "Seat",
    "Sent",
    "SomeOf",
    "Strength",
    "TableSetup",
    "Thought",
    "Timer",
    "Viewer",
    "all_seats",
    "clockwise",
    "events_for",
    "limit",
    "move_name",
    "offer",
    "once",
    "one",
    "replace",
    "rows",
    "settle",
    "weigh",
]

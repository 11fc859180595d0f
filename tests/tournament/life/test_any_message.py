"""§10, §13: any message by anybody at any time is accepted or refused with a code, and the log always verifies.

The games are really played, so that at the end `verify` judges what the messages have made of the event.
"""

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from photofinish.commands.shared.event_check import check_event
from photofinish.engine import Rng
from photofinish.games import all_games
from photofinish.tournament.director.request_handler import EventRequestHandler
from photofinish.tournament.event_file import read_event
from photofinish.tournament.log.entries import AnyEntry
from photofinish.tournament.people import disputes, officials, players
from photofinish.tournament.people.roles import EventRefusal
from photofinish.tournament.state.model import RoundTable
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.tournament.course import HOST, SECRET, key_of, toml
from tests.tournament.real_games import RealCourse

OPTIONS = "[options]\nflashes = 1\ngap_ms = 400\nwindow_ms = 400"
OFFICIALS = ("officials_play = true", 'hands = "logged"', "late_join_until = 2")
FORMS = {
    "swiss": toml("reflex", "swiss", "rounds = 3", *OFFICIALS, tail=OPTIONS),
    "cut": toml("reflex", "swiss", "rounds = 2", "cut = 2", "best_of = 3", *OFFICIALS, tail=OPTIONS),
    "pods": toml("reflex", "swiss", "seats = 3", "rounds = 2", 'fill = "bots"', *OFFICIALS, tail=OPTIONS),
    "roundrobin": toml("reflex", "roundrobin", *OFFICIALS, tail=OPTIONS),
    "single": toml("reflex", "single", "best_of = [3, 1]", *OFFICIALS[:2], tail=OPTIONS),
    "double": toml("reflex", "double", *OFFICIALS[:2], tail=OPTIONS),
    "slapoff": toml(
        "reflex", "slapoff", "rounds = 2", "seats = 2", *OFFICIALS, tail=OPTIONS + "\n[slapoff]\ndeals = 2"
    ),
    "arena": toml("reflex", "arena", *OFFICIALS[:2], clock="arena_minutes = 5", tail=OPTIONS),
}
SEEDS = int(os.environ.get("PHOTOFINISH_SEEDS", "1"))
"""More are for a long hunt."""
MESSAGES = 200


class RandomRequests:
    """Sends every message of events, by everybody, with fields that are sometimes right."""

    def __init__(self, form: str, seed: int) -> None:
        self.form, self.rng = form, Rng(form.encode(), seed)
        self.course = RealCourse(FORMS[form], seed=seed)
        self.keys = [HOST, key_of(5), *(key_of(1000 + it) for it in range(1, 8)), key_of(77)]
        self.refusals: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()

    def at_table(self, table: RoundTable | None) -> int:
        """Mostly somebody who sits there."""
        return self.rng.pick(table.people) if table is not None and self.rng.below(6) else self.number()

    def number(self, most: int = 5) -> int:
        return self.rng.pick((-1, 0, 2**40)) if self.rng.below(12) == 0 else 1 + self.rng.below(most)

    def message(self) -> messages.EventRequest:
        rng, event, key = self.rng, "E1", self.rng.pick(self.keys)
        reason = rng.pick(("", "because", "because", "because", "x" * 280))
        state = self.course.state
        at: dict[str, Any] = {"round": max(1, len(state.rounds) - rng.below(2)), "table": 1 + rng.below(3)}
        table = state.rounds[at["round"] - 1].table(at["table"]) if state.rounds else None
        mark = 1 + rng.below(len(state.marks) + 1)
        places = rng.pick(((1, 2), (2, 1), (2, 1), (1, 1), (), (3, 3), (2, 1, 3), (1, 1, 3)))
        kinds: Sequence[messages.EventRequest] = (
            messages.CheckIn(id=0, event=event, nonce=rng.pick(("", "00"))),
            messages.Withdraw(id=0, event=event),
            messages.Rest(id=0, event=event, on=rng.below(2) == 0),
            messages.MarkRace(id=0, event=event, **at, game=self.number(3), race=rng.pick(("", "", "q")), text=reason),
            messages.MarkRace(id=0, event=event, **at, game=1, text="look"),
            messages.Rule(
                id=0, event=event, mark=mark, reason=reason, places=places, number=self.at_table(table),
                ruling=rng.pick(("confirm", "replay", "adjust", "warn", "forfeit", "disqualify")),
            ),
            messages.Correct(id=0, event=event, **at, game=1, places=places, reason=reason),
            messages.Forfeit(id=0, event=event, **at, number=self.at_table(table), reason=reason),
            messages.Extend(id=0, event=event, table=self.number(3), seconds=self.number(900)),
            messages.Admit(id=0, event=event, names=rng.pick(((), ({"name": "X"},), ({"nam": 1},), ({"name": 7},)))),
            messages.RemoveEntrant(id=0, event=event, entrant=key, reason=reason),
            messages.Rebind(
                id=0, event=event, entrant=key, key=rng.pick((*self.keys, key_of(9000 + rng.below(9)))), reason=reason
            ),
            messages.OpenHands(id=0, event=event, table=self.number(3), referee=key, reason=reason),
            messages.Appoint(
                id=0, event=event, role=rng.pick(("organiser", "referee")), keys=(key,) * rng.below(3),
                away=rng.below(2) == 0,
            ),
            messages.Enter(id=0, event=event),
            messages.EventDo(
                id=0, event=event, reason=reason, signature="0" * 128,
                do=rng.pick(("open", "start", "start", "round", "pause", "resume", "resume", "seal")),
            ),
            messages.EventEdit(id=0, event=event, toml=rng.pick((*FORMS.values(), FORMS[self.form]))),
        )  # fmt: skip
        found = rng.pick(kinds)
        rare = isinstance(found, messages.Withdraw | messages.RemoveEntrant | messages.Forfeit) and rng.below(
            5
        )
        return self.message() if rare else found  # or the event is over soon

    def decide(self, key: str, message: messages.EventRequest) -> Sequence[AnyEntry]:
        state, now = self.course.state, self.course.now
        match message:
            case messages.Enter():
                return players.enter(state, key, f"N {key[-4:]}", now)
            case messages.EventDo(do="open"):
                return officials.open_event(state, key, SECRET)
            case messages.EventDo(do="start"):
                return officials.start_event(state, key, SECRET)
            case messages.EventDo(do="round"):
                return officials.start_round(state, key, now, SECRET)
            case messages.EventDo(do="pause", reason=reason):
                return officials.pause(state, key, reason)
            case messages.EventDo(do="resume"):
                return officials.resume(state, key)
            case messages.EventDo():
                return officials.seal(state, key, now, "", "", lambda *_: False)
            case messages.EventEdit(toml=text):
                return officials.edit(state, key, read_event(text.encode(), all_games()), text.encode())
        return EventRequestHandler._by_key(state, key, message, now)

    def send(self) -> None:
        """Most are an organiser's or of somebody at that table, so that much of it is allowed."""
        state, message = self.course.state, self.message()
        key = self.rng.pick(state.organisers if self.rng.below(4) else self.keys)
        if isinstance(message, messages.MarkRace) and state.rounds and self.rng.below(6):
            table = state.rounds[message.round - 1].table(message.table)
            key = state.entrant(self.rng.pick(table.people)).key if table is not None else key
        try:
            made = self.decide(key, message)
        except EventRefusal as no:
            self.refusals[Reason(no.code)] += 1  # a code that the protocol has
            return
        self.course.add(made)  # raises `Illegal` if the fold does not take what the rules have allowed
        if isinstance(message, messages.EventEdit) and made:
            self.course.toml = message.toml
        self.taken[type(message).__name__] += 1

    def gather(self) -> None:
        """Messages around the opening, then the start with all who are there."""
        course = self.course
        course.open(6, check_in=False)
        course.add(officials.appoint(course.state, HOST, "referee", (key_of(5),)))
        for _ in range(self.rng.below(30)):
            self.send()
        host = course.state.organisers[0]
        if course.state.status == "draft":
            course.add(officials.open_event(course.state, host, SECRET))
        for number in range(11, 16):
            if course.state.status in {"open", "check_in"}:
                course.add(players.enter(course.state, key_of(number), f"L {number}", course.now))
        for key in tuple(course.state.entrants):
            if course.state.status in {"open", "check_in"}:
                course.add(players.check_in(course.state, key))
        if course.state.status in {"open", "check_in"}:
            course.add(officials.start_event(course.state, host, SECRET))

    def play(self) -> None:
        """Messages while the event runs."""
        course, rng = self.course, self.rng
        for _ in range(MESSAGES):
            course.absent = {1 + rng.below(6)} if rng.below(4) == 0 else set()
            self.send()
            if rng.below(3) == 0:
                course.step(rng.pick((1, 3, 10, 30)))
            if course.state.status == "paused" and rng.below(3) == 0:
                course.add(officials.resume(course.state, course.state.organisers[0]))

    def finish(self) -> None:
        """The open marks are ruled on by a referee who plays nowhere, and time passes."""
        course, judge = self.course, key_of(4999)
        if course.state.status == "paused":
            course.add(officials.resume(course.state, course.state.organisers[0]))
        course.absent = set()
        course.add(officials.appoint(course.state, course.state.organisers[0], "referee", (judge,)))
        for mark in [it.mark for it in course.state.marks if it.is_open]:
            course.add(disputes.rule(course.state, judge, mark, "confirm", "seen"))
        if course.state.is_running:
            course.run(most=3000)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_any_message_by_any_role_at_any_time_is_accepted_or_refused_and_the_event_verifies(
    form: str, seed: int
) -> None:
    requests = RandomRequests(form, seed)
    requests.gather()
    requests.play()
    assert len(requests.refusals) > 5, "it tries what is not allowed"
    requests.finish()
    assert [str(it) for it in check_event(requests.course.export(), all_games())] == []


def test_the_random_messages_include_accepted_ones() -> None:
    """Nearly every kind of message is accepted in some event, so the hunt does not only test refusals."""
    taken: Counter[str] = Counter()
    for seed in range(4):
        requests = RandomRequests("swiss", seed)
        requests.gather()
        requests.play()
        taken += requests.taken
    wanted = {"Withdraw", "MarkRace", "Rule", "Correct", "Forfeit", "Admit", "RemoveEntrant", "Rebind",
              "Appoint", "Enter", "EventDo", "EventEdit"}  # fmt: skip
    assert wanted <= taken.keys(), taken

"""Handles the requests of players and officials: each becomes log entries or a coded refusal."""

import asyncio
import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import ParamSpec, Protocol, TypeVar

import msgspec
import structlog

from photofinish.engine import AnyGame
from photofinish.room.seats.lobby import RequestRefusal
from photofinish.room.seats.talk import cleaned, name_of
from photofinish.tournament.director.loaded_events import (
    CODE_LENGTH,
    LETTERS,
    OVER,
    LoadedEvent,
    LoadedEvents,
    NoSuchEvent,
)
from photofinish.tournament.event_file import BadEvent, Listed, read_event
from photofinish.tournament.event_file.canon import code_hash
from photofinish.tournament.event_file.faults import Fault
from photofinish.tournament.event_file.warnings import warnings
from photofinish.tournament.log.entries import AnyEntry, CheckedIn, Entered
from photofinish.tournament.people import disputes, identity, officials, players
from photofinish.tournament.people.roles import EventRefusal, need_organiser, refuse_unless
from photofinish.tournament.scores.ratings import Rating
from photofinish.tournament.state.illegal import Illegal
from photofinish.tournament.state.model import State
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from photofinish_protocol.version import MAX_NAME

log = structlog.get_logger(__name__)

MOST_EVENTS = 500
"""Events that are not over, on all nodes together."""
MOST_ERRORS, MOST_KEY = 64, 80
"""How many faults of a file are reported, and how many characters of a key are shown."""
OFFICIAL_ENTRIES, PER_ENTRANT = 1_000, 8
"""Entries that the officials of an event can make, and how many more per entrant. What players can make is bounded by
the rules of events. The log stays in memory, and nothing of it is ever removed."""
EDITS = 200
"""How often a file can be replaced."""
FREE = messages.CheckIn | messages.Withdraw | messages.Rest | messages.MarkRace | messages.Enter
"""What players send."""
Made = Sequence[AnyEntry]
P = ParamSpec("P")
T = TypeVar("T")


class CountsEvents(Protocol):
    """Counts the events that one address creates."""

    def may_create_event(self) -> bool: ...


class EventRequestHandler:
    def __init__(
        self,
        loaded: LoadedEvents,
        games: Mapping[str, AnyGame],
        most_bots: int | None = None,
        *,
        behind_proxy: bool = False,
    ) -> None:
        self.loaded, self._games, self._most_bots = loaded, games, most_bots
        self._behind_proxy = behind_proxy
        self._one_at_a_time = asyncio.Lock()
        self._counting_bots = asyncio.Lock()
        """Held until the bots that were counted are stored: requests at once would all be allowed."""

    def is_proof(self, key: str, name: str, signature: str, *, host: str, challenge: str) -> bool:
        return identity.is_proof(key, name, signature, host=host, challenge=challenge)

    async def request(
        self, key: str, name: str, message: messages.EventRequest, limits: CountsEvents
    ) -> messages.EventGot:
        """Done and stored. Raises `RequestRefusal`."""
        try:
            if isinstance(message, messages.EventCreate):
                held = await self._create(key, message.toml.encode(), limits)
            else:
                held = await self._change(key, name, message)
        except BadEvent as bad:
            errors = tuple(_error(it) for it in bad.faults[:MOST_ERRORS])
            raise RequestRefusal(Reason.BAD_EVENT, str(bad)[:4000], errors=errors) from None
        except EventRefusal as no:
            raise RequestRefusal(Reason(no.code), no.text) from None
        except NoSuchEvent:
            raise RequestRefusal(Reason.NO_SUCH_EVENT) from None
        except Illegal as no:  # nothing is stored that §3 does not allow
            log.exception("a request was allowed, but the log does not take its entry", key=key)
            raise RequestRefusal(Reason.WRONG_STATE, no.why) from None
        return messages.EventGot(
            event=held.code,
            state=held.state.status,
            entries=len(held.lines),
            warnings=self._warnings(held.state, message),
        )

    def _warnings(self, state: State, message: messages.EventRequest) -> tuple[str, ...]:
        """T12: sent to the organiser with the steps at which the event can still be changed. Before anybody has
        entered, the field is assumed to be full.
        """
        steps = messages.EventCreate | messages.EventEdit
        is_step = isinstance(message, messages.EventDo) and message.do in {"open", "start"}
        if not is_step and not isinstance(message, steps):
            return ()
        n = len(state.numbers or state.entrants) or state.rules.max_entrants
        return warnings(state.rules, self._games[state.rules.game], n, behind_proxy=self._behind_proxy)

    async def _create(self, key: str, file: bytes, limits: CountsEvents) -> LoadedEvent:
        rules = await self._slowly(read_event, file, self._games)
        if not limits.may_create_event():
            raise RequestRefusal(
                Reason.TOO_MANY_EVENTS, "Your address has created too many events. Try again tomorrow."
            )
        if len(await self.loaded.store.codes()) >= MOST_EVENTS:
            raise RequestRefusal(Reason.TOO_MANY_EVENTS)
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
            if await self.loaded.create(
                code, secrets.token_bytes(32), file, officials.created(code, rules, file, key)
            ):
                return await self.loaded.read(code)

    async def _change(self, key: str, name: str, message: messages.EventRequest) -> LoadedEvent:
        assert not isinstance(message, messages.EventCreate)
        code = message.event.upper()
        held = await self.loaded.read(code)
        now = await self.loaded.store.now()
        if not isinstance(message, FREE):
            _refuse_full_log(held, message)
        match message:
            case messages.EventEdit(toml=toml):
                file = toml.encode()
                rules = await self._slowly(read_event, file, self._games)
                return await self.loaded.commit(
                    code, lambda state: officials.edit(state, key, rules, file), file=file
                )
            case messages.EventDo():
                return await self.loaded.commit(code, lambda state: self._do(state, key, message, now, held))
            case messages.Enter():
                rating = await self._rating(held.state.rules.game, key)
                hashed = await self._slowly(code_hash, message.code) if message.code else ""
                return await self.loaded.commit(
                    code,
                    lambda state: players.enter(
                        state,
                        key,
                        name,
                        now,
                        code_hash=hashed,
                        nonce=message.nonce_hash,
                        team=message.team,
                        rating=rating,
                    ),
                )
            case messages.EventBots(bots=bots):
                need_organiser(held.state, key)
                async with self._counting_bots:
                    self._refuse_too_many_bots(bots)
                    return await self.loaded.commit(code, lambda state: _bots(state, key, bots, now))
        return await self.loaded.commit(code, lambda state: self._by_key(state, key, message, now))

    async def _slowly(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """In a thread, one at a time: the hash of an entry code takes 50 ms by design."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(work, *given, **named)

    def _do(self, state: State, key: str, message: messages.EventDo, now: int, held: LoadedEvent) -> Made:
        match message.do:
            case "open":
                return officials.open_event(state, key, held.secret)
            case "start":
                return officials.start_event(state, key, held.secret)
            case "round":
                return officials.start_round(state, key, now, held.secret)
            case "pause":
                return officials.pause(state, key, message.reason)
            case "resume":
                return officials.resume(state, key)
            case "cancel":
                return officials.cancel(state, key, message.reason)
            case "seal":
                head = held.head.hex()
                return officials.seal(state, key, now, head, message.signature, identity.is_seal)

    @staticmethod
    def _by_key(state: State, key: str, message: messages.EventRequest, now: int) -> Made:
        match message:
            case messages.CheckIn(nonce=nonce):
                return players.check_in(state, key, bytes.fromhex(nonce) if nonce else None)
            case messages.Withdraw():
                return players.withdraw(state, key)
            case messages.Rest(on=on):
                return players.rest(state, key, on=on)
            case messages.MarkRace(round=round_, table=table, game=game, race=race, text=text):
                return disputes.mark(state, key, now, round_, table, game, race, cleaned(text))
            case messages.Rule(mark=mark, ruling=ruling, reason=reason, places=places, number=number):
                return disputes.rule(
                    state, key, mark, ruling, reason, places=places, about=number, replaces=message.replaces
                )
            case messages.Correct(round=round_, table=table, game=game, places=places, reason=reason):
                return disputes.correct(
                    state, key, round_, table, game, places, reason, replaces=message.replaces
                )
            case messages.Forfeit(round=round_, table=table, number=number, reason=reason):
                return disputes.forfeit(state, key, round_, table, number, reason)
            case messages.Extend(table=table, seconds=seconds):
                return officials.extend(state, key, table, seconds)
            case messages.Admit(names=names):
                return officials.admit(state, key, _listed(names))
            case messages.RemoveEntrant(entrant=entrant, reason=reason):
                return officials.remove(state, key, entrant, reason)
            case messages.Rebind(entrant=entrant, key=new, reason=reason):
                return officials.rebind(state, key, entrant, new, reason)
            case messages.OpenHands(table=table, referee=referee, reason=reason):
                return officials.open_hands(state, key, referee, table, reason)
            case messages.Appoint(role=role, keys=keys, away=away):
                return officials.appoint(state, key, role, keys, away=away)
            case _:
                raise AssertionError(message)

    def _refuse_too_many_bots(self, more: int) -> None:
        """Bots of a rehearsal have no connection, so no other limit applies to them.

        Counted in the events as this node last read them, up to a quarter of a second ago.
        """
        if self._most_bots is None:
            return
        alive = [it.state for it in self.loaded.all_held() if it.state.status not in OVER]
        there = sum(it.kind == "bot" for state in alive for it in state.entrants.values())
        if there + more > self._most_bots:
            raise RequestRefusal(
                Reason.NOT_ALLOWED,
                f"This server lets {self._most_bots} bots rehearse at a time (--rehearsal-bots); {there} do now.",
            )

    async def _rating(self, game: str, key: str) -> int:
        """T66: seeding uses mu − 3·sigma."""
        raw = (await self.loaded.store.ratings(game, [key])).get(key)
        return (msgspec.msgpack.decode(raw, type=Rating) if raw else Rating()).ordinal


def _refuse_full_log(held: LoadedEvent, message: messages.EventRequest) -> None:
    """An organiser could fill the memory of all nodes. An event can always be ended."""
    is_end = isinstance(message, messages.EventDo) and message.do in {"cancel", "seal"}
    most = OFFICIAL_ENTRIES + PER_ENTRANT * len(held.state.entrants)
    refuse_unless(
        is_end or held.by_officials < most,
        "not_allowed",
        f"The officials of this event have made {most} entries in its log. It can still be sealed or cancelled.",
    )
    refuse_unless(
        not isinstance(message, messages.EventEdit) or held.edits < EDITS,
        "not_allowed",
        f"The file of this event was replaced {EDITS} times. That was the last time.",
    )


def _error(it: Fault) -> messages.EventError:
    return messages.EventError(
        line=it.line, key=it.key[:MOST_KEY], found=it.found, allowed=it.allowed, nearest=it.nearest
    )


def _listed(names: Sequence[object]) -> list[Listed]:
    try:
        listed = msgspec.convert(list(names), list[Listed])
    except msgspec.ValidationError as no:
        raise EventRefusal("bad_message", str(no)) from None
    for it in listed:
        is_name = 1 <= len(it.name) <= MAX_NAME and it.name == name_of(it.name)
        refuse_unless(is_name, "bad_name", f"{it.name!r} is no name.")
    return listed


def _bots(state: State, key: str, bots: int, now: int) -> Made:
    """T70: bots with keys of their own, counted like people, never rated."""
    need_organiser(state, key)
    refuse_unless(state.rules.rehearsal, "not_allowed", "Only a rehearsal has bots that enter.")
    made: list[AnyEntry] = []
    there = sum(it.kind == "bot" for it in state.entrants.values())
    refuse_unless(len(state.entrants) + bots <= state.rules.max_entrants, "event_full", "The event is full.")
    code = state.rules.registration
    refuse_unless(code.mode == "open", "not_allowed", "Bots enter only where registration is open.")
    for number in range(there + 1, there + bots + 1):
        own = hashlib.sha256(f"{state.event} bot {number}".encode()).hexdigest()
        team = f"Team {(number + 1) // 2}" if state.rules.teams == 2 else ""
        entered = players.enter(state, own, f"Bot {number:03}", now, team=team, kind="bot")
        made += [msgspec.structs.replace(it, by=key) for it in entered]
    if state.status in {"open", "check_in"}:
        made += [CheckedIn(by=key, key=it.key) for it in tuple(made) if isinstance(it, Entered)]
    return made

"""§10, §13: every message of events over a real socket: wrong types, too long, too early, by the wrong role, twice.

One answer with a code comes to each, nothing of it is stored, and the connection stays.
"""

from typing import Any, NamedTuple, get_args

import pytest
from msgspec import inspect

from photofinish.app import App
from photofinish.gateway.access.limits import FOLLOWS
from photofinish_client.keys import PlayerKey
from photofinish_protocol.event_messages import EventRequest, Follow, Identify, Sit, Unfollow
from tests.attacks.events.test_proofs import signed
from tests.attacks.local_server import local_server
from tests.system.raw import Raw
from tests.tournament.course import key_of, toml

KEY = key_of(7)
WHY = {"reason": "because"}
AT = {"round": 1, "table": 1}
FILE = toml("cambio", "swiss")


class Expected(NamedTuple):
    good: dict[str, Any]
    """Fields of the right types."""
    in_draft: str | None
    """The refusal that the organiser gets while the event is a draft. None: the request is done."""
    to_stranger: str | None
    """The refusal that a player with a proved key and no role gets. None: the request is done."""
    again: str | None = ""
    """The refusal when the organiser sends the same request again. "": the same answer as the first time."""


REQUESTS = {
    "enter": Expected({}, "registration_closed", "registration_closed"),
    "check_in": Expected({}, "not_entered", "not_entered"),
    "withdraw": Expected({}, "not_entered", "not_entered"),
    "rest": Expected({"on": True}, "not_entered", "not_entered"),
    "mark": Expected({**AT, "game": 1, "text": "look"}, "not_entered", "not_entered"),
    "rule": Expected({"mark": 1, "ruling": "confirm", **WHY}, "bad_message", "not_referee"),
    "correct": Expected({**AT, "game": 1, "places": [1, 2], **WHY}, "bad_message", "not_referee"),
    "forfeit": Expected({**AT, "number": 1, **WHY}, "bad_message", "not_referee"),
    "extend": Expected({"table": 1, "seconds": 60}, "wrong_state", "not_referee"),
    "event_create": Expected({"toml": FILE}, None, None),
    "event_edit": Expected({"toml": FILE}, None, "not_organiser"),
    "event_do": Expected({"do": "open"}, None, "not_organiser", again="wrong_state"),
    "event_bots": Expected({"bots": 2}, "not_allowed", "not_organiser"),
    "admit": Expected({"names": [{"name": "Ada"}]}, None, "not_organiser", again="name_taken"),
    "remove_entrant": Expected({"entrant": KEY, **WHY}, "not_entered", "not_organiser"),
    "rebind": Expected({"entrant": KEY, "key": key_of(8), **WHY}, "not_entered", "not_organiser"),
    "appoint": Expected({"role": "referee", "keys": [KEY]}, None, "not_organiser"),
    "open_hands": Expected({"table": 1, "referee": KEY, **WHY}, "not_allowed", "not_organiser"),
    "sit": Expected({}, "not_called", "not_called"),
    "follow": Expected({"parts": ["info"], "seq": 0}, None, None),
    "unfollow": Expected({}, None, None),
}
WITHOUT_KEY = {"follow", "unfollow"}
STEPS = {
    "start": "wrong_state", "round": "wrong_state", "pause": "bad_message", "resume": "wrong_state",
    "seal": "wrong_state", "cancel": "bad_message",
}  # fmt: skip
"""`event_do` by the organiser in a draft, without a reason."""
HUGE: dict[str, Any] = {
    "reason": "x" * 281, "text": "x" * 281, "race": "x" * 65, "code": "x" * 33, "team": "x" * 25,
    "toml": "#" * 12_289, "names": [{"name": f"n{at}"} for at in range(65)], "keys": [KEY] * 9,
    "places": [1] * 9, "nonce": "00" * 33, "nonce_hash": "00" * 33, "signature": "00" * 65,
    "parts": ["info"] * 9, "event": "A" * 4_000, "seconds": 901, "entrant": KEY * 2, "key": KEY * 2,
    "referee": KEY * 2, "bots": 513, "round": 65, "table": 100_001, "game": 65, "mark": 1_000_001,
    "number": 2**54, "seq": 2**53, "do": "x" * 9_000, "ruling": "x" * 9_000, "role": "x" * 9_000,
}  # fmt: skip
WRONG: tuple[Any, ...] = (None, {}, [[]], 1.5, "\x00", -1)


def fields_of(kind: type) -> dict[str, inspect.Field]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {it.encode_name: it for it in info.fields if it.encode_name != "id"}


def tag_of(kind: type) -> str:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return str(info.tag)


KINDS = {tag_of(kind): kind for kind in (*get_args(EventRequest), Sit, Follow, Unfollow)}


async def enter(raw: Raw, key: PlayerKey | None, host: str, name: str) -> None:
    welcome = await raw.hello(name)
    if key is not None:
        made = signed(key, host, welcome["challenge"])
        assert (await raw.request("identify", **made))["t"] == "ack"


def host_of(app: App) -> str:
    return app.url.removeprefix("ws://")


def reason_of(answer: dict[str, Any]) -> str | None:
    assert answer["t"] in {"ack", "refused"}
    return answer.get("reason")


def bad_forms(t: str) -> list[dict[str, Any]]:
    """Each field once with each wrong value, once too long, and once missing if it must be there."""
    good = REQUESTS[t].good
    made: list[dict[str, Any]] = []
    for name, field in fields_of(KINDS[t]).items():
        if name == "event":
            events: tuple[Any, ...] = (None, {}, 1, "A" * 4_000)
            made += [{**good, "event": wrong} for wrong in events]
            continue
        made += [{**good, name: wrong} for wrong in WRONG if not fits(name, wrong)]
        made.append({**good, name: HUGE[name]} if name in HUGE else {**good, name: "x"})
        if field.required:
            made.append({other: it for other, it in good.items() if other != name})
    return made


def fits(name: str, value: Any) -> bool:
    """Texts take any text; what they mean is judged later. So do numbers of entrants and of seconds."""
    free = {"reason", "text", "race", "toml", "code", "team"}
    return (isinstance(value, str) and name in free) or (value == -1 and name in {"number", "seconds"})


def test_the_table_has_every_message_of_events() -> None:
    assert REQUESTS.keys() == KINDS.keys()
    assert tag_of(Identify) == "identify"  # has its own tests: test_proofs.py


async def test_wrong_types_and_too_long_fields_are_bad_messages_and_the_connection_stays(
    redis_url: str,
) -> None:
    async with local_server(redis_url, no_limits=True) as app:

        async def try_all(t: str) -> None:
            host = PlayerKey.new()
            async with Raw(app.url) as raw:
                await enter(raw, host, host_of(app), "Ada")
                event = (await raw.request("event_create", toml=FILE))["got"]["event"]
                for form in bad_forms(t):
                    fields = form if "event" in form or t == "event_create" else {"event": event, **form}
                    answer = await raw.request(t, **fields)
                    assert reason_of(answer) in {"bad_message", "no_such_event"}, (t, form, answer)
                    assert len(answer.get("text", "")) < 4_100
                after = (await raw.request("follow", event=event))["got"]
                assert (after["state"], after["entries"]) == ("draft", 1), f"{t}: nothing was stored"

        for t in REQUESTS:
            await try_all(t)


async def test_a_message_too_early_by_a_stranger_or_without_a_key_is_refused_with_its_code(
    redis_url: str,
) -> None:
    async with local_server(redis_url, no_limits=True) as app, Raw(app.url) as host, Raw(app.url) as other:
        await enter(host, PlayerKey.new(), host_of(app), "Ada")
        await enter(other, PlayerKey.new(), host_of(app), "Ada")
        async with Raw(app.url) as nobody:
            await enter(nobody, None, host_of(app), "Ada")
            for t, expected in REQUESTS.items():
                event = (await host.request("event_create", toml=FILE))["got"]["event"]
                fields = {**expected.good, **({} if t == "event_create" else {"event": event})}
                missing = {**fields, **({} if t == "event_create" else {"event": "QQQQQQ"})}
                assert reason_of(await nobody.request(t, **fields)) == (
                    None if t in WITHOUT_KEY else "not_identified"
                ), t
                assert reason_of(await other.request(t, **fields)) == expected.to_stranger, t
                if t not in {"event_create", "sit", "unfollow"}:
                    assert reason_of(await host.request(t, **missing)) == "no_such_event", t
                assert reason_of(await host.request(t, **fields)) == expected.in_draft, t
                again = expected.in_draft if expected.again == "" else expected.again
                assert reason_of(await host.request(t, **fields)) == again, f"{t} again"
                if t in {"follow", "unfollow"}:
                    await host.request("unfollow", event=event)
                    await other.request("unfollow", event=event)
                    await nobody.request("unfollow", event=event)
            event = (await host.request("event_create", toml=FILE))["got"]["event"]
            for do, reason in STEPS.items():
                assert reason_of(await host.request("event_do", event=event, do=do)) == reason, do


async def test_the_same_id_twice_is_done_once(redis_url: str) -> None:
    async with local_server(redis_url, no_limits=True) as app, Raw(app.url) as raw:
        await enter(raw, PlayerKey.new(), host_of(app), "Ada")
        event = (await raw.request("event_create", toml=FILE))["got"]["event"]
        first = await raw.request("admit", event=event, names=[{"name": "Bo"}])
        assert first["got"]["entries"] == 2
        second = await raw.request("admit", event=event, names=[{"name": "Cy"}], id=raw.next_id - 1)
        assert second == first, "the answer again, not the work"
        assert (await raw.request("follow", event=event))["got"]["entries"] == 2


@pytest.mark.parametrize("t", ["event_create", "admit", "mark"])
async def test_a_frame_beyond_the_limit_closes_this_connection_alone(redis_url: str, t: str) -> None:
    async with local_server(redis_url, no_limits=True) as app, Raw(app.url) as raw, Raw(app.url) as other:
        await enter(raw, PlayerKey.new(), host_of(app), "Ada")
        await enter(other, PlayerKey.new(), host_of(app), "Bo")
        await raw.send({"t": t, "id": raw.next_id, "event": "QQQQQQ", "toml": "#" * 20_000})
        assert await raw.closed() == 1009
        assert (await other.request("event_create", toml=FILE))["t"] == "ack"


async def test_follow_is_limited_per_connection_because_its_answer_may_be_long(redis_url: str) -> None:
    """A follow of 90 bytes was answered with 47 kB (240 entrants) as often as a client sent it."""
    async with local_server(redis_url) as app, Raw(app.url) as raw, Raw(app.url) as other:
        await enter(raw, PlayerKey.new(), host_of(app), "Ada")
        await enter(other, None, host_of(app), "Bo")
        event = (await raw.request("event_create", toml=FILE))["got"]["event"]

        answers = [reason_of(await raw.request("follow", event=event)) for _ in range(FOLLOWS + 10)]

        assert answers[:FOLLOWS] == [None] * FOLLOWS
        assert "too_fast" in answers[FOLLOWS:]
        assert reason_of(await other.request("follow", event=event)) is None, "another connection may"
        assert reason_of(await raw.request("event_do", event=event, do="open")) is None, (
            "the connection stays"
        )

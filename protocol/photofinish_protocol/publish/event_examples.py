"""One example of every message of events and of its important variants."""

from photofinish_protocol import messages
from photofinish_protocol.publish.example_parts import ADAS, COMMITMENT, ROOM, SEED, Example

EVENT = "E7KQM"
KEY = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
OTHER_KEY = "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"
SIGNATURE = SEED + COMMITMENT
TOML = 'title = "Friday"\ngame = "cambio"\nformat = "swiss"\nrounds = 3\n'
EVENT_REQUESTS: tuple[Example, ...] = (
    Example("identify", messages.Identify(id=1, key=KEY, name="Ada", signature=SIGNATURE)),
    Example("enter", messages.Enter(id=2, event=EVENT)),
    Example(
        "enter-with-everything",
        messages.Enter(id=2, event=EVENT, code="swordfish", nonce_hash=SEED, team="Owls"),
    ),
    Example("check-in", messages.CheckIn(id=3, event=EVENT, nonce=ADAS)),
    Example("withdraw", messages.Withdraw(id=4, event=EVENT)),
    Example("rest", messages.Rest(id=4, event=EVENT, on=False)),
    Example(
        "mark",
        messages.MarkRace(id=5, event=EVENT, round=1, table=2, game=1, race="race:12", text="I was first."),
    ),
    Example("rule", messages.Rule(id=6, event=EVENT, mark=1, ruling="confirm", reason="The strip is clear.")),
    Example(
        "rule-adjust",
        messages.Rule(id=6, event=EVENT, mark=1, ruling="adjust", reason="Wrong identity.", places=(2, 1)),
    ),
    Example(
        "correct",
        messages.Correct(id=7, event=EVENT, round=1, table=2, game=1, places=(1, 1), reason="Typed wrong."),
    ),
    Example(
        "forfeit", messages.Forfeit(id=8, event=EVENT, round=1, table=2, number=4, reason="Left the hall.")
    ),
    Example("extend", messages.Extend(id=9, event=EVENT, table=2, seconds=60)),
    Example("event-create", messages.EventCreate(id=10, toml=TOML)),
    Example("event-edit", messages.EventEdit(id=11, event=EVENT, toml=TOML)),
    Example("event-do", messages.EventDo(id=12, event=EVENT, do="open")),
    Example("event-do-pause", messages.EventDo(id=12, event=EVENT, do="pause", reason="Fire alarm.")),
    Example("event-do-seal", messages.EventDo(id=12, event=EVENT, do="seal", signature=SIGNATURE)),
    Example("event-bots", messages.EventBots(id=13, event=EVENT, bots=16)),
    Example("admit", messages.Admit(id=14, event=EVENT, names=({"name": "Basil", "key": KEY, "seed": 2},))),
    Example(
        "remove-entrant", messages.RemoveEntrant(id=15, event=EVENT, entrant=KEY, reason="Asked to leave.")
    ),
    Example("rebind", messages.Rebind(id=16, event=EVENT, entrant=KEY, key=OTHER_KEY, reason="Lost phone.")),
    Example("appoint", messages.Appoint(id=17, event=EVENT, role="referee", keys=(OTHER_KEY,))),
    Example(
        "open-hands",
        messages.OpenHands(id=18, event=EVENT, table=2, referee=OTHER_KEY, reason="A card was shown twice."),
    ),
    Example("sit", messages.Sit(id=19, event=EVENT)),
    Example("follow", messages.Follow(id=20, event=EVENT, parts=("info", "tables"))),
    Example("follow-again", messages.Follow(id=21, event=EVENT, parts=("info", "tables"), seq=57)),
    Example("unfollow", messages.Unfollow(id=22, event=EVENT)),
)
EVENT_MESSAGES: tuple[Example, ...] = (
    Example("ack-event", messages.Ack(id=10, got=messages.EventGot(event=EVENT, state="draft", entries=1))),
    Example(
        "event-whole",
        messages.EventNews(
            event=EVENT,
            seq=57,
            from_=0,
            parts={
                "round": messages.PartRows(
                    rows={"": {"round": 1, "state": "playing", "done": 0, "tables": 2}}
                ),
                "tables": messages.PartRows(
                    rows={
                        "1.1": {"round": 1, "table": 1, "seats": [1, 3], "state": "playing"},
                        "1.2": {"round": 1, "table": 2, "seats": [2, 4], "state": "playing"},
                    }
                ),
            },
        ),
    ),
    Example(
        "event-changed",
        messages.EventNews(
            event=EVENT,
            seq=58,
            from_=57,
            parts={
                "tables": messages.PartRows(
                    rows={"1.2": {"round": 1, "table": 2, "seats": [2, 4], "state": "done"}}
                )
            },
        ),
    ),
    Example(
        "called",
        messages.Called(
            event=EVENT,
            round=1,
            table=2,
            game=1,
            attempt=1,
            room=ROOM,
            seat=0,
            opponents=("Basil",),
            no_show_in_us=180_000_000,
        ),
    ),
)

"""Names and chat are cleaned by Unicode properties, and nobody can imitate another's name."""

import sys
import unicodedata
from collections.abc import Iterator

import pytest
import regex

from photofinish.games import all_games
from photofinish.room.facts import Joined, SessionId
from photofinish.room.seats.talk import BLANKS, DEFAULT_IGNORABLE, MARKS, cleaned, folded, name_of
from photofinish_protocol import messages
from photofinish_protocol.reasons import Reason
from tests.room.bench import Bench
from tests.room.seats.test_lobby import room_of

CAMBIO = all_games()["cambio"]


def every_character() -> Iterator[str]:
    return (chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF)


def test_the_ignorable_code_points_are_those_of_unicode() -> None:
    ignorable = regex.compile(r"\p{Default_Ignorable_Code_Point}")
    ours = {chr(code) for first, last in DEFAULT_IGNORABLE for code in range(first, last + 1)}

    assert ours == {c for c in every_character() if ignorable.match(c)}


def test_no_unicode_character_makes_an_invisible_name() -> None:
    """Guards against invisible text. Every code point is tried, alone and inside a name."""
    unseen = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{C}\p{Z}\p{White_Space}]")
    for c in every_character():
        if unseen.match(c) or c in BLANKS:
            assert name_of(c) == "", hex(ord(c))
            assert cleaned(f"a{c}b") in ("ab", "a b"), hex(ord(c))
        elif unicodedata.category(c)[0] == "M":
            assert name_of(c) == "", hex(ord(c))


@pytest.mark.parametrize(
    "blank", ["\u3164", "\u2800", "\u115f", "\ufe0f", "\u034f", "\u00ad", "\u1160\u3164 \u2800"]
)
def test_blank_names_and_blank_chat_are_refused(blank: str) -> None:
    bench = Bench(CAMBIO, 2)
    ada = bench.sit(0)

    assert name_of(blank) == ""
    assert bench.request(ada, messages.Chat, text=blank).reason is Reason.BAD_TEXT


@pytest.mark.parametrize("name", ["Ada", "Zoë", "Иван", "山田", "علي", "नीलम", "가", "♥", "¡", "x̂"])
def test_names_of_every_script_pass(name: str) -> None:
    assert name_of(name) == unicodedata.normalize("NFC", name)


def test_stacked_combining_marks_are_limited() -> None:
    assert cleaned("a" + "\u0335" * 50 + "b") == "a" + "\u0335" * MARKS + "b"


def test_names_that_look_the_same_are_made_different() -> None:
    bench = Bench(CAMBIO, 4)
    bench.sit(0, "Ada")
    bench.sit(1, "ADA")
    ada = bench.sit(2, "Ａｄａ")

    names = [place.name for place in room_of(bench, ada).seats[:3]]
    assert names == ["Ada", "ADA 2", "Ａｄａ 3"]
    assert len({folded(name) for name in names}) == 3


def test_a_watcher_cannot_talk_in_the_hosts_name() -> None:
    bench = Bench(CAMBIO, 2)
    ada = bench.sit(0, "Ada")
    eve = bench.watch("Ada")
    bench.request(eve, messages.Chat, text="I shall kick Bo.")
    said = [it for it in bench.heard[ada] if isinstance(it, messages.Said)]

    assert said == [messages.Said(name="Ada (watching)", text="I shall kick Bo.", seat=None)]


def test_no_player_can_be_called_what_a_watcher_is_called() -> None:
    bench = Bench(CAMBIO, 2)
    ada = bench.sit(0, "Ada")
    bench.tell(Joined(SessionId("x"), 1, "Eve (watching)", 1))
    bench.request(SessionId("x"), messages.Chat, id=2, text="hello")
    said = [it for it in bench.heard[ada] if isinstance(it, messages.Said)]

    assert [(it.seat, it.name) for it in said] == [(1, "Eve (watching)")]

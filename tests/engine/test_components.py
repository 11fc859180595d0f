"""Decks as data: a broken file is refused with file, key and reason, before any room opens."""

from pathlib import Path

import msgspec
import pytest

from photofinish.engine.decks.cards import SHIPPED, the_deck
from photofinish.engine.decks.components import FOLDER, BrokenComponents, find, load


class Ghost(msgspec.Struct, frozen=True):
    name: str
    count: int


class Ghosts(msgspec.Struct, frozen=True):
    ghosts: tuple[Ghost, ...]


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        ("ghosts = 1 2", "", "line 1"),
        ("", "", "missing required field `ghosts`"),
        ('[[ghosts]]\nname = "boo"\ncount = "two"', "ghosts[0].count", "Expected `int`"),
        ('[[ghosts]]\nname = "boo"\ncount = 2\n[[ghosts]]\nname = 3\ncount = 2', "ghosts[1].name", "`str`"),
    ],
)
def test_a_broken_file_is_refused_with_file_key_and_reason(
    tmp_path: Path, text: str, key: str, reason: str
) -> None:
    file = tmp_path / "ghosts.toml"
    file.write_text(text)
    with pytest.raises(BrokenComponents) as refusal:
        load(file, Ghosts)

    assert refusal.value.file == file
    assert refusal.value.key == key
    assert reason in refusal.value.reason
    assert str(file) in str(refusal.value)


def test_a_missing_or_unreadable_file_is_refused_like_a_broken_one(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    for name in ("none.toml", "latin.toml"):
        with pytest.raises(BrokenComponents, match=name):
            load(tmp_path / name, Ghosts)


def test_a_hosts_own_deck_replaces_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert find(SHIPPED) == SHIPPED

    own = tmp_path / SHIPPED.name
    own.write_text("")

    assert find(SHIPPED) == own


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ('id = "energy_2"', 'id = "energy_1"', "cards", "occurs twice"),
        ("count = 10", "count = 11", "classes", "differs from the number of"),
        ('class = "energy"', 'class = "ghost"', "c", "ghost|differs from the number"),
        (
            "cards = [\n",
            'cards = [\n  { id = "g", class = "ghost", rune = "1", colour = "red", value = 1 },\n',
            "cards",
            "class ghost",
        ),
        ('[[classes]]\nid = "yellow_number"\n', "[[classes]]\n", "classes[0]", "needs an id and a count"),
    ],
)
def test_a_deck_that_does_not_add_up_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, key: str, reason: str
) -> None:
    text = SHIPPED.read_text(encoding="utf-8")
    assert old in text, "the deck has changed: choose another card to break"
    (tmp_path / SHIPPED.name).write_text(text.replace(old, new, 1), encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(tmp_path))
    the_deck.cache_clear()
    try:
        with pytest.raises(BrokenComponents, match=reason) as refusal:
            the_deck()
    finally:
        the_deck.cache_clear()

    assert refusal.value.key.startswith(key)
    assert refusal.value.file == tmp_path / SHIPPED.name


def test_the_deck_has_76_different_cards_and_a_part_for_each_in_every_game() -> None:
    deck = the_deck()

    assert len(deck.cards) == len(set(deck.ids())) == 76
    assert sum(kind.count for kind in deck.classes) == 76
    assert deck.by_id()[deck.cards[5].id] == deck.cards[5]
    for game in ("cambio", "kodiak", "alaska", "rune_market"):
        parts = deck.parts(game)
        assert parts.keys() == set(deck.ids())
        assert all(parts.values())


def test_a_game_needs_a_part_for_every_class_of_the_deck() -> None:
    with pytest.raises(BrokenComponents, match="has no part"):
        the_deck().parts("no such game")

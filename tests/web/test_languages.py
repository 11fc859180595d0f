"""A language is complete: it has every text that English has, with the same parameters, and no other."""

import re
from pathlib import Path

import pytest

from photofinish_protocol.reasons import Reason
from tests.web.browser import TOP

FOLDER = TOP / "clients" / "web" / "src" / "i18n"
ENTRY = re.compile(r'(?:"([^"\n]+)"|\b([A-Za-z0-9_]+)): "((?:[^"\\\n]|\\.)*)"')
PARAMETER = re.compile(r"\{(\w+)(?:, plural,|\})", re.ASCII)


def texts(language: str) -> dict[str, str]:
    source = "".join(file.read_text(encoding="utf-8") for file in sorted((FOLDER / language).glob("*.ts")))
    return {quoted or plain: text for quoted, plain, text in ENTRY.findall(source)}


@pytest.mark.parametrize("language", ["de", "ja"])
def test_each_language_has_exactly_the_keys_of_english(language: str) -> None:
    english, other = texts("en"), texts(language)
    assert len(english) > 400
    assert sorted(english.keys() - other.keys()) == []
    more = {key for key in other.keys() - english.keys() if not key.startswith("refusal.")}
    assert sorted(more) == []


@pytest.mark.parametrize("language", ["de", "ja"])
def test_every_refusal_of_the_server_has_a_sentence_in_every_language(language: str) -> None:
    """`refused.…` are the page's own words; `refusal.…` another language's for the server's English."""
    known = {key.split(".", 1)[1] for key in texts(language) if key.startswith(("refused.", "refusal."))}
    assert sorted({reason.value for reason in Reason} ^ known) == []


@pytest.mark.parametrize("language", ["de", "ja"])
def test_a_translation_has_the_parameters_of_the_original(language: str) -> None:
    english, other = texts("en"), texts(language)
    wrong = {
        key: (text, other[key])
        for key, text in english.items()
        if key in other
        and not key.startswith("refusal.")
        and set(PARAMETER.findall(text)) != set(PARAMETER.findall(other[key]))
    }
    assert wrong == {}


GAMES = TOP / "server" / "photofinish" / "games"
STYLED = {it.stem for it in (FOLDER.parent / "games").glob("*.tsx")}
"""Games with a layout of their own in the page are translated. A new game is shown in English, without an edit here."""
CLAUSE = re.compile(r"^- (?:\*\*)?([A-Z]\d+[a-z]?)\.(.*)$", re.MULTILINE)
CITED = re.compile(r"(?<![A-Za-z])[A-Z]\d+\b")
CODE = re.compile(r"`[^`]+`")


def clauses(text: str) -> dict[str, str]:
    return dict(CLAUSE.findall(text))


@pytest.mark.parametrize("language", ["de", "ja"])
@pytest.mark.parametrize(
    "game", sorted(it.parent.name for it in GAMES.glob("*/RULES.md") if it.parent.name in STYLED)
)
def test_translated_rules_have_every_clause_and_cite_nothing_else(game: str, language: str) -> None:
    english = clauses((GAMES / game / "RULES.md").read_text(encoding="utf-8"))
    file = FOLDER.parent / "rules" / language / f"{game}.md"
    translated = clauses(file.read_text(encoding="utf-8"))
    assert list(translated) == list(english)
    for clause, text in translated.items():
        assert set(CODE.findall(text)) <= set(CODE.findall(english[clause])), clause
        named = {it for it in CITED.findall(text) if it in english}
        assert named <= set(CITED.findall(english[clause])), clause


PLAYED = [
    file
    for file in sorted((TOP / "tests" / "games" / "playthroughs").glob("*.txt"))
    if file.stem.rsplit("-", 1)[0] in STYLED
]
WORD = re.compile(r'"what":"(\w+)"')
WON = re.compile(r"^state .* · won by [\d ]*: (.+)$", re.MULTILINE)


@pytest.mark.parametrize("file", PLAYED, ids=lambda it: it.stem)
def test_every_event_of_a_game_has_a_sentence(file: Path) -> None:
    """The golden games: each word of `last` has a text of our own, and the reason of the end is known."""
    game = file.stem.rsplit("-", 1)[0]
    known, played = texts("en"), file.read_text(encoding="utf-8")
    words = {key.split(".")[2] for key in known if key.startswith(f"{game}.event.")}
    words |= {key.split(".")[1] for key in known if key.startswith("event.")}
    assert sorted(set(WORD.findall(played)) - words) == []
    source = (FOLDER.parent / "table" / "why.ts").read_text(encoding="utf-8")
    own = source.split(f"\n  {game}: [", 1)[1].split("\n  ]", 1)[0]
    patterns = re.findall(r'\[/(.+?)/, "(\w+)"\]', own.split("]],")[0] + "]")
    ends = WON.findall(played)
    assert ends, "the golden game has an end"
    for why in ends:
        found = [key for pattern, key in patterns if re.search(pattern.replace("(?<", "(?P<"), why)]
        assert found, why
        assert f"{game}.why.{found[0]}" in known


def test_japanese_texts_use_japanese_punctuation() -> None:
    """After a Japanese sign a question, an exclamation and a colon are of full width."""
    wrong = {
        key: text
        for key, text in texts("ja").items()
        if re.search(r"[\u3040-\u30ff\u4e00-\u9fff][?!:]", text)
    }
    assert wrong == {}

"""A language is complete: it has every text that English has, with the same parameters, and no other."""

import re

import pytest

from tests.web.browser import TOP

FOLDER = TOP / "clients" / "web" / "src" / "i18n"
ENTRY = re.compile(r'(?:"([^"\n]+)"|\b([A-Za-z0-9_]+)): "((?:[^"\\\n]|\\.)*)"')
PARAMETER = re.compile(r"\{(\w+)(?:, plural,|\})", re.ASCII)


def texts(language: str) -> dict[str, str]:
    source = "".join(file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob(f"{language}*.ts")))
    return {quoted or plain: text for quoted, plain, text in ENTRY.findall(source)}


@pytest.mark.parametrize("language", ["de", "ja"])
def test_a_language_lacks_nothing_and_invents_nothing(language: str) -> None:
    english, other = texts("en"), texts(language)
    assert len(english) > 400
    assert sorted(english.keys() - other.keys()) == []
    assert sorted(other.keys() - english.keys()) == []


@pytest.mark.parametrize("language", ["de", "ja"])
def test_a_translation_has_the_parameters_of_the_original(language: str) -> None:
    english, other = texts("en"), texts(language)
    wrong = {
        key: (text, other[key])
        for key, text in english.items()
        if key in other and set(PARAMETER.findall(text)) != set(PARAMETER.findall(other[key]))
    }
    assert wrong == {}

"""The address of a server and its access token."""

import pytest

from photofinish_client.connection.address import ACCESS, BadAddress, address


@pytest.fixture(autouse=True)
def _nothing_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ACCESS, raising=False)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("localhost:8765", "ws://localhost:8765"),
        ("http://cards.example.org", "ws://cards.example.org"),
        ("https://cards.example.org/", "wss://cards.example.org"),
        ("ws://[::1]:8765", "ws://[::1]:8765"),
        ("wss://anybody:word@cards.example.org:444/table", "wss://cards.example.org:444/table"),
        ("anybody:word@localhost:8765", "ws://localhost:8765"),
    ],
)
def test_an_address_can_be_written_in_many_ways(said: str, meant: str) -> None:
    assert address(said).url == meant


def test_the_token_comes_from_the_argument_the_address_or_the_environment_in_this_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert address("ws://host").headers == {}
    monkeypatch.setenv(ACCESS, "around")
    assert address("ws://host").headers == {"Authorization": "Bearer around"}
    assert address("ws://anybody:in%2Fside@host").access_token == "in/side"
    assert address("ws://anybody:inside@host", "said").access_token == "said"
    assert address("ws://host", "").headers == {}


def test_the_token_is_in_no_printed_text() -> None:
    there = address("wss://anybody:word@host")

    assert "word" not in f"{there} {there!r} {there.url} {there.page('/api/rooms').full_url}"
    assert there.page("/api/rooms").get_header("Authorization") == "Bearer word"


def test_the_rooms_node_gets_the_token_unless_it_would_be_sent_unencrypted() -> None:
    there = address("wss://anybody:word@host")

    assert there.other_node("wss://other") == address("wss://other", "word")
    assert there.other_node("ws://other") is None
    assert address("ws://host", "word").other_node("ws://other") == address("ws://other", "word")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("ftp://anybody:word@host", "it begins with 'ftp'"),
        ("ws://anybody:word@host:0", "no host or port 0"),
        ("ws://anybody:word@host name", "no host"),
        ("ws://anybody:word@", "no host"),
        ("ws://anybody:word@host:99999", "99999"),
        ("ws://anybody:word@host:many", "expected something like"),
        ("ws://anybody:word#x@host", "%23 for #"),
        ("ws://anybody:word/x@host", "%2F for /"),
        ("ws://anybody:word?x@host:80", "%3F for ?"),
    ],
)
def test_a_wrong_address_is_refused_without_its_token(said: str, why: str) -> None:
    with pytest.raises(BadAddress) as refusal:
        address(said)

    assert why in str(refusal.value)
    assert "word" not in str(refusal.value)

"""Who may connect: pages by their origin, all clients by an access token."""

import base64
from pathlib import Path

import pytest
from websockets.datastructures import Headers

from photofinish.gateway.access.auth import AccessTokens, BadAccess, Origins, is_loopback

TOKEN, OTHER = "k3s-very-long-token-for-the-club", "another_token_of_sufficient_length"


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    file = tmp_path / "tokens"
    file.write_text(f"# for the club\n{TOKEN}\n\n{OTHER}\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "nonsense", ["cards.example.org", "https://", "https://a/b", "javascript:alert(1)", "null"]
)
def test_a_bad_origin_is_reported_to_the_operator(nonsense: str) -> None:
    with pytest.raises(BadAccess, match="--origin"):
        Origins((nonsense,))


def test_two_origins_or_two_hosts_are_refused() -> None:
    twice = Headers({"Host": "here.example"})
    twice["Origin"] = "https://here.example"
    assert Origins().allow(twice)

    twice["Origin"] = "https://evil.example"
    assert not Origins().allow(twice)
    hosts = Headers({"Origin": "https://here.example", "Host": "here.example"})
    hosts["Host"] = "evil.example"
    assert not Origins().allow(hosts)


@pytest.mark.parametrize(
    "text", ["", "# nobody\n", "short\n", "has a space in it, long\n", "ümlauts-are-no-token\n"]
)
def test_a_token_file_without_tokens_or_with_weak_ones_is_reported_to_the_operator(
    tmp_path: Path, text: str
) -> None:
    file = tmp_path / "tokens"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(BadAccess, match="one token per line"):
        AccessTokens.read(file)


def test_access_tokens_keeps_hashes_and_no_tokens(tokens: Path) -> None:
    kept = repr(vars(AccessTokens.read(tokens)))

    assert TOKEN not in kept
    assert OTHER not in kept


@pytest.mark.parametrize(
    ("origin", "is_allowed"),
    [
        (None, True),
        ("http://localhost:3000", True),
        ("http://127.0.0.1:8765", True),
        ("http://[::1]:8765", True),
        ("http://evil.example", False),
        ("http://localhost.evil.example", False),
        ("null", False),
        ("http://user@localhost", False),
    ],
)
def test_on_a_loopback_address_only_pages_of_this_machine_connect(
    origin: str | None, is_allowed: bool
) -> None:
    headers = Headers({"Host": "evil.example"})
    if origin is not None:
        headers["Origin"] = origin

    assert Origins(is_loopback=True).allow(headers) is is_allowed


@pytest.mark.parametrize(
    ("host", "is_local"),
    [
        ("localhost", True),
        ("a.localhost", True),
        ("[::1]", True),
        ("127.9.9.9", True),
        ("example.org", False),
    ],
)
def test_hosts_that_only_this_machine_can_reach_are_recognised(host: str, is_local: bool) -> None:
    assert is_loopback(host) is is_local


@pytest.mark.parametrize(
    ("header", "value", "is_allowed"),
    [
        ("Authorization", f"Bearer {TOKEN}", True),
        ("Authorization", f"bearer {OTHER}", True),
        ("Authorization", "Basic " + base64.b64encode(f"anybody:{TOKEN}".encode()).decode(), True),
        ("Sec-WebSocket-Protocol", f"photofinish.v1+json, photofinish.token.{TOKEN}", True),
        ("Authorization", f"Bearer {TOKEN}x", False),
        ("Authorization", "Basic not base64", False),
        ("Authorization", f"Digest {TOKEN}", False),
        ("Sec-WebSocket-Protocol", TOKEN, False),
        ("Cookie", TOKEN, False),
    ],
)
def test_a_token_is_read_from_three_places(tokens: Path, header: str, value: str, is_allowed: bool) -> None:
    known = AccessTokens.read(tokens)

    assert known.are_wanted
    assert known.allow(Headers({header: value})) is is_allowed


def test_only_the_first_four_tokens_of_a_request_are_looked_at(tokens: Path) -> None:
    offered = ", ".join(f"photofinish.token.{it}" for it in ("a", "b", "c", "d", TOKEN))

    assert not AccessTokens.read(tokens).allow(Headers({"Sec-WebSocket-Protocol": offered}))


def test_without_tokens_everybody_is_allowed() -> None:
    assert AccessTokens.read(None).allow(Headers())
    assert not AccessTokens.read(None).are_wanted

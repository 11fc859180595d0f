"""Who is let in: pages by their origin, everybody by a token where one is asked for. Real sockets, DESIGN §7."""

from pathlib import Path

import pytest
from websockets.datastructures import Headers

from photofinish.gateway.auth import AccessTokens, BadAccess, Origins
from tests.attacks.house import answer, fetch, house, knock

TOKEN = "correct-horse-battery"
OTHER = "another-guest-0123456"


async def test_a_foreign_page_is_refused_and_a_native_client_is_not(redis_url: str) -> None:
    async with house(redis_url) as app:
        assert await answer(app, Origin="https://evil.example") == 403
        assert await answer(app, Origin="null") == 403
        assert await answer(app, Origin="file://") == 403
        assert await answer(app) == 101


async def test_pages_of_this_machine_may_play_on_a_server_for_this_machine(redis_url: str) -> None:
    async with house(redis_url) as app:
        for origin in (
            app.url.replace("ws", "http"),
            "http://localhost:5173",
            "http://[::1]:8000",
            "https://a.localhost",
        ):
            assert await answer(app, Origin=origin) == 101, origin


async def test_a_page_whose_name_was_made_to_point_here_is_refused() -> None:
    """DNS rebinding: origin and host agree, and both are the attacker's."""
    headers = Headers({"Origin": "http://evil.example:8765", "Host": "evil.example:8765"})

    assert not Origins(is_loopback=True).allow(headers)
    assert Origins(is_loopback=False).allow(headers)  # on a public address that is simply our own page


async def test_a_public_server_lets_its_own_pages_in_and_those_the_operator_names(redis_url: str) -> None:
    async with house(redis_url, host="0.0.0.0", origin=("https://cards.example.org",)) as app:
        app.url = app.url.replace("0.0.0.0", "127.0.0.1")
        own = app.url.replace("ws", "http")

        assert await answer(app, Origin=own) == 101
        assert await answer(app, Origin="https://cards.example.org") == 101
        assert await answer(app, Origin="https://cards.example.org:443") == 101
        assert await answer(app, Origin="http://cards.example.org") == 403
        assert await answer(app, Origin="https://cards.example.org.evil.example") == 403
        assert await answer(app, Origin="http://localhost:5173") == 403


async def test_a_star_lets_every_page_in(redis_url: str) -> None:
    async with house(redis_url, origin=("*",)) as app:
        assert await answer(app, Origin="https://evil.example") == 101


@pytest.mark.parametrize(
    "nonsense", ["cards.example.org", "https://", "https://a/b", "javascript:alert(1)", "null"]
)
def test_an_origin_that_is_none_is_told_to_the_operator(nonsense: str) -> None:
    with pytest.raises(BadAccess, match="--origin"):
        Origins((nonsense,))


def test_two_origins_or_two_hosts_are_nobodys() -> None:
    twice = Headers({"Host": "here.example"})
    twice["Origin"] = "https://here.example"
    assert Origins().allow(twice)

    twice["Origin"] = "https://evil.example"
    assert not Origins().allow(twice)
    hosts = Headers({"Origin": "https://here.example", "Host": "here.example"})
    hosts["Host"] = "evil.example"
    assert not Origins().allow(hosts)


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    file = tmp_path / "tokens"
    file.write_text(f"# for the club\n{TOKEN}\n\n{OTHER}\n", encoding="utf-8")
    return file


async def test_who_shows_no_token_or_a_wrong_one_stays_outside(redis_url: str, tokens: Path) -> None:
    async with house(redis_url, access_token_file=tokens) as app:
        assert await answer(app) == 401
        assert await answer(app, Authorization=f"Bearer {TOKEN}x") == 401
        assert await answer(app, Authorization=f"Bearer {TOKEN[:-1]}") == 401
        assert await answer(app, Authorization="Bearer") == 401
        assert await answer(app, Authorization="Basic not base64") == 401
        assert await answer(app, words=("photofinish.token.",)) == 401
        # Whoever is no browser can name any origin, so an origin alone opens nothing.
        assert await answer(app, Origin="http://localhost:5173") == 401
        assert (await fetch(app, "/api/rooms"))[0] == 401
        assert (await fetch(app, "/healthz"))[0] == 200


async def test_a_token_opens_in_a_header_as_a_password_and_among_the_subprotocols(
    redis_url: str, tokens: Path
) -> None:
    async with house(redis_url, access_token_file=tokens) as app:
        for token in (TOKEN, OTHER):
            assert await answer(app, Authorization=f"Bearer {token}") == 101
            assert await answer(app, words=(f"photofinish.token.{token}",), Origin="http://localhost") == 101
            assert (await fetch(app, "/api/rooms", Authorization=f"Bearer {token}"))[0] == 200
        plain = app.url
        app.url = plain.replace("ws://", f"ws://anybody:{TOKEN}@")
        assert await answer(app) == 101


async def test_a_token_among_the_subprotocols_is_not_said_back(redis_url: str, tokens: Path) -> None:
    async with (
        house(redis_url, access_token_file=tokens) as app,
        knock(app, words=(f"photofinish.token.{TOKEN}",)) as one,
    ):
        assert one.subprotocol == "photofinish.v1+json"
        assert one.response is not None
        assert TOKEN not in str(one.response.headers)


async def test_a_token_does_not_excuse_a_foreign_page(redis_url: str, tokens: Path) -> None:
    async with house(redis_url, access_token_file=tokens) as app:
        assert await answer(app, Authorization=f"Bearer {TOKEN}", Origin="https://evil.example") == 403


@pytest.mark.parametrize(
    "text", ["", "# nobody\n", "short\n", "has a space in it, long\n", "ümlauts-are-no-token\n"]
)
def test_a_token_file_that_opens_nothing_or_too_easily_is_told_to_the_operator(
    tmp_path: Path, text: str
) -> None:
    file = tmp_path / "tokens"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(BadAccess, match="one token per line"):
        AccessTokens.read(file)


def test_the_door_keeps_hashes_and_no_words(tokens: Path) -> None:
    kept = repr(vars(AccessTokens.read(tokens)))

    assert TOKEN not in kept
    assert OTHER not in kept

"""Access control: pages by their origin, all clients by a token if the server requires one. Real sockets, DESIGN §7."""

from pathlib import Path

import pytest
from websockets.datastructures import Headers

from photofinish.gateway.access.auth import Origins
from tests.attacks.local_server import answer, fetch, local_server, open_websocket

TOKEN = "correct-horse-battery"
OTHER = "another-guest-0123456"


async def test_a_foreign_page_is_refused_and_a_native_client_is_not(redis_url: str) -> None:
    async with local_server(redis_url) as app:
        assert await answer(app, Origin="https://evil.example") == 403
        assert await answer(app, Origin="null") == 403
        assert await answer(app, Origin="file://") == 403
        assert await answer(app) == 101


async def test_pages_of_this_machine_may_play_on_a_server_for_this_machine(redis_url: str) -> None:
    async with local_server(redis_url) as app:
        for origin in (
            app.url.replace("ws", "http"),
            "http://localhost:5173",
            "http://[::1]:8000",
            "https://a.localhost",
        ):
            assert await answer(app, Origin=origin) == 101, origin


async def test_a_page_that_uses_dns_rebinding_is_refused() -> None:
    """DNS rebinding: origin and host agree, and both are the attacker's."""
    headers = Headers({"Origin": "http://evil.example:8765", "Host": "evil.example:8765"})

    assert not Origins(is_loopback=True).allow(headers)
    assert Origins(is_loopback=False).allow(headers)  # on a public address that is simply our own page


async def test_a_public_server_lets_its_own_pages_in_and_those_the_operator_names(redis_url: str) -> None:
    async with local_server(redis_url, host="0.0.0.0", origin=("https://cards.example.org",)) as app:
        app.url = app.url.replace("0.0.0.0", "127.0.0.1")
        own = app.url.replace("ws", "http")

        assert await answer(app, Origin=own) == 101
        assert await answer(app, Origin="https://cards.example.org") == 101
        assert await answer(app, Origin="https://cards.example.org:443") == 101
        assert await answer(app, Origin="http://cards.example.org") == 403
        assert await answer(app, Origin="https://cards.example.org.evil.example") == 403
        assert await answer(app, Origin="http://localhost:5173") == 403


async def test_a_star_lets_every_page_in(redis_url: str) -> None:
    async with local_server(redis_url, origin=("*",)) as app:
        assert await answer(app, Origin="https://evil.example") == 101


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    file = tmp_path / "tokens"
    file.write_text(f"# for the club\n{TOKEN}\n\n{OTHER}\n", encoding="utf-8")
    return file


async def test_a_client_without_a_token_or_with_a_wrong_one_is_refused(redis_url: str, tokens: Path) -> None:
    async with local_server(redis_url, access_token_file=tokens) as app:
        assert await answer(app) == 401
        assert await answer(app, Authorization=f"Bearer {TOKEN}x") == 401
        assert await answer(app, Authorization=f"Bearer {TOKEN[:-1]}") == 401
        assert await answer(app, Authorization="Bearer") == 401
        assert await answer(app, Authorization="Basic not base64") == 401
        assert await answer(app, words=("photofinish.token.",)) == 401
        # A client that is not a browser can send any origin, so an origin alone is not enough.
        assert await answer(app, Origin="http://localhost:5173") == 401
        assert (await fetch(app, "/api/rooms"))[0] == 401
        assert (await fetch(app, "/healthz"))[0] == 200


async def test_a_token_works_in_a_header_as_a_password_and_as_a_subprotocol(
    redis_url: str, tokens: Path
) -> None:
    async with local_server(redis_url, access_token_file=tokens) as app:
        for token in (TOKEN, OTHER):
            assert await answer(app, Authorization=f"Bearer {token}") == 101
            assert await answer(app, words=(f"photofinish.token.{token}",), Origin="http://localhost") == 101
            assert (await fetch(app, "/api/rooms", Authorization=f"Bearer {token}"))[0] == 200
        plain = app.url
        app.url = plain.replace("ws://", f"ws://anybody:{TOKEN}@")
        assert await answer(app) == 101


async def test_a_token_in_the_subprotocols_is_not_sent_back(redis_url: str, tokens: Path) -> None:
    async with (
        local_server(redis_url, access_token_file=tokens) as app,
        open_websocket(app, words=(f"photofinish.token.{TOKEN}",)) as one,
    ):
        assert one.subprotocol == "photofinish.v1+json"
        assert one.response is not None
        assert TOKEN not in str(one.response.headers)


async def test_a_foreign_page_with_a_token_is_refused(redis_url: str, tokens: Path) -> None:
    async with local_server(redis_url, access_token_file=tokens) as app:
        assert await answer(app, Authorization=f"Bearer {TOKEN}", Origin="https://evil.example") == 403

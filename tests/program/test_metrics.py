"""What an operator gets from a running server: metrics, probes, and log lines without secrets."""

import asyncio
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from photofinish import app
from photofinish.config import Settings
from photofinish.node.metrics_port import MetricsPort
from photofinish.telemetry import Metrics
from photofinish_protocol.reasons import Reason
from tests.race.bench import EAST, NORTH, SOUTH, Bench, ms
from tests.store.many.fleets import family
from tests.store.servers import free_port
from tests.system.ledger import QUICK_CAMBIO, Party
from tests.system.raw import Raw
from tests.waiting import until


@dataclass
class Running:
    app: app.App
    settings: Settings

    @property
    def url(self) -> str:
        return self.app.url

    @property
    def page(self) -> str:
        return self.url.replace("ws", "http", 1)

    @property
    def admin(self) -> str:
        return f"http://127.0.0.1:{self.settings.metrics_port}"

    async def number(self, name: str, **labels: str) -> float:
        status, text = await get(f"{self.admin}/metrics")
        assert status == 200
        return number(text, name, **labels)


def number(text: str, name: str, **labels: str) -> float:
    """The one sample of that name and those labels."""
    (value,) = [
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name and sample.labels == labels
    ]
    return value


async def get(url: str) -> tuple[int, str]:
    def fetch() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(url, timeout=10) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as fault:
            with fault:
                return fault.code, fault.read().decode()

    return await asyncio.to_thread(fetch)


@pytest.fixture
async def server(redis_url: str) -> AsyncIterator[Running]:
    settings = Settings(port=0, redis=redis_url, metrics_port=free_port())
    async with app.running(settings) as running:
        yield Running(running, settings)


async def test_a_game_of_four_is_counted_in_the_metrics(server: Running) -> None:
    games, verdicts = 0, 0.0
    while not verdicts and games < 5:  # random players may move in no race of a game
        await Party(server.url, "cambio", 4, QUICK_CAMBIO).play()
        games += 1
        verdicts = await server.number("photofinish_race_verdict_seconds_count")

    _, text = await get(f"{server.admin}/metrics")
    commits = number(text, "photofinish_commits_total")
    races = number(text, "photofinish_races_total")
    assert commits > 40
    assert number(text, "photofinish_commit_seconds_count") == commits
    assert races > 0
    assert 0 < verdicts <= races
    assert number(text, "photofinish_rooms", game="cambio", phase="over") == games
    assert number(text, "photofinish_rooms", game="kodiak", phase="playing") == 0
    assert number(text, "photofinish_loop_lag_seconds_count") > 10
    assert number(text, "process_open_fds") > 3


async def test_connections_and_occupied_seats_are_counted(server: Running) -> None:
    async with Raw(server.url) as one, Raw(server.url) as two:
        await one.hello("Ada")
        await two.hello("Bo")
        await one.request("create", game="cambio", seats=2)

        assert await server.number("photofinish_connections") == 2
        assert await server.number("photofinish_sessions_in_rooms") == 1
        assert await server.number("photofinish_rooms", game="cambio", phase="lobby") == 1


async def test_commits_that_wait_for_replicas_are_counted(tmp_path: Path) -> None:
    with family(tmp_path, 1) as (master, replica):
        settings = Settings(
            port=0,
            redis=f"redis://127.0.0.1:{master.own}",
            metrics_port=free_port(),
            redis_wait=1,
            redis_wait_ms=50,
        )
        async with app.running(settings) as running:
            server = Running(running, settings)
            async with Raw(server.url) as ada:
                await ada.hello("Ada")
                replica.freeze()
                try:
                    opening = asyncio.create_task(ada.request("create", game="cambio", seats=2))
                    while await server.number("photofinish_store_unsure") == 0:
                        assert not opening.done()
                    _, ready = await get(f"{server.admin}/readyz")
                finally:
                    replica.thaw()
                await opening

                assert ready == "ready, but tables wait for the store: 0 of 1 replicas have the last writes\n"
                assert await server.number("photofinish_store_unsure") == 0
                assert await server.number("photofinish_setbacks_total") == 0


async def test_a_refusal_is_counted_once_whether_the_room_or_the_gateway_refused(server: Running) -> None:
    async with Raw(server.url) as one:
        await one.hello("Ada")
        assert (await one.request("join", room="QQQQQ"))["reason"] == "no_such_room"
        await one.request("create", game="cambio", seats=2)
        assert (await one.request("start"))["t"] == "refused"

    assert await server.number("photofinish_refusals_total", reason="no_such_room") == 1
    _, text = await get(f"{server.admin}/metrics")
    assert sum(number(text, "photofinish_refusals_total", reason=reason.value) for reason in Reason) == 2


async def test_closes_are_counted_by_code_and_unknown_codes_as_other(server: Running) -> None:
    async with Raw(server.url) as one:
        await one.send("nope")
        assert await one.closed() == 4400
    async with Raw(server.url) as two:
        await two.hello()
        await two.socket.close(3999, "so there")

    async def no_connection() -> bool:
        return not await server.number("photofinish_connections")

    await until(no_connection, "no connection is counted")
    assert await server.number("photofinish_closes_total", code="4400") == 1
    assert await server.number("photofinish_closes_total", code="other") == 1


async def test_metrics_are_not_on_the_players_port_but_both_ports_answer_probes(server: Running) -> None:
    assert (await get(f"{server.page}/metrics"))[0] == 404
    assert (await get(f"{server.admin}/api/rooms"))[0] == 404
    for address in (server.page, server.admin):
        assert await get(f"{address}/healthz") == (200, "ok\n")
        assert await get(f"{address}/readyz") == (200, "ready\n")

    server.app.directory.is_draining = True
    for address in (server.page, server.admin):
        assert (await get(f"{address}/healthz"))[0] == 200
        assert await get(f"{address}/readyz") == (503, "draining\n")
    assert await server.number("photofinish_draining") == 1


async def test_an_address_the_operator_named_must_be_free(redis_url: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings = Settings(port=0, redis=redis_url, metrics_port=taken.getsockname()[1])
        with pytest.raises(OSError, match="in use"):
            async with app.running(settings):
                pass


async def test_the_default_port_is_used_only_if_it_is_free(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "METRICS_PORT", free_port())
    usual = Settings(port=0, redis=redis_url, metrics_port=None)
    async with app.running(usual) as first, app.running(usual) as second:
        assert first.metrics_url is not None
        assert (await get(first.metrics_url))[0] == 200
        assert second.metrics_url is None


def test_a_race_with_a_false_start_and_a_dead_heat_is_counted() -> None:
    race = Bench({NORTH: 10, EAST: 140, SOUTH: 80}).open()
    race.slap(SOUTH, 60)
    race.slap(NORTH, 310)
    race.slap(EAST, 310.5)
    race.released(900)
    metrics = Metrics()
    metrics.raced(race.arbiter.close(ms(1_000)).record)

    text = metrics.page().decode()
    assert number(text, "photofinish_races_total") == 1
    assert number(text, "photofinish_dead_heats_total") == 1
    assert number(text, "photofinish_false_starts_total") == 1
    assert number(text, "photofinish_race_verdict_seconds_count") == 1
    # A reaction of 310 ms over a line of 10 ms arrived at 320 ms; the claim was released at 900 ms.
    assert number(text, "photofinish_race_verdict_seconds_sum") == pytest.approx(0.58, abs=0.006)


def test_every_method_of_the_metrics_port_has_a_metric() -> None:
    names = {name for name in vars(MetricsPort) if not name.startswith("_")}

    assert names == {name for name in vars(Metrics) if name in names}


LOGS = """
import sys, structlog
from photofinish.telemetry import set_up_logging
set_up_logging(is_json=sys.argv[1] == "json", is_verbose=False)
log = structlog.get_logger()
log.info("came back", token="QXZLP-0-c0ffee", room="QXZLP")
log.warning("no answer from redis://ada:hunter2@db:6379/0", url="rediss+cluster://:p@ss:w@a,b")
try:
    raise ConnectionError("redis://ada:hunter2@db:6379")
except ConnectionError:
    log.exception("away")
"""


@pytest.mark.parametrize("kind", ["json", "readable"])
def test_no_log_line_contains_a_token_or_a_password(kind: str) -> None:
    done = subprocess.run([sys.executable, "-c", LOGS, kind], capture_output=True, text=True, check=True)

    assert not [secret for secret in ("c0ffee", "hunter2", "p@ss") if secret in done.stderr]
    assert "redis://***@db:6379/0" in done.stderr
    assert "rediss+cluster://***@a,b" in done.stderr
    assert "ConnectionError" in done.stderr
    assert "QXZLP" in done.stderr

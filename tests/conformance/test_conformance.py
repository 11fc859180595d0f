"""Our Python SDK and a bare client pass the examination; planted faults are caught by the requirement they break."""

import asyncio
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from photofinish.conformance.checks.registry import CHECKS
from photofinish.conformance.checks.requirements import REQUIREMENTS
from photofinish.conformance.report import (
    FULL,
    NONE,
    RequirementResult,
    as_badge,
    as_junit,
    as_plain,
    level_of,
    merged,
    unseen,
    why_not_higher,
)
from photofinish.conformance.run import ROUNDS, examine
from photofinish.conformance.seen import CheckVerdict
from photofinish.conformance.situations import SITUATIONS
from tests.clients.js.conftest import compiled  # noqa: F401 - a fixture
from tests.clients.js.conftest import node as run_node
from tests.conformance.forked_server import ForkedServer
from tests.conformance.warm import Warm, warm
from tests.protocol.page import PAGES, README, section, sections
from tests.system.conftest import ServerProcess
from tests.waiting import within

HERE = Path(__file__).parent
PAGE = README.parent / "conformance" / "README.md"
BY_KEY = {it.key: it for it in SITUATIONS}
LONG = 250.0
"""Time limit of one situation in seconds; long, for a busy machine."""
FAULTS = [
    ("rude", "watch", "C1"),
    ("wrong-type", "watch", "C2"),
    ("one-id", "play", "C3"),
    ("gives-up", "watch-cut", "C5"),
    ("impatient", "play-restart", "C5"),
    ("sits-once", "watch-cut", "C6"),
    ("hurries", "watch-bye", "C7"),
    ("strict", "watch-future", "C4"),
    ("wrong-frames", "watch", "C8"),
    ("by-presence", "watch-defaults", "C9"),
    ("blocks", "watch", "C10"),
    ("never-final", "watch-closed", "C11"),
    ("quits", "play", "P1"),
    ("guesses", "play", "P2"),
    ("withholds", "play", "P3"),
    ("new-ids", "play-cut-join", "P4"),
    ("forgets", "play-cut-before", "P6"),
    ("forgets", "play-cut-during", "P6"),
    ("old-token", "play-new-token", "P5"),
    ("fights", "play-taken-over", "P7"),
    ("no-chain", "play-lost-view", "P8"),
    ("sleeps", "play-clocks", "P9"),
    ("no-gaps", "play-skipped", "P10"),
    ("no-gaps", "play-unread", "P10"),
    ("stubborn", "play-refused", "P11"),
    ("no-patience", "play-not-yet", "P12"),
    ("hammers", "play-not-yet", "P12"),
    ("old-ticket", "play-bad-token", "P13"),
    ("comes-again", "play-kicked", "P14"),
    ("old-nonce", "play-rematch", "P15"),
    ("one-game", "play-rematch", "P16"),
    ("only-home", "play-home-dead", "P17"),
    ("no-nonce", "race", "R1"),
    ("false-start", "race", "R2"),
    ("twice", "race", "R3"),
    ("boasts", "race", "R4"),
    ("one-codec", "play-msgpack", "F1"),
    ("talks", "play-muted", "F2"),
]


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all situations of this file."""
    process = ServerProcess(tmp_path_factory.mktemp("server"))
    yield process.start()
    process.stop()


@pytest.fixture(scope="module")
def clients() -> Iterator[Warm]:
    """Starts the clients that are written in Python."""
    with tempfile.TemporaryDirectory() as folder, warm(Path(folder)) as process:  # a short path, for a socket
        yield process


def bare(clients: Warm, fault: str = "") -> str:
    return clients.command("tests.conformance.faulty_client", fault)


@pytest.fixture(autouse=True)
def at_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE.parents[1])


@pytest.mark.system
@pytest.mark.timeout(900)
@pytest.mark.parametrize("client", ["python", "terminal"])
async def test_our_clients_reach_every_level(
    client: str, shared_server: ServerProcess, clients: Warm
) -> None:
    modules = {"python": "sdk_client", "terminal": "terminal_client"}
    await reaches_full(clients.command(f"tests.conformance.{modules[client]}"), shared_server.url)


@pytest.mark.system
@pytest.mark.timeout(900)
async def test_the_javascript_sdk_reaches_every_level(shared_server: ServerProcess, compiled: Path) -> None:  # noqa: F811 - the fixture
    node = run_node("node", "-p", "process.execPath").stdout.strip()
    await reaches_full(f"{node} {compiled / 'system' / 'conformance.js'}", shared_server.url)


async def reaches_full(command: str, url: str) -> None:
    found = await examine(
        SITUATIONS, command, lambda _: None, url, longest=LONG, rounds=ROUNDS, server_of=ForkedServer
    )

    assert [(it.situation.key, it.requirement, it.verdict.what) for it in found if it.verdict.what] == []
    assert (level_of(found), why_not_higher(found)) == (FULL, "")


@pytest.mark.system
async def test_planted_faults_are_caught_by_the_requirement_they_break(
    shared_server: ServerProcess, clients: Warm
) -> None:
    gate = asyncio.Semaphore(8)

    async def is_caught(fault: str, situation: str, wanted: str) -> bool:
        for longest in (15, 40, 120):  # a busy machine is slow, and the cards may not show the fault at first
            async with gate:
                command = bare(clients, fault)
                results = await examine(
                    [BY_KEY[situation]],
                    command,
                    lambda _: None,
                    shared_server.url,
                    longest=longest,
                    server_of=ForkedServer,
                )
            if wanted in {it.requirement for it in results if it.state == "failed"}:
                return True
        return False

    found = await asyncio.gather(*(is_caught(*it) for it in FAULTS))

    assert [it for it, is_right in zip(FAULTS, found, strict=True) if not is_right] == []


@pytest.mark.system
@pytest.mark.timeout(600)
async def test_without_a_fault_the_same_client_fails_nothing(
    shared_server: ServerProcess, clients: Warm
) -> None:
    """Otherwise a fault could be "caught" for another reason."""
    used = [it for it in SITUATIONS if it.key in {situation for _, situation, _ in FAULTS}]
    results = await examine(
        used,
        bare(clients),
        lambda _: None,
        shared_server.url,
        longest=LONG,
        at_once=8,
        server_of=ForkedServer,
    )

    assert [
        (it.situation.key, it.requirement, it.verdict.what) for it in results if it.state == "failed"
    ] == []


def test_every_requirement_has_a_planted_fault() -> None:
    assert {requirement for _, _, requirement in FAULTS} == REQUIREMENTS.keys()


def linked(clause: str) -> str:
    """The section as a link to its page."""
    (page,) = (it for it in PAGES if any(found.title == clause for found in sections(it)))
    return f"[{clause}](../{page.name}#{re.sub(r'[^a-z- ]', '', clause.lower()).replace(' ', '-')})"


def test_the_page_has_every_requirement_and_every_situation() -> None:
    asked = {row[0]: (row[1], row[2], row[3]) for row in section("Requirements", file=PAGE).rows}
    assert asked == {key: (it.level, it.text, linked(it.clause)) for key, it in REQUIREMENTS.items()}
    script = {row[0].strip("`"): (row[1], row[2], row[3]) for row in section("Situations", file=PAGE).rows}
    assert script == {it.key: (it.level, it.title, " ".join(it.looks_at)) for it in SITUATIONS}


def test_every_requirement_has_a_check_and_a_situation_and_cites_a_section_of_the_page() -> None:
    assert REQUIREMENTS.keys() == CHECKS.keys() == {key for it in SITUATIONS for key in it.looks_at}
    titles = {it.title for it in sections()}
    assert {it.clause for it in REQUIREMENTS.values()} <= titles


def test_a_level_is_reached_only_if_each_of_its_requirements_was_seen_to_hold() -> None:
    passed = [RequirementResult(it, key, CheckVerdict()) for it in SITUATIONS for key in it.looks_at]
    unseen_ = [
        RequirementResult(*it[:2], CheckVerdict(is_seen=it.requirement not in {"R1", "R2"})) for it in passed
    ]
    failed = [
        RequirementResult(*it[:2], CheckVerdict("wrong" if it.requirement == "P6" else "")) for it in passed
    ]

    one_codec = [
        RequirementResult(*it[:2], CheckVerdict("wrong" if it.requirement == "F1" else "")) for it in passed
    ]

    levels = [level_of(it) for it in (passed, one_codec, unseen_, failed, [])]
    assert levels == [FULL, "racer", "player", "watcher", NONE]
    reasons = [why_not_higher(it) for it in (passed, one_codec, unseen_, failed, [])]
    assert reasons == [
        "",
        "full: failed F1 in play-json, F1 in play-msgpack",
        "racer: R1, R2 not seen: the cards gave no occasion. Run it again",
        f"player: failed {', '.join(sorted(f'P6 in {it.key}' for it in SITUATIONS if 'P6' in it.looks_at))}",
        "watcher: not examined",
    ]
    suite = ET.fromstring(as_junit(failed))
    missed = sum(it.requirement == "P6" for it in failed)
    assert (suite.get("failures"), len(suite.findall("testcase/failure"))) == (str(missed), missed)
    assert json.loads(json.dumps(as_plain(failed)))["level"] == "watcher"
    assert ET.fromstring(as_badge("player")).tag.endswith("svg")


def test_a_requirement_that_was_not_seen_is_run_again_and_the_worst_of_all_runs_counts() -> None:
    race = BY_KEY["race"]
    first = [
        RequirementResult(race, "R1", CheckVerdict(is_seen=False)),
        RequirementResult(race, "R2", CheckVerdict(is_seen=False)),
    ]
    second = [
        RequirementResult(race, "R1", CheckVerdict()),
        RequirementResult(race, "R2", CheckVerdict("wrong")),
    ]
    third = [
        RequirementResult(race, "R1", CheckVerdict(is_seen=False)),
        RequirementResult(race, "R2", CheckVerdict()),
    ]

    assert unseen(first) == {"R1", "R2"}
    assert [it.state for it in merged([*first, *second, *third])] == ["passed", "failed"]
    assert unseen(merged([*first, *second])) == set()


@pytest.mark.system
@pytest.mark.parametrize(
    ("client", "words"),
    [("true", "the client ended with code 0 and never connected"), ("false", "the client ended with code 1")],
)
async def test_a_client_that_ends_without_a_connection_is_not_waited_for(
    client: str, words: str, shared_server: ServerProcess
) -> None:
    used = [it for it in SITUATIONS if it.key == "watch"]
    async with within("the verdict about a client that has ended", LONG / 2):
        results = await examine(used, client, lambda _: None, shared_server.url, longest=LONG)

    failed = [it.verdict.what for it in results if it.state == "failed"]
    assert failed
    assert all(words in it for it in failed)

"""What `photofinish doctor` says of a Redis with replicas: reached directly, through Sentinel, as a cluster."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from photofinish.doctor.examine import examine
from photofinish.doctor.finding import Finding
from tests.doctor.test_examine import run
from tests.store.many.fleets import SentinelFleet, under_sentinels
from tests.store.servers import HOST, cluster, free_port


def looked(data: Path, url: str, redis_wait: int = 0) -> dict[str, Finding]:
    return {it.name: it for it in examine(data, url, redis_wait)}


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SentinelFleet]:
    with under_sentinels(tmp_path_factory.mktemp("fleet")) as it:
        yield it


def test_a_master_with_replicas_but_without_redis_wait_is_a_warning(
    fleet: SentinelFleet, tmp_path: Path
) -> None:
    seen = looked(tmp_path, fleet.url)["Sentinel's master: replicas"]

    assert seen.state == "warn"
    assert "2 connected, min-replicas-to-write 0" in seen.found
    assert "--redis-wait 2" in seen.advice


def test_redis_wait_or_min_replicas_to_write_is_ok(fleet: SentinelFleet, tmp_path: Path) -> None:
    waiting = looked(tmp_path, fleet.url, 1)
    with fleet.master.client as master:
        master.config_set("min-replicas-to-write", 1)
        wanting = looked(tmp_path, f"redis://{HOST}:{fleet.master.own}")
        master.config_set("min-replicas-to-write", 0)

    assert waiting["Sentinel's master: replicas"].state == "ok"
    assert waiting["Sentinel's master: AOF"].state == "ok"
    assert wanting["Redis replicas"].state == "ok"


def test_waiting_for_more_replicas_than_there_are_is_a_failure(fleet: SentinelFleet, tmp_path: Path) -> None:
    code, found = run(
        "--data", tmp_path, "--redis", f"redis://{HOST}:{fleet.master.own}", "--redis-wait", "3"
    )

    assert (code, found["Redis replicas"]["state"]) == (1, "fail")
    assert "would acknowledge nothing" in found["Redis replicas"]["advice"]


def test_a_replica_instead_of_a_master_is_a_failure(fleet: SentinelFleet, tmp_path: Path) -> None:
    replica = next(server for server in fleet.servers if server is not fleet.master)

    assert looked(tmp_path, f"redis://{HOST}:{replica.own}")["Redis role"].state == "fail"


def test_a_cluster_without_replicas_is_a_warning_and_without_logs_a_failure(tmp_path: Path) -> None:
    with cluster(tmp_path / "cluster") as ports:
        found = looked(tmp_path, f"redis+cluster://{HOST}:{ports[0]}")

    assert found["Redis Cluster"].found == "3 masters"
    for port in ports:
        assert found[f"{HOST}:{port}: replicas"].state == "warn"
        assert found[f"{HOST}:{port}: AOF"].state == "fail"


def test_sentinels_that_do_not_answer_are_a_failure(tmp_path: Path) -> None:
    assert looked(tmp_path, f"redis+sentinel://{HOST}:{free_port()}/tables")["Redis"].state == "fail"

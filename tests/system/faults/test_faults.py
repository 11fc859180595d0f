"""Nothing lost: every fault of `tests/chaos` in its short form (DESIGN §7). The long form is `make chaos`."""

import random
from pathlib import Path

import pytest

from tests.chaos import looplag
from tests.chaos.faults import clocks, cuts, disks, drains, kills, nodes, powercuts, redisfaults
from tests.chaos.findings import Findings
from tests.chaos.shim import compiler

pytestmark = pytest.mark.system

needs_compiler = pytest.mark.skipif(compiler() is None, reason="the shim needs a C compiler")
needs_mount = pytest.mark.skipif(not disks.may_mount(), reason="only root may mount a small disk")
CHANCE = 20_260


def held(findings: Findings) -> None:
    """No promise was broken, and the players were really there."""
    assert findings.wrongs == []
    assert findings.counts.get("moves acknowledged", 1) > 0


async def test_a_server_killed_in_the_middle_of_races_loses_no_acknowledged_move(tmp_path: Path) -> None:
    found = await kills.kill_server(tmp_path, 2, random.Random(CHANCE))

    held(found)
    assert found.counts["kills"] == 2
    assert found.counts["sockets lost"] > 0


async def test_a_killed_redis_loses_no_acknowledged_move_and_cuts_nobody_off(tmp_path: Path) -> None:
    found = await redisfaults.kill_redis(tmp_path, 5, random.Random(CHANCE))

    held(found)
    assert found.counts["kills"] == 5


@needs_compiler
async def test_a_power_cut_loses_unsynced_data_but_no_acknowledged_move(tmp_path: Path) -> None:
    found = await powercuts.cut_power(tmp_path, 2, random.Random(CHANCE))

    held(found)
    assert found.counts["syncs"] > 0


@needs_compiler
async def test_a_power_cut_loses_acknowledged_moves_of_a_redis_that_never_syncs(tmp_path: Path) -> None:
    """Checks the power cut itself: if nothing is synced, moves must be lost."""
    assert await powercuts.lost_without_sync(tmp_path) > 0


async def test_a_stalled_redis_makes_no_move_twice(tmp_path: Path) -> None:
    found = await redisfaults.stall_redis(tmp_path, 3, random.Random(CHANCE), longest=3.0)

    held(found)
    assert found.counts["stalls"] == 3


async def test_an_owner_frozen_past_its_lease_writes_nothing_and_its_players_reconnect(
    tmp_path: Path,
) -> None:
    found = await nodes.freeze_owner(tmp_path, 2, random.Random(CHANCE))

    held(found)
    assert found.counts["owners that found themselves replaced"] > 0
    assert found.counts["rooms quarantined"] == 0


async def test_when_one_of_two_nodes_is_killed_the_other_continues_its_games(tmp_path: Path) -> None:
    held(await nodes.kill_node(tmp_path, 1, random.Random(CHANCE)))


async def test_when_one_of_three_workers_is_killed_the_others_continue_its_games(tmp_path: Path) -> None:
    held(await nodes.kill_worker(tmp_path, 1, random.Random(CHANCE)))


async def test_nodes_that_are_restarted_one_after_the_other_lose_no_game(tmp_path: Path) -> None:
    found = await nodes.restart_nodes(tmp_path, 2, random.Random(CHANCE))

    held(found)
    assert found.counts["restarts"] == 2


@needs_mount
async def test_with_a_full_disk_nothing_is_acknowledged_and_play_continues_when_there_is_space(
    tmp_path: Path,
) -> None:
    found = await disks.fill_disk(tmp_path, 2, random.Random(CHANCE))

    held(found)
    assert found.counts["times Redis was started again"] >= 6


async def test_a_log_cut_at_any_byte_loads_with_every_room_intact(tmp_path: Path) -> None:
    found = await disks.cut_logs(tmp_path, 8, random.Random(CHANCE))

    held(found)
    assert found.counts["log entries checked"] > 0


async def test_players_who_are_disconnected_three_hundred_times_lose_nothing(tmp_path: Path) -> None:
    found = await cuts.cut_clients(tmp_path, 300, random.Random(CHANCE))

    held(found)
    assert found.counts["cuts"] == 300
    assert found.counts[looplag.TICKS] > 100
    assert found.counts["sockets lost"] > 100


async def test_a_half_open_connection_is_noticed_and_its_player_reconnects(tmp_path: Path) -> None:
    held(await cuts.half_open(tmp_path, 2, random.Random(CHANCE)))


async def test_stalled_readers_are_closed_and_use_little_memory(tmp_path: Path) -> None:
    found = await cuts.stand_still(tmp_path, 5, random.Random(CHANCE))

    held(found)
    assert found.counts["readers that stood still"] == 5


@needs_compiler
async def test_a_wall_clock_that_jumps_changes_no_order_and_cuts_nobody_off(tmp_path: Path) -> None:
    held(await clocks.step_clock(tmp_path, 6, random.Random(CHANCE)))


@needs_compiler
async def test_a_lease_that_ends_in_the_far_future_blocks_nobody(tmp_path: Path) -> None:
    held(await clocks.step_clock_of_nodes(tmp_path, 1, random.Random(CHANCE), steps=(-86_400.0,)))


async def test_a_server_that_stops_tells_its_players_and_they_reconnect(tmp_path: Path) -> None:
    held(await drains.drain(tmp_path, 1, random.Random(CHANCE)))

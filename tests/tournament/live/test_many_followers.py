"""S19 with few followers: every result arrives once at every follower."""

from pathlib import Path

import pytest

from tests.tournament.many_followers import measure

pytestmark = pytest.mark.system


async def test_S19_T71_each_result_of_another_node_is_a_row_at_each_follower(tmp_path: Path) -> None:
    made = await measure(tmp_path, followers=24, seconds=2.0, entrants=48)

    assert made["results"] == 24
    assert made["rows_arrived"] == 24 * 24, "each once"
    assert made["messages_per_second"] <= 10, "T67: results that come close together are merged"
    assert made["p50_ms"] < 2000, "the strict figure needs a quiet machine: `make tournament-rehearsal`"

"""The bench's own parts: who acts next, what a figure says of its bar, the drawing, and a short run of a workload."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from photofinish.lab.bench.drive import Driver
from photofinish.lab.bench.placement import simulate
from photofinish.lab.bench.results.figures import Bar, Figure, as_plain
from photofinish.lab.bench.results.plot import as_svg, better
from photofinish.lab.bench.tables.base import LoadTable
from tests.bench.table import rows


class SlowTable(LoadTable):
    """Its action takes one turn of the loop."""

    most = now = 0

    def _act(self) -> None:
        SlowTable.now += 1
        SlowTable.most = max(SlowTable.most, SlowTable.now)
        asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        SlowTable.now -= 1
        self._finished()


async def driven(seconds: float, *, active: int = 0, rate: float = 0.0) -> list[int]:
    SlowTable.most = SlowTable.now = 0
    tables = [SlowTable() for _ in range(20)]
    driver = Driver(tables, active=active, rate=rate)
    driver.start()
    await asyncio.sleep(seconds)
    driver.stop()
    await asyncio.sleep(0.01)
    done = [it.done for it in tables]
    await asyncio.sleep(0.02)
    assert [it.done for it in tables] == done, "a stopped driver begins nothing"
    return done


async def test_all_tables_act_at_once() -> None:
    assert min(await driven(0.1)) > 1
    assert SlowTable.most == 20


async def test_in_rotation_a_fixed_number_of_tables_acts_at_a_time_and_every_table_gets_its_turn() -> None:
    done = await driven(0.1, active=3)
    assert SlowTable.most == 3
    assert max(done) - min(done) <= 1
    assert min(done) > 0


async def test_a_rate_is_kept_and_not_exceeded() -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    done = sum(await driven(0.3, rate=200))
    assert 0 < done <= (loop.time() - began) * 200


@pytest.mark.parametrize(
    ("value", "bar", "verdict"),
    [
        (4.0, Bar(5, 2), "holds"), (2.0, Bar(5, 2), "goal"), (5.1, Bar(5, 2), "MISSED"),
        (0.8, Bar(0.75, 1.0, is_least=True), "holds"), (0.7, Bar(0.75, 1.0, is_least=True), "MISSED"),
        (1.0, Bar(0.75, 1.0, is_least=True), "goal"), (1.0, None, ""),
    ],
)  # fmt: skip
def test_the_median_is_compared_with_the_bar(value: float, bar: Bar | None, verdict: str) -> None:
    assert Figure("f", "ms", (value, value - 100, value + 100), bar).verdict == verdict


def test_the_drawing_has_a_row_per_bar_and_better_is_to_the_right() -> None:
    figures = [
        Figure("a <b>", "ms", (10.0,), Bar(5, 2)), Figure("c", "×", (3.0,), Bar(1.5, 2, is_least=True)),
        Figure("without", "ms", (1.0,)),
    ]  # fmt: skip
    assert better(figures[0]) == -1
    assert better(figures[1]) == 1
    bars = ET.fromstring(as_svg(figures, "t")).findall("{*}rect")[1:]
    middle = float(bars[1].attrib["x"])
    assert len(bars) == 2
    assert float(bars[0].attrib["x"]) + float(bars[0].attrib["width"]) == pytest.approx(middle)


def test_a_workload_runs_from_the_command_line_and_writes_its_figures(tmp_path: Path) -> None:
    out, plot = tmp_path / "out.json", tmp_path / "plot.svg"
    command = [sys.executable, "-m", "photofinish", "bench", "--work", "latency", "--short", "--rounds", "1"]
    subprocess.run(
        [*command, "--out", out, "--plot", plot], check=True, timeout=120, stdout=subprocess.DEVNULL
    )
    found = json.loads(out.read_text(encoding="utf-8"))
    assert [it["unit"] for it in found["figures"]] == ["ms", "ms", "ms"]
    assert all(it["value"] > 0 for it in found["figures"])
    assert plot.read_text(encoding="utf-8").startswith("<svg")


def test_rooms_are_spread_over_the_nodes_and_those_of_a_dead_node_over_the_others() -> None:
    even = simulate(10, 8_000, 1, per_second=200)
    assert even.rooms == 2_000
    assert even.fullest < 1.3
    assert even.after_death < 1.4
    assert even.adopted < 60, "about 200 rooms go to nine nodes"
    skewed = simulate(10, 8_000, 0, skew=0.8, per_second=200)
    assert skewed.moved > even.moved
    assert skewed.fullest < 1.6, "hosts on one node do not fill that node"


def test_the_table_of_the_results_says_what_misses_its_limit() -> None:
    missed = Figure("counter", "×", (0.6, 0.9, 0.7), Bar(0.75, 1.0, is_least=True))
    held = Figure("start", "s", (0.9,), Bar(1, 0.5))
    plain = json.loads(json.dumps([as_plain(it) for it in (missed, held, Figure("a cost", "µs", (3.0,)))]))

    assert list(rows(plain))[2:] == [
        "| counter | 0.7 × (0.6–0.9) | ≥ 0.75 | ≥ 1 | **missed** |",
        "| start | 0.9 s | ≤ 1 | ≤ 0.5 | must reached |",
    ]

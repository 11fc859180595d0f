"""The laboratory on real sockets: its links, its hands, its judgement, and a small run through the proxies."""

import asyncio
import io
import secrets
import socket
from collections.abc import Awaitable, Callable
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import uvloop
from msgspec.structs import replace
from rich.console import Console

from photofinish.engine import Micros, Seat
from photofinish.games.reflex import GAME
from photofinish.gateway.server import Gateway
from photofinish.gateway.sockets.connection import Connection
from photofinish.gateway.sockets.loop_lag import LoopLag
from photofinish.lab.net.goals import gained, gains
from photofinish.lab.net.judge import Claimed, Judged, raced
from photofinish.lab.net.lies import ALONE, EACH, claim, known, liar_of
from photofinish.lab.net.links.shape import (
    MILLI,
    MIX_A,
    LatenessRecorder,
    LinkDirection,
    Shape,
    congestion,
    shapes,
    summary,
)
from photofinish.lab.net.plan import (
    FREE,
    FREE_NOISY,
    SLOWEST,
    Budget,
    Cell,
    Hand,
    Setting,
    cells,
    hands,
    rooms_of,
)
from photofinish.lab.net.run import real_lab
from photofinish.lab.sim.liars import LIARS
from photofinish.node.clock import clock
from photofinish.node.directory import Directory
from photofinish.race import Arbiter, Claim, Params
from photofinish.race import Path as Way_to
from photofinish.store.ports import NodeId
from photofinish.store.redis import RedisStore
from photofinish_client.client import connect

LOOPS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {
    "asyncio": asyncio.new_event_loop,
    "uvloop": uvloop.new_event_loop,
}
EITHER_LOOP = pytest.mark.parametrize("loop", LOOPS)


def on(loop: str, work: Callable[[], Awaitable[Any]]) -> Any:
    """Run it on that kind of event loop."""

    async def run() -> Any:
        return await work()

    with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
        return runner.run(run())


async def accepted(redis_url: str, look: Callable[[Connection], Any]) -> Any:
    """A real gateway with one player connected, as the server sees that player."""
    store = await RedisStore.open(redis_url)
    directory = Directory(store, NodeId(secrets.token_hex(4)), {GAME.key: GAME})
    gateway = Gateway(directory, "node")
    await gateway.start("127.0.0.1", 0)
    try:
        async with connect(f"ws://127.0.0.1:{gateway.ports[0]}", name="Ada") as table:
            await table.games()
            assert gateway._server is not None
            (connection,) = gateway._server.connections
            assert isinstance(connection, Connection)
            return look(connection)
    finally:
        await gateway.stop()
        await store.close()


@EITHER_LOOP
def test_no_trigger_waits_behind_an_unacknowledged_frame(loop: str, redis_url: str) -> None:
    """TCP_NODELAY is on for every accepted socket (RACES §1)."""

    def nodelay(connection: Connection) -> int:
        sock = connection.transport.get_extra_info("socket")
        return int(sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    assert on(loop, lambda: accepted(redis_url, nodelay)) == 1


@EITHER_LOOP
def test_the_kernel_reports_the_least_round_trip_of_a_players_socket(loop: str, redis_url: str) -> None:
    found = on(loop, lambda: accepted(redis_url, Connection.kernel_min_rtt))

    assert found is not None
    assert 0 < found < 100_000


async def test_an_event_loop_that_was_delayed_reports_it_with_the_next_claim() -> None:
    loop_lag = LoopLag()
    assert loop_lag.lag(clock()) == 0
    loop_lag.start()
    busy_until = clock() + 40_000
    while clock() < busy_until:
        pass
    held_up = loop_lag.lag(clock())
    loop_lag.stop()

    assert held_up >= 30_000, "a tick was due after 10 ms and had to wait for the rest"


def test_a_link_keeps_the_order_of_packets_and_never_delivers_early() -> None:
    way = LinkDirection(Shape(300.0, 0.4), Random(1), is_down=True)
    due = [way.due(now * MILLI) for now in range(1000)]

    assert due == sorted(due)
    assert all(out >= (now + 120) * MILLI for now, out in enumerate(due))


def test_the_two_directions_of_a_link_add_up_to_its_round_trip() -> None:
    shape = Shape(80.0, 0.35, jitter=False)
    down, up = (LinkDirection(shape, Random(1), is_down=is_down) for is_down in (True, False))

    assert down.due(0) == 28 * MILLI
    assert down.due(0) + up.due(0) == 80 * MILLI


def test_a_link_loses_about_the_configured_share_of_packets() -> None:
    way = LinkDirection(Shape(80.0, loss=0.1), Random(1), is_down=True)

    assert 900 < sum(way.is_lost() for _ in range(10_000)) < 1100
    assert not any(LinkDirection(Shape(80.0), Random(1), is_down=True).is_lost() for _ in range(1000))


def test_every_seat_has_the_asymmetry_of_the_simulation() -> None:
    found = shapes(MIX_A, Random(7), jitter=True, loss=0.002)

    assert [it.rtt_ms for it in found] == list(MIX_A)
    assert all(0.35 <= it.share <= 0.65 for it in found)
    assert len({it.share for it in found}) == len(found)


def test_the_links_report_their_own_lateness() -> None:
    noted = LatenessRecorder(late_us=[])
    for late in range(100):
        noted.note(0, late * 1000)

    assert (summary(noted).p50, summary(noted).p99, summary(noted).most) == (49, 99, 99)


def test_in_a_scripted_cell_the_slowest_network_has_the_fastest_hand_by_just_the_gap() -> None:
    cell = Cell("scripted", 100, gap_ms=5)
    for race in range(1, 200):
        *others, first = hands(cell, 1, 0, race)

        assert abs(min(others) - first - 5000) <= 1
        assert hands(cell, 1, 0, race) == (*others, first), "every process draws the same hands"


def test_the_goals_ask_for_1000_races_where_the_gap_is_small_and_for_every_lie() -> None:
    plan = cells(None)

    assert [(it.gap_ms, it.races) for it in plan[:4]] == [(5, 1000), (10, 1000), (20, 300), (50, 300)]
    assert [(it.gap_ms, it.races, it.loss) for it in plan[4:6]] == [(None, 700, 0.0), (None, 700, 0.002)]
    assert plan[6].is_noisy
    assert [it.lie for it in plan[7:]] == [*ALONE, *[EACH] * 4]


def test_a_liar_has_thirty_races_in_a_room_however_few_its_round_has() -> None:
    lying, honest = Cell("lying", 240, lie=EACH), Cell("honest", 240)

    assert [rooms_of(replace(lying, races=races), 8) for races in (240, 100, 16)] == [
        (8, 30),
        (3, 30),
        (1, 30),
    ]
    assert [rooms_of(replace(honest, races=races), 8) for races in (240, 100, 5)] == [
        (8, 30),
        (8, 13),
        (5, 1),
    ]


def test_where_clients_lie_every_claim_is_recorded_and_in_the_honest_cell_beside_it() -> None:
    assert all(it.all_press for it in cells(None) if it.lie or it.name == FREE)


def test_a_part_of_the_cells_can_be_run_alone_and_the_three_parts_are_all_of_them() -> None:
    scripted, free, liars = (cells(60, part) for part in ("scripted", "free", "liars"))

    assert [it.gap_ms for it in scripted] == [5, 10, 20, 50]
    assert [it.name for it in free] == [FREE, "mix A, free, 0.2 % loss", FREE_NOISY]
    assert [it.name for it in liars if not it.lie] == [FREE, FREE_NOISY], (
        "liars are compared with honest clients"
    )
    assert {*scripted, *free, *liars} == {*cells(60)}


def test_liars_react_as_fast_as_honest_players_and_claim_other_times() -> None:
    honest, *liars = [it for it in cells(None) if it.name in {FREE, FREE_NOISY} or it.lie]

    assert all(hands(it, 1, 0, race) == hands(honest, 1, 0, race) for it in liars for race in range(1, 30))
    assert said("", 9) == 300_000
    assert [said(lie, 9) for lie in ALONE] == [1_000, 300_000]
    assert [said(lie, 10) for lie in ALONE] == [1_000, 1_000]
    assert said("claims nothing", 9) is None
    assert said("shaves 15 ms off every claim", 9) == 285_000
    assert said("imitates a steady screen of 15 ms", 9) == 294_000


def said(lie: str, race: int) -> int | None:
    """With a true reaction of 300 ms, from a drawing that took 9."""
    return claim(liar_of(lie, 0, 0), known(race, Params().screen, ""), 300_000, 9_000)


def test_in_eight_rooms_there_is_a_seat_for_every_liar_of_the_simulation() -> None:
    seated = {liar_of(EACH, room, seat) for room in range(8) for seat in range(len(MIX_A))}

    assert seated == set(LIARS)


def test_in_five_rounds_every_liar_sits_on_every_line() -> None:
    seated = {
        (liar_of(EACH, room, seat, turn), seat)
        for turn in range(5)
        for room in range(8)
        for seat in range(len(MIX_A))
    }

    assert len(seated) == len(LIARS) * len(MIX_A)


def test_every_liar_plays_with_a_screen_and_without_on_clean_and_on_noisy_lines() -> None:
    each = [it for it in cells(None) if it.lie == EACH]

    assert {(it.is_noisy, it.is_drawn) for it in each} == set(product((True, False), repeat=2))
    assert all(it in cells(None, "liars") for it in each)


def test_a_noisy_link_loses_and_stalls_and_is_congested_like_one_of_the_simulation() -> None:
    (shape,) = Cell("noisy", 1, is_noisy=True, jitter=False).shapes(1)[:1]
    way = LinkDirection(shape, Random(1), is_down=True, congested=congestion(Random(2)))
    quiet = LinkDirection(replace(shape, is_noisy=False), Random(1), is_down=True)
    step, packets = 50 * MILLI, 100_000
    late = [(way.due(now) - quiet.due(now)) / MILLI for now in range(0, step * packets, step)]
    lost = sum(way.is_lost() for _ in range(packets))

    assert 0.004 < lost / packets < 0.006
    stalled = sum(60 < it <= 260 for it in late) / packets
    assert 0.002 < stalled < 0.006, "of 200 ms in 40 s those in which more than 60 are left"
    congested = sum(9.9 < it <= 60 for it in late) / packets
    assert 0.04 < congested < 0.09, "4 s of each 64 on average"
    assert max(late) <= 260
    assert all(later >= earlier for earlier, later in pairwise(n * 50 + it for n, it in enumerate(late)))


def test_a_bounded_run_shares_its_time_among_the_cells_by_their_races() -> None:
    plan = (Cell("long", 300, gap_ms=5), Cell("short", 100, gap_ms=10))
    budget = Budget(plan, 100.0, rooms=2)
    budget.begin(plan[0])
    assert budget.affords(300) == 75, "75 s for races of a second, two rooms at a time"
    budget.spend(30.0, 60)
    assert budget.affords(240) == 90, "45 s for races that turned out to take half as long"
    budget.spend(50.0, 100)
    assert budget.affords(140) == 0
    budget.begin(plan[1])
    assert budget.affords(100) == 40, "all that is left"
    assert Budget(plan, None, rooms=2).affords(300) == 300


def test_the_gain_of_a_lie_is_that_of_its_best_line_in_the_races_it_means_to_win() -> None:
    def cell(lie: str, *offs: tuple[int, int, int], is_drawn: bool = True) -> Judged:
        claims = tuple(
            Claimed(
                seat, race, None, None, 0, off, 0, None,
                delayable=False, loop_lag=0, liar=lie, is_meant=race == 10 or not lie.startswith("hoards"),
            )
            for seat, race, off in offs
        )  # fmt: skip
        return Judged(Cell("cell", 1, lie=lie, is_drawn=is_drawn), (), claims, (), 0)

    honest = cell("", (0, 1, 2_000), (0, 10, 4_000), (1, 1, 0))
    forger = cell("forges every claim", (0, 1, 1_000), (1, 1, -6_000))
    hoarder = cell("hoards, bites in every 10th race", (0, 1, 3_000), (0, 10, -9_000))

    assert gained(honest, forger) == 6.0
    assert gained(honest, hoarder) == 12.0
    (found,) = gains(honest, forger).values()
    assert (found.mean, found.races) == (4.0, 2), "the mean of 2 and 6 ms"
    assert found.error == pytest.approx(0.5), (
        "half of the claims are on line 0, where 2 and 4 ms have an error of 1"
    )
    assert [it.mean for it in gains(honest, hoarder).values()] == [12.0]
    late = cell("forges every claim", (0, 1, 1_000), (0, 2, 700_000))
    assert gained(honest, late) == pytest.approx(3 - 61 / 2), "a late packet of 700 ms counts like one of 60"
    without = cell("forges every claim", (0, 1, 1_000), (1, 1, -6_000), is_drawn=False)
    assert gained(honest, without) == pytest.approx(6.0 - 1000 / 60 / 2), (
        "it sees the trigger that much earlier"
    )


def a_race(scores: tuple[int, ...]) -> Any:
    """A race on quick wires in which the seats claim this many ms after their triggers, and the first wins."""
    arbiter = Arbiter(Params(), b"coin")
    seats = [Seat(n) for n in range(len(scores))]
    for seat in seats:
        arbiter.path(seat, Way_to(Micros(1000), Micros(1000), Micros(1000)))
    arbiter.open("flash:1", seats, now=Micros(0), present=seats, nonce="n")
    for seat in seats:
        arbiter.shown(seat, Micros(500))
    for after, seat in sorted(zip(scores, seats, strict=True)):
        at = Micros(500 + after * 1000 + 1000)
        arbiter.take(Claim(seat + 1, seat, "contested", at, at, react_us=after * 1000, nonce="n"))
    assert arbiter.next(Micros(2_000_000), dict.fromkeys(seats, Micros(2_000_000))) is not None
    return arbiter.close(Micros(2_000_000)).record


def did(*pressed: int) -> list[Hand]:
    return [Hand(1, planned=it * 1000, pressed=it * 1000) for it in pressed]


def judged(*races: Any) -> Judged:
    return Judged(Cell("free", len(races)), races, (), (), 0)


def test_a_verdict_for_the_fastest_hand_is_counted_as_right() -> None:
    found = raced("ROOM", 1, a_race((300, 280, 320)), did(300, 280, 320), b"coin")

    assert (found.truth, found.winner, found.gap) == (1, 1, 20_000)
    assert found.sound
    assert judged(found).right(20) == (1, 1)
    assert judged(found).right(21) == (0, 0)


def test_a_verdict_against_a_hand_that_was_faster_is_counted_as_wrong() -> None:
    found = raced("ROOM", 1, a_race((300, 280, 320)), did(300, 280, 250), b"coin")

    assert (found.truth, found.winner) == (2, 1)
    assert judged(found).right(5) == (0, 1)


def test_a_hand_that_had_not_moved_before_the_verdict_counts_with_its_planned_time() -> None:
    late = [*did(300, 280), Hand(1, planned=250_000, pressed=None)]
    found = raced("ROOM", 1, a_race((300, 280, 320)), late, b"coin")

    assert found.truth == 2


def test_a_record_that_was_tampered_with_is_not_counted_as_sound() -> None:
    record = msgspec.structs.replace(a_race((300, 280)), nonce="other")

    assert not raced("ROOM", 1, record, did(300, 280), b"coin").sound


async def test_a_small_run_through_proxies_decides_and_recomputes_every_race(tmp_path: Path) -> None:
    """Checks only that all parts work together: figures from a busy machine prove nothing."""
    out, said = tmp_path / "figures.json", io.StringIO()
    plan = (Cell("scripted", 4, gap_ms=50), Cell("free", 4, loss=0.002))
    setting = Setting(seed=3, rooms=2, pause_ms=100, warm_s=0.6)
    await real_lab(out=out, plan=plan, setting=setting, proxied=True, console=Console(file=said, width=200))
    facts = msgspec.json.decode(out.read_bytes())

    assert "--behind-proxy" in said.getvalue()
    assert facts["links"] == "proxies"
    assert facts["setting"]["seed"] == 3
    for cell in facts["cells"]:
        races = cell["races"]
        assert 4 <= races <= 17, "four times as many at most, and one if two rooms share an odd number"
        assert (cell["sound"], cell["faults"], cell["unanswered"], cell["cuts"]) == (races, [], 0, 0)
        assert len(cell["links"]) == cell["rounds"]
        assert cell["is_enough"] or races >= 16
        assert sum(it["passed"] for it in cell["links"]) > 50
        assert cell["loop_lag_us"]["1.0"] > 0
        assert len(cell["seats"]) == len(MIX_A)
        for rtt, seat in zip(MIX_A, cell["seats"], strict=True):
            assert seat["claims"] == 0 or seat["amin_us"]["0.5"] >= rtt * 1000
        is_watched = cell["machine"] is not None
        assert is_watched != ("No stall monitor" in said.getvalue())
        assert not is_watched or cell["machine"]["witness_cpu_s"] > 0
    first = facts["cells"][0]
    assert first["slowest_seat"]["true_wins"] == first["races"]
    assert any("recomputed" in goal["figure"] and goal["is_met"] for goal in facts["goals"])
    assert SLOWEST == 4

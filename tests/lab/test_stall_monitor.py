"""The monitor that reports when the machine itself stands still, and the races that do not count because of it."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import msgspec
import pytest
from rich.console import Console

from photofinish.engine import Micros, Seat
from photofinish.lab.net.goals import Goal, rows
from photofinish.lab.net.judge import Claimed, Judged, JudgedRace, raced
from photofinish.lab.net.links.shape import LatenessSummary
from photofinish.lab.net.plan import Cell, Hand, Setting, more
from photofinish.lab.net.report import as_json, print_goals
from photofinish.lab.net.stall_monitor import (
    HALF_A_NAP,
    MonitorStarted,
    Stall,
    StallLog,
    Stalls,
    stolen,
    stood_still,
)
from photofinish.lab.net.window import MARGIN, STALL, window
from photofinish.race import Arbiter, Claim, Params, Path, RaceRecord

OPENED = 5_000_000
CLOSED = OPENED + 700_000
COMMIT = 500


@pytest.fixture(scope="module")
def record() -> RaceRecord:
    """Two seats on quick wires, claims after 300 and 280 ms, the verdict 700 ms after the opening."""
    arbiter = Arbiter(Params(), b"coin")
    seats = [Seat(0), Seat(1)]
    for seat in seats:
        arbiter.path(seat, Path(Micros(1000), Micros(1000), Micros(1000)))
    arbiter.open("flash:1", seats, now=Micros(OPENED), present=seats, nonce="n")
    for seat in seats:
        arbiter.shown(seat, Micros(OPENED + COMMIT))
    for seat, after in ((seats[1], 280_000), (seats[0], 300_000)):
        at = Micros(OPENED + COMMIT + after + 1000)
        arbiter.take(Claim(seat + 1, seat, "contested", at, at, react_us=after, nonce="n"))
    assert arbiter.next(Micros(CLOSED), dict.fromkeys(seats, Micros(CLOSED))) is not None
    return arbiter.close(Micros(CLOSED)).record


def hands(*pressed: int | None) -> list[Hand]:
    return [Hand(1, it or 300_000, it, OPENED + 1000) for it in pressed]


def seen(record: RaceRecord, *stalls: tuple[int, int]) -> JudgedRace:
    """That race on a machine whose second core stood still in these spans, each from when to when in µs."""
    those = [Stall(1, began, ended) for began, ended in stalls]
    return raced("ROOM", 1, record, hands(300_000, 280_000), b"coin", those)


def test_a_race_on_a_machine_without_stalls_counts(record: RaceRecord) -> None:
    assert not seen(record).is_disturbed


def test_a_race_during_which_a_core_stalled_is_left_out(record: RaceRecord) -> None:
    found = seen(record, (OPENED + 400_000, OPENED + 410_000))

    assert found.is_disturbed
    assert found.still == 10_000


def test_a_stall_of_exactly_the_limit_does_not_disturb_a_race_and_one_microsecond_more_does(
    record: RaceRecord,
) -> None:
    began = OPENED + 400_000

    assert not seen(record, (began, began + STALL)).is_disturbed
    assert seen(record, (began, began + STALL + 1)).is_disturbed


def test_a_stall_that_only_touches_the_window_does_not_disturb_a_race(record: RaceRecord) -> None:
    begins, ends = window(record, hands(300_000, 280_000), COMMIT)

    assert not seen(record, (begins - 90_000, begins), (ends, ends + 90_000)).is_disturbed


def test_of_a_stall_across_the_edge_of_the_window_only_the_part_inside_counts(record: RaceRecord) -> None:
    begins, ends = window(record, hands(300_000, 280_000), COMMIT)

    assert not seen(record, (begins - 90_000, begins + STALL)).is_disturbed
    assert seen(record, (begins - 90_000, begins + STALL + 1)).is_disturbed
    assert not seen(record, (ends - STALL, ends + 90_000)).is_disturbed
    assert seen(record, (ends - STALL - 1, ends + 90_000)).is_disturbed


def test_many_short_stalls_are_not_added_up(record: RaceRecord) -> None:
    shorts = [(OPENED + at, OPENED + at + 1500) for at in range(0, 600_000, 3000)]

    assert seen(record, *shorts).still == 1500


def test_the_window_reaches_from_before_the_opening_to_after_the_verdict_is_stored(
    record: RaceRecord,
) -> None:
    assert window(record, hands(300_000, 280_000), COMMIT) == (OPENED - MARGIN, CLOSED + COMMIT + MARGIN)


def test_the_window_covers_a_far_hand_that_moved_while_the_verdict_was_on_its_way(record: RaceRecord) -> None:
    _, ends = window(record, hands(300_000, 900_000), COMMIT)

    assert ends == OPENED + 1000 + 900_000 + MARGIN


def test_a_hand_that_never_moved_does_not_widen_the_window(record: RaceRecord) -> None:
    unseen = Hand(1, 2_000_000, None, None)

    assert window(record, [*hands(300_000, None), unseen], COMMIT)[1] == CLOSED + COMMIT + MARGIN


def test_whether_a_race_is_disturbed_does_not_depend_on_who_won_it(record: RaceRecord) -> None:
    stalls = [Stall(0, OPENED + 400_000, OPENED + 410_000)]
    right = raced("ROOM", 1, record, hands(300_000, 280_000), b"coin", stalls)
    wrong = raced("ROOM", 1, record, hands(280_000, 300_000), b"coin", stalls)

    assert (right.winner == right.truth, wrong.winner == wrong.truth) == (True, False)
    assert right.still == wrong.still == 10_000


def test_the_core_with_the_longest_stall_counts() -> None:
    stalls = [Stall(0, 100, 200), Stall(1, 150, 190), Stall(0, 400, 430)]

    assert stood_still(stalls, 0, 1000) == 100
    assert stood_still(stalls, 160, 1000) == 40
    assert stood_still(stalls, 195, 405) == 5
    assert stood_still(stalls, 500, 1000) == 0


@pytest.mark.parametrize(
    ("run", "undisturbed", "next_round"),
    [
        (0, 0, 300),  # the first
        (304, 304, 0),  # nobody was disturbed
        (304, 300, 0),  # enough
        (304, 299, 30),  # one is missing, but a round of one race takes too long to set up
        (304, 200, 167),  # two in three counted: 152 for 100 more, and a tenth to be safe
        (304, 10, 300),  # never more at a time than the first round
        (304, 0, 300),
        (1100, 250, 100),  # never more than four times the number in all
        (1200, 299, 0),  # then the laboratory stops
        (1204, 0, 0),
    ],
)
def test_a_cell_goes_on_until_enough_races_were_undisturbed_or_four_times_as_long(
    run: int, undisturbed: int, next_round: int
) -> None:
    assert more(300, run, undisturbed) == next_round


def race(*, right: bool = True, still: int = 0, wait: int = 250_000) -> JudgedRace:
    return JudgedRace(
        "ROOM",
        1,
        4,
        5000,
        4 if right else 0,
        0,
        wait,
        COMMIT,
        "watermark",
        heat=False,
        sound=True,
        still=still,
    )


def claim(loop_lag: int, *, is_disturbed: bool = False) -> Claimed:
    return Claimed(
        0, 1, None, None, 0, 0, 0, None, delayable=False, loop_lag=loop_lag, is_disturbed=is_disturbed
    )


def cell(
    wanted: int, *races: JudgedRace, claims: tuple[Claimed, ...] = (), gap_ms: float | None = 5
) -> Judged:
    late = LatenessSummary(100, 0, 10, 47_000, 108_000)
    return Judged(
        Cell("scripted", wanted, gap_ms), races, claims, (), 0, stalls=(Stall(0, 0, 9000),), links=(late,)
    )


def goal(series: list[Judged], figure: str) -> Goal:
    (found,) = [it for it in rows(series) if it.figure.startswith(figure)]
    return found


def test_a_goal_is_judged_on_the_undisturbed_races_and_both_figures_are_reported() -> None:
    found = goal([cell(3, *[race()] * 3, race(right=False, still=9000))], "right winner")

    assert (found.all_races, found.undisturbed) == ("75.00 % (3 of 4)", "100.00 % (3 of 3)")
    assert found.verdict == "met"


def test_a_wrong_verdict_without_a_stall_counts_as_wrong() -> None:
    found = goal([cell(3, race(), race(), race(right=False), race(still=9000))], "right winner")

    assert (found.undisturbed, found.verdict) == ("66.67 % (2 of 3)", "missed")


def test_a_disturbed_race_that_was_decided_rightly_is_left_out_as_well() -> None:
    found = goal([cell(1, race(right=False), *[race(still=9000)] * 300)], "right winner")

    assert (found.undisturbed, found.verdict) == ("0.00 % (0 of 1)", "missed")


def test_with_too_few_undisturbed_races_a_goal_is_not_met_however_good_they_were() -> None:
    found = goal([cell(3, race(), race(), race(still=9000))], "right winner")

    assert (found.verdict, found.is_met) == ("too few", False)


def test_the_wait_of_a_disturbed_race_is_reported_and_does_not_count() -> None:
    found = goal([cell(2, race(), race(), race(wait=900_000, still=9000), gap_ms=None)], "first claim")

    assert (found.all_races, found.undisturbed) == ("250/900 ms", "250/250 ms (2 races)")
    assert found.verdict == "met"


def test_the_lag_is_that_of_claims_in_undisturbed_races() -> None:
    claims = (claim(900), claim(47_000, is_disturbed=True))
    found = goal([cell(1, race(), race(still=47_000), claims=claims)], "event-loop lag")

    assert (found.all_races, found.undisturbed) == ("47.00 ms", "0.90 ms (1 claims)")
    assert found.verdict == "met"
    assert goal([cell(1, race(), claims=(claim(2100),))], "event-loop lag").verdict == "missed"
    assert goal([cell(1, race())], "event-loop lag").verdict == "missed", "no claim proves nothing"


def test_a_record_that_does_not_recompute_counts_as_unsound_even_during_a_stall() -> None:
    unsound = msgspec.structs.replace(race(still=9000), sound=False)

    assert goal([cell(1, race(), unsound)], "verdicts recomputed").verdict == "missed"
    assert goal([cell(1, race(), race(still=9000))], "verdicts recomputed").verdict == "met"


def test_the_lateness_of_the_links_is_reported_and_is_not_a_goal() -> None:
    found = goal([cell(1, race())], "the links' own lateness")

    assert (found.all_races, found.is_met) == ("47.00 ms", None)


def test_without_a_stall_monitor_every_race_counts_and_the_report_says_so() -> None:
    unwatched = msgspec.structs.replace(cell(2, race(), race(right=False)), stalls=None)
    found = goal([unwatched], "right winner")

    assert (found.all_races, found.undisturbed, found.verdict) == ("50.00 % (1 of 2)", "not known", "missed")


def test_a_further_round_of_a_cell_adds_to_the_first() -> None:
    first, second = (
        cell(2, race(), race(still=9000), claims=(claim(900),)),
        cell(1, race(), claims=(claim(800),)),
    )
    both = first.plus(second)

    assert (both.cell, both.rounds, len(both.races), len(both.claims)) == (first.cell, 2, 3, 2)
    assert (len(both.stalls or ()), len(both.links)) == (2, 2)
    assert (first.is_enough, both.is_enough) == (False, True)


@pytest.mark.parametrize("width", [80, 100])
def test_the_table_can_be_read_in_a_narrow_terminal(width: int) -> None:
    said = io.StringIO()
    series = [cell(300, *[race()] * 300, *[race(still=9000)] * 300, gap_ms=None, claims=(claim(900),) * 3000)]
    print_goals(rows(series), series, Console(file=said, width=width))
    lines = said.getvalue().splitlines()

    assert max(map(len, lines)) <= width
    assert "…" not in said.getvalue()
    assert any("100.00 %" in line and "met" in line for line in lines)
    assert any("(300 of 300)" in line and "(600 of 600)" in line for line in lines)


def test_the_file_has_the_criterion_and_each_figure_for_all_and_for_undisturbed_races() -> None:
    series = [cell(1, race(), race(right=False, still=9000))]
    facts = as_json(series, rows(series), Setting(), is_tunnelled=True, is_realtime=True)
    (written,) = msgspec.json.decode(msgspec.json.encode(facts))["cells"]

    assert facts["criterion"] == {"stall_us": 2000, "margin_us": 20_000, "most_times": 4}
    assert (written["races"], written["undisturbed"]["races"]) == (2, 1)
    assert (written["right"]["5"], written["undisturbed"]["right"]["5"]) == ([1, 2], [1, 1])
    assert (written["machine"]["stalls"], written["machine"]["longest_ms"]) == (1, 9.0)
    assert [it["is_met"] for it in facts["goals"]] == [it.is_met for it in rows(series)]


def test_a_list_of_stalls_returns_each_one_once_and_a_full_list_extends_the_last_stall() -> None:
    book, milli = StallLog(1, pages=2), 1_000_000
    for due in (10, 20, 30):
        book.note(due * milli, (due + 5) * milli)
    half = HALF_A_NAP // 1000

    assert book.read() == (Stall(1, 10_000 - half, 15_000), Stall(1, 20_000 - half, 35_000))
    assert book.read() == ()


def test_the_kernel_reports_the_time_stolen_by_the_host() -> None:
    assert stolen("cpu  1 2 3 4 5 6 7 157 0 0\ncpu0 1 2 3 4 5 6 7 99 0 0\n") == 157
    assert stolen("cpu  1 2 3 4\n") == 0
    assert stolen("") == 0


@pytest.fixture
def monitor() -> Iterator[subprocess.Popen[bytes]]:
    """On the first core we may use. Without root it has no real-time priority, but it works in the same way."""
    core = min(os.sched_getaffinity(0))
    program = [sys.executable, "-m", "photofinish.lab.net.stall_monitor", str(core)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process


def until(moment: int) -> None:
    while time.perf_counter_ns() < moment:
        pass


def asked(monitor: subprocess.Popen[bytes]) -> Stalls:
    assert monitor.stdin is not None
    assert monitor.stdout is not None
    monitor.stdin.write(b"null\n")
    monitor.stdin.flush()
    return msgspec.json.decode(monitor.stdout.readline(), type=Stalls)


def test_a_monitor_that_is_stopped_for_50_ms_reports_it_in_the_time_of_the_races(
    monitor: subprocess.Popen[bytes],
) -> None:
    assert monitor.stdout is not None
    placed = msgspec.json.decode(monitor.stdout.readline(), type=MonitorStarted)
    until(time.perf_counter_ns() + 200_000_000)
    asked(monitor)
    monitor.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, monitor.pid, os.WSTOPPED)
    stopped = time.perf_counter_ns() // 1000
    until((stopped + 50_000) * 1000)
    goes_on = time.perf_counter_ns() // 1000
    monitor.send_signal(signal.SIGCONT)
    until(time.perf_counter_ns() + 200_000_000)
    answer = asked(monitor)
    held_up = [it for it in answer.stalls if it.began < goes_on and it.ended > stopped]

    assert len(held_up) == 1
    assert held_up[0].core == placed.core
    assert held_up[0].began <= stopped + 2 * HALF_A_NAP // 1000
    assert held_up[0].ended >= goes_on
    assert held_up[0].ended - held_up[0].began >= 50_000 - HALF_A_NAP // 1000
    assert answer.cpu_s > 0


def test_a_monitor_ends_when_its_input_is_closed(monitor: subprocess.Popen[bytes]) -> None:
    assert monitor.stdin is not None
    monitor.stdin.close()

    assert monitor.wait(timeout=20) == 0


def test_the_process_that_keeps_a_core_awake_has_idle_priority_and_ends_when_its_input_is_closed() -> None:
    core = min(os.sched_getaffinity(0))
    command = [sys.executable, "-m", "photofinish.lab.net.keep_awake", str(core)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as wakeful:
        assert wakeful.stdin is not None
        while os.sched_getscheduler(wakeful.pid) != os.SCHED_IDLE:
            assert wakeful.poll() is None
        assert os.sched_getaffinity(wakeful.pid) == {core}
        wakeful.stdin.close()
        assert wakeful.wait(30) == 0

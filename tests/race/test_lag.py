"""The server's estimate of a player's network delay."""

from collections.abc import Sequence

from photofinish.engine import Micros
from photofinish.race import Lag, Params, Path
from tests.race.bench import ms

SECOND = 1_000.0


def test_a_player_without_pings_has_no_path() -> None:
    path = Lag().path(ms(0))

    assert (path.kmin, path.amin, path.slow) == (None, None, None)


def test_the_least_ping_of_five_minutes_counts() -> None:
    lag = Lag()
    lag.ponged(ms(40), ms(0))
    lag.ponged(ms(55), ms(10 * SECOND))
    lag.ponged(ms(50), ms(20 * SECOND))

    assert lag.path(ms(300 * SECOND)).amin == ms(40)
    assert lag.path(ms(301 * SECOND)).amin == ms(50)


def test_a_line_without_new_pings_keeps_its_last_value() -> None:
    lag = Lag()
    lag.ponged(ms(40), ms(0))

    assert lag.path(ms(900 * SECOND)).amin == ms(40)


def test_one_spike_in_sixteen_pings_does_not_make_a_player_slow_but_two_do() -> None:
    lag = Lag()
    for number in range(15):
        lag.ponged(ms(40), ms(number * SECOND))
    lag.ponged(ms(240), ms(15 * SECOND))
    assert lag.path(ms(16 * SECOND)).slow == ms(40)
    lag.ponged(ms(240), ms(16 * SECOND))

    assert lag.path(ms(17 * SECOND)).slow == ms(240)


def test_late_pongs_do_not_change_the_round_trip_of_the_kernel() -> None:
    lag = Lag()
    lag.kernel(ms(20), ms(0))
    lag.ponged(ms(170), ms(0))

    assert lag.path(ms(1)).base(ms(350)) == ms(20)


def test_a_round_trip_that_the_kernel_does_not_know_is_ignored() -> None:
    lag = Lag()
    lag.kernel(ms(0), ms(0))
    lag.kernel(type(ms(0))(0xFFFF_FFFF), ms(0))

    assert lag.path(ms(1)).kmin is None


def test_the_ping_after_a_trigger_measures_the_delay_of_this_race() -> None:
    lag = Lag()
    lag.ponged(ms(40), ms(0))
    lag.triggered()
    assert lag.path(ms(1)).slow == ms(40)
    lag.echoed(ms(75))

    assert lag.path(ms(2)).slow == ms(75)
    assert lag.path(ms(2)).amin == ms(40)


def test_the_ping_of_a_race_is_not_used_for_the_next_race() -> None:
    lag = Lag()
    lag.ponged(ms(40), ms(0))
    lag.echoed(ms(75))
    lag.triggered()

    assert lag.path(ms(3)).slow == ms(40)


def test_an_ACK_between_two_readings_counts_at_their_middle_for_the_usual_jitter() -> None:
    assert usual_after([(80, 82)] * 4) == ms(81)


def test_an_ACK_that_is_there_at_the_first_reading_is_not_a_round_trip_of_zero() -> None:
    never_late = (None, 80)

    assert usual_after([(80, 82)] * 15 + [never_late]) == (13 * ms(81) + ms(80)) // 14


def usual_after(acks: Sequence[tuple[float | None, float]]) -> Micros | None:
    """After triggers with these looks: the last without the ACK, if there was one, and the first with it."""
    lag = Lag()
    lag.kernel(ms(80), ms(0))
    for last, first in acks:
        lag.triggered(has_proof=True)
        if last is not None:
            lag.unacked(ms(last))
        lag.acked(ms(first))
    return lag.path(ms(1)).usual


def test_a_line_that_is_slow_in_this_race_is_waited_for_longer_up_to_a_limit() -> None:
    params = Params()

    def spare(echo: float) -> float:
        path = Path(ms(40), ms(40), ms(echo))
        return (path.patience(params) - params.eps - path.base(params.cap)) / 1000

    assert [spare(40), spare(50), spare(70), spare(400)] == [43, 48, 68, 90]

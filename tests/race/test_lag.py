"""What we believe of a player's network."""

from photofinish.race import Lag, Params, Path
from tests.race.bench import ms

SECOND = 1_000.0


def test_a_player_nobody_pinged_has_no_path() -> None:
    path = Lag().path(ms(0))

    assert (path.kmin, path.amin, path.slow) == (None, None, None)


def test_the_least_ping_of_five_minutes_counts() -> None:
    lag = Lag()
    lag.ponged(ms(40), ms(0))
    lag.ponged(ms(55), ms(10 * SECOND))
    lag.ponged(ms(50), ms(20 * SECOND))

    assert lag.path(ms(300 * SECOND)).amin == ms(40)
    assert lag.path(ms(301 * SECOND)).amin == ms(50)


def test_a_silent_line_keeps_its_newest_figure() -> None:
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


def test_answering_pings_late_does_not_move_the_kernels_figure() -> None:
    lag = Lag()
    lag.kernel(ms(20), ms(0))
    lag.ponged(ms(170), ms(0))

    assert lag.path(ms(1)).base(ms(350)) == ms(20)


def test_a_kernel_that_knows_nothing_is_not_believed() -> None:
    lag = Lag()
    lag.kernel(ms(0), ms(0))
    lag.kernel(type(ms(0))(0xFFFF_FFFF), ms(0))

    assert lag.path(ms(1)).kmin is None


def test_the_ping_behind_a_trigger_says_how_slow_the_way_is_in_this_race() -> None:
    lag = Lag()
    lag.ponged(ms(40), ms(0))
    lag.triggered()
    assert lag.path(ms(1)).slow == ms(40)
    lag.echoed(ms(75))

    assert lag.path(ms(2)).slow == ms(75)
    assert lag.path(ms(2)).amin == ms(40)


def test_the_last_races_ping_says_nothing_of_the_next_race() -> None:
    lag = Lag()
    lag.ponged(ms(40), ms(0))
    lag.echoed(ms(75))
    lag.triggered()

    assert lag.path(ms(3)).slow == ms(40)


def test_a_way_that_is_slow_in_this_race_is_waited_for_longer_but_not_for_ever() -> None:
    params = Params()

    def spare(echo: float) -> float:
        path = Path(ms(40), ms(40), ms(echo))
        return (path.patience(params) - params.eps - path.base(params.cap)) / 1000

    assert [spare(40), spare(50), spare(70), spare(400)] == [43, 48, 68, 90]

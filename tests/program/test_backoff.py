"""The pauses between attempts."""

from photofinish.backoff import Backoff


def test_each_pause_is_twice_the_one_before_up_to_the_longest() -> None:
    backoff = Backoff(0.1, 0.5)

    assert [backoff.pause() for _ in range(5)] == [0.1, 0.2, 0.4, 0.5, 0.5]


def test_after_a_success_the_pauses_begin_again() -> None:
    backoff = Backoff(0.1, 0.5)
    backoff.pause()
    backoff.pause()

    backoff.reset()

    assert backoff.pause() == 0.1

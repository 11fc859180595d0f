"""§1: rights of officials, sealing, and what the log allows."""

import pytest

from photofinish.tournament.export.report import report
from photofinish.tournament.log import entries as log
from photofinish.tournament.people import disputes, officials, players
from photofinish.tournament.reports import rows
from photofinish.tournament.scores.scoring import lines_of
from photofinish.tournament.state.fold import after
from photofinish.tournament.state.illegal import Illegal
from tests.tournament.course import HOST, SECOND, Course, key_of, toml
from tests.tournament.stages import REFEREE, STRANGER, decided, opened, player, playing, refused


def test_T8_a_rebind_once_per_round_keeps_the_results_and_disables_the_old_key() -> None:
    course = decided(2, "rounds = 2")
    old, new = course.state.numbers[1], key_of(4242)
    points = lines_of(course.state)[1][0].points
    refused("key_taken", lambda: officials.rebind(course.state, HOST, old, course.state.numbers[2], "lost"))
    course.add(officials.rebind(course.state, HOST, old, new, "lost phone"))
    assert course.state.numbers[1] == new
    assert old not in course.state.entrants
    assert lines_of(course.state)[1][0].points == points
    refused("wrong_state", lambda: officials.rebind(course.state, HOST, new, key_of(4243), "lost again"))
    refused("not_entered", lambda: players.check_in(course.state, old))


def test_each_role_has_exactly_the_rights_of_section_1() -> None:
    course = playing(4)
    for made in (
        lambda: officials.cancel(course.state, STRANGER, "x"),
        lambda: officials.remove(course.state, STRANGER, player(1), "x"),
        lambda: officials.appoint(course.state, STRANGER, "referee", [STRANGER]),
        lambda: officials.open_hands(course.state, STRANGER, REFEREE, 1, "x"),
    ):
        refused("not_organiser", made)
    for made in (
        lambda: officials.pause(course.state, STRANGER, "x"),
        lambda: officials.extend(course.state, STRANGER, 1, 60),
        lambda: disputes.forfeit(course.state, STRANGER, 1, 1, 1, "x"),
    ):
        refused("not_referee", made)
    course.add(officials.appoint(course.state, HOST, "referee", [REFEREE]))
    course.add(officials.pause(course.state, REFEREE, "fire alarm"))
    refused("not_allowed", lambda: officials.open_hands(course.state, HOST, REFEREE, 1, "x"))
    refused("bad_message", lambda: officials.appoint(course.state, HOST, "organiser", [HOST], away=True))
    nine = [key_of(number) for number in range(60, 69)]
    refused("bad_message", lambda: officials.appoint(course.state, HOST, "organiser", nine))


def test_extend_moves_the_no_show_clock_of_one_table() -> None:
    course = opened(4).start()
    course.absent = {1, 2, 3, 4}
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    refused("bad_message", lambda: officials.extend(course.state, HOST, 1, 901))
    before = [table.games[0].no_show_at for table in course.state.rounds[0].tables]
    course.add(officials.extend(course.state, HOST, 1, 60))
    now = [table.games[0].no_show_at for table in course.state.rounds[0].tables]
    assert [b - a for a, b in zip(before, now, strict=True)] == [60 * SECOND, 0]
    for table in (0, 3):
        refused("wrong_state", lambda table=table: officials.extend(course.state, HOST, table, 60))


def test_T3_an_official_cannot_extend_the_time_of_the_own_table() -> None:
    course = opened(4, "officials_play = true").start()
    course.absent = {1, 2, 3, 4}
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    own, other = (table.seats[0] for table in course.state.rounds[0].tables)
    course.add(officials.appoint(course.state, HOST, "referee", [course.state.numbers[own]]))
    refused("own_table", lambda: officials.extend(course.state, course.state.numbers[own], 1, 60))
    course.add(officials.extend(course.state, course.state.numbers[own], 2, 60))
    refused("not_referee", lambda: officials.extend(course.state, course.state.numbers[other], 1, 60))


def test_T3_T8_an_entrant_is_rebound_to_an_officials_key_only_if_officials_play() -> None:
    course = decided(2, "rounds = 1")
    course.add(officials.appoint(course.state, HOST, "referee", [REFEREE]))
    own = course.state.numbers[1]
    for official in (HOST, REFEREE):
        refused("not_allowed", lambda key=official: officials.rebind(course.state, HOST, own, key, "lost"))
    assert course.state.numbers[1] == own
    course = decided(2, "rounds = 1", "officials_play = true")
    course.add(officials.appoint(course.state, HOST, "referee", [REFEREE]))
    course.add(officials.rebind(course.state, HOST, course.state.numbers[1], REFEREE, "lost"))
    assert course.state.numbers[1] == REFEREE
    refused("own_table", lambda: disputes.correct(course.state, REFEREE, 1, 1, 1, (1, 1), "now mine"))


def test_sealing_needs_time_and_a_signature_or_24_hours() -> None:
    course = opened(2).start().run()
    head = course.head.hex()

    def seal(at: int, ok: bool):
        return lambda: officials.seal(course.state, HOST, at, head, "sig", lambda *_: ok)

    refused("wrong_state", seal(course.now + 60 * SECOND, True))
    refused("bad_signature", seal(course.now + 121 * SECOND, False))
    course.step(24 * 3600 - 10)
    assert course.state.status == "finished"
    course.step(20)
    assert course.state.status == "sealed"
    (sealed,) = course.of(log.Sealed)
    assert isinstance(sealed, log.Sealed)
    assert sealed.head == head
    refused("wrong_state", seal(course.now, True))


def test_I15_times_in_the_log_do_not_go_back_when_the_clock_is_set_back() -> None:
    course = opened(2)
    course.now -= 3600 * SECOND
    course.add(players.withdraw(course.state, player(1)))
    times = [it.at for it in course.entries]
    assert times == sorted(times)


def test_an_entry_that_section_3_does_not_allow_is_illegal() -> None:
    course = opened(2)
    for entry in (
        log.EventResumed(),
        log.Sealed(head=""),
        log.EventOpened(commitment="x"),
        log.Finished(secret=""),
        log.RoundClosed(round=1, standings=()),
        log.Paired(round=1, key="", tables=()),
        log.Withdrew(key=STRANGER),
        log.Entered(key=player(1), name="again"),
        log.Rebound(old=STRANGER, new=HOST, reason="x"),
    ):
        with pytest.raises(Illegal):
            after(course.state, entry)


def test_T4_hands_of_a_duplicate_deal_are_sealed_and_no_referee_sees_its_own_table() -> None:
    course = Course(toml("cambio", "slapoff", 'hands = "logged"', "rounds = 1")).open(8).start()
    course.add(officials.appoint(course.state, HOST, "referee", [REFEREE]))
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    refused("sealed", lambda: officials.open_hands(course.state, HOST, REFEREE, 1, "x"))
    course = playing(4, 'hands = "logged"', "officials_play = true")
    own = course.state.rounds[0].tables[0].seats[0]
    course.add(officials.appoint(course.state, HOST, "referee", [course.state.numbers[own]]))
    refused("own_table", lambda: officials.open_hands(course.state, HOST, course.state.numbers[own], 1, "x"))
    refused("not_referee", lambda: officials.open_hands(course.state, HOST, STRANGER, 1, "x"))
    refused("bad_message", lambda: officials.open_hands(course.state, HOST, course.state.numbers[own], 1, ""))
    course.add(officials.open_hands(course.state, HOST, course.state.numbers[own], 2, "a card was shown"))
    (opened_,) = course.of(log.HandsOpened)
    assert (opened_.table, opened_.reason) == (2, "a card was shown")
    assert course.state.opened == (((1, 2), course.state.numbers[own]),)


def test_T3_T10_every_page_says_whether_officials_play_and_by_which_rules() -> None:
    for more, plays in (((), False), (("officials_play = true",), True)):
        state = opened(2, *more).state
        row = rows.info(state)
        assert row["officials_play"] is plays
        assert row["rules_hash"] == state.rules_hash
        page = report(state, "00")
        assert state.rules_hash.encode() in page
        assert (b"Officials may play in this event" in page) is plays
        assert (b"Officials do not play in this event" in page) is not plays

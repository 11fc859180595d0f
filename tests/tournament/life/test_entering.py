"""§1, §3: who may enter, the start of an event, and what may still be edited."""

import hashlib
import hmac

import msgspec
import pytest

from photofinish.tournament.course.chance import RandomWords, deal_seed, nonce_hash
from photofinish.tournament.event_file import Listed
from photofinish.tournament.event_file.canon import code_hash
from photofinish.tournament.log import entries as log
from photofinish.tournament.people import disputes, officials, players
from photofinish.tournament.state.model import State
from tests.tournament.course import HOST, SECRET, Course, key_of, toml
from tests.tournament.stages import REFEREE, STRANGER, opened, player, playing, refused


def test_T9_I1_entering_twice_under_another_name_is_refused_and_changes_nothing() -> None:
    course = opened(2)
    before = course.state
    refused("already_entered", lambda: players.enter(course.state, player(1), "other", course.now))
    assert course.state == before


@pytest.mark.parametrize("name", ["player 1", "PLAYER 1", "p l a y e r 1", "Player-1", "ｐｌａｙｅｒ１"])
def test_T7_I2_a_name_that_looks_like_another_is_refused_as_taken(name: str) -> None:
    course = opened(1)
    refused("name_taken", lambda: players.enter(course.state, STRANGER, name, course.now))


def test_T7_I2_a_name_on_the_list_is_bound_to_its_key() -> None:
    listed = (
        f'[registration]\nmode = "list"\nnames = [{{name = "Ada", key = "{key_of(9)}"}}, {{name = "Bo"}}]'
    )
    course = Course(toml("cambio", "swiss", tail=listed)).open(0)
    refused("name_bound", lambda: players.enter(course.state, STRANGER, "ada", course.now))
    refused("not_listed", lambda: players.enter(course.state, STRANGER, "Cy", course.now))
    course.add(players.enter(course.state, key_of(9), "Ada", course.now))
    course.add(players.enter(course.state, STRANGER, "Bo", course.now))
    course.add(officials.admit(course.state, HOST, [Listed("Cy", key_of(8))]))
    refused("name_taken", lambda: officials.admit(course.state, HOST, [Listed("C.Y.")]))
    refused("key_taken", lambda: officials.admit(course.state, HOST, [Listed("Di", key_of(8))]))
    course.add(players.enter(course.state, key_of(8), "Cy", course.now))
    assert len(course.state.entrants) == 3


def test_entering_needs_the_entry_code() -> None:
    course = Course(toml("cambio", "swiss", tail='[registration]\nmode = "code"\ncode = "swordfish"'))
    course.add(officials.open_event(course.state, HOST, SECRET))
    refused("bad_code", lambda: players.enter(course.state, STRANGER, "Ada", course.now))
    refused(
        "bad_code",
        lambda: players.enter(course.state, STRANGER, "Ada", course.now, code_hash=code_hash("sword")),
    )
    course.add(players.enter(course.state, STRANGER, "Ada", course.now, code_hash=code_hash("swordfish")))


def test_a_full_or_closed_event_accepts_no_entrant() -> None:
    course = opened(2, "max_entrants = 2")
    refused("event_full", lambda: players.enter(course.state, STRANGER, "Ada", course.now))
    course.start()
    refused("registration_closed", lambda: players.enter(course.state, STRANGER, "Ada", course.now))
    draft = Course(toml())
    refused("registration_closed", lambda: players.enter(draft.state, STRANGER, "Ada", draft.now))


def test_T3_officials_play_only_if_the_file_says_so() -> None:
    course = opened(2)
    text = refused("not_allowed", lambda: players.enter(course.state, HOST, "Host", course.now))
    assert "Enter with another key" in text
    course = opened(2, "officials_play = true")
    course.add(players.enter(course.state, HOST, "Host", course.now))
    assert HOST in course.state.entrants


def test_T41_the_nonce_must_be_the_one_committed_to() -> None:
    course = opened(1)
    key, nonce = key_of(50), b"my own chance"
    course.add(players.enter(course.state, key, "Ada", course.now, nonce=nonce_hash(nonce)))
    refused("bad_nonce", lambda: players.check_in(course.state, key, b"another"))
    course.add(players.check_in(course.state, key, nonce))
    course.add(players.check_in(course.state, key, nonce))
    assert course.state.entrants[key].nonce == nonce.hex()
    assert len(course.of(log.CheckedIn)) == 2, "twice changes nothing"
    course.start()
    (drawn,) = course.of(log.Drawn)
    assert isinstance(drawn, log.Drawn)
    assert drawn.withheld == ()


def test_T41_a_withheld_nonce_is_named_and_changes_the_chance() -> None:
    def start(*, reveal: bool) -> log.Drawn:
        course = opened(2)
        key = key_of(50)
        course.add(players.enter(course.state, key, "Ada", course.now, nonce=nonce_hash(b"n")))
        course.add(players.check_in(course.state, key, b"n" if reveal else None))
        course.start()
        (drawn,) = course.of(log.Drawn)
        assert isinstance(drawn, log.Drawn)
        return drawn

    with_it, without = start(reveal=True), start(reveal=False)
    assert without.withheld == (key_of(50),)
    assert with_it.mixed != without.mixed
    assert with_it.key != without.key


def test_T42_deals_differ_by_round_deal_and_attempt() -> None:
    seeds = {deal_seed(SECRET, bytes(32), r, h, a) for r in (1, 2) for h in (1, 2) for a in (1, 2)}
    assert len(seeds) == 8


def test_T26_I9_too_few_entrants_at_the_start_cancel_the_event() -> None:
    course = Course(toml("cambio", "swiss", clock='starts = "1970-01-13T00:00:00Z"'))
    course.add(officials.open_event(course.state, HOST, SECRET))
    course.add(players.enter(course.state, STRANGER, "Ada", course.now))
    refused("too_few", lambda: officials.start_event(course.state, HOST, SECRET))
    course.run()
    assert course.state.status == "cancelled"
    assert "too few" in course.state.reason


def test_check_in_opens_by_the_clock_and_entrants_who_do_not_check_in_are_out() -> None:
    text = toml("cambio", "swiss", clock='starts = "1970-01-12T14:00:00Z"').replace(
        "check_in_minutes = 0", "check_in_minutes = 10"
    )
    course = Course(text).open(4, check_in=False)
    course.run(until=lambda state: state.status == "check_in")
    for number in (1, 2, 3):
        course.add(players.check_in(course.state, player(number)))
    course.run(until=lambda state: state.status == "running")
    assert len(course.state.numbers) == 3
    assert course.state.entrants[player(4)].number == 0


def test_T27_entrants_are_numbered_by_rating_by_list_or_by_lot() -> None:
    by_rating = opened(5).start().state
    assert [by_rating.entrants[player(number)].number for number in range(1, 6)] == [1, 2, 3, 4, 5]
    by_lot = opened(9, 'seeding = "lot"').start().state
    assert [by_lot.entrants[player(number)].number for number in range(1, 10)] != list(range(1, 10))


def test_T11_more_rounds_than_opponents_are_lowered_with_an_entry() -> None:
    course = opened(4, "rounds = 9").start()
    (drawn,) = course.of(log.Drawn)
    assert isinstance(drawn, log.Drawn)
    assert (drawn.rounds, drawn.lowered_from, course.state.planned) == (3, 9, 3)


def test_I11_a_start_during_another_start_is_refused_as_wrong_state() -> None:
    course = opened(2).start()
    refused("wrong_state", lambda: officials.start_event(course.state, HOST, SECRET))


def edited(course: Course, *more: str, **options: str):
    from photofinish.games import all_games
    from photofinish.tournament.event_file import read_event

    file = toml("cambio", "swiss", *more, **options).encode()
    return read_event(file, all_games()), file


def test_T13_an_open_event_keeps_its_entrants_for_a_title_and_goes_back_to_the_draft_for_more() -> None:
    course = opened(3)
    course.add(officials.edit(course.state, HOST, *edited(course, clock="break_seconds = 5")))
    rules, _ = edited(course)
    course.add(officials.edit(course.state, HOST, msgspec.structs.replace(rules, title="Other"), b""))
    assert (course.state.status, course.state.rules.title) == ("open", "Other")
    refused("pinned", lambda: officials.edit(course.state, HOST, *edited(course, "max_entrants = 2")))
    course.add(officials.edit(course.state, HOST, *edited(course, "rounds = 2")))
    assert course.state.status == "draft"
    assert not any(it.checked_in for it in course.state.entrants.values())
    assert len(course.state.entrants) == 3


def test_T14_I7_the_rules_of_a_running_event_cannot_change() -> None:
    course = playing(8, "rounds = 3")
    for more in ("seats = 4", 'tiebreaks = ["lot"]', "rounds = 4", "bye_points = 1"):
        refused("pinned", lambda more=more: officials.edit(course.state, HOST, *edited(course, more)))
    refused("not_organiser", lambda: officials.edit(course.state, STRANGER, *edited(course, "rounds = 2")))
    course.add(officials.edit(course.state, HOST, *edited(course, "rounds = 2", clock="break_seconds = 1")))
    course.run()
    assert len(course.state.rounds) == 2


def test_a_key_that_enters_and_withdraws_repeatedly_is_refused_the_sixth_time() -> None:
    course = opened(2)
    for _ in range(players.ENTRIES_PER_KEY):
        course.add(players.enter(course.state, STRANGER, "Ada", course.now))
        course.add(players.withdraw(course.state, STRANGER))
    entries = len(course.entries)
    refused("registration_closed", lambda: players.enter(course.state, STRANGER, "Ada", course.now))
    course.add(players.enter(course.state, key_of(78), "Ada", course.now))
    assert len(course.entries) == entries + 1, "another is not refused"


def test_many_keys_cannot_fill_the_log_and_more_places_take_more_entries() -> None:
    course = opened(2, "max_entrants = 3")
    most = players.ENTRIES_PER_PLACE * 3 + players.SPARE_ENTRIES
    for number in range(most - 2):
        course.add(players.enter(course.state, key_of(9000 + number), "Ada", course.now))
        course.add(players.withdraw(course.state, key_of(9000 + number)))
    refused("registration_closed", lambda: players.enter(course.state, STRANGER, "Ada", course.now))
    course.add(officials.edit(course.state, HOST, *edited(course, "max_entrants = 4")))
    course.add(players.enter(course.state, STRANGER, "Ada", course.now))
    assert STRANGER in course.state.entrants


def test_T34_a_rest_begins_and_ends_at_any_time_up_to_a_limit_of_changes() -> None:
    course = Course(toml("reflex", "arena")).open(2)
    for at in range(players.RESTS):
        assert players.rest(course.state, player(1), on=at % 2 == 1) == (), "twice changes nothing"
        course.add(players.rest(course.state, player(1), on=at % 2 == 0))
    refused("not_allowed", lambda: players.rest(course.state, player(1), on=True))
    course.add(players.rest(course.state, player(2), on=True))
    assert course.state.entrants[player(2)].resting
    refused("wrong_state", lambda: players.rest(opened(2).state, player(1), on=True))


def test_T3_T8_a_rebind_to_the_key_of_an_official_needs_officials_who_play() -> None:
    course = opened(2)
    course.add(officials.appoint(course.state, HOST, "referee", [REFEREE]))
    for official in (HOST, REFEREE):
        refused(
            "not_allowed", lambda key=official: officials.rebind(course.state, HOST, player(1), key, "lost")
        )
    refused("not_allowed", lambda: officials.appoint(course.state, HOST, "referee", [player(1)]))
    course = opened(2, "officials_play = true")
    course.add(officials.rebind(course.state, HOST, player(1), HOST, "lost"))
    assert HOST in course.state.entrants
    assert player(1) not in course.state.entrants
    refused("own_table", lambda: disputes.forfeit(started(course), HOST, 1, 1, 1, "x"))


def started(course: Course) -> State:
    course.start()
    course.run(until=lambda state: state.round is not None and state.round.status == "playing")
    return course.state


def test_T27_numbers_follow_the_list_and_equal_ratings_the_lot() -> None:
    rows = ", ".join(f'{{name = "player {at}", seed = {5 - at}}}' for at in range(1, 5))
    course = opened(4, 'seeding = "list"', tail=f"[registration]\nnames = [{rows}]").start()
    assert [course.state.entrants[player(at)].number for at in range(1, 5)] == [4, 3, 2, 1]
    course = opened(0)
    for at in range(1, 9):
        course.add(players.enter(course.state, player(at), f"player {at}", course.now))
    course.start()
    words = RandomWords(bytes.fromhex(course.state.lot_key))
    lot = {player(at): words.next() for at in range(1, 9)}
    assert [course.state.numbers[at] for at in range(1, 9)] == sorted(lot, key=lambda key: lot[key])


def test_T41_T42_the_seed_of_a_deal_is_the_one_computed_by_hand() -> None:
    course = Course(toml("cambio", "slapoff", "rounds = 1", tail="[slapoff]\ndeals = 1")).open(0)
    assert course.state.commitment == hashlib.sha256(SECRET).hexdigest()
    for at, nonce in ((3, b"c"), (1, b"a"), (2, None), (4, None)):
        hashed = nonce_hash(nonce) if nonce else ""
        course.add(players.enter(course.state, player(at), f"player {at}", course.now, nonce=hashed))
        course.add(players.check_in(course.state, player(at), nonce))
    course.start().run()
    nonces = (b"a", b"", b"c", b"")
    n = hashlib.sha256(b"".join(hashlib.sha256(it).digest() for it in nonces)).digest()
    assert course.state.mixed == n.hex()
    text = b"photofinish duplicate" + b"".join((1).to_bytes(4, "big") for _ in range(3)) + n
    seed = hmac.new(SECRET, text, "sha256").digest()
    (revealed,) = course.of(log.SeedRevealed)
    assert (revealed.round, revealed.deal, revealed.attempt, revealed.seed) == (1, 1, 1, seed.hex())
    called = course.of(log.TableCalled)
    assert {it.commitment for it in called} == {hashlib.sha256(seed).hexdigest()}


def test_T41_a_late_joiner_adds_nothing_to_the_chance() -> None:
    course = playing(4, "rounds = 3", "late_join_until = 3")
    before = course.state.mixed
    course.add(players.enter(course.state, STRANGER, "late", course.now, nonce=nonce_hash(b"mine")))
    assert course.state.entrants[STRANGER].nonce_hash == ""
    course.run()
    (over,) = course.of(log.Finished)
    assert course.state.mixed == before
    for it in course.of(log.Paired):
        text = b"photofinish pairing" + it.round.to_bytes(4, "big") + bytes.fromhex(before)
        assert it.key == hmac.new(bytes.fromhex(over.secret), text, "sha256").hexdigest()


def test_T7_a_name_of_the_list_goes_to_the_first_key_with_the_entry_code() -> None:
    listed = '[registration]\nmode = "list"\ncode = "swordfish"\nnames = [{name = "Bo"}]'
    course = Course(toml("cambio", "swiss", tail=listed)).open(0)
    good = code_hash("swordfish")
    refused("bad_code", lambda: players.enter(course.state, STRANGER, "Bo", course.now))
    course.add(players.enter(course.state, STRANGER, "Bo", course.now, code_hash=good))
    refused("name_taken", lambda: players.enter(course.state, key_of(78), "bo", course.now, code_hash=good))


def test_T13_names_may_change_while_open_and_the_way_of_registration_may_not() -> None:
    course = opened(2)
    names = '[registration]\nnames = [{name = "Ada"}]'
    course.add(officials.edit(course.state, HOST, *edited(course, tail=names)))
    assert course.state.status == "open"
    course.add(officials.edit(course.state, HOST, *edited(course, tail=names + '\nmode = "list"')))
    assert course.state.status == "draft"
    refused("wrong_state", lambda: players.check_in(course.state, player(1)))


def test_T14_a_running_event_refuses_an_earlier_late_join_fewer_rounds_a_new_start_and_a_new_title() -> None:
    course = playing(8, "rounds = 3", "late_join_until = 2")
    course.run(until=lambda state: len(state.rounds) == 2)
    starts = 'starts = "2030-01-01T00:00:00Z"'
    for more, clock in (
        (("rounds = 3", "late_join_until = 1"), ""),
        (("rounds = 1", "late_join_until = 2"), ""),
        (("rounds = 3", "late_join_until = 2"), starts),
        (("rounds = 3", "late_join_until = 2", "title = 'Other'"), ""),
    ):
        text = [it for it in more if "title" not in it]
        rules, file = edited(course, *text, clock=clock)
        if len(text) < len(more):
            rules = msgspec.structs.replace(rules, title="Other")
        refused("pinned", lambda made=(rules, file): officials.edit(course.state, HOST, *made))
    allowed = edited(course, "rounds = 3", "late_join_until = 3", clock="no_show_seconds = 90")
    course.add(officials.edit(course.state, HOST, *allowed))
    assert (course.state.rules.late_join_until, course.state.rules.clock.no_show_seconds) == (3, 90)

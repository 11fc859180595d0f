"""§2: the event file. Every fault at once, each with line, key, what was found, what is allowed, the nearest key."""

import json
import textwrap
from pathlib import Path

import pytest

from photofinish.games import all_games
from photofinish.tournament.event_file import BadEvent, EventRules, canonical, read_event, rules_hash
from photofinish.tournament.event_file.canon import code_hash, read_canonical
from photofinish.tournament.event_file.warnings import warnings

LEAST = 'title = "Friday"\ngame = "cambio"\nformat = "swiss"\n'


def event(more: str = "", top: str = LEAST) -> EventRules:
    return read_event((top + more).encode(), all_games())


def faults(text: str | bytes) -> BadEvent:
    with pytest.raises(BadEvent) as caught:
        read_event(text.encode() if isinstance(text, str) else text, all_games())
    return caught.value


def fault_keys(text: str | bytes) -> dict[str, int]:
    return {it.key: it.line for it in faults(text).faults}


def test_a_file_with_three_keys_is_an_event_and_the_others_have_defaults() -> None:
    rules = event()
    assert (rules.seats, rules.rounds, rules.best_of, rules.bye_points) == (2, None, (1,), 2 * 840)
    assert (rules.min_entrants, rules.max_entrants, rules.clock.dispute_seconds) == (2, 512, 120)
    assert rules.options["target_points"] == 50
    assert rules.tiebreaks == ("buchholz_cut1", "buchholz", "sonneborn", "head_to_head", "races", "lot")
    assert rules.is_rated


@pytest.mark.parametrize(
    ("form", "ties"),
    [
        ('"swiss"\nseats = 4', "opponents wins head_to_head races lot"),
        ('"roundrobin"', "sonneborn head_to_head wins races lot"),
        ('"slapoff"', "reaction races false_starts lot"),
        ('"arena"', "fewer_games head_to_head opponents races lot"),
    ],
)
def test_the_default_tie_breaks_of_each_format_are_those_of_section_6(form: str, ties: str) -> None:
    rules = event(top=f'title = "S"\ngame = "cambio"\nformat = {form}\n')
    assert rules.tiebreaks == tuple(ties.split())


def test_a_slap_off_has_four_seats_a_ping_bound_and_short_deals() -> None:
    rules = event(top='title = "S"\ngame = "cambio"\nformat = "slapoff"\n')
    assert (rules.seats, rules.room.max_ping_ms, rules.options["target_points"]) == (4, 250, 1)
    assert (rules.slapoff.deals, rules.slapoff.barrier) == (4, True)
    assert rules.bye_points == 840 * 6


def test_all_faults_come_at_once_with_line_and_nearest_key() -> None:
    error = faults(
        'title = ""\ngmae = "cambio"\nformat = "swis"\nrounds = "six"\nbest_of = [\n  3,\n  2,\n]\n'
        "[clock]\nstarts = 2026-01-01T10:00:00\nbrek_seconds = 5\n"
        '[registration]\nmode = "code"\n[[registration.names]]\nnme = "x"\n[nonsense]\na = 1\n'
    )
    found = {it.key: it for it in error.faults}
    assert {key: it.line for key, it in found.items()} == {
        "title": 1, "game": 1, "gmae": 2, "format": 3, "rounds": 4, "best_of": 5, "clock.starts": 10,
        "clock.brek_seconds": 11, "registration.code": 12, "registration.names.0.name": 14,
        "registration.names.0.nme": 15, "nonsense": 16,
    }  # fmt: skip
    assert found["gmae"].nearest == "game"
    assert found["clock.brek_seconds"].nearest == "break_seconds"
    assert found["rounds"].found == '"six"'
    assert found["rounds"].allowed == "a whole number from 1 to 30"
    assert "offset" in found["clock.starts"].allowed
    assert 'line 2: gmae: found "cambio"' in str(error)


def test_a_key_at_the_top_that_belongs_in_a_table_is_reported_with_that_table() -> None:
    (only,) = faults(LEAST + "deals = 3\n").faults
    assert (only.line, only.nearest) == (4, "slapoff.deals")


def test_lines_are_right_behind_multi_line_strings_and_lists() -> None:
    text = 'title = """\n[clock]\nstarts = 1\n"""\ngame = "cambio" # ]\nformat = "swiss"\n'
    text += "points = [\n [2, 0], # [\n]\nsets = 4\n"
    assert fault_keys(text) == {"title": 1, "sets": 10}


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("seats = 9", "seats"),
        ("seats = true", "seats"),
        ("rounds = 0", "rounds"),
        ("rounds = 31", "rounds"),
        ("rounds = 5.0", "rounds"),
        ("best_of = 2", "best_of"),
        ("best_of = [3, 1]", "best_of"),
        ("teams = 2", "teams"),
        ("min_entrants = 1", "min_entrants"),
        ("max_entrants = 513", "max_entrants"),
        ("min_entrants = 9\nmax_entrants = 8", "min_entrants"),
        ("points = [[1, 2]]", "points"),
        ("points = [[2, 0.25]]", "points"),
        ("points = [2, 0]", "points"),
        ("points = [[2, 0], [3, 1]]", "points"),
        ("bye_points = 3", "bye_points"),
        ("bye_points = -1", "bye_points"),
        ('tiebreaks = ["buchholz", "buchholz"]', "tiebreaks"),
        ('tiebreaks = ["luck"]', "tiebreaks"),
        ('tiebreaks = ["lot", "buchholz"]', "tiebreaks"),
        ("cut = 3", "cut"),
        ("third_place = true", "third_place"),
        ('fill = "people"', "fill"),
        ("[room]\nspectator_delay = 601", "room.spectator_delay"),
        ("[races]\ngain = 1", "races.gain"),
        ("[races]\neps = -1", "races.eps"),
        ("[clock]\nno_show_seconds = 14", "clock.no_show_seconds"),
        ("[clock]\ndispute_seconds = 29", "clock.dispute_seconds"),
        ('[registration]\nmode = "code"\ncode = "abc"', "registration.code"),
        ('[registration]\nnames = [{name = "Ada"}, {name = "a.d.a"}]', "registration.names"),
        ('[registration]\nnames = [{name = "Ada", key = "FF"}]', "registration.names.0.key"),
        (
            '[registration]\nopens = "2026-01-01T00:00:00Z"\ncloses = "2025-01-01T00:00:00Z"',
            "registration.closes",
        ),
        ("[options]\ntarget_points = 0", "options.target_points"),
        ("[options]\ntarget = 5", "options.target"),
        ("[slapoff]\ndeals = 17", "slapoff.deals"),
        ("[league]\ncounted = 2\npoints = [1, 2]", "league.points"),
        ("clock = 5", "clock"),
    ],
)
def test_a_value_outside_its_limits_is_one_fault_at_its_key(line: str, key: str) -> None:
    assert key in fault_keys(f"{LEAST}{line}\n")


@pytest.mark.parametrize(
    ("game", "more", "key"),
    [
        ("hameln_cave", 'format = "arena"', "format"),
        ("hameln_cave", 'format = "single"', "format"),
        ("jamaica", 'format = "slapoff"', "game"),
        ("cambio", 'format = "double"\ncut = 4', "cut"),
        ("cambio", 'format = "single"\nseats = 4', "seats"),
        ("hameln_cave", 'format = "swiss"\nseats = 3', "seats"),
        ("alaska", 'format = "swiss"\nseats = 5', "seats"),
        ("cambio", 'format = "single"\nrounds = 4', "rounds"),
        ("cambio", 'format = "swiss"\nseats = 4\nbest_of = 3', "best_of"),
        ("cambio", 'format = "swiss"\nseats = 4\ncut = 8', "cut"),
        ("chess", 'format = "swiss"', "game"),
        ("jamaica", 'format = "swiss"\n[races]\ng = 1', "races"),
    ],
)
def test_T11_combinations_that_make_no_event_are_refused(game: str, more: str, key: str) -> None:
    assert key in fault_keys(f'title = "x"\ngame = "{game}"\n{more}\n')


@pytest.mark.parametrize("kind", ["single", "double", "arena"])
def test_T11_hameln_cave_is_played_in_pairs_and_not_against_each_other(kind: str) -> None:
    assert "format" in fault_keys(f'title = "x"\ngame = "hameln_cave"\nformat = "{kind}"\n')


def test_T11_a_slap_off_needs_a_game_with_races() -> None:
    races = {"cambio", "kodiak", "alaska", "reflex"}
    for game in races:
        assert event(top=f'title = "x"\ngame = "{game}"\nformat = "slapoff"\n').game == game
    for game in all_games().keys() - races:
        assert "game" in fault_keys(f'title = "x"\ngame = "{game}"\nformat = "slapoff"\n'), game


def test_T11_a_cut_and_a_list_of_lengths_are_allowed_where_they_mean_something() -> None:
    assert event("cut = 8\n").cut == 8
    assert event("seats = 4\ncut = 4\n").cut == 4
    assert event(top='title = "x"\ngame = "cambio"\nformat = "single"\nbest_of = [5, 3, 1]\n').best_of == (
        5,
        3,
        1,
    )
    assert event(top='title = "x"\ngame = "hameln_cave"\nformat = "swiss"\nteams = 2\n').teams == 2


def test_T10_the_hash_depends_on_the_values_and_not_on_the_layout_of_the_file() -> None:
    plain = event("rounds = 5\n[clock]\nbreak_seconds = 60\nstarts = 2026-11-20T19:00:00+01:00\n")
    other = read_event(
        b"# a comment\r\n[clock]\r\nstarts = '2026-11-20T18:00:00Z'\r\n[registration]\r\nmode = 'open'\r\n"
        .replace(b"# a comment\r\n", LEAST.encode() + b"rounds = 5\r\n"),
        all_games(),
    )  # fmt: skip
    assert canonical(plain) == canonical(other)
    assert rules_hash(plain) == rules_hash(other) != rules_hash(event("rounds = 6\n"))
    assert read_canonical(canonical(plain)) == plain
    keys = list(json.loads(canonical(plain)))
    assert keys == sorted(keys)


def test_T10_half_points_are_kept_in_840ths() -> None:
    rules = event("points = [[3, 0.5], [4, 2, 0]]\nbye_points = 1.5\n")
    assert rules.points == ((2520, 420), (3360, 1680, 0))
    assert rules.bye_points == 1260


def test_the_entry_code_is_kept_as_a_hash_only() -> None:
    rules = event('[registration]\nmode = "code"\ncode = "swordfish"\n')
    assert b"swordfish" not in canonical(rules)
    assert rules.registration.code_hash == code_hash("swordfish") != code_hash("swordfisH")


def test_T12_a_doubtful_event_file_is_accepted_with_warnings() -> None:
    cambio, jamaica = all_games()["cambio"], all_games()["jamaica"]
    assert any("roundrobin" in it for it in warnings(event("rounds = 5\n"), cambio, 8))
    assert not any("roundrobin" in it for it in warnings(event("rounds = 4\n"), cambio, 8))
    pods = event("seats = 4\nrounds = 6\n")
    assert any("meet again" in it for it in warnings(pods, cambio, 16))
    assert not any("meet again" in it for it in warnings(pods, cambio, 19))
    assert any("max_ping_ms" in it for it in warnings(event(), cambio, 64))
    assert any("proxy" in it for it in warnings(event(), cambio, 64, behind_proxy=True))
    quiet = event(top='title = "x"\ngame = "jamaica"\nformat = "swiss"\n')
    assert warnings(quiet, jamaica, 64, behind_proxy=True) == ()


@pytest.mark.parametrize(
    "raw",
    [
        b"title = ",
        b"\xff\xfe",
        LEAST.encode() + b"# " + b"x" * 13_000,
        b"x = " + b"[" * 5000 + b"]" * 5000,
        b"x = " + b"{a = " * 1500,
        b"",
        b"\x00",
        b"title = 1\ntitle = 2",
    ],
    ids=[
        "cut short",
        "not UTF-8",
        "13 KiB",
        "nested bomb",
        "nested tables",
        "empty",
        "zero byte",
        "double key",
    ],
)
def test_I10_bad_input_is_refused_as_bad_event_and_raises_nothing_else(raw: bytes) -> None:
    error = faults(raw)
    assert error.faults
    assert all(it.line >= 1 for it in error.faults)


def test_a_syntax_error_names_its_line() -> None:
    assert [it.line for it in faults(LEAST + "rounds = = 3\n").faults] == [4]


def test_T10_the_file_on_the_hosts_page_is_an_event() -> None:
    page = (Path(__file__).parents[3] / "protocol" / "TOURNAMENTS.md").read_text(encoding="utf-8")
    text = textwrap.dedent(page.partition("```toml\n")[2].partition("   ```")[0])
    rules = read_event(text.encode(), all_games())

    assert (rules.format, rules.rounds, rules.clock.break_seconds) == ("swiss", 4, 20)

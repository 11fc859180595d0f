"""Courses whose games are really played: by lot, by the rules, each with a replay that `verify` accepts."""

from dataclasses import dataclass, field

import msgspec

from photofinish.engine import Act, AnyGame, Micros, Rng
from photofinish.engine.convert import plain
from photofinish.engine.places import places
from photofinish.engine.playthrough import Playthrough, random_steps, start
from photofinish.engine.rng import NotedRng, game_key
from photofinish.games import all_games
from photofinish.race import Params
from photofinish.replay import log as room_log
from photofinish.replay.facts import facts_of
from photofinish.replay.replay import as_replay, table_of
from photofinish.tournament.course.due import seed_of
from photofinish.tournament.director.outcomes import race_lines
from photofinish.tournament.export.archive import packed
from photofinish.tournament.export.files import files_of
from photofinish.tournament.log import entries as log
from photofinish.tournament.state.model import BOT, Played, RoundTable
from tests.tournament.course import SECRET, Course
from tests.tournament.real_races import MINUTE, Races

DEFAULT = Params()


def play_out(
    game: AnyGame, dealt: room_log.Dealt, seed: bytes, moves: bytes = b"", params: Params = DEFAULT
) -> tuple[bytes, room_log.Ended, str]:
    """A whole game by random legal moves, drawn from `moves` or the seed: the replay file, its end, its head."""
    key = game_key(seed, [b""] * dealt.seats)
    play = Playthrough(game, table_of(game, dealt), key)
    rng = Rng(moves or seed, 1)
    stored: list[bytes] = []
    chain, head = room_log.Chain.of(seed), bytes(room_log.HASH)

    def write(entry: room_log.Entry) -> None:
        nonlocal head
        raw, head = chain.write(head, entry)
        stored.append(raw)

    first = NotedRng(key, 0)
    game.setup(table_of(game, dealt), first)
    write(msgspec.structs.replace(dealt, chance=tuple(first.draws)))
    before = play.state
    races = Races(game, seed, before, params)
    for step, it in enumerate(random_steps(play, rng), start=1):
        used, now = NotedRng(key, step), step * MINUTE
        evidence = races.sort(it, now)
        before = game.apply(before, it, used)
        chance = tuple(used.draws)
        if isinstance(it, Act):
            move = plain(it.move)
            write(room_log.Step(step, now, seat=it.seat, move=move, chance=chance, evidence=evidence))
        else:
            write(room_log.Step(step, now, timer=it.timer, chance=chance, evidence=evidence))
        if (closed := races.after(before, now)) is not None:
            write(closed)
    outcome = game.outcome(play.state)
    assert outcome is not None
    scores = tuple(game.scores(play.state))
    ended = room_log.Ended(tuple(outcome.winners), outcome.why, scores, places(game, play.state))
    write(ended)
    return as_replay(seed, stored), ended, head.hex()


@dataclass
class RealCourse(Course):
    replays: dict[str, bytes] = field(default_factory=dict)
    params: dict[str, int] = field(default_factory=dict)
    """Race parameters of the rooms, if they are not the event's."""

    def seed_of(self, game: Played) -> bytes:
        round_, table, _ = self.state.rooms[game.room]
        return seed_of(self.state, SECRET, round_, table, game.game, game.attempt)

    def end(self, table: RoundTable, game: Played, places: tuple[int, ...] | None = None) -> None:
        rules = self.state.rules
        names = tuple("bot" if it == BOT else self.state.entrant(it).name for it in game.seats)
        dealt = room_log.Dealt(
            rules.game,
            all_games()[rules.game].version,
            game.room,
            1,
            len(game.seats),
            names,
            rules.options,
            ("",) * len(names),
            (),
            (),
        )
        params = Params(**{name: Micros(value) for name, value in (self.params or rules.races).items()})
        replay, ended, head = play_out(all_games()[rules.game], dealt, self.seed_of(game), params=params)
        self.replays[game.room] = replay
        races = race_lines(facts_of(replay, all_games()).races)
        outcome = log.RoomOutcome(ended.winners, ended.scores, ended.places, races)
        from photofinish.tournament.scores import results

        self.add(results.take(self.state, game.room, head, outcome))

    def export(self) -> bytes:
        return packed(files_of(self.toml.encode(), self.lines, self.replays))


__all__ = ["RealCourse", "play_out", "start"]

"""C20: a wrong throw costs a penalty card. The strip of a race does not call it the first, however fast it was."""

from pathlib import Path

import pytest

from photofinish.engine import AnyGame
from photofinish.games import all_games
from photofinish.replay import log
from photofinish.replay.facts import facts_of
from photofinish.replay.log import Dealt
from photofinish.replay.replay import read_replay
from tests.commands.shell import typed
from tests.tournament.formats.test_duplicates import OPTIONS
from tests.tournament.real_games import play_out

NAMES = ("Ada", "Bo", "Cy", "Di")


def played(game: AnyGame, n: int) -> bytes:
    dealt = Dealt(game.key, game.version, f"ROOM{n}", 1, 4, NAMES, OPTIONS[game.key], ("",) * 4, (), ())
    return play_out(game, dealt, bytes([n]) * 32, moves=b"t%d" % n)[0]


@pytest.mark.parametrize("key", ["cambio", "kodiak"])
def test_C20_the_strip_names_the_first_right_throw_or_nobody(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heads: set[str] = set()
    for n in range(4):
        raw = played(all_games()[key], n)
        (tmp_path / "game.json").write_bytes(raw)
        moves = facts_of(raw, all_games()).races
        entries = [log.parse(line.body) for line in read_replay(raw).entries]
        races = [it.record.key for it in entries if isinstance(it, log.Raced)]
        for number, race in enumerate(races, start=1):
            own = [it for it in moves if it.race == race]
            tries = [it for it in own if it.verdict != "false_start"]
            won = [NAMES[it.seat] for it in tries if it.verdict == "won"]
            if not tries or (won and tries[0].verdict == "won"):
                continue  # the first try won
            done = typed(f"strip game.json --race {number}", tmp_path, monkeypatch, capsys)
            head = done.out.splitlines()[1]
            assert head.startswith(won[0] if won else "Nobody won: every try was wrong"), (head, tries)
            heads.add(head.partition(" ")[0])
            if "Nobody" in heads and len(heads) > 1:
                return  # and a race whose first try was wrong, and a later one right
    pytest.fail(f"in four games there were only races won by {heads}")

"""The file of a player's key: whole or not there, private, and the same for programs that start together."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from photofinish_client.keys import PlayerKey


def test_programs_that_start_together_have_the_same_key(tmp_path: Path) -> None:
    for n in range(20):
        barrier = Barrier(8)

        def kept(file: Path = tmp_path / str(n), barrier: Barrier = barrier) -> str:
            barrier.wait(20)
            return PlayerKey.kept(file).public

        with ThreadPoolExecutor(8) as pool:
            keys = {it.result() for it in [pool.submit(kept) for _ in range(8)]}

        assert keys == {PlayerKey.kept(tmp_path / str(n)).public}
    assert len(list(tmp_path.iterdir())) == 20


def test_only_its_owner_can_read_a_key(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        PlayerKey.kept(tmp_path / "folder" / "key")
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / "folder" / "key").stat().st_mode) == 0o600


def test_a_key_that_cannot_be_written_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, a full disk left an empty file, and no program made another key."""

    def full(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            PlayerKey.kept(tmp_path / "key")

    assert list(tmp_path.iterdir()) == []
    assert PlayerKey.kept(tmp_path / "key").public == PlayerKey.kept(tmp_path / "key").public


def test_a_link_to_nowhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "key").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileNotFoundError):
        PlayerKey.kept(tmp_path / "key")

    assert not (tmp_path / "elsewhere").exists()

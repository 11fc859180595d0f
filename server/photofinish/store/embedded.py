"""A private Redis of our own: a real one, on a unix socket, that syncs every commit to the disk."""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import threading
from pathlib import Path
from typing import Self

import structlog

from photofinish.store.binary import find_binary
from photofinish.store.child import die_with_us
from photofinish.store.datafolder import DataFolder

log = structlog.get_logger(__name__)

LOG = "redis.log"
LOOK_AGAIN = 0.01
"""Seconds between two looks whether it is up: it takes about 50 ms."""
FAREWELL = 1.0
"""Seconds it has to stop by itself, and then to be killed. It has synced all that it has acknowledged."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds before one that died young is started again, doubled each time: with a full disk it dies at every write."""
ROOM = 1 << 20
"""Bytes free on a disk that was full, and the pause is over."""
YOUNG = 3.0
"""Seconds of life after which its death is news, and it is started again at once."""


class EmbeddedFailed(Exception):  # noqa: N818 - the operator reads it as a sentence
    """It did not come up. Says what its log says."""


class EmbeddedRedis:
    """One child process. Stopped with the server, started again if it dies; `url` stays the same throughout."""

    def __init__(self, folder: DataFolder, binary: Path) -> None:
        self._folder, self._binary = folder, binary
        self._child: _Child | None = None
        self._watch: asyncio.Task[None] | None = None
        self.starts = 0
        """How often it was started: more than once means that it died."""

    @classmethod
    async def start(cls, data: Path, *, binary: Path | None = None) -> Self:
        """Returns when it has loaded its games and answers. Raises `FolderInUse`, `NoBinary`, `EmbeddedFailed`."""
        program = binary or find_binary()
        # Waits for a child that a killed server left behind.
        folder = await asyncio.to_thread(DataFolder, data)
        embedded = cls(folder, program)
        try:
            await embedded._bring_up()
        except BaseException:
            await embedded.stop()
            raise
        embedded._watch = asyncio.create_task(embedded._keep_up())
        return embedded

    @property
    def url(self) -> str:
        return f"unix://{self._folder.socket}"

    @property
    def pid(self) -> int:
        assert self._child is not None
        return self._child.process.pid

    async def stop(self) -> None:
        """Let it store what it holds, and let go of the folder."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        if self._child is not None:
            await self._child.stop()
        self._folder.close()

    async def _bring_up(self) -> None:
        # From this thread, not from a worker: on Linux the child dies with the thread that started it.
        self._child = _Child(self._binary, self._folder)
        self._folder.note_child(self._child.process.pid)
        self.starts += 1
        # As long as it takes: a long history loads slowly, and a child that gives up ends the wait.
        while not await _answers(self._folder.socket):
            if self._child.gone.is_set():
                raise EmbeddedFailed(f"{self._binary} did not start: {self._last_words()}")
            await asyncio.sleep(LOOK_AGAIN)

    async def _keep_up(self) -> None:
        pause, loop = 0.0, asyncio.get_running_loop()
        while True:
            assert self._child is not None
            up = loop.time()
            await self._child.gone.wait()
            pause = next_pause(pause, loop.time() - up)
            log.error("the embedded Redis died", code=self._child.process.returncode, again_in=pause)
            await self._rest(pause)
            try:
                await self._bring_up()
            except (EmbeddedFailed, OSError) as error:
                log.error("the embedded Redis does not come up", error=str(error))  # noqa: TRY400 - the sentence says all

    async def _rest(self, pause: float) -> None:
        """So long, or until a full disk has room again: play should go on soon after that."""
        loop, was_full = asyncio.get_running_loop(), self._is_full()
        end = loop.time() + pause
        while loop.time() < end and self._is_full() is was_full:  # noqa: ASYNC110 - no disk tells when it has room
            await asyncio.sleep(min(pause, FIRST_PAUSE))

    def _is_full(self) -> bool:
        return shutil.disk_usage(self._folder.path).free < ROOM

    def _last_words(self) -> str:
        file = self._folder.path / LOG
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines() if file.exists() else []
        return " / ".join(lines[-3:]) or f"see {file}"


def next_pause(pause: float, lived: float) -> float:
    """Seconds to wait before the next start, after that pause and that life."""
    return 0.0 if lived > YOUNG else min(max(FIRST_PAUSE, 2 * pause), LONGEST_PAUSE)


class _Child:
    """The process, and the news of its end."""

    def __init__(self, binary: Path, folder: DataFolder) -> None:
        folder.socket.unlink(missing_ok=True)
        self.process = subprocess.Popen(  # noqa: S603 - found on the PATH or in our wheel, no shell
            [str(binary), *_settings(folder.socket)],
            cwd=folder.path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(folder.child_lock,),
            process_group=0,  # Ctrl-C is for us; we stop the child when the rooms are done
            preexec_fn=die_with_us(os.getpid()),  # noqa: PLW1509 - nothing else can ask for it; it only calls prctl
        )
        self.gone = asyncio.Event()
        # A thread that waits works under every event loop; it ends with the child.
        threading.Thread(target=self._await_end, args=(asyncio.get_running_loop(),), daemon=True).start()

    async def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        # A stopped child (SIGSTOP) would not hear it.
        self.process.send_signal(signal.SIGCONT)
        try:
            await asyncio.wait_for(self.gone.wait(), FAREWELL)
        except TimeoutError:
            self.process.kill()
            with contextlib.suppress(TimeoutError):  # not even that ends a process that waits for its disk
                await asyncio.wait_for(self.gone.wait(), FAREWELL)

    def _await_end(self, loop: asyncio.AbstractEventLoop) -> None:
        self.process.wait()
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to tell
            loop.call_soon_threadsafe(self.gone.set)


def _settings(socket: Path) -> list[str]:
    settings = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": ".",
        "logfile": LOG,
        "appendonly": "yes",
        "appendfsync": "always",
        "no-appendfsync-on-rewrite": "no",
        # A power cut may leave half a command at the end: one that nobody was told of.
        "aof-load-truncated": "yes",
        "save": "",
        "databases": "1",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    return [word for name, value in settings.items() for word in (f"--{name}", value)]


async def _answers(socket: Path) -> bool:
    """Whether it takes commands: not while it is still loading."""
    try:
        reader, writer = await asyncio.open_unix_connection(socket)
    except OSError:
        return False
    try:
        writer.write(b"PING\r\n")
        return (await reader.readline()).startswith(b"+PONG")
    except OSError:
        return False
    finally:
        writer.close()

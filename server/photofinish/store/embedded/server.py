"""Runs a private Redis as a child process, on a unix socket. It syncs every write to the disk."""

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

from photofinish.backoff import Backoff
from photofinish.store.embedded.binary import find_binary
from photofinish.store.embedded.child import die_with_us
from photofinish.store.embedded.datafolder import DataFolder

log = structlog.get_logger(__name__)

LOG = "redis.log"
POLL_EVERY = 0.01
"""Seconds between two checks whether Redis answers. A start takes about 50 ms."""
STOP_SECONDS = 1.0
"""Seconds to wait after SIGTERM, and again after SIGKILL. Every acknowledged write is already on the disk."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Back-off before a restart, in seconds, doubled each time. With a full disk Redis crashes at every write."""
ENOUGH_SPACE = 1 << 20
"""Free bytes on the disk. When a full disk has this many again, the back-off ends at once."""
STABLE_UPTIME = 3.0
"""A crash after this uptime, in seconds, restarts at once and resets the back-off."""


class EmbeddedFailed(Exception):  # noqa: N818 - the operator reads it as a sentence
    """The embedded Redis did not start. The message holds the last lines of its log."""


class EmbeddedRedis:
    """The child process. It stops with the server and is restarted when it crashes; `url` never changes."""

    def __init__(self, folder: DataFolder, binary: Path) -> None:
        self._folder, self._binary = folder, binary
        self._child: _Child | None = None
        self._watch: asyncio.Task[None] | None = None
        self.starts = 0
        """Number of starts. More than one means that it crashed."""

    @classmethod
    async def start(cls, data: Path, *, binary: Path | None = None) -> Self:
        """Return when Redis has loaded its data and answers. Raises `FolderInUse`, `NoBinary`, `EmbeddedFailed`."""
        program = binary or find_binary()
        # May block: it stops the child that a killed server left running.
        folder = await asyncio.to_thread(DataFolder, data)
        embedded = cls(folder, program)
        try:
            await embedded._start_child()
        except BaseException:
            await embedded.stop()
            raise
        embedded._watch = asyncio.create_task(embedded._restart_on_exit())
        return embedded

    @property
    def url(self) -> str:
        return f"unix://{self._folder.socket}"

    @property
    def pid(self) -> int:
        assert self._child is not None
        return self._child.process.pid

    async def stop(self) -> None:
        """Stop Redis and unlock the folder."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        if self._child is not None:
            await self._child.stop()
        self._folder.close()

    async def _start_child(self) -> None:
        # From this thread, not from a worker: on Linux the child ends with the thread that started it.
        self._child = _Child(self._binary, self._folder)
        self._folder.note_child(self._child.process.pid)
        self.starts += 1
        # No timeout: a large data file loads slowly. If the child exits, the wait ends.
        while not await _answers(self._folder.socket):
            if self._child.gone.is_set():
                raise EmbeddedFailed(f"{self._binary} did not start: {self._log_tail()}")
            await asyncio.sleep(POLL_EVERY)

    async def _restart_on_exit(self) -> None:
        backoff, loop = Backoff(FIRST_PAUSE, LONGEST_PAUSE), asyncio.get_running_loop()
        while True:
            assert self._child is not None
            up = loop.time()
            await self._child.gone.wait()
            pause = next_pause(backoff, loop.time() - up)
            log.error("the embedded Redis died", code=self._child.process.returncode, again_in=pause)
            await self._back_off(pause)
            try:
                await self._start_child()
            except (EmbeddedFailed, OSError) as error:
                log.error("the embedded Redis does not start", error=str(error))  # noqa: TRY400 - the text is enough

    async def _back_off(self, pause: float) -> None:
        """Wait for `pause` seconds, or until a full disk has space again."""
        loop, was_full = asyncio.get_running_loop(), self._is_full()
        end = loop.time() + pause
        while loop.time() < end and self._is_full() is was_full:  # noqa: ASYNC110 - free space can only be polled
            await asyncio.sleep(min(pause, FIRST_PAUSE))

    def _is_full(self) -> bool:
        return shutil.disk_usage(self._folder.path).free < ENOUGH_SPACE

    def _log_tail(self) -> str:
        file = self._folder.path / LOG
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines() if file.exists() else []
        return " / ".join(lines[-3:]) or f"see {file}"


def next_pause(backoff: Backoff, uptime: float) -> float:
    """Seconds to wait before the next start, given how long the child was up."""
    if uptime <= STABLE_UPTIME:
        return backoff.pause()
    backoff.reset()
    return 0.0


class _Child:
    """The process, and an event that is set when it ends."""

    def __init__(self, binary: Path, folder: DataFolder) -> None:
        folder.socket.unlink(missing_ok=True)
        self.process = subprocess.Popen(  # noqa: S603 - found on the PATH or in our wheel, no shell
            [str(binary), *_settings(folder.socket)],
            cwd=folder.path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(folder.child_lock,),
            process_group=0,  # so that Ctrl-C does not reach it; we stop it after the rooms are stored
            preexec_fn=die_with_us(os.getpid()),  # noqa: PLW1509 - prctl must run in the child; nothing else does
        )
        self.gone = asyncio.Event()
        # A waiting thread works with every event loop. It ends with the child.
        threading.Thread(target=self._await_end, args=(asyncio.get_running_loop(),), daemon=True).start()

    async def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        # A child that is stopped by SIGSTOP handles SIGTERM only after SIGCONT.
        self.process.send_signal(signal.SIGCONT)
        try:
            await asyncio.wait_for(self.gone.wait(), STOP_SECONDS)
        except TimeoutError:
            self.process.kill()
            # SIGKILL does not end a process that is blocked on its disk.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.gone.wait(), STOP_SECONDS)

    def _await_end(self, loop: asyncio.AbstractEventLoop) -> None:
        self.process.wait()
        with contextlib.suppress(RuntimeError):  # the loop is closed already
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
        # A power cut may leave half a command at the end of the file. It was never acknowledged, so it may go.
        "aof-load-truncated": "yes",
        "save": "",
        "databases": "1",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    return [word for name, value in settings.items() for word in (f"--{name}", value)]


async def _answers(socket: Path) -> bool:
    """Whether Redis takes commands. It refuses them while it loads its data."""
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

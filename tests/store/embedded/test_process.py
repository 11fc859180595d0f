"""Only a process on the same machine may declare a node dead (DESIGN §5: one writer per room)."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from photofinish.store.process import Process, is_certainly_dead, this_process
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells when a process began")

SAYS_WHO = """
import msgspec, sys, time
from photofinish.store.process import this_process
sys.stdout.write(msgspec.json.encode(this_process()).decode() + "\\n")
sys.stdout.flush()
time.sleep(600)
"""


class OtherProcess:
    """A process that lives until it is killed."""

    def __init__(self) -> None:
        self.child = subprocess.Popen([sys.executable, "-c", SAYS_WHO], stdout=subprocess.PIPE)
        assert self.child.stdout is not None
        self.process = msgspec.json.decode(self.child.stdout.readline(), type=Process)

    def state(self) -> str:
        return (
            Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        )


@pytest.fixture
def other() -> Iterator[OtherProcess]:
    it = OtherProcess()
    yield it
    it.child.kill()
    it.child.communicate()


@pytest.fixture
def us() -> Process:
    here = this_process()
    assert here is not None
    return here


def test_a_live_node_is_never_taken_for_dead(other: OtherProcess, us: Process) -> None:
    assert not is_certainly_dead(other.process, us)
    assert not is_certainly_dead(us, us)


def test_a_stopped_node_keeps_its_leases_until_they_expire(other: OtherProcess, us: Process) -> None:
    os.kill(other.process.pid, signal.SIGSTOP)
    wait_until(lambda: other.state() == "T", "it stands still")

    assert not is_certainly_dead(other.process, us)


def test_a_killed_node_is_dead_even_before_its_parent_has_collected_it(
    other: OtherProcess, us: Process
) -> None:
    os.kill(other.process.pid, signal.SIGKILL)
    wait_until(lambda: other.state() == "Z", "it has ended")
    assert is_certainly_dead(other.process, us)
    other.child.wait()

    assert is_certainly_dead(other.process, us)


def test_a_pid_that_another_process_has_now_proves_that_the_node_is_dead(
    other: OtherProcess, us: Process
) -> None:
    before = msgspec.structs.replace(other.process, began=other.process.began - 1)

    assert is_certainly_dead(before, us)


@pytest.mark.parametrize("elsewhere", [{"boot": "another"}, {"namespace": 1}, {"host": "another"}], ids=str)
def test_a_node_on_another_machine_or_in_another_container_is_never_proven_dead(
    other: OtherProcess, us: Process, elsewhere: dict[str, object]
) -> None:
    other.child.kill()
    other.child.wait()
    there = msgspec.structs.replace(other.process, **elsewhere)

    assert is_certainly_dead(other.process, us)
    assert not is_certainly_dead(there, us)


def test_without_proc_no_node_is_taken_for_dead(other: OtherProcess, us: Process) -> None:
    other.child.kill()
    other.child.wait()

    assert not is_certainly_dead(None, us)
    assert not is_certainly_dead(other.process, None)

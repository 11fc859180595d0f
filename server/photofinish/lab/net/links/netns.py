"""Network namespaces and TUN devices by system calls. The kernel removes them with the last process that uses them."""

import ctypes
import fcntl
import os
import socket
import struct
from pathlib import Path

from photofinish.store.embedded.child import die_with_us

CLONE_NEWNET = 0x4000_0000
PR_SET_TIMERSLACK = 29
TUNSETIFF = 0x4004_54CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
IFF_UP, IFF_RUNNING = 0x1, 0x40
SIOCSIFFLAGS, SIOCSIFADDR, SIOCSIFDSTADDR = 0x8914, 0x8916, 0x8918
TUN = Path("/dev/net/tun")
PLAYERS, SERVER, LINKS = 1, 5, 10
"""The real-time priority of each part of the laboratory. Without priorities a busy machine would distort the
measurement; in production the server and each player have their own machine."""

_libc = ctypes.CDLL(None, use_errno=True)


def missing() -> str | None:
    """What this machine lacks for shaped links; None if it lacks nothing."""
    if not hasattr(os, "geteuid") or not TUN.exists():
        return f"there is no {TUN}"
    if os.geteuid() != 0:
        return "namespaces and TUN devices need root"
    if not os.access(TUN, os.R_OK | os.W_OK):
        return f"{TUN} cannot be opened"
    child = os.fork()
    if child == 0:  # tried in a child process: a container may forbid it even to root
        os._exit(0 if _libc.unshare(CLONE_NEWNET) == 0 else 1)
    if os.waitpid(child, 0)[1] != 0:
        return "the kernel does not let us make a network namespace"
    return None


def new_space() -> int:
    """Move this thread into a new network namespace. Returns a file descriptor of the namespace."""
    _checked(_libc.unshare(CLONE_NEWNET))
    _up("lo")
    return os.open("/proc/thread-self/ns/net", os.O_RDONLY)


def enter(space: str) -> None:
    """Move this thread into the namespace of this file descriptor."""
    file = os.open(space, os.O_RDONLY)
    try:
        _checked(_libc.setns(file, CLONE_NEWNET))
    finally:
        os.close(file)


def tun(name: str, here: str, there: str) -> int:
    """A TUN device in this thread's namespace, up, from one address to another. Read and write whole packets."""
    file = os.open(TUN, os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFADDR, _address(name, here))
        fcntl.ioctl(any_socket, SIOCSIFDSTADDR, _address(name, there))
    _up(name)
    return file


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent ends."""
    die = die_with_us(os.getppid())
    if die is not None:
        die()


def go_ahead(place: int) -> bool:
    """Set the real-time priority of this process. False if that is not allowed."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(place))
    except (AttributeError, PermissionError):
        return False
    return True


def sharpen() -> bool:
    """Set precise timers and the real-time priority of the links. False if the priority is not allowed."""
    _libc.prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0)
    return go_ahead(LINKS)


def _up(name: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        flags = struct.pack("16sH22x", name.encode(), IFF_UP | IFF_RUNNING)
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, flags)


def _address(name: str, address: str) -> bytes:
    return struct.pack("16sHH4s8x", name.encode(), socket.AF_INET, 0, socket.inet_aton(address))


def _checked(answer: int) -> None:
    if answer != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))

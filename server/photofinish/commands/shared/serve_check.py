"""What `serve` checks before it starts: the named files and folders must be usable."""

import os
import socket
import ssl
from pathlib import Path

from photofinish.commands.shared.base import BadUse
from photofinish.config import Settings
from photofinish_client.connection.address import BadAddress, address


def check(settings: Settings) -> None:
    """Raise `BadUse` with one sentence for the first thing that is wrong."""
    _certificate(settings.tls_cert, settings.tls_key)
    if settings.access_token_file is not None:
        _readable("--access-token-file", settings.access_token_file)
    if settings.components is not None and not settings.components.is_dir():
        raise BadUse(f"--components {settings.components} is not a folder.")
    if settings.public_url:
        _reachable(settings.public_url)
    if settings.redis is None:
        _data(settings.data)
    for option, host in (("--host", settings.host), ("--metrics-host", settings.metrics_host)):
        try:
            socket.getaddrinfo(host, None)
        except (OSError, UnicodeError) as fault:
            raise BadUse(f"{option} {host!r} is not an address of this machine: {fault}.") from fault


def _reachable(url: str) -> None:
    try:
        address(url)
    except BadAddress as fault:
        raise BadUse(f"--public-url: {fault}") from fault


def _certificate(cert: Path | None, key: Path | None) -> None:
    if cert is None:
        if key is not None:
            raise BadUse(f"--tls-key {key} needs its certificate: give --tls-cert as well.")
        return
    _readable("--tls-cert", cert)
    if key is not None:
        _readable("--tls-key", key)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
    except ssl.SSLError as fault:
        if key is None:
            raise BadUse(f"--tls-cert {cert} contains no private key: give --tls-key as well.") from fault
        raise BadUse(
            f"--tls-cert {cert} and --tls-key {key} are not a certificate and its key: {fault.reason}."
        ) from fault


def _readable(option: str, file: Path) -> None:
    try:
        with file.open("rb"):
            pass
    except OSError as fault:
        raise BadUse(f"{option} {file} cannot be read: {fault.strerror}.") from fault


def _data(folder: Path) -> None:
    """The folder exists and is writable, or it can be created."""
    place = next(it for it in (folder.absolute(), *folder.absolute().parents) if it.exists())
    if not place.is_dir():
        raise BadUse(f"--data {folder} cannot be used: {place} is not a folder.")
    if not os.access(place, os.W_OK | os.X_OK):
        raise BadUse(f"--data {folder} cannot be used: {place} cannot be written to.")

"""Makes a redis-py client from a URL, for a single server, Sentinel or Cluster.

    redis://[user:password@]host:port/db     rediss://…              unix://path?db=0
    redis+sentinel://[user:password@]h1:p1,h2:p2/service[/db]        rediss+sentinel://…
    redis+cluster://[user:password@]h1:p1,h2:p2                      rediss+cluster://…

`rediss` is TLS. The query holds options of redis-py, for example `?ssl_ca_certs=/etc/ca.pem`. The account for the
sentinels themselves is `sentinel_username` and `sentinel_password`.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff

PLAIN = ("redis", "rediss", "unix")
MANY = ("redis+sentinel", "rediss+sentinel", "redis+cluster", "rediss+cluster")


HIGHEST_PORT = 65_535


class BadUrl(ValueError):  # noqa: N818 - the operator reads it as a sentence
    """The URL does not name a Redis. The message never repeats the URL, because it may contain a password."""


@dataclass(frozen=True, slots=True)
class RedisTarget:
    """The client for commands, and the clients of the sentinels that gave its address."""

    client: Any
    sentinels: tuple[Any, ...] = ()

    async def close(self) -> None:
        # `aclose(True)` closes the pool too: redis-py does not close a pool that Sentinel made.
        pool = () if isinstance(self.client, RedisCluster) else (True,)
        await self.client.aclose(*pool)
        for sentinel in self.sentinels:
            await sentinel.aclose()


def connect(url: str, *, timeout_seconds: float) -> RedisTarget:
    """A client that waits `timeout_seconds` for an answer and never retries by itself.

    redis-py's own retry would repeat a write that was only slow. `pipeline.py` repeats what is safe to repeat.
    Raises `BadUrl`.
    """
    try:
        _need_escaped_password(urlsplit(url))
        return _connect(url, timeout_seconds)
    except BadUrl:
        raise
    except TypeError as fault:  # an option that redis-py does not know
        name = str(fault).rpartition("argument ")[2]
        raise BadUrl(f"the Redis URL has an unknown option: {name}") from fault
    except ValueError as fault:  # a port or an option that redis-py does not understand
        raise BadUrl(f"the Redis URL cannot be used: {str(fault).rstrip('.')}") from fault


def _need_escaped_password(parts: SplitResult) -> None:
    """A password that contains one of `/?#` ends the host there. Messages about that host would repeat the password."""
    rest = "" if parts.scheme == "unix" else parts.path + parts.query.partition("=")[0] + parts.fragment
    if "@" in rest:
        raise BadUrl(
            "the password in the Redis URL must be escaped: write %2F for /, %3F for ? and %23 for #"
        )


def _connect(url: str, timeout_seconds: float) -> RedisTarget:
    parts = urlsplit(url)
    options: dict[str, Any] = {
        "socket_timeout": timeout_seconds,
        "socket_connect_timeout": timeout_seconds,
        "retry": Retry(NoBackoff(), 0),
    }
    if parts.scheme in PLAIN:
        return RedisTarget(_with_known_options(Redis.from_url(url, **options)))
    if parts.scheme not in MANY:
        raise BadUrl(f"a Redis URL begins with {', '.join(PLAIN + MANY)}, not {parts.scheme!r}")
    hosts = _hosts(parts)
    query = dict(parse_qsl(parts.query))
    sentinel_account = {
        name: query.pop(f"sentinel_{name}")
        for name in ("username", "password")
        if f"sentinel_{name}" in query
    }
    options |= query | _account(parts)
    if parts.scheme.startswith("rediss"):
        options["ssl"] = True
    if parts.scheme.endswith("cluster"):
        return RedisTarget(
            RedisCluster(startup_nodes=[ClusterNode(host, port) for host, port in hosts], **options)
        )

    service, _, db = parts.path.strip("/").partition("/")
    if not service:
        raise BadUrl("a Sentinel URL names the service after the hosts: redis+sentinel://host:26379/service")
    own = {name: value for name, value in options.items() if name not in ("username", "password")}
    sentinel = Sentinel(hosts, sentinel_kwargs=own | sentinel_account)  # type: ignore[no-untyped-call]  # redis-py
    master = sentinel.master_for(service, db=int(db or 0), **options)
    return RedisTarget(_with_known_options(master), tuple(sentinel.sentinels))


def _with_known_options(client: Redis) -> Redis:
    """The same client. Raises TypeError for an unknown option: redis-py would only raise it with the first command."""
    pool = client.connection_pool
    pool.connection_class(**pool.connection_kwargs)
    return client


def _hosts(parts: SplitResult) -> list[tuple[str, int]]:
    default = 26379 if parts.scheme.endswith("sentinel") else 6379
    hosts = []
    for place in parts.netloc.rpartition("@")[2].split(","):
        host, colon, port = place.rpartition(":")
        if not colon or port.endswith("]"):  # no port given, or the end of a bare IPv6 address
            host, port = place, str(default)
        if not host or not port.isdigit() or int(port) > HIGHEST_PORT:
            raise BadUrl(f"{place!r} is not host:port")
        hosts.append((host.strip("[]"), int(port)))
    return hosts


def _account(parts: SplitResult) -> dict[str, str]:
    account, at, _ = parts.netloc.rpartition("@")
    if not at:
        return {}
    user, _, password = account.partition(":")
    given = {"username": unquote(user), "password": unquote(password)}
    return {name: value for name, value in given.items() if value}

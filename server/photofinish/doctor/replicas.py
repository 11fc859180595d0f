"""What the doctor says of a Redis with replicas: whether a failover could lose an acknowledged move."""

import asyncio
from collections.abc import Iterator
from typing import Any

from redis.asyncio import RedisCluster
from redis.exceptions import RedisClusterException, RedisError

from photofinish.doctor.finding import Finding
from photofinish.store.connect import BadUrl, connect

PATIENCE = 3.0
UNSURE = (
    "A failover may lose the last moves: give serve --redis-wait {there}, or set min-replicas-to-write in Redis "
    "(weaker: it counts replicas that were there a moment ago)."
)


def masters(url: str, redis_wait: int) -> list[Finding]:
    """Sentinel's master, or each master of a cluster: reached as the server would reach them."""
    return asyncio.run(_masters(url, redis_wait))


async def _masters(url: str, redis_wait: int) -> list[Finding]:
    try:
        door = connect(url, patience=PATIENCE)
    except (BadUrl, ValueError) as fault:
        return [Finding("Redis", "fail", str(fault), "Correct the address.")]
    found: list[Finding] = []
    try:
        if isinstance(door.client, RedisCluster):
            await door.client.initialize()
            nodes = door.client.get_primaries()
            found.append(Finding("Redis Cluster", "ok", f"{len(nodes)} masters"))
            for node in nodes:
                found += [*seen(node.name, await _of_node(door.client, node), redis_wait)]
        else:
            found += [*seen("Sentinel's master", await _of_master(door.client), redis_wait)]
    except (RedisError, RedisClusterException, OSError) as fault:
        advice = "Start it, or correct address, account or firewall."
        found.append(Finding("Redis", "fail", f"does not answer: {fault}", advice))
    finally:
        await door.close()
    return found


async def _of_master(client: Any) -> dict[str, Any]:
    return {**await client.info("replication"), **await client.config_get("min-replicas*", "append*")}


async def _of_node(client: Any, node: Any) -> dict[str, Any]:
    info = await client.info("replication", target_nodes=node)
    return {**info, **await client.config_get("min-replicas*", "append*", target_nodes=node)}


def seen(name: str, facts: dict[str, Any], redis_wait: int) -> Iterator[Finding]:
    """What one master of several servers says of itself: is it on the disk, and elsewhere?"""
    kept = f"appendonly {facts.get('appendonly', '?')}, appendfsync {facts.get('appendfsync', '?')}"
    if facts.get("appendonly") == "yes":
        yield Finding(f"{name}: AOF", "ok", kept)
    else:
        advice = (
            "Restarted before it is replaced it comes back empty, and its replicas follow: appendonly yes."
        )
        yield Finding(f"{name}: AOF", "fail", kept, advice)
    yield replicas(f"{name}: replicas", facts, redis_wait, has_failovers=True)


def replicas(name: str, facts: dict[str, Any], redis_wait: int, *, has_failovers: bool) -> Finding:
    """Whether what is acknowledged would outlive this master."""
    there, least = int(facts.get("connected_slaves", 0)), str(facts.get("min-replicas-to-write", "?"))
    found = f"{there} connected, min-replicas-to-write {least}, --redis-wait {redis_wait}"
    if redis_wait > there:
        advice = f"--redis-wait {redis_wait} would acknowledge nothing: connect as many replicas."
        return Finding(name, "fail", found, advice)
    if has_failovers and not there:
        return Finding(name, "warn", found, "There is nobody to take over: connect a replica.")
    if there and not redis_wait and least in ("0", "?"):
        return Finding(name, "warn", found, UNSURE.format(there=there))
    return Finding(name, "ok", found)

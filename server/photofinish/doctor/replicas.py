"""Checks a Redis through the same connection that the server would use: single, Sentinel or Cluster."""

import asyncio
from typing import Any

from redis.asyncio import RedisCluster
from redis.exceptions import RedisClusterException, RedisError, ResponseError

from photofinish.doctor.durability import losses
from photofinish.doctor.finding import Finding
from photofinish.store.connect import MANY, BadUrl, connect

TIMEOUT_SECONDS = 3.0
SETTINGS = ("append*", "maxmemory-policy", "min-replicas*")


def masters(url: str, redis_wait: int) -> list[Finding]:
    """Sentinel's master, or each master of a cluster."""
    return asyncio.run(find_losses(url, redis_wait))


async def find_losses(url: str, redis_wait: int) -> list[Finding]:
    """All findings about this Redis: what could lose games, and what is right."""
    try:
        target = connect(url, timeout_seconds=TIMEOUT_SECONDS)
    except (BadUrl, ValueError) as fault:
        return [Finding("Redis", "fail", str(fault), "Correct the address.")]
    found: list[Finding] = []
    try:
        if isinstance(target.client, RedisCluster):
            await target.client.initialize()
            nodes = target.client.get_primaries()
            found.append(Finding("Redis Cluster", "ok", f"{len(nodes)} masters"))
            for node in nodes:
                facts = await _of_master(target.client, target_nodes=node)
                found += losses(node.name, facts, redis_wait, has_failovers=True)
        else:
            is_led = url.startswith(tuple(f"{scheme}:" for scheme in MANY))
            name = "Sentinel's master" if is_led else "Redis"
            found += losses(name, await _of_master(target.client), redis_wait, has_failovers=is_led)
    except (RedisError, RedisClusterException, OSError) as fault:
        advice = "Start it, or correct the address, the account or the firewall."
        found.append(Finding("Redis", "fail", f"does not answer: {fault}", advice))
    finally:
        await target.close()
    return found


async def _of_master(client: Any, **where: Any) -> dict[str, Any]:
    """INFO and CONFIG GET in one mapping. A hosted Redis may not allow CONFIG GET."""
    info = dict(await client.info("replication", **where))
    try:
        return {**info, **await client.config_get(*SETTINGS, **where)}
    except ResponseError:
        return info

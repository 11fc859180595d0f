"""Settings of a Redis that could lose games: its role, its disk, its memory, its replicas."""

from collections.abc import Iterator, Mapping
from typing import Any

from photofinish.doctor.finding import Finding

UNSURE = (
    "A failover may lose the last moves: give serve --redis-wait {there}, or set min-replicas-to-write in Redis "
    "(weaker: it counts replicas that were connected a moment ago)."
)


def losses(name: str, facts: Mapping[str, Any], redis_wait: int, *, has_failovers: bool) -> Iterator[Finding]:
    """One finding per check. `facts` are the answers to INFO and CONFIG GET, in one mapping."""
    title = f"{name}: " if has_failovers else f"{name} "
    if facts.get("role") not in ("master", None):
        advice = "Give the server the address of the master: a replica accepts no writes."
        yield Finding(f"{title}role", "fail", str(facts["role"]), advice)
    if "appendonly" not in facts and "maxmemory-policy" not in facts:
        advice = "Check appendonly, appendfsync, maxmemory-policy."
        yield Finding(f"{title}settings", "warn", "cannot be read", advice)
    else:
        yield _disk(f"{title}AOF", facts, has_failovers=has_failovers)
        yield _memory(f"{title}memory", facts)
    yield replicas(f"{title}replicas", facts, redis_wait, has_failovers=has_failovers)


def _disk(name: str, facts: Mapping[str, Any], *, has_failovers: bool) -> Finding:
    is_kept, policy = facts.get("appendonly") == "yes", facts.get("appendfsync", "?")
    found = f"appendonly {facts.get('appendonly', '?')}, appendfsync {policy}"
    if is_kept and (policy == "always" or has_failovers):
        return Finding(name, "ok", found)
    if is_kept and policy == "everysec":
        return Finding(
            name, "warn", found, "A power cut loses the last second of moves: set appendfsync always."
        )
    if has_failovers:
        advice = "If it restarts before it is replaced, it is empty, and its replicas copy that: set appendonly yes."
        return Finding(name, "fail", found, advice)
    return Finding(
        name, "fail", found, "Games do not survive a restart: set appendonly yes, appendfsync always."
    )


def _memory(name: str, facts: Mapping[str, Any]) -> Finding:
    policy = str(facts.get("maxmemory-policy", "?"))
    if policy == "noeviction":
        return Finding(name, "ok", policy)
    return Finding(
        name, "fail", policy, "It may delete tables when its memory is full: set maxmemory-policy noeviction."
    )


def replicas(name: str, facts: Mapping[str, Any], redis_wait: int, *, has_failovers: bool) -> Finding:
    """Would acknowledged moves survive the loss of this master?"""
    there, least = int(facts.get("connected_slaves", 0)), str(facts.get("min-replicas-to-write", "?"))
    found = f"{there} connected, min-replicas-to-write {least}, --redis-wait {redis_wait}"
    if redis_wait > there:
        advice = f"--redis-wait {redis_wait} would acknowledge nothing: connect as many replicas."
        return Finding(name, "fail", found, advice)
    if has_failovers and not there:
        return Finding(name, "warn", found, "No server can take over from this one: connect a replica.")
    if there and not redis_wait and least in ("0", "?"):
        return Finding(name, "warn", found, UNSURE.format(there=there))
    return Finding(name, "ok", found)

"""What `serve` logs at its start about a Redis that could lose games. The server starts anyway."""

import asyncio
from contextlib import suppress
from typing import Final

import structlog

from photofinish.config import Settings
from photofinish.doctor.replicas import find_losses

log = structlog.get_logger(__name__)

LONGEST: Final = 5.0
"""Seconds for all checks. The store reports a Redis that does not answer."""


async def say_losses(settings: Settings) -> None:
    """One log line per problem that `photofinish doctor` would report."""
    if settings.redis is None:
        if settings.redis_wait:
            log.warning(
                "--redis-wait has no effect: the embedded Redis has no replicas",
                redis_wait=settings.redis_wait,
            )
        return
    with suppress(TimeoutError):
        async with asyncio.timeout(LONGEST):
            for it in await find_losses(settings.redis, settings.redis_wait):
                if it.state == "ok" or it.name == "Redis":
                    continue
                say = log.error if it.state == "fail" else log.warning
                say("GAMES MAY BE LOST", what=it.name, found=it.found, advice=it.advice)

"""Check a machine."""

import asyncio
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter, validators
from rich.markup import escape

from photofinish.commands.shared.base import BadUse, Json, app, console, print_json
from photofinish.doctor.examine import examine
from photofinish.store.connect import BadUrl, connect


@app.command
def doctor(
    *,
    redis: Annotated[str | None, Parameter(env_var="REDIS_URL")] = None,
    redis_wait: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=16))] = 0,
    data: Path = Path("data"),
    json: Json = False,
) -> int:
    """Check this machine and say what is wrong and how to fix it. Changes nothing.

    Parameters
    ----------
    redis
        A Redis to check as well.
    redis_wait
        The value that you give to serve.
    data
        The data folder of the embedded Redis.
    json
        One JSON list instead of a table.
    """
    if redis is not None:
        asyncio.run(_check_url(redis))
    findings = examine(data, redis, redis_wait)
    if json:
        print_json(findings)
    else:
        colours = {"ok": "green", "warn": "yellow", "fail": "red"}
        for it in findings:
            line = f"[{colours[it.state]}]{it.state:4}[/]  [bold]{it.name}[/]: {escape(it.found)}"
            console.print(line, highlight=False, soft_wrap=True)
            if it.advice:
                console.print(f"      {escape(it.advice)}", highlight=False, soft_wrap=True)
    return 1 if any(it.state == "fail" for it in findings) else 0


async def _check_url(url: str) -> None:
    """A wrong address is a wrong argument, not a finding about this machine."""
    try:
        await connect(url, timeout_seconds=1).close()
    except BadUrl as fault:
        raise BadUse(f"--redis: {fault}.") from fault
